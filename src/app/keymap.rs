//! The one table of keys. The help, the hint line and docs/KEYS.md are made from it; the settings may change keys
//! ([`Keymap`]), and are checked against it.

use super::action::{Action, Copyable, Stop, TypeGroup};
use super::key::{Key, KeyCode};
use super::model::Pane;
use super::page::PageKind as Page;

mod bound;
pub(crate) mod names;
pub mod written;

pub use bound::{Change, KeyFault, Keymap};
pub use names::{keys_markdown, keys_text};

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// On every screen, in overlays too.
    Always,
    /// On the main screen and on pages.
    Main,
    /// Header pane.
    Header,
    /// Timeline.
    Timeline,
    /// Calls.
    Calls,
    /// Detail.
    Detail,
    /// The family, as one list or in lanes.
    Family,
    /// A page.
    Page,
    /// The bug report.
    Bug,
    /// The bug report while it asks how something is to be added.
    BugAsked,
    /// The session list.
    List,
    /// What a search of all sessions found.
    Hits,
    /// Help overlay.
    Help,
    /// Type picker.
    Types,
    /// Copy menu.
    CopyMenu,
    /// List of places.
    Places,
}

impl Context {
    /// All of them, in the order in which they are told.
    pub const ALL: [Context; 16] = [
        Context::Always,
        Context::Main,
        Context::Header,
        Context::Timeline,
        Context::Calls,
        Context::Detail,
        Context::Family,
        Context::Page,
        Context::Bug,
        Context::BugAsked,
        Context::List,
        Context::Hits,
        Context::Help,
        Context::Types,
        Context::CopyMenu,
        Context::Places,
    ];

    /// Whether keys of [`Context::Main`] hold here too.
    #[must_use]
    pub fn is_on_main(self) -> bool {
        match self {
            Context::Main
            | Context::Header
            | Context::Timeline
            | Context::Calls
            | Context::Detail
            | Context::Family
            | Context::Page
            | Context::Bug
            | Context::BugAsked
            | Context::List
            | Context::Hits => true,
            Context::Always | Context::Help | Context::Types | Context::CopyMenu | Context::Places => false,
        }
    }

    /// The context of a pane.
    #[must_use]
    pub fn of(pane: Pane) -> Context {
        match pane {
            Pane::Header => Context::Header,
            Pane::Timeline => Context::Timeline,
            Pane::Calls => Context::Calls,
            Pane::Detail => Context::Detail,
        }
    }

    /// Key of its name in the language file, as a heading of the help.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Context::Always | Context::Main => "help.out",
            Context::Header => "help.header_pane",
            Context::Timeline => "help.timeline_pane",
            Context::Calls => "help.calls_pane",
            Context::Detail => "help.detail_pane",
            Context::Family => "key.family",
            Context::Page => "help.pages",
            Context::Bug => "key.bug",
            Context::BugAsked => "key.bug_asked",
            Context::List => "help.session_list",
            Context::Hits => "hits.title",
            Context::Help => "key.help",
            Context::Types => "picker.title",
            Context::CopyMenu => "key.copy",
            Context::Places => "key.cites",
        }
    }
}

/// A key sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keys {
    /// One key.
    One(Key),
    /// A prefix and a second key.
    Two(char, char),
    /// A prefix and any letter.
    Letter(char),
}

/// Groups of the help, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Of the focused pane, page or overlay.
    Here,
    /// Moving.
    Move,
    /// Jumping.
    Jump,
    /// Panes.
    Panes,
    /// Finding.
    Find,
    /// Pages.
    Pages,
    /// Out.
    Out,
}

impl Group {
    /// All groups but [`Group::Here`], in their order.
    pub const ALL: [Group; 6] = [Group::Move, Group::Jump, Group::Panes, Group::Find, Group::Pages, Group::Out];

    /// Key of its heading in the language file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Group::Move => "help.move",
            Group::Jump => "help.jump",
            Group::Panes => "help.panes",
            Group::Find => "help.find",
            Group::Pages => "help.pages",
            // The keys of the focused pane stand under its name; this heading is never shown.
            Group::Here | Group::Out => "help.out",
        }
    }
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
    /// Key of its words in the language file; bindings of one action share it.
    pub help: &'static str,
}

