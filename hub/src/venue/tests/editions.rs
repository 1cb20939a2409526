//! Every ruling where editions and kinds of play differ: one row each with what its preview says and cites.

use protocol::{
    Answer, BySide, ClaimJudgement, DrawClaim, EditionId, GameResult, Judgement, OrderBody,
    Penalty, QuickplayAsk, Regime, Reported, ResultHow, Role, Side, Speed, TableId,
};

use super::hall::{Hall, round};
use crate::rounds::RoundSetup;
use EditionId::{Fide1929, Fide2001, Fide2009, Fide2014, Fide2018, Fide2023};

const T: TableId = TableId(1);

const STANDARD: Regime = Regime {
    speed: Speed::Standard,
    supervised: true,
};
const RAPID: Regime = kind(Speed::Rapid, false);
const RAPID_SUPERVISED: Regime = kind(Speed::Rapid, true);
const BLITZ: Regime = kind(Speed::Blitz, false);
const BLITZ_SUPERVISED: Regime = kind(Speed::Blitz, true);

const fn kind(speed: Speed, supervised: bool) -> Regime {
    Regime { speed, supervised }
}

/// 1. Nc3 e5 and times of 30 minutes each, both clocks stopped; without increment where it says so.
fn hall(edition: EditionId, regime: Regime, control: &str) -> Hall {
    let mut setup = RoundSetup {
        edition,
        regime,
        ..round(1, control)
    };
    setup.regulations.guidelines_iii = true;
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 1800, 1800, Some(Side::White));
    hall.play(1, &["b1c3", "e7e5"]);
    hall.clock(1, 1800, 1800, None);
    hall
}

/// White has put a second knight on e4 and pressed.
fn illegal(edition: EditionId, regime: Regime) -> Hall {
    let mut hall = hall(edition, regime, "1800+30");
    let to = "rnbqkbnr/pppp1ppp/8/4p3/4N3/8/PPPPPPPP/R1BQKBNR b KQkq - 1 2";
    hall.irregular(1, 3, Side::White, to, "N?e4");
    hall.completed(1, 3);
    hall
}

#[track_caller]
fn preview(hall: &mut Hall, body: OrderBody) -> protocol::Preview {
    match hall.preview(body) {
        Answer::Preview { preview, .. } => preview,
        other => panic!("{other:?}"),
    }
}

fn said(preview: &protocol::Preview) -> String {
    [preview.lines.clone(), preview.then.clone()]
        .concat()
        .join(" | ")
}

fn judged(judgement: Judgement) -> OrderBody {
    OrderBody::IllegalMove {
        table: T,
        offender: Side::White,
        judgement,
        incident: None,
        take_increment: false,
    }
}

#[test]
fn art_7_5_5_the_first_illegal_move_in_every_edition_and_kind_of_play() {
    let rows = [
        (Fide2023, STANDARD, "7.5.5", 120),
        (Fide2023, RAPID_SUPERVISED, "7.5.5", 60),
        (Fide2023, RAPID, "7.5.5", 60),
        (Fide2023, BLITZ_SUPERVISED, "7.5.5", 120),
        (Fide2023, BLITZ, "7.5.5", 60),
        (Fide2018, STANDARD, "7.5.5", 120),
        (Fide2018, RAPID, "7.5.5", 120),
        (Fide2018, BLITZ, "7.5.5", 60),
        (Fide2018, BLITZ_SUPERVISED, "7.5.5", 60),
        (Fide2014, STANDARD, "7.5b", 120),
        (Fide2014, BLITZ_SUPERVISED, "7.5b", 60),
        (Fide2009, STANDARD, "7.4b", 120),
        (Fide2001, STANDARD, "7.4b", 120),
        (Fide2001, RAPID, "7.4b", 120),
        (Fide1929, STANDARD, "17", 0),
    ];
    for (edition, regime, article, seconds) in rows {
        let mut hall = illegal(edition, regime);
        let told = preview(&mut hall, judged(Judgement::First));
        let black = told.set_clock.map_or(0, |t| t.black / 1000 - 1800);
        assert_eq!(
            (told.article.as_str(), black),
            (article, seconds),
            "{edition} {regime:?} {told:?}"
        );
    }
}

