//! What a piece of text means on the screen; a theme gives each role its colours.

use super::width::{columns, cut_end};

/// Meaning of a piece of text. Colour only repeats what glyph and word say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Role {
    /// Plain text.
    #[default]
    Normal,
    /// Less important.
    Dim,
    /// Emphasised.
    Strong,
    /// A place to go to, a switch, a cut.
    Accent,
    /// Fine.
    Ok,
    /// Look here.
    Warn,
    /// Wrong.
    Bad,
    /// Outcome unknown.
    Unknown,
    /// Seen by the model.
    Surface,
    /// Log-only rows.
    Hidden,
    /// The selected row.
    Selection,
    /// A search match.
    Match,
}

/// A piece of printable text with its role. The text is sanitised already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    /// Printable text.
    pub text: String,
    /// Its meaning.
    pub role: Role,
    /// Drawn reversed besides its role: marks of hidden characters, changed words, the class in the verdict.
    pub reversed: bool,
}

impl Span {
    /// A span of the given role.
    pub fn new(text: impl Into<String>, role: Role) -> Span {
        Span { text: text.into(), role, reversed: false }
    }

    /// Plain text.
    pub fn plain(text: impl Into<String>) -> Span {
        Span::new(text, Role::Normal)
    }

    /// The same, drawn reversed.
    #[must_use]
    pub fn reversed(mut self) -> Span {
        self.reversed = true;
        self
    }
}

/// Columns that pieces take side by side.
#[must_use]
pub fn columns_of(spans: &[Span]) -> usize {
    spans.iter().map(|span| columns(&span.text)).sum()
}

/// Pieces cut at their end to `max` columns, `⋯` last where something was cut; each keeps its role.
#[must_use]
pub fn cut_spans(spans: Vec<Span>, max: usize) -> Vec<Span> {
    if columns_of(&spans) <= max {
        return spans;
    }
    let mut room = max;
    let mut out = Vec::with_capacity(spans.len());
    for mut span in spans {
        let own = columns(&span.text);
        if own < room {
            room -= own;
            out.push(span);
            continue;
        }
        // More follows, so the mark has to be the last column even where this piece fits exactly.
        span.text = cut_end(&format!("{} ", span.text), room);
        if !span.text.is_empty() {
            out.push(span);
        }
        break;
    }
    out
}
