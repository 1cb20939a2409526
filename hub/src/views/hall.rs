//! What everybody may see of a game (6.12.1): the legal line, the clocks, the official result; nothing that only arbiters may know.

use protocol::{
    ChessclockView, Flag, HallBoard, HallPly, HallState, Ply, TableId, TimeControl, Timestamp,
};

use crate::game::Game;
use crate::laws::FlagCall;
use crate::rounds::RoundSetup;

/// What the hall may see of a table; only `delay` makes something public of it.
#[derive(Debug, Clone)]
pub struct Unreleased(pub(super) HallBoard);

/// The board of a table. `read`: its pieces are being read; `unconfirmed`: the house shows results before an arbiter confirms them.
pub fn hall(
    table: TableId,
    round: &RoundSetup,
    game: &Game,
    read: bool,
    unconfirmed: bool,
) -> Unreleased {
    let moves = legal_line(game);
    let plies = Ply::try_from(moves.len()).unwrap_or(Ply::MAX);
    let position = game.record.position_before(plies + 1);
    let standing = game.standing.filter(|_| game.is_over() || unconfirmed);
    Unreleased(HallBoard {
        table,
        game: game.setup.id.clone(),
        event: round.event.clone(),
        site: round.site.clone(),
        date: round.date.clone(),
        round: game.setup.round,
        players: game.setup.players.clone(),
        time_control: control_words(&game.setup.time_control),
        start_fen: game.setup.start_fen.clone(),
        chess960: game.setup.chess960,
        began: game
            .record
            .entries()
            .first()
            .filter(|_| plies > 0)
            .map(|entry| entry.ply.made_at),
        moves,
        settled_ply: game.record.settled_ply().min(plies),
        completed_ply: game.record.completed_ply().min(plies),
        position: position.placement(),
        turn: position.turn(),
        check: position.is_check(),
        clock: game
            .clock
            .view
            .map(|view| without_forbidden_flags(game, view)),
        state: state(game, read, standing.is_some()),
        result: standing.map(|s| s.result),
        unconfirmed: standing.is_some() && !game.is_over(),
        cut_short: game.is_over() && game.record.len() > plies,
        at: Timestamp(0),
        revision: 0,
    })
}

/// Moves up to the first half-move that is no legal move.
fn legal_line(game: &Game) -> Vec<HallPly> {
    game.record
        .entries()
        .iter()
        .map_while(|e| e.ply.for_hall())
        .collect()
}

fn control_words(control: &TimeControl) -> String {
    match control.to_string().as_str() {
        "?" => String::new(),
        text => text.to_owned(),
    }
}

/// Where only a player may claim a fallen flag, no screen in the hall shows it.
fn without_forbidden_flags(game: &Game, view: ChessclockView) -> ChessclockView {
    match game.laws().flag.of(game.setup.regime) {
        FlagCall::Arbiter => view,
        FlagCall::Player => ChessclockView {
            flag: view.flag.map(|_| Flag::Up),
            ..view
        },
    }
}

fn state(game: &Game, read: bool, over: bool) -> HallState {
    // A game that has ended and waits for its confirmation lacks no move when its board is switched off.
    let missing = !read && game.standing.is_none();
    match (over, game.begun.is_some(), missing) {
        (true, _, _) => HallState::Over,
        _ if game.adjourned.is_some() => HallState::Adjourned,
        (_, false, _) => HallState::Waiting,
        (_, true, true) => HallState::Paused,
        (_, true, false) => HallState::Playing,
    }
}
