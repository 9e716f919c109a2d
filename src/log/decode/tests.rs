use super::*;
use crate::log::frames::{FrameWalk, Part};
use crate::log::sample::{self, Block, Style};
use crate::log::source::MemorySource;

fn frames(source: &MemorySource) -> Vec<Frame> {
    let mut walk = FrameWalk::new(source, 0, source.size().unwrap());
    let mut frames = Vec::new();
    while let Some(part) = walk.next_part().unwrap() {
        match part {
            Part::Frame(frame) => frames.push(frame),
            Part::Skippable { .. } | Part::Foreign { .. } | Part::Torn { .. } => {}
        }
    }
    frames
}

fn only(bytes: Vec<u8>) -> (MemorySource, Frame) {
    let source = MemorySource::new(bytes);
    let [frame] = frames(&source)[..] else {
        panic!("one frame expected");
    };
    (source, frame)
}

/// The content by each way of decoding, which must agree.
fn both(decoder: &mut Decoder, source: &MemorySource, frame: &Frame) -> Result<Vec<u8>, String> {
    let mut streamed = Vec::new();
    let stream = decoder
        .stream(source, frame, &mut |piece| {
            assert!(piece.len() <= PIECE && !piece.is_empty());
            streamed.extend_from_slice(piece);
            ControlFlow::Continue(())
        })
        .map_err(|fault| fault.to_string());
    let mut whole = Vec::new();
    let into = decoder.frame_into(source, frame, &mut whole).map_err(|fault| fault.to_string());
    if frame.is_small() {
        assert_eq!(stream, into);
        assert!(stream.is_err() || streamed == whole);
    }
    stream.map(|()| streamed)
}

#[test]
fn every_style_decodes() {
    let mut decoder = Decoder::new().unwrap();
    let noise: Vec<u8> = (0..100_000u32).flat_map(|n| n.wrapping_mul(n).to_le_bytes()).collect();
    for text in [&b""[..], b"{}\n", &noise, &noise.repeat(8)] {
        for checksum in [false, true] {
            for content_size in [false, true] {
                for window_log in [0, 10, 21, 27] {
                    let style = Style { checksum, content_size, window_log };
                    let (source, frame) = only(sample::styled(text, style));
                    let got = both(&mut decoder, &source, &frame).unwrap();
                    assert!(got == text, "{style:?}, {} bytes", text.len());
                }
            }
        }
    }
}

#[test]
fn faults_have_their_words() {
    let mut decoder = Decoder::new().unwrap();
    let good = sample::frame(b"{\"seq\":1}\n");
    let flip = |at: usize, mask: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= mask;
        bytes
    };
    let last = good.len() - 1;
    let mut dictionary = good.clone();
    dictionary[4] |= 1;
    dictionary.insert(6, 77);
    let oversize = sample::by_hand(10, &[Block::Raw(&[b'a'; 1025])]);
    let repeat = sample::by_hand(17, &[Block::Repeat(b'a', 200_000)]);
    let table = [
        (flip(last, 1), "checksum does not match"),
        (flip(9, 1), "checksum does not match"),
        (flip(4, 0x10), "does not decode: reserved bits of its head are set"),
        (flip(4, 0x08), "does not decode: reserved bits of its head are set"),
        (dictionary, "does not decode: needs a dictionary"),
        (oversize, "does not decode: a block is too large"),
        (repeat, "does not decode: a block is too large"),
    ];
    for (bytes, words) in table {
        let (source, frame) = only(bytes);
        assert_eq!(both(&mut decoder, &source, &frame).unwrap_err(), words);
    }
    // The decoder is fit for the next frame.
    let (source, frame) = only(good);
    assert_eq!(both(&mut decoder, &source, &frame).unwrap(), b"{\"seq\":1}\n");
}

