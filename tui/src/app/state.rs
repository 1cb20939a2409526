//! Everything the dashboard knows and shows.

use protocol::{Alert, ClientId, DeskTable, Millis, Role, TableId, Timestamp};

use super::lists::{Lists, Pane};
use super::orders::Orders;
use super::palette::Palette;
use crate::canvas::{Drawn, Look};
use crate::dialogs::Dialog;
use crate::filter::{Filter, Looked, Sector};
use crate::key::Key;
use crate::keymap::{Keymap, Screen};
use crate::language::Language;
use crate::settings::{Bell, Settings};
use crate::told::Reader;
use crate::venue::{Trust, Venue};

/// Who sits before the screen.
#[derive(Debug, Clone)]
pub struct Me {
    /// Initials, written into the journal.
    pub initials: String,
    /// What the hub lets him do.
    pub role: Role,
    /// This dashboard's name for orders and answers.
    pub client: ClientId,
    /// Nothing is ordered from this screen.
    pub read_only: bool,
}

/// A screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Who needs me, and the hall.
    Tables,
    /// One table.
    Table(TableId),
    /// The inbox.
    Alerts,
    /// Results.
    Round,
    /// Boards and clocks.
    Devices,
    /// One line per event.
    Journal,
}

impl Place {
    /// The screen it is on, for keys that mean something else there.
    pub fn screen(self) -> Screen {
        match self {
            Place::Tables => Screen::Tables,
            Place::Table(_) => Screen::Table,
            Place::Alerts => Screen::Alerts,
            Place::Round => Screen::Round,
            Place::Devices => Screen::Devices,
            Place::Journal => Screen::Journal,
        }
    }
}

/// Something that lies over the screen.
#[derive(Debug, Clone)]
pub enum Overlay {
    /// A decision.
    Dialog(Box<Dialog>),
    /// Keys of here, or all of them; scrolled by so many lines.
    Help {
        /// All keys instead of those of this screen.
        all: bool,
        /// Lines scrolled down.
        top: usize,
    },
    /// A game as PGN, scrolled by so many lines.
    Pgn {
        /// Its table.
        table: TableId,
        /// Lines scrolled down.
        top: usize,
    },
    /// Go or do, by name.
    Palette(Palette),
}

/// A sentence in place of the footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// Since when, our clock.
    pub at: Timestamp,
    /// Something did not work.
    pub bad: bool,
}

/// What the keys act on: a table, an alert, or both.
#[derive(Debug, Clone, Copy, Default)]
pub struct Subject<'a> {
    /// The table.
    pub table: Option<&'a DeskTable>,
    /// The alert.
    pub alert: Option<&'a Alert>,
}

/// The dashboard.
#[derive(Debug, Clone)]
pub struct App {
    /// What the hub said.
    pub venue: Venue,
    /// Who sits here.
    pub me: Me,
    /// His part of the hall.
    pub sector: Sector,
    /// Signs and styles.
    pub look: Look,
    /// The language of keys, help and headings.
    pub language: Language,
    /// What a new CALL or ASKED does.
    pub bell: Bell,
    /// When the screen masks itself; none for never.
    pub mask_after: Option<Millis>,
    /// Keys.
    pub keymap: Keymap,
    /// Our clock.
    pub now: Timestamp,
    /// Seconds east of Greenwich.
    pub zone: i32,
    /// Columns and rows.
    pub size: (u16, u16),
    /// Where we are.
    pub place: Place,
    /// Where we were.
    pub before: Vec<Place>,
    /// The lists and their selections.
    pub lists: Lists,
    /// The filter.
    pub filter: Filter,
    /// The filter being written.
    pub writing: Option<String>,
    /// What lies over the screen.
    pub overlay: Option<Overlay>,
    /// The curtain is down.
    pub curtain: bool,
    /// The facts behind an alert, or the physical board, are shown.
    pub evidence: bool,
    /// The alert of the open table that is in hand, by id; none: its most urgent one.
    pub at_table: Option<String>,
    /// The earlier round that the screen Round shows; none: this round.
    pub looked_back: Option<u16>,
    /// Which lines the log of a table shows: everything, or one kind.
    pub log_kind: Option<&'static str>,
    /// A sentence in place of the footer.
    pub notice: Option<Notice>,
    /// The first line is reversed until then.
    pub flash_until: Option<Timestamp>,
    /// Tables whose results are still to be confirmed, one after the other.
    pub(super) to_confirm: Vec<TableId>,
    pub(super) orders: Orders,
    pub(super) pressed: Vec<Key>,
    pub(super) last_key: Timestamp,
    pub(super) last_bell: Option<Timestamp>,
    pub(super) rung: std::collections::BTreeSet<String>,
    pub(super) dirty: bool,
    pub(super) lists_old: bool,
    pub(super) second: i64,
    pub(super) drawn: Drawn,
    pub(super) heights: Vec<(Pane, usize)>,
}

