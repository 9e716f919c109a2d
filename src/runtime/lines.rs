//! The lines of one reading for whoever looks through many of them: a block is held until another one is needed.

use std::borrow::Cow;
use std::sync::Arc;

use super::texts::Texts;
use crate::app::message::Epoch;
use crate::query::selection::Lines;
use crate::session::row::{BlockId, Flags, RowIx};
use crate::triage::session::Session;

/// Brings lines of a session.
pub(crate) struct SessionLines<'a> {
    texts: &'a mut Texts,
    epoch: Epoch,
    session: &'a Session,
    /// The block read last; without text where it cannot be read.
    held: Option<(BlockId, Option<Arc<[u8]>>)>,
}

impl<'a> SessionLines<'a> {
    /// Lines of a session that was read as this epoch.
    pub(crate) fn new(texts: &'a mut Texts, epoch: Epoch, session: &'a Session) -> SessionLines<'a> {
        SessionLines { texts, epoch, session, held: None }
    }
}

impl Lines for SessionLines<'_> {
    fn line(&mut self, ix: RowIx) -> Option<Cow<'_, [u8]>> {
        let row = self.session.index.rows.get(ix)?;
        if row.flags.has(Flags::SPLIT) {
            let line = self.texts.line(self.epoch, self.session, ix, usize::MAX);
            return line.ok().map(|line| line.to_vec().into());
        }
        if self.held.as_ref().is_none_or(|(block, _)| *block != row.block) {
            // Text that cannot be read holds nothing; that it cannot is told where the row is shown.
            self.held = Some((row.block, self.texts.whole_block(self.epoch, self.session, row.block).ok()));
        }
        let (_, text) = self.held.as_ref()?;
        let start = row.at as usize;
        text.as_deref()?.get(start..start.saturating_add(row.len as usize)).map(Cow::Borrowed)
    }
}
