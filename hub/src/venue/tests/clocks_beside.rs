//! A clock with a line of its own beside the board of a table.

use protocol::{DeviceId, Fact, OrderBody, Side, TableId};

use super::devices::well;
use super::hall::{Hall, device, reading, round};

#[test]
fn a_clock_with_a_line_of_its_own_stands_beside_the_board() {
    let clock = || DeviceId::of("diyclock", "unnamed-1");
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    let shows = |white, black| Fact::Reading(reading(white, black, Some(Side::Black)));
    hall.fact_of(&clock(), shows(5_000, 5_400));
    let bind = |device| OrderBody::Bind {
        table: TableId(1),
        device,
    };
    hall.done(bind(Some(clock())));
    assert_eq!(hall.desk(1).device, Some(device(1)), "the board stays");
    hall.fact_of(&clock(), shows(5_001, 5_399));
    hall.fact(1, shows(1_000, 2_000));
    hall.a_moment();
    let shown = hall.desk(1).clock.expect("a reading");
    assert_eq!(
        shown.time.white, 5_001_000,
        "the board's own is not believed"
    );
    hall.made(1, 2, "e7e5");
    assert_eq!(hall.desk(1).record.len(), 2, "the board is read as before");
    hall.done(bind(None));
    hall.fact_of(&clock(), shows(4_000, 5_399));
    hall.a_moment();
    assert_eq!(hall.desk(1).device, None);
    let shown = hall.desk(1).clock.expect("a reading");
    assert_eq!(shown.time.white, 5_001_000, "the clock is nobody's now");
}

#[test]
fn presses_of_a_clock_with_a_line_of_its_own_complete_the_moves_of_the_board() {
    use Side::{Black, White};
    /// What is heard, one after the other; who pressed, and the seconds of both after it.
    enum Heard {
        Made(&'static str),
        Press(Side, u64, u64),
    }
    use Heard::{Made, Press};
    // And the time of every half-move whose press was seen.
    let rows: [(&[Heard], &[Option<u64>]); 6] = [
        (&[Made("e2e4"), Press(White, 5_390, 5_400)], &[Some(5_390)]),
        (&[Press(White, 5_390, 5_400), Made("e2e4")], &[Some(5_390)]),
        (
            &[
                Made("e2e4"),
                Press(White, 5_390, 5_400),
                Press(Black, 5_390, 5_380),
                Made("e7e5"),
                Made("g1f3"),
            ],
            &[Some(5_390), Some(5_380), None],
        ),
        (
            &[
                Made("e2e4"),
                Press(White, 5_390, 5_400),
                Made("e7e5"),
                Press(Black, 5_390, 5_380),
                Press(White, 5_370, 5_380),
                Made("g1f3"),
            ],
            &[Some(5_390), Some(5_380), Some(5_370)],
        ),
        // Black's press started the clock; later he forgets to press.
        (
            &[Press(Black, 5_400, 5_400), Made("e2e4"), Made("e7e5")],
            &[None, None],
        ),
        (&[Made("e2e4"), Press(Black, 5_400, 5_400)], &[None]),
    ];
    for (number, (heard, expect)) in rows.into_iter().enumerate() {
        let clock = DeviceId::of("diyclock", "unnamed-1");
        let mut hall = Hall::standard();
        hall.fact_of(&clock, Fact::Reading(reading(5_400, 5_400, None)));
        hall.done(OrderBody::Bind {
            table: TableId(1),
            device: Some(clock.clone()),
        });
        let mut ply = 0;
        for fact in heard {
            hall.now = hall.now.after(900);
            match *fact {
                Made(uci) => {
                    ply += 1;
                    hall.made(1, ply, uci);
                }
                Press(by, white, black) => {
                    let clock_shows = reading(white, black, Some(by.other()));
                    let press = Fact::Press {
                        by,
                        clock: clock_shows,
                    };
                    hall.fact_of(&clock, press);
                }
            }
        }
        let record = hall.desk(1).record;
        let seen: Vec<_> = record
            .iter()
            .map(|ply| ply.clock_ms.filter(|_| ply.pressed))
            .collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|seconds| seconds.map(|s| s * 1000))
            .collect();
        assert_eq!(seen, expect, "row {number}");
    }
}

#[test]
fn a_board_and_a_clock_that_are_bound_one_after_the_other_stand_on_the_table() {
    let (board, clock) = (
        DeviceId::of("millennium", "unnamed-own"),
        DeviceId::of("diyclock", "unnamed-own"),
    );
    let mut hall = Hall::with_round(round(1, "5400+30"));
    hall.fact_of(&board, Fact::Health(well()));
    hall.fact_of(&clock, Fact::Health(well()));
    hall.fact_of(&clock, Fact::Reading(reading(5_400, 5_400, None)));
    for device in [&board, &clock] {
        hall.done(OrderBody::Bind {
            table: TableId(1),
            device: Some(device.clone()),
        });
    }
    hall.a_moment();
    assert_eq!(hall.desk(1).device, Some(board));
    let shown = hall.desk(1).clock;
    assert!(shown.is_none_or(|clock| clock.time.white == 5_400_000));
}
