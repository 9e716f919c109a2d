//! JSON values for people: keys in a column, nested values indented.

use super::page::{Form, Page, Style};
use crate::record::json::Shape;
use crate::text::role::{Role, Span};
use crate::text::sanitize::one_line;
use crate::text::width::{columns, pad_end};
use crate::triage::doc::{Branch, DocLine, Overflow};
use crate::triage::peek::Peek;

/// Lines that one value makes at most; what follows is in the record.
const MOST_LINES: usize = 4_000;

/// Levels that are opened; what is deeper stands as stored.
const MOST_LEVELS: u16 = 12;

/// Columns of a value that stays on the line of its key.
const VALUE_COLUMNS: usize = 400;

/// Columns that keys are padded to at most.
const KEY_COLUMNS: usize = 28;

/// Adds a value, every level indented by two more columns. `form` is pretty (texts with their line breaks) or tree
/// (values as stored).
pub(super) fn pretty(page: &mut Page<'_>, value: Peek<'_>, form: Form) {
    pretty_at(page, value, form, "");
}

/// The same of a value to which `path` leads.
pub(super) fn pretty_at(page: &mut Page<'_>, value: Peek<'_>, form: Form, path: &str) {
    let end = page.doc.lines.len().saturating_add(MOST_LINES);
    let mut writer = Writer { page, form, end, full: false, path: path.to_owned() };
    match value.shape() {
        Some(Shape::Object) => writer.object(value, 1),
        Some(Shape::Array) => writer.array(value, 1),
        _ => writer.entry("", "", value, 1),
    }
    if writer.full {
        page.words("detail.value_too_long", &[]);
    }
}

struct Writer<'p, 'd> {
    page: &'p mut Page<'d>,
    form: Form,
    end: usize,
    full: bool,
    /// The way to the value that is written.
    path: String,
}

impl Writer<'_, '_> {
    fn object(&mut self, value: Peek<'_>, level: u16) {
        let fields = value.fields();
        let names: Vec<String> = fields.iter().map(|(key, _)| one_line(&key.decode_upto(300), 60)).collect();
        let width = names.iter().map(|name| columns(name)).max().unwrap_or(0).min(KEY_COLUMNS);
        for (name, (_, value)) in names.iter().zip(fields) {
            self.entry(&format!("{}  ", pad_end(name, width)), &key_step(name), value, level);
        }
    }

    fn array(&mut self, value: Peek<'_>, level: u16) {
        let items = value.items();
        let width = items.len().saturating_sub(1).to_string().len();
        for (at, item) in items.into_iter().enumerate() {
            self.entry(&format!("{at:>width$}  "), &format!("[{at}]"), item, level);
            if self.full {
                return;
            }
        }
    }

    /// One key and its value; `step` is what the path grows by.
    fn entry(&mut self, name: &str, step: &str, value: Peek<'_>, level: u16) {
        if self.page.doc.lines.len() >= self.end {
            self.full = true;
            return;
        }
        let outside = self.path.len();
        self.path.push_str(step);
        self.value(name, value, level);
        self.path.truncate(outside);
    }

    fn value(&mut self, name: &str, value: Peek<'_>, level: u16) {
        let opens = level < MOST_LEVELS && is_filled(value);
        match value.shape() {
            Some(Shape::Object) if opens => {
                self.branch(name, level);
                self.object(value, level + 1);
            }
            Some(Shape::Array) if opens && !fits(value) => {
                self.branch(name, level);
                self.array(value, level + 1);
            }
            Some(Shape::String) if self.form == Form::Pretty => self.text(name, value, level),
            _ => {
                let raw = value.raw();
                let shown = one_line(raw.get(..raw.len().min(VALUE_COLUMNS * 4)).unwrap_or_default(), VALUE_COLUMNS);
                self.head(name, shown, level, Below::Nothing);
            }
        }
    }

