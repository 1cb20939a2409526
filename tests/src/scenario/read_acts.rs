//! What hands do, moves one after the other, facts as the wire has them, and what breaks.

use protocol::{Fact, Millis, Side, TableId};
use shakmaty::{Board, Piece};

use super::story::{Act, Fault, Programme, Step};
use super::words::{Read, Word, Words, clock_time, duration, side, square, table};

pub(super) const SIDE: &str = "side, White or Black";
pub(super) const LENGTH: &str = "length of time (20s, 3m)";

/// Acts of hands, one after the other, with commas between them.
pub(super) fn acts(words: &mut Words) -> Read<Vec<Act>> {
    let mut acts = Vec::new();
    while let Some(mut part) = words.until_comma() {
        act(&mut part, &mut acts)?;
        part.end()?;
    }
    Ok(acts)
}

fn act(words: &mut Words, acts: &mut Vec<Act>) -> Read<()> {
    let word = words.text("act")?;
    acts.push(match word.as_str() {
        "hand" => Act::Hand(words.text("move")?),
        "press" => Act::Press(words.want(SIDE, side)?),
        "lift" => Act::Lift(words.want("square", square)?),
        "put" => {
            let piece = words.want("piece (N white, n black)", piece)?;
            Act::Put(piece, words.want("square", square)?)
        }
        "arrange" => Act::Arrange(board(&words.text("placement")?)?),
        "kings" => {
            let white = words.want("square", square)?;
            Act::Kings(white, words.want("square", square)?)
        }
        "array" => Act::Arrange(Board::new()),
        "restore" => Act::Restore,
        "wait" => Act::Wait(words.want(LENGTH, duration)?),
        "clock" => return clock(words, acts),
        other => {
            return Err(format!(
                "“{other}” is no act: hand, press, lift, put, arrange, array, kings, restore, clock, wait"
            ));
        }
    });
    Ok(())
}

fn clock(words: &mut Words, acts: &mut Vec<Act>) -> Read<()> {
    let word = words.text("what is done to the clock")?;
    acts.push(match word.as_str() {
        "set" => {
            let white = words.want("time for White", clock_time)?;
            Act::Set(white, words.want("time for Black", clock_time)?)
        }
        "programme" => Act::Programme(programme(words)?),
        "start" => Act::Start(words.want(SIDE, side)?),
        "drift" => Act::Drift(words.want("thousandths (-20 is slow)", |w| w.parse().ok())?),
        "stop" => Act::Stop,
        "flag" => Act::FlagFalls(words.want(SIDE, side)?),
        "unplug" => Act::Plugged(false),
        "plug" => Act::Plugged(true),
        "battery" => Act::Battery(words.want("word: low or fresh", |w| match w {
            "low" => Some(true),
            "fresh" => Some(false),
            _ => None,
        })?),
        other => {
            return Err(format!(
                "“{other}” is nothing done to a clock: set, programme, start, stop, drift, flag, unplug, plug, battery"
            ));
        }
    });
    Ok(())
}

/// `+30`, `d30`, `+0`, `then 30:00`.
fn programme(words: &mut Words) -> Read<Programme> {
    let mut programme = Programme::default();
    while let Some(word) = words.plain() {
        if word == "then" {
            let period = words.want("time of the next period", clock_time)?;
            programme.periods.push(period);
        } else if let Some(ms) = word.strip_prefix('+').and_then(clock_time) {
            programme.increment = ms;
        } else if let Some(ms) = word.strip_prefix('d').and_then(clock_time) {
            programme.delay = ms;
        } else {
            return Err(format!(
                "“{word}” is no programme of a clock: +30, d30, then 30:00"
            ));
        }
    }
    Ok(programme)
}

fn piece(word: &str) -> Option<Piece> {
    let mut letters = word.chars();
    let piece = letters.next().and_then(Piece::from_char)?;
    letters.next().is_none().then_some(piece)
}

fn board(text: &str) -> Read<Board> {
    Board::from_ascii_board_fen(text.as_bytes())
        .map_err(|_| format!("“{text}” is no placement of pieces (first field of a FEN)"))
}

