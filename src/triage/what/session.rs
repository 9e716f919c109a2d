//! Life of the session: inbox, titles, feedback, lists, uploads, goals, schedules.

use super::line::{Line, MOST_BYTES};
use super::mark::Mark;
use super::messages::Blocks;
use super::told::{Told, name, plain_number};
use crate::text::number::duration;
use crate::text::role::Role;
use crate::text::width::short_path;

/// Columns of a path in a list of paths.
const PATH_COLUMNS: usize = 40;

pub(super) fn inbox(told: &Told<'_>, line: &mut Line) -> Mark {
    let inserted = told.data.get("inserted").map(super::super::peek::Peek::items).unwrap_or_default();
    let removed = told.data.integer("removedCount").unwrap_or(0);
    let target = told.name("target");
    let (added, gone) = (inserted.len().to_string(), removed.to_string());
    let values = [("n", added.as_str()), ("m", &gone), ("queue", &target)];
    match (inserted.is_empty(), removed == 0) {
        (true, true) => line.add(&told.say("inbox_no_change", &values)),
        (false, true) => line.add(&told.say("inbox_added", &values)),
        (true, false) => line.add(&told.say("inbox_removed", &[("n", &gone), ("queue", &target)])),
        (false, false) => line.add(&told.say("inbox_both", &values)),
    };
    if told.data.says("outcome", "canceled") {
        line.add(" ").push(&told.say("inbox_cancelled", &[]), Role::Warn);
    } else if removed > 0 && inserted.is_empty() {
        line.part(&told.say("inbox_taken", &[]));
    }
    if let Some(first) = inserted.first() {
        let text = first.get("content").map(|content| Blocks::of(content, MOST_BYTES).text).unwrap_or_default();
        line.add(":").quote(" ", &text);
    }
    Mark::None
}

pub(super) fn title(told: &Told<'_>, line: &mut Line) -> Mark {
    line.quote("", &told.prose("title").unwrap_or_default());
    let kind = told.data.get("source").map_or_else(String::new, |source| name(source, "kind"));
    let key = match kind.as_str() {
        "fallback" => "title_prompt",
        "provider" => "title_model",
        "user" => "title_user",
        _ => return Mark::None,
    };
    line.part(&told.say(key, &[]));
    Mark::None
}

pub(super) fn delivery(told: &Told<'_>, line: &mut Line) -> Mark {
    let version = told.data.integer("sessionFormatVersion").unwrap_or(0).to_string();
    line.push(&told.say("uploaded", &[("seq", &told.plain_number("throughSeq")), ("version", &version)]), Role::Warn);
    Mark::None
}

pub(super) fn feedback(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("category"));
    if let Some(text) = told.prose("text") {
        line.quote(" ", &text);
    }
    Mark::None
}

pub(super) fn feedback_put(told: &Told<'_>, line: &mut Line) -> Mark {
    let Some(item) = told.data.get("item") else { return Mark::None };
    line.part(&name(item, "rating")).part(&name(item, "messageId")).part(&name(item, "category"));
    if let Some(note) = item.text_of("note", MOST_BYTES) {
        line.quote(" ", &note);
    }
    Mark::None
}

pub(super) fn feedback_delete(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("messageId"));
    Mark::None
}

pub(super) fn todo(told: &Told<'_>, line: &mut Line) -> Mark {
    let words = told.data.get("todos").map(|todos| todo_words(told.words, todos)).unwrap_or_default();
    line.add(&words);
    Mark::None
}

/// `3 items: 1 done, 1 doing, 1 open`.
pub(super) fn todo_words(words: &crate::text::locale::Words, todos: crate::triage::peek::Peek<'_>) -> String {
    let items = todos.items();
    let of = |status: &str| items.iter().filter(|item| item.says("status", status)).count() as u64;
    let (done, doing) = (of("completed"), of("in_progress"));
    let open = (items.len() as u64).saturating_sub(done + doing);
    if items.is_empty() {
        return words.say("what.todo_empty", &[]);
    }
    let items = words.count("count.items", items.len() as u64);
    let [done, doing, open] = [done, doing, open].map(|count| words.number(count));
    words.say("what.todo", &[("items", &items), ("done", &done), ("doing", &doing), ("open", &open)])
}

