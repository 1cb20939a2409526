//! Claims entered at the desk: what raises each, what is refused, what a ruling does to clocks and result.

use protocol::{
    Answer, BySide, ClaimJudgement, DrawClaim, EditionId, GameResult, OrderBody, QuickplayAsk,
    Side, TableId, Urgency,
};

use super::hall::{Hall, round};
use crate::rounds::RoundSetup;

const T: TableId = TableId(1);
const KNIGHTS: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

fn claim(by: Side, claim: DrawClaim, written: Option<&str>) -> OrderBody {
    OrderBody::ClaimDraw {
        table: T,
        claimant: by,
        claim,
        written: written.map(str::to_owned),
    }
}

fn rule(judgement: ClaimJudgement) -> OrderBody {
    OrderBody::RuleClaim {
        table: T,
        judgement,
        bonus: false,
    }
}

fn refused(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Refused { code, .. } => Some(code),
        _ => None,
    }
}

fn lines(answer: Answer) -> protocol::Preview {
    match answer {
        Answer::Preview { preview, .. } => preview,
        other => panic!("{other:?}"),
    }
}

fn played(edition: EditionId, times: usize) -> Hall {
    let mut hall = Hall::with_round(RoundSetup {
        edition,
        ..round(1, "5400+30")
    });
    hall.clock(1, 5400, 5400, Some(Side::White));
    for _ in 0..times {
        hall.play(1, &KNIGHTS);
    }
    hall.clock(1, 600, 600, None);
    hall
}

#[test]
fn art_9_2_a_correct_claim_is_asked_with_its_verdict_and_draws() {
    let mut hall = played(EditionId::Fide2023, 2);
    let order = claim(Side::White, DrawClaim::Threefold, None);
    let preview = lines(hall.preview(order.clone()));
    assert_eq!(preview.lines[0], "Correct by this record.");
    assert!(
        preview.lines[1].contains("at the start, after half-move 4"),
        "{preview:?}"
    );
    assert!(!hall.open().contains(&"draw-claimed".to_owned()));
    hall.order(order);
    let alert = hall.alert("draw-claimed");
    assert_eq!(
        (alert.urgency, alert.article.as_str()),
        (Urgency::Asked, "9.2")
    );
    assert_eq!(alert.because[0], "Correct by this record.");
    assert!(!alert.evidence.is_empty(), "the last half-move");
    let answer = hall.order(rule(ClaimJudgement::Grant));
    assert_eq!(refused(&answer), None, "{answer:?}");
    assert_eq!(hall.board(1).result, Some(GameResult::Draw));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn art_9_5_3_a_wrong_claim_changes_the_clocks_by_edition() {
    let rows = [
        (EditionId::Fide2023, 720_000, 600_000),
        (EditionId::Fide2001, 780_000, 420_000),
    ];
    for (edition, black, white) in rows {
        let mut hall = played(edition, 1);
        hall.order(claim(Side::White, DrawClaim::Threefold, Some("Nf3")));
        let alert = hall.alert("draw-claimed");
        assert_eq!(alert.because[0], "Not correct by this record.", "{edition}");
        let preview = lines(hall.preview(rule(ClaimJudgement::Reject)));
        assert_eq!(
            preview.set_clock,
            Some(BySide { white, black }),
            "{edition}"
        );
        assert!(
            preview.then.iter().any(|l| l.contains("g1f3")),
            "{preview:?}"
        );
        hall.order(rule(ClaimJudgement::Reject));
        assert!(hall.open().is_empty(), "{edition} {:?}", hall.open());
        assert_eq!(hall.board(1).result, None);
        hall.clock(1, white / 1000, black / 1000, None);
        let due = hall.venue.state().tables[&T].game.clock.due;
        assert_eq!(due, None, "the clock shows what was ruled");
    }
}

#[test]
fn art_9_3_fifty_moves_are_claimed_with_the_written_move() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("8/4p3/4k3/8/8/4K3/8/R7 w - - 99 120".to_owned());
    let mut hall = Hall::with_round(setup);
    let order = claim(Side::White, DrawClaim::FiftyMoves, Some("Ra2"));
    let preview = lines(hall.preview(order));
    assert_eq!(preview.lines[0], "Correct by this record.", "{preview:?}");
    assert_eq!(preview.article, "9.3");
}

