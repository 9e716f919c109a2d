//! More than a person does: keys, sizes and pasted text without end, a program that is stopped at any moment.

use rustix::process::Signal;

use crate::support::SmallLog;
use crate::support::pty::{Session, Start, is_taken};

const ESC: &str = "\x1b[27u";

fn started(log: &SmallLog) -> Session {
    let session = Start::viewer().arg(log.path()).size(120, 40).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_until("the alternate screen", is_taken);
    session
}

/// It answers, and ends as it should.
fn answers(mut session: Session) {
    session.type_keys("?");
    session.wait_for("HELP");
    session.type_keys("Q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[test]
fn twenty_thousand_keys_at_once_are_all_taken() {
    let log = SmallLog::write();
    let mut session = started(&log);
    // As many down as up, from the first row: it is the first row again.
    session.type_keys("gg");
    session.wait_for("Do part 1.");
    session.type_keys(&("j".repeat(100) + &"k".repeat(100)).repeat(100));
    session.type_keys("\r");
    session.wait_for("turn/start  seq 0");
    session.type_keys(&"\tTUCAiq".repeat(500));
    session.type_keys(ESC);
    answers(session);
}

#[test]
fn a_storm_of_sizes_ends_with_the_last_one() {
    let log = SmallLog::write();
    let mut session = started(&log);
    for round in 0..400_u16 {
        session.resize(1 + round * 37 % 200, 1 + round * 13 % 70);
        if round % 50 == 0 {
            session.type_keys("T");
            session.type_keys(ESC);
        }
    }
    session.resize(120, 40);
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_for("? help");
    answers(session);
}

#[test]
fn a_megabyte_pasted_into_any_line_is_taken_or_refused() {
    let pasted = format!("\x1b[200~{}\x1b[201~", "text \u{1b}[31m\u{202e}\r\n".repeat(1 << 16));
    for line in ["/", "f", ":", "|"] {
        let log = SmallLog::write();
        let mut session = started(&log);
        session.type_keys(line);
        session.type_keys(&pasted);
        session.type_keys(ESC);
        session.type_keys(ESC);
        answers(session);
    }
    // Where nothing is typed it is no keys: `Q` is in it.
    let log = SmallLog::write();
    let mut session = started(&log);
    session.type_keys(&format!("\x1b[200~{}\x1b[201~", "Q".repeat(1 << 20)));
    answers(session);
}

#[test]
fn a_stop_that_cannot_be_caught_leaves_a_program_that_goes_on() {
    let log = SmallLog::write();
    let mut session = started(&log);
    for columns in [90, 130] {
        session.signal(Signal::STOP);
        session.resize(columns, 40);
        session.type_keys("gg");
        session.signal(Signal::CONT);
        session.wait_for("Do part 1.");
        session.type_keys("G");
        session.wait_without("Do part 1.");
    }
    answers(session);
}
