//! Thousands of simulated games: a clock that is set right raises nothing, one that is set wrong is found in the first moves.

use protocol::{BySide, Side, TimeControl};

use super::simulate::{Adds, Clock, Dice, Habit, Talk, think};
use super::{ClockModel, is_start_right};

/// Every kind of control.
pub(super) const CONTROLS: [&str; 16] = [
    "5400+30",
    "40/5400+30:1800+30",
    "40/7200:20/3600:900+30",
    "40/7200:3600",
    "3600",
    "900+10",
    "1500",
    "1500d5",
    "1500b5",
    "600+5",
    "180+2",
    "300",
    "300+3",
    "60+1",
    "W300 B240",
    "W600+5 B300+5",
];

pub(super) const HABITS: [Habit; 4] = [
    Habit::AfterPress,
    Habit::ShownBefore,
    Habit::FirstStart,
    Habit::AtStart,
];

pub(super) fn control(text: &str) -> TimeControl {
    text.parse().expect("control")
}

pub(super) fn feed(model: &mut ClockModel, clock: &mut Clock, told: &TimeControl) {
    for (at, reading) in clock.readings() {
        model.read(&reading, at, told);
    }
}

/// What is wrong by the model, in words for the test's own report.
pub(super) fn complaint(model: &ClockModel) -> Option<String> {
    let of = |what: &str, is: bool| is.then(|| what.to_owned());
    of("setting", model.wrong().is_some())
        .map(|w| format!("{w} {:?}", model.wrong()))
        .or_else(|| model.off().map(|o| format!("sum {o:?}")))
        .or_else(|| model.jump.map(|j| format!("jump {j:?}")))
        .or_else(|| model.wrong_period.map(|p| format!("period {p:?}")))
}

pub(super) struct Game {
    pub(super) clock: Clock,
    pub(super) model: ClockModel,
    pub(super) dice: Dice,
    pub(super) told: TimeControl,
}

impl Game {
    pub(super) fn new(actual: &str, told: &str, habit: Habit, seed: u64) -> Game {
        let mut dice = Dice::new(seed);
        let adds = if dice.chance(50) {
            Adds::AtZero
        } else {
            Adds::AtCount
        };
        let talk = if dice.chance(50) {
            Talk::EverySecond
        } else {
            Talk::News
        };
        let mut clock = Clock::new(&control(actual), habit, adds, talk);
        clock.tell(&mut dice, true);
        let ms = i64::try_from(dice.below(3_000)).expect("small");
        clock.pass(ms, &mut dice);
        clock.start(Side::White, &mut dice);
        Game {
            clock,
            model: ClockModel::default(),
            dice,
            told: control(told),
        }
    }

    /// One turn; false when the time is used up.
    pub(super) fn turn(&mut self, ms: Option<i64>) -> bool {
        let Some(side) = self.clock.running else {
            return false;
        };
        let ms = ms.unwrap_or_else(|| think(&mut self.dice, self.clock.left(side)));
        self.clock.pass(ms, &mut self.dice);
        if self.clock.left(side) < 1_000 {
            return false;
        }
        self.clock.press(&mut self.dice);
        feed(&mut self.model, &mut self.clock, &self.told);
        true
    }

    /// The players stop the clocks, or somebody does.
    fn pause(&mut self) {
        if let Some(side) = self.clock.running {
            self.clock.stop(&mut self.dice);
            let ms = i64::try_from(self.dice.below(300_000)).expect("small");
            self.clock.pass(ms, &mut self.dice);
            self.clock.resume(side, &mut self.dice);
        }
    }
}

#[test]
fn art_6_10_a_clock_set_right_raises_nothing_whatever_the_players_do() {
    let mut told = 0_u32;
    for seed in 0..4_000_u64 {
        let text = CONTROLS[usize::try_from(seed).expect("small") % CONTROLS.len()];
        let habit = HABITS[usize::try_from(seed / 16).expect("small") % HABITS.len()];
        let mut game = Game::new(text, text, habit, seed + 1);
        feed(&mut game.model, &mut game.clock, &game.told);
        assert!(
            is_start_right(&game.model, &game.told),
            "{text} {habit:?} {seed}"
        );
        for ply in 0..160 {
            if game.dice.chance(2) {
                game.pause();
            }
            if !game.turn(None) {
                break;
            }
            let got = complaint(&game.model);
            assert_eq!(
                got, None,
                "{text} {habit:?} seed {seed} ply {ply} {:?}",
                game.clock.adds
            );
            told += 1;
        }
    }
    assert!(told > 200_000, "games were played: {told}");
}

#[test]
fn art_6_10_2_every_wrong_bonus_is_found_in_the_first_three_moves() {
    let rows = [
        ("5400+30", "5400"),
        ("5400+30", "5400+10"),
        ("5400+30", "5400+60"),
        ("5400+30", "5400+31"),
        ("5400+30", "5400d30"),
        ("5400+30", "5400b30"),
        ("900+10", "900"),
        ("900+10", "900+9"),
        ("900+10", "900d10"),
        ("900", "900+10"),
        ("900", "900+2"),
        ("180+2", "180"),
        ("180+2", "180+3"),
        ("300+3", "300"),
        ("300", "300+3"),
        ("600+5", "600d5"),
        ("1500d5", "1500"),
        ("1500d5", "1500+5"),
        ("1500b10", "1500"),
        ("40/5400+30:1800+30", "40/5400:1800"),
    ];
    for (told, actual) in rows {
        for seed in 0..100_u64 {
            let habit = if seed % 2 == 0 {
                Habit::AfterPress
            } else {
                Habit::ShownBefore
            };
            let mut game = Game::new(actual, told, habit, seed + 7);
            let bonus_differs = actual.contains(['d', 'b']) != told.contains(['d', 'b'])
                && (actual.contains(['d', 'b', '+']) && told.contains(['d', 'b', '+']));
            for _ in 0..6 {
                // A delay and an increment differ only for those who move faster than it.
                let quick = if bonus_differs { 400 } else { 12_000 };
                let ms = 2_100 + i64::try_from(game.dice.below(quick)).expect("small");
                game.turn(Some(ms));
            }
            game.clock.pass(2_500, &mut game.dice);
            game.clock.stop(&mut game.dice);
            feed(&mut game.model, &mut game.clock, &game.told);
            assert!(
                game.model.wrong().is_some(),
                "told {told}, is {actual}, seed {seed} {habit:?}: {:?}",
                game.model
            );
        }
    }
}

