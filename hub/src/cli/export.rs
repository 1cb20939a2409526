//! `export`: games out of the journal.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use clap::Args;
use protocol::{DeskPly, DeviceId, GameId, HallBoard, Ply, TableId, Timestamp};
use shakmaty::Chess;
use thiserror::Error;

use super::args::Where;
use super::{casefile, say};
use crate::feeds::pgn;
use crate::game::GameEvent;
use crate::rounds::{Note, faithful_game};
use crate::run::{hall_boards, replay_only};
use crate::venue::{Event, EventBody, State, Table, Venue, VenueConfig};

/// Games of all rounds, or of one round or table.
#[derive(Debug, Args)]
pub(super) struct Export {
    #[command(flatten)]
    place: Where,
    /// Only this round.
    #[arg(long, value_name = "R")]
    round: Option<u16>,
    /// Only this table.
    #[arg(long, value_name = "N")]
    table: Option<u16>,
    /// The form: pgn, faithful-pgn, or casefile (a page with the records of games that have a move, and whether each side could still mate).
    #[arg(long, default_value = "pgn")]
    format: String,
}

/// A form of games that there is not: wrong usage.
#[derive(Debug, Error)]
#[error("H70 nobody knows the form {0:?} · help: --format takes pgn, faithful-pgn and casefile")]
pub(super) struct UnknownForm(String);

impl Export {
    pub(super) fn run(self) -> Result<bool> {
        let data = self.place.config()?.data()?;
        if !data.join("journal").exists() {
            bail!(
                "H71 there is no journal in {} · help: give the hub's data folder with --data",
                data.display()
            );
        }
        match self.format.as_str() {
            "pgn" | "faithful-pgn" | "casefile" => {}
            "trf16" | "trf26" | "csv" => bail!(
                "H70 the form {:?} is not there yet · help: --format pgn, faithful-pgn and casefile are",
                self.format
            ),
            other => return Err(UnknownForm(other.to_owned()).into()),
        }
        let mut games = Games::default();
        let config = VenueConfig::new("export".parse()?);
        let mut replayed = replay_only(&data, config, |venue, event| {
            games.note(venue.state(), event);
            games.rename(venue.state(), event);
            let ends = matches!(
                event.body,
                EventBody::RoundOpened { .. }
                    | EventBody::GameCarried { .. }
                    | EventBody::NextGame { .. }
                    | EventBody::TableOpened { .. }
            );
            if ends {
                games.take(&mut Venue::with_state(
                    VenueConfig::new("export".parse().expect("a name")),
                    venue.state().clone(),
                ));
            }
        })?;
        games.take(&mut replayed.venue);
        let mut boards: Vec<&HallBoard> = games.boards.values().filter(|b| self.asks(b)).collect();
        if boards.is_empty() {
            bail!("H79 {}", nothing(&games, self.round, self.table));
        }
        if self.format == "casefile" && self.table.is_none() {
            boards.retain(|board| !board.moves.is_empty());
            if boards.is_empty() {
                bail!("H79 no game has a move yet · help: --table N shows a game without one");
            }
        }
        boards.sort_by_key(|b| (b.round, b.table));
        let text = match self.format.as_str() {
            "faithful-pgn" => boards.iter().map(|b| games.faithful(b)).collect(),
            "casefile" => games.case_file(&boards),
            _ => pgn::games(boards.into_iter()),
        };
        say::line(text.trim_end());
        for line in replayed
            .findings
            .damage
            .iter()
            .map(ToString::to_string)
            .chain(replayed.said)
        {
            say::error(&anyhow::anyhow!(line));
        }
        Ok(true)
    }

    fn asks(&self, board: &HallBoard) -> bool {
        let round = self.round.is_none_or(|round| round == board.round);
        round && self.table.is_none_or(|table| table == board.table.0)
    }
}

/// Why there is nothing to give out.
fn nothing(games: &Games, round: Option<u16>, table: Option<u16>) -> String {
    let in_round = |b: &&HallBoard| round.is_none_or(|r| r == b.round);
    let tables: BTreeSet<TableId> = games
        .boards
        .values()
        .filter(in_round)
        .map(|b| b.table)
        .collect();
    if let (Some(table), Some((first, last))) = (table, tables.first().zip(tables.last())) {
        return format!(
            "no game at table {table} is written down · help: --table takes one of those from {first} to {last}"
        );
    }
    let rounds: BTreeSet<String> = games.boards.values().map(|b| b.round.to_string()).collect();
    match round {
        Some(round) if !rounds.is_empty() => {
            let known = rounds.into_iter().collect::<Vec<_>>().join(", ");
            format!("no game of round {round} is written down · help: --round takes {known}")
        }
        _ => "no game is written down · help: is it the right data folder? `zeitnot-hub verify` looks at its journal".to_owned(),
    }
}

