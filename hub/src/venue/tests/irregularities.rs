//! Every alert of a game: what raises it, what does not, what ends it.

use protocol::{
    AlertLife, BySide, EditionId, Fact, Flag, GameResult, Judgement, OrderBody, Placement, Regime,
    Side, Speed, SquareName, TableId, Uncertain, Urgency,
};
use shakmaty::Square;

use super::hall::{Hall, reading, round};
use crate::rounds::RoundSetup;

const ILLEGAL: &str = "rnbqkbnr/pppp1ppp/8/4p3/4N3/8/PPPPPPPP/R1BQKBNR b KQkq - 1 2";

fn blitz(edition: EditionId, supervised: bool) -> Hall {
    let setup = round(1, "180+2");
    Hall::with_round(RoundSetup {
        edition,
        regime: Regime {
            speed: Speed::Blitz,
            supervised,
        },
        ..setup
    })
}

/// After 1. Nc3 e5 White puts a second knight on e4 and presses.
pub(super) fn illegal(hall: &mut Hall) {
    hall.play(1, &["b1c3", "e7e5"]);
    hall.irregular(1, 3, Side::White, ILLEGAL, "N?e4");
    hall.completed(1, 3);
}

#[test]
fn art_a_5_2_in_unsupervised_play_an_illegal_move_lapses_with_the_reply() {
    use EditionId::*;
    let rows = [
        (Fide2023, false, Urgency::Call, "lapsed"),
        (Fide2018, false, Urgency::Call, "lapsed"),
        (Fide2023, true, Urgency::Call, "open"),
        (Fide2001, false, Urgency::Silent, "lapsed"),
    ];
    for (edition, supervised, urgency, end) in rows {
        let mut hall = blitz(edition, supervised);
        illegal(&mut hall);
        assert_eq!(hall.alert("illegal-move").urgency, urgency, "{edition}");
        hall.made(1, 4, "d7d5");
        let alert = hall.alert("illegal-move");
        let got = match &alert.life {
            AlertLife::Closed { why, .. } => why.clone(),
            _ => "open".to_owned(),
        };
        assert_eq!(got, end, "{edition} supervised {supervised}");
        assert_eq!(alert.lapse.is_some(), end == "lapsed");
        assert_eq!(
            hall.desk(1).record.len(),
            4,
            "the record goes on faithfully"
        );
        assert_eq!(
            hall.board(1).moves.len(),
            2,
            "the hall sees the legal line only"
        );
    }
}

