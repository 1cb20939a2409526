//! Orders of arbiters in words, and as the wire has them where a story needs a form without words.

use protocol::{BySide, GameResult, Judgement, OrderBody, Penalty, ResultHow, Role, Side, TableId};
use serde::de::DeserializeOwned;

use super::read_acts::{LENGTH, SIDE};
use super::story::{AlertOrder, Ordered, Step, What};
use super::words::{Read, Word, Words, clock_time, duration, side, table};

/// `arbiter MK orders …`, `arbiter MK asks …`, `arbiter MK looks at 1`.
pub(super) fn order(words: &mut Words) -> Read<Option<Step>> {
    let role = words.try_take(|word| match word {
        "arbiter" => Some(Role::Arbiter),
        "chief" => Some(Role::Chief),
        "technician" => Some(Role::Technician),
        "viewer" => Some(Role::Viewer),
        _ => None,
    });
    let Some(role) = role else {
        return Ok(None);
    };
    let by = words.text("initials")?;
    let word = words.text("word: orders, asks or looks")?;
    let preview = match word.as_str() {
        "orders" => false,
        "asks" => true,
        "looks" => {
            words.takes("at");
            return Ok(Some(Step::Looks(by, words.want("table", table)?)));
        }
        other => return Err(format!("“{other}” is no word: orders, asks or looks")),
    };
    let table = words.try_take(table).unwrap_or(TableId(0));
    let what = what(words, table)?;
    let mut ordered = Ordered {
        by,
        role,
        table,
        preview,
        seen: words.takes("as-seen"),
        note: String::new(),
        what,
    };
    if words.takes("note") {
        ordered.note = words.text("note")?;
    }
    Ok(Some(Step::Order(Box::new(ordered))))
}

fn what(words: &mut Words, table: TableId) -> Read<What> {
    if let Some(Word::Json(_)) = words.peek() {
        return json(words, table);
    }
    let word = words.text("order")?;
    Ok(match word.as_str() {
        "illegal-move" => illegal_move(words)?,
        "take" => What::Alert(AlertOrder::Take, words.text("code of an alert")?),
        "give-back" => What::Alert(AlertOrder::GiveBack, words.text("code of an alert")?),
        "dismiss" => What::Alert(AlertOrder::Dismiss, words.text("code of an alert")?),
        "snooze" => {
            let code = words.text("code of an alert")?;
            What::Alert(AlertOrder::Snooze(words.want(LENGTH, duration)?), code)
        }
        "counter" => counter(words)?,
        other => What::Body(body(words, other, table)?),
    })
}

fn json(words: &mut Words, table: TableId) -> Read<What> {
    let Some(Word::Json(text)) = words.next() else {
        return Err("an order is missing".to_owned());
    };
    let mut value: serde_json::Value =
        serde_json::from_str(&text).map_err(|why| format!("no order: {why}"))?;
    if let Some(fields) = value.as_object_mut() {
        fields.entry("table").or_insert(table.0.into());
    }
    let body = serde_json::from_value(value).map_err(|why| format!("no order: {why}"))?;
    Ok(What::Body(body))
}

fn illegal_move(words: &mut Words) -> Read<What> {
    let judgement: Judgement = words.want(
        "judgement: first, second, no-illegal-move, not-completed, stands",
        named,
    )?;
    let mut offender = None;
    let mut take = false;
    loop {
        if words.takes("by") {
            offender = Some(words.want(SIDE, side)?);
        } else if words.takes("take-increment") {
            take = true;
        } else {
            return Ok(What::IllegalMove(offender, judgement, take));
        }
    }
}

fn counter(words: &mut Words) -> Read<What> {
    if words.takes("last") {
        return Ok(What::CounterLast);
    }
    let ruling = words.want("number of a ruling, or last", |w| w.parse().ok())?;
    Ok(What::Body(OrderBody::Counter { ruling }))
}

