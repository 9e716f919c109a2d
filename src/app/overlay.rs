//! What stands over everything: help (`?`), type picker (`t`), copy menu (`y`), places (`gd`, `gr`).

use super::action::Copyable;
use super::keymap::Binding;
use super::selection::Selection;
use crate::session::row::{EventRef, TypeId};

/// What stands over everything.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// Keys.
    Help(Help),
    /// Event types.
    Types(TypePicker),
    /// What to copy.
    Copy(CopyMenu),
    /// Where to go.
    Places(Places),
}

/// A list with a cursor; `top` is the first row on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListState {
    /// Row with the cursor, from 0.
    pub cursor: usize,
    /// First row on screen.
    pub top: usize,
}

/// The help overlay.
#[derive(Debug, Clone)]
pub struct Help {
    /// What the list is narrowed by.
    pub narrowed: String,
    /// Bindings shown, in groups; the group of the focused pane first.
    pub lines: Vec<HelpLine>,
    /// Where the cursor stands in `lines`.
    pub list: ListState,
}

/// A line of the help.
#[derive(Debug, Clone)]
pub enum HelpLine {
    /// Heading of a group, printable.
    Group(String),
    /// Keys and what they do, printable.
    Binding {
        /// The keys: `j k  Up Down`.
        keys: String,
        /// What they do.
        help: String,
        /// The first binding of the line, which Enter runs.
        binding: Binding,
    },
    /// A line about the marks.
    Marks(String),
}

/// The type picker.
#[derive(Debug, Clone)]
pub struct TypePicker {
    /// What the list is narrowed by.
    pub narrowed: String,
    /// Types, most frequent first, narrowed.
    pub lines: Vec<TypeLine>,
    /// Where the cursor stands in `lines`.
    pub list: ListState,
    /// Events shown by what is ticked.
    pub shown: u64,
    /// Events in all.
    pub total: u64,
    /// What was in force before, for Esc.
    pub(crate) before: Selection,
}

/// A type in the picker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeLine {
    /// The type.
    pub id: TypeId,
    /// Its name, printable.
    pub name: String,
    /// Events of it.
    pub events: u64,
    /// Ticked: shown.
    pub ticked: bool,
    /// The model sees events of it.
    pub surface: bool,
}

/// Places that an event leads to.
#[derive(Debug, Clone)]
pub struct Places {
    /// What they are, printable.
    pub title: String,
    /// The places in file order.
    pub lines: Vec<PlaceLine>,
    /// Where the cursor stands in `lines`.
    pub list: ListState,
}

/// A place, printable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceLine {
    /// The event.
    pub event: EventRef,
    /// Its seq.
    pub seq: String,
    /// Its time of day.
    pub time: String,
    /// Its type.
    pub name: String,
    /// Its words, where they were made already.
    pub what: String,
}

/// The copy menu.
#[derive(Debug, Clone)]
pub struct CopyMenu {
    /// What it is about, printable: `tool/call seq 88, call_0321_0`.
    pub about: String,
    /// What can be copied, in order; what there is nothing of is left out.
    pub lines: Vec<CopyLine>,
    /// Where the cursor stands in `lines`.
    pub list: ListState,
}

/// A line of the copy menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyLine {
    /// What.
    pub what: Copyable,
    /// Its letter.
    pub letter: char,
    /// Its name, printable.
    pub name: String,
    /// What would be copied, printable and on one line.
    pub preview: String,
    /// Bytes, where it is worth saying.
    pub bytes: Option<u64>,
}
