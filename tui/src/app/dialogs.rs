//! Opening decisions, asking the hub what would follow, and giving them.

use std::collections::BTreeSet;

use protocol::{DeskTable, JournalLine, OrderBody, ResultState, RulingLine, TableId, Timestamp};

use super::palette::Palette;
use super::state::{App, Overlay, Place};
use crate::action::Action;
use crate::dialogs::{self, Asked, Binding, Dialog, NOTE, Opening, Said};
use crate::key::Key;
use crate::language::{t, word};
use crate::message::Effect;

impl App {
    /// Whether an action opens a dialog about the selected table.
    pub(super) fn opens_dialog(&self, action: Action) -> bool {
        let subject = self.subject();
        let table = subject.table;
        table.is_some_and(|t| dialogs::open(action, &self.opening(t, ("", ""))).is_some())
    }

    /// What else is open at the table of a decision: it answers one alert, and the others are ruled on by themselves.
    fn also(&self, table: TableId) -> String {
        let here = self.subject().alert.map(|a| a.id.as_str());
        let others = self.alerts_at(table).into_iter();
        let others = others.filter(|a| Some(a.id.as_str()) != here);
        let others: Vec<String> = others.map(crate::words::headline).collect();
        others.join("; ")
    }

    fn opening<'a>(
        &'a self,
        table: &'a DeskTable,
        (number, also): (&'a str, &'a str),
    ) -> Opening<'a> {
        Opening {
            table,
            alert: self
                .subject()
                .alert
                .filter(|a| a.table == Some(table.table)),
            also,
            at: self.hub_now(),
            zone: self.zone,
            number,
            language: &self.language,
            notation: self.look.notation,
        }
    }

    /// Opens the dialog of an action about the selected table.
    pub(super) fn open_dialog(&mut self, action: Action) -> Vec<Effect> {
        let Some(table) = self.subject().table else {
            return Vec::new();
        };
        let number = self.venue.number(table.table);
        let also = self.also(table.table);
        match dialogs::open(action, &self.opening(table, (&number, &also))) {
            Some(dialog) => self.show(dialog),
            None => Vec::new(),
        }
    }

    /// Tables of the marked alerts whose result waits for its confirmation.
    pub(super) fn marked_proposals(&self) -> Vec<TableId> {
        let marked = self.lists.marks.iter();
        let tables = marked.filter_map(|id| self.venue.alerts.get(id)?.table);
        let proposed = |table: &TableId| {
            let standing = self.venue.tables.get(table).and_then(|t| t.standing);
            standing.is_some_and(|s| s.state == ResultState::Proposed)
        };
        let tables: BTreeSet<TableId> = tables.filter(proposed).collect();
        tables.into_iter().collect()
    }

    /// Confirms the results of all marked tables: a dialog after the other, each with its own number to type.
    pub(super) fn confirm_marked(&mut self) -> Vec<Effect> {
        self.to_confirm = self.marked_proposals();
        self.lists.marks.clear();
        self.confirm_next()
    }

    /// The dialog of the next result that is to be confirmed.
    pub(super) fn confirm_next(&mut self) -> Vec<Effect> {
        while !self.to_confirm.is_empty() {
            let id = self.to_confirm.remove(0);
            let Some(table) = self.venue.tables.get(&id) else {
                continue;
            };
            let number = self.venue.number(id);
            let opening = Opening {
                table,
                alert: None,
                also: "",
                at: self.hub_now(),
                zone: self.zone,
                number: &number,
                language: &self.language,
                notation: self.look.notation,
            };
            if let Some(dialog) = dialogs::open(Action::Confirm, &opening) {
                let left = self.to_confirm.len();
                if left > 0 {
                    self.say(t!(
                        self.language,
                        "{} more after this one; esc drops them",
                        left
                    ));
                }
                return self.show(dialog);
            }
        }
        Vec::new()
    }

    /// Shows a dialog and asks the hub what its first choice would do.
    pub(super) fn show(&mut self, mut dialog: Dialog) -> Vec<Effect> {
        dialog.opened = self.now;
        self.overlay = Some(Overlay::Dialog(Box::new(dialog)));
        self.preview()
    }

    /// Opens the dialog that fits the alert; where several may fit, the choice of them.
    pub(super) fn rule(&mut self) -> Vec<Effect> {
        let subject = self.subject();
        let fitting = subject.alert.and_then(|a| dialogs::fitting(&a.code));
        let fitting = fitting.filter(|action| self.may(*action).is_ok());
        match (fitting, subject.table.map(|t| t.table)) {
            (Some(Action::Bind), _) => self.open_bind(),
            (Some(Action::Dismiss), _) => self.open_dismiss(),
            (Some(action), _) => self.open_dialog(action),
            (None, Some(table)) => {
                self.overlay = Some(Overlay::Palette(Palette::with(&format!("{table} "))));
                Vec::new()
            }
            (None, None) => Vec::new(),
        }
    }

    /// Opens the binding of a board: that of the alert, or any free one for the selected table.
    pub(super) fn open_bind(&mut self) -> Vec<Effect> {
        let subject = self.subject();
        let free = self.venue.round.unbound.clone();
        let of_alert = |d: &&protocol::DeviceId| {
            let id = subject.alert.map_or("", |a| a.id.as_str());
            id.starts_with(d.as_str())
        };
        let binding = Binding {
            board: free.iter().find(of_alert).cloned(),
            table: subject.table.map(|t| t.table),
            now: subject.table.and_then(|t| t.device.clone()),
            free,
        };
        self.bind(&binding)
    }

    /// Opens a binding that was named.
    pub(super) fn bind(&mut self, binding: &Binding) -> Vec<Effect> {
        let table = binding.table.unwrap_or(TableId(0));
        let about = dialogs::about_nothing(table, self.hub_now());
        self.show(dialogs::open_bind(&self.language, binding, about))
    }

    /// Opens the closing of an alert that no other decision answers, with what was done about it.
    fn open_dismiss(&mut self) -> Vec<Effect> {
        let at = self.hub_now();
        match self.subject().alert {
            Some(alert) => {
                let number = alert.table.map(|t| self.venue.number(t));
                let dialog = dialogs::open_dismiss(&self.language, alert, number.as_deref(), at);
                let dialog = self.for_all(dialog);
                self.show(dialog)
            }
            None => Vec::new(),
        }
    }

    /// Opens the start of the round (6.6), which the hub then dates.
    pub(super) fn start_round(&mut self) -> Vec<Effect> {
        let (round, at) = (self.venue.round.round, self.hub_now());
        self.show(dialogs::open_start_round(&self.language, round, at))
    }

    /// Opens the closing of the round, which publishes the results when none is missing.
    pub(super) fn close_round(&mut self) -> Vec<Effect> {
        let (round, at) = (self.venue.round.round, self.hub_now());
        self.show(dialogs::open_close_round(&self.language, round, at))
    }

    pub(super) fn open_snooze(&mut self) {
        let at = self.hub_now();
        if let Some(alert) = self.subject().alert {
            let dialog = dialogs::open_snooze(&self.language, alert, at, self.zone);
            let dialog = self.for_all(dialog);
            self.show(dialog);
        }
    }

    /// What a dialog does to an alert it does to all that stand behind the line.
    fn for_all(&self, mut dialog: Dialog) -> Dialog {
        let mut ids = self.behind(&dialog.about.alert);
        ids.retain(|id| *id != dialog.about.alert);
        if let (Some(alert), false) = (self.venue.alerts.get(&dialog.about.alert), ids.is_empty()) {
            let all: Vec<String> = ids.iter().chain([&alert.id]).cloned().collect();
            dialog = dialog.knowing(word!("For all"), self.joined_words(alert, &all));
        }
        dialog.about.also = ids;
        dialog
    }

    /// The ruling that `U` would take back: the selected one, or the last one of the table that can be undone.
    pub(crate) fn ruling_to_counter(&self) -> Option<JournalLine> {
        match self.place {
            Place::Journal => {
                let line = self.selected_line().filter(|l| l.line.kind == "ruling");
                line.cloned()
            }
            Place::Round => {
                let table = self.lists.round.selected()?;
                let lines = self.shown_round().tables.iter();
                let line = lines.into_iter().find(|l| l.table == *table)?;
                line.ruling.as_ref().map(|r| told(r, *table))
            }
            _ => {
                let table = self.subject().table?;
                let good = |r: &&RulingLine| r.undoable && !r.countered;
                let ruling = table.rulings.iter().rev().find(good)?;
                Some(told(ruling, table.table))
            }
        }
    }

    pub(super) fn open_counter(&mut self) -> Vec<Effect> {
        let Some(ruling) = self.ruling_to_counter() else {
            return Vec::new();
        };
        self.counter(&ruling)
    }

    /// Opens the counter-ruling to a ruling named by its number.
    pub(super) fn counter_number(&mut self, number: u64) -> Vec<Effect> {
        let known = self.venue.journal.find(number);
        let table = self.subject().table.map(|t| t.table);
        let ruling = known.cloned().unwrap_or_else(|| self.unseen(number, table));
        self.counter(&ruling)
    }

    fn counter(&mut self, ruling: &JournalLine) -> Vec<Effect> {
        let number = ruling
            .table
            .map_or("–".to_owned(), |t| self.venue.number(t));
        self.show(dialogs::open_counter(
            &self.language,
            ruling,
            &number,
            self.zone,
        ))
    }

    fn unseen(&self, number: u64, table: Option<TableId>) -> JournalLine {
        JournalLine {
            number,
            table,
            line: protocol::LogLine {
                at: Timestamp(0),
                kind: "ruling".to_owned(),
                words: t!(self.language, "not seen on this screen; the hub knows it"),
                source: String::new(),
            },
            article: String::new(),
        }
    }

    /// Asks the hub what the present choice would do.
    pub(crate) fn preview(&mut self) -> Vec<Effect> {
        let Some(Overlay::Dialog(dialog)) = &self.overlay else {
            return Vec::new();
        };
        let mut dialog = dialog.clone();
        let effects = match (dialog.body)(&dialog) {
            Err(why) => {
                dialog.said = Said::Unfinished(why);
                Vec::new()
            }
            Ok(_) if !dialog.previewed => {
                dialog.said = Said::Waiting;
                Vec::new()
            }
            Ok(body) => {
                let (id, effect) = self.order(body, None, "", None);
                dialog.asked = Some(id);
                if !matches!(dialog.said, Said::Preview(..)) {
                    dialog.said = Said::Waiting;
                }
                vec![effect]
            }
        };
        self.overlay = Some(Overlay::Dialog(dialog));
        effects
    }

    /// A key for the dialog that is open.
    pub(super) fn dialog_key(&mut self, mut dialog: Box<Dialog>, key: Key) -> Vec<Effect> {
        let asked = dialog.key(key, self.now);
        let changed_note = !dialog.previewed;
        match asked {
            Asked::Close => {
                self.to_confirm.clear();
                return Vec::new();
            }
            Asked::Give => return self.give(dialog),
            Asked::Card => {
                let name = format!("clock-card-{}.txt", dialog.number);
                let text = dialog.card();
                self.overlay = Some(Overlay::Dialog(dialog));
                return vec![Effect::Write(name, text)];
            }
            Asked::Open(action) => return self.open_dialog(action),
            _ => self.overlay = Some(Overlay::Dialog(dialog)),
        }
        if asked == Asked::Preview || changed_note {
            return self.preview();
        }
        Vec::new()
    }

    fn give(&mut self, mut dialog: Box<Dialog>) -> Vec<Effect> {
        if let Err(why) = self.may_order(Action::Rule) {
            dialog.refusal = vec![t!(self.language, "Not given: {}", why)];
            self.overlay = Some(Overlay::Dialog(dialog));
            return Vec::new();
        }
        let basis = match &dialog.said {
            Said::Preview(_, basis) => Some(*basis),
            _ => None,
        };
        let note = dialog.form.text(NOTE).to_owned();
        let mut effects = Vec::new();
        match (dialog.body)(&dialog) {
            Ok(body) => {
                let words = dialog.title.clone();
                for also in &dialog.about.also {
                    let body = about_another(&body, also);
                    let words = Some(words.clone());
                    effects.extend(body.map(|body| self.order(body, None, &note, words).1));
                }
                let (id, effect) = self.order(body, basis, &note, Some(words));
                dialog.given = Some(id);
                dialog.refusal.clear();
                effects.push(effect);
            }
            Err(why) => dialog.said = Said::Unfinished(why),
        }
        self.overlay = Some(Overlay::Dialog(dialog));
        effects
    }

    /// What somebody else has ruled at a table while a dialog about it was open.
    fn ruled_meanwhile(&self, old: &DeskTable, new: &DeskTable) -> Option<String> {
        let ruling = new.rulings.last()?;
        let known = old.rulings.iter().any(|r| r.number == ruling.number);
        let told = || {
            t!(
                self.language,
                "Meanwhile {} has ruled: {}",
                ruling.by,
                ruling.words
            )
        };
        (!known).then(told)
    }

    /// A table changed under an open dialog: ask again when only clocks moved on, or play under a ruling that ends no
    /// game (what it would do is compared with what was read), else leave it to the hub to say the difference.
    pub(super) fn table_changed(&mut self, old: Option<&DeskTable>, new: TableId) -> Vec<Effect> {
        let Some(Overlay::Dialog(dialog)) = &self.overlay else {
            return Vec::new();
        };
        let (Some(old), Some(table)) = (old, self.venue.tables.get(&new)) else {
            return Vec::new();
        };
        let concerned = dialog.table == Some(new) && dialog.given.is_none() && dialog.previewed;
        let goes_on = !dialog.ends_game() && old.record.len() < table.record.len();
        let same_moves = old.record.len() == table.record.len() && old.state == table.state;
        let same_game = (same_moves || goes_on)
            && old.standing == table.standing
            && old.illegal_moves == table.illegal_moves
            && old.rulings == table.rulings;
        if concerned && let Some(told) = self.ruled_meanwhile(old, table) {
            if let Some(Overlay::Dialog(dialog)) = &mut self.overlay {
                dialog.refusal = vec![told];
            }
            return Vec::new();
        }
        match concerned && same_game && old.revision != table.revision {
            true => self.preview(),
            false => Vec::new(),
        }
    }
}

/// The same done to another alert.
fn about_another(body: &OrderBody, alert: &str) -> Option<OrderBody> {
    let alert = alert.to_owned();
    match body {
        OrderBody::Dismiss { .. } => Some(OrderBody::Dismiss { alert }),
        OrderBody::Snooze { until, .. } => Some(OrderBody::Snooze {
            alert,
            until: *until,
        }),
        _ => None,
    }
}

fn told(ruling: &RulingLine, table: TableId) -> JournalLine {
    JournalLine {
        number: ruling.number,
        table: Some(table),
        line: protocol::LogLine {
            at: ruling.at,
            kind: "ruling".to_owned(),
            words: ruling.words.clone(),
            source: ruling.by.clone(),
        },
        article: ruling.article.clone(),
    }
}