fn body(words: &mut Words, word: &str, table: TableId) -> Read<OrderBody> {
    Ok(match word {
        "adjust-time" => adjust(words, table)?,
        "result" => result(words, table)?,
        "confirm" => OrderBody::Confirm { table },
        "strike" => OrderBody::Strike {
            table,
            from_ply: words.want("half-move", |w| w.parse().ok())?,
        },
        "insert" => insert(words, table)?,
        "adopt-board" => OrderBody::AdoptBoard {
            table,
            turn: words.want(SIDE, side)?,
        },
        "conduct" => conduct(words, table)?,
        "note" => return Err("a note follows the order “remark”".to_owned()),
        "remark" => OrderBody::Note { table },
        "bind" if words.takes("gesture") => OrderBody::BindByGesture { table },
        "bind" => OrderBody::Bind {
            table,
            device: match words.text("device")?.as_str() {
                "nothing" => None,
                device => Some(device.parse().map_err(|why| format!("{why}"))?),
            },
        },
        "resync" => OrderBody::Resync { table },
        "start-round" => OrderBody::StartRound {
            round: words.try_take(|w| w.parse().ok()).unwrap_or(1),
        },
        other => {
            return Err(format!(
                "“{other}” is no order: illegal-move, adjust-time, result, confirm, strike, insert, adopt-board, conduct, \
                 remark, counter, bind, resync, start-round, take, give-back, snooze, dismiss, or the order as JSON"
            ));
        }
    })
}

/// `White +2:00 Black -0:30 article 12.9`.
fn adjust(words: &mut Words, table: TableId) -> Read<OrderBody> {
    let mut change_ms = BySide { white: 0, black: 0 };
    while let Some(who) = words.try_take(side) {
        *change_ms.get_mut(who) = words.want("change of time (+2:00, -0:30)", change)?;
    }
    let article = if words.takes("article") {
        words.text("article")?
    } else {
        String::new()
    };
    Ok(OrderBody::AdjustTime {
        table,
        change_ms,
        article,
    })
}

fn change(word: &str) -> Option<i64> {
    let (sign, time) = match word.split_at_checked(1)? {
        ("+", time) => (1, time),
        ("-", time) => (-1, time),
        _ => return None,
    };
    Some(i64::try_from(clock_time(time)?).ok()? * sign)
}

fn result(words: &mut Words, table: TableId) -> Read<OrderBody> {
    let result: GameResult = words.want("result", |w| w.parse().ok())?;
    let how: ResultHow = words.want("way a game ends: resigned, agreed, flag …", named)?;
    let mut confirm = false;
    let mut signed = BySide::default();
    loop {
        if words.takes("confirm") {
            confirm = true;
        } else if words.takes("signed") {
            let who: Side = words.want(SIDE, side)?;
            *signed.get_mut(who) = true;
        } else {
            break;
        }
    }
    Ok(OrderBody::Result {
        table,
        result,
        how,
        confirm,
        signed,
    })
}

fn insert(words: &mut Words, table: TableId) -> Read<OrderBody> {
    let from_ply = words.want("half-move", |w| w.parse().ok())?;
    let mut moves = Vec::new();
    while let Some(word) = words.try_take(|w| (w != "note" && w != "as-seen").then(|| w.to_owned()))
    {
        moves.push(word);
    }
    Ok(OrderBody::Insert {
        table,
        from_ply,
        moves,
    })
}

fn conduct(words: &mut Words, table: TableId) -> Read<OrderBody> {
    let offender = words.want(SIDE, side)?;
    let word = words.text("penalty")?;
    let halves = |w: &str| w.parse().ok();
    let penalty = match word.as_str() {
        "warning" => Penalty::Warning,
        "opponent-time" => Penalty::OpponentTime {
            ms: words.want("time", clock_time)?,
        },
        "offender-time" => Penalty::OffenderTime {
            ms: words.want("time", clock_time)?,
        },
        "opponent-points" => Penalty::OpponentPoints {
            halves: words.want("half points", halves)?,
        },
        "offender-points" => Penalty::OffenderPoints {
            halves: words.want("half points", halves)?,
        },
        "loss" => Penalty::Loss,
        "fine" => Penalty::Fine {
            amount: words.text("amount")?,
        },
        "exclusion" => Penalty::Exclusion {
            rounds: words.want("rounds", halves)?,
        },
        "expulsion" => Penalty::Expulsion,
        other => return Err(format!("“{other}” is no penalty of 12.9")),
    };
    Ok(OrderBody::Conduct {
        table,
        offender,
        penalty,
    })
}

/// A word as the wire writes it.
pub(super) fn named<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(serde_json::Value::String(word.to_owned())).ok()
}
