//! Keys in the settings: `[keys.CONTEXT]` with `ACTION = KEYS`, checked against the one table of keys.

use std::sync::Arc;

use toml::Spanned;
use toml::de::DeValue;

use super::file::{Reader, in_order};
use crate::app::action::Action;
use crate::app::keymap::written::{action_name, actions_of, context_name, read_keys};
use crate::app::keymap::{Change, Context, KeyFault, Keymap, Keys, keys_text};
use crate::text::fault::{Fault, Place};
use crate::text::locale::Words;

/// A change, and the bytes of the file at which it stands.
pub(super) struct Placed {
    change: Change,
    /// Its name.
    at: usize,
    /// Each of its keys.
    keys_at: Vec<usize>,
}

/// Reads the table of keys.
pub(super) fn read(reader: &Reader<'_>, value: &Spanned<DeValue<'_>>) -> Result<Vec<Placed>, Fault> {
    let mut changes = Vec::new();
    for (key, value) in in_order(reader.table(value)?) {
        let name = key.get_ref().as_ref();
        let Some(context) = Context::ALL.into_iter().find(|context| context_name(*context) == name) else {
            return Err(reader.unknown(key, name, &Context::ALL.map(context_name)));
        };
        let known: Vec<(String, Action)> =
            actions_of(context).into_iter().map(|action| (action_name(action), action)).collect();
        for (key, value) in in_order(reader.table(value)?) {
            let name = key.get_ref().as_ref();
            let Some((_, action)) = known.iter().find(|(known, _)| known == name) else {
                let values = vec![("action", name.to_owned()), ("context", context_name(context).to_owned())];
                let fault = Fault::new(reader.place(key.span().start), "config.unknown_action", values);
                return Err(fault.or_meant(name, known.iter().map(|(known, _)| known.as_str())));
            };
            let (keys, keys_at) = sequences(reader, value, *action)?.into_iter().unzip();
            changes.push(Placed { change: Change { context, action: *action, keys }, at: key.span().start, keys_at });
        }
    }
    Ok(changes)
}

/// `"j"`, or `["j", "Down"]`; an empty list takes the action its keys.
fn sequences(reader: &Reader<'_>, value: &Spanned<DeValue<'_>>, action: Action) -> Result<Vec<(Keys, usize)>, Fault> {
    let one = |value: &Spanned<DeValue<'_>>| {
        let text = value.get_ref().as_str().ok_or_else(|| reader.expected(value, "[\"j\", \"Ctrl-d\", \"gg\"]"))?;
        let unknown =
            || Fault::new(reader.place(value.span().start), "config.unknown_keys", vec![("keys", text.to_owned())]);
        match (read_keys(text).ok_or_else(unknown)?, action) {
            // Marks take any letter after their first key; it is written as the help writes it, with an `a`.
            (Keys::Two(prefix, 'a'), Action::SetMark | Action::GoToMark) => {
                Ok((Keys::Letter(prefix), value.span().start))
            }
            (_, Action::SetMark | Action::GoToMark) => {
                Err(Fault::new(reader.place(value.span().start), "config.mark_keys", vec![("keys", text.to_owned())]))
            }
            (keys, _) => Ok((keys, value.span().start)),
        }
    };
    match value.get_ref().as_array() {
        Some(several) => several.iter().map(one).collect(),
        None => one(value).map(|keys| vec![keys]),
    }
}

/// The table of keys with the changes of the file.
pub(super) fn keymap(reader: &Reader<'_>, changes: &[Placed]) -> Result<Arc<Keymap>, Fault> {
    let plain: Vec<Change> = changes.iter().map(|placed| placed.change.clone()).collect();
    let made = Keymap::changed(&plain).map_err(|(at, fault)| {
        let at = changes.get(at).map_or(0, |placed| placed.at_fault(fault));
        of(fault, reader.place(at))
    })?;
    Ok(Arc::new(made))
}

impl Placed {
    /// Where a fault of it stands: at the key that it is about, else at the name of the action.
    fn at_fault(&self, fault: KeyFault) -> usize {
        let keys = match fault {
            KeyFault::Digit(keys)
            | KeyFault::Prefix(keys)
            | KeyFault::NoPrefix(keys)
            | KeyFault::Taken { keys, .. } => Some(keys),
            KeyFault::NotHere | KeyFault::NoWayOut => None,
        };
        let at = self.change.keys.iter().position(|own| Some(*own) == keys);
        at.and_then(|at| self.keys_at.get(at)).copied().unwrap_or(self.at)
    }
}

fn of(fault: KeyFault, place: Place) -> Fault {
    // The settings spell keys in English, whatever the words around them are.
    let text = |keys| keys_text(keys, &Words::english());
    let about = |keys| vec![("keys", text(keys))];
    match fault {
        KeyFault::NotHere => Fault::new(place, "config.not_here", Vec::new()),
        KeyFault::Digit(keys) => Fault::new(place, "config.digit", about(keys)),
        KeyFault::Prefix(keys) => Fault::new(place, "config.prefix", about(keys)),
        KeyFault::NoPrefix(keys) => Fault::new(place, "config.no_prefix", about(keys)),
        KeyFault::Taken { keys, context, action } => {
            let values = vec![
                ("keys", text(keys)),
                ("action", action_name(action)),
                ("context", context_name(context).to_owned()),
            ];
            Fault::new(place, "config.taken", values)
        }
        KeyFault::NoWayOut => Fault::new(place, "config.no_way_out", Vec::new()),
    }
}
