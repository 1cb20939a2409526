//! Adjourned games: the envelope, the resumption, a sealed move that is none, players who are late (I; 2001 A).

use protocol::{
    Answer, BySide, EditionId, GameResult, HallState, Missing, OrderBody, ResultHow, Side, TableId,
    TableState, Timestamp, Urgency,
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
        session_ends: None,
        resumes: Some(NOON.after(HOUR)),
        place: "hall 2".to_owned(),
    }
}

fn resume(missing: Missing, sealed: Option<&str>) -> OrderBody {
    OrderBody::Resume {
        table: T,
        missing,
        sealed: sealed.map(str::to_owned),
        lost: false,
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
    assert_eq!(hall.desk(1).state, TableState::Adjourned);
    hall.a_moment();
    assert_eq!(hall.board(1).state, HallState::Adjourned);
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

#[test]
fn art_a_1_who_seals_before_the_end_of_the_session_is_charged_with_the_rest() {
    let mut hall = hall(EditionId::Fide2001);
    let mut order = adjourn(Side::Black);
    if let OrderBody::Adjourn { session_ends, .. } = &mut order {
        *session_ends = Some(hall.now.after(600_000));
    }
    hall.done(order);
    let kept = &hall.venue.state().tables[&T].game.adjourned;
    let time = kept.as_ref().expect("adjourned").envelope.time_ms;
    let want = BySide {
        white: 3_000_000,
        black: 1_400_000,
    };
    assert_eq!(time, want, "ten minutes of Black's 2000 s are gone");
}

#[test]
fn art_a_11_a_game_whose_envelope_is_lost_goes_on_from_the_record() {
    let mut hall = adjourned(EditionId::Fide2001);
    hall.clock(1, 2900, 2000, None);
    let lost = OrderBody::Resume {
        table: T,
        missing: Missing::Nobody,
        sealed: None,
        lost: true,
    };
    let Answer::Preview { preview, .. } = hall.preview(lost.clone()) else {
        panic!("no preview");
    };
    let said = preview.lines.join(" ");
    assert!(said.contains("plays his move on the board"), "{said}");
    assert!(
        said.contains("set them"),
        "A.12: the clock shows other times: {said}"
    );
    hall.done(lost);
    let game = &hall.venue.state().tables[&T].game;
    assert_eq!(game.adjourned, None);
    assert_eq!(game.record.len(), 3, "nothing was sealed that is known");
    let wanted = game.clock.due.expect("times are awaited").due;
    assert_eq!((wanted.white, wanted.black), (3_000_000, 2_000_000));
}

#[test]
fn rule_of_1929_without_a_time_limit_it_is_always_black_who_seals() {
    for (control, moves, sealer, code) in [
        ("-", &["e2e4"][..], Side::Black, None),
        ("-", &["e2e4", "e7e5"][..], Side::White, Some("H37")),
        ("9000", &["e2e4", "e7e5"][..], Side::White, None),
    ] {
        let mut hall = Hall::with_round(RoundSetup {
            edition: EditionId::Fide1929,
            ..round(1, control)
        });
        hall.play(1, moves);
        let mut order = adjourn(sealer);
        if let OrderBody::Adjourn { time_ms, .. } = &mut order {
            *time_ms = Some(BySide::default());
        }
        let answer = hall.order(order);
        assert_eq!(refused(&answer), code, "{control} {answer:?}");
    }
}
