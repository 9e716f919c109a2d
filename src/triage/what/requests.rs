//! Requests to the model: headers, context, selection, auxiliary calls.

use super::line::Line;
use super::mark::Mark;
use super::messages::{Blocks, text_length};
use super::told::{Told, name};
use crate::text::number::size;
use crate::text::sanitize::display;
use crate::triage::facts::{Switch, Switched};
use crate::triage::peek::Peek;

pub(super) fn header(told: &Told<'_>, line: &mut Line) -> Mark {
    let reason = told.name("reason");
    let reason = if reason.is_empty() { "?".to_owned() } else { reason };
    let header = told.data.get("header").unwrap_or(Peek::Cut(b""));
    let model = header.get("config").map_or_else(String::new, |config| name(config, "model"));
    let tools = told.count("tools", header.get("tools").map_or(0, |tools| tools.items().len() as u64));
    let size = header.get("system").map(|system| size(text_length(system)));
    let values = [("reason", reason.as_str()), ("model", &model), ("tools", &tools)];
    match size {
        Some(size) => line.add(&told.say("header", &[values[0], values[1], values[2], ("size", &size)])),
        None => line.add(&told.say("header_without_prompt", &values)),
    };
    let changes = changes(told);
    if !changes.is_empty() {
        line.after("; ", &told.say("header_changed", &[("what", &changes.join(", "))]));
    }
    Mark::None
}

/// What differs from the header before, as far as the state in force tells: model and number of tools.
fn changes(told: &Told<'_>) -> Vec<String> {
    let switches = &told.session.facts.switches;
    let after = switches.partition_point(|switch| switch.row < told.ix);
    let (earlier, from_here) = switches.split_at(after.min(switches.len()));
    let here = from_here.iter().take_while(|switch| switch.row == told.ix);
    here.filter_map(|switch| change(told, earlier, switch)).collect()
}

fn change(told: &Told<'_>, earlier: &[Switch], switch: &Switch) -> Option<String> {
    let key = match switch.what {
        Switched::Model => "model_changed",
        Switched::Tools => "tools_count_changed",
        Switched::Sandbox
        | Switched::Policy
        | Switched::Preset
        | Switched::Plan
        | Switched::AgentPreset
        | Switched::Window
        | Switched::Todo
        | Switched::Title => return None,
    };
    let before = earlier.iter().rev().find(|before| before.what == switch.what)?;
    let value = |switch: &Switch| display(switch.value.as_bytes());
    (before.value != switch.value).then(|| told.say(key, &[("before", &value(before)), ("after", &value(switch))]))
}

pub(super) fn context(told: &Told<'_>, line: &mut Line) -> Mark {
    let model = told.name("model");
    match told.data.integer("contextWindow").and_then(|window| u64::try_from(window).ok()) {
        Some(window) => {
            line.add(&told.say("context", &[("model", &model), ("window", &told.words.number(window))]));
        }
        None => {
            line.add(&model);
        }
    }
    Mark::None
}

pub(super) fn selection(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("model")).part(&told.name("reasoningEffort"));
    Mark::None
}

pub(super) fn title_request(told: &Told<'_>, line: &mut Line) -> Mark {
    let route = told.data.get("route");
    line.add(&route.map_or_else(String::new, |route| name(route, "model")));
    if let Some(most) = told.data.integer("maxTokens").and_then(|most| u64::try_from(most).ok()) {
        line.after(", ", &told.count("tokens", most));
    }
    Mark::None
}

pub(super) fn web_search(told: &Told<'_>, line: &mut Line) -> Mark {
    let body = told.data.get("body");
    line.add(&body.map_or_else(String::new, |body| name(body, "model"))).add(":");
    let message = body.and_then(|body| body.get("messages")).and_then(|messages| messages.items().pop());
    if let Some(content) = message.and_then(|message| message.get("content")) {
        line.quote(" ", &Blocks::of(content, super::line::MOST_BYTES).text);
    }
    line.after(", ", &told.name("endpoint"));
    Mark::None
}
