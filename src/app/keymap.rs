//! The one table of keys.

use super::action::Action;
use super::key::Key;

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Everywhere but in overlays and input lines.
    Main,
    /// Header pane.
    Header,
    /// Timeline.
    Timeline,
    /// Calls.
    Calls,
    /// Detail.
    Detail,
    /// A page.
    Page,
    /// Help overlay.
    Help,
    /// Type picker.
    Types,
    /// Copy menu.
    CopyMenu,
}

/// A key sequence: one key, or a prefix and a second key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keys {
    /// One key.
    One(Key),
    /// A prefix and a second key.
    Two(char, Key),
}

/// Groups of the help, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Of the focused pane.
    Here,
    /// Moving.
    Move,
    /// Panes.
    Panes,
    /// Finding.
    Find,
    /// Jumping.
    Jump,
    /// Pages.
    Pages,
    /// Out.
    Out,
}

/// One binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// Where it holds.
    pub context: Context,
    /// Its keys.
    pub keys: Keys,
    /// What it does.
    pub action: Action,
    /// Group of the help.
    pub group: Group,
    /// Key of its words in the language file.
    pub help: &'static str,
}
