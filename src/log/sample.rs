//! Writes compressed logs for tests, good and damaged ones.

use zstd::zstd_safe::{CCtx, CParameter};

use super::frames::MAGIC;

/// How a frame is written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    pub(crate) checksum: bool,
    pub(crate) content_size: bool,
    /// Logarithm of the window; 0 leaves it to the compressor.
    pub(crate) window_log: u32,
}

/// A frame as the harness writes it: with checksum, without the size of its content.
pub(crate) fn frame(text: &[u8]) -> Vec<u8> {
    let style = Style { checksum: true, ..Style::default() };
    styled(text, style)
}

/// A frame in another style.
pub(crate) fn styled(text: &[u8], style: Style) -> Vec<u8> {
    let mut context = CCtx::create();
    let set = [
        CParameter::ChecksumFlag(style.checksum),
        CParameter::ContentSizeFlag(style.content_size),
        CParameter::CompressionLevel(3),
    ];
    for parameter in set {
        context.set_parameter(parameter).unwrap();
    }
    if style.window_log > 0 {
        context.set_parameter(CParameter::WindowLog(style.window_log)).unwrap();
    }
    let mut out = Vec::with_capacity(zstd::zstd_safe::compress_bound(text.len()));
    context.compress2(&mut out, text).unwrap();
    out
}

/// A block of a frame written by hand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Block<'a> {
    /// Bytes as they are.
    Raw(&'a [u8]),
    /// So many times the same byte.
    Repeat(u8, u32),
    /// The type that nothing has.
    Reserved(u32),
}

/// A frame without checksum, block by block, with a window of `1 << window_log` bytes.
pub(crate) fn by_hand(window_log: u8, blocks: &[Block<'_>]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend([0, (window_log - 10) << 3]);
    for (place, block) in blocks.iter().enumerate() {
        let last = u32::from(place + 1 == blocks.len());
        let (kind, size) = match block {
            Block::Raw(bytes) => (0, bytes.len() as u32),
            Block::Repeat(_, count) => (1, *count),
            Block::Reserved(size) => (3, *size),
        };
        out.extend(&(size << 3 | kind << 1 | last).to_le_bytes()[..3]);
        match block {
            Block::Raw(bytes) => out.extend(*bytes),
            Block::Repeat(byte, _) => out.push(*byte),
            Block::Reserved(_) => {}
        }
    }
    out
}

/// A skippable frame around `bytes`.
pub(crate) fn skippable(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x53, 0x2A, 0x4D, 0x18];
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
    out
}

/// A small log: a header frame and frames of a few lines that do not compress away.
pub(crate) fn log_of(frames: usize) -> Vec<Vec<u8>> {
    let mut state: u32 = 1;
    (0..frames)
        .map(|number| {
            let mut text = Vec::new();
            for line in 0..if number == 0 { 1 } else { 1 + number % 3 } {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let line = format!("{{\"seq\":{number},\"line\":{line},\"text\":\"{state:08x}\"}}\n");
                text.extend(line.into_bytes());
            }
            frame(&text)
        })
        .collect()
}
