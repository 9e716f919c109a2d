//! Looks whether a file grew, was cut, replaced or succeeded, without reading more of it than its last bytes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::app::follow::STILL_MS;
use crate::log::source::FileIdentity;
use crate::log::{FileSource, Source, name, read_exact_at, sniff};

/// Bytes before the end that are remembered: a repair that cuts the tail and appends its own records changes them.
const PRINT: usize = 4 << 10;

/// Looks between two looks into the folder for a newer generation: about a second.
const LOOKS_A_FOLDER: u32 = 5;

/// What a look found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    /// Nothing new.
    Same,
    /// It is longer, and what was read is still there.
    Grown,
    /// It is shorter, or its last bytes are others.
    Cut,
    /// Another file stands under the path.
    Replaced,
    /// A newer generation stands beside it.
    Succeeded(PathBuf),
    /// Nothing stands under the path.
    Gone,
}

/// A file that is watched, as it was read.
pub(super) struct Watch {
    path: PathBuf,
    source: Arc<FileSource>,
    identity: FileIdentity,
    /// Bytes that were read.
    size: u64,
    /// The last of them.
    print: Vec<u8>,
    /// When it last grew.
    grew: Instant,
    /// Whole seconds of quiet that were told; `None`: nothing was.
    told: Option<u64>,
    looks: u32,
}

impl Watch {
    /// Begins to watch a file of which nothing was read.
    pub(super) fn new(path: &Path, source: Arc<FileSource>) -> io::Result<Watch> {
        let identity = source.identity()?;
        // A clock that was set back makes the file younger than it is: that is the safe side.
        let age = source.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        let age = age.unwrap_or_default().min(Duration::from_millis(STILL_MS));
        let now = Instant::now();
        let grew = now.checked_sub(age).unwrap_or(now);
        let path = path.to_owned();
        Ok(Watch { path, source, identity, size: 0, print: Vec::new(), grew, told: None, looks: 0 })
    }

    /// Notes that so many bytes were read.
    pub(super) fn remember(&mut self, size: u64) -> io::Result<()> {
        self.print = print(self.source.as_ref(), size)?;
        self.size = size;
        Ok(())
    }

    /// Whether nothing of it was read: it was empty.
    pub(super) fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Notes that the growth was read, up to `size`.
    pub(super) fn read_up_to(&mut self, size: u64) -> io::Result<()> {
        self.remember(size)?;
        self.grew = Instant::now();
        self.told = None;
        Ok(())
    }

    /// Looks at the file.
    pub(super) fn look(&mut self) -> io::Result<Seen> {
        match FileIdentity::of_path(&self.path) {
            Ok(identity) if identity == self.identity => {}
            Ok(_) => return Ok(Seen::Replaced),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Seen::Gone),
            Err(error) => return Err(error),
        }
        let size = self.source.size()?;
        if size < self.size {
            return Ok(Seen::Cut);
        }
        if size > self.size {
            let same = print(self.source.as_ref(), self.size)? == self.print;
            return Ok(if same { Seen::Grown } else { Seen::Cut });
        }
        self.looks = self.looks.wrapping_add(1);
        if self.looks.is_multiple_of(LOOKS_A_FOLDER)
            && let Some(newer) = newer(&self.path)
        {
            return Ok(Seen::Succeeded(newer));
        }
        Ok(Seen::Same)
    }

    /// Milliseconds of quiet, where they are to be told: once a second, and a last time when the file counts as still.
    pub(super) fn quiet_to_tell(&mut self) -> Option<u64> {
        let quiet = u64::try_from(self.grew.elapsed().as_millis()).unwrap_or(u64::MAX);
        let seconds = quiet.min(STILL_MS) / 1000;
        if self.told == Some(seconds) {
            return None;
        }
        self.told = Some(seconds);
        Some(quiet)
    }

    /// Forgets what was told, so that the next look tells it again.
    pub(super) fn tell_again(&mut self) {
        self.told = None;
    }
}

fn print(source: &FileSource, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; size.min(PRINT as u64) as usize];
    let from = size - bytes.len() as u64;
    let filled = read_exact_at(source, from, &mut bytes)?;
    bytes.truncate(filled);
    Ok(bytes)
}

/// The highest generation beside a log whose name tells its own: a file that holds something already.
fn newer(path: &Path) -> Option<PathBuf> {
    let own = name::version_of(path.file_name()?.to_str()?)?;
    let folder = path.parent()?;
    let entries = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    let found = entries.filter_map(Result::ok).filter_map(|entry| {
        let file = entry.file_name();
        let version = name::version_of(file.to_str()?).filter(|version| *version > own)?;
        Some((version, file))
    });
    let (_, file) = found.max()?;
    let path = folder.join(file);
    let source = FileSource::open(&path).ok()?;
    sniff(&source).ok()?.encoding().map(|_| path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn watched(text: &[u8]) -> (tempfile::TempDir, PathBuf, Watch) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        fs::write(&path, text).unwrap();
        let source = Arc::new(FileSource::open(&path).unwrap());
        let mut watch = Watch::new(&path, source).unwrap();
        watch.remember(text.len() as u64).unwrap();
        (folder, path, watch)
    }

    fn append(path: &Path, text: &[u8]) {
        fs::File::options().append(true).open(path).unwrap().write_all(text).unwrap();
    }

    #[test]
    fn growth_is_told_from_a_repair_that_cuts_and_appends() {
        let (_folder, path, mut watch) = watched(b"{\"a\":1}\n{\"to");
        assert_eq!(watch.look().unwrap(), Seen::Same);
        append(&path, b"rn\":1}\n");
        assert_eq!(watch.look().unwrap(), Seen::Grown);
        watch.read_up_to(19).unwrap();
        assert_eq!(watch.look().unwrap(), Seen::Same);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_len(8).unwrap();
        assert_eq!(watch.look().unwrap(), Seen::Cut);
        append(&path, b"{\"recovered\":true,\"and\":\"longer\"}\n");
        assert_eq!(watch.look().unwrap(), Seen::Cut);
    }

    #[test]
    fn another_file_under_the_path_is_noticed_and_so_is_none() {
        let (folder, path, mut watch) = watched(b"{}\n");
        fs::remove_file(&path).unwrap();
        assert_eq!(watch.look().unwrap(), Seen::Gone);
        let other = folder.path().join("other");
        fs::write(&other, b"{}\n").unwrap();
        fs::rename(&other, &path).unwrap();
        assert_eq!(watch.look().unwrap(), Seen::Replaced);
    }

    #[test]
    fn a_newer_generation_is_found_once_it_holds_something() {
        let (folder, _path, mut watch) = watched(b"{}\n");
        let next = folder.path().join("session.v3.jsonl");
        fs::write(&next, b"").unwrap();
        fs::write(folder.path().join("session.v2.notes"), b"{}\n").unwrap();
        let mut look = || (0..LOOKS_A_FOLDER).map(|_| watch.look().unwrap()).find(|seen| *seen != Seen::Same);
        assert_eq!(look(), None);
        fs::write(&next, b"{\"type\":\"session\"}\n").unwrap();
        assert_eq!(look(), Some(Seen::Succeeded(next)));
    }

    #[test]
    fn quiet_is_told_once_a_second() {
        let (_folder, path, mut watch) = watched(b"{}\n");
        assert!(watch.quiet_to_tell().is_some());
        assert_eq!(watch.quiet_to_tell(), None);
        append(&path, b"{}\n");
        watch.read_up_to(6).unwrap();
        assert!(watch.quiet_to_tell().is_some_and(|quiet| quiet < 1000));
    }
}
