//! How a store names its folders and logs (docs/FORMAT.md sections 1.2 to 1.4).

use crate::log::Encoding;
use crate::log::name::version_of;
use crate::text::decode::{Unit, Units};
use crate::text::wire::WireText;

/// The project folder of sessions whose header names no cwd.
pub const NO_CWD: &str = "_no-cwd";

/// Longest slug of a project folder, in characters (all of them ASCII), without the dashes around it.
const LONGEST_SLUG: usize = 251;

/// The folder that sessions with this cwd lie in. Not invertible: two cwds may share a folder.
///
/// Bytes that are not UTF-8 count as U+FFFD, which is what the harness reads them as.
#[must_use]
pub fn project_folder_name(cwd: Option<&WireText>) -> String {
    let Some(cwd) = cwd else { return NO_CWD.to_owned() };
    let mut slug = String::new();
    let mut in_run = false;
    for_units(cwd.as_bytes(), |unit| {
        let separates = [b'/', b'\\', b':'].map(u16::from).contains(&unit);
        if !separates {
            push_unit(&mut slug, unit);
        } else if !in_run {
            slug.push('-');
        }
        in_run = separates;
    });
    let slug = slug.trim_start_matches('-');
    let slug = if slug.is_empty() { "root" } else { slug };
    format!("--{}--", &slug[..slug.len().min(LONGEST_SLUG)])
}

/// Whether a folder is named as a project folder is: `--…--` or [`NO_CWD`].
#[must_use]
pub fn is_project_folder_name(name: &[u8]) -> bool {
    let slug = name.strip_prefix(b"--").and_then(|rest| rest.strip_suffix(b"--"));
    name == NO_CWD.as_bytes() || slug.is_some_and(|slug| !slug.is_empty())
}

/// The folder that a session lies in. `None` for an empty id, which the harness refuses.
#[must_use]
pub fn encode_session_id(id: &[u8]) -> Option<String> {
    match id {
        b"" => return None,
        b"." => return Some("~002E".to_owned()),
        b".." => return Some("~002E~002E".to_owned()),
        _ => {}
    }
    let mut name = String::with_capacity(id.len());
    for_units(id, |unit| push_unit(&mut name, unit));
    Some(name)
}

/// The id that a session folder is named after; `None` where the name is not one that the harness gives.
#[must_use]
pub fn decode_session_id(name: &[u8]) -> Option<WireText> {
    let mut units = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&first, after)) = rest.split_first() {
        if first == b'~' {
            let (digits, after) = after.split_at_checked(4)?;
            units.push(u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            units.push(u16::from(first));
            rest = after;
        }
    }
    let mut id = Vec::with_capacity(name.len());
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(char) => id.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            // Generalized UTF-8, as the rest of the program holds halves of pairs.
            Err(half) => {
                let half = half.unpaired_surrogate();
                id.extend([0xE0 | (half >> 12) as u8, 0x80 | (half >> 6 & 0x3F) as u8, 0x80 | (half & 0x3F) as u8]);
            }
        }
    }
    // Only one spelling is the harness's: upper-case digits, and nothing escaped that needs none.
    (encode_session_id(&id)?.as_bytes() == name).then(|| WireText::from_bytes(id))
}

/// What the canonical name of a log tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogName {
    /// The format version.
    pub version: i64,
    /// The encoding.
    pub encoding: Encoding,
}

/// Reads the name of a log: `session.jsonl`, `session.vN.jsonl`, each perhaps with `.zstd`; `None` for other names.
#[must_use]
pub fn log_name(name: &[u8]) -> Option<LogName> {
    let name = std::str::from_utf8(name).ok()?;
    let encoding = if name.strip_suffix(".zstd").is_some() { Encoding::Zstd } else { Encoding::Plain };
    version_of(name).map(|version| LogName { version, encoding })
}

