//! The tables of the example: a famous game at each, and something special at some.

use protocol::{
    AgentPresence, BySide, ChessclockView, DeskPly, DeskTable, DeviceInfo, GameResult, Health,
    LogLine, Placement, Played, Player, ResultHow, ResultState, RulingLine, Side, Standing,
    TableId, TableState, Timestamp,
};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// The moment of the example: 18:17:12 on a Saturday in July.
pub const NOW: Timestamp = Timestamp(1_783_189_032_000);

const EVERGREEN: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 \
    Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7";
const NAMES: [&str; 22] = [
    "Marchetti, L",
    "Iyer, S",
    "Novak, P",
    "Haddad, R",
    "Sousa, M",
    "Lindqvist, E",
    "Brandt, K",
    "Petrov, A",
    "Ferrari, G",
    "Diallo, B",
    "Tanaka, H",
    "Petit, C",
    "Okafor, T",
    "Kuznetsova, A",
    "Müller, J",
    "Dupont, É",
    "Silva, R",
    "Jansen, W",
    "Kowalski, Z",
    "García, M",
    "Nguyen, T",
    "Larsen, O",
];

pub(super) fn ago(seconds: i64) -> Timestamp {
    NOW.shifted(-seconds * 1000)
}

/// A table of the example.
pub fn table(number: u16) -> DeskTable {
    let n = usize::from(number);
    let plies = match number {
        42 => 40,
        _ => 8 + (n * 7) % 30,
    };
    let (record, position) = record(plies);
    let clock_ms = |k: usize| 300_000 + ((n * k * 7919) % 3600) as u64 * 1000;
    let turn: Side = position.turn().into();
    let mut table = DeskTable {
        table: TableId(number),
        place: Some(place(number)),
        game: format!("r5-t{number}").parse().expect("a name"),
        round: 5,
        players: players(n),
        edition: protocol::EditionId::Fide2023,
        regime: protocol::Regime::default(),
        time_control: "40/5400+30:1800+30".parse().expect("a time control"),
        start_fen: None,
        chess960: false,
        uncertain: Vec::new(),
        position: Placement(position.board().clone()),
        fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
        turn,
        board: None,
        clock: Some(ChessclockView {
            time: BySide {
                white: clock_ms(3),
                black: clock_ms(5),
            },
            running: Some(turn),
            flag: BySide::default(),
            at: ago(1),
        }),
        state: TableState::Playing,
        standing: None,
        illegal_moves: BySide::default(),
        repetitions: 1,
        quiet_plies: 0,
        to_control: Some(BySide {
            white: 40 - plies.div_ceil(2) as u32,
            black: 40 - plies as u32 / 2,
        }),
        short_of_time_at: None,
        silence: [
            "how many moves are completed",
            "that the opponent has moved",
            "that the clock was not pressed",
            "No exception here: with 30 s a move 8.5 cannot arise (8.4)",
        ]
        .map(str::to_owned)
        .to_vec(),
        silence_article: "12.6".to_owned(),
        device: Some(format!("dgt-{:05}", 24000 + n).parse().expect("a name")),
        device_info: Some(device(number)),
        heard: Some(ago(0)),
        delay_ms: Some(2 + u64::from(number % 5)),
        alerts: Vec::new(),
        log: Vec::new(),
        rulings: Vec::new(),
        held: false,
        completed_ply: plies as u32,
        revision: 100 + n as u64,
        record,
    };
    special(&mut table);
    table
}

fn place(number: u16) -> String {
    let rows = ["A", "B", "C", "D", "E", "F", "G", "H", "J"];
    let index = usize::from(number - 1);
    format!("Row {} seat {}", rows[(index / 11).min(8)], index % 11 + 1)
}

fn players(n: usize) -> BySide<Player> {
    let one = |k: usize| Player {
        name: NAMES[k % NAMES.len()].to_owned(),
        rating: Some(2500 - (n % 100 * 5 + k % 3 * 7) as u16),
        ..Player::default()
    };
    match n {
        42 => BySide {
            white: Player {
                rating: Some(2398),
                ..one(12)
            },
            black: Player {
                rating: Some(2412),
                ..one(13)
            },
        },
        _ => BySide {
            white: one(n * 2),
            black: one(n * 2 + 1),
        },
    }
}

/// The first half-moves of a famous game, one each 40 seconds.
fn record(plies: usize) -> (Vec<DeskPly>, Chess) {
    let mut position = Chess::default();
    let mut record = Vec::new();
    for (index, san) in EVERGREEN.split_whitespace().take(plies).enumerate() {
        let by: Side = position.turn().into();
        let played = san.parse::<SanPlus>().expect("written well").san;
        let played = played.to_move(&position).expect("a legal game");
        let uci = played.to_uci(CastlingMode::Standard).to_string();
        position.play_unchecked(played);
        let at = ago(67 + 40 * (plies - index) as i64);
        record.push(DeskPly {
            played: Played::Legal(uci),
            san: san.to_owned(),
            by,
            made_at: at,
            completed_at: Some(at.after(1200)),
            pressed: true,
            settled: true,
            certainty: 1.0,
            clock_ms: Some(5_400_000 - 40_000 * index as u64),
            spent_ms: Some(40_000),
        });
    }
    (record, position)
}