/// The newest state of every game.
#[derive(Default)]
struct Games {
    boards: BTreeMap<GameId, HallBoard>,
    records: BTreeMap<GameId, Vec<DeskPly>>,
    /// The last position of each game, where it is a legal one.
    ends: BTreeMap<GameId, Chess>,
    notes: BTreeMap<GameId, Vec<Note>>,
    /// The game and the board of every table when the games were taken last, and whether nobody had paired it.
    seats: BTreeMap<TableId, (GameId, Option<DeviceId>, bool)>,
}

impl Games {
    /// Games that go on at another table have its name from now on, and under the old one there is none.
    fn rename(&mut self, state: &State, event: &Event) {
        let now = |table: TableId| Some(state.tables.get(&table)?.game.setup.id.clone());
        let was = |table: &TableId| self.seats.get(table).map(|(id, ..)| id.clone());
        let renamed: Vec<(GameId, Option<GameId>)> = match &event.body {
            EventBody::RoundOpened { goes_on: true, .. } => {
                let unpaired = self.seats.values().filter(|(_, _, unpaired)| *unpaired);
                let seat = |device: &DeviceId| state.devices.get(device)?.table;
                let named = |device: &Option<DeviceId>| now(device.as_ref().and_then(seat)?);
                let named = |(id, device, _): &(GameId, _, _)| (id.clone(), named(device));
                unpaired.map(named).collect()
            }
            EventBody::GameCarried { from, to, .. } => [(from, to), (to, from)]
                .into_iter()
                .filter_map(|(old, new)| Some((was(old)?, now(*new))))
                .collect(),
            _ => return,
        };
        let mut notes = Vec::new();
        for (old, new) in renamed {
            self.boards.remove(&old);
            self.records.remove(&old);
            self.ends.remove(&old);
            notes.extend(self.notes.remove(&old).zip(new));
        }
        self.notes
            .extend(notes.into_iter().map(|(notes, id)| (id, notes)));
    }

    fn take(&mut self, venue: &mut Venue) {
        for board in hall_boards(venue, Timestamp(i64::MAX / 2), "hall") {
            self.boards.insert(board.game.clone(), (*board).clone());
        }
        let seat = |(table, t): (&TableId, &Table)| {
            let id = t.game.setup.id.clone();
            (*table, (id, t.device.clone(), t.casual))
        };
        self.seats = venue.state().tables.iter().map(seat).collect();
        for table in venue.state().tables.values() {
            let plies = table.game.record.entries().iter().map(|e| e.ply.clone());
            let id = &table.game.setup.id;
            self.records.insert(id.clone(), plies.collect());
            match table.game.record.position().legal() {
                Some(position) => self.ends.insert(id.clone(), position.clone()),
                None => self.ends.remove(id),
            };
        }
    }

    fn case_file(&self, boards: &[&HallBoard]) -> String {
        casefile::page(boards.iter().map(|board| {
            let end = self.ends.get(&board.game).cloned();
            ((*board).clone(), self.faithful(board), end)
        }))
    }

    fn faithful(&self, board: &HallBoard) -> String {
        let record = self.records.get(&board.game).map_or(&[][..], Vec::as_slice);
        let notes = self.notes.get(&board.game).map_or(&[][..], Vec::as_slice);
        faithful_game(board, record, notes)
    }

    /// Corrections and rulings, with the place of the record at which they came.
    fn note(&mut self, state: &State, event: &Event) {
        let (table, note) = match &event.body {
            EventBody::Game {
                table,
                event: GameEvent::LineRevised { from_ply, line, .. },
                ..
            } => (table, corrected(state, *table, *from_ply, line)),
            EventBody::RulingGiven {
                table: Some(table),
                ruling,
                past: None,
            } => {
                let words = format!("ruling by {}: {} {}", ruling.by, ruling.words, ruling.note);
                let known = state.tables.get(table);
                let after = known.map_or(0, |t| t.game.record.entries().len());
                (table, Some(Note { after, words }))
            }
            _ => return,
        };
        if let (Some(note), Some(table)) = (note, state.tables.get(table)) {
            let id = table.game.setup.id.clone();
            self.notes.entry(id).or_default().push(note);
        }
    }
}

/// What stood in the record and was completed, and stands there no longer.
fn corrected(state: &State, table: TableId, from: Ply, line: &[DeskPly]) -> Option<Note> {
    let before = usize::try_from(from).ok()?.checked_sub(1)?;
    let record = state.tables.get(&table)?.game.record.entries();
    let old = record.get(before..)?;
    let same = old
        .iter()
        .zip(line)
        .take_while(|(a, b)| a.ply.played == b.played);
    let same = same.count();
    let gone = old.get(same..)?;
    if !gone.iter().any(|e| e.ply.completed_at.is_some()) {
        return None;
    }
    let sans: Vec<&str> = gone.iter().map(|e| e.ply.san.as_str()).collect();
    Some(Note {
        after: before + same,
        words: format!("from here stood: {}", sans.join(" ")),
    })
}
