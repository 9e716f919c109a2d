use super::*;
use crate::app::action::Action;
use crate::app::key::Key;
use crate::app::keymap::{Context, Keymap, Keys};
use crate::app::page::PageKind;
use crate::app::theming::{BuiltIn, ThemeId};
use crate::config::printed::default_file;
use crate::config::settings::ThemeChoice;
use crate::text::locale::Words;

fn parse(text: &str) -> Result<Settings, Fault> {
    super::parse(text, &OwnThemes::default())
}

fn fault(text: &str) -> (Place, String) {
    let fault = parse(text).expect_err(text);
    let said = fault.say(&Words::english());
    assert!(!said.contains(['\n', '\u{1b}']), "{said:?}");
    (fault.place, said)
}

#[test]
fn the_printed_defaults_change_nothing() {
    assert_eq!(parse(&default_file(&Words::english())).unwrap(), Settings::default());
    assert_eq!(parse("").unwrap(), Settings::default());
}

#[test]
fn the_printed_defaults_name_every_setting() {
    let text = default_file(&Words::english());
    let names = KEYS.iter().filter(|name| !["panes", "programs", "keys"].contains(name));
    for name in names.chain(&["timeline", "detail", "editor", "pager"]) {
        let lines = text.lines().filter(|line| line.starts_with(&format!("{name} = "))).count();
        assert_eq!(lines, 1, "{name}");
    }
    for table in ["panes", "programs", "keys.main"] {
        assert!(text.contains(&format!("\n[{table}]\n")), "{table}");
    }
}