pub(super) fn deliverables(told: &Told<'_>, line: &mut Line) -> Mark {
    let files = told.data.get("files").map(super::super::peek::Peek::items).unwrap_or_default();
    let paths: Vec<String> = files.iter().take(50).map(|file| short_path(&name(*file, "path"), PATH_COLUMNS)).collect();
    let counted = told.count("files", files.len() as u64);
    line.add(&told.say("deliverables", &[("files", &counted), ("paths", &paths.join(", "))]));
    Mark::None
}

pub(super) fn workspace(told: &Told<'_>, line: &mut Line) -> Mark {
    line.add(&told.say("workspace", &[("turn", &told.plain_number("turn"))]));
    Mark::None
}

pub(super) fn offload(told: &Told<'_>, line: &mut Line) -> Mark {
    let targets = told.data.get("targets").map(super::super::peek::Peek::items).unwrap_or_default();
    let images: usize =
        targets.iter().filter_map(|target| target.get("imageIndexes")).map(|list| list.items().len()).sum();
    let (images, messages) = (told.count("images", images as u64), told.count("messages", targets.len() as u64));
    line.add(&told.say("images_offloaded", &[("images", &images), ("messages", &messages)]));
    Mark::None
}

pub(super) fn goal(told: &Told<'_>, line: &mut Line) -> Mark {
    let operation = told.name("operation");
    line.part(&operation);
    let Some(goal) = told.data.get("goal") else {
        line.part(&told.data.get("cleared").map_or_else(String::new, |cleared| name(cleared, "id")));
        return Mark::None;
    };
    let phase = name(goal, "phase");
    if !implied(&operation, &phase) {
        line.part(&phase);
    }
    line.quote(" ", &goal.text_of("objective", MOST_BYTES).unwrap_or_default());
    if told.data.get("roundsStarted").is_some() {
        let (n, max) = (told.plain_number("roundsStarted"), plain_number(goal, "maxGoalRounds"));
        line.part(&told.say("rounds", &[("n", &n), ("max", &max)]));
    }
    if let Some(why) = goal.get("blockedReason") {
        line.after(": ", &super::turns::failure_words(why));
    }
    Mark::None
}

/// Whether an operation says the phase it leads to.
fn implied(operation: &str, phase: &str) -> bool {
    matches!(
        (operation, phase),
        ("create" | "resume", "active")
            | ("pause", "paused")
            | ("complete", "complete")
            | ("block", "blocked")
            | (_, "")
    )
}

pub(super) fn schedule(told: &Told<'_>, line: &mut Line) -> Mark {
    line.part(&told.name("operation"));
    let Some(schedule) = told.data.get("schedule") else {
        line.part(&told.name("id"));
        return Mark::None;
    };
    let kind = name(schedule, "kind");
    line.part(&kind);
    let seconds = schedule.integer("everySeconds").or_else(|| schedule.integer("afterSeconds"));
    match seconds {
        Some(seconds) => line.part(&period(seconds)),
        None => line.part(&name(schedule, "scheduledAt")),
    };
    line.quote(" ", &schedule.text_of("prompt", MOST_BYTES).unwrap_or_default());
    Mark::None
}

/// A round period in its largest unit (`1h`), any other as a duration.
fn period(seconds: i64) -> String {
    for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] {
        if seconds > 0 && seconds % length == 0 {
            return format!("{}{unit}", seconds / length);
        }
    }
    if (0..60).contains(&seconds) { format!("{seconds}s") } else { duration(seconds.saturating_mul(1_000)) }
}
