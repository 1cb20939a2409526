//! What was recorded against what was played.

use agent::simulate::Truth;
use protocol::{DeskTable, Played};

/// How a record compares with the game that was played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Half-moves played.
    pub played: usize,
    /// Half-moves recorded.
    pub recorded: usize,
    /// Recorded half-moves that differ from the one played, or that were never played.
    pub wrong: usize,
    /// The first difference in words.
    pub first: Option<String>,
}

impl Comparison {
    /// Whether the record is the game, whole.
    pub fn is_equal(&self) -> bool {
        self.wrong == 0 && self.played == self.recorded
    }
}

/// Compares a table's record with the truth.
pub fn compare(truth: &Truth, table: Option<&DeskTable>) -> Comparison {
    let played: Vec<&str> = truth.plies.iter().map(|ply| ply.uci.as_str()).collect();
    let recorded: Vec<String> = table.map_or_else(Vec::new, |t| {
        t.record.iter().map(|ply| words(&ply.played)).collect()
    });
    let differs = |at: usize, uci: &String| played.get(at) != Some(&uci.as_str());
    let wrong: Vec<(usize, &String)> = recorded
        .iter()
        .enumerate()
        .filter(|(at, uci)| differs(*at, uci))
        .collect();
    let first = wrong.first().map(|(at, uci)| {
        let should = played.get(*at).copied().unwrap_or("nothing");
        format!("ply {}: recorded {uci}, played {should}", at + 1)
    });
    Comparison {
        played: played.len(),
        recorded: recorded.len(),
        wrong: wrong.len(),
        first,
    }
}

fn words(played: &Played) -> String {
    match played {
        Played::Legal(uci) => uci.clone(),
        Played::Irregular { words, .. } => words.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_table_everything_is_missing() {
        let ply = agent::simulate::TruthPly {
            uci: "e2e4".into(),
            legal: true,
            made_at: protocol::Timestamp(0),
            pressed_at: None,
            clock: (0, 0),
        };
        let truth = Truth {
            plies: vec![ply],
            planned: 1,
            finished: true,
            result: "*".into(),
        };
        let missing = compare(&truth, None);
        assert_eq!(
            (missing.played, missing.recorded, missing.is_equal()),
            (1, 0, false)
        );
    }
}
