//! What is to be read, cut into jobs: runs of small frames, huge frames, stretches of a plain log.

use std::io;
use std::ops::Range;

use super::super::piece::Job;
use crate::log::frames::{Frame, FrameWalk, Part};
use crate::log::source::Source;

/// Compressed bytes of a job: large enough that handing it over costs nothing, small enough that all cores have work
/// and few decoded lines are held.
const JOB_BYTES: u64 = 128 << 10;

/// Frames of a job at most: tiny frames cost more than their bytes.
const JOB_FRAMES: usize = 512;

/// Bytes of a job of a plain log.
const PLAIN_JOB: u64 = 1 << 20;

/// What is to be read next.
pub(super) enum Next {
    /// A job for one worker.
    Job(Job),
    /// A frame that all of them read, and its number.
    Huge(Frame, u64),
}

/// Cuts what is to be read into jobs.
pub(super) struct Jobs<'s> {
    walk: Option<FrameWalk<'s>>,
    /// Number of the next frame.
    frame: u64,
    plain: Range<u64>,
    /// The huge frame that ended the last job.
    huge: Option<(Frame, u64)>,
    /// The next job is one part alone.
    pub(super) first_alone: bool,
    /// The unfinished frame at the end.
    pub(super) torn: Option<(u64, u64)>,
}

impl<'s> Jobs<'s> {
    pub(super) fn zstd(source: &'s dyn Source, from: u64, to: u64, frame: u64) -> Jobs<'s> {
        let walk = Some(FrameWalk::new(source, from, to));
        Jobs { walk, frame, plain: 0..0, huge: None, first_alone: false, torn: None }
    }

    pub(super) fn plain(from: u64, to: u64) -> Jobs<'s> {
        Jobs { walk: None, frame: 0, plain: from..to, huge: None, first_alone: false, torn: None }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Next>> {
        if let Some((frame, number)) = self.huge.take() {
            return Ok(Some(Next::Huge(frame, number)));
        }
        let first_alone = std::mem::take(&mut self.first_alone);
        let Some(walk) = &mut self.walk else {
            if self.plain.is_empty() {
                return Ok(None);
            }
            let end = self.plain.end.min(self.plain.start + PLAIN_JOB);
            let job = Job::Plain(self.plain.start..end);
            self.plain.start = end;
            return Ok(Some(Next::Job(job)));
        };
        let (mut parts, mut bytes, first) = (Vec::new(), 0, self.frame);
        while let Some(part) = walk.next_part()? {
            match &part {
                Part::Frame(frame) if !frame.is_small() => {
                    self.huge = Some((*frame, self.frame));
                    self.frame += 1;
                    break;
                }
                Part::Frame(frame) => {
                    bytes += frame.len;
                    self.frame += 1;
                }
                Part::Skippable { .. } | Part::Foreign { .. } => {}
                Part::Torn { offset, len } => {
                    self.torn = Some((*offset, *len));
                    continue;
                }
            }
            parts.push(part);
            if first_alone || bytes >= JOB_BYTES || parts.len() >= JOB_FRAMES {
                break;
            }
        }
        if parts.is_empty() {
            return Ok(self.huge.take().map(|(frame, number)| Next::Huge(frame, number)));
        }
        Ok(Some(Next::Job(Job::Frames(parts, first))))
    }
}