#[test]
fn an_illegal_move_is_raised_once_and_ends_when_the_board_corrects_itself() {
    let mut hall = Hall::standard();
    illegal(&mut hall);
    hall.fact(
        1,
        Fact::Notice {
            code: "ILLEGAL_MOVE".to_owned(),
            over: false,
            detail: "seen by the tracker too".to_owned(),
        },
    );
    hall.pass(60_000);
    assert_eq!(hall.open(), ["illegal-move"]);
    hall.fact(
        1,
        Fact::Revised {
            from_ply: 3,
            line: vec![protocol::Played::Legal("c3e4".to_owned())],
            certainty: 1.0,
        },
    );
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn art_7_5_2_a_pawn_left_on_the_last_rank_becomes_a_queen() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("8/4P2k/8/8/8/8/8/4K3 w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.irregular(1, 1, Side::White, "4P3/7k/8/8/8/8/8/4K3 b - - 0 1", "e8");
    hall.completed(1, 1);
    assert_eq!(hall.open(), ["promotion-not-replaced"]);
    hall.order(OrderBody::IllegalMove {
        table: TableId(1),
        offender: Side::White,
        judgement: Judgement::First,
        incident: None,
        take_increment: false,
    });
    let desk = hall.desk(1);
    assert_eq!(desk.record[0].san, "e8=Q");
    assert_eq!(desk.illegal_moves.white, 1);
    assert_eq!(
        hall.board(1).moves.len(),
        1,
        "legal now, so the hall sees it"
    );
}

fn flag(hall: &mut Hall, side: Side) {
    let mut fallen = reading(0, 600, None);
    *fallen.flag.get_mut(side) = Flag::Blocked;
    hall.fact(1, Fact::Reading(fallen));
}

#[test]
fn art_6_8_a_fallen_flag_by_edition_regime_and_material() {
    use EditionId::*;
    let rows = [
        (Fide2023, "5400+30", Urgency::Call, "6.8"),
        (Fide2023, "180+2", Urgency::Call, "A.5.5"),
        (Fide2001, "300", Urgency::Silent, "B.6"),
        (Fide2001, "5400", Urgency::Call, "6.9"),
    ];
    for (edition, control, urgency, article) in rows {
        let mut hall = Hall::with_round(RoundSetup {
            edition,
            ..round(1, control)
        });
        hall.clock(1, 5, 600, Some(Side::White));
        hall.play(1, &["e2e4"]);
        flag(&mut hall, Side::White);
        flag(&mut hall, Side::White);
        let alert = hall.alert("flag-fallen");
        assert_eq!(
            (alert.urgency, alert.article.as_str()),
            (urgency, article),
            "{edition}"
        );
        assert!(
            alert.because[0].contains("can mate, for example"),
            "says what was found"
        );
        assert!(alert.proposal[0].starts_with("0-1"), "{alert:?}");
        assert_eq!(hall.open(), ["flag-fallen"], "once");
        hall.a_moment();
        let shown = hall.board(1).clock.expect("a clock").flag.white;
        assert_eq!(
            shown != Flag::Up,
            urgency == Urgency::Call,
            "no screen may signal it"
        );
    }
}

#[test]
fn art_6_9_no_flag_after_the_end_and_a_draw_against_a_bare_king() {
    let mut mated = Hall::standard();
    mated.clock(1, 100, 600, Some(Side::White));
    mated.play(1, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    flag(&mut mated, Side::White);
    assert_eq!(mated.open(), ["result-proposed"], "mate came first (5.1.1)");

    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("4k3/8/8/8/8/8/8/4K2Q w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 100, 600, Some(Side::White));
    hall.play(1, &["h1h2"]);
    flag(&mut hall, Side::White);
    assert!(hall.alert("flag-fallen").proposal[0].starts_with("1/2-1/2"));
}

#[test]
fn art_6_8_a_result_proposed_after_the_flag_fell_does_not_take_the_call_away() {
    let mut hall = Hall::standard();
    hall.clock(1, 100, 600, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    flag(&mut hall, Side::White);
    hall.a_moment();
    hall.fact(
        1,
        Fact::KingsCentred {
            result: GameResult::BlackWins,
        },
    );
    hall.pass(10_000);
    let open = hall.open();
    assert!(open.iter().any(|code| code == "flag-fallen"), "{open:?}");
}

#[test]
fn art_6_11_2_both_clocks_stopped_in_play() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, None);
    hall.pass(10_000);
    assert!(hall.open().is_empty(), "before the game nobody is asked");
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    hall.clock(1, 5398, 5400, None);
    hall.pass(1_000);
    hall.clock(1, 5398, 5400, Some(Side::White));
    hall.pass(10_000);
    assert!(hall.open().is_empty(), "a short stop is nothing");
    hall.clock(1, 5388, 5400, None);
    hall.pass(4_000);
    assert_eq!(hall.open(), ["clocks-stopped"]);
    assert_eq!(hall.alert("clocks-stopped").urgency, Urgency::Asked);
    hall.clock(1, 5388, 5400, Some(Side::White));
    assert!(hall.open().is_empty());
}

#[test]
fn art_12_6_a_move_without_its_press_is_silent_and_ends_with_the_press() {
    for (control, wait) in [("5400+30", 60), ("900+10", 20), ("180+2", 10)] {
        let mut hall = Hall::with_round(round(1, control));
        hall.clock(1, 150, 150, Some(Side::White));
        hall.made(1, 1, "e2e4");
        for _ in 0..wait - 1 {
            hall.pass(1_000);
            hall.clock(1, 150, 150, Some(Side::White));
        }
        assert!(hall.open().is_empty(), "{control}");
        hall.pass(1_000);
        assert_eq!(hall.open(), ["move-without-press"], "{control}");
        assert_eq!(hall.alert("move-without-press").urgency, Urgency::Silent);
        hall.completed(1, 1);
        assert!(hall.open().is_empty(), "{control}");
    }
}

/// A board that has little to do with 1. e4.
const STRANGE: &str = "8/8/8/3q4/4k3/8/8/K7";

fn unexplained(hall: &mut Hall) {
    hall.fact(
        1,
        Fact::Unexplained {
            squares: [Square::E4, Square::D5, Square::A1]
                .map(SquareName)
                .to_vec(),
            board: STRANGE.parse().expect("a placement"),
        },
    );
}

#[test]
fn art_7_4_board_and_record_differ_for_a_while() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    unexplained(&mut hall);
    hall.pass(5_000);
    hall.fact(1, Fact::Explained);
    hall.pass(20_000);
    assert!(hall.open().is_empty(), "it cleared itself in time");
    unexplained(&mut hall);
    hall.pass(16_000);
    assert_eq!(hall.open(), ["position-mismatch"]);
    assert!(hall.alert("position-mismatch").because[0].contains("e4 d5 a1"));
    assert!(hall.desk(1).board.is_some());
    hall.fact(1, Fact::Explained);
    assert!(hall.open().is_empty());
    assert!(hall.desk(1).board.is_none());
    unexplained(&mut hall);
    hall.pass(16_000);
    let alert = hall.alert("position-mismatch");
    assert_eq!(
        alert.history.len(),
        1,
        "the same again opens it with its history"
    );
    assert!(alert.id.ends_with("-1"), "{}", alert.id);
}

#[test]
fn art_7_4_pieces_knocked_over_are_displaced_and_named() {
    let rows = [
        // One man a square further.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/5P2/PPPP2PP/RNBQKBNR",
            vec![Square::F2, Square::F3],
            "white pawn on f3",
        ),
        // Three men off the board.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP4/RNBQKBNR",
            vec![Square::F2, Square::G2, Square::H2],
            "nothing on g2",
        ),
    ];
    for (board, squares, words) in rows {
        let mut hall = Hall::standard();
        hall.play(1, &["e2e4"]);
        hall.fact(
            1,
            Fact::Unexplained {
                squares: squares.into_iter().map(SquareName).collect(),
                board: board.parse().expect("a placement"),
            },
        );
        hall.pass(14_000);
        assert!(hall.open().is_empty(), "somebody may be setting them up");
        hall.pass(2_000);
        assert_eq!(hall.open(), ["pieces-displaced"]);
        let alert = hall.alert("pieces-displaced");
        assert_eq!(
            (alert.urgency, alert.article.as_str()),
            (Urgency::Silent, "7.4")
        );
        assert!(alert.because[0].contains(words), "{alert:?}");
        assert_eq!(alert.evidence.len(), 1);
        hall.pass(60_000);
        assert_eq!(hall.open(), ["pieces-displaced"], "once");
        hall.fact(1, Fact::Explained);
        assert!(hall.open().is_empty());
    }
}

