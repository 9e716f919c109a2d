//! Which file a path of a log leads to: a log writes one file as `/home/dev/shop/a.js`, `a.js` and `./a.js`.
//!
//! Nothing is looked up: the paths belong to another machine. What links make of a path is not known here.

/// Bytes of a path, at most: what systems take. A longer one leads nowhere, and to take it apart for each file of a log
/// would cost without end.
const MOST_PATH: usize = 4 << 10;

/// The folder that relative paths of a log begin at.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    /// Its parts; `None`: the log names none.
    parts: Option<Vec<Vec<u8>>>,
    /// Paths are written as Windows does.
    is_windows: bool,
    /// It lies on a share of another machine.
    is_share: bool,
}

impl Folder {
    /// The folder as the header writes it.
    pub(super) fn new(cwd: Option<&[u8]>) -> Folder {
        let cwd = cwd.filter(|cwd| (1..=MOST_PATH).contains(&cwd.len()));
        let is_windows = cwd.is_some_and(is_of_windows);
        let is_share = is_windows && cwd.is_some_and(is_share);
        Folder { parts: cwd.map(|cwd| parts(cwd, is_windows)), is_windows, is_share }
    }

    /// Where a path leads: the same bytes for two spellings of one place, other bytes for two places.
    pub(super) fn place(&self, path: &[u8]) -> Vec<u8> {
        if path.len() > MOST_PATH {
            return path.to_vec();
        }
        let is_windows = self.is_windows || (self.parts.is_none() && is_of_windows(path));
        // `~` is a home that the log does not name.
        let is_from_root = is_absolute(path, is_windows) || path.starts_with(b"~");
        let from = self.parts.as_deref().filter(|_| !is_from_root);
        let mut place: Vec<Vec<u8>> = from.map(<[_]>::to_vec).unwrap_or_default();
        if is_windows && is_rooted(path) && !is_share(path) {
            // `\src` begins at the drive or the share of the folder.
            let root = if self.is_share { 2 } else { 1 };
            place.extend(self.parts.iter().flat_map(|parts| parts.iter().take(root)).cloned());
        }
        for part in parts(path, is_windows) {
            match &*part {
                b".." if place.last().is_some_and(|last| last != b"..") => {
                    place.pop();
                }
                // Above the root there is nothing.
                b".." if is_from_root || self.parts.is_some() => {}
                _ => place.push(part),
            }
        }
        let is_on_share = is_windows && (is_share(path) || (self.is_share && !has_drive(path)));
        let mut out = match (is_on_share, is_from_root || self.parts.is_some()) {
            (true, _) => b"//".to_vec(),
            (false, true) => b"/".to_vec(),
            (false, false) => Vec::new(),
        };
        out.extend_from_slice(&place.join(&b'/'));
        out
    }
}

/// `C:\`, `C:/`, `\\server\share`.
fn is_of_windows(path: &[u8]) -> bool {
    has_drive(path) || path.starts_with(b"\\\\")
}

fn has_drive(path: &[u8]) -> bool {
    matches!(path, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// `\\server\share`, also with slashes.
fn is_share(path: &[u8]) -> bool {
    path.starts_with(b"\\\\") || path.starts_with(b"//")
}

fn is_rooted(path: &[u8]) -> bool {
    matches!(path.first(), Some(b'\\' | b'/'))
}

fn is_absolute(path: &[u8], is_windows: bool) -> bool {
    if is_windows { has_drive(path) || is_rooted(path) } else { path.starts_with(b"/") }
}

/// The parts of a path without empty ones and `.`; of Windows in small letters, which it does not tell from large ones.
fn parts(path: &[u8], is_windows: bool) -> Vec<Vec<u8>> {
    let is_between = |byte: &u8| *byte == b'/' || (is_windows && *byte == b'\\');
    let parts = path.split(is_between).filter(|part| !part.is_empty() && *part != b".");
    parts.map(|part| if is_windows { part.to_ascii_lowercase() } else { part.to_vec() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_system_takes_is_no_path() {
        let long = b"/x".repeat(MOST_PATH);
        assert_eq!(Folder::new(Some(&long)).place(b"a/../b"), b"b");
        assert_eq!(Folder::new(Some(b"/a")).place(&long), long);
    }

    #[test]
    fn spellings_of_one_place_are_the_same() {
        let table: [(Option<&str>, &[&str]); 6] = [
            (
                Some("/home/dev/shop"),
                &["a/b.js", "./a/b.js", "/home/dev/shop/a/b.js", "a//b.js", "a/../a/b.js", "../shop/a/b.js"],
            ),
            (Some("/home/dev/shop/"), &["b.js", "/home/dev/shop/b.js", "/home/dev//shop/./b.js"]),
            (
                Some("C:\\Users\\Dev\\shop"),
                &[
                    "src\\a.js",
                    "src/a.js",
                    "c:/Users/dev/Shop/src/a.js",
                    ".\\SRC\\A.js",
                    "\\Users\\Dev\\shop\\src\\a.js",
                ],
            ),
            (Some("\\\\box\\work\\shop"), &["a.js", "\\\\box\\work\\shop\\a.js", "//box/work/shop/a.js"]),
            (None, &["a/b.js", "./a/b.js", "a/x/../b.js"]),
            (None, &["D:\\x\\a.js", "d:/x/a.js"]),
        ];
        for (cwd, paths) in table {
            let folder = Folder::new(cwd.map(str::as_bytes));
            let first = folder.place(paths[0].as_bytes());
            for path in paths {
                assert_eq!(folder.place(path.as_bytes()), first, "{cwd:?} {path}");
            }
        }
    }

    #[test]
    fn other_places_stay_apart() {
        let table: [(Option<&str>, &[&str]); 5] = [
            (
                Some("/home/dev/shop"),
                &["a.js", "A.js", "/a.js", "~/a.js", "a\\b.js", "a/b.js", "../a.js", "", "C:\\a.js"],
            ),
            (Some("C:\\shop"), &["a.js", "D:\\shop\\a.js", "\\\\c:\\shop\\a.js", "\\\\box\\shop\\a.js", "~\\a.js"]),
            (None, &["a.js", "/a.js", "../a.js", "../../a.js", "..", "C:a.js", "\\a.js"]),
            (Some(""), &["a.js", "/a.js"]),
            (Some("relative/dir"), &["a.js", "/a.js", "../a.js"]),
        ];
        for (cwd, paths) in table {
            let folder = Folder::new(cwd.map(str::as_bytes));
            let mut places: Vec<Vec<u8>> = paths.iter().map(|path| folder.place(path.as_bytes())).collect();
            places.sort();
            places.dedup();
            assert_eq!(places.len(), paths.len(), "{cwd:?}");
        }
    }

    #[test]
    fn above_the_root_there_is_nothing() {
        let folder = Folder::new(Some(b"/a"));
        assert_eq!(folder.place(b"../../../../x"), folder.place(b"/x"));
        assert_eq!(folder.place(b"/../../x"), folder.place(b"/x"));
    }
}
