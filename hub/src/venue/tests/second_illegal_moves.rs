//! Which illegal moves are still ruled, and of which position it is asked whether the opponent can mate (5.1.1, 7.5.5).

use protocol::{Answer, Fact, GameResult, Judgement, OrderBody, Side, TableId};

use super::hall::Hall;
use super::irregularities::illegal;

/// Black stands mated by a queen that came to f7 in no legal way.
const MATED: &str = "rnbqkbnr/pppp1Qpp/8/4p3/2B5/2N5/PPPP1PPP/R1B1K1NR b KQkq - 1 2";

fn second_by_white() -> OrderBody {
    OrderBody::IllegalMove {
        table: TableId(1),
        offender: Side::White,
        judgement: Judgement::Second,
        incident: None,
        take_increment: false,
    }
}

#[test]
fn art_5_1_1_a_legal_mate_ends_the_game_before_an_illegal_move_is_ruled() {
    let rest = [
        "a7a6", "e2e3", "b7b6", "d1h5", "b8c6", "f1c4", "a6a5", "h5f7",
    ];
    // Half-moves played after the illegal one, and whether it can still be ruled.
    for (played, ruled) in [(7, true), (8, false)] {
        let mut hall = Hall::standard();
        illegal(&mut hall);
        hall.play(1, &rest[..played]);
        match hall.preview(second_by_white()) {
            Answer::Preview { preview, .. } => assert!(ruled && preview.ends_game, "{preview:?}"),
            Answer::Refused { why, .. } => {
                assert!(!ruled && why.contains("5.1.1"), "{played} {why}");
            }
            answer => panic!("{answer:?}"),
        }
    }
}

#[test]
fn art_7_5_5_whether_the_opponent_can_mate_is_asked_of_the_position_that_is_put_back() {
    let mut hall = Hall::standard();
    hall.play(1, &["b1c3", "e7e5"]);
    hall.find_out();
    hall.irregular(1, 3, Side::White, MATED, "Q?f7");
    hall.completed(1, 3);
    hall.find_out();
    let Answer::Preview { preview, .. } = hall.preview(second_by_white()) else {
        panic!("a preview");
    };
    assert!(preview.then[0].contains("0-1"), "{preview:?}");
}

#[test]
fn art_7_5_5_the_second_one_loses_unless_the_opponent_cannot_mate() {
    let mut hall = Hall::standard();
    for expected in [1, 2] {
        hall.fact(
            1,
            Fact::Notice {
                code: "PRESS_WITHOUT_MOVE".to_owned(),
                over: false,
                detail: String::new(),
            },
        );
        let alert = hall.alert("press-without-move");
        assert!(
            alert.proposal[0].contains(&format!("No. {expected} by White")),
            "{alert:?}"
        );
        let judgement = if expected == 1 {
            Judgement::First
        } else {
            Judgement::Second
        };
        hall.order(OrderBody::IllegalMove {
            table: TableId(1),
            offender: Side::White,
            judgement,
            incident: None,
            take_increment: false,
        });
        if expected == 1 {
            hall.play(1, &["e2e4", "e7e5"]);
            hall.pass(2_000);
        }
    }
    assert_eq!(hall.board(1).result, Some(GameResult::BlackWins));
}
