//! Times in which nobody listened to the clock: an agent that started again, a clock or a board that was away.

use protocol::Side;

use super::properties::{CONTROLS, Game, HABITS, complaint, feed};

impl Game {
    /// So many turns that nobody hears of, each of `ms` or as the player likes; false when the time is used up.
    fn unheard(&mut self, turns: u64, ms: Option<i64>) -> bool {
        self.model.goes_unheard();
        (0..turns).all(|_| {
            let goes_on = self.turn_unheard(ms);
            self.clock.readings();
            goes_on
        })
    }

    fn turn_unheard(&mut self, ms: Option<i64>) -> bool {
        let heard = self.model.clone();
        let goes_on = self.turn(ms);
        self.model = heard;
        goes_on
    }

    /// The clock says how it stands, and play goes on.
    fn heard_again(&mut self) {
        self.clock.tell(&mut self.dice, true);
        feed(&mut self.model, &mut self.clock, &self.told);
    }
}

#[test]
fn art_6_10_turns_that_nobody_heard_are_no_jump() {
    let mut gaps = 0_u32;
    for seed in 0..2_000_u64 {
        let text = CONTROLS[usize::try_from(seed).expect("small") % CONTROLS.len()];
        let habit = HABITS[usize::try_from(seed / 16).expect("small") % HABITS.len()];
        let mut game = Game::new(text, text, habit, seed + 1);
        for ply in 0..120 {
            let goes_on = if ply % 9 == 8 {
                gaps += 1;
                let turns = game.dice.below(12);
                let quick = game.dice.chance(50).then_some(900);
                let goes_on = game.unheard(turns, quick);
                if goes_on {
                    game.heard_again();
                }
                goes_on
            } else {
                game.turn(None)
            };
            if !goes_on {
                break;
            }
            let found = complaint(&game.model);
            assert_eq!(found, None, "seed {seed} {text} {habit:?} ply {ply}");
        }
    }
    assert!(gaps > 5_000, "{gaps}");
}

#[test]
fn art_6_10_a_clock_that_was_set_while_nobody_heard_has_jumped() {
    // How long nobody listened, milliseconds, and what was added to a clock meanwhile.
    for (control, away, change) in [
        ("5400+30", 4_000, 300_000),
        ("5400+30", 4_000, -300_000),
        ("180+2", 3_000, 60_000),
        ("180+2", 3_000, -60_000),
        ("40/5400+30:1800+30", 5_000, 600_000),
        ("3600", 60_000, 120_000),
    ] {
        for turns in [0, 1, 2] {
            let mut game = Game::new(control, control, HABITS[0], 5);
            for _ in 0..6 {
                game.turn(Some(5_000));
            }
            game.unheard(turns, Some(away / 2));
            let side = game.clock.running.expect("it runs");
            let ms = game.clock.left(side) + change;
            game.clock.set(side, ms);
            game.clock.pass(500, &mut game.dice);
            game.heard_again();
            let jump = game.model.jump;
            assert!(jump.is_some(), "{control} {change} {turns}");
        }
    }
}

#[test]
fn a_period_that_was_added_while_nobody_heard_is_the_next_one() {
    for (told, wrong) in [("2/60:600", false), ("2/60:1800", true)] {
        let mut game = Game::new("2/60:600", told, HABITS[0], 11);
        game.turn(Some(4_000));
        game.turn(Some(4_000));
        game.unheard(2, Some(4_000));
        game.heard_again();
        let found = complaint(&game.model);
        assert_eq!(found.is_some(), wrong, "{told} {found:?}");
        let passed = Side::BOTH.map(|side| *game.model.period.get(side));
        assert!(wrong || passed.contains(&1), "{passed:?}");
    }
}
