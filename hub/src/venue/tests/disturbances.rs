//! Orders that concern many tables at once, or two arbiters: time after a disturbance, captains who rule together, the list before a round.

use protocol::{Answer, BySide, GameResult, Order, OrderBody, ResultHow, Role, Side, TableId};

use super::hall::{Hall, round};

fn refused(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Refused { code, .. } => Some(code),
        _ => None,
    }
}

fn preview(answer: Answer) -> protocol::Preview {
    match answer {
        Answer::Preview { preview, .. } => preview,
        other => panic!("{other:?}"),
    }
}

/// Three tables in play; the clock of the third runs.
fn hall() -> Hall {
    let mut hall = Hall::with_round(round(4, "5400+30"));
    for table in 1..=3 {
        hall.clock(table, 5400, 5400, Some(Side::White));
        hall.play(table, &["e2e4", "e7e5"]);
        let running = (table == 3).then_some(Side::White);
        hall.clock(table, 5000, 4000, running);
    }
    hall
}

fn add(tables: &[u16], ms: u64) -> OrderBody {
    OrderBody::AddTime {
        tables: tables.iter().map(|t| TableId(*t)).collect(),
        ms,
    }
}

#[test]
fn art_12_5_the_same_time_for_every_game_in_play_with_a_sheet_of_what_to_set() {
    let mut hall = hall();
    let before = hall.venue.state().clone();
    let sheet = preview(hall.preview(add(&[], 300_000)));
    assert_eq!(*hall.venue.state(), before, "a preview changes nothing");
    assert_eq!(sheet.article, "12.5");
    assert_eq!(sheet.lines.len(), 3, "{sheet:?}");
    assert!(
        sheet.lines[0].starts_with("table 1: White: 1:23:20 +5:00 = 1:28:20"),
        "{sheet:?}"
    );
    assert!(
        sheet
            .then
            .iter()
            .any(|l| l == "clocks still run at tables 3"),
        "{sheet:?}"
    );
    hall.done(add(&[], 300_000));
    let tables = &hall.venue.state().tables;
    let due = |n: u16| {
        tables[&TableId(n)]
            .game
            .clock
            .due
            .map(|d| (d.due.white, d.due.black))
    };
    assert_eq!(due(1), Some((5_300_000, 4_300_000)));
    assert_eq!(due(4), None, "no game is in play there");
    let ruling = tables[&TableId(2)]
        .game
        .rulings
        .last()
        .expect("a ruling")
        .clone();
    assert_eq!(ruling.article, "12.5");
    hall.done(OrderBody::Counter {
        ruling: ruling.number,
    });
}

#[test]
fn art_12_5_tables_that_cannot_have_it_are_refused_and_none_gets_it() {
    let mut hall = hall();
    let before = hall.venue.state().clone();
    let rows = [
        (add(&[1, 4], 60_000), "H37"),
        (add(&[1, 99], 60_000), "H32"),
        (add(&[1], 0), "H39"),
        (add(&[1], u64::MAX), "H39"),
        (add(&[1], 90_000_000), "H39"),
    ];
    for (order, code) in rows {
        let answer = hall.order(order.clone());
        assert_eq!(refused(&answer), Some(code), "{order:?} {answer:?}");
        assert_eq!(*hall.venue.state(), before, "{order:?}");
    }
    hall.done(add(&[2, 2], 60_000));
    let rulings = &hall.venue.state().tables[&TableId(2)].game.rulings;
    assert_eq!(rulings.len(), 1, "a table named twice gets it once");
}

#[test]
fn captains_who_are_the_arbiters_rule_together_or_say_why_not() {
    let result = OrderBody::Result {
        table: TableId(1),
        result: GameResult::Draw,
        how: ResultHow::Agreed,
        confirm: true,
        signed: BySide::default(),
    };
    let rows = [
        (false, "MK", "", false, None),
        (true, "MK", "", false, Some("H39")),
        (true, "MK+", "", false, Some("H39")),
        (true, "MK+AB", "", false, None),
        (true, "MK", "AB has left, no deputy named", false, None),
        (true, "MK", "", true, None),
    ];
    for (joint, by, note, asked, code) in rows {
        let mut setup = round(1, "5400+30");
        setup.regulations.joint_arbiters = joint;
        let mut hall = Hall::with_round(setup);
        hall.play(1, &["e2e4", "e7e5"]);
        let order = Order {
            client: "tui-1".parse().expect("id"),
            id: 1,
            by: by.to_owned(),
            preview: asked,
            basis: None,
            note: note.to_owned(),
            body: result.clone(),
        };
        let answer = hall.send(Role::Arbiter, order);
        assert_eq!(refused(&answer), code, "{joint} {by} {note:?} {answer:?}");
    }
}

#[test]
fn the_list_before_a_round_names_what_is_amiss_and_what_is_done_by_hand() {
    let start = OrderBody::StartRound { round: 5 };
    let mut setup = round(3, "5400+30");
    setup.tables[2].device = None;
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 5400, 5400, None);
    hall.clock(2, 5400, 7200, None);
    let list = preview(hall.preview(start.clone())).lines;
    assert!(
        list.contains(&"without a board: tables 3".to_owned()),
        "{list:?}"
    );
    assert!(
        list.contains(&"clock not set to the time control: tables 2".to_owned()),
        "{list:?}"
    );
    assert!(
        list.iter().any(|l| l.contains("telephones off")),
        "{list:?}"
    );
    let mut well = Hall::with_round(round(1, "5400+30"));
    well.clock(1, 5400, 5400, None);
    let list = preview(well.preview(start)).lines;
    assert!(list[0].contains("nothing is amiss"), "{list:?}");
}

#[test]
fn a_board_that_is_turned_round_in_mid_game_is_named_so() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    hall.fact(
        1,
        protocol::Fact::Unexplained {
            squares: [
                shakmaty::Square::A1,
                shakmaty::Square::E4,
                shakmaty::Square::D5,
            ]
            .map(protocol::SquareName)
            .to_vec(),
            board: "RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr"
                .parse()
                .expect("a placement"),
        },
    );
    hall.pass(30_000);
    let alert = hall.alert("position-mismatch");
    assert_eq!(alert.headline, "board turned round");
    assert!(alert.proposal[0].contains("Turn the board round"));
}
