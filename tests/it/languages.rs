//! What the screens show in each language: at 80x24 a word that English shows whole is shown whole.
//!
//! The screens are those of `screens.rs`, read from its source, and those of the list and the family.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use trajview::app::message::{Epoch, Message, OddFile, OddKind};
use trajview::text::locale::{Language, Words};
use trajview::text::width::columns;

use super::lineage::stage_in;
use super::list::{NOW, clutter, families};
use super::screens::keep;
use super::support::kin::Fate;
use super::support::stage::Stage;
use super::support::stored::StoreFolder;

/// The smallest screen with four panes.
const SCREEN: (u16, u16) = (80, 24);

/// The smallest screen with one pane.
const SMALL: (u16, u16) = (40, 12);

/// Rows of header and verdict; on a page those above its first rule.
const HEAD: usize = 4;

/// Languages beside English.
fn others() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|language| *language != Language::English)
}

/// A screen of the snapshots: name, log, keys.
struct Shot {
    name: String,
    log: Vec<u8>,
    path: String,
    keys: String,
}

/// The screens of `screens.rs`.
fn shots() -> Vec<Shot> {
    let source = include_str!("screens.rs");
    let mut shots = Vec::new();
    let mut add = |name: &str, path: &str, keys: &str| {
        let log = std::fs::read(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect(path);
        shots.push(Shot { name: name.to_owned(), log, path: path.to_owned(), keys: keys.to_owned() });
    };
    for line in source.lines().map(str::trim) {
        let parts: Vec<&str> = line.split('"').collect();
        match parts.as_slice() {
            ["compare(", name, ", SAMPLE, ", keys, ..] => add(name, super::screens::SAMPLE, keys),
            ["compare(", name, ", ", path, ", ", keys, ..] => add(name, path, keys),
            [name, path, ""] if name.starts_with("case_") => add(name.trim(), &format!("tests/cases/{path}"), ""),
            _ => {}
        }
    }
    assert!(shots.len() > 60, "{} screens are found in screens.rs", shots.len());
    shots
}

/// The smallest screen with lanes.
const LANES: u16 = 160;

/// What is typed on the sample beside the screens of `screens.rs`: input lines, lists that stand over everything.
const TYPED: [(&str, &str); 12] = [
    ("line of filter, empty", "f"),
    ("line of filter, value", "fstate:"),
    ("line of search, empty", "/"),
    ("line of search, wrong", "//x(/"),
    ("line of places", ":"),
    ("line of places, typed", ":88"),
    ("line of themes", ":theme "),
    ("line of themes, wrong", ":theme x<Enter>"),
    ("line of pipe", "|"),
    ("line that narrows", "?/cop"),
    ("places", "60Ggr"),
    ("filter of a page", "Af"),
];

/// Every reason for which a file is shown as no log.
fn odd_kinds() -> [OddKind; 6] {
    [
        OddKind::Empty,
        OddKind::NotALog { first_line: None },
        OddKind::NotALog { first_line: Some("# A heading".to_owned()) },
        OddKind::Named("SQLite database".to_owned()),
        OddKind::Folder,
        OddKind::Unreadable("Input/output error".to_owned()),
    ]
}

/// All screens in a language: name and rows.
fn screens(language: Language) -> BTreeMap<String, String> {
    let (width, height) = SCREEN;
    let mut screens = BTreeMap::new();
    let mut add = |name: String, mut stage: Stage, keys: &str| {
        stage.press(keys);
        screens.insert(name, stage.text());
    };
    for shot in shots() {
        add(shot.name, Stage::open_in(language, shot.log, &shot.path, width, height), &shot.keys);
    }
    for (name, keys) in TYPED {
        let log =
            std::fs::read(format!("{}/{}", env!("CARGO_MANIFEST_DIR"), super::screens::SAMPLE)).expect("a sample");
        add(name.to_owned(), Stage::open_in(language, log, super::screens::SAMPLE, width, height), keys);
    }
    for (name, folder, keys) in [
        ("list_families", families(), ""),
        ("list_clutter", clutter(), ""),
        ("list_folded", families(), " j"),
        ("list_filtered", families(), "fbuild"),
        ("list_no_match", families(), "fnothing<Enter>"),
        ("list_sorted", clutter(), "c"),
        ("list_others", clutter(), "o"),
        ("list_help", families(), "?"),
        ("list_search_line", families(), "/"),
        ("list_search", families(), "/call_<Enter>jj"),
        ("list_search_nothing", clutter(), "/no such text<Enter>"),
        ("list_empty", StoreFolder::new(), ""),
    ] {
        let stage = Stage::of_store_in(language, folder.discover(), "/srv/sessions", NOW, (width, height));
        add(name.to_owned(), stage, keys);
    }
    for (fate, keys) in [(Fate::Failed, ""), (Fate::Killed, "S"), (Fate::Killed, "Sd"), (Fate::Failed, "Szr")] {
        add(format!("family {keys}"), stage_in(language, fate, width, height), keys);
    }
    for fate in [Fate::Failed, Fate::Killed] {
        add(format!("lanes {fate:?}"), stage_in(language, fate, LANES, height), "SS");
    }
    for (at, kind) in odd_kinds().into_iter().enumerate() {
        let mut stage = Stage::open_in(language, Vec::new(), "session.jsonl", width, height);
        let odd = OddFile { path: "/srv/sessions/session.jsonl".to_owned(), bytes: Some(12_345), kind };
        stage.play(Message::Refused { epoch: Epoch::default(), odd });
        add(format!("odd {at}"), stage, "");
    }
    let header = b"{\"type\":\"session\",\"version\":0,\"id\":\"a\",\"cwd\":\"/srv\"}\n".to_vec();
    add("odd header".to_owned(), Stage::open_in(language, header, "session.jsonl", width, height), "");
    screens
}

/// Where a word stands by itself on a row: at an edge, beside a sign, or some blanks away from others.
fn stands_alone(row: &str, word: &str, blanks: &str) -> bool {
    let is_edge = |near: &str| near.trim().is_empty() || near.starts_with(blanks) || near.starts_with(EDGES);
    row.match_indices(word).any(|(at, _)| {
        let before: String = row[..at].chars().rev().take(2).collect();
        is_edge(&before) && is_edge(&row[at + word.len()..])
    })
}

/// Signs that part one word from another.
const EDGES: [char; 8] = ['╌', '╎', '<', '>', '[', ']', '✓', '?'];

/// Words that may give way: hints, what help lists, and the keys beside an advice, which have shorter forms.
const MAY_GIVE_WAY: [&str; 7] =
    ["hint.", "key.", "help.", "verdict.six_steps", "verdict.go", "verdict.nothing_for_u", "input.keep_undo"];

/// Sections whose words of one small word are looked for, and on which screens: elsewhere the same word may come from
/// the log.
const AT_HOME: [(&str, &str); 6] = [
    ("ladder", "ladder"),
    ("ledger", "approvals_"),
    ("list", "list_"),
    ("made_of", "container_"),
    ("silent", "silent_"),
    ("time", "time_"),
];

/// Whether a word is looked for on a screen of that name.
fn is_looked_for(key: &str, text: &str, name: &str) -> bool {
    let section = key.split_once('.').map_or(key, |(section, _)| section);
    let is_small = text.chars().all(|sign| sign.is_ascii_lowercase());
    let is_at_home = || AT_HOME.iter().any(|(own, start)| *own == section && name.starts_with(start));
    columns(text) > 2 && !MAY_GIVE_WAY.iter().any(|start| key.starts_with(start)) && (!is_small || is_at_home())
}

/// What English shows whole on a screen: texts, each with all its keys.
type Shown = Vec<(String, Vec<String>)>;

/// All screens in English, drawn once.
fn english_screens() -> &'static BTreeMap<String, String> {
    static SCREENS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| screens(Language::English));
    &SCREENS
}

