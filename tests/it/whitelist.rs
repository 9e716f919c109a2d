//! Every byte that the program sends, read by a strict reader: logs, names and arguments made to act on a terminal.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::pty::Start;
use crate::support::stored::StoreFolder;
use crate::support::strict::{assert_meant, assert_text};
use crate::support::writer::Script;
use crate::support::zipped::{RawEntry, by_hand};

/// What acts on a terminal, turns text around, or hides in it.
const BAITS: [&str; 20] = [
    "\u{1b}[31mred",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;http://x.example\u{1b}\\link\u{1b}]8;;\u{1b}\\",
    "\u{1b}]52;c;b3duZWQ=\u{7}",
    "\u{1b}]4;1;#ff0000\u{1b}\\",
    "\u{1b}P+q544e\u{1b}\\",
    "\u{1b}_Gi=1;AAAA\u{1b}\\",
    "\u{1b}^private\u{1b}\\",
    "\u{1b}c\u{1b}[6n\u{1b}[?1004h",
    "\u{9b}31m\u{9d}0;c1\u{9c}",
    "\u{90}q\u{9c}\u{9e}\u{9f}\u{98}",
    "\u{202e}turned\u{2066}\u{2069}",
    "\u{e0041}\u{e0042}\u{e007f}",
    "\u{2764}\u{fe0f}\u{e0100}\u{1f44d}\u{1f3fd}",
    "\0\u{8}\u{7}\u{7f}\r\u{b}",
    "\u{200b}\u{200d}\u{feff}\u{ad}\u{2028}\u{2029}",
    "\u{301}\u{301}\u{115f}\u{3164}",
    "\u{fdd0}\u{10ffff}\u{e000}",
    // Stands for bytes that no JSON writer gives: C1 as a terminal without UTF-8 reads them.
    "C1-AS-BYTES",
];

const RAW: &[u8] = b"\x9b31m\x9d0;raw\x9c\x90q\x9c\x85\xff";

/// Baits that take turns in the first place: of a text only its start is seen.
struct Bait(usize);

impl Bait {
    fn next(&mut self) -> String {
        self.0 += 1;
        (0..BAITS.len()).map(|at| BAITS[(self.0 + at) % BAITS.len()]).collect()
    }

    /// As a file name can hold it.
    fn name(&mut self) -> OsString {
        let mut bytes: Vec<u8> = BAITS[self.0 % BAITS.len()].bytes().filter(|byte| !b"/\0".contains(byte)).collect();
        bytes.extend(RAW);
        self.0 += 1;
        OsString::from_vec(bytes)
    }
}

/// A log with baits in every place where a log carries text.
fn hostile(version: i64) -> Vec<u8> {
    let mut bait = Bait(0);
    let keys = json!({
        "id": bait.next(), "cwd": bait.next(), "agentPreset": bait.next(), "parentSession": bait.next(),
        "origin": bait.next(), "label": bait.next(), "delegationDepth": 1,
    });
    let mut script = Script::with_header(version, &keys);
    script.add("session/title", json!({ "title": bait.next(), "messageSeqs": [], "source": { "kind": "user" } }));
    script.add("sandbox/mode", json!({ "mode": bait.next() }));
    script.add("approval/policy", json!({ "policy": bait.next() }));
    script.add("permission/preset", json!({ "preset": bait.next(), "name": bait.next() }));
    script.declare(&[&bait.next(), "bash", &bait.next()]);
    script.add("request/context", json!({ "model": bait.next(), "provider": bait.next(), "contextWindow": 9 }));
    for round in 0..8 {
        let (id, name, arguments) = (bait.next(), bait.next(), json!({ bait.next(): bait.next() }).to_string());
        let name = if round % 2 == 0 { name } else { "bash".to_owned() };
        script.turn();
        script.step();
        script.user(&bait.next());
        script.stream(&[&bait.next(), &bait.next()]);
        script.retry(&bait.next());
        script.say(&bait.next());
        script.ask(&[(&id, &name, &arguments), (&id, &name, &bait.next())]);
        script.call(&id, &name, if round % 3 == 0 { &id } else { &arguments });
        script.approval(&id, (round % 2 == 0).then_some(&*bait.next()));
        script.sub_call(&id, round, (round % 2 == 0).then_some(&*bait.next()));
        match round % 4 {
            0 => script.result(&id, &bait.next(), None),
            1 => script.result(&id, &bait.next(), Some(&bait.next())),
            2 => script.recover(&id, round > 4),
            _ => {}
        }
        script.command(&bait.next(), round % 2 == 0);
        script.add(&bait.next(), json!({ bait.next(): [bait.next()] }));
        script.add("hook/result", json!({ "event": bait.next(), "command": bait.next(), "error": bait.next() }));
        script.end_step();
        if round % 2 == 0 {
            script.end_turn(&bait.next());
        } else {
            script.fail(&bait.next());
        }
    }
    script.raw(&bait.next());
    script.raw(&format!("{{\"type\":\"{}", bait.next()));
    script.jump_to(900);
    script.turn();
    script.step();
    script.ask(&[(&bait.next(), &bait.next(), &bait.next())]);
    let text = String::from_utf8(script.plain()).expect("a script is text");
    let mut bytes = Vec::new();
    for (at, part) in text.split("C1-AS-BYTES").enumerate() {
        if at > 0 {
            bytes.extend(RAW);
        }
        bytes.extend(part.as_bytes());
    }
    bytes
}

