//! The lineages of the real logs: who was started by which call, and how that is known.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trajview::log::source::{MemorySource, Source};
use trajview::session::lines::LineReader;
use trajview::store::SessionIx;
use trajview::store::lineage::{Kinship, Lineage, Link, MOST_LINE, News, Proof, Rule};
use trajview::text::locale::Language;
use trajview::triage::session::Session;

use super::corpus;
use super::screens::keep;
use super::support::kin::{self, Fate};
use super::support::reading::read;
use super::support::stage::Stage;
use super::support::stored::{briefs, find};
use super::support::writer::Script;

/// The folder of real logs, where it is.
fn corpus() -> Option<PathBuf> {
    let folder = corpus::folder();
    let is_there = folder.is_dir();
    if !is_there {
        eprintln!("skipped: no corpus at {} (set TRAJVIEW_CORPUS)", folder.display());
    }
    is_there.then_some(folder)
}

struct Family {
    sessions: Vec<Arc<Session>>,
    lineage: Lineage,
}

/// A session of the root and all that descend from it.
fn family(root: &Path, home: &str) -> Family {
    let store = find(root);
    let (_, census) = briefs(&store);
    let is_home = |at: &SessionIx| {
        census.get(*at).and_then(|kin| kin.id.as_ref()).is_some_and(|id| id.to_report().ends_with(home))
    };
    let home = store.places().find(is_home).expect("the session is there");
    let (mut sources, mut sessions): (Vec<Arc<dyn Source>>, Vec<Arc<Session>>) = (Vec::new(), Vec::new());
    for (at, _) in census.family(home) {
        let path = &store[at].current().path;
        let bytes = fs::read(path).expect("the corpus can be read");
        sessions.push(Arc::new(read(&bytes, &path.file_name().unwrap_or_default().to_string_lossy())));
        sources.push(Arc::new(MemorySource::new(bytes)));
    }
    let mut readers: Vec<LineReader> =
        sources.iter().map(|source| LineReader::new(Arc::clone(source), 1 << 20)).collect();
    let lineage = Lineage::of(&sessions, &mut |member, row| {
        let at = member.as_usize();
        readers[at].line(&sessions[at].index, row, MOST_LINE).ok().map(|text| text.to_vec())
    });
    Family { sessions, lineage }
}

/// Start of the id, call id, rule, generation; in reading order.
fn links(family: &Family) -> Vec<(String, Option<String>, Option<Rule>, u32)> {
    let tell = |member: &trajview::store::lineage::MemberIx| {
        let found = family.lineage.get(*member).unwrap();
        let parent = match found.parent {
            trajview::store::lineage::Parent::Here(parent) => Some(&family.sessions[parent.as_usize()]),
            _ => None,
        };
        let call = parent.zip(found.link.call()).map(|(parent, call)| parent.facts.calls[call].call_id.to_report());
        let id = found.id.as_ref().unwrap().to_report();
        let id = id.strip_prefix("session-0a11c0de-0000-4000-8000-0000000000").unwrap_or(&id[..8]).to_owned();
        (id, call, found.link.rule(), found.level)
    };
    family.lineage.reading.iter().map(tell).collect()
}

fn expected(all: &[(&str, &str, Option<Rule>, u32)]) -> Vec<(String, Option<String>, Option<Rule>, u32)> {
    let own = |(id, call, rule, level): &(&str, &str, Option<Rule>, u32)| {
        ((*id).to_owned(), (!call.is_empty()).then(|| (*call).to_owned()), *rule, *level)
    };
    all.iter().map(own).collect()
}

#[test]
fn the_delegation_tree_is_linked_as_it_ran() {
    let Some(corpus) = corpus() else { return };
    let family = family(&corpus.join("sessions"), "0010");
    let label = Some(Rule::LabelAndPrompt);
    let text = Some(Rule::ResultText);
    let wanted = [
        ("10", "", None, 0),
        ("bec660fe", "call_0060_0", label, 1),
        ("f66da056", "call_0063_0", label, 2),
        ("b0940cab", "call_0060_1", label, 1),
        ("1246011a", "call_0067_0", text, 1),
        ("550244ca", "call_0067_1", text, 1),
        ("42194a58", "call_0077_0", label, 1),
    ];
    assert_eq!(links(&family), expected(&wanted));
    let lineage = &family.lineage;
    let own: u64 = lineage.members.iter().map(|member| member.own_events).sum();
    let inherited: u64 = lineage.members.iter().map(|member| member.inherited_events).sum();
    assert_eq!((own, inherited, lineage.depths()), (495, 171, (0, 2)));
    assert_eq!(lineage.deepest_open, None);
    let News::FailedBelow(member) = lineage.news else { panic!("{:?}", lineage.news) };
    assert!(lineage.get(member).unwrap().id.as_ref().unwrap().to_report().starts_with("b0940cab"));
    let count = |proof: Proof| lineage.orders.iter().filter(|order| order.proof == proof).count();
    assert_eq!([Proof::Started, Proof::Result, Proof::Told, Proof::Copied].map(count), [6, 4, 2, 0]);
}

