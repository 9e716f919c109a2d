//! Where bytes come from: a file read by position, or a buffer in memory.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

/// Bytes that can be read at any position, by several threads at once.
///
/// A source may grow or shrink while it is read: a read past its end gives 0 bytes and no error.
pub trait Source: Send + Sync {
    /// The size in bytes at this moment.
    fn size(&self) -> io::Result<u64>;

    /// Reads at `offset` into `buf` and tells how many bytes came; 0 at or past the end.
    ///
    /// Fewer bytes than asked for do not mean that the end is reached: see [`read_exact_at`].
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize>;
}

/// Fills `buf` from `offset` on; the count is smaller than `buf` only when the source ends there.
pub fn read_exact_at(source: &dyn Source, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buf.len() {
        match source.read_at(offset.saturating_add(filled as u64), &mut buf[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count.min(buf.len() - filled),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// What tells one file from another that later stands under the same path.
///
/// Device and inode number; where the system has none, the time of creation stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileIdentity {
    /// Number of the device (0 where unknown).
    pub dev: u64,
    /// Number of the file on the device.
    pub ino: u64,
}

impl FileIdentity {
    /// The identity of what stands under `path` at this moment, symbolic links followed.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&std::fs::metadata(path)?))
    }

    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { dev: metadata.dev(), ino: metadata.ino() }
    }

    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let since = metadata.created().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        Self { dev: 0, ino: since.map_or(0, |since| since.as_nanos() as u64) }
    }
}

/// A regular file, opened for reading only.
#[derive(Debug)]
pub struct FileSource {
    file: File,
}

impl FileSource {
    /// Opens a regular file.
    ///
    /// A folder, pipe, socket or device is refused with [`io::ErrorKind::InvalidInput`] and a text
    /// that names the thing: opening a pipe could wait for ever, and none of them can be read by
    /// position.
    pub fn open(path: &Path) -> io::Result<Self> {
        regular(&std::fs::metadata(path)?)?;
        let file = File::open(path)?;
        // The path may have been replaced between the two calls.
        regular(&file.metadata()?)?;
        Ok(Self { file })
    }

    /// What tells this file from a later one under the same path.
    pub fn identity(&self) -> io::Result<FileIdentity> {
        Ok(FileIdentity::of(&self.file.metadata()?))
    }

    /// When the file was last written to.
    pub fn modified(&self) -> io::Result<SystemTime> {
        self.file.metadata()?.modified()
    }
}

impl Source for FileSource {
    fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buf, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buf, offset)
    }
}

fn regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("this is {}, not a file", special_name(metadata))))
}

fn special_name(metadata: &Metadata) -> &'static str {
    if metadata.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return "a named pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_block_device() || kind.is_char_device() {
            return "a device";
        }
    }
    "something special"
}

/// Bytes held in memory: standard input, an entry of an archive, a test.
#[derive(Debug, Clone, Default)]
pub struct MemorySource(Vec<u8>);

impl MemorySource {
    /// A source over `bytes`.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Reads everything that `reader` gives, at most `limit` bytes.
    ///
    /// More than that is refused with [`io::ErrorKind::FileTooLarge`].
    pub fn read_from(reader: impl Read, limit: u64) -> io::Result<Self> {
        let mut bytes = Vec::new();
        reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {limit} bytes")));
        }
        Ok(Self(bytes))
    }

    /// All the bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for MemorySource {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Source for MemorySource {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|start| self.0.get(start..)).unwrap_or_default();
        let count = rest.len().min(buf.len());
        buf[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn reads_past_the_end_give_nothing() {
        let source = MemorySource::new(b"abcdef".to_vec());
        let mut buf = [0; 4];
        assert_eq!(read_exact_at(&source, 4, &mut buf).unwrap(), 2);
        assert_eq!(&buf[..2], b"ef");
        assert_eq!(read_exact_at(&source, 6, &mut buf).unwrap(), 0);
        assert_eq!(read_exact_at(&source, u64::MAX, &mut buf).unwrap(), 0);
    }

    #[test]
    fn a_reader_over_the_limit_is_refused() {
        assert!(MemorySource::read_from(&b"abc"[..], 3).is_ok());
        let error = MemorySource::read_from(&b"abcd"[..], 3).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_file_grows_under_the_reader() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, b"one").unwrap();
        let source = FileSource::open(&path).unwrap();
        assert_eq!(source.size().unwrap(), 3);
        let mut file = File::options().append(true).open(&path).unwrap();
        file.write_all(b"two").unwrap();
        assert_eq!(source.size().unwrap(), 6);
        let mut buf = [0; 3];
        assert_eq!(read_exact_at(&source, 3, &mut buf).unwrap(), 3);
        assert_eq!(&buf, b"two");
        assert!(source.modified().is_ok());
    }

    #[test]
    fn a_replaced_file_has_another_identity() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, b"one").unwrap();
        let source = FileSource::open(&path).unwrap();
        assert_eq!(source.identity().unwrap(), FileIdentity::of_path(&path).unwrap());
        let other = folder.path().join("other");
        std::fs::write(&other, b"two").unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert_ne!(source.identity().unwrap(), FileIdentity::of_path(&path).unwrap());
    }

    #[test]
    fn what_is_no_file_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let error = FileSource::open(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert_eq!(error.to_string(), "this is a folder, not a file");
        #[cfg(unix)]
        {
            let error = FileSource::open(Path::new("/dev/null")).unwrap_err();
            assert_eq!(error.to_string(), "this is a device, not a file");
            let path = folder.path().join("socket");
            let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
            let error = FileSource::open(&path).unwrap_err();
            assert_eq!(error.to_string(), "this is a socket, not a file");
        }
        let error = FileSource::open(&folder.path().join("nothing")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