/// Esc as a terminal sends it that tells it from the beginning of another key.
const ESC: &str = "\x1b[27u";

/// Keys that open every pane, tab, page, menu and line, in a terminal of any size.
fn walk(seen: &mut dyn FnMut(&str)) {
    for pane in ["gg", "\t", "\t", "\t", "G", "\t\t"] {
        seen(pane);
        for _ in 0..6 {
            seen("j");
            seen("LLLL");
            seen("p");
        }
    }
    for page in ["T", "U", "R", "W", "D", "O", "P", "S", "SS", "A", "C", "i", "b", "s", "?"] {
        seen(page);
        seen("jjjj\x06G");
        seen("\r");
        seen(ESC);
        seen(ESC);
        seen("gg");
    }
    for line in
        ["t", "ftype:", "ftool:", "fcall:", "fcode:", "/e", ":turn 2", ":call", "y", "yi", "yp", "ya", "v", "zR"]
    {
        seen(line);
        seen(ESC);
        seen(ESC);
    }
    seen("]e]u]b*nr");
    seen(ESC);
}

#[test]
fn nothing_of_a_log_acts_on_the_terminal_it_is_viewed_in() {
    let folder = tempfile::tempdir().expect("a folder");
    for (version, columns, rows) in [(0, 140, 45), (4, 80, 24)] {
        let path = folder.path().join(format!("session.v{version}.jsonl"));
        fs::write(&path, hostile(version)).expect("a small file");
        let mut session = Start::viewer().arg(&path).size(columns, rows).run();
        session.wait_for("seq 902");
        session.wait_for("\\u001b");
        walk(&mut |keys| session.type_keys(keys));
        // The help is drawn behind all that was asked for.
        session.type_keys(&format!("{ESC}{ESC}?"));
        session.wait_for("HELP");
        session.type_keys("Q");
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, 0, "{left:?}");
        left.assert_restored();
        assert_meant("the viewer", &session.sent());
    }
}

/// Runs the program with standard output and error read strictly; both together.
fn printed(args: &[&OsStr], envs: &[(&str, &OsStr)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trajview"));
    command.env("XDG_CONFIG_HOME", "/dev/null/config").env("TZ", "UTC").env_remove("TRAJVIEW_CONFIG");
    command.envs(envs.iter().copied());
    let output = command.args(args).stdin(Stdio::null()).output().expect("the program starts");
    let what = format!("{args:?}");
    assert!(output.status.code().is_some_and(|code| code < 4), "{what}: {:?}", output.status);
    assert_text(&what, &output.stdout) + &assert_text(&what, &output.stderr)
}

const REPORTS: [&[&str]; 5] =
    [&["report"], &["report", "--json"], &["events"], &["events", "--json"], &["--filter", "is:error"]];

#[test]
fn nothing_of_a_log_acts_on_the_terminal_it_is_printed_to() {
    let folder = tempfile::tempdir().expect("a folder");
    for version in [0, 1, 4] {
        let path = folder.path().join(format!("session.v{version}.jsonl"));
        fs::write(&path, hostile(version)).expect("a small file");
        for report in REPORTS {
            let args: Vec<&OsStr> = report.iter().map(OsStr::new).chain([path.as_os_str()]).collect();
            let text = printed(&args, &[]);
            assert!(text.contains("u001b"), "{report:?}: {text}");
        }
    }
}

fn hostile_store() -> StoreFolder {
    let store = StoreFolder::new();
    let mut bait = Bait(0);
    for _ in 0..BAITS.len() {
        let folder = store.path().join("--srv--").join(bait.name());
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("session.jsonl"), hostile(0)).expect("a small file");
        fs::write(folder.join(bait.name()), b"x").expect("a small file");
        fs::write(store.path().join(bait.name()), b"x").expect("a small file");
    }
    store
}

