//! The loop: one message in, the dashboard changed, effects out. **Nothing here reads a clock, a file or a socket.**

use protocol::{AlertLife, Timestamp, Urgency};

use super::lists::Pane;
use super::state::{App, Overlay, Place};
use crate::canvas::{Drawn, Hit};
use crate::filter::Filter;
use crate::key::{Code, Key};
use crate::language::t;
use crate::message::{Effect, Heard, Link, Message};
use crate::settings::Bell;
use crate::venue::Trust;

/// A notice stands this long, milliseconds.
const NOTICE_MS: u64 = 8000;
/// The first line is reversed this long, milliseconds.
const FLASH_MS: u64 = 1000;
/// At most one bell in this time, milliseconds.
const BELL_MS: u64 = 5000;

impl App {
    /// Takes a message.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Tick(now) => {
                self.tick(now);
                return Vec::new();
            }
            Message::Zone(zone) if zone == self.zone => return Vec::new(),
            _ => self.dirty = true,
        }
        match message {
            Message::Key(key) => return self.key(key),
            Message::Click(x, y) => return self.click(x, y),
            Message::Wheel(lines) => self.wheel(lines),
            Message::Resize(columns, rows) => self.size = (columns, rows),
            Message::Zone(zone) => self.zone = zone,
            Message::Link(link) => return self.link(link),
            Message::Heard(heard) => return self.hear(heard),
            Message::Tick(_) => {}
        }
        Vec::new()
    }

    fn tick(&mut self, now: Timestamp) {
        let before = (self.is_masked(), self.trust());
        if self.last_key == Timestamp(0) {
            self.last_key = now.shifted(-1000);
        }
        self.now = now;
        let second = self.hub_now().0.div_euclid(1000);
        let flashed = self.flash_until.is_some_and(|until| now >= until);
        if flashed {
            self.flash_until = None;
        }
        if self
            .notice
            .as_ref()
            .is_some_and(|n| now.since(n.at) > NOTICE_MS)
        {
            self.notice = None;
        }
        let stale = |trust| matches!(trust, Trust::Stale(_));
        let turned = before.0 != self.is_masked() || stale(before.1) != stale(self.trust());
        if second != self.second || flashed || turned {
            self.second = second;
            self.dirty = true;
            self.lists_old = true;
            self.venue.forget_gone(now);
            self.watch_orders();
        }
    }

    fn link(&mut self, link: Link) -> Vec<Effect> {
        let news = self.venue.link != link && !self.is_unheard();
        if let (Link::Down(why), true) = (&link, news) {
            self.complain(t!(self.language, "no line to the hub: {}", why));
        }
        let now = self.now;
        let up = link == Link::Up;
        self.venue.line_is(link, now);
        // A preview asked before the line broke will not be answered.
        if !up {
            return Vec::new();
        }
        let mut effects = self.preview();
        effects.extend(self.ask_role());
        effects
    }

    fn hear(&mut self, heard: Heard) -> Vec<Effect> {
        let heard = self.reader().heard(heard);
        self.lists_old |= !matches!(heard, Heard::Presence { .. } | Heard::Answer(_));
        let mut effects = Vec::new();
        match &heard {
            Heard::Answer(answer) => return self.hear_answer(answer),
            Heard::Alert(alert) => {
                effects.extend(self.ring(alert));
                self.leave_closed(alert);
            }
            Heard::NotAllowed => self.role_is(protocol::Role::Viewer),
            Heard::Unreadable(topic, why) => {
                self.complain(t!(self.language, "{} cannot be read: {}", topic, why));
            }
            _ => {}
        }
        let table = match &heard {
            Heard::Table(table) => Some(table.table),
            _ => None,
        };
        let old = table.and_then(|t| self.venue.tables.get(&t).cloned());
        let now = self.now;
        self.venue.hear(heard, now);
        if let Some(table) = table {
            effects.extend(self.table_changed(old.as_ref(), table));
        }
        effects
    }

    /// An alert that closes under the cursor gives it to the next open one, so that the next key is about something open.
    fn leave_closed(&mut self, alert: &protocol::Alert) {
        let open = |id: &String| self.venue.alerts.get(id).is_some_and(|a| a.is_open());
        let here = self.lists.alerts.selected() == Some(&alert.id);
        if alert.is_open() || !here || !open(&alert.id) {
            return;
        }
        let order = self.lists.alerts.order();
        let row = self.lists.alerts.row().unwrap_or(0);
        let later = order.iter().skip(row + 1).find(|id| open(id));
        let next = later.or_else(|| order.iter().take(row).rev().find(|id| open(id)));
        if let Some(id) = next.cloned() {
            self.lists.alerts.select(&id);
        }
    }

    /// Once for each new CALL and ASKED, at most every five seconds, as the settings say.
    fn ring(&mut self, alert: &protocol::Alert) -> Option<Effect> {
        let wants = alert.urgency <= Urgency::Asked && alert.life == AlertLife::New;
        if !wants || !self.rung.insert(alert.id.clone()) {
            return None;
        }
        if self.rung.len() > 10_000 {
            self.rung.pop_first();
        }
        if self
            .last_bell
            .is_some_and(|last| self.now.since(last) < BELL_MS)
        {
            return None;
        }
        self.last_bell = Some(self.now);
        match self.bell {
            Bell::None => None,
            Bell::Flash => {
                self.flash_until = Some(self.now.after(FLASH_MS));
                None
            }
            Bell::Terminal => Some(Effect::Bell),
        }
    }

    fn key(&mut self, key: Key) -> Vec<Effect> {
        self.last_key = self.now;
        if is_quit(key) {
            return vec![Effect::Quit];
        }
        if self.curtain {
            self.curtain = !self.lifts_curtain(key);
            return Vec::new();
        }
        self.refresh_lists();
        if self.writing.is_some() {
            self.write_filter(key);
            return Vec::new();
        }
        match self.overlay.take() {
            Some(Overlay::Dialog(dialog)) => self.dialog_key(dialog, key),
            Some(Overlay::Palette(palette)) => self.palette_key(palette, key),
            Some(Overlay::Help { all, top }) => self.help_key(all, top, key),
            Some(Overlay::Pgn { table, top }) => self.pgn_key(table, top, key),
            None => self.press(key),
        }
    }

    fn lifts_curtain(&self, key: Key) -> bool {
        use crate::action::Action;
        self.keymap.action(&[key], self.place.screen()) == Some(Action::Curtain)
    }

    fn press(&mut self, key: Key) -> Vec<Effect> {
        if self.lists.needs.order().is_empty() {
            // With nobody in need the keys are for the hall, and stay there when somebody calls.
            self.lists.pane = Pane::Hall;
        }
        self.notice = None;
        self.pressed.push(key);
        let longest = self.keymap.longest().max(2);
        let extra = self.pressed.len().saturating_sub(longest);
        self.pressed.drain(..extra);
        match self.keymap.action(&self.pressed, self.place.screen()) {
            Some(action) => self.act(action),
            None => {
                let help = self.keymap.key(crate::action::Action::Help).to_owned();
                self.say(t!(
                    self.language,
                    "{} means nothing here; {} shows the keys",
                    key,
                    help
                ));
                Vec::new()
            }
        }
    }

    fn help_key(&mut self, all: bool, top: usize, key: Key) -> Vec<Effect> {
        use crate::action::Action;
        let action = self.keymap.action(&[key], self.place.screen());
        let (all, top) = match (action, scrolled(top, action)) {
            (Some(Action::Help), _) if all => return Vec::new(),
            (Some(Action::Help), _) => (true, 0),
            _ if closes(key, action) => return Vec::new(),
            (_, Some(top)) => (all, top),
            _ => return self.press(key),
        };
        self.overlay = Some(Overlay::Help { all, top });
        Vec::new()
    }

    fn pgn_key(&mut self, table: protocol::TableId, top: usize, key: Key) -> Vec<Effect> {
        use crate::action::Action;
        let action = self.keymap.action(&[key], self.place.screen());
        if closes(key, action) || action == Some(Action::Pgn) {
            return Vec::new();
        }
        match scrolled(top, action) {
            Some(top) => self.overlay = Some(Overlay::Pgn { table, top }),
            None => return self.press(key),
        }
        Vec::new()
    }

    fn write_filter(&mut self, key: Key) {
        let Some(mut text) = self.writing.take() else {
            return;
        };
        match (key.code, key.letter()) {
            (Code::Esc, _) => {
                self.filter = Filter::default();
                self.refresh(true);
                return;
            }
            (Code::Enter, _) => return,
            (Code::Backspace, _) => drop(text.pop()),
            (_, Some(c)) if text.chars().count() < 100 => text.push(c),
            _ => {}
        }
        self.filter = Filter::new(&text);
        self.writing = Some(text);
        self.refresh(true);
    }

    fn wheel(&mut self, lines: isize) {
        if self.overlay.is_none() && !self.curtain {
            self.refresh_lists();
            match self.place {
                Place::Tables if self.lists.pane == Pane::Needs => {
                    self.lists.needs.step(lines);
                }
                Place::Tables => {
                    self.lists.hall.step(lines);
                }
                Place::Alerts => {
                    self.lists.alerts.step(lines);
                }
                Place::Round => {
                    self.lists.round.step(lines);
                }
                Place::Devices => {
                    self.lists.devices.step(lines);
                }
                Place::Journal => {
                    self.lists.journal.step(lines);
                }
                Place::Table(_) => {}
            }
        }
    }

    fn click(&mut self, x: u16, y: u16) -> Vec<Effect> {
        self.last_key = self.now;
        match self.drawn.at(x, y).cloned() {
            Some(Hit::Act(action)) if self.overlay.is_none() => self.act(action),
            Some(Hit::Line(pane, row)) if self.overlay.is_none() => {
                self.click_line(pane, row);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Draws the present picture and remembers what clicks on it mean.
    pub fn draw(&mut self, buffer: &mut ratatui::buffer::Buffer) -> Drawn {
        self.size = (buffer.area.width, buffer.area.height);
        self.refresh_lists();
        let (drawn, heights) = crate::screens::draw(self, buffer);
        for &(pane, height) in &heights {
            self.keep_window(pane, height);
        }
        self.heights = heights;
        self.drawn = drawn.clone();
        self.dirty = false;
        drawn
    }

    fn keep_window(&mut self, pane: Pane, height: usize) {
        let lists = &mut self.lists;
        match pane {
            Pane::Needs => lists.needs.keep_window(height),
            Pane::Hall => lists.hall.keep_window(height),
            Pane::Alerts => lists.alerts.keep_window(height),
            Pane::Round => lists.round.keep_window(height),
            Pane::Devices => lists.devices.keep_window(height),
            Pane::Journal => lists.journal.keep_window(height),
        }
    }

    /// Lines of the list in hand, as last drawn.
    pub(super) fn height_here(&self) -> usize {
        let pane = match self.place {
            Place::Tables => self.lists.pane,
            Place::Table(_) => return 10,
            Place::Alerts => Pane::Alerts,
            Place::Round => Pane::Round,
            Place::Devices => Pane::Devices,
            Place::Journal => Pane::Journal,
        };
        let found = self.heights.iter().find(|(p, _)| *p == pane);
        found.map_or(10, |(_, height)| *height)
    }
}

/// Whether a key closes a page that lies over the screen.
fn closes(key: Key, action: Option<crate::action::Action>) -> bool {
    use crate::action::Action;
    key.code == Code::Esc || matches!(action, Some(Action::Quit | Action::Back))
}

/// Where a page that lies over the screen is scrolled to, if the key scrolls.
fn scrolled(top: usize, action: Option<crate::action::Action>) -> Option<usize> {
    use crate::action::Action;
    let top = match action? {
        Action::Down => top + 1,
        Action::Up => top.saturating_sub(1),
        Action::HalfDown => top + 10,
        Action::HalfUp => top.saturating_sub(10),
        _ => return None,
    };
    Some(top.min(200))
}

fn is_quit(key: Key) -> bool {
    key.ctrl && key.code == Code::Char('c')
}