#[test]
fn art_8_7_kings_in_the_centre_are_a_question() {
    let mut hall = Hall::standard();
    let sign = Fact::KingsCentred {
        result: GameResult::Draw,
    };
    hall.fact(1, sign.clone());
    assert!(hall.open().is_empty(), "without a game no result");
    hall.play(1, &["e2e4", "e7e5"]);
    hall.fact(1, sign.clone());
    hall.fact(1, sign);
    assert_eq!(hall.open(), ["result-proposed"]);
    assert_eq!(hall.alert("result-proposed").urgency, Urgency::Asked);
    assert_eq!(hall.board(1).result, None);
    hall.play(1, &["g1f3"]);
    assert!(hall.open().is_empty(), "play went on");
    assert_eq!(hall.desk(1).standing, None);
}

fn mated() -> Hall {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    hall.clock(1, 5300, 5400, None);
    hall
}

fn notice(code: &str, detail: &str) -> Fact {
    Fact::Notice {
        code: code.to_owned(),
        over: false,
        detail: detail.to_owned(),
    }
}

#[test]
fn art_5_1_1_a_mate_on_the_board_waits_where_arbiters_look_until_it_is_confirmed() {
    let mut hall = mated();
    assert_eq!(hall.open(), ["result-proposed"]);
    let alert = hall.alert("result-proposed");
    assert_eq!(alert.headline, "checkmate, 0-1: to be confirmed");
    hall.clock(1, 5299, 5400, Some(Side::White));
    hall.pass(11_000);
    assert_eq!(hall.open(), ["checkmate", "result-proposed"]);
    hall.done(OrderBody::Confirm { table: TableId(1) });
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_countered_result_raises_nothing_but_its_proposal() {
    let mut hall = mated();
    let ruling = hall.done(OrderBody::Confirm { table: TableId(1) });
    hall.done(OrderBody::Counter {
        ruling: ruling.expect("a ruling"),
    });
    let generation = hall.control(1).generation;
    hall.fact(1, Fact::Adopted { generation });
    // What an agent says when its board starts again from a position that does not quite stand.
    let board = Placement(hall.desk(1).position.0);
    let squares = vec!["a2".parse().expect("square")];
    hall.fact(
        1,
        Fact::Unexplained {
            squares: squares.clone(),
            board: board.clone(),
        },
    );
    hall.fact(1, notice("SETUP_WRONG", "the initial position is wrong"));
    hall.fact(
        1,
        Fact::SetUp {
            board: board.clone(),
            correct: false,
            squares,
            rotated: false,
        },
    );
    hall.fact(1, Fact::Explained);
    hall.fact(1, notice("BOARD_MISMATCH", "the board shows another game"));
    let none = Fact::Unexplained {
        squares: Vec::new(),
        board,
    };
    hall.fact(1, none);
    hall.pass(60_000);
    assert_eq!(hall.open(), ["result-proposed"]);
}

#[test]
fn a_wrong_array_without_a_wrong_square_is_none() {
    let mut hall = Hall::standard();
    hall.fact(
        1,
        Fact::SetUp {
            board: Placement(shakmaty::Board::new()),
            correct: false,
            squares: Vec::new(),
            rotated: false,
        },
    );
    hall.fact(1, notice("SETUP_WRONG", "the initial position is wrong"));
    hall.pass(60_000);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_faulty_square_is_named() {
    let mut hall = Hall::standard();
    let words = "the square keeps losing its piece: e4";
    hall.fact(1, notice("SQUARE_UNRELIABLE", words));
    assert_eq!(hall.alert("square-faulty").headline, words);
}

#[test]
fn art_6_6_whites_clock_stands_after_the_start() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, None);
    hall.pass(120_000);
    assert!(hall.open().is_empty(), "the round has not started");
    hall.order(OrderBody::StartRound { round: 5 });
    hall.pass(61_000);
    assert_eq!(hall.open(), ["clock-not-started"]);
    hall.clock(1, 5400, 5400, Some(Side::White));
    assert!(hall.open().is_empty());
}

