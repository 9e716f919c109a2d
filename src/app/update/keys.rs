//! Keys: counts, prefixes, input lines, and the table.

use super::{act, filter_line, finding, handing, hits, jump, lists};
use crate::app::action::Action;
use crate::app::effect::Effect;
use crate::app::hints::contexts;
use crate::app::input::{Asked, Input, Step, remember};
use crate::app::key::{Key, KeyCode};
use crate::app::keymap::{self, Keys, PREFIXES};
use crate::app::model::{Model, Notice};
use crate::app::theming::{self, Typed};
use crate::text::role::Role;
use crate::text::sanitize::one_line;

/// The highest count: integers of a log end at 2^53.
const MOST_COUNT: u64 = 9_007_199_254_740_991;

/// A key or two were pressed; a key that waited for a second one is forgotten.
pub(super) fn pressed_all(model: &mut Model, keys: Keys, effects: &mut Vec<Effect>) {
    model.pending.prefix = None;
    let (first, second) = match keys {
        Keys::One(key) => (key, None),
        Keys::Two(first, second) => (Key::char(first), Some(Key::char(second))),
        // The letter is for the person to choose.
        Keys::Letter(first) => (Key::char(first), None),
    };
    pressed(model, first, effects);
    if let Some(second) = second {
        pressed(model, second, effects);
    }
}

/// A key was pressed.
pub(super) fn pressed(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    model.notice = None;
    model.follow.news = None;
    model.wait = None;
    model.untouched = false;
    if model.input.is_some() {
        typed(model, key, effects);
        return;
    }
    if let Some(prefix) = model.pending.prefix.take() {
        second(model, prefix, key, effects);
        return;
    }
    let plain = match key {
        Key { code: KeyCode::Char(char), ctrl: false, alt: false, .. } => Some(char),
        _ => None,
    };
    if let (Some(char), None) = (plain, &model.overlay) {
        if let Some(digit) = char.to_digit(10).filter(|digit| *digit > 0 || model.pending.count.is_some()) {
            let count = model.pending.count.unwrap_or(0).saturating_mul(10).saturating_add(u64::from(digit));
            model.pending.count = Some(count.min(MOST_COUNT));
            return;
        }
        if PREFIXES.contains(&char) {
            model.pending.prefix = Some(char);
            return;
        }
    }
    let count = model.pending.count.take();
    if key == Key::plain(KeyCode::Esc) && count.is_some() {
        return;
    }
    match model.settings.keymap.find(&contexts(model), Keys::One(key)).map(|binding| binding.action) {
        Some(action) => act::act(model, action, count, effects),
        None => unknown(model, &keymap::keys_text(Keys::One(key), &model.settings.words.clone())),
    }
}

fn unknown(model: &mut Model, key: &str) {
    let key = one_line(key.as_bytes(), 20);
    model.say(Role::Normal, "message.unknown_key", &[("key", &key)]);
}

/// The second key after a prefix.
fn second(model: &mut Model, prefix: char, key: Key, effects: &mut Vec<Effect>) {
    let count = model.pending.count.take();
    let letter = match key {
        Key { code: KeyCode::Char(char), ctrl: false, alt: false, .. } => char,
        Key { code: KeyCode::Esc, .. } => return,
        other => {
            let name = keymap::keys_text(Keys::One(other), &model.settings.words.clone());
            return no_such(model, prefix, &name);
        }
    };
    let contexts = contexts(model);
    let action = |keys| model.settings.keymap.find(&contexts, keys).map(|binding| binding.action);
    if let Some(action) = action(Keys::Two(prefix, letter)) {
        act::act(model, action, count, effects);
    } else if let Some(action) = action(Keys::Letter(prefix)) {
        match action {
            Action::SetMark => jump::set_mark(model, letter),
            Action::GoToMark => jump::to_mark(model, letter),
            action => act::act(model, action, count, effects),
        }
    } else {
        no_such(model, prefix, &letter.to_string());
    }
}

fn no_such(model: &mut Model, prefix: char, key: &str) {
    let key = one_line(key.as_bytes(), 20);
    model.say(Role::Normal, "message.unknown_second_key", &[("prefix", &prefix.to_string()), ("key", &key)]);
}

/// A key for the input line.
fn typed(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    let Some(mut input) = model.input.take() else { return };
    if input.asked == Asked::Filter && filter_line::takes(model, &mut input, key) {
        filter_line::edited(model, &mut input);
        model.input = Some(input);
        return;
    }
    if let (Asked::GoTo, KeyCode::Tab) = (input.asked, key.code) {
        if let Some(text) = theming::completed(input.text(), !key.shift, &model.settings.themes) {
            input.set(&text);
        }
        edited(model, &mut input, effects);
        model.input = Some(input);
        return;
    }
    match input.press(key) {
        Step::Edited => {
            edited(model, &mut input, effects);
            model.input = Some(input);
        }
        Step::Taken => {
            let text = input.text().to_owned();
            remember(model.typed.entry(input.asked).or_default(), &text);
            match input.asked {
                Asked::GoTo => match theming::typed(&text) {
                    Typed::Theme(name) => take_theme(model, name),
                    Typed::Else => jump::to_place(model, &text),
                },
                Asked::Search => finding::search(model, &text, effects),
                Asked::SearchSessions => hits::search(model, &text, effects),
                Asked::Filter => filter_line::keep(model, input),
                Asked::Pipe => handing::typed(model, &text, effects),
                Asked::Narrow => {}
            }
        }
        Step::Left => match input.asked {
            Asked::Narrow => lists::narrowed_in_vain(model),
            Asked::Filter => filter_line::undo(model),
            Asked::Search => finding::leave(model, effects),
            Asked::Pipe | Asked::SearchSessions => {}
            Asked::GoTo => model.themed.undo(),
        },
    }
}

/// The text of the input line may have changed.
fn edited(model: &mut Model, input: &mut Input, effects: &mut Vec<Effect>) {
    match input.asked {
        Asked::Narrow => lists::narrow(model, input.text()),
        Asked::Filter => filter_line::edited(model, input),
        Asked::Search => input.problem = finding::typing(model, input.text(), effects),
        Asked::SearchSessions => input.problem = hits::typing(model, input.text()),
        Asked::Pipe => {}
        Asked::GoTo => match theming::typed(input.text()) {
            Typed::Theme(name) => {
                let meant = model.settings.themes.meant(name).map(|(_, theme)| theme);
                model.themed.preview(meant);
            }
            Typed::Else => model.themed.undo(),
        },
    }
}

/// A theme was chosen, or something that names none.
fn take_theme(model: &mut Model, name: &str) {
    let themes = model.settings.themes.clone();
    if let Some((name, theme)) = themes.meant(name) {
        model.themed.keep(theme);
        match themes.warning(theme) {
            Some(warning) => model.notice = Some(Notice { text: warning.to_owned(), role: Role::Warn }),
            None => model.say(Role::Normal, "message.theme", &[("theme", name)]),
        }
    } else if let Some(fault) = themes.fault(name) {
        model.themed.undo();
        model.say(Role::Bad, "message.bad_theme", &[("why", fault)]);
    } else {
        model.themed.undo();
        let known = themes.listed();
        let name = one_line(name.as_bytes(), 20);
        model.say(Role::Bad, "message.no_theme", &[("theme", &name), ("known", &known)]);
    }
}

/// Text was pasted: into the input line; anywhere else it is dropped, so that a paste never runs keys.
pub(super) fn pasted(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    model.notice = None;
    let Some(mut input) = model.input.take() else { return };
    input.paste(text);
    edited(model, &mut input, effects);
    model.input = Some(input);
}
