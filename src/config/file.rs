//! The file of settings: read, checked line by line, merged over what is built in.

use std::borrow::Cow;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Unusable;
use super::keys;
use super::settings::{ColorWhen, Settings, SignsWhen};
use super::themes::OwnThemes;
use crate::app::area::Share;
use crate::app::model::{Programs, TimeForm};
use crate::runtime::files::read_bounded;
use crate::text::fault::{Fault, Place};
use crate::text::locale::Language;

/// Most bytes of a file of settings: all keys bound anew take a twentieth of it.
const MOST_BYTES: u64 = 1 << 20;

/// The documented settings that are built in, without the keys.
pub(super) const DEFAULTS: &str = include_str!("../../assets/config.toml");

/// Reads a file of settings; `themes`: those it may name besides the program's own. One that is not there says nothing, unless it was named.
pub(crate) fn read(path: &Path, named: bool, themes: &OwnThemes) -> Result<Settings, Unusable> {
    let unreadable = |error| Unusable::Unreadable(path.to_owned(), error);
    let text = match read_bounded(path, MOST_BYTES) {
        Ok(text) => text,
        Err(error) if is_missing(&error) && !named => return Ok(Settings::default()),
        Err(error) => return Err(unreadable(error)),
    };
    let wrong = |fault| Unusable::Wrong(path.to_owned(), fault);
    let text = String::from_utf8(text).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        wrong(Fault::new(Place::after(before), "config.not_utf8", Vec::new()))
    })?;
    parse(&text, themes).map_err(wrong)
}

/// Nothing stands there, or what should be its folder is none.
fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

/// Reads the text of a file of settings; the first fault ends it.
pub(crate) fn parse(text: &str, themes: &OwnThemes) -> Result<Settings, Fault> {
    let reader = Reader { text };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let what = error.message().trim().lines().collect::<Vec<_>>().join(", ");
        Fault::new(reader.place(at), "config.syntax", vec![("what", what)])
    })?;
    let mut settings = Settings::default();
    let mut changes = Vec::new();
    for (key, value) in in_order(table.get_ref()) {
        match key.get_ref().as_ref() {
            "theme" => settings.theme = reader.one_of(value, &themes.choices())?,
            "color" => settings.color = reader.one_of(value, &COLORS)?,
            "ascii" => settings.ascii = reader.one_of(value, &SIGNS)?,
            "lang" => settings.lang = reader.one_of(value, &languages())?,
            "zone" => settings.utc = reader.one_of(value, &[("local", false), ("utc", true)])?,
            "mouse" => settings.mouse = reader.switch(value)?,
            "follow" => settings.follow = reader.switch(value)?,
            "restore" => settings.restore = reader.switch(value)?,
            "wrap" => settings.wrap = reader.switch(value)?,
            "time" => settings.time = reader.one_of(value, &TIMES)?,
            "unfold" => settings.unfold = reader.one_of(value, &[("none", 0), ("runs", 1), ("all", 2)])?,
            "panes" => {
                for (key, value) in in_order(reader.table(value)?) {
                    match key.get_ref().as_ref() {
                        "timeline" => settings.shares.timeline = reader.share(value)?,
                        "detail" => settings.shares.detail = reader.share(value)?,
                        other => return Err(reader.unknown(key, other, &["timeline", "detail"])),
                    }
                }
            }
            "programs" => settings.programs = reader.programs(value)?,
            "keys" => changes = keys::read(&reader, value)?,
            other => return Err(reader.unknown(key, other, &KEYS)),
        }
    }
    settings.keymap = keys::keymap(&reader, &changes)?;
    Ok(settings)
}

/// All keys of the first level.
const KEYS: [&str; 14] = [
    "theme", "color", "ascii", "lang", "zone", "mouse", "follow", "restore", "wrap", "time", "unfold", "panes",
    "programs", "keys",
];

/// Values of `color`.
const COLORS: [(&str, ColorWhen); 3] =
    [("auto", ColorWhen::Auto), ("always", ColorWhen::Always), ("never", ColorWhen::Never)];

