//! The session list: what it shows of stores with families and of stores with clutter, and the way to a log and back.

use std::fmt::Write;

use insta::Settings;
use trajview::store::Store;

#[cfg(unix)]
use super::support::kin::{CHILDREN, Fate, PARENT, family};
#[cfg(unix)]
use super::support::pty::{Start, is_taken};
use super::support::stage::Stage;
use super::support::stored::{Planned, StoreFolder, completed, open_call};
use super::support::writer::Script;
#[cfg(unix)]
use super::support::zipped::exported;

/// Columns and rows: wide, roomy, usual, one pane, hardly anything.
const SIZES: [(u16, u16); 4] = [(140, 40), (80, 24), (40, 12), (20, 5)];

/// Ten days after the sessions: dates are told, which no clock changes.
pub const NOW: i64 = 1_790_900_000_000;

fn titled(script: &mut Script, title: &str) {
    script.add("session/title", serde_json::json!({ "title": title, "source": "user" }));
}

fn parent(script: &mut Script) {
    titled(script, "Delegated build");
    script.wait(60_000);
    script.turn();
    script.step();
    script.ask(&[("call_child", "subagent", "{\"description\":\"Build it\"}")]);
    script.call("call_child", "subagent", "{\"description\":\"Build it\"}");
}

fn child(script: &mut Script) {
    titled(script, "Build it");
    script.wait(90_000);
    open_call(script);
}

fn failed(script: &mut Script) {
    titled(script, "Broken child");
    script.turn();
    script.end_turn("error");
}

fn wide(script: &mut Script) {
    titled(script, "修复 🛒 واجهة \u{1b}[31m المتجر");
    completed(script);
}

fn id(n: u32) -> String {
    format!("session-00000000-0000-4000-8000-{n:012}")
}

/// A family of four over three levels, and a session beside it.
pub fn families() -> StoreFolder {
    let folder = StoreFolder::new();
    let (root, first, second, third) = (id(1), id(2), id(3), id(4));
    folder.session(&Planned { log: parent, ..Planned::new(&root) });
    folder.session(&Planned { log: child, ..Planned::child(&first, &root, 1) });
    folder.session(&Planned { log: failed, ..Planned::child(&second, &root, 1) });
    folder.session(&Planned::child(&third, &first, 2));
    folder.session(&Planned { log: wide, ..Planned::new(&id(5)) });
    folder.write("--srv-demo-app--/notes.txt", b"text");
    folder
}

/// Every kind of clutter.
pub fn clutter() -> StoreFolder {
    let folder = StoreFolder::new();
    let twice = id(1);
    folder.session(&Planned::new(&twice));
    folder.session(&Planned { cwd: Some("/srv/other-app"), log: failed, ..Planned::new(&twice) });
    let two = id(2);
    folder.generation(&Planned::new(&two), 0);
    folder.generation(&Planned { log: child, ..Planned::new(&two) }, 3);
    let moved = Planned { cwd: Some("/srv/elsewhere"), ..Planned::new("session-moved") };
    folder.write("--srv-demo-app--/session-moved/session.jsonl.zstd", &moved.script(0).zstd());
    folder.session(&Planned::child(&id(4), &id(77), 1));
    folder.write("--srv-demo-app--/session-empty/session.jsonl.zstd", b"");
    let both = Planned::new("session-both");
    folder.write("--srv-demo-app--/session-both/session.jsonl.zstd", &both.script(0).zstd());
    folder.write("--srv-demo-app--/session-both/session.jsonl", b"# text\n");
    folder.session(&Planned { cwd: None, ..Planned::new(&id(6)) });
    folder.write("--srv-demo-app--/session-empty/session.lock", b"");
    folder.write("--srv-demo-app--/session-both/session.jsonl.zstd.0123456789ab.tmp", b"x");
    folder.write("sessions.db", b"SQLite format 3\0");
    folder
}

fn on_stage(store: Store, columns: u16, rows: u16) -> Stage {
    Stage::of_store(store, "/srv/sessions", NOW, columns, rows)
}

/// Draws a store at each size after keys, and compares with the file `NAME.snap`.
fn compare(name: &str, folder: &StoreFolder, keys: &str, sizes: &[(u16, u16)]) {
    let mut screens = format!("keys: {}\n", if keys.is_empty() { "none" } else { keys });
    for (columns, rows) in sizes {
        let mut stage = on_stage(folder.discover(), *columns, *rows);
        stage.press(keys);
        writeln!(screens, "\n== {columns}x{rows}\n{}", stage.text()).expect("a string takes all");
    }
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, screens));
}

#[test]
fn list_of_families() {
    compare("list_families", &families(), "", &SIZES);
}

#[test]
fn list_folded_and_filtered() {
    compare("list_folded", &families(), " j", &SIZES[..2]);
    compare("list_filtered", &families(), "fbuild", &SIZES[..3]);
    compare("list_no_match", &families(), "fnothing<Enter>", &SIZES[1..3]);
}

