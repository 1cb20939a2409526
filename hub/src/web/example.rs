//! Made-up boards for tests of the page and the feeds.

use protocol::{
    BySide, ChessclockView, Flag, HallBoard, HallPly, HallState, Placement, Player, Side, TableId,
    Timestamp,
};
use shakmaty::san::San;
use shakmaty::{Chess, Color, Position};

/// Table 12 after these moves from the usual array, all settled; moves that are not legal stand in the list unplayed.
pub(crate) fn board(sans: &[&str]) -> HallBoard {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    for san in sans {
        let legal = san
            .parse::<San>()
            .ok()
            .and_then(|s| s.to_move(&position).ok());
        let uci = legal.map_or_else(
            || "0000".to_owned(),
            |m| m.to_uci(shakmaty::CastlingMode::Standard).to_string(),
        );
        if let Some(m) = legal {
            position.play_unchecked(m);
        }
        moves.push(HallPly {
            uci,
            san: (*san).to_owned(),
            clock_ms: None,
            spent_ms: None,
        });
    }
    let player = |name: &str, rating| Player {
        name: name.to_owned(),
        rating,
        ..Player::default()
    };
    let plies = moves.len() as u32;
    HallBoard {
        table: TableId(12),
        game: "r5-t12".parse().expect("an id"),
        event: "Open de Lyon".into(),
        site: "Lyon".into(),
        date: "2026.11.29".into(),
        round: 5,
        players: BySide {
            white: player("Okafor, T", None),
            black: player("Kuznetsova, A", Some(2412)),
        },
        time_control: "5400+30".into(),
        start_fen: None,
        chess960: false,
        began: None,
        moves,
        settled_ply: plies,
        completed_ply: plies,
        position: Placement(position.board().clone()),
        turn: if position.turn() == Color::White {
            Side::White
        } else {
            Side::Black
        },
        check: position.is_check(),
        clock: Some(ChessclockView {
            time: BySide {
                white: 5_398_000,
                black: 3_000,
            },
            running: Some(Side::White),
            flag: BySide {
                white: Flag::Up,
                black: Flag::Shown,
            },
            at: Timestamp(1_700_000_000_000),
        }),
        state: HallState::Playing,
        result: None,
        unconfirmed: false,
        cut_short: false,
        at: Timestamp(1_700_000_000_000),
        revision: 7,
    }
}

/// The board as the hall gets it.
pub(crate) fn released(board: HallBoard) -> crate::views::Released<HallBoard> {
    crate::views::Released::made_up(board)
}
