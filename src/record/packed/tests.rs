use super::*;

fn row(text: &str) -> Result<Vec<(i64, i64, String)>, RowFault> {
    let value = Value::parse(text.as_bytes()).expect("JSON");
    let row = PackedRow::parse(value)?;
    let members: Vec<_> = row
        .members()
        .map(|member| (member.seq, member.time, String::from_utf8_lossy(&member.text.decode()).into_owned()))
        .collect();
    assert_eq!(members.len(), row.members);
    assert_eq!(members.last().map(|last| last.1), Some(row.last_time));
    assert_eq!(members.iter().map(|member| member.2.chars().count()).sum::<usize>(), row.chars as usize);
    Ok(members)
}

#[test]
fn expands_the_example_of_the_format() {
    let text = r#"{"type":"text-chunks","seq0":8,"time0":1000,"data":{"turn":1,"step":1,"index":0,"dt":[5,-2],"texts":["a","b","c"]}}"#;
    let members = row(text).expect("a row");
    assert_eq!(members, [(8, 1000, "a".into()), (9, 1005, "b".into()), (10, 1003, "c".into())]);
}

#[test]
fn refuses_what_the_harness_refuses() {
    let data = |inner: &str| format!(r#"{{"type":"text-chunks","seq0":8,"time0":1,"data":{inner}}}"#);
    let cases = [
        (data(r#"{"turn":1,"step":1,"index":0,"dt":[5],"texts":["a","b","c"]}"#), "3 members and 1 time gaps"),
        (data(r#"{"turn":1,"step":1,"index":0,"dt":[],"texts":[]}"#), "no members"),
        (data(r#"{"turn":1,"step":1,"index":0,"texts":["a"]}"#), "dt missing"),
        (data(r#"{"turn":1,"step":1,"index":0,"dt":[],"texts":["a"],"id":"x"}"#), "unknown key \"id\""),
        (data(r#"{"turn":1,"step":1,"index":0,"dt":[],"texts":[1]}"#), "texts invalid"),
        (data(r#"{"turn":1,"step":1,"index":0,"dt":[0.5],"texts":["a","b"]}"#), "dt invalid"),
        (data(r#"{"turn":1,"step":1,"index":0,"dt":{},"texts":["a"]}"#), "dt invalid"),
        (data(r#"{"turn":"1","step":1,"index":0,"dt":[],"texts":["a"]}"#), "turn invalid"),
        (data("[]"), "data invalid"),
        (
            data(r#"{"turn":1,"step":1,"index":0,"dt":[9007199254740991],"texts":["a","b"]}"#),
            "a seq or time out of range",
        ),
        (
            r#"{"type":"text-chunks","seq0":9007199254740991,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}"#
                .to_owned(),
            "a seq or time out of range",
        ),
        (r#"{"type":"text-chunks","seq0":1,"time0":1}"#.to_owned(), "data missing"),
        (r#"{"type":"text-chunks","seq":1,"time0":1}"#.to_owned(), "unknown key \"seq\""),
        (
            r#"{"type":"tool-call-chunks","seq0":1,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[],"args":["a"]}}"#
                .to_owned(),
            "id missing",
        ),
        (r#"{"type":"turn/start"}"#.to_owned(), "type invalid"),
    ];
    for (text, expected) in cases {
        assert_eq!(row(&text).map_err(|fault| fault.to_string()), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn a_call_row_may_lack_the_name() {
    let text = r#"{"type":"tool-call-chunks","seq0":1,"time0":1,"data":{"turn":1,"step":1,"index":2,"id":"c","dt":[],"args":["{\u0022"]}}"#;
    let row = PackedRow::parse(Value::parse(text.as_bytes()).expect("JSON")).expect("a row");
    assert!(row.name.is_none() && row.id.is_some_and(|id| id.is("c")));
    assert_eq!(row.members().next().expect("a member").text.decode().as_ref(), br#"{""#);
}

proptest::proptest! {
    #[test]
    fn expansion_agrees_with_a_naive_one(
        texts in proptest::collection::vec(".{0,6}", 1..20),
        gaps in proptest::collection::vec(-5_000i64..5_000, 19),
        seq0 in 0i64..1_000_000,
        time0 in 0i64..2_000_000_000_000,
    ) {
        let gaps = &gaps[..texts.len() - 1];
        let line = serde_json::json!({"type": "reasoning-chunks", "seq0": seq0, "time0": time0,
            "data": {"turn": 1, "step": 2, "index": 0, "dt": gaps, "texts": texts}});
        let expected: Vec<_> = texts.iter().enumerate().map(|(k, text)| {
            (seq0 + k as i64, time0 + gaps[..k].iter().sum::<i64>(), text.clone())
        }).collect();
        proptest::prop_assert_eq!(row(&line.to_string()).expect("a row"), expected);
    }
}
