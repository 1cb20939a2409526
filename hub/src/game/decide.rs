//! Decides what a fact means for a game: facts in, events out, the game unchanged.

use protocol::{
    ClockReading, Fact, FactId, GameResult, LogLine, Placement, ResultHow, ResultState, Side,
    SquareName, Standing, Timestamp, Uncertain,
};

use super::chessclock::fallen;
use super::{Game, GameEvent, law_watch, notices, record_facts};

/// A fact as the hub saw it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The fact.
    pub fact: &'a Fact,
    /// Its name.
    pub id: &'a FactId,
    /// When it happened, hub's time.
    pub at: Timestamp,
}

/// What follows from a fact. Facts that only the board or the clock concern give little or nothing.
pub fn decide(game: &Game, seen: Seen<'_>) -> Vec<GameEvent> {
    match seen.fact {
        Fact::Made { .. }
        | Fact::Completed { .. }
        | Fact::Settled { .. }
        | Fact::Revised { .. }
        | Fact::Retracted { .. } => {
            let mut events = record_facts::decide(game, seen);
            events.extend(law_watch::watch(game, seen, &events));
            events
        }
        Fact::Unexplained { squares, board } => differs(game, squares, board, seen.at),
        Fact::Explained => agrees(game),
        Fact::Ambiguous(uncertain) => ambiguous(game, uncertain, seen.at),
        Fact::KingsCentred { result } => kings(game, *result, seen.at),
        Fact::SetUp {
            correct, squares, ..
        } => set_up(game, *correct, squares, seen),
        Fact::Notice { code, over, detail } => notices::decide(game, seen, code, *over, detail),
        Fact::Reading(reading) | Fact::Press { clock: reading, .. } => clock(game, reading, seen),
        Fact::Adopted { generation } => adopted(game, *generation),
        Fact::Logged { times } => logged(times.len(), seen.at),
        Fact::Squares { .. } | Fact::Dump { .. } | Fact::Health(_) => Vec::new(),
    }
}

fn agrees(game: &Game) -> Vec<GameEvent> {
    match game.differs {
        Some(_) => vec![GameEvent::BoardAgrees],
        None => Vec::new(),
    }
}

fn differs(
    game: &Game,
    squares: &[SquareName],
    board: &Placement,
    at: Timestamp,
) -> Vec<GameEvent> {
    let same = game.differs.as_ref().is_some_and(|d| d.board == *board);
    if same || game.is_over() {
        return Vec::new();
    }
    if squares.is_empty() {
        return agrees(game);
    }
    let since = game.differs.as_ref().map_or(at, |d| d.since);
    vec![GameEvent::BoardDiffers {
        since,
        squares: squares.iter().copied().take(64).collect(),
        board: board.clone(),
    }]
}

/// More lines, or longer ones, help nobody.
const MOST_CHOICES: usize = 8;
const LONGEST_CHOICE: usize = 32;

fn ambiguous(game: &Game, uncertain: &Uncertain, at: Timestamp) -> Vec<GameEvent> {
    let choices = uncertain.choices.iter().take(MOST_CHOICES);
    let short = |line: &Vec<String>| {
        let word = |uci: &String| uci.chars().take(8).collect();
        line.iter().take(LONGEST_CHOICE).map(word).collect()
    };
    let kept = Uncertain {
        ply: uncertain.ply,
        choices: choices.map(short).collect(),
    };
    let known = game.uncertain.iter().find(|(u, _)| u.ply == kept.ply);
    match (known, kept.choices.is_empty()) {
        (None, true) => Vec::new(),
        (Some(_), true) => vec![GameEvent::PlyCertain { ply: kept.ply }],
        (Some((known, _)), false) if *known == kept => Vec::new(),
        _ if kept.ply <= game.ruled_ply => Vec::new(),
        _ => vec![GameEvent::PlyUncertain(kept, at)],
    }
}

fn kings(game: &Game, result: GameResult, at: Timestamp) -> Vec<GameEvent> {
    if game.standing.is_some() || game.record.is_empty() {
        return Vec::new();
    }
    vec![GameEvent::ResultProposed {
        standing: Standing {
            result,
            how: ResultHow::KingsSign,
            state: ResultState::Proposed,
        },
        at,
        words: format!("kings on the centre squares say {result}"),
    }]
}

fn set_up(game: &Game, correct: bool, squares: &[SquareName], seen: Seen<'_>) -> Vec<GameEvent> {
    let same = match &game.wrong_array {
        Some((known, _)) => !correct && known == squares,
        None => correct,
    };
    if game.begun.is_some() {
        return law_watch::set_up_again(game, correct, seen)
            .into_iter()
            .collect();
    }
    // A wrong array without a wrong square says nothing.
    if same || (!correct && squares.is_empty()) {
        return Vec::new();
    }
    vec![GameEvent::SetUpSeen {
        correct,
        squares: squares.iter().copied().take(64).collect(),
        at: seen.at,
    }]
}

fn clock(game: &Game, reading: &ClockReading, seen: Seen<'_>) -> Vec<GameEvent> {
    let mut events = Vec::new();
    if game.begun.is_none() && reading.running == Some(Side::White) {
        events.push(GameEvent::Begun);
    }
    if game.in_play() {
        events.extend(
            fallen(&game.clock, reading)
                .into_iter()
                .map(|side| GameEvent::FlagSeen {
                    side,
                    at: seen.at,
                    fact: Some(seen.id.clone()),
                }),
        );
    }
    if game.clock.is_set(reading, seen.at) {
        events.push(GameEvent::TimeSeen);
    }
    events
}

fn adopted(game: &Game, generation: u64) -> Vec<GameEvent> {
    match game.held {
        Some((wanted, _)) if generation >= wanted => vec![GameEvent::Released],
        _ => Vec::new(),
    }
}

fn logged(entries: usize, at: Timestamp) -> Vec<GameEvent> {
    vec![GameEvent::Noted(LogLine {
        at,
        kind: "board".to_owned(),
        words: format!("the board's own log read, {entries} times"),
        source: String::new(),
    })]
}
