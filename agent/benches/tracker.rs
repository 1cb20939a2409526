//! What the tracker costs: an event of a clean game, an event of a square that never rests, a dump of nonsense, and
//! catching up with plies that were missed.

use std::hint::black_box;

use agent::tracker::{Millis, Observation, Reading, Setup, Tracker};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use shakmaty::{Chess, Color, Move, Position, Square, uci::UciMove};

/// A game with captures on both wings, castling on both sides and a long endgame's worth of quiet moves.
const GAME: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5 \
    d2d4 d8c7 b1d2 c5d4 c3d4 a5c6 d2b3 a6a5 c1e3 a5a4 b3d2 c8d7 a1c1 c7b7 d4e5 c6e5 f3e5 d6e5 d2f3 a8c8 f3e5 d7e6";

fn moves() -> Vec<(Chess, Chess, Move)> {
    let mut position = Chess::default();
    let mut line = Vec::new();
    for uci in GAME.split_whitespace() {
        let uci: UciMove = uci.parse().expect("the game is written in UCI");
        let mv = uci.to_move(&position).expect("the game is legal");
        let before = position.clone();
        position.play_unchecked(mv);
        line.push((before, position.clone(), mv));
    }
    line
}

/// Lifts, arrivals and a press for every move, four seconds apart.
fn events() -> Vec<(Millis, Observation)> {
    let mut events = Vec::new();
    for (number, (before, after, _)) in moves().iter().enumerate() {
        let mut at = 4000 * number as Millis;
        let changed =
            |square: &Square| before.board().piece_at(*square) != after.board().piece_at(*square);
        let mut squares: Vec<Square> = Square::ALL.into_iter().filter(changed).collect();
        squares.sort_by_key(|square| after.board().piece_at(*square).is_some());
        for square in squares {
            let reading = after
                .board()
                .piece_at(square)
                .map_or(Reading::EMPTY, Reading::of);
            events.push((at, Observation::Square { square, reading }));
            at += 240;
        }
        events.push((
            at + 300,
            Observation::Press {
                by: before.turn(),
                white: None,
                black: None,
            },
        ));
    }
    events
}

fn play(events: &[(Millis, Observation)]) -> Tracker {
    let mut tracker = Tracker::new(Setup::default());
    for (at, observation) in events {
        tracker.observe(*at, observation.clone());
    }
    tracker
}

fn dump_after(plies: usize) -> Observation {
    let (_, position, _) = &moves()[plies - 1];
    Observation::Dump(Box::new(
        *Tracker::new(Setup::from_position(position.clone())).readings(),
    ))
}

fn benches(criterion: &mut Criterion) {
    let game = events();
    let mut group = criterion.benchmark_group("tracker");
    group.throughput(Throughput::Elements(game.len() as u64));
    group.bench_function("a clean game", |bench| {
        bench.iter(|| black_box(play(&game)))
    });

    let square = Square::E2;
    let restless: Vec<(Millis, Observation)> = (0..1000)
        .map(|event| {
            let reading = if event % 2 == 0 {
                Reading::EMPTY
            } else {
                Reading::of(Color::White.pawn())
            };
            (event / 10, Observation::Square { square, reading })
        })
        .collect();
    group.throughput(Throughput::Elements(restless.len() as u64));
    group.bench_function("a square that never rests", |bench| {
        bench.iter(|| black_box(play(&restless)))
    });

    group.throughput(Throughput::Elements(1));
    let half = play(&game[..game.len() / 2]);
    let later = 4000 * 100;
    let nonsense = Observation::Dump(Box::new([Reading::of(Color::White.queen()); 64]));
    for (name, tracker, dump) in [
        ("a dump of nonsense", &half, nonsense),
        (
            "three plies missed",
            &Tracker::new(Setup::default()),
            dump_after(3),
        ),
        (
            "five plies missed",
            &Tracker::new(Setup::default()),
            dump_after(5),
        ),
        (
            "ten plies missed",
            &Tracker::new(Setup::default()),
            dump_after(10),
        ),
    ] {
        group.bench_function(name, |bench| {
            bench.iter_batched(
                || tracker.clone(),
                |mut tracker| black_box(tracker.observe(later, dump.clone())),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
