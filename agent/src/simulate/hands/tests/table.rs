//! The laws of a table: pieces, hands, time.

use std::collections::HashMap;

use shakmaty::{Color, Position, Square};

use super::*;

#[test]
fn the_same_arguments_give_the_same_performance_and_other_seeds_another() {
    for game in games() {
        for noise in noises() {
            let acts = |seed| play(&game, &Play::new(noise, seed)).acts;
            assert_eq!(acts(5), acts(5));
            assert_ne!(acts(5), acts(6));
        }
    }
}

#[test]
fn acts_are_in_order_and_the_board_ends_as_the_game_does() {
    each(|game, how, performance| {
        assert!(performance.acts.is_sorted_by_key(|(at, _)| *at));
        assert_eq!(performance.moves().len(), game.moves.len());
        assert_eq!(
            &performance.last_board(),
            game.last_position().board(),
            "{} {:?}",
            game.start_fen(),
            how.seed
        );
    });
}

#[test]
fn squares_are_filled_when_empty_and_emptied_when_filled() {
    each(|game, how, performance| {
        let mut filled: Vec<bool> = Square::ALL
            .map(|square| performance.initial.piece_at(square).is_some())
            .to_vec();
        for (at, act) in &performance.acts {
            let (square, before, after) = match *act {
                Act::Square {
                    square,
                    piece: Some(_),
                } => (square, None, true),
                Act::Square {
                    square,
                    piece: None,
                } => (square, Some(true), false),
                Act::Crowd { square, .. } => (square, Some(true), true),
                _ => continue,
            };
            let crowded = after && before.is_none();
            let expected = before.unwrap_or(false);
            let now = &mut filled[square.to_usize()];
            let was_crowded = crowded && *now;
            assert!(
                *now == expected || was_crowded && crowds(performance, square),
                "{square} at {at}, seed {}, {}",
                how.seed,
                game.start_fen()
            );
            *now = after;
        }
    });
}

/// A crowd is resolved by the square holding one piece again.
fn crowds(performance: &Performance, square: Square) -> bool {
    performance
        .acts
        .iter()
        .any(|(_, act)| matches!(act, Act::Crowd { square: crowded, .. } if *crowded == square))
}

#[test]
fn a_player_has_one_hand() {
    for game in games() {
        for noise in noises() {
            for seed in 0..60 {
                let (performance, strokes) = watch(&game, &Play::new(noise, seed));
                for color in Color::ALL {
                    assert_one_hand(&performance, &strokes, color);
                }
            }
        }
    }
}

/// While the clock is pressed the hand is not on the board, and a move is over before the same player's next begins.
fn assert_one_hand(performance: &Performance, strokes: &[Stroke], color: Color) {
    let own = |stroke: &&Stroke| stroke.whose == Whose::Player(color);
    let presses = strokes
        .iter()
        .filter(own)
        .filter(|stroke| matches!(stroke.act, Act::Press { .. }))
        .map(|stroke| stroke.at);
    for press in presses {
        let touching = strokes.iter().filter(own).find(|stroke| {
            (stroke.at - press).abs() < 20.0 && !matches!(stroke.act, Act::Press { .. })
        });
        assert!(
            touching.is_none() || early(performance, press),
            "{touching:?} while pressing at {press}"
        );
    }
    let plies: Vec<&Ply> = performance
        .truth
        .iter()
        .filter(|ply| ply.by == color)
        .collect();
    for pair in plies.windows(2) {
        assert!(pair[0].made_at < pair[1].lifted_at, "{pair:?}");
        assert!(
            pair[0].pressed_at.is_none_or(|at| at < pair[1].lifted_at),
            "{pair:?}"
        );
    }
}

/// The ply pressed at this instant was pressed before it was done: hand and rocker may meet.
fn early(performance: &Performance, press: f64) -> bool {
    performance.truth.iter().any(|ply| {
        ply.pressed_at == Some(press.round() as Millis) && ply.pressed_at < Some(ply.made_at + 60)
    })
}

