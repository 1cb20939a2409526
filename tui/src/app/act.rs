//! What each action does.

use protocol::{Alert, AlertLife, OrderBody, TableId, Urgency};

use super::lists::Pane;
use super::palette::Palette;
use super::state::{App, Overlay, Place};
use crate::action::Action;
use crate::language::t;
use crate::message::Effect;

/// Kinds of lines the log of a table can be narrowed to.
const LOG_KINDS: [Option<&str>; 6] = [
    None,
    Some("ruling"),
    Some("made"),
    Some("clock"),
    Some("alert"),
    Some("board"),
];
const MOST_BEFORE: usize = 50;

impl App {
    /// Does an action, or says why it cannot be done.
    pub fn act(&mut self, action: Action) -> Vec<Effect> {
        if let Err(why) = self.may(action) {
            self.complain(why);
            return Vec::new();
        }
        match action {
            Action::Quit => return vec![Effect::Quit],
            Action::Take | Action::GiveBack | Action::Dismiss => return self.answer(action),
            Action::Rule => return self.rule(),
            Action::Snooze => self.open_snooze(),
            Action::Counter => return self.open_counter(),
            Action::Resync | Action::ReadBoard | Action::Blink => return self.ask_board(action),
            Action::Pgn => {
                self.overlay = self.subject().table.map(|t| Overlay::Pgn {
                    table: t.table,
                    top: 0,
                })
            }
            Action::DeviceLog => self.device_log(),
            Action::Bind => return self.open_bind(),
            Action::StartRound => return self.start_round(),
            Action::CloseRound => return self.close_round(),
            Action::Palette => self.overlay = Some(Overlay::Palette(Palette::default())),
            Action::Help => self.overlay = Some(Overlay::Help { all: false, top: 0 }),
            Action::Curtain => self.curtain = true,
            Action::Filter => self.writing = Some(self.filter.text().to_owned()),
            Action::Evidence => {
                self.evidence = !self.evidence;
                self.refresh(true);
            }
            Action::LogFilter => self.next_log_kind(),
            Action::Mark => self.mark(),
            Action::NextCall => self.next_call(),
            Action::Confirm if !self.marked_proposals().is_empty() => return self.confirm_marked(),
            _ if self.opens_dialog(action) => return self.open_dialog(action),
            _ => self.go(action),
        }
        Vec::new()
    }

    fn go(&mut self, action: Action) {
        match action {
            Action::Tables => self.visit(Place::Tables),
            Action::Alerts => self.visit(Place::Alerts),
            Action::Round => {
                self.looked_back = None;
                self.lists_old = true;
                self.visit(Place::Round);
            }
            Action::Devices => self.visit(Place::Devices),
            Action::Journal => self.visit(Place::Journal),
            Action::NextScreen => self.next_screen(),
            Action::Open | Action::OpenTable => self.open_table(),
            Action::Back => self.back(),
            Action::LastPlace => self.last_place(),
            Action::Sort | Action::Reverse | Action::Freeze => self.arrange(action),
            _ => self.walk(action),
        }
    }

    /// Goes to a screen and remembers the one before.
    pub(super) fn visit(&mut self, place: Place) {
        if place == self.place {
            return;
        }
        self.before.push(self.place);
        if self.before.len() > MOST_BEFORE {
            self.before.remove(0);
        }
        self.place = place;
        self.evidence = false;
        self.at_table = None;
        self.lists_old = true;
        match place {
            Place::Table(table) => {
                self.lists.hall.select(&table);
            }
            Place::Alerts => self.leave_what_is_closed(),
            _ => {}
        }
    }

    /// The cursor of the inbox stands on something open, where there is anything.
    fn leave_what_is_closed(&mut self) {
        self.refresh_lists();
        let open = |id: &&String| self.venue.alerts.get(*id).is_some_and(Alert::is_open);
        let here = self.lists.alerts.selected();
        if here.is_some_and(|id| open(&id)) {
            return;
        }
        if let Some(first) = self.lists.alerts.order().iter().find(open).cloned() {
            self.lists.alerts.select(&first);
        }
    }

