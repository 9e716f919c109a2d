//! Hints of the last line: the keys that help where the cursor is, most useful first.

use super::action::{Action, Stop};
use super::calls::Fold;
use super::keymap::{Context, Keymap, Keys, keys_text};
use super::list::List;
use super::model::Model;
use super::page::{Page, PageKind};
use super::rules::END;
use super::timeline::Item;
use super::timeline::place::row_of;

/// A key that helps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hint {
    /// What it does: the words begin with its key.
    pub(crate) action: Action,
    /// Key of its words.
    pub(crate) words: &'static str,
    /// When it would do something.
    when: When,
}

/// When a key would do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Always.
    Always,
    /// Something unpaired lies below the cursor.
    UnpairedAhead,
    /// Something unpaired lies above the cursor, and nothing below it.
    UnpairedBehind,
    /// A call has no result, or only that of a recovery; here or in a relative.
    UnpairedCall,
    /// There is any of these.
    Any(Stop),
    /// The row of the calls pane folds.
    RowFolds,
    /// The value at the cursor of the detail folds.
    ValueFolds,
    /// A line of the page leads somewhere.
    LeadsAnywhere,
    /// The session at the cursor of the list can be opened.
    Opens,
    /// It has a parent.
    HasParent,
    /// It belongs to a family.
    HasFamily,
    /// The list has sessions.
    HasSessions,
    /// The list has other files.
    HasOthers,
}

impl Hint {
    /// A hint that is shown now and then.
    pub(crate) const fn new(action: Action, words: &'static str, when: When) -> Hint {
        Hint { action, words, when }
    }

    /// A hint that is always shown.
    pub(crate) const fn always(action: Action, words: &'static str) -> Hint {
        Hint::new(action, words, When::Always)
    }
}

/// Hints of everything but pages, which have theirs in their own table.
pub(crate) const HINTS: &[(Context, &[Hint])] = &[
    (Context::Header, &[Hint::always(Action::Show(PageKind::State), "hint.header_page")]),
    (
        Context::Timeline,
        &[
            Hint::always(Action::OtherHalf, "hint.other_half"),
            Hint::always(Action::Copy, "hint.copy"),
            Hint::new(Action::NextStop(Stop::Unpaired), "hint.next_unpaired", When::UnpairedAhead),
            Hint::new(Action::PreviousStop(Stop::Unpaired), "hint.previous_unpaired", When::UnpairedBehind),
            Hint::new(Action::NextStop(Stop::Break), "hint.next_break", When::Any(Stop::Break)),
            Hint::always(Action::Filter, "hint.filter"),
            Hint::always(Action::Search, "hint.search"),
            Hint::always(Action::PickTypes, "hint.types"),
        ],
    ),
    (
        Context::Calls,
        &[
            Hint::new(Action::ToggleFold, "hint.fold", When::RowFolds),
            Hint::always(Action::OtherHalf, "hint.other_result"),
            Hint::always(Action::Copy, "hint.copy"),
            Hint::new(Action::NextStop(Stop::Call), "hint.next_call", When::Any(Stop::Call)),
            Hint::new(Action::NextStop(Stop::Approval), "hint.next_approval", When::Any(Stop::Approval)),
        ],
    ),
    (
        Context::Detail,
        &[
            Hint::always(Action::NextTab, "hint.next_tab"),
            Hint::always(Action::NextForm, "hint.next_form"),
            Hint::always(Action::ShowRecord, "hint.stored_record"),
            Hint::new(Action::ToggleFold, "hint.fold", When::ValueFolds),
            Hint::always(Action::Copy, "hint.copy"),
            Hint::always(Action::Edit, "hint.edit"),
            Hint::always(Action::Pipe, "hint.pipe"),
        ],
    ),
    (
        Context::Family,
        &[
            Hint::always(Action::OtherHalf, "hint.call_and_child"),
            Hint::always(Action::Enter, "hint.family_enter"),
            Hint::always(Action::ShowFamily, "hint.lanes"),
            Hint::always(Action::CycleDepth, "hint.depth"),
            Hint::always(Action::Close, "hint.back"),
        ],
    ),
    (
        Context::BugAsked,
        &[
            Hint::always(Action::AddReplaced, "hint.add_replaced"),
            Hint::always(Action::AddRecorded, "hint.add_recorded"),
            Hint::always(Action::Escape, "hint.leave_out"),
        ],
    ),
    (
        Context::List,
        &[
            Hint::new(Action::Enter, "hint.open", When::Opens),
            Hint::new(Action::Left, "hint.parent", When::HasParent),
            Hint::new(Action::Narrow, "hint.filter", When::HasSessions),
            Hint::new(Action::SortNext, "hint.sort", When::HasSessions),
            Hint::new(Action::ToggleOthers, "hint.other_files", When::HasOthers),
            Hint::new(Action::ToggleFold, "hint.fold", When::HasFamily),
            Hint::always(Action::Reload, "hint.refresh"),
        ],
    ),
];

/// Keys that one hint names, at most.
const MOST_KEYS: usize = 2;

