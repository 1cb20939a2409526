//! The journal as lines for the desk: one for each event that somebody may want to read.

use protocol::{JournalLine, LogLine, TableId, Timestamp};

use crate::venue::{Event, EventBody, Ruling};

/// The line of an event; `line` is what the log of the table says of it.
pub fn journal_line(event: &Event, line: Option<(TableId, LogLine)>) -> Option<JournalLine> {
    if let Some((table, line)) = line {
        return Some(JournalLine {
            number: event.number,
            table: Some(table),
            line,
            article: String::new(),
        });
    }
    let (table, kind, words, source) = words(&event.body)?;
    Some(JournalLine {
        number: event.number,
        table,
        line: LogLine {
            at: event.at,
            kind: kind.to_owned(),
            words,
            source,
        },
        article: article(&event.body),
    })
}

fn article(body: &EventBody) -> String {
    match body {
        EventBody::RulingGiven { ruling, .. } => ruling.article.clone(),
        EventBody::AlertRaised { kept } => kept.alert.article.clone(),
        _ => String::new(),
    }
}

type Words = (Option<TableId>, &'static str, String, String);

fn words(body: &EventBody) -> Option<Words> {
    let hub = || "hub".to_owned();
    Some(match body {
        EventBody::HubStarted { version, .. } => {
            (None, "hub", format!("started, version {version}"), hub())
        }
        EventBody::RoundOpened { setup, .. } => {
            let words = format!("round {}: {} tables", setup.round, setup.tables.len());
            (None, "round", words, hub())
        }
        EventBody::RoundStarted { round, by } => {
            let words = format!("round {round}: the clocks may run");
            (None, "round", words, by.clone())
        }
        EventBody::RoundClosing { round, by } => {
            let words = format!("round {round} is being closed");
            (None, "round", words, by.clone())
        }
        EventBody::RoundReopened { round, by } => {
            let words = format!("round {round} is not being closed");
            (None, "round", words, by.clone())
        }
        EventBody::TableOpened { setup, .. } => {
            (Some(setup.table), "round", "table opened".to_owned(), hub())
        }
        EventBody::NextGame { table, .. } => (Some(*table), "round", "next game".to_owned(), hub()),
        EventBody::Bound { table, device, by } => {
            let words = match device {
                Some(device) => format!("board {device}"),
                None => "no board".to_owned(),
            };
            (Some(*table), "board", words, by.clone())
        }
        EventBody::GameCarried { from, to, by } => {
            let words = format!("what was played at table {from} goes on here");
            (Some(*to), "board", words, by.clone())
        }
        EventBody::GestureAwaited { table, by, .. } => {
            let words = "waits for the board whose white king is lifted".to_owned();
            (Some(*table), "board", words, by.clone())
        }
        EventBody::Held {
            table,
            past,
            held,
            by,
        } => {
            let words = match (held, past) {
                (true, _) => "kept back from outside".to_owned(),
                (false, None) => "shown outside again".to_owned(),
                (false, Some(round)) => format!("game of round {round} shown outside again"),
            };
            (Some(*table), "hold", words, by.clone())
        }
        EventBody::ClockSet { by_ms } => {
            let words = format!("the hub's clock was set by {by_ms} ms; delays go on as before");
            (None, "hub", words, hub())
        }
        EventBody::FactsMissed {
            device,
            from,
            to,
            agent,
            ..
        } => {
            let words = format!("{device}: facts {from} to {to} never came");
            (None, "board", words, agent.to_string())
        }
        EventBody::FactRefused {
            device, agent, seq, ..
        } => {
            let words = format!("{device}: a fact numbered {seq} was refused");
            (None, "board", words, agent.to_string())
        }
        // The line of a note is that of its game.
        EventBody::RulingGiven { ruling, .. } if ruling.is_note() => return None,
        EventBody::RulingGiven { table, ruling, .. } => {
            (*table, "ruling", ruling_words(ruling), ruling.by.clone())
        }
        body => return alert_words(body),
    })
}

fn ruling_words(ruling: &Ruling) -> String {
    match ruling.note.as_str() {
        "" => ruling.words.clone(),
        note => format!("{} · {note}", ruling.words),
    }
}

fn alert_words(body: &EventBody) -> Option<Words> {
    let (id, words, by) = match body {
        EventBody::AlertRaised { kept } => {
            let words = format!("{}: {}", kept.alert.urgency.word(), kept.alert.headline);
            return Some((kept.alert.table, "alert", words, kept.alert.id.clone()));
        }
        EventBody::AlertTaken { id, by } => (id, "taken".to_owned(), by.clone()),
        EventBody::AlertGivenBack { id, by } => (id, "given back".to_owned(), by.clone()),
        EventBody::AlertSnoozed { id, by, until } => {
            (id, format!("put aside until {}", clock(*until)), by.clone())
        }
        EventBody::AlertClosed { id, why, by } => (
            id,
            why.clone(),
            by.clone().unwrap_or_else(|| "hub".to_owned()),
        ),
        _ => return None,
    };
    let table = id.split('-').next().and_then(|n| n.parse().ok());
    Some((table, "alert", format!("{id}: {words}"), by))
}

/// Time of day in UTC.
fn clock(at: Timestamp) -> String {
    let minutes = at.0.div_euclid(60_000).rem_euclid(24 * 60);
    format!("{:02}:{:02} UTC", minutes / 60, minutes % 60)
}