#[test]
fn the_child_that_was_killed_is_the_news() {
    let Some(corpus) = corpus() else { return };
    for root in ["sessions", "crash/subagent-killed/sessions"] {
        let family = family(&corpus.join(root), "0025");
        let lineage = &family.lineage;
        let open = lineage.deepest_open.expect("a call is open");
        let call = &family.sessions[open.member.as_usize()].facts.calls[open.call];
        assert_eq!((lineage.news, call.call_id.to_report().as_str()), (News::OpenBelow(open.member), "call_0328_0"));
        assert_eq!(links(&family)[1].2, Some(Rule::LabelAndPrompt), "{root}");
    }
}

#[test]
fn children_of_a_workflow_are_named_by_its_run() {
    let Some(corpus) = corpus() else { return };
    let family = family(&corpus.join("sessions"), "0029");
    let agent = Some(Rule::AgentStart);
    let wanted = [("29", "", None, 0), ("c6d2be1d", "call_0687_0", agent, 1), ("3edbefd6", "call_0687_0", agent, 1)];
    assert_eq!(links(&family), expected(&wanted));
    assert_eq!(family.lineage.news, News::Own);
    let told = family.lineage.orders.iter().filter(|order| order.proof == Proof::Told).count();
    assert_eq!(told, 2, "the end of each stands before agent-end");
}

#[test]
fn forks_of_forks_know_where_they_were_cut() {
    let Some(corpus) = corpus() else { return };
    let family = family(&corpus.join("sessions"), "0015");
    let told: Vec<_> = family.lineage.members.iter().map(|member| (member.kinship, member.level)).collect();
    assert_eq!(told, [(Kinship::Root, 0), (Kinship::Fork, 1), (Kinship::Fork, 2)]);
    for (at, cut) in [(1, 52), (2, 73)] {
        let Link::Fork { at: Some(row) } = family.lineage.members[at].link else { panic!("fork {at} has no cut") };
        let seq = family.sessions[at - 1].index.rows.get(row).unwrap().last_seq().unwrap();
        assert_eq!(seq.0, cut);
    }
}

fn stage(fate: Fate, columns: u16, rows: u16) -> Stage {
    stage_in(Language::English, fate, columns, rows)
}

/// The family of the tests' own writer on a screen, everything found.
pub fn stage_in(language: Language, fate: Fate, columns: u16, rows: u16) -> Stage {
    let [parent, kin @ ..] = kin::family(fate);
    let mut stage = Stage::open_in(language, parent.plain(), "session.jsonl", columns, rows);
    stage.find_kin(kin.iter().map(Script::plain).collect());
    stage
}

#[test]
fn the_main_screen_speaks_for_the_family() {
    let mut screens = String::new();
    for (fate, columns, rows) in [(Fate::Failed, 140, 30), (Fate::Killed, 140, 30), (Fate::Killed, 80, 24)] {
        let stage = stage(fate, columns, rows);
        writeln!(screens, "== {columns}x{rows}\n{}", stage.text()).expect("a string takes all");
    }
    keep("family_main", &screens);
}

#[test]
fn the_family_stands_in_one_list_and_in_lanes() {
    let mut screens = String::new();
    let shown = [
        (Fate::Failed, 80, 24, "S"),
        (Fate::Failed, 120, 38, "Szr"),
        (Fate::Killed, 120, 38, "S"),
        (Fate::Killed, 50, 14, "S"),
        (Fate::Failed, 160, 24, "SS"),
        (Fate::Killed, 160, 24, "SS"),
    ];
    for (fate, columns, rows, keys) in shown {
        let mut stage = stage(fate, columns, rows);
        stage.press(keys);
        writeln!(screens, "== {columns}x{rows}   keys: {keys}\n{}", stage.text()).expect("a string takes all");
    }
    keep("family_list_and_lanes", &screens);
}
