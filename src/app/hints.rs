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

/// Where, what for, key of the words.
pub(crate) const HINTS: &[(Context, Action, &str)] = &[
    (Context::Header, Action::ShowState, "hint.header_page"),
    (Context::Timeline, Action::OtherHalf, "hint.other_half"),
    (Context::Timeline, Action::Copy, "hint.copy"),
    (Context::Timeline, Action::NextStop(Stop::Unpaired), "hint.next_unpaired"),
    (Context::Timeline, Action::PreviousStop(Stop::Unpaired), "hint.previous_unpaired"),
    (Context::Timeline, Action::NextStop(Stop::Break), "hint.next_break"),
    (Context::Timeline, Action::Filter, "hint.filter"),
    (Context::Timeline, Action::Search, "hint.search"),
    (Context::Timeline, Action::PickTypes, "hint.types"),
    (Context::Calls, Action::ToggleFold, "hint.fold"),
    (Context::Calls, Action::OtherHalf, "hint.other_result"),
    (Context::Calls, Action::Copy, "hint.copy"),
    (Context::Calls, Action::NextStop(Stop::Call), "hint.next_call"),
    (Context::Calls, Action::NextStop(Stop::Approval), "hint.next_approval"),
    (Context::Detail, Action::NextTab, "hint.next_tab"),
    (Context::Detail, Action::NextForm, "hint.next_form"),
    (Context::Detail, Action::ShowRecord, "hint.stored_record"),
    (Context::Detail, Action::Copy, "hint.copy"),
    (Context::Family, Action::OtherHalf, "hint.call_and_child"),
    (Context::Family, Action::Enter, "hint.family_enter"),
    (Context::Family, Action::ShowFamily, "hint.lanes"),
    (Context::Family, Action::CycleDepth, "hint.depth"),
    (Context::Family, Action::Close, "hint.back"),
    (Context::Page, Action::Enter, "hint.enter_there"),
    (Context::Page, Action::NextPart, "hint.next_part"),
    (Context::Page, Action::Left, "hint.map_cell"),
    (Context::Page, Action::CopyPage, "hint.copy"),
    (Context::Page, Action::Right, "hint.scope"),
    (Context::Page, Action::Down, "hint.another_seq"),
    (Context::Page, Action::ShowRequest, "hint.request_page"),
    (Context::Page, Action::NextStop(Stop::Stall), "hint.next_stall"),
    (Context::Page, Action::ShowTime, "hint.time_page"),
    (Context::Page, Action::ShowSilent, "hint.silent"),
    (Context::Page, Action::Close, "hint.back"),
    (Context::Bug, Action::CopyPage, "hint.copy"),
    (Context::Bug, Action::WriteReport, "hint.write_report"),
    (Context::Bug, Action::EditReport, "hint.edit_report"),
    (Context::Bug, Action::ToggleArguments, "hint.add_arguments"),
    (Context::Bug, Action::ToggleResult, "hint.add_result"),
    (Context::Bug, Action::Close, "hint.back"),
    (Context::List, Action::Enter, "hint.open"),
    (Context::List, Action::Left, "hint.parent"),
    (Context::List, Action::Narrow, "hint.filter"),
    (Context::List, Action::SortNext, "hint.sort"),
    (Context::List, Action::ToggleOthers, "hint.other_files"),
    (Context::List, Action::ToggleFold, "hint.fold"),
    (Context::List, Action::Reload, "hint.refresh"),
];

/// Keys that one hint names, at most.
const MOST_KEYS: usize = 2;

/// Hints of a context, most useful first, without those that would do nothing; help and leaving are not among them.
pub(crate) fn hints(context: Context, model: &Model) -> Vec<String> {
    let here = HINTS.iter().filter(|(at, action, _)| *at == context && helps(*action, model));
    here.filter_map(|(_, _, key)| bound(key, context, model)).collect()
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
fn helps(action: Action, model: &Model) -> bool {
    let stops = |stop: Stop| model.open.as_ref().map_or(&[][..], |open| open.stops.places(stop));
    let is_page = |kind: PageKind| model.page.as_ref().is_some_and(|page| page.kind == kind);
    match action {
        Action::NextStop(Stop::Unpaired) => is_ahead(model),
        Action::PreviousStop(Stop::Unpaired) => {
            let here =
                model.open.as_ref().zip(model.timeline.current()).map_or(END, |(open, item)| row_of(item, &open.rules));
            !is_ahead(model) && stops(Stop::Unpaired).first().is_some_and(|first| *first < here)
        }
        Action::ShowSilent => is_page(PageKind::Time),
        Action::Right => model.page.is_none() || is_page(PageKind::Time),
        Action::Down | Action::ShowRequest => is_page(PageKind::State),
        Action::ShowTime => is_page(PageKind::Silent),
        Action::NextStop(Stop::Stall) => is_page(PageKind::Time) && !stops(Stop::Stall).is_empty(),
        Action::NextStop(stop @ (Stop::Break | Stop::Approval | Stop::Call)) => !stops(stop).is_empty(),
        Action::ToggleFold if model.shown_list().is_some() => model.shown_list().is_some_and(List::has_family),
        Action::Left => {
            model.shown_list().map_or(model.page.is_none() || is_page(PageKind::Container), List::has_parent)
        }
        Action::SortNext | Action::Narrow => model.shown_list().is_none_or(List::has_sessions),
        Action::ToggleOthers => model.shown_list().is_some_and(List::has_others),
        Action::ToggleFold => {
            let row = model.calls.visible.get(model.calls.cursor);
            row.is_some_and(|row| row.fold != Fold::Leaf)
        }
        Action::Enter if model.shown_list().is_some() => {
            model.shown_list().is_some_and(|list| list.openable().is_some())
        }
        Action::NextPart => is_page(PageKind::Approvals),
        Action::Enter => model.page.as_ref().is_none_or(Page::leads_anywhere),
        _ => true,
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
