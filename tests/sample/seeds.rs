//! Writes what the fuzz targets begin with, from the sample and the cases: `cargo run --example make-seeds [FOLDER]`.
//! A folder of more cases may be named; without one `../shared/cases` is looked for.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Longer seeds make each try slow.
const MOST: usize = 48 << 10;

/// Lines of one type that are worth a seed each.
const MOST_OF_A_TYPE: usize = 6;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let more = std::env::args_os().nth(1).map_or_else(|| root.join("../shared/cases"), PathBuf::from);
    let mut seeds = Seeds { folder: root.join("tests/fuzz/corpus"), ..Seeds::default() };
    let mut files = Vec::new();
    for folder in [root.join("assets/sample"), root.join("tests/cases"), more] {
        find(&folder, &mut files);
    }
    for path in &files {
        seeds.log(path)?;
    }
    for path in ["assets/config.toml", "assets/themes/dark.toml", "assets/themes/mono.toml"] {
        seeds.put("config", &fs::read(root.join(path))?)?;
    }
    seeds
        .put("config", trajview::config::printed::default_file(&trajview::text::locale::Words::english()).as_bytes())?;
    for code in fs::read_to_string(root.join("docs/QUERY.md"))?.split('`').skip(1).step_by(2) {
        seeds.put("query", code.as_bytes())?;
    }
    for step in [1, 7, 31, 101_u8] {
        let bytes: Vec<u8> = (0..=255_u8).map(|at| at.wrapping_mul(step)).collect();
        seeds.put("events", &bytes)?;
    }
    println!("{} seeds in {}", seeds.written.len(), seeds.folder.display());
    Ok(())
}

/// All logs below a folder; a file named twice, as in copies, is one seed.
fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, files);
        } else if path.to_string_lossy().contains(".jsonl") {
            files.push(path);
        }
    }
}

#[derive(Default)]
struct Seeds {
    folder: PathBuf,
    written: BTreeSet<(String, Vec<u8>)>,
    types: std::collections::BTreeMap<String, usize>,
}

impl Seeds {
    fn put(&mut self, target: &str, bytes: &[u8]) -> io::Result<()> {
        let key = (target.to_owned(), bytes.to_vec());
        if bytes.len() > MOST || !self.written.insert(key) {
            return Ok(());
        }
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{}", self.written.len())), bytes)
    }

    fn log(&mut self, path: &Path) -> io::Result<()> {
        let bytes = fs::read(path)?;
        self.put("frames", &bytes)?;
        let mut text = Vec::new();
        if bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            // Of a damaged log what comes before the damage.
            let mut decoder = io::Read::take(zstd::Decoder::new(&bytes[..])?, 8 << 20);
            let _ = io::copy(&mut decoder, &mut text);
        } else {
            text.clone_from(&bytes);
        }
        self.put("lines", &[&[40, 200], &text[..text.len().min(4000)]].concat())?;
        self.put("zip", &archive(path, &bytes)?)?;
        for line in text.split(|byte| *byte == b'\n') {
            self.line(line)?;
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> io::Result<()> {
        let record = serde_json::from_slice::<Value>(line).unwrap_or_default();
        let count = self.types.entry(record["type"].as_str().unwrap_or_default().to_owned()).or_default();
        *count += 1;
        if *count > MOST_OF_A_TYPE {
            return Ok(());
        }
        self.put("records", line)?;
        let is_chunk =
            record["type"].as_str().is_some_and(|kind| kind.ends_with("-chunks") || kind.ends_with("/chunk"));
        let stream = match record["data"]["stream"].as_array() {
            Some(stream) => stream.iter().map(Value::to_string).collect::<Vec<_>>().join(","),
            None if is_chunk => record["data"].to_string(),
            None => return self.put("sanitize", line),
        };
        self.put("streams", stream.as_bytes())
    }
}

/// An export with the log in it, and a child.
fn archive(path: &Path, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in [name.clone(), format!("subagents/kid/{name}")] {
        writer.start_file(entry, SimpleFileOptions::default())?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}
