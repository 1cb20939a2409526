//! Games that readers stumble over, in every form that leaves the hub, as golden files in `pgn/golden/` (`GOLDEN=write` rewrites them).
//!
//! The end-to-end tests give these files to python-chess, pgn-extract, chess.js and chessops.

use std::path::Path;

use protocol::{
    DeskPly, GameResult, HallBoard, HallPly, HallState, Played, Side, TableId, Timestamp,
};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position};

use super::{PgnForm, pgn};
use crate::rounds::{Note, faithful_game};
use crate::web::example::board;

/// A game that is over: start (none: the usual array), Chess960, moves, result.
type Row = (
    &'static str,
    Option<&'static str>,
    bool,
    &'static str,
    Option<GameResult>,
);

use GameResult::{
    BlackByDefault, BlackWins, BothLose, Draw, NobodyAppeared, WhiteByDefault, WhiteWins,
};

const ROWS: &[Row] = &[
    (
        "O\"Neill \\ \"Tip\", J",
        None,
        false,
        "e4 e5 Nf3 Nc6 Bb5 a6",
        Some(WhiteWins),
    ),
    (
        "Müller-Łoś, Žółć",
        None,
        false,
        "d4 Nf6 c4 e6 Nc3 Bb4",
        Some(Draw),
    ),
    (
        "李, 明 {x} [y] ; z % $1",
        None,
        false,
        "c4",
        Some(BlackWins),
    ),
    ("", None, false, "", None),
    ("-", None, false, "", Some(WhiteByDefault)),
    ("Late, V", None, false, "", Some(BlackByDefault)),
    ("Absent, A", None, false, "", Some(NobodyAppeared)),
    ("Both, B", None, false, "e4 e5", Some(BothLose)),
    ("Mated, M", None, false, "f3 e5 g4 Qh4#", None),
    (
        "Castler, C",
        Some("nbbrkrqn/pppppppp/8/8/8/8/PPPPPPPP/NBBRKRQN w FDfd - 0 1"),
        true,
        "f3 b5 h3 Ng6 e4 Ba6 Qd4 O-O-O O-O",
        Some(Draw),
    ),
    (
        "Shuffled, S",
        Some("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1"),
        true,
        "e4 e5 Nb3 Nb6",
        None,
    ),
    (
        "Black, B",
        Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        false,
        "c5 Nf3 d6",
        Some(WhiteWins),
    ),
    (
        "Position, P",
        Some("4k3/P6P/8/2pP4/8/8/p6p/4K3 w - c6 0 40"),
        false,
        "dxc6 h1=N a8=Q+ Ke7 h8=R a1=B",
        Some(Draw),
    ),
    (
        "Stalemate, S",
        Some("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1"),
        false,
        "Qf7",
        None,
    ),
    (
        "Twins, T",
        Some("k7/8/8/1N3N2/8/8/1N3N2/K7 w - - 0 1"),
        false,
        "Nbd4 Kb7 Nfd3",
        None,
    ),
];

fn moves(start: Option<&str>, chess960: bool, sans: &str) -> Vec<HallPly> {
    let mode = CastlingMode::from_chess960(chess960);
    let fen = start.map(|fen| fen.parse::<Fen>().expect("a FEN"));
    let mut position: Chess = fen.map_or_else(Chess::default, |fen| {
        fen.into_position(mode).expect("a position")
    });
    let mut left = 5_400_000_u64;
    let mut play = |san: &str| {
        let read: SanPlus = san.parse().expect("SAN");
        let legal = read.san.to_move(&position).expect(san);
        let uci = legal.to_uci(mode).to_string();
        position.play_unchecked(legal);
        left = left.saturating_sub(61_500);
        HallPly {
            uci,
            san: san.to_owned(),
            clock_ms: Some(left),
            spent_ms: Some(61_500),
        }
    };
    sans.split_whitespace().map(&mut play).collect()
}

fn game_of((table, row): (u16, &Row)) -> HallBoard {
    let (name, start, chess960, sans, result) = *row;
    let mut one = board(&[]);
    one.table = TableId(table);
    one.game = format!("r5-t{table}").parse().expect("an id");
    one.players.white.name = name.to_owned();
    one.start_fen = start.map(str::to_owned);
    one.chess960 = chess960;
    one.moves = moves(start, chess960, sans);
    one.settled_ply = u32::try_from(one.moves.len()).expect("few");
    one.completed_ply = one.settled_ply;
    one.result = result;
    one.state = match (result, one.moves.is_empty()) {
        (Some(_), _) => HallState::Over,
        (None, true) => HallState::Waiting,
        (None, false) => HallState::Paused,
    };
    one
}

