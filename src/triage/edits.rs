//! Files that the session changed, each with the call that did it, and what may have changed others unseen.

use foldhash::HashMap;

use super::facts::{Call, CallState, Edit, Facts, SubCall};
use super::paths::Folder;
use super::tools::{is_stock, runs_or_writes, runs_shell};
use super::what::{Mark, call_mark};
use crate::record::event::Changes;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Spellings of one path that are kept beside the first.
const MOST_SPELLINGS: usize = 20;

/// A file and the changes of it, in the order of the calls.
#[derive(Debug, Clone)]
pub struct ChangedFile<'a> {
    /// Its path as the model wrote it first.
    pub path: &'a WireText,
    /// Other ways in which the log writes the same path, in order.
    pub also: Vec<&'a WireText>,
    /// Its changes.
    pub edits: Vec<&'a Edit>,
}

/// The changed files, in the order in which each was changed first. Two paths are one file where they lead to the same
/// place from the folder that the header names; what links make of them is not in a log.
#[must_use]
pub fn by_file(facts: &Facts) -> Vec<ChangedFile<'_>> {
    let folder = Folder::new(facts.header.as_ref().and_then(|header| header.cwd.as_ref()).map(WireText::as_bytes));
    let mut files: Vec<ChangedFile<'_>> = Vec::new();
    let mut places: HashMap<Vec<u8>, usize> = HashMap::default();
    for edit in &facts.edits {
        let at = *places.entry(folder.place(edit.path.as_bytes())).or_insert_with(|| {
            files.push(ChangedFile { path: &edit.path, also: Vec::new(), edits: Vec::new() });
            files.len() - 1
        });
        if let Some(file) = files.get_mut(at) {
            let is_known = file.path == &edit.path || file.also.contains(&&edit.path);
            if !is_known && file.also.len() < MOST_SPELLINGS {
                file.also.push(&edit.path);
            }
            file.edits.push(edit);
        }
    }
    files
}

/// Codes of results that say that the tool was never entered.
const REFUSED: [&[u8]; 2] = [b"UNKNOWN_TOOL", b"INVALID_ARGS"];

/// A call that may have written files of which the log tells nothing.
#[derive(Debug, Clone, Copy)]
pub enum Unseen<'a> {
    /// A call that ran a command or a program.
    Shell(&'a Call),
    /// A call of a tool that is not among the shipped ones: what it does is not known.
    Added(&'a Call),
    /// A call that a program of the model made: its result tells no hunks.
    SubCall(&'a SubCall),
}

/// Calls that may have written files of which the log tells nothing, in the order of the log.
#[must_use]
pub fn unseen(facts: &Facts) -> Vec<Unseen<'_>> {
    let tells = |at: usize| facts.edits.binary_search_by_key(&at, |edit| edit.call).is_ok();
    let of_call = |(at, call)| {
        let call: &Call = call;
        let code = call.error_code.as_ref().map(WireText::as_bytes);
        let never_ran = call_mark(call) == Mark::Cancelled || code.is_some_and(|code| REFUSED.contains(&code));
        if call.call_row.is_none() || never_ran {
            return None;
        }
        match call.name.as_bytes() {
            name if runs_shell(name) => Some(Unseen::Shell(call)),
            name if !is_stock(name) && !tells(at) => Some(Unseen::Added(call)),
            _ => None,
        }
    };
    let calls = facts.calls.iter().enumerate().filter_map(of_call);
    let acts = |sub: &&SubCall| runs_or_writes(sub.name.as_bytes());
    let mut all: Vec<Unseen<'_>> = calls.chain(facts.sub_calls.iter().filter(acts).map(Unseen::SubCall)).collect();
    all.sort_by_key(Unseen::row);
    all
}

impl Unseen<'_> {
    /// The record that started it.
    #[must_use]
    pub fn row(&self) -> Option<RowIx> {
        match self {
            Unseen::Shell(call) | Unseen::Added(call) => call.call_row,
            Unseen::SubCall(sub) => sub.start_row.or(sub.settle_row),
        }
    }
}