/// Values of `ascii`.
const SIGNS: [(&str, SignsWhen); 3] =
    [("auto", SignsWhen::Auto), ("always", SignsWhen::Ascii), ("never", SignsWhen::Unicode)];

/// Values of `time`.
const TIMES: [(&str, Option<TimeForm>); 4] = [
    ("auto", None),
    ("gap", Some(TimeForm::Gap)),
    ("start", Some(TimeForm::FromStart)),
    ("clock", Some(TimeForm::Clock)),
];

/// Values of `lang`.
fn languages() -> Vec<(&'static str, Option<Language>)> {
    let named = Language::ALL.map(|language| (language.code(), Some(language)));
    [("auto", None)].into_iter().chain(named).collect()
}

/// The entries of a table as the file has them, so that its first fault is told.
pub(super) fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Entry<'t, 'i>> {
    let mut entries: Vec<Entry<'t, 'i>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// A key and its value.
type Entry<'t, 'i> = (&'t Spanned<Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

/// Values with their places in the file.
pub(super) struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    /// The place of a byte.
    pub(super) fn place(&self, at: usize) -> Place {
        Place::after(self.text.as_bytes().get(..at).unwrap_or(self.text.as_bytes()))
    }

    /// The fault of a name that is none of these.
    pub(super) fn unknown<T>(&self, key: &Spanned<T>, name: &str, names: &[&str]) -> Fault {
        let fault = Fault::new(self.place(key.span().start), "config.unknown_key", vec![("key", name.to_owned())]);
        fault.or_meant(name, names.iter().copied())
    }

    /// The fault of a value that is not what belongs there.
    pub(super) fn expected<T>(&self, value: &Spanned<T>, what: &str) -> Fault {
        Fault::new(self.place(value.span().start), "config.expected", vec![("what", what.to_owned())])
    }

    /// The table that a value is.
    pub(super) fn table<'t, 'i>(&self, value: &'t Spanned<DeValue<'i>>) -> Result<&'t DeTable<'i>, Fault> {
        value.get_ref().as_table().ok_or_else(|| self.expected(value, "[table]"))
    }

    fn switch(&self, value: &Spanned<DeValue<'_>>) -> Result<bool, Fault> {
        value.get_ref().as_bool().ok_or_else(|| self.expected(value, "true, false"))
    }

    fn one_of<T: Copy>(&self, value: &Spanned<DeValue<'_>>, known: &[(&str, T)]) -> Result<T, Fault> {
        let text = value.get_ref().as_str();
        if let Some((_, found)) = known.iter().find(|(name, _)| Some(*name) == text) {
            return Ok(*found);
        }
        let names: Vec<String> = known.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let fault = self.expected(value, &names.join(", "));
        Err(match text {
            Some(text) => fault.or_meant(text, known.iter().map(|(name, _)| *name)),
            None => fault,
        })
    }

    fn share(&self, value: &Spanned<DeValue<'_>>) -> Result<Share, Fault> {
        let number = value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok());
        match (value.get_ref().as_str(), number.and_then(Share::percent)) {
            (Some("auto"), _) => Ok(Share::default()),
            (_, Some(share)) => Ok(share),
            (Some(_) | None, None) => Err(self.expected(value, "\"auto\", 20 .. 80")),
        }
    }

    fn programs(&self, value: &Spanned<DeValue<'_>>) -> Result<Programs, Fault> {
        let mut programs = Programs::default();
        for (key, value) in in_order(self.table(value)?) {
            let text = value.get_ref().as_str().ok_or_else(|| self.expected(value, "\"...\""))?;
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            let program = (!words.is_empty()).then_some(words);
            match key.get_ref().as_ref() {
                "editor" => programs.editor = program,
                "pager" => programs.pager = program,
                other => return Err(self.unknown(key, other, &["editor", "pager"])),
            }
        }
        Ok(programs)
    }
}

#[cfg(test)]
mod tests;
