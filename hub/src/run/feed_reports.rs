//! Which reports of the feeds are worth telling the desk: changes at once, mere deliveries now and then.

use std::collections::BTreeMap;

use protocol::{FeedHealth as Report, TableId};

use crate::feeds::{FeedHealth, Feeds, KeptBack};

/// A delivery alone is told this often at most, milliseconds.
const NOW_AND_THEN: u64 = 10_000;

/// The feeds, and what was told of them last.
#[derive(Debug)]
pub(super) struct FeedReports {
    feeds: FeedHealth,
    kept_back: KeptBack,
    told: BTreeMap<String, Report>,
}

impl FeedReports {
    /// Those of these feeds; none where none are started.
    pub(super) fn new(feeds: Option<&Feeds>) -> FeedReports {
        FeedReports {
            feeds: feeds.map(|f| f.health.clone()).unwrap_or_default(),
            kept_back: feeds.map(|f| f.kept_back.clone()).unwrap_or_default(),
            told: BTreeMap::new(),
        }
    }

    /// Tells the operator's page which games are kept back.
    pub(super) fn keeps_back(&self, games: Vec<(u16, TableId)>) {
        self.kept_back.set(games);
    }

    /// Reports that say something new.
    pub(super) fn news(&mut self) -> Vec<Report> {
        let mut news = self.feeds.reports();
        news.retain(|r| self.told.get(&r.name).is_none_or(|old| is_news(old, r)));
        for report in &news {
            self.told.insert(report.name.clone(), report.clone());
        }
        news
    }
}

fn is_news(old: &Report, new: &Report) -> bool {
    let later = match (old.at, new.at) {
        (Some(old), Some(new)) => new.since(old) >= NOW_AND_THEN,
        (old, new) => old != new,
    };
    later || (old.state, &old.detail) != (new.state, &new.detail)
}

#[cfg(test)]
mod tests {
    use protocol::{FeedState, Timestamp};

    use super::*;

    #[test]
    fn a_change_is_told_at_once_and_a_delivery_now_and_then() {
        let report = |state, at: i64, detail: &str| Report {
            name: "pgn".to_owned(),
            state,
            at: Some(Timestamp(at)),
            detail: detail.to_owned(),
        };
        let old = report(FeedState::Well, 1_000, "");
        for (new, news) in [
            (report(FeedState::Well, 4_000, ""), false),
            (report(FeedState::Well, 11_000, ""), true),
            (report(FeedState::Failing, 1_000, "full"), true),
        ] {
            assert_eq!(is_news(&old, &new), news, "{new:?}");
        }
    }
}
