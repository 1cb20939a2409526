//! Any legal game, any accidents, any seed: the hands keep the laws of the table.

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Outcome, Position};

use super::super::dice::Dice;
use super::accidents::{EVERYWHERE, assert_physical};
use super::*;

/// A legal game of random moves.
fn wandering(seed: u64, plies: usize) -> Game {
    let (start, mut dice) = (Chess::default(), Dice::new(seed, 9));
    let (mut position, mut moves) = (start.clone(), Vec::new());
    while let (true, Some(m)) = (moves.len() < plies, dice.pick(&position.legal_moves())) {
        position.play_unchecked(m);
        moves.push(m);
    }
    let clocks = vec![None; moves.len()];
    Game {
        tags: Vec::new(),
        start,
        castling: CastlingMode::Standard,
        moves,
        clocks,
        result: Outcome::Unknown,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_game_with_any_accidents_stays_physical(
        seed in any::<u64>(),
        plies in 0usize..90,
        noise in 0u8..4,
        tight in any::<bool>(),
        accidents in prop::collection::vec((0usize..80, 0..EVERYWHERE.len()), 0..5),
    ) {
        let game = wandering(seed, plies);
        let tempo = if tight { Tempo::Lasting(30_000) } else { Tempo::Thinking(4000) };
        let accidents: Vec<Accident> = accidents.into_iter().map(|(ply, kind)| Accident::at(ply, EVERYWHERE[kind])).collect();
        let how = Play { tempo, accidents: accidents.clone(), ..Play::new(Noise::level(noise), seed) };
        let performance = play(&game, &how);
        prop_assert_eq!(performance.staged.len() + performance.unstaged.len(), accidents.len());
        prop_assert_eq!(performance.moves().len(), game.moves.len());
        let last = game.last_position();
        prop_assert_eq!(&performance.last_board(), last.board());
        assert_physical(&performance, &accidents);
        prop_assert!(!sense(&performance, &how).is_empty());
    }
}
