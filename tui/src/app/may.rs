//! What can be done here and now, and if not, why not: dimmed keys say it.

use protocol::{AlertLife, ResultState, Role, Urgency};

use super::state::{App, Place};
use crate::action::{Action, Group};
use crate::language::{t, word};
use crate::venue::Trust;
use crate::words;

impl App {
    /// Whether an action can be done now.
    ///
    /// # Errors
    /// A sentence saying why not.
    pub fn may(&self, action: Action) -> Result<(), String> {
        if is_order(action) {
            self.may_order(action)?;
        }
        match action {
            Action::Take => self.may_take(),
            Action::GiveBack => self.may_give_back(),
            Action::Snooze => self.may_snooze(),
            Action::Dismiss => self.open_alert().map(drop),
            Action::Rule => self.may_rule(),
            Action::Bind => self.may_bind(),
            Action::Confirm => self.may_confirm(),
            Action::Counter => self.may_counter(),
            Action::StartRound | Action::CloseRound => Ok(()),
            Action::NextCall => self.may_next_call(),
            Action::OpenTable => self.may_table(),
            Action::Open => self.may_open(),
            Action::LastPlace | Action::Back => Ok(()),
            Action::LogFilter => self.only_at_a_table(word!("the log is on the screen of a table")),
            Action::Mark => self.may_mark(),
            Action::Sort | Action::Reverse | Action::Freeze => self.may_sort(),
            _ if is_decision(action) || action == Action::Resync => self.may_table(),
            _ => Ok(()),
        }
    }

    /// Whether orders of this kind can be given at all now.
    pub(super) fn may_order(&self, action: Action) -> Result<(), String> {
        if self.me.read_only {
            return Err(t!(self.language, "this screen only reads (--read-only)"));
        }
        let for_technicians = matches!(
            action,
            Action::Resync
                | Action::Bind
                | Action::Note
                | Action::Take
                | Action::GiveBack
                | Action::Snooze
        );
        match self.me.role {
            Role::Arbiter | Role::Chief => {}
            Role::Technician if for_technicians => {}
            Role::Technician => {
                return Err(t!(
                    self.language,
                    "a technician does not rule: ask an arbiter"
                ));
            }
            role => {
                return Err(t!(
                    self.language,
                    "{} only reads",
                    self.language.say(role.word())
                ));
            }
        }
        match self.trust() {
            Trust::Live => Ok(()),
            Trust::Waiting => Err(t!(
                self.language,
                "the hub has not been heard yet: orders wait"
            )),
            Trust::Stale(ms) => Err(t!(
                self.language,
                "STALE {}: orders wait until the hub is heard again",
                words::age(ms)
            )),
        }
    }

    fn open_alert(&self) -> Result<&protocol::Alert, String> {
        match self.subject().alert {
            Some(alert) if alert.is_open() => Ok(alert),
            Some(_) => Err(t!(self.language, "this alert is closed")),
            None => Err(t!(self.language, "no alert is selected")),
        }
    }

    fn may_take(&self) -> Result<(), String> {
        if !self.lists.marks.is_empty() {
            return Ok(());
        }
        match &self.open_alert()?.life {
            AlertLife::Taken { by, .. } if *by == self.me.initials => Err(t!(
                self.language,
                "you have taken it: {} gives it back",
                self.keymap.key(Action::GiveBack)
            )),
            AlertLife::Taken { by, .. } => Err(t!(
                self.language,
                "{} has taken it: {} takes over",
                by,
                self.keymap.key(Action::GiveBack)
            )),
            _ => Ok(()),
        }
    }

    fn may_give_back(&self) -> Result<(), String> {
        match &self.open_alert()?.life {
            AlertLife::Taken { .. } => Ok(()),
            _ => Err(t!(
                self.language,
                "nobody has taken it: {} takes it",
                self.keymap.key(Action::Take)
            )),
        }
    }

    fn may_snooze(&self) -> Result<(), String> {
        match self.open_alert()?.urgency {
            Urgency::Call => Err(t!(self.language, "a CALL cannot be snoozed")),
            _ => Ok(()),
        }
    }

    fn may_table(&self) -> Result<(), String> {
        let subject = self.subject();
        match (subject.table, subject.alert) {
            (Some(_), _) => Ok(()),
            (None, Some(_)) => Err(t!(
                self.language,
                "this alert is about no table that is known here"
            )),
            (None, None) if self.place == Place::Round && self.looked_back.is_some() => Err(t!(
                self.language,
                "this round is over: a ruling can be taken back, nothing else is decided"
            )),
            (None, None) => Err(t!(self.language, "no table is selected")),
        }
    }

    fn may_open(&self) -> Result<(), String> {
        match self.place {
            Place::Table(_) => Err(t!(self.language, "the table is open")),
            _ => self.may_table(),
        }
    }

    fn may_rule(&self) -> Result<(), String> {
        let code = self.subject().alert.map(|a| a.code.as_str());
        match code.and_then(crate::dialogs::fitting) {
            Some(Action::Bind) => self.may_bind(),
            Some(Action::Dismiss) => self.open_alert().map(drop),
            _ => self.may_table(),
        }
    }

    fn may_bind(&self) -> Result<(), String> {
        let table = self.subject().table.and_then(|t| t.device.as_ref());
        match (table, self.venue.round.unbound.is_empty()) {
            (None, true) => Err(t!(
                self.language,
                "every board that is heard stands at a table"
            )),
            _ => Ok(()),
        }
    }

    fn may_confirm(&self) -> Result<(), String> {
        if !self.marked_proposals().is_empty() {
            return Ok(());
        }
        self.may_table()?;
        let standing = self.subject().table.and_then(|t| t.standing);
        match standing.map(|s| s.state) {
            Some(ResultState::Proposed) => Ok(()),
            Some(_) => Err(t!(
                self.language,
                "the result is confirmed already; {} records another",
                self.keymap.key(Action::Result)
            )),
            None => Err(t!(
                self.language,
                "no result is proposed at this table; {} records one",
                self.keymap.key(Action::Result)
            )),
        }
    }

    fn may_counter(&self) -> Result<(), String> {
        match self.ruling_to_counter() {
            Some(_) => Ok(()),
            None => Err(t!(
                self.language,
                "no ruling here can be taken back; `: counter N` names one"
            )),
        }
    }

    fn may_next_call(&self) -> Result<(), String> {
        match self.untaken_calls().next() {
            Some(_) => Ok(()),
            None => Err(t!(self.language, "no CALL is waiting")),
        }
    }

    fn may_mark(&self) -> Result<(), String> {
        match self.place {
            Place::Tables | Place::Alerts => self.open_alert().map(drop),
            _ => Err(t!(self.language, "alerts are marked, on Tables and Alerts")),
        }
    }

    fn may_sort(&self) -> Result<(), String> {
        match self.place {
            Place::Tables | Place::Alerts => Ok(()),
            _ => Err(t!(self.language, "this screen has one order")),
        }
    }

    fn only_at_a_table(&self, why: &str) -> Result<(), String> {
        match self.place {
            Place::Table(_) => Ok(()),
            _ => Err(self.language.say(why).to_owned()),
        }
    }
}

/// Whether an action ends in an order to the hub.
pub(super) fn is_order(action: Action) -> bool {
    let answers = [
        Action::Take,
        Action::GiveBack,
        Action::Rule,
        Action::Snooze,
        Action::Dismiss,
        Action::Resync,
        Action::Bind,
    ];
    answers.contains(&action) || action.info().group == Group::Decide
}

/// Whether an action is a decision about a game.
fn is_decision(action: Action) -> bool {
    action.info().group == Group::Decide
}