/// The agent of a table.
pub(super) fn agent(number: u16) -> AgentPresence {
    AgentPresence {
        agent: format!("agent-{number:03}").parse().expect("a name"),
        boot: "b7".parse().expect("a name"),
        online: true,
        version: "0.1.0".to_owned(),
        host: format!("10.0.4.{number}"),
        devices: Vec::new(),
    }
}

fn device(number: u16) -> DeviceInfo {
    let silent = number == 71;
    DeviceInfo {
        device: format!("dgt-{:05}", 24000 + number)
            .parse()
            .expect("a name"),
        agent: format!("agent-{number:03}").parse().expect("a name"),
        boot: "b7".parse().expect("a name"),
        family: "dgt".to_owned(),
        serial: format!("{:05}", 24000 + number),
        long_serial: None,
        firmware: Some("1.8".to_owned()),
        clock: (number != 90).then(|| "dgt3000".to_owned()),
        port: format!("/dev/eboard/{}", 24000 + number),
        lamps: false,
        health: Health {
            board: !silent,
            clock: !silent && number != 90,
            state: if silent { "silent" } else { "ok" }.to_owned(),
            cause: match silent {
                true => "the cable at the board end; row G has 10 of 11 boards well".to_owned(),
                false => String::new(),
            },
            battery: (number == 33).then_some(protocol::Battery {
                percent: 12,
                charging: false,
            }),
            drops: if number == 33 { 2 } else { 0 },
            ..Health::default()
        },
    }
}

/// The tables of which something is told.
fn special(table: &mut DeskTable) {
    match table.table.0 {
        42 => stopped(table),
        88 => illegal(table),
        71 => table.heard = Some(ago(48)),
        17 => table.repetitions = 5,
        70 => table.alerts = vec!["70-draw-claimed-1".to_owned()],
        46 => table.state = TableState::Out,
        20 => short(table, 201_000),
        9 | 31 | 50 | 63 | 64 | 92 => short(table, 260_000),
        11 => over(
            table,
            GameResult::WhiteWins,
            ResultHow::Resigned,
            ResultState::Signed,
        ),
        16 => over(
            table,
            GameResult::Draw,
            ResultHow::Agreed,
            ResultState::Signed,
        ),
        25 => over(
            table,
            GameResult::BlackWins,
            ResultHow::Flag,
            ResultState::Confirmed,
        ),
        55 => over(
            table,
            GameResult::Draw,
            ResultHow::KingsSign,
            ResultState::Proposed,
        ),
        76 => over(
            table,
            GameResult::WhiteWins,
            ResultHow::Checkmate,
            ResultState::Signed,
        ),
        _ => {}
    }
}

fn short(table: &mut DeskTable, ms: u64) {
    if let Some(clock) = &mut table.clock {
        *clock.time.get_mut(table.turn) = ms;
    }
}

fn over(table: &mut DeskTable, result: GameResult, how: ResultHow, state: ResultState) {
    table.state = TableState::Over;
    table.standing = Some(Standing { result, how, state });
    if let Some(clock) = &mut table.clock {
        clock.running = None;
    }
}

fn stopped(table: &mut DeskTable) {
    table.state = TableState::Stopped;
    table.clock = Some(ChessclockView {
        time: BySide {
            white: 680_000,
            black: 222_000,
        },
        running: None,
        flag: BySide::default(),
        at: ago(65),
    });
    if let Some(last) = table.record.last_mut() {
        last.completed_at = None;
        last.settled = false;
        last.made_at = ago(67);
    }
    table.illegal_moves.white = 1;
    table.rulings = vec![RulingLine {
        number: 41_002,
        at: ago(371),
        by: "MK".to_owned(),
        words: "+2:00 Black, 7.5.5 White, first".to_owned(),
        article: "7.5.5".to_owned(),
        undoable: true,
        countered: false,
    }];
    table.log = log([
        (371, "ruling", "+2:00 Black, 7.5.5 White, first", "MK"),
        (
            81,
            "complete",
            "20. Rxe7+     White pressed   11:20  3:58",
            "agent-042 #2207",
        ),
        (67, "made", "20… Nc6xe7", "agent-042 #2209"),
        (65, "clock", "both stopped by Black", "agent-042 #2210"),
    ]);
}

fn illegal(table: &mut DeskTable) {
    let fen = table.fen.clone();
    table.illegal_moves.white = 1;
    table.record.push(DeskPly {
        played: Played::Irregular {
            from_fen: fen.clone(),
            to_fen: fen,
            words: "Ng5xf7".to_owned(),
        },
        san: "Ng5xf7".to_owned(),
        by: table.turn,
        made_at: ago(42),
        completed_at: Some(ago(40)),
        pressed: true,
        settled: false,
        certainty: 0.97,
        clock_ms: Some(240_000),
        spent_ms: None,
    });
    table.turn = table.turn.other();
    table.log = log([
        (
            2000,
            "ruling",
            "first illegal move, Black +2:00 (7.5.5)",
            "MK",
        ),
        (42, "made", "Ng5xf7, no legal move", "agent-088 #1311"),
        (40, "press", "White pressed", "agent-088 #1312"),
    ]);
}

fn log<const N: usize>(lines: [(i64, &str, &str, &str); N]) -> Vec<LogLine> {
    let line = |(seconds, kind, words, source): (i64, &str, &str, &str)| LogLine {
        at: ago(seconds).shifted(118),
        kind: kind.to_owned(),
        words: words.to_owned(),
        source: source.to_owned(),
    };
    lines.into_iter().map(line).collect()
}