impl App {
    /// A dashboard that has heard nothing yet.
    ///
    /// # Errors
    /// A sentence when the settings mean nothing.
    pub fn new(settings: &Settings, me: Me) -> Result<App, String> {
        let look = Look {
            theme: settings.theme(),
            pieces: settings.pieces(),
            notation: settings.notation()?,
            ..Look::default()
        };
        let mut venue = Venue::default();
        venue.journal.reader = Reader::new(settings.language()?, look.notation);
        Ok(App {
            venue,
            me,
            sector: settings.sector()?,
            look,
            language: settings.language()?,
            bell: settings.bell,
            mask_after: settings.mask_after()?,
            keymap: Keymap::new(&settings.keys)?,
            now: Timestamp(0),
            zone: 0,
            size: (80, 24),
            place: Place::Tables,
            before: Vec::new(),
            lists: Lists::default(),
            filter: Filter::default(),
            writing: None,
            overlay: None,
            curtain: false,
            evidence: false,
            at_table: None,
            looked_back: None,
            log_kind: None,
            notice: None,
            flash_until: None,
            to_confirm: Vec::new(),
            orders: Orders::default(),
            pressed: Vec::new(),
            last_key: Timestamp(0),
            last_bell: None,
            rung: std::collections::BTreeSet::new(),
            dirty: true,
            lists_old: true,
            second: 0,
            drawn: Drawn::default(),
            heights: Vec::new(),
        })
    }

    /// The hub's time.
    pub fn hub_now(&self) -> Timestamp {
        self.venue.hub_time(self.now)
    }

    /// How far what is shown can be trusted.
    pub fn trust(&self) -> Trust {
        self.venue.trust(self.now)
    }

    /// Whether there is no hall to be shown, so that an empty list would say that nobody needs the arbiter.
    pub fn is_unheard(&self) -> bool {
        self.trust() == Trust::Waiting && self.venue.tables.is_empty()
    }

    /// Who reads what the hub says.
    pub fn reader(&self) -> Reader {
        Reader::new(self.language.clone(), self.look.notation)
    }

    /// Whether no key was pressed for so long that secrets are masked.
    pub fn is_masked(&self) -> bool {
        self.mask_after
            .is_some_and(|after| self.now.since(self.last_key) >= after)
    }

    /// Whether the picture must be drawn again.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// What the keys act on here.
    pub fn subject(&self) -> Subject<'_> {
        match self.place {
            Place::Tables
                if self.lists.pane == Pane::Needs && self.lists.needs.selected().is_some() =>
            {
                self.subject_of_alert(self.lists.needs.selected())
            }
            Place::Tables => self.subject_of_table(self.lists.hall.selected().copied()),
            Place::Table(table) => self.subject_of_open_table(table),
            Place::Alerts => self.subject_of_alert(self.lists.alerts.selected()),
            // A table of an earlier round is not the table that stands there now.
            Place::Round if self.looked_back.is_some() => Subject::default(),
            Place::Round => self.subject_of_table(self.lists.round.selected().copied()),
            Place::Devices => self.subject_of_table(self.lists.devices.selected().copied()),
            Place::Journal => {
                let line = self.selected_line();
                self.subject_of_table(line.and_then(|l| l.table))
            }
        }
    }

    /// The round that the screen Round shows.
    pub fn shown_round(&self) -> &protocol::DeskRound {
        let past = self.looked_back.and_then(|r| self.venue.past.get(&r));
        past.unwrap_or(&self.venue.round)
    }

    /// The selected line of the journal.
    pub fn selected_line(&self) -> Option<&protocol::JournalLine> {
        let number = *self.lists.journal.selected()?;
        self.venue.journal.find(number)
    }

    fn subject_of_alert(&self, id: Option<&String>) -> Subject<'_> {
        let alert = id.and_then(|id| self.venue.alerts.get(id));
        let table = alert.and_then(|a| a.table);
        Subject {
            table: table.and_then(|t| self.venue.tables.get(&t)),
            alert,
        }
    }

    fn subject_of_open_table(&self, table: TableId) -> Subject<'_> {
        let alerts = self.alerts_at(table);
        let chosen = |a: &&Alert| Some(&a.id) == self.at_table.as_ref();
        let alert = alerts.iter().copied().find(chosen);
        Subject {
            table: self.venue.tables.get(&table),
            alert: alert.or_else(|| alerts.first().copied()),
        }
    }

    /// The open alerts of a table, the most urgent first.
    pub fn alerts_at(&self, table: TableId) -> Vec<&Alert> {
        let open = self.venue.open_alerts(self.hub_now());
        let mut alerts: Vec<&Alert> = open.filter(|a| a.table == Some(table)).collect();
        alerts.sort_by_key(|a| (a.urgency, a.since));
        alerts
    }

    fn subject_of_table(&self, table: Option<TableId>) -> Subject<'_> {
        Subject {
            table: table.and_then(|t| self.venue.tables.get(&t)),
            alert: table.and_then(|t| self.venue.top_alert(t, self.hub_now())),
        }
    }

    /// Whether something is let through by the filter.
    pub fn passes(&self, table: Option<&DeskTable>, alert: Option<&Alert>) -> bool {
        self.filter.passes(Looked {
            table,
            alert,
            at: self.hub_now(),
        })
    }

    /// Says a sentence in place of the footer.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice_of(text.into(), false);
    }

    /// Says what did not work.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice_of(text.into(), true);
    }

    pub(super) fn notice_of(&mut self, text: String, bad: bool) {
        self.dirty = true;
        self.notice = Some(Notice {
            text: crate::words::tame(&text),
            at: self.now,
            bad,
        });
    }
}
