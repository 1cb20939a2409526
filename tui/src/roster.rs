//! A list whose selection sticks to the thing, not to the row, and which never moves under the finger.

use protocol::Timestamp;

/// The order waits this long after the last key, milliseconds.
pub const QUIET_MS: u64 = 1000;

/// Things in a shown order, one of them selected.
#[derive(Debug, Clone)]
pub struct Roster<K> {
    order: Vec<K>,
    selected: Option<K>,
    frozen: Option<Timestamp>,
    top: usize,
}

impl<K> Default for Roster<K> {
    fn default() -> Self {
        Roster {
            order: Vec::new(),
            selected: None,
            frozen: None,
            top: 0,
        }
    }
}

impl<K: Clone + PartialEq> Roster<K> {
    /// Takes the present things in their right order; shown ones keep their places unless `settle` lets them move.
    pub fn refresh(&mut self, wanted: Vec<K>, settle: bool) {
        let row = self.row().unwrap_or(0);
        if settle && self.frozen.is_none() {
            self.order = wanted;
        } else if self.order != wanted {
            self.order.retain(|k| wanted.contains(k));
            let new = wanted.into_iter().filter(|k| !self.order.contains(k));
            let new: Vec<K> = new.collect();
            self.order.extend(new);
        }
        let gone = self
            .selected
            .as_ref()
            .is_none_or(|k| !self.order.contains(k));
        if gone {
            let row = row.min(self.order.len().saturating_sub(1));
            self.selected = self.order.get(row).cloned();
        }
    }

    /// The things as shown.
    pub fn order(&self) -> &[K] {
        &self.order
    }

    /// The selected thing.
    pub fn selected(&self) -> Option<&K> {
        self.selected.as_ref()
    }

    /// The row of the selected thing.
    pub fn row(&self) -> Option<usize> {
        let selected = self.selected.as_ref()?;
        self.order.iter().position(|k| k == selected)
    }

    /// Selects a thing, if it is in the list.
    pub fn select(&mut self, key: &K) -> bool {
        let known = self.order.contains(key);
        if known {
            self.selected = Some(key.clone());
        }
        known
    }

    /// Selects a row; rows beyond the end mean the last one.
    pub fn select_row(&mut self, row: usize) {
        let row = row.min(self.order.len().saturating_sub(1));
        self.selected = self.order.get(row).cloned();
    }

    /// Moves the selection; true when it moved.
    pub fn step(&mut self, by: isize) -> bool {
        let Some(row) = self.row() else {
            self.select_row(0);
            return self.selected.is_some();
        };
        let last = self.order.len().saturating_sub(1);
        let to = row.saturating_add_signed(by).min(last);
        self.select_row(to);
        to != row
    }

    /// Freezes the order, or lets it go.
    pub fn toggle_freeze(&mut self, now: Timestamp) {
        self.frozen = match self.frozen {
            None => Some(now),
            Some(_) => None,
        };
    }

    /// Since when the order is frozen.
    pub fn frozen(&self) -> Option<Timestamp> {
        self.frozen
    }

    /// The first row to show so that the selected one is among `height` rows; scrolls no more than needed.
    pub fn window(&self, height: usize) -> usize {
        let height = height.max(1);
        let row = self.row().unwrap_or(0);
        let last_top = self.order.len().saturating_sub(height);
        let top = self.top.min(last_top);
        top.clamp((row + 1).saturating_sub(height), row)
    }

    /// Remembers what [`Roster::window`] gave, for the next picture.
    pub fn keep_window(&mut self, height: usize) {
        self.top = self.window(height);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roster(order: &[u32], selected: u32) -> Roster<u32> {
        let mut roster = Roster::default();
        roster.refresh(order.to_vec(), true);
        roster.select(&selected);
        roster
    }

    #[test]
    fn the_selection_sticks_to_the_thing_when_rows_move() {
        let mut r = roster(&[1, 2, 3], 2);
        r.refresh(vec![9, 3, 2, 1], true);
        assert_eq!((r.selected(), r.row()), (Some(&2), Some(2)));
    }

    #[test]
    fn rows_wait_while_keys_are_pressed_or_the_order_is_frozen() {
        let mut r = roster(&[1, 2, 3], 2);
        r.refresh(vec![9, 3, 1, 2], false);
        assert_eq!(r.order(), [1, 2, 3, 9]);
        r.toggle_freeze(Timestamp(0));
        r.refresh(vec![9, 3, 1], true);
        assert_eq!(r.order(), [1, 3, 9]);
        r.toggle_freeze(Timestamp(1));
        r.refresh(vec![9, 3, 1], true);
        assert_eq!(r.order(), [9, 3, 1]);
    }

    #[test]
    fn a_selected_thing_that_goes_leaves_its_row() {
        let mut r = roster(&[1, 2, 3], 2);
        r.refresh(vec![1, 3], true);
        assert_eq!(r.selected(), Some(&3));
        r.refresh(vec![], true);
        assert_eq!(r.selected(), None);
    }

    #[test]
    fn the_window_holds_the_selection() {
        let mut r = roster(&(0..100).collect::<Vec<_>>(), 50);
        assert_eq!(r.window(10), 41);
        r.keep_window(10);
        r.step(-1);
        assert_eq!(r.window(10), 41);
        r.select_row(0);
        assert_eq!(r.window(10), 0);
    }
}
