//! Two incidents at one table: each alert keeps its own half-move, and a ruling answers the one it was made for.

use protocol::{Answer, Fact, Judgement, OrderBody, Side, TableId};

use super::hall::Hall;

/// White pressed without a move at the start; later Black completed an illegal move.
fn two_incidents() -> Hall {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
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

fn ruling(offender: Side, ply: Option<u32>) -> OrderBody {
    OrderBody::IllegalMove {
        table: TableId(1),
        offender,
        judgement: Judgement::First,
        ply,
        take_increment: false,
    }
}

#[test]
fn a_ruling_leaves_the_other_incident_open() {
    let mut hall = two_incidents();
    let mut open = hall.open();
    open.sort();
    assert_eq!(open, ["illegal-move", "press-without-move"]);
    hall.done(ruling(Side::Black, Some(4)));
    assert_eq!(hall.open(), ["press-without-move"]);
    let desk = hall.desk(1);
    assert_eq!((desk.illegal_moves.white, desk.illegal_moves.black), (0, 1));
    assert_eq!(hall.alert("illegal-move").ply, Some(4));
    let pressed = hall.alert("press-without-move").ply;
    hall.done(ruling(Side::White, pressed));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_half_move_without_an_incident_is_entered_by_the_arbiter() {
    let mut hall = two_incidents();
    match hall.preview(ruling(Side::Black, Some(2))) {
        Answer::Preview { preview, .. } => {
            assert!(preview.lines[0].contains("Nothing was seen"), "{preview:?}");
        }
        answer => panic!("{answer:?}"),
    }
}
