use super::*;
use crate::log::Encoding;
use crate::triage::bench::{HEADER, Written, read};

fn frame(text: &str) -> Vec<u8> {
    let mut frame = zstd::bulk::compress(text.as_bytes(), 3).expect("memory can be packed");
    frame.shrink_to_fit();
    frame
}

fn event(seq: i64) -> String {
    format!("{{\"type\":\"todo/write\",\"seq\":{seq},\"time\":{},\"data\":{{}}}}\n", 1_790_000_000_000 + seq)
}

fn of(bytes: Vec<u8>) -> Vec<Piece> {
    pieces(&read(bytes, Encoding::Zstd, "session.jsonl.zstd", b"").0)
}

/// State, frame, lines, seqs.
type Told = (State, Option<u64>, u64, Option<(i64, i64)>);

fn told(pieces: &[Piece]) -> Vec<Told> {
    pieces.iter().map(|piece| (piece.state, piece.frame, piece.lines, piece.seqs)).collect()
}

#[test]
fn frames_tell_their_bytes_lines_seqs_and_times() {
    let frames = [frame(&format!("{HEADER}\n")), frame(&event(0)), frame(&(event(1) + &event(2)))];
    let found = of(frames.concat());
    let expected = [
        (State::Header, Some(0), 0, None),
        (State::Good, Some(1), 1, Some((0, 0))),
        (State::Good, Some(2), 2, Some((1, 2))),
    ];
    assert_eq!(told(&found), expected);
    let lens: Vec<u64> = frames.iter().map(|frame| frame.len() as u64).collect();
    assert_eq!(found.iter().map(|piece| piece.bytes).collect::<Vec<_>>(), lens);
    assert_eq!(found.iter().map(|piece| piece.offset).collect::<Vec<_>>(), [0, lens[0], lens[0] + lens[1]]);
    assert_eq!(found[2].times, Some((1_790_000_000_001, 1_790_000_000_002)));
    assert_eq!(found[2].rows, Some((RowIx(1), RowIx(2))));
}

#[test]
fn damage_foreign_bytes_and_a_torn_end_are_pieces_of_their_own() {
    let (header, one, two) = (frame(&format!("{HEADER}\n")), frame(&event(0)), frame(&event(1)));
    let mut broken = frame(&event(7));
    let last = broken.len() - 3;
    broken.truncate(last);
    let foreign = [&header[..], &one, b"no frame at all", &two].concat();
    let states: Vec<State> = of(foreign).into_iter().map(|piece| piece.state).collect();
    assert_eq!(states, [State::Header, State::Good, State::Foreign, State::Good]);
    let torn = [&header[..], &one, &broken].concat();
    let found = of(torn.clone());
    assert_eq!(found.iter().map(|piece| piece.state).collect::<Vec<_>>(), [State::Header, State::Good, State::Torn]);
    let last = found.last().map_or(0, |piece| piece.offset + piece.bytes);
    assert_eq!(last, torn.len() as u64, "the pieces cover the file");
}

#[test]
fn a_plain_log_is_told_in_stretches_of_lines() {
    let (session, _) = Written::new().turn(1).step(1, 1).session();
    let found = pieces(&session);
    assert_eq!(found.iter().map(|piece| piece.lines).sum::<u64>(), 2);
    assert_eq!(found.iter().map(|piece| piece.bytes).sum::<u64>(), session.facts.container.file_bytes);
}

#[test]
fn an_empty_file_has_no_piece() {
    assert_eq!(of(Vec::new()), []);
}

#[test]
fn cells_hold_one_two_four_pieces_and_show_the_worst() {
    let piece = |state| Piece { bytes: 3, ..blank(state, 0, 3) };
    let nine: Vec<Piece> = (0..9).map(|at| piece(if at == 4 { State::Damaged } else { State::Good })).collect();
    for (most, count, worst_at, first) in
        [(9, 9, 4, (0, 0)), (8, 5, 2, (0, 1)), (4, 3, 1, (0, 3)), (1, 1, 0, (0, 8)), (0, 1, 0, (0, 8))]
    {
        let found = cells(&nine, most);
        assert_eq!((found.len(), found[0].pieces), (count, first), "{most}");
        assert_eq!(found.iter().position(|cell| cell.worst == State::Damaged), Some(worst_at), "{most}");
        assert_eq!(found.iter().map(|cell| cell.bytes).sum::<u64>(), 27);
    }
    assert_eq!(cells(&[], 10), []);
}

#[test]
fn what_a_piece_without_lines_held_is_bounded_by_its_neighbours() {
    let header = frame(&format!("{HEADER}\n"));
    let broken = |seq: i64| {
        let mut packer = zstd::bulk::Compressor::new(3).expect("the level is known");
        packer.include_checksum(true).expect("it can be had");
        let mut broken = packer.compress(event(seq).as_bytes()).expect("memory can be packed");
        let last = broken.len() - 1;
        broken[last] ^= 0xff;
        broken
    };
    let lost = |parts: &[&[u8]]| {
        let pieces = of(parts.concat());
        pieces.iter().map(|piece| (piece.lost, piece.between.is_some())).collect::<Vec<_>>()
    };
    let (one, four) = (frame(&event(0)), frame(&event(4)));
    let gap = (Some((1, 3)), true);
    assert_eq!(lost(&[&header, &one, &broken(1), &four]), [(None, false), (None, false), gap, (None, false)]);
    let two = lost(&[&header, &one, &broken(1), &broken(2), &four]);
    assert_eq!(two[2..4], [gap, gap], "of two together nobody knows which held what");
    assert_eq!(lost(&[&header, &broken(0), &four])[1], (Some((0, 3)), false), "nothing stands before it");
    assert_eq!(lost(&[&header, &one, &broken(1)])[2], (None, false), "nothing stands behind it");
    assert_eq!(lost(&[&header, &one, b"no frame", &frame(&event(1))])[2], (None, true), "no number is missing");
    assert_eq!(lost(&[&header, &four, &broken(1), &one])[2], (None, true), "the numbers step back");
}
