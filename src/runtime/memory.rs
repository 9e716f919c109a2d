//! The file of what is remembered. Whatever is wrong with it, the program starts: it is then as if nothing was known.

use std::io;
use std::path::Path;

use super::files;
use crate::app::memory::{Memory, Parting};

/// Most bytes of the file: logs with all their folds take less.
const MOST_BYTES: u64 = 16 << 20;

/// Reads it; nothing where it is missing, damaged, or too large.
pub(crate) fn read(path: &Path) -> Memory {
    let bytes = files::read_bounded(path, MOST_BYTES).unwrap_or_default();
    serde_json::from_slice::<Memory>(&bytes).unwrap_or_default().bounded()
}

/// Adds what is to be remembered. The file is read anew: another viewer may have written it meanwhile.
pub(crate) fn note(path: &Path, parting: Parting, unfold: u8) -> io::Result<()> {
    let before = read(path);
    let mut memory = before.clone();
    if let Some(panes) = parting.panes {
        memory.panes = panes;
    }
    if let Some(left) = parting.left {
        memory.take(left, unfold);
    }
    if memory == before {
        return Ok(());
    }
    let bytes = serde_json::to_vec(&memory).map_err(io::Error::other)?;
    files::replace(path, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::memory::{Kept, Left, Panes, Which};

    #[test]
    fn what_was_noted_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trajview/state.json");
        let left = |path: &str| Left {
            log: Which { session: "s".into(), path: path.into() },
            at: Some(Kept { seq: Some(88), ..Kept::default() }),
            query: "type:tool/* \u{1b}".into(),
            marks: vec![('a', Kept { line: Some(3), ..Kept::default() })],
            ..Left::default()
        };
        note(&path, Parting { panes: None, left: Some(left("/a")) }, 0).unwrap();
        let panes = Panes { timeline: Some(40), detail: None };
        note(&path, Parting { panes: Some(panes), left: Some(left("/b")) }, 0).unwrap();
        assert_eq!(read(&path), Memory { panes, logs: vec![left("/a"), left("/b")] });
    }

    #[test]
    fn nothing_to_note_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        note(&path, Parting { panes: None, left: Some(Left::default()) }, 0).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_damaged_or_hostile_file_is_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let deep = "[".repeat(100_000);
        let hostile = [
            "",
            "{",
            "[]",
            "nonsense",
            "\u{0}\u{1b}[31m",
            &deep,
            r#"{"logs":3}"#,
            r#"{"logs":[{"log":null}]}"#,
            r#"{"panes":{"timeline":-1}}"#,
            r#"{"logs":[{"at":{"seq":1e400}}]}"#,
        ];
        for text in hostile {
            std::fs::write(&path, text).unwrap();
            assert_eq!(read(&path), Memory::default(), "{:?}", text.get(..20));
        }
        assert_eq!(read(folder.path()), Memory::default());
        // It is replaced by a good one.
        let panes = Panes { timeline: Some(40), detail: None };
        note(&path, Parting { panes: Some(panes), left: None }, 0).unwrap();
        assert_eq!(read(&path).panes, panes);
    }
}
