//! The list of items: four bytes for each that is a line of the log, which nearly all are.

use std::ops::Range;

use super::Item;
use crate::session::row::RowIx;

/// What is not below it is a place in [`Items::others`].
const OTHERS: u32 = 1 << 31;

/// The items of a timeline, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Items {
    /// Rows, and places in `others`.
    heads: Vec<u32>,
    others: Vec<Item>,
}

impl Items {
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The item at a place.
    pub(crate) fn get(&self, at: usize) -> Option<Item> {
        self.heads.get(at).map(|head| self.item(*head))
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Item> + ExactSizeIterator + Clone + '_ {
        self.range(0..self.len())
    }

    /// The items of a range, as far as there are some.
    pub(crate) fn range(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Item> + ExactSizeIterator + Clone + '_ {
        let end = range.end.min(self.len());
        let heads = self.heads.get(range.start.min(end)..end).unwrap_or_default();
        heads.iter().map(|head| self.item(*head))
    }

    /// How many items stand before the first that fails the test, where those that pass come first.
    pub(crate) fn partition_point(&self, passes: impl Fn(Item) -> bool) -> usize {
        self.heads.partition_point(|head| passes(self.item(*head)))
    }

    pub(crate) fn push(&mut self, item: Item) {
        let head = match item {
            Item::Row(RowIx(row)) if row < OTHERS => row,
            _ => {
                self.others.push(item);
                OTHERS + (self.others.len() - 1).min(OTHERS as usize - 1) as u32
            }
        };
        self.heads.push(head);
    }

    pub(crate) fn clear(&mut self) {
        self.heads.clear();
        self.others.clear();
    }

    /// Gives back the room that growing left over.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.heads.shrink_to_fit();
        self.others.shrink_to_fit();
    }

    fn item(&self, head: u32) -> Item {
        match head.checked_sub(OTHERS) {
            None => Item::Row(RowIx(head)),
            Some(other) => self.others.get(other as usize).copied().unwrap_or(Item::Row(RowIx(head))),
        }
    }
}

impl Extend<Item> for Items {
    fn extend<T: IntoIterator<Item = Item>>(&mut self, items: T) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_comes_out_as_it_went_in() {
        let row = RowIx(7);
        let kinds = [
            Item::Row(row),
            Item::Row(RowIx(OTHERS - 1)),
            Item::Row(RowIx(OTHERS)),
            Item::Row(RowIx(u32::MAX)),
            Item::Run { first: row, last: RowIx(9) },
            Item::Inner(row),
            Item::Member { row, member: u32::MAX },
            Item::Rule { rule: 1, line: 2 },
            Item::Ghost(3),
        ];
        let mut items = Items::default();
        items.extend(kinds);
        assert!(items.iter().eq(kinds));
        assert!(items.range(2..99).eq(kinds.into_iter().skip(2)));
        let (late, early) = (5, 3);
        assert_eq!((items.range(late..early).len(), items.range(50..60).len(), items.get(9)), (0, 0, None));
        assert_eq!(items.partition_point(|item| matches!(item, Item::Row(_))), 4);
        assert_eq!(items.others.len(), 7, "lines of the log take no room beside their head");
        items.clear();
        assert!(items.is_empty() && items.others.is_empty());
    }
}