#[test]
fn several_lines_explain_the_board() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    let choices = vec![vec!["e7e5".to_owned()], vec!["e7e6".to_owned()]];
    hall.fact(
        1,
        Fact::Ambiguous(Uncertain {
            ply: 2,
            choices,
            more: false,
        }),
    );
    hall.pass(21_000);
    assert_eq!(hall.open(), ["reading-ambiguous"]);
    assert_eq!(hall.desk(1).uncertain.len(), 1);
    hall.play(1, &["e7e5"]);
    assert!(hall.open().is_empty());
    assert!(hall.desk(1).uncertain.is_empty());
}

/// However much is played after moves that nobody saw, their order is not settled until the agent says so.
#[test]
fn an_unseen_order_of_moves_is_not_settled_by_what_follows() {
    let mut hall = Hall::standard();
    hall.play(1, &["g1f3", "g8f6", "b1c3", "b8c6"]);
    let doubt = |ply, choices: &[&[&str]]| {
        let line = |line: &&[&str]| line.iter().map(|uci| (*uci).to_owned()).collect();
        let choices = choices.iter().map(line).collect();
        Fact::Ambiguous(Uncertain {
            ply,
            choices,
            more: false,
        })
    };
    let both: &[&[&str]] = &[&["g1f3", "g8f6", "b1c3"], &["b1c3", "g8f6", "g1f3"]];
    hall.fact(1, doubt(1, both));
    hall.fact(1, doubt(3, &[&["b1c3"], &["g1f3"]]));
    hall.play(1, &["e2e4", "e7e5", "f1b5"]);
    let settled = |hall: &Hall| -> Vec<bool> {
        hall.desk(1)
            .record
            .iter()
            .take(5)
            .map(|ply| ply.settled)
            .collect()
    };
    let listed =
        |hall: &Hall| -> Vec<u32> { hall.desk(1).uncertain.iter().map(|u| u.ply).collect() };
    assert_eq!(settled(&hall), [false, true, false, true, true]);
    assert_eq!(listed(&hall), [1, 3]);
    hall.fact(1, doubt(1, &[]));
    assert_eq!(settled(&hall), [true, true, false, true, true]);
    assert_eq!(listed(&hall), [3]);
    hall.fact(1, Fact::Retracted { from_ply: 3 });
    assert!(
        hall.desk(1).uncertain.is_empty(),
        "what is gone is not in doubt"
    );
}

