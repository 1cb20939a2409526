//! What can be done here and now, and if not, why not: dimmed keys say it.

use protocol::{Alert, AlertLife, ResultState, Role, TableState, Urgency};

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
            Action::CloseRound => self.may_publish(),
            Action::StartRound => Ok(()),
            Action::NextCall => self.may_next_call(),
            Action::OpenTable => self.may_table(),
            Action::Open => self.may_open(),
            Action::LastPlace | Action::Back => Ok(()),
            Action::LogFilter => self.only_at_a_table(word!("the log is on the screen of a table")),
            Action::Mark => self.may_mark(),
            Action::Sort | Action::Reverse | Action::Freeze => self.may_sort(),
            Action::Blink => self.may_blink(),
            Action::Resync | Action::ReadBoard => self.may_ask_board(),
            Action::Pgn | Action::DeviceLog => self.may_table(),
            _ if is_decision(action) => self.may_table(),
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
                | Action::ReadBoard
                | Action::Blink
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
                    self.language.say(role_words(role))
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
            _ if self.is_elsewhere(self.open_alert()?) => Err(t!(
                self.language,
                "not the arbiter of this sector: {} takes over",
                self.keymap.key(Action::GiveBack)
            )),
            _ => Ok(()),
        }
    }

    /// Whether an alert belongs to another arbiter's sector; a CALL that nobody took for a minute is everybody's.
    fn is_elsewhere(&self, alert: &Alert) -> bool {
        !self.concerns(alert, self.hub_now())
    }

    fn may_give_back(&self) -> Result<(), String> {
        match &self.open_alert()?.life {
            AlertLife::Taken { .. } => Ok(()),
            AlertLife::New if self.is_elsewhere(self.open_alert()?) => Ok(()),
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

    /// With no result missing, closing the round publishes: the hub lets only the chief arbiter do that.
    fn may_publish(&self) -> Result<(), String> {
        let tables = &self.venue.round.tables;
        let missing =
            |t: &protocol::TableResult| t.standing.is_none_or(|s| s.state == ResultState::Proposed);
        match self.me.role {
            Role::Arbiter if !tables.is_empty() && !tables.iter().any(missing) => Err(t!(
                self.language,
                "every result is there: the chief arbiter publishes them"
            )),
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

    fn may_ask_board(&self) -> Result<(), String> {
        self.may_table()?;
        match self.subject().table.and_then(|t| t.device.as_ref()) {
            Some(_) => Ok(()),
            None => Err(t!(self.language, "no board is bound to this table")),
        }
    }

    /// Lamps would disturb a game, and not every board has them.
    fn may_blink(&self) -> Result<(), String> {
        self.may_ask_board()?;
        let Some(table) = self.subject().table else {
            return Ok(());
        };
        let lamps = table.device_info.as_ref().is_some_and(|info| info.lamps);
        match table.state {
            TableState::Playing | TableState::Stopped => Err(t!(
                self.language,
                "a game is in play: lamps blink between games only"
            )),
            _ if !lamps => Err(t!(
                self.language,
                "boards of this make have no lamps whose use is documented"
            )),
            _ => Ok(()),
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

/// A role in a sentence: "a viewer".
pub(super) fn role_words(role: Role) -> &'static str {
    match role {
        Role::Agent => word!("an agent"),
        Role::Arbiter => word!("an arbiter"),
        Role::Chief => word!("the chief arbiter"),
        Role::Technician => word!("a technician"),
        Role::Viewer => word!("a viewer"),
        Role::Display => word!("a display"),
        Role::Hub => word!("the hub"),
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
        Action::ReadBoard,
        Action::Blink,
        Action::Bind,
    ];
    answers.contains(&action) || action.info().group == Group::Decide
}

/// Whether an action is a decision about a game.
fn is_decision(action: Action) -> bool {
    action.info().group == Group::Decide
}