    fn next_screen(&mut self) {
        let next = match self.place {
            Place::Tables | Place::Table(_) => Place::Alerts,
            Place::Alerts => Place::Round,
            Place::Round => Place::Devices,
            Place::Devices => Place::Journal,
            Place::Journal => Place::Tables,
        };
        self.visit(next);
    }

    fn open_table(&mut self) {
        let subject = self.subject();
        let alert = subject.alert.map(|a| a.id.clone());
        if let Some(table) = subject.table.map(|t| t.table) {
            self.visit(Place::Table(table));
            self.at_table = alert;
        }
    }

    /// The next or previous alert of the open table: a decision answers the one in hand.
    fn other_alert(&mut self, table: TableId, by: isize) {
        let here = self.subject().alert.map(|a| a.id.clone());
        let ids: Vec<String> = self.alerts_at(table).iter().map(|a| a.id.clone()).collect();
        let at = ids
            .iter()
            .position(|id| Some(id) == here.as_ref())
            .unwrap_or(0);
        let next = at
            .checked_add_signed(by)
            .unwrap_or(ids.len().saturating_sub(1));
        self.at_table = ids.get(next).or(ids.first()).cloned();
    }

    fn back(&mut self) {
        if !self.lists.marks.is_empty() {
            self.lists.marks.clear();
        } else if !self.filter.is_empty() {
            self.filter = Default::default();
            self.refresh(true);
        } else if self.place == Place::Tables && self.lists.pane == Pane::Hall {
            self.lists.pane = Pane::Needs;
        } else if let Some(place) = self.before.pop() {
            self.place = place;
            self.evidence = false;
        }
    }

    fn last_place(&mut self) {
        if let Some(place) = self.before.last().copied() {
            self.visit(place);
        }
    }

    fn arrange(&mut self, action: Action) {
        let on_map = self.place == Place::Tables && self.lists.pane == Pane::Hall;
        let now = self.now;
        match (action, on_map) {
            (Action::Sort, true) => self.lists.hall_by_time = !self.lists.hall_by_time,
            (Action::Sort, false) => self.lists.sorting = self.lists.sorting.next(),
            (Action::Reverse, _) => self.lists.reverse = !self.lists.reverse,
            _ => {
                self.lists.needs.toggle_freeze(now);
                self.lists.alerts.toggle_freeze(now);
                self.lists.hall.toggle_freeze(now);
            }
        }
        self.refresh(true);
    }

    fn next_log_kind(&mut self) {
        let at = LOG_KINDS.iter().position(|k| *k == self.log_kind);
        self.log_kind = LOG_KINDS[(at.unwrap_or(0) + 1) % LOG_KINDS.len()];
    }

    fn mark(&mut self) {
        let Some(id) = self.subject().alert.map(|a| a.id.clone()) else {
            return;
        };
        if !self.lists.marks.remove(&id) {
            self.lists.marks.insert(id);
        }
        self.walk(Action::Down);
    }

    /// CALLs that nobody has taken, of every sector, oldest first.
    pub(super) fn untaken_calls(&self) -> impl Iterator<Item = &Alert> {
        let at = self.hub_now();
        let mut calls: Vec<&Alert> = self
            .venue
            .open_alerts(at)
            .filter(|a| a.urgency == Urgency::Call && a.life == AlertLife::New)
            .collect();
        calls.sort_by_key(|a| (a.since, a.table));
        calls.into_iter()
    }

    fn next_call(&mut self) {
        let here = match self.again() {
            true => self.subject().alert.map(|a| a.id.clone()),
            false => None,
        };
        let ids: Vec<String> = self.untaken_calls().map(|a| a.id.clone()).collect();
        let after = here.and_then(|id| ids.iter().position(|other| *other == id));
        let next = after.map_or(0, |at| (at + 1) % ids.len());
        let Some(id) = ids.get(next).cloned() else {
            return;
        };
        let place = match self.place {
            Place::Alerts => Place::Alerts,
            _ => Place::Tables,
        };
        self.visit(place);
        self.lists.pane = Pane::Needs;
        if !self.passes_alert(&id) {
            self.filter = Default::default();
            self.refresh(false);
        }
        self.lists.alerts.select(&id);
        if !self.lists.needs.select(&id) && place == Place::Tables {
            self.place = Place::Alerts;
        }
    }

