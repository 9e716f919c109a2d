//! The model drawn into a ratatui buffer. It reads the model and never changes it; it reads no file and starts nothing.

pub(crate) mod canvas;
pub mod glyphs;
pub(crate) mod row;
pub mod theme;

use glyphs::Glyphs;
use theme::Theme;

use crate::text::locale::Words;
use crate::text::time::Zone;

/// What everything looks like: decided once at the start.
#[derive(Debug, Clone)]
pub struct Look {
    /// A style for each role.
    pub theme: Theme,
    /// The signs.
    pub glyphs: Glyphs,
    /// The words.
    pub words: Words,
    /// Where the clock of the reader is.
    pub zone: Zone,
}

impl Default for Look {
    /// Dark, 24 bits, Unicode, English, UTC.
    fn default() -> Look {
        Look { theme: Theme::default(), glyphs: Glyphs::default(), words: Words::english(), zone: Zone::utc() }
    }
}

/// The rows of a buffer as text, each as wide as the buffer: for tests.
#[cfg(test)]
pub(crate) fn rows_of(buffer: &ratatui::buffer::Buffer) -> Vec<String> {
    let area = buffer.area;
    (area.top()..area.bottom())
        .map(|y| {
            let mut row = String::new();
            let mut skip = 0;
            for x in area.left()..area.right() {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                let symbol = buffer[(x, y)].symbol();
                skip = crate::text::width::columns(symbol).saturating_sub(1);
                row.push_str(symbol);
            }
            row
        })
        .collect()
}
