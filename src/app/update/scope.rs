//! The page of time: from the session into a turn, into a step, and back; from one to the next.

use super::{here, lists};
use crate::app::model::Model;
use crate::app::page::PageKind;
use crate::app::search::Way;
use crate::session::row::RowIx;
use crate::triage::facts::Facts;
use crate::triage::pages::Scope;

/// Into what the cursor is on (forward), or out of it. `false`: another page is open.
pub(super) fn go(model: &mut Model, way: Way) -> bool {
    let Some(page) = model.page.as_ref().filter(|page| page.kind == PageKind::Time) else { return false };
    let target = page.doc.lines.get(page.cursor).and_then(|line| line.target);
    let row = target.or_else(|| here(model)).map_or(RowIx(0), |event| event.row);
    let Some(open) = &model.open else { return false };
    let next = match way {
        Way::Forward => inner(&open.session.facts, model.time_scope, row),
        Way::Backward => outer(&open.session.facts, model.time_scope),
    };
    set(model, next);
    true
}

/// The next turn or step, or the one before. `false`: another page is open.
pub(super) fn step(model: &mut Model, way: Way, n: u64) -> bool {
    let Some(open) =
        model.open.as_ref().filter(|_| model.page.as_ref().is_some_and(|page| page.kind == PageKind::Time))
    else {
        return false;
    };
    let facts = &open.session.facts;
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    let moved = |at: usize, len: usize| match way {
        Way::Forward => at.saturating_add(n).min(len.saturating_sub(1)),
        Way::Backward => at.saturating_sub(n),
    };
    let next = match model.time_scope {
        Scope::Session => Scope::Session,
        Scope::Turn(at) => Scope::Turn(moved(at, facts.turns.len())),
        Scope::Step(at) => Scope::Step(moved(at, facts.steps.len())),
    };
    set(model, Some(next));
    true
}

fn set(model: &mut Model, scope: Option<Scope>) {
    if let Some(scope) = scope.filter(|scope| *scope != model.time_scope) {
        model.time_scope = scope;
        model.page = None;
        lists::open_page(model, PageKind::Time);
    }
}

fn inner(facts: &Facts, scope: Scope, row: RowIx) -> Option<Scope> {
    let inside = |start: RowIx, end: Option<RowIx>| start <= row && end.is_none_or(|end| end >= row);
    let step = || facts.steps.iter().rposition(|step| inside(step.start_row, step.end_row));
    match scope {
        Scope::Session if facts.turns.len() > 1 => {
            let turn = facts.turns.iter().rposition(|turn| inside(turn.start_row, turn.end_row));
            Some(Scope::Turn(turn.unwrap_or(0)))
        }
        Scope::Session => step().or((!facts.steps.is_empty()).then_some(0)).map(Scope::Step),
        Scope::Turn(at) => {
            let turn = facts.turns.get(at)?.turn;
            let found = step().filter(|at| facts.steps.get(*at).is_some_and(|step| step.turn == turn));
            found.or_else(|| facts.steps.iter().position(|step| step.turn == turn)).map(Scope::Step)
        }
        Scope::Step(_) => None,
    }
}

fn outer(facts: &Facts, scope: Scope) -> Option<Scope> {
    match scope {
        Scope::Session => None,
        Scope::Step(at) if facts.turns.len() > 1 => {
            let turn = facts.steps.get(at)?.turn;
            facts.turns.iter().position(|found| found.turn == turn).map(Scope::Turn).or(Some(Scope::Session))
        }
        Scope::Turn(_) | Scope::Step(_) => Some(Scope::Session),
    }
}
