//! Numbers as `JSON.parse` makes them: the nearest double, and whether that is a safe integer.

/// Largest magnitude of an integer that a double holds without doubt, 2^53 - 1.
const SAFE: i64 = (1 << 53) - 1;

/// Digits that always fit an `i64` and stay safe integers.
const SURE_DIGITS: usize = 15;

/// The double nearest to a well-formed number; infinite where it is beyond all doubles.
pub(super) fn to_f64(raw: &[u8]) -> Option<f64> {
    std::str::from_utf8(raw).ok()?.parse().ok()
}

/// The number as an integer, where the nearest double is one within ±(2^53 - 1). `-0` is 0.
#[inline]
pub(super) fn to_i64(raw: &[u8]) -> Option<i64> {
    let (negative, digits) = match raw {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > SURE_DIGITS {
        return through_f64(raw);
    }
    let mut sum = 0i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return through_f64(raw);
        }
        sum = sum * 10 + i64::from(digit - b'0');
    }
    if digits.is_empty() { None } else { Some(if negative { -sum } else { sum }) }
}

#[cold]
fn through_f64(raw: &[u8]) -> Option<i64> {
    let number = to_f64(raw)?;
    // Both bounds are doubles, and a number between them with no fraction is an i64.
    (number.fract() == 0.0 && number.abs() <= SAFE as f64).then_some(number as i64)
}

/// Whether the number is a zero with a minus sign, which some fields of the harness refuse.
pub(super) fn is_negative_zero(raw: &[u8]) -> bool {
    raw.first() == Some(&b'-') && to_f64(raw) == Some(0.0)
}
