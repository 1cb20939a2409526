//! Every accident finds its occasion and does at the table what its name says.

use std::collections::HashSet;

use shakmaty::{Board, Color, Position, Square};

use super::*;
use Kind::{
    Adjust, AdjustOffTurn, AdjustTogether, Analysis, BlackStarts, Bounce, Brush, Carry, Castle,
    ClockPaused, DeadSquare, DropOut, DropOutOfMover, EarlyPress, Exchanged, ForeignPiece, Ghost,
    Illegal, KnockOver, LeverKnocked, LinkGap, LostArrival, LostDeparture, Misread, MissingPiece,
    MoveChanged, NoPress, OffCentre, Overlap, PowerCut, PressWithoutMove, Promote, Swept, Take,
    TakenBack, TimeAdded, TouchReturn, WrongSetup,
};

/// Accidents, with the games of the collection that offer the occasion.
pub(super) const EVERYWHERE: &[Kind] = &[
    Carry(Carriage::Slide),
    Carry(Carriage::SlideResting(450)),
    Carry(Carriage::Hover(2000)),
    Carry(Carriage::Low),
    Bounce,
    KnockOver,
    OffCentre(2500),
    NoPress,
    Overlap,
    EarlyPress,
    Adjust(1),
    Adjust(3),
    AdjustTogether,
    AdjustOffTurn,
    TouchReturn(3000),
    Exchanged(5000),
    Swept(6),
    Analysis(4),
    ForeignPiece(4000),
    PressWithoutMove,
    LeverKnocked,
    ClockPaused(25_000),
    TimeAdded(120_000),
    BlackStarts,
    TakenBack(2),
    MoveChanged(3000),
    WrongSetup,
    MissingPiece,
    DropOut(3000),
    DropOutOfMover(900),
    DeadSquare(60_000),
    Ghost(700),
    Misread(500),
    LostArrival,
    LostDeparture,
    LinkGap(12_000),
    PowerCut(20_000),
    Take(Taking::Swap),
    Take(Taking::VictimFirst),
    Take(Taking::OnTop),
    Take(Taking::Push),
    Take(Taking::Knock(3000)),
    Brush,
    Castle(Castling::KingFirst),
    Castle(Castling::RookFirst),
    Castle(Castling::TwoHands),
    Castle(Castling::LateRook(1500)),
    Castle(Castling::KingOntoRook),
    Kind::EnPassant(EnPassant::PawnFirst),
    Kind::EnPassant(EnPassant::VictimFirst),
    Kind::EnPassant(EnPassant::LateVictim(4000)),
    Kind::EnPassant(EnPassant::Forgotten(20_000)),
    Promote(Promoting::Replace),
    Promote(Promoting::Direct),
    Promote(Promoting::QueenFirst),
    Promote(Promoting::Late(1500)),
    Promote(Promoting::WrongPiece(900)),
    Promote(Promoting::UpturnedRook(8000)),
    Promote(Promoting::Waiting(25_000)),
    Illegal(Irregularity::WrongSquare, Remedy::BeforePress),
    Illegal(Irregularity::WrongSquare, Remedy::AfterPress(3000)),
    Illegal(Irregularity::OpponentsPiece, Remedy::AfterPress(3000)),
    Illegal(Irregularity::MovesTwice, Remedy::AfterPress(3000)),
    Illegal(Irregularity::Unpromoted, Remedy::AfterPress(3000)),
];

#[test]
fn every_accident_is_staged_and_the_game_still_comes_out_right() {
    let game = &games()[0];
    for &kind in EVERYWHERE {
        for (noise, seed) in [(Noise::Clean, 1), (Noise::Normal, 2), (Noise::Scramble, 3)] {
            let performance = play(game, &Play::new(noise, seed).with(Accident::at(3, kind)));
            assert_eq!(performance.unstaged, [], "{noise:?}");
            assert_eq!(performance.staged.len(), 1);
            assert_eq!(performance.moves().len(), game.moves.len(), "{kind:?}");
            assert_eq!(
                &performance.last_board(),
                game.last_position().board(),
                "{kind:?} {noise:?}"
            );
            assert_physical(&performance, &kind);
        }
    }
}

