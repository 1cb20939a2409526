//! Time controls: the PGN `TimeControl` grammar, extended (`40/5400+30:1800+30`, `1500d5`, `W300 B240`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{BySide, Side, Speed};

/// A text that is no time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text:?} is no time control: {why} · help: {}", cure(text))]
pub struct TimeControlError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// How to write it: what a programme's `90/40+30+30` means, else examples.
fn cure(text: &str) -> String {
    programme(text).unwrap_or_else(|| {
        "write seconds, such as 5400+30, 40/5400+30:1800+30, 1500d5, 180+2, W300 B240".to_owned()
    })
}

/// A programme's way of writing, minutes for so many moves, more minutes, and the increment: `90/40+30+30`.
fn programme(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.trim().split('+').collect();
    let (&increment, periods) = parts.split_last()?;
    let bonus: u32 = increment.trim().parse().ok()?;
    let mut said = Vec::new();
    let mut right = Vec::new();
    for part in periods {
        let (minutes, moves) = match part.trim().split_once('/') {
            Some((minutes, moves)) => (minutes, Some(moves.parse::<u32>().ok()?)),
            None => (part.trim(), None),
        };
        let minutes: u32 = minutes.parse().ok()?;
        let seconds = minutes.checked_mul(60)?;
        said.push(moves.map_or(format!("{minutes} minutes"), |m| {
            format!("{minutes} minutes for {m} moves")
        }));
        right.push(moves.map_or(format!("{seconds}+{bonus}"), |m| {
            format!("{m}/{seconds}+{bonus}")
        }));
    }
    (right.len() > 1).then(|| {
        format!(
            "if it is {}, with {bonus} seconds a move, write {} (moves/seconds+increment, periods apart by ':')",
            said.join(", then "),
            right.join(":")
        )
    })
}

/// What a player gets beside the base time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// Nothing.
    None,
    /// Seconds added for each move (Fischer).
    Increment(u32),
    /// Seconds before the clock starts to count (US delay).
    Delay(u32),
    /// Seconds given back as far as used (Bronstein).
    Bronstein(u32),
    /// The opponent's used time is added: an hourglass.
    Sandclock,
}

impl Bonus {
    /// Seconds a player gains at most with each move.
    pub fn seconds(self) -> u32 {
        match self {
            Bonus::Increment(s) | Bonus::Delay(s) | Bonus::Bronstein(s) => s,
            Bonus::None | Bonus::Sandclock => 0,
        }
    }
}

/// One period of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Period {
    /// Moves to be made in it; none: all the remaining.
    pub moves: Option<u32>,
    /// Base time, seconds.
    pub seconds: u32,
    /// What comes beside it.
    pub bonus: Bonus,
}

/// The time control of one player.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SideControl {
    /// Not known (`?`).
    Unknown,
    /// Played without a clock (`-`).
    Unlimited,
    /// Periods, one after the other.
    Periods(Vec<Period>),
}

/// The time control of a game, in JSON its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    /// Each player's; equal but for odds and Armageddon games.
    pub sides: BySide<SideControl>,
}

impl Default for TimeControl {
    fn default() -> Self {
        TimeControl::both(SideControl::Unknown)
    }
}

impl TimeControl {
    /// The same control for both players.
    pub fn both(control: SideControl) -> TimeControl {
        TimeControl {
            sides: BySide {
                white: control.clone(),
                black: control,
            },
        }
    }

    /// The control of one player.
    pub fn side(&self, side: Side) -> &SideControl {
        self.sides.get(side)
    }

    /// Whether the players have different times.
    pub fn is_uneven(&self) -> bool {
        self.sides.white != self.sides.black
    }

    /// Standard, rapid or blitz by the time for 60 moves (A.1, B.1): the longer side decides; none where no time is known.
    pub fn speed(&self) -> Option<Speed> {
        let of = |c: &SideControl| c.seconds_for(60);
        let seconds = of(&self.sides.white)?.max(of(&self.sides.black)?);
        Some(match seconds {
            0..=600 => Speed::Blitz,
            601..3600 => Speed::Rapid,
            _ => Speed::Standard,
        })
    }
}

impl SideControl {
    /// Its periods, none where the time is unknown or unlimited.
    pub fn periods(&self) -> &[Period] {
        match self {
            SideControl::Periods(periods) => periods,
            SideControl::Unknown | SideControl::Unlimited => &[],
        }
    }

    /// Base time of the first period, milliseconds.
    pub fn base_ms(&self) -> Option<u64> {
        self.periods().first().map(|p| u64::from(p.seconds) * 1000)
    }

    /// Seconds for `moves` moves: all periods needed for them and their increments.
    pub fn seconds_for(&self, moves: u32) -> Option<u64> {
        let periods = self.periods();
        periods.first()?;
        let mut left = moves;
        let mut total = 0;
        for period in periods {
            let here = period.moves.unwrap_or(left).min(left);
            total +=
                u64::from(period.seconds) + u64::from(here) * u64::from(period.bonus.seconds());
            left -= here;
            if left == 0 {
                break;
            }
        }
        Some(total)
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let fail = |why| TimeControlError {
            text: text.chars().take(80).collect(),
            why,
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [one] => side_control(one).map(TimeControl::both).map_err(fail),
            [white, black] => {
                let of = |word: &str, letter| {
                    word.strip_prefix(letter)
                        .ok_or("two sides are written W… B…")
                        .and_then(side_control)
                };
                let sides = BySide {
                    white: of(white, 'W').map_err(fail)?,
                    black: of(black, 'B').map_err(fail)?,
                };
                Ok(TimeControl { sides })
            }
            [] => Err(fail("it is empty")),
            _ => Err(fail("more than two sides")),
        }
    }
}

