//! `export --format casefile`: a page of the games with their records, and whether each side could still mate in the end.

use protocol::HallBoard;
use shakmaty::{Chess, Color};

use crate::laws::unwinnable::{
    Budget,
    case_page::{Case, case_file},
    verdict,
};

/// Work for one verdict: about half a second, and the same answer on every machine.
const NODES: u64 = 500_000;

/// The page; each game with its record in words and its last position, where that is a legal one.
pub(super) fn page(games: impl Iterator<Item = (HallBoard, String, Option<Chess>)>) -> String {
    let cases: Vec<Case> = games
        .map(|(board, record, position)| case(&board, record, position))
        .collect();
    case_file(&cases)
}

fn case(board: &HallBoard, game: String, position: Option<Chess>) -> Case {
    let heading = format!(
        "Table {}, round {}: {} – {}",
        board.table, board.round, board.players.white.name, board.players.black.name
    );
    let ask = |pos: &Chess, winner| {
        let mut never = || false;
        verdict(pos, winner, &mut Budget::new(NODES, &mut never))
    };
    let found = position.iter().flat_map(|pos| {
        let sides = [Color::White, Color::Black];
        sides.map(|winner| (winner, ask(pos, winner)))
    });
    Case {
        heading,
        game,
        found: found.collect(),
        position: position.unwrap_or_default(),
    }
}