/// Squares are only filled when empty and emptied when filled, accidents or not.
pub(super) fn assert_physical(performance: &Performance, kind: &impl std::fmt::Debug) {
    let mut board = performance.initial.clone();
    let mut crowded: HashSet<Square> = HashSet::new();
    for (at, act) in &performance.acts {
        match *act {
            Act::Square {
                square,
                piece: Some(piece),
            } => {
                assert!(
                    board.piece_at(square).is_none() || crowded.remove(&square),
                    "{kind:?}: {square} filled twice at {at}"
                );
                board.set_piece_at(square, piece);
            }
            Act::Square {
                square,
                piece: None,
            } => {
                assert!(
                    board.piece_at(square).is_some(),
                    "{kind:?}: {square} emptied twice at {at}"
                );
                board.discard_piece_at(square);
            }
            Act::Crowd { square, over, .. } => {
                crowded.insert(square);
                board.set_piece_at(square, over);
            }
            _ => {}
        }
    }
}

#[test]
fn an_accident_without_occasion_is_said_to_be_unstaged() {
    let accident = Accident::at(1, Promote(Promoting::Direct));
    let performance = play(&games()[1], &Play::new(Noise::Normal, 1).with(accident));
    assert_eq!(
        (performance.staged.len(), performance.unstaged),
        (0, vec![accident])
    );
}

#[test]
fn several_accidents_in_one_game() {
    let game = &games()[0];
    let kinds = [
        Adjust(2),
        Take(Taking::OnTop),
        TakenBack(3),
        Castle(Castling::RookFirst),
        LinkGap(4000),
        Promote(Promoting::WrongPiece(700)),
    ];
    let how = kinds
        .into_iter()
        .fold(Play::new(Noise::Normal, 9), |how, kind| {
            how.with(Accident::at(2, kind))
        });
    let performance = play(game, &how);
    assert_eq!(performance.unstaged, []);
    assert_eq!(performance.moves().len(), game.moves.len());
}

#[test]
fn illegal_moves_that_stand_are_irregular_plies_and_the_game_goes_on() {
    let (game, positions) = (&games()[0], 8);
    for what in [Irregularity::WrongSquare, Irregularity::OpponentsPiece] {
        for seed in 0..10 {
            let accident = Accident::at(positions, Illegal(what, Remedy::Stands));
            let performance = play(game, &Play::new(Noise::Normal, seed).with(accident));
            assert_eq!(performance.unstaged, [], "{what:?}");
            let irregular = performance
                .truth
                .iter()
                .position(|ply| ply.uci().is_none())
                .expect("one ply is irregular");
            assert_eq!(irregular, positions - 1);
            let Done::Irregular {
                to_fen,
                from_fen,
                words,
            } = &performance.truth[irregular].done
            else {
                panic!()
            };
            assert!(to_fen != from_fen && !words.is_empty());
            assert!(performance.truth.len() > irregular + 1, "the game goes on");
            let last = follow(to_fen, &performance.truth[irregular + 1..]);
            assert_eq!(performance.last_board(), last);
        }
    }
}

/// The board after some legal plies from a position.
fn follow(fen: &str, plies: &[Ply]) -> Board {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    let mut position: shakmaty::Chess = fen
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a position");
    for ply in plies {
        let m = ply
            .uci()
            .expect("a legal ply")
            .to_move(&position)
            .expect("legal here");
        position.play_unchecked(m);
    }
    position.board().clone()
}

