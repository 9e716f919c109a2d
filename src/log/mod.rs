//! Bytes to lines: the layer that reads files. It knows zstd frames and line ends, and no JSON.
//!
//! ```text
//! Source ──► FrameWalk ──► Part: frame, skippable, foreign, torn     (positions only)
//!    │                        │
//!    │                        ▼
//!    ├────────────────────► Decoder ──► pieces of text ──► LineSplitter ──► lines
//!    │                                       └──► StretchCutter ──► stretches of whole lines
//!    ├──► find_tail: where the end of a log starts, at a cost that does not grow with it
//!    └──► BlockReader: text of one block at a time, for what is on the screen
//! ```
//!
//! Invariants: files are read by position, never mapped, never locked, never written. Every length
//! that a file states is bounded before memory is taken for it. Damage is data ([`Damage`]): an
//! [`std::io::Error`] only tells that the file itself cannot be read.

pub mod damage;
pub mod decode;
pub mod frames;
pub mod kept;
pub mod lines;
pub mod name;
pub mod packed;
pub mod reader;
pub mod sniff;
pub mod source;
pub mod stretch;
pub mod tail;

#[cfg(test)]
pub(crate) mod sample;

pub use damage::Damage;
pub use decode::{Decoder, FrameFault};
pub use frames::{Flaw, Frame, FrameWalk, Part};
pub use kept::{Keeper, KeptBlock};
pub use lines::{Line, LineEnd, LineLimit, LineSplitter};
pub use packed::PackedSource;
pub use reader::{BlockAddress, BlockReader};
pub use sniff::{Content, Encoding, sniff};
pub use source::{FileIdentity, FileSource, MemorySource, Source, read_exact_at};
pub use tail::{Tail, find_tail, plain_tail};
