//! Files of a store that are no logs of it: named, counted, left alone.

use std::path::{Path, PathBuf};

use super::directory::Directory;
use crate::log::{Content, sniff};

/// A file below the root that is no log directly in a session folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherFile {
    /// Its path, the root's included.
    pub path: PathBuf,
    /// What it is, by its name and place.
    pub kind: OtherKind,
    /// Its bytes, where that was asked for; of an entry of an archive always.
    pub size: Option<u64>,
}

/// What a file is that is no log of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OtherKind {
    /// `session.lock`: the lock of a writer, which stays after use.
    Lock,
    /// `session….jsonl[.zstd].<hex>.tmp`: left by a writer that crashed.
    WriterTemporary,
    /// `session.migration.<hex>.jsonl[.zstd].tmp`: left by a migration that crashed.
    MigrationTemporary,
    /// `….bak…`: a copy that somebody made.
    Backup,
    /// `<id>.jsonl[.zstd]` in a project folder: the layout of early builds, which the harness refuses.
    FlatLog,
    /// A log by its name, in a folder that is not that of a session.
    StrayLog,
    /// `….jsonl[.zstd]` in a session folder, by a name that is not canonical: `session.v02.jsonl`.
    OddLogName,
    /// An `SQLite` store or database.
    Sqlite,
    /// A ZIP archive.
    Zip,
    /// A file that an export carries along: a picture or another attachment.
    Attachment,
    /// A pipe, socket or device.
    Special,
    /// Anything else.
    Unknown,
}

/// Where a file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Directly in a folder that holds sessions.
    Project,
    /// Directly in a session folder.
    Session,
    /// Elsewhere.
    Elsewhere,
}

impl OtherKind {
    /// What a name at a place tells.
    pub(super) fn of(name: &[u8], place: Place) -> OtherKind {
        let lower = name.to_ascii_lowercase();
        let ends = |end: &str| lower.ends_with(end.as_bytes());
        if name == b"session.lock" {
            OtherKind::Lock
        } else if name.starts_with(b"session.migration.") && ends(".tmp") {
            OtherKind::MigrationTemporary
        } else if name.starts_with(b"session.") && ends(".tmp") {
            OtherKind::WriterTemporary
        } else if memchr::memmem::find(&lower, b".bak").is_some() || ends("~") {
            OtherKind::Backup
        } else if ends(".jsonl") || ends(".jsonl.zstd") || ends(".jsonl.zst") {
            match place {
                Place::Project => OtherKind::FlatLog,
                Place::Session => OtherKind::OddLogName,
                Place::Elsewhere => OtherKind::StrayLog,
            }
        } else if [".db", ".sqlite", ".sqlite3", ".db-wal", ".db-shm", ".sqlite-wal", ".sqlite-shm"]
            .iter()
            .any(|end| ends(end))
        {
            OtherKind::Sqlite
        } else if ends(".zip") {
            OtherKind::Zip
        } else {
            OtherKind::Unknown
        }
    }

    /// What the name of a file alone tells, wherever it lies.
    #[must_use]
    pub fn of_path(path: &Path) -> OtherKind {
        OtherKind::of(file_name(path), Place::Elsewhere)
    }

    /// Whether it may be a log that a person can open by hand.
    #[must_use]
    pub fn may_be_log(self) -> bool {
        match self {
            OtherKind::WriterTemporary
            | OtherKind::MigrationTemporary
            | OtherKind::Backup
            | OtherKind::FlatLog
            | OtherKind::StrayLog
            | OtherKind::OddLogName
            | OtherKind::Zip
            | OtherKind::Unknown => true,
            OtherKind::Lock | OtherKind::Sqlite | OtherKind::Attachment | OtherKind::Special => false,
        }
    }
}

impl OtherFile {
    /// What it is by its content, where its name does not tell; reads its first bytes.
    pub fn look(&self, directory: &dyn Directory) -> std::io::Result<OtherKind> {
        if !matches!(self.kind, OtherKind::Unknown | OtherKind::Sqlite | OtherKind::Zip) {
            return Ok(self.kind);
        }
        Ok(match sniff(directory.open(&self.path)?.as_ref())? {
            Content::Sqlite => OtherKind::Sqlite,
            Content::Zip => OtherKind::Zip,
            Content::Empty | Content::Zstd | Content::Plain | Content::Gzip | Content::Other(_) => OtherKind::Unknown,
        })
    }

    /// The type that its name tells, as the harness writes names of attachments; `None` for others.
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        let end = self.path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match end.as_str() {
            "png" => "image/png",
            "jpg" | "jpeg" => "image/jpeg",
            "webp" => "image/webp",
            "gif" => "image/gif",
            "svg" => "image/svg+xml",
            "pdf" => "application/pdf",
            "json" => "application/json",
            "txt" | "log" | "md" => "text/plain",
            _ => return None,
        })
    }

    /// Its name without the folder.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        file_name(&self.path)
    }
}

/// The last part of a path; empty where there is none.
pub(super) fn file_name(path: &Path) -> &[u8] {
    path.file_name().map(std::ffi::OsStr::as_encoded_bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_file_is() {
        for (name, place, kind) in [
            ("session.lock", Place::Session, OtherKind::Lock),
            ("session.jsonl.zstd.0123456789ab.tmp", Place::Session, OtherKind::WriterTemporary),
            ("session.migration.0123456789abcdef.jsonl.zstd.tmp", Place::Session, OtherKind::MigrationTemporary),
            ("session.jsonl.zstd.bak", Place::Session, OtherKind::Backup),
            ("session.jsonl.bak2", Place::Session, OtherKind::Backup),
            ("session-1.jsonl", Place::Project, OtherKind::FlatLog),
            ("session.v02.jsonl.zstd", Place::Session, OtherKind::OddLogName),
            ("session.jsonl", Place::Elsewhere, OtherKind::StrayLog),
            ("sessions.db", Place::Elsewhere, OtherKind::Sqlite),
            ("dsh-session-1.zip", Place::Elsewhere, OtherKind::Zip),
            ("notes.txt", Place::Session, OtherKind::Unknown),
            ("", Place::Session, OtherKind::Unknown),
        ] {
            assert_eq!(OtherKind::of(name.as_bytes(), place), kind, "{name}");
        }
    }

    #[test]
    fn content_tells_what_a_name_leaves_open() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes, kind) in [
            ("notes", &b"SQLite format 3\0rest"[..], OtherKind::Sqlite),
            ("a.db", b"text", OtherKind::Unknown),
            ("export", b"PK\x03\x04rest", OtherKind::Zip),
            ("session.lock", b"PK\x03\x04rest", OtherKind::Lock),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let file = OtherFile { path, kind: OtherKind::of(name.as_bytes(), Place::Session), size: None };
            assert_eq!(file.look(&super::super::Disk).unwrap(), kind, "{name}");
            assert_eq!(file.name(), name.as_bytes());
        }
    }
}