    /// A string: in quotes on the line of its key, or in lines of its own where it has several.
    fn text(&mut self, name: &str, value: Peek<'_>, level: u16) {
        let limit = self.page.detail.limit;
        let text = value.text(limit).unwrap_or_default();
        let several = memchr::memchr(b'\n', text.trim_ascii_end()).is_some();
        if !several && text.len() <= VALUE_COLUMNS {
            let quoted = format!("\"{}\"", one_line(&text, VALUE_COLUMNS));
            self.head(name, quoted, level, Below::Nothing);
            return;
        }
        self.branch(name, level);
        let total = crate::triage::detail::result::length(value, &text);
        let style = Style { indent: 2 * level + 2, ..Style::default() };
        let first = self.page.doc.lines.len();
        self.page.block(&text, total, style);
        for line in self.page.doc.lines.iter_mut().skip(first) {
            line.branch = Some(Branch { level: level + 1, path: self.path.clone(), opens: false });
        }
    }

    /// A key whose value is told on the lines below it.
    fn branch(&mut self, name: &str, level: u16) {
        self.head(name.trim_end(), String::new(), level, Below::Value);
    }

    fn head(&mut self, name: &str, value: String, level: u16, below: Below) {
        let indent = usize::from(level) * 2;
        let spans = vec![Span::new(format!("{}{name}", " ".repeat(indent)), Role::Dim), Span::plain(value)];
        let hang = u16::try_from(indent + columns(name)).unwrap_or(0).min(40);
        let branch = Branch { level, path: self.path.clone(), opens: below == Below::Value };
        self.page.push(DocLine {
            spans,
            indent: hang,
            overflow: Overflow::Wrap,
            branch: Some(branch),
            ..DocLine::default()
        });
    }
}

/// What the lines below that of a key tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    Value,
}

/// A key as a step of a path: `.name`, or `["a b"]` where it is no plain name.
fn key_step(name: &str) -> String {
    let mut chars = name.chars();
    let is_plain = chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_');
    if is_plain { format!(".{name}") } else { format!("[\"{name}\"]") }
}

fn is_filled(value: Peek<'_>) -> bool {
    let inside = value.raw().get(1..).unwrap_or_default().trim_ascii_start();
    !matches!(inside.first(), None | Some(b'}' | b']'))
}

/// An array short enough for one line: numbers, short words.
fn fits(value: Peek<'_>) -> bool {
    let raw = value.raw();
    raw.len() <= 60 && !raw.iter().skip(1).any(|byte| matches!(byte, b'{' | b'['))
}

/// The fields of an object on one line each, in a column: the short form below raw arguments.
pub(super) fn short_fields(page: &mut Page<'_>, value: Peek<'_>) {
    let fields = value.fields();
    let names: Vec<String> = fields.iter().map(|(key, _)| one_line(&key.decode_upto(300), 60)).collect();
    let width = names.iter().map(|name| columns(name)).max().unwrap_or(0).min(KEY_COLUMNS);
    for (name, (_, value)) in names.iter().zip(fields).take(100) {
        let shown = short(value);
        let mut spans = vec![Span::new(format!("  {}  ", pad_end(name, width)), Role::Dim), Span::plain(shown)];
        if !value.is_whole() {
            spans.push(Span::new(format!(" ..            {}", page.say("arguments.not_closed", &[])), Role::Dim));
        }
        page.push(DocLine { spans, overflow: Overflow::Cut, ..DocLine::default() });
    }
}

/// A value on one line: a text in quotes, anything else as stored.
pub(super) fn short(value: Peek<'_>) -> String {
    let raw = value.raw();
    match value.text(VALUE_COLUMNS * 4) {
        Some(text) if value.is_whole() => format!("\"{}\"", one_line(&text, VALUE_COLUMNS)),
        _ => one_line(raw.get(..raw.len().min(VALUE_COLUMNS * 4)).unwrap_or_default(), VALUE_COLUMNS),
    }
}
