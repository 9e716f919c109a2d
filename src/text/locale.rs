//! Every word that this program says, by key, in the language of the person.
//!
//! A language is a file `assets/lang/CODE.toml`, compiled in as a table: sections of keys, each a template with `{name}` holes.
//! Keys are asked for as `section.key`. Event types, field names and codes are not words: they stay as the log
//! spells them. `docs/TRANSLATING.md` tells how a language is added and which terms are used.

pub use self::sentence::Sentence;
use super::number::grouped_by;

#[cfg(test)]
mod file;
mod sentence;

/// Texts by key, sorted, of each language, what it lacks in English: made of the language files by `assets/build.rs`.
static TABLES: [&[(&str, &str)]; Language::ALL.len()] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A language that this program speaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English: the language that every key has.
    #[default]
    English,
    /// Simplified Chinese.
    ChineseSimplified,
    /// Traditional Chinese, as in Taiwan.
    ChineseTraditional,
    /// Korean.
    Korean,
    /// Spanish.
    Spanish,
}

impl Language {
    /// All of them, English first.
    pub const ALL: [Language; 5] = [
        Language::English,
        Language::ChineseSimplified,
        Language::ChineseTraditional,
        Language::Korean,
        Language::Spanish,
    ];

    /// The code as it is written: that of `--lang`, of the settings and of the file of words.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::ChineseSimplified => "zh-CN",
            Language::ChineseTraditional => "zh-TW",
            Language::Korean => "ko",
            Language::Spanish => "es",
        }
    }

    /// The language of a code, or of a locale as the environment writes it: `ko`, `zh-TW`, `es_MX.UTF-8`, `zh_HK`.
    ///
    /// Letters may be large or small. `None` when this program does not speak it; `C` and `POSIX` are English.
    #[must_use]
    pub fn named(name: &str) -> Option<Language> {
        let name = name.split(['.', '@']).next().unwrap_or(name).to_ascii_lowercase().replace('_', "-");
        let mut parts = name.split('-');
        match parts.next()? {
            "en" | "c" | "posix" => Some(Language::English),
            "ko" => Some(Language::Korean),
            "es" => Some(Language::Spanish),
            // Singapore and Malaysia write as the mainland does, Hong Kong and Macau as Taiwan; a script says it too.
            "zh" => match parts.find(|part| matches!(*part, "hans" | "hant" | "tw" | "hk" | "mo")) {
                Some("hant" | "tw" | "hk" | "mo") => Some(Language::ChineseTraditional),
                Some(_) | None => Some(Language::ChineseSimplified),
            },
            _ => None,
        }
    }
}

/// The words of one language; what it lacks is said in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words(&'static [(&'static str, &'static str)]);

impl Words {
    /// The English words.
    #[must_use]
    pub fn english() -> Self {
        Self::of(Language::English)
    }

    /// The words of a language.
    #[must_use]
    pub fn of(language: Language) -> Self {
        Self(TABLES[language as usize])
    }

    /// The template of a key, holes and all; the key itself when there is none.
    #[must_use]
    pub fn get<'a>(&'a self, key: &'a str) -> &'a str {
        self.find(key).unwrap_or(key)
    }

    /// Whether the key has a text.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.find(key).is_some()
    }

    fn find(&self, key: &str) -> Option<&'static str> {
        let at = self.0.binary_search_by_key(&key, |(key, _)| key).ok()?;
        self.0.get(at).map(|(_, text)| *text)
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
        self.0.iter().map(|(key, _)| *key)
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
