//! Decides what a fact means for a game: facts in, events out, the game unchanged.

use protocol::{
    ClockReading, Fact, FactId, GameResult, LogLine, Placement, ResultHow, ResultState, Side,
    SquareName, Standing, Timestamp, Uncertain,
};

use super::chessclock::{can_be_shown, fallen};
use super::{Game, GameEvent, law_watch, notices, record_facts};
use crate::laws::start::{Array, array};

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
            correct,
            squares,
            board,
            ..
        } => set_up(game, *correct, squares, board, seen),
        Fact::Notice { code, over, detail } => notices::decide(game, seen, code, *over, detail),
        Fact::Reading(reading) | Fact::Press { clock: reading, .. } => clock(game, reading, seen),
        Fact::Adopted { generation } => adopted(game, *generation),
        Fact::Logged { times } => logged(times.len(), seen.at),
        Fact::Squares { .. } | Fact::Dump { .. } | Fact::Health(_) => Vec::new(),
    }
}

/// What follows where the last press came from a chessclock that is not the board's: it completed the half-move that its player had made,
/// or has made by now, since the board tells of a move when it has settled.
pub fn pressed_beside(game: &Game, seen: Seen<'_>) -> Vec<GameEvent> {
    let mut events = record_facts::pressed_beside(game, seen);
    events.extend(law_watch::watch(game, seen, &events));
    events
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
    if same || game.is_over() || game.adjourned.is_some() {
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
        more: uncertain.more || uncertain.choices.len() > MOST_CHOICES,
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
    if game.record.is_empty() || game.adjourned.is_some() {
        return Vec::new();
    }
    let standing = Standing {
        result,
        how: ResultHow::KingsSign,
        state: ResultState::Proposed,
    };
    match game.standing {
        None => vec![GameEvent::ResultProposed {
            standing,
            at,
            words: format!("kings on the centre squares say {result}"),
        }],
        Some(other) if other.result != result && is_news(game, standing, at) => {
            vec![GameEvent::WitnessSeen { standing, at }]
        }
        Some(_) => Vec::new(),
    }
}

/// Kings stand in the centre in many an analysis: only soon after the end are they a sign.
const A_SIGN: u64 = 120_000;

fn is_news(game: &Game, standing: Standing, at: Timestamp) -> bool {
    let known = game
        .witness
        .as_ref()
        .is_some_and(|w| w.standing == standing);
    let soon = game.standing_since.is_none_or(|s| at.since(s) <= A_SIGN);
    !known && soon
}

fn set_up(
    game: &Game,
    correct: bool,
    squares: &[SquareName],
    board: &Placement,
    seen: Seen<'_>,
) -> Vec<GameEvent> {
    if !game.record.is_empty() {
        return law_watch::set_up_again(game, correct, seen)
            .into_iter()
            .collect();
    }
    // A wrong array without a wrong square says nothing.
    if !correct && squares.is_empty() {
        return Vec::new();
    }
    let found = if correct {
        Array::Right
    } else {
        array(&board.0, &game.record.start().placement().0)
    };
    let (turned, words) = match found {
        Array::Right | Array::HalfTurn => return array_right(game, seen.at),
        Array::QuarterTurn => (true, Vec::new()),
        Array::Wrong(words) => (false, words),
        Array::Incomplete => (false, Vec::new()),
    };
    let known = |w: &super::WrongArray| w.squares == squares && w.turned == turned;
    if game.wrong_array.as_ref().is_some_and(known) {
        return Vec::new();
    }
    vec![GameEvent::SetUpSeen {
        correct: false,
        squares: squares.iter().copied().take(64).collect(),
        at: seen.at,
        turned,
        words,
    }]
}

/// The initial array stands, or nothing does any more that could be wrong.
pub(super) fn array_right(game: &Game, at: Timestamp) -> Vec<GameEvent> {
    if game.wrong_array.is_none() {
        return Vec::new();
    }
    vec![GameEvent::SetUpSeen {
        correct: true,
        squares: Vec::new(),
        at,
        turned: false,
        words: Vec::new(),
    }]
}

fn clock(game: &Game, reading: &ClockReading, seen: Seen<'_>) -> Vec<GameEvent> {
    let mut events = Vec::new();
    if !can_be_shown(reading) {
        return out_of_range(game, seen.at).into_iter().collect();
    }
    if game.adjourned.is_some() || game.array_awaited {
        return events;
    }
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
    if game.clock.is_set() {
        events.push(GameEvent::TimeSeen);
    }
    events
}

/// Said once, however often such a reading comes in a row.
fn out_of_range(game: &Game, at: Timestamp) -> Option<GameEvent> {
    let words = "a reading of the clock is out of range and was not taken";
    let said = game.log.back().is_some_and(|l| l.line.words == words);
    let line = LogLine {
        at,
        kind: "evidence".to_owned(),
        words: words.to_owned(),
        source: String::new(),
    };
    (!said).then_some(GameEvent::Noted(line))
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