/// Moves with their numbers, each after `pace` or the time in braces before it.
pub(super) fn movetext(words: &mut Words, pace: Millis) -> Read<Vec<(Millis, String)>> {
    let mut pace = pace;
    if words.takes("each") {
        pace = words.want(LENGTH, duration)?;
    }
    let mut moves = Vec::new();
    let mut once = None;
    while let Some(word) = words.next() {
        let Word::Plain(word) = word else {
            return Err("only moves and times in braces make a movetext".to_owned());
        };
        if let Some(time) = word.strip_prefix('{').and_then(|w| w.strip_suffix('}')) {
            once = Some(duration(time).ok_or_else(|| format!("“{time}” is no {LENGTH}"))?);
            continue;
        }
        let san = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = san.starts_with(['.', '…']);
        let san = if numbered {
            san.trim_start_matches(['.', '…'])
        } else {
            &word
        };
        if !san.is_empty() {
            moves.push((once.take().unwrap_or(pace), san.to_owned()));
        }
    }
    if moves.is_empty() {
        return Err("no moves".to_owned());
    }
    Ok(moves)
}

/// `White has 1 completed illegal move`.
pub(super) fn given(words: &mut Words, table: TableId) -> Read<Step> {
    let side: Side = words.want(SIDE, side)?;
    words.want("word: has", |w| (w == "has").then_some(()))?;
    let count = words.want("number", |w| w.parse().ok())?;
    for wanted in ["completed", "illegal"] {
        words.want("word: completed illegal moves", |w| {
            (w == wanted).then_some(())
        })?;
    }
    words.want("word: moves", |w| {
        matches!(w, "move" | "moves").then_some(())
    })?;
    Ok(Step::Given(table, side, count))
}

/// A fact as JSON.
pub(super) fn fact(words: &mut Words) -> Read<Fact> {
    match words.next() {
        Some(Word::Json(text)) => {
            serde_json::from_str(&text).map_err(|why| format!("no fact: {why}"))
        }
        _ => Err("a fact is written as JSON, as on the wire".to_owned()),
    }
}

/// Something that breaks or is mended, if the line begins so.
pub(super) fn fault(words: &mut Words) -> Read<Option<Fault>> {
    Ok(Some(if words.takes("cable") {
        let table = words.want("table", table)?;
        Fault::Cable(
            table,
            words.want("word: out or in", |w| either(w, "in", "out"))?,
        )
    } else if words.takes("power") {
        let table = words.want("table", table)?;
        Fault::Power(
            table,
            words.want("word: on or off", |w| either(w, "on", "off"))?,
        )
    } else if words.takes("lose") {
        let table = words.want("table", table)?;
        let count = words.want("number of facts", |w| w.parse().ok())?;
        words.want("word: facts", |w| {
            matches!(w, "fact" | "facts").then_some(())
        })?;
        Fault::Lose(table, count)
    } else if words.takes("agent") {
        Fault::Agent(words.want("word: stops or starts", |w| either(w, "starts", "stops"))?)
    } else if words.takes("hub") {
        Fault::Hub(words.want("word: stops or starts", |w| either(w, "starts", "stops"))?)
    } else if words.takes("link") {
        Fault::Link(words.want("word: cut or mended", |w| either(w, "mended", "cut"))?)
    } else if words.takes("stranger") {
        Fault::Stranger(words.want("serial number", |w| {
            w.parse().ok().filter(|serial| *serial < 100_000)
        })?)
    } else if words.takes("disk") {
        let table = words.want("table", table)?;
        let word = |w: &str| either(w, "mended", "full");
        Fault::Disk(table, words.want("word: full or mended", word)?)
    } else if words.takes("second-reader") {
        let table = words.want("table", table)?;
        let word = |w: &str| either(w, "comes", "goes");
        Fault::Reader(table, words.want("word: comes or goes", word)?)
    } else {
        return Ok(None);
    }))
}

fn either(word: &str, yes: &str, no: &str) -> Option<bool> {
    match word {
        w if w == yes => Some(true),
        w if w == no => Some(false),
        _ => None,
    }
}
