//! What a run of the venue came to, as a line for people and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// Median and 99th percentile, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Latency {
    /// Median.
    pub p50: u64,
    /// 99th percentile.
    pub p99: u64,
}

impl Latency {
    /// Of these samples, in any order; zeros where there are none.
    pub fn of(mut samples: Vec<u64>) -> Latency {
        samples.sort_unstable();
        let at = |share: usize| {
            samples
                .get((samples.len() * share / 100).min(samples.len().saturating_sub(1)))
                .copied()
                .unwrap_or(0)
        };
        Latency {
            p50: at(50),
            p99: at(99),
        }
    }
}

/// Both latencies of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Latencies {
    /// From the agent's `made` fact to the hall topic.
    pub made_to_hall: Latency,
    /// From the last square event to `made`.
    pub square_to_made: Latency,
}

/// The end of a demo.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Summary {
    /// Tables.
    pub tables: usize,
    /// Half-moves played by the hands.
    pub plies_played: usize,
    /// Half-moves in the hub's records.
    pub plies_recorded: usize,
    /// Recorded half-moves that were not played so.
    pub plies_wrong: usize,
    /// Alerts raised, by code.
    pub alerts: BTreeMap<String, usize>,
    /// How long things took.
    pub latency_ms: Latencies,
    /// Half-moves played that are in no record.
    pub lost: usize,
    /// Every record is the game played.
    pub equal: bool,
    /// Differences in words, for people only.
    #[serde(skip)]
    pub differences: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Latencies {
            made_to_hall: hall,
            square_to_made: made,
        } = self.latency_ms;
        write!(
            f,
            "{} tables · {} plies played, {} recorded, {} wrong, {} lost · made to hall p50 {} ms p99 {} ms · square to made p50 {} ms p99 {} ms",
            self.tables,
            self.plies_played,
            self.plies_recorded,
            self.plies_wrong,
            self.lost,
            hall.p50,
            hall.p99,
            made.p50,
            made.p99
        )?;
        let alerts: Vec<String> = self
            .alerts
            .iter()
            .map(|(code, count)| format!("{count} {code}"))
            .collect();
        write!(
            f,
            " · alerts: {}",
            if alerts.is_empty() {
                "none".to_owned()
            } else {
                alerts.join(", ")
            }
        )?;
        for difference in &self.differences {
            write!(f, "\n  {difference}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_few_and_many() {
        assert_eq!(Latency::of(vec![]), Latency::default());
        assert_eq!(Latency::of(vec![7]), Latency { p50: 7, p99: 7 });
        assert_eq!(
            Latency::of((1..=1000).rev().collect()),
            Latency { p50: 501, p99: 991 }
        );
    }
}
