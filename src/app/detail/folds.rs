//! Folding of values in the detail: what lies below a folded key is not laid out.
//!
//! A fold is remembered by the path of its value, so that it stays when the same text is made again.

use std::collections::BTreeSet;

use super::Detail;
use crate::triage::doc::{Branch, Doc, DocLine};

/// Levels of a value at most, with room: a value is opened far less deep.
const DEEPEST: u16 = 64;

/// Which values are folded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folds {
    paths: BTreeSet<String>,
    /// Levels that are open after everything was folded by level; `None`: all.
    levels: Option<u16>,
}

impl Folds {
    fn is_folded(&self, branch: &Branch) -> bool {
        branch.opens && self.paths.contains(&branch.path)
    }

    /// Whether a line stands on the screen, seen after all lines above it. `below` is the level of the folded line that
    /// the lines here lie below.
    pub(super) fn hides(&self, line: &DocLine, below: &mut Option<u16>) -> bool {
        let Some(branch) = &line.branch else {
            *below = None;
            return false;
        };
        if below.is_some_and(|level| branch.level > level) {
            return true;
        }
        *below = self.is_folded(branch).then_some(branch.level);
        false
    }
}

fn branches(doc: &Doc) -> impl Iterator<Item = &Branch> {
    doc.lines.iter().filter_map(|line| line.branch.as_ref()).filter(|branch| branch.opens)
}

impl Detail {
    /// The value at the cursor.
    #[must_use]
    pub fn branch(&self) -> Option<&Branch> {
        let row = self.rows.get(self.cursor)?;
        self.doc.as_ref()?.lines.get(row.line)?.branch.as_ref()
    }

    /// Whether a line of the doc is the head of a folded value, and how many lines that hides.
    #[must_use]
    pub fn folded_lines(&self, line: usize) -> Option<usize> {
        let doc = self.doc.as_ref()?;
        let branch = doc.lines.get(line)?.branch.as_ref().filter(|branch| self.folds.is_folded(branch))?;
        let below = doc.lines.get(line + 1..)?.iter();
        Some(below.take_while(|line| line.branch.as_ref().is_some_and(|other| other.level > branch.level)).count())
    }

    /// Folds or unfolds the value at the cursor; `false`: it has nothing to fold.
    pub(crate) fn toggle_fold(&mut self) -> bool {
        let Some(branch) = self.branch().filter(|branch| branch.opens) else { return false };
        let path = branch.path.clone();
        if !self.folds.paths.remove(&path) {
            self.folds.paths.insert(path);
        }
        self.lay_out();
        true
    }

    /// Folds the value at the cursor, else goes to the line of the value around it; `false`: there is none.
    pub(crate) fn fold_or_out(&mut self) -> bool {
        let Some(branch) = self.branch() else { return false };
        if branch.opens && !self.folds.is_folded(branch) {
            return self.toggle_fold();
        }
        let (level, line) = (branch.level, self.rows[self.cursor].line);
        let Some(doc) = self.doc.clone() else { return false };
        let around = |line: &DocLine| line.branch.as_ref().is_some_and(|other| other.level < level);
        let above = doc.lines[..line].iter().rposition(|line| line.branch.is_none() || around(line));
        let Some(above) = above.filter(|above| doc.lines[*above].branch.is_some()) else { return false };
        self.go(self.rows.partition_point(|row| row.line < above));
        true
    }

    /// Unfolds the value at the cursor, else goes to its first line; `false`: there is none.
    pub(crate) fn unfold_or_in(&mut self) -> bool {
        let Some(branch) = self.branch().filter(|branch| branch.opens) else { return false };
        if self.folds.is_folded(branch) {
            return self.toggle_fold();
        }
        let line = self.rows[self.cursor].line;
        self.go(self.rows.partition_point(|row| row.line <= line));
        true
    }

    /// Goes to the next value on the same level, or to the one before; stops where the value around ends. `false`: the
    /// cursor is on no value.
    pub(crate) fn sibling(&mut self, forward: bool) -> bool {
        let Some(level) = self.branch().map(|branch| branch.level) else { return false };
        let Some(doc) = self.doc.clone() else { return false };
        let line = self.rows[self.cursor].line;
        let at = |row: usize| doc.lines.get(self.rows[row].line).and_then(|line| line.branch.as_ref());
        // A line without a place, or of a level above, ends the search.
        let ends = |row: &usize| self.rows[*row].line != line && at(*row).is_none_or(|other| other.level <= level);
        let found = if forward { (self.cursor..self.rows.len()).find(ends) } else { (0..self.cursor).rev().find(ends) };
        if let Some(row) = found.filter(|row| at(*row).is_some_and(|other| other.level == level)) {
            let line = self.rows[row].line;
            self.go(self.rows.partition_point(|row| row.line < line));
        }
        true
    }

