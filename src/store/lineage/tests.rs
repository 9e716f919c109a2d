//! Lineages of made-up logs: each rule of linking, sound and hostile.

use std::sync::Arc;

use super::*;
use crate::triage::bench::Written;

/// Time of the event with seq 0 of a [`Written`] log; an event a second.
const START: i64 = 1_790_000_000_000;

fn header(id: &str, parent: Option<&str>, depth: i64, created: i64, more: &str) -> String {
    let parent = parent.map_or(String::new(), |parent| format!(r#","parentSession":"{parent}""#));
    format!(
        r#"{{"type":"session","version":0,"id":"{id}","createdAt":{},"cwd":"/srv/demo-app"{parent},"delegationDepth":{depth}{more}}}"#,
        START + created
    )
}

/// A child of `p` that was created that many milliseconds after the start of its parent.
fn child(id: &str, created: i64, label: &str, prompt: &str) -> Written {
    let header = header(id, Some("p"), 1, created, r#","origin":"subagent""#);
    let label = if label.is_empty() { String::new() } else { format!(r#","label":"{label}""#) };
    let descriptor = format!(r#""version":2,"mode":"one-shot"{label}"#);
    Written::under(&header).event("subagent/descriptor", &descriptor).turn(1).user(prompt).step(1, 1)
}

fn parent() -> Written {
    Written::under(&header("p", None, 0, 0, "")).turn(1).step(1, 1)
}

impl Written {
    fn user(self, text: &str) -> Written {
        let content = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        let content = format!(r#""id":"u","role":"user","content":{content},"source":{{"kind":"user"}}"#);
        self.with("user/message", &content, r#","surfaceOp":"append""#)
    }

    /// A call of a tool that starts a child, asked for and begun.
    fn starts(self, tool: &str, id: &str, description: &str, prompt: &str) -> Written {
        let arguments = format!(r#"{{\"description\":\"{description}\",\"prompt\":\"{prompt}\"}}"#);
        let block = format!(r#"{{"type":"tool-call","id":"{id}","name":"{tool}","arguments":"{arguments}"}}"#);
        let source = r#""source":{"kind":"model","provider":"p","model":"m"}"#;
        let message = format!(r#"{{"id":"m-{id}","role":"assistant",{source},"content":[{block}]}}"#);
        let message = format!(r#""turn":1,"step":1,"message":{message}"#);
        let call = format!(r#""turn":1,"step":1,"callId":"{id}","name":"{tool}","arguments":"{arguments}""#);
        self.with("assistant/message", &message, r#","surfaceOp":"append""#).event("tool/call", &call)
    }

    fn answers(self, id: &str, text: &str) -> Written {
        let inner = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        let content = format!(r#"[{{"type":"tool-result","toolCallId":"{id}","content":{inner},"isError":false}}]"#);
        let source = format!(r#"{{"kind":"tool","callId":"{id}"}}"#);
        let message = format!(r#"{{"id":"r-{id}","role":"user","source":{source},"content":{content}}}"#);
        self.with("tool/result", &format!(r#""turn":1,"step":1,"message":{message}"#), r#","surfaceOp":"append""#)
    }

    fn ends(self, kind: &str) -> Written {
        let failure = if kind == "error" { r#","error":{"message":"no","code":"AUTH"}"# } else { "" };
        let reason = format!(r#""turn":1,"reason":{{"kind":"{kind}"{failure}}}"#);
        self.step_end(1, 1).event("turn/end", &reason)
    }
}

/// Works out a lineage of logs, and how many lines it read.
fn lineage_of(logs: &[Written]) -> (Lineage, Vec<Arc<Session>>, usize) {
    let mut read = 0;
    let logs: Vec<_> = logs.iter().map(Written::session).collect();
    let lines: Vec<Vec<Vec<u8>>> = logs.iter().map(|(_, lines)| lines.clone()).collect();
    let sessions: Vec<Arc<Session>> = logs.into_iter().map(|(session, _)| Arc::new(session)).collect();
    let lineage = Lineage::of(&sessions, &mut |member, row| {
        read += 1;
        lines[member.as_usize()].get(row.as_usize()).cloned()
    });
    (lineage, sessions, read)
}

/// Call id and rule of the link of a member.
fn linked(lineage: &Lineage, sessions: &[Arc<Session>], at: usize) -> Option<(String, Rule)> {
    let member = &lineage.members[at];
    let Parent::Here(parent) = member.parent else { return None };
    let call = &sessions[parent.as_usize()].facts.calls[member.link.call()?];
    Some((call.call_id.to_report(), member.link.rule()?))
}

fn assert_links(name: &str, logs: &[Written], expected: &[Option<(&str, Rule)>]) -> Lineage {
    let (lineage, sessions, _) = lineage_of(logs);
    for (at, expected) in expected.iter().enumerate() {
        let found = linked(&lineage, &sessions, at + 1);
        let found = found.as_ref().map(|(id, rule)| (id.as_str(), *rule));
        assert_eq!(found, *expected, "{name}, child {at}: {:?}", lineage.members[at + 1].link);
    }
    lineage
}

#[test]
fn a_record_or_a_result_that_names_the_child_comes_first() {
    let two = || parent().starts("subagent", "a", "A", "do a").starts("subagent", "b", "B", "do b");
    let catalog = |log: Written, label: &str| {
        log.event("subagent/catalog", &format!(r#""version":0,"childId":"c"{label},"mode":"one-shot""#))
    };
    let one = || vec![child("c", 3500, "A", "do a")];
    let with = |log: Written| [vec![log], one()].concat();
    assert_links(
        "catalog, label of the record",
        &with(catalog(two(), r#","label":"B""#)),
        &[Some(("b", Rule::Catalog))],
    );
    assert_links("catalog, label of the child", &with(catalog(two(), "")), &[Some(("a", Rule::Catalog))]);
    let single = parent().starts("subagent", "x", "other words", "do x");
    assert_links("catalog, only one call is open", &with(catalog(single, "")), &[Some(("x", Rule::Catalog))]);
    let text = two().answers("b", "started subagent c").answers("a", "done");
    assert_links("result text", &with(text), &[Some(("b", Rule::ResultText))]);
    let late = catalog(two().answers("b", "fine").answers("a", "fine"), "");
    assert_links(
        "catalog behind its call: the next rule finds the call",
        &with(late),
        &[Some(("a", Rule::LabelAndPrompt))],
    );
    let run = parent()
        .starts("workflow", "w", "", "")
        .event("tool-workflow/run-start", r#""runId":"r","name":"n""#)
        .event("tool-workflow/agent-start", r#""runId":"r","seq":1,"label":"one","childId":"c""#)
        .event("tool-workflow/agent-start", r#""runId":"r","seq":2,"label":"two","childId":"d""#)
        .answers("w", "{}");
    let logs = [vec![run], one(), vec![child("d", 4000, "", "x")]].concat();
    let expected = [Some(("w", Rule::AgentStart)), Some(("w", Rule::AgentStart))];
    let lineage = assert_links("two children of one run", &logs, &expected);
    assert_eq!(lineage.members[2].label, Some(WireText::from("two")), "the label of the run where the child has none");
    let team = parent()
        .starts("spawn_teammate", "t", "x", "y")
        .event("team/member", r#""version":2,"teamId":"t","member":{"id":"c","name":"reviewer","phase":"active"}"#);
    assert_links("team", &with(team), &[Some(("t", Rule::TeamMember))]);
}

#[test]
fn a_record_outside_every_call_still_names_the_child() {
    let log = parent()
        .ends("completed")
        .event("subagent/catalog", r#""version":1,"childId":"c","childCreatedAt":1,"mode":"unknown""#);
    let (lineage, ..) = lineage_of(&[log, child("c", 90_000, "A", "do a")]);
    assert!(
        matches!(lineage.members[1].link, Link::Named { rule: Rule::Catalog, .. }),
        "{:?}",
        lineage.members[1].link
    );
}

#[test]
fn label_and_prompt_come_second() {
    let log = || parent().starts("subagent", "a", "A", "do a").answers("a", "done");
    assert_links("sound", &[log(), child("c", 99, "A", "please do a, now")], &[Some(("a", Rule::LabelAndPrompt))]);
    let plugin = parent().starts("mcp__delegate", "a", "A", "do a");
    assert_links(
        "a tool that is not shipped",
        &[plugin, child("c", 0, "A", "do a")],
        &[Some(("a", Rule::LabelAndPrompt))],
    );
    let bash = parent().starts("bash", "a", "A", "do a");
    assert_links("a tool that starts nothing", &[bash, child("c", 2500, "A", "do a")], &[None]);
    assert_links("another prompt, created outside", &[log(), child("c", 99, "A", "do b")], &[None]);
    assert_links("another label, created inside", &[log(), child("c", 3500, "B", "do a")], &[None]);
}

#[test]
fn the_same_label_and_prompt_twice_needs_the_time_and_stays_open_without() {
    let again = |gap: bool| {
        let log = parent().starts("subagent", "a", "A", "do a");
        let log = if gap { log.answers("a", "done") } else { log };
        log.starts("subagent", "b", "A", "do a")
    };
    // Calls at 3 s and 6 s, the first answered at 4 s.
    let logs = [again(true), child("c", 3200, "A", "do a"), child("d", 7000, "A", "do a")];
    let both = [Some(("a", Rule::LabelPromptAndTime)), Some(("b", Rule::LabelPromptAndTime))];
    assert_links("one after the other", &logs, &both);
    // Calls at 3 s and 5 s, both open.
    let logs = [again(false), child("c", 6000, "A", "do a"), child("d", 6100, "A", "do a")];
    let lineage = assert_links("side by side", &logs, &[None, None]);
    let unlinked = lineage.members.iter().skip(1).map(|member| member.link);
    assert!(unlinked.into_iter().all(|link| link == Link::Unlinked(Unlinked::SeveralFit)));
    let logs = [parent().starts("subagent", "a", "A", "do a"), child("c", 1, "A", "do a"), child("d", 2, "A", "do a")];
    assert_links("two children of one call", &logs, &[None, None]);
}

#[test]
fn time_comes_last_and_only_without_doubt() {
    let log = || parent().starts("subagent", "a", "", "").answers("a", "done");
    let silent = |id: &str, created| child(id, created, "", "something else");
    assert_links("inside", &[log(), silent("c", 3500)], &[Some(("a", Rule::Time))]);
    assert_links("at both ends", &[log(), silent("c", 3000)], &[Some(("a", Rule::Time))]);
    assert_links("a clock before the parent", &[log(), silent("c", -5000)], &[None]);
    assert_links("after the result", &[log(), silent("c", 4001)], &[None]);
    assert_links("two in one call", &[log(), silent("c", 3500), silent("d", 3600)], &[None, None]);
    let two = parent().starts("subagent", "a", "", "").starts("subagent", "b", "", "");
    let lineage = assert_links("two calls are open", &[two, silent("c", 6000)], &[None]);
    assert_eq!(lineage.members[1].link, Link::Unlinked(Unlinked::SeveralFit));
}

#[test]
fn parents_that_are_missing_or_lead_back_are_named() {
    let of = |id: &str, parent: Option<&str>| Written::under(&header(id, parent, 1, 0, "")).turn(1);
    let (lineage, ..) = lineage_of(&[of("a", Some("b")), of("b", Some("c")), of("c", Some("a")), of("d", Some("a"))]);
    let parents: Vec<_> = lineage.members.iter().map(|member| member.parent.clone()).collect();
    let here = |at| Parent::Here(MemberIx(at));
    assert_eq!(parents, [Parent::Cycle(WireText::from("b")), here(2), here(0), here(0)]);
    assert_eq!(lineage.reading, [0, 2, 1, 3].map(MemberIx));
    assert_eq!(lineage.members.iter().map(|member| member.level).collect::<Vec<_>>(), [0, 2, 1, 1]);
    let (lineage, ..) = lineage_of(&[of("a", Some("a")), of("b", Some("gone")), of("b", None)]);
    assert_eq!(lineage.members[0].parent, Parent::Cycle(WireText::from("a")));
    assert_eq!(lineage.members[1].parent, Parent::Missing(WireText::from("gone")));
    assert_eq!(lineage.reading, [0, 1, 2].map(MemberIx), "the same id twice is two sessions");
    assert!(lineage_of(&[]).0.members.is_empty());
}

#[test]
fn a_fork_has_its_cut_and_counts_only_its_own() {
    let beginning = |header: &str| {
        let log = Written::under(header).turn(1).step(1, 1).starts("bash", "x", "", "");
        log.ends("error")
    };
    let parent = beginning(&header("p", None, 0, 0, ""));
    let seeded = header("f", Some("p"), 0, 9000, r#","seedLength":6"#);
    let fork = beginning(&seeded).event("session/end-seed", "").turn(2).turn_end(2, "completed");
    let (lineage, sessions, _) = lineage_of(&[parent, fork]);
    let fork = &lineage.members[1];
    assert_eq!((fork.kinship, fork.link), (Kinship::Fork, Link::Fork { at: Some(RowIx(5)) }));
    assert_eq!((fork.own_events, fork.inherited_events, fork.first_own), (3, 6, RowIx(6)));
    assert_eq!(fork.standing, Standing::Fine, "{:?}", sessions[1].facts.loader);
    assert_eq!(lineage.deepest_open.map(|open| open.member), Some(MemberIx(0)));
    let place = |member, row| Place { member: MemberIx(member), row: RowIx(row) };
    assert_eq!(lineage.orders, [Order { before: place(0, 5), after: place(1, 6), proof: Proof::Copied }]);
}

#[test]
fn the_deepest_open_call_is_the_news_and_not_the_parent_that_waits() {
    let log = || parent().starts("subagent", "a", "A", "do a");
    let killed = child("c", 3500, "A", "do a").starts("bash", "x", "", "");
    let (lineage, sessions, _) = lineage_of(&[log(), killed.clone()]);
    let open = lineage.deepest_open.unwrap();
    let call = &sessions[open.member.as_usize()].facts.calls[open.call];
    assert_eq!((open.member, call.call_id.to_report().as_str()), (MemberIx(1), "x"));
    assert_eq!(lineage.news, News::OpenBelow(MemberIx(1)));
    let failed = child("c", 3500, "A", "do a").ends("error");
    let table = [
        ("the parent alone is open", vec![log(), child("c", 3500, "A", "do a").ends("completed")], News::Own),
        ("a child failed, and the parent waits", vec![log(), failed.clone()], News::Own),
        ("a child failed", vec![log().answers("a", "no").ends("completed"), failed], News::FailedBelow(MemberIx(1))),
        (
            "the parent is over, the child is not",
            vec![log().answers("a", "no").ends("completed"), killed],
            News::OpenBelow(MemberIx(1)),
        ),
        (
            "all well",
            vec![log().answers("a", "no").ends("completed"), child("c", 3500, "A", "do a").ends("completed")],
            News::Own,
        ),
    ];
    for (name, logs, expected) in table {
        assert_eq!(lineage_of(&logs).0.news, expected, "{name}");
    }
}

#[test]
fn order_is_claimed_only_where_it_is_proven() {
    let log = || parent().starts("subagent", "a", "A", "do a");
    let done = || child("c", 3500, "A", "do a").ends("completed");
    let seqs = |logs: &[Written]| {
        let (lineage, sessions, _) = lineage_of(logs);
        let seq = |place: Place| sessions[place.member.as_usize()].index.rows.get(place.row).unwrap().seq().unwrap();
        let orders = lineage.orders.iter();
        orders.map(|order| (seq(order.before).0, seq(order.after).0, order.proof)).collect::<Vec<_>>()
    };
    assert_eq!(seqs(&[log(), done()]), [(3, 0, Proof::Started)]);
    // The result, seq 4, comes after the end of the child, seq 5.
    assert_eq!(seqs(&[log().answers("a", "fine"), done()]), [(3, 0, Proof::Started), (5, 4, Proof::Result)]);
    assert_eq!(seqs(&[log().answers("a", "started background subagent job j"), done()]), [(3, 0, Proof::Started)]);
    let unfinished = child("c", 3500, "A", "do a");
    assert_eq!(seqs(&[log().answers("a", "fine"), unfinished]), [(3, 0, Proof::Started)]);
    let told = log().answers("a", "started subagent c").with(
        "user/message",
        r#""content":[],"source":{"kind":"subagent-settled","senderSessionId":"c"}"#,
        "",
    );
    assert_eq!(seqs(&[told, done()]), [(3, 0, Proof::Started), (5, 5, Proof::Told)]);
}

#[test]
fn lines_are_read_only_of_sessions_with_children() {
    let log = parent().starts("bash", "a", "A", "do a").answers("a", "x").starts("subagent", "b", "B", "y");
    assert_eq!(lineage_of(std::slice::from_ref(&log)).2, 0);
    // The call of a subagent, the descriptor and the first message of the child.
    assert_eq!(lineage_of(&[log, child("c", 5500, "B", "y")]).2, 3);
}
