//! What happened in a rehearsal: every sign with its moments, from the first trace to the arbiter's ruling.

use std::fmt;

use protocol::{Alert, AlertLife, DeskTable, TableId, Timestamp, Urgency};
use tui::widgets::wrap;

use super::{Rehearsal, Sign};
use crate::{Seen, Summary};

/// Rulings told for each table.
const RULINGS: usize = 4;

/// The account of a rehearsal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    lines: Vec<String>,
}

impl Report {
    /// Told from what an onlooker saw and what it came to; `began` is the moment the venue was ready.
    pub fn of(story: &Rehearsal, seen: &Seen, summary: &Summary, began: Timestamp) -> Report {
        let mut lines = vec![format!(
            "What happened in “{}”, times from its beginning:",
            story.name
        )];
        for sign in story.signs {
            lines.extend(of_sign(sign, seen, began));
        }
        lines.extend(beside(story, seen, began));
        lines.extend(rulings(seen, began));
        lines.push(record(summary));
        Report { lines }
    }

    /// The account in lines of at most `width` characters, broken at blanks; whole lines without a width.
    pub fn within(&self, width: Option<usize>) -> String {
        let lines = self.lines.iter();
        let lines: Vec<String> = lines.map(|line| broken(line, width)).collect();
        lines.join("\n")
    }
}

/// A text broken at blanks into lines of at most `width` characters; those of an item are set in.
pub fn broken(text: &str, width: Option<usize>) -> String {
    let set_in = if text.starts_with(' ') { 4 } else { 0 };
    match width.filter(|w| text.chars().count() > *w) {
        None => text.to_owned(),
        Some(width) => wrap(text, width.saturating_sub(set_in)).join(&format!("\n{:set_in$}", "")),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.within(None))
    }
}

fn shows(sign: &Sign, alert: &Alert) -> bool {
    let here = |table| alert.table == Some(TableId(table));
    alert.code == sign.code && sign.table.is_none_or(here)
}

/// What wanted an arbiter and belongs to no sign of the story: the hall goes on around it.
fn beside(story: &Rehearsal, seen: &Seen, began: Timestamp) -> Vec<String> {
    let other = |alert: &&Alert| {
        alert.urgency <= Urgency::Asked && !story.signs.iter().any(|sign| shows(sign, alert))
    };
    let mut alerts: Vec<&Alert> = seen.alerts.values().filter(other).collect();
    alerts.sort_by_key(|alert| alert.since);
    if alerts.is_empty() {
        return Vec::new();
    }
    let head = "Beside it the players wanted you for:".to_owned();
    let lines = alerts.iter().map(|alert| of_alert(alert, seen, began));
    std::iter::once(head).chain(lines).collect()
}

fn of_sign(sign: &Sign, seen: &Seen, began: Timestamp) -> Vec<String> {
    let here = |alert: &&Alert| shows(sign, alert);
    let mut alerts: Vec<&Alert> = seen.alerts.values().filter(here).collect();
    alerts.sort_by_key(|alert| alert.since);
    if alerts.is_empty() {
        return vec![format!("  {} did not come up this time", sign.shown)];
    }
    let mut lines: Vec<String> = alerts
        .iter()
        .map(|alert| of_alert(alert, seen, began))
        .collect();
    lines.push(format!("      well done is: {}", sign.advice));
    lines
}

fn of_alert(alert: &Alert, seen: &Seen, began: Timestamp) -> String {
    let place = match alert.table {
        Some(table) => format!("table {table} · "),
        None => tables_named(alert),
    };
    let article = match alert.article.as_str() {
        "" => String::new(),
        article => format!(" ({article})"),
    };
    let told = match seen.told.get(&alert.id) {
        Some(told) => format!("you could know at {}", after(began, *told)),
        None => "it never reached the desk".to_owned(),
    };
    let taken = match seen.taken.get(&alert.id) {
        Some((by, at)) => format!("{by} took it at {}", after(began, *at)),
        None => "nobody took it".to_owned(),
    };
    let headline = &alert.headline;
    let since = after(began, alert.since);
    format!(
        "  {since} {place}{headline}{article}: {told}, {taken}{}",
        end(alert, began)
    )
}

/// What an alert about no table in particular says of the tables it touches: `tables 2, 4, 6, 8 · `.
fn tables_named(alert: &Alert) -> String {
    let mut because = alert.because.iter();
    let named = because.find_map(|line| line.strip_prefix("Tables "));
    named.map_or_else(String::new, |tables| {
        format!("tables {} · ", tables.trim_end_matches('.'))
    })
}

