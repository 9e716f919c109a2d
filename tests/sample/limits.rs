//! Writes one of the inputs of docs/LIMITS.md: `cargo run --release --example make-limits NAME PATH [COUNT]`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use zstd::stream::Encoder;

/// What can be made, with the count that docs/LIMITS.md speaks of.
const INPUTS: [(&str, Make, u64); 10] = [
    ("zeros", zeros, 8192),
    ("long-line", long_line, 520),
    ("events", events, 10_000_000),
    ("frames", frames, 115_000),
    ("window", window, 31),
    ("nesting", nesting, 1_000_000),
    ("header", header, 64),
    ("names", names, 1_000_000),
    ("sessions", sessions, 100_000),
    ("zip", zip, 1000),
];

type Make = fn(&Path, u64) -> io::Result<()>;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let known = |name: &String| INPUTS.iter().find(|(known, ..)| known == name);
    let (Some((_, make, usual)), Some(path)) = (args.first().and_then(known), args.get(1)) else {
        println!("make-limits NAME PATH [COUNT], NAME one of:");
        for (name, _, count) in INPUTS {
            println!("  {name} (COUNT {count})");
        }
        return Ok(());
    };
    let count = args.get(2).and_then(|count| count.parse().ok()).unwrap_or(*usual);
    make(Path::new(path), count)
}

const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"id\":\"session-limits\",\"createdAt\":1790000000000,\
                      \"cwd\":\"/srv/demo-app\",\"delegationDepth\":0}\n";

fn file(path: &Path) -> io::Result<BufWriter<File>> {
    Ok(BufWriter::with_capacity(1 << 20, File::create(path)?))
}

fn frame(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::new(), 1)?;
    encoder.include_checksum(true)?;
    encoder.write_all(text)?;
    encoder.finish()
}

fn event(kind: &str, seq: u64, data: &str) -> String {
    let time = 1_790_000_000_000 + seq;
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":{time},\"data\":{data}}}\n")
}

/// A frame whose blocks, 4 bytes each, stand for 128 KiB of zeros each.
fn zeros(path: &Path, blocks: u64) -> io::Result<()> {
    let mut out = file(path)?;
    out.write_all(&frame(HEADER.as_bytes())?)?;
    // Magic, no checksum and no size, a window of 8 MiB.
    out.write_all(&[0x28, 0xB5, 0x2F, 0xFD, 0, 13 << 3])?;
    for block in 0..blocks {
        let head = (128 << 10 << 3) | (1 << 1) | u32::from(block + 1 == blocks);
        out.write_all(&head.to_le_bytes()[..3])?;
        out.write_all(&[0])?;
    }
    out.flush()
}

/// A plain log with a result of so many MiB in one line.
fn long_line(path: &Path, mib: u64) -> io::Result<()> {
    let mut out = file(path)?;
    out.write_all(HEADER.as_bytes())?;
    out.write_all(event("turn/start", 0, "{\"turn\":1}").as_bytes())?;
    out.write_all(
        b"{\"type\":\"user/message\",\"seq\":1,\"time\":1790000000001,\"surfaceOp\":\"append\",\"data\":{\"id\":\"u\",\
                    \"role\":\"user\",\"source\":{\"kind\":\"user\"},\"content\":[{\"type\":\"text\",\"text\":\"",
    )?;
    let text = vec![b'x'; 1 << 20];
    for _ in 0..mib {
        out.write_all(&text)?;
    }
    out.write_all(b"\"}]}}\n")?;
    out.write_all(event("turn/end", 2, "{\"turn\":1,\"reason\":{\"kind\":\"completed\"}}").as_bytes())?;
    out.flush()
}

/// Events in frames of a hundred.
fn events(path: &Path, count: u64) -> io::Result<()> {
    in_frames(path, count, 100)
}

/// Frames of one event each.
fn frames(path: &Path, count: u64) -> io::Result<()> {
    in_frames(path, count, 1)
}

fn in_frames(path: &Path, count: u64, each: u64) -> io::Result<()> {
    let mut out = file(path)?;
    out.write_all(&frame(HEADER.as_bytes())?)?;
    let mut text = String::new();
    for seq in 0..count {
        let turn = 1 + seq / 100;
        text += &match seq % 100 {
            0 => event("turn/start", seq, &format!("{{\"turn\":{turn}}}")),
            99 => event("turn/end", seq, &format!("{{\"turn\":{turn},\"reason\":{{\"kind\":\"completed\"}}}}")),
            // Each is a change of state, which is kept.
            at => event("sandbox/mode", seq, &format!("{{\"mode\":\"mode-{at}\"}}")),
        };
        if (seq + 1) % each == 0 || seq + 1 == count {
            out.write_all(&frame(text.as_bytes())?)?;
            text.clear();
        }
    }
    out.flush()
}

