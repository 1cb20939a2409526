//! The clocks of a round side by side: one that differs from all its neighbours is set wrong, whatever the event announced.

use protocol::{BySide, TableId};

use super::{Candidates, ClockModel};

/// Tables that must agree before another one counts as odd.
const ENOUGH: usize = 3;

/// What is known of the setting of one table's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// The table.
    pub table: TableId,
    /// Times before the game, milliseconds.
    pub start: Option<BySide<u64>>,
    /// Bonus as found.
    pub bonus: Option<Candidates>,
}

impl Neighbour {
    /// From the model of its clock.
    pub fn of(table: TableId, model: &ClockModel) -> Neighbour {
        Neighbour {
            table,
            // A clock that shows nothing yet has not been set.
            start: model
                .initial
                .map(|i| i.time)
                .filter(|time| time.white > 0 || time.black > 0),
            bonus: model.found(),
        }
    }
}

/// A table whose clock is set otherwise than the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// Other times before the game: its own, and those of so many others.
    Start(TableId, BySide<u64>, BySide<u64>, usize),
    /// Another bonus: seconds of increment that so many others agree on.
    Bonus(TableId, Candidates, u32, usize),
}

/// The tables that differ from what most of the others show, of tables that share a time control. A second is no difference: that much
/// whole seconds on the display can hide.
pub fn odd_ones_out(tables: &[Neighbour]) -> Vec<Odd> {
    let mut odd = Vec::new();
    if let Some((usual, count)) = usual_start(tables) {
        let differs = |t: &&Neighbour| t.start.is_some_and(|s| s != usual);
        let found = tables.iter().filter(differs);
        odd.extend(found.filter_map(|t| Some(Odd::Start(t.table, t.start?, usual, count))));
    }
    if let Some((usual, count)) = usual_increment(tables) {
        let near = [usual.saturating_sub(1), usual, usual.saturating_add(1)];
        let differs = |c: &Candidates| !near.iter().any(|seconds| gives(c, *seconds));
        let found = tables.iter().filter_map(|t| {
            let bonus = t.bonus.filter(differs)?;
            Some(Odd::Bonus(t.table, bonus, usual, count))
        });
        odd.extend(found);
    }
    odd
}

fn usual_start(tables: &[Neighbour]) -> Option<(BySide<u64>, usize)> {
    let all: Vec<BySide<u64>> = tables.iter().filter_map(|t| t.start).collect();
    let count = |s: &BySide<u64>| all.iter().filter(|o| *o == s).count();
    let most = all.iter().max_by_key(|s| count(s))?;
    (count(most) >= ENOUGH && 2 * count(most) > all.len()).then(|| (*most, count(most)))
}

fn usual_increment(tables: &[Neighbour]) -> Option<(u32, usize)> {
    let known: Vec<Candidates> = tables.iter().filter_map(|t| t.bonus).collect();
    let values = known.iter().filter_map(|c| c.increment);
    let count = |s: u32| known.iter().filter(|c| gives(c, s)).count();
    let most = values
        .flat_map(|(lo, hi)| lo..=hi)
        .max_by_key(|s| (count(*s), std::cmp::Reverse(*s)))?;
    (count(most) >= ENOUGH && 2 * count(most) > known.len()).then(|| (most, count(most)))
}

fn gives(found: &Candidates, seconds: u32) -> bool {
    let within =
        |range: Option<(u32, u32)>| range.is_some_and(|(lo, hi)| (lo..=hi).contains(&seconds));
    within(found.increment) || within(found.delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: u16, start: u64, increment: (u32, u32)) -> Neighbour {
        Neighbour {
            table: TableId(number),
            start: Some(BySide {
                white: start,
                black: start,
            }),
            bonus: Some(Candidates {
                increment: Some(increment),
                delay: None,
            }),
        }
    }

    #[test]
    fn art_6_10_one_clock_differs_from_its_neighbours() {
        let hall = [
            table(1, 5_400_000, (29, 31)),
            table(2, 5_400_000, (30, 30)),
            table(3, 7_200_000, (30, 30)),
            table(4, 5_400_000, (0, 0)),
            table(5, 5_400_000, (30, 30)),
        ];
        let odd = odd_ones_out(&hall);
        assert!(matches!(odd[0], Odd::Start(TableId(3), _, usual, 4) if usual.white == 5_400_000));
        assert!(
            matches!(odd[1], Odd::Bonus(TableId(4), _, 30, 4)),
            "{odd:?}"
        );
        assert_eq!(odd.len(), 2);
        assert!(
            odd_ones_out(&hall[..2]).is_empty(),
            "two tables prove nothing"
        );
        assert!(odd_ones_out(&[hall[0], hall[3], hall[1], hall[3]]).is_empty());
    }
}
