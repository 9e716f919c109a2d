//! A family written by code: a parent, children that it delegates to, a grandchild.

use serde_json::json;

use super::writer::Script;

/// Id of the parent, and of its children.
pub const PARENT: &str = "session-00000000-0000-4000-8000-0000000000f0";
pub const CHILDREN: [&str; 3] = [
    "aa0c0001-0000-4000-8000-0000000000c1",
    "bb0c0002-0000-4000-8000-0000000000c2",
    "cc0c0003-0000-4000-8000-0000000000c3",
];

/// How the family came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The second child failed, everything is over.
    Failed,
    /// The grandchild was killed inside a call, and all wait for it.
    Killed,
}

fn arguments(description: &str, prompt: &str) -> String {
    json!({ "description": description, "prompt": prompt }).to_string()
}

fn session(id: &str, parent: Option<&str>, depth: i64) -> Script {
    let mut keys = json!({ "id": id, "delegationDepth": depth, "createdAt": 1_790_000_000_000_i64 + depth * 450 });
    if let Some(parent) = parent {
        keys["parentSession"] = json!(parent);
        keys["origin"] = json!("subagent");
    }
    Script::with_header(0, &keys)
}

fn child(at: usize, parent: &str, depth: i64, label: &str, prompt: &str) -> Script {
    let mut script = session(CHILDREN[at], Some(parent), depth);
    script.add("subagent/descriptor", json!({ "version": 2, "mode": "one-shot", "provider": "spawn", "label": label }));
    script.turn();
    script.step();
    script.user(prompt);
    script
}

fn ends(script: &mut Script, kind: &str) {
    script.end_step();
    script.end_turn(kind);
}

/// The parent, two children of it, and a child of the first.
pub fn family(fate: Fate) -> [Script; 4] {
    let (audit, broken) = (arguments("Audit sources", "Look at all sources."), arguments("Broken child", "Reach it."));
    let count = arguments("Count lines", "Count them.");
    let mut parent = session(PARENT, None, 0);
    parent.turn();
    parent.step();
    parent.user("Audit the shop.");
    parent.ask(&[("call_audit", "subagent", &audit), ("call_broken", "subagent", &broken)]);
    parent.call("call_audit", "subagent", &audit);
    parent.call("call_broken", "subagent", &broken);
    let mut first = child(0, PARENT, 1, "Audit sources", "Look at all sources.");
    first.ask(&[("call_count", "subagent", &count)]);
    first.call("call_count", "subagent", &count);
    let mut grandchild = child(2, CHILDREN[0], 2, "Count lines", "Count them.");
    grandchild.ask(&[("call_wc", "bash", r#"{"command":"wc -l src/*"}"#)]);
    grandchild.call("call_wc", "bash", r#"{"command":"wc -l src/*"}"#);
    let mut second = child(1, PARENT, 1, "Broken child", "Reach it.");
    if fate == Fate::Failed {
        grandchild.result("call_wc", "8 total", None);
        grandchild.say("Eight lines.");
        ends(&mut grandchild, "completed");
        first.result("call_count", "Eight lines.", None);
        first.say("All sources have eight lines.");
        ends(&mut first, "completed");
        parent.result("call_audit", "All sources have eight lines.", None);
        parent.result("call_broken", "Error: subagent run failed", Some("SUBAGENT_FAILED"));
        ends(&mut parent, "completed");
    }
    second.fail("AUTH");
    [parent, first, second, grandchild]
}
