//! Alerts of the clock and of the record by the Laws: what raises each, what does not, what ends it.

use protocol::{
    AlertLife, BySide, EditionId, Fact, GameResult, OrderBody, ResultHow, Side, TableId, Urgency,
};

use super::hall::{Hall, reading, round};
use crate::rounds::RoundSetup;

const KNIGHTS: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// A game played with its clock: each think in seconds, the clock giving `gives` seconds with each press.
struct Clocked {
    hall: Hall,
    time: BySide<u64>,
    gives: u64,
}

impl Clocked {
    fn new(setup: RoundSetup, time: u64, gives: u64) -> Clocked {
        let mut hall = Hall::with_round(setup);
        hall.clock(1, time, time, None);
        hall.pass(1_000);
        hall.clock(1, time, time, Some(Side::White));
        Clocked {
            hall,
            time: BySide {
                white: time,
                black: time,
            },
            gives,
        }
    }

    fn turn(&mut self, side: Side, seconds: u64, uci: &str) {
        let own = self.time.get_mut(side);
        *own = *own - seconds + self.gives;
        let ply = u32::try_from(self.hall.desk(1).record.len()).expect("small") + 1;
        self.hall.now = self.hall.now.after(seconds * 1_000);
        self.hall.made(1, ply, uci);
        self.hall
            .clock(1, self.time.white, self.time.black, Some(side.other()));
        self.hall.completed(1, ply);
    }

    /// A turn of which everything is told but the clock.
    fn turn_unread(&mut self, side: Side, seconds: u64, ply: u32) {
        let own = self.time.get_mut(side);
        *own = *own - seconds + self.gives;
        self.hall.now = self.hall.now.after(seconds * 1_000);
        let uci = KNIGHTS[(ply as usize + 3) % 4];
        self.hall.made(1, ply, uci);
        let shown = reading(self.time.white, self.time.black, Some(side.other()));
        self.hall.envelope(1, Fact::Reading(shown));
        self.hall.completed(1, ply);
    }

    fn turns(&mut self, count: usize, seconds: u64) {
        for n in 0..count {
            let side = if n % 2 == 0 { Side::White } else { Side::Black };
            self.turn(side, seconds, KNIGHTS[n % 4]);
        }
    }
}

#[test]
fn art_6_10_2_a_clock_without_increment_is_found_with_the_second_press() {
    let mut game = Clocked::new(round(1, "5400+30"), 5400, 0);
    game.turns(2, 20);
    let alert = game.hall.alert("increment-wrong");
    assert_eq!(alert.urgency, Urgency::Call);
    assert_eq!(alert.article, "6.10.2");
    assert_eq!(
        alert.headline,
        "no increment; White: expected 1:30:10, shows 1:29:40"
    );
    assert!(
        alert.proposal[1].contains("+ 0:00:30 = 1:30:10"),
        "{alert:?}"
    );
    game.hall.clock(1, 5380, 5380, None);
    game.hall.pass(5_000);
    game.hall.clock(1, 5410, 5410, None);
    assert!(
        !game.hall.open().contains(&"increment-wrong".to_owned()),
        "the arbiter set it: {:?}",
        game.hall.open()
    );
}

#[test]
fn art_6_10_2_a_clock_set_right_raises_nothing() {
    let mut game = Clocked::new(round(1, "5400+30"), 5400, 30);
    game.turns(7, 20);
    assert!(game.hall.open().is_empty(), "{:?}", game.hall.open());
}

#[test]
fn art_6_10_readings_that_were_given_up_are_not_held_against_the_clock() {
    for (heard, lost) in (0..=3).flat_map(|heard| (1..=4).map(move |lost| (heard, lost))) {
        let mut game = Clocked::new(round(1, "5400+30"), 5400, 30);
        game.turns(heard as usize, 20);
        let side = |ply: u32| {
            if ply.is_multiple_of(2) {
                Side::Black
            } else {
                Side::White
            }
        };
        for ply in heard + 1..=heard + lost {
            game.turn_unread(side(ply), 7, ply);
        }
        game.hall.pass(30_000);
        let next = heard + lost + 1;
        *game.time.get_mut(side(next)) -= 30;
        for ply in next..next + 8 {
            game.turn(side(ply), 20, KNIGHTS[((ply + 3) % 4) as usize]);
        }
        let open = game.hall.open();
        let held = |code: &String| code.starts_with("clock-") || code == "increment-wrong";
        assert!(
            !open.iter().any(held),
            "{lost} readings lost after {heard}: {open:?}"
        );
    }
}

