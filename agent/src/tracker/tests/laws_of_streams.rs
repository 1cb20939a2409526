//! What must hold for any stream: no panic, no growth, no dependence on chance.

use proptest::prelude::*;
use shakmaty::{Chess, Color, Move, Position, Square};

use super::stories::placement;
use crate::tracker::*;

fn any_reading() -> impl Strategy<Value = Reading> {
    prop::sample::select(".PNBRQKpnbrqk?".chars().collect::<Vec<_>>())
        .prop_map(|letter| Reading::from_char(letter).expect("letters of readings"))
}

fn any_observation() -> impl Strategy<Value = Observation> {
    let square = (0_u32..64).prop_map(Square::new);
    prop_oneof![
        12 => (square, any_reading()).prop_map(|(square, reading)| Observation::Square { square, reading }),
        1 => prop::collection::vec(any_reading(), 64)
            .prop_map(|readings| Observation::Dump(Box::new(readings.try_into().expect("64 readings")))),
        3 => any::<bool>().prop_map(|white| Observation::Press { by: Color::from_white(white), white: None, black: None }),
        1 => any::<bool>().prop_map(Observation::Link),
        1 => prop::sample::select(vec![ClockState::Stopped, ClockState::Running, ClockState::Set])
            .prop_map(Observation::Clock),
        1 => prop::collection::vec(((0_u32..64).prop_map(Square::new), any_reading()), 0..12).prop_map(|entries| {
            Observation::Log(entries.into_iter().map(|(square, reading)| LogEntry::Square { square, reading, after: None }).collect())
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_stream_makes_it_panic(events in prop::collection::vec((0_u64..2500, any_observation()), 1..120), occupancy in any::<bool>()) {
        let mut setup = Setup::default();
        if occupancy {
            setup.sensing = Sensing::Occupancy;
        }
        let mut tracker = Tracker::new(setup);
        for (at, observation) in events {
            tracker.observe(at * 7 % 20_000, observation);
        }
        tracker.tick(60_000);
        let _ = (tracker.record(), tracker.status(), tracker.wants_dump(), tracker.wants_log());
    }

    #[test]
    fn clean_hands_give_the_game_back(seed in any::<u64>(), plies in 1_usize..60) {
        let (line, events) = clean_game(seed, plies);
        prop_assert_eq!(moves_of(&events, |at| at), line);
    }

    #[test]
    fn slower_and_faster_players_make_the_same_moves(seed in any::<u64>(), percent in 60_u64..200) {
        let (line, events) = clean_game(seed, 30);
        prop_assert_eq!(moves_of(&events, |at| at * percent / 100), line);
    }

    #[test]
    fn a_dump_of_what_is_known_changes_nothing(seed in any::<u64>(), every in 1_usize..9) {
        let (line, events) = clean_game(seed, 30);
        let mut readings = Tracker::new(Setup::default()).readings().to_owned();
        let mut more = Vec::new();
        for (index, (at, observation)) in events.into_iter().enumerate() {
            if let Observation::Square { square, reading } = observation {
                readings[square.to_usize()] = reading;
            }
            more.push((at, observation));
            if index % every == 0 {
                more.push((at, Observation::Dump(Box::new(readings))));
            }
        }
        prop_assert_eq!(moves_of(&more, |at| at), line);
    }
}

#[test]
fn ten_thousand_events_from_one_square_leave_the_game_alone() {
    let mut tracker = Tracker::new(Setup::default());
    let square = Square::E2;
    for event in 0..20_000_u64 {
        let reading = if event % 2 == 0 {
            Reading::EMPTY
        } else {
            Reading::of(Color::White.pawn())
        };
        tracker.observe(event / 10, Observation::Square { square, reading });
    }
    tracker.tick(30_000);
    assert!(tracker.record().is_empty());
    assert!(tracker.size() < 200, "{} hypotheses", tracker.size());
}

#[test]
fn an_impossible_board_is_disturbed_and_recovers() {
    let mut tracker = Tracker::new(Setup::default());
    let start = tracker.readings().to_owned();
    let queens = [Reading::of(Color::White.queen()); 64];
    tracker.observe(1000, Observation::Dump(Box::new(queens)));
    let told = tracker.tick(9000);
    assert_eq!(tracker.status(), Status::Disturbed);
    let names_squares =
        |i: &Inference| matches!(&i.fact, Fact::Unexplained { squares } if !squares.is_empty());
    assert!(told.iter().any(names_squares), "{told:?}");
    tracker.observe(10_000, Observation::Dump(Box::new(start)));
    tracker.tick(20_000);
    assert_eq!(tracker.status(), Status::Settled);
    assert!(tracker.record().is_empty());
}

#[test]
fn impossible_boards_name_their_squares_and_are_forgotten() {
    let game = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let boards = [
        ("32 queens", "QQQQQQQQ/QQQQQQQQ/8/8/8/8/QQQQQQQQ/QQQQQQQQ"),
        (
            "black queens only",
            "qqqqqqqq/qqqqqqqq/8/8/8/8/qqqqqqqq/qqqqqqqq",
        ),
        (
            "three kings",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/4K3/PPPP1PPP/RNBQKBNR",
        ),
        (
            "two kings of a colour for one",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBKKBNR",
        ),
        (
            "pawns everywhere",
            "pppppppp/PPPPPPPP/pppppppp/PPPPPPPP/pppppppp/PPPPPPPP/pppppppp/PPPPPPPP",
        ),
        (
            "colours exchanged",
            "RNBQKBNR/PPPP1PPP/8/4P3/4p3/8/pppp1ppp/rnbqkbnr",
        ),
    ];
    for (name, impossible) in boards {
        let played = ["e2e4", "e7e5"].map(|uci| uci.parse().expect("a move"));
        let setup = Setup::default().with_history(&played).expect("a line");
        let mut tracker = Tracker::new(setup);
        tracker.observe(0, Observation::Dump(Box::new(placement(game))));
        let mut told = tracker.observe(20_000, Observation::Dump(Box::new(placement(impossible))));
        told.extend(tracker.tick(29_000));
        assert_eq!(tracker.status(), Status::Disturbed, "{name}");
        let wrong = squares_that_differ(&placement(impossible), &placement(game));
        let named = |inference: &Inference| match &inference.fact {
            Fact::Unexplained { squares } => *squares == wrong,
            _ => false,
        };
        assert!(told.iter().any(named), "{name}: {told:?}");
        tracker.observe(30_000, Observation::Dump(Box::new(placement(game))));
        let knight = Reading::of(Color::White.knight());
        for (at, square, reading) in [
            (40_000, Square::G1, Reading::EMPTY),
            (40_300, Square::F3, knight),
        ] {
            tracker.observe(at, Observation::Square { square, reading });
        }
        tracker.tick(60_000);
        assert_eq!(tracker.status(), Status::Settled, "{name}");
        assert_eq!(tracker.record().len(), 1, "{name}");
    }
}

fn squares_that_differ(one: &Readings, other: &Readings) -> Vec<Square> {
    Square::ALL
        .into_iter()
        .filter(|square| one[square.to_usize()] != other[square.to_usize()])
        .collect()
}

#[test]
fn time_never_runs_backwards() {
    let mut tracker = Tracker::new(Setup::default());
    let lift = Observation::Square {
        square: Square::E2,
        reading: Reading::EMPTY,
    };
    let put = Observation::Square {
        square: Square::E4,
        reading: Reading::of(Color::White.pawn()),
    };
    tracker.observe(50_000, lift);
    tracker.observe(400, put);
    tracker.tick(u64::MAX / 2);
    assert_eq!(tracker.record().len(), 1);
}

#[test]
fn an_adopted_position_keeps_the_move_under_way() {
    let mut tracker = Tracker::new(Setup::default());
    let lift = Observation::Square {
        square: Square::E2,
        reading: Reading::EMPTY,
    };
    let put = Observation::Square {
        square: Square::E4,
        reading: Reading::of(Color::White.pawn()),
    };
    tracker.observe(0, lift);
    tracker.adopt(100, Chess::default());
    tracker.observe(300, put);
    tracker.tick(10_000);
    let record = tracker.record();
    assert_eq!(record.len(), 1);
    assert!(matches!(&record[0].played, Played::Legal(uci) if uci.to_string() == "e2e4"));
}

#[test]
fn a_ten_ply_gap_is_explained_or_said_to_be_unknown() {
    let line = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7";
    let mut position = Chess::default();
    for uci in line.split(' ') {
        let mv = uci
            .parse::<shakmaty::uci::UciMove>()
            .expect("a move")
            .to_move(&position)
            .expect("legal");
        position.play_unchecked(mv);
    }
    let mut far = Setup::from_position(position);
    far.history.clear();
    let dump = Tracker::new(far).readings().to_owned();
    let mut tracker = Tracker::new(Setup::default());
    tracker.observe(1000, Observation::Dump(Box::new(dump)));
    tracker.tick(9000);
    assert!(
        tracker.record().len() == 10 || tracker.status() == Status::Disturbed,
        "{:?}",
        tracker.status()
    );
}

/// A game of moves chosen by a number, played with clean hands: every piece lifted, put down, and the clock pressed.
fn clean_game(seed: u64, plies: usize) -> (Vec<String>, Vec<(Millis, Observation)>) {
    let (mut position, mut chance, mut at) = (Chess::default(), seed | 1, 0);
    let (mut line, mut events) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        let legal: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.promotion().is_none())
            .collect();
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let Some(&mv) = legal.get((chance >> 33) as usize % legal.len().max(1)) else {
            break;
        };
        let before = position.clone();
        position.play_unchecked(mv);
        if position.is_game_over() {
            break;
        }
        line.push(mv.to_uci(shakmaty::CastlingMode::Standard).to_string());
        hands(&before, &position, mv, at, &mut events);
        at += 4000;
    }
    (line, events)
}

/// Squares that become empty first, then those that are filled, the king of a castling move before the rook.
fn hands(
    before: &Chess,
    after: &Chess,
    mv: Move,
    at: Millis,
    events: &mut Vec<(Millis, Observation)>,
) {
    let change = |square: Square| {
        (before.board().piece_at(square) != after.board().piece_at(square)).then_some(square)
    };
    let mut squares: Vec<Square> = Square::ALL.into_iter().filter_map(change).collect();
    squares.sort_by_key(|&square| {
        (
            after.board().piece_at(square).is_some(),
            Some(square) != mv.from(),
        )
    });
    let mut time = at;
    for &square in &squares {
        let reading = after
            .board()
            .piece_at(square)
            .map_or(Reading::EMPTY, Reading::of);
        events.push((time, Observation::Square { square, reading }));
        time += 230;
    }
    events.push((
        time + 300,
        Observation::Press {
            by: before.turn(),
            white: None,
            black: None,
        },
    ));
}

fn moves_of(events: &[(Millis, Observation)], stretch: impl Fn(Millis) -> Millis) -> Vec<String> {
    let mut tracker = Tracker::new(Setup::default());
    let mut last = 0;
    for (at, observation) in events {
        last = stretch(*at);
        tracker.observe(last, observation.clone());
    }
    tracker.tick(last + 15_000);
    let legal = |ply: &Ply| match &ply.played {
        Played::Legal(uci) => Some(uci.to_string()),
        Played::Irregular(_) => None,
    };
    tracker.record().iter().filter_map(legal).collect()
}
