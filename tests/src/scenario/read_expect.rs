//! What a story expects: alerts raised, not raised, cleared; what hall and desk see; results; answers.

use hub::laws::Code;
use protocol::{Millis, TableId, Urgency};

use super::read_acts::{LENGTH, SIDE};
use super::read_orders::named;
use super::story::{
    AnswerKind, AnswerPattern, Expectation, Expected, Pattern, ResultPattern, Seen,
};
use super::words::{Read, Words, clock_time, duration, side, table};

/// What everything that is expected may take when no time is named.
const SOON: Millis = 1_000;

/// What follows the word `expect`; `here` is the table meant where none is named.
pub(super) fn expectation(words: &mut Words, here: Option<TableId>) -> Read<Expectation> {
    let what = expected(words, here)?;
    let within = if words.takes("within") {
        words.want(LENGTH, duration)?
    } else {
        SOON
    };
    Ok(Expectation { what, within })
}

fn expected(words: &mut Words, here: Option<TableId>) -> Read<Expected> {
    let word = words.text("what is expected")?;
    Ok(match word.as_str() {
        "alert" => Expected::Alert(pattern(words, here)?),
        "no" => return nothing(words, here),
        "cleared" => {
            let mut why = None;
            let pattern = pattern_and(words, here, |words| {
                why = why.take().or_else(|| words.try_take(reason));
            })?;
            Expected::Cleared(pattern, why)
        }
        "raised" => {
            let mut times = None;
            let pattern = pattern_and(words, here, |words| {
                times = times.or_else(|| words.try_take(times_word));
            })?;
            let times =
                times.ok_or("raised how often? write “once”, “twice”, “never” or “3-times”")?;
            Expected::Raised(pattern, times)
        }
        "hall" => {
            let at = at(words, here)?;
            if words.takes("unchanged") {
                Expected::HallUnchanged(at)
            } else {
                let (seen, holds) = seen(words)?;
                Expected::Hall(at, seen, holds)
            }
        }
        "desk" => {
            let at = at(words, here)?;
            let (seen, holds) = seen(words)?;
            Expected::Desk(at, seen, holds)
        }
        "result" => Expected::Result(at(words, here)?, Some(result(words)?)),
        "answer" => Expected::Answer(answer(words)?),
        other => {
            return Err(format!(
                "“{other}” cannot be expected: alert, no alert, cleared, raised, hall, desk, result, no result, answer"
            ));
        }
    })
}

fn nothing(words: &mut Words, here: Option<TableId>) -> Read<Expected> {
    if words.takes("result") {
        return Ok(Expected::Result(at(words, here)?, None));
    }
    words.want("word: alert or result", |w| (w == "alert").then_some(()))?;
    let mut lasting = 0;
    let pattern = pattern_and(words, None, |words| {
        let mut ahead = words.clone();
        if ahead.takes("for")
            && let Some(time) = ahead.try_take(duration)
        {
            (lasting, *words) = (time, ahead);
        }
    })?;
    Ok(Expected::NoAlert(pattern, lasting))
}

fn at(words: &mut Words, here: Option<TableId>) -> Read<TableId> {
    let named = words.try_take(table);
    named
        .or(here)
        .ok_or_else(|| "no table was set up: begin with “table 1”".to_owned())
}

fn pattern(words: &mut Words, here: Option<TableId>) -> Read<Pattern> {
    pattern_and(words, here, |_| ())
}

/// Words that describe an alert, in any order, up to `within` or the end; `more` takes what else may stand among them.
fn pattern_and(
    words: &mut Words,
    here: Option<TableId>,
    mut more: impl FnMut(&mut Words),
) -> Read<Pattern> {
    let mut pattern = Pattern {
        table: words.try_take(table),
        ..Pattern::default()
    };
    loop {
        more(words);
        if words.peek().is_none() || is_within(words) {
            break;
        }
        one(words, &mut pattern)?;
    }
    if pattern.table.is_none() && !pattern.code.as_deref().is_some_and(of_no_table) {
        pattern.table = here;
    }
    Ok(pattern)
}

fn is_within(words: &Words) -> bool {
    words.clone().takes("within")
}

/// Alerts of devices and agents name no table.
fn of_no_table(code: &str) -> bool {
    matches!(
        code,
        "agent-silent"
            | "board-battery-low"
            | "device-unknown"
            | "table-claimed-twice"
            | "device-claimed-twice"
            | "agent-disk-full"
            | "boards-exchanged"
    )
}

