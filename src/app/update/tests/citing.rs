//! `gd` and `gr`: along cited seqs, pairs and rewrites.

use super::log::{healthy, open_call};
use super::*;

/// The open call's log, and after it a message that cites two events, a title that cites one and a record that cites
/// what is not there.
fn citing() -> String {
    let mut log = open_call();
    for (seq, cites) in [(13, "[2,[3,5],7]"), (14, "[2]"), (15, "[99]")] {
        let _ = writeln!(
            log,
            r#"{{"type":"session/title","seq":{seq},"time":9000,"data":{{"title":"T"}},"sourceEventSeqs":{cites}}}"#
        );
    }
    log
}

/// Seqs of the places listed.
fn listed(bench: &Bench) -> Vec<&str> {
    match &bench.model.overlay {
        Some(Overlay::Places(places)) => places.lines.iter().map(|line| line.seq.as_str()).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn one_place_is_gone_to_and_several_are_listed() {
    let mut bench = Bench::open(&citing(), 140, 45);
    bench.keys("14Ggd");
    assert_eq!((bench.seq(), listed(&bench).len()), (Some(2), 0));
    bench.keys("<C-o>");
    assert_eq!(bench.seq(), Some(14));
    bench.keys("13Ggd");
    assert_eq!(listed(&bench), ["2", "3", "7"]);
    bench.keys("jj<Enter>");
    assert_eq!((bench.seq(), bench.model.overlay.is_none()), (Some(7), true));
    bench.keys("13Ggdq");
    assert_eq!((bench.seq(), bench.model.overlay.is_none()), (Some(13), true));
    bench.keys("15Ggd");
    assert_eq!((bench.seq(), bench.said()), (Some(15), "what this cites is not in the log"));
}

#[test]
fn a_record_without_citations_leads_along_its_pair() {
    // Of the first turn: message 6, call 7, result 8.
    let mut bench = Bench::open(&healthy(1), 140, 45);
    for (keys, seq) in [("8Ggd", 7), ("7Ggd", 6), ("6Ggr", 7), ("7Ggr", 8)] {
        bench.keys(keys);
        assert_eq!(bench.seq(), Some(seq), "{keys}");
    }
    assert_eq!(bench.keys("2Ggd").said(), "this cites nothing");
    assert_eq!(bench.keys("2Ggr").said(), "nothing that is known cites this");
    // A call that was asked about and answered: the question and the result.
    let mut bench = Bench::open(&open_call(), 140, 45);
    bench.keys("7Ggr");
    assert_eq!(listed(&bench), ["8", "10"]);
    bench.keys("<Enter>gd");
    assert_eq!(bench.seq(), Some(7), "from the question to the call");
}
