//! The figures of normal play against three recorded games (198 plies), and of the other levels against their descriptions.

use std::collections::HashSet;

use shakmaty::{Board, Move, Position, Square};

use super::*;

/// What a great many plies looked like to the host.
#[derive(Default)]
struct Figures {
    plies: f64,
    events: f64,
    never_seen: f64,
    quiet: f64,
    quiet_two: f64,
    quiet_four: f64,
    captures: f64,
    target_never_empty: f64,
    captures_three: f64,
    captures_more: f64,
    brushed: f64,
    press_delay: f64,
    presses: f64,
}

impl Figures {
    fn of(noise: Noise, hands: impl Fn(&mut Play)) -> Figures {
        let mut figures = Figures::default();
        for game in games().iter().take(3) {
            for seed in 0..150 {
                let mut how = Play {
                    tempo: Tempo::Thinking(5000),
                    ..Play::new(noise, seed)
                };
                hands(&mut how);
                let performance = play(game, &how);
                figures.count(game, &performance, &sense(&performance, &how));
            }
        }
        figures
    }

    fn count(&mut self, game: &Game, performance: &Performance, told: &[(Millis, Sensed)]) {
        let mut position = game.start.clone();
        for (number, (ply, &m)) in performance.truth.iter().zip(&game.moves).enumerate() {
            position.play_unchecked(m);
            let next = performance
                .truth
                .get(number + 1)
                .map_or(Millis::MAX, |next| next.lifted_at);
            let until = next.min(ply.pressed_at.unwrap_or(ply.made_at) + 900);
            let squares: Vec<(Millis, Square, Reading)> = told
                .iter()
                .filter_map(|(at, sensed)| change(*at, sensed))
                .collect();
            let during: Vec<&(Millis, Square, Reading)> = squares
                .iter()
                .filter(|(at, ..)| (ply.lifted_at..until).contains(at))
                .collect();
            self.plies += 1.0;
            self.events += during.len() as f64;
            self.never_seen += f64::from(!seen(performance, told, ply.lifted_at, position.board()));
            self.kind(m, &during);
            self.lever(ply, told, &during);
        }
    }

    fn kind(&mut self, m: Move, during: &[&(Millis, Square, Reading)]) {
        let near: HashSet<Square> = m.from().into_iter().chain([m.to()]).collect();
        if m.is_capture() && !m.is_en_passant() && !m.is_promotion() {
            let at_target: Vec<Reading> = during
                .iter()
                .filter(|(_, square, _)| *square == m.to())
                .map(|(.., reading)| *reading)
                .collect();
            let updates = during.len();
            self.captures += 1.0;
            self.target_never_empty += f64::from(!at_target.contains(&Reading::Empty));
            self.captures_three += f64::from(updates == 3);
            self.captures_more += f64::from(updates > 3);
            self.brushed += f64::from(during.iter().any(|(_, square, _)| !near.contains(square)));
        } else if !m.is_capture() && !m.is_castle() && !m.is_promotion() {
            self.quiet += 1.0;
            self.quiet_two += f64::from(during.len() == 2);
            self.quiet_four += f64::from(during.len() == 4);
        }
    }

    fn lever(
        &mut self,
        ply: &Ply,
        told: &[(Millis, Sensed)],
        during: &[&(Millis, Square, Reading)],
    ) {
        let Some(pressed) = ply.pressed_at else {
            return;
        };
        let reported = told.iter().find(|(at, sensed)| {
            *at >= pressed && matches!(sensed, Sensed::Press { by, .. } if *by == ply.by)
        });
        let last = during
            .iter()
            .map(|(at, ..)| *at)
            .filter(|at| *at <= pressed)
            .max();
        if let (Some((at, _)), Some(last)) = (reported, last) {
            self.press_delay += (*at - last) as f64;
            self.presses += 1.0;
        }
    }
}

fn change(at: Millis, sensed: &Sensed) -> Option<(Millis, Square, Reading)> {
    match sensed {
        Sensed::Square { square, reading } => Some((at, *square, *reading)),
        _ => None,
    }
}

