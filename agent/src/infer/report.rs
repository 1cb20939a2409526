//! The report: how well and how fast the tracker reads freshly simulated games, at every level of noise.

use std::io::Write;

use serde_json::json;

use super::command::InferError;
use super::trial::{Board, Outcome, run};
use crate::simulate::games::classics;
use crate::simulate::hands::Noise;

/// Games simulated for a line of the table, where nothing else is asked.
pub(super) const GAMES: usize = 23;

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trials {
    /// Games for a line of the table.
    pub(super) games: usize,
    /// The seed of all chance.
    pub(super) seed: u64,
    /// One JSON object a line.
    pub(super) json: bool,
}

/// Simulates and prints the table, a line for each kind of board and level of noise as soon as it is known.
///
/// # Errors
/// A stream that breaks.
pub(super) fn report(trials: Trials, mut out: impl Write) -> Result<(), InferError> {
    if !trials.json {
        writeln!(out, "{HEADING}")?;
    }
    let mut wired = [0.0; 4];
    for board in Board::ALL {
        for noise in 0..=3 {
            let row = Row::of(trials, board, noise, &mut wired)?;
            let line = if trials.json { row.json() } else { row.text() };
            writeln!(out, "{line}")?;
            out.flush()?;
        }
    }
    Ok(())
}

const HEADING: &str = concat!(
    "                  perfect           settled   marked             latency   withdrawn in 1,000  cost per event       state    goal\n",
    "board     noise   games    exactly  wrong     uncertain  plies   ms        shown    settled  µs p50  p99   max    bytes\n",
);

/// What is to be reached: perfect games in per cent, plies settled wrong in 20,000, the median latency in milliseconds, and how
/// few moves are withdrawn.
#[derive(Clone, Copy, Debug)]
struct Goal {
    perfect: f64,
    wrong: f64,
    latency: Option<i64>,
    /// Moves shown, and moves settled, that were withdrawn, in 1,000 plies.
    withdrawn: Option<(f64, f64)>,
}

impl Goal {
    /// By kind of board and noise; `wired`: what the wired board has reached at the same noise.
    fn of(board: Board, noise: u8, wired: f64) -> Option<Goal> {
        let goal = |perfect, wrong, latency| {
            Some(Goal {
                perfect,
                wrong,
                latency,
                withdrawn: (board.name == "usb" && noise == 1).then_some((2.0, 1.0)),
            })
        };
        match (board.name, noise) {
            ("usb", 0) => goal(100.0, 0.0, Some(150)),
            ("usb", 1) => goal(99.8, 0.0, Some(170)),
            ("usb", 2) => goal(98.5, 1.0, Some(180)),
            ("usb", _) => goal(99.5, 1.0, Some(230)),
            ("bluetooth", _) => goal(wired - 2.0, f64::INFINITY, None),
            (_, 1) => goal(97.0, f64::INFINITY, None),
            (_, 2) => goal(80.0, f64::INFINITY, None),
            _ => None,
        }
    }

    /// What of it was missed.
    fn missed(self, row: &Row) -> Vec<String> {
        let wrong = row.all.wrong as f64 * 20_000.0 / row.all.plies.max(1) as f64;
        let latency = at_percent(&row.all.latency, 50);
        let perfect = (row.perfect() < self.perfect)
            .then(|| format!("perfect {:.1} of {:.1} %", row.perfect(), self.perfect));
        let wrong = (wrong > self.wrong)
            .then(|| format!("wrong {wrong:.1} of {:.0} in 20,000", self.wrong));
        let late = self.latency.filter(|&most| latency > most);
        let late = late.map(|most| format!("latency {latency} of {most} ms"));
        let in_1000 = |what: &str, count: usize, most: f64| {
            let share = row.in_1000(count);
            (share > most).then(|| format!("{what} withdrawn {share:.1} of {most:.0} in 1,000"))
        };
        let withdrawn = self.withdrawn.into_iter().flat_map(|(shown, settled)| {
            [
                in_1000("shown", row.all.withdrawn, shown),
                in_1000("settled", row.all.withdrawn_settled, settled),
            ]
        });
        let others = [perfect, wrong, late].into_iter();
        others.chain(withdrawn).flatten().collect()
    }
}

struct Row {
    board: Board,
    noise: u8,
    all: Outcome,
    goal: Option<Goal>,
}

impl Row {
    fn of(
        trials: Trials,
        board: Board,
        noise: u8,
        wired: &mut [f64; 4],
    ) -> Result<Row, InferError> {
        let mut all = Outcome::default();
        let games = classics();
        for (number, game) in (0..trials.games).zip(games.iter().cycle()) {
            let seed = trials
                .seed
                .wrapping_mul(1_000_003)
                .wrapping_add(number as u64);
            run(game, board, Noise::level(noise), seed, &mut all)?;
        }
        all.latency.sort_unstable();
        all.cost.sort_unstable();
        let known = &mut wired[usize::from(noise)];
        let goal = Goal::of(board, noise, *known);
        let row = Row {
            board,
            noise,
            all,
            goal,
        };
        if board.name == "usb" {
            *known = row.perfect();
        }
        Ok(row)
    }

