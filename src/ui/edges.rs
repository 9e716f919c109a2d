//! The rows at the edges of the timeline: how far the reading is above it, what came while the view is paused below it.

use super::canvas::Canvas;
use super::glyphs;
use crate::app::follow::Below;
use crate::app::message::Progress;
use crate::app::model::Model;
use crate::session::row::Seq;
use crate::text::locale::Words;
use crate::text::number::{range, size};
use crate::text::role::{Role, Span};
use crate::text::width::columns;

/// Columns of the bar at least; without room for it the numbers stand alone.
const LEAST_BAR: usize = 8;

/// Draws the rows that are there.
pub(crate) fn draw(canvas: &mut Canvas<'_>, model: &Model) {
    progress(canvas, model);
    if let Some(below) = model.follow.below {
        news(canvas, model, below);
    }
}

/// `⣿⣿⣿⣿⣿⣿⣀⣀⣀⣀⣀  9.1 MiB of 20.5 MiB, 1,266 frames`
fn progress(canvas: &mut Canvas<'_>, model: &Model) {
    let area = model.areas.progress;
    if area.is_empty() {
        return;
    }
    let progress = model.progress.unwrap_or_default();
    let text = numbers(progress, &canvas.look.words);
    let room = usize::from(area.width).saturating_sub(4 + columns(&text));
    let mut spans = Vec::new();
    if room >= LEAST_BAR {
        // Below 1 in 2^53 of a column the share is exact.
        let share = progress.done.min(progress.total) as f64 / progress.total.max(1) as f64;
        let full = (share * room as f64) as usize;
        spans.push(Span::new(glyphs::BAR.to_string().repeat(full), Role::Accent));
        spans.push(Span::new(glyphs::HEIGHTS[1].to_string().repeat(room - full), Role::Dim));
        spans.push(Span::plain("  "));
    }
    spans.push(Span::new(text, Role::Accent));
    canvas.spans(area, 0, 1, &spans);
}

fn numbers(progress: Progress, words: &Words) -> String {
    let (done, total) = (size(progress.done.min(progress.total)), size(progress.total));
    if let Some(all) = progress.total_frames {
        let (done, all) = (words.number(progress.frames), words.number(all));
        return words.say("progress.frames", &[("done", &done), ("total", &all)]);
    }
    match progress.frames {
        _ if progress.total == 0 => String::new(),
        0 => words.say("progress.bytes_only", &[("done", &done), ("total", &total)]),
        frames => {
            let frames = words.count("count.frames", frames);
            words.say("progress.bytes", &[("done", &done), ("total", &total), ("frames", &frames)])
        }
    }
}

/// `╌╌ 506 NEW EVENTS below, seq 212-717, 17 lines. G or F: go there and follow ╌╌╌`
fn news(canvas: &mut Canvas<'_>, model: &Model, below: Below) {
    let area = model.areas.news;
    if area.is_empty() {
        return;
    }
    let words = &canvas.look.words;
    let short = words.count("follow.new_below", below.events);
    let lines = words.count("count.lines", below.lines);
    let long = below.seqs.map(|(Seq(first), Seq(last))| {
        let range = if first < 0 { format!("{first} - {last}") } else { range(first as u64, last.max(first) as u64) };
        format!("{short}, {}", words.say("follow.new_below_where", &[("range", &range), ("lines", &lines)]))
    });
    let text = long.filter(|long| columns(long) + 4 <= usize::from(area.width)).unwrap_or(short);
    canvas.blank(area);
    canvas.fill(area, 0, glyphs::RULE, Role::Accent);
    canvas.spans(area, 0, 2, &[Span::new(format!(" {text} "), Role::Accent)]);
}
