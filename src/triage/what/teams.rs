//! Subagents, teams and workflows.

use super::line::{Line, MOST_BYTES};
use super::mark::Mark;
use super::told::{Told, name, plain_number};
use crate::text::width::short_id;

pub(super) fn descriptor(told: &Told<'_>, line: &mut Line) -> Mark {
    let mode = told.name("mode");
    // Version 1 has no mode: it is always continuable.
    let old = mode.is_empty() && told.data.integer("version") == Some(1);
    line.part(if old { "continuable" } else { &mode });
    if let Some(label) = told.prose("label") {
        line.quote(" ", &label);
    }
    line.part(&told.name("persona")).part(&told.name("agentProvider")).part(&told.name("agentModel"));
    Mark::None
}

pub(super) fn model_policy(told: &Told<'_>, line: &mut Line) -> Mark {
    let models = told.data.get("allowedModels").map_or(0, |models| models.items().len() as u64);
    line.add(&told.say_count("models_allowed", models, &[]));
    Mark::None
}

pub(super) fn catalog(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.id("childId"));
    if let Some(label) = told.prose("label") {
        line.quote(" ", &label);
    }
    line.part(&told.name("mode"));
    Mark::None
}

pub(super) fn member(told: &Told<'_>, line: &mut Line) -> Mark {
    let Some(member) = told.data.get("member") else { return Mark::None };
    let phase = name(member, "phase");
    line.part(&name(member, "name")).part(&phase).part(&short_id(&name(member, "id")));
    line.after(": ", &name(member, "error"));
    if phase == "failed" { Mark::Failed } else { Mark::None }
}

pub(super) fn task(told: &Told<'_>, line: &mut Line) -> Mark {
    let Some(task) = told.data.get("task") else { return Mark::None };
    line.part(&name(task, "status"));
    line.quote(" ", &task.text_of("subject", MOST_BYTES).unwrap_or_default());
    line.part(&short_id(&name(task, "ownerId")));
    Mark::None
}

pub(super) fn queued(told: &Told<'_>, line: &mut Line) -> Mark {
    let Some(message) = told.data.get("message") else { return Mark::None };
    let sender = name(message, "senderName");
    let sender = if sender.is_empty() { short_id(&name(message, "senderId")) } else { sender };
    line.part(&sender).part("->").part(&short_id(&name(message, "targetId")));
    if let Some(content) = message.get("content") {
        line.quote(" ", &super::messages::Blocks::of(content, MOST_BYTES).text);
    }
    Mark::None
}

pub(super) fn delivered(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part("->").part(&told.id("targetId")).part(&told.id("messageId"));
    Mark::None
}

pub(super) fn run_start(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("name"));
    Mark::None
}

pub(super) fn run_end(told: &Told<'_>, line: &mut Line) -> Mark {
    let reason = told.name("stopReason");
    line.part(&reason);
    outcome_mark(&reason)
}

pub(super) fn agent_start(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&format!("#{}", plain_number(told.data, "seq")));
    if let Some(label) = told.prose("label") {
        line.quote(" ", &label);
    }
    line.part(&told.id("childId"));
    Mark::None
}

pub(super) fn agent_end(told: &Told<'_>, line: &mut Line) -> Mark {
    let outcome = told.name("outcome");
    line.part(&format!("#{}", plain_number(told.data, "seq"))).part(&outcome);
    outcome_mark(&outcome)
}

/// Only what went wrong is marked: a healthy log looks quiet.
fn outcome_mark(outcome: &str) -> Mark {
    match outcome {
        "failed" | "error" => Mark::Failed,
        "cancelled" => Mark::Cancelled,
        _ => Mark::None,
    }
}