    /// Unfolds everything that is folded.
    pub(crate) fn unfold_all(&mut self) {
        if !self.folds.paths.is_empty() {
            self.set_levels(None);
        }
    }

    /// Leaves so many levels open; `None`: all. `false`: there is nothing to fold.
    pub(crate) fn set_levels(&mut self, levels: Option<u16>) -> bool {
        let Some(doc) = self.doc.clone() else { return false };
        let Some(first) = branches(&doc).map(|branch| branch.level).min() else { return false };
        let folded = |branch: &&Branch| levels.is_some_and(|levels| branch.level >= first.saturating_add(levels));
        self.folds.paths = branches(&doc).filter(folded).map(|branch| branch.path.clone()).collect();
        self.folds.levels = levels;
        self.lay_out();
        true
    }

    /// One level more or less; `false`: there is nothing to fold.
    pub(crate) fn change_levels(&mut self, more: bool) -> bool {
        let deepest = || {
            let doc = self.doc.as_ref()?;
            let (least, most) = (branches(doc).map(|at| at.level).min()?, branches(doc).map(|at| at.level).max()?);
            Some(most - least + 1)
        };
        let Some(now) = self.folds.levels.or_else(deepest) else { return false };
        let levels = if more { now.saturating_add(1).min(DEEPEST) } else { now.saturating_sub(1) };
        self.set_levels(Some(levels))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::text::role::Role;

    /// `a {b [c d]} e`, one line each.
    fn detail() -> Detail {
        let line = |text: &str, level, opens| DocLine {
            branch: Some(Branch { level, path: format!(".{text}"), opens }),
            ..DocLine::of(text, Role::Normal)
        };
        let lines =
            vec![line("a", 1, true), line("b", 2, true), line("c", 3, false), line("d", 3, false), line("e", 1, false)];
        let mut detail = Detail::default();
        detail.resize(20, 10);
        detail.show(Some(Arc::new(Doc { lines, ..Doc::default() })), false);
        detail
    }

    fn shown(detail: &Detail) -> String {
        let doc = detail.doc.clone().unwrap_or_default();
        detail.rows.iter().map(|row| doc.lines[row.line].text()).collect()
    }

    #[test]
    fn what_lies_below_a_folded_value_is_not_shown() {
        let mut detail = detail();
        detail.go(1);
        assert!(detail.toggle_fold());
        assert_eq!((shown(&detail).as_str(), detail.cursor, detail.folded_lines(1)), ("abe", 1, Some(2)));
        assert!(detail.toggle_fold());
        assert_eq!(shown(&detail), "abcde");
        detail.go(4);
        assert!(!detail.toggle_fold(), "a value without parts");
    }

    #[test]
    fn left_folds_and_goes_out_and_right_unfolds_and_goes_in() {
        let mut detail = detail();
        detail.go(3);
        let seen: Vec<_> = (0..4)
            .map(|_| {
                detail.fold_or_out();
                (shown(&detail), detail.cursor)
            })
            .collect();
        let expected = [("abcde", 1), ("abe", 1), ("abe", 0), ("ae", 0)];
        assert_eq!(seen, expected.map(|(text, at)| (text.to_owned(), at)));
        assert!(!detail.fold_or_out());
        assert!(detail.unfold_or_in() && detail.unfold_or_in());
        assert_eq!((shown(&detail).as_str(), detail.cursor), ("abe", 1));
    }

    #[test]
    fn siblings_are_values_of_one_level() {
        let mut detail = detail();
        let seen: Vec<_> = [true, true, false, false]
            .into_iter()
            .map(|forward| {
                assert!(detail.sibling(forward));
                detail.cursor
            })
            .collect();
        assert_eq!(seen, [4, 4, 0, 0]);
        detail.go(2);
        for _ in 0..2 {
            assert!(detail.sibling(true));
            assert_eq!(detail.cursor, 3);
        }
    }

    #[test]
    fn levels_fold_from_outside_and_the_cursor_stays_on_what_is_shown() {
        let mut detail = detail();
        detail.go(3);
        assert!(detail.change_levels(false));
        assert_eq!((shown(&detail).as_str(), detail.cursor), ("abe", 1));
        assert!(detail.change_levels(false));
        assert_eq!((shown(&detail).as_str(), detail.cursor), ("ae", 0));
        assert!(detail.set_levels(None));
        assert_eq!(shown(&detail), "abcde");
    }
}