fn hostile_zip(path: &Path) {
    let mut bait = Bait(0);
    let log = hostile(0);
    let mut entries = vec![RawEntry::new(b"session.jsonl", &log)];
    for text in BAITS {
        let mut name = format!("subagents/{}", text.replace(['/', '\0'], "")).into_bytes();
        name.extend(RAW);
        entries.push(RawEntry::new(&[&name[..], b"/session.jsonl"].concat(), &log));
        entries.push(RawEntry::new(&[b"media/", bait.name().as_bytes()].concat(), b"x"));
        entries.push(RawEntry::new(&[b"../", &name[..]].concat(), b"x"));
        entries.push(RawEntry::new(text.as_bytes(), b"x"));
    }
    fs::write(path, by_hand(&entries, 0)).expect("a small file");
}

#[test]
fn names_in_a_store_or_an_archive_are_only_names() {
    let store = hostile_store();
    let archive = store.path().join("export.zip");
    hostile_zip(&archive);
    for path in [store.path(), &archive] {
        for report in [&["report"][..], &["report", "--json"]] {
            let args: Vec<&OsStr> = report.iter().map(OsStr::new).chain([path.as_os_str()]).collect();
            let text = printed(&args, &[]);
            assert!(text.contains("u009b"), "{report:?} {}", path.display());
        }
        let mut session = Start::viewer().arg(path).size(120, 40).run();
        session.wait_for("\\u001b");
        for keys in ["jjjjj", "G", "\t", "jjj", "\tj", "\r", "LLL", ESC, "f", ESC, "/e", ESC, "S", ESC, "?"] {
            session.type_keys(keys);
        }
        session.wait_for("HELP");
        session.type_keys("Q");
        let (status, left) = session.wait_for_exit();
        assert_eq!(status, 0, "{left:?}");
        assert_meant("the list", &session.sent());
    }
}

#[test]
fn complaints_quote_what_was_typed_and_do_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bait = Bait(0);
    let store = hostile_store();
    for (at, text) in BAITS.iter().enumerate() {
        let typed = OsString::from(text.replace('\0', ""));
        let path = folder.path().join(bait.name());
        let config = folder.path().join(format!("{at}.toml"));
        fs::write(&path, [text.as_bytes(), RAW, b"\n"].concat()).expect("a small file");
        fs::write(&config, format!("{} = 1\n\"{}\" = 2", text.replace('\n', ""), at)).expect("a small file");
        let missing = folder.path().join("none").join(bait.name());
        let os = OsStr::new;
        let lines: [&[&OsStr]; 9] = [
            &[path.as_os_str()],
            &[missing.as_os_str()],
            &[&typed],
            &[os("--theme"), &typed, path.as_os_str()],
            &[os("--lang"), &typed, path.as_os_str()],
            &[os("--filter"), &typed, path.as_os_str()],
            &[os("report"), os("--fail-on"), &typed, path.as_os_str()],
            &[os("--config"), config.as_os_str(), path.as_os_str()],
            &[os("completions"), &typed],
        ];
        for args in lines {
            let text = printed(args, &[("DSH_HOME", store.path().as_os_str()), ("HOME", &typed)]);
            assert!(text.starts_with("trajview: "), "{args:?}: {text}");
        }
        printed(&[os("paths")], &[("HOME", &typed), ("XDG_STATE_HOME", &typed)]);
    }
}