/// Whether anything was lost: what the players played against what stands in the records.
fn record(summary: &Summary) -> String {
    let Summary {
        plies_played: played,
        plies_recorded: recorded,
        ..
    } = summary;
    let lost = match (summary.lost, summary.plies_wrong) {
        (0, 0) => "nothing is lost and nothing is wrong".to_owned(),
        (lost, wrong) => format!(
            "{lost} are not there and {wrong} stand otherwise, by rulings or because they were still on their way"
        ),
    };
    format!("The record: {played} half-moves were played and {recorded} are written down; {lost}.")
}

fn end(alert: &Alert, began: Timestamp) -> String {
    match &alert.life {
        AlertLife::Closed { why, by, at } => {
            let by = by
                .as_ref()
                .map_or_else(String::new, |by| format!(" by {by}"));
            format!(", {why}{by} at {}", after(began, *at))
        }
        _ => ", still open at the end".to_owned(),
    }
}

fn rulings(seen: &Seen, began: Timestamp) -> Vec<String> {
    let of_table = |table: &DeskTable| {
        let number = table.table;
        let lines = table.log.iter().filter(|line| line.kind == "ruling");
        let last = lines.rev().take(RULINGS).collect::<Vec<_>>();
        let tell = move |line: &protocol::LogLine| {
            let words = format!(
                "  {} table {number} · ruled by {}: {}",
                after(began, line.at),
                line.source,
                line.words
            );
            (line.at, words)
        };
        last.into_iter().rev().map(tell).collect::<Vec<_>>()
    };
    let mut lines: Vec<(Timestamp, String)> = seen.tables.values().flat_map(of_table).collect();
    lines.sort_by_key(|(at, _)| *at);
    let lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    if lines.is_empty() {
        return vec!["  no ruling was made".to_owned()];
    }
    lines
}

/// Minutes and seconds: `+1:05`.
fn after(began: Timestamp, at: Timestamp) -> String {
    let seconds = at.since(began) / 1000;
    format!("+{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal::rehearsal;

    fn alert(id: &str, life: AlertLife) -> Alert {
        let mut alert: Alert = serde_json::from_value(serde_json::json!({
            "id": id, "code": "illegal-move", "table": 4, "urgency": "call", "article": "7.5.1",
            "headline": "illegal move by White", "since": 61_000, "life": "new",
        }))
        .expect("an alert");
        alert.life = life;
        alert
    }

    #[test]
    fn every_sign_is_told_with_its_moments() {
        let story = rehearsal("second-illegal-move").expect("there");
        let began = Timestamp(1000);
        let mut seen = Seen::default();
        let mut summary = Summary {
            plies_played: 143,
            plies_recorded: 143,
            ..Summary::default()
        };
        assert!(
            Report::of(story, &seen, &summary, began)
                .to_string()
                .contains("an illegal move did not come up this time")
        );
        let closed = AlertLife::Closed {
            why: "ruled".to_owned(),
            by: Some("MK".to_owned()),
            at: Timestamp(91_000),
        };
        seen.alerts.insert("a".to_owned(), alert("a", closed));
        seen.told.insert("a".to_owned(), Timestamp(61_400));
        seen.taken
            .insert("a".to_owned(), ("MK".to_owned(), Timestamp(70_000)));
        let told = Report::of(story, &seen, &summary, began).to_string();
        let line = "+1:00 table 4 · illegal move by White (7.5.1): you could know at +1:00, MK took it at +1:09, ruled by MK at +1:30";
        assert!(told.contains(line), "{told}");
        let narrow = Report::of(story, &seen, &summary, began).within(Some(60));
        assert!(narrow.lines().all(|l| l.chars().count() <= 60), "{narrow}");
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&narrow), words(&told), "no word is cut");
        seen.alerts
            .insert("a".to_owned(), alert("a", AlertLife::New));
        seen.taken.clear();
        let told = Report::of(story, &seen, &summary, began).to_string();
        assert!(
            told.contains("nobody took it, still open at the end"),
            "{told}"
        );
        assert!(told.contains("no ruling was made"), "{told}");
        assert!(!told.contains("Beside it"), "{told}");
        let mut pressed = alert("b", AlertLife::New);
        (pressed.code, pressed.table) = ("press-without-move".to_owned(), Some(TableId(2)));
        pressed.headline = "clock pressed without a move, Black".to_owned();
        seen.alerts.insert("b".to_owned(), pressed);
        let told = Report::of(story, &seen, &summary, began).to_string();
        let whole =
            "The record: 143 half-moves were played and 143 are written down; nothing is lost";
        assert!(told.contains(whole), "{told}");
        (summary.plies_recorded, summary.lost) = (141, 2);
        let told = Report::of(story, &seen, &summary, began).to_string();
        assert!(
            told.contains("2 are not there and 0 stand otherwise"),
            "{told}"
        );
        let line = "Beside it the players wanted you for:\n  +1:00 table 2 · clock pressed without a move, Black";
        assert!(told.contains(line), "{told}");
    }
}
