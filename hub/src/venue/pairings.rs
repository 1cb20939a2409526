//! Pairings that come in: whether they can be the round they say they are, what they leave as it is, and whose board plays where.
//!
//! **Every game ends up at the table that names its board.** A game that nobody has paired never stands in the way of one: it makes room.

use protocol::{DeviceId, TableId, Timestamp};

use super::Venue;
use super::event::EventBody;
use super::past::is_played;
use super::state::Table;
use crate::rounds::{RoundSetup, TableSetup};

impl Venue {
    /// Why these pairings cannot be the round they say they are: its tables were played by others. A corrected name or two are none,
    /// nor are tables that come in addition to those of the round in play.
    pub fn objection(&self, setup: &RoundSetup) -> Option<String> {
        let past = self.state.past.get(&setup.round).map(|past| &past.tables);
        let in_addition = past.is_none();
        let tables = past.or_else(|| self.is_this_round(setup).then_some(&self.state.tables))?;
        let played = tables
            .iter()
            .filter(|(_, t)| is_paired(t) && is_played(&t.game));
        let seats = played.map(|(id, t)| (setup.tables.iter().find(|new| new.table == *id), t));
        let seats: Vec<_> = seats
            .filter(|(new, _)| new.is_some() || !in_addition)
            .collect();
        let by_others = !seats
            .iter()
            .any(|(new, old)| new.is_some_and(|new| is_known(new, old)));
        (!seats.is_empty() && by_others).then(|| {
            format!(
                "round {} was played by others · help: give the number of the new round with --round",
                setup.round
            )
        })
    }

    /// Opens a round: tables, games, boards. A round that makes no sense is refused before it comes here.
    pub(super) fn open_round(&mut self, now: Timestamp, setup: RoundSetup) {
        let setup = self.beside_those_there(sane(setup));
        let claims: Vec<(TableId, DeviceId)> = setup
            .tables
            .iter()
            .filter_map(|t| Some((t.table, t.device.clone()?)))
            .collect();
        self.make_room(now, &setup);
        self.touched.extend(self.state.tables.keys());
        self.record(
            now,
            EventBody::RoundOpened {
                setup,
                goes_on: true,
            },
        );
        self.seat_claimed(now, claims);
        let tables: Vec<TableId> = self.state.tables.keys().copied().collect();
        for table in tables {
            self.renew_control(now, table);
            self.touched.insert(table);
        }
        self.free_controls(now);
        self.device_alerts(now);
    }

    fn is_this_round(&self, setup: &RoundSetup) -> bool {
        self.state.paired && self.state.round.round == setup.round
    }

    /// Pairings that name none of the tables of a round in play are more tables: those that have not begun stay as well, but for
    /// players who sit at one of the new ones now.
    fn beside_those_there(&self, mut setup: RoundSetup) -> RoundSetup {
        let tables = self.state.tables.iter().filter(|(_, t)| !t.casual);
        let there: Vec<(&TableId, &Table)> = tables.collect();
        let is_named = |(id, _): &(&TableId, &Table)| names(&setup, **id);
        let in_play = there.iter().any(|(_, t)| is_played(&t.game));
        if !self.is_this_round(&setup) || !in_play || there.iter().any(is_named) {
            return setup;
        }
        let sits = |name: &String| {
            let mut players = setup.tables.iter().flat_map(|t| names_of(&t.players));
            is_name(name) && players.any(|other| other == name)
        };
        let stays = |(id, t): (&TableId, &Table)| {
            let moved = names_of(&t.game.setup.players).into_iter().any(sits);
            (!is_played(&t.game) && !moved).then(|| agreed(*id, t))
        };
        let waiting: Vec<TableSetup> = there.into_iter().filter_map(stays).collect();
        setup.tables.extend(waiting);
        setup
    }