#[test]
fn rarer_illegal_moves_find_their_positions() {
    let rows = [
        (
            Irregularity::Castling,
            "[FEN \"4k2r/8/8/8/8/8/5r2/R3K2R w KQk - 0 1\"]\n1. Kxf2 Ke7 *",
        ),
        (
            Irregularity::EnPassant,
            "[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2\"]\n1. Kd2 Kd7 2. Kd3 Ke6 *",
        ),
        (
            Irregularity::KingTaken,
            "[FEN \"4k3/8/8/8/7b/8/3P4/4K2R w K - 0 1\"]\n1. Kd1 Kd7 2. Kc1 Kc6 *",
        ),
        (
            Irregularity::IntoCheck,
            "[FEN \"4k3/8/8/8/7b/8/3P1N2/4K2R w K - 0 1\"]\n1. Kd1 Kd7 2. Kc1 Kc6 *",
        ),
    ];
    for (what, text) in rows {
        let game = read_games(text).remove(0).expect("a legal game");
        let accident = Accident::at(1, Illegal(what, Remedy::AfterPress(2000)));
        let performance = play(&game, &Play::new(Noise::Clean, 7).with(accident));
        assert_eq!(performance.unstaged, [], "{what:?}");
        assert_eq!(performance.moves().len(), game.moves.len());
        assert_physical(&performance, &accident.kind);
        assert!(
            performance
                .acts
                .iter()
                .filter(|(_, act)| *act == Act::ClockStop)
                .count()
                >= 2,
            "{what:?} stops the clock"
        );
    }
}

#[test]
fn a_wrong_set_up_is_put_right_in_time() {
    for kind in [WrongSetup, MissingPiece] {
        let performance = play(
            &games()[1],
            &Play::new(Noise::Normal, 3).with(Accident::at(4, kind)),
        );
        assert_ne!(&performance.initial, shakmaty::Chess::default().board());
        assert_eq!(
            &performance.last_board(),
            games()[1].last_position().board()
        );
    }
}

#[test]
fn a_missed_press_is_missing_and_the_clock_runs_on() {
    let performance = play(
        &games()[0],
        &Play::new(Noise::Clean, 3).with(Accident::at(5, NoPress)),
    );
    assert_eq!(performance.truth[4].pressed_at, None);
    assert_eq!(
        performance.truth[5].pressed_at, None,
        "the rocker is down already"
    );
    assert!(performance.truth[6].pressed_at.is_some());
    assert_eq!(performance.truth[6].by, Color::White);
}

#[test]
fn a_dead_square_and_a_lost_message_hide_the_move_until_it_is_told_otherwise() {
    let game = &games()[0];
    for kind in [DeadSquare(1500), LostArrival] {
        let how = Play::new(Noise::Clean, 3).with(Accident::at(1, kind));
        let told = sense(&play(game, &how), &how);
        let arrivals = told.iter().filter(|(at, sensed)| {
            *at < 60_000
                && matches!(
                    sensed,
                    Sensed::Square {
                        square: Square::E4,
                        reading: Reading::Piece(_)
                    }
                )
        });
        let first = arrivals.map(|(at, _)| *at).next();
        let made = play(game, &how).truth[0].made_at;
        assert!(
            first.is_none_or(|at| at > made + 1000),
            "{kind:?}: {first:?} after {made}"
        );
    }
}

#[test]
fn a_blind_players_game_is_the_same_on_both_boards() {
    let game = &games()[0];
    for noise in [Noise::Clean, Noise::Normal] {
        let how = Play {
            copied_after: Some(6000),
            ..Play::new(noise, 11)
        };
        let performance = play(game, &how);
        let boards = performance.two_boards(game, 6000);
        for board in [&boards.white, &boards.black] {
            assert_physical(board, &noise);
            assert_eq!(&board.last_board(), game.last_position().board());
            assert!(board.acts.is_sorted_by_key(|(at, _)| *at));
        }
        let clock = |performance: &Performance| {
            performance
                .acts
                .iter()
                .filter(|(_, act)| matches!(act, Act::Press { .. }))
                .count()
        };
        assert_eq!(
            (clock(&boards.white), clock(&boards.black)),
            (clock(&performance), 0)
        );
    }
}
