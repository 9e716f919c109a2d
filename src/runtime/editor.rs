//! The editor of the user, on a private file, with the terminal given back meanwhile.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::files::create_private;

/// Names tried for a file before giving up.
const MOST_NAMES: u32 = 100;

/// The editor as the environment names it: program and arguments; `None` where it names none.
pub(crate) fn named() -> Option<Vec<String>> {
    let value = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|text| !text.trim().is_empty()));
    let words: Vec<String> = value?.split_whitespace().map(str::to_owned).collect();
    (!words.is_empty()).then_some(words)
}

/// Runs the editor on a text and waits for it. The file is for the user alone, and is removed whatever happens.
pub(crate) fn edit(editor: &[String], text: &[u8]) -> io::Result<()> {
    let (program, arguments) = editor.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = std::env::temp_dir();
    let stem = format!("trajview-{}", std::process::id());
    let path = write_new(&folder, &stem, text)?;
    let ended = Command::new(program).args(arguments).arg(&path).status();
    let removed = fs::remove_file(&path);
    ended?;
    removed
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

    #[cfg(unix)]
    #[test]
    fn the_file_is_private_and_gone_afterwards() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        let editor = folder.path().join("editor.sh");
        fs::write(&editor, format!("cp -p \"$1\" {}\n", copy.display())).unwrap();
        edit(&["sh".to_owned(), editor.display().to_string()], b"text").unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"text");
        assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
        let missing = edit(&["/no/such/editor".to_owned()], b"text");
        assert!(missing.is_err());
    }
}