/// What English shows whole on each screen, worked out once.
fn english() -> &'static BTreeMap<String, Shown> {
    static SHOWN: LazyLock<BTreeMap<String, Shown>> = LazyLock::new(|| {
        let words = Words::english();
        // Several keys may have one English text: any of them may be the one that is shown.
        let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for key in words.keys().filter(|key| !words.get(key).contains('{')) {
            keys.entry(words.get(key)).or_default().push(key);
        }
        let shown = |name: &str, screen: &str| {
            let mut shown = Shown::new();
            for (text, keys) in &keys {
                let is_looked_for = keys.iter().any(|key| is_looked_for(key, text, name));
                if is_looked_for && screen.lines().any(|row| stands_alone(row, text, "  ")) {
                    shown.push(((*text).to_owned(), keys.iter().map(|key| (*key).to_owned()).collect()));
                }
            }
            shown
        };
        english_screens().iter().map(|(name, screen)| (name.clone(), shown(name, screen))).collect()
    });
    &SHOWN
}

/// What English shows whole and a language does not, one line each.
fn lost(language: Language) -> String {
    let own = Words::of(language);
    let mut lost = String::new();
    for (name, screen) in screens(language) {
        for (text, keys) in &english()[&name] {
            let is_shown = |key: &String| screen.lines().any(|row| stands_alone(row, own.get(key), " "));
            if !keys.iter().any(is_shown) {
                let here: Vec<&str> = keys.iter().map(|key| own.get(key)).collect();
                writeln!(lost, "{name}: {keys:?} = {text:?}, here {here:?}").expect("a string takes all");
            }
        }
        // Header and verdict are read first, and hold values: what English does not have to cut is not cut.
        let rows = screen.lines().zip(english_screens()[&name].lines()).take(HEAD);
        for (own, english) in rows.take_while(|(own, _)| !own.starts_with('╌')) {
            if own.contains('⋯') && !english.contains('⋯') {
                writeln!(lost, "{name}: cut\n  {english}\n  {own}").expect("a string takes all");
            }
        }
        if screen.lines().next().is_none_or(|row| row.trim().is_empty()) {
            writeln!(lost, "{name}: no title").expect("a string takes all");
        }
    }
    lost
}