#[test]
fn art_6_10_2_wrong_times_before_the_game() {
    let rows = [
        (5400, 5400, None),
        (5430, 5430, None),
        (7200, 7200, Some("2:00:00")),
        (5400, 5340, Some("1:29:00")),
    ];
    for (white, black, words) in rows {
        let mut hall = Hall::standard();
        hall.clock(1, white, black, None);
        hall.pass(30_000);
        assert!(hall.open().is_empty(), "the clocks are being set");
        hall.clock(1, white, black, Some(Side::White));
        let open = hall.open();
        assert_eq!(
            open.contains(&"time-control-wrong".to_owned()),
            words.is_some(),
            "{open:?}"
        );
        if let Some(words) = words {
            let headline = hall.alert("time-control-wrong").headline;
            assert!(headline.contains(words), "{headline}");
        }
    }
}

#[test]
fn art_6_10_a_clock_that_jumps() {
    let mut game = Clocked::new(round(1, "5400+30"), 5400, 30);
    game.turns(4, 20);
    game.hall.pass(1_000);
    game.hall.clock(1, 4000, game.time.black, Some(Side::White));
    game.hall.pass(1_000);
    assert!(game.hall.open().is_empty(), "it may settle");
    game.hall.pass(4_000);
    assert_eq!(game.hall.open(), ["clock-jumped"]);
    let alert = game.hall.alert("clock-jumped");
    assert!(alert.because[0].contains("White 1:06:40"), "{alert:?}");
}

#[test]
fn art_9_2_a_threefold_is_silent_and_passes_a_fivefold_ends_the_game() {
    let rows = [
        (EditionId::Fide2023, true),
        (EditionId::Fide2014, true),
        (EditionId::Fide2001, false),
    ];
    for (edition, ends) in rows {
        let mut hall = Hall::with_round(RoundSetup {
            edition,
            ..round(1, "5400+30")
        });
        hall.play(1, &KNIGHTS);
        assert!(hall.open().is_empty(), "{edition} twice");
        hall.play(1, &KNIGHTS);
        assert_eq!(hall.open(), ["threefold-claimable"]);
        let alert = hall.alert("threefold-claimable");
        assert_eq!(alert.urgency, Urgency::Silent);
        assert!(alert.because[1].contains("White has the move"), "{alert:?}");
        hall.play(1, &["e2e4"]);
        assert!(hall.open().is_empty(), "{edition} the moment has passed");

        let mut hall = Hall::with_round(RoundSetup {
            edition,
            ..round(1, "5400+30")
        });
        for _ in 0..4 {
            hall.play(1, &KNIGHTS);
        }
        let open = hall.open();
        assert_eq!(open.contains(&"fivefold".to_owned()), ends, "{open:?}");
        if ends {
            assert_eq!(hall.alert("fivefold").urgency, Urgency::Call);
            hall.order(drawn(ResultHow::Fivefold));
            assert!(hall.open().is_empty(), "{:?}", hall.open());
        }
    }
}

fn drawn(how: ResultHow) -> OrderBody {
    OrderBody::Result {
        table: TableId(1),
        result: GameResult::Draw,
        how,
        confirm: true,
        signed: BySide::default(),
    }
}

#[test]
fn art_9_3_fifty_and_seventy_five_moves() {
    let rows = [
        (98, "", ""),
        (99, "fifty-claimable", "SILENT"),
        (149, "seventy-five", "CALL"),
    ];
    for (quiet, code, urgency) in rows {
        let mut setup = round(1, "5400+30");
        let fen = format!("8/4p3/4k3/8/8/4K3/8/R7 w - - {quiet} 120");
        setup.tables[0].start_fen = Some(fen);
        let mut hall = Hall::with_round(setup);
        hall.play(1, &["a1a2"]);
        let want: Vec<&str> = [code].into_iter().filter(|c| !c.is_empty()).collect();
        assert_eq!(hall.open(), want, "{quiet}");
        if !code.is_empty() {
            assert_eq!(hall.alert(code).urgency.word(), urgency);
        }
    }
}

#[test]
fn art_5_2_3_a_draw_before_both_have_moved() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    hall.order(drawn(ResultHow::Agreed));
    assert_eq!(hall.open(), ["early-draw"]);
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
    hall.order(drawn(ResultHow::Agreed));
    assert!(hall.open().is_empty());
}

