//! Where the long values of a checked text end, noted while it was checked, so that walks step over them at once.

use super::scan;

/// Values noted; further ones are walked. A record has a dozen containers near its top.
const NOTED: usize = 16;

/// A shorter value is walked faster than it is looked up.
const SHORTEST: usize = 64;

/// Deepest level whose values are noted: the content of a message lies three levels down.
pub(super) const DEEPEST: usize = 4;

/// Ends of long values, by where they start.
#[derive(Debug, Clone)]
pub(super) struct Ends {
    /// Address of the text that the places count from.
    base: usize,
    from: [u32; NOTED],
    until: [u32; NOTED],
    count: usize,
}

/// Nothing noted.
pub(super) static NONE: Ends = Ends { base: 0, from: [0; NOTED], until: [0; NOTED], count: 0 };

impl Ends {
    /// None so far of a text.
    pub(super) fn of(text: &[u8]) -> Ends {
        Ends { base: text.as_ptr().addr(), ..NONE.clone() }
    }

    /// Notes a value that takes the bytes from `start` to before `end`.
    #[inline]
    pub(super) fn note(&mut self, start: usize, end: usize) {
        if end - start < SHORTEST || self.count == NOTED || end > u32::MAX as usize {
            return;
        }
        self.from[self.count] = start as u32;
        self.until[self.count] = end as u32;
        self.count += 1;
    }

    /// Index after the well-formed value that starts at `at` of `raw`, which is the noted text or a part of it.
    #[inline]
    pub(super) fn value_end(&self, raw: &[u8], at: usize) -> usize {
        match raw.get(at) {
            Some(b'"') => match scan::short_string_end(raw, at + 1) {
                Some(end) => end,
                None => self.noted(raw, at).unwrap_or_else(|| scan::value_end(raw, at)),
            },
            Some(b'{' | b'[') => self.noted(raw, at).unwrap_or_else(|| scan::value_end(raw, at)),
            _ => scan::scalar_end(raw, at),
        }
    }

    #[inline]
    fn noted(&self, raw: &[u8], at: usize) -> Option<usize> {
        let offset = raw.as_ptr().addr().checked_sub(self.base)?;
        let start = u32::try_from(offset + at).ok()?;
        let place = self.from[..self.count].iter().position(|noted| *noted == start)?;
        // A value is given out with its own bytes alone: one that would end after them is another text.
        let end = (self.until[place] as usize).checked_sub(offset)?;
        (end <= raw.len()).then_some(end)
    }
}
