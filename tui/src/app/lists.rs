//! The lists of the screens: what is in them, and in which order.

use std::cmp::Reverse;

use protocol::{Alert, AlertLife, DeskTable, TableId, TableState, Timestamp, Urgency};

use super::joined::Joined;
use super::state::{App, Place};
use crate::filter::Looked;
use crate::language::word;
use crate::roster::{QUIET_MS, Roster};
use crate::venue::{is_overdue, is_snoozed, least_time, seat};

/// A list on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// Open alerts on the screen Tables.
    #[default]
    Needs,
    /// The map of the hall.
    Hall,
    /// The inbox.
    Alerts,
    /// Results.
    Round,
    /// Boards.
    Devices,
    /// Events.
    Journal,
}

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sorting {
    /// Urgency, then how long unanswered, then table.
    #[default]
    Urgency,
    /// Oldest first.
    Age,
    /// Table number.
    Table,
    /// Least time on the clock first.
    Time,
}

impl Sorting {
    /// Its word for the heading.
    pub fn word(self) -> &'static str {
        match self {
            Sorting::Urgency => word!("by urgency"),
            Sorting::Age => word!("by age"),
            Sorting::Table => word!("by table"),
            Sorting::Time => word!("by time left"),
        }
    }

    /// The next one.
    pub fn next(self) -> Sorting {
        match self {
            Sorting::Urgency => Sorting::Age,
            Sorting::Age => Sorting::Table,
            Sorting::Table => Sorting::Time,
            Sorting::Time => Sorting::Urgency,
        }
    }
}

/// All lists.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// Which list of the screen Tables is in hand.
    pub pane: Pane,
    /// Open alerts of the sector.
    pub needs: Roster<String>,
    /// Tables.
    pub hall: Roster<TableId>,
    /// Open, snoozed and closed alerts.
    pub alerts: Roster<String>,
    /// Tables with something to say about their result.
    pub round: Roster<TableId>,
    /// Tables by the state of their devices.
    pub devices: Roster<TableId>,
    /// Events by number, newest first.
    pub journal: Roster<u64>,
    /// Order of the alerts.
    pub sorting: Sorting,
    /// Order of the hall: by place, or least time first.
    pub hall_by_time: bool,
    /// Turned round.
    pub reverse: bool,
    /// Alerts that stand for others of their cause, among those of the sector.
    pub needs_joined: Joined,
    /// The same among all.
    pub alerts_joined: Joined,
    /// Marked alerts.
    pub marks: std::collections::BTreeSet<String>,
}

impl App {
    /// Brings all lists up to date; rows keep their places for a moment after every key.
    pub(super) fn refresh_lists(&mut self) {
        if !self.lists_old {
            return;
        }
        let settle = self.now.since(self.last_key) >= QUIET_MS;
        self.refresh(settle);
    }

    /// Makes the lists anew; with `settle` rows may change places.
    pub(super) fn refresh(&mut self, settle: bool) {
        self.lists_old = false;
        let (needs, needs_joined) = self.wanted_alerts(true);
        let (alerts, alerts_joined) = self.wanted_alerts(false);
        let hall = self.wanted_tables();
        let round = self.wanted_results();
        let devices = self.wanted_devices();
        let journal = (self.place == Place::Journal).then(|| self.wanted_lines());
        let lists = &mut self.lists;
        (lists.needs_joined, lists.alerts_joined) = (needs_joined, alerts_joined);
        lists.needs.refresh(needs, settle);
        lists.alerts.refresh(alerts, settle);
        lists.hall.refresh(hall, settle);
        lists.round.refresh(round, settle);
        lists.devices.refresh(devices, settle);
        if let Some(journal) = journal {
            let newest = lists.journal.row().unwrap_or(0) == 0;
            lists.journal.refresh(journal, true);
            if newest {
                lists.journal.select_row(0);
            }
        }
        let known = &self.venue.alerts;
        lists.marks.retain(|id| known.contains_key(id));
    }

    fn wanted_alerts(&self, needs: bool) -> (Vec<String>, Joined) {
        let at = self.hub_now();
        let mut alerts: Vec<&Alert> = self
            .venue
            .alerts
            .values()
            .filter(|a| !needs || (a.is_open() && !is_snoozed(a, at) && self.concerns(a, at)))
            .filter(|a| self.passes(self.table_of(a), Some(a)))
            .collect();
        let joined = match self.evidence {
            true => Joined::new(),
            false => self.join(&mut alerts, at),
        };
        alerts.sort_by_cached_key(|a| self.rank(a, at));
        if self.lists.reverse {
            // Open, put aside and closed ones stay apart.
            alerts.reverse();
            alerts.sort_by_key(|a| (section(a, at), Reverse(closed_at(a))));
        }
        (alerts.into_iter().map(|a| a.id.clone()).collect(), joined)
    }

    /// Whether an alert is for this arbiter: of his sector, or a CALL that nobody took for a minute.
    pub(super) fn concerns(&self, alert: &Alert, at: Timestamp) -> bool {
        let looked = Looked {
            table: self.table_of(alert),
            alert: Some(alert),
            at,
        };
        is_overdue(alert, at) || self.sector.holds(looked)
    }

    /// The table of an alert.
    pub fn table_of(&self, alert: &Alert) -> Option<&DeskTable> {
        self.venue.tables.get(&alert.table?)
    }

