//! How long a player lets his clock run before he presses it.

use shakmaty::{ByColor, Color, Position};

use super::act::Millis;
use super::chessclock::Chessclock;
use super::dice::Dice;
use super::game::Game;
use super::how::{Ending, Play, Tempo};
use super::timeline::ms;

/// What a player of a won or drawn game keeps on his clock, in milliseconds.
const RESERVE: f64 = 1500.0;

/// The thinking times of one game.
#[derive(Clone, Debug)]
pub(super) struct Thinking {
    tempo: Tempo,
    /// Times left the file tells.
    clocks: Vec<Option<Millis>>,
    /// How heavy each ply weighs.
    weights: Vec<f64>,
    /// The time each side has for all its moves, and the weight of them.
    budget: ByColor<(f64, f64)>,
    /// When a game of given length is to be over.
    until: f64,
}

impl Thinking {
    /// Spreads the time over a game that begins at `start`.
    pub(super) fn plan(game: &Game, how: &Play, start: f64, dice: &mut Dice) -> Thinking {
        let spread = if matches!(how.tempo, Tempo::Lasting(_)) {
            0.45
        } else {
            0.8
        };
        let weights: Vec<f64> = (0..game.moves.len())
            .map(|ply| opening(ply) * dice.around(1.0, spread))
            .collect();
        let first = game.start.turn();
        let of = |color: Color| weights.iter().skip(usize::from(color != first)).step_by(2);
        let loser = (how.ending == Ending::Flag).then(|| game.last_position().turn());
        let budget = ByColor::new_with(|color| {
            let plan = budget(how, of(color).count() as f64, loser == Some(color), dice);
            (plan, of(color).sum::<f64>())
        });
        let until = if let Tempo::Lasting(total) = how.tempo {
            start + total as f64
        } else {
            0.0
        };
        Thinking {
            tempo: how.tempo,
            clocks: game.clocks.clone(),
            weights,
            budget,
            until,
        }
    }

    /// Milliseconds from the start of his time to his press. `now` is when his time began.
    pub(super) fn elapsed(
        &self,
        ply: usize,
        by: Color,
        now: f64,
        clock: &Chessclock,
        dice: &mut Dice,
    ) -> f64 {
        let left = clock.left(ms(now))[by] as f64;
        match self.tempo {
            Tempo::Thinking(median) => dice
                .around(median as f64, 0.9)
                .min((left - RESERVE).max(0.0)),
            Tempo::Lasting(_) => self.share(ply, now).min((left - RESERVE).max(0.0)),
            Tempo::Natural => self
                .told(ply, left + clock.increment() as f64, dice)
                .unwrap_or_else(|| self.spread(ply, by).min((left - RESERVE).max(0.0))),
        }
    }

    /// Whether the hands have to be quick to keep the tempo.
    pub(super) fn is_tight(&self, elapsed: f64) -> bool {
        matches!(self.tempo, Tempo::Lasting(_)) && elapsed < 2500.0
    }

    /// So that the display shows the time of the file. Nothing when the file's time cannot have come about by thinking.
    fn told(&self, ply: usize, left_with_increment: f64, dice: &mut Dice) -> Option<f64> {
        let told = self.clocks.get(ply).copied().flatten()?;
        let within_second = if told % 1000 == 0 {
            dice.between(50.0, 950.0)
        } else {
            0.0
        };
        let elapsed = left_with_increment - told as f64 - within_second;
        (-60_000.0..14_400_000.0)
            .contains(&elapsed)
            .then_some(elapsed.max(0.0))
    }

    fn spread(&self, ply: usize, by: Color) -> f64 {
        let (total, weight) = self.budget[by];
        total * self.weights.get(ply).copied().unwrap_or(1.0) / weight.max(0.1)
    }

    fn share(&self, ply: usize, now: f64) -> f64 {
        let ahead: f64 = self.weights.iter().skip(ply).sum();
        (self.until - now).max(0.0) * self.weights.get(ply).copied().unwrap_or(1.0) / ahead.max(0.1)
    }
}

/// Opening moves are known by heart.
fn opening(ply: usize) -> f64 {
    if ply < 12 { 0.3 } else { 1.0 }
}

/// What a player spends on `moves` moves: a usual part of what he has, or nearly everything if his flag is to fall.
fn budget(how: &Play, moves: f64, loses_on_time: bool, dice: &mut Dice) -> f64 {
    let (base, increment) = (how.control.base as f64, how.control.increment as f64);
    let all = base + increment * (moves - 1.0).max(0.0);
    if loses_on_time {
        return (all - 4.0 * RESERVE).max(all * 0.8);
    }
    let usual = moves * (base / 40.0 + increment * 0.9) * dice.between(0.7, 1.1);
    usual.min(all * 0.85)
}
