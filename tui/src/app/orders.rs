//! Orders on their way: numbered, remembered until answered, never believed before that.

use std::collections::BTreeMap;

use protocol::{Answer, Order, OrderBody, Penalty, Role, Side, TableId, Timestamp};

use super::may::role_words;
use super::state::{App, Overlay};
use crate::language::t;
use crate::message::Effect;

/// An order not answered within this time is complained about, milliseconds.
const PATIENCE_MS: u64 = 5000;
/// The hub's code for an order that is not for this role.
const NOT_FOR_THIS_ROLE: &str = "H31";

/// Orders that wait for an answer.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    last: u64,
    role_asked: Option<u64>,
    waiting: BTreeMap<u64, (Timestamp, String)>,
}

impl App {
    /// Makes an order; with words it is a given one, and they are said when nothing answers.
    pub(super) fn order(
        &mut self,
        body: OrderBody,
        basis: Option<u64>,
        note: &str,
        words: Option<String>,
    ) -> (u64, Effect) {
        self.orders.last += 1;
        let id = self.orders.last;
        let preview = words.is_none();
        if let Some(words) = words {
            self.orders.waiting.insert(id, (self.now, words));
        }
        let order = Order {
            client: self.me.client.clone(),
            id,
            by: self.me.initials.clone(),
            preview,
            basis,
            note: note.to_owned(),
            body,
        };
        (id, Effect::Send(Box::new(order)))
    }

    /// Whether orders were given that are not answered yet.
    pub fn awaits_answers(&self) -> bool {
        !self.orders.waiting.is_empty()
    }

    /// Asks what the hub lets us do, by the preview of an order that only the chief arbiter may give and that is about no table.
    pub(super) fn ask_role(&mut self) -> Option<Effect> {
        if self.me.read_only {
            return None;
        }
        let body = OrderBody::Conduct {
            table: TableId(0),
            offender: Side::White,
            penalty: Penalty::Expulsion,
        };
        let (id, effect) = self.order(body, None, "", None);
        self.orders.role_asked = Some(id);
        Some(effect)
    }

    /// The hub has said what we are; where that differs from what was thought, it is told.
    pub(super) fn role_is(&mut self, role: Role) {
        if self.me.role != role {
            self.me.role = role;
            let word = self.language.say(role_words(role));
            let text = t!(self.language, "the hub knows you as {}", word);
            self.notice_of(text, role != Role::Chief);
        }
    }

    fn hear_role(&mut self, answer: &Answer) {
        if self.orders.role_asked != Some(id_of(answer)) {
            return;
        }
        self.orders.role_asked = None;
        match answer {
            Answer::Refused { code, why, .. } if code == NOT_FOR_THIS_ROLE => {
                let said = |role: &Role| why.starts_with(&role.with_article());
                if let Some(role) = Role::ALL.into_iter().find(said) {
                    self.role_is(role);
                }
            }
            // Whatever else it says, it did not mind who asked.
            _ => self.role_is(Role::Chief),
        }
    }

    /// Takes an answer of the hub.
    pub(super) fn hear_answer(&mut self, answer: &Answer) -> Vec<Effect> {
        self.hear_role(answer);
        let answer = &self.reader().answer(answer.clone());
        let known = self.orders.waiting.remove(&id_of(answer));
        let mut effects = Vec::new();
        if let Some(Overlay::Dialog(dialog)) = &mut self.overlay {
            let refused = dialog.given == Some(id_of(answer));
            if dialog.hear(answer) {
                self.overlay = None;
                effects = self.confirm_next();
            } else if refused && dialog.given.is_none() {
                effects = self.preview();
            }
        }
        match (answer, known) {
            (Answer::Done { words, .. }, Some(_)) => self.say(words.clone()),
            (Answer::Refused { code, why, .. }, Some((_, what))) => {
                self.complain(t!(self.language, "{}: not done ({}): {}", what, code, why));
            }
            _ => {}
        }
        effects
    }

    /// Complains about orders that nobody answered.
    pub(super) fn watch_orders(&mut self) {
        let late = |at: Timestamp| self.now.since(at) > PATIENCE_MS;
        let first = self.orders.waiting.iter().find(|(_, (at, _))| late(*at));
        let Some((id, words)) = first.map(|(id, (_, words))| (*id, words.clone())) else {
            return;
        };
        self.orders.waiting.remove(&id);
        if let Some(Overlay::Dialog(dialog)) = &mut self.overlay
            && dialog.given == Some(id)
        {
            dialog.given = None;
            dialog.refusal = vec![t!(
                self.language,
                "No answer from the hub: look at the table before giving it again."
            )];
        }
        self.complain(t!(
            self.language,
            "{}: no answer from the hub; it may not be done",
            words
        ));
    }
}

fn id_of(answer: &Answer) -> u64 {
    match answer {
        Answer::Preview { id, .. } | Answer::Done { id, .. } | Answer::Refused { id, .. } => *id,
    }
}