#[test]
fn art_6_7_1_no_move_at_the_default_time() {
    let rows: [(&[&str], Option<&str>); 3] = [
        (&[], Some("White")),
        (&["e2e4"], Some("Black")),
        (&["e2e4", "e7e5"], None),
    ];
    for (moves, absent) in rows {
        let mut setup = round(1, "5400+30");
        setup.default_ms = 600_000;
        let mut hall = Hall::with_round(setup);
        hall.order(OrderBody::StartRound { round: 5 });
        hall.play(1, moves);
        hall.pass(590_000);
        assert!(!hall.open().contains(&"default-time-reached".to_owned()));
        hall.pass(20_000);
        let open = hall.open();
        let raised = open.contains(&"default-time-reached".to_owned());
        assert_eq!(raised, absent.is_some(), "{moves:?} {open:?}");
        if let Some(side) = absent {
            let alert = hall.alert("default-time-reached");
            assert!(alert.headline.contains(side), "{alert:?}");
            hall.play(1, &["e2e4", "e7e5"][moves.len()..]);
            let life = hall.alert("default-time-reached").life;
            assert!(matches!(life, AlertLife::Closed { .. }), "{life:?}");
        }
    }
}

#[test]
fn art_8_4_short_of_time_without_half_a_minute_a_move() {
    for (control, gives, scramble) in [("40/360:3600", 0, true), ("360+30", 30, false)] {
        let mut setup = round(1, control);
        setup.regime = protocol::Regime::default();
        let mut game = Clocked::new(setup, 360, gives);
        game.turns(2, 50);
        assert!(game.hall.open().is_empty(), "{:?}", game.hall.open());
        let desk = game.hall.desk(1);
        let expected = desk
            .short_of_time_at
            .map(|at| at.since(desk.clock.expect("a clock").at));
        assert_eq!(expected, scramble.then_some(20_000), "310 s and even use");
        game.turn(Side::White, 50, "e2e4");
        let open = game.hall.open();
        assert_eq!(open.contains(&"scramble".to_owned()), scramble, "{open:?}");
        if scramble {
            let alert = game.hall.alert("scramble");
            assert_eq!(alert.urgency, Urgency::Silent);
            let words = &alert.because[0];
            assert!(
                words.contains("39 moves"),
                "the second one is not completed: {words}"
            );
        }
    }
}

#[test]
fn art_6_2_the_wrong_clock_runs() {
    let mut game = Clocked::new(round(1, "5400+30"), 5400, 30);
    game.turn(Side::White, 10, "e2e4");
    for second in 1..20 {
        game.hall.pass(1_000);
        let white = game.time.white - second;
        game.hall.clock(1, white, 5400, Some(Side::White));
    }
    let open = game.hall.open();
    assert!(open.contains(&"wrong-clock-running".to_owned()), "{open:?}");
    assert_eq!(
        game.hall.alert("wrong-clock-running").urgency,
        Urgency::Silent
    );
    game.hall.pass(1_000);
    game.hall.clock(1, 5391, 5400, Some(Side::Black));
    let open = game.hall.open();
    assert!(
        !open.contains(&"wrong-clock-running".to_owned()),
        "{open:?}"
    );
}

#[test]
fn art_6_3_a_flag_with_the_moves_completed_is_no_loss() {
    let mut game = Clocked::new(round(1, "1/60+30:1800+30"), 60, 30);
    game.turns(2, 20);
    let mut reading = super::hall::reading(1800, 70, Some(Side::White));
    reading.flag.white = protocol::Flag::Shown;
    game.hall.now = game.hall.now.after(70_000);
    game.hall.fact(1, protocol::Fact::Reading(reading));
    assert!(
        !game.hall.open().contains(&"flag-fallen".to_owned()),
        "{:?}",
        game.hall.open()
    );
}

#[test]
fn art_5_2_2_a_dead_position_ends_the_game_and_more_men_do_not() {
    for (man, dead) in [("p", true), ("P", false)] {
        let mut setup = round(1, "5400+30");
        setup.tables[0].start_fen = Some(format!("4k3/{man}7/8/8/8/8/3p4/4K3 w - - 0 1"));
        if dead {
            setup.tables[0].start_fen = Some("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1".to_owned());
        }
        let mut hall = Hall::with_round(setup);
        hall.play(1, &["e1d2"]);
        assert_eq!(hall.open() == ["dead-position"], dead, "{:?}", hall.open());
        if dead {
            let alert = hall.alert("dead-position");
            assert_eq!(
                (alert.urgency, alert.article.as_str()),
                (Urgency::Call, "5.2.2")
            );
            hall.order(drawn(ResultHow::DeadPosition));
            assert!(hall.open().is_empty(), "{:?}", hall.open());
        }
    }
}

