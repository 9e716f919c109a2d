//! Where a tool's name came from (docs/FORMAT.md section 10).

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::facts::{Call, HeadPart, RequestHead, ToolChange, ToolOrigin};
use crate::record::event::HeaderPrints;
use crate::session::row::RowIx;
use crate::text::wire::WireText;

/// Names that the shipped packages of the harness can register. A deployment may leave any out, later builds add some:
/// a name outside the list is called added, never worse.
const STOCK: [&str; 59] = [
    "ask_user_question",
    "bash",
    "cordis_define",
    "cordis_inspect_list",
    "cordis_inspect_query",
    "cordis_inspect_self",
    "cordis_run",
    "cordis_stop",
    "cordis_undefine",
    "create_goal",
    "edit",
    "exit_plan_mode",
    "followup_task",
    "get_goal",
    "glob",
    "grep",
    "interrupt_agent",
    "job_kill",
    "job_list",
    "job_output",
    "list_agents",
    "lsp",
    "pwsh",
    "ralph",
    "read",
    "read_image",
    "report",
    "run_code",
    "schedule_create",
    "schedule_delete",
    "schedule_list",
    "send_message",
    "session_event_read",
    "session_event_search",
    "session_event_trace",
    "session_search",
    "session_trace",
    "skill",
    "spawn_teammate",
    "str_replace_editor",
    "subagent",
    "subagent_fork",
    "team_task_create",
    "team_task_get",
    "team_task_list",
    "team_task_update",
    "terminal_close",
    "terminal_list",
    "terminal_open",
    "terminal_read",
    "terminal_send",
    "terminal_signal",
    "todo_write",
    "update_goal",
    "wait_agent",
    "web_fetch",
    "web_search",
    "workflow",
    "write",
];

/// Whether the shipped harness has a tool of that name.
#[must_use]
pub fn is_stock(name: &[u8]) -> bool {
    STOCK.binary_search_by(|stock| stock.as_bytes().cmp(name)).is_ok()
}

/// Stock tools that run a shell or write files: what one wants to have been asked about.
const ACTORS: [&str; 9] =
    ["bash", "cordis_run", "edit", "pwsh", "run_code", "str_replace_editor", "terminal_open", "terminal_send", "write"];

/// Whether a tool of the shipped harness runs a shell or writes files. Of an added tool nothing is known: false.
#[must_use]
pub fn runs_or_writes(name: &[u8]) -> bool {
    ACTORS.binary_search_by(|actor| actor.as_bytes().cmp(name)).is_ok()
}

/// Stock tools that run a command or a program: what they write is in no record.
const SHELLS: [&str; 6] = ["bash", "cordis_run", "pwsh", "run_code", "terminal_open", "terminal_send"];

/// Whether a tool of the shipped harness runs a command or a program.
#[must_use]
pub fn runs_shell(name: &[u8]) -> bool {
    SHELLS.binary_search_by(|shell| shell.as_bytes().cmp(name)).is_ok()
}

/// Follows the declared tools.
#[derive(Debug, Clone, Default)]
pub(super) struct ToolFold {
    /// Names in force; `None` before the first header.
    declared: Option<Arc<HashSet<WireText>>>,
    /// Seq of the header that first declared a name.
    first: HashMap<WireText, Option<i64>>,
    heads: Vec<RequestHead>,
    changes: Vec<ToolChange>,
    prints: HeaderPrints,
    /// Names of the header before.
    before: Arc<HashSet<WireText>>,
}

/// A `request/header` as its record tells it.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeaderRecord<'a> {
    pub(super) provider: Option<&'a WireText>,
    pub(super) model: Option<&'a WireText>,
    pub(super) reason: Option<&'a WireText>,
    pub(super) tools: &'a [WireText],
    pub(super) prints: &'a HeaderPrints,
}

impl ToolFold {
    /// A `request/header`: what it changed, and the list in force.
    pub(super) fn header(&mut self, row: RowIx, seq: Option<i64>, record: HeaderRecord<'_>) {
        let HeaderRecord { tools, prints, .. } = record;
        let is_first = self.heads.is_empty();
        let tools_changed = !is_first && prints.tools != self.prints.tools;
        let mut head = RequestHead {
            row,
            seq,
            reason: record.reason.cloned(),
            provider: record.provider.cloned(),
            model: record.model.cloned(),
            tools: u32::try_from(tools.len()).unwrap_or(u32::MAX),
            added: Vec::new(),
            removed: Vec::new(),
            changed: Vec::new(),
            prompt: prints.system,
            is_first,
        };
        let parts = [
            (prints.config != self.prints.config, HeadPart::Config),
            (prints.system != self.prints.system, HeadPart::Prompt),
            (tools_changed, HeadPart::Tools),
        ];
        head.changed.extend(parts.into_iter().filter(|(is, _)| *is && !is_first).map(|(_, part)| part));
        if is_first || tools_changed {
            let names: HashSet<WireText> = tools.iter().cloned().collect();
            let is_usual = |name: &WireText| self.before.contains(name) || (is_first && is_stock(name.as_bytes()));
            head.added = tools.iter().filter(|name| !is_usual(name)).cloned().collect();
            head.removed = self.before.iter().filter(|name| !names.contains(*name)).cloned().collect();
            head.removed.sort_unstable();
            self.before = Arc::new(names);
        }
        self.prints = *prints;
        self.heads.push(head);
        self.declare(seq, tools);
    }

