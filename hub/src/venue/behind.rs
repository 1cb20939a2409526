//! Tables whose facts come late, after a link or an agent was away: alerts wait until what happened meanwhile has been told.

use protocol::{Millis, TableId, Timestamp};

use super::Venue;

/// A fact is late when it is told so long after it happened, milliseconds.
const LATE: Millis = 3_000;

/// After a late fact another one may follow within this time, milliseconds.
const NEXT: Millis = 1_000;

/// No table waits longer, whatever its agent's clock says, milliseconds.
const LONGEST: Millis = 10_000;

/// Late facts in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Behind {
    first: Timestamp,
    last: Timestamp,
}

impl Behind {
    /// A late fact was told: one more of those before it, or the first after a while.
    fn late(before: Option<&Behind>, now: Timestamp) -> Behind {
        let still = before.filter(|behind| now.since(behind.last) < NEXT);
        let first = still.map_or(now, |behind| behind.first);
        Behind { first, last: now }
    }

    /// Whether more may still come that changes the picture.
    pub(super) fn waits(&self, now: Timestamp) -> bool {
        now.since(self.last) < NEXT && now.since(self.first) < LONGEST
    }
}

impl Venue {
    /// Notes whether a fact that happened at `at` comes late.
    pub(super) fn comes_late(&mut self, now: Timestamp, table: TableId, at: Timestamp) {
        if now.since(at) < LATE {
            self.behind.remove(&table);
            return;
        }
        let late = Behind::late(self.behind.get(&table), now);
        self.behind.insert(table, late);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_time_away_is_waited_for_like_the_first() {
        let told = |before: Option<&Behind>, at| Behind::late(before, Timestamp(at));
        let first = told(None, 0);
        let going_on = told(Some(&first), 900);
        assert_eq!(going_on.first, Timestamp(0));
        let second = told(Some(&going_on), 60_000);
        assert!(second.waits(Timestamp(60_500)));
    }

    #[test]
    fn a_table_waits_for_its_facts_and_not_for_ever() {
        let behind = |first, last| Behind {
            first: Timestamp(first),
            last: Timestamp(last),
        };
        let rows = [
            (behind(0, 0), 500, true),
            (behind(0, 0), 1_000, false),
            (behind(0, 9_500), 9_900, true),
            (behind(0, 9_900), 10_100, false),
        ];
        for (behind, now, waits) in rows {
            assert_eq!(behind.waits(Timestamp(now)), waits, "{behind:?} {now}");
        }
    }
}