#[test]
fn art_5_2_2_a_closed_position_ends_the_game_once_it_was_looked_into() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("8/8/4k3/p1p1p1p1/P1P1P1P1/4Kr2/8/8 w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.find_out();
    hall.play(1, &["e3f3"]);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    hall.find_out();
    assert_eq!(hall.open(), ["dead-position"]);
    let standing = hall.desk(1).standing.expect("a proposed result");
    assert_eq!(standing.how, ResultHow::DeadPosition);
    assert_eq!(standing.result, protocol::GameResult::Draw);
    let mut again = crate::venue::Venue::new(super::hall::config());
    hall.journal.iter().for_each(|event| again.replay(event));
    assert_eq!(again.state(), hall.venue.state(), "no search in a replay");
}

#[test]
fn art_6_9_the_answer_of_the_background_stands_in_the_call() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("8/6k1/4p3/p1p1P1p1/P1P3P1/4K3/8/8 w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 60, 60, Some(Side::White));
    hall.play(1, &["e3e4"]);
    let nobody = crate::laws::MateVerdict::Cannot("nobody can, it was found".to_owned());
    let asked = hall.questions.pop().expect("a question");
    hall.input(crate::venue::Input::Found(Box::new(crate::venue::Found {
        table: asked.table,
        game: asked.game,
        position: asked.position,
        mates: protocol::BySide {
            white: nobody,
            black: crate::laws::MateVerdict::Can("Black can".to_owned()),
        },
    })));
    let mut reading = super::hall::reading(60, 0, Some(Side::Black));
    reading.flag.black = protocol::Flag::Shown;
    hall.fact(1, protocol::Fact::Reading(reading));
    let alert = hall.alert("flag-fallen");
    assert_eq!(alert.because[0], "nobody can, it was found");
    assert!(alert.proposal[0].contains("1/2"), "{:?}", alert.proposal);
}

#[test]
fn art_6_9_a_move_made_and_not_completed_that_changes_the_answer_is_told() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("4k3/8/8/8/8/8/3p3R/4K3 w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 60, 60, Some(Side::White));
    hall.made(1, 1, "h2d2");
    hall.find_out();
    let mut reading = super::hall::reading(0, 60, Some(Side::White));
    reading.flag.white = protocol::Flag::Shown;
    hall.fact(1, protocol::Fact::Reading(reading));
    let alert = hall.alert("flag-fallen");
    assert_eq!(alert.because[0], "Black has a bare king");
    let told = alert
        .because
        .iter()
        .any(|line| line.contains("before it: Black can mate"));
    assert!(told, "{:?}", alert.because);
}

#[test]
fn art_a_5_4_an_illegal_position_that_stands_is_drawn_after_the_next_move() {
    for (control, drawn) in [("180+2", true), ("5400+30", false)] {
        let mut setup = round(1, control);
        setup.tables[0].start_fen = Some("8/4P2k/8/8/8/8/8/4K3 w - - 0 1".to_owned());
        let mut hall = Hall::with_round(setup);
        hall.irregular(1, 1, Side::White, "4P3/7k/8/8/8/8/8/4K3 b - - 0 1", "e8");
        hall.completed(1, 1);
        let open = hall.open();
        assert!(
            !open.contains(&"illegal-position-stands".to_owned()),
            "{open:?}"
        );
        hall.irregular(1, 2, Side::Black, "4P3/8/6k1/8/8/8/8/4K3 w - - 1 2", "Kg6");
        hall.completed(1, 2);
        let open = hall.open();
        let stands = open.contains(&"illegal-position-stands".to_owned());
        assert_eq!(stands, drawn, "{control} {open:?}");
    }
}

#[test]
fn art_8_7_the_array_is_set_up_again_without_a_result() {
    let again = || protocol::Fact::SetUp {
        board: protocol::Placement::default(),
        correct: true,
        squares: Vec::new(),
        rotated: false,
    };
    let mut hall = Hall::standard();
    hall.fact(1, again());
    assert!(hall.open().is_empty(), "before the game");
    hall.play(1, &["e2e4", "e7e5", "g1f3"]);
    hall.fact(1, again());
    assert_eq!(hall.open(), ["result-missing"]);
    hall.order(drawn(ResultHow::Agreed));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}
