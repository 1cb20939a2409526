//! Writes the lines of a table's log: what happened in the words of an arbiter.

use protocol::{DeskPly, LogLine, Ply, Side, Timestamp};

use super::{Game, GameEvent, Over, Source};

/// The line of an event, none for those that nobody needs to read.
pub fn log_line(game: &Game, at: Timestamp, source: &Source, event: &GameEvent) -> Option<LogLine> {
    let (at, kind, words) = words(game, at, event)?;
    Some(LogLine {
        at,
        kind: kind.to_owned(),
        words,
        source: source_words(source),
    })
}

pub(super) fn source_words(source: &Source) -> String {
    match source {
        Source::Fact(id) => format!("{} #{}", id.agent, id.seq),
        Source::Arbiter(by) => by.clone(),
        Source::Hub => "hub".to_owned(),
    }
}

fn words(
    game: &Game,
    at: Timestamp,
    event: &GameEvent,
) -> Option<(Timestamp, &'static str, String)> {
    Some(match event {
        GameEvent::Begun => (at, "game", "the game has begun".to_owned()),
        GameEvent::PlyMade { number, ply } => (ply.made_at, "made", numbered(game, *number, ply)),
        GameEvent::PlyCompleted {
            number,
            at,
            pressed,
            clock_ms,
            ..
        } => (
            *at,
            "complete",
            completed(game, *number, *pressed, *clock_ms)?,
        ),
        GameEvent::LineRevised {
            from_ply,
            line,
            ruled,
        } => (at, "record", revised(game, *from_ply, line, *ruled)),
        GameEvent::FlagSeen { side, at, .. } => {
            (*at, "clock", format!("{}'s flag is down", side.word()))
        }
        GameEvent::IrregularityFound(i) => (i.at, "finding", format!("{}: {}", i.code, i.words)),
        GameEvent::IrregularityOver { code, how, .. } => (at, "finding", over(code.name(), *how)),
        GameEvent::BoardDiffers { since, squares, .. } => {
            let names: Vec<String> = squares.iter().map(|s| s.0.to_string()).collect();
            let words = format!("differs at {}", names.join(" "));
            (*since, "board", words.trim_end_matches(" at ").to_owned())
        }
        GameEvent::BoardAgrees => (at, "board", "agrees with the record again".to_owned()),
        GameEvent::StrayFact { why, at } => (*at, "record", format!("not taken: {why}")),
        GameEvent::GapNoted { from, to, at } => {
            (*at, "record", format!("facts {from} to {to} are missing"))
        }
        GameEvent::ResultProposed { words, at, .. } => (*at, "result", words.clone()),
        GameEvent::ProposalWithdrawn => (at, "result", "withdrawn: play went on".to_owned()),
        GameEvent::ResultSet { standing, .. } => (at, "result", result(*standing)),
        GameEvent::WitnessSeen { standing, at } => {
            let words = format!("{} by {}", standing.result, standing.how.words());
            (*at, "result", format!("the board says {words}"))
        }
        GameEvent::ClockReplaced { .. } => (at, "clock", "another clock".to_owned()),
        GameEvent::ControlRuled(control) => (at, "clock", format!("control {control}")),
        GameEvent::AdjournmentSet(a) if a.since.is_none() && a.opened.is_none() => {
            let who = a.envelope.sealed_by.word();
            (at, "game", format!("adjourned; {who} sealed"))
        }
        GameEvent::AdjournmentSet(_) => (at, "game", "the resumption has begun".to_owned()),
        GameEvent::Reinstated => (at, "game", "the annulled game goes on".to_owned()),
        GameEvent::Resumed { .. } => (at, "game", "resumed".to_owned()),
        GameEvent::TimeSeen => (at, "clock", "shows the times that were ruled".to_owned()),
        GameEvent::Noted(line) => (line.at, kind(&line.kind), line.words.clone()),
        GameEvent::TimeRuled { .. }
        | GameEvent::ClaimSet(_)
        | GameEvent::IllegalCounted { .. }
        | GameEvent::Settled { .. }
        | GameEvent::ClockRead { .. }
        | GameEvent::PlyUncertain(..)
        | GameEvent::PlyCertain { .. }
        | GameEvent::BackInLine
        | GameEvent::SetUpSeen { .. }
        | GameEvent::Held { .. }
        | GameEvent::Released => return None,
    })
}

/// The kinds of lines that notes may have.
fn kind(text: &str) -> &'static str {
    match text {
        "evidence" => "evidence",
        "board" => "board",
        "ruling" => "ruling",
        _ => "note",
    }
}

/// "28… Nxg3", with the number of the move in the game.
fn numbered(game: &Game, number: Ply, ply: &DeskPly) -> String {
    let start = game.record.start();
    let first = start
        .legal()
        .map_or(1, |c| shakmaty::Position::fullmoves(c).get());
    let offset = u32::from(start.turn() == Side::Black);
    let index = number.saturating_sub(1) + offset;
    let dots = if index.is_multiple_of(2) { "." } else { "…" };
    format!("{}{dots} {}", first + index / 2, ply.san)
}

fn completed(game: &Game, number: Ply, pressed: bool, clock_ms: Option<u64>) -> Option<String> {
    let ply = game.record.get(number)?;
    let how = if pressed {
        format!("{} pressed", ply.by.word())
    } else {
        "not pressed".to_owned()
    };
    let clock = clock_ms.map_or(String::new(), |ms| format!("  {}", clock_words(ms)));
    Some(format!("{}  {how}{clock}", numbered(game, number, ply)))
}

/// `h:mm:ss`.
pub(crate) fn clock_words(ms: u64) -> String {
    let s = ms / 1000;
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn revised(game: &Game, from: Ply, line: &[DeskPly], ruled: bool) -> String {
    let verb = if ruled { "ruled" } else { "revised" };
    match (line.first(), game.record.get(from)) {
        (None, Some(old)) if !ruled => format!("{} taken back", numbered(game, from, old)),
        (None, _) => format!("{verb}: ends before half-move {from}"),
        (Some(new), Some(old)) => format!(
            "{verb}: {} instead of {}",
            numbered(game, from, new),
            old.san
        ),
        (Some(new), None) => format!("{verb}: {}", numbered(game, from, new)),
    }
}

fn over(code: &str, how: Over) -> String {
    let how = match how {
        Over::Ruled => "ruled",
        Over::Lapsed => "lapsed with the reply",
        Over::Corrected => "corrected",
    };
    format!("{code}: {how}")
}

fn result(standing: Option<protocol::Standing>) -> String {
    match standing {
        Some(s) => format!("{} ({})", s.result, s.how.words()),
        None => "no result any more".to_owned(),
    }
}