#[test]
fn list_of_clutter() {
    compare("list_clutter", &clutter(), "", &SIZES);
    compare("list_clutter_by_project", &clutter(), "c", &SIZES[..2]);
}

#[test]
fn list_that_is_empty() {
    let folder = StoreFolder::new();
    folder.write("--srv-demo-app--/notes.txt", b"text");
    compare("list_empty", &folder, "", &SIZES);
}

#[test]
fn list_of_what_all_sessions_hold() {
    compare("list_search", &families(), "/call_<Enter>jj", &SIZES);
    compare("list_search_nothing", &clutter(), "/no such text<Enter>", &SIZES[1..3]);
}

#[test]
fn list_in_ascii_has_nothing_else() {
    let folder = families();
    let mut stage = on_stage(folder.discover(), 80, 24);
    stage.look.glyphs = trajview::ui::glyphs::Glyphs::ascii();
    let text = stage.text();
    let rows: Vec<&str> = text.lines().filter(|row| !row.contains('修')).collect();
    assert!(rows.iter().all(|row| row.is_ascii()), "{text}");
}

#[test]
fn the_way_to_a_log_and_back() {
    let folder = families();
    let mut stage = on_stage(folder.discover(), 100, 30);
    stage.press("j");
    let before = stage.text();
    assert!(before.contains("\n>? "), "{before}");
    stage.press("<Enter>");
    let log = stage.text();
    assert!(log.contains("OUTCOME UNKNOWN  bash call_open"), "{log}");
    stage.press("q");
    assert_eq!(stage.text(), before);
    // Opened again it is there at once; `s` from the log leads to the same row, and back.
    stage.press("<Enter>");
    assert_eq!(stage.text(), log);
    stage.press("ss");
    assert_eq!(stage.text(), log);
}

#[test]
fn an_older_generation_opens_by_its_row() {
    let folder = clutter();
    let mut stage = on_stage(folder.discover(), 140, 40);
    let text = stage.text();
    let rows = text.lines().skip(2).take_while(|row| !row.contains("older, frozen"));
    // The cursor passes over what cannot be opened.
    let steps = rows.filter(|row| row.contains("v0 ") || row.contains("v3 ") || row.contains(" - ")).count();
    stage.press(&"j".repeat(steps));
    let here = stage.text().lines().find(|row| row.starts_with('>')).map(str::to_owned).unwrap_or_default();
    assert!(here.contains("older, frozen"), "{here}");
    stage.press("<Enter>");
    let log = stage.text();
    assert!(log.contains("turn 1 completed") && log.contains("format 0"), "{log}");
}

