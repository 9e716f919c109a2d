use super::*;
use proptest::prelude::*;

/// Texts that `JSON.parse` accepts.
const ACCEPTED: &[&[u8]] = &[
    b"0",
    b"-0",
    b" [ 1 , 2 ] \r\n\t",
    b"[]",
    b"{}",
    b"[ ]",
    b"{ }",
    b"\"\"",
    b"true",
    b"null",
    b"[false]",
    b"1e5",
    b"1E+5",
    b"1.50e-7",
    b"-12.75",
    b"123456789012345678901234567890",
    b"1e999999",
    b"\"\\u0000\\uD800\\udc00\\uDBFF\"",
    b"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    b"\"\x7f\"",
    b"\"\xff\xfe\xc3\"",
    b"\"\xe2\x80\xa8\"",
    b"{\"a\":1,\"a\":2}",
    b"{\"\":0}",
    b"{\"a\" : [ { \"b\" : null } ] }",
    b"[[[[[]]]],{}]",
    b"\"a string that is longer than two words and a block of thirty-two bytes \\n and goes on\"",
];

/// Texts that it refuses, with the byte where reading stops.
const REFUSED: &[(&[u8], usize)] = &[
    (b"", 0),
    (b"  ", 2),
    (b"[1,]", 3),
    (b"[,1]", 1),
    (b"[1 2]", 3),
    (b"[1", 2),
    (b"[", 1),
    (b"]", 0),
    (b"[}", 1),
    (b"{]", 1),
    (b"{\"a\":1,}", 7),
    (b"{\"a\"}", 4),
    (b"{\"a\":}", 5),
    (b"{\"a\" 1}", 5),
    (b"{a:1}", 1),
    (b"{1:1}", 1),
    (b"{\"a\":1 \"b\":2}", 7),
    (b"01", 1),
    (b"[01]", 2),
    (b"-", 1),
    (b"-a", 1),
    (b"+1", 0),
    (b".5", 0),
    (b"1.", 2),
    (b"[1.]", 3),
    (b"1e", 2),
    (b"1e+", 3),
    (b"0x10", 1),
    (b"NaN", 0),
    (b"Infinity", 0),
    (b"-Infinity", 1),
    (b"tru", 3),
    (b"truE", 3),
    (b"nul]", 3),
    (b"truex", 4),
    (b"'a'", 0),
    (b"\"a", 2),
    (b"\"\\", 2),
    (b"\"\\u12", 5),
    (b"\"\\u12g4\"", 5),
    (b"\"\\x\"", 2),
    (b"\"\t\"", 1),
    (b"\"a long string with a raw line feed far behind its start\n\"", 56),
    (b"\"\x00\"", 1),
    (b"1 1", 2),
    (b"{} x", 3),
    (b"[]]", 2),
    (b"\xef\xbb\xbf1", 0),
    (b"\xa0", 0),
    (b"\x0c1", 0),
    (b"// c\n1", 0),
    (b"[1]\x00", 3),
    (b"\xff", 0),
];

#[test]
fn accepts_what_json_parse_accepts() {
    for text in ACCEPTED {
        assert!(Value::parse(text).is_ok(), "{}", String::from_utf8_lossy(text));
        assert!(prefix(text).error.is_none());
    }
}

#[test]
fn refuses_what_json_parse_refuses_at_the_right_byte() {
    for (text, offset) in REFUSED {
        let error = Value::parse(text).expect_err("not JSON");
        assert_eq!(error.offset, *offset, "{} {error:?}", String::from_utf8_lossy(text));
        assert_eq!(prefix(text).error, Some(error));
    }
}

