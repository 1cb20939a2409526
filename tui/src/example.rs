//! An example hall of 99 tables in a busy minute: for pictures, documentation and tests.

use protocol::{
    Alert, AlertLife, Answer, BySide, ChessclockView, DeskPly, DeskRound, DeskTable, DeviceInfo,
    Evidence, FactId, GameResult, Health, HubPresence, JournalLine, Judgement, LogLine, Order,
    OrderBody, Penalty, Placement, Played, Player, Preview, ResultHow, ResultState, Role, Side,
    Snooze, Standing, TableId, TableResult, TableState, Timestamp, Urgency,
};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use crate::app::{App, Me};
use crate::key::Key;
use crate::message::{Effect, Heard, Link, Message};
use crate::settings::Settings;
use crate::venue::Venue;

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

fn ago(seconds: i64) -> Timestamp {
    NOW.shifted(-seconds * 1000)
}

/// A dashboard that has heard the whole example.
///
/// # Panics
/// Never: the usual settings are good.
pub fn app(settings: &Settings) -> App {
    let me = Me {
        initials: "MK".to_owned(),
        role: Role::Arbiter,
        client: "tui-example".parse().expect("a name"),
        read_only: false,
    };
    let mut app = App::new(settings, me).expect("the settings were read before");
    app.update(Message::Tick(NOW));
    app.update(Message::Link(Link::Up));
    for heard in heard() {
        app.update(Message::Heard(heard));
    }
    app.flash_until = None;
    app
}

/// The venue of the example.
pub fn venue() -> Venue {
    let mut venue = Venue::default();
    venue.link = Link::Up;
    heard().into_iter().for_each(|h| venue.hear(h, NOW));
    venue
}

/// Everything the hub of the example says.
pub fn heard() -> Vec<Heard> {
    let presence = HubPresence {
        online: true,
        now: NOW,
        boot: "b1".parse().expect("a name"),
        version: "0.1.0".to_owned(),
    };
    let live = Heard::Presence {
        presence,
        live: true,
    };
    let tables: Vec<DeskTable> = (1..=99).map(table).collect();
    let round = Heard::Round(Box::new(round(&tables)));
    let alerts = alerts().into_iter().map(|a| Heard::Alert(Box::new(a)));
    let journal = journal().into_iter().map(|l| Heard::Journal(Box::new(l)));
    let tables = tables.into_iter().map(|t| Heard::Table(Box::new(t)));
    [live, round]
        .into_iter()
        .chain(tables)
        .chain(alerts)
        .chain(journal)
        .collect()
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
        alerts: Vec::new(),
        log: Vec::new(),
        completed_ply: plies as u32,
        revision: 100 + n as u64,
        record,
    };
    special(&mut table);
    table
}

/// What the hub of the example answers to an order.
pub fn answer(order: &Order) -> Answer {
    if !order.preview {
        return Answer::Done {
            id: order.id,
            ruling: Some(41_420),
            words: "written down as no. 41420".to_owned(),
        };
    }
    Answer::Preview {
        id: order.id,
        basis: 100,
        preview: preview(&order.body),
    }
}

fn preview(body: &OrderBody) -> Preview {
    let lines = |lines: &[&str]| lines.iter().map(|l| (*l).to_owned()).collect();
    let say = |article: &str, seen: &[&str], then: &[&str], ends_game: bool| Preview {
        lines: lines(seen),
        article: article.to_owned(),
        then: lines(then),
        ends_game,
        set_clock: None,
    };
    match body {
        OrderBody::IllegalMove {
            judgement: Judgement::First,
            ..
        } => Preview {
            set_clock: Some(BySide {
                white: 240_000,
                black: 660_000,
            }),
            ..say(
                "7.5.5",
                &["first completed illegal move of White: two minutes more for Black"],
                &[
                    "Black 0:09:00 + 2:00 = 0:11:00",
                    "the move before it is restored",
                ],
                false,
            )
        },
        OrderBody::IllegalMove {
            judgement: Judgement::Second,
            ..
        } => say(
            "7.5.5",
            &[
                "second completed illegal move of White: lost",
                "½ – ½ only if Black could never checkmate: not so here",
            ],
            &[
                "result 0–1",
                "both clocks stay stopped",
                "the wall page shows 0–1",
            ],
            true,
        ),
        OrderBody::IllegalMove { .. } => {
            say("", &["nothing is counted"], &["the game continues"], false)
        }
        OrderBody::Result {
            result,
            how,
            confirm,
            ..
        } => say(
            "8.7",
            &[&format!("{result} {}", how.words())],
            &[if *confirm {
                "recorded and confirmed"
            } else {
                "recorded, unconfirmed"
            }],
            *confirm,
        ),
        OrderBody::Confirm { .. } => say(
            "8.7",
            &["the proposed result becomes official"],
            &["the hall sees it"],
            true,
        ),
        OrderBody::AdjustTime {
            change_ms, article, ..
        } => Preview {
            set_clock: Some(BySide {
                white: (680_000 + change_ms.white).max(0).unsigned_abs(),
                black: (222_000 + change_ms.black).max(0).unsigned_abs(),
            }),
            ..say(
                article,
                &["the reading is watched and ticked off"],
                &["set the clock by hand"],
                false,
            )
        },
        OrderBody::Counter { .. } => Preview {
            set_clock: Some(BySide {
                white: 680_000,
                black: 102_000,
            }),
            ..say(
                "",
                &[
                    "Black 0:03:42 − 2:00 = 0:01:42",
                    "White: completed illegal moves 1 → 0",
                ],
                &["both rulings stay in the journal"],
                false,
            )
        },
        OrderBody::Conduct { penalty, .. } => say(
            "12.9",
            &[],
            &["written into the journal"],
            *penalty == Penalty::Loss,
        ),
        _ => say("", &[], &["written into the journal"], false),
    }
}