/// Outcomes of the questions asked for the call of a change, in order; `None`: never decided. Empty: nothing was asked.
#[must_use]
pub fn outcomes<'a>(facts: &'a Facts, edit: &Edit) -> Vec<Option<&'a WireText>> {
    let approvals = facts.calls.get(edit.call).map(Call::approvals).unwrap_or_default();
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
    use crate::triage::bench::{HEADER, Written};

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

    fn told(log: Written, id: &str, path: &str) -> Written {
        let meta = format!(r#","meta":{{"diffs":[{{"path":"{path}","oldText":"a","newText":"b"}}]}}"#);
        writes(log, "edit", id).result(1, 1, id, &meta, "")
    }

    #[test]
    fn a_file_is_one_however_its_path_is_written() {
        // Folder, paths as written, and by file: its first spelling, its changes, its other spellings.
        type Row<'a> = (&'a str, &'a [&'a str], &'a [(&'a str, usize, usize)]);
        let table: [Row<'_>; 4] = [
            ("/home/dev", &["src/a.js", "/home/dev/src/a.js", "./src/a.js", "src/a.js"], &[("src/a.js", 4, 2)]),
            (r"C:\\dev", &[r"src\\a.js", "c:/DEV/src/a.js"], &[(r"src\a.js", 2, 1)]),
            ("/home/dev", &["a.js", "/a.js", "../a.js"], &[("a.js", 1, 0), ("/a.js", 1, 0), ("../a.js", 1, 0)]),
            ("", &["a.js", "./a.js", "/a.js"], &[("a.js", 2, 1), ("/a.js", 1, 0)]),
        ];
        for (cwd, paths, expected) in table {
            let open = Written::under(&HEADER.replace("/srv/demo-app", cwd)).turn(1).step(1, 1);
            let log = paths.iter().enumerate().fold(open, |log, (at, path)| told(log, &format!("c{at}"), path));
            let facts = log.facts();
            let files = super::by_file(&facts);
            let found = files.iter().map(|file| (file.path.to_report(), file.edits.len(), file.also.len()));
            let expected = expected.iter().map(|(path, edits, also)| ((*path).to_owned(), *edits, *also));
            assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{cwd} {paths:?}");
        }
    }

    #[test]
    fn what_may_have_written_unseen_is_counted() {
        let open = || Written::new().turn(1).step(1, 1);
        let hunks = r#","meta":{"diffs":[{"path":"x.js","oldText":"a","newText":"b"}]}"#;
        let sub = r#""parentCallId":"a","rootCallId":"a","subCallId":"a:code:1","name":"write","arguments":{}"#;
        let table = [
            ("a shell", writes(open(), "bash", "a").result(1, 1, "a", "", ""), vec!["shell"]),
            ("a shell that may have run", writes(open(), "bash", "a"), vec!["shell"]),
            ("a shell that was only asked for", open().asks(1, 1, &["a"]), vec![]),
            (
                "a shell with arguments that were refused",
                writes(open(), "bash", "a").result(1, 1, "a", r#","isError":true,"error":{"code":"INVALID_ARGS"}"#, ""),
                vec![],
            ),
            ("an edit", writes(open(), "edit", "a").result(1, 1, "a", hunks, ""), vec![]),
            ("a read", writes(open(), "read", "a").result(1, 1, "a", "", ""), vec![]),
            ("an added tool", writes(open(), "my_tool", "a").result(1, 1, "a", "", ""), vec!["added"]),
            ("an added tool that tells", writes(open(), "my_tool", "a").result(1, 1, "a", hunks, ""), vec![]),
            (
                "a program that writes",
                writes(open(), "run_code", "a").event("tool/code-dispatch-start", sub),
                vec!["shell", "sub"],
            ),
        ];
        for (name, log, expected) in table {
            let facts = log.facts();
            let found = super::unseen(&facts);
            let found = found.iter().map(|one| match one {
                super::Unseen::Shell(_) => "shell",
                super::Unseen::Added(_) => "added",
                super::Unseen::SubCall(_) => "sub",
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
        }
    }
}
