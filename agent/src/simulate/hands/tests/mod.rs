//! What can be said about every performance: the laws of a table, the figures of real play, the accidents.

mod accidents;
mod figures;
mod random;
mod table;

use super::sitting::watch;
use super::timeline::{Stroke, Whose};
use super::*;

/// Games to test with: castling on both sides and in both orders, en passant, promotions of every kind, mates.
const GAMES: &str = "\
[Event \"captures and a promotion\"]\n1. e4 d5 2. exd5 c5 3. dxc6 Nf6 4. cxb7 e5 5. bxa8=Q Be7 6. Nf3 O-O 7. Be2 Nc6 8. O-O Qb6 9. d4 exd4 10. Nxd4 1-0\n\
[Event \"both long\"]\n1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 6. e4 dxe4 7. Nxe4 Nf6 8. Nxf6 exf6 9. Nf3 Bd6 10. Bxd6 Qxd6 1/2-1/2\n\
[Event \"mate by en passant\"]\n1. e4 e6 2. d4 d5 3. e5 c5 4. c3 cxd4 5. cxd4 Bb4+ 6. Nc3 Nc6 7. Nf3 Nge7 8. Bd3 O-O 9. Bxh7+ Kxh7 10. Ng5+ Kg6 11. h4 Nxd4 12. Qg4 f5 13. h5+ Kh6 14. Nxe6+ g5 15. hxg6# 1-0\n\
[Event \"under-promotion\"]\n[FEN \"8/P6k/8/8/8/8/p6K/8 w - - 0 1\"]\n1. a8=R a1=N 2. Ra7+ Kg6 3. Rxa1 Kf5 4. Re1 Kf4 *\n\
[Event \"Chess960\"]\n[Variant \"Chess960\"]\n[FEN \"1rk5/pppp4/8/8/8/8/PPPP4/1RKR4 w BDb - 0 1\"]\n1. O-O O-O-O 2. d4 d5 3. Rbe1 c6 1/2-1/2\n";

fn games() -> Vec<Game> {
    read_games(GAMES)
        .into_iter()
        .map(|game| game.expect("the test games are legal"))
        .collect()
}

fn noises() -> [Noise; 4] {
    [0, 1, 2, 3].map(Noise::level)
}