#[test]
fn what_cannot_be_claimed_or_ruled_is_refused_and_changes_nothing() {
    let mut hall = played(EditionId::Fide2023, 1);
    let before = hall.venue.state().clone();
    let rows = [
        (claim(Side::Black, DrawClaim::Threefold, None), "H37"),
        (claim(Side::White, DrawClaim::Threefold, Some("Ke4")), "H35"),
        (claim(Side::White, DrawClaim::FiftyMoves, Some("")), "H35"),
        (rule(ClaimJudgement::Grant), "H36"),
        (quickplay(QuickplayAsk::Draw), "H37"),
    ];
    for (body, code) in rows {
        let answer = hall.order(body.clone());
        assert_eq!(refused(&answer), Some(code), "{body:?} {answer:?}");
        assert_eq!(*hall.venue.state(), before, "{body:?}");
    }
    hall.order(claim(Side::White, DrawClaim::Threefold, None));
    let again = hall.order(claim(Side::White, DrawClaim::FiftyMoves, None));
    assert_eq!(refused(&again), Some("H37"), "one claim at a time");
    let postponed = hall.order(rule(ClaimJudgement::Postpone));
    assert_eq!(refused(&postponed), Some("H37"), "correct or not");
}

#[test]
fn a_claim_entered_by_mistake_is_countered() {
    let mut hall = played(EditionId::Fide2023, 1);
    let answer = hall.order(claim(Side::White, DrawClaim::Threefold, None));
    let Answer::Done {
        ruling: Some(ruling),
        ..
    } = answer
    else {
        panic!("{answer:?}");
    };
    hall.order(OrderBody::Counter { ruling });
    assert!(!hall.open().contains(&"draw-claimed".to_owned()));
}

fn quickplay(asks: QuickplayAsk) -> OrderBody {
    OrderBody::ClaimQuickplay {
        table: T,
        claimant: Side::White,
        asks,
    }
}

/// A game in its last period without increment, White with so many seconds.
fn short(white: u64, announced: bool, edition: EditionId) -> Hall {
    let mut setup = RoundSetup {
        edition,
        ..round(1, "5400")
    };
    setup.regulations.guidelines_iii = announced;
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    hall.clock(1, white, 600, None);
    hall
}

#[test]
fn art_iii_5_who_may_claim_at_the_end_of_a_game_without_increment() {
    use EditionId::*;
    let rows = [
        (100, true, Fide2023, QuickplayAsk::Draw, None),
        (100, true, Fide2023, QuickplayAsk::Increment, None),
        (121, true, Fide2023, QuickplayAsk::Draw, Some("H37")),
        (100, false, Fide2023, QuickplayAsk::Draw, Some("H37")),
        (100, false, Fide2001, QuickplayAsk::Draw, None),
        (100, false, Fide2001, QuickplayAsk::Increment, Some("H37")),
    ];
    for (white, announced, edition, asks, code) in rows {
        let mut hall = short(white, announced, edition);
        let answer = hall.order(quickplay(asks));
        assert_eq!(refused(&answer), code, "{white} {edition} {answer:?}");
        let raised = hall.open().contains(&"quickplay-claim".to_owned());
        assert_eq!(raised, code.is_none(), "{white} {edition}");
    }
}

#[test]
fn art_iii_5_a_claim_is_granted_postponed_or_rejected() {
    use ClaimJudgement::*;
    let rows = [
        (Grant, false, 600, Some(GameResult::Draw)),
        (Postpone, false, 600, None),
        (Postpone, true, 720, None),
        (Reject, false, 720, None),
    ];
    for (judgement, bonus, black, result) in rows {
        let mut hall = short(100, true, EditionId::Fide2023);
        hall.order(quickplay(QuickplayAsk::Draw));
        assert_eq!(hall.alert("quickplay-claim").urgency, Urgency::Asked);
        hall.order(OrderBody::RuleClaim {
            table: T,
            judgement,
            bonus,
        });
        let game = &hall.venue.state().tables[&T].game;
        let due = game.clock.due.map_or(600_000, |d| d.due.black);
        assert_eq!(due, black * 1000, "{judgement:?} {bonus}");
        assert_eq!(hall.board(1).result, result, "{judgement:?}");
        let open = hall.open();
        assert!(!open.contains(&"quickplay-claim".to_owned()), "{open:?}");
        if judgement == Postpone {
            let mut fallen = super::hall::reading(0, 600, None);
            fallen.flag.white = protocol::Flag::Blocked;
            hall.fact(1, protocol::Fact::Reading(fallen));
            let because = hall.alert("flag-fallen").because.join(" ");
            assert!(because.contains("yours to give"), "{because}");
        }
    }
}

#[test]
fn art_iii_4_five_seconds_a_move_from_now_on() {
    let mut hall = short(100, true, EditionId::Fide2023);
    hall.order(quickplay(QuickplayAsk::Increment));
    hall.order(rule(ClaimJudgement::Grant));
    let game = &hall.venue.state().tables[&T].game;
    assert_eq!(game.setup.time_control.to_string(), "5400+5");
    assert_eq!(game.clock.due.map(|d| d.due.black), Some(720_000));
    assert_eq!(
        hall.open(),
        ["scramble"],
        "five seconds are less than thirty"
    );
}