    /// Where an alert stands in its list: open ones before those put aside, closed ones last and newest first.
    fn rank(&self, alert: &Alert, at: Timestamp) -> impl Ord + use<> {
        let table = alert.table.unwrap_or(TableId(u16::MAX));
        let time = || self.table_of(alert).and_then(|t| least_time(t, at));
        let (urgency, soon) = match self.lists.sorting {
            Sorting::Urgency => (Some(alert.urgency), self.turns(alert, at)),
            Sorting::Time => (None, time().unwrap_or(u64::MAX)),
            Sorting::Age | Sorting::Table => (None, 0),
        };
        let since = match self.lists.sorting {
            Sorting::Urgency | Sorting::Age => alert.since,
            Sorting::Table | Sorting::Time => Timestamp(0),
        };
        let by = (urgency, soon, since, table, alert.id.clone());
        (section(alert, at), Reverse(closed_at(alert)), by)
    }

    /// How soon a SILENT matter may turn into a CALL, milliseconds: by the clock that runs out, or by moves to a draw without claim.
    fn turns(&self, alert: &Alert, at: Timestamp) -> u64 {
        const HALF_MOVE_MS: u64 = 30_000;
        let Some(table) = self
            .table_of(alert)
            .filter(|_| alert.urgency == Urgency::Silent)
        else {
            return 0;
        };
        let half_moves = match alert.code.as_str() {
            "threefold-claimable" => Some(5_u32.saturating_sub(table.repetitions) * 4),
            "fifty-claimable" => Some(150_u32.saturating_sub(table.quiet_plies)),
            _ => None,
        };
        let moves = half_moves.map_or(u64::MAX, |n| u64::from(n) * HALF_MOVE_MS);
        moves.min(least_time(table, at).unwrap_or(u64::MAX)) / HALF_MOVE_MS
    }

    fn wanted_tables(&self) -> Vec<TableId> {
        let at = self.hub_now();
        let urgent = match self.filter.is_empty() {
            true => Default::default(),
            false => self.top_alerts(at),
        };
        let mut tables: Vec<&DeskTable> = self
            .venue
            .tables
            .values()
            .filter(|t| self.passes(Some(t), urgent.get(&t.table).copied()))
            .collect();
        if self.lists.hall_by_time {
            tables.sort_by_key(|t| (!is_playing(t), least_time(t, at).unwrap_or(u64::MAX)));
        } else {
            tables.sort_by_cached_key(|t| (t.place.as_deref().and_then(seat), t.table));
        }
        if self.lists.reverse && self.lists.hall_by_time {
            tables.reverse();
        }
        tables.into_iter().map(|t| t.table).collect()
    }

    fn top_alerts(&self, at: Timestamp) -> std::collections::BTreeMap<TableId, &Alert> {
        let mut map: std::collections::BTreeMap<TableId, &Alert> = Default::default();
        for alert in self.venue.open_alerts(at) {
            let Some(table) = alert.table else { continue };
            let top = map.entry(table).or_insert(alert);
            if (alert.urgency, alert.since) < (top.urgency, top.since) {
                *top = alert;
            }
        }
        map
    }

    fn wanted_results(&self) -> Vec<TableId> {
        let said = |r: &&protocol::TableResult| {
            r.standing.is_some() || r.illegal_moves.white + r.illegal_moves.black > 0
        };
        let mut results: Vec<&protocol::TableResult> = self.shown_round().tables.iter().collect();
        let back = self.looked_back.is_some();
        results.retain(|r| back || self.passes(self.venue.tables.get(&r.table), None));
        results.sort_by_key(|r| (!said(r), r.table));
        results.into_iter().map(|r| r.table).collect()
    }

    fn wanted_devices(&self) -> Vec<TableId> {
        let mut tables: Vec<&DeskTable> = self
            .venue
            .tables
            .values()
            .filter(|t| self.passes(Some(t), None))
            .collect();
        tables.sort_by_cached_key(|t| (Reverse(trouble(t)), t.table));
        tables.into_iter().map(|t| t.table).collect()
    }

    fn wanted_lines(&self) -> Vec<u64> {
        let word = self.filter.text().to_lowercase();
        let fits = |line: &&protocol::JournalLine| {
            let text = |t: &str| t.to_lowercase().contains(&word);
            let table = line.table.and_then(|t| self.venue.tables.get(&t));
            word.is_empty()
                || text(&line.line.words)
                || text(&line.line.kind)
                || text(&line.line.source)
                || text(&line.article)
                || (table.is_some() && self.passes(table, None))
        };
        let lines = self.venue.journal.newest_first();
        lines.into_iter().filter(fits).map(|l| l.number).collect()
    }
}

/// 0 open, 1 put aside, 2 closed.
pub(crate) fn section(alert: &Alert, at: Timestamp) -> u8 {
    match alert.is_open() {
        true if is_snoozed(alert, at) => 1,
        true => 0,
        false => 2,
    }
}

fn closed_at(alert: &Alert) -> Timestamp {
    match alert.life {
        AlertLife::Closed { at, .. } => at,
        _ => Timestamp(0),
    }
}

fn is_playing(table: &DeskTable) -> bool {
    matches!(table.state, TableState::Playing | TableState::Stopped)
}

/// How much a technician is wanted: 2 silent, 1 something is not well, 0 well.
pub(crate) fn trouble(table: &DeskTable) -> u8 {
    match &table.device_info {
        None => 1,
        Some(info) if !info.health.board => 2,
        Some(info) => {
            let low = info
                .health
                .battery
                .is_some_and(|b| b.percent < 20 && !b.charging);
            u8::from(low || !info.health.clock || info.health.state != "ok")
        }
    }
}