#[test]
fn art_6_10_2_the_first_press_shows_that_there_is_no_increment() {
    let mut game = Game::new("5400", "5400+30", Habit::AfterPress, 3);
    game.turn(Some(20_000));
    game.turn(Some(9_000));
    let wrong = game.model.wrong().expect("found with the first press");
    assert_eq!(wrong.found.increment.map(|(least, _)| least), Some(0));
    assert!((wrong.due.white - 5_410_000).abs() < 3_000, "{wrong:?}");
    assert_eq!(wrong.shows.white, 5_380_000);
}

#[test]
fn art_6_10_what_happens_to_a_clock_in_play() {
    let mut game = Game::new("5400+30", "5400+30", Habit::AfterPress, 5);
    for _ in 0..10 {
        game.turn(Some(15_000));
    }
    let side = game.clock.running.expect("runs");
    let less = game.clock.left(side) - 300_000;
    game.clock.set(side, less);
    game.clock.pass(2_000, &mut game.dice);
    feed(&mut game.model, &mut game.clock, &game.told);
    assert!(
        game.model.jump.is_some_and(|j| !j.by_hand),
        "{:?}",
        game.model.jump
    );
    game.model.ruled();
    for _ in 0..10 {
        game.turn(Some(15_000));
        assert_eq!(complaint(&game.model), None);
    }
    game.clock.stop(&mut game.dice);
    game.clock.pass(20_000, &mut game.dice);
    game.clock.set(Side::White, 3_000_000);
    game.clock.tell(&mut game.dice, true);
    feed(&mut game.model, &mut game.clock, &game.told);
    assert!(game.model.jump.is_some_and(|j| j.by_hand), "set by hand");
}

#[test]
fn art_6_10_a_slow_clock_shows_in_the_sum() {
    let mut game = Game::new("7200", "7200", Habit::AfterPress, 9);
    game.clock.drift_per_mille = -20;
    for _ in 0..40 {
        game.turn(Some(40_000));
    }
    let (_, off) = game.model.off().expect("two per cent of half an hour");
    assert!((10_000..60_000).contains(&off), "{off}");
}

#[test]
fn a_wrong_second_period_is_seen_when_it_comes() {
    let mut game = Game::new("2/60:600", "2/60:1800", Habit::AfterPress, 11);
    game.clock.adds = Adds::AtCount;
    for _ in 0..6 {
        game.turn(Some(5_000));
    }
    let (_, _, added) = game.model.wrong_period.expect("600 instead of 1800");
    assert!(added.abs_diff(600_000) < 5_000, "{added}");
}

#[test]
fn presses_that_no_message_told_are_not_held_against_the_clock() {
    for seed in 0..200 {
        let mut game = Game::new("180+2", "180+2", Habit::AfterPress, seed + 1);
        for ply in 0..40 {
            if ply % 7 == 6 {
                game.clock.press(&mut game.dice);
                game.clock.pass(150, &mut game.dice);
                game.clock.press(&mut game.dice);
                game.clock.readings();
            }
            if !game.turn(None) {
                break;
            }
            assert_eq!(complaint(&game.model), None, "seed {seed} ply {ply}");
        }
    }
}

#[test]
fn nonsense_is_survived() {
    let told = control("5400+30");
    let mut dice = Dice::new(4);
    let mut model = ClockModel::default();
    for _ in 0..50_000 {
        let big = [0, 1, 999, 5_400_000, u64::MAX][usize::try_from(dice.below(5)).expect("small")];
        let running = [None, Some(Side::White), Some(Side::Black)];
        let reading = protocol::ClockReading {
            time: BySide {
                white: big,
                black: dice.below(7_000_000),
            },
            running: running[usize::try_from(dice.below(3)).expect("small")],
            turn: None,
            flag: BySide::default(),
            bonus_sign: BySide::default(),
            battery_low: dice.chance(10),
        };
        let at = i64::try_from(dice.below(1_000_000_000)).expect("small");
        model.read(&reading, protocol::Timestamp(at), &told);
    }
    let text = serde_json::to_string(&model).expect("json");
    assert!(text.len() < 8_192, "bounded: {}", text.len());
}

#[test]
fn a_clock_tried_out_before_the_game_and_set_anew_raises_nothing() {
    let mut game = Game::new("5400+30", "5400+30", Habit::AfterPress, 13);
    game.turn(Some(3_000));
    game.turn(Some(2_000));
    game.clock.stop(&mut game.dice);
    for side in Side::BOTH {
        game.clock.pass(4_000, &mut game.dice);
        game.clock.set(side, 5_500_000);
        game.clock.tell(&mut game.dice, true);
    }
    feed(&mut game.model, &mut game.clock, &game.told);
    assert_eq!(complaint(&game.model), None);
    assert!(
        !is_start_right(&game.model, &game.told),
        "and it is looked at again"
    );
}
