//! Before and at the start: wrong arrays, a turned board, reversed colours, absent players; and the round's end.

use protocol::{
    Answer, BySide, EditionId, Fact, GameResult, OrderBody, Placement, Reported, ResultHow,
    ResultState, Role, Side, TableId, Urgency,
};

use super::hall::{Hall, round};

const T: TableId = TableId(1);
const DUE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const KINGS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR";
const QUARTER: &str = "RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr";
const HALF: &str = "RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr";

fn set_up(hall: &mut Hall, board: &str) {
    let board: Placement = board.parse().expect("a placement");
    let due: Placement = DUE.parse().expect("a placement");
    let squares = shakmaty::Square::ALL
        .into_iter()
        .filter(|s| board.0.piece_at(*s) != due.0.piece_at(*s))
        .map(protocol::SquareName)
        .collect::<Vec<_>>();
    hall.fact(
        1,
        Fact::SetUp {
            correct: squares.is_empty(),
            board,
            squares,
            rotated: false,
        },
    );
}

#[test]
fn art_7_2_arrays_that_are_wrong_turned_or_only_seen_from_the_other_side() {
    let rows = [
        (
            KINGS,
            Some("initial-position-wrong"),
            "7.2.1",
            "king and queen are interchanged (e1, d1)",
        ),
        (QUARTER, Some("board-turned"), "7.2.2", "dark corner"),
        (HALF, None, "", ""),
        (DUE, None, "", ""),
    ];
    for (board, code, article, words) in rows {
        let mut hall = Hall::standard();
        set_up(&mut hall, board);
        hall.pass(10_000);
        assert!(hall.open().is_empty(), "they may still be setting up");
        hall.pass(10_000);
        let open = hall.open();
        assert_eq!(open.first().map(String::as_str), code, "{board}");
        if let Some(code) = code {
            let alert = hall.alert(code);
            assert_eq!(
                (alert.urgency, alert.article.as_str()),
                (Urgency::Call, article)
            );
            assert!(alert.because[0].contains(words), "{alert:?}");
            assert_eq!(alert.evidence.len(), 1, "the array");
            hall.pass(60_000);
            assert_eq!(hall.open(), [code], "once");
        }
        set_up(&mut hall, DUE);
        assert!(hall.open().is_empty(), "{:?}", hall.open());
    }
}

#[test]
fn art_7_2_1_a_wrong_array_found_during_the_game_annuls_it() {
    let mut hall = Hall::standard();
    set_up(&mut hall, KINGS);
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    let alert = hall.alert("initial-position-wrong");
    assert!(alert.is_open());
    assert!(alert.because[0].contains("interchanged"), "{alert:?}");
    let Answer::Preview { preview, .. } = hall.preview(OrderBody::Restart { table: T }) else {
        panic!("a preview");
    };
    assert!(
        preview.lines[0].contains("7.2.1") || preview.lines[0].contains("annulled"),
        "{preview:?}"
    );
    hall.order(OrderBody::Restart { table: T });
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    assert!(hall.desk(1).record.is_empty());
    assert_eq!(
        hall.control(1).game.map(|g| g.to_string()).as_deref(),
        Some("r5-t1-2")
    );
}

#[test]
fn the_annulled_game_is_kept_until_moves_of_the_new_one_are_settled() {
    // moves of the new game; is the old one kept?
    let rows: [(&[&str], bool); 3] = [(&[], true), (&["e2e4"], true), (&["e2e4", "c7c5"], false)];
    for (moves, kept) in rows {
        let mut hall = Hall::standard();
        hall.clock(1, 5400, 5400, Some(Side::White));
        hall.play(1, &["e2e4", "e7e5"]);
        hall.order(OrderBody::Restart { table: T });
        hall.play(1, moves);
        let table = &hall.venue.state().tables[&T];
        assert_eq!(table.annulled.is_some(), kept, "{moves:?}");
    }
}

#[test]
fn art_a_5_1_after_ten_moves_the_call_lapses_into_silence() {
    let rows = [
        ("180+2", 10, true),
        ("180+2", 9, false),
        ("5400+30", 10, false),
    ];
    for (control, moves, silent) in rows {
        let mut hall = Hall::with_round(round(1, control));
        hall.order(OrderBody::Report {
            table: T,
            what: Reported::InitialPositionWrong,
        });
        assert_eq!(hall.alert("initial-position-wrong").urgency, Urgency::Call);
        knights(&mut hall, moves);
        let alert = hall.alert("initial-position-wrong");
        assert!(alert.is_open());
        assert_eq!(
            alert.urgency == Urgency::Silent,
            silent,
            "{control} {moves}"
        );
    }
}

/// So many moves by each that repeat nothing three times.
fn knights(hall: &mut Hall, moves: usize) {
    let white = [
        "a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3", "a3a4", "b3b4",
    ];
    let black = [
        "a7a6", "b7b6", "c7c6", "d7d6", "e7e6", "f7f6", "g7g6", "h7h6", "a6a5", "b6b5",
    ];
    for n in 0..moves {
        hall.play(1, &[white[n], black[n]]);
    }
}

