//! The only changer of the model.
//!
//! ```text
//! Message ──▶ what it changes ──▶ settle: areas, sizes, detail, texts on screen ──▶ effects
//! ```

mod act;
mod ask;
mod citing;
mod copying;
mod detail;
mod family;
mod family_view;
mod filter;
mod filter_line;
mod finding;
mod follow;
mod handing;
mod hits;
mod jump;
mod keys;
mod lists;
mod memory;
mod mouse;
mod moves;
mod opening;
mod panes;
mod scope;
mod sessions;

#[cfg(test)]
mod tests;

use super::effect::Effect;
use super::message::Message;
use super::model::{Model, Notice, Open};
use crate::text::role::Role;

pub(super) use jump::here;
pub use memory::parting;

/// Changes the model by what happened, and says what the outside must do.
///
/// Answers that belong to another reading or question are dropped without comment. Never panics, whatever comes in
/// whatever order.
pub fn update(model: &mut Model, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    if model.leaving {
        return effects;
    }
    match message {
        Message::Pressed(key) => keys::pressed(model, key, &mut effects),
        Message::Pasted(text) => keys::pasted(model, &text, &mut effects),
        Message::Moused(event) => mouse::moused(model, event, &mut effects),
        Message::Chosen { choice, twice } => mouse::chosen(model, choice, twice, &mut effects),
        Message::Resized { columns, rows } => model.screen = (columns, rows),
        Message::BackgroundTold(background) => model.themed.on(background),
        Message::Opened { epoch, session } => family::at_home(model, |model| {
            let open = Open::of(session, &model.settings.words, model.follow.growing());
            opening::opened(model, epoch, open, &mut effects);
        }),
        Message::Judged { epoch, open } => {
            family::at_home(model, |model| opening::opened(model, epoch, *open, &mut effects));
        }
        Message::Progressed { epoch, progress } if epoch == model.home_epoch() => family::at_home(model, |model| {
            // A whole log is read once more when it begins to be followed.
            model.progress = Some(progress).filter(|_| model.reading || model.follow.is_on());
        }),
        Message::Refused { epoch, odd } if epoch == model.home_epoch() => {
            family::at_home(model, |model| opening::refused(model, odd, &mut effects));
        }
        Message::Stopped { epoch } if epoch == model.home_epoch() => {
            family::at_home(model, |model| opening::stopped(model, &mut effects));
        }
        Message::Watched { epoch, quiet_ms } if epoch == model.home_epoch() => {
            family::at_home(model, |model| follow::watched(model, quiet_ms));
        }
        Message::Changed { epoch, change } if epoch == model.home_epoch() => {
            family::at_home(model, |model| follow::changed(model, &change, &mut effects));
        }
        Message::KinFound { epoch, kin } => family::came(model, epoch, *kin),
        Message::Summarised { epoch, ticket, items } if epoch.is_of_kin() || ticket > model.stale => {
            ask::summarised(model, epoch, items);
        }
        Message::StreamsCounted { epoch, ticket, streams }
            if epoch == model.epoch && (epoch.is_of_kin() || ticket > model.stale) =>
        {
            ask::streams_counted(model, streams);
        }
        Message::FetchedLines { epoch, ticket, lines } => {
            let is_done = lists::quoted(model, ticket, &lines);
            if !is_done && epoch == model.epoch && !citing::fetched(model, ticket, &lines) {
                detail::fetched(model, ticket, lines, &mut effects);
            }
        }
        Message::Found { epoch, ticket, hits, looked_at, done } if epoch == model.epoch => {
            finding::found(model, ticket, hits, (looked_at, done), &mut effects);
        }
        Message::Looked { ticket, place, folders } => sessions::looked(model, ticket, place, folders),
        Message::Listed { ticket, found } => sessions::listed(model, ticket, found, &mut effects),
        Message::Told { ticket, briefs, older } => sessions::told(model, ticket, briefs, older, &mut effects),
        Message::FoundInSessions { ticket, found, looked_at, unreadable, done } => {
            hits::found(model, ticket, found, (looked_at, unreadable, done));
        }
        Message::Sifted { epoch, ticket, rows, looked_at, done } => {
            filter::sifted(model, (epoch, ticket), rows, (looked_at, done), &mut effects);
        }
        Message::Copied { label, bytes, ways } => copying::copied(model, &label, bytes, &ways),
        Message::Said { text } => {
            let text = crate::text::sanitize::one_line(text.as_bytes(), 400);
            model.notice = Some(Notice { text, role: Role::Ok });
        }
        Message::Failed { what } => model.notice = Some(Notice { text: what, role: Role::Bad }),
        Message::WorkerPanicked { what } => {
            model.leaving = true;
            effects.push(Effect::Abort { why: what });
        }
        // Of another reading.
        Message::Progressed { .. }
        | Message::Refused { .. }
        | Message::Stopped { .. }
        | Message::Watched { .. }
        | Message::Changed { .. }
        | Message::Summarised { .. }
        | Message::StreamsCounted { .. }
        | Message::Found { .. } => {}
    }
    if !model.leaving {
        ask::settle(model, &mut effects);
    }
    effects
}
