//! The plain values beside each hall board, for LED walls, signs and flows that read no JSON.

use protocol::{ChessclockView, HallBoard, HallState, Side};

use crate::game::clock_words;

/// The two clocks alone, which change with every reading.
pub fn clocks(view: &ChessclockView) -> [(&'static str, String); 2] {
    [
        ("white/clock", clock_words(view.time.white)),
        ("black/clock", clock_words(view.time.black)),
    ]
}

/// Names below `hall/board/<n>/` with their texts.
pub fn scalars(board: &HallBoard) -> [(&'static str, String); 6] {
    let clock = |side: Side| {
        board
            .clock
            .map_or(String::new(), |c| clock_words(*c.time.get(side)))
    };
    let last = board.moves.last().map_or("", |m| m.san.as_str());
    [
        ("white/clock", clock(Side::White)),
        ("black/clock", clock(Side::Black)),
        ("last-move", last.to_owned()),
        ("turn", board.turn.word().to_lowercase()),
        (
            "result",
            board.result.map_or(String::new(), |r| r.to_string()),
        ),
        ("state", state(board.state).to_owned()),
    ]
}

fn state(state: HallState) -> &'static str {
    match state {
        HallState::Waiting => "waiting",
        HallState::Playing => "playing",
        HallState::Paused => "paused",
        HallState::Adjourned => "adjourned",
        HallState::Over => "over",
    }
}