#[test]
fn art_7_3_colours_reversed_at_move_nine_and_at_move_ten() {
    let rows = [
        (9, EditionId::Fide2023, Urgency::Call, "start again"),
        (10, EditionId::Fide2023, Urgency::Silent, "goes on"),
        (10, EditionId::Fide2001, Urgency::Call, "unless you rule"),
    ];
    for (moves, edition, urgency, words) in rows {
        let mut hall = Hall::with_round(crate::rounds::RoundSetup {
            edition,
            ..round(1, "5400+30")
        });
        knights(&mut hall, moves);
        hall.order(OrderBody::Report {
            table: T,
            what: Reported::ColoursReversed,
        });
        let alert = hall.alert("colours-reversed");
        assert_eq!(alert.urgency, urgency, "{moves} {edition}");
        assert_eq!(
            alert.proposal[0],
            format!("{moves} moves by White, {moves} by Black.")
        );
        assert!(alert.proposal[1].contains(words), "{alert:?}");
        let again = hall.order(OrderBody::Report {
            table: T,
            what: Reported::ColoursReversed,
        });
        assert!(matches!(again, Answer::Refused { .. }), "raised once");
        hall.order(OrderBody::Restart { table: T });
        assert!(hall.open().is_empty(), "{:?}", hall.open());
    }
    let mut hall = Hall::standard();
    knights(&mut hall, 9);
    hall.order(OrderBody::Report {
        table: T,
        what: Reported::ColoursReversed,
    });
    hall.play(1, &["b3b4", "b6b5"]);
    let alert = hall.alert("colours-reversed");
    assert_eq!(
        (alert.is_open(), alert.urgency),
        (true, Urgency::Silent),
        "the call has lapsed"
    );
}

#[test]
fn art_7_3_the_first_move_by_black_speaks_of_reversed_colours() {
    let mut hall = Hall::standard();
    let after = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    hall.irregular(1, 1, Side::Black, after, "e7-e5");
    let alert = hall.alert("colours-reversed");
    assert_eq!(alert.because, ["Black made the first move."]);
    assert_eq!(alert.evidence.len(), 1);
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    assert!(hall.open().is_empty());
}

fn result(result: GameResult) -> OrderBody {
    OrderBody::Result {
        table: T,
        result,
        how: ResultHow::Resigned,
        confirm: true,
        signed: BySide::default(),
    }
}

