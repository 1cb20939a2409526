//! Arbiters at the desk of a story: they look, ask and order, and read the answer.

use protocol::{Answer, Order, OrderBody, TableId};

use super::run::Stage;
use super::story::{AlertOrder, Ordered, What};

impl Stage {
    /// An arbiter takes note of how a table stands now.
    pub(super) fn looks(&mut self, by: &str, table: TableId) -> Result<(), String> {
        let desk = self.hall.desk(table).ok_or("the hub shows no such table")?;
        self.looked.insert(by.to_owned(), desk.revision);
        Ok(())
    }

    /// An order goes to the hub; a refusal must be expected by the next line.
    pub(super) fn order(&mut self, number: usize, ordered: &Ordered) -> Result<(), String> {
        let body = self.body(ordered)?;
        let client = format!("tui-{}", ordered.by.to_lowercase());
        let client: protocol::ClientId = client.parse().map_err(|why| format!("{why}"))?;
        self.orders += 1;
        let basis = match ordered.seen {
            true => Some(
                *self
                    .looked
                    .get(&ordered.by)
                    .ok_or("he has not looked yet")?,
            ),
            false => None,
        };
        let order = Order {
            client: client.clone(),
            id: self.orders,
            by: ordered.by.clone(),
            preview: ordered.preview,
            basis,
            note: ordered.note.clone(),
            body,
        };
        self.hall.order(ordered.role, order);
        if let Some(Answer::Refused { code, why, .. }) = self.hall.hub.answer(&client) {
            self.refused = Some((number, format!("{code} {why}")));
        }
        self.client = Some(client);
        Ok(())
    }

    fn body(&self, ordered: &Ordered) -> Result<OrderBody, String> {
        let table = ordered.table;
        Ok(match &ordered.what {
            What::Body(body) => body.clone(),
            What::IllegalMove(offender, judgement, take_increment) => OrderBody::IllegalMove {
                table,
                offender: match offender {
                    Some(side) => *side,
                    None => self.offender(table)?,
                },
                judgement: *judgement,
                incident: None,
                take_increment: *take_increment,
            },
            What::Alert(order, code) => self.about_alert(*order, self.alert_id(table, code)?),
            What::CounterLast => OrderBody::Counter {
                ruling: self.last_ruling().ok_or("nothing was ruled yet")?,
            },
        })
    }

    fn about_alert(&self, order: AlertOrder, alert: String) -> OrderBody {
        match order {
            AlertOrder::Take => OrderBody::Take { alert, over: false },
            AlertOrder::GiveBack => OrderBody::GiveBack { alert },
            AlertOrder::Dismiss => OrderBody::Dismiss { alert },
            AlertOrder::Snooze(ms) => OrderBody::Snooze {
                alert,
                until: self.hall.now().after(ms),
            },
        }
    }

    /// Whom the open alerts of the table name.
    fn offender(&self, table: TableId) -> Result<protocol::Side, String> {
        let alerts = self.hall.alerts();
        let open = alerts
            .iter()
            .filter(|a| a.is_open() && a.table == Some(table));
        open.filter_map(|a| a.side)
            .next()
            .ok_or_else(|| "no open alert names an offender: write “by White”".to_owned())
    }

    fn alert_id(&self, table: TableId, code: &str) -> Result<String, String> {
        let at = |a: &protocol::Alert| table.0 == 0 || a.table == Some(table);
        let mut alerts = self.hall.alerts();
        alerts.retain(|a| a.code == code && at(a));
        alerts.sort_by_key(|a| !a.is_open());
        alerts
            .into_iter()
            .next()
            .map(|a| a.id)
            .ok_or_else(|| format!("there is no alert {code}"))
    }

    fn last_ruling(&self) -> Option<u64> {
        use hub::venue::EventBody::{RoundClosing, RulingGiven};
        let ruled =
            |e: &&hub::venue::Event| matches!(e.body, RulingGiven { .. } | RoundClosing { .. });
        self.hall
            .hub
            .journal()
            .iter()
            .rev()
            .find(ruled)
            .map(|e| e.number)
    }
}
