//! What players, arbiters and cables do to a clock that is set right: none of it is held against the clock.

use protocol::Side;

use super::properties::{CONTROLS, Game, HABITS, complaint, feed};
use super::simulate::{Dice, Rounds};

/// Forms of the grammar that are played seldom.
const SELDOM: [&str; 14] = [
    "*60",
    "*300",
    "40/5400:1800+30",
    "40/5400+30:1800",
    "40/5400d5:1800d5",
    "20/600+5:10/300+5:60+5",
    "5/60:30+10",
    "2/30+2:2/30+2:30+2",
    "300d2",
    "120b3",
    "600d30",
    "3600+180",
    "W900+10 B600d5",
    "W40/3600:600 B3600+30",
];

/// Something that happens beside the moves.
#[derive(Clone, Copy, Debug)]
enum Incident {
    /// The opponent presses back at once, and the player goes on with his turn.
    PressedBack,
    /// Both players press in a flurry.
    Flurry,
    /// The clocks are stopped, and the same one goes on.
    Stopped,
    /// The clocks are stopped several times in a row.
    StoppedAgain,
    /// The lever is moved while the clocks stand.
    GivenToTheOther,
    /// The readings of some seconds never come.
    ReadingsLost,
    /// An arbiter gives time, in several steps, after he has ruled it.
    TimeGiven,
    /// A player thinks for a very long time.
    LongThought,
}

const INCIDENTS: [Incident; 8] = [
    Incident::PressedBack,
    Incident::Flurry,
    Incident::Stopped,
    Incident::StoppedAgain,
    Incident::GivenToTheOther,
    Incident::ReadingsLost,
    Incident::TimeGiven,
    Incident::LongThought,
];

fn between(dice: &mut Dice, least: i64, most: u64) -> i64 {
    least + i64::try_from(dice.below(most)).expect("small")
}

fn pick<T: Copy>(dice: &mut Dice, of: &[T]) -> T {
    let number = dice.below(u64::try_from(of.len()).expect("small"));
    of[usize::try_from(number).expect("small")]
}

impl Game {
    fn happens(&mut self, incident: Incident) {
        let Some(side) = self.clock.running else {
            return;
        };
        match incident {
            Incident::PressedBack => self.presses(2, 1_400),
            Incident::Flurry => self.presses(6, 700),
            Incident::Stopped => self.stands(side, 1),
            Incident::StoppedAgain => self.stands(side, 4),
            Incident::GivenToTheOther => self.stands(side.other(), 1),
            Incident::ReadingsLost => {
                let ms = between(&mut self.dice, 500, 6_000);
                self.clock.pass(ms, &mut self.dice);
                if !self.clock.readings().is_empty() && self.dice.chance(50) {
                    self.model.goes_unheard();
                }
            }
            Incident::TimeGiven => self.time_is_given(side),
            Incident::LongThought => {
                let ms = self.clock.left(side) / 2;
                self.clock.pass(ms, &mut self.dice);
            }
        }
    }

    fn presses(&mut self, presses: u32, most: u64) {
        for _ in 0..presses {
            let ms = between(&mut self.dice, 60, most);
            self.clock.pass(ms, &mut self.dice);
            self.clock.press(&mut self.dice);
        }
    }

    fn stands(&mut self, next: Side, times: u32) {
        for _ in 0..times {
            self.clock.stop(&mut self.dice);
            let ms = between(&mut self.dice, 100, 200_000);
            self.clock.pass(ms, &mut self.dice);
            self.clock.resume(next, &mut self.dice);
            let ms = between(&mut self.dice, 100, 3_000);
            self.clock.pass(ms, &mut self.dice);
        }
    }

    fn time_is_given(&mut self, side: Side) {
        self.clock.stop(&mut self.dice);
        feed(&mut self.model, &mut self.clock, &self.told);
        self.model.ruled();
        for step in [60_000, 50_000, 10_000] {
            let ms = between(&mut self.dice, 300, 9_000);
            self.clock.pass(ms, &mut self.dice);
            let more = self.clock.left(side.other()) + step;
            self.clock.set(side.other(), more);
            self.clock.tell(&mut self.dice, true);
        }
        feed(&mut self.model, &mut self.clock, &self.told);
        self.model.ruled();
        self.clock.resume(side, &mut self.dice);
    }
}

