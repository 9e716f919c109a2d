use super::*;
use crate::app::page::PageKind;
use crate::text::locale::{Language, Words};

#[test]
fn no_key_is_bound_twice_in_one_context() {
    for (at, binding) in BINDINGS.iter().enumerate() {
        let again =
            BINDINGS[at + 1..].iter().find(|other| other.context == binding.context && other.keys == binding.keys);
        assert!(again.is_none(), "{binding:?} and {again:?}");
    }
}

#[test]
fn an_overlay_never_hides_a_key_of_every_screen() {
    for binding in BINDINGS.iter().filter(|binding| binding.context != Context::Always) {
        let always = BINDINGS.iter().find(|other| other.context == Context::Always && other.keys == binding.keys);
        assert!(always.is_none(), "{binding:?}");
    }
}

#[test]
fn no_prefix_is_an_action() {
    for binding in BINDINGS {
        match binding.keys {
            Keys::One(key) => {
                let in_lists =
                    matches!(binding.context, Context::Help | Context::Types | Context::CopyMenu | Context::Places);
                let is_prefix = PREFIXES.iter().any(|prefix| key == Key::char(*prefix));
                assert!(in_lists || !is_prefix, "{binding:?}");
            }
            Keys::Two(prefix, _) | Keys::Letter(prefix) => assert!(PREFIXES.contains(&prefix), "{binding:?}"),
        }
    }
    for prefix in PREFIXES {
        assert!(Keymap::default().after(prefix).next().is_some(), "nothing follows {prefix}");
    }
}

#[test]
fn digits_are_counts_and_no_keys() {
    for binding in BINDINGS {
        if let Keys::One(Key { code: KeyCode::Char('1'..='9'), .. }) = binding.keys {
            panic!("{binding:?}");
        }
    }
}

#[test]
fn every_binding_and_hint_has_words() {
    let words = Words::english();
    for binding in BINDINGS {
        assert!(words.has(binding.help), "{}", binding.help);
    }
    for group in Group::ALL {
        assert!(words.has(group.name()), "{}", group.name());
    }
    let of_pages = PageKind::ALL.map(|kind| (kind.traits().context, kind.traits().hints));
    let all = crate::app::hints::HINTS.iter().copied().chain(of_pages);
    let all = all.flat_map(|(context, hints)| hints.iter().map(move |hint| (context, hint)));
    for (context, hint) in all {
        let key = hint.words;
        assert!(words.has(key), "{key}");
        let named = |text: &str, words: &Words| {
            let contexts = [context, Context::Page, Context::Main, Context::Always];
            let first = text.split(' ').next().unwrap_or_default().to_owned();
            let here = |context: &Context| {
                BINDINGS.iter().find(|binding| binding.context == *context && keys_text(binding.keys, words) == first)
            };
            contexts.iter().find_map(here).map(|binding| binding.action)
        };
        let action = named(words.get(key), &words);
        assert!(action.is_some(), "{key}: {}", words.get(key));
        for language in Language::ALL {
            let own = Words::of(language);
            assert_eq!(named(own.get(key), &own), action, "{}: {key}: {}", language.code(), own.get(key));
        }
    }
}

#[test]
fn the_table_as_markdown_names_every_action() {
    let text = keys_markdown(&Words::english());
    for binding in BINDINGS {
        assert!(text.contains(Words::english().get(binding.help)), "{}", binding.help);
    }
}

#[test]
fn keys_are_read_as_they_are_written() {
    for binding in BINDINGS {
        let text = keys_text(binding.keys, &Words::english());
        let read = written::read_keys(&text);
        let expected = match binding.keys {
            Keys::Letter(prefix) => Keys::Two(prefix, 'a'),
            other => other,
        };
        assert_eq!(read, Some(expected), "{text}");
    }
    for (text, expected) in [
        ("ctrl-alt-x", Some(Key { alt: true, ..Key::ctrl('x') })),
        ("Ctrl-X", Some(Key::ctrl('x'))),
        ("-", Some(Key::char('-'))),
        ("Ctrl--", Some(Key::ctrl('-'))),
        ("F12", Some(Key::plain(KeyCode::F(12)))),
        ("F0", None),
        ("F99", None),
        ("Shift-x", None),
        ("Ctrl-Ctrl-x", None),
        ("", None),
        ("xy", None),
        ("\u{7}", None),
    ] {
        assert_eq!(written::read_keys(text), expected.map(Keys::One), "{text:?}");
    }
}

#[test]
fn names_in_the_settings_are_one_for_each_action() {
    let mut names: Vec<(String, Action)> =
        BINDINGS.iter().map(|binding| (written::action_name(binding.action), binding.action)).collect();
    names.sort();
    names.dedup();
    for pair in names.windows(2) {
        assert_ne!(pair[0].0, pair[1].0);
    }
    assert_eq!(written::action_name(Action::NextStop(Stop::Unpaired)), "next-stop-unpaired");
    assert_eq!(written::action_name(Action::Show(PageKind::SixSteps)), "show-six-steps");
}