/// Hints of a context, most useful first, without those that would do nothing; help and leaving are not among them.
pub(crate) fn hints(context: Context, model: &Model) -> Vec<String> {
    let of_page = model.page.as_ref().map(|page| page.kind.traits()).filter(|traits| traits.context == context);
    let here = HINTS.iter().find(|(at, _)| *at == context).map_or(&[][..], |(_, hints)| *hints);
    let here = of_page.map_or(here, |traits| traits.hints);
    let here = here.iter().filter(|hint| helps(hint.when, model));
    here.filter_map(|hint| bound(hint.words, context, model)).collect()
}

/// What the key does that a hint on the screen names, whichever screen it is.
pub(crate) fn action_of(text: &str, model: &Model) -> Option<Action> {
    let of_page = model.page.as_ref().map(|page| page.kind.traits());
    let of_page = of_page.into_iter().map(|traits| (traits.context, traits.hints));
    let mut all = of_page.chain(HINTS.iter().copied());
    all.find_map(|(context, hints)| {
        let says = |hint: &&Hint| bound(hint.words, context, model).is_some_and(|bound| bound == text);
        hints.iter().find(says).map(|hint| hint.action)
    })
}

/// A hint with the keys that are bound in a context: its text begins with those of the table. `None` where no key is left.
pub(crate) fn bound(hint: &str, context: Context, model: &Model) -> Option<String> {
    let words = model.words();
    let (usual, own) = (Keymap::default(), &model.settings.keymap);
    let text = words.get(hint);
    if **own == usual {
        return Some(text.to_owned());
    }
    let contexts = [context, Context::Page, Context::Main, Context::Always];
    let contexts = if context == Context::Bug { &contexts[..] } else { &[context, Context::Main, Context::Always][..] };
    let keys = |text: &str| {
        let mut bindings = contexts
            .iter()
            .flat_map(|context| usual.bindings().iter().filter(move |binding| binding.context == *context));
        bindings.find(|binding| keys_text(binding.keys, words) == text).copied()
    };
    let mut shown = Vec::new();
    let mut rest = text;
    let mut is_key = false;
    while let Some((first, after)) = rest.split_once(' ') {
        let Some(binding) = keys(first).filter(|_| shown.len() < MOST_KEYS) else { break };
        is_key = true;
        let is_kept = own.find(contexts, binding.keys).is_some_and(|other| other.action == binding.action);
        let now: Option<Keys> = if is_kept { Some(binding.keys) } else { own.keys_of(contexts, binding.action) };
        shown.extend(now.map(|keys| keys_text(keys, words)));
        rest = after;
    }
    match (is_key, shown.is_empty()) {
        (false, _) => Some(text.to_owned()),
        (true, true) => None,
        (true, false) => Some(format!("{} {rest}", shown.join(" "))),
    }
}

/// Whether the key would do something.
fn helps(when: When, model: &Model) -> bool {
    let stops = |stop: Stop| model.open.as_ref().map_or(&[][..], |open| open.stops.places(stop));
    let list = |asks: fn(&List) -> bool| model.shown_list().is_some_and(asks);
    match when {
        When::Always => true,
        When::UnpairedAhead => is_ahead(model),
        When::UnpairedBehind => {
            let here =
                model.open.as_ref().zip(model.timeline.current()).map_or(END, |(open, item)| row_of(item, &open.rules));
            !is_ahead(model) && stops(Stop::Unpaired).first().is_some_and(|first| *first < here)
        }
        When::UnpairedCall => {
            let facts = model.open.as_ref().map(|open| &open.session.facts);
            let is_here = facts.is_some_and(|facts| facts.last_unpaired.or(facts.last_recovered).is_some());
            is_here || model.family.lineage.as_ref().is_some_and(|lineage| lineage.deepest_open.is_some())
        }
        When::Any(stop) => !stops(stop).is_empty(),
        When::RowFolds => {
            let row = model.calls.visible.get(model.calls.cursor);
            row.is_some_and(|row| row.fold != Fold::Leaf)
        }
        When::ValueFolds => model.detail.branch().is_some_and(|branch| branch.opens),
        When::LeadsAnywhere => model.page.as_ref().is_some_and(Page::leads_anywhere),
        When::Opens => list(|list| list.openable().is_some()),
        When::HasParent => list(List::has_parent),
        When::HasFamily => list(List::has_family),
        When::HasSessions => list(List::has_sessions),
        When::HasOthers => list(List::has_others),
    }
}

/// Whether something unpaired lies below the cursor.
fn is_ahead(model: &Model) -> bool {
    let Some(open) = &model.open else { return false };
    let item = model.timeline.current();
    let row = item.map_or(END, |item| row_of(item, &open.rules));
    let last = open.stops.places(Stop::Unpaired).last();
    match item {
        Some(Item::Rule { .. }) => last.is_some_and(|last| *last >= row),
        Some(Item::Run { last: end, .. }) => last.is_some_and(|last| *last > end),
        _ => last.is_some_and(|last| *last > row),
    }
}
