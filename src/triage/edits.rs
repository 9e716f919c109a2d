//! Files that the session changed, each with the call that did it.

use foldhash::HashMap;

use super::facts::{Call, CallState, Edit, Facts};
use crate::record::event::Changes;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// A file and the changes of it, in the order of the calls.
#[derive(Debug, Clone)]
pub struct ChangedFile<'a> {
    /// Its path as the model wrote it first.
    pub path: &'a WireText,
    /// Its changes.
    pub edits: Vec<&'a Edit>,
}

/// The changed files, in the order in which each was changed first.
#[must_use]
pub fn by_file(facts: &Facts) -> Vec<ChangedFile<'_>> {
    let mut files: Vec<ChangedFile<'_>> = Vec::new();
    let mut places: HashMap<&WireText, usize> = HashMap::default();
    for edit in &facts.edits {
        let at = *places.entry(&edit.path).or_insert_with(|| {
            files.push(ChangedFile { path: &edit.path, edits: Vec::new() });
            files.len() - 1
        });
        if let Some(file) = files.get_mut(at) {
            file.edits.push(edit);
        }
    }
    files
}

/// Outcomes of the questions asked for the call of a change, in order; `None`: never decided. Empty: nothing was asked.
#[must_use]
pub fn outcomes<'a>(facts: &'a Facts, edit: &Edit) -> Vec<Option<&'a WireText>> {
    let approvals = facts.calls.get(edit.call).map(|call| &call.approvals()[..]).unwrap_or_default();
    approvals.iter().filter_map(|at| facts.approvals.get(*at)).map(|approval| approval.outcome.as_ref()).collect()
}

/// Follows which call writes where.
#[derive(Debug, Clone, Default)]
pub(super) struct EditFold {
    /// Path that a `tool/call` names, by its row.
    asked: HashMap<RowIx, WireText>,
    /// What a result tells, by its row.
    told: HashMap<RowIx, Changes>,
}

impl EditFold {
    /// A `tool/call` of a tool that writes files.
    pub(super) fn call(&mut self, row: RowIx, path: Option<&WireText>) {
        if let Some(path) = path {
            self.asked.insert(row, path.clone());
        }
    }

    /// A result that tells of files.
    pub(super) fn result(&mut self, row: RowIx, changes: Option<&Changes>) {
        if let Some(changes) = changes {
            self.told.insert(row, changes.clone());
        }
    }

    /// The changes in the order of the calls. What failed changed nothing and is left out; what may have run is not.
    pub(super) fn finish(self, calls: &[Call]) -> Vec<Edit> {
        let mut edits = Vec::new();
        if self.asked.is_empty() && self.told.is_empty() {
            return edits;
        }
        for (at, call) in calls.iter().enumerate() {
            let told = call.result_row.and_then(|row| self.told.get(&row));
            let asked = call.call_row.and_then(|row| self.asked.get(&row));
            let may_have_run = matches!(call.state, CallState::Completed | CallState::OutcomeUnknown);
            if let (Some(changes), Some(row)) = (told, call.result_row)
                && !(changes.files.is_empty() && asked.is_some())
            {
                edits.extend(changes.files.iter().map(|file| Edit {
                    call: at,
                    path: file.path.clone(),
                    hunks: file.hunks,
                    operation: changes.operation.clone(),
                    seq: call.result_seq.get(),
                    row,
                }));
            } else if let (Some(path), Some(call_row), true) = (asked, call.call_row, may_have_run) {
                edits.push(Edit {
                    call: at,
                    path: path.clone(),
                    hunks: 0,
                    operation: told.and_then(|changes| changes.operation.clone()),
                    seq: call.result_seq.or(call.call_seq).get(),
                    row: call.result_row.unwrap_or(call_row),
                });
            }
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use crate::triage::bench::Written;

    fn writes(log: Written, name: &str, id: &str) -> Written {
        let rest = format!(r#""callId":"{id}","name":"{name}","arguments":"{{\"file_path\":\"{id}.js\"}}""#);
        log.event("tool/call", &format!(r#""turn":1,"step":1,{rest}"#))
    }

    #[test]
    fn a_file_is_changed_by_what_ran_or_may_have() {
        let open = || Written::new().turn(1).step(1, 1);
        let hunks = r#","meta":{"diffs":[{"path":"x.js","oldText":"a","newText":"b"},{"path":"x.js","oldText":"c","newText":"d"}]}"#;
        let new = r#","meta":{"diffs":[],"operation":"create"}"#;
        let failed = r#","isError":true,"error":{"code":"X"}"#;
        let table = [
            ("hunks", writes(open(), "edit", "a").result(1, 1, "a", hunks, ""), vec![("x.js", 2, Some(3))]),
            (
                "a file that is created",
                writes(open(), "write", "a").result(1, 1, "a", new, ""),
                vec![("a.js", 0, Some(3))],
            ),
            (
                "a result without meta",
                writes(open(), "edit", "a").result(1, 1, "a", "", ""),
                vec![("a.js", 0, Some(3))],
            ),
            ("one that failed", writes(open(), "edit", "a").result(1, 1, "a", failed, ""), vec![]),
            ("one whose outcome is unknown", writes(open(), "edit", "a"), vec![("a.js", 0, Some(2))]),
            ("another tool", writes(open(), "bash", "a").result(1, 1, "a", "", ""), vec![]),
            (
                "another tool that tells hunks",
                writes(open(), "my_edit", "a").result(1, 1, "a", hunks, ""),
                vec![("x.js", 2, Some(3))],
            ),
            ("one that was asked for only", open().asks(1, 1, &["a"]), vec![]),
        ];
        for (name, log, expected) in table {
            let facts = log.facts();
            let found = facts.edits.iter().map(|edit| (edit.path.to_report(), edit.hunks, edit.seq));
            let expected = expected.into_iter().map(|(path, hunks, seq)| (path.to_owned(), hunks, seq));
            assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{name}");
        }
    }
}
