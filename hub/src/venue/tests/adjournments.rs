//! Adjourned games: the envelope, the resumption, a sealed move that is none, players who are late (I; 2001 A).

use protocol::{
    Answer, BySide, EditionId, GameResult, Missing, OrderBody, ResultHow, Side, TableId, Timestamp,
    Urgency,
};

use super::hall::{Hall, NOON, round};
use crate::rounds::RoundSetup;

const T: TableId = TableId(1);
const HOUR: u64 = 3_600_000;

fn adjourn(sealed_by: Side) -> OrderBody {
    OrderBody::Adjourn {
        table: T,
        sealed_by,
        time_ms: None,
        draw_offer: Some(Side::White),
        resumes: Some(NOON.after(HOUR)),
        place: "hall 2".to_owned(),
    }
}

fn resume(missing: Missing, sealed: Option<&str>) -> OrderBody {
    OrderBody::Resume {
        table: T,
        missing,
        sealed: sealed.map(str::to_owned),
    }
}

fn refused(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Refused { code, .. } => Some(code),
        _ => None,
    }
}

/// After 1. e4 e5 2. Nf3 with Black to seal.
fn hall(edition: EditionId) -> Hall {
    let mut hall = Hall::with_round(RoundSetup {
        edition,
        default_ms: HOUR / 2,
        ..round(1, "5400+30")
    });
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5", "g1f3"]);
    hall.clock(1, 3000, 2000, None);
    hall
}

fn adjourned(edition: EditionId) -> Hall {
    let mut hall = hall(edition);
    hall.order(adjourn(Side::Black));
    hall
}

#[test]
fn art_i_2_the_envelope_is_kept_and_nothing_on_the_board_is_a_move() {
    let mut hall = hall(EditionId::Fide2023);
    let Answer::Preview { preview, .. } = hall.preview(adjourn(Side::Black)) else {
        panic!("a preview");
    };
    let envelope = preview.lines.join("\n");
    for words in [
        "White: White 1",
        "White 0:50:00, Black 0:33:20",
        "Sealed by Black, move 2",
        "before the adjournment: White",
        "hall 2",
    ] {
        assert!(envelope.contains(words), "{words}: {envelope}");
    }
    assert_eq!(
        refused(&hall.order(adjourn(Side::White))),
        Some("H37"),
        "Black has the move"
    );
    hall.order(adjourn(Side::Black));
    hall.pass(60_000);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    assert!(hall.control(1).over);
    hall.made(1, 4, "b8c6");
    assert_eq!(hall.desk(1).record.len(), 3);
    assert_eq!(
        refused(&hall.order(adjourn(Side::Black))),
        Some("H37"),
        "once"
    );
}

#[test]
fn an_adjournment_by_mistake_is_countered_and_the_board_begins_again() {
    let mut hall = hall(EditionId::Fide2023);
    let answer = hall.order(adjourn(Side::Black));
    let Answer::Done {
        ruling: Some(ruling),
        ..
    } = answer
    else {
        panic!("{answer:?}");
    };
    hall.order(OrderBody::Counter { ruling });
    let control = hall.control(1);
    assert!(!control.over);
    assert_eq!(control.adopt.map(|a| a.line.len()), Some(3));
    let generation = control.generation;
    hall.fact(1, protocol::Fact::Adopted { generation });
    hall.play(1, &["b8c6"]);
    assert_eq!(hall.desk(1).record.len(), 4);
}

#[test]
fn art_i_7_the_sealed_move_is_played_and_the_times_are_watched() {
    let mut hall = adjourned(EditionId::Fide2023);
    assert_eq!(
        refused(&hall.order(resume(Missing::Nobody, None))),
        Some("H39")
    );
    assert_eq!(
        refused(&hall.order(resume(Missing::Replier, Some("Nc6")))),
        Some("H37")
    );
    hall.order(resume(Missing::Nobody, Some("Nc6")));
    let desk = hall.desk(1);
    assert_eq!((desk.record.len(), desk.record[3].san.as_str()), (4, "Nc6"));
    assert!(!hall.control(1).over);
    let due = |h: &Hall| h.venue.state().tables[&T].game.clock.due.map(|d| d.due);
    assert_eq!(
        due(&hall),
        Some(BySide {
            white: 3_000_000,
            black: 2_000_000
        })
    );
    hall.clock(1, 3000, 2000, None);
    assert_eq!(due(&hall), None, "ticked off");
}

#[test]
fn art_i_8_a_sealed_move_that_is_none_calls_and_ends_with_the_result() {
    let rows = [
        ("Nc3", EditionId::Fide2023, "I.8", "Black loses"),
        ("", EditionId::Fide2001, "A.8", "Black loses"),
        ("", EditionId::Fide1929, "21", "Black loses"),
    ];
    for (text, edition, article, words) in rows {
        let mut hall = adjourned(edition);
        hall.order(resume(Missing::Nobody, Some(text)));
        let alert = hall.alert("sealed-move-void");
        assert_eq!(
            (alert.urgency, alert.article.as_str()),
            (Urgency::Call, article),
            "{edition}"
        );
        assert!(alert.proposal[0].contains(words), "{edition} {alert:?}");
        hall.order(OrderBody::Result {
            table: T,
            result: GameResult::WhiteWins,
            how: ResultHow::Arbiter,
            confirm: true,
            signed: BySide::default(),
        });
        assert!(hall.open().is_empty(), "{:?}", hall.open());
    }
    let mut hall = adjourned(EditionId::Fide2023);
    hall.order(resume(Missing::Nobody, Some("N?")));
    hall.order(resume(Missing::Nobody, Some("Nc6")));
    assert!(hall.open().is_empty(), "mended: {:?}", hall.open());
    assert_eq!(hall.desk(1).record.len(), 4);
}

#[test]
fn art_i_10_late_for_the_resumption_by_edition() {
    let rows = [(EditionId::Fide2023, HOUR / 2), (EditionId::Fide2001, HOUR)];
    for (edition, limit) in rows {
        let mut hall = adjourned(edition);
        hall.now = Timestamp(NOON.0).after(HOUR + limit);
        hall.pass(0);
        assert!(hall.open().is_empty(), "{edition} {:?}", hall.open());
        hall.pass(1_000);
        assert_eq!(hall.open(), ["late-for-resumption"], "{edition}");
        assert_eq!(hall.alert("late-for-resumption").urgency, Urgency::Call);
        hall.order(resume(Missing::Nobody, Some("Nc6")));
        assert!(hall.open().is_empty(), "{edition} {:?}", hall.open());
    }
}

#[test]
fn art_i_9_the_player_who_sealed_is_missing_and_his_move_ends_it() {
    let mut hall = adjourned(EditionId::Fide2023);
    hall.now = NOON.after(HOUR);
    hall.order(resume(Missing::Sealer, Some("Nc6")));
    hall.clock(1, 3000, 2000, Some(Side::White));
    let generation = hall.control(1).generation;
    hall.fact(1, protocol::Fact::Adopted { generation });
    hall.play(1, &["f1b5"]);
    for _ in 0..31 {
        hall.clock(1, 2900, 1990, Some(Side::Black));
        hall.pass(60_000);
    }
    let late = |h: &Hall| h.open().contains(&"late-for-resumption".to_owned());
    assert!(late(&hall), "{:?}", hall.open());
    assert_eq!(hall.alert("late-for-resumption").side, Some(Side::Black));
    hall.play(1, &["a7a6"]);
    assert!(!late(&hall), "{:?}", hall.open());
}
