//! What the user wants: keys become these through the table in [`super::keymap`].

use super::page::PageKind;

/// What the user wants. A count typed before the key comes beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Next line.
    Down,
    /// Previous line.
    Up,
    /// Half a page down.
    HalfPageDown,
    /// Half a page up.
    HalfPageUp,
    /// A page down.
    PageDown,
    /// A page up.
    PageUp,
    /// First line; with a count: that seq.
    First,
    /// Last line; with a count: that seq.
    Last,
    /// Fold, or go to the parent; in Detail sideways.
    Left,
    /// Open, or go to the first child; in Detail sideways.
    Right,
    /// First column of unwrapped detail.
    LineStart,
    /// Last column of unwrapped detail.
    LineEnd,
    /// Next on the same level.
    NextSibling,
    /// Previous on the same level.
    PreviousSibling,
    /// Fold or unfold; in Detail a page down.
    ToggleFold,
    /// Fold all.
    FoldAll,
    /// Unfold all.
    UnfoldAll,
    /// Fold one level.
    FoldLevel,
    /// Unfold one level.
    UnfoldLevel,
    /// Cursor row to the middle.
    ScrollMiddle,
    /// Cursor row to the top.
    ScrollTop,
    /// Cursor row to the bottom.
    ScrollBottom,
    /// Into the detail, or to what the line leads to.
    Enter,
    /// Next pane; with a count: that pane.
    NextPane,
    /// Previous pane.
    PreviousPane,
    /// The focused pane larger.
    Larger,
    /// The focused pane smaller.
    Smaller,
    /// The share of the focused pane larger.
    GrowPane,
    /// The share of the focused pane smaller.
    ShrinkPane,
    /// The usual shares of all panes.
    UsualPanes,
    /// Detail tab to the left.
    PreviousTab,
    /// Detail tab to the right.
    NextTab,
    /// The last unpaired call.
    LastUnpaired,
    /// The next thing of a kind.
    NextStop(Stop),
    /// The previous thing of a kind.
    PreviousStop(Stop),
    /// The last jump of that sort again.
    RepeatStop,
    /// The same the other way.
    RepeatStopBack,
    /// The other half of a pair.
    OtherHalf,
    /// What the event cites.
    Cited,
    /// What cites it.
    Citing,
    /// Back through jumps.
    Back,
    /// Forward through jumps.
    Forward,
    /// Ask where to go.
    GoTo,
    /// Set the mark of the letter typed next.
    SetMark,
    /// Go to the mark of the letter typed next.
    GoToMark,
    /// Ask what to search.
    Search,
    /// Next match.
    NextMatch,
    /// Previous match.
    PreviousMatch,
    /// Search the id under the cursor.
    SearchId,
    /// Ask which rows to show.
    Filter,
    /// Event types.
    PickTypes,
    /// The family of the session.
    ShowFamily,
    /// Next depth filter.
    CycleDepth,
    /// All, chat only, hidden only.
    CycleView,
    /// Drop the filter.
    ClearFilter,
    /// Wrap long lines or not.
    ToggleWrap,
    /// Next form of the detail.
    NextForm,
    /// The stored record.
    ShowRecord,
    /// Next form of the time column.
    CycleTime,
    /// The copy menu.
    Copy,
    /// The page as text.
    CopyPage,
    /// What is shown into the editor.
    Edit,
    /// What is shown to a command or the pager.
    Pipe,
    /// The sessions of the store.
    ShowSessions,
    /// A page, or what was behind it where it is shown.
    Show(PageKind),
    /// A list of sessions, or the rows of a page: sort by the next column.
    SortNext,
    /// Session list: other files, or only how many there are.
    ToggleOthers,
    /// Bug report: the arguments in it, or not.
    ToggleArguments,
    /// Bug report: the text of the result in it, or not.
    ToggleResult,
    /// Bug report: what it asks about goes in, with what looks like a secret replaced.
    AddReplaced,
    /// Bug report: what it asks about goes in as the log has it.
    AddRecorded,
    /// Bug report: into a file.
    WriteReport,
    /// Bug report: into the editor.
    EditReport,
    /// The next part of the page.
    NextPart,
    /// Help.
    Help,
    /// Give the mouse back to the terminal, take it again.
    ToggleMouse,
    /// One level back and out.
    Close,
    /// One level back; on the main screen nothing is left for it.
    Escape,
    /// Stop what runs, else leave.
    Interrupt,
    /// Leave at once.
    Quit,
    /// Suspend.
    Suspend,
    /// Draw everything again.
    Redraw,
    /// Follow a growing log; from a paused view on to the end.
    ToggleFollow,
    /// Read the file again.
    Reload,
    /// Picker: tick or not.
    Tick,
    /// Picker: tick all.
    TickAll,
    /// Picker: tick none.
    TickNone,
    /// Picker: the ticked ones off, the others on.
    TickInvert,
    /// Picker: tick a group alone.
    TickGroup(TypeGroup),
    /// Picker, help: narrow the list.
    Narrow,
    /// Copy menu: copy this.
    CopyThis(Copyable),
}

/// Things that a jump stops at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stop {
    /// Unpaired things of any kind.
    Unpaired,
    /// Errors.
    Error,
    /// Approvals.
    Approval,
    /// Retries.
    Retry,
    /// Turns.
    Turn,
    /// Calls.
    Call,
    /// Breaks and damage.
    Break,
    /// Stalls of an answer.
    Stall,
}

/// Groups of event types in the picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeGroup {
    /// Types with rows on the surface.
    Chat,
    /// Types without.
    Hidden,
    /// Tools.
    Tools,
    /// Approvals, policies, sandbox.
    Approvals,
    /// Requests, chunks, retries, messages of the model.
    Model,
}

/// What the copy menu offers, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Copyable {
    /// The value that the detail shows.
    Value,
    /// The line as stored.
    Record,
    /// The call id.
    CallId,
    /// The citation for a bug report.
    Citation,
    /// The command that comes back to this row.
    Place,
    /// The path of the file.
    Path,
    /// The session id.
    SessionId,
    /// The verdict with its seqs.
    Evidence,
}
