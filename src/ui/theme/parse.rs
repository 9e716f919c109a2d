//! Theme files: TOML with `base`, `background` and a table of roles.

use std::borrow::Cow;

use ratatui::style::{Color, Modifier};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::colour::{Rgb, SIXTEEN};
use super::{BuiltIn, LookOf, ROLES, built_in_file};
use crate::text::fault::{Fault, Place};

/// A theme file as written.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(super) background: Option<Rgb>,
    pub(super) looks: [Option<LookOf>; ROLES.len()],
}

impl File {
    /// Reads a theme file; the first fault ends it.
    ///
    /// What it leaves out is as in the theme of the program that its `base` names; without one a role looks like its
    /// parent.
    pub(crate) fn read(text: &str) -> Result<File, Fault> {
        let reader = Reader { text };
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let what = error.message().trim().lines().collect::<Vec<_>>().join(", ");
            reader.fault(at, "config.syntax", "what", what)
        })?;
        let mut file = File { background: None, looks: [None; ROLES.len()] };
        let mut base = None;
        for (key, value) in in_order(table.get_ref()) {
            match key.get_ref().as_ref() {
                "base" => base = Some(reader.base(value)?),
                "background" => file.background = Some(reader.rgb(value, false)?),
                "roles" => reader.roles(value, &mut file)?,
                other => return Err(reader.unknown(key, other, &["base", "background", "roles"])),
            }
        }
        if let Some(base) = base {
            let base = built_in_file(base);
            file.background = file.background.or(base.background);
            for (own, usual) in file.looks.iter_mut().zip(base.looks) {
                *own = own.or(usual);
            }
        }
        Ok(file)
    }
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn fault(&self, at: usize, what: &'static str, name: &'static str, value: String) -> Fault {
        let before = self.text.as_bytes().get(..at).unwrap_or(self.text.as_bytes());
        Fault::new(Place::after(before), what, vec![(name, value)])
    }

    fn unknown<T>(&self, key: &Spanned<T>, name: &str, names: &[&str]) -> Fault {
        let fault = self.fault(key.span().start, "config.unknown_key", "key", name.to_owned());
        fault.or_meant(name, names.iter().copied())
    }

    fn expected<T>(&self, value: &Spanned<T>, what: &str) -> Fault {
        self.fault(value.span().start, "config.expected", "what", what.to_owned())
    }

    fn base(&self, value: &Spanned<DeValue<'_>>) -> Result<BuiltIn, Fault> {
        let text = value.get_ref().as_str().unwrap_or_default();
        let names = BuiltIn::ALL.map(BuiltIn::name);
        BuiltIn::named(text).ok_or_else(|| self.expected(value, &names.join(", ")).or_meant(text, names))
    }

    fn roles(&self, value: &Spanned<DeValue<'_>>, file: &mut File) -> Result<(), Fault> {
        for (key, look) in self.entries(value)? {
            let name = key.get_ref().as_ref();
            let Some((role, _)) = ROLES.iter().find(|(_, known)| *known == name) else {
                return Err(self.unknown(key, name, &ROLES.map(|(_, name)| name)));
            };
            file.looks[*role as usize] = Some(self.look(look)?);
        }
        Ok(())
    }

    fn look(&self, value: &Spanned<DeValue<'_>>) -> Result<LookOf, Fault> {
        let mut look = LookOf::default();
        for (key, value) in self.entries(value)? {
            match key.get_ref().as_ref() {
                "fg" => (look.fg, look.fg16) = self.colour(value, look.fg16)?,
                "bg" => (look.bg, look.bg16) = self.colour(value, look.bg16)?,
                "fg16" => look.fg16 = Some(self.named(value)?),
                "bg16" => look.bg16 = Some(self.named(value)?),
                "bold" => look.weight.set(Modifier::BOLD, self.switch(value)?),
                "italic" => look.weight.set(Modifier::ITALIC, self.switch(value)?),
                "underline" => look.weight.set(Modifier::UNDERLINED, self.switch(value)?),
                "reversed" => look.weight.set(Modifier::REVERSED, self.switch(value)?),
                other => return Err(self.unknown(key, other, &LOOKS)),
            }
        }
        Ok(look)
    }

    /// The entries of a table as the file has them, so that its first fault is told.
    fn entries<'t, 'i>(&self, value: &'t Spanned<DeValue<'i>>) -> Result<Vec<Entry<'t, 'i>>, Fault> {
        let table = value.get_ref().as_table();
        let table = table.ok_or_else(|| self.expected(value, "{ fg = \"#5fc9d8\", bold = true }"))?;
        Ok(in_order(table))
    }

    fn switch(&self, value: &Spanned<DeValue<'_>>) -> Result<bool, Fault> {
        value.get_ref().as_bool().ok_or_else(|| self.expected(value, "true, false"))
    }

    /// `#rrggbb`, or one of the sixteen names; a name keeps what `fg16` or `bg16` has said already.
    fn colour(&self, value: &Spanned<DeValue<'_>>, said: Option<Color>) -> Result<(Option<Rgb>, Option<Color>), Fault> {
        let text = value.get_ref().as_str().unwrap_or_default();
        if text.starts_with('#') {
            return Ok((Some(self.rgb(value, true)?), said));
        }
        let named = self.named(value)?;
        Ok((None, said.or(Some(named))))
    }

    /// A colour of 24 bits. `or_named`: a name may stand there too.
    fn rgb(&self, value: &Spanned<DeValue<'_>>, or_named: bool) -> Result<Rgb, Fault> {
        let text = value.get_ref().as_str().unwrap_or_default();
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let what = if or_named { COLOUR.to_owned() + ", " + &names() } else { COLOUR.to_owned() };
        number.map(|rgb| Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)).ok_or_else(|| self.expected(value, &what))
    }

    fn named(&self, value: &Spanned<DeValue<'_>>) -> Result<Color, Fault> {
        let text = value.get_ref().as_str().unwrap_or_default();
        SIXTEEN
            .iter()
            .find(|(name, _, _)| *name == text)
            .map(|(_, colour, _)| *colour)
            .ok_or_else(|| self.expected(value, &names()).or_meant(text, SIXTEEN.iter().map(|(name, _, _)| *name)))
    }
}

/// What may stand in the look of a role.
const LOOKS: [&str; 8] = ["fg", "bg", "fg16", "bg16", "bold", "italic", "underline", "reversed"];

/// A colour of 24 bits, as it is written.
const COLOUR: &str = "\"#5fc9d8\"";

/// The sixteen colours, as they are written.
fn names() -> String {
    SIXTEEN.map(|(name, _, _)| name).join(" ")
}

/// A key and its value.
type Entry<'t, 'i> = (&'t Spanned<Cow<'i, str>>, &'t Spanned<DeValue<'i>>);

fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<Entry<'t, 'i>> {
    let mut entries: Vec<Entry<'t, 'i>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