/// Three hundred half-moves, adjourned, with a name of a team in it.
fn long_game() -> HallBoard {
    let sans = "Nf3 Nf6 Ng1 Ng8 ".repeat(75);
    let mut one = game_of((16, &("Long, L", None, false, "", None)));
    one.moves = moves(None, false, &sans);
    one.settled_ply = 300;
    one.completed_ply = 300;
    one.state = HallState::Adjourned;
    one.players.black.team = Some("\"A\" {b} [c]\\".to_owned());
    one
}

fn odd_games() -> Vec<HallBoard> {
    let mut all: Vec<HallBoard> = (1..).zip(ROWS).map(game_of).collect();
    // Armageddon: times that differ, and draw odds; a game that goes on with what is no legal move; an event without a name.
    all.push(long_game());
    all[0].time_control = "W300-B240".to_owned();
    all[7].cut_short = true;
    all[11].event = String::new();
    all[11].date = String::new();
    all[11].round = 0;
    all[12].site = "x".repeat(300);
    all
}

fn desk_ply(played: Played, san: &str, by: Side) -> DeskPly {
    DeskPly {
        played,
        san: san.to_owned(),
        by,
        made_at: Timestamp(0),
        completed_at: None,
        pressed: true,
        settled: true,
        certainty: 1.0,
        clock_ms: Some(5_398_000),
        spent_ms: Some(2_000),
    }
}

/// What only the desk writes: irregular half-moves (one of which leaves a king in check), take-backs, an adjournment.
fn faithful() -> String {
    let mut one = game_of((21, &ROWS[1]));
    let legal = |ply: &HallPly, by| desk_ply(Played::Legal(ply.uci.clone()), &ply.san, by);
    let sides = [Side::White, Side::Black];
    let mut record: Vec<DeskPly> = one
        .moves
        .iter()
        .zip(sides.iter().cycle())
        .map(|(ply, by)| legal(ply, *by))
        .collect();
    let irregular = |to_fen: &str, words: &str| Played::Irregular {
        from_fen: String::new(),
        to_fen: to_fen.to_owned(),
        words: words.to_owned(),
    };
    let pinned = "rnbqk2r/pppp1ppp/4pn2/8/1bPPN3/8/PP2PPPP/R1BQKBNR b KQkq - 3 4";
    let then = "rnbqk2r/ppp2ppp/4pn2/3p4/1bPPN3/8/PP2PPPP/R1BQKBNR w KQkq - 0 5";
    let later = "rnbqk2r/ppp2ppp/4pn2/3p4/1bPP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 5";
    record.push(desk_ply(irregular(pinned, "Nc3-e4"), "Nc3-e4", Side::White));
    record.push(desk_ply(irregular(then, "d7-d5"), "d7-d5", Side::Black));
    record.push(desk_ply(irregular(later, "Ne4-c3"), "Ne4-c3", Side::White));
    for (san, uci, by) in [("O-O", "e8h8", Side::Black), ("e3", "e2e3", Side::White)] {
        record.push(desk_ply(Played::Legal(uci.to_owned()), san, by));
    }
    let note = |after, words: &str| Note {
        after,
        words: words.to_owned(),
    };
    let notes = [
        note(0, "ruling by MK (7.2.1): {array} \"corrected\" [%clk x]"),
        note(4, "from here stood: Qa4+; taken back"),
        note(7, "illegal move, completed"),
        note(11, "adjourned; 2. sealed by Black\r\n\r\n[sic]"),
    ];
    one.settled_ply = 11;
    one.completed_ply = 11;
    let odd: String = odd_games()
        .iter()
        .map(|b| faithful_game(b, &record_of(b), &[]))
        .collect();
    faithful_game(&one, &record, &notes) + &odd
}

fn record_of(board: &HallBoard) -> Vec<DeskPly> {
    let plies = board.moves.iter();
    plies
        .map(|ply| desk_ply(Played::Legal(ply.uci.clone()), &ply.san, Side::White))
        .collect()
}

#[test]
fn odd_games_say_what_their_golden_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/feeds/pgn/golden");
    let odd = odd_games();
    for (name, text) in [
        ("clean.pgn", pgn::written(PgnForm::Clean, odd.iter())),
        ("e-pgn.pgn", pgn::written(PgnForm::EPgn, odd.iter())),
        (
            "livechess.pgn",
            pgn::written(PgnForm::Livechess, odd.iter()),
        ),
        ("faithful.pgn", faithful()),
    ] {
        let file = folder.join(name);
        if std::env::var("GOLDEN").as_deref() == Ok("write") {
            std::fs::create_dir_all(&folder).expect("made");
            std::fs::write(&file, &text).expect("written");
        }
        let golden = std::fs::read_to_string(&file).expect("a golden file");
        assert_eq!(text, golden, "{name}");
    }
}
