//! When time trouble is to be expected, by the quarter of an hour, so that the assistants at hand can be assigned (8.4, 8.5.1).

use std::collections::BTreeMap;

use protocol::{DeskTable, TableId, Timestamp};

use crate::app::App;
use crate::language::t;
use crate::words;

/// Quarters that are shown.
const QUARTERS: usize = 4;

/// Tables that are named in a quarter.
const NAMED: usize = 6;

const QUARTER_MS: i64 = 15 * 60_000;

/// A heading and a line for each of the next quarters with tables; nothing where no table is expected to be short of time.
pub(super) fn lines(app: &App) -> Vec<(bool, String, String)> {
    let expected = by_quarter(app.venue.tables.values(), app.hub_now());
    if expected.is_empty() {
        return Vec::new();
    }
    let l = &app.language;
    let head = (
        true,
        t!(l, "Short of time soon"),
        t!(
            l,
            "if the time is used evenly; there nobody need keep score"
        ),
    );
    let line = |(quarter, tables): (&Timestamp, &Vec<TableId>)| {
        let named = tables.iter().take(NAMED).map(|id| app.venue.number(*id));
        let mut named: Vec<String> = named.collect();
        if tables.len() > NAMED {
            named.push("…".to_owned());
        }
        let count = l.many(tables.len(), "1 table", "{} tables");
        let from = words::hour_minute(*quarter, app.zone);
        let text = format!("{from}   {count}   {}", named.join(" "));
        (false, text, String::new())
    };
    std::iter::once(head)
        .chain(expected.iter().take(QUARTERS).map(line))
        .collect()
}

/// Tables by the beginning of the quarter of an hour in which they are expected to be short of time.
fn by_quarter<'a>(
    tables: impl Iterator<Item = &'a DeskTable>,
    now: Timestamp,
) -> BTreeMap<Timestamp, Vec<TableId>> {
    let mut quarters: BTreeMap<Timestamp, Vec<TableId>> = BTreeMap::new();
    for table in tables {
        if let Some(at) = table.short_of_time_at {
            let quarter = Timestamp(at.max(now).0.div_euclid(QUARTER_MS) * QUARTER_MS);
            quarters.entry(quarter).or_default().push(table.table);
        }
    }
    quarters
}
