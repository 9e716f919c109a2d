//! Values of terms: numbers, durations, times.

use super::ast::{Bounds, Moment};
use super::fault::Complaint;
use crate::text::time::is_date;

/// Greatest number of a log, 2^53 - 1.
const MOST: i64 = (1 << 53) - 1;

/// Units of a duration in milliseconds, longer names first.
const UNITS: [(&str, f64); 5] = [("ms", 1.0), ("s", 1e3), ("m", 60e3), ("h", 3_600e3), ("d", 86_400e3)];

/// What is wrong, and at which byte of the value.
type Wrong = (usize, Complaint);

/// `3`, `1..2`, `100..`, `..5`, `>0`, `>=1`, `<9`, `<=8`.
pub(super) fn numbers(text: &str) -> Result<Bounds, Wrong> {
    bounds(text, number).map(|(bounds, _)| bounds)
}

/// The same with durations; one alone says nothing.
pub(super) fn durations(text: &str) -> Result<Bounds, Wrong> {
    match bounds(text, duration)? {
        (_, Form::Exactly) => Err((0, Complaint::NoComparison)),
        (bounds, Form::Compared) => Ok(bounds),
    }
}

/// How bounds were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Exactly,
    Compared,
}

fn bounds(text: &str, one: fn(&str) -> Result<i64, Wrong>) -> Result<(Bounds, Form), Wrong> {
    let later = |by: usize| move |(at, what): Wrong| (at + by, what);
    if let Some((from, to)) = text.split_once("..") {
        let end = |text: &str, at: usize| {
            if text.is_empty() { Ok(None) } else { one(text).map(Some).map_err(later(at)) }
        };
        let bounds = Bounds { from: end(from, 0)?, to: end(to, from.len() + 2)? };
        return match bounds {
            Bounds { from: None, to: None } => Err((0, Complaint::NoNumber)),
            Bounds { from: Some(from), to: Some(to) } if from > to => Err((0, Complaint::Backwards)),
            Bounds { .. } => Ok((bounds, Form::Compared)),
        };
    }
    let compared = |sign: &str| text.strip_prefix(sign).map(|rest| one(rest).map_err(later(sign.len())));
    let from = |from: i64| Bounds { from: Some(from), to: None };
    let to = |to: i64| Bounds { from: None, to: Some(to) };
    // The longer signs first.
    let bounds = if let Some(number) = compared(">=") {
        from(number?)
    } else if let Some(number) = compared("<=") {
        to(number?)
    } else if let Some(number) = compared(">") {
        from(number?.saturating_add(1))
    } else if let Some(number) = compared("<") {
        to(number?.saturating_sub(1))
    } else {
        let number = one(text)?;
        return Ok((Bounds { from: Some(number), to: Some(number) }, Form::Exactly));
    };
    Ok((bounds, Form::Compared))
}

fn number(text: &str) -> Result<i64, Wrong> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err((0, Complaint::NoNumber));
    }
    match text.parse::<i64>() {
        Ok(number) if number.abs() <= MOST => Ok(number),
        Ok(_) | Err(_) => Err((0, Complaint::NumberTooLarge)),
    }
}

/// Milliseconds of `30ms`, `1.5s`, `1m30s`.
fn duration(text: &str) -> Result<i64, Wrong> {
    let (mut rest, mut sum) = (text, 0.0);
    if text.is_empty() {
        return Err((0, Complaint::NoDuration));
    }
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let digits = rest.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(rest.len());
        let Ok(number) = rest[..digits].parse::<f64>() else { return Err((at, Complaint::NoDuration)) };
        let unit = rest[digits..].find(|char: char| !char.is_ascii_alphabetic()).map_or(rest.len(), |end| digits + end);
        let Some((_, factor)) = UNITS.iter().find(|(name, _)| *name == &rest[digits..unit]) else {
            return Err((at, if digits == unit { Complaint::NoUnit } else { Complaint::NoDuration }));
        };
        sum += number * factor;
        rest = &rest[unit..];
    }
    // Far below 2^63, and no fraction is lost that a log could hold.
    if sum <= MOST as f64 { Ok(sum.round() as i64) } else { Err((0, Complaint::NumberTooLarge)) }
}

/// `16:05`, `16:05:30.250`, `2026-11-30`, `2026-11-30T16:05`.
pub(super) fn moment(text: &str) -> Result<Moment, Wrong> {
    let wrong = || (0, Complaint::NoMoment);
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (Some(date), Some(time)),
        None if text.contains('-') => (Some(text), None),
        None => (None, Some(text)),
    };
    let date = date.map(|date| day(date).ok_or_else(wrong)).transpose()?;
    let of_day = time.map_or(Some(0), clock).ok_or_else(wrong)?;
    Ok(Moment { date, of_day })
}

fn day(text: &str) -> Option<(i16, i8, i8)> {
    let mut parts = text.split('-');
    let date = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (parts.next().is_none() && (0..=9999).contains(&date.0) && is_date(date)).then_some(date)
}

/// Milliseconds of a time of day: `16:05`, `16:05:30`, `16:05:30.250`.
pub(crate) fn clock(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let parts: Vec<&str> = whole.split(':').collect();
    let digits = |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if !(2..=3).contains(&parts.len()) || !parts.iter().all(digits) || (fraction.is_some() && parts.len() < 3) {
        return None;
    }
    let number = |at: usize| parts.get(at).map_or(Some(0), |part| part.parse::<i64>().ok());
    let (hour, minute, second) = (number(0)?, number(1)?, number(2)?);
    let ms = match fraction {
        None => 0,
        Some(text) if (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{text:0<3}").parse::<i64>().ok()?
        }
        Some(_) => return None,
    };
    (hour < 24 && minute < 60 && second < 60).then_some(((hour * 60 + minute) * 60 + second) * 1000 + ms)
}
