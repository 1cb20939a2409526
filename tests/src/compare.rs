//! What was recorded against what was played.

use agent::simulate::Truth;
use protocol::{DeskTable, Played, Uncertain};

/// How a record compares with the game that was played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Half-moves played.
    pub played: usize,
    /// Half-moves recorded.
    pub recorded: usize,
    /// Recorded half-moves that differ from the one played or were never played, and are not said to be uncertain.
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
    let uncertain = table.map_or(&[][..], |t| &t.uncertain);
    let differs = |at: usize, uci: &String| {
        played.get(at) != Some(&uci.as_str())
            && !uncertain.iter().any(|u| offers_truth(u, &played, at))
    };
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

/// Whether the desk is told that this half-move is not certain, with what was really played among the choices: some order of moves
/// that nobody saw cannot be known.
fn offers_truth(uncertain: &Uncertain, played: &[&str], at: usize) -> bool {
    let from = usize::try_from(uncertain.ply)
        .unwrap_or(usize::MAX)
        .saturating_sub(1);
    uncertain.choices.iter().any(|line| {
        (from..from + line.len()).contains(&at)
            && played
                .get(from..from + line.len())
                .is_some_and(|truth| truth == line.as_slice())
    })
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
