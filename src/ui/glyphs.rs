//! The signs of the screen, each one column wide in every terminal, with an ASCII form of the same width.
//!
//! Panes write the Unicode signs; [`Glyphs::shown`] puts the form of the chosen set in their place when a cell is
//! written. So a sign that comes out of a judgement or a cut text (`⋯`, `↵`) follows the setting too.

/// Unicode and ASCII form of each sign, in the order of the fields of [`Glyphs`].
const PAIRS: [(char, char); 21] = [
    ('✓', 'v'),
    ('✗', 'x'),
    ('◦', 'o'),
    ('⊘', 'n'),
    ('▐', '*'),
    ('╌', '-'),
    ('╎', '|'),
    ('›', '-'),
    ('▸', '+'),
    ('▾', '-'),
    ('⋯', '~'),
    ('↵', '$'),
    ('⡇', '='),
    ('⡀', '1'),
    ('⣀', '2'),
    ('⣄', '3'),
    ('⣤', '4'),
    ('⣦', '5'),
    ('⣶', '6'),
    ('⣷', '7'),
    ('⣿', '#'),
];

/// Completed, allowed, fine.
pub const COMPLETED: char = '✓';
/// Failed, rejected.
pub const FAILED: char = '✗';
/// Outcome unknown, never decided.
pub const UNKNOWN: char = '?';
/// Not started.
pub const NOT_STARTED: char = '◦';
/// Cancelled, aborted before dispatch.
pub const CANCELLED: char = '-';
/// Rejected by policy, nobody asked.
pub const REFUSED: char = '⊘';
/// Look here, nobody there.
pub const LOOK: char = '!';
/// A surface row; where the view stands in the map.
pub const SURFACE: char = '▐';
/// A row that is not in the file.
pub const GHOST: char = '+';
/// Saved from a torn frame.
pub const TORN: char = '~';
/// Inherited from a parent.
pub const INHERITED: char = ':';
/// A switch of policy, preset or sandbox.
pub const SWITCH: char = '=';
/// Title rules and row rules.
pub const RULE: char = '╌';
/// The column between two panes.
pub const SEPARATOR: char = '╎';
/// The cursor of the focused pane.
pub const CURSOR: char = '>';
/// The linked row of the other panes.
pub const LINKED: char = '›';
/// Something folded.
pub const FOLDED: char = '▸';
/// Something open.
pub const OPEN: char = '▾';
/// Cut text.
pub const CUT: char = '⋯';
/// A newline in a one-line text.
pub const NEWLINE: char = '↵';
/// A full cell of a bar.
pub const BAR: char = '⣿';
/// Half a cell of a bar.
pub const HALF_BAR: char = '⡇';
/// Bars of eight heights, lowest first.
pub const HEIGHTS: [char; 8] = ['⡀', '⣀', '⣄', '⣤', '⣦', '⣶', '⣷', '⣿'];
/// Goes to, becomes. Two columns, the same in both sets.
pub const GOES_TO: &str = "->";

/// Which signs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signs {
    /// The signs of the table.
    #[default]
    Unicode,
    /// ASCII in their place, for a locale that is not UTF-8 and for `--ascii`.
    Ascii,
}

/// How the frame between the panes is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Frame {
    /// `╌ ╎`: narrow in every terminal.
    #[default]
    Dashed,
    /// `─ │`: for terminals that are known to draw them one column wide.
    Solid,
}

/// A set of signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Glyphs {
    signs: Signs,
    frame: Frame,
}

impl Glyphs {
    /// The signs of the table.
    #[must_use]
    pub fn unicode() -> Glyphs {
        Glyphs::default()
    }

    /// The ASCII signs.
    #[must_use]
    pub fn ascii() -> Glyphs {
        Glyphs { signs: Signs::Ascii, frame: Frame::Dashed }
    }

    /// The same set with another frame; without effect on ASCII.
    #[must_use]
    pub fn framed(self, frame: Frame) -> Glyphs {
        Glyphs { frame, ..self }
    }

    /// The form of a grapheme in this set, of the same width. What is no sign of the table comes back as it is.
    #[must_use]
    pub fn shown(self, grapheme: &str) -> Option<char> {
        let mut characters = grapheme.chars();
        let (sign, None) = (characters.next()?, characters.next()) else {
            return None;
        };
        match (self.signs, self.frame, sign) {
            (Signs::Ascii, _, _) if !sign.is_ascii() => {
                PAIRS.iter().find(|(unicode, _)| *unicode == sign).map(|(_, ascii)| *ascii)
            }
            (Signs::Unicode, Frame::Solid, RULE) => Some('─'),
            (Signs::Unicode, Frame::Solid, SEPARATOR) => Some('│'),
            (Signs::Unicode | Signs::Ascii, Frame::Dashed | Frame::Solid, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width::columns;

    #[test]
    fn both_sets_have_the_same_widths() {
        for (unicode, ascii) in PAIRS {
            assert_eq!(columns(&unicode.to_string()), 1, "{unicode}");
            assert_eq!(columns(&ascii.to_string()), 1, "{ascii}");
            assert!(ascii.is_ascii());
        }
    }

    #[test]
    fn every_sign_outside_ascii_has_an_ascii_form() {
        let signs = [COMPLETED, FAILED, NOT_STARTED, REFUSED, SURFACE, RULE, SEPARATOR, LINKED, FOLDED, OPEN, CUT];
        let more = [NEWLINE, BAR, HALF_BAR];
        for sign in signs.iter().chain(&more).chain(&HEIGHTS) {
            let shown = Glyphs::ascii().shown(&sign.to_string());
            assert!(shown.is_some_and(|c| c.is_ascii()), "{sign}");
            assert_eq!(Glyphs::unicode().shown(&sign.to_string()), None);
        }
    }

    #[test]
    fn a_solid_frame_changes_only_the_frame() {
        let solid = Glyphs::unicode().framed(Frame::Solid);
        assert_eq!(solid.shown("╌"), Some('─'));
        assert_eq!(solid.shown("✓"), None);
        assert_eq!(Glyphs::ascii().framed(Frame::Solid).shown("╎"), Some('|'));
    }

    #[test]
    fn text_of_several_code_points_is_no_sign() {
        assert_eq!(Glyphs::ascii().shown("✓\u{301}"), None);
        assert_eq!(Glyphs::ascii().shown(""), None);
    }
}
