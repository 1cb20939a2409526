//! Every way in which a clock can be set wrong is found in the first moves in which it can be known.

use protocol::{Bonus, Side};

use super::properties::{Game, HABITS, complaint, control, feed};
use super::simulate::Dice;

const BONUSES: [&str; 12] = [
    "", "+1", "+2", "+3", "+5", "+10", "+30", "+60", "d5", "d30", "b5", "b10",
];

/// What a turn gains, milliseconds.
fn gain(bonus: Bonus, ms: i64) -> i64 {
    let seconds = i64::from(bonus.seconds()) * 1000;
    match bonus {
        Bonus::Increment(_) => seconds,
        Bonus::Delay(_) | Bonus::Bronstein(_) => seconds.min(ms),
        Bonus::None | Bonus::Sandclock => 0,
    }
}

fn bonus_of(text: &str) -> Bonus {
    control(text).side(Side::White).periods()[0].bonus
}

/// A difference that whole seconds and late messages cannot hide, milliseconds.
const PLAIN: i64 = 16_000;

/// What a delay gave in a turn is known no better than how long the turn took.
fn plain(told: &str) -> i64 {
    match bonus_of(told) {
        Bonus::Delay(_) | Bonus::Bronstein(_) => 2 * PLAIN,
        _ => PLAIN,
    }
}

#[test]
fn art_6_10_2_any_other_bonus_is_found_as_soon_as_it_makes_a_plain_difference() {
    let mut missed = Vec::new();
    let mut found = 0;
    for base in ["5400", "900", "300"] {
        for (told, actual) in pairs(base) {
            for seed in 0..4_u64 {
                let habit = HABITS[usize::try_from(seed).expect("small")];
                let mut game = Game::new(&actual, &told, habit, seed * 31 + 17);
                let mut turns = 0;
                let mut off = 0_i64;
                while off.abs() < plain(&told) && turns < 14 {
                    let ms = 2_100 + i64::try_from(game.dice.below(9_000)).expect("small");
                    game.turn(Some(ms));
                    off += gain(bonus_of(&told), ms) - gain(bonus_of(&actual), ms);
                    turns += 1;
                }
                if off.abs() < plain(&told) {
                    continue;
                }
                for _ in 0..8 {
                    game.turn(Some(3_000));
                }
                found += u32::from(game.model.wrong().is_some());
                if game.model.wrong().is_none() {
                    missed.push(format!(
                        "told {told} is {actual} {habit:?} seed {seed} after {turns}"
                    ));
                }
            }
        }
    }
    assert!(found > 1_000, "{found}");
    assert!(
        missed.is_empty(),
        "{} of {found}: {:#?}",
        missed.len(),
        &missed[..missed.len().min(40)]
    );
}

/// A control with a bonus, and the same with another one.
fn pairs(base: &str) -> Vec<(String, String)> {
    let of = |bonus: &str| format!("{base}{bonus}");
    let all = BONUSES
        .iter()
        .flat_map(|told| BONUSES.iter().map(move |actual| (told, actual)));
    all.filter(|(told, actual)| told != actual)
        .map(|(told, actual)| (of(told), of(actual)))
        .collect()
}

#[test]
fn art_6_10_2_a_wrong_bonus_in_the_second_period_is_found_in_its_first_moves() {
    let rows = [
        ("3/60+5:600+30", "3/60+5:600"),
        ("3/60:600+10", "3/60:600"),
        ("3/60:600", "3/60:600+30"),
        ("3/60+5:600+30", "3/60+5:600d30"),
    ];
    for (told, actual) in rows {
        for seed in 0..20 {
            let mut game = Game::new(actual, told, HABITS[0], seed + 3);
            let mut dice = Dice::new(seed);
            let mut in_second = 0;
            for _ in 0..90 {
                let ms = 9_000 + i64::try_from(dice.below(9_000)).expect("small");
                game.clock.pass(ms, &mut game.dice);
                game.clock.press(&mut game.dice);
                feed(&mut game.model, &mut game.clock, &game.told);
                in_second += u32::from(game.clock.is_in_second_period());
                if in_second == 10 {
                    break;
                }
            }
            assert_eq!(in_second, 10, "{actual}");
            assert!(
                game.model.wrong().is_some(),
                "told {told} is {actual} seed {seed}: {:?}",
                game.model
            );
        }
    }
}

#[test]
fn art_6_10_2_a_sandclock_and_a_clock_that_is_none() {
    let rows = [
        ("*300", "300"),
        ("*300", "300+2"),
        ("300", "*300"),
        ("300+2", "*300"),
        ("300d2", "*300"),
    ];
    for (told, actual) in rows {
        for seed in 0..40 {
            let mut game = Game::new(actual, told, HABITS[0], seed + 3);
            for _ in 0..10 {
                game.turn(Some(6_000));
            }
            let found = complaint(&game.model);
            assert!(
                found.is_some(),
                "told {told} is {actual} seed {seed}: {:?}",
                game.model
            );
        }
    }
}
