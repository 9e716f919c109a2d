//! Which rows the list has, and in which order: families sorted, filtered and folded; generations and what is odd below
//! their session; what could not be looked at and other files at the end.

use std::cmp::{Ordering, Reverse};

use super::stock::Stock;
use super::{Line, List, Others, Sort};
use crate::store::{Health, ProjectIx, RootKind, SessionIx, said};
use crate::text::locale::Words;
use crate::triage::pass::said::shown;

/// Paragraphs of a list without sessions: why, where it looked, what else can be opened.
pub(super) const EMPTY_PARAGRAPHS: usize = 3;

/// All rows.
pub(super) fn lines(list: &List, words: &Words) -> Vec<Line> {
    let Some(stock) = &list.stock else { return Vec::new() };
    let mut lines = Vec::new();
    let is_export = stock.store.kind == RootKind::Export;
    if is_export {
        lines.push(Line::Export);
    }
    if stock.store.sessions.is_empty() {
        lines.extend((0..EMPTY_PARAGRAPHS).map(Line::Empty));
    } else {
        sessions(list, stock, words, &mut lines);
        if lines.len() == usize::from(is_export) {
            lines.push(Line::Empty(0));
        }
    }
    if list.filter.is_empty() {
        rest(list, stock, &mut lines);
    }
    lines
}

/// What could not be looked at, and other files.
fn rest(list: &List, stock: &Stock, lines: &mut Vec<Line>) {
    let (problems, others) = (stock.store.problems.len(), stock.store.other_files.len());
    if problems > 0 {
        lines.extend([Line::Blank, Line::Problems]);
        lines.extend((0..problems).map(Line::Problem));
    }
    if others > 0 {
        if problems > 0 || list.others == Others::Listed {
            lines.push(Line::Blank);
        }
        lines.push(Line::Others);
        if list.others == Others::Listed {
            lines.extend((0..others).map(Line::Other));
        }
    }
}

fn sessions(list: &List, stock: &Stock, words: &Words, lines: &mut Vec<Line>) {
    let tree = tree(list.sort, stock);
    let keep = kept(list, stock, &tree, words);
    // With one project its heading says the cwd of all; with several sorted otherwise each row says its own.
    let is_export = stock.store.kind == RootKind::Export;
    let has_headings = !is_export && (list.sort == Sort::Project || stock.projects == 1);
    let mut heading: Option<ProjectIx> = None;
    let mut folded: Option<usize> = None;
    for (at, level) in tree {
        if folded.is_some_and(|folded| level > folded) {
            continue;
        }
        folded = None;
        let (true, Some(session)) = (keep.get(at.at()).copied().unwrap_or(true), stock.store.get(at)) else { continue };
        if has_headings && level == 0 && heading != Some(session.project) {
            heading = Some(session.project);
            lines.push(Line::Project(session.project));
        }
        lines.push(Line::Session { at, level: level.min(usize::from(u16::MAX)) as u16 });
        if session.generations.len() > 1 {
            lines.extend((0..session.generations.len()).map(|nth| Line::Generation { at, nth }));
        }
        let odd = stock.census.get(at).map_or(0, |kin| kin.oddities.len());
        lines.extend((0..odd).map(|nth| Line::Oddity { at, nth }));
        if list.filter.is_empty() && list.folded.contains(&at) {
            folded = Some(level);
        }
    }
}

/// All sessions as a tree: families sorted, inside them the oldest child first.
fn tree(sort: Sort, stock: &Stock) -> Vec<(SessionIx, usize)> {
    let newest = stock.census.newest(&|at| stock.time(at));
    let newest = |at: SessionIx| Reverse(newest.get(at.at()).copied().flatten());
    let is_root = |at: SessionIx| stock.census.get(at).is_some_and(|kin| kin.is_root);
    let by: Box<dyn Fn(SessionIx, SessionIx) -> Ordering> = match sort {
        Sort::LastRecord => Box::new(|a, b| newest(a).cmp(&newest(b))),
        Sort::Project => {
            let project = |at: SessionIx| stock.store.get(at).map(|session| session.project);
            Box::new(move |a, b| (project(a), newest(a)).cmp(&(project(b), newest(b))))
        }
        Sort::State => {
            let worst = worst(stock);
            let worst = move |at: SessionIx| worst.get(at.at()).copied().flatten().unwrap_or(Health::Fine);
            Box::new(move |a, b| (worst(a), newest(a)).cmp(&(worst(b), newest(b))))
        }
        Sort::Title => {
            let title = |at: SessionIx| {
                let title = stock.brief(at).and_then(|brief| brief.title_or_label());
                (title.is_none(), title.map(|title| shown(title).to_lowercase()))
            };
            let titles: Vec<_> = stock.store.places().map(title).collect();
            Box::new(move |a, b| titles.get(a.at()).cmp(&titles.get(b.at())))
        }
        Sort::Events => {
            let events = |at: SessionIx| Reverse(stock.brief(at).and_then(|brief| Some(brief.whole.as_ref()?.events)));
            Box::new(move |a, b| (events(a), newest(a)).cmp(&(events(b), newest(b))))
        }
    };
    stock.census.tree(&|a, b| if is_root(a) && is_root(b) { by(a, b) } else { Ordering::Equal })
}

/// The worst state of each session and all below it.
fn worst(stock: &Stock) -> Vec<Option<Health>> {
    let mut worst: Vec<Option<Health>> = stock.store.places().map(|at| stock.health(at)).collect();
    for (at, _) in stock.census.tree(&|_, _| Ordering::Equal).into_iter().rev() {
        if let Some(above) = stock.parent(at) {
            let both = [worst[above.at()], worst[at.at()]];
            worst[above.at()] = both.into_iter().flatten().min();
        }
    }
    worst
}

/// Which sessions the filter lets through, with all above them; empty where it lets all through.
fn kept(list: &List, stock: &Stock, tree: &[(SessionIx, usize)], words: &Words) -> Vec<bool> {
    let wanted: Vec<String> = list.filter.split_whitespace().map(str::to_lowercase).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut keep: Vec<bool> = stock.store.places().map(|at| matches(stock, at, &wanted, words)).collect();
    for (at, _) in tree.iter().rev().filter(|(_, level)| *level > 0) {
        if let (true, Some(above)) = (keep[at.at()], stock.parent(*at)) {
            keep[above.at()] = true;
        }
    }
    keep
}

/// Whether all words are in what the row of a session shows, its whole id, or its cwd.
fn matches(stock: &Stock, at: SessionIx, wanted: &[String], words: &Words) -> bool {
    let Some(session) = stock.store.get(at) else { return false };
    let mut text = format!("{} v{} ", stock.id(at), session.current().version);
    let kin = stock.census.get(at);
    for part in [kin.and_then(|kin| kin.id.as_ref()), Some(&stock.store.project_of(session).name)] {
        text.push_str(&part.map(shown).unwrap_or_default());
        text.push(' ');
    }
    if let Some(brief) = stock.brief(at) {
        if let Some(cwd) = brief.header().and_then(|header| header.cwd.as_ref()) {
            text.push_str(&shown(cwd));
        }
        for part in [said::title(brief, words), said::ending(brief, words)] {
            text.push(' ');
            text.push_str(&part);
        }
        text.push(' ');
    }
    if stock.is_fork(at) {
        text.push_str(words.get("list.fork"));
    }
    for oddity in kin.iter().flat_map(|kin| &kin.oddities) {
        text.push(' ');
        text.push_str(said::badge(oddity, words));
    }
    let text = text.to_lowercase();
    wanted.iter().all(|word| text.contains(word))
}
