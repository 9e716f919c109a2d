//! Pages whose lines stand in `triage::pages`: the silent model, time, originals, changed files, prompt and tools.

use super::sheet::Sheet;
use super::{Page, PageKind};
use crate::app::model::{Model, Open};
use crate::app::parted::{Part, PartedLine};
use crate::app::update::here;
use crate::text::locale::Words;
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::text::width::prefixed_id;
use crate::triage::facts::Facts;
use crate::triage::pages::{self, Draft, Scope};

/// Columns of the screen that hold no text: one at each side.
const MARGIN: u16 = 2;

/// A page of this kind, with the key of its name and its figures; its lines come from a draft.
fn drafted(
    kind: PageKind,
    named: (&str, String),
    fill: impl Fn(&mut Draft<'_, '_>),
    open: &Open,
    model: &Model,
) -> Page {
    let mut sheet = Sheet::new(open, model);
    let width = usize::from(model.screen.0.saturating_sub(MARGIN).max(20));
    let mut texts = |row| model.page_texts.get((model.epoch, row)).map(<[u8]>::to_vec);
    let mut draft = Draft::new(&open.session, &model.settings.words, &model.settings.zone, width, &mut texts);
    draft.here = here(model).map(|event| event.row);
    draft.braces = !model.has_colours();
    fill(&mut draft);
    let (lines, needs) = (draft.lines, draft.needs);
    let mut needs = needs.into_iter().peekable();
    for (at, line) in lines.into_iter().enumerate() {
        while let Some((_, row)) = needs.next_if(|(line, _)| *line <= at) {
            sheet.text(row);
        }
        sheet.push(line);
    }
    let first = sheet.doc.lines.iter().position(|line| line.target.is_some()).unwrap_or(0);
    sheet.finish(kind, title(named, &open.session.facts, &model.settings.words), first)
}

/// The silent model.
pub(crate) fn silent(open: &Open, model: &Model) -> Page {
    let figures = answers(&open.session.facts, &model.settings.words);
    drafted(PageKind::Silent, ("silent.title", figures), pages::silent, open, model)
}

/// Where the time went.
pub(crate) fn time(open: &Open, model: &Model) -> Page {
    let scope = model.time_scope;
    let figures = scope_words(&open.session.facts, scope, &model.settings.words);
    drafted(PageKind::Time, ("time_page.title", figures), |draft| pages::time(draft, scope), open, model)
}

/// Originals.
pub(crate) fn originals(open: &Open, model: &Model) -> Page {
    let figures = model.settings.words.count("count.rewrites", open.session.facts.rewrites.len() as u64);
    drafted(PageKind::Originals, ("originals.title", figures), pages::originals, open, model)
}

/// Changed files.
pub(crate) fn changes(open: &Open, model: &Model) -> Page {
    let figures = model.settings.words.count("count.changes", open.session.facts.edits.len() as u64);
    drafted(PageKind::Changes, ("changed.title", figures), pages::changes, open, model)
}

/// Prompt and tools.
pub(crate) fn request(open: &Open, model: &Model) -> Page {
    let figures = model.settings.words.count("count.headers", open.session.facts.headers.len() as u64);
    drafted(PageKind::Request, ("request_page.title", figures), pages::request, open, model)
}

fn title((name, figures): (&str, String), facts: &Facts, words: &Words) -> PartedLine {
    let id = facts.header.as_ref().and_then(|header| header.id.as_ref());
    let id = id.map(|id| prefixed_id(&display(id.as_bytes()))).unwrap_or_default();
    PartedLine {
        left: vec![Part::fixed(words.get(name), Role::Strong), Part::fixed(figures, Role::Accent).gap(3)],
        right: vec![Part::droppable(id, Role::Dim, 9), Part::fixed(words.get("page_header.back"), Role::Dim)],
    }
}

fn answers(facts: &Facts, words: &Words) -> String {
    let answers = facts.attempts.iter().filter(|attempt| attempt.message_row.is_some()).count() as u64;
    let attempts = words.count("count.attempts", facts.attempts.len() as u64);
    words.say("silent.figures", &[("attempts", &attempts), ("answers", &words.count("count.answers", answers))])
}

fn scope_words(facts: &Facts, scope: Scope, words: &Words) -> String {
    match scope {
        Scope::Session => words.get("time_page.whole_session").to_owned(),
        Scope::Turn(at) => {
            let turn = facts.turns.get(at).map_or_else(|| "?".to_owned(), |turn| turn.turn.to_string());
            words.say("time_page.turn", &[("turn", &turn), ("all", &facts.turns.len().to_string())])
        }
        Scope::Step(at) => {
            let step = facts.steps.get(at);
            let place = step.map_or_else(Default::default, |step| (step.turn.to_string(), step.step.to_string()));
            words.say("time_page.step", &[("turn", &place.0), ("step", &place.1)])
        }
    }
}
