//! The table of characters one does not see.

use super::page::Page;
use crate::text::role::{Role, Span};
use crate::text::sanitize::hidden_characters;
use crate::text::width::{columns, pad_end, pad_start};
use crate::triage::doc::{DocLine, Overflow};

/// How many characters of a text are marked, for the title; and whether some run from right to left.
pub(super) fn count(text: &[u8]) -> u64 {
    hidden_characters(text).iter().map(|kind| u64::from(kind.count)).sum()
}

/// Adds the table, one line a kind; nothing for a text without hidden characters.
pub(super) fn table(page: &mut Page<'_>, text: &[u8]) {
    let kinds = hidden_characters(text);
    let from_right = runs_from_right(text);
    if kinds.is_empty() && !from_right {
        return;
    }
    page.blank();
    let right = if from_right { vec![Span::plain(page.say("arguments.right_to_left", &[]))] } else { Vec::new() };
    let title = if kinds.is_empty() { String::new() } else { page.say("arguments.hidden_title", &[]) };
    page.title(title, right, None);
    let names: Vec<String> = kinds.iter().map(|kind| page.say(kind.name, &[])).collect();
    let senses: Vec<String> = kinds
        .iter()
        .map(|kind| {
            let letter = kind.looks_like.map(String::from).unwrap_or_default();
            page.say(kind.sense, &[("letter", &letter), ("what", &kind.what)])
        })
        .collect();
    let widest = |texts: &[String]| texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    let (name_width, sense_width) = (widest(&names), widest(&senses));
    for ((kind, name), sense) in kinds.iter().zip(&names).zip(&senses) {
        let byte = page.say("arguments.hidden_byte", &[("byte", &kind.first_byte.to_string())]);
        let text = format!(
            "  {}  {}  {}   {}   {byte}",
            pad_end(&kind.what, 7),
            pad_end(name, name_width),
            pad_start(&kind.count.to_string(), 2),
            pad_end(sense, sense_width),
        );
        page.push(DocLine { overflow: Overflow::Cut, ..DocLine::of(text, Role::Normal) });
    }
}

/// Whether a text has letters that run from right to left (Hebrew, Arabic and their kin).
fn runs_from_right(text: &[u8]) -> bool {
    if text.is_ascii() {
        return false;
    }
    String::from_utf8_lossy(text).chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}'
            | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
    })
}