    /// Games that nobody has paired leave the numbers of the pairings, with their boards.
    fn make_room(&mut self, now: Timestamp, setup: &RoundSetup) {
        let first = !self.state.paired;
        if !first && !self.is_this_round(setup) {
            return;
        }
        // With the first pairings, tables that had opened by themselves and were not played on are gone anyway.
        let stays = |t: &Table| t.casual && (!first || is_played(&t.game));
        let tables = self.state.tables.iter();
        let in_the_way = tables.filter(|(id, t)| stays(t) && names(setup, **id));
        let in_the_way: Vec<TableId> = in_the_way.map(|(id, _)| *id).collect();
        for from in in_the_way {
            if let Some(to) = self.free_number(setup) {
                self.move_unpaired(now, from, to);
            }
        }
    }

    /// The first number after all tables there are, or else any that no table has.
    fn free_number(&self, setup: &RoundSetup) -> Option<TableId> {
        let there = self.state.tables.keys();
        let last = there.chain(setup.tables.iter().map(|t| &t.table)).max();
        let next = last.map_or(Some(1), |id| id.0.checked_add(1)).map(TableId);
        let free = |id: &TableId| !self.state.tables.contains_key(id) && !names(setup, *id);
        next.or_else(|| (1..=u16::MAX).map(TableId).find(free))
    }

    fn move_unpaired(&mut self, now: Timestamp, from: TableId, to: TableId) {
        let seat = self.state.tables.get(&from);
        let devices = seat.map(|t| [t.device.clone(), t.clock.clone()]);
        self.touched.insert(from);
        self.record(
            now,
            EventBody::TableOpened {
                round: self.state.round.clone(),
                setup: TableSetup::new(to, "?", "?"),
            },
        );
        self.carry(now, from, to, "hub");
        for device in devices.into_iter().flatten().flatten() {
            let by = "hub".to_owned();
            let device = Some(device);
            let table = to;
            self.record(now, EventBody::Bound { table, device, by });
        }
    }

    /// Boards come to the tables that name them; one that two tables name stands on the first.
    fn seat_claimed(&mut self, now: Timestamp, claims: Vec<(TableId, DeviceId)>) {
        let mut given: Vec<DeviceId> = Vec::new();
        for (table, device) in claims {
            if given.contains(&device) {
                self.record(now, EventBody::ClaimedTwice { device, table });
            } else {
                given.push(device.clone());
                self.seat(now, table, Some(device), "pairings");
            }
        }
    }
}

fn names(setup: &RoundSetup, id: TableId) -> bool {
    setup.tables.iter().any(|t| t.table == id)
}

fn names_of(players: &protocol::BySide<protocol::Player>) -> [&String; 2] {
    [&players.white.name, &players.black.name]
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "?"
}

/// Whether players are known who were paired at a table.
fn is_paired(table: &Table) -> bool {
    let players = names_of(&table.game.setup.players);
    !table.casual && players.into_iter().any(|name| is_name(name))
}

/// Whether one of the players of a table is the one who played there.
fn is_known(new: &TableSetup, old: &Table) -> bool {
    let (new, old) = (&new.players, &old.game.setup.players);
    new.white.name == old.white.name || new.black.name == old.black.name
}

/// What is agreed for a table, as pairings would say it; its board stays anyway.
fn agreed(table: TableId, seat: &Table) -> TableSetup {
    let game = &seat.game.setup;
    TableSetup {
        table,
        place: seat.place.clone(),
        players: game.players.clone(),
        device: None,
        start_fen: game.start_fen.clone(),
        chess960: game.chess960,
        time_control: Some(game.time_control.clone()),
    }
}

/// Tables that stand twice count once, a start that is no position is the usual array.
fn sane(mut setup: RoundSetup) -> RoundSetup {
    let mut seen = std::collections::BTreeSet::new();
    setup.tables.retain(|t| seen.insert(t.table));
    for table in &mut setup.tables {
        let fen = table.start_fen.as_deref();
        if crate::game::GamePosition::new(fen, table.chess960).is_err() {
            table.start_fen = None;
        }
    }
    setup
}