/// A frame of 3 MB that states a window of two to this power.
fn window(path: &Path, log: u64) -> io::Result<()> {
    let mut text = String::from(HEADER);
    for seq in 0..40_000 {
        text += &event("sandbox/mode", seq, "{\"mode\":\"read-only\"}");
    }
    let mut bytes = frame(text.as_bytes())?;
    // Behind magic and descriptor, as long as the frame does not state its size.
    bytes[5] = ((log - 10) << 3) as u8;
    fs::write(path, bytes)
}

/// A line of brackets, so deep.
fn nesting(path: &Path, depth: u64) -> io::Result<()> {
    let brackets = "[".repeat(depth as usize) + &"]".repeat(depth as usize);
    fs::write(path, [HEADER, &event("acme/deep", 0, &format!("{{\"x\":{brackets}}}"))].concat())
}

/// A header with a folder of so many MiB.
fn header(path: &Path, mib: u64) -> io::Result<()> {
    let folder = "/srv/demo-app".to_owned() + &"/x".repeat(mib as usize * (1 << 19));
    fs::write(path, [&HEADER.replace("/srv/demo-app", &folder), &event("turn/start", 0, "{\"turn\":1}")[..]].concat())
}

/// So many types, tools and callIds, all different.
fn names(path: &Path, count: u64) -> io::Result<()> {
    let mut out = file(path)?;
    out.write_all(HEADER.as_bytes())?;
    out.write_all(event("turn/start", 0, "{\"turn\":1}").as_bytes())?;
    out.write_all(event("step/start", 1, "{\"turn\":1,\"step\":1}").as_bytes())?;
    for at in 0..count {
        let call =
            format!("{{\"turn\":1,\"step\":1,\"callId\":\"call_{at}\",\"name\":\"tool_{at}\",\"arguments\":\"{{}}\"}}");
        out.write_all(event("tool/call", 2 + 2 * at, &call).as_bytes())?;
        out.write_all(event(&format!("acme/type-{at}"), 3 + 2 * at, "{}").as_bytes())?;
    }
    out.flush()
}

/// A store of so many sessions in a hundred projects.
fn sessions(path: &Path, count: u64) -> io::Result<()> {
    for at in 0..count {
        let folder = path.join(format!("--srv-demo-{}--/session-{at:06}", at % 100));
        fs::create_dir_all(&folder)?;
        let header = HEADER
            .replace("session-limits", &format!("session-{at:06}"))
            .replace("demo-app", &format!("demo-{}", at % 100));
        fs::write(folder.join("session.jsonl"), header + &event("turn/start", 0, "{\"turn\":1}"))?;
    }
    Ok(())
}

/// An archive whose entries all stand for the same bytes, and claim sizes that are none.
fn zip(path: &Path, entries: u64) -> io::Result<()> {
    let mut text = HEADER.as_bytes().to_vec();
    text.resize(64 << 20, b'0');
    let mut made = ::zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    made.start_file("session.jsonl", ::zip::write::SimpleFileOptions::default())?;
    made.write_all(&text)?;
    let made = made.finish()?.into_inner();
    let mut made = ::zip::ZipArchive::new(io::Cursor::new(made))?;
    let mut entry = made.by_index_raw(0)?;
    let crc = entry.crc32();
    let mut stored = Vec::new();
    io::copy(&mut entry, &mut stored)?;
    let fields = |name: &str, size: u32| {
        let mut out = vec![0, 0, 8, 0, 0, 0, 0, 0];
        out.extend(crc.to_le_bytes());
        out.extend((stored.len() as u32).to_le_bytes());
        out.extend(size.to_le_bytes());
        out.extend((name.len() as u16).to_le_bytes());
        out.extend([0; 2]);
        out
    };
    let mut out = b"PK\x03\x04\x14\0".to_vec();
    out.extend(fields("session.jsonl", text.len() as u32));
    out.extend(b"session.jsonl");
    out.extend(&stored);
    let from = out.len();
    for at in 0..entries {
        let name = if at == 0 { "session.jsonl".to_owned() } else { format!("subagents/kid-{at}/session.jsonl") };
        out.extend(b"PK\x01\x02\x14\0\x14\0");
        out.extend(fields(&name, if at % 2 == 0 { 7 } else { u32::MAX - 1 }));
        out.extend([0; 14]);
        out.extend(name.as_bytes());
    }
    let len = out.len() - from;
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([(entries as u16).to_le_bytes(), (entries as u16).to_le_bytes()].concat());
    out.extend([(len as u32).to_le_bytes(), (from as u32).to_le_bytes()].concat());
    out.extend([0; 2]);
    fs::write(path, out)
}
