//! What is to be read, cut into jobs: runs of frames, stretches of a plain log.

use std::io;
use std::ops::Range;

use super::super::piece::Job;
use crate::log::frames::{FrameWalk, Part};
use crate::log::source::Source;

/// Compressed bytes of a job: large enough that handing it over costs nothing, small enough that all cores have work
/// and few decoded lines are held.
const JOB_BYTES: u64 = 128 << 10;

/// Frames of a job at most: tiny frames cost more than their bytes.
const JOB_FRAMES: usize = 512;

/// Bytes of a job of a plain log.
const PLAIN_JOB: u64 = 1 << 20;

/// Cuts what is to be read into jobs.
pub(super) struct Jobs<'s> {
    walk: Option<FrameWalk<'s>>,
    /// Number of the next frame.
    frame: u64,
    plain: Range<u64>,
    /// The next job is one part alone.
    pub(super) first_alone: bool,
    /// The unfinished frame at the end.
    pub(super) torn: Option<(u64, u64)>,
}

impl<'s> Jobs<'s> {
    pub(super) fn zstd(source: &'s dyn Source, from: u64, to: u64, frame: u64) -> Jobs<'s> {
        let walk = Some(FrameWalk::new(source, from, to));
        Jobs { walk, frame, plain: 0..0, first_alone: false, torn: None }
    }

    pub(super) fn plain(from: u64, to: u64) -> Jobs<'s> {
        Jobs { walk: None, frame: 0, plain: from..to, first_alone: false, torn: None }
    }

    pub(super) fn next_job(&mut self) -> io::Result<Option<Job>> {
        let first_alone = std::mem::take(&mut self.first_alone);
        let Some(walk) = &mut self.walk else {
            if self.plain.is_empty() {
                return Ok(None);
            }
            let end = self.plain.end.min(self.plain.start + PLAIN_JOB);
            let job = Job::Plain(self.plain.start..end);
            self.plain.start = end;
            return Ok(Some(job));
        };
        let (mut parts, mut bytes, first) = (Vec::new(), 0, self.frame);
        while let Some(part) = walk.next_part()? {
            match &part {
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
        Ok((!parts.is_empty()).then_some(Job::Frames(parts, first)))
    }
}
