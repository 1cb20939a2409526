//! What screens, walls and displays get: the views of desk and hall.

use protocol::*;

use crate::rulings::ruling_line;
use crate::{device_info, golden, id};

fn players() -> BySide<Player> {
    let player = |name: &str, rating| Player {
        name: name.to_owned(),
        rating: Some(rating),
        ..Player::default()
    };
    BySide {
        white: player("Okafor, T", 2398),
        black: player("Kuznetsova, A", 2412),
    }
}

fn after_e4() -> Placement {
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
        .parse()
        .expect("placement")
}

fn clock_view() -> ChessclockView {
    ChessclockView {
        time: BySide {
            white: 5_390_000,
            black: 5_400_000,
        },
        running: Some(Side::Black),
        flag: BySide::default(),
        at: Timestamp(1_700_000_000_130),
    }
}

#[test]
fn views() {
    let ply = DeskPly {
        played: Played::Legal("e2e4".into()),
        san: "e4".into(),
        by: Side::White,
        made_at: Timestamp(1_700_000_000_116),
        completed_at: Some(Timestamp(1_700_000_000_900)),
        pressed: true,
        settled: true,
        certainty: 0.97,
        clock_ms: Some(5_390_000),
        spent_ms: Some(10_000),
    };
    let hall = HallBoard {
        table: TableId(12),
        game: id("r5-t12"),
        event: "Open de Lyon".into(),
        site: "Lyon".into(),
        date: "2026.11.29".into(),
        round: 5,
        players: players(),
        time_control: "5400+30".into(),
        start_fen: None,
        chess960: false,
        began: Some(Timestamp(1_700_000_000_000)),
        moves: ply.for_hall().into_iter().collect(),
        settled_ply: 1,
        completed_ply: 1,
        position: after_e4(),
        turn: Side::Black,
        check: false,
        clock: Some(clock_view()),
        state: HallState::Playing,
        result: None,
        unconfirmed: false,
        cut_short: false,
        at: Timestamp(1_700_000_000_900),
        revision: 3,
    };
    golden("hall-board", &hall);
    let desk = DeskTable {
        table: TableId(12),
        place: Some("Row D seat 9".into()),
        game: id("r5-t12"),
        round: 5,
        players: players(),
        edition: EditionId::Fide2023,
        regime: Regime::default(),
        time_control: "5400+30".parse().expect("control"),
        start_fen: None,
        chess960: false,
        record: vec![ply],
        uncertain: vec![],
        position: after_e4(),
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".into(),
        turn: Side::Black,
        board: None,
        clock: Some(clock_view()),
        state: TableState::Playing,
        standing: None,
        illegal_moves: BySide { white: 1, black: 0 },
        repetitions: 1,
        quiet_plies: 0,
        to_control: Some(BySide {
            white: 39,
            black: 40,
        }),
        short_of_time_at: Some(Timestamp(1_700_004_500_000)),
        silence: vec!["how many moves are completed".into()],
        silence_article: "12.6".into(),
        device: Some(DeviceId::of("dgt", "01025")),
        device_info: Some(device_info()),
        heard: Some(Timestamp(1_700_000_000_900)),
        delay_ms: Some(12),
        alerts: vec!["12-clocks-stopped-1".into()],
        log: vec![LogLine {
            at: Timestamp(1_700_000_000_116),
            kind: "made".into(),
            words: "1. e2-e4".into(),
            source: "hall-a #2210".into(),
        }],
        rulings: vec![ruling_line()],
        held: false,
        completed_ply: 1,
        revision: 3,
    };
    golden("desk-table", &desk);
    let line = JournalLine {
        number: 4711,
        table: Some(TableId(12)),
        line: desk.log[0].clone(),
        article: String::new(),
    };
    golden("journal-line", &line);
    let standing = Standing {
        result: GameResult::Draw,
        how: ResultHow::KingsSign,
        state: ResultState::Proposed,
    };
    let result = TableResult {
        table: TableId(12),
        game: id("r5-t12"),
        players: players(),
        time_control: "5400+30".parse().expect("control"),
        standing: Some(standing),
        signed: BySide {
            white: true,
            black: false,
        },
        illegal_moves: BySide { white: 1, black: 0 },
        ruling: Some(ruling_line()),
    };
    let round = DeskRound {
        event: "Open de Lyon".into(),
        round: 5,
        rounds: 9,
        regime: Regime {
            speed: Speed::Blitz,
            supervised: false,
        },
        closing: Some(Timestamp(1_700_000_009_000)),
        absent: vec![(TableId(12), Side::Black, Some(Timestamp(1_700_000_900_000)))],
        tables: vec![result],
        earlier: vec![3, 4],
        walls: vec!["http://10.0.0.5:8080/  (hall)".into()],
        feeds: vec![FeedHealth {
            name: "pgn-round".into(),
            state: FeedState::Failing,
            at: Some(Timestamp(1_700_000_000_000)),
            detail: "the disk is full".into(),
        }],
        ..DeskRound::default()
    };
    golden("desk-round", &round);
}