    /// Whether the key pressed last is the same as the one before.
    fn again(&self) -> bool {
        matches!(self.pressed[..], [.., before, last] if before == last)
    }

    fn passes_alert(&self, id: &str) -> bool {
        let alert = self.venue.alerts.get(id);
        alert.is_some_and(|a| self.passes(self.table_of(a), Some(a)))
    }

    /// Take, give back, dismiss: at once, for the marked alerts or the selected one.
    fn answer(&mut self, action: Action) -> Vec<Effect> {
        let mut lines: Vec<String> = self.lists.marks.iter().cloned().collect();
        if lines.is_empty() {
            lines.extend(self.subject().alert.map(|a| a.id.clone()));
        }
        self.lists.marks.clear();
        let ids: Vec<String> = lines.iter().flat_map(|id| self.behind(id)).collect();
        ids.into_iter()
            .map(|id| {
                let (body, words) = self.answer_order(action, id);
                self.order(body, None, "", Some(words)).1
            })
            .collect()
    }

    fn answer_order(&self, action: Action, alert: String) -> (OrderBody, String) {
        let mine = self.venue.alerts.get(&alert).is_some_and(
            |a| matches!(&a.life, AlertLife::Taken { by, .. } if *by == self.me.initials),
        );
        match action {
            Action::Dismiss => (
                OrderBody::Dismiss { alert },
                self.language.word(action).to_owned(),
            ),
            Action::GiveBack if mine => (
                OrderBody::GiveBack { alert },
                self.language.word(action).to_owned(),
            ),
            _ => {
                let over = action == Action::GiveBack;
                (
                    OrderBody::Take { alert, over },
                    self.language.word(Action::Take).to_owned(),
                )
            }
        }
    }

    /// Asks the board of the selected table for something.
    fn ask_board(&mut self, action: Action) -> Vec<Effect> {
        let Some(table) = self.subject().table.map(|t| t.table) else {
            return Vec::new();
        };
        let number = self.venue.number(table);
        let (body, words) = match action {
            Action::Blink => (
                OrderBody::Blink { table },
                t!(self.language, "lamps of table {}", number),
            ),
            Action::ReadBoard => (
                OrderBody::ReadBoard { table },
                t!(self.language, "position of table {}", number),
            ),
            _ => (
                OrderBody::Resync { table },
                t!(self.language, "resync of table {}", number),
            ),
        };
        if action == Action::ReadBoard {
            self.visit(Place::Table(table));
            self.evidence = true;
        }
        vec![self.order(body, None, "", Some(words)).1]
    }

    /// What happened with the board of the selected table.
    fn device_log(&mut self) {
        if let Some(table) = self.subject().table.map(|t| t.table) {
            self.visit(Place::Table(table));
            self.log_kind = Some("board");
        }
    }

    /// Arrows and paging.
    pub(super) fn walk(&mut self, action: Action) {
        let half = isize::try_from(self.height_here() / 2).unwrap_or(1).max(1);
        let (by, sideways) = match action {
            Action::Up => (-1, false),
            Action::Down => (1, false),
            Action::HalfUp => (-half, false),
            Action::HalfDown => (half, false),
            Action::Top => (isize::MIN / 2, false),
            Action::Bottom => (isize::MAX / 2, false),
            Action::Left => (-1, true),
            Action::Right => (1, true),
            _ => return,
        };
        match self.place {
            Place::Tables => self.walk_tables(by, sideways),
            Place::Table(_) if sideways => self.neighbour(by),
            Place::Table(table) => self.other_alert(table, by),
            Place::Alerts => {
                self.lists.alerts.step(by);
            }
            Place::Round if sideways => self.other_round(by),
            Place::Round => {
                self.lists.round.step(by);
            }
            Place::Devices => {
                self.lists.devices.step(by);
            }
            Place::Journal => {
                self.lists.journal.step(by);
            }
        }
    }

