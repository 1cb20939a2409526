//! The example games that come with the program: classics, as facts.

use super::hands::{Game, read_games};

/// The files, oldest game first.
const FILES: &[&str] = &[
    include_str!("games/legal-1750.pgn"),
    include_str!("games/anderssen-kieseritzky-1851.pgn"),
    include_str!("games/anderssen-dufresne-1852.pgn"),
    include_str!("games/morphy-allies-1858.pgn"),
    include_str!("games/hamppe-meitner-1872.pgn"),
    include_str!("games/lasker-bauer-1889.pgn"),
    include_str!("games/steinitz-bardeleben-1895.pgn"),
    include_str!("games/rotlewi-rubinstein-1907.pgn"),
    include_str!("games/reti-tartakower-1910.pgn"),
    include_str!("games/levitsky-marshall-1912.pgn"),
    include_str!("games/edlasker-thomas-1912.pgn"),
    include_str!("games/capablanca-marshall-1918.pgn"),
    include_str!("games/bogoljubov-alekhine-1922.pgn"),
    include_str!("games/saemisch-nimzowitsch-1923.pgn"),
    include_str!("games/gundersen-faul-1928.pgn"),
    include_str!("games/alekhine-nimzowitsch-1930.pgn"),
    include_str!("games/botvinnik-capablanca-1938.pgn"),
    include_str!("games/byrne-fischer-1956.pgn"),
    include_str!("games/polugaevsky-nezhmetdinov-1958.pgn"),
    include_str!("games/fischer-spassky-1972.pgn"),
    include_str!("games/karpov-kasparov-1985.pgn"),
    include_str!("games/deepblue-kasparov-1997.pgn"),
    include_str!("games/kasparov-topalov-1999.pgn"),
];

/// An opening trap with an under-promotion, which none of the classics has.
const TRAP: &str = include_str!("games/lasker-trap.pgn");

/// The classics, oldest first: 23 games of 13 to 106 plies.
pub fn classics() -> Vec<Game> {
    FILES
        .iter()
        .flat_map(|text| read_games(text))
        .filter_map(Result::ok)
        .collect()
}

/// The classics and the trap.
pub fn example_games() -> Vec<Game> {
    classics()
        .into_iter()
        .chain(read_games(TRAP).into_iter().filter_map(Result::ok))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::hands::{Ending, Noise, Play, Tempo, play};
    use super::*;
    use shakmaty::{CastlingSide, Color, Move, Outcome, Position, Role};

    #[test]
    fn all_games_are_whole_and_say_who_played() {
        assert_eq!(example_games().len(), FILES.len() + 1);
        for game in classics() {
            for tag in ["White", "Black", "Event", "Site", "Date", "Result"] {
                assert!(
                    game.tag(tag).is_some_and(|value| value.len() > 2),
                    "{tag} of {:?}",
                    game.tags
                );
            }
            assert!(game.result.is_known());
        }
    }

    #[test]
    fn every_rule_of_the_pieces_occurs() {
        let moves: Vec<(Color, Move)> = example_games()
            .iter()
            .flat_map(|game| {
                (0..)
                    .map(|ply| Color::from_white(ply % 2 == 0))
                    .zip(game.moves.clone())
            })
            .collect();
        let occurs = |what: &dyn Fn(Move) -> bool| moves.iter().filter(|(_, m)| what(*m)).count();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                assert!(
                    moves
                        .iter()
                        .any(|(by, m)| *by == color && m.castling_side() == Some(side)),
                    "{color} {side:?}"
                );
            }
        }
        assert!(occurs(&Move::is_en_passant) >= 3);
        assert!(occurs(&|m| m.promotion() == Some(Role::Queen)) >= 2);
        assert!(occurs(&|m| m.promotion() == Some(Role::Knight)) >= 1);
    }

    #[test]
    fn a_game_that_ends_on_the_board_has_the_result_of_the_board() {
        let mut mates = 0;
        for game in classics() {
            let last = game.last_position();
            if let Outcome::Known(outcome) = last.outcome() {
                assert_eq!(Outcome::Known(outcome), game.result, "{:?}", game.tags);
                mates += 1;
            }
        }
        assert!(mates >= 7, "{mates}");
    }

    #[test]
    fn every_game_can_be_played_in_about_a_minute() {
        for (seed, game) in (0..).zip(classics()) {
            let how = Play {
                tempo: Tempo::Lasting(60_000),
                ending: Ending::Kings,
                ..Play::new(Noise::Normal, seed)
            };
            let performance = play(&game, &how);
            let (seconds, plies) = (performance.ended.at as f64 / 1000.0, game.moves.len());
            assert!(
                seconds < 75.0_f64.max(1.05 * plies as f64),
                "{plies} plies in {seconds} s"
            );
            assert!(seconds > 55.0, "{plies} plies in {seconds} s");
            assert_eq!(performance.moves().len(), plies);
        }
    }
}
