//! Which rows are shown: event types, what the model saw or not, delegation depth, a query.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::query::Query;
use crate::query::selection::RowSet;
use crate::session::index::Index;
use crate::session::row::{Flags, Row, RowIx};
use crate::text::sanitize::display;
use crate::text::wire::WireText;

/// Which side of the log is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum View {
    /// Every row.
    #[default]
    All,
    /// Rows on the surface: what the chat shows.
    Chat,
    /// The other rows: what the chat hides.
    Hidden,
}

/// Which delegation depths are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Depths {
    /// Every depth.
    #[default]
    Any,
    /// This depth.
    Only(i64),
    /// Depths above this one.
    Above(i64),
}

impl Depths {
    /// Whether a session of this depth is shown; a session without a depth counts as 0.
    #[must_use]
    pub fn keeps(self, depth: Option<i64>) -> bool {
        let depth = depth.unwrap_or(0);
        match self {
            Depths::Any => true,
            Depths::Only(only) => depth == only,
            Depths::Above(above) => depth > above,
        }
    }
}

/// What the user chose to see. It survives a change of the log, since types go by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chosen {
    /// Types that are hidden, as the log spells them.
    pub hidden_types: BTreeSet<WireText>,
    /// Which side.
    pub view: View,
    /// Which depths.
    pub depths: Depths,
    /// What the filter line says; `None`: everything.
    pub query: Option<Arc<Query>>,
}

/// Which rows are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selection {
    /// Every row: no list, no cost.
    #[default]
    All,
    /// Rows that pass.
    Some(Arc<Chosen>),
}

impl Selection {
    /// What is chosen, as a value to change.
    #[must_use]
    pub fn to_chosen(&self) -> Chosen {
        match self {
            Selection::All => Chosen::default(),
            Selection::Some(chosen) => Chosen::clone(chosen),
        }
    }

    /// The selection of a choice; [`Selection::All`] where nothing is left out.
    #[must_use]
    pub fn of(chosen: Chosen) -> Selection {
        if chosen == Chosen::default() { Selection::All } else { Selection::Some(Arc::new(chosen)) }
    }

    /// The query of the filter line.
    #[must_use]
    pub fn query(&self) -> Option<&Arc<Query>> {
        match self {
            Selection::All => None,
            Selection::Some(chosen) => chosen.query.as_ref(),
        }
    }

    /// The test for the rows of one session; `None`: every row passes. `kept`: what the query selects of them, as far
    /// as is known; without a query it is not looked at.
    #[must_use]
    pub fn filter(&self, index: &Index, depth: Option<i64>, kept: Option<&Arc<RowSet>>) -> Option<Filter> {
        let Selection::Some(chosen) = self else { return None };
        let hidden = index.types.iter().map(|(_, name, _, _)| chosen.hidden_types.contains(name)).collect();
        let kept = chosen.query.is_some().then(|| kept.cloned().unwrap_or_default());
        Some(Filter { hidden, view: chosen.view, shut: !chosen.depths.keeps(depth), kept })
    }
}

/// The selection made ready for the rows of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// By type number: hidden or not.
    hidden: Vec<bool>,
    /// Which side.
    view: View,
    /// The session's depth is filtered out.
    shut: bool,
    /// What the query selects; `None`: there is none.
    kept: Option<Arc<RowSet>>,
}

impl Filter {
    /// Whether a row is shown. Constant time.
    #[must_use]
    pub fn keeps(&self, ix: RowIx, row: &Row) -> bool {
        let surface = row.flags.has(Flags::SURFACE);
        let side = match self.view {
            View::All => true,
            View::Chat => surface,
            View::Hidden => !surface,
        };
        !self.shut
            && side
            && self.kept.as_ref().is_none_or(|kept| kept.has(ix))
            && !self.hidden.get(usize::from(row.type_id.0)).copied().unwrap_or(false)
    }
}

/// Types that one text names; a row cannot hold more.
const MOST_TYPES: usize = 8;

/// The selection in the words of the filter language: `!type:session/title is:surface depth:>0`.
pub(crate) fn filter_text(chosen: &Chosen) -> String {
    let mut terms = Vec::new();
    match chosen.view {
        View::All => {}
        View::Chat => terms.push("is:surface".to_owned()),
        View::Hidden => terms.push("is:hidden".to_owned()),
    }
    match chosen.depths {
        Depths::Any => {}
        Depths::Only(depth) => terms.push(format!("depth:{depth}")),
        Depths::Above(depth) => terms.push(format!("depth:>{depth}")),
    }
    terms.extend(chosen.query.iter().map(|query| display(query.text().as_bytes())));
    let types = chosen.hidden_types.iter().take(MOST_TYPES);
    terms.extend(types.map(|name| format!("!type:{}", display(name.as_bytes()))));
    terms.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_told_in_the_words_of_the_filter() {
        let mut chosen = Chosen { view: View::Chat, depths: Depths::Above(0), ..Chosen::default() };
        chosen.hidden_types.insert(WireText::from_bytes(*b"step/\x1bend"));
        assert_eq!(filter_text(&chosen), "is:surface depth:>0 !type:step/\\u001bend");
        assert_eq!(filter_text(&Chosen::default()), "");
    }
}
