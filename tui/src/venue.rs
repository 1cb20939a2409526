//! The venue as the hub last told it: tables, alerts, round, journal, and how far to trust them.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{
    AgentId, AgentPresence, Alert, AlertLife, BySide, DeskRound, DeskTable, HubPresence,
    JournalLine, Millis, ResultState, Side, TableId, TableState, Timestamp, Urgency, Vitals,
};

use crate::journal::Journal;
use crate::message::{Heard, Link};

/// A beat older than this is no beat, milliseconds.
pub const STALE_MS: Millis = 3000;
/// Fewer than five minutes left (8.4).
pub const SHORT_MS: Millis = 300_000;
/// A reading older than this is shown as worked out.
const FRESH_MS: Millis = 1500;
const MOST_ALERTS: usize = 20_000;
const MOST_AGENTS: usize = 2_000;

/// How far what is shown can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Nothing has been heard yet.
    Waiting,
    /// The hub's beat is young.
    Live,
    /// Nothing for this long.
    Stale(Millis),
}

/// How many tables are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// In play, stopped ones included.
    pub playing: usize,
    /// Adjourned.
    pub adjourned: usize,
    /// Over.
    pub over: usize,
    /// Over, and the result waits for its confirmation.
    pub proposed: usize,
    /// Board not answering.
    pub out: usize,
    /// Not begun.
    pub waiting: usize,
    /// A player with less than five minutes.
    pub short: usize,
    /// The table with the least time on a running clock.
    pub next: Option<TableId>,
}

/// Everything heard.
#[derive(Debug, Clone)]
pub struct Venue {
    /// Tables by number.
    pub tables: BTreeMap<TableId, DeskTable>,
    /// Alerts by id.
    pub alerts: BTreeMap<String, Alert>,
    /// The round.
    pub round: DeskRound,
    /// Earlier rounds.
    pub past: BTreeMap<u16, DeskRound>,
    /// Agents by name.
    pub agents: BTreeMap<AgentId, AgentPresence>,
    /// Events, those before this dashboard connected among them.
    pub journal: Journal,
    /// The line.
    pub link: Link,
    /// Messages that could not be read.
    pub unreadable: u64,
    /// Why the hub's own beat could not be read.
    pub foreign: Option<String>,
    beat: Option<(HubPresence, Timestamp)>,
    offset: i64,
    heard_again: Option<HeardAgain>,
}

/// What was said again after the line came back; the rest is gone.
#[derive(Debug, Clone)]
struct HeardAgain {
    since: Timestamp,
    tables: BTreeSet<TableId>,
    alerts: BTreeSet<String>,
}

/// The broker repeats everything it keeps well within this time, milliseconds.
const REPEATED_MS: Millis = 5000;

impl Default for Venue {
    fn default() -> Self {
        Venue {
            tables: BTreeMap::new(),
            alerts: BTreeMap::new(),
            round: DeskRound::default(),
            past: BTreeMap::new(),
            agents: BTreeMap::new(),
            journal: Journal::default(),
            link: Link::Connecting,
            unreadable: 0,
            foreign: None,
            beat: None,
            offset: 0,
            heard_again: None,
        }
    }
}

impl Venue {
    /// Takes in what the hub said at `now`, our clock.
    pub fn hear(&mut self, heard: Heard, now: Timestamp) {
        self.note_again(&heard);
        match heard {
            Heard::Presence { presence, live } => self.beat(presence, live, now),
            Heard::Table(table) => drop(self.tables.insert(table.table, *table)),
            Heard::NoTable(table) => drop(self.tables.remove(&table)),
            Heard::Alert(alert) => self.alert(*alert),
            Heard::NoAlert(id) => drop(self.alerts.remove(&id)),
            Heard::Round(round) => self.round = *round,
            Heard::PastRound(round) => drop(self.past.insert(round.round, *round)),
            Heard::Agent(agent) => self.agent(*agent),
            Heard::Journal(line) => self.journal.hear(*line),
            Heard::Unreadable(topic, why) => self.unreadable(&topic, why),
            Heard::Answer(_) | Heard::NotAllowed => {}
        }
    }

