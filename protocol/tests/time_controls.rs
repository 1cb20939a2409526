//! The whole grammar of time controls: whatever can be written is read back as it was, and no text does harm.

use proptest::prelude::*;
use protocol::{Bonus, BySide, Period, SideControl, Speed, TimeControl};

fn bonus() -> impl Strategy<Value = Bonus> {
    prop_oneof![
        Just(Bonus::None),
        Just(Bonus::Sandclock),
        (1..3600_u32).prop_map(Bonus::Increment),
        (1..3600_u32).prop_map(Bonus::Delay),
        (1..3600_u32).prop_map(Bonus::Bronstein),
    ]
}

fn period(moves: impl Strategy<Value = Option<u32>>) -> impl Strategy<Value = Period> {
    (moves, 1..100_000_u32, bonus()).prop_map(|(moves, seconds, bonus)| Period {
        moves,
        seconds,
        bonus,
    })
}

/// Periods with moves, and a last one with or without.
fn side() -> impl Strategy<Value = SideControl> {
    let counted = prop::collection::vec(period((1..200_u32).prop_map(Some)), 0..5);
    let last = period(prop::option::of(1..200_u32));
    prop_oneof![
        1 => Just(SideControl::Unknown),
        1 => Just(SideControl::Unlimited),
        8 => (counted, last).prop_map(|(mut periods, last)| {
            periods.push(last);
            SideControl::Periods(periods)
        }),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(white in side(), black in side(), even in any::<bool>()) {
        let black = if even { white.clone() } else { black };
        let control = TimeControl { sides: BySide { white, black } };
        let text = control.to_string();
        prop_assert_eq!(text.parse::<TimeControl>().expect("our own"), control);
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_cure(text in "[0-9/+dbWB*:?. -]{0,40}|.{0,60}") {
        match text.parse::<TimeControl>() {
            Ok(control) => {
                let again: TimeControl = control.to_string().parse().expect("our own");
                prop_assert_eq!(again, control);
            }
            Err(error) => prop_assert!(error.to_string().contains("help: "), "{}", error),
        }
    }

    #[test]
    fn more_moves_never_take_less_time(control in side(), moves in 1..400_u32) {
        let fewer = control.seconds_for(moves);
        prop_assert!(control.seconds_for(moves + 1) >= fewer);
        prop_assert_eq!(fewer.is_some(), !control.periods().is_empty());
    }
}

#[test]
fn art_a_1_and_b_1_sixty_moves_decide_the_kind_of_play() {
    let rows = [
        ("600", Some(Speed::Blitz)),
        ("540+1", Some(Speed::Blitz)),
        ("541+1", Some(Speed::Rapid)),
        ("3599", Some(Speed::Rapid)),
        ("3000+10", Some(Speed::Standard)),
        ("2999+10", Some(Speed::Rapid)),
        ("40/1200:600", Some(Speed::Rapid)),
        ("40/1800:1800", Some(Speed::Standard)),
        ("W300 B240", Some(Speed::Blitz)),
        ("W600 B601", Some(Speed::Rapid)),
        ("W? B-", None),
    ];
    for (text, speed) in rows {
        let control: TimeControl = text.parse().expect(text);
        assert_eq!(control.speed(), speed, "{text}");
    }
}
