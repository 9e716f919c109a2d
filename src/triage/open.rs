//! Reading one log from its first byte to its facts.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::judge::Judge;
use super::session::{Extent, Session};
use crate::log::frames::{FrameWalk, Part};
use crate::log::name;
use crate::log::sniff::Encoding;
use crate::log::source::Source;
use crate::log::tail::{find_tail, plain_tail};
use crate::session::builder::{Builder, Progress, Reading, read_tail};
use crate::session::piece::{Job, Keep};

/// A log that is being read, and may grow.
pub struct Log {
    source: Arc<dyn Source>,
    path: PathBuf,
    builder: Builder<Judge>,
}

impl Log {
    /// A log of the given encoding, nothing of it read. The path names it, nothing is opened by it.
    #[must_use]
    pub fn new(source: Arc<dyn Source>, encoding: Encoding, path: &Path, keep: Keep) -> Log {
        let builder = Builder::new(Arc::clone(&source), encoding, keep, Judge::new());
        Log { source, path: path.to_owned(), builder }
    }

    /// Reads what there is, from where the last reading ended, with that many threads. The callback hears of progress
    /// and may stop the reading.
    pub fn read(&mut self, threads: usize, progress: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> io::Result<()> {
        let size = self.source.size()?;
        self.builder.read(size, threads, progress)
    }

    /// What was read so far; the log can be read on.
    pub fn session(&mut self) -> io::Result<Session> {
        let reading = self.builder.snapshot()?;
        Ok(session_of(reading, &self.path, Extent::Whole))
    }

    /// What was read, without a copy.
    pub fn into_session(self) -> io::Result<Session> {
        let reading = self.builder.into_reading()?;
        Ok(session_of(reading, &self.path, Extent::Whole))
    }

    /// Offset in the file up to which everything read is final.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.builder.offset()
    }
}

/// How much of the end of a log is read by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TailBudget {
    /// Bytes of a compressed log.
    pub zstd: u64,
    /// Bytes of a plain log.
    pub plain: u64,
    /// What is done where the last frame alone is larger than that.
    pub huge: HugeFrame,
}

/// A last frame that is larger than the budget: it must be decoded from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HugeFrame {
    /// It is decoded, and its last lines are read.
    Decode,
    /// There is no tail then.
    PassOver,
}

impl TailBudget {
    /// For a log on the screen: some hundred lines, decoded in a few milliseconds.
    pub const SCREEN: TailBudget = TailBudget { zstd: 192 << 10, plain: 512 << 10, huge: HugeFrame::Decode };
}

/// The header and the last records of a large log, judged by themselves: a call without a result there is certain,
/// since a result can only come later. `None` for a log so small that reading it whole is as fast, and where no tail
/// can be found, as in one whose only frame holds the header and everything else.
pub fn tail(source: &Arc<dyn Source>, encoding: Encoding, path: &Path) -> io::Result<Option<Session>> {
    tail_within(source, encoding, path, TailBudget::SCREEN)
}

/// As [`tail()`], of another length. A log of at most twice the budget has no tail: it is read whole.
pub fn tail_within(
    source: &Arc<dyn Source>,
    encoding: Encoding,
    path: &Path,
    budget: TailBudget,
) -> io::Result<Option<Session>> {
    let size = source.size()?;
    let found = match encoding {
        Encoding::Zstd if size > budget.zstd * 2 => zstd_tail(source.as_ref(), size, budget)?,
        Encoding::Plain if size > budget.plain * 2 => {
            let start = plain_tail(source.as_ref(), size, budget.plain)?;
            start.filter(|start| *start > 0).map(|start| (Job::Plain(start..size), None))
        }
        Encoding::Zstd | Encoding::Plain => None,
    };
    let Some((last, torn)) = found else { return Ok(None) };
    let reading = read_tail(source, encoding, size, Judge::of_tail(), &last, torn)?;
    Ok(Some(session_of(reading, path, Extent::Tail)))
}

/// What is read of the end, and the unfinished frame after it.
type TailJob = (Job, Option<(u64, u64)>);

fn zstd_tail(source: &dyn Source, size: u64, budget: TailBudget) -> io::Result<Option<TailJob>> {
    let Some(tail) = find_tail(source, size, budget.zstd)? else {
        return match budget.huge {
            HugeFrame::Decode => huge_tail(source, size),
            HugeFrame::PassOver => Ok(None),
        };
    };
    let torn = tail.parts.iter().find_map(|part| match part {
        Part::Torn { offset, len } => Some((*offset, *len)),
        Part::Frame(_) | Part::Skippable { .. } | Part::Foreign { .. } => None,
    });
    Ok((tail.offset() > 0).then_some((Job::Frames(tail.parts, 0), torn)))
}

/// Text of the end of a huge last frame that is read first.
const HUGE_TAIL_BYTES: u64 = 512 << 10;

/// The end of a log whose last frame is huge, as a migrated generation has one: it must be decoded from its start, but
/// nothing of it needs to be read but the last lines.
fn huge_tail(source: &dyn Source, size: u64) -> io::Result<Option<TailJob>> {
    let mut walk = FrameWalk::new(source, 0, size);
    let (mut last, mut torn) = (None, None);
    while let Some(part) = walk.next_part()? {
        match part {
            Part::Torn { offset, len } => torn = Some((offset, len)),
            part => last = Some(part),
        }
    }
    // The first frame may hold the header too: without it the view would say what is not so.
    let huge = last.and_then(|part| match part {
        Part::Frame(frame) if frame.offset > 0 && !frame.is_small() => Some(frame),
        Part::Frame(_) | Part::Skippable { .. } | Part::Foreign { .. } | Part::Torn { .. } => None,
    });
    Ok(huge.map(|frame| (Job::FrameEnd(frame, HUGE_TAIL_BYTES), torn)))
}

/// Puts index and facts of a reading together.
pub(super) fn session_of(reading: Reading<Judge>, path: &Path, extent: Extent) -> Session {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Reading { index, container, header, listener } = reading;
    let mut facts = listener.into_facts(&index, container, header, name::version_of(&name));
    if extent == Extent::Tail {
        facts.forget_what_the_start_decides();
    }
    Session { path: path.to_owned(), extent, index, facts }
}
