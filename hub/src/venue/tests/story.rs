//! One game from its start to its result, with an illegal move and a ruling on the way.

use protocol::{
    Answer, Fact, GameResult, HallState, Judgement, OrderBody, ResultHow, ResultState, Side,
    TableId, TableState, Urgency,
};

use super::hall::Hall;

/// After 1. Nc3 e5 2. Nf3 e4: the knight from c3 stands on d3.
const ILLEGAL: &str = "rnbqkbnr/pppp1ppp/8/8/4p3/3N1N2/PPPPPPPP/R1BQKB1R b KQkq - 1 3";

#[test]
fn art_7_5_5_a_game_with_an_illegal_move_a_ruling_and_a_result() {
    let mut hall = Hall::standard();
    assert_eq!(hall.control(1).table, Some(TableId(1)));
    assert_eq!(hall.desk(1).state, TableState::Out, "nothing heard yet");

    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["b1c3", "e7e5", "g1f3", "e5e4"]);
    assert_eq!(hall.board(1).state, HallState::Playing);
    assert_eq!(hall.scalar(1, "last-move").as_deref(), Some("e4"));

    hall.irregular(1, 5, Side::White, ILLEGAL, "Nc3-d3");
    assert!(
        hall.open().is_empty(),
        "made, not completed: nothing counts"
    );
    let before = hall.board(1);
    hall.completed(1, 5);
    assert_eq!(hall.open(), ["illegal-move"]);
    let alert = hall.alert("illegal-move");
    assert_eq!(
        (alert.urgency, alert.article.as_str()),
        (Urgency::Call, "7.5.1")
    );
    assert!(
        alert.proposal[0].contains("Black +2:00 (7.5.5)"),
        "{alert:?}"
    );
    assert_eq!(alert.evidence.len(), 1);
    assert_eq!(
        hall.board(1).moves,
        before.moves,
        "nobody but the desk knows"
    );

    let order = OrderBody::IllegalMove {
        table: TableId(1),
        offender: Side::White,
        judgement: Judgement::First,
        incident: None,
        take_increment: true,
    };
    let Answer::Preview { basis, preview, .. } = hall.preview(order.clone()) else {
        panic!("a preview");
    };
    let set = preview.set_clock.expect("the clock is known");
    assert_eq!(set.black, 5_520_000, "two minutes more");
    assert_eq!(basis, hall.desk(1).revision);
    assert!(matches!(
        hall.order(order),
        Answer::Done {
            ruling: Some(_),
            ..
        }
    ));

    let desk = hall.desk(1);
    assert_eq!((desk.record.len(), desk.illegal_moves.white), (4, 1));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    let adopt = hall.control(1).adopt.expect("the board starts again");
    assert_eq!(adopt.line.len(), 4);

    hall.made(1, 5, "c3d5");
    assert_eq!(
        hall.desk(1).record.len(),
        4,
        "late facts do not undo a ruling"
    );
    let generation = hall.control(1).generation;
    hall.fact(1, Fact::Adopted { generation });
    hall.play(1, &["c3e4", "d7d5"]);
    assert_eq!(hall.desk(1).record.len(), 6);

    hall.clock(1, 5300, 5500, None);
    let resigned = OrderBody::Result {
        table: TableId(1),
        result: GameResult::WhiteWins,
        how: ResultHow::Resigned,
        confirm: false,
        signed: protocol::BySide::default(),
    };
    hall.order(resigned);
    assert_eq!(hall.board(1).result, None, "not confirmed, not shown");
    hall.order(OrderBody::Confirm { table: TableId(1) });
    assert_eq!(hall.board(1).result, Some(GameResult::WhiteWins));
    assert_eq!(hall.scalar(1, "result").as_deref(), Some("1-0"));
    let standing = hall.desk(1).standing.expect("a result");
    assert_eq!(standing.state, ResultState::Confirmed);
    assert!(hall.control(1).over);

    hall.made(1, 7, "f3e5");
    assert_eq!(
        hall.desk(1).record.len(),
        6,
        "nothing is recorded after the end"
    );
}

#[test]
fn art_5_1_1_checkmate_is_a_proposed_result_and_a_call_only_when_play_goes_on() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["f2f3", "e7e5", "g2g4"]);
    hall.made(1, 4, "d8h4");
    let standing = hall.desk(1).standing.expect("mate");
    assert_eq!(standing.how, ResultHow::Checkmate);
    assert_eq!(standing.state, ResultState::Proposed);
    assert_eq!(hall.board(1).result, None);
    assert_eq!(
        hall.board(1).completed_ply,
        4,
        "a mating move completes itself"
    );
    hall.pass(5_000);
    assert_eq!(hall.open(), ["result-proposed"], "it wants confirmation");
    hall.pass(6_000);
    assert_eq!(
        hall.open(),
        ["checkmate", "result-proposed"],
        "a clock still runs after ten seconds"
    );
    hall.clock(1, 5390, 5400, None);
    assert_eq!(hall.open(), ["result-proposed"], "the clock was stopped");
    hall.order(OrderBody::Confirm { table: TableId(1) });
    assert_eq!(hall.board(1).result, Some(GameResult::BlackWins));
}

#[test]
fn a_wrong_mate_is_withdrawn_when_the_board_says_otherwise() {
    let mut hall = Hall::standard();
    hall.play(1, &["f2f3", "e7e5", "g2g4"]);
    hall.made(1, 4, "d8h4");
    hall.fact(
        1,
        Fact::Revised {
            from_ply: 4,
            line: vec![protocol::Played::Legal("d8g5".to_owned())],
            certainty: 0.9,
        },
    );
    assert_eq!(hall.desk(1).standing, None);
    assert_eq!(hall.board(1).moves[3].san, "Qg5");
}