#[test]
fn art_6_10_no_incident_at_the_board_is_held_against_a_clock_set_right() {
    let all = [CONTROLS.as_slice(), &SELDOM].concat();
    let (mut happened, mut told) = (0_u32, Vec::new());
    for seed in 0..GAMES {
        let mut dice = Dice::new(seed * 7 + 3);
        let (text, habit) = (pick(&mut dice, &all), pick(&mut dice, &HABITS));
        let mut game = Game::new(text, text, habit, seed + 1);
        game.clock.rounds = pick(&mut dice, &[Rounds::Down, Rounds::Up]);
        let often = pick(&mut dice, &[0, 3, 25]);
        let mut last = Vec::new();
        for ply in 0..140 {
            feed(&mut game.model, &mut game.clock, &game.told);
            if game.dice.chance(often) {
                let incident = pick(&mut game.dice, &INCIDENTS);
                last.push((ply, incident));
                game.happens(incident);
                happened += 1;
            }
            let goes_on = game.turn(None);
            feed(&mut game.model, &mut game.clock, &game.told);
            if let Some(found) = complaint(&game.model) {
                let adds = game.clock.adds;
                told.push(format!(
                    "seed {seed} {text} {habit:?} {adds:?} ply {ply} {last:?}: {found}"
                ));
                break;
            }
            if !goes_on {
                break;
            }
        }
    }
    nobody_is_accused(&told);
    assert!(happened > 5_000, "{happened}");
}

fn nobody_is_accused(told: &[String]) {
    let first = &told[..told.len().min(12)];
    assert!(told.is_empty(), "{} {first:#?}", told.len());
}

const GAMES: u64 = 2_000;

#[test]
fn art_6_9_a_clock_that_goes_on_after_its_flag_is_not_set_wrong() {
    let mut told = Vec::new();
    for seed in 0..600 {
        let mut dice = Dice::new(seed + 11);
        let text = pick(
            &mut dice,
            &[
                "60+1",
                "60",
                "90+5",
                "5/60:30+10",
                "60d2",
                "W60+2 B40",
                "60b3",
            ],
        );
        let mut game = Game::new(text, text, pick(&mut dice, &HABITS), seed + 1);
        let slow = between(&mut dice, 8_000, 20_000);
        for ply in 0..40 {
            let ms = between(&mut game.dice, 300, u64::try_from(slow).expect("small"));
            game.clock.pass(ms, &mut game.dice);
            game.clock.press(&mut game.dice);
            feed(&mut game.model, &mut game.clock, &game.told);
            if let Some(found) = complaint(&game.model) {
                told.push(format!(
                    "seed {seed} {text} {:?} ply {ply}: {found}",
                    game.clock.adds
                ));
                break;
            }
        }
    }
    nobody_is_accused(&told);
}

#[test]
fn art_6_5_the_wrong_clock_started_first_is_put_right() {
    let mut told = Vec::new();
    for seed in 0..600 {
        let mut dice = Dice::new(seed + 5);
        let all = [CONTROLS.as_slice(), &SELDOM].concat();
        let text = pick(&mut dice, &all);
        let mut game = Game::new(text, text, pick(&mut dice, &HABITS), seed + 1);
        let way = dice.below(3);
        let ms = between(&mut game.dice, 200, 20_000);
        game.clock.stop(&mut game.dice);
        game.clock.start(Side::Black, &mut game.dice);
        game.clock.pass(ms, &mut game.dice);
        match way {
            0 => game.clock.press(&mut game.dice),
            1 => game.stands(Side::White, 1),
            _ => {
                game.clock.stop(&mut game.dice);
                game.clock.set_anew(&mut game.dice);
                game.clock.start(Side::White, &mut game.dice);
            }
        }
        for ply in 0..40 {
            let goes_on = game.turn(None);
            feed(&mut game.model, &mut game.clock, &game.told);
            if let Some(found) = complaint(&game.model) {
                told.push(format!("seed {seed} {text} way {way} ply {ply}: {found}"));
                break;
            }
            if !goes_on {
                break;
            }
        }
    }
    nobody_is_accused(&told);
}
