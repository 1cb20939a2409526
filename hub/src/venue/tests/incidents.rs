//! Two incidents at one table, each with its own half-move and its own ruling; and what a board is asked for from the desk.

use protocol::{Answer, Fact, Health, Incident, Judgement, OrderBody, Role, Side, TableId, Topic};

use super::hall::{Hall, device};

/// White pressed without a move at the start; later Black completed an illegal move.
fn two_incidents() -> Hall {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
    hall.pass(2_000);
    hall.fact(
        1,
        Fact::Notice {
            code: "PRESS_WITHOUT_MOVE".to_owned(),
            over: false,
            detail: String::new(),
        },
    );
    hall.play(1, &["g1f3"]);
    hall.irregular(
        1,
        4,
        Side::Black,
        "rnbqkbnr/pppp1ppp/8/8/8/4pN2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
        "e3",
    );
    hall.completed(1, 4);
    hall
}

fn ruling(offender: Side, code: &str, ply: Option<u32>) -> OrderBody {
    OrderBody::IllegalMove {
        table: TableId(1),
        offender,
        judgement: Judgement::First,
        incident: Some(Incident {
            code: code.to_owned(),
            ply: ply.unwrap_or(0),
        }),
        take_increment: false,
    }
}

#[test]
fn a_ruling_leaves_the_other_incident_open() {
    let mut hall = two_incidents();
    let mut open = hall.open();
    open.sort();
    assert_eq!(open, ["illegal-move", "press-without-move"]);
    hall.done(ruling(Side::Black, "illegal-move", Some(4)));
    assert_eq!(hall.open(), ["press-without-move"]);
    let desk = hall.desk(1);
    assert_eq!((desk.illegal_moves.white, desk.illegal_moves.black), (0, 1));
    assert_eq!(hall.alert("illegal-move").ply, Some(4));
    let pressed = hall.alert("press-without-move").ply;
    hall.done(ruling(Side::White, "press-without-move", pressed));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_half_move_without_an_incident_is_entered_by_the_arbiter() {
    let mut hall = two_incidents();
    match hall.preview(ruling(Side::Black, "illegal-move", Some(2))) {
        Answer::Preview { preview, .. } => {
            assert!(preview.lines[0].contains("Nothing was seen"), "{preview:?}");
        }
        answer => panic!("{answer:?}"),
    }
}

#[test]
fn a_board_is_asked_for_its_position_and_for_its_lamps_between_games() {
    let table = TableId(1);
    let read = OrderBody::ReadBoard { table };
    let blink = OrderBody::Blink { table };
    let refused = |answer: &Answer| match answer {
        Answer::Refused { code, why, .. } => Some((code.clone(), why.clone())),
        _ => None,
    };
    let mut hall = Hall::standard();
    hall.info(1, "b1", Health::default());
    let asked = |hall: &Hall| {
        let last = hall
            .said
            .iter()
            .rev()
            .find(|(t, _)| *t == Topic::Command(device(1)));
        last.map(|(_, payload)| String::from_utf8_lossy(payload).into_owned())
    };
    let answer = hall.order_as(Role::Technician, read, false, None);
    assert_eq!(refused(&answer), None, "{answer:?}");
    assert!(
        asked(&hall).is_some_and(|c| c.contains("\"read\"")),
        "{:?}",
        asked(&hall)
    );
    let (code, why) = refused(&hall.order(blink.clone())).expect("no lamps");
    assert!(code == "H36" && why.contains("no lamps"), "{why}");
    hall.play(1, &["e2e4"]);
    let (code, why) = refused(&hall.order(blink.clone())).expect("in play");
    assert!(code == "H37" && why.contains("in play"), "{why}");

    let mut hall = Hall::standard();
    hall.lamps = true;
    hall.info(1, "b1", Health::default());
    assert_eq!(refused(&hall.order(blink)), None);
    assert!(
        asked(&hall).is_some_and(|c| c.contains("\"blink\"")),
        "{:?}",
        asked(&hall)
    );
}