#[test]
fn art_4_3_evidence_stands_in_the_log_and_raises_nothing() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    hall.fact(
        1,
        Fact::Notice {
            code: "TOUCH_MOVE".to_owned(),
            over: false,
            detail: "Nb8 lifted and put back".to_owned(),
        },
    );
    hall.pass(60_000);
    assert!(hall.open().is_empty());
    let log = hall.desk(1).log;
    assert!(
        log.iter().any(|l| l.words.contains("Nb8 lifted")),
        "{log:?}"
    );
}

#[test]
fn a_dismissed_alert_stays_closed_while_its_cause_lasts() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    unexplained(&mut hall);
    hall.pass(16_000);
    let id = hall.alert("position-mismatch").id;
    hall.order(OrderBody::Dismiss { alert: id });
    hall.pass(60_000);
    assert!(hall.open().is_empty());
    hall.fact(1, Fact::Explained);
    unexplained(&mut hall);
    hall.pass(16_000);
    assert_eq!(
        hall.open(),
        ["position-mismatch"],
        "a new occurrence is new"
    );
}

#[test]
fn times_that_were_ruled_are_watched() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4"]);
    hall.clock(1, 5000, 5000, None);
    hall.order(OrderBody::AdjustTime {
        table: TableId(1),
        change_ms: BySide {
            white: 0,
            black: 120_000,
        },
        article: "12.5".to_owned(),
    });
    hall.clock(1, 5000, 5000, None);
    let due = |h: &Hall| h.venue.state().tables[&TableId(1)].game.clock.due;
    assert!(due(&hall).is_some(), "not set yet");
    hall.clock(1, 5000, 5120, None);
    assert!(due(&hall).is_none(), "ticked off");
}
