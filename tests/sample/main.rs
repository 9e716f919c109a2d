//! Writes `assets/sample/session.v4.jsonl.zstd`: `cargo run --example make-sample`.

mod scribe;
mod story;

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample/session.v4.jsonl.zstd");
    let mut bytes = Vec::new();
    for frame in story::frames() {
        bytes.extend(compressed(&frame)?);
    }
    std::fs::write(path, bytes)
}

/// A frame with a checksum, as the harness writes them.
fn compressed(text: &str) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 0)?;
    encoder.include_checksum(true)?;
    std::io::Write::write_all(&mut encoder, text.as_bytes())?;
    encoder.finish()
}