#[test]
fn art_7_5_5_the_last_illegal_move_loses_or_draws_by_edition() {
    let rows = [
        (Fide2023, STANDARD, "draws"),
        (Fide2023, BLITZ, "draws"),
        (Fide2018, RAPID, "draws"),
        (Fide2014, RAPID, "draws"),
        (Fide2009, BLITZ, "draws"),
        (Fide2001, STANDARD, "loses"),
        (Fide2001, RAPID, "loses"),
        (Fide2001, BLITZ, "draws"),
        (Fide1929, STANDARD, "loses"),
    ];
    for (edition, regime, want) in rows {
        let mut setup = RoundSetup {
            edition,
            regime,
            ..round(1, "1800+30")
        };
        // Black has a bare king: he cannot mate.
        setup.tables[0].start_fen = Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned());
        let mut hall = Hall::with_round(setup);
        hall.clock(1, 1800, 1800, Some(Side::White));
        hall.play(1, &["e2e4", "e8e7"]);
        let told = preview(&mut hall, judged(Judgement::Second));
        let result = if want == "draws" {
            "result 1/2-1/2"
        } else {
            "result 0-1"
        };
        assert!(
            said(&told).contains(result),
            "{edition} {regime:?} {told:?}"
        );
        assert!(told.ends_game);
    }
}

#[test]
fn art_7_5_2_a_pawn_left_on_the_last_rank_is_a_queen_or_goes_back() {
    let rows = [
        (Fide2023, "the pawn is a queen"),
        (Fide2014, "the pawn is a queen"),
        (Fide2001, "the record ends before half-move 1"),
        (Fide1929, "the record ends before half-move 1"),
    ];
    for (edition, words) in rows {
        let mut setup = RoundSetup {
            edition,
            ..round(1, "5400+30")
        };
        setup.tables[0].start_fen = Some("8/P6k/8/8/8/8/8/4K3 w - - 0 1".to_owned());
        let mut hall = Hall::with_round(setup);
        hall.irregular(1, 1, Side::White, "P7/7k/8/8/8/8/8/4K3 b - - 0 1", "a8=?");
        hall.completed(1, 1);
        let told = preview(&mut hall, judged(Judgement::First));
        assert!(said(&told).contains(words), "{edition} {told:?}");
    }
}

#[test]
fn art_9_5_3_a_wrong_claim_in_every_edition_and_kind_of_play() {
    let rows = [
        (Fide2023, STANDARD, "9.5.3", 120, 0),
        (Fide2023, RAPID, "9.5.3", 60, 0),
        (Fide2023, RAPID_SUPERVISED, "9.5.3", 60, 0),
        (Fide2023, BLITZ, "9.5.3", 60, 0),
        (Fide2018, RAPID, "9.5.3", 120, 0),
        (Fide2018, BLITZ, "9.5.3", 60, 0),
        (Fide2014, STANDARD, "9.5b", 120, 0),
        (Fide2014, BLITZ, "9.5b", 60, 0),
        (Fide2009, STANDARD, "9.5b", 180, 180),
        (Fide2001, STANDARD, "9.5b", 180, 180),
    ];
    for (edition, regime, article, opponent, claimant) in rows {
        let mut hall = hall(edition, regime, "1800+30");
        hall.done(OrderBody::ClaimDraw {
            table: T,
            claimant: Side::White,
            claim: DrawClaim::Threefold,
            written: Some("Nf3".to_owned()),
        });
        let told = preview(
            &mut hall,
            OrderBody::RuleClaim {
                table: T,
                judgement: ClaimJudgement::Reject,
                bonus: false,
            },
        );
        let set = told.set_clock.expect("times");
        let change = (set.black / 1000 - 1800, 1800 - set.white / 1000);
        assert_eq!(told.article, article, "{edition} {regime:?}");
        assert_eq!(
            change,
            (opponent, claimant),
            "{edition} {regime:?} {told:?}"
        );
        assert!(said(&told).contains("must be played"), "{edition} {told:?}");
    }
}

