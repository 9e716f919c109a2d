//! Names of entries → names of folders and files, or why one is neither.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

/// Parts of a name, at most: an export has five.
const MOST_PARTS: usize = 64;

/// A name as a place in the tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// Folder by folder; the last part is the entry's own.
    Good(Vec<OsString>),
    /// No file could have it, and why.
    Bad(&'static str),
}

/// Reads the name of an entry; that of a folder ends in a slash.
pub(super) fn name_of(raw: &[u8], is_folder: bool) -> Name {
    let name = if is_folder { raw.strip_suffix(b"/").unwrap_or(raw) } else { raw };
    if name.is_empty() {
        return Name::Bad("an entry without a name");
    }
    if name.contains(&0) {
        return Name::Bad("its name holds a NUL");
    }
    if name.starts_with(b"/") {
        return Name::Bad("its name is an absolute path");
    }
    let mut parts = Vec::new();
    for part in name.split(|byte| *byte == b'/') {
        match part {
            b"" => return Name::Bad("its name has an empty part"),
            b"." | b".." => return Name::Bad("its name leads out of its folder"),
            _ if parts.len() == MOST_PARTS => return Name::Bad("its name has too many parts"),
            _ => {}
        }
        let part = os_text(part);
        if !is_one_name(&part) {
            return Name::Bad("its name is a path of its own");
        }
        parts.push(part);
    }
    Name::Good(parts)
}

/// Whether the system too takes a part for one name: on some a backslash or a colon parts names.
fn is_one_name(part: &OsStr) -> bool {
    let mut components = Path::new(part).components();
    matches!(components.next(), Some(Component::Normal(name)) if name == part) && components.next().is_none()
}

#[cfg(unix)]
pub(super) fn os_text(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
pub(super) fn os_text(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let good = |parts: &[&str]| Name::Good(parts.iter().map(OsString::from).collect());
        for (raw, is_folder, expected) in [
            (&b"session.jsonl"[..], false, good(&["session.jsonl"])),
            (b"media/sha256:00.png", false, good(&["media", "sha256:00.png"])),
            (b"subagents/a/session.jsonl", false, good(&["subagents", "a", "session.jsonl"])),
            (b"subagents/", true, good(&["subagents"])),
            (b"...", false, good(&["..."])),
        ] {
            assert_eq!(name_of(raw, is_folder), expected);
        }
    }

    #[test]
    fn names_that_no_file_has_are_refused() {
        let deep = "a/".repeat(80) + "b";
        for raw in
            [&b""[..], b"/", b"/etc/passwd", b"../x", b"a/../../x", b"a/./b", b"a//b", b"a\0b", b"..", deep.as_bytes()]
        {
            assert!(matches!(name_of(raw, false), Name::Bad(_)), "{raw:?}");
        }
    }
}
