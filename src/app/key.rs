//! Keys and mouse events as the core knows them; the runtime turns those of the terminal into these.

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyCode {
    /// A character as typed: shift is already applied (`G`, `?`).
    Char(char),
    /// F1 and so on.
    F(u8),
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Tab; with shift set, Shift-Tab.
    Tab,
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
}

/// A key press. `shift` is set only where the character does not tell it (Shift-Tab, arrows).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Which key.
    pub code: KeyCode,
    /// Control was held.
    pub ctrl: bool,
    /// Alt was held.
    pub alt: bool,
    /// Shift was held; never set for [`KeyCode::Char`].
    pub shift: bool,
}

impl Key {
    /// A key without modifiers.
    #[must_use]
    pub const fn plain(code: KeyCode) -> Key {
        Key { code, ctrl: false, alt: false, shift: false }
    }

    /// A character without modifiers.
    #[must_use]
    pub const fn char(char: char) -> Key {
        Key::plain(KeyCode::Char(char))
    }

    /// A character with control.
    #[must_use]
    pub const fn ctrl(char: char) -> Key {
        Key { code: KeyCode::Char(char), ctrl: true, alt: false, shift: false }
    }

    /// A key with shift.
    #[must_use]
    pub const fn shift(code: KeyCode) -> Key {
        Key { code, ctrl: false, alt: false, shift: true }
    }
}

/// What the mouse did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseKind {
    /// The left button went down.
    Pressed,
    /// The left button went down a second time at the same cell soon after: the runtime knows the clock.
    PressedTwice,
    /// Moved with the left button held.
    Dragged,
    /// The left button went up.
    Released,
    /// The wheel turned up, one notch.
    WheelUp,
    /// The wheel turned down, one notch.
    WheelDown,
    /// The wheel turned or was tilted to the left, one notch.
    WheelLeft,
    /// The same to the right.
    WheelRight,
}

/// A mouse event at a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MouseEvent {
    /// What happened.
    pub kind: MouseKind,
    /// Column, from 0.
    pub column: u16,
    /// Row, from 0.
    pub row: u16,
}
