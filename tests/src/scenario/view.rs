//! What desk and hall show, compared with what a story expects, in words where it differs.

use protocol::{Alert, AlertLife, ChessclockView, Flag, Side};

use super::story::{Pattern, Seen};
use crate::hall::Hall;
use protocol::TableId;

/// Seconds a clock may differ from what a story says.
const CLOCK_TOLERANCE: u64 = 2_000;

impl Pattern {
    /// Whether an alert is one of those meant.
    pub(super) fn fits(&self, alert: &Alert) -> bool {
        let named = |article: &String| {
            alert.article.split(", ").any(|one| one == article)
                || alert
                    .proposal
                    .iter()
                    .any(|line| line.contains(&format!("({article})")))
        };
        self.table.is_none_or(|t| alert.table == Some(t))
            && self.code.as_ref().is_none_or(|c| alert.code == *c)
            && self.urgency.is_none_or(|u| alert.urgency == u)
            && self.article.as_ref().is_none_or(named)
            && self.side.is_none_or(|s| alert.side == Some(s))
            && self
                .taken
                .as_ref()
                .is_none_or(|by| taken_by(alert) == Some(by))
            && self.saying.iter().all(|words| says(alert, words))
            && (!self.evidence || !alert.evidence.is_empty())
    }
}

fn taken_by(alert: &Alert) -> Option<&String> {
    match &alert.life {
        AlertLife::Taken { by, .. } => Some(by),
        _ => None,
    }
}

fn says(alert: &Alert, words: &str) -> bool {
    let lines = alert.because.iter().chain(&alert.proposal);
    lines
        .chain([&alert.headline])
        .chain(&alert.lapse)
        .any(|line| line.contains(words))
}

/// An alert in a line, for a story that went otherwise.
pub(super) fn shown(alert: &Alert) -> String {
    let life = match &alert.life {
        AlertLife::New => String::new(),
        AlertLife::Taken { by, .. } => format!(", taken by {by}"),
        AlertLife::Closed { why, .. } => format!(", {why}"),
    };
    let place = alert.table.map_or(String::new(), |t| format!("{t} "));
    format!(
        "{place}{} {} {} “{}” {:?}{life}",
        alert.code,
        alert.urgency.word(),
        alert.article,
        alert.headline,
        [&alert.because[..], &alert.proposal[..]].concat(),
    )
}

/// What the hall sees in place of what was expected; none: it is seen.
pub(super) fn hall_differs(hall: &Hall, table: TableId, seen: &Seen) -> Option<String> {
    let Some(board) = hall.board(table) else {
        return Some("no board is shown".to_owned());
    };
    let moves = || board.moves.iter().map(|m| m.san.clone()).collect();
    match seen {
        Seen::Moves(expected) => differ(expected, &moves()),
        Seen::Plies(expected) => differ(expected, &board.moves.len()),
        Seen::Last(expected) => differ(&Some(expected.clone()), &moves().pop()),
        Seen::State(expected) => differ(expected, &word(&board.state)),
        Seen::Result(expected) => differ(expected, &board.result.map(|r| r.to_string())),
        Seen::Clock(side, expected) => clock(board.clock, *side, *expected, hall),
        Seen::Flag(side) => flag(board.clock, *side),
        Seen::Turn(expected) => differ(expected, &board.turn),
        Seen::IllegalMoves(..) | Seen::Saying(_) => {
            Some("the hall is told nothing of it".to_owned())
        }
    }
}

/// What the desk sees in place of what was expected; none: it is seen.
pub(super) fn desk_differs(hall: &Hall, table: TableId, seen: &Seen) -> Option<String> {
    let Some(desk) = hall.desk(table) else {
        return Some("no table is shown".to_owned());
    };
    let moves = || desk.record.iter().map(|m| m.san.clone()).collect();
    match seen {
        Seen::Moves(expected) => differ(expected, &moves()),
        Seen::Plies(expected) => differ(expected, &desk.record.len()),
        Seen::Last(expected) => differ(&Some(expected.clone()), &moves().pop()),
        Seen::State(expected) => differ(expected, &word(&desk.state)),
        Seen::Result(expected) => differ(expected, &desk.standing.map(|s| s.result.to_string())),
        Seen::Clock(side, expected) => clock(desk.clock, *side, *expected, hall),
        Seen::Flag(side) => flag(desk.clock, *side),
        Seen::IllegalMoves(side, expected) => differ(expected, desk.illegal_moves.get(*side)),
        Seen::Turn(expected) => differ(expected, &desk.turn),
        Seen::Saying(words) => {
            let log = desk.log.iter().map(|l| format!("{}: {}", l.kind, l.words));
            let mut lines: Vec<String> = log.chain(desk.silence.clone()).collect();
            lines.push(format!("{:?}", desk.uncertain));
            let said = lines.iter().any(|line| line.contains(words.as_str()));
            (!said).then(|| lines.join("; "))
        }
    }
}

fn differ<T: PartialEq + std::fmt::Debug>(expected: &T, found: &T) -> Option<String> {
    (expected != found).then(|| format!("{found:?}"))
}

/// The word of a state on the wire.
fn word(state: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(state).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn clock(view: Option<ChessclockView>, side: Side, expected: u64, hall: &Hall) -> Option<String> {
    let Some(view) = view else {
        return Some("no clock".to_owned());
    };
    let found = *view.extrapolated(hall.now()).get(side);
    (found.abs_diff(expected) > CLOCK_TOLERANCE).then(|| format!("{} s", found / 1000))
}

fn flag(view: Option<ChessclockView>, side: Side) -> Option<String> {
    let up = view.is_none_or(|view| *view.flag.get(side) == Flag::Up);
    up.then(|| "no flag".to_owned())
}
