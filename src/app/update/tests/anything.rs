//! Any messages in any order: nothing panics, the cursor stays inside.

use super::*;

fn any_key() -> impl Strategy<Value = Key> {
    let chars: Vec<char> =
        "0123456789jkhlJKGgz[]mTtuioyvxdwprcHL+_?/:;,%*nN<>'qM \u{0}$aebsfRUACWDOPS中".chars().collect();
    let codes = vec![
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Tab,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::F(1),
    ];
    prop_oneof![
        6 => prop::sample::select(chars).prop_map(Key::char),
        3 => prop::sample::select(codes).prop_map(Key::plain),
        1 => prop::sample::select("rdubfolzw".chars().collect::<Vec<_>>()).prop_map(Key::ctrl),
        1 => Just(Key::shift(KeyCode::Tab)),
    ]
}

fn any_message() -> impl Strategy<Value = Message> {
    let texts = prop::sample::select(vec![
        healthy(1),
        healthy(12),
        open_call(),
        grown(),
        broken(),
        String::new(),
        "x\n{}\n".into(),
    ]);
    let mouse = prop::sample::select(vec![
        MouseKind::Pressed,
        MouseKind::PressedTwice,
        MouseKind::Dragged,
        MouseKind::Released,
        MouseKind::WheelUp,
        MouseKind::WheelDown,
        MouseKind::WheelLeft,
        MouseKind::WheelRight,
    ]);
    let hits = prop::collection::vec((0u32..200, 0u32..3), 0..5);
    prop_oneof![
        20 => any_key().prop_map(Message::Pressed),
        1 => "\\PC{0,12}".prop_map(Message::Pasted),
        2 => (mouse, 0u16..200, 0u16..70).prop_map(|(kind, column, row)| Message::Moused(MouseEvent { kind, column, row })),
        2 => (0u16..180, 0u16..60).prop_map(|(columns, rows)| Message::Resized { columns, rows }),
        2 => (0u32..3, texts, any::<bool>()).prop_map(|(epoch, text, tail)| {
            let mut session = session(&text);
            session.extent = if tail { Extent::Tail } else { Extent::Whole };
            Message::Opened { epoch: Epoch(epoch), session: Arc::new(session) }
        }),
        1 => (0u32..3).prop_map(|epoch| Message::Refused { epoch: Epoch(epoch), odd: odd() }),
        1 => (0u32..3, 0u32..40, hits, any::<bool>()).prop_map(|(epoch, ticket, hits, done)| Message::Found {
            epoch: Epoch(epoch),
            ticket: Ticket(ticket),
            hits: hits.into_iter().map(|(row, member)| EventRef { row: RowIx(row), member }).collect(),
            looked_at: 1,
            done,
        }),
        1 => (0u32..3, 0u32..40, 0u32..200, any::<bool>()).prop_map(|(epoch, ticket, row, done)| Message::Sifted {
            epoch: Epoch(epoch), ticket: Ticket(ticket), rows: vec![RowIx(row)], looked_at: 1, done,
        }),
        1 => (0u32..3, 0u32..40, 0u32..200, 0u32..50).prop_map(|(epoch, ticket, row, count)| Message::StreamsCounted {
            epoch: Epoch(epoch),
            ticket: Ticket(ticket),
            streams: vec![(RowIx(row), count)],
        }),
        1 => (0u32..3, 0u32..40, 0u32..200).prop_map(|(epoch, ticket, row)| Message::Summarised {
            epoch: Epoch(epoch),
            ticket: Ticket(ticket),
            items: vec![(SummaryKey::Row(RowIx(row)), crate::triage::what::What::default())],
        }),
        1 => (0u32..3, 0u32..40).prop_map(|(epoch, ticket)| Message::FetchedLines {
            epoch: Epoch(epoch), ticket: Ticket(ticket), lines: Vec::new(),
        }),
        1 => (0u32..3, 0u64..5).prop_map(|(epoch, done)| Message::Progressed {
            epoch: Epoch(epoch), progress: Progress { done, total: 4, ..Progress::default() },
        }),
        1 => Just(Message::Failed { what: "no".into() }),
    ]
}

/// What holds after every message.
fn check(model: &Model) {
    let timeline = &model.timeline;
    assert!(timeline.is_empty() || timeline.cursor() < timeline.len());
    let height = usize::from(timeline.height.max(1));
    assert!(
        timeline.is_empty() || (timeline.top() <= timeline.cursor() && timeline.cursor() < timeline.top() + height)
    );
    assert!(model.timeline_rows().len() <= height);
    assert!(model.calls.is_empty() || model.calls.cursor() < model.calls.len());
    assert!(model.call_rows().len() <= usize::from(model.calls.height.max(1)));
    assert!(model.detail.rows.is_empty() || model.detail.cursor < model.detail.rows.len());
    assert!(model.detail.top <= model.detail.cursor);
    assert!(model.detail.tabs.is_empty() || model.detail.tab < model.detail.tabs.len());
    if let Some(page) = &model.page {
        assert!(page.doc.lines.is_empty() || page.cursor < page.doc.lines.len());
    }
    if let Some(input) = &model.input {
        assert_eq!(input.area.lines().len(), 1);
    }
    let mut items = timeline.items.iter();
    let open = model.open.as_ref();
    let row = |item: Item| open.map(|open| crate::app::timeline::place::row_of(item, &open.rules));
    let mut before = items.next().and_then(row);
    for item in items {
        let here = row(item);
        assert!(before <= here, "rows ascend");
        before = here;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_list_of_messages_panics_and_the_cursor_stays_inside(messages in prop::collection::vec(any_message(), 1..60)) {
        let mut model = Model::new(crate::app::model::Settings::default());
        let mut name = String::new();
        for message in messages {
            let _ = write!(name, "{message:.0?}");
            name.clear();
            update(&mut model, message);
            check(&model);
        }
    }

    #[test]
    fn answered_keys_never_leave_the_cursor_outside(keys in prop::collection::vec(any_key(), 1..80), big: bool) {
        let text = if big { healthy(12) } else { open_call() };
        let mut bench = Bench::open(&text, 100, 30);
        for key in keys {
            bench.send(Message::Pressed(key));
            check(&bench.model);
        }
    }
}
