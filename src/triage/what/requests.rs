//! Requests to the model: headers, context, selection, auxiliary calls.

use super::line::Line;
use super::mark::Mark;
use super::messages::{Blocks, text_length};
use super::told::{Told, name};
use crate::text::number::size;
use crate::text::sanitize::display;
use crate::triage::facts::{Switch, Switched};

pub(super) fn header(told: &Told<'_>, line: &mut Line) -> Mark {
    let header = told.data.get("header");
    let reason = told.name("reason");
    if !reason.is_empty() {
        line.add(&format!("{reason}:"));
    }
    let Some(header) = header else { return Mark::None };
    line.part(&header.get("config").map_or_else(String::new, |config| name(config, "model")));
    let tools = header.get("tools").map_or(0, |tools| tools.items().len() as u64);
    line.after(", ", &told.count("tools", tools));
    if let Some(system) = header.get("system") {
        line.after(", ", &told.say("prompt_of", &[("size", &size(text_length(system)))]));
    }
    for change in changes(told) {
        line.after("; ", &change);
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
        Switched::Model => "was_model",
        Switched::Tools => "was_tools",
        Switched::Sandbox
        | Switched::Policy
        | Switched::Preset
        | Switched::Plan
        | Switched::AgentPreset
        | Switched::Window
        | Switched::Title => return None,
    };
    let before = earlier.iter().rev().find(|before| before.what == switch.what)?;
    (before.value != switch.value).then(|| told.say(key, &[("before", &display(before.value.as_bytes()))]))
}

pub(super) fn context(told: &Told<'_>, line: &mut Line) -> Mark {
    line.add(&told.name("model"));
    if let Some(window) = told.data.integer("contextWindow").and_then(|window| u64::try_from(window).ok()) {
        line.after(", ", &told.say("window", &[("n", &told.words.number(window))]));
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