fn one(words: &mut Words, pattern: &mut Pattern) -> Read<()> {
    if words.takes("anywhere") {
        pattern.table = None;
    } else if words.takes("for") {
        pattern.side = Some(words.want(SIDE, side)?);
    } else if words.takes("saying") {
        pattern.saying.push(words.text("words")?);
    } else if words.takes("taken") {
        words.takes("by");
        pattern.taken = Some(words.text("initials")?);
    } else if words.takes("with-evidence") {
        pattern.evidence = true;
    } else if let Some(urgency) = words.try_take(urgency) {
        pattern.urgency = Some(urgency);
    } else if let Some(code) = words.try_take(code) {
        pattern.code = Some(code);
    } else {
        pattern.article = Some(words.want(
            "code, urgency, article, “for White”, “saying \"…\"”, “with-evidence”, “within 2s”",
            article,
        )?);
    }
    Ok(())
}

fn urgency(word: &str) -> Option<Urgency> {
    [
        Urgency::Call,
        Urgency::Asked,
        Urgency::Silent,
        Urgency::Tech,
    ]
    .into_iter()
    .find(|urgency| urgency.word() == word)
}

fn code(word: &str) -> Option<String> {
    let known = Code::ALL.iter().any(|code| code.name() == word);
    known.then(|| word.to_owned())
}

/// `7.5.1`, `A.5.5`, `III.4`, `D.2.9`.
fn article(word: &str) -> Option<String> {
    let shape = word.contains('.') || word.bytes().all(|b| b.is_ascii_digit());
    let letters = word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
    (shape && letters && !word.is_empty()).then(|| word.to_owned())
}

fn reason(word: &str) -> Option<String> {
    matches!(word, "ruled" | "cleared" | "lapsed" | "dismissed").then(|| word.to_owned())
}

fn times_word(word: &str) -> Option<usize> {
    match word {
        "never" => Some(0),
        "once" => Some(1),
        "twice" => Some(2),
        other => other.strip_suffix("-times")?.parse().ok(),
    }
}

/// Codes, one after the other.
pub(super) fn codes(words: &mut Words) -> Read<Vec<String>> {
    let mut codes = vec![words.want("code of an alert", code)?];
    while let Some(more) = words.try_take(code) {
        codes.push(more);
    }
    Ok(codes)
}

/// What is seen, and whether it is (true) or must not be.
fn seen(words: &mut Words) -> Read<(Seen, bool)> {
    let holds = !words.takes("no");
    let word = words.text("what is seen")?;
    let seen = match word.as_str() {
        "moves" => {
            let mut moves = Vec::new();
            while let Some(san) = words.try_take(|w| (w != "within").then(|| w.to_owned())) {
                moves.push(san);
            }
            Seen::Moves(moves)
        }
        "plies" => Seen::Plies(words.want("number", |w| w.parse().ok())?),
        "last" => Seen::Last(words.text("move")?),
        "state" => Seen::State(words.text("state")?),
        "result" if !holds => return Ok((Seen::Result(None), true)),
        "result" => Seen::Result(Some(words.text("result")?)),
        "clock" => {
            let who = words.want(SIDE, side)?;
            Seen::Clock(who, words.want("time", clock_time)?)
        }
        "flag" => Seen::Flag(words.want(SIDE, side)?),
        "illegal-moves" => {
            let who = words.want(SIDE, side)?;
            Seen::IllegalMoves(who, words.want("number", |w| w.parse().ok())?)
        }
        "turn" => Seen::Turn(words.want(SIDE, side)?),
        "saying" => Seen::Saying(words.text("words")?),
        other => {
            return Err(format!(
                "“{other}” is nothing to be seen: moves, plies, last, state, result, no result, clock, flag, illegal-moves, \
                 turn, saying"
            ));
        }
    };
    Ok((seen, holds))
}

fn result(words: &mut Words) -> Read<ResultPattern> {
    let result = words.want("result", |w| w.parse().ok())?;
    Ok(ResultPattern {
        result,
        state: words.try_take(named),
        how: words.try_take(named),
    })
}

fn answer(words: &mut Words) -> Read<AnswerPattern> {
    let word = words.text("answer: done, preview, refused")?;
    let kind = match word.as_str() {
        "done" => AnswerKind::Done,
        "preview" => AnswerKind::Preview,
        "refused" => AnswerKind::Refused(words.try_take(|w| {
            let code = w.starts_with('H') && w[1..].bytes().all(|b| b.is_ascii_digit());
            code.then(|| w.to_owned())
        })),
        other => return Err(format!("“{other}” is no answer: done, preview, refused")),
    };
    let mut saying = Vec::new();
    while words.takes("saying") {
        saying.push(words.text("words")?);
    }
    Ok(AnswerPattern { kind, saying })
}