/// Presses keys, 0.4 s each, with the hub of the example answering.
pub fn play(app: &mut App, keys: &[Key]) {
    for key in keys {
        let now = app.now.after(400);
        app.update(Message::Tick(now));
        let presence = HubPresence {
            online: true,
            now,
            boot: "b1".parse().expect("a name"),
            version: "0.1.0".to_owned(),
        };
        app.update(Message::Heard(Heard::Presence {
            presence,
            live: true,
        }));
        let mut effects = app.update(Message::Key(*key));
        while let Some(effect) = effects.pop() {
            if let Effect::Send(order) = effect {
                let answer = Box::new(answer(&order));
                effects.extend(app.update(Message::Heard(Heard::Answer(answer))));
            }
        }
    }
}

/// Pictures worth keeping: a name, and the keys that lead there from the screen Tables.
pub const SCENES: &[(&str, &str)] = &[
    ("tables", ""),
    ("tables-hall", "right down"),
    ("tables-filtered", "/ r o w : D enter"),
    ("table", ": 4 2 enter"),
    ("table-evidence", ": 8 8 enter e"),
    ("alerts", "2"),
    ("alerts-evidence", "2 e"),
    ("round", "3"),
    ("devices", "4"),
    ("journal", "5"),
    ("illegal-move", "! enter r"),
    ("result", ": 5 5 enter w"),
    ("confirm", ": 5 5 enter v"),
    ("time", ": 6 1 enter t tab + 2 : 0 0"),
    ("clock", ": 3 3 enter c"),
    ("position", ": 4 2 enter p 3"),
    ("claim", ": 6 3 enter C"),
    ("conduct", ": 6 1 enter m 2"),
    ("default", ": 4 6 enter d"),
    ("note", ": 4 2 enter n s e e n space b y space J P"),
    ("snooze", "2 j j j x"),
    ("counter-ruling", ": 4 2 enter U"),
    ("help", "?"),
    ("help-all", "? ?"),
    ("palette", ": 4 2"),
    ("curtain", "\\"),
];

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
        at: ago(seconds).shifted(412),
        kind: kind.to_owned(),
        words: words.to_owned(),
        source: source.to_owned(),
    };
    lines.into_iter().map(line).collect()
}

fn round(tables: &[DeskTable]) -> DeskRound {
    let line = |t: &DeskTable| TableResult {
        table: t.table,
        game: t.game.clone(),
        players: t.players.clone(),
        time_control: t.time_control.clone(),
        standing: t.standing,
        signed: BySide {
            white: t.standing.is_some_and(|s| s.state == ResultState::Signed),
            black: t
                .standing
                .is_some_and(|s| s.state >= ResultState::Confirmed),
        },
        illegal_moves: t.illegal_moves,
    };
    DeskRound {
        event: "Open de Lyon".to_owned(),
        round: 5,
        rounds: 9,
        starts: Some(ago(11_832)),
        default_ms: 1_800_000,
        time_control: "40/5400+30:1800+30".parse().expect("a time control"),
        tables: tables.iter().map(line).collect(),
        ..DeskRound::default()
    }
}

fn alert(
    table: u16,
    code: &str,
    urgency: Urgency,
    article: &str,
    headline: &str,
    age: i64,
) -> Alert {
    Alert {
        id: format!("{table}-{code}-1"),
        code: code.to_owned(),
        table: Some(TableId(table)),
        ply: None,
        urgency,
        article: article.to_owned(),
        headline: headline.to_owned(),
        because: Vec::new(),
        proposal: Vec::new(),
        since: ago(age),
        lapse: None,
        life: AlertLife::New,
        snoozed: None,
        evidence: Vec::new(),
        history: Vec::new(),
    }
}