/// Tests of the languages: name, language.
macro_rules! whole {
    ($($test:ident $language:ident)*) => {$(
        #[test]
        fn $test() {
            let lost = lost(Language::$language);
            assert!(lost.is_empty(), "{lost}");
        }
    )*};
}

whole! {
    what_english_shows_whole_is_whole_in_simplified_chinese ChineseSimplified
    what_english_shows_whole_is_whole_in_traditional_chinese ChineseTraditional
    what_english_shows_whole_is_whole_in_korean Korean
    what_english_shows_whole_is_whole_in_spanish Spanish
}

#[test]
fn the_main_screens_in_every_language() {
    let sample = std::fs::read(format!("{}/{}", env!("CARGO_MANIFEST_DIR"), super::screens::SAMPLE)).expect("a sample");
    let folder = families();
    for language in others() {
        let mut shown = String::new();
        for keys in ["", "T", "U", "?"] {
            let mut stage = Stage::open_in(language, sample.clone(), super::screens::SAMPLE, SCREEN.0, SCREEN.1);
            stage.press(keys);
            writeln!(shown, "== keys: {keys}\n{}", stage.text()).expect("a string takes all");
        }
        let stage = Stage::of_store_in(language, folder.discover(), "/srv/sessions", NOW, SCREEN);
        writeln!(shown, "== the list\n{}", stage.text()).expect("a string takes all");
        let stage = Stage::open_in(language, sample.clone(), super::screens::SAMPLE, SMALL.0, SMALL.1);
        writeln!(shown, "== small\n{}", stage.text()).expect("a string takes all");
        keep(&format!("language_{}", language.code()), &shown);
    }
}
