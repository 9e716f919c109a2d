//! Colours: what a terminal with fewer of them shows, and whether one can be read on another.

use ratatui::style::Color;

use super::Palette;

/// A colour as 24 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Rgb(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// The sixteen colours: name in theme files, and the value that xterm gives them.
pub(super) const SIXTEEN: [(&str, Color, Rgb); 16] = [
    ("black", Color::Black, Rgb(0, 0, 0)),
    ("red", Color::Red, Rgb(205, 0, 0)),
    ("green", Color::Green, Rgb(0, 205, 0)),
    ("yellow", Color::Yellow, Rgb(205, 205, 0)),
    ("blue", Color::Blue, Rgb(0, 0, 238)),
    ("magenta", Color::Magenta, Rgb(205, 0, 205)),
    ("cyan", Color::Cyan, Rgb(0, 205, 205)),
    ("white", Color::Gray, Rgb(229, 229, 229)),
    ("bright-black", Color::DarkGray, Rgb(127, 127, 127)),
    ("bright-red", Color::LightRed, Rgb(255, 0, 0)),
    ("bright-green", Color::LightGreen, Rgb(0, 255, 0)),
    ("bright-yellow", Color::LightYellow, Rgb(255, 255, 0)),
    ("bright-blue", Color::LightBlue, Rgb(92, 92, 255)),
    ("bright-magenta", Color::LightMagenta, Rgb(255, 0, 255)),
    ("bright-cyan", Color::LightCyan, Rgb(0, 255, 255)),
    ("bright-white", Color::White, Rgb(255, 255, 255)),
];

/// Levels of the colour cube of the 256 colours.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The colour that a palette shows. A colour named from the sixteen stays that colour in every palette.
pub(super) fn shown(full: Option<Rgb>, sixteen: Option<Color>, palette: Palette) -> Option<Color> {
    match (palette, full, sixteen) {
        (Palette::None, _, _) | (_, None, None) => None,
        (Palette::True, Some(Rgb(r, g, b)), _) => Some(Color::Rgb(r, g, b)),
        (Palette::Indexed, Some(full), _) => Some(Color::Indexed(indexed(full))),
        (Palette::Sixteen, Some(full), None) => Some(nearest_of_sixteen(full)),
        (Palette::Sixteen | Palette::Indexed | Palette::True, _, Some(sixteen)) => Some(sixteen),
    }
}

/// The nearest of the cube and the greys of the 256 colours.
fn indexed(full: Rgb) -> u8 {
    let step = |value: u8| (0..6_u8).min_by_key(|at| CUBE[usize::from(*at)].abs_diff(value)).unwrap_or(0);
    let (r, g, b) = (step(full.0), step(full.1), step(full.2));
    let cube = Rgb(CUBE[usize::from(r)], CUBE[usize::from(g)], CUBE[usize::from(b)]);
    let mean = (u16::from(full.0) + u16::from(full.1) + u16::from(full.2)) / 3;
    let grey_step = (mean.saturating_sub(3) / 10).min(23) as u8;
    let grey = 8 + 10 * grey_step;
    if distance(full, Rgb(grey, grey, grey)) < distance(full, cube) { 232 + grey_step } else { 16 + 36 * r + 6 * g + b }
}

fn nearest_of_sixteen(full: Rgb) -> Color {
    SIXTEEN.iter().min_by_key(|(_, _, value)| distance(full, *value)).map_or(Color::Reset, |(_, colour, _)| *colour)
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    let part = |x: u8, y: u8| u32::from(x.abs_diff(y)).pow(2);
    part(a.0, b.0) + part(a.1, b.1) + part(a.2, b.2)
}

/// Contrast of two colours as WCAG 2 defines it: 1 to 21.
pub(super) fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(Rgb(r, g, b): Rgb) -> f64 {
    let part = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_down_to_what_the_palette_has() {
        let red = Rgb(255, 0, 0);
        assert_eq!(shown(Some(red), None, Palette::True), Some(Color::Rgb(255, 0, 0)));
        assert_eq!(shown(Some(red), None, Palette::Indexed), Some(Color::Indexed(196)));
        assert_eq!(shown(Some(red), None, Palette::Sixteen), Some(Color::LightRed));
        assert_eq!(shown(Some(red), Some(Color::Cyan), Palette::Sixteen), Some(Color::Cyan));
        assert_eq!(shown(Some(red), None, Palette::None), None);
        assert_eq!(shown(None, Some(Color::Cyan), Palette::True), Some(Color::Cyan));
    }

    #[test]
    fn greys_come_from_the_grey_ramp() {
        assert_eq!(indexed(Rgb(128, 128, 128)), 244);
        assert_eq!(indexed(Rgb(255, 255, 255)), 231);
        assert_eq!(indexed(Rgb(0, 0, 0)), 16);
    }

    #[test]
    fn black_on_white_has_the_highest_contrast() {
        assert!((contrast(Rgb(0, 0, 0), Rgb(255, 255, 255)) - 21.0).abs() < 0.01);
    }
}
