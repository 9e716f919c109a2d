use super::*;

#[test]
fn holes_are_filled_once() {
    type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);
    let table: [Row; 6] = [
        ("seq {seq}", &[("seq", "88")], "seq 88"),
        ("{a}{b}", &[("a", "{b}"), ("b", "x")], "{b}x"),
        ("{unknown} stays", &[], "{unknown} stays"),
        ("open { brace", &[], "open { brace"),
        ("{-a-} and {n}", &[("n", "1")], "{-a-} and 1"),
        ("", &[], ""),
    ];
    for (template, values, expected) in table {
        assert_eq!(fill(template, values), expected);
    }
}

#[test]
fn an_unknown_key_shows_itself() {
    assert_eq!(Words::english().say("no.such.key", &[]), "no.such.key");
}

#[test]
fn languages_are_found_by_the_ways_to_write_them() {
    use Language::{ChineseSimplified, ChineseTraditional, English, Korean, Spanish};
    let table = [
        (&["en", "EN", "en_US.UTF-8", "en-GB", "C", "C.UTF-8", "POSIX"][..], Some(English)),
        (&["zh-CN", "zh_CN.UTF-8", "zh-cn", "zh_SG", "zh", "zh-Hans", "zh-Hans-HK@x"], Some(ChineseSimplified)),
        (&["zh-TW", "zh_TW", "ZH_tw.utf8", "zh_HK.UTF-8", "zh_MO", "zh-Hant"], Some(ChineseTraditional)),
        (&["ko", "ko_KR.UTF-8", "ko-KP"], Some(Korean)),
        (&["es", "es_ES", "es_MX.UTF-8@euro", "es-419"], Some(Spanish)),
        (&["tlh", "", "-", "_", "e", "eng", "kok_IN", "est", ".UTF-8"], None),
    ];
    for (names, expected) in table {
        for name in names {
            assert_eq!(Language::named(name), expected, "{name:?}");
        }
    }
    for language in Language::ALL {
        assert_eq!(Language::named(language.code()), Some(language));
    }
}

#[test]
fn a_count_is_said_as_one_or_many() {
    let words = Words::english();
    assert_eq!(words.count("count.events", 1), "1 event");
    assert_eq!(words.count("count.events", 0), "0 events");
    assert_eq!(words.count("count.events", 5_441), "5,441 events");
}

#[test]
fn no_text_holds_a_control() {
    for words in Language::ALL.map(Words::of) {
        for key in words.keys() {
            assert!(!words.get(key).chars().any(char::is_control), "{key}");
        }
    }
}

#[test]
fn one_and_many_come_together() {
    let words = Words::english();
    for key in words.keys() {
        if let Some(stem) = key.strip_suffix(".one") {
            assert!(words.has(&format!("{stem}.many")), "{stem}");
        }
        if let Some(stem) = key.strip_suffix(".many") {
            assert!(words.has(&format!("{stem}.one")), "{stem}");
        }
    }
}

#[test]
fn every_hidden_kind_has_a_name_and_a_sense() {
    let words = Words::english();
    let source = include_str!("../hidden.rs");
    let mut stems = 0;
    for part in source.split("named!(\"").skip(1) {
        let stem = part.split('"').next().unwrap_or_default();
        assert!(words.has(&format!("hidden.{stem}")), "hidden.{stem}");
        assert!(words.has(&format!("hidden_sense.{stem}")), "hidden_sense.{stem}");
        stems += 1;
    }
    assert!(stems > 30);
}
