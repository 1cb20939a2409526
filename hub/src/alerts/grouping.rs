//! Joins alerts of one cause into one line: eight silent boards of one agent are one thing to do.

use std::collections::BTreeMap;

use protocol::{Alert, AlertGroup, Millis, Timestamp, Urgency};

/// Groups open alerts: only those about devices join, and only when they began within `window` of each other.
pub fn by_cause<'a>(
    alerts: impl IntoIterator<Item = &'a Alert>,
    window: Millis,
) -> Vec<AlertGroup> {
    let mut sorted: Vec<&Alert> = alerts.into_iter().filter(|a| a.is_open()).collect();
    sorted.sort_by_key(|a| (a.urgency, a.since, a.table));
    let mut groups: Vec<AlertGroup> = Vec::new();
    let mut last: BTreeMap<&str, (usize, Timestamp)> = BTreeMap::new();
    for alert in sorted {
        let near = last
            .get(alert.code.as_str())
            .filter(|(_, at)| alert.urgency == Urgency::Tech && alert.since.since(*at) <= window);
        let index = match near {
            Some((index, _)) => *index,
            None => {
                groups.push(empty(alert));
                groups.len() - 1
            }
        };
        last.insert(&alert.code, (index, alert.since));
        groups[index].alerts.push(alert.id.clone());
        groups[index].tables.extend(alert.table);
        groups[index].tables.sort_unstable();
    }
    groups
}

fn empty(alert: &Alert) -> AlertGroup {
    AlertGroup {
        code: alert.code.clone(),
        urgency: alert.urgency,
        tables: Vec::new(),
        alerts: Vec::new(),
        since: alert.since,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{AlertLife, TableId};

    fn alert(table: u16, code: &str, urgency: Urgency, since: i64) -> Alert {
        Alert {
            id: format!("{table}-{code}-1"),
            code: code.to_owned(),
            table: Some(TableId(table)),
            ply: None,
            side: None,
            urgency,
            article: String::new(),
            headline: code.to_owned(),
            because: Vec::new(),
            proposal: Vec::new(),
            since: Timestamp(since),
            lapse: None,
            life: AlertLife::New,
            snoozed: None,
            evidence: Vec::new(),
            history: Vec::new(),
        }
    }

    #[test]
    fn devices_of_one_moment_join_and_players_never_do() {
        let alerts = [
            alert(3, "board-silent", Urgency::Tech, 1_000),
            alert(1, "board-silent", Urgency::Tech, 2_000),
            alert(2, "board-silent", Urgency::Tech, 90_000),
            alert(7, "illegal-move", Urgency::Call, 1_000),
            alert(8, "illegal-move", Urgency::Call, 1_000),
        ];
        let groups = by_cause(&alerts, 10_000);
        let tables: Vec<Vec<u16>> = groups
            .iter()
            .map(|g| g.tables.iter().map(|t| t.0).collect())
            .collect();
        assert_eq!(tables, [vec![7], vec![8], vec![1, 3], vec![2]]);
    }
}
