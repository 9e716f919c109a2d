//! Theme files: TOML with `background` and a table of roles.

use std::fmt;

use ratatui::style::{Color, Modifier};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::colour::{Rgb, SIXTEEN};
use super::{LookOf, ROLES};

/// Why a theme file cannot be used, and in which line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeError {
    /// Line of the file, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

impl fmt::Display for ThemeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ThemeError {}

/// A theme file as written.
pub(super) struct File {
    pub(super) background: Rgb,
    pub(super) looks: [Option<LookOf>; ROLES.len()],
}

/// Reads a theme file; the first problem ends it.
pub(super) fn read(text: &str) -> Result<File, ThemeError> {
    let reader = Reader { text };
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        reader.problem(at, error.message().to_owned())
    })?;
    let mut file = File { background: Rgb::default(), looks: [None; ROLES.len()] };
    for (key, value) in table.get_ref() {
        match key.get_ref().as_ref() {
            "background" => file.background = reader.rgb(value)?,
            "roles" => reader.roles(value, &mut file)?,
            other => return Err(reader.problem(key.span().start, format!("unknown key {other:?}"))),
        }
    }
    Ok(file)
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn problem(&self, at: usize, problem: String) -> ThemeError {
        let before = self.text.as_bytes().get(..at).unwrap_or(self.text.as_bytes());
        ThemeError { line: 1 + memchr::memchr_iter(b'\n', before).count(), problem }
    }

    fn roles(&self, value: &Spanned<DeValue<'_>>, file: &mut File) -> Result<(), ThemeError> {
        for (key, look) in self.table(value)? {
            let name = key.get_ref().as_ref();
            let Some((role, _)) = ROLES.iter().find(|(_, known)| *known == name) else {
                return Err(self.problem(key.span().start, format!("unknown role {name:?}")));
            };
            file.looks[*role as usize] = Some(self.look(look)?);
        }
        Ok(())
    }

    fn look(&self, value: &Spanned<DeValue<'_>>) -> Result<LookOf, ThemeError> {
        let mut look = LookOf::default();
        for (key, value) in self.table(value)? {
            match key.get_ref().as_ref() {
                "fg" => (look.fg, look.fg16) = self.colour(value, look.fg16)?,
                "bg" => (look.bg, look.bg16) = self.colour(value, look.bg16)?,
                "fg16" => look.fg16 = Some(self.named(value)?),
                "bg16" => look.bg16 = Some(self.named(value)?),
                "bold" => look.weight.set(Modifier::BOLD, self.switch(value)?),
                "italic" => look.weight.set(Modifier::ITALIC, self.switch(value)?),
                "underline" => look.weight.set(Modifier::UNDERLINED, self.switch(value)?),
                "reversed" => look.weight.set(Modifier::REVERSED, self.switch(value)?),
                other => {
                    return Err(self.problem(key.span().start, format!("unknown key {other:?}")));
                }
            }
        }
        Ok(look)
    }

    fn table<'t, 'i>(&self, value: &'t Spanned<DeValue<'i>>) -> Result<&'t DeTable<'i>, ThemeError> {
        value.get_ref().as_table().ok_or_else(|| self.problem(value.span().start, "expected a table".to_owned()))
    }

    fn switch(&self, value: &Spanned<DeValue<'_>>) -> Result<bool, ThemeError> {
        value.get_ref().as_bool().ok_or_else(|| self.problem(value.span().start, "expected true or false".to_owned()))
    }

    /// `#rrggbb`, or one of the sixteen names; a name keeps what `fg16` or `bg16` has said already.
    fn colour(
        &self,
        value: &Spanned<DeValue<'_>>,
        said: Option<Color>,
    ) -> Result<(Option<Rgb>, Option<Color>), ThemeError> {
        let text = value.get_ref().as_str().unwrap_or_default();
        if text.starts_with('#') {
            return Ok((Some(self.rgb(value)?), said));
        }
        let named = self.named(value)?;
        Ok((None, said.or(Some(named))))
    }

    fn rgb(&self, value: &Spanned<DeValue<'_>>) -> Result<Rgb, ThemeError> {
        let text = value.get_ref().as_str().unwrap_or_default();
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        number.map(|rgb| Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)).ok_or_else(|| {
            self.problem(value.span().start, format!("expected a colour such as \"#5fc9d8\", got {text:?}"))
        })
    }

    fn named(&self, value: &Spanned<DeValue<'_>>) -> Result<Color, ThemeError> {
        let text = value.get_ref().as_str().unwrap_or_default();
        SIXTEEN.iter().find(|(name, _, _)| *name == text).map(|(_, colour, _)| *colour).ok_or_else(|| {
            let names: Vec<&str> = SIXTEEN.iter().map(|(name, _, _)| *name).collect();
            self.problem(value.span().start, format!("expected one of {}, got {text:?}", names.join(" ")))
        })
    }
}
