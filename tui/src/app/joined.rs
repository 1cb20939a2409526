//! Alerts of one cause as one line: which ones the hub has joined, as far as they stand in a list.

use std::collections::BTreeMap;

use protocol::{Alert, AlertLife, TableId, Timestamp};

use super::lists::Pane;
use super::state::{App, Place};
use crate::language::{t, word};
use crate::venue::{is_snoozed, seat};

/// First alert of a cause, and all of its alerts in their order.
pub type Joined = BTreeMap<String, Vec<String>>;

/// What tells lines of one cause apart: whoever has taken some of them has a line of his own.
fn taker(alert: &Alert) -> Option<&str> {
    match &alert.life {
        AlertLife::Taken { by, .. } => Some(by),
        _ => None,
    }
}

impl App {
    /// Leaves of every cause its first alert in the list, and says which ones stand behind it.
    pub(super) fn join<'a>(&self, alerts: &mut Vec<&'a Alert>, at: Timestamp) -> Joined {
        let mut joined = Joined::new();
        for group in &self.venue.round.groups {
            let belongs =
                |a: &&&'a Alert| group.alerts.contains(&a.id) && a.is_open() && !is_snoozed(a, at);
            let mut parts: BTreeMap<Option<&str>, Vec<&'a Alert>> = BTreeMap::new();
            for alert in alerts.iter().filter(belongs) {
                parts.entry(taker(alert)).or_default().push(alert);
            }
            // Two matters of one table are two matters; of many tables, they are one.
            let several = |part: &Vec<&Alert>| {
                let first = part.first().and_then(|a| a.table);
                part.len() > 1 && (first.is_none() || part.iter().any(|a| a.table != first))
            };
            for mut part in parts.into_values().filter(several) {
                part.sort_by_key(|a| (a.since, a.table));
                let ids: Vec<String> = part.iter().map(|a| a.id.clone()).collect();
                alerts.retain(|a| a.id == ids[0] || !ids.contains(&a.id));
                joined.insert(ids[0].clone(), ids);
            }
        }
        joined
    }

    /// All alerts behind a line of the list in hand: itself, or every one of its cause.
    pub(super) fn behind(&self, id: &str) -> Vec<String> {
        let known = self.joined_here().and_then(|joined| joined.get(id));
        known.cloned().unwrap_or_else(|| vec![id.to_owned()])
    }

    fn joined_here(&self) -> Option<&Joined> {
        match (self.place, self.lists.pane) {
            (Place::Tables, Pane::Needs) => Some(&self.lists.needs_joined),
            (Place::Alerts, _) => Some(&self.lists.alerts_joined),
            _ => None,
        }
    }

    /// The words of a line that stands for several alerts: "row E: 8 of 12 boards silent".
    pub fn joined_words(&self, alert: &Alert, ids: &[String]) -> String {
        let tables = self.tables_of(ids);
        let row = |table: &TableId| {
            let place = self.venue.tables.get(table)?.place.as_deref()?;
            Some(seat(place)?.row)
        };
        let rows: Vec<Option<String>> = tables.iter().map(row).collect();
        let one = rows.first().cloned().flatten();
        let one = one.filter(|first| rows.iter().all(|r| r.as_ref() == Some(first)));
        let l = &self.language;
        let what = match cause_words(&alert.code) {
            Some(words) => l.say(words).to_owned(),
            None => crate::words::headline(alert),
        };
        match one {
            _ if tables.is_empty() => self.of_no_table(alert, ids.len(), &what),
            Some(name) => {
                let all = self
                    .venue
                    .tables
                    .keys()
                    .filter_map(row)
                    .filter(|r| *r == name);
                t!(
                    l,
                    "row {}: {} of {} {}",
                    name,
                    tables.len(),
                    all.count(),
                    what
                )
            }
            None => t!(
                l,
                "{} of {} {}",
                tables.len(),
                self.venue.tables.len(),
                what
            ),
        }
    }

    /// "3 boards belong to no table": what has no table is counted against nothing.
    fn of_no_table(&self, alert: &Alert, count: usize, what: &str) -> String {
        match cause_words(&alert.code) {
            Some(_) => format!("{count} {what}"),
            None => t!(self.language, "{} alike: {}", count, what),
        }
    }

    /// The tables of alerts, rising, each once.
    pub fn tables_of(&self, ids: &[String]) -> Vec<TableId> {
        let tables = ids.iter().filter_map(|id| self.venue.alerts.get(id)?.table);
        let mut tables: Vec<TableId> = tables.collect();
        tables.sort_unstable();
        tables.dedup();
        tables
    }
}

fn cause_words(code: &str) -> Option<&'static str> {
    Some(match code {
        "board-silent" => word!("boards silent"),
        "agent-silent" => word!("agents silent"),
        "clock-lost" => word!("clocks not heard"),
        "device-unknown" => word!("boards that belong to no table"),
        "board-battery-low" => word!("boards with a low battery"),
        "clock-battery-low" => word!("clocks with a low battery"),
        "position-mismatch" => word!("boards unlike the record"),
        "reading-ambiguous" => word!("records not certain"),
        "record-gap" => word!("records with facts missing"),
        _ => return None,
    })
}
