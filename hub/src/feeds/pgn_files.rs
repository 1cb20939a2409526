//! PGN as files: `round-5/board-12.pgn` for each game and `round-5.pgn` for the round.

use protocol::HallBoard;

use super::{Delivery, Feed, pgn};
use crate::views::Released;

/// One file per game.
pub(super) struct PgnGames;

impl Feed for PgnGames {
    fn name(&self) -> &'static str {
        "pgn-games"
    }

    fn deliveries(&self, boards: &[Released<HallBoard>]) -> Vec<Delivery> {
        boards
            .iter()
            .map(|b| Delivery {
                path: format!("round-{}/board-{}.pgn", b.round, b.table),
                content: pgn::game(b),
            })
            .collect()
    }
}

/// One file for the round.
pub(super) struct PgnRound;

impl Feed for PgnRound {
    fn name(&self) -> &'static str {
        "pgn-round"
    }

    fn deliveries(&self, boards: &[Released<HallBoard>]) -> Vec<Delivery> {
        let Some(first) = boards.first() else {
            return Vec::new();
        };
        let content = pgn::games(boards.iter().map(|b| &**b));
        vec![Delivery {
            path: format!("round-{}.pgn", first.round),
            content,
        }]
    }
}