/// The alerts of the example: six open, one put aside, three closed.
fn alerts() -> Vec<Alert> {
    use Urgency::{Asked, Call, Silent, Tech};
    let closed = |why: &str, by: Option<&str>, seconds: i64| AlertLife::Closed {
        why: why.to_owned(),
        by: by.map(str::to_owned),
        at: ago(seconds),
    };
    let fact = |seq: u64, seconds: i64, words: &str| Evidence {
        fact: FactId {
            agent: "agent-017".parse().expect("a name"),
            boot: "b7".parse().expect("a name"),
            seq,
        },
        at: ago(seconds),
        words: words.to_owned(),
    };
    vec![
        Alert {
            because: vec![
                "The position after 18… Rg8 has now appeared five times, White to move.".to_owned(),
                "The game is drawn; nobody needs to claim.".to_owned(),
            ],
            proposal: vec!["Stop the clocks, show both players, record ½–½.".to_owned()],
            evidence: vec![fact(880, 23, "18… Rg8 completed"), fact(879, 24, "squares h8 g8")],
            ..alert(17, "fivefold", Call, "9.6.1", "fivefold repetition on the board", 21)
        },
        Alert {
            because: vec![
                "The knight on g5 was pinned: after the move the king on c1 is attacked by the bishop on h6 (3.9.2)."
                    .to_owned(),
            ],
            proposal: vec!["Second completed illegal move: the game is lost (7.5.5).".to_owned()],
            ..alert(88, "illegal-move", Call, "7.5.5", "illegal move completed, White, second", 40)
        },
        Alert {
            because: vec!["Black stopped both clocks after his move and before pressing.".to_owned()],
            life: AlertLife::Taken { by: "JP".to_owned(), at: ago(32) },
            ..alert(42, "clocks-stopped", Asked, "6.11.2", "clocks stopped by Black", 65)
        },
        alert(9, "move-without-press", Silent, "12.6", "move made 2:10 ago, clock not pressed", 130),
        alert(63, "threefold-claimable", Silent, "9.2.1", "threefold repetition, nobody has claimed", 12),
        Alert {
            because: vec!["No frame from the board since 18:16:24; the agent answers.".to_owned()],
            ..alert(71, "board-silent", Tech, "", "board silent, last heard 18:16:24", 48)
        },
        Alert {
            snoozed: Some(Snooze { until: NOW.after(6_168_000), by: "PT".to_owned() }),
            ..alert(33, "clock-battery-low", Tech, "", "clock battery 12 %, change after the round", 1900)
        },
        Alert {
            life: closed("ruled", Some("MK"), 371),
            ..alert(42, "illegal-move", Call, "7.5.5", "first illegal move, Black +2:00", 419)
        },
        Alert {
            life: closed("cleared", None, 900),
            ..alert(51, "position-mismatch", Tech, "", "position and record disagree", 906)
        },
        Alert {
            life: closed("cleared", None, 10_860),
            ..alert(12, "default-time-reached", Call, "6.7.1", "White absent", 11_352)
        },
    ]
}

fn journal() -> Vec<JournalLine> {
    let line = |number: u64,
                table: u16,
                seconds: i64,
                kind: &str,
                words: &str,
                source: &str,
                article: &str| {
        JournalLine {
            number,
            table: Some(TableId(table)),
            line: LogLine {
                at: ago(seconds).shifted(118),
                kind: kind.to_owned(),
                words: words.to_owned(),
                source: source.to_owned(),
            },
            article: article.to_owned(),
        }
    };
    vec![
        line(
            41_002,
            42,
            371,
            "ruling",
            "first illegal move, White; Black +2:00",
            "MK",
            "7.5.5",
        ),
        line(41_377, 42, 67, "made", "20… Nc6xe7", "agent-042 #2209", ""),
        line(
            41_378,
            42,
            65,
            "clock",
            "both stopped by Black",
            "agent-042 #2210",
            "",
        ),
        line(41_391, 71, 48, "board", "silent", "agent-071 #903", ""),
        line(
            41_402,
            88,
            42,
            "made",
            "Ng5xf7, no legal move",
            "agent-088 #1311",
            "",
        ),
        line(
            41_403,
            88,
            40,
            "press",
            "White pressed",
            "agent-088 #1312",
            "",
        ),
        line(
            41_409,
            42,
            32,
            "take",
            "clocks stopped by Black",
            "JP",
            "6.11.2",
        ),
        line(41_415, 17, 21, "complete", "18… Rg8", "agent-017 #880", ""),
    ]
}
