//! Makes the document out of the table of topics.

use protocol::VenueId;
use serde_json::{Map, Value, json};

use super::schema::of_all;
use super::topics::{From, PARAMETERS, Row, TOPICS};

/// The AsyncAPI 3.0 document of a venue, seen from the hub: it sends what others receive.
pub fn document(venue: &VenueId) -> Value {
    let channels = TOPICS
        .iter()
        .map(|row| (row.name.to_owned(), channel(row, venue)));
    let operations = TOPICS
        .iter()
        .map(|row| (operation_name(row), operation(row)));
    let messages = TOPICS.iter().map(|row| (row.name.to_owned(), message(row)));
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Zeitnot",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Topics of a chess venue: what boards did, what arbiters see and order, what the hall and the world may see. State is retained, happenings are numbered; an empty retained payload clears its topic.",
            "license": { "name": "GPL-3.0-or-later" }
        },
        "defaultContentType": "application/json",
        "servers": {
            "venue": {
                "host": "localhost:1883",
                "protocol": "mqtt",
                "protocolVersion": "5",
                "description": "The broker in the hub, or an external one.",
                "bindings": { "mqtt": {
                    "cleanSession": true,
                    "lastWill": { "topic": format!("zeitnot/v1/{venue}/hub/presence"), "qos": 1, "retain": true },
                    "bindingVersion": "0.2.0"
                } }
            }
        },
        "channels": channels.collect::<Map<_, _>>(),
        "operations": operations.collect::<Map<_, _>>(),
        "components": { "messages": messages.collect::<Map<_, _>>() }
    })
}

fn channel(row: &Row, venue: &VenueId) -> Value {
    let used = |(name, _): &&(&str, &str)| row.address.contains(&format!("{{{name}}}"));
    let parameter =
        |(name, what): &(&str, &str)| ((*name).to_owned(), json!({ "description": what }));
    let parameters: Map<String, Value> = PARAMETERS.iter().filter(used).map(parameter).collect();
    let mut channel = json!({
        "address": format!("zeitnot/v1/{venue}/{}", row.address),
        "summary": row.summary,
        "messages": { row.name: { "$ref": format!("#/components/messages/{}", row.name) } },
    });
    if !parameters.is_empty() {
        channel["parameters"] = Value::Object(parameters);
    }
    channel
}

fn operation_name(row: &Row) -> String {
    let mut letters = row.name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    format!("{}{name}", action(row))
}

fn action(row: &Row) -> &'static str {
    match row.from {
        From::Hub => "send",
        From::Others => "receive",
    }
}

fn operation(row: &Row) -> Value {
    json!({
        "action": action(row),
        "summary": row.summary,
        "channel": { "$ref": format!("#/channels/{}", row.name) },
        "messages": [{ "$ref": format!("#/channels/{}/messages/{}", row.name, row.name) }],
        "bindings": { "mqtt": { "qos": 1, "retain": row.retained, "bindingVersion": "0.2.0" } }
    })
}

fn message(row: &Row) -> Value {
    let read = |text: &&str| serde_json::from_str(text).expect("a golden file of the protocol");
    let examples: Vec<Value> = row.examples.iter().map(read).collect();
    if examples.is_empty() {
        return json!({
            "title": row.name,
            "summary": row.summary,
            "contentType": "text/plain",
            "payload": { "type": "string" }
        });
    }
    let payloads: Vec<Value> = examples.iter().map(|e| json!({ "payload": e })).collect();
    json!({
        "title": row.name,
        "summary": row.summary,
        "contentType": "application/json",
        "payload": of_all(&examples),
        "examples": payloads
    })
}
