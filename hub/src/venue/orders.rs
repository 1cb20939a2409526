//! Orders of arbiters: who may order what, what would follow, what follows; every order gets one answer.

use protocol::{
    AlertLife, Answer, Command, LogLine, Order, OrderBody, Role, TableId, Timestamp, Topic,
    Urgency, encode,
};

use super::Venue;
use super::checklist::checklist;
use super::event::EventBody;
use super::gesture;
use super::past::held_earlier;
use crate::alerts::may_snooze;
use crate::game::{GameEvent, Source};
use crate::rulings::Refusal;

/// What came of an order.
pub(super) enum Done {
    /// It was carried out, perhaps as a ruling with a number.
    Words(Option<u64>, String),
    /// What would follow, for the revision of the table.
    Preview(u64, protocol::Preview),
}

impl Venue {
    pub(super) fn order(&mut self, now: Timestamp, role: Role, user: &str, order: &Order) {
        let done = match self.again(order) {
            Some(done) => Ok(done),
            None => self
                .allowed(role, order)
                .and_then(|()| self.carry_out(now, user, order)),
        };
        let answer = match done {
            Ok(Done::Words(ruling, words)) => Answer::Done {
                id: order.id,
                ruling,
                words,
            },
            Ok(Done::Preview(basis, preview)) => Answer::Preview {
                id: order.id,
                basis,
                preview,
            },
            Err(refusal) => Answer::Refused {
                id: order.id,
                code: refusal.code.to_owned(),
                why: refusal.why,
                difference: refusal.difference,
            },
        };
        self.publish(Topic::Answer(order.client.clone()), false, encode(&answer));
    }

    /// The same order once more, delivered twice by the network: its answer again, and nothing else.
    fn again(&self, order: &Order) -> Option<Done> {
        let last = self.state.orders.get(&order.client)?;
        let same = !order.preview && last.id == order.id && last.body == order.body;
        same.then(|| Done::Words(Some(last.ruling), last.words.clone()))
    }

    fn allowed(&self, role: Role, order: &Order) -> Result<(), Refusal> {
        let why = match role {
            Role::Chief => None,
            Role::Arbiter => self.chiefs(&order.body),
            Role::Technician if self.concerns_devices(&order.body) => None,
            Role::Technician => Some("a technician orders what concerns devices"),
            Role::Agent | Role::Viewer | Role::Display | Role::Hub => {
                Some("only arbiters and technicians give orders")
            }
        };
        why.map_or(Ok(()), |why| Err(Refusal::role(role, why)))
    }