fn side_control(text: &str) -> Result<SideControl, &'static str> {
    match text {
        "?" => Ok(SideControl::Unknown),
        "-" => Ok(SideControl::Unlimited),
        _ => {
            let periods = text.split(':').map(period).collect::<Result<Vec<_>, _>>()?;
            let endless = |p: &Period| p.moves.is_none();
            let early_end = periods.iter().rev().skip(1).any(endless);
            if early_end {
                Err("only the last period may have no number of moves")
            } else {
                Ok(SideControl::Periods(periods))
            }
        }
    }
}

fn period(text: &str) -> Result<Period, &'static str> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(number(moves)?), rest),
        None => (None, text),
    };
    if moves == Some(0) {
        return Err("a period of no moves");
    }
    let (seconds, bonus) = match rest.strip_prefix('*') {
        Some(seconds) => (number(seconds)?, Bonus::Sandclock),
        None => base_and_bonus(rest)?,
    };
    if seconds == 0 && bonus.seconds() == 0 {
        return Err("a period of no time");
    }
    Ok(Period {
        moves,
        seconds,
        bonus,
    })
}

fn base_and_bonus(text: &str) -> Result<(u32, Bonus), &'static str> {
    let at = text.find(['+', 'd', 'b']);
    let Some(at) = at else {
        return Ok((number(text)?, Bonus::None));
    };
    let bonus = number(&text[at + 1..])?;
    let kind = match text.as_bytes()[at] {
        b'+' => Bonus::Increment,
        b'd' => Bonus::Delay,
        _ => Bonus::Bronstein,
    };
    Ok((
        number(&text[..at])?,
        if bonus == 0 { Bonus::None } else { kind(bonus) },
    ))
}

/// More than a year on a chessclock is a typing error.
const MOST: u32 = 31_536_000;

fn number(text: &str) -> Result<u32, &'static str> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err("a whole number of seconds or moves is missing");
    }
    text.parse()
        .ok()
        .filter(|n| *n <= MOST)
        .ok_or("a number is too large")
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_uneven() {
            write!(f, "W{} B{}", self.sides.white, self.sides.black)
        } else {
            write!(f, "{}", self.sides.white)
        }
    }
}

impl fmt::Display for SideControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SideControl::Unknown => f.write_str("?"),
            SideControl::Unlimited => f.write_str("-"),
            SideControl::Periods(periods) => {
                let texts: Vec<String> = periods.iter().map(Period::to_string).collect();
                f.write_str(&texts.join(":"))
            }
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        match self.bonus {
            Bonus::None => write!(f, "{}", self.seconds),
            Bonus::Increment(s) => write!(f, "{}+{s}", self.seconds),
            Bonus::Delay(s) => write!(f, "{}d{s}", self.seconds),
            Bonus::Bronstein(s) => write!(f, "{}b{s}", self.seconds),
            Bonus::Sandclock => write!(f, "*{}", self.seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_the_grammar_reads_and_prints_back() {
        let rows = [
            ("40/5400+30:1800+30", Some(Speed::Standard)),
            ("5400+30", Some(Speed::Standard)),
            ("900+10", Some(Speed::Rapid)),
            ("180+2", Some(Speed::Blitz)),
            ("600", Some(Speed::Blitz)),
            ("601", Some(Speed::Rapid)),
            ("3600", Some(Speed::Standard)),
            ("40/7200:20/3600:900+30", Some(Speed::Standard)),
            ("1500d5", Some(Speed::Rapid)),
            ("1500b5", Some(Speed::Rapid)),
            ("*60", Some(Speed::Blitz)),
            ("W300 B240", Some(Speed::Blitz)),
            ("?", None),
            ("-", None),
        ];
        for (text, speed) in rows {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
            assert_eq!(control.speed(), speed, "{text}");
        }
    }

    #[test]
    fn what_is_no_time_control_says_why() {
        let rows = [
            ("", "empty"),
            ("90 min", "two sides"),
            ("5400+", "missing"),
            ("0", "no time"),
            ("0/5400", "no moves"),
            ("5400:40/3600", "only the last"),
            ("99999999999", "too large"),
            ("5400+-3", "missing"),
            ("W300 B240 C1", "more than two"),
        ];
        for (text, why) in rows {
            let error = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }

    #[test]
    fn what_a_programme_prints_is_understood_and_spelt_right() {
        let error = "90/40+30+30".parse::<TimeControl>().expect_err("minutes");
        let text = error.to_string();
        for part in [
            "90 minutes for 40 moves, then 30 minutes, with 30 seconds a move",
            "write 40/5400+30:1800+30 ",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let right = "40/5400+30:1800+30".parse::<TimeControl>().expect("right");
        assert_eq!(right.to_string(), "40/5400+30:1800+30");
        let other = "soon".parse::<TimeControl>().expect_err("no number");
        assert!(other.to_string().contains("help: write seconds"), "{other}");
    }
}
