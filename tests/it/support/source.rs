//! Sources of the program as a test reads them: without comments, texts and tests.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// One file below `src/`.
pub struct Source {
    /// Path from the root of the repository, with `/`.
    pub name: String,
    /// As it stands.
    pub text: String,
    /// Comments, texts and tests blanked; line numbers are kept.
    code: String,
}

/// All files below `src/` but those that hold only tests, read once.
pub fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read_all);
    &SOURCES
}

fn read_all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    walk(root, &root.join("src"), &mut found);
    found.sort_by(|one: &Source, other| one.name.cmp(&other.name));
    let tests: Vec<String> = found.iter().flat_map(Source::test_modules).collect();
    found.retain(|source| !tests.iter().any(|test| is_below(&source.name, test)));
    for source in &mut found {
        source.code = without_tests(&source.code);
    }
    found
}

/// Whether a file is the module `stem`, or lies below it.
fn is_below(name: &str, stem: &str) -> bool {
    name.strip_prefix(stem).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

fn walk(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("a folder entry").path();
        if path.is_dir() {
            walk(root, &path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a source is text");
            let name = path.strip_prefix(root).expect("it lies below the root").to_string_lossy().replace('\\', "/");
            let code = code_of(&text);
            found.push(Source { name, text, code });
        }
    }
}

impl Source {
    /// The module right below the root that it belongs to; `None` for `lib.rs` and `main.rs`.
    pub fn module(&self) -> Option<String> {
        let rest = self.name.strip_prefix("src/")?;
        Some(rest.split_once('/')?.0.to_owned())
    }

    /// Lines that hold a word, from 1.
    pub fn lines_with<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        let lines = self.code.lines().enumerate();
        lines.filter(move |(_, line)| holds(line, word)).map(|(at, _)| at + 1)
    }

    /// Lines, and the modules below the root that are named in them by `crate::`.
    pub fn modules_used(&self) -> Vec<(usize, String)> {
        let mut used = Vec::new();
        for (place, _) in self.code.match_indices("crate::") {
            let line = self.code[..place].matches('\n').count() + 1;
            let rest = &self.code[place + "crate::".len()..];
            if let Some(group) = rest.strip_prefix('{') {
                used.extend(first_names(group).into_iter().map(|name| (line, name)));
            } else {
                used.push((line, word_of(rest)));
            }
        }
        used
    }

    /// Stems of the files of modules that are there for tests only.
    fn test_modules(&self) -> Vec<String> {
        let folder = match self.name.strip_suffix("/mod.rs") {
            Some(folder) => folder,
            None if self.module().is_none() => "src",
            None => self.name.strip_suffix(".rs").unwrap_or(&self.name),
        };
        let mut stems = Vec::new();
        for (place, mark) in self.code.match_indices(TEST) {
            let item = self.code[place + mark.len()..].trim_start();
            let item = item.strip_prefix("pub(crate) ").or(item.strip_prefix("pub(super) ")).unwrap_or(item);
            if let Some((name, _)) = item.strip_prefix("mod ").and_then(|rest| rest.split_once(';'))
                && !name.contains('{')
            {
                stems.push(format!("{folder}/{}", name.trim()));
            }
        }
        stems
    }
}

const TEST: &str = "#[cfg(test)]";

/// Whether a line holds a word, and not only as a part of another.
fn holds(line: &str, word: &str) -> bool {
    let is_letter = |char: char| char.is_alphanumeric() || char == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let begins = !word.starts_with(is_letter) || !before.is_some_and(is_letter);
        let ends = !word.ends_with(is_letter) || !after.is_some_and(is_letter);
        begins && ends
    })
}

fn word_of(text: &str) -> String {
    text.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
}

/// The first names inside a group of uses, up to its closing bracket.
fn first_names(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut begins = true;
    for (at, char) in group.char_indices() {
        match char {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if char.is_whitespace() => {}
            _ if begins && depth == 0 => {
                names.push(word_of(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    names
}

/// Blanks the items that are there for tests only.
fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    while let Some(start) = out.find(TEST) {
        let end = start + TEST.len() + item_len(&out[start + TEST.len()..]);
        let blank: String = out[start..end].chars().map(|char| if char == '\n' { '\n' } else { ' ' }).collect();
        out.replace_range(start..end, &blank);
    }
    out
}

/// Bytes of the item that a text begins with.
fn item_len(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, char) in text.char_indices() {
        match char {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => {
                depth = depth.saturating_sub(1);
                if char == '}' && depth == 0 {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Blanks comments and the insides of texts; each other byte stays where it is.
fn code_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let len = token_len(rest);
        let (token, after) = rest.split_at(len);
        if token.len() == char.len_utf8() {
            out.push(char);
        } else {
            out.extend(token.chars().map(|char| if char == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    out
}

/// Bytes of the comment, text or single character that a source begins with.
fn token_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if let Some(inner) = rest.strip_prefix("/*") {
        return inner.find("*/").map_or(rest.len(), |at| at + 4);
    }
    if let Some(marks) = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len())
        && rest[1 + marks..].starts_with('"')
    {
        let end = format!("\"{}", "#".repeat(marks));
        let begin = 2 + marks;
        return rest[begin..].find(&end).map_or(rest.len(), |at| begin + at + end.len());
    }
    if rest.starts_with('"') {
        return quoted_len(rest, '"');
    }
    if rest.starts_with('\'') {
        // A lifetime has no closing mark right behind its first letter.
        let mut chars = rest.chars().skip(1);
        return match (chars.next(), chars.next()) {
            (Some('\\'), _) => quoted_len(rest, '\''),
            (Some(inner), Some('\'')) => 2 + inner.len_utf8(),
            _ => 1,
        };
    }
    rest.chars().next().map_or(1, char::len_utf8)
}

fn quoted_len(rest: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if char == mark => return at + char.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}
