//! Compares what a story expects with what came: at once, within a time, or for a time.

use protocol::{Alert, AlertLife, Answer, Millis, TableId};

use super::run::Stage;
use super::story::{AnswerKind, AnswerPattern, Expectation, Expected, Pattern, ResultPattern};
use super::view::{desk_differs, hall_differs, shown};

impl Stage {
    /// Waits until it is so, at most as long as the story allows.
    pub(super) fn expect(&mut self, expectation: &Expectation) -> Result<(), String> {
        if let Expected::Answer(pattern) = &expectation.what {
            self.refused = None;
            return self.answered(pattern);
        }
        if let Expected::NoAlert(pattern, lasting) = &expectation.what {
            return self.stays_without(pattern, *lasting);
        }
        let until = self.hall.now().after(expectation.within);
        if let Expected::HallUnchanged(table) = expectation.what {
            while self.hall.step(until) {}
            return self.changed(table).map_or(Ok(()), Err);
        }
        loop {
            let Some(instead) = self.differs(&expectation.what) else {
                return Ok(());
            };
            if !self.hall.step(until) {
                return Err(format!("{instead}, after {}", words(expectation.within)));
            }
        }
    }

    /// What there is instead; none when it is as expected.
    fn differs(&self, expected: &Expected) -> Option<String> {
        match expected {
            Expected::Alert(pattern) => self.none_of(pattern, Alert::is_open),
            Expected::Cleared(pattern, why) => self.none_of(pattern, |a| closed(a, why.as_deref())),
            Expected::Raised(pattern, times) => self.raised(pattern, *times),
            Expected::Hall(table, seen, holds) => {
                held(hall_differs(&self.hall, *table, seen), *holds)
            }
            Expected::Desk(table, seen, holds) => {
                held(desk_differs(&self.hall, *table, seen), *holds)
            }
            Expected::Result(table, pattern) => self.result(*table, pattern.as_ref()),
            Expected::HallUnchanged(_) | Expected::NoAlert(..) | Expected::Answer(_) => None,
        }
    }

    fn none_of(&self, pattern: &Pattern, also: impl Fn(&Alert) -> bool) -> Option<String> {
        let alerts = self.hall.alerts();
        let found = alerts.iter().any(|a| pattern.fits(a) && also(a));
        (!found).then(|| list(&alerts))
    }

    fn raised(&self, pattern: &Pattern, times: usize) -> Option<String> {
        let alerts = self.hall.alerts();
        let lives = alerts
            .iter()
            .filter(|a| pattern.fits(a))
            .map(|a| a.history.len() + 1);
        let found: usize = lives.sum();
        (found != times).then(|| format!("raised {found} times: {}", list(&alerts)))
    }

    fn changed(&self, table: TableId) -> Option<String> {
        let before = self.before.get(&table)?;
        let now = self.shown(table);
        (*before != now).then(|| {
            let sans: Vec<&str> = now.0.iter().map(|m| m.san.as_str()).collect();
            format!("the hall sees {} {:?}", sans.join(" "), now.1)
        })
    }

    fn result(&self, table: TableId, pattern: Option<&ResultPattern>) -> Option<String> {
        let standing = self.hall.desk(table).and_then(|d| d.standing);
        let fits = match (pattern, standing) {
            (None, standing) => standing.is_none(),
            (Some(p), Some(s)) => {
                p.result == s.result
                    && p.state.is_none_or(|state| state == s.state)
                    && p.how.is_none_or(|how| how == s.how)
            }
            (Some(_), None) => false,
        };
        (!fits).then(|| format!("the result is {standing:?}"))
    }

    fn stays_without(&mut self, pattern: &Pattern, lasting: Millis) -> Result<(), String> {
        let until = self.hall.now().after(lasting);
        loop {
            let alerts = self.hall.alerts();
            let found = alerts.iter().find(|a| a.is_open() && pattern.fits(a));
            if let Some(alert) = found {
                return Err(format!("there is {}", shown(alert)));
            }
            if !self.hall.step(until) {
                return Ok(());
            }
        }
    }

    fn answered(&self, pattern: &AnswerPattern) -> Result<(), String> {
        let client = self.client.as_ref().ok_or("nobody has ordered anything")?;
        let answer = self.hall.hub.answer(client).ok_or("no answer came")?;
        let kind = match (&pattern.kind, answer) {
            (AnswerKind::Done, Answer::Done { .. })
            | (AnswerKind::Preview, Answer::Preview { .. })
            | (AnswerKind::Refused(None), Answer::Refused { .. }) => true,
            (AnswerKind::Refused(Some(wanted)), Answer::Refused { code, .. }) => wanted == code,
            _ => false,
        };
        let text = format!("{answer:?}");
        let said = pattern
            .saying
            .iter()
            .all(|words| text.contains(words.as_str()));
        if kind && said { Ok(()) } else { Err(text) }
    }
}

/// Something that must not be seen is told when it is.
fn held(instead: Option<String>, holds: bool) -> Option<String> {
    match (instead, holds) {
        (instead, true) => instead,
        (Some(_), false) => None,
        (None, false) => Some("it is seen".to_owned()),
    }
}

fn closed(alert: &Alert, reason: Option<&str>) -> bool {
    match &alert.life {
        AlertLife::Closed { why, .. } => reason.is_none_or(|reason| reason == why),
        _ => false,
    }
}

fn list(alerts: &[Alert]) -> String {
    if alerts.is_empty() {
        return "there is no alert".to_owned();
    }
    let lines: Vec<String> = alerts.iter().map(shown).collect();
    format!("there is {}", lines.join("; "))
}

fn words(ms: Millis) -> String {
    if ms.is_multiple_of(1_000) {
        format!("{} s", ms / 1_000)
    } else {
        format!("{ms} ms")
    }
}
