//! The round, the alerts and the journal of the example.

use protocol::{
    Alert, AlertGroup, AlertLife, BySide, DeskRound, DeskTable, Evidence, FactId, FeedHealth,
    FeedState, GameResult, JournalLine, LogLine, ResultHow, ResultState, RulingLine, Snooze,
    Standing, TableId, TableResult, Urgency,
};

use super::hall::{NOW, ago};

pub(super) fn round(tables: &[DeskTable]) -> DeskRound {
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
        ruling: None,
    };
    DeskRound {
        event: "Open de Lyon".to_owned(),
        round: 5,
        rounds: 9,
        starts: Some(ago(11_832)),
        default_ms: 1_800_000,
        time_control: "40/5400+30:1800+30".parse().expect("a time control"),
        tables: tables.iter().map(line).collect(),
        unbound: vec![
            "dgt-24301".parse().expect("a name"),
            "dgt-24302".parse().expect("a name"),
        ],
        earlier: vec![4],
        walls: vec!["http://10.0.0.5:8080/  (hall)".to_owned()],
        feeds: ["pgn-games", "pgn-round"].map(feed).to_vec(),
        ..DeskRound::default()
    }
}

fn feed(name: &str) -> FeedHealth {
    FeedHealth {
        name: name.to_owned(),
        state: FeedState::Well,
        at: Some(ago(2)),
        detail: String::new(),
    }
}

/// The round before, with two tables.
pub(super) fn past_round(now: &DeskRound) -> DeskRound {
    let line = |(t, number): (&TableResult, u64)| TableResult {
        standing: Some(Standing {
            result: GameResult::Draw,
            how: ResultHow::Agreed,
            state: ResultState::Signed,
        }),
        signed: BySide {
            white: true,
            black: true,
        },
        illegal_moves: BySide::default(),
        ruling: Some(RulingLine {
            number,
            at: ago(90_000),
            by: "MK".to_owned(),
            words: "result 1/2-1/2, agreed".to_owned(),
            article: "8.7".to_owned(),
            undoable: true,
            countered: false,
        }),
        ..t.clone()
    };
    DeskRound {
        round: 4,
        tables: now.tables.iter().take(2).zip(31_001..).map(line).collect(),
        earlier: Vec::new(),
        feeds: Vec::new(),
        ..now.clone()
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
        side: None,
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
pub(super) fn alerts() -> Vec<Alert> {
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
            device: None,
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

/// Eight boards of row E fall silent in one moment: the hub says they are one cause.
pub(super) fn row_without_power(round: &DeskRound) -> (DeskRound, Vec<Alert>) {
    let tables = 47..=54;
    let silent = |table| Alert {
        because: vec!["No frame from the board since 18:16:02; the agent answers.".to_owned()],
        ..alert(table, "board-silent", Urgency::Tech, "", "board silent", 70)
    };
    let alerts: Vec<Alert> = tables.map(silent).collect();
    let group = AlertGroup {
        code: "board-silent".to_owned(),
        urgency: Urgency::Tech,
        tables: alerts.iter().filter_map(|a| a.table).collect(),
        alerts: alerts.iter().map(|a| a.id.clone()).collect(),
        since: ago(70),
    };
    let round = DeskRound {
        groups: vec![group],
        ..round.clone()
    };
    (round, alerts)
}

/// A second alert at the table of the illegal move: the clocks were stopped there.
pub(super) fn second_alert() -> Alert {
    alert(
        88,
        "clocks-stopped",
        Urgency::Asked,
        "6.11.2",
        "clocks stopped",
        20,
    )
}

pub(super) fn journal() -> Vec<JournalLine> {
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