    /// Why an order is the chief arbiter's: what leaves the house, and penalties that reach beyond the round (12.9.8, 12.9.9).
    fn chiefs(&self, body: &OrderBody) -> Option<&'static str> {
        let publishes = |round: u16| round == self.state.round.round && self.is_complete();
        let closing = self.state.closed_by.as_ref();
        let unpublishes = |ruling: u64| {
            closing.is_some_and(|c| c.number == ruling && !self.published_by(c).is_empty())
        };
        match body {
            OrderBody::CloseRound { round } if publishes(*round) => {
                Some("the chief arbiter publishes the results")
            }
            OrderBody::Counter { ruling } if unpublishes(*ruling) => {
                Some("the chief arbiter takes published results back")
            }
            OrderBody::Conduct { penalty, .. } if penalty.reaches_beyond_the_round() => {
                Some("the chief arbiter excludes and expels players")
            }
            _ => None,
        }
    }

    /// What a technician may order.
    fn concerns_devices(&self, body: &OrderBody) -> bool {
        match body {
            OrderBody::Bind { .. }
            | OrderBody::BindByGesture { .. }
            | OrderBody::Resync { .. }
            | OrderBody::ReadBoard { .. }
            | OrderBody::Blink { .. }
            | OrderBody::Note { .. } => true,
            OrderBody::Take { alert, .. }
            | OrderBody::GiveBack { alert }
            | OrderBody::Snooze { alert, .. }
            | OrderBody::Dismiss { alert } => self
                .state
                .book
                .get(alert)
                .is_none_or(|kept| kept.alert.urgency == Urgency::Tech),
            _ => false,
        }
    }

    fn carry_out(&mut self, now: Timestamp, user: &str, order: &Order) -> Result<Done, Refusal> {
        let by = initials(&order.by)?;
        self.both_captains(order)?;
        match &order.body {
            OrderBody::Take { alert, over } => {
                self.not_taken(alert, &by, *over)?;
                self.about_alert(now, order, alert, |id| EventBody::AlertTaken { id, by })
            }
            OrderBody::GiveBack { alert } => {
                self.about_alert(now, order, alert, |id| EventBody::AlertGivenBack { id, by })
            }
            OrderBody::Snooze { alert, until } => self.snooze(now, order, alert, *until, by),
            OrderBody::Dismiss { alert } => self.dismiss(now, order, alert, by),
            OrderBody::Bind { table, device } => {
                self.known_table(*table)?;
                self.bind_order(now, order, *table, device.clone(), &by)
            }
            OrderBody::BindByGesture { table } => {
                self.known_table(*table)?;
                Ok(self.await_gesture(now, order, *table, by))
            }
            OrderBody::Resync { table } => {
                self.ask_board(order, *table, Command::Resync, "is read again")
            }
            OrderBody::ReadBoard { table } => {
                self.ask_board(order, *table, Command::Read, "says how it stands")
            }
            OrderBody::Blink { table } => self.blink(order, *table),
            OrderBody::Hold { table, hold } => self.keep_back(now, order, *table, *hold, by),
            OrderBody::StartRound { round } => self.start_round(now, order, *round, by),
            OrderBody::CloseRound { round } => self.close_round(now, order, *round, &by),
            OrderBody::Restart { table } => self.restart(now, user, order, *table, &by),
            OrderBody::AddTime { tables, ms } => self.add_time(now, user, order, tables, *ms, &by),
            OrderBody::Counter { ruling } => self.counter(now, user, order, *ruling, &by),
            body => {
                let table = table_of(body).ok_or_else(|| Refusal::state("no table is named"))?;
                self.rule(now, user, order, table, &by)
            }
        }
    }

    /// Where the captains of two teams are the arbiters, both rule, or the note says why one rules alone.
    fn both_captains(&self, order: &Order) -> Result<(), Refusal> {
        let joint = self.state.round.regulations.joint_arbiters && !order.preview;
        let initials = order.by.split('+').filter(|one| !one.trim().is_empty());
        if !joint || !rules(&order.body) || initials.count() > 1 || !order.note.trim().is_empty() {
            return Ok(());
        }
        Err(Refusal::value(
            "the captains rule together: give both initials, such as AB+CD, or a note why one rules alone",
        ))
    }

    /// Two arbiters at one table is a table too many: whoever comes second must say that he takes it over.
    fn not_taken(&self, id: &str, by: &str, over: bool) -> Result<(), Refusal> {
        let life = self.state.book.get(id).map(|k| &k.alert.life);
        match life {
            Some(AlertLife::Taken { by: first, .. }) if first != by && !over => {
                Err(Refusal::state(format!(
                    "{first} has taken it already; take it over if you go"
                )))
            }
            _ => Ok(()),
        }
    }

    fn about_alert(
        &mut self,
        now: Timestamp,
        order: &Order,
        id: &str,
        event: impl FnOnce(String) -> EventBody,
    ) -> Result<Done, Refusal> {
        let kept = self.state.book.get(id).filter(|k| k.alert.is_open());
        let headline = kept
            .map(|k| k.alert.headline.clone())
            .ok_or_else(|| Refusal::no_alert(id))?;
        if order.preview {
            return Ok(Done::Preview(0, lines(vec![headline])));
        }
        self.record(now, event(id.to_owned()));
        Ok(Done::Words(None, headline))
    }

    /// Closed without a ruling; the note says what was done instead, and stands in the log of the table.
    fn dismiss(
        &mut self,
        now: Timestamp,
        order: &Order,
        id: &str,
        by: String,
    ) -> Result<Done, Refusal> {
        let note: String = order.note.trim().chars().take(500).collect();
        let known = self.state.book.get(id).map(|k| &k.alert);
        let table = known.and_then(|a| a.table).filter(|_| !note.is_empty());
        let words = known.map(|a| format!("{}: {note}", a.headline));
        let done = self.about_alert(now, order, id, |id| EventBody::AlertClosed {
            id,
            why: "dismissed".to_owned(),
            by: Some(by.clone()),
        })?;
        if let (Some(table), Some(words), false) = (table, words, order.preview) {
            let line = LogLine {
                at: now,
                kind: "note".to_owned(),
                words,
                source: String::new(),
            };
            self.game(now, table, Source::Arbiter(by), GameEvent::Noted(line));
        }
        Ok(done)
    }

    fn snooze(
        &mut self,
        now: Timestamp,
        order: &Order,
        id: &str,
        until: Timestamp,
        by: String,
    ) -> Result<Done, Refusal> {
        let known = self.state.book.get(id);
        if known.is_some_and(|k| !may_snooze(&k.alert)) {
            return Err(Refusal::call());
        }
        if until <= now || until.since(now) > 24 * 3_600_000 {
            return Err(Refusal::value("put it aside for some time, a day at most"));
        }
        self.about_alert(now, order, id, |id| EventBody::AlertSnoozed {
            id,
            until,
            by,
        })
    }

    fn bind_order(
        &mut self,
        now: Timestamp,
        order: &Order,
        table: TableId,
        device: Option<protocol::DeviceId>,
        by: &str,
    ) -> Result<Done, Refusal> {
        let along = device.as_ref();
        let along = along.and_then(|d| self.state.goes_along(d, table));
        let displaced = device.as_ref().and_then(|d| self.state.displaced(d, table));
        let words = match (&device, along) {
            (Some(device), Some(from)) if let Some((_, other)) = displaced => format!(
                "boards {device} and {other} stand on tables {table} and {from}, each with the game that was recorded on it"
            ),
            (Some(device), Some(from)) => format!(
                "board {device} stands on table {table}; the game that was recorded at table {from} goes along"
            ),
            (Some(device), None) => format!("board {device} stands on table {table}"),
            (None, _) => format!("table {table} has no board"),
        };
        if let Some(device) = &device
            && !self.state.devices.contains_key(device)
        {
            return Err(Refusal::nothing(format!("no board {device} was ever seen")));
        }
        if order.preview {
            return Ok(Done::Preview(0, lines(vec![words])));
        }
        self.bind(now, table, device, by);
        Ok(Done::Words(None, words))
    }

    fn await_gesture(&mut self, now: Timestamp, order: &Order, table: TableId, by: String) -> Done {
        let words = format!("lift the white king of table {table}'s board for three seconds");
        if order.preview {
            return Done::Preview(0, lines(vec![words]));
        }
        let until = now.after(gesture::WAITS);
        self.record(now, EventBody::GestureAwaited { table, until, by });
        Done::Words(None, words)
    }

    /// Lamps would disturb a game, and not every board has them.
    fn blink(&mut self, order: &Order, table: TableId) -> Result<Done, Refusal> {
        self.known_table(table)?;
        let here = &self.state.tables[&table];
        if here.game.in_play() {
            return Err(Refusal::state(
                "a game is in play: lamps blink between games only",
            ));
        }
        let device = here.device.as_ref().and_then(|d| self.state.devices.get(d));
        match device.and_then(|d| d.info.as_ref()) {
            Some(info) if !info.lamps => Err(Refusal::nothing(
                "boards of this make have no lamps whose use is documented",
            )),
            _ => self.ask_board(order, table, Command::Blink, "blinks"),
        }
    }

    fn ask_board(
        &mut self,
        order: &Order,
        table: TableId,
        command: Command,
        what: &str,
    ) -> Result<Done, Refusal> {
        self.known_table(table)?;
        let device = self.state.tables.get(&table).and_then(|t| t.device.clone());
        let device =
            device.ok_or_else(|| Refusal::nothing(format!("table {table} has no board")))?;
        let words = format!("board {device} {what}");
        if order.preview {
            return Ok(Done::Preview(0, lines(vec![words])));
        }
        self.publish(Topic::Command(device), false, encode(&command));
        Ok(Done::Words(None, words))
    }

    fn keep_back(
        &mut self,
        now: Timestamp,
        order: &Order,
        table: TableId,
        held: bool,
        by: String,
    ) -> Result<Done, Refusal> {
        let history = self.state.histories.get(&table);
        let is_held = history.is_some_and(|h| h.held().is_some());
        let past = held_earlier(&self.state, table).filter(|_| !held && !is_held);
        if past.is_none() {
            self.known_table(table)?;
        }
        if held == is_held && past.is_none() {
            let word = if held { "already" } else { "not" };
            return Err(Refusal::state(format!("table {table} is {word} kept back")));
        }
        let game = past.map_or_else(String::new, |round| format!(" of round {round}"));
        let words = if held {
            format!("table {table} is kept back from everybody outside the hall")
        } else {
            format!("table {table}{game} is shown outside again, after each delay")
        };
        if order.preview {
            return Ok(Done::Preview(0, lines(vec![words])));
        }
        let event = EventBody::Held {
            table,
            past,
            held,
            by,
        };
        self.record(now, event);
        Ok(Done::Words(None, words))
    }

    fn start_round(
        &mut self,
        now: Timestamp,
        order: &Order,
        round: u16,
        by: String,
    ) -> Result<Done, Refusal> {
        if round != self.state.round.round {
            let here = self.state.round.round;
            return Err(Refusal::state(format!("this is round {here}")));
        }
        if self.state.started.is_some() {
            return Err(Refusal::state("the round has started"));
        }
        let words = format!("round {round}: the clocks may run (6.6)");
        if order.preview {
            let mut preview = lines(checklist(&self.state));
            preview.then = vec![words];
            return Ok(Done::Preview(0, preview));
        }
        self.record(now, EventBody::RoundStarted { round, by });
        Ok(Done::Words(None, words))
    }

    pub(super) fn known_table(&self, table: TableId) -> Result<(), Refusal> {
        if self.state.tables.contains_key(&table) {
            Ok(())
        } else {
            Err(Refusal::no_table(table))
        }
    }
}