/// Calls with each UTF-16 code unit of a text.
fn for_units(text: &[u8], mut each: impl FnMut(u16)) {
    for (_, unit, _) in Units::new(text) {
        match unit {
            Unit::Char(char) => char.encode_utf16(&mut [0; 2]).iter().for_each(|unit| each(*unit)),
            Unit::Surrogate(half) => each(half),
            Unit::Bad => each(0xFFFD),
        }
    }
}

/// Adds a unit as it is, or escaped.
fn push_unit(name: &mut String, unit: u16) {
    use std::fmt::Write;
    match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-') => name.push(char::from(byte)),
        // Writing to a String cannot fail.
        Ok(_) | Err(_) => drop(write!(name, "~{unit:04X}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cwd_tells_its_folder() {
        let long = format!("/{}", "a".repeat(300));
        for (cwd, folder) in [
            (&b"/home/u/my-app"[..], "--home-u-my-app--"),
            (b"C:\\work\\a b", "--C-work-a~0020b--"),
            (b"/", "--root--"),
            (b"", "--root--"),
            (b"///a//b\\:c", "--a-b-c--"),
            (b"/-/x", "--x--"),
            (b"/a~b", "--a~007Eb--"),
            ("/é/🛒".as_bytes(), "--~00E9-~D83D~DED2--"),
            (b"/\xED\xA0\xBD", "--~D83D--"),
            (b"/\xFF", "--~FFFD--"),
            (long.as_bytes(), &format!("--{}--", "a".repeat(251))),
        ] {
            assert_eq!(project_folder_name(Some(&WireText::from_bytes(cwd))), folder);
        }
        assert_eq!(project_folder_name(None), "_no-cwd");
    }

    #[test]
    fn project_folders_are_told_by_their_name() {
        for (name, expected) in [
            (&b"--a--"[..], true),
            (b"_no-cwd", true),
            (b"--root--", true),
            (b"----", false),
            (b"---", false),
            (b"session-1", false),
            (b"", false),
        ] {
            assert_eq!(is_project_folder_name(name), expected);
        }
    }

    #[test]
    fn ids_and_session_folders_translate_both_ways() {
        for (id, folder) in [
            (&b"session-0a"[..], "session-0a"),
            (b".", "~002E"),
            (b"..", "~002E~002E"),
            (b"...", "..."),
            (b"a/b\\c:d", "a~002Fb~005Cc~003Ad"),
            (b"a~b", "a~007Eb"),
            ("🛒".as_bytes(), "~D83D~DED2"),
            (b"\xED\xA0\xBD", "~D83D"),
        ] {
            assert_eq!(encode_session_id(id).as_deref(), Some(folder));
            assert_eq!(decode_session_id(folder.as_bytes()), Some(WireText::from_bytes(id)));
        }
        assert_eq!(encode_session_id(b""), None);
    }

    #[test]
    fn names_that_the_harness_never_gives_are_no_ids() {
        for name in ["", ".", "..", "a b", "a~002f", "a~0061", "a~00", "a~", "a~+123", "é", "a~0020~"] {
            assert_eq!(decode_session_id(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn log_names_tell_version_and_encoding() {
        let name = |version, encoding| Some(LogName { version, encoding });
        for (text, expected) in [
            (&b"session.jsonl"[..], name(0, Encoding::Plain)),
            (b"session.v3.jsonl.zstd", name(3, Encoding::Zstd)),
            (b"session.v0.jsonl", None),
            (b"session.lock", None),
            (b"session.jsonl\xFF", None),
        ] {
            assert_eq!(log_name(text), expected);
        }
    }

    proptest! {
        #[test]
        fn every_id_comes_back(id in "\\PC{1,20}") {
            let folder = encode_session_id(id.as_bytes()).unwrap();
            prop_assert!(folder.is_ascii() && !folder.contains('/'));
            prop_assert_eq!(decode_session_id(folder.as_bytes()), Some(WireText::from(id)));
        }

        #[test]
        fn no_name_panics(name: Vec<u8>) {
            let _ = (decode_session_id(&name), project_folder_name(Some(&WireText::from_bytes(name.clone()))));
        }
    }
}
