//! What hands play at a board, and the moves that it comes to.

use agent::devices::Placement;
use agent::simulate::hands::{Act, Control, Game, Noise, Performance, Play, Tempo, coils, play};

pub(crate) fn performance(
    game: &Game,
    noise: u8,
    seed: u64,
    seconds: u64,
) -> (Performance, Vec<(u64, Act)>) {
    let mut how = Play::new(Noise::level(noise), seed);
    how.tempo = Tempo::Lasting(seconds * 1000);
    how.control = game.control().unwrap_or(Control::CLASSICAL);
    let performance = play(game, &how);
    let acts = coils(&performance, &how);
    (performance, acts)
}

/// How the pieces stand at first.
pub(crate) fn array(performance: &Performance) -> Placement {
    let mut start = Placement::EMPTY;
    for (square, piece) in performance.initial.clone() {
        start.set(square, Some(piece));
    }
    start
}

/// The moves that were played.
pub(crate) fn truth(performance: &Performance) -> Vec<String> {
    let moves = performance.truth.iter().filter_map(|ply| ply.uci());
    moves.map(|uci| uci.to_string()).collect()
}
