//! The title row of the list, and where its cursor is in the last row.

use super::{List, Looking, Stock, view};
use crate::app::parted::{Part, PartedLine};
use crate::store::{RootKind, SessionIx};
use crate::text::locale::Words;
use crate::text::role::Role;
use crate::text::sanitize::display;
use crate::text::width::{columns, short_path};

/// Columns of the place, long and short.
const PLACE: [usize; 2] = [28, 20];

/// The title row: where, how many of what, what it is sorted by.
pub(crate) fn title(list: &List, words: &Words) -> PartedLine {
    let mut left = vec![Part::fixed(words.get("list.title"), Role::Strong)];
    if !list.place.is_empty() {
        let name = list.place.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let name = if columns(name) <= PLACE[1] { format!("{name}/") } else { String::new() };
        let places = [list.place.clone(), short_path(&list.place, PLACE[0]), name, String::new()];
        left.push(Part::shrinking(&places, Role::Normal, 9).gap(3));
    }
    match (&list.looking, &list.stock) {
        (Looking::At(folders), _) => {
            let text = words.count("list.looking", *folders);
            left.push(Part::shrinking(&[text, words.get("list.looking_short").to_owned()], Role::Accent, 4).gap(3));
        }
        (Looking::Failed(_), _) | (Looking::Done, None) => {}
        (Looking::Done, Some(stock)) => counts(list, stock, words, &mut left),
    }
    let back = match list.below {
        super::Below::Log => "hint.back",
        super::Below::Nothing => "hint.quit",
    };
    let sort = words.say("list.sort", &[("by", list.sort.name(words))]);
    let right = vec![Part::droppable(sort, Role::Normal, 2), Part::droppable(words.get(back), Role::Dim, 6)];
    PartedLine { left, right }
}

fn counts(list: &List, stock: &Stock, words: &Words, left: &mut Vec<Part>) {
    let store = &stock.store;
    if store.sessions.is_empty() {
        return;
    }
    // An export holds what belongs to one session, wherever that worked.
    if store.kind != RootKind::Export {
        let projects = words.count("list.projects", stock.projects as u64);
        left.push(Part::droppable(projects, Role::Normal, 8).gap(3));
    }
    let sessions = words.count("list.sessions", store.sessions.len() as u64);
    let sorts = stock.sorts();
    let told = [
        ("list.top_level", sorts.top),
        ("list.children", sorts.children),
        ("list.forks", sorts.forks),
        ("list.empty_logs", sorts.empty),
        ("list.without_header", if list.unread == 0 { sorts.unknown } else { 0 }),
    ];
    // Half of a count would be taken for the whole.
    let is_known = stock.briefs.iter().all(Option::is_some);
    let is_mixed = is_known && told.iter().filter(|(_, n)| *n > 0).count() > 1;
    let told: Vec<String> = told.iter().filter(|(_, n)| *n > 0).map(|(key, n)| words.count(key, *n)).collect();
    let long = if is_mixed { format!("{sessions}: {}", told.join(", ")) } else { sessions.clone() };
    left.push(Part::shrinking(&[long, sessions, words.number(store.sessions.len() as u64)], Role::Normal, 7).gap(3));
    let others = store.other_files.len() as u64;
    if others > 0 {
        left.push(Part::droppable(words.count("list.other_files", others), Role::Normal, 4).gap(3));
    }
    if !store.problems.is_empty() {
        let problems = words.number(store.problems.len() as u64);
        left.push(Part::droppable(words.say("list.problems", &[("n", &problems)]), Role::Warn, 1).gap(3));
    }
    if list.unread > 0 {
        let key = if list.is_stopped { "list.not_read" } else { "list.to_read" };
        let unread = words.say(key, &[("n", &words.number(list.unread as u64))]);
        left.push(Part::droppable(unread, if list.is_stopped { Role::Warn } else { Role::Accent }, 3).gap(3));
    }
}

/// Where the cursor is: `child 1d07f7c0⋯acfd of s-0a11c0de⋯0025   7 of 30`, and what the filter hides.
pub(crate) fn place(list: &List, words: &Words) -> Vec<Part> {
    let mut parts = Vec::new();
    let Some(stock) = &list.stock else { return parts };
    let all = stock.store.sessions.len();
    if let Some(at) = list.session() {
        let name = view::name(stock, at, words);
        parts.push(Part::shrinking(&[name, stock.id(at).to_owned(), String::new()], Role::Normal, 24));
        if list.filter.is_empty() {
            parts.push(Part::droppable(number(list, at, all, words), Role::Dim, 22).gap(3));
        }
    }
    if !list.filter.is_empty() {
        let filter = display(list.filter.as_bytes());
        let values = [("filter", &*filter), ("shown", &*how_many(list, words))];
        let forms = [words.say("list.filter", &values), words.get("list.filter_short").to_owned()];
        parts.push(Part::shrinking(&forms, Role::Warn, 19).gap(3));
    }
    parts
}

/// `3 of 30`: rows of sessions that are shown.
pub(crate) fn how_many(list: &List, words: &Words) -> String {
    let all = list.stock.as_ref().map_or(0, |stock| stock.store.sessions.len());
    words.say("list.nth_of", &[("n", &words.number(list.shown as u64)), ("all", &words.number(all as u64))])
}

/// `7 of 30`: the row among those of sessions.
fn number(list: &List, at: SessionIx, all: usize, words: &Words) -> String {
    let sessions = list.lines.iter().filter_map(|line| match line {
        super::Line::Session { at, .. } => Some(*at),
        _ => None,
    });
    let nth = sessions.take_while(|other| *other != at).count() + 1;
    let values = [("n", &*words.number(nth as u64)), ("all", &*words.number(all as u64))];
    words.say("list.nth_of", &values)
}

/// The row above the sessions: names of the columns.
pub(crate) fn heading(list: &List, words: &Words) -> view::Cells {
    let word = |key: &str| words.get(key).to_owned();
    let dim = |key: &str| crate::text::role::Span::new(words.get(key), Role::Dim);
    view::Cells {
        time: [word("list.column_last_record"), word("list.column_age")],
        depth: word("list.column_depth"),
        title: dim("list.column_title"),
        state: dim("list.column_state"),
        events: word("list.column_events"),
        kind: word("list.column_kind"),
        version: word("list.column_version"),
        id: word("list.column_id"),
        project: if list.has_projects() { word("list.column_project") } else { String::new() },
        ..view::Cells::default()
    }
}
