use super::stage::Stage;
use super::*;
use crate::app::action::Copyable;
use crate::app::key::{Key, KeyCode};
use crate::app::keymap::BINDINGS;
use crate::app::message::{Message, OddFile, OddKind};
use crate::app::overlay::{CopyLine, CopyMenu, Help, HelpLine, ListState, TypeLine, TypePicker};
use crate::app::selection::Selection;
use crate::session::row::TypeId;

fn drawn(width: u16, height: u16, draw: impl FnOnce(&mut Canvas<'_>, Area)) -> Vec<String> {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    let look = Look::default();
    draw(&mut Canvas::new(&mut buffer, &look, area), Area { x: 0, y: 0, width, height });
    rows_of(&buffer).into_iter().map(|row| row.trim_end().to_owned()).collect()
}

fn picker() -> TypePicker {
    let line = |name: &str, events, ticked, surface| TypeLine {
        id: TypeId(0),
        name: name.to_owned(),
        events,
        ticked,
        surface,
    };
    TypePicker {
        narrowed: String::new(),
        lines: vec![
            line("assistant/chunk", 68, true, false),
            line("agent/inbox/spliced", 2, false, false),
            line("assistant/message", 2, true, true),
        ],
        list: ListState { cursor: 1, top: 0 },
        shown: 87,
        total: 89,
        before: Selection::All,
    }
}

#[test]
fn the_picker_shows_ticks_counts_and_the_words_of_the_filter() {
    let rows = drawn(94, 6, |canvas, area| {
        picker::draw(canvas, area, &picker());
    });
    let expected = [
        " EVENT TYPES   Space tick  a all  n none  i invert      87 of 89 events  Enter keep  Esc undo",
        &"╌".repeat(94),
        "  [x] assistant/chunk                   68  hidden",
        "> [ ] agent/inbox/spliced                2  hidden   as filter: !type:agent/inbox/spliced",
        "  [x] assistant/message                  2  in chat",
        "",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn the_copy_menu_shows_what_would_be_copied() {
    let line = |what, letter, name: &str, preview: &str, bytes| CopyLine {
        what,
        letter,
        name: name.to_owned(),
        preview: preview.to_owned(),
        bytes,
    };
    let menu = CopyMenu {
        about: "tool/call seq 88, call_0321_0".to_owned(),
        lines: vec![
            line(
                Copyable::Value,
                'v',
                "value",
                "{\"command\":\"echo begin > migration.log; sleep 30; echo end >> migration.log\"}",
                Some(111),
            ),
            line(Copyable::Record, 'r', "record", "the line as stored, line 45", Some(248)),
            line(Copyable::CallId, 'i', "callId", "call_0321_0", None),
        ],
        list: ListState::default(),
    };
    let rows = drawn(76, 5, |canvas, area| {
        copy::draw(canvas, area, &menu);
    });
    let expected = [
        " COPY   tool/call seq 88, call_0321_0                            Esc closes",
        &"╌".repeat(76),
        "> v  value        {\"command\":\"echo begin > migration.log; sleep 30;⋯  111 B",
        "  r  record       the line as stored, line 45                         248 B",
        "  i  callId       call_0321_0",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn help_flows_into_two_columns_below_the_marks() {
    let binding = BINDINGS[0];
    let line = |keys: &str, help: &str| HelpLine::Binding { keys: keys.to_owned(), help: help.to_owned(), binding };
    let mut stage = Stage::new(100, 30);
    stage.press("?");
    let Some(Overlay::Help(mut help)) = stage.model.overlay.take() else {
        panic!("`?` opens the help");
    };
    help.narrowed = "li".to_owned();
    help.lines = vec![
        HelpLine::Marks("✓ completed  ✗ failed  ? outcome unknown  ◦ not started".to_owned()),
        HelpLine::Group("MOVE".to_owned()),
        line("j k  Up Down", "line"),
        line("gg G", "first, last"),
        line("J K", "next, previous on this level"),
    ];
    help.list = ListState { cursor: 3, top: 0 };
    let drawn_in = |width, height, help: &Help| {
        drawn(width, height, |canvas, area| {
            help::draw(canvas, area, help, "2 Timeline");
        })
    };
    let wide = drawn_in(100, 5, &help);
    let expected = [
        " HELP   keys of the focused pane first: 2 Timeline   /li               / narrow the list   q closes",
        &"╌".repeat(100),
        "   ✓ completed  ✗ failed  ? outcome unknown  ◦ not started",
        " MOVE                                             >  gg G          first, last",
        "   j k  Up Down  line                                J K           next, previous on this level",
    ];
    assert_eq!(wide, expected);
    let narrow = drawn_in(40, 8, &help);
    assert_eq!(narrow[2], "   ✓ completed  ✗ failed  ? outcome");
    assert_eq!(narrow[3], "   unknown  ◦ not started");
    assert_eq!(narrow[6], ">  gg G          first, last");
    help.list.cursor = 4;
    assert!(drawn_in(40, 7, &help)[6].starts_with(">  J K"));
    for (width, height) in [(1, 1), (20, 2), (100, 3), (200, 60)] {
        drawn_in(width, height, &help);
    }
}

#[test]
fn too_small_a_screen_says_so_in_two_words() {
    assert_eq!(
        drawn(18, 4, |canvas, _| {
            small::draw(canvas, 18, 4);
        }),
        [" too small (18x4)", "need 20x5   q quit", "", ""]
    );
    drawn(1, 1, |canvas, _| {
        small::draw(canvas, 1, 1);
    });
}

#[test]
fn odd_files_are_named_in_words() {
    let odd = |kind| OddFile { path: "session.jsonl.zstd".to_owned(), bytes: Some(0), kind };
    let rows = drawn(80, 9, |canvas, area| {
        odd::draw(canvas, area, &odd(OddKind::Empty), false);
    });
    assert_eq!(rows[0], " session.jsonl.zstd                                                     0 bytes");
    assert_eq!(rows[1], " ✗ EMPTY FILE   no header, no events");
    assert_eq!(rows[2], "   The harness refuses it: \"no complete header frame\".");
    assert_eq!(rows[4], "   A writer creates the file with its first record: 0 bytes means it died before");
    let first_line = Some("# Test cases: session logs".to_owned());
    let rows = drawn(80, 9, |canvas, area| {
        odd::draw(canvas, area, &odd(OddKind::NotALog { first_line }), false);
    });
    assert_eq!(rows[1], " ✗ NOT A SESSION LOG   line 1 is not JSON: \"# Test cases: session logs\"");
    assert_eq!(rows[3], "   A log starts with a JSON object that has type \"session\". Looked for: that, an");
    let kinds = [
        OddKind::Folder,
        OddKind::Named("ZIP archive".to_owned()),
        OddKind::Unreadable("denied".to_owned()),
        OddKind::NotALog { first_line: None },
    ];
    for kind in kinds {
        for (width, height) in [(80, 9), (20, 5), (1, 1)] {
            drawn(width, height, |canvas, area| {
                odd::draw(canvas, area, &odd(kind.clone()), false);
            });
        }
    }
}

#[test]
fn exactly_one_cursor_is_on_the_screen() {
    for (columns, rows) in [(140, 45), (100, 30), (80, 24), (40, 12)] {
        for keys in ["", "1\t", "2\t", "3\t", "4\t", "?", "t", "y", "i", "T"] {
            let mut stage = Stage::new(columns, rows);
            for key in keys.chars() {
                match key {
                    '\t' => stage.play(Message::Pressed(Key::plain(KeyCode::Tab))),
                    key => stage.press(&key.to_string()),
                }
            }
            let rows = stage.rows();
            let starts = |row: &String| {
                let calls = row.split_once('╎').map_or("", |(_, calls)| calls);
                usize::from(row.starts_with('>')) + usize::from(calls.starts_with('>'))
            };
            let cursors: usize = rows.iter().map(starts).sum();
            assert_eq!(cursors, 1, "{columns}x{rows:?} after {keys:?}");
        }
    }
}

#[test]
fn state_words_are_never_cut() {
    for columns in 80..=200 {
        let screen = Stage::new(columns, 24).rows().join("\n");
        for word in ["OUTCOME UNKNOWN", "BROKEN", "REFUSES"] {
            assert!(screen.contains(word), "{word} at {columns}: {screen}");
        }
    }
    for columns in 20..80 {
        let screen = Stage::new(columns, 12).rows().join("\n");
        assert!(screen.contains("UNKNOWN"), "{columns}: {screen}");
    }
}

#[test]
fn ascii_signs_leave_nothing_outside_ascii() {
    let log = br#"{"type":"session","version":0,"id":"session-1","createdAt":1,"cwd":"/srv/demo","delegationDepth":0}
{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}
{"type":"user/message","seq":1,"time":2,"data":{"id":"m","role":"user","content":[{"type":"text","text":"one\ntwo"}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"tool/call","seq":2,"time":3,"data":{"turn":1,"step":1,"callId":"call_1","name":"bash","arguments":"{}"}}
"#;
    for keys in ["", "?", "t", "y", "i", "T"] {
        let mut stage = Stage::with(log, 100, 30);
        stage.look.glyphs = Glyphs::ascii();
        stage.press(keys);
        let screen = stage.rows().join("\n");
        let other: String = screen.chars().filter(|c| !c.is_ascii()).collect();
        assert_eq!(other, "", "after {keys:?}: {screen}");
    }
}
