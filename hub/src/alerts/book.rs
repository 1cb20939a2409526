//! The life of alerts: raised once for a cause, taken, snoozed, closed, opened again with its history.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{Alert, AlertLife, Snooze, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Condition, Place};
use crate::laws::Code;

/// Lines of earlier lives that are kept with an alert.
const HISTORY: usize = 20;

/// Alerts that are kept at most, all tables together.
const CLOSED: usize = 2_000;

/// An alert with what identifies it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The alert as it is shown.
    pub alert: Alert,
    /// What it is about.
    pub place: Place,
    /// Its code.
    pub code: Code,
    /// What tells it from others of its code.
    pub cause: u64,
    /// Its condition still holds.
    pub holds: bool,
}

/// All alerts of the round.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Book {
    alerts: BTreeMap<String, Kept>,
    /// Alerts whose condition holds, by place: few, and looked at with every fact.
    holding: BTreeMap<String, BTreeSet<String>>,
}

impl Book {
    /// An alert by its id.
    pub fn get(&self, id: &str) -> Option<&Kept> {
        self.alerts.get(id)
    }

    /// All alerts.
    pub fn all(&self) -> impl Iterator<Item = &Kept> {
        self.alerts.values()
    }

    /// Ids of the open alerts of a place.
    pub fn open_at(&self, place: &Place) -> Vec<String> {
        self.at(place)
            .filter(|kept| kept.alert.is_open())
            .map(|kept| kept.alert.id.clone())
            .collect()
    }

    fn at(&self, place: &Place) -> impl Iterator<Item = &Kept> {
        let ids = self.holding.get(&place.to_string());
        ids.into_iter()
            .flatten()
            .filter_map(|id| self.alerts.get(id))
    }

    /// Whether an alert of a code is held at a place.
    pub fn holds(&self, place: &Place, code: Code) -> bool {
        self.at(place).any(|kept| kept.code == code)
    }

    /// Whether nothing is held at a place.
    pub fn is_quiet(&self, place: &Place) -> bool {
        self.holding
            .get(&place.to_string())
            .is_none_or(BTreeSet::is_empty)
    }

    /// Conditions that are not in the book yet.
    pub fn news(&self, place: &Place, conditions: &[Condition]) -> Vec<Condition> {
        let known = |c: &Condition| {
            self.at(place)
                .any(|kept| kept.code == c.code && kept.cause == c.cause)
        };
        conditions.iter().filter(|c| !known(c)).copied().collect()
    }

    /// Alerts of a place whose condition holds no longer.
    pub fn past(&self, place: &Place, conditions: &[Condition]) -> Vec<&Kept> {
        let holds = |kept: &&Kept| {
            conditions
                .iter()
                .any(|c| c.code == kept.code && c.cause == kept.cause)
        };
        self.at(place).filter(|kept| !holds(kept)).collect()
    }

    /// The id for a condition: the one its cause had before, or a new one; with the history of that.
    pub fn id_for(&self, place: &Place, condition: &Condition) -> (String, Vec<String>) {
        let same = |kept: &&Kept| kept.place == *place && kept.code == condition.code;
        let again = self
            .alerts
            .values()
            .filter(same)
            .find(|kept| kept.cause == condition.cause);
        match again {
            Some(kept) => (kept.alert.id.clone(), history(&kept.alert)),
            None => {
                let number = self.alerts.values().filter(same).count() + 1;
                (format!("{place}-{}-{number}", condition.code), Vec::new())
            }
        }
    }

    /// Opens an alert, or opens it again.
    pub(crate) fn raise(&mut self, kept: Kept) {
        let place = kept.place.to_string();
        let id = kept.alert.id.clone();
        self.holding.entry(place).or_default().insert(id.clone());
        self.alerts.insert(id, kept);
    }

    /// An alert says something else; what arbiters did about it stays.
    pub(crate) fn tell(&mut self, words: &Alert) {
        self.change(&words.id, |alert| {
            *alert = Alert {
                life: alert.life.clone(),
                snoozed: alert.snoozed.clone(),
                since: alert.since,
                history: std::mem::take(&mut alert.history),
                ..words.clone()
            };
        });
    }

    /// Alerts of a place that are open although they were raised before, each with the condition it tells of.
    pub(crate) fn standing<'a>(
        &'a self,
        place: &Place,
        conditions: &'a [Condition],
    ) -> impl Iterator<Item = (&'a Kept, &'a Condition)> {
        self.at(place)
            .filter(|kept| kept.alert.is_open())
            .filter_map(|kept| {
                let same = |c: &&Condition| c.code == kept.code && c.cause == kept.cause;
                Some((kept, conditions.iter().find(same)?))
            })
    }

    /// Forgets everything at the end of a round; answers the ids.
    pub(crate) fn clear(&mut self) -> Vec<String> {
        let ids = self.alerts.keys().cloned().collect();
        *self = Book::default();
        ids
    }

    /// Somebody is on the way.
    pub(crate) fn take(&mut self, id: &str, by: &str, at: Timestamp) {
        self.change(id, |alert| {
            alert.life = AlertLife::Taken {
                by: by.to_owned(),
                at,
            };
        });
    }

    /// Nobody is on the way any more.
    pub(crate) fn give_back(&mut self, id: &str) {
        self.change(id, |alert| alert.life = AlertLife::New);
    }

    /// Put aside.
    pub(crate) fn snooze(&mut self, id: &str, by: &str, until: Timestamp) {
        self.change(id, |alert| {
            alert.snoozed = Some(Snooze {
                until,
                by: by.to_owned(),
            });
        });
    }

    /// Over.
    pub(crate) fn close(&mut self, id: &str, why: &str, by: Option<&str>, at: Timestamp) {
        self.change(id, |alert| {
            alert.life = AlertLife::Closed {
                why: why.to_owned(),
                by: by.map(str::to_owned),
                at,
            };
            alert.snoozed = None;
        });
    }

    /// The condition holds no longer; raised again it will be a new life.
    pub(crate) fn let_go(&mut self, id: &str) {
        if let Some(kept) = self.alerts.get_mut(id) {
            kept.holds = false;
            let place = kept.place.to_string();
            if let Some(ids) = self.holding.get_mut(&place) {
                ids.remove(id);
                if ids.is_empty() {
                    self.holding.remove(&place);
                }
            }
        }
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut Alert)) {
        if let Some(kept) = self.alerts.get_mut(id) {
            change(&mut kept.alert);
        }
    }

    /// Forgets the oldest closed alert when there are too many; answers its id.
    pub(crate) fn forget_old(&mut self) -> Option<String> {
        if self.alerts.len() <= CLOSED {
            return None;
        }
        let over = |kept: &&Kept| !kept.holds && !kept.alert.is_open();
        let oldest = self
            .alerts
            .values()
            .filter(over)
            .min_by_key(|k| k.alert.since);
        let id = oldest.map(|k| k.alert.id.clone())?;
        self.alerts.remove(&id);
        Some(id)
    }
}

fn history(alert: &Alert) -> Vec<String> {
    let line = match &alert.life {
        AlertLife::Closed { why, by, .. } => {
            let by = by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
            format!("{}: {why}{by}", alert.headline)
        }
        _ => alert.headline.clone(),
    };
    let mut lines = alert.history.clone();
    lines.push(line);
    let spare = lines.len().saturating_sub(HISTORY);
    lines.split_off(spare)
}