#[test]
fn rule_of_1929_mate_within_fifty_moves_is_demanded_by_either_and_counted_from_there() {
    let mut setup = RoundSetup {
        edition: Fide1929,
        ..round(1, "9000")
    };
    setup.tables[0].start_fen = Some("8/8/4k3/8/8/4K3/8/R7 w - - 60 100".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.play(1, &["a1a2"]);
    hall.done(OrderBody::ClaimDraw {
        table: T,
        claimant: Side::White,
        claim: DrawClaim::FiftyMoves,
        written: None,
    });
    let alert = hall.alert("draw-claimed");
    assert_eq!(alert.headline, "White demands mate within fifty moves");
    for round in 0..25 {
        assert!(
            !hall.alert("draw-claimed").proposal[0].contains("drawn"),
            "{round}"
        );
        hall.play(1, &["e6d6", "a2a1", "d6e6", "a1a2"]);
    }
    let alert = hall.alert("draw-claimed");
    assert!(alert.because[1].contains("50 moves"), "{alert:?}");
    assert_eq!(alert.proposal, ["The game is drawn."]);
    let grant = OrderBody::RuleClaim {
        table: T,
        judgement: ClaimJudgement::Grant,
        bonus: false,
    };
    let told = preview(&mut hall, grant);
    assert_eq!(told.article, "16");
}

#[test]
fn art_iii_who_may_ask_at_the_end_by_edition_and_kind_of_play() {
    use QuickplayAsk::{Draw, Increment};
    let rows = [
        (Fide2023, STANDARD, Draw, true),
        (Fide2023, STANDARD, Increment, true),
        (Fide2023, RAPID, Draw, true),
        (Fide2023, BLITZ, Draw, false),
        (Fide2014, STANDARD, Increment, true),
        (Fide2001, STANDARD, Draw, true),
        (Fide2001, STANDARD, Increment, false),
        (Fide2001, BLITZ, Draw, false),
        (Fide1929, STANDARD, Draw, false),
    ];
    for (edition, regime, asks, may) in rows {
        let mut hall = hall(edition, regime, "1800");
        hall.clock(1, 100, 100, None);
        let claimed = hall.preview(OrderBody::ClaimQuickplay {
            table: T,
            claimant: Side::White,
            asks,
        });
        let answered = matches!(claimed, Answer::Preview { .. });
        assert_eq!(answered, may, "{edition} {regime:?} {asks:?} {claimed:?}");
    }
}

#[test]
fn art_d_without_an_arbiter_the_claim_ends_the_game_in_2001() {
    for (edition, alone) in [(Fide2001, true), (Fide2023, false)] {
        let mut setup = RoundSetup {
            edition,
            ..round(1, "1800")
        };
        setup.regulations.guidelines_iii = true;
        setup.regulations.joint_arbiters = true;
        let mut hall = Hall::with_round(setup);
        hall.clock(1, 1800, 1800, Some(Side::White));
        hall.play(1, &["b1c3", "e7e5"]);
        hall.clock(1, 100, 100, None);
        hall.done(OrderBody::ClaimQuickplay {
            table: T,
            claimant: Side::White,
            asks: QuickplayAsk::Draw,
        });
        let told = hall.alert("quickplay-claim").proposal.join(" ");
        assert_eq!(told.contains("outside arbiter"), alone, "{edition} {told}");
    }
}

#[test]
fn art_12_9_penalties_of_the_edition_and_their_articles() {
    let fine = Penalty::Fine {
        amount: "50".to_owned(),
    };
    let points = Penalty::OffenderPoints { halves: 1 };
    let rows = [
        (Fide2023, Penalty::Warning, Some("12.9.1")),
        (
            Fide2023,
            Penalty::OpponentTime { ms: 60_000 },
            Some("12.9.2"),
        ),
        (Fide2023, fine.clone(), Some("12.9.7")),
        (Fide2023, Penalty::Expulsion, Some("12.9.9")),
        (
            Fide2001,
            Penalty::OpponentTime { ms: 60_000 },
            Some("13.4b"),
        ),
        (Fide2001, points, Some("13.4e")),
        (Fide2001, fine, None),
        (Fide2001, Penalty::Exclusion { rounds: 1 }, None),
        (Fide1929, Penalty::Warning, Some("18")),
    ];
    for (edition, penalty, article) in rows {
        let mut hall = hall(edition, STANDARD, "1800+30");
        let order = OrderBody::Conduct {
            table: T,
            offender: Side::White,
            penalty: penalty.clone(),
        };
        // Some of them are the chief arbiter's.
        let answer = hall.order_as(Role::Chief, order, true, None);
        let cited = match &answer {
            Answer::Preview { preview, .. } => Some(preview.article.as_str()),
            _ => None,
        };
        assert_eq!(cited, article, "{edition} {penalty:?} {answer:?}");
    }
}

#[test]
fn art_12_9_4_points_of_a_game_that_is_over_never_pass_a_won_game() {
    let mut hall = hall(Fide2023, STANDARD, "1800+30");
    hall.done(OrderBody::Result {
        table: T,
        result: GameResult::Draw,
        how: ResultHow::Agreed,
        confirm: true,
        signed: BySide::default(),
    });
    let told = preview(
        &mut hall,
        OrderBody::Conduct {
            table: T,
            offender: Side::White,
            penalty: Penalty::OpponentPoints { halves: 3 },
        },
    );
    assert!(said(&told).contains("White 1, Black 2"), "{told:?}");
}

#[test]
fn art_8_7_a_result_cites_how_the_game_ended_and_says_what_was_not_seen() {
    let rows = [
        (
            Fide2023,
            ResultHow::Flag,
            "6.9",
            "No fallen flag of Black was seen.",
        ),
        (
            Fide2001,
            ResultHow::Flag,
            "6.10",
            "No fallen flag of Black was seen.",
        ),
        (Fide2023, ResultHow::Resigned, "5.1.2", ""),
        (Fide2001, ResultHow::Resigned, "5.1b", ""),
        (
            Fide2023,
            ResultHow::Default,
            "6.7.1",
            "Black has completed a move.",
        ),
        (Fide2023, ResultHow::Arbiter, "8.7", ""),
        (
            Fide1929,
            ResultHow::Flag,
            "19",
            "No fallen flag of Black was seen.",
        ),
    ];
    for (edition, how, article, words) in rows {
        let mut hall = hall(edition, STANDARD, "1800+30");
        let order = OrderBody::Result {
            table: T,
            result: GameResult::WhiteWins,
            how,
            confirm: true,
            signed: BySide::default(),
        };
        let told = preview(&mut hall, order);
        assert_eq!(told.article, article, "{edition} {how:?}");
        assert!(said(&told).contains(words), "{edition} {how:?} {told:?}");
    }
}

#[test]
fn art_7_2_and_7_3_what_is_reported_at_the_table_by_edition() {
    let rows = [
        (
            Fide2023,
            STANDARD,
            Reported::ColoursReversed,
            "7.3",
            "Fewer than 10 moves",
        ),
        (
            Fide2001,
            STANDARD,
            Reported::ColoursReversed,
            "7.2",
            "unless you rule otherwise",
        ),
        (
            Fide2023,
            BLITZ,
            Reported::InitialPositionWrong,
            "7.2.1",
            "is annulled",
        ),
        (
            Fide2001,
            STANDARD,
            Reported::InitialPositionWrong,
            "7.1a",
            "is annulled",
        ),
        (
            Fide1929,
            STANDARD,
            Reported::InitialPositionWrong,
            "",
            "your judgement",
        ),
        (
            Fide2014,
            STANDARD,
            Reported::BoardTurned,
            "7.2b",
            "the game goes on",
        ),
    ];
    for (edition, regime, what, article, words) in rows {
        let mut hall = hall(edition, regime, "1800+30");
        let told = preview(&mut hall, OrderBody::Report { table: T, what });
        assert_eq!(told.article, article, "{edition} {what:?}");
        assert!(said(&told).contains(words), "{edition} {what:?} {told:?}");
    }
}

#[test]
fn art_6_10_1_and_9_a_clock_and_a_record_cite_their_edition() {
    let rows = [
        (Fide2023, "6.10.1", "8.5.3"),
        (Fide2014, "6.10a", "8.5c"),
        (Fide2001, "6.11", "8.5"),
    ];
    for (edition, clock, record) in rows {
        let mut hall = hall(edition, STANDARD, "1800+30");
        let told = preview(&mut hall, OrderBody::ReplaceClock { table: T });
        assert_eq!(told.article, clock, "{edition}");
        let strike = OrderBody::Strike {
            table: T,
            from_ply: 2,
        };
        assert_eq!(preview(&mut hall, strike).article, record, "{edition}");
    }
}

#[test]
fn rule_of_1929_what_only_it_says() {
    let mut game = illegal(Fide1929, STANDARD);
    let told = said(&preview(&mut game, judged(Judgement::First)));
    assert!(told.contains("the opponent chooses"), "{told}");
    let strike = OrderBody::Strike {
        table: T,
        from_ply: 2,
    };
    let mut game = hall(Fide1929, STANDARD, "1800+30");
    let told = said(&preview(&mut game, strike.clone()));
    assert!(told.contains("voids every move after it"), "{told}");
    game.clock(1, 1700, 1800, Some(Side::White));
    game.clock(1, 1600, 1800, None);
    game.pass(10_000);
    let stopped = game.alert("clocks-stopped").proposal.join(" ");
    assert!(stopped.contains("has written his last move"), "{stopped}");
    let mut modern = hall(Fide2023, STANDARD, "1800+30");
    assert!(!said(&preview(&mut modern, strike)).contains("voids"));
}

#[test]
fn a_drawn_armageddon_game_says_for_whom_it_counts() {
    for (control, uneven) in [("W300 B240", true), ("300", false)] {
        let mut hall = hall(Fide2023, BLITZ, control);
        let told = preview(
            &mut hall,
            OrderBody::Result {
                table: T,
                result: GameResult::Draw,
                how: ResultHow::Agreed,
                confirm: true,
                signed: BySide::default(),
            },
        );
        assert_eq!(said(&told).contains("counts for Black"), uneven, "{told:?}");
    }
}