    /// The line changed at `now`; after it comes up everything is said again, and what is not was removed meanwhile.
    pub fn line_is(&mut self, link: Link, now: Timestamp) {
        if link == Link::Up && self.link != Link::Up {
            self.heard_again = Some(HeardAgain {
                since: now,
                tables: BTreeSet::new(),
                alerts: BTreeSet::new(),
            });
        }
        self.link = link;
    }

    /// Drops what was not said again since the line came back.
    pub fn forget_gone(&mut self, now: Timestamp) {
        let due = |again: &HeardAgain| now.since(again.since) > REPEATED_MS;
        if self.link != Link::Up || !self.heard_again.as_ref().is_some_and(due) {
            return;
        }
        if let Some(again) = self.heard_again.take() {
            self.tables.retain(|id, _| again.tables.contains(id));
            self.alerts.retain(|id, _| again.alerts.contains(id));
        }
    }

    fn note_again(&mut self, heard: &Heard) {
        let Some(again) = &mut self.heard_again else {
            return;
        };
        match heard {
            Heard::Table(table) if again.tables.insert(table.table) => {
                self.journal.hear_table(table);
            }
            Heard::Alert(alert) if again.alerts.insert(alert.id.clone()) => {
                self.journal.hear_alert(alert);
            }
            _ => {}
        }
    }

    fn unreadable(&mut self, topic: &str, why: String) {
        self.unreadable += 1;
        if topic.ends_with("hub/presence") {
            self.foreign = Some(why);
        }
    }

    fn beat(&mut self, presence: HubPresence, live: bool, now: Timestamp) {
        self.foreign = None;
        if live || self.beat.is_none() {
            // A kept beat is no sign of life, but its time is the best there is.
            self.offset = presence.now.0.saturating_sub(now.0);
        }
        if live && presence.online {
            self.beat = Some((presence, now));
        } else if let Some((last, _)) = &mut self.beat {
            last.online &= presence.online;
        }
    }

    fn agent(&mut self, agent: AgentPresence) {
        if self.agents.len() < MOST_AGENTS || self.agents.contains_key(&agent.agent) {
            self.agents.insert(agent.agent.clone(), agent);
        }
    }

    /// The version of the hub's program, empty when it was not heard.
    pub fn hub_version(&self) -> &str {
        self.beat.as_ref().map_or("", |(beat, _)| &beat.version)
    }

    /// How busy the hub is and what room it has, as it last said.
    pub fn hub_vitals(&self) -> Option<Vitals> {
        self.beat.as_ref().and_then(|(beat, _)| beat.vitals)
    }

    fn alert(&mut self, alert: Alert) {
        if self.alerts.len() < MOST_ALERTS || self.alerts.contains_key(&alert.id) {
            self.alerts.insert(alert.id.clone(), alert);
        }
    }

    /// The hub's time when ours is `now`.
    pub fn hub_time(&self, now: Timestamp) -> Timestamp {
        now.shifted(self.offset)
    }

    /// How far what is shown can be trusted.
    pub fn trust(&self, now: Timestamp) -> Trust {
        match &self.beat {
            None => Trust::Waiting,
            Some((beat, at)) => {
                let age = now.since(*at);
                let good = beat.online && self.link == Link::Up && age <= STALE_MS;
                if good { Trust::Live } else { Trust::Stale(age) }
            }
        }
    }

    /// Alerts that still want somebody and are not put aside at the hub's time `at`.
    pub fn open_alerts(&self, at: Timestamp) -> impl Iterator<Item = &Alert> {
        self.alerts
            .values()
            .filter(move |a| a.is_open() && !is_snoozed(a, at))
    }

    /// The most urgent open alert of a table.
    pub fn top_alert(&self, table: TableId, at: Timestamp) -> Option<&Alert> {
        self.open_alerts(at)
            .filter(|a| a.table == Some(table))
            .min_by_key(|a| (a.urgency, a.since))
    }