#[test]
fn the_printed_keys_are_those_of_the_table() {
    let text = default_file(&Words::english());
    let uncommented: Vec<&str> =
        text.lines().map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = [")).unwrap_or(line)).collect();
    let settings = parse(&uncommented.join("\n")).unwrap();
    // Keys of one action stand together then; nothing else is different.
    let count = Keymap::default().bindings().len();
    assert_eq!(settings.keymap.bindings().len(), count);
    for binding in Keymap::default().bindings() {
        assert!(settings.keymap.bindings().contains(binding), "{binding:?}");
    }
}

#[test]
fn settings_are_read() {
    let text = "theme = \"light\"\ncolor = \"never\"\nascii = \"always\"\nlang = \"ko\"\nzone = \"utc\"\nmouse = false\n\
                follow = true\nrestore = false\nwrap = false\ntime = \"clock\"\nunfold = \"all\"\n[panes]\ntimeline = 50\n\
                [programs]\neditor = \"code -w\"\npager = \"\"\n[keys.main]\nhelp = [\"F5\"]\ncopy = []\n";
    let settings = parse(text).unwrap();
    assert_eq!(settings.theme, ThemeChoice::Named(ThemeId::BuiltIn(BuiltIn::Light)));
    assert_eq!(
        (settings.color, settings.ascii, settings.lang),
        (ColorWhen::Never, SignsWhen::Ascii, Some(Language::Korean))
    );
    assert_eq!((settings.utc, settings.mouse, settings.follow), (true, false, true));
    assert_eq!((settings.restore, settings.wrap, settings.unfold), (false, false, 2));
    assert_eq!(settings.time, Some(TimeForm::Clock));
    assert_eq!(settings.shares.timeline, Share::percent(50).unwrap());
    assert_eq!(settings.programs.editor, Some(vec!["code".to_owned(), "-w".to_owned()]));
    assert_eq!(settings.programs.pager, None);
    let f5 = Keys::One(Key::plain(crate::app::key::KeyCode::F(5)));
    assert_eq!(settings.keymap.find(&[Context::Main], f5).map(|binding| binding.action), Some(Action::Help));
    assert_eq!(settings.keymap.find(&[Context::Main], Keys::One(Key::char('?'))), None);
    assert_eq!(settings.keymap.keys_of(&[Context::Main], Action::Copy), None);
}

#[test]
fn faults_name_their_line_and_what_was_meant() {
    for (text, at, said) in [
        ("them = \"dark\"\n", (1, 1), "there is no setting \"them\"; did you mean theme?"),
        (
            "\n\ntheme = \"drak\"\n",
            (3, 9),
            "expected \"auto\", \"dark\", \"light\", \"ansi-16\", \"mono\"; did you mean dark?",
        ),
        ("theme = 3", (1, 9), "expected \"auto\""),
        ("mouse = \"yes\"", (1, 9), "expected true, false"),
        ("[panes]\ntimeline = 99", (2, 12), "expected \"auto\", 20 .. 80"),
        ("[panes]\ntimelines = 40", (2, 1), "did you mean timeline?"),
        ("[programs]\neditor = [\"vi\"]", (2, 10), "expected"),
        ("panes = 1", (1, 9), "expected [table]"),
        ("mouse = true\nmouse = false", (2, 1), "not valid TOML: duplicate key"),
        ("a = = 1", (1, 5), "not valid TOML"),
        ("theme = \"\u{1b}[31m\"", (1, 10), "not valid TOML"),
        ("\"a\\u001b[31m\" = 1", (1, 1), "there is no setting"),
        ("[keys.maine]\ndown = \"j\"", (1, 7), "there is no setting \"maine\"; did you mean main?"),
        ("[keys.main]\ndwon = \"j\"", (2, 1), "[keys.main] has no action \"dwon\""),
        ("[keys.main]\nhelpp = \"j\"", (2, 1), "did you mean help?"),
        ("[keys.help]\nshow-bug = \"b\"", (2, 1), "[keys.help] has no action \"show-bug\""),
        ("[keys.main]\nhelp = \"Hyper-x\"", (2, 8), "no key is called \"Hyper-x\""),
        ("[keys.main]\nhelp = 3", (2, 8), "expected"),
        ("[keys.main]\nhelp = \"3\"", (2, 8), "3 is no key: digits"),
        ("[keys.main]\nhelp = \"g\"", (2, 8), "g is the first of two keys"),
        ("[keys.list]\nhelp = \"q\"", (2, 8), "q belongs to close in [keys.always]"),
        ("[keys.types]\ntick = \"gg\"", (2, 8), "two keys begin with"),
        ("[keys.main]\n\nhelp = [\"?\", \"y\"]", (3, 14), "y belongs to copy in [keys.main]"),
        ("[keys.main]\nset-mark = \"x\"", (2, 12), "marks take a first key and any letter"),
        ("[keys.main]\nhelp = \"mb\"", (2, 8), "mb belongs to set-mark"),
        ("[keys.always]\nclose = []\nquit = []\ninterrupt = []", (4, 1), "no key would be left"),
    ] {
        let (place, what) = fault(text);
        assert_eq!((place.line, place.column), at, "{text:?}: {what}");
        assert!(what.contains(said), "{text:?}: {what}");
    }
}

#[test]
fn two_actions_change_places() {
    let settings = parse("[keys.main]\ncopy = \"b\"\nshow-bug = \"y\"\n[keys.page]\ncopy-page = \"Y\"\n").unwrap();
    let action = |key| settings.keymap.find(&[Context::Main], Keys::One(Key::char(key))).map(|binding| binding.action);
    assert_eq!((action('b'), action('y')), (Some(Action::Copy), Some(Action::Show(PageKind::Bug))));
}

#[test]
fn a_pane_may_have_a_key_of_its_own_for_what_main_does() {
    let settings = parse("[keys.timeline]\nfilter = \"b\"\n").unwrap();
    let keys = Keys::One(Key::char('b'));
    let action = |contexts: &[Context]| settings.keymap.find(contexts, keys).map(|binding| binding.action);
    assert_eq!(action(&[Context::Timeline, Context::Main]), Some(Action::Filter));
    assert_eq!(action(&[Context::Calls, Context::Main]), Some(Action::Show(PageKind::Bug)));
}

#[test]
fn a_file_that_is_not_there_says_nothing_unless_it_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    assert_eq!(read(&path, false, &OwnThemes::default()).unwrap(), Settings::default());
    assert!(matches!(read(&path, true, &OwnThemes::default()), Err(Unusable::Unreadable(..))));
    std::fs::write(&path, b"mouse = true\n# \xff\n").unwrap();
    let said = read(&path, false, &OwnThemes::default()).expect_err("it is not UTF-8").say(&Words::english());
    assert!(said.ends_with("config.toml:2:3: not UTF-8"), "{said}");
}
