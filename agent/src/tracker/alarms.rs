//! The alerts that are up, those that wait for their time, and when the next one is due.

use std::collections::BTreeMap;

use shakmaty::Square;

use super::inference::{Code, Fact};
use super::observation::Millis;

/// Alerts raised and conditions under observation.
#[derive(Clone, Debug, Default)]
pub(super) struct Alarms {
    up: BTreeMap<Code, Vec<Square>>,
    since: BTreeMap<Code, Millis>,
    facts: Vec<Fact>,
    due: Vec<Millis>,
}

impl Alarms {
    /// Says something once; nothing has to be taken back later.
    pub(super) fn tell(&mut self, code: Code, squares: Vec<Square>, detail: impl Into<String>) {
        self.facts.push(Fact::Alert {
            code,
            squares,
            detail: detail.into(),
        });
    }

    /// Raises an alert that stays up until it is cleared; the same squares are not told twice.
    pub(super) fn raise(&mut self, code: Code, squares: Vec<Square>, detail: impl Into<String>) {
        if self.up.get(&code) == Some(&squares) {
            return;
        }
        self.up.insert(code, squares.clone());
        self.tell(code, squares, detail);
    }

    /// Takes an alert back, if it is up.
    pub(super) fn clear(&mut self, code: Code) {
        if self.up.remove(&code).is_some() {
            self.facts.push(Fact::Clear { code });
        }
    }

    pub(super) fn is_up(&self, code: Code) -> bool {
        self.up.contains_key(&code)
    }

    pub(super) fn codes(&self) -> impl Iterator<Item = Code> + '_ {
        self.up.keys().copied()
    }

    /// A condition that must hold for a while before it is worth an alert; `None` where it does not hold.
    pub(super) fn watch(
        &mut self,
        code: Code,
        now: Millis,
        after: Millis,
        holds: Option<(Vec<Square>, &str)>,
    ) {
        let Some((squares, detail)) = holds else {
            self.since.remove(&code);
            self.clear(code);
            return;
        };
        let since = *self.since.entry(code).or_insert(now);
        if now >= since + after {
            self.raise(code, squares, detail);
        } else {
            self.due.push(since + after);
        }
    }

    /// Asks to be woken.
    pub(super) fn wake(&mut self, at: Millis) {
        self.due.push(at);
    }

    pub(super) fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    pub(super) fn take_due(&mut self) -> Vec<Millis> {
        std::mem::take(&mut self.due)
    }

    /// Forgets everything, as for a new game.
    pub(super) fn reset(&mut self) {
        let codes: Vec<Code> = self.codes().collect();
        codes.into_iter().for_each(|code| self.clear(code));
        self.since.clear();
    }
}