    /// The most urgent open alert of each table, for the map of the hall.
    pub fn urgencies(&self, at: Timestamp) -> BTreeMap<TableId, Urgency> {
        let mut map = BTreeMap::new();
        for alert in self.open_alerts(at) {
            if let Some(table) = alert.table {
                let worst = map.entry(table).or_insert(alert.urgency);
                *worst = alert.urgency.min(*worst);
            }
        }
        map
    }

    /// Counts for the line below the hall.
    pub fn counts(&self, at: Timestamp) -> Counts {
        let mut counts = Counts::default();
        let mut least = None;
        for table in self.tables.values() {
            match table.state {
                TableState::Out => counts.out += 1,
                TableState::Waiting => counts.waiting += 1,
                TableState::Playing | TableState::Stopped => counts.playing += 1,
                TableState::Adjourned => counts.adjourned += 1,
                TableState::Over => counts.over += 1,
            }
            let proposed = table.standing.map(|s| s.state) == Some(ResultState::Proposed);
            counts.proposed += usize::from(proposed);
            let left = least_time(table, at);
            if is_running(table) && left.is_some_and(|ms| ms < SHORT_MS) {
                counts.short += 1;
                if least.is_none_or(|(ms, _)| left < Some(ms)) {
                    least = left.map(|ms| (ms, table.table));
                }
            }
        }
        counts.next = least.map(|(_, table)| table);
        counts
    }

    /// Digits a table number is written with.
    pub fn digits(&self) -> usize {
        let last = self.tables.keys().next_back().map_or(0, |t| t.0);
        if last > 9999 {
            5
        } else if last > 999 {
            4
        } else {
            3
        }
    }

    /// A table number: `042`.
    pub fn number(&self, table: TableId) -> String {
        format!("{:0width$}", table.0, width = self.digits())
    }

    /// Earlier rounds that can be looked at, rising.
    pub fn earlier(&self) -> impl DoubleEndedIterator<Item = u16> {
        let known = |round: &u16| self.past.contains_key(round);
        self.round.earlier.iter().copied().filter(known)
    }

    /// The last ruling on a table seen in the journal.
    pub fn last_ruling(&self, table: Option<TableId>) -> Option<&JournalLine> {
        self.journal.last_ruling(table)
    }
}

/// Whether an alert is put aside at the hub's time `at`; a CALL never is.
pub fn is_snoozed(alert: &Alert, at: Timestamp) -> bool {
    alert.urgency != Urgency::Call && alert.snoozed.as_ref().is_some_and(|s| s.until > at)
}

/// Whether a CALL has waited for a minute without anybody taking it.
pub fn is_overdue(alert: &Alert, at: Timestamp) -> bool {
    alert.urgency == Urgency::Call
        && alert.life == AlertLife::New
        && at.since(alert.since) >= 60_000
}

/// Whether a game is in play with a clock.
fn is_running(table: &DeskTable) -> bool {
    matches!(table.state, TableState::Playing | TableState::Stopped) && table.clock.is_some()
}

/// The smaller of the two times at the hub's time `at`, milliseconds.
pub fn least_time(table: &DeskTable, at: Timestamp) -> Option<Millis> {
    let time = table.clock.as_ref()?.extrapolated(at);
    Some(time.white.min(time.black))
}

/// What is shown of one player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Milliseconds left.
    pub ms: Millis,
    /// Worked out, not read.
    pub about: bool,
    /// It runs.
    pub runs: bool,
    /// The clock shows its flag.
    pub flag: bool,
}

/// Both clocks of a table as they are to be shown; while the data are old every time is worked out.
pub fn clocks(table: &DeskTable, at: Timestamp, live: bool) -> Option<BySide<Shown>> {
    let clock = table.clock.as_ref()?;
    let time = clock.extrapolated(at);
    let late = at.since(clock.at) > FRESH_MS;
    Some(BySide::new_with(|side: Side| {
        let runs = clock.running == Some(side);
        Shown {
            ms: *time.get(side),
            about: !live || (runs && late),
            runs,
            flag: *clock.flag.get(side) != protocol::Flag::Up,
        }
    }))
}