    /// Perfect games in per cent.
    fn perfect(&self) -> f64 {
        self.all.perfect as f64 * 100.0 / self.all.games.max(1) as f64
    }

    /// What was missed of the goal; nothing where none is set.
    fn missed(&self) -> Option<Vec<String>> {
        self.goal.map(|goal| goal.missed(self))
    }

    fn verdict(&self) -> String {
        match self.missed() {
            None => "none set".to_owned(),
            Some(missed) if missed.is_empty() => "reached".to_owned(),
            Some(missed) => format!("missed: {}", missed.join(", ")),
        }
    }

    fn in_1000(&self, withdrawn: usize) -> f64 {
        withdrawn as f64 * 1000.0 / self.all.plies.max(1) as f64
    }

    fn micros(&self, percent: usize) -> f64 {
        at_percent(&self.all.cost, percent) as f64 / 1000.0
    }

    fn json(&self) -> String {
        let all = &self.all;
        json!({
            "board": self.board.name, "noise": self.noise, "games": all.games, "perfect": all.perfect, "exact": all.exact,
            "plies": all.plies, "settled_wrong": all.wrong, "uncertain": all.uncertain,
            "latency_ms": { "p50": at_percent(&all.latency, 50), "p95": at_percent(&all.latency, 95) },
            "withdrawn_per_1000": tenths(self.in_1000(all.withdrawn)),
            "withdrawn_settled_per_1000": tenths(self.in_1000(all.withdrawn_settled)), "events": all.cost.len(),
            "cost_us": { "p50": tenths(self.micros(50)), "p99": tenths(self.micros(99)), "max": tenths(self.micros(100)) },
            "bytes": all.bytes, "missed": self.missed(),
        })
        .to_string()
    }

    fn text(&self) -> String {
        let all = &self.all;
        format!(
            "{:<9} {:<7} {:<8} {:<8} {:<9} {:<10} {:<7} {:<9} {:<8.1} {:<8.1} {:<7.1} {:<5.0} {:<6.0} {:<8} {}",
            self.board.name,
            self.noise,
            format!("{}/{}", all.perfect, all.games),
            all.exact,
            all.wrong,
            all.uncertain,
            all.plies,
            at_percent(&all.latency, 50),
            self.in_1000(all.withdrawn),
            self.in_1000(all.withdrawn_settled),
            self.micros(50),
            self.micros(99),
            self.micros(100),
            all.bytes,
            self.verdict(),
        )
    }
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The value below which so many per cent of a sorted list lie.
fn at_percent<T: Copy + Default>(sorted: &[T], percent: usize) -> T {
    let last = sorted.len().saturating_sub(1);
    sorted
        .get(last * percent / 100)
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_every_board_and_noise() {
        let trials = Trials {
            games: 1,
            seed: 7,
            json: true,
        };
        let mut out = Vec::new();
        report(trials, &mut out).expect("a report");
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        let rows: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a JSON line"))
            .collect();
        assert_eq!(rows.len(), 12);
        for row in &rows {
            assert_eq!(row["games"], 1);
            assert!(row["plies"].as_u64() > Some(10), "{row}");
            assert!(row["bytes"].as_u64() < Some(1_000_000), "{row}");
        }
        assert!(rows[0]["missed"].is_array(), "{}", rows[0]);
        assert_eq!(
            rows[8]["missed"],
            json!(null),
            "no goal for a board that only feels, without noise"
        );
        assert_eq!(
            rows[0]["exact"], 1,
            "a clean game is read exactly: {}",
            rows[0]
        );
    }

    #[test]
    fn a_goal_that_is_missed_says_what_and_by_how_much() {
        let mut all = Outcome {
            games: 100,
            perfect: 98,
            plies: 10_000,
            wrong: 1,
            latency: vec![185],
            ..Outcome::default()
        };
        let row = |all: &Outcome| Row {
            board: Board::ALL[0],
            noise: 2,
            all: all.clone(),
            goal: Goal::of(Board::ALL[0], 2, 0.0),
        };
        assert_eq!(
            row(&all).verdict(),
            "missed: perfect 98.0 of 98.5 %, wrong 2.0 of 1 in 20,000, latency 185 of 180 ms"
        );
        (all.perfect, all.wrong, all.latency) = (99, 0, vec![180]);
        assert_eq!(row(&all).verdict(), "reached");
        (
            all.perfect,
            all.latency,
            all.withdrawn,
            all.withdrawn_settled,
        ) = (100, vec![160], 21, 11);
        let normal = Row {
            noise: 1,
            goal: Goal::of(Board::ALL[0], 1, 0.0),
            ..row(&all)
        };
        assert_eq!(
            normal.verdict(),
            "missed: shown withdrawn 2.1 of 2 in 1,000, settled withdrawn 1.1 of 1 in 1,000"
        );
    }

    #[test]
    fn values_at_percents() {
        let sorted: Vec<i64> = (0..=200).collect();
        assert_eq!(at_percent(&sorted, 50), 100);
        assert_eq!(at_percent(&sorted, 100), 200);
        assert_eq!(at_percent::<i64>(&[], 99), 0);
    }
}