#[cfg(unix)]
#[test]
fn a_store_opens_a_log_and_comes_back_to_its_row() {
    let folder = families();
    let mut session = Start::viewer().arg(folder.path()).run();
    session.wait_for("SESSIONS");
    session.wait_until("the alternate screen", is_taken);
    session.wait_for("OUTCOME UNKNOWN bash");
    session.wait_for("Broken child");
    session.type_keys("j");
    session.wait_until("the cursor on the child", |screen| screen.contents().contains(">? 09-21"));
    session.type_keys("\r");
    session.wait_for("Do not retry blindly");
    session.type_keys("q");
    session.wait_for("SESSIONS");
    session.wait_until("the cursor on the child", |screen| {
        screen.contents().lines().any(|row| row.starts_with(">?") && row.contains("Build it"))
    });
    session.type_keys("q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[cfg(unix)]
#[test]
fn a_search_of_all_sessions_opens_one_at_its_match_and_comes_back() {
    let folder = families();
    let mut session = Start::viewer().arg(folder.path()).run();
    session.wait_for("OUTCOME UNKNOWN bash");
    session.type_keys("/build it");
    session.wait_for("search all: build it");
    session.type_keys("\r");
    session.wait_for("all 5 sessions searched");
    session.wait_until("both sessions that hold it", |screen| {
        let text = screen.contents();
        text.contains("Delegated build") && text.contains("session/title")
    });
    session.type_keys("G");
    session.wait_until("the cursor on the last match", |screen| {
        screen.contents().lines().any(|row| row.starts_with('>') && row.contains("Build it"))
    });
    session.type_keys("\r");
    session.wait_for("depth 1 (child of");
    session.wait_for("/build it  ");
    session.type_keys("qq");
    session.wait_for("all 5 sessions searched");
    session.type_keys("q");
    session.wait_for("SESSIONS");
    session.type_keys("q");
    let (status, left) = session.wait_for_exit();
    assert_eq!(status, 0, "{left:?}");
    left.assert_restored();
}

#[cfg(unix)]
#[test]
fn a_log_knows_the_store_around_it() {
    let folder = families();
    let log = folder.path().join(format!("--srv-demo-app--/{}/session.jsonl.zstd", id(2)));
    let mut session = Start::viewer().arg(&log).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.type_keys("s");
    session.wait_for("SESSIONS");
    session.wait_until("the cursor on the log that is open", |screen| {
        screen.contents().lines().any(|row| row.starts_with(">?") && row.contains("Build it"))
    });
    session.type_keys("q");
    session.wait_without("SESSIONS");
    session.wait_for("OUTCOME UNKNOWN");
    session.type_keys("Q");
    let (_, left) = session.wait_for_exit();
    left.assert_restored();
}

#[cfg(unix)]
#[test]
fn three_keys_lead_from_the_list_to_the_open_call_of_a_child() {
    let folder = StoreFolder::new();
    let ids = [PARENT, CHILDREN[0], CHILDREN[1], CHILDREN[2]];
    for script in family(Fate::Killed) {
        let log = script.plain();
        let header = String::from_utf8_lossy(&log).lines().next().unwrap_or_default().to_owned();
        let own = ids.iter().find(|id| header.contains(&format!("\"id\":\"{id}\""))).expect("one of the family");
        folder.write(&format!("--srv-demo-app--/{own}/session.jsonl"), &log);
    }
    let mut session = Start::viewer().arg(folder.path()).run();
    session.wait_for("OUTCOME UNKNOWN");
    session.wait_for("Audit sources");
    session.type_keys("ggj");
    session.wait_until("the cursor on the one that delegates", |screen| {
        screen.contents().lines().any(|row| row.starts_with('>') && row.contains("Audit sources"))
    });
    session.type_keys("\r");
    session.wait_for("depth 1 (child of");
    session.wait_for("call_count");
    session.type_keys("uo");
    session.wait_for("depth 2 (child of");
    session.wait_for("OUTCOME UNKNOWN  bash call_wc");
    session.type_keys("Q");
    let (_, left) = session.wait_for_exit();
    left.assert_restored();
}

/// An export of a family whose grandchild was killed.
#[cfg(unix)]
fn family_export() -> Vec<u8> {
    let logs = family(Fate::Killed).map(|script| script.plain());
    let name = |id: &str| format!("subagents/{id}/session.jsonl");
    let [first, second, third] = CHILDREN.map(name);
    let [parent, one, two, three] = &logs;
    exported(&[("session.jsonl", parent), (&first, one), (&second, two), (&third, three), ("media/x.png", b"x")])
}

#[cfg(unix)]
#[test]
fn calls_of_an_export_lead_to_their_children_from_a_file_and_from_a_pipe() {
    let folder = StoreFolder::new();
    let zip = folder.write("dsh-session-x.zip", &family_export());
    let program = env!("CARGO_BIN_EXE_trajview");
    let from_pipe = Start::program("sh").arg("-c").arg("cat \"$1\" | \"$0\" -").arg(program).arg(&zip);
    for start in [Start::viewer().arg(&zip), from_pipe] {
        let mut session = start.run();
        session.wait_for("Audit sources");
        session.wait_until("the whole list", |screen| !screen.contents().contains("reading "));
        session.type_keys("ggj");
        session.wait_until("the cursor on the one that delegates", |screen| {
            screen.contents().lines().any(|row| row.starts_with('>') && row.contains("Audit sources"))
        });
        session.type_keys("\r");
        session.wait_for("depth 1 (child of");
        session.wait_for("call_count");
        session.type_keys("uo");
        session.wait_for("depth 2 (child of");
        session.wait_for("OUTCOME UNKNOWN  bash call_wc");
        // Back to the call that it was gone to from.
        session.type_keys("q");
        session.wait_for("depth 1 (child of");
        session.type_keys("Q");
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, 0, "{left:?}");
        left.assert_restored();
    }
}

#[cfg(unix)]
#[test]
fn an_export_of_one_session_opens_it_and_says_that_it_is_one() {
    let folder = StoreFolder::new();
    let log = Planned::new("session-alone").script(0).plain();
    let zip = folder.write("one.zip", &exported(&[("session.jsonl", &log)]));
    let odd = folder.write("odd.zip", &exported(&[("session.jsonl", &log), ("../x", b"x")]));
    for (zip, told) in [(zip, "NOTHING OPEN"), (odd, "NOT LOOKED AT 1")] {
        let mut session = Start::viewer().arg(&zip).run();
        session.wait_for("export ZIP: what the harness wrote out");
        session.wait_for(told);
        session.type_keys("Q");
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, 0, "{left:?}");
        left.assert_restored();
    }
}

#[cfg(unix)]
#[test]
fn the_family_of_an_export_is_loaded_out_of_it() {
    let folder = StoreFolder::new();
    let zip = folder.write("dsh-session-x.zip", &family_export());
    let mut session = Start::viewer().arg(&zip).run();
    session.wait_for("SESSIONS");
    session.wait_for("Audit sources");
    session.type_keys("gg");
    session.type_keys("\r");
    // The open call of the grandchild is the news of the whole export.
    session.wait_for("OUTCOME UNKNOWN  bash call_wc");
    session.type_keys("S");
    session.wait_for("family of 4");
    session.type_keys("q");
    session.wait_without("family of 4");
    session.type_keys("gg");
    session.type_keys("/call_audit\r");
    session.wait_for("call_audit");
    session.type_keys("u");
    session.type_keys("Q");
    let (_, left) = session.wait_for_exit();
    left.assert_restored();
}