#[test]
fn names_the_fault_and_what_is_open() {
    let error = Value::parse(br#"{"title":"broken","labels":["a","#).expect_err("cut");
    assert_eq!(error.fault, Fault::Ends(Expected::Value));
    let inside = error.inside.expect("an array is open");
    assert_eq!((inside.offset, inside.is_array, inside.key), (27, true, Some(19..25)));

    let error = Value::parse(br#"[{"x":[]},{"a":1,"b":"#).expect_err("cut");
    let inside = error.inside.expect("an object is open");
    assert_eq!((inside.offset, inside.is_array, inside.key, inside.last_key), (10, false, None, Some(18..19)));

    let faults: &[(&[u8], Fault)] = &[
        (b" ", Fault::NoValue),
        (b"[1,]", Fault::TrailingComma),
        (b"{\"a\":1,}", Fault::TrailingComma),
        (b"[\"a", Fault::EndsInString { open: 1 }),
        (b"[-", Fault::EndsInNumber),
        (b"[tr", Fault::EndsInWord),
        (b"[01]", Fault::Number),
        (b"[1x]", Fault::Number),
        (b"[True]", Fault::Word),
        (b"{} {}", Fault::AfterValue),
        (b"\"\\q\"", Fault::Escape { byte: b'q' }),
        (b"\"\\u00\"", Fault::UnicodeEscape),
        (b"\"\x1b\"", Fault::Control { byte: 0x1b }),
        (b"[?", Fault::Unexpected { byte: b'?', expected: Expected::ValueOrEnd }),
        (b"[1,?", Fault::Unexpected { byte: b'?', expected: Expected::Value }),
        (b"[1 2", Fault::Unexpected { byte: b'2', expected: Expected::CommaOrBracket }),
        (b"{a", Fault::Unexpected { byte: b'a', expected: Expected::KeyOrEnd }),
        (b"{\"a\":1", Fault::Ends(Expected::CommaOrBrace)),
        (b"{\"a\"", Fault::Ends(Expected::Colon)),
        (b"{", Fault::Ends(Expected::KeyOrEnd)),
        (b"{\"a\":1,", Fault::Ends(Expected::Key)),
        (b"[", Fault::Ends(Expected::ValueOrEnd)),
    ];
    for (text, fault) in faults {
        let error = Value::parse(text).expect_err("not JSON");
        assert_eq!(error.fault, *fault, "{}", String::from_utf8_lossy(text));
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn a_million_levels_cost_no_stack() {
    let deep = 1_000_000;
    let mut text = vec![b'['; deep];
    let error = Value::parse(&text).expect_err("not closed");
    assert_eq!(error.offset, deep);
    assert_eq!(error.inside.expect("open").offset, deep - 1);
    text.extend(std::iter::repeat_n(b']', deep));
    let value = Value::parse(&text).expect("closed");
    assert_eq!(value.items().next().expect("an item").raw().len(), 2 * deep - 2);
    assert!(Spans::parse(&text).expect("closed").is_empty());

    let mut mixed: Vec<u8> = br#"{"a":["#.repeat(deep / 2);
    mixed.extend(b"]}".repeat(deep / 2));
    assert!(Value::parse(&mixed).is_ok());
    mixed.pop();
    assert_eq!(Value::parse(&mixed).expect_err("cut").inside.expect("open").offset, 0);
    mixed.pop();
    mixed.push(b'}');
    assert!(Value::parse(&mixed).is_err());
}

#[test]
fn numbers_become_integers_as_in_json_parse() {
    let cases: &[(&str, Option<i64>)] = &[
        ("0", Some(0)),
        ("-0", Some(0)),
        ("-17", Some(-17)),
        ("1.0", Some(1)),
        ("1e3", Some(1000)),
        ("15e-1", None),
        ("1.5", None),
        ("123456789012345", Some(123_456_789_012_345)),
        ("9007199254740991", Some(9_007_199_254_740_991)),
        ("-9007199254740991", Some(-9_007_199_254_740_991)),
        ("9007199254740992", None),
        ("0.9999999999999999999999", Some(1)),
        ("1e400", None),
        ("123456789012345678901234567890", None),
        ("\"1\"", None),
        ("true", None),
        ("[1]", None),
    ];
    for (text, expected) in cases {
        assert_eq!(Value::parse(text.as_bytes()).expect("JSON").as_i64(), *expected, "{text}");
    }
    assert!(Value::parse(b"-0.0").expect("JSON").is_negative_zero());
    assert!(!Value::parse(b"0").expect("JSON").is_negative_zero());
}

#[test]
fn texts_decode_to_wtf8() {
    let cases: &[(&str, &[u8], u32)] = &[
        ("", b"", 0),
        ("plain", b"plain", 5),
        (r"\ud83d\ude00", "\u{1f600}".as_bytes(), 1),
        (r"\uD83D", b"\xed\xa0\xbd", 1),
        (r"\ude00\ud83d", b"\xed\xb8\x80\xed\xa0\xbd", 2),
        (r"\ud83d\ud83d\ude00", b"\xed\xa0\xbd\xf0\x9f\x98\x80", 2),
        (r"\ud83dx", b"\xed\xa0\xbdx", 2),
        (r"\ud83d\n", b"\xed\xa0\xbd\n", 2),
        (r"a\u00e9\u20AC\u0000", b"a\xc3\xa9\xe2\x82\xac\x00", 4),
        (r#"\"\\\/\b\f\n\r\t"#, b"\"\\/\x08\x0c\n\r\t", 8),
        ("é漢", "é漢".as_bytes(), 2),
    ];
    for (escaped, decoded, chars) in cases {
        let quoted = format!("\"{escaped}\"");
        let text = Value::parse(quoted.as_bytes()).expect("JSON").as_text().expect("a string");
        assert_eq!(text.decode().as_ref(), *decoded, "{escaped}");
        assert_eq!(text.chars(), *chars, "{escaped}");
        assert_eq!(text.to_wire().as_bytes(), *decoded);
        assert_eq!(text.escaped(), escaped.as_bytes());
    }
}

#[test]
fn a_cut_text_ends_at_a_character() {
    let value = Value::parse("\"aé\\u20acx漢\"".as_bytes()).expect("JSON");
    let text = value.as_text().expect("a string");
    let full = text.decode().into_owned();
    let ends: Vec<usize> = (0..=full.len() + 1).map(|max| text.decode_upto(max).len()).collect();
    assert_eq!(ends, [0, 1, 1, 3, 3, 3, 6, 7, 7, 7, 10, 10]);
    for max in 0..=full.len() {
        assert!(full.starts_with(&text.decode_upto(max)));
    }
}

#[test]
fn keys_match_however_they_are_escaped() {
    let value = Value::parse(br#"{"s\u0065q":1,"a\\b":2,"seq\u00e9":3,"seq":4,"x":{"y":[5]}}"#).expect("JSON");
    assert_eq!(value.integer("seq"), Some(4));
    assert_eq!(value.integer("a\\b"), Some(2));
    assert_eq!(value.get("seqé").and_then(Value::as_i64), Some(3));
    assert_eq!(value.path(&["x", "y"]).expect("there").raw(), b"[5]");
    let [first, x, none] = value.pick(["seq", "x", "z"]);
    assert!(first.is_some() && x.is_some() && none.is_none());
    assert!(value.items().next().is_none());
}

#[test]
fn fingerprints_depend_on_the_text_alone() {
    let print = |text: &str| Value::parse(text.as_bytes()).expect("JSON").as_text().expect("a string").fingerprint();
    assert_eq!(print(r#""a\u0062c\n and some more""#), print(r#""abc\u000a and some mor\u0065""#));
    assert_ne!(print(r#""abc""#), print(r#""abd""#));
    assert_ne!(print(r#""""#), print(r#""\u0000""#));
    assert_ne!(print(r#""\u0000""#), print(r#""\u0000\u0000""#));
    assert_eq!(print(r#""é""#).bytes, 2);
}

#[test]
fn a_prefix_shows_what_parses() {
    let prefix = prefix(br#"{"title":"broken","labels":["a","#);
    assert_eq!(prefix.shape, Some(Shape::Object));
    let fields: Vec<_> =
        prefix.fields.iter().map(|field| (field.key.map(Text::escaped), field.raw, field.value.is_some())).collect();
    assert_eq!(
        fields,
        [(Some(&b"title"[..]), &br#""broken""#[..], true), (Some(&b"labels"[..]), &br#"["a","#[..], false)]
    );
}

#[test]
fn a_prefix_may_end_at_a_key() {
    let cut = prefix(br#"{"a":1,"b""#);
    assert_eq!(cut.fields.len(), 2);
    assert!(cut.fields.last().is_some_and(|field| field.raw.is_empty() && field.key.is_some()));
    assert_eq!(prefix(b"[1,2,").fields.len(), 2);
    assert_eq!(prefix(b"plain words").shape, None);
    assert_eq!(prefix(b"\"whole\"").shape, Some(Shape::String));
}

#[test]
fn more_fields_than_are_noted_are_walked() {
    let text = format!("{{{}}}", (0..40).map(|n| format!("\"k{n}\":{n}")).collect::<Vec<_>>().join(","));
    let spans = Spans::parse(text.as_bytes()).expect("JSON");
    let mut seen = Vec::new();
    spans.each(|key, value| seen.push((key.escaped().to_vec(), value.as_i64())));
    assert_eq!(seen.len(), 40);
    assert_eq!(spans.len(), 40);
    assert_eq!(seen[39], (b"k39".to_vec(), Some(39)));
}

/// Any JSON value.
fn any_value() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
        "[ -~]{0,70}".prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Compares a value with that of another library, in every way of asking.
fn agrees(ours: Value<'_>, theirs: &serde_json::Value) -> bool {
    match theirs {
        serde_json::Value::Null => ours.shape() == Shape::Null,
        serde_json::Value::Bool(flag) => ours.as_bool() == Some(*flag),
        serde_json::Value::Number(number) => ours.as_f64() == number.as_f64(),
        serde_json::Value::String(text) => ours.as_text().is_some_and(|ours| {
            ours.decode() == text.as_bytes() && ours.is(text) && ours.chars() as usize == text.chars().count()
        }),
        serde_json::Value::Array(items) => {
            ours.is_array()
                && ours.items().count() == items.len()
                && ours.items().zip(items).all(|(ours, theirs)| agrees(ours, theirs))
        }
        serde_json::Value::Object(fields) => {
            ours.is_object()
                && ours.fields().count() == fields.len()
                && ours.fields().zip(fields).all(|((key, value), (name, theirs))| {
                    key.is(name) && agrees(value, theirs) && ours.get(name).is_some_and(|found| agrees(found, theirs))
                })
        }
    }
}

proptest! {
    #[test]
    fn reads_what_another_library_prints(value in any_value(), pretty in any::<bool>()) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        let ours = Value::parse(text.as_bytes());
        prop_assert!(ours.is_ok_and(|ours| agrees(ours, &value)), "{}", text);
        let spans = Spans::parse(text.as_bytes()).expect("the same check");
        let mut walked = Vec::new();
        spans.each(|key, value| walked.push((key, value)));
        let fields: Vec<_> = spans.value().fields().collect();
        prop_assert_eq!(walked, fields);
    }

    #[test]
    fn a_cut_text_stops_at_its_end(value in any_value(), at in any::<prop::sample::Index>()) {
        let text = value.to_string();
        let cut = &text.as_bytes()[..at.index(text.len())];
        if let Err(error) = Value::parse(cut) {
            prop_assert_eq!(error.offset, cut.len());
        } else {
            prop_assert!(serde_json::from_slice::<serde_json::Value>(cut).is_ok());
        }
    }

    #[test]
    fn agrees_with_another_library_on_what_is_json(text in r#"[\[\]{}",:0-9eE+.\-truefalsn \\u]{0,24}"#) {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(Value::parse(text.as_bytes()).is_ok(), theirs, "{}", text);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = Value::parse(&bytes) {
            prop_assert!(error.offset <= bytes.len());
        }
        let _ = prefix(&bytes);
        let mut quoted = vec![b'"'];
        quoted.extend(bytes.iter().filter(|&&byte| byte >= 0x20 && byte != b'"' && byte != b'\\'));
        quoted.push(b'"');
        let value = Value::parse(&quoted).expect("any bytes are characters inside a string");
        let text = value.as_text().expect("a string");
        prop_assert_eq!(&*text.decode(), &quoted[1..quoted.len() - 1]);
    }

    #[test]
    fn a_hash_does_not_depend_on_the_cuts(bytes in prop::collection::vec(any::<u8>(), 0..100), cuts in prop::collection::vec(0usize..12, 0..20)) {
        let mut whole = Hasher::default();
        whole.push_bytes(&bytes);
        let (mut pieces, mut rest) = (Hasher::default(), bytes.as_slice());
        for cut in cuts {
            let (head, tail) = rest.split_at(cut.min(rest.len()));
            pieces.push_bytes(head);
            rest = tail;
        }
        pieces.push_bytes(rest);
        prop_assert_eq!(whole.finish(), pieces.finish());
    }
}

/// Every value below `value`, by walking.
fn walk<'a>(value: Value<'a>, found: &mut Vec<&'a [u8]>) {
    found.push(value.raw());
    value.fields().for_each(|(_, value)| walk(value, found));
    value.items().for_each(|value| walk(value, found));
}

#[test]
fn walks_that_step_over_noted_values_find_what_other_walks_find() {
    let long = "x\\\"y".repeat(40);
    let many = (0..60).map(|n| format!("{{\"k{n}\":[\"{long}\",{n}]}}")).collect::<Vec<_>>().join(",");
    for text in [
        format!("{{\"a\":\"{long}\",\"b\":{{\"c\":[1,2,{{\"d\":\"{long}\"}}]}},\"e\":1}}"),
        format!("{{\"a\":[{many}],\"b\":[{many}],\"c\":\"{long}\"}}"),
        format!(" {{ \"a\" : {{ \"b\" : {{ \"c\" : {{ \"d\" : {{ \"e\" : \"{long}\" }} }} }} }} }} "),
    ] {
        let spans = Spans::parse(text.as_bytes()).expect("JSON");
        let (mut noted, mut plain) = (Vec::new(), Vec::new());
        walk(spans.value(), &mut noted);
        walk(Value::parse(text.as_bytes()).expect("JSON"), &mut plain);
        assert_eq!(noted, plain);
    }
}
