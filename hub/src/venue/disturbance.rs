//! After a disturbance from outside: the same time more at several tables, a ruling at each, and the sheet of what their clocks are to show.

use protocol::{BySide, Order, OrderBody, TableId, Timestamp};

use super::Venue;
use super::orders::{Done, lines};
use super::round_orders::named;
use super::state::GameAt;
use crate::laws::concordance::{Matter, article_of};
use crate::rulings::{Prepared, Refusal, prepare};

impl Venue {
    /// Gives both players of several tables the same time (12.5; 13.5 in 2001); with no table named, of every game in play.
    pub(super) fn add_time(
        &mut self,
        now: Timestamp,
        user: &str,
        order: &Order,
        tables: &[TableId],
        ms: u64,
        by: &str,
    ) -> Result<Done, Refusal> {
        let tables = self.disturbed(tables)?;
        let ready = tables.iter().map(|table| self.more(now, *table, ms));
        let ready: Vec<(TableId, Prepared)> = ready.collect::<Result<_, _>>()?;
        let words = format!(
            "{} s more for both players, {} tables",
            ms / 1000,
            ready.len()
        );
        if order.preview {
            return Ok(Done::Preview(0, self.sheet(&ready, words)));
        }
        let mut last = None;
        for (table, prepared) in ready {
            if let Done::Words(number, _) =
                self.give(now, user, order, GameAt::now(table), by, prepared)
            {
                last = number.or(last);
            }
            self.touched.insert(table);
        }
        Ok(Done::Words(last, words))
    }

    /// The tables that are meant, each with a game in play.
    fn disturbed(&self, tables: &[TableId]) -> Result<Vec<TableId>, Refusal> {
        let plays = |table: &TableId| self.state.tables[table].game.in_play();
        if tables.is_empty() {
            let all: Vec<TableId> = self.state.tables.keys().copied().filter(plays).collect();
            return match all.is_empty() {
                true => Err(Refusal::state("no game is in play")),
                false => Ok(all),
            };
        }
        let mut meant = tables.to_vec();
        meant.sort_unstable();
        meant.dedup();
        for table in &meant {
            self.known_table(*table)?;
            if !plays(table) {
                return Err(Refusal::state(format!(
                    "no game is in play at table {table}"
                )));
            }
        }
        Ok(meant)
    }

    fn more(
        &self,
        now: Timestamp,
        table: TableId,
        ms: u64,
    ) -> Result<(TableId, Prepared), Refusal> {
        let game = &self.state.tables[&table].game;
        let more = i64::try_from(ms).map_err(|_| Refusal::value("more than a day"))?;
        let body = OrderBody::AdjustTime {
            table,
            change_ms: BySide {
                white: more,
                black: more,
            },
            article: article_of(Matter::Disturbance, game.laws().id).to_owned(),
        };
        Ok((table, prepare(game, &body, self.around(now, table, ""))?))
    }

    /// A line a table with the times to set, and which clocks still run.
    fn sheet(&self, ready: &[(TableId, Prepared)], words: String) -> protocol::Preview {
        let line = |(table, more): &(TableId, Prepared)| {
            format!("table {table}: {}", more.lines.join("; "))
        };
        let mut preview = lines(ready.iter().map(line).collect());
        preview.article = ready
            .first()
            .map_or(String::new(), |(_, p)| p.article.clone());
        let runs = |table: &TableId| self.state.tables[table].game.clock.runs();
        let running: Vec<TableId> = ready.iter().map(|(t, _)| *t).filter(runs).collect();
        preview.then = vec![words];
        if !running.is_empty() {
            preview
                .then
                .push(format!("clocks still run at tables {}", named(&running)));
        }
        preview
            .then
            .push("each clock is set by hand; its reading is watched".to_owned());
        preview
    }
}