#[test]
fn no_two_hands_are_on_one_square() {
    for game in games() {
        for seed in 0..100 {
            let (_, strokes) = watch(&game, &Play::new(Noise::Scramble, seed));
            let mut last: HashMap<Square, &Stroke> = HashMap::new();
            for stroke in &strokes {
                let Act::Square { square, .. } = stroke.act else {
                    continue;
                };
                if let Some(before) = last.insert(square, stroke) {
                    assert!(
                        before.whose == stroke.whose || stroke.at - before.at >= 20.0,
                        "{before:?} {stroke:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_truth_clock_is_the_clock_on_the_table() {
    for seed in 0..20 {
        let performance = play(&games()[0], &Play::new(Noise::Normal, seed));
        let mut left = [Control::CLASSICAL.base; 2];
        let mut since = 2000;
        for ply in performance
            .truth
            .iter()
            .filter(|ply| ply.pressed_at.is_some())
        {
            let (side, pressed) = (usize::from(ply.by.is_black()), ply.pressed_at.unwrap_or(0));
            left[side] = left[side] - (pressed - since) + Control::CLASSICAL.increment;
            since = pressed;
            let other = usize::from(ply.by.is_white());
            if ply.signs.contains(&"clock stopped for a queen")
                || performance.truth.iter().any(|ply| ply.pressed_at.is_none())
            {
                return;
            }
            assert_eq!(
                [ply.clock_after.white, ply.clock_after.black][side],
                left[side]
            );
            assert_eq!(
                [ply.clock_after.white, ply.clock_after.black][other],
                left[other]
            );
        }
    }
}

#[test]
fn clock_times_of_the_file_are_shown_on_the_clock() {
    let text = "[TimeControl \"180+2\"]\n1. e4 {[%clk 0:02:59]} e5 {[%clk 0:02:57]} 2. Nf3 {[%clk 0:02:30]} Nc6 {[%clk 0:02:51]} \
        3. Bb5 {[%clk 0:02:24]} a6 {[%clk 0:00:12]} 4. Ba4 {[%clk 0:02:11]} Nf6 {[%clk 0:00:09]} *";
    let game = read_games(text).remove(0).expect("a legal game");
    let how = Play {
        control: game.control().expect("a control"),
        ..Play::new(Noise::Normal, 3)
    };
    let performance = play(&game, &how);
    let shown: Vec<Option<u64>> = performance
        .truth
        .iter()
        .map(|ply| Some(ply.clock_after[ply.by] / 1000 * 1000))
        .collect();
    assert_eq!(shown, game.clocks);
}

#[test]
fn tempos_keep_their_promise_and_no_flag_falls_by_itself() {
    let game = &games()[2];
    for seed in 0..40 {
        let at = |tempo, control| {
            let performance = play(
                game,
                &Play {
                    tempo,
                    control,
                    ..Play::new(Noise::Normal, seed)
                },
            );
            assert_eq!(performance.ended.flag, None);
            performance.ended.at as f64 / 1000.0
        };
        let lasting = at(Tempo::Lasting(60_000), Control::CLASSICAL);
        assert!((52.0..72.0).contains(&lasting), "{lasting} s, seed {seed}");
        let blitz = at(Tempo::Natural, Control::BLITZ);
        assert!(
            (20.0..420.0).contains(&blitz),
            "{blitz} s of 3+2, seed {seed}"
        );
        let classical = at(Tempo::Natural, Control::CLASSICAL);
        assert!(
            (600.0..9000.0).contains(&classical),
            "{classical} s of 90+30, seed {seed}"
        );
    }
}

#[test]
fn endings() {
    let game = &games()[0];
    let start = shakmaty::Chess::default();
    for seed in 0..20 {
        let last = |ending| {
            let performance = play(
                game,
                &Play {
                    ending,
                    control: Control::BLITZ,
                    ..Play::new(Noise::Clean, seed)
                },
            );
            assert!(
                performance
                    .acts
                    .iter()
                    .any(|(_, act)| *act == Act::ClockStop),
                "{ending:?}"
            );
            (
                performance.last_board(),
                performance.ended,
                performance.acts,
            )
        };
        assert_eq!(&last(Ending::Reset).0, start.board());
        assert_eq!(&last(Ending::KingsThenReset).0, start.board());
        assert_ne!(&last(Ending::PostMortem).0, game.last_position().board());
        assert_ne!(
            &last(Ending::KingsThenPostMortem).0,
            game.last_position().board()
        );
        let (_, ended, acts) = last(Ending::Flag);
        assert_eq!(ended.flag, Some(game.last_position().turn()));
        assert!(
            acts.iter()
                .any(|(at, act)| matches!(act, Act::FlagFall { .. }) && *at > ended.at)
        );
        assert_eq!(
            ended.result.winner(),
            Some(game.last_position().turn().other())
        );
    }
}

#[test]
fn kings_tell_every_result() {
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    let rows = [
        ("1-0", Some(2)),
        ("0-1", Some(0)),
        ("1/2-1/2", Some(1)),
        ("*", None),
    ];
    for (result, light) in rows {
        for seed in 0..20 {
            let game = read_games(&format!("1. e4 e5 2. d4 d5 {result}"))
                .remove(0)
                .expect("a legal game");
            let board = play(
                &game,
                &Play {
                    ending: Ending::Kings,
                    ..Play::new(Noise::Normal, seed)
                },
            )
            .last_board();
            let kings: Vec<Square> = Color::ALL
                .into_iter()
                .filter_map(|color| board.king_of(color))
                .collect();
            let told = kings
                .iter()
                .all(|king| centre.contains(king))
                .then(|| kings.iter().filter(|king| king.is_light()).count());
            assert_eq!(told, light, "{result}: {kings:?}");
        }
    }
}

#[test]
fn a_turned_board_and_a_second_game() {
    let game = &games()[1];
    let straight = play(
        game,
        &Play {
            ending: Ending::Nothing,
            ..Play::new(Noise::Normal, 4)
        },
    );
    let mut turned = play(
        game,
        &Play {
            turned: true,
            ..Play::new(Noise::Normal, 4)
        },
    )
    .last_board();
    turned.rotate_180();
    assert_eq!(turned, straight.last_board());
    let second = play(&games()[2], &Play::new(Noise::Normal, 5));
    let both = straight.then(second.clone(), 20_000);
    assert!(both.acts.is_sorted_by_key(|(at, _)| *at));
    assert_eq!(both.last_board(), second.last_board());
    assert_eq!(both.moves(), second.moves());
}

#[test]
fn a_sound_link_ends_with_the_last_board_and_a_faulty_one_still_speaks_in_order() {
    each(|_, how, performance| {
        for sensing in [Sensing::Identity, Sensing::Occupancy] {
            let told = sense(
                performance,
                &Play {
                    sensing,
                    ..how.clone()
                },
            );
            assert!(told.is_sorted_by_key(|(at, _)| *at));
            assert!(matches!(told[0], (0, Sensed::Dump(_))), "{:?}", told[0]);
            if how.hardware.lost == 0.0 {
                assert_board(&told, performance, sensing);
            }
        }
    });
}

fn assert_board(told: &[(Millis, Sensed)], performance: &Performance, sensing: Sensing) {
    let mut board = [Reading::Empty; 64];
    for (_, sensed) in told {
        match sensed {
            Sensed::Dump(dump) => board = **dump,
            Sensed::Square { square, reading } => board[square.to_usize()] = *reading,
            _ => {}
        }
    }
    let last = performance.last_board();
    for square in Square::ALL {
        let expected = match (last.piece_at(square), sensing) {
            (None, _) => Reading::Empty,
            (Some(piece), Sensing::Identity) => Reading::Piece(piece),
            (Some(_), Sensing::Occupancy) => Reading::Something,
        };
        assert_eq!(board[square.to_usize()], expected, "{square}");
    }
}

#[test]
fn coils_feel_what_the_hands_do() {
    each(|_, how, performance| {
        let felt = coils(performance, how);
        assert!(felt.is_sorted_by_key(|(at, _)| *at));
        assert!(!felt.iter().any(|(_, act)| matches!(act, Act::Crowd { .. })));
        let presses = |acts: &[(Millis, Act)]| {
            acts.iter()
                .filter(|(_, act)| matches!(act, Act::Press { .. }))
                .count()
        };
        assert_eq!(presses(&felt), presses(&performance.acts));
    });
}

fn each(check: impl Fn(&Game, &Play, &Performance)) {
    for game in games() {
        for noise in noises() {
            for seed in 0..25 {
                let how = Play::new(noise, seed);
                check(&game, &how, &play(&game, &how));
            }
        }
    }
}