/// Row and seat of a table as the plan of the hall says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat {
    /// The row: `D`.
    pub row: String,
    /// The seat in the row, 0 where the plan does not say.
    pub seat: u32,
}

/// Reads `Row D seat 9`, `D9`, `D 9`, `D-9` or `D`.
pub fn seat(place: &str) -> Option<Seat> {
    let words = place.split(|c: char| !c.is_alphanumeric());
    let known = ["row", "seat", "table", "rang", "place"];
    let words: Vec<&str> = words
        .filter(|w| !w.is_empty() && !known.contains(&w.to_lowercase().as_str()))
        .collect();
    let joined = words.join(" ");
    let cut = joined
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(joined.len());
    let (row, rest) = joined.split_at(cut);
    let row = row.trim().to_uppercase();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let good = !row.is_empty() && row.chars().count() <= 12;
    good.then(|| Seat {
        row,
        seat: digits.parse().unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_as_plans_write_them() {
        let rows = [
            ("Row D seat 9", Some(("D", 9))),
            ("D9", Some(("D", 9))),
            ("d-12", Some(("D", 12))),
            ("AB 3", Some(("AB", 3))),
            ("D", Some(("D", 0))),
            ("9", None),
            ("", None),
        ];
        for (text, want) in rows {
            let got = seat(text);
            let got = got.as_ref().map(|s| (s.row.as_str(), s.seat));
            assert_eq!(got, want, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_said_again_after_the_line_came_back_is_gone() {
        let mut venue = Venue::default();
        venue.line_is(Link::Up, Timestamp(0));
        for n in [1, 2] {
            venue.hear(
                Heard::Table(Box::new(crate::example::table(n))),
                Timestamp(0),
            );
        }
        venue.forget_gone(Timestamp(6000));
        assert_eq!(venue.tables.len(), 2);
        venue.line_is(Link::Down("cut".to_owned()), Timestamp(7000));
        venue.line_is(Link::Up, Timestamp(8000));
        venue.hear(
            Heard::Table(Box::new(crate::example::table(2))),
            Timestamp(8100),
        );
        venue.forget_gone(Timestamp(9000));
        assert_eq!(venue.tables.len(), 2, "the repetition may still go on");
        venue.forget_gone(Timestamp(13_001));
        assert_eq!(venue.tables.keys().collect::<Vec<_>>(), [&TableId(2)]);
    }

    fn beat(online: bool, now: i64) -> HubPresence {
        HubPresence {
            online,
            now: Timestamp(now),
            boot: "b".parse().expect("id"),
            version: String::new(),
            vitals: None,
        }
    }

    #[test]
    fn old_beats_last_wills_and_kept_beats_are_not_live() {
        let mut venue = Venue::default();
        let say = |venue: &mut Venue, online, live, at| {
            let presence = beat(online, at + 500);
            venue.hear(Heard::Presence { presence, live }, Timestamp(at));
        };
        say(&mut venue, true, false, 0);
        assert_eq!(venue.trust(Timestamp(0)), Trust::Waiting);
        say(&mut venue, true, true, 1000);
        assert_eq!(venue.trust(Timestamp(1000)), Trust::Stale(0), "no link yet");
        venue.link = Link::Up;
        assert_eq!(venue.trust(Timestamp(4000)), Trust::Live);
        assert_eq!(venue.hub_time(Timestamp(4000)), Timestamp(4500));
        assert_eq!(venue.trust(Timestamp(4001)), Trust::Stale(3001));
        say(&mut venue, true, true, 5000);
        say(&mut venue, false, true, 5100);
        assert_eq!(venue.trust(Timestamp(5100)), Trust::Stale(100), "last will");
    }
}