fn initials(by: &str) -> Result<String, Refusal> {
    let by: String = by.trim().chars().take(20).collect();
    if by.is_empty() {
        Err(Refusal::value("an order needs initials"))
    } else {
        Ok(by)
    }
}

pub(super) fn lines(lines: Vec<String>) -> protocol::Preview {
    protocol::Preview {
        lines,
        article: String::new(),
        then: Vec::new(),
        ends_game: false,
        set_clock: None,
    }
}

/// Whether an order is a ruling on a game.
fn rules(body: &OrderBody) -> bool {
    let further = matches!(body, OrderBody::Counter { .. } | OrderBody::AddTime { .. });
    let note = matches!(body, OrderBody::Note { .. });
    further || table_of(body).is_some() && !note
}

fn table_of(body: &OrderBody) -> Option<TableId> {
    match body {
        OrderBody::IllegalMove { table, .. }
        | OrderBody::AdjustTime { table, .. }
        | OrderBody::Result { table, .. }
        | OrderBody::Confirm { table }
        | OrderBody::Strike { table, .. }
        | OrderBody::Insert { table, .. }
        | OrderBody::AdoptBoard { table, .. }
        | OrderBody::Conduct { table, .. }
        | OrderBody::ClaimDraw { table, .. }
        | OrderBody::ClaimQuickplay { table, .. }
        | OrderBody::RuleClaim { table, .. }
        | OrderBody::Adjourn { table, .. }
        | OrderBody::Resume { table, .. }
        | OrderBody::ReplaceClock { table }
        | OrderBody::Promotion { table, .. }
        | OrderBody::Report { table, .. }
        | OrderBody::Restart { table }
        | OrderBody::Note { table } => Some(*table),
        OrderBody::Take { .. }
        | OrderBody::GiveBack { .. }
        | OrderBody::Snooze { .. }
        | OrderBody::Dismiss { .. }
        | OrderBody::Counter { .. }
        | OrderBody::Bind { .. }
        | OrderBody::BindByGesture { .. }
        | OrderBody::Resync { .. }
        | OrderBody::ReadBoard { .. }
        | OrderBody::Blink { .. }
        | OrderBody::Hold { .. }
        | OrderBody::AddTime { .. }
        | OrderBody::StartRound { .. }
        | OrderBody::CloseRound { .. } => None,
    }
}
