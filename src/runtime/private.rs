//! Files that the program writes for the user: reports that stay, and private ones that go.
//!
//! A private file lies in a folder of its own that only the user can enter. It is removed when it is dropped; where the
//! program ends without dropping it (a signal while the loop hangs, a panic) [`remove_all`] does it, which works from any
//! thread since what is to be removed is remembered in one static.

use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::files::create_private;

/// Names tried for a file or folder before giving up.
const MOST_NAMES: u32 = 100;

/// Folders of private files that are there.
static PRIVATE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file for the user alone, in a folder for the user alone. Dropping it removes both, with whatever an editor left
/// beside the file.
#[derive(Debug)]
pub(crate) struct PrivateFile {
    folder: PathBuf,
    path: PathBuf,
}

impl PrivateFile {
    /// Writes a text into a private file of this name below the folder for temporary files.
    pub(crate) fn write(name: &str, text: &[u8]) -> io::Result<PrivateFile> {
        PrivateFile::write_below(&std::env::temp_dir(), name, text)
    }

    fn write_below(parent: &Path, name: &str, text: &[u8]) -> io::Result<PrivateFile> {
        let folder = private_folder(parent)?;
        let file = PrivateFile { path: folder.join(name), folder };
        create_private(&file.path)?.write_all(text)?;
        Ok(file)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        lock().retain(|folder| *folder != self.folder);
    }
}

/// Removes every private file that is there.
pub(crate) fn remove_all() {
    for folder in lock().drain(..) {
        let _ = fs::remove_dir_all(folder);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    PRIVATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes folders that only the user can enter.
#[cfg(unix)]
fn own_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Makes folders; those in the folder for temporary files are the user's own on such systems.
#[cfg(not(unix))]
fn own_folder() -> DirBuilder {
    DirBuilder::new()
}

/// Makes a folder that was not there, and remembers it.
fn private_folder(parent: &Path) -> io::Result<PathBuf> {
    // Held from before the folder is there: a signal in between finds it.
    let mut known = lock();
    for _ in 0..MOST_NAMES {
        // The seed of a hasher is random. That the folder did not exist before is what keeps others out; a name that
        // cannot be guessed keeps them from taking it first.
        let nonce = RandomState::new().hash_one(std::process::id());
        let folder = parent.join(format!("trajview-{nonce:016x}"));
        match own_folder().create(&folder) {
            Ok(()) => {
                known.push(folder.clone());
                return Ok(folder);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Writes a text into a file that is not there yet: `STEM.md`, else `STEM-2.md` and so on. Only the user can read it.
pub(crate) fn write_new(folder: &Path, stem: &str, text: &[u8]) -> io::Result<PathBuf> {
    for n in 1..=MOST_NAMES {
        let name = if n == 1 { format!("{stem}.md") } else { format!("{stem}-{n}.md") };
        let path = folder.join(name);
        match create_private(&path) {
            Ok(mut file) => {
                return match file.write_all(text) {
                    Ok(()) => Ok(path),
                    Err(error) => {
                        let _ = fs::remove_file(&path);
                        Err(error)
                    }
                };
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let one = write_new(folder.path(), "report", b"one").unwrap();
        let two = write_new(folder.path(), "report", b"two").unwrap();
        assert_ne!(one, two);
        assert_eq!((fs::read(&one).unwrap(), fs::read(&two).unwrap()), (b"one".to_vec(), b"two".to_vec()));
    }

    #[test]
    fn a_private_file_goes_with_what_an_editor_left_beside_it() {
        let parent = tempfile::tempdir().unwrap();
        let file = PrivateFile::write_below(parent.path(), "value.json", b"text").unwrap();
        assert_eq!(fs::read(file.path()).unwrap(), b"text");
        fs::write(file.path().with_extension("json~"), b"old").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_and_its_folder_are_for_the_user_alone() {
        use std::os::unix::fs::PermissionsExt;

        let parent = tempfile::tempdir().unwrap();
        let file = PrivateFile::write_below(parent.path(), "value.json", b"text").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(file.path()), mode(&file.folder)), (0o600, 0o700));
    }
}
