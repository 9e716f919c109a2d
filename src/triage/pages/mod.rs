//! What the pages about the model, time, originals, files and requests say, line by line: the same for the screen and the
//! text report.
//!
//! A [`Draft`] is filled from the facts; where a line quotes the log, the stored text of a row is asked for, and the page
//! is made again once it is here.

mod changes;
mod draft;
mod originals;
mod request;
mod silent;
mod time;

/// Entries of a list in the brief form.
const MOST_BRIEF: usize = 20;

#[cfg(test)]
mod tests;

pub use draft::Draft;
pub use time::Scope;

/// The silent model (`R`): attempts, retries, finish reasons, tokens.
pub fn silent(draft: &mut Draft<'_, '_>) {
    silent::fill(draft);
}

/// Where the time went (`W`).
pub fn time(draft: &mut Draft<'_, '_>, scope: Scope) {
    time::fill(draft, scope);
}

/// Originals (`O`): what was rewritten, prompts that were never sent, uploads.
pub fn originals(draft: &mut Draft<'_, '_>) {
    originals::fill(draft);
}

/// Changed files (`D`), each hunk with its call.
pub fn changes(draft: &mut Draft<'_, '_>) {
    changes::fill(draft);
}

/// Prompt and tools (`P`): every request header and what it changed.
pub fn request(draft: &mut Draft<'_, '_>) {
    request::fill(draft);
}

/// All pages in brief, as far as they have something to tell: for the text report.
pub fn brief(draft: &mut Draft<'_, '_>) {
    silent::brief(draft, MOST_BRIEF);
    time::brief(draft);
    originals::brief(draft, MOST_BRIEF);
    changes::brief(draft, MOST_BRIEF);
    request::brief(draft);
}
