//! The display before the game: base times of both players, exchanged times, a first increment shown or not.

use protocol::{BySide, Side, SideControl, TimeControl};

use super::ClockModel;
use super::setting::starts_right;

/// What the clock shows before the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// As the control wants it, or not to be told.
    Right,
    /// Each player has the other's time.
    Exchanged,
    /// Other times: what it shows and what it should show, milliseconds.
    Wrong {
        /// What it shows.
        shows: BySide<u64>,
        /// What it should show.
        due: BySide<u64>,
    },
}

/// Compares the display before the game with the control.
pub fn start_display(model: &ClockModel, control: &TimeControl) -> Start {
    let Some(initial) = model.initial else {
        return Start::Right;
    };
    let shows = initial.time;
    let (Some(white), Some(black)) = (first(control, Side::White), first(control, Side::Black))
    else {
        return Start::Right;
    };
    let right = starts_right(white, shows.white) && starts_right(black, shows.black);
    let exchanged = starts_right(white, shows.black) && starts_right(black, shows.white);
    match (right, exchanged) {
        (true, _) => Start::Right,
        (false, true) => Start::Exchanged,
        (false, false) => Start::Wrong {
            shows,
            due: BySide {
                white: u64::from(white.seconds) * 1000,
                black: u64::from(black.seconds) * 1000,
            },
        },
    }
}

/// Whether it is as it should be.
pub fn is_start_right(model: &ClockModel, control: &TimeControl) -> bool {
    start_display(model, control) == Start::Right
}

fn first(control: &TimeControl, side: Side) -> Option<&protocol::Period> {
    match control.side(side) {
        SideControl::Periods(periods) => periods.first(),
        SideControl::Unknown | SideControl::Unlimited => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shown;
    use super::*;
    use protocol::Timestamp;

    #[test]
    fn art_6_10_2_the_times_before_the_game() {
        let wrong = |white, black| Start::Wrong {
            shows: BySide { white, black },
            due: BySide {
                white: 5_400_000,
                black: 5_400_000,
            },
        };
        let rows = [
            ("5400+30", 5_400_000, 5_400_000, Start::Right),
            ("5400+30", 5_430_000, 5_430_000, Start::Right),
            ("5400+30", 7_200_000, 7_200_000, wrong(7_200_000, 7_200_000)),
            ("5400+30", 5_400_000, 5_340_000, wrong(5_400_000, 5_340_000)),
            ("W300 B240", 240_000, 300_000, Start::Exchanged),
            ("W300 B240", 300_000, 240_000, Start::Right),
            ("?", 1, 2, Start::Right),
        ];
        for (control, white, black, want) in rows {
            let model = ClockModel {
                initial: Some(Shown {
                    time: BySide { white, black },
                    running: None,
                    at: Timestamp(0),
                }),
                ..ClockModel::default()
            };
            let control = control.parse().expect("control");
            assert_eq!(start_display(&model, &control), want, "{white} {black}");
        }
    }
}
