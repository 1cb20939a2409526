//! JSON Schema of messages, taken from messages that were really sent: what has a value there has its type, what is null may be anything.

use serde_json::{Map, Value, json};

/// The schema that all these values fit.
pub(super) fn of_all(values: &[Value]) -> Value {
    match values {
        [] => json!({}),
        [one] => of(one),
        many => json!({ "anyOf": many.iter().map(of).collect::<Vec<_>>() }),
    }
}

fn of(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(n) if n.is_f64() => json!({ "type": "number" }),
        Value::Number(_) => json!({ "type": "integer" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(items) => array(items),
        Value::Object(fields) => object(fields),
    }
}

fn array(items: &[Value]) -> Value {
    let mut kinds: Vec<Value> = Vec::new();
    for kind in items.iter().map(of) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.len() {
        0 => json!({ "type": "array" }),
        1 => json!({ "type": "array", "items": kinds.remove(0) }),
        _ => json!({ "type": "array", "items": { "anyOf": kinds } }),
    }
}

fn object(fields: &Map<String, Value>) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|(k, v)| (k.clone(), of(v))).collect();
    let sure = fields.iter().filter(|(_, v)| !v.is_null());
    let required: Vec<&String> = sure.map(|(k, _)| k).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}
