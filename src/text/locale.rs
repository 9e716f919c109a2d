//! Every word that this program says, by key, in the language of the person.
//!
//! A language is a file `assets/lang/CODE.toml`, compiled in: sections of keys, each a template with `{name}` holes.
//! Keys are asked for as `section.key`. Event types, field names and codes are not words: they stay as the log
//! spells them.

use std::collections::BTreeMap;

use super::number::grouped_by;

/// English: the language that every key has.
const ENGLISH: &str = include_str!("../../assets/lang/en.toml");

/// Languages beside English, by code.
const OTHERS: [(&str, &str); 0] = [];

/// The words of one language; what it lacks is said in English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(BTreeMap<String, String>);

impl Words {
    /// The English words.
    #[must_use]
    pub fn english() -> Self {
        let mut words = Self(BTreeMap::new());
        words.read(ENGLISH);
        words
    }

    /// The words of a language: `en`, `ko`, `zh-CN`, or as the environment writes it (`en_US.UTF-8`).
    ///
    /// `None` when there is no such language.
    #[must_use]
    pub fn load(code: &str) -> Option<Self> {
        let code = code.split(['.', '@']).next().unwrap_or(code).replace('_', "-");
        let primary = code.split('-').next().unwrap_or(&code);
        let mut words = Self::english();
        if primary.eq_ignore_ascii_case("en") || code == "C" || code == "POSIX" {
            return Some(words);
        }
        let by = |wanted: &str| OTHERS.iter().find(|(own, _)| own.eq_ignore_ascii_case(wanted));
        let (_, file) = by(&code).or_else(|| by(primary))?;
        words.read(file);
        Some(words)
    }

    /// Adds the keys of a language file; a file that is not TOML adds none.
    fn read(&mut self, file: &str) {
        if let Ok(table) = file.parse::<toml::Table>() {
            self.flatten("", &table);
        }
    }

    fn flatten(&mut self, prefix: &str, table: &toml::Table) {
        for (key, value) in table {
            let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            match value {
                toml::Value::String(text) => {
                    self.0.insert(path, text.clone());
                }
                toml::Value::Table(inner) => self.flatten(&path, inner),
                // A test of the files refuses anything else.
                _ => {}
            }
        }
    }

    /// The template of a key, holes and all; the key itself when there is none.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.0.get(key).map_or(key, String::as_str)
    }

    /// Whether the key has a text.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The text of a key with its `{name}` holes filled; a hole without a value stays as it is.
    ///
    /// Values are put in as they are, and not looked at for holes again.
    #[must_use]
    pub fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        fill(self.get(key), values)
    }

    /// A count in words: `KEY.one` for 1, else `KEY.many`, with `{n}` grouped.
    #[must_use]
    pub fn count(&self, key: &str, n: u64) -> String {
        self.count_with(key, n, &[])
    }

    /// As [`Self::count`], with further holes.
    #[must_use]
    pub fn count_with(&self, key: &str, n: u64, values: &[(&str, &str)]) -> String {
        let form = if n == 1 { "one" } else { "many" };
        let number = self.number(n);
        let mut all = vec![("n", number.as_str())];
        all.extend_from_slice(values);
        self.say(&format!("{key}.{form}"), &all)
    }

    /// A count with its digits grouped as the language does.
    #[must_use]
    pub fn number(&self, n: u64) -> String {
        grouped_by(n, self.get("number.group_separator"))
    }

    /// All keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Default for Words {
    fn default() -> Self {
        Self::english()
    }
}

/// Fills `{name}` holes. A brace that opens no known hole is text.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        let hole = &rest[open + 1..];
        let value = hole.find('}').and_then(|close| {
            let (_, value) = values.iter().find(|(name, _)| *name == &hole[..close])?;
            Some((close, value))
        });
        if let Some((close, value)) = value {
            out.push_str(value);
            rest = &hole[close + 1..];
        } else {
            out.push('{');
            rest = hole;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
