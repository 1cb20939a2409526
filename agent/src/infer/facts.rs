//! How `infer` writes facts: one JSON object a line, and the final line.

use std::io::Write;

use serde_json::{Value, json};
use shakmaty::{EnPassantMode, Square, fen::Fen, uci::UciMove};

use super::table::Table;
use crate::tracker::{Fact, Inference, Irregular, Played, Ply, Readings};

/// Writes one line per fact; a revision is one line per ply.
pub(super) fn print(out: &mut impl Write, inferences: &[Inference]) -> std::io::Result<()> {
    for inference in inferences {
        for line in lines(inference) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn lines(inference: &Inference) -> Vec<Value> {
    let mut common = json!({ "t_ms": inference.at, "certainty": round(inference.certainty) });
    if !inference.evidence.squares.is_empty() {
        common["squares"] = names(&inference.evidence.squares);
        common["since"] = inference.evidence.since.into();
    }
    let with = |more: Value| merged(&common, more);
    match &inference.fact {
        Fact::Made { ply, uci } => vec![with(
            json!({ "kind": "made", "ply": ply, "uci": uci.to_string() }),
        )],
        Fact::Completed { ply, uci, clock } => {
            let clock = clock.map(|(white, black)| json!({ "wtime": white, "btime": black }));
            vec![with(
                json!({ "kind": "completed", "ply": ply, "uci": uci.to_string(), "clock": clock }),
            )]
        }
        Fact::Settled { ply, uci } => vec![with(
            json!({ "kind": "settled", "ply": ply, "uci": uci.to_string() }),
        )],
        Fact::Revised { from_ply, line } => {
            let each = line.iter().zip(*from_ply..);
            each.map(|(uci, ply)| {
                with(json!({ "kind": "revised", "ply": ply, "uci": uci.to_string() }))
            })
            .collect()
        }
        Fact::Retracted { from_ply } => vec![with(json!({ "kind": "retracted", "ply": from_ply }))],
        Fact::Irregular { ply, irregular } => {
            vec![with(merged(
                &json!({ "kind": "irregular", "ply": ply }),
                of_irregular(irregular),
            ))]
        }
        Fact::Unexplained { squares } => vec![with(
            json!({ "kind": "unexplained", "squares": names(squares) }),
        )],
        Fact::Ambiguous { ply, choices } => {
            vec![with(
                json!({ "kind": "ambiguous", "ply": ply, "choices": of_choices(choices) }),
            )]
        }
        Fact::KingsCentred { winner } => {
            let result = winner.map_or("1/2-1/2", |color| color.fold_wb("1-0", "0-1"));
            vec![with(json!({ "kind": "kings_centred", "detail": result }))]
        }
        Fact::SetUp { rotated } => vec![with(json!({ "kind": "set_up", "rotated": rotated }))],
        Fact::Alert {
            code,
            squares,
            detail,
        } => vec![with(json!({
            "kind": "alert", "code": code.as_str(), "detail": detail, "squares": names(squares),
        }))],
        Fact::Clear { code } => vec![with(json!({ "kind": "clear", "code": code.as_str() }))],
    }
}

/// The last line: the record and how things stand.
pub(super) fn final_line(table: &Table, bad_lines: u64) -> Value {
    let record = table.record();
    let legal = record.iter().map_while(|ply| match ply.played {
        Played::Legal(uci) => Some(uci.to_string()),
        Played::Irregular(_) => None,
    });
    let mut line = json!({
        "kind": "final",
        "moves": legal.collect::<Vec<_>>(),
        "status": table.status().as_str(),
        "uncertain": record.iter().filter(|ply| !ply.choices.is_empty()).map(of_uncertain).collect::<Vec<_>>(),
        "position_fen": Fen::from_position(&table.position(), EnPassantMode::Legal).to_string(),
        "physical": letters(table.readings()),
    });
    let rest: Vec<Value> = record
        .iter()
        .skip_while(|ply| matches!(ply.played, Played::Legal(_)))
        .map(of_ply)
        .collect();
    if !rest.is_empty() {
        line["as_played"] = rest.into();
    }
    if bad_lines > 0 {
        line["bad_lines"] = bad_lines.into();
    }
    line
}

fn of_ply(ply: &Ply) -> Value {
    match &ply.played {
        Played::Legal(uci) => json!({ "ply": ply.number, "uci": uci.to_string() }),
        Played::Irregular(irregular) => {
            merged(&json!({ "ply": ply.number }), of_irregular(irregular))
        }
    }
}

fn of_irregular(irregular: &Irregular) -> Value {
    let by = irregular.by.fold_wb("white", "black");
    json!({ "by": by, "from_fen": irregular.from_fen, "to_fen": irregular.to_fen, "detail": irregular.words })
}

fn of_uncertain(ply: &Ply) -> Value {
    let mut uncertain = json!({ "ply": ply.number, "certainty": round(ply.certainty), "choices": of_choices(&ply.choices) });
    if ply.more {
        uncertain["more"] = true.into();
    }
    uncertain
}

fn of_choices(choices: &[Vec<UciMove>]) -> Value {
    choices
        .iter()
        .map(|line| line.iter().map(UciMove::to_string).collect::<Vec<_>>())
        .collect::<Vec<_>>()
        .into()
}

fn names(squares: &[Square]) -> Value {
    squares
        .iter()
        .map(Square::to_string)
        .collect::<Vec<_>>()
        .into()
}

/// 64 letters from a8 to h1.
fn letters(readings: &Readings) -> String {
    (0..64)
        .map(|index| readings[Square::new(index).flip_vertical().to_usize()].char())
        .collect()
}

fn round(certainty: f32) -> f64 {
    (f64::from(certainty) * 1000.0).round() / 1000.0
}

fn merged(first: &Value, second: Value) -> Value {
    let mut both = first.clone();
    if let (Some(both), Value::Object(second)) = (both.as_object_mut(), second) {
        both.extend(second);
    }
    both
}
