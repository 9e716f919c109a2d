//! Screens below 20x5: two words, and nothing else. The state is kept; everything comes back with the size.

use super::canvas::Canvas;
use crate::app::area::Area;
use crate::text::role::Role;

/// Draws the two words in the middle of nothing.
pub(crate) fn draw(canvas: &mut Canvas<'_>, width: u16, height: u16) {
    let words = &canvas.look.words;
    let size = [("width", width.to_string()), ("height", height.to_string())];
    let size: Vec<(&str, &str)> = size.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (first, second) = (words.say("small.too_small", &size), words.get("small.need").to_owned());
    let screen = Area { x: 0, y: 0, width, height };
    canvas.span(screen, 0, usize::from(width > 16), &first, Role::Warn);
    canvas.span(screen, 1, 0, &second, Role::Normal);
}
