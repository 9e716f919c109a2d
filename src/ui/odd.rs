//! Files that have nothing for the panes: empty, no session log, unreadable; a log with a header and nothing else; and
//! the moment before anything was read.

use super::canvas::Canvas;
use crate::app::area::Area;
use crate::app::message::{OddFile, OddKind};
use crate::app::model::Model;
use crate::text::locale::Words;
use crate::text::role::{Role, Span};
use crate::text::sanitize::display;
use crate::text::width::{cut_end, pad_end, wrap};
use crate::text::wire::WireText;

/// Lines of a file that are looked at before it is called no log.
const LOOKED_AT: &str = "64";

/// Columns that the names of header fields are padded to.
const FIELD: usize = 17;

/// Draws what an odd file is: path and size, the news, what it means.
pub(crate) fn draw(canvas: &mut Canvas<'_>, area: Area, odd: &OddFile, following: bool) {
    canvas.blank(area);
    let bytes = match odd.bytes {
        Some(bytes) => canvas.look.words.count("count.bytes", bytes),
        None => String::new(),
    };
    canvas.ends(area, 0, &[Span::new(&*odd.path, Role::Strong)], &[Span::new(bytes, Role::Dim)]);
    let (title, what, mut paragraphs) = say(&canvas.look.words, odd);
    if following && odd.kind == OddKind::Empty {
        paragraphs.push(canvas.look.words.get("odd.waiting").to_owned());
    }
    let news = [Span::new(format!("✗ {title}"), Role::Bad), Span::plain("   "), Span::plain(what)];
    canvas.ends(area, 1, &news, &[]);
    let mut at = 2;
    for (nth, text) in paragraphs.iter().enumerate() {
        // The first says what the harness does and belongs to the news; the others explain.
        if nth == 1 {
            at += 1;
        }
        at = paragraph(canvas, area, at, text);
    }
}

/// Title, what it is, and the paragraphs below.
fn say(words: &Words, odd: &OddFile) -> (String, String, Vec<String>) {
    let get = |key: &str| words.get(key).to_owned();
    let not_a_log = |what: String| {
        let sense = words.say("odd.not_a_log_sense", &[("n", LOOKED_AT)]);
        let more = vec![String::new(), sense, get("odd.not_a_log_others"), get("odd.not_a_log_shell")];
        (get("odd.not_a_log_title"), what, more)
    };
    match &odd.kind {
        OddKind::Empty => {
            (get("odd.empty_title"), get("odd.empty_what"), vec![get("odd.empty_harness"), get("odd.empty_sense")])
        }
        OddKind::NotALog { first_line: Some(first) } => {
            let text = format!("\"{}\"", cut_end(first, 200));
            not_a_log(words.say("odd.not_a_log_line", &[("text", &text)]))
        }
        OddKind::NotALog { first_line: None } => not_a_log(get("odd.binary")),
        OddKind::Named(name) => not_a_log(name.clone()),
        OddKind::Folder => not_a_log(get("odd.folder")),
        OddKind::Unreadable(why) => (get("odd.unreadable_title"), why.clone(), Vec::new()),
    }
}

/// A text wrapped below the news; gives the row after it.
pub(super) fn paragraph(canvas: &mut Canvas<'_>, area: Area, at: u16, text: &str) -> u16 {
    let room = usize::from(area.width).saturating_sub(3);
    let mut row = at;
    for range in wrap(text, room).into_iter().filter(|_| !text.is_empty()) {
        canvas.span(area, row, 3, &text[range], Role::Normal);
        row = row.saturating_add(1);
    }
    row
}

/// The header as it is written, for a log that has nothing else.
pub(crate) fn header_only(canvas: &mut Canvas<'_>, area: Area, model: &Model) {
    let Some(header) = model.open.as_ref().and_then(|open| open.session.facts.header.as_ref()) else {
        return;
    };
    let text = |field: &Option<WireText>| field.as_ref().map(|text| display(text.as_bytes()));
    let number = |field: Option<i64>| field.map(|number| number.to_string());
    let created = header.created_at.map(|at| format!("{at}   {}", canvas.look.zone.date_clock(at)));
    let fields = [
        ("version", number(header.version)),
        ("id", text(&header.id)),
        ("createdAt", created),
        ("cwd", text(&header.cwd)),
        ("delegationDepth", number(header.delegation_depth)),
        ("agentPreset", text(&header.agent_preset)),
        ("parentSession", text(&header.parent_session)),
        ("origin", text(&header.origin)),
    ];
    let absent = canvas.look.words.get("missing.words").to_owned();
    let rows = 1..area.height;
    for (at, (name, value)) in rows.clone().zip(fields) {
        let role = if value.is_some() { Role::Normal } else { Role::Dim };
        let spans = [Span::new(pad_end(name, FIELD), Role::Dim), Span::new(value.unwrap_or(absent.clone()), role)];
        canvas.spans(Area { width: area.width.saturating_sub(1), ..area }, at, 3, &spans);
    }
    for (at, key) in rows.skip(8).zip(&header.unknown_keys) {
        canvas.span(area, at, 3, &format!("! {}", display(key.as_bytes())), Role::Warn);
    }
}