/// Whether the host's picture was ever this board, from an instant on.
fn seen(performance: &Performance, told: &[(Millis, Sensed)], from: Millis, board: &Board) -> bool {
    let reading = |board: &Board, square| {
        board
            .piece_at(square)
            .map_or(Reading::Empty, Reading::Piece)
    };
    let mut picture = Square::ALL.map(|square| reading(&performance.initial, square));
    let wanted = Square::ALL.map(|square| reading(board, square));
    for (at, sensed) in told {
        match sensed {
            Sensed::Dump(dump) => picture = **dump,
            Sensed::Square { square, reading } => picture[square.to_usize()] = *reading,
            _ => continue,
        }
        if *at >= from && picture == wanted {
            return true;
        }
    }
    false
}

fn within(what: &str, value: f64, low: f64, high: f64) {
    assert!(
        (low..=high).contains(&value),
        "{what}: {value:.3} is not between {low} and {high}"
    );
}

#[test]
fn normal_play_looks_like_the_recorded_games() {
    let f = Figures::of(Noise::Normal, |_| {});
    within(
        "quiet moves with two updates",
        f.quiet_two / f.quiet,
        0.91,
        0.97,
    );
    within(
        "quiet moves with four updates",
        f.quiet_four / f.quiet,
        0.02,
        0.08,
    );
    within(
        "captures whose target is never empty",
        f.target_never_empty / f.captures,
        0.50,
        0.66,
    );
    within(
        "captures with three updates",
        f.captures_three / f.captures,
        0.22,
        0.42,
    );
    within(
        "captures with more",
        f.captures_more / f.captures,
        0.05,
        0.19,
    );
    within(
        "captured pieces sensed elsewhere",
        f.brushed / f.captures,
        0.09,
        0.24,
    );
    within(
        "placement to reported press",
        f.press_delay / f.presses,
        750.0,
        1100.0,
    );
    within("positions never seen", f.never_seen / f.plies, 0.0, 0.01);
    within("events a ply", f.events / f.plies, 2.2, 3.6);
}

#[test]
fn clean_play_shows_everything() {
    let f = Figures::of(Noise::Clean, |_| {});
    within(
        "quiet moves with two updates",
        f.quiet_two / f.quiet,
        1.0,
        1.0,
    );
    within("positions never seen", f.never_seen / f.plies, 0.0, 0.0);
}

#[test]
fn a_scramble_overlaps_and_faulty_hardware_hides() {
    let scramble = Figures::of(Noise::Scramble, |_| {});
    within(
        "positions never seen in a scramble",
        scramble.never_seen / scramble.plies,
        0.02,
        0.14,
    );
    let faulty = Figures::of(Noise::Faulty, |_| {});
    within(
        "positions never seen by a faulty board",
        faulty.never_seen / faulty.plies,
        0.004,
        0.10,
    );
    within("events a ply", faulty.events / faulty.plies, 2.5, 8.0);
    let ideal = Figures::of(Noise::Normal, |how| {
        how.hardware = how.hardware.clone().with(Profile::Ideal)
    });
    within(
        "positions never seen by an ideal board",
        ideal.never_seen / ideal.plies,
        0.0,
        0.01,
    );
}

#[test]
fn times_from_lift_to_placement() {
    let (mut quiet, mut captures, mut castling) = (Vec::new(), Vec::new(), Vec::new());
    for game in games().iter().take(3) {
        for seed in 0..60 {
            let performance = play(game, &Play::new(Noise::Normal, seed));
            for (ply, m) in performance.truth.iter().zip(&game.moves) {
                let list = if m.is_castle() {
                    &mut castling
                } else if m.is_capture() {
                    &mut captures
                } else {
                    &mut quiet
                };
                list.push((ply.made_at - ply.lifted_at) as f64);
            }
        }
    }
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    within("quiet", mean(&quiet), 180.0, 320.0);
    within("captures", mean(&captures), 400.0, 900.0);
    within("castling", mean(&castling), 500.0, 1100.0);
}
