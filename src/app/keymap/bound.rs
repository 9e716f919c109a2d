//! The keys in force: the table, with what the settings change in it.

use super::{BINDINGS, Binding, Context, Group, Keys, PREFIXES};
use crate::app::action::Action;
use crate::app::key::{Key, KeyCode};

/// The bindings in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap(Vec<Binding>);

impl Default for Keymap {
    /// The table as it is.
    fn default() -> Keymap {
        Keymap(BINDINGS.to_vec())
    }
}

/// Other keys for an action: they stand in the place of all that it has in this context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Where.
    pub context: Context,
    /// What they do.
    pub action: Action,
    /// The keys; none takes the action its keys.
    pub keys: Vec<Keys>,
}

/// Why a change cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyFault {
    /// The action means nothing in this context.
    NotHere,
    /// Digits are counts.
    Digit(Keys),
    /// The key is the first of two.
    Prefix(Keys),
    /// The first of two keys is none of [`PREFIXES`], or the context knows single keys only.
    NoPrefix(Keys),
    /// Another action has the keys.
    Taken {
        /// The keys.
        keys: Keys,
        /// Where the other action has them.
        context: Context,
        /// The other action.
        action: Action,
    },
    /// No key would leave the program any more.
    NoWayOut,
}

/// Actions of which one has to keep a key: without them nobody could leave.
const WAYS_OUT: [Action; 3] = [Action::Close, Action::Interrupt, Action::Quit];

impl Keymap {
    /// The table with changes. Whether keys clash is looked at when all are made, so that two actions can change places.
    ///
    /// # Errors
    ///
    /// Which change it is, counted from 0, and what is wrong with it.
    pub fn changed(changes: &[Change]) -> Result<Keymap, (usize, KeyFault)> {
        let mut bindings = Vec::with_capacity(BINDINGS.len() + changes.len());
        let mut made = vec![false; changes.len()];
        let of = |binding: &Binding| {
            changes.iter().position(|change| (change.context, change.action) == (binding.context, binding.action))
        };
        for binding in BINDINGS {
            match of(binding) {
                None => bindings.push(*binding),
                Some(at) if made[at] => {}
                Some(at) => {
                    made[at] = true;
                    bindings.extend(changes[at].keys.iter().map(|keys| Binding { keys: *keys, ..*binding }));
                }
            }
        }
        for (change, _) in changes.iter().zip(&made).filter(|(_, made)| !**made) {
            if let Some(model) = usual(change.context, change.action) {
                let binding = Binding { context: change.context, group: Group::Here, ..*model };
                bindings.extend(change.keys.iter().map(|keys| Binding { keys: *keys, ..binding }));
            }
        }
        for (at, change) in changes.iter().enumerate() {
            check(change, &bindings).map_err(|fault| (at, fault))?;
        }
        let leaves = |binding: &Binding| binding.context == Context::Always && WAYS_OUT.contains(&binding.action);
        if let (false, Some(last)) = (bindings.iter().any(leaves), changes.len().checked_sub(1)) {
            let at = changes.iter().rposition(|change| WAYS_OUT.contains(&change.action)).unwrap_or(last);
            return Err((at, KeyFault::NoWayOut));
        }
        Ok(Keymap(bindings))
    }

    /// All of them, in the order of the table.
    #[must_use]
    pub fn bindings(&self) -> &[Binding] {
        &self.0
    }

    /// What a key sequence does in these contexts, the first one that has it.
    #[must_use]
    pub fn find(&self, contexts: &[Context], keys: Keys) -> Option<&Binding> {
        contexts
            .iter()
            .find_map(|context| self.0.iter().find(|binding| binding.context == *context && binding.keys == keys))
    }

    /// The first keys of an action in these contexts.
    #[must_use]
    pub fn keys_of(&self, contexts: &[Context], action: Action) -> Option<Keys> {
        let of =
            |context: &Context| self.0.iter().find(|binding| binding.context == *context && binding.action == action);
        contexts.iter().find_map(of).map(|binding| binding.keys)
    }

    /// Second keys that may follow a prefix, with what they do.
    pub fn after(&self, prefix: char) -> impl Iterator<Item = &Binding> {
        self.0.iter().filter(move |binding| match binding.keys {
            Keys::Two(first, _) | Keys::Letter(first) => first == prefix,
            Keys::One(_) => false,
        })
    }
}

/// The binding of the table that an action has in a context, or has on every screen where it holds in this one too.
pub(super) fn usual(context: Context, action: Action) -> Option<&'static Binding> {
    let of =
        |context: Context| BINDINGS.iter().find(move |binding| binding.context == context && binding.action == action);
    of(context).or_else(|| of(Context::Main).filter(|_| context.is_on_main())).or_else(|| of(Context::Always))
}

fn check(change: &Change, bindings: &[Binding]) -> Result<(), KeyFault> {
    if usual(change.context, change.action).is_none() {
        return Err(KeyFault::NotHere);
    }
    for keys in &change.keys {
        match *keys {
            Keys::One(Key { code: KeyCode::Char('1'..='9'), ctrl: false, alt: false, .. }) => {
                return Err(KeyFault::Digit(*keys));
            }
            Keys::One(key) if PREFIXES.iter().any(|prefix| key == Key::char(*prefix)) => {
                // In the lists that stand over everything the first of two keys is a key like any other.
                if change.context.is_on_main() || change.context == Context::Always {
                    return Err(KeyFault::Prefix(*keys));
                }
            }
            Keys::One(_) => {}
            Keys::Two(prefix, _) | Keys::Letter(prefix) => {
                if !PREFIXES.contains(&prefix) || !change.context.is_on_main() {
                    return Err(KeyFault::NoPrefix(*keys));
                }
            }
        }
        let clashes = |other: &&Binding| {
            let meets =
                |one: Context, other: Context| one == other || one == Context::Always || other == Context::Always;
            (other.context, other.action) != (change.context, change.action)
                && meets(other.context, change.context)
                && is_same(other.keys, *keys)
        };
        if let Some(other) = bindings.iter().find(clashes) {
            return Err(KeyFault::Taken { keys: *keys, context: other.context, action: other.action });
        }
    }
    Ok(())
}

/// Whether two sequences are typed alike: a prefix with any letter meets each of its second keys.
fn is_same(one: Keys, other: Keys) -> bool {
    match (one, other) {
        (Keys::Letter(prefix), Keys::Two(first, _) | Keys::Letter(first))
        | (Keys::Two(first, _), Keys::Letter(prefix)) => prefix == first,
        (one, other) => one == other,
    }
}
