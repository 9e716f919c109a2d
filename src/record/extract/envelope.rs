//! What stands beside `data`: `surfaceOp` and `sourceEventSeqs` (docs/FORMAT.md section 4.1).

use crate::record::admission::{Admission, Oddity};
use crate::record::event::{Cites, Surface};
use crate::record::json::Value;

/// `surfaceOp` of a record.
pub(super) fn surface(value: Option<Value<'_>>) -> Surface {
    let Some(value) = value else {
        return Surface::None;
    };
    if value.as_text().is_some_and(|text| text.is("append")) {
        return Surface::Append;
    }
    let [op, start, end, start_seq, end_seq] = value.pick(["op", "start", "end", "startSeq", "endSeq"]);
    if op.and_then(Value::as_text).is_some_and(|op| op.is("replace")) {
        Surface::Replace {
            start: start_seq.or(start).and_then(Value::as_i64),
            end: end_seq.or(end).and_then(Value::as_i64),
        }
    } else {
        Surface::Odd
    }
}

/// `sourceEventSeqs` of a record: integers and pairs that stand for the range from the first to the second.
///
/// Of a replacement everything it cites is noted, of any list a seq that is there twice. Lists are nearly always
/// ascending, which the one walk tells; only others are sorted.
pub(super) fn cites(value: Option<Value<'_>>, surface: Surface, admission: &mut Admission) -> Cites {
    let Some(value) = value else {
        return Cites::default();
    };
    let mut cites = Cites { present: true, malformed: !value.is_array(), ..Cites::default() };
    let mut ascending = true;
    for item in value.items() {
        let Some((first, last)) = range(item) else {
            cites.malformed = true;
            continue;
        };
        let count = u32::try_from(last - first + 1).unwrap_or(u32::MAX);
        ascending &= cites.highest.is_none_or(|highest| first > highest);
        cites.count = cites.count.saturating_add(count);
        cites.first = cites.first.or(Some(first));
        cites.highest = cites.highest.max(Some(last));
    }
    let replaces = matches!(surface, Surface::Replace { .. });
    if !ascending || replaces {
        sorted(value, replaces, admission);
    }
    cites
}

fn sorted(list: Value<'_>, keep: bool, admission: &mut Admission) {
    let mut ranges: Vec<(i64, i64)> = list.items().filter_map(range).collect();
    ranges.sort_unstable();
    let repeated = ranges.windows(2).any(|pair| matches!(pair, [one, next] if next.0 <= one.1));
    admission.oddities.add_if(repeated, Oddity::RepeatedCite);
    if keep {
        // Disjoint, so that the range of a seq is found by one search.
        ranges.dedup_by(|later, kept| {
            let touches = later.0 <= kept.1;
            if touches {
                kept.1 = kept.1.max(later.1);
            }
            touches
        });
        admission.cited = Some(ranges.into_boxed_slice());
    }
}

/// First and last of an element; both are safe integers, so their distance fits.
fn range(item: Value<'_>) -> Option<(i64, i64)> {
    if !item.is_array() {
        return item.as_i64().map(|seq| (seq, seq));
    }
    let mut bounds = item.items();
    let first = bounds.next()?.as_i64()?;
    let last = bounds.next()?.as_i64()?;
    (bounds.next().is_none() && first <= last).then_some((first, last))
}
