//! Those outside the hall: what the hall saw is noted as it happens, and published to each audience after its delay.

use protocol::{HallBoard, TableId, Timestamp, Topic, encode};

use super::evolve::Changes;
use super::{Output, Venue};
use crate::views::{Audience, Released, hall, next_due, release, waits_for_its_round};

impl Venue {
    /// Notes what the hall sees after an event, live and in a replay alike.
    pub(super) fn note(&mut self, at: Timestamp, changes: &Changes) {
        let delays = self.config.audiences.iter().map(|a| a.delay_ms);
        let longest = delays.chain(self.config.house.then_some(0)).max();
        super::past::forget(&mut self.state, at, longest.unwrap_or(0));
        let Some(longest) = longest else {
            return;
        };
        for table in changes.hall.union(&changes.later) {
            self.note_table(at, *table, longest);
        }
        for table in &changes.tables_gone {
            if !self.state.tables.contains_key(table)
                && let Some(history) = self.state.histories.get_mut(table)
            {
                history.note_gone(at);
            }
        }
        if !changes.tables_gone.is_empty() {
            let histories = &mut self.state.histories;
            histories.retain(|_, history| !history.is_over(at, longest));
        }
    }

    fn note_table(&mut self, at: Timestamp, id: TableId, longest: u64) {
        let Some(table) = self.state.tables.get(&id) else {
            return;
        };
        let read = self.state.is_read(table);
        let unconfirmed = self.config.show_unconfirmed;
        let board = hall(id, &self.state.round, &table.game, read, unconfirmed);
        let history = self.state.histories.entry(id).or_default();
        history.note(at, &board, longest);
    }

    /// Shows every audience outside what is due for it.
    pub(super) fn show_outside(&mut self, now: Timestamp, id: TableId) {
        let audiences = self.config.audiences.clone();
        for audience in &audiences {
            self.show_audience(now, id, audience);
        }
        let history = self.state.histories.get(&id);
        let next = |audience| history.and_then(|h| next_due(h, audience, now));
        match audiences.iter().filter_map(next).min() {
            Some(at) => self.shown.due.insert(id, at),
            None => self.shown.due.remove(&id),
        };
    }

    /// What has become due by now.
    pub(super) fn release_due(&mut self, now: Timestamp) {
        let due = self.shown.due.iter().filter(|(_, at)| **at <= now);
        let tables: Vec<TableId> = due.map(|(table, _)| *table).collect();
        for table in tables {
            self.show_outside(now, table);
        }
    }

    fn show_audience(&mut self, now: Timestamp, id: TableId, audience: &Audience) {
        let history = self.state.histories.get(&id);
        let revision = self.shown.next_revision(self.state.number);
        let topic = Topic::WorldBoard(audience.name.clone(), id);
        let history =
            history.filter(|h| !waits_for_its_round(h, &self.state.histories, audience, now));
        match history.and_then(|h| release(h, audience, now, revision)) {
            Some(released) if self.is_shown(id, &released) => {}
            Some(released) => {
                self.publish(topic, true, encode(&*released));
                self.others.push(Output::Hall(released));
            }
            None => {
                if self
                    .shown
                    .boards
                    .remove(&(audience.name.clone(), id))
                    .is_some()
                {
                    self.publish(topic, true, Vec::new());
                    let audience = audience.name.clone();
                    let table = id;
                    self.others.push(Output::Gone { audience, table });
                }
            }
        }
    }

    /// Whether those outside see this already: most changes inside change nothing for them yet.
    fn is_shown(&mut self, id: TableId, released: &Released<HallBoard>) -> bool {
        let key = (released.audience().name.clone(), id);
        let board = HallBoard {
            at: Timestamp(0),
            revision: 0,
            ..(**released).clone()
        };
        let same = self.shown.boards.get(&key) == Some(&board);
        if !same {
            self.shown.boards.insert(key, board);
        }
        same
    }
}
