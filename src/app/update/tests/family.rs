//! Relatives: the news of a family, ways to a child and back, what is asked of which log.

use std::fmt::Write;

use super::*;
use crate::app::family::HOME;
use crate::app::page::Page;
use crate::store::lineage::MemberIx;

/// A log of a family, event by event; its children are started by `subagent`.
pub(crate) struct Log {
    text: String,
    seq: i64,
    start: i64,
}

impl Log {
    pub(crate) fn new(id: &str, parent: Option<&str>, depth: i64, start: i64) -> Log {
        let parent = parent.map_or(String::new(), |id| format!(r#","parentSession":"{id}","origin":"subagent""#));
        let text = format!(
            r#"{{"type":"session","version":0,"id":"{id}","createdAt":{start},"cwd":"/w"{parent},"delegationDepth":{depth}}}"#
        );
        Log { text: text + "\n", seq: 0, start }
    }

    pub(crate) fn event(mut self, kind: &str, data: &str, more: &str) -> Log {
        let (seq, time) = (self.seq, self.start + self.seq * 10);
        let _ = writeln!(self.text, r#"{{"type":"{kind}","seq":{seq},"time":{time},"data":{{{data}}}{more}}}"#);
        self.seq += 1;
        self
    }

    fn seen(self, kind: &str, data: &str) -> Log {
        self.event(kind, data, r#","surfaceOp":"append""#)
    }

    pub(crate) fn begins(self, prompt: &str) -> Log {
        let content = format!(r#"[{{"type":"text","text":"{prompt}"}}]"#);
        let user = format!(r#""id":"u","role":"user","source":{{"kind":"user"}},"content":{content}"#);
        let log = self.event("turn/start", r#""turn":1"#, "").event("step/start", r#""turn":1,"step":1"#, "");
        log.seen("user/message", &user)
    }

    pub(crate) fn labelled(self, label: &str) -> Log {
        self.event("subagent/descriptor", &format!(r#""version":2,"mode":"one-shot","label":"{label}""#), "")
    }

    /// Asks for calls and begins them: tool, id, description and prompt of each.
    pub(crate) fn calls(self, calls: &[(&str, &str, &str, &str)]) -> Log {
        let arguments = |description: &str, prompt: &str| {
            format!(r#"{{\"description\":\"{description}\",\"prompt\":\"{prompt}\"}}"#)
        };
        let blocks: Vec<String> = calls
            .iter()
            .map(|(tool, id, description, prompt)| {
                let arguments = arguments(description, prompt);
                format!(r#"{{"type":"tool-call","id":"{id}","name":"{tool}","arguments":"{arguments}"}}"#)
            })
            .collect();
        let source = r#""source":{"kind":"model","provider":"p","model":"m"}"#;
        let message = format!(r#"{{"id":"m","role":"assistant",{source},"content":[{}]}}"#, blocks.join(","));
        let mut log = self.seen("assistant/message", &format!(r#""turn":1,"step":1,"message":{message}"#));
        for (tool, id, description, prompt) in calls {
            let arguments = arguments(description, prompt);
            let data = format!(r#""turn":1,"step":1,"callId":"{id}","name":"{tool}","arguments":"{arguments}""#);
            log = log.event("tool/call", &data, "");
        }
        log
    }

    pub(crate) fn result(self, id: &str, text: &str, is_error: bool) -> Log {
        let inner = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
        let block = format!(r#"{{"type":"tool-result","toolCallId":"{id}","content":{inner},"isError":{is_error}}}"#);
        let source = format!(r#"{{"kind":"tool","callId":"{id}"}}"#);
        let message = format!(r#"{{"id":"r-{id}","role":"user","source":{source},"content":[{block}]}}"#);
        self.seen("tool/result", &format!(r#""turn":1,"step":1,"message":{message}"#))
    }

    pub(crate) fn ends(self, kind: &str) -> Log {
        let error = if kind == "error" { r#","error":{"message":"no access","code":"AUTH","status":401}"# } else { "" };
        let reason = format!(r#""turn":1,"reason":{{"kind":"{kind}"{error}}}"#);
        self.event("step/end", r#""turn":1,"step":1"#, "").event("turn/end", &reason, "")
    }

    pub(crate) fn text(self) -> String {
        self.text
    }
}

pub(super) const AUDIT: (&str, &str, &str, &str) = ("subagent", "call_1", "Audit sources", "Look at all sources.");
pub(super) const BROKEN: (&str, &str, &str, &str) = ("subagent", "call_2", "Broken child", "Fail.");

/// Seqs: turn 0, step 1, user 2, message 3, calls 4 and 5, results 6 and 7, ends 8 and 9.
pub(super) fn parent() -> Log {
    Log::new("parent-0001", None, 0, 1000).begins("Go.").calls(&[AUDIT, BROKEN])
}

pub(super) fn child(id: &str, of: &(&str, &str, &str, &str)) -> Log {
    // Seqs: descriptor 0, turn 1, step 2, user 3.
    Log::new(id, Some("parent-0001"), 1, 1050).labelled(of.2).begins(of.3)
}

pub(super) fn open(parent: Log, kin: Vec<Log>) -> Bench {
    let mut bench = Bench::open(&parent.text(), 140, 45);
    let texts: Vec<String> = kin.into_iter().map(Log::text).collect();
    bench.find_kin(&texts);
    bench
}

fn verdict(bench: &Bench) -> String {
    bench.model.verdict().map(|verdict| verdict.text.join(" | ")).unwrap_or_default()
}

pub(super) fn focused(bench: &Bench) -> u32 {
    bench.model.family.focused.0
}

#[test]
fn relatives_are_looked_for_once_the_log_was_read_and_when_its_calls_change() {
    let mut bench = Bench::open(&parent().text(), 140, 45);
    assert_eq!(bench.asked_kin, 1);
    bench.read(&parent().result("call_1", "fine", false).text());
    assert_eq!(bench.asked_kin, 2, "a call got its result");
    bench.read(&parent().result("call_1", "fine", false).event("session/title", r#""title":"x""#, "").text());
    assert_eq!(bench.asked_kin, 2);
}

#[test]
fn the_open_call_of_a_child_is_the_news_and_two_keys_lead_there() {
    let killed = child("child-0001", &AUDIT).calls(&[("bash", "call_9", "x", "")]);
    let mut bench = open(parent(), vec![killed]);
    let told = verdict(&bench);
    for words in ["OUTCOME UNKNOWN", "bash", "call_9", "\"Audit sources\", depth 1", "call_1 (seq 4) waits for it"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // The last unpaired call of the parent, the call of the child, and into it.
    bench.keys("u");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(5)));
    bench.keys("ko");
    assert_eq!((focused(&bench), bench.seq()), (1, Some(5)), "{}", bench.said());
    assert!(bench.said().contains("linked by header, label and prompt"), "{}", bench.said());
    assert!(verdict(&bench).contains("call_9") && !verdict(&bench).contains("depth"), "the child by itself");
    // What the panes show is asked of the child.
    assert!(bench.model.detail.doc.is_some());
    assert!(bench.model.timeline_rows().iter().all(|row| match &row.kind {
        RowKind::Event(event) => event.what.is_some(),
        RowKind::Rule(_) => true,
    }));
    bench.keys("q");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(4)));
    bench.keys(">");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(4)), "q is no jump");
}

#[test]
fn a_failed_child_is_the_news_where_nothing_is_open() {
    let parent = || parent().result("call_1", "fine", false).result("call_2", "Error", true).ends("completed");
    let kin = || {
        let fine = child("child-0001", &AUDIT).ends("completed");
        vec![fine, child("child-0002", &BROKEN).ends("error")]
    };
    let mut bench = open(parent(), kin());
    let told = verdict(&bench);
    for words in [
        "CHILD FAILED",
        "\"Broken child\", depth 1",
        "AUTH 401",
        "nothing open in 3",
        "call_2 (seq 5) failed for it (seq 7)",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    bench.keys("gg5Go");
    assert_eq!((focused(&bench), bench.seq()), (2, Some(5)), "at what is the matter with it");
    // From any line without another half back to the call; Ctrl-o goes back through all of it.
    bench.keys("o");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(5)));
    bench.keys("<C-o>");
    assert_eq!((focused(&bench), bench.seq()), (2, Some(5)));
    bench.keys("<C-o><C-o>>>");
    assert_eq!((focused(&bench), bench.seq()), (2, Some(5)));
    bench.keys("qqq");
    assert_eq!((focused(&bench), bench.left.len()), (0, 1), "out of the child, and then out of the program");
}

#[test]
fn a_seq_of_a_child_can_be_typed_and_marks_know_their_log() {
    let mut bench = open(parent(), vec![child("child-0001", &AUDIT), child("other-0001", &BROKEN)]);
    bench.keys(":othe/3<Enter>ma");
    assert_eq!((focused(&bench), bench.seq()), (2, Some(3)));
    bench.keys(":child-0001/9<Enter>");
    assert!(bench.said().contains('9'), "{}", bench.said());
    bench.keys("q'a");
    assert_eq!((focused(&bench), bench.seq()), (2, Some(3)));
    bench.keys("q:x/3<Enter>");
    assert_eq!(focused(&bench), 0, "too short to be an id");
}

#[test]
fn the_opened_log_grows_while_a_child_is_shown() {
    let mut bench = open(parent(), vec![child("child-0001", &AUDIT)]);
    bench.keys("4Go");
    assert_eq!(focused(&bench), 1);
    let before = bench.seq();
    bench.read(&parent().result("call_1", "fine", false).text());
    assert_eq!((focused(&bench), bench.seq()), (1, before));
    bench.keys("o");
    assert_eq!(focused(&bench), 0);
    assert_eq!(bench.model.open.as_ref().unwrap().session.index.rows.len(), 7);
    // Found again, with another child first: the focus stays on its session.
    bench.keys("4Go");
    bench.find_kin(&[child("zero-0001", &BROKEN).text(), child("child-0001", &AUDIT).text()]);
    assert_eq!((focused(&bench), bench.seq()), (2, before));
    // Read from the start: the relatives have to be found again.
    bench.keys("<C-r>");
    bench.read(&parent().text());
    assert_eq!((focused(&bench), bench.model.family.has_relatives()), (0, false));
}

#[test]
fn children_stand_below_their_calls() {
    let mut bench = open(parent(), vec![child("child-0001", &AUDIT), child("lost-0001", &("", "", "x", "y"))]);
    let rows = |bench: &Bench| -> Vec<(Node, u8)> {
        bench.model.call_rows().iter().map(|row| (row.node, row.level)).collect()
    };
    let nodes = rows(&bench);
    let at = nodes.iter().position(|(node, _)| *node == Node::Child(1)).unwrap();
    assert_eq!(nodes[at - 1].0, Node::Call(0));
    assert_eq!(nodes.last(), Some(&(Node::Child(2), 0)), "a child without a call stays visible");
    let told = &bench.model.call_rows()[at];
    assert!(told.id.contains("Audit sources"), "{told:?}");
    bench.keys("4G");
    let row = &bench.model.call_rows()[bench.model.calls.cursor() - bench.model.calls.top()];
    assert_eq!(row.node, Node::Call(0), "a call, and not what stands below it");
}

#[test]
fn a_parent_is_looked_for_on_request() {
    let mut bench = Bench::open(&child("child-0001", &AUDIT).text(), 140, 45);
    bench.keys("ggo");
    assert!(bench.said().contains("parent-0") && bench.asked_kin == 2, "{}", bench.said());
    bench.find_kin(&[parent().text()]);
    assert_eq!((focused(&bench), bench.seq()), (1, Some(4)));
    bench.keys("o");
    assert_eq!((bench.model.family.focused, bench.seq()), (HOME, Some(2)), "and back into the child, where it waits");
    bench.model.family = crate::app::family::Family::default();
    bench.model.family.up = 1;
    bench.keys("o");
    assert!(bench.said().contains("not in this store"), "{}", bench.said());
    assert_eq!(MemberIx(0), HOME);
}

/// What the rows of the list on screen are: seq, or the label of a head.
pub(super) fn list(bench: &Bench) -> Vec<String> {
    let tell = |row: crate::app::family::FamilyRow| match row.kind {
        crate::app::family::FamilyKind::Head(head, _) => head.label,
        crate::app::family::FamilyKind::Row(RowKind::Event(event)) => {
            format!("{}{}", event.first_seq.map_or(-1, |seq| seq.0), if event.ghost { "+" } else { "" })
        }
        crate::app::family::FamilyKind::Row(RowKind::Rule(_)) => "rule".to_owned(),
    };
    bench.model.family_rows().into_iter().map(tell).collect()
}

fn over() -> Bench {
    let parent = parent().result("call_1", "fine", false).result("call_2", "Error", true).ends("completed");
    open(parent, vec![child("child-0001", &AUDIT).ends("completed"), child("fail-0002", &BROKEN).ends("error")])
}

#[test]
fn a_block_stands_inside_its_call_and_opens_by_itself() {
    let mut bench = over();
    bench.keys("S");
    // The failed child is open, and the cursor at what is the matter with it.
    let rows = ["0", "1", "2", "3", "4", "\"Audit sources\"", "5", "\"Broken child\"", "0", "1", "2", "3", "4", "5"];
    assert_eq!(list(&bench)[..14], rows);
    assert_eq!((focused(&bench), bench.seq()), (2, Some(5)));
    // All texts of the screen are there, of whatever log they are.
    assert!(bench.model.family_rows().iter().all(|row| match &row.kind {
        crate::app::family::FamilyKind::Row(RowKind::Event(event)) => event.what.is_some(),
        _ => true,
    }));
    bench.keys("zm");
    assert_eq!(list(&bench)[5..8], ["\"Audit sources\"", "5", "\"Broken child\""]);
    assert_eq!(list(&bench)[8], "6");
    bench.keys("zr");
    assert_eq!(list(&bench)[6..8], ["0", "1"]);
    bench.keys("zmgg4j");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(4)));
    bench.keys(" ");
    assert_eq!(list(&bench)[5..7], ["\"Audit sources\"", "0"]);
    bench.keys("o");
    assert_eq!(focused(&bench), 1, "the head below the call");
    bench.keys("jo");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(4)), "and back to the call");
    // Out again, where the panes were.
    bench.keys("q");
    assert!(bench.model.family.view.is_none());
    assert_eq!((focused(&bench), bench.seq()), (0, Some(5)));
}

#[test]
fn depths_are_filtered_and_errors_are_gone_to() {
    let mut bench = over();
    bench.keys("Szrd");
    assert_eq!(list(&bench), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"], "{}", bench.said());
    bench.keys("d");
    assert_eq!(list(&bench)[0], "\"Audit sources\"");
    bench.keys("dd");
    assert_eq!(bench.said(), "all depths");
    bench.keys("gg]e");
    assert_eq!((focused(&bench), bench.seq()), (2, Some(5)));
    bench.keys("]e");
    assert_eq!((focused(&bench), bench.seq()), (0, Some(7)));
    bench.keys("[e<Enter>");
    assert!(bench.model.family.view.is_none());
    assert_eq!((focused(&bench), bench.seq(), bench.model.focus), (2, Some(5), Pane::Detail));
}

#[test]
fn lanes_tie_a_start_to_its_call_and_a_result_to_an_end() {
    let mut bench = over();
    bench.keys("SS");
    assert!(bench.said().contains("160"), "{}", bench.said());
    bench.send(Message::Resized { columns: 160, rows: 24 });
    bench.keys("S");
    let grid = bench.model.family.view.as_ref().unwrap().grid.clone();
    let of_lane = |lane: usize| grid.lanes[lane].1.iter().map(|cell| (cell.line, &*cell.seqs)).collect::<Vec<_>>();
    assert_eq!(of_lane(0), [(0, "0-3"), (1, "4"), (2, "5"), (3, "6"), (4, "7"), (5, "8"), (6, "9")]);
    assert_eq!(of_lane(1), [(1, "0"), (2, "1-4"), (3, "5")]);
    assert_eq!(of_lane(2), [(2, "0"), (3, "1-4"), (4, "5")]);
    let ties: Vec<_> = grid.ties.iter().map(|tie| (tie.line, tie.parent, tie.child, tie.starts)).collect();
    assert_eq!(ties, [(1, 0, 1, true), (2, 0, 2, true), (3, 0, 1, false), (4, 0, 2, false)]);
    bench.keys("h");
    assert_eq!(focused(&bench), 1);
    bench.keys("ggjj");
    assert_eq!(bench.seq(), Some(5));
    bench.keys("S");
    let view = bench.model.family.view.as_ref().unwrap();
    assert_eq!(view.shape, crate::app::family::Shape::List, "one list again");
}

#[test]
fn without_relatives_the_reason_is_said() {
    let mut bench = Bench::open(&parent().text(), 140, 45);
    bench.keys("S");
    assert!(bench.said().contains("not read yet"), "{}", bench.said());
    bench.find_kin(&[]);
    bench.keys("S");
    assert!(bench.said().contains("no children"), "{}", bench.said());
    assert!(bench.model.family.view.is_none());
}

#[test]
fn a_family_that_grows_keeps_its_view_and_what_was_folded() {
    let first = || child("child-0001", &AUDIT).calls(&[("bash", "call_9", "x", "")]);
    let mut bench = open(parent(), vec![first()]);
    bench.keys("F");
    bench.keys("SzMgg");
    let heads = |bench: &Bench| {
        let entries = bench.model.family.view.as_ref().unwrap().entries.iter();
        entries.filter(|entry| matches!(entry, crate::app::family::Entry::Head(_))).count()
    };
    assert_eq!(heads(&bench), 1);
    // A child appears before the other in the store, and the other one grew.
    let second = child("aaaa-0002", &BROKEN);
    bench.find_kin(&[second.text(), first().result("call_9", "fine", false).text()]);
    assert_eq!(heads(&bench), 2, "the view stays, and has the new child");
    assert!(bench.model.family.view.as_ref().unwrap().open.len() < 2, "it stays folded");
    bench.keys("q");
    assert!(bench.model.follow.is_on(), "who followed follows on");
}

#[test]
fn the_end_of_a_child_is_followed() {
    let first = || child("child-0001", &AUDIT).calls(&[("bash", "call_9", "x", "")]);
    let mut bench = open(parent(), vec![first()]);
    bench.keys("F");
    bench.keys(":child-0001/5<Enter>G");
    assert_eq!(focused(&bench), 1);
    bench.find_kin(&[first().result("call_9", "fine", false).ends("completed").text()]);
    assert_eq!((focused(&bench), bench.seq()), (1, Some(8)), "{:?}", bench.model.timeline.items);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    /// No keys break the family: cursors stay inside their lists, and somebody is focused.
    #[test]
    fn no_keys_break_a_family(keys in "[SjkhlJKGgduoqvxtz mrR:0-9]{0,40}", wide in any::<bool>()) {
        let mut bench = over();
        bench.send(Message::Resized { columns: if wide { 170 } else { 60 }, rows: 20 });
        bench.keys(&keys);
        if !bench.model.leaving {
            let family = &bench.model.family;
            prop_assert!(bench.model.open.is_some());
            prop_assert!(family.members[family.focused.as_usize()].open.is_none());
            if let Some(view) = &family.view {
                prop_assert!(view.cursor < view.entries.len().max(1));
            }
            prop_assert!(bench.model.timeline.cursor < bench.model.timeline.items.len().max(1));
        }
    }
}

#[test]
fn the_ladder_begins_with_what_is_open_furthest_down_and_leads_there() {
    let killed = || child("child-0001", &AUDIT).calls(&[("bash", "call_9", "x", "")]);
    let mut bench = open(parent(), vec![killed()]);
    bench.keys("U");
    let page = bench.model.page.as_ref().expect("the ladder is open");
    let text = page.text();
    assert!(page.doc.lines[page.cursor].text().contains("call_9"), "{text}");
    for words in ["and 1 child", "in child child-0001", "it waits for child", "header, label and prompt", "CALLS 3"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    bench.keys("<Enter>");
    assert_eq!((focused(&bench), bench.seq()), (1, Some(5)));
    // Inside the child its own things alone are on the page.
    bench.keys("U");
    let text = bench.model.page.as_ref().map(Page::text).unwrap_or_default();
    assert!(text.contains("CALLS 1") && !text.contains("call_1"), "{text}");
    bench.keys("qq");
    assert_eq!(focused(&bench), 0);
    // A child in which nothing is open is not waited for.
    let fine = child("child-0001", &AUDIT).ends("completed");
    let mut bench = open(parent(), vec![fine]);
    bench.keys("U");
    let text = bench.model.page.as_ref().map(Page::text).unwrap_or_default();
    assert!(text.contains("CALLS 2") && !text.contains("it waits for"), "{text}");
}

#[test]
fn what_an_open_call_of_a_child_is_about_is_quoted_from_its_own_log() {
    let arguments = r#"{\"command\":\"make deploy token=abcdefgh1234\"}"#;
    let data = format!(r#""turn":1,"step":1,"callId":"call_9","name":"bash","arguments":"{arguments}""#);
    let killed = child("child-0001", &AUDIT).event("tool/call", &data, "");
    let mut bench = open(parent(), vec![killed]);
    let page = |bench: &Bench| bench.model.page.as_ref().map(Page::text).unwrap_or_default();
    bench.keys("U");
    assert!(page(&bench).contains("$ make deploy"), "{}", page(&bench));
    // The report of the call that started the child names the call it waits for, and leads there.
    bench.keys("q4Gb");
    let text = page(&bench);
    assert!(text.contains("- it waits for session `child-0001`"), "{text}");
    assert!(text.contains("there `bash`, call `call_9`, seq 4, TOOL_OUTCOME_UNKNOWN"), "{text}");
    assert!(!text.contains("make deploy"), "nothing is quoted before it was asked for: {text}");
    bench.keys("a");
    assert!(page(&bench).contains("1 part looks like a secret (\"token\")"), "{}", page(&bench));
    bench.keys("r");
    let text = page(&bench);
    assert!(text.contains("make deploy token=[secret left out]") && text.contains("Look at all sources."), "{text}");
    let at = bench
        .model
        .page
        .as_ref()
        .and_then(|page| page.doc.lines.iter().position(|line| line.text().contains("it waits for session")));
    bench.model.page.as_mut().expect("a report").cursor = at.expect("the line of the child");
    bench.keys("<Enter>");
    assert_eq!((focused(&bench), bench.seq()), (1, Some(4)));
    // Another call of the parent waits for nobody; neither does one that has its result.
    let mut bench = open(parent(), vec![child("child-0001", &AUDIT).event("tool/call", &data, "")]);
    bench.keys("5Gb");
    assert!(!page(&bench).contains("it waits for"), "{}", page(&bench));
    let done = parent().result("call_1", "fine", false);
    let mut bench = open(done, vec![child("child-0001", &AUDIT).event("tool/call", &data, "")]);
    bench.keys("4Gb");
    assert!(!page(&bench).contains("it waits for"), "{}", page(&bench));
}