#[test]
fn a_bomb_streams_in_constant_memory() {
    // 2 GiB of the same byte in 65 KiB of file.
    let blocks = vec![Block::Repeat(b'0', 128 << 10); 16 << 10];
    let (source, frame) = only(sample::by_hand(20, &blocks));
    assert_eq!(frame.max_decoded, 2 << 30);
    let mut decoder = Decoder::new().unwrap();
    let fault = decoder.frame_into(&source, &frame, &mut Vec::new());
    assert!(matches!(fault, Err(FrameFault::TooLarge(_))));
    let mut count = 0u64;
    decoder
        .stream(&source, &frame, &mut |piece| {
            count += piece.len() as u64;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(count, 2 << 30);
    assert!(decoder.context.sizeof() < 4 << 20);
}

#[test]
fn a_huge_window_needs_no_memory_for_little_content() {
    let mut decoder = Decoder::new().unwrap();
    for window_log in [28, 31] {
        let (source, frame) = only(sample::by_hand(window_log, &[Block::Raw(b"{}\n")]));
        assert_eq!(both(&mut decoder, &source, &frame).unwrap(), b"{}\n");
        let blocks = vec![Block::Repeat(b'0', 128 << 10); 20];
        let (source, frame) = only(sample::by_hand(window_log, &blocks));
        assert!(!frame.is_small());
        assert_eq!(both(&mut decoder, &source, &frame).unwrap().len(), 20 * (128 << 10));
        let blocks = vec![Block::Repeat(b'0', 128 << 10); 1025];
        let (source, frame) = only(sample::by_hand(window_log, &blocks));
        let fault = both(&mut decoder, &source, &frame).unwrap_err();
        assert_eq!(fault, format!("needs {} bytes of memory to decode", 1u64 << window_log));
    }
    // Beyond what any decoder knows.
    let (source, frame) = only(sample::by_hand(41, &[Block::Raw(b"{}\n")]));
    assert!(both(&mut decoder, &source, &frame).is_err());
    assert!(decoder.context.sizeof() < 4 << 20);
}

#[test]
fn a_false_content_size_takes_no_memory() {
    let style = Style { content_size: true, ..Style::default() };
    let mut bytes = sample::styled(&vec![b'a'; 100_000], style);
    let at = 5 + usize::from(bytes[4] & 0x20 == 0);
    bytes[at..at + 4].copy_from_slice(&[0xFF; 4]);
    let (source, frame) = only(bytes);
    assert!(frame.is_small());
    let mut decoder = Decoder::new().unwrap();
    assert!(both(&mut decoder, &source, &frame).is_err());
}

#[test]
fn a_run_of_frames_is_read_at_once() {
    let mut bytes = sample::log_of(400);
    bytes[100] = b"garbage".to_vec();
    let last = bytes[200].len() - 1;
    bytes[200][last] ^= 1;
    let big = sample::styled(&vec![b'x'; 3 << 20], Style::default());
    bytes[300] = big;
    let source = MemorySource::new(bytes.concat());
    let frames = frames(&source);
    let mut decoder = Decoder::new().unwrap();
    let mut expected = Vec::new();
    for frame in &frames {
        let mut out = Vec::new();
        let done = decoder.frame_into(&source, frame, &mut out);
        expected.push(done.map(|()| out).map_err(|fault| fault.to_string()));
    }
    assert_eq!(expected.iter().filter(|done| done.is_err()).count(), 2);
    let mut got = Vec::new();
    decoder.frames_into(&source, &frames, &mut |place, done| {
        assert_eq!(place, got.len());
        got.push(done.map(<[u8]>::to_vec).map_err(|fault| fault.to_string()));
        ControlFlow::Continue(())
    });
    assert!(got == expected);
    let mut count = 0;
    decoder.frames_into(&source, &frames, &mut |_, _| {
        count += 1;
        if count == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(count, 7);
}

#[test]
fn a_shortened_file_is_a_fault_of_reading() {
    let bytes = sample::frame(&[b'a'; 5000]);
    let (_, frame) = only(bytes.clone());
    let source = MemorySource::new(bytes[..bytes.len() - 1].to_vec());
    let mut decoder = Decoder::new().unwrap();
    let fault = decoder.frame_into(&source, &frame, &mut Vec::new());
    assert!(matches!(fault, Err(FrameFault::Io(_))));
}

fn torn(decoder: &mut Decoder, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let source = MemorySource::new(bytes.to_vec());
    decoder
        .torn(&source, 0, bytes.len() as u64, &mut |piece| {
            out.extend_from_slice(piece);
            ControlFlow::Continue(())
        })
        .unwrap();
    out
}

#[test]
fn a_torn_frame_yields_its_complete_blocks() {
    let text: Vec<u8> = (0..80_000u32)
        .flat_map(|n| format!("{{\"seq\":{n},\"x\":{}}}\n", n.wrapping_mul(2_654_435_761)).into_bytes())
        .collect();
    let bytes = sample::frame(&text);
    let mut decoder = Decoder::new().unwrap();
    let mut before = 0;
    for cut in (0..bytes.len()).step_by(bytes.len() / 50) {
        let out = torn(&mut decoder, &bytes[..cut]);
        assert!(text.starts_with(&out));
        assert!(out.len() >= before, "more bytes yield no less");
        before = out.len();
    }
    assert!(text.len() - before < 256 << 10);
    assert!(torn(&mut decoder, &bytes) == text);
    assert_eq!(torn(&mut decoder, b"\x28\xB5"), b"");
    assert_eq!(torn(&mut decoder, b"garbage that is no frame"), b"");
}

#[test]
fn the_callback_stops_the_decoder() {
    let (source, frame) = only(sample::frame(&vec![b'x'; 5 << 20]));
    let mut decoder = Decoder::new().unwrap();
    let mut pieces = 0;
    decoder
        .stream(&source, &frame, &mut |_| {
            pieces += 1;
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(pieces, 1);
    assert_eq!(both(&mut decoder, &source, &frame).unwrap().len(), 5 << 20);
}
