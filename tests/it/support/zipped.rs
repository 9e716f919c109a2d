//! ZIP archives written by code: as the harness exports them, and as nobody should.

use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use trajview::log::MemorySource;
use trajview::store::{Store, open_archive};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An archive in the shape of an export: deflated and streamed, so that sizes stand behind the entries.
pub fn exported(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new_stream(Vec::new());
    for (name, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*name, options).expect("an entry begins");
        writer.write_all(bytes).expect("memory takes it");
    }
    writer.finish().expect("the archive ends").into_inner()
}

/// One entry of an archive written by hand.
#[derive(Debug, Clone)]
pub struct RawEntry {
    pub name: Vec<u8>,
    /// Bytes as they stand in the archive.
    pub stored: Vec<u8>,
    /// 0 stored, 8 deflated.
    pub method: u16,
    pub flags: u16,
    pub crc: u32,
    /// Length that is claimed for the text.
    pub size: u32,
}

impl RawEntry {
    /// A sound entry, deflated.
    pub fn new(name: &[u8], text: &[u8]) -> RawEntry {
        let archive = exported(&[("x", text)]);
        let mut archive = ZipArchive::new(Cursor::new(archive)).expect("our own archive");
        let mut entry = archive.by_index_raw(0).expect("our own entry");
        let mut stored = Vec::new();
        entry.read_to_end(&mut stored).expect("memory can be read");
        let crc = entry.crc32();
        RawEntry { name: name.to_vec(), stored, method: 8, flags: 0, crc, size: text.len() as u32 }
    }

    fn fields(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(self.flags.to_le_bytes());
        out.extend(self.method.to_le_bytes());
        out.extend([0; 4]);
        out.extend(self.crc.to_le_bytes());
        out.extend((self.stored.len() as u32).to_le_bytes());
        out.extend(self.size.to_le_bytes());
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend([0; 2]);
        out
    }
}

/// An archive of such entries. `shared`: entries that stand at the place of the first one.
pub fn by_hand(entries: &[RawEntry], shared: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut places = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 && at <= shared {
            places.push(places[0]);
            continue;
        }
        places.push(out.len() as u32);
        out.extend(b"PK\x03\x04\x14\0");
        out.extend(entry.fields());
        out.extend(&entry.name);
        out.extend(&entry.stored);
    }
    let from = out.len();
    for (entry, place) in entries.iter().zip(&places) {
        out.extend(b"PK\x01\x02\x14\0\x14\0");
        out.extend(entry.fields());
        out.extend([0; 10]);
        out.extend(place.to_le_bytes());
        out.extend(&entry.name);
    }
    let (count, len) = (entries.len() as u16, (out.len() - from) as u32);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(len.to_le_bytes());
    out.extend((from as u32).to_le_bytes());
    out.extend([0; 2]);
    out
}

/// Bytes of the record that ends an archive without a comment.
const END: usize = 22;

/// The same archive with another number of entries in the record at its end.
pub fn counting(mut archive: Vec<u8>, entries: u16) -> Vec<u8> {
    let end = archive.len() - END;
    archive[end + 8..end + 10].copy_from_slice(&entries.to_le_bytes());
    archive[end + 10..end + 12].copy_from_slice(&entries.to_le_bytes());
    archive
}

/// The same archive with a comment.
pub fn commented(mut archive: Vec<u8>, comment: &[u8]) -> Vec<u8> {
    let at = archive.len() - 2;
    archive[at..].copy_from_slice(&(comment.len() as u16).to_le_bytes());
    archive.extend(comment);
    archive
}

/// The same archive with a zip64 end that claims so many entries, and a list of so many bytes at a place.
pub fn with_zip64(archive: &[u8], entries: u64, len: u64, place: u64) -> Vec<u8> {
    let (body, end) = archive.split_at(archive.len() - END);
    let mut out = body.to_vec();
    let at = out.len() as u64;
    out.extend(b"PK\x06\x06");
    out.extend(44_u64.to_le_bytes());
    out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for claimed in [entries, entries, len, place] {
        out.extend(claimed.to_le_bytes());
    }
    out.extend(b"PK\x06\x07\0\0\0\0");
    out.extend(at.to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    out.extend(&end[..8]);
    out.extend([0xff; 12]);
    out.extend([0; 2]);
    out
}

/// What is found in an archive.
pub fn look_into(bytes: &[u8]) -> std::io::Result<Store> {
    open_archive(Arc::new(MemorySource::new(bytes.to_vec())), Path::new("dsh-session-x.zip"))
}
