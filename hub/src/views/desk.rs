//! What arbiters see of a table: everything the hub knows about it.

use protocol::{
    BySide, DeskTable, DeviceId, DeviceInfo, LogLine, RulingLine, Side, SideControl, Speed,
    TableId, TableState, Timestamp,
};

use crate::game::{Game, RulingMemo};
use crate::laws::scramble::expected_in;
use crate::laws::silence;

/// What stands around a game: the table, its board, its open alerts.
#[derive(Debug, Clone)]
pub struct Seat<'a> {
    /// The table.
    pub table: TableId,
    /// Row and seat.
    pub place: Option<&'a str>,
    /// The board.
    pub device: Option<&'a DeviceId>,
    /// What the board is and how it is.
    pub info: Option<&'a DeviceInfo>,
    /// When it was heard last, hub's time.
    pub heard: Option<Timestamp>,
    /// From what happened there last until it was heard, milliseconds.
    pub delay_ms: Option<u64>,
    /// Whether its pieces are being read.
    pub read: bool,
    /// Ids of open alerts.
    pub alerts: Vec<String>,
    /// The game is kept back from everybody outside the hall.
    pub held: bool,
}

/// The table for the desk, all but its record: that is long, and put in where it goes out.
pub fn desk_without_record(game: &Game, seat: Seat<'_>) -> DeskTable {
    let setup = &game.setup;
    let (words, article) = silence(game.laws(), setup.regime, &setup.time_control);
    let position = game.record.position();
    DeskTable {
        table: seat.table,
        place: seat.place.map(str::to_owned),
        game: setup.id.clone(),
        round: setup.round,
        players: setup.players.clone(),
        edition: setup.edition,
        regime: setup.regime,
        time_control: setup.time_control.clone(),
        start_fen: setup.start_fen.clone(),
        chess960: setup.chess960,
        record: Vec::new(),
        uncertain: game.uncertain.iter().map(|(u, _)| u.clone()).collect(),
        position: position.placement(),
        fen: position.fen(),
        turn: position.turn(),
        board: game.differs.as_ref().map(|d| d.board.clone()),
        clock: game.clock.view,
        state: state(game, &seat),
        standing: game.standing,
        illegal_moves: game.illegal_moves,
        repetitions: game.record.repetitions(),
        quiet_plies: position.quiet_plies(),
        to_control: to_control(game),
        short_of_time_at: short_of_time_at(game),
        silence: words,
        silence_article: article.to_owned(),
        device: seat.device.cloned(),
        device_info: seat.info.cloned(),
        heard: seat.heard,
        delay_ms: seat.delay_ms,
        alerts: seat.alerts,
        log: log(game),
        rulings: ruling_lines(game),
        held: seat.held,
        completed_ply: game.record.completed_ply(),
        revision: game.revision,
    }
}

/// Rulings that are shown at most.
const RULINGS: usize = 12;

/// The last rulings on a game, newest last.
pub fn ruling_lines(game: &Game) -> Vec<RulingLine> {
    let spare = game.rulings.len().saturating_sub(RULINGS);
    let line = |memo: &RulingMemo| RulingLine {
        number: memo.number,
        at: memo.at,
        by: memo.by.clone(),
        words: memo.words.clone(),
        article: memo.article.clone(),
        undoable: !memo.undo.is_empty(),
        countered: memo.countered,
    };
    game.rulings.iter().skip(spare).map(line).collect()
}

fn log(game: &Game) -> Vec<LogLine> {
    game.log.iter().map(|l| l.line.clone()).collect()
}

fn state(game: &Game, seat: &Seat<'_>) -> TableState {
    if game.is_over() {
        TableState::Over
    } else if game.adjourned.is_some() {
        TableState::Adjourned
    } else if !seat.read {
        TableState::Out
    } else if game.begun.is_none() {
        TableState::Waiting
    } else if game.clock.stopped_since.is_some() {
        TableState::Stopped
    } else {
        TableState::Playing
    }
}

/// Moves that each player still has to make in his period, none where no period has a number of moves.
fn to_control(game: &Game) -> Option<BySide<u32>> {
    let sides = &game.setup.time_control.sides;
    let made = game.record.completed_moves();
    Some(BySide {
        white: left(&sides.white, made.white)?,
        black: left(&sides.black, made.black)?,
    })
}

/// The sooner of both players' moments; rapid and blitz need no score (A.2), and a game at rest uses no time.
fn short_of_time_at(game: &Game) -> Option<Timestamp> {
    let shown = game.clock.view.filter(|v| v.running.is_some())?;
    if game.setup.regime.speed != Speed::Standard || !game.in_play() {
        return None;
    }
    let expected = |side: Side| {
        let periods = game.setup.time_control.side(side).periods();
        expected_in(
            periods,
            *game.clock.model.period.get(side),
            *shown.time.get(side),
        )
    };
    let soonest = Side::BOTH.into_iter().filter_map(expected).min()?;
    Some(shown.at.after(soonest))
}

fn left(control: &SideControl, made: u32) -> Option<u32> {
    let mut end = 0;
    for period in control.periods() {
        end += period.moves?;
        if end > made {
            return Some(end - made);
        }
    }
    None
}