    fn walk_tables(&mut self, by: isize, sideways: bool) {
        match (self.lists.pane, sideways) {
            (Pane::Hall, true) => {
                self.lists.hall.step(by);
            }
            (Pane::Hall, false) => {
                if !self.step_map(by) && by == -1 {
                    self.lists.pane = Pane::Needs;
                }
            }
            (_, true) => self.enter_map(),
            (_, false) => {
                if !self.lists.needs.step(by) && by == 1 {
                    self.enter_map();
                }
            }
        }
    }

    /// Moves up or down on the map of the hall; false when it is at the edge.
    fn step_map(&mut self, by: isize) -> bool {
        let lines = crate::screens::map_lines(self);
        let here = self.lists.hall.selected().copied();
        let place = lines.iter().enumerate().find_map(|(y, (_, tables))| {
            let x = tables.iter().position(|t| Some(*t) == here)?;
            Some((x, y))
        });
        let Some((x, y)) = place else { return false };
        let to = y.saturating_add_signed(by).min(lines.len() - 1);
        let tables = &lines[to].1;
        if let Some(table) = tables.get(x.min(tables.len().saturating_sub(1))) {
            self.lists.hall.select(table);
        }
        to != y
    }

    fn enter_map(&mut self) {
        if let Some(table) = self.subject().table.map(|t| t.table) {
            self.lists.hall.select(&table);
        }
        self.lists.pane = Pane::Hall;
    }

    /// The round before or after the one that is shown.
    fn other_round(&mut self, by: isize) {
        let now = self.venue.round.round;
        let shown = self.looked_back.unwrap_or(now);
        let rounds: Vec<u16> = self.venue.earlier().filter(|r| *r != now).collect();
        let to = match by {
            ..0 => rounds.iter().rev().find(|r| **r < shown).copied(),
            _ => rounds.iter().find(|r| **r > shown).copied().or(Some(now)),
        };
        match to {
            Some(round) => self.look_at_round(round),
            None => self.say(t!(self.language, "there is no earlier round")),
        }
    }

    /// Shows a round by its number.
    pub(super) fn look_at_round(&mut self, round: u16) {
        let now = self.venue.round.round;
        if round != now && !self.venue.earlier().any(|r| r == round) {
            let known: Vec<String> = self.venue.earlier().map(|r| r.to_string()).collect();
            let known = match known.as_slice() {
                [] => t!(self.language, "no earlier round is kept"),
                known => t!(self.language, "known: {}", known.join(", ")),
            };
            self.complain(t!(self.language, "this is round {}; {}", now, known));
            return;
        }
        self.visit(Place::Round);
        self.looked_back = (round != now).then_some(round);
        self.refresh(true);
    }

    fn neighbour(&mut self, by: isize) {
        self.lists.hall.step(by);
        if let Some(table) = self.lists.hall.selected().copied() {
            self.place = Place::Table(table);
            self.evidence = false;
            self.at_table = None;
        }
    }

    /// Selects what was clicked.
    pub(super) fn click_line(&mut self, pane: usize, row: usize) {
        let lists = &mut self.lists;
        match pane {
            p if p == Pane::Needs as usize => {
                lists.pane = Pane::Needs;
                lists.needs.select_row(row);
            }
            p if p == Pane::Hall as usize => {
                lists.pane = Pane::Hall;
                lists.hall.select_row(row);
            }
            p if p == Pane::Alerts as usize => lists.alerts.select_row(row),
            p if p == Pane::Round as usize => lists.round.select_row(row),
            p if p == Pane::Devices as usize => lists.devices.select_row(row),
            _ => lists.journal.select_row(row),
        }
    }

    /// Opens a table by its number, if it is known.
    pub(super) fn open_number(&mut self, table: TableId) {
        if self.venue.tables.contains_key(&table) {
            self.visit(Place::Table(table));
        } else {
            self.complain(t!(self.language, "no table {} is known here", table));
        }
    }
}