    /// The headers and the messages that changed tools, in file order.
    pub(super) fn finish(self) -> (Vec<RequestHead>, Vec<ToolChange>) {
        (self.heads, self.changes)
    }

    fn declare(&mut self, seq: Option<i64>, tools: &[WireText]) {
        for name in tools {
            if !self.first.contains_key(name) {
                self.first.insert(name.clone(), seq);
            }
        }
        let same = self
            .declared
            .as_ref()
            .is_some_and(|declared| declared.len() == tools.len() && tools.iter().all(|name| declared.contains(name)));
        if !same {
            self.declared = Some(Arc::new(tools.iter().cloned().collect()));
        }
    }

    /// A `developer/message` adds and removes names.
    pub(super) fn change(
        &mut self,
        row: RowIx,
        seq: Option<i64>,
        header_seq: Option<i64>,
        (added, removed): (&[WireText], &[WireText]),
    ) {
        if !added.is_empty() || !removed.is_empty() {
            let (added, removed) = (added.to_vec(), removed.to_vec());
            self.changes.push(ToolChange { row, seq, header_seq, added, removed });
        }
        let seq = header_seq.or(seq);
        for name in added {
            self.first.entry(name.clone()).or_insert(seq);
        }
        // Without the header, what else is declared is not known: nothing can be called undeclared.
        let Some(declared) = &mut self.declared else { return };
        let names = Arc::make_mut(declared);
        names.extend(added.iter().cloned());
        for name in removed {
            names.remove(name);
        }
    }

    /// Says of a call where its name came from.
    pub(super) fn judge(&self, call: &mut Call) {
        let Some(declared) = &self.declared else { return };
        call.declared_seq = self.first.get(&call.name).copied().flatten().into();
        call.tool_origin = Some(if !declared.contains(&call.name) {
            ToolOrigin::Undeclared
        } else if is_stock(call.name.as_bytes()) {
            ToolOrigin::Stock
        } else {
            ToolOrigin::Added
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_known_names_are_found() {
        assert!(STOCK.is_sorted() && ACTORS.is_sorted() && ACTORS.iter().all(|name| is_stock(name.as_bytes())));
        for name in ["bash", "write", "workflow", "ask_user_question"] {
            assert!(is_stock(name.as_bytes()), "{name}");
        }
        for name in ["", "mcp__tracker__create_issue", "write_file"] {
            assert!(!is_stock(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_name_is_judged_by_the_header_in_force() {
        use crate::triage::bench::Written;
        let header = |log: Written, names: &[&str]| {
            let tools: Vec<String> = names.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
            log.event("request/header", &format!(r#""header":{{"tools":[{}]}}"#, tools.join(",")))
        };
        let change = |log: Written, kind: &str, name: &str| {
            let block = format!(r#"{{"type":"{kind}","toolName":"{name}"}}"#);
            log.event("developer/message", &format!(r#""message":{{"content":[{block}]}}"#))
        };
        let log = Written::new;
        let table = [
            ("no header", log(), None, None),
            ("declared", header(log(), &["bash"]), Some(ToolOrigin::Stock), Some(0)),
            ("not declared", header(log(), &["read"]), Some(ToolOrigin::Undeclared), None),
            ("no tools", header(log(), &[]), Some(ToolOrigin::Undeclared), None),
            ("no longer declared", header(header(log(), &["bash"]), &["read"]), Some(ToolOrigin::Undeclared), Some(0)),
            ("added", change(header(log(), &[]), "tool-addition", "bash"), Some(ToolOrigin::Stock), Some(1)),
            (
                "removed",
                change(header(log(), &["bash"]), "tool-removal", "bash"),
                Some(ToolOrigin::Undeclared),
                Some(0),
            ),
            ("a change without a header tells nothing", change(log(), "tool-addition", "read"), None, None),
        ];
        for (name, log, origin, declared) in table {
            let call = &log.turn(1).step(1, 1).asks(1, 1, &["a"]).facts().calls[0];
            assert_eq!((call.tool_origin, call.declared_seq.get()), (origin, declared), "{name}");
        }
    }
    #[test]
    fn a_header_tells_what_it_changed() {
        use crate::triage::bench::Written;
        let header = |log: Written, model: &str, system: &str, names: &[&str]| {
            let tools: Vec<String> = names.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
            let config = format!(r#""config":{{"provider":"p","model":"{model}"}},"system":"{system}""#);
            log.event("request/header", &format!(r#""header":{{{config},"tools":[{}]}},"reason":"x""#, tools.join(",")))
        };
        let names = |names: &[WireText]| names.iter().map(WireText::to_report).collect::<Vec<_>>().join(" ");
        let log = header(Written::new(), "m", "s", &["bash", "mcp__x"]);
        let log = header(log, "m", "s", &["bash", "mcp__x"]);
        let log = header(log, "n", "s", &["bash", "mcp__y", "mcp__z"]);
        let facts = header(log, "n", "t", &[]).facts();
        let told: Vec<_> = facts
            .headers
            .iter()
            .map(|head| (head.is_first, names(&head.added), names(&head.removed), head.changed.clone()))
            .collect();
        let expected = [
            (true, "mcp__x", "", vec![]),
            (false, "", "", vec![]),
            (false, "mcp__y mcp__z", "mcp__x", vec![HeadPart::Config, HeadPart::Tools]),
            (false, "", "bash mcp__y mcp__z", vec![HeadPart::Prompt, HeadPart::Tools]),
        ];
        assert_eq!(
            told,
            expected.map(|(first, added, removed, changed)| (first, added.into(), removed.into(), changed))
        );
    }
}
