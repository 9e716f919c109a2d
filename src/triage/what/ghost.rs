//! Records that a resume would append.

use super::line::Line;
use super::mark::Mark;
use super::rows::What;
use crate::text::locale::Words;
use crate::text::sanitize::display;
use crate::text::width::short_call_id;
use crate::triage::facts::{Ghost, GhostKind};

/// The words of a ghost row.
pub(super) fn ghost(ghost: &Ghost, words: &Words, max: usize) -> What {
    let mut line = Line::new(max);
    let mark = match &ghost.kind {
        GhostKind::Result { call_id, name, started } => {
            line.part(&display(name.as_bytes())).part(&short_call_id(&display(call_id.as_bytes())));
            line.apart(if *started { "TOOL_OUTCOME_UNKNOWN" } else { "TOOL_NOT_STARTED" });
            if *started { Mark::Unknown } else { Mark::NotStarted }
        }
        GhostKind::StepEnd { turn, step } => {
            line.add(&words.say("what.step", &[("turn", &turn.to_string()), ("step", &step.to_string())]));
            Mark::None
        }
        GhostKind::TurnEnd { turn } => {
            line.add(&words.say("what.turn_end", &[("turn", &turn.to_string()), ("kind", "interrupted")]));
            Mark::Look
        }
    };
    What { mark, tag: None, text: line.finish() }
}
