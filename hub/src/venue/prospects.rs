//! Whether either side can still mate: asked in the background for every new position, so that the answer is there when a flag falls.
//!
//! The work is done outside, by whoever runs the venue: [`Output::Ask`] goes out, [`Input::Found`] comes back whenever it is done. What was
//! found is no part of the state: it is asked for again after a restart. What follows from it is: a dead position, the words of an alert, a
//! ruling are events like all others, so a replay needs no search.

use protocol::{BySide, GameId, Played, Ply, TableId, Timestamp};
use shakmaty::Chess;

use super::{Output, Venue};
use crate::game::{Game, Source, dead_position};
use crate::laws::{MateVerdict, Prospects};

/// Can White, can Black mate from this position?
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The table.
    pub table: TableId,
    /// Its game.
    pub game: GameId,
    /// Half-moves played.
    pub ply: Ply,
    /// The last half-move, UCI, if it was a legal one.
    pub last: Option<String>,
    /// The position.
    pub position: Chess,
}

/// What was found out about a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The table.
    pub table: TableId,
    /// Its game.
    pub game: GameId,
    /// The position.
    pub position: Chess,
    /// Whether each side can mate.
    pub mates: BySide<MateVerdict>,
}

/// What is known at a table, of which game, and up to which change of its record it was asked.
#[derive(Debug, Clone)]
pub(super) struct TableProspects {
    game: GameId,
    asked: Option<u64>,
    prospects: Prospects,
}

impl Venue {
    /// What is known of the game at a table.
    pub(super) fn prospects(&self, table: TableId) -> &Prospects {
        self.prospects
            .get(&table)
            .map_or(&self.nothing_known, |known| &known.prospects)
    }

    /// Asks about the position of a table, once for each change of its record.
    pub(super) fn ask(&mut self, id: TableId) {
        let Some(game) = self.state.tables.get(&id).map(|t| &t.game) else {
            self.prospects.remove(&id);
            return;
        };
        let fresh = || TableProspects {
            game: game.setup.id.clone(),
            asked: None,
            prospects: self.nothing_known.clone(),
        };
        let known = self.prospects.entry(id).or_insert_with(fresh);
        if known.game != game.setup.id {
            *known = fresh();
        }
        let version = game.record.version();
        if game.is_over() || known.asked == Some(version) {
            return;
        }
        known.asked = Some(version);
        self.others.extend(question(id, game).map(Output::Ask));
    }

    /// Takes an answer in; a position in which neither side can mate ends the game (5.2.2).
    pub(super) fn found(&mut self, now: Timestamp, found: Found) {
        let Some(known) = self.prospects.get_mut(&found.table) else {
            return;
        };
        if known.game != found.game {
            return;
        }
        known.prospects.learn(found.position.clone(), found.mates);
        let why = known.prospects.dead(&found.position);
        let game = self.state.tables.get(&found.table).map(|t| &t.game);
        let (Some(why), Some(game)) = (why, game) else {
            return;
        };
        if game.record.position().legal() != Some(&found.position) {
            return;
        }
        for event in dead_position(game, game.record.len(), now, why) {
            self.game(now, found.table, Source::Hub, event);
        }
    }
}

fn question(table: TableId, game: &Game) -> Option<Question> {
    let last = game.record.last().map(|ply| &ply.played);
    Some(Question {
        table,
        game: game.setup.id.clone(),
        ply: game.record.len(),
        last: match last {
            Some(Played::Legal(uci)) => Some(uci.clone()),
            _ => None,
        },
        position: game.record.position().legal()?.clone(),
    })
}
