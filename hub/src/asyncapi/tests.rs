//! The document is one of its kind, knows every topic, and its schemas fit what is really sent.

use std::collections::BTreeSet;

use protocol::{Topic, Topics};
use serde_json::Value;

use super::document;

fn made() -> Value {
    document(&"test".parse().expect("a name"))
}

/// The parts of JSON Schema that the document uses.
fn fits(value: &Value, schema: &Value) -> Result<(), String> {
    if let Some(any) = schema["anyOf"].as_array() {
        let all: Vec<String> = any.iter().filter_map(|s| fits(value, s).err()).collect();
        return if all.len() < any.len() {
            Ok(())
        } else {
            Err(all.join(" | "))
        };
    }
    let good = match schema["type"].as_str() {
        None => true,
        // What was there once need not be there always: the programs say null then.
        Some(_) if value.is_null() => true,
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some(other) => return Err(format!("{other} is no type")),
    };
    if !good {
        return Err(format!("{value} is no {}", schema["type"]));
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(field) = value.get(name) {
            fits(field, inner).map_err(|e| format!("{name}: {e}"))?;
        }
    }
    let items = &schema["items"];
    value
        .as_array()
        .into_iter()
        .flatten()
        .try_for_each(|item| fits(item, items))
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|v| references(v, found));
        }
        Value::Array(items) => items.iter().for_each(|v| references(v, found)),
        _ => {}
    }
}

#[test]
fn it_has_the_parts_that_asyncapi_3_asks_for() {
    let made = made();
    assert_eq!(made["asyncapi"], "3.0.0");
    assert!(made["info"]["title"].is_string() && made["info"]["version"].is_string());
    let mut found = Vec::new();
    references(&made, &mut found);
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("inside the document");
        assert!(made.pointer(pointer).is_some(), "{reference}");
    }
    let mut addresses = BTreeSet::new();
    for (name, channel) in made["channels"].as_object().expect("channels") {
        let address = channel["address"].as_str().expect("an address");
        assert!(addresses.insert(address), "{address} stands twice");
        let named: BTreeSet<&str> = address
            .split('/')
            .filter_map(|p| p.strip_prefix('{')?.strip_suffix('}'))
            .collect();
        let explained: BTreeSet<&str> = channel["parameters"]
            .as_object()
            .into_iter()
            .flat_map(|p| p.keys().map(String::as_str))
            .collect();
        assert_eq!(named, explained, "{name}");
    }
    for (name, operation) in made["operations"].as_object().expect("operations") {
        let action = operation["action"].as_str().expect("an action");
        assert!(
            ["send", "receive"].contains(&action) && name.starts_with(action),
            "{name}"
        );
        let channel = operation["channel"]["$ref"].as_str().expect("a channel");
        let message = operation["messages"][0]["$ref"]
            .as_str()
            .expect("a message");
        assert!(
            message.starts_with(channel),
            "{name}: its message belongs to its channel"
        );
    }
    for (name, message) in made["components"]["messages"]
        .as_object()
        .expect("messages")
    {
        for example in message["examples"].as_array().into_iter().flatten() {
            fits(&example["payload"], &message["payload"]).expect(name);
        }
    }
}

/// One of every kind; a new kind does not compile until it stands here.
fn name(topic: &Topic) -> &'static str {
    match topic {
        Topic::AgentPresence(_) => "agentPresence",
        Topic::TimeQuestion(_) => "timeQuestion",
        Topic::TimeAnswer(_) => "timeAnswer",
        Topic::DeviceInfo(_) => "deviceInfo",
        Topic::Facts(_) => "facts",
        Topic::Ack(_) => "ack",
        Topic::Control(_) => "control",
        Topic::Command(_) => "command",
        Topic::HubPresence => "hubPresence",
        Topic::DeskTable(_) => "deskTable",
        Topic::DeskAlert(_) => "deskAlert",
        Topic::DeskRound => "deskRound",
        Topic::DeskPastRound(_) => "deskPastRound",
        Topic::DeskJournal => "deskJournal",
        Topic::Order => "order",
        Topic::Answer(_) => "answer",
        Topic::HallBoard(_) => "hallBoard",
        Topic::HallScalar(..) => "hallScalar",
        Topic::WorldBoard(..) => "worldBoard",
    }
}

#[test]
fn every_address_is_a_topic_of_its_name() {
    let made = made();
    let topics = Topics::new(&"test".parse().expect("a name"));
    let values = [
        ("agent", "a1"),
        ("alert", "1-flag-1"),
        ("audience", "web"),
        ("client", "tui-1"),
        ("device", "dgt-01025"),
        ("round", "4"),
        ("table", "12"),
        ("value", "white/clock"),
    ];
    let mut seen = BTreeSet::new();
    for (channel, about) in made["channels"].as_object().expect("channels") {
        let mut address = about["address"].as_str().expect("an address").to_owned();
        for (parameter, value) in values {
            address = address.replace(&format!("{{{parameter}}}"), value);
        }
        let topic = topics.parse(&address).expect("a topic");
        assert_eq!(name(&topic), channel, "{address}");
        seen.insert(name(&topic));
    }
    assert_eq!(seen.len(), 19, "every kind of topic");
}

#[test]
fn what_a_venue_really_says_fits() {
    let made = made();
    let topics = Topics::new(&"test".parse().expect("a name"));
    let mut seen = BTreeSet::new();
    for (topic, payload) in crate::venue::tests::an_afternoon() {
        let name = name(&topics.parse(&topic).expect("a topic of the venue"));
        let message = &made["components"]["messages"][name];
        if message["contentType"] == "application/json" {
            let value: Value = serde_json::from_slice(&payload).expect("JSON");
            fits(&value, &message["payload"]).unwrap_or_else(|e| panic!("{topic}: {e}"));
        }
        seen.insert(name);
    }
    for name in [
        "control",
        "deskTable",
        "deskAlert",
        "deskRound",
        "deskJournal",
        "hallBoard",
        "hallScalar",
        "worldBoard",
        "hubPresence",
    ] {
        assert!(seen.contains(name), "{name} was not said");
    }
}
