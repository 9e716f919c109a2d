use super::*;
use crate::log::kept::Keeper;
use crate::log::sample;
use crate::log::source::MemorySource;

const TEXT: &[u8] = b"{\"seq\":0}\n{\"seq\":1}\n{\"seq\":2}\n";

fn reader(bytes: Vec<u8>, cache: usize) -> BlockReader {
    BlockReader::new(Arc::new(MemorySource::new(bytes)), cache)
}

fn kept(text: &[u8]) -> BlockAddress {
    BlockAddress::Kept(Arc::new(Keeper::new().unwrap().keep(text).unwrap()))
}

#[test]
fn each_address_gives_its_text() {
    let frame = sample::frame(TEXT);
    let bytes = [&b"some plain text"[..], &frame, &frame[..frame.len() - 1]].concat();
    let torn = 15 + frame.len() as u64;
    let len = frame.len() as u64;
    let at = |skip, take| BlockAddress::Frame { offset: 15, len, skip, take };
    let mut reader = reader(bytes, 1 << 20);
    let table = [
        (at(0, 30), TEXT),
        (at(10, 10), &TEXT[10..20]),
        (at(30, 0), b""),
        (BlockAddress::Plain { offset: 5, len: 5 }, b"plain"),
        (BlockAddress::Torn { offset: torn, len: len - 1 }, TEXT),
        (kept(b"kept text"), b"kept text"),
    ];
    for _ in 0..3 {
        for (address, text) in &table {
            assert_eq!(&reader.block(address).unwrap()[..], *text, "{address:?}");
        }
    }
    assert_eq!(reader.decoded_blocks(), table.len() as u64);
    reader.clear();
    assert_eq!(reader.cached_bytes(), 0);
}

#[test]
fn parts_of_a_large_frame_are_decoded_no_further_than_needed() {
    let text: Vec<u8> = (0..3_000_000u32).flat_map(|n| (n / 3).to_le_bytes()).collect();
    let frame = sample::frame(&text);
    let len = frame.len() as u64;
    let mut reader = reader(frame, 0);
    for (skip, take) in [(0u64, 5u64), (131_070, 7), (11_000_000, 1_000_000), (12_000_000, 0)] {
        let address = BlockAddress::Frame { offset: 0, len, skip, take };
        let expected = &text[skip as usize..(skip + take) as usize];
        assert!(&reader.block(&address).unwrap()[..] == expected);
    }
}

#[test]
fn a_rewritten_file_is_an_error() {
    let frame = sample::frame(TEXT);
    let len = frame.len() as u64;
    let mut reader = reader(frame, 1 << 20);
    let stale = [
        BlockAddress::Frame { offset: 0, len, skip: 25, take: 10 },
        BlockAddress::Frame { offset: 0, len: len - 1, skip: 0, take: 10 },
        BlockAddress::Frame { offset: 1, len, skip: 0, take: 10 },
        BlockAddress::Frame { offset: u64::MAX, len, skip: 0, take: u64::MAX },
        BlockAddress::Plain { offset: len - 1, len: 2 },
        BlockAddress::Plain { offset: 0, len: u64::MAX },
    ];
    for address in stale {
        let error = reader.block(&address).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{address:?}");
    }
}

#[test]
fn the_cache_keeps_what_was_used_last() {
    let blocks: Vec<_> = (0..5u8).map(|n| kept(&[n; 1000])).collect();
    let mut reader = reader(Vec::new(), 3 * (1000 + ENTRY));
    for block in &blocks[..3] {
        reader.block(block).unwrap();
    }
    reader.block(&blocks[0]).unwrap();
    reader.block(&blocks[3]).unwrap();
    assert_eq!(reader.decoded_blocks(), 4);
    reader.block(&blocks[0]).unwrap();
    reader.block(&blocks[2]).unwrap();
    assert_eq!(reader.decoded_blocks(), 4);
    reader.block(&blocks[1]).unwrap();
    assert_eq!(reader.decoded_blocks(), 5);
    assert!(reader.cached_bytes() <= 3 * (1000 + ENTRY));
    // Larger than the cache: given, not kept, and nothing is dropped for it.
    let large = kept(&[7; 5000]);
    reader.block(&large).unwrap();
    reader.block(&large).unwrap();
    assert_eq!(reader.decoded_blocks(), 7);
    reader.block(&blocks[1]).unwrap();
    assert_eq!(reader.decoded_blocks(), 7);
}