/// First keys that need a second one.
pub const PREFIXES: [char; 6] = ['g', 'z', ']', '[', 'm', '\''];

const fn char(context: Context, key: char, action: Action, group: Group, help: &'static str) -> Binding {
    Binding { context, keys: Keys::One(Key::char(key)), action, group, help }
}

const fn code(context: Context, key: KeyCode, action: Action, group: Group, help: &'static str) -> Binding {
    Binding { context, keys: Keys::One(Key::plain(key)), action, group, help }
}

const fn ctrl(context: Context, key: char, action: Action, group: Group, help: &'static str) -> Binding {
    Binding { context, keys: Keys::One(Key::ctrl(key)), action, group, help }
}

const fn two(prefix: char, second: char, action: Action, group: Group, help: &'static str) -> Binding {
    Binding { context: Context::Main, keys: Keys::Two(prefix, second), action, group, help }
}

const fn letter(prefix: char, action: Action, help: &'static str) -> Binding {
    Binding { context: Context::Main, keys: Keys::Letter(prefix), action, group: Group::Jump, help }
}

/// Every key of the program.
pub const BINDINGS: &[Binding] = &{
    use self::Context as C;
    use self::Group as G;
    use Action as A;
    use KeyCode as K;
    [
        // Moving.
        char(C::Main, 'j', A::Down, G::Move, "key.line_down"),
        code(C::Main, K::Down, A::Down, G::Move, "key.line_down"),
        char(C::Main, 'k', A::Up, G::Move, "key.line_up"),
        code(C::Main, K::Up, A::Up, G::Move, "key.line_up"),
        ctrl(C::Main, 'd', A::HalfPageDown, G::Move, "key.half_page_down"),
        ctrl(C::Main, 'u', A::HalfPageUp, G::Move, "key.half_page_up"),
        code(C::Main, K::PageDown, A::PageDown, G::Move, "key.page_down"),
        ctrl(C::Main, 'f', A::PageDown, G::Move, "key.page_down"),
        code(C::Main, K::PageUp, A::PageUp, G::Move, "key.page_up"),
        ctrl(C::Main, 'b', A::PageUp, G::Move, "key.page_up"),
        two('g', 'g', A::First, G::Move, "key.first"),
        code(C::Main, K::Home, A::First, G::Move, "key.first"),
        char(C::Main, 'G', A::Last, G::Move, "key.last"),
        code(C::Main, K::End, A::Last, G::Move, "key.last"),
        char(C::Main, 'h', A::Left, G::Move, "key.left"),
        code(C::Main, K::Left, A::Left, G::Move, "key.left"),
        char(C::Main, 'l', A::Right, G::Move, "key.right"),
        code(C::Main, K::Right, A::Right, G::Move, "key.right"),
        char(C::Main, 'J', A::NextSibling, G::Move, "key.next_sibling"),
        char(C::Main, 'K', A::PreviousSibling, G::Move, "key.previous_sibling"),
        char(C::Main, ' ', A::ToggleFold, G::Move, "key.fold"),
        two('z', 'a', A::ToggleFold, G::Move, "key.fold"),
        two('z', 'M', A::FoldAll, G::Move, "key.fold_all"),
        two('z', 'R', A::UnfoldAll, G::Move, "key.unfold_all"),
        two('z', 'm', A::FoldLevel, G::Move, "key.fold_level"),
        two('z', 'r', A::UnfoldLevel, G::Move, "key.unfold_level"),
        two('z', 'z', A::ScrollMiddle, G::Move, "key.row_to_middle"),
        two('z', 't', A::ScrollTop, G::Move, "key.row_to_top"),
        two('z', 'b', A::ScrollBottom, G::Move, "key.row_to_bottom"),
        // Jumping.
        char(C::Main, 'u', A::LastUnpaired, G::Jump, "key.last_unpaired"),
        two(']', 'u', A::NextStop(Stop::Unpaired), G::Jump, "key.next_unpaired"),
        two('[', 'u', A::PreviousStop(Stop::Unpaired), G::Jump, "key.previous_unpaired"),
        two(']', 'e', A::NextStop(Stop::Error), G::Jump, "key.next_error"),
        two('[', 'e', A::PreviousStop(Stop::Error), G::Jump, "key.previous_error"),
        two(']', 'a', A::NextStop(Stop::Approval), G::Jump, "key.next_approval"),
        two('[', 'a', A::PreviousStop(Stop::Approval), G::Jump, "key.previous_approval"),
        two(']', 'r', A::NextStop(Stop::Retry), G::Jump, "key.next_retry"),
        two('[', 'r', A::PreviousStop(Stop::Retry), G::Jump, "key.previous_retry"),
        two(']', 't', A::NextStop(Stop::Turn), G::Jump, "key.next_turn"),
        two('[', 't', A::PreviousStop(Stop::Turn), G::Jump, "key.previous_turn"),
        two(']', 'c', A::NextStop(Stop::Call), G::Jump, "key.next_call"),
        two('[', 'c', A::PreviousStop(Stop::Call), G::Jump, "key.previous_call"),
        two(']', 'b', A::NextStop(Stop::Break), G::Jump, "key.next_break"),
        two('[', 'b', A::PreviousStop(Stop::Break), G::Jump, "key.previous_break"),
        two(']', 's', A::NextStop(Stop::Stall), G::Jump, "key.next_stall"),
        two('[', 's', A::PreviousStop(Stop::Stall), G::Jump, "key.previous_stall"),
        char(C::Main, ';', A::RepeatStop, G::Jump, "key.jump_again"),
        char(C::Main, ',', A::RepeatStopBack, G::Jump, "key.jump_back_again"),
        char(C::Main, 'o', A::OtherHalf, G::Jump, "key.other_half"),
        char(C::Main, '%', A::OtherHalf, G::Jump, "key.other_half"),
        two('g', 'd', A::Cited, G::Jump, "key.cites"),
        two('g', 'r', A::Citing, G::Jump, "key.cited_by"),
        ctrl(C::Main, 'o', A::Back, G::Jump, "key.jump_back"),
        char(C::Main, '<', A::Back, G::Jump, "key.jump_back"),
        char(C::Main, '>', A::Forward, G::Jump, "key.jump_forward"),
        char(C::Main, ':', A::GoTo, G::Jump, "key.go_to"),
        letter('m', A::SetMark, "key.set_mark"),
        letter('\'', A::GoToMark, "key.go_to_mark"),
        // Panes.
        code(C::Main, K::Enter, A::Enter, G::Panes, "key.enter"),
        code(C::Main, K::Tab, A::NextPane, G::Panes, "key.next_pane"),
        Binding {
            context: C::Main,
            keys: Keys::One(Key::shift(K::Tab)),
            action: A::PreviousPane,
            group: G::Panes,
            help: "key.previous_pane",
        },
        char(C::Main, '+', A::Larger, G::Panes, "key.pane_larger"),
        char(C::Main, '=', A::Larger, G::Panes, "key.pane_larger"),
        char(C::Main, '_', A::Smaller, G::Panes, "key.pane_smaller"),
        char(C::Main, '-', A::Smaller, G::Panes, "key.pane_smaller"),
        two('z', '+', A::GrowPane, G::Panes, "key.pane_grow"),
        two('z', '-', A::ShrinkPane, G::Panes, "key.pane_shrink"),
        two('z', '=', A::UsualPanes, G::Panes, "key.panes_usual"),
        char(C::Main, 'H', A::PreviousTab, G::Panes, "key.previous_tab"),
        char(C::Main, 'L', A::NextTab, G::Panes, "key.next_tab"),
        char(C::Main, 'w', A::ToggleWrap, G::Panes, "key.wrap"),
        char(C::Main, 'p', A::NextForm, G::Panes, "key.next_form"),
        char(C::Main, 'r', A::ShowRecord, G::Panes, "key.stored_record"),
        char(C::Main, 'c', A::CycleTime, G::Panes, "key.time_column"),
        // Finding.
        char(C::Main, '/', A::Search, G::Find, "key.search"),
        char(C::Main, 'n', A::NextMatch, G::Find, "key.next_match"),
        char(C::Main, 'N', A::PreviousMatch, G::Find, "key.previous_match"),
        char(C::Main, '*', A::SearchId, G::Find, "key.search_id"),
        char(C::Main, 'f', A::Filter, G::Find, "key.filter"),
        char(C::Main, 't', A::PickTypes, G::Find, "key.types"),
        char(C::Main, 'd', A::CycleDepth, G::Find, "key.depth"),
        char(C::Main, 'v', A::CycleView, G::Find, "key.visibility"),
        char(C::Main, 'x', A::ClearFilter, G::Find, "key.clear_filter"),
        char(C::Main, 'F', A::ToggleFollow, G::Find, "key.follow"),
        // Pages.
        char(C::Main, 'T', A::Show(Page::SixSteps), G::Pages, "key.ten_minutes"),
        char(C::Main, 'U', A::Show(Page::Ladder), G::Pages, "key.ladder"),
        char(C::Main, 'R', A::Show(Page::Silent), G::Pages, "key.silent"),
        char(C::Main, 'W', A::Show(Page::Time), G::Pages, "key.time_page"),
        char(C::Main, 'D', A::Show(Page::Changes), G::Pages, "key.changed_files"),
        char(C::Main, 'O', A::Show(Page::Originals), G::Pages, "key.originals"),
        char(C::Main, 'P', A::Show(Page::Request), G::Pages, "key.request_page"),
        char(C::Main, 'S', A::ShowFamily, G::Pages, "key.family"),
        char(C::Main, 'A', A::Show(Page::Approvals), G::Pages, "key.approvals_page"),
        char(C::Main, 'C', A::Show(Page::Container), G::Pages, "key.container_page"),
        char(C::Main, 'i', A::Show(Page::State), G::Pages, "key.header_page"),
        char(C::Main, 's', A::ShowSessions, G::Pages, "key.sessions"),
        // Out.
        char(C::Main, 'b', A::Show(Page::Bug), G::Out, "key.bug"),
        char(C::Main, 'y', A::Copy, G::Out, "key.copy"),
        char(C::Main, 'e', A::Edit, G::Out, "key.edit"),
        char(C::Main, '|', A::Pipe, G::Out, "key.pipe"),
        char(C::Main, 'M', A::ToggleMouse, G::Out, "key.mouse"),
        char(C::Main, '?', A::Help, G::Out, "key.help"),
        code(C::Main, K::F(1), A::Help, G::Out, "key.help"),
        ctrl(C::Main, 'r', A::Reload, G::Out, "key.reload"),
        char(C::Always, 'q', A::Close, G::Out, "key.back"),
        code(C::Always, K::Esc, A::Escape, G::Out, "key.escape"),
        ctrl(C::Always, 'c', A::Interrupt, G::Out, "key.cancel"),
        char(C::Always, 'Q', A::Quit, G::Out, "key.quit"),
        ctrl(C::Always, 'z', A::Suspend, G::Out, "key.suspend"),
        ctrl(C::Always, 'l', A::Redraw, G::Out, "key.redraw"),
        // The focused pane.
        code(C::Timeline, K::Enter, A::Enter, G::Here, "key.open"),
        char(C::Timeline, ' ', A::ToggleFold, G::Here, "key.unfold_row"),
        char(C::Calls, ' ', A::ToggleFold, G::Here, "key.fold"),
        char(C::Detail, ' ', A::ToggleFold, G::Here, "key.fold_or_page"),
        char(C::Detail, '0', A::LineStart, G::Here, "key.line_start"),
        char(C::Detail, '$', A::LineEnd, G::Here, "key.line_end"),
        char(C::Family, ' ', A::ToggleFold, G::Here, "key.family_fold"),
        char(C::Family, 'o', A::OtherHalf, G::Here, "key.family_other"),
        code(C::Family, K::Enter, A::Enter, G::Here, "key.family_enter"),
        char(C::Family, 'd', A::CycleDepth, G::Here, "key.depth"),
        code(C::Header, K::Enter, A::Show(Page::State), G::Here, "key.header_page"),
        char(C::Page, ' ', A::PageDown, G::Here, "key.page_down"),
        char(C::Page, 'v', A::NextPart, G::Here, "key.next_part"),
        char(C::Page, 'c', A::SortNext, G::Here, "key.sort_rows"),
        char(C::Page, 'f', A::Filter, G::Here, "key.filter_rows"),
        char(C::Page, 'y', A::CopyPage, G::Here, "key.copy_page"),
        // The bug report.
        char(C::Bug, 'w', A::WriteReport, G::Here, "key.write_report"),
        char(C::Bug, 'e', A::EditReport, G::Here, "key.edit_report"),
        char(C::Bug, 'a', A::ToggleArguments, G::Here, "key.add_arguments"),
        char(C::Bug, 't', A::ToggleResult, G::Here, "key.add_result"),
        char(C::BugAsked, 'r', A::AddReplaced, G::Here, "key.add_replaced"),
        char(C::BugAsked, 'A', A::AddRecorded, G::Here, "key.add_recorded"),
        // The session list.
        code(C::List, K::Enter, A::Enter, G::Here, "key.open_session"),
        char(C::List, 'h', A::Left, G::Here, "key.parent_session"),
        code(C::List, K::Left, A::Left, G::Here, "key.parent_session"),
        char(C::List, 'l', A::Right, G::Here, "key.child_session"),
        code(C::List, K::Right, A::Right, G::Here, "key.child_session"),
        char(C::List, ' ', A::ToggleFold, G::Here, "key.fold_session"),
        char(C::List, '/', A::Search, G::Here, "key.search_sessions"),
        char(C::List, 'f', A::Narrow, G::Here, "key.filter_sessions"),
        char(C::List, 'x', A::ClearFilter, G::Here, "key.clear_filter"),
        char(C::List, 'c', A::SortNext, G::Here, "key.sort_next"),
        char(C::List, 'o', A::ToggleOthers, G::Here, "key.other_files"),
        ctrl(C::List, 'r', A::Reload, G::Here, "key.reload_sessions"),
        // What a search of all sessions found.
        code(C::Hits, K::Enter, A::Enter, G::Here, "key.open_there"),
        char(C::Hits, 'J', A::NextSibling, G::Here, "key.next_session"),
        char(C::Hits, 'K', A::PreviousSibling, G::Here, "key.previous_session"),
        char(C::Hits, '/', A::Search, G::Here, "key.search_sessions"),
        // Help.
        char(C::Help, 'j', A::Down, G::Here, "key.line_down"),
        code(C::Help, K::Down, A::Down, G::Here, "key.line_down"),
        char(C::Help, 'k', A::Up, G::Here, "key.line_up"),
        code(C::Help, K::Up, A::Up, G::Here, "key.line_up"),
        ctrl(C::Help, 'd', A::HalfPageDown, G::Here, "key.half_page_down"),
        ctrl(C::Help, 'u', A::HalfPageUp, G::Here, "key.half_page_up"),
        code(C::Help, K::PageDown, A::PageDown, G::Here, "key.page_down"),
        char(C::Help, ' ', A::PageDown, G::Here, "key.page_down"),
        code(C::Help, K::PageUp, A::PageUp, G::Here, "key.page_up"),
        code(C::Help, K::Home, A::First, G::Here, "key.first"),
        code(C::Help, K::End, A::Last, G::Here, "key.last"),
        char(C::Help, 'G', A::Last, G::Here, "key.last"),
        char(C::Help, '/', A::Narrow, G::Here, "key.search"),
        char(C::Help, '?', A::Close, G::Here, "key.close"),
        code(C::Help, K::Enter, A::Enter, G::Here, "key.enter"),
        // Type picker.
        char(C::Types, 'j', A::Down, G::Here, "key.line_down"),
        code(C::Types, K::Down, A::Down, G::Here, "key.line_down"),
        char(C::Types, 'k', A::Up, G::Here, "key.line_up"),
        code(C::Types, K::Up, A::Up, G::Here, "key.line_up"),
        code(C::Types, K::PageDown, A::PageDown, G::Here, "key.page_down"),
        code(C::Types, K::PageUp, A::PageUp, G::Here, "key.page_up"),
        code(C::Types, K::Home, A::First, G::Here, "key.first"),
        code(C::Types, K::End, A::Last, G::Here, "key.last"),
        char(C::Types, 'G', A::Last, G::Here, "key.last"),
        char(C::Types, ' ', A::Tick, G::Here, "key.tick"),
        char(C::Types, 'a', A::TickAll, G::Here, "key.tick_all"),
        char(C::Types, 'n', A::TickNone, G::Here, "key.tick_none"),
        char(C::Types, 'i', A::TickInvert, G::Here, "key.tick_invert"),
        char(C::Types, 'c', A::TickGroup(TypeGroup::Chat), G::Here, "key.group_chat"),
        char(C::Types, 'h', A::TickGroup(TypeGroup::Hidden), G::Here, "key.group_hidden"),
        char(C::Types, 't', A::TickGroup(TypeGroup::Tools), G::Here, "key.group_tools"),
        char(C::Types, 'p', A::TickGroup(TypeGroup::Approvals), G::Here, "key.group_approvals"),
        char(C::Types, 'l', A::TickGroup(TypeGroup::Model), G::Here, "key.group_model"),
        char(C::Types, '/', A::Narrow, G::Here, "key.search"),
        char(C::Types, '?', A::Help, G::Here, "key.help"),
        code(C::Types, K::Enter, A::Enter, G::Here, "key.keep"),
        // Copy menu.
        char(C::CopyMenu, 'j', A::Down, G::Here, "key.line_down"),
        code(C::CopyMenu, K::Down, A::Down, G::Here, "key.line_down"),
        char(C::CopyMenu, 'k', A::Up, G::Here, "key.line_up"),
        code(C::CopyMenu, K::Up, A::Up, G::Here, "key.line_up"),
        char(C::CopyMenu, 'v', A::CopyThis(Copyable::Value), G::Here, "key.copy_value"),
        char(C::CopyMenu, 'r', A::CopyThis(Copyable::Record), G::Here, "key.copy_record"),
        char(C::CopyMenu, 'i', A::CopyThis(Copyable::CallId), G::Here, "key.copy_call_id"),
        char(C::CopyMenu, 'c', A::CopyThis(Copyable::Citation), G::Here, "key.copy_citation"),
        char(C::CopyMenu, 'p', A::CopyThis(Copyable::Place), G::Here, "key.copy_place"),
        char(C::CopyMenu, 'f', A::CopyThis(Copyable::Path), G::Here, "key.copy_path"),
        char(C::CopyMenu, 's', A::CopyThis(Copyable::SessionId), G::Here, "key.copy_session_id"),
        char(C::CopyMenu, 'e', A::CopyThis(Copyable::Evidence), G::Here, "key.copy_evidence"),
        char(C::CopyMenu, 'y', A::Close, G::Here, "key.close"),
        code(C::CopyMenu, K::Enter, A::Enter, G::Here, "key.copy"),
        // List of places.
        char(C::Places, 'j', A::Down, G::Here, "key.line_down"),
        code(C::Places, K::Down, A::Down, G::Here, "key.line_down"),
        char(C::Places, 'k', A::Up, G::Here, "key.line_up"),
        code(C::Places, K::Up, A::Up, G::Here, "key.line_up"),
        code(C::Places, K::PageDown, A::PageDown, G::Here, "key.page_down"),
        code(C::Places, K::PageUp, A::PageUp, G::Here, "key.page_up"),
        code(C::Places, K::Enter, A::Enter, G::Here, "key.enter"),
    ]
};

#[cfg(test)]
mod tests;
