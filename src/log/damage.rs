//! What is wrong with the bytes of a log, and where: data only, no judgement.

use super::decode::FrameFault;

/// One damaged place of a log, located by the byte offset in the file.
///
/// Reading goes on after each of them, except [`Damage::Torn`], which ends at the end of the file.
#[derive(Debug, Clone)]
pub enum Damage {
    /// A complete frame whose content does not decode: its lines are lost.
    DamagedFrame {
        /// Number of the frame, the header frame being 0.
        frame: u64,
        /// Where it starts in the file.
        offset: u64,
        /// How many bytes of the file it takes.
        len: u64,
        /// Why the content cannot be had.
        why: FrameFault,
    },
    /// Bytes that are no frame.
    Foreign {
        /// Where they start in the file.
        offset: u64,
        /// How many they are.
        len: u64,
    },
    /// A frame of the kind that decoders step over. No writer of logs makes one.
    Skippable {
        /// Where it starts in the file.
        offset: u64,
        /// How many bytes of the file it takes, its own head of 8 bytes included.
        len: u64,
    },
    /// The file ends inside a frame, or 1 to 3 bytes after one.
    Torn {
        /// Where the unfinished frame starts.
        offset: u64,
        /// How many bytes of it are there.
        len: u64,
    },
}

impl Damage {
    /// Where the damage starts in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self {
            Self::DamagedFrame { offset, .. }
            | Self::Foreign { offset, .. }
            | Self::Skippable { offset, .. }
            | Self::Torn { offset, .. } => *offset,
        }
    }

    /// How many bytes of the file it takes.
    #[must_use]
    pub fn size(&self) -> u64 {
        match self {
            Self::DamagedFrame { len, .. }
            | Self::Foreign { len, .. }
            | Self::Skippable { len, .. }
            | Self::Torn { len, .. } => *len,
        }
    }
}