#[test]
fn art_8_7_witnesses_of_the_result_that_differ() {
    let kings = |result| Fact::KingsCentred { result };
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
    hall.fact(1, kings(GameResult::WhiteWins));
    hall.order(result(GameResult::WhiteWins));
    assert!(hall.open().is_empty(), "they agree");
    hall.fact(1, kings(GameResult::BlackWins));
    let alert = hall.alert("result-conflict");
    assert_eq!(
        (alert.urgency, alert.article.as_str()),
        (Urgency::Call, "8.7")
    );
    assert!(alert.because[1].contains("0-1 by kings"), "{alert:?}");
    assert_eq!(alert.evidence.len(), 1);
    let Answer::Preview { preview, .. } = hall.preview(result(GameResult::Draw)) else {
        panic!("a preview");
    };
    assert_eq!(preview.lines[0], "The board says 0-1 by kings.");
    hall.order(result(GameResult::BlackWins));
    assert!(hall.open().is_empty(), "corrected: {:?}", hall.open());

    let mut mated = Hall::standard();
    mated.play(1, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    mated.order(result(GameResult::WhiteWins));
    assert_eq!(mated.open(), ["result-conflict"], "the board shows mate");

    mated.order(result(GameResult::WhiteWins));
    assert!(mated.open().is_empty(), "entered once more: he has looked");

    let mut flagged = Hall::standard();
    flagged.clock(1, 100, 600, Some(Side::White));
    flagged.play(1, &["e2e4", "e7e5"]);
    let mut fallen = super::hall::reading(0, 600, None);
    fallen.flag.white = protocol::Flag::Blocked;
    flagged.fact(1, Fact::Reading(fallen));
    flagged.pass(5_000);
    flagged.order(result(GameResult::WhiteWins));
    assert_eq!(
        flagged.open(),
        ["result-conflict"],
        "White's flag had fallen"
    );
}

#[test]
fn the_round_is_closed_when_every_result_is_there() {
    let mut hall = Hall::with_round(round(2, "5400+30"));
    hall.play(1, &["e2e4", "e7e5"]);
    hall.order(result(GameResult::WhiteWins));
    let answer = hall.order(OrderBody::CloseRound { round: 5 });
    let Answer::Done { words, .. } = answer else {
        panic!("{answer:?}");
    };
    assert!(words.contains("1 results are missing: tables 2"), "{words}");
    assert_eq!(hall.open(), ["result-missing"]);
    assert_eq!(hall.alert("result-missing").table, Some(TableId(2)));
    hall.order(OrderBody::Result {
        table: TableId(2),
        result: GameResult::WhiteByDefault,
        how: ResultHow::Default,
        confirm: true,
        signed: BySide::default(),
    });
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    hall.order_as(Role::Chief, OrderBody::CloseRound { round: 5 }, false, None);
    let state = |h: &Hall| h.desk(1).standing.map(|s| s.state);
    assert_eq!(state(&hall), Some(ResultState::Published));
    hall.order(result(GameResult::Draw));
    assert_eq!(
        state(&hall),
        Some(ResultState::Corrected),
        "changed after it left the house"
    );
    let wrong = hall.order(OrderBody::CloseRound { round: 6 });
    assert!(matches!(wrong, Answer::Refused { .. }));
}

#[test]
fn art_6_7_absent_players_stand_in_the_round_with_their_moment() {
    let mut setup = round(1, "5400+30");
    setup.default_ms = 600_000;
    setup.starts = Some(super::hall::NOON);
    let mut hall = Hall::with_round(setup);
    let absent = |h: &Hall| {
        let text = h.text(&protocol::Topic::DeskRound).expect("a round");
        let round: protocol::DeskRound = protocol::decode(text.as_bytes()).expect("a round");
        round.absent
    };
    let until = Some(super::hall::NOON.after(600_000));
    assert_eq!(
        absent(&hall),
        [(T, Side::White, until), (T, Side::Black, until)]
    );
    hall.play(1, &["e2e4"]);
    assert_eq!(absent(&hall), [(T, Side::Black, until)]);
    hall.play(1, &["e7e5"]);
    assert!(absent(&hall).is_empty());
}

#[test]
fn art_9_1_1_no_agreement_before_the_event_allows_it() {
    for (limit, early) in [(0, false), (9, false), (10, true)] {
        let mut setup = round(1, "5400+30");
        setup.regulations.no_draw_before = limit;
        let mut hall = Hall::with_round(setup);
        knights(&mut hall, 9);
        hall.order(OrderBody::Result {
            table: T,
            result: GameResult::Draw,
            how: ResultHow::Agreed,
            confirm: true,
            signed: BySide::default(),
        });
        let open = hall.open();
        assert_eq!(
            open.contains(&"early-draw".to_owned()),
            early,
            "{limit} {open:?}"
        );
        if early {
            let alert = hall.alert("early-draw");
            assert!(
                alert.because[0].contains("regulations of the event"),
                "{alert:?}"
            );
        }
    }
}

#[test]
fn the_event_may_depart_from_the_laws_and_its_source_is_printed() {
    for departs in [false, true] {
        let mut setup = round(1, "180+2");
        setup.regulations.flags_on_claim = departs;
        setup.regulations.both_flags_draw = departs;
        setup.regulations.draws_unclaimed = departs;
        let mut hall = Hall::with_round(setup);
        hall.clock(1, 100, 100, Some(Side::White));
        for _ in 0..2 {
            hall.play(1, &["g1f3", "g8f6", "f3g1", "f6g8"]);
        }
        let threefold = hall.alert("threefold-claimable");
        assert_eq!(threefold.urgency == Urgency::Call, departs);
        let mut fallen = super::hall::reading(0, 0, None);
        fallen.flag = BySide {
            white: protocol::Flag::Blocked,
            black: protocol::Flag::Blocked,
        };
        hall.fact(1, Fact::Reading(fallen));
        let both = hall.alert("both-flags-fallen");
        assert_eq!(both.urgency == Urgency::Silent, departs);
        let words = both.because.join(" ");
        assert_eq!(
            words.contains("by the regulations of the event"),
            departs,
            "{words}"
        );
        assert!(!both.evidence.is_empty());
    }
}

#[test]
fn art_6_13_a_piece_is_needed_for_a_promotion() {
    for (board, needed) in [
        ("8/7k/8/8/8/8/8/4K3", true),
        ("8/4P2k/8/8/8/8/8/3K4", false),
    ] {
        let mut setup = round(1, "5400+30");
        setup.tables[0].start_fen = Some("8/4P3/7k/8/8/8/8/4K3 b - - 0 1".to_owned());
        let mut hall = Hall::with_round(setup);
        hall.clock(1, 5400, 5400, Some(Side::White));
        hall.fact(1, super::hall::made(1, "h6h7", Side::Black));
        hall.completed(1, 1);
        hall.fact(
            1,
            Fact::Unexplained {
                squares: vec![protocol::SquareName(shakmaty::Square::E7)],
                board: board.parse().expect("a placement"),
            },
        );
        hall.clock(1, 5400, 5400, None);
        hall.pass(4_000);
        let words = hall.alert("clocks-stopped").because.join(" ");
        assert_eq!(words.contains("White needs a piece"), needed, "{words}");
    }
}
