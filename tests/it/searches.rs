//! What searches find in real logs: a table of what is typed behind `/`, and the seqs of the matches, worked out from the
//! stored lines by other means. Read where they lie, as in [`super::corpus`].

use trajview::app::message::Message;
use trajview::session::row::Row;

use crate::corpus::folder;
use crate::support::stage::Stage;

/// Seqs of the rows that hold a match, after the text was typed and kept.
fn found(stage: &mut Stage, typed: &str) -> Vec<i64> {
    stage.press("gg/");
    stage.play(Message::Pasted(typed.to_owned()));
    stage.press("<Enter>");
    let model = &stage.model;
    let search = model.search.as_ref().unwrap_or_else(|| panic!("{typed}: nothing is searched"));
    assert!(search.done && search.needle.text() == typed, "{typed}");
    let rows = &model.open.as_ref().expect("a log is open").session.index.rows;
    let seq = |row: Row| row.seq().expect("an event").0;
    search.hits.iter().map(|hit| seq(rows.get(hit.row).expect("a row"))).collect()
}

/// A log of the corpus, and what is found in it.
type Found = (&'static str, &'static [(&'static str, &'static [i64])]);

const TABLE: [Found; 5] = [
    (
        "crash/tool-killed.jsonl",
        &[
            // Small letters find both cases, one capital letter only its own.
            ("running", &[10, 34, 81, 87]),
            ("Running", &[34, 81, 87]),
            ("RUNNING", &[]),
            // Streamed as "Runnin" "g the " "migrat" "ion no" "w.": the row where it begins.
            ("Running the migration now", &[34, 81, 87]),
            // Single chunks, "First " and "look."
            ("First look", &[14, 23, 27]),
            // Arguments that streamed in pieces.
            ("log; sleep 30", &[40, 82, 87, 88]),
            ("/migrat(ion|e)\\.log/", &[40, 82, 87, 88]),
            ("/^Run/", &[3, 7, 9, 10, 29, 34, 81, 87]),
            // As stored, and as it reads.
            ("\\\"command\\\"", &[82, 83, 87, 88]),
            ("\"command\"", &[10, 40, 61, 82, 83, 87, 88]),
        ],
    ),
    (
        "sessions/--home-dev-shop-api--/session-0a11c0de-0000-4000-8000-000000000011/session.jsonl.zstd",
        &[
            ("用户想修复", &[14, 357, 362]),
            ("全角ＡＢＣ", &[448, 467, 470]),
            ("مرحبا", &[74, 358, 362]),
            ("👩‍👩‍👧‍👦", &[14, 357, 362]),
            ("const π", &[448, 467, 470]),
            ("/x{5000}/", &[444]),
            // An escape sequence as stored; by its character it is found in the stream, too.
            ("\\u001b[31m", &[365, 467, 470]),
            ("/\\x1b\\[31m/", &[365, 448, 467, 470]),
            // Arguments as stored inside a string, and as the detail shows them.
            ("echo \\\"$(printf", &[419, 439, 442, 443]),
            ("echo \"$(printf", &[439, 442, 443]),
        ],
    ),
    (
        "sessions/--home-dev-shop-api--/session-0a11c0de-0000-4000-8000-000000000008/session.jsonl.zstd",
        &[
            ("/\\b429\\b/", &[41, 42]),
            ("503", &[13, 14]),
            ("rate_limit", &[14, 39, 41, 42, 46]),
            ("partial", &[10, 24]),
        ],
    ),
    ("migrated/v4/retry-ok/session.v4.jsonl", &[("partial", &[12, 19]), ("RATE_LIMIT", &[16, 20, 22, 23, 26])]),
    (
        "sessions/--home-dev-shop-api--/session-0a11c0de-0000-4000-8000-000000000002/session.jsonl.zstd",
        &[("/exit code: \\d/", &[145]), ("Cart", &[])],
    ),
];

#[test]
fn a_search_finds_the_same_rows_in_real_logs() {
    for (log, table) in TABLE {
        let path = folder().join(log);
        let Ok(bytes) = std::fs::read(&path) else {
            eprintln!("skipped: no log at {} (set TRAJVIEW_CORPUS)", path.display());
            return;
        };
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let mut stage = Stage::open(bytes, name, 100, 30);
        for (typed, expected) in table {
            assert_eq!(found(&mut stage, typed), *expected, "{log}: {typed}");
        }
    }
}
