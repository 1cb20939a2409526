//! Who may say and hear what: one list of filters per role, from which every check and the external broker's list follow.
//!
//! Filters here are below the venue's root `zeitnot/v1/<venue>`. What no line allows is refused; `$SYS`, `$share` and
//! filters wider than a line are refused too, so that `#` never shows the desk to a display.

use protocol::{Role, Topics};

/// In a line: one word, not a wildcard, so that an agent hears of its own devices only by asking for each.
const NAMED: &str = "{device}";

/// What clients of a role may publish.
fn writable(role: Role, name: &str) -> Vec<String> {
    let lines: &[&str] = match role {
        Role::Hub => &["#"],
        Role::Agent => &[
            "agent/{name}/presence",
            "agent/{name}/time",
            "device/+/info",
            "device/+/facts",
        ],
        Role::Arbiter | Role::Chief | Role::Technician => &["desk/order"],
        Role::Viewer | Role::Display => &[],
    };
    named(lines, name)
}

/// What clients of a role may subscribe to.
fn readable(role: Role, name: &str) -> Vec<String> {
    let lines: &[&str] = match role {
        Role::Hub => &["#"],
        Role::Agent => &[
            "agent/{name}/presence",
            "agent/{name}/time/answer",
            "device/{device}/ack",
            "device/{device}/control",
            "device/{device}/command",
            "hub/presence",
        ],
        Role::Arbiter | Role::Chief | Role::Technician | Role::Viewer => &[
            "agent/+/presence",
            "desk/#",
            "device/+/info",
            "hall/#",
            "hub/presence",
            "world/#",
        ],
        Role::Display => &["hall/#", "hub/presence", "world/#"],
    };
    named(lines, name)
}

fn named(lines: &[&str], name: &str) -> Vec<String> {
    let fill = |line: &&str| line.replace("{name}", name);
    lines.iter().map(fill).collect()
}

/// Whether a client may publish to a topic (full name).
///
/// Whose device it is, is not asked here: the hub looks at who announced it (see [`super::Devices`]).
pub fn may_publish(topics: &Topics, role: Role, name: &str, topic: &str) -> bool {
    !topic.contains(['+', '#'])
        && below_root(topics, topic)
            .is_some_and(|tail| writable(role, name).iter().any(|line| covers(line, tail)))
}

/// Whether a client may subscribe to a filter (full, wildcards included): every topic it matches must be readable by one line.
pub fn may_subscribe(topics: &Topics, role: Role, name: &str, filter: &str) -> bool {
    below_root(topics, filter)
        .is_some_and(|tail| readable(role, name).iter().any(|line| covers(line, tail)))
}

fn below_root<'a>(topics: &Topics, name: &'a str) -> Option<&'a str> {
    name.strip_prefix(topics.root())?.strip_prefix('/')
}

/// Whether every topic that `filter` matches is matched by `line`.
fn covers(line: &str, filter: &str) -> bool {
    let mut wanted = filter.split('/');
    let mut allowed = line.split('/');
    loop {
        match (allowed.next(), wanted.next()) {
            (Some("#"), Some(_)) | (None, None) => return true,
            (Some("+"), Some(word)) if word != "#" => {}
            (Some(NAMED), Some(word)) if !matches!(word, "+" | "#") => {}
            (Some(exact), Some(word)) if exact == word && word != "#" => {}
            _ => return false,
        }
    }
}

/// The rights of the given clients as an access list for Mosquitto.
pub fn mosquitto_acl<'a>(
    topics: &Topics,
    clients: impl IntoIterator<Item = (&'a str, Role)>,
) -> String {
    let mut out = String::new();
    for (name, role) in clients {
        out.push_str(&format!("# {role}\nuser {name}\n"));
        for (word, lines) in [
            ("read", readable(role, name)),
            ("write", writable(role, name)),
        ] {
            for line in lines {
                let filter = topics.filter(&line.replace(NAMED, "+"));
                out.push_str(&format!("topic {word} {filter}\n"));
            }
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics() -> Topics {
        Topics::new(&"lyon".parse().expect("id"))
    }

    #[test]
    fn who_may_publish_what() {
        use Role::{Agent, Arbiter, Chief, Display, Hub, Technician, Viewer};
        let rows = [
            ("agent/a1/presence", vec![Agent, Hub]),
            ("agent/a2/presence", vec![Hub]),
            ("agent/a1/time", vec![Agent, Hub]),
            ("agent/a1/time/answer", vec![Hub]),
            ("device/dgt-1/info", vec![Agent, Hub]),
            ("device/dgt-1/facts", vec![Agent, Hub]),
            ("device/dgt-1/ack", vec![Hub]),
            ("device/dgt-1/control", vec![Hub]),
            ("device/dgt-1/command", vec![Hub]),
            ("device/+/facts", vec![]),
            ("hub/presence", vec![Hub]),
            ("desk/order", vec![Arbiter, Chief, Technician, Hub]),
            ("desk/table/1", vec![Hub]),
            ("desk/answer/c1", vec![Hub]),
            ("hall/board/1", vec![Hub]),
            ("world/web/board/1", vec![Hub]),
        ];
        for (tail, allowed) in rows {
            for role in [Agent, Arbiter, Chief, Display, Hub, Technician, Viewer] {
                let may = may_publish(&topics(), role, "a1", &topics().filter(tail));
                assert_eq!(may, allowed.contains(&role), "{role} {tail}");
            }
        }
    }

    #[test]
    fn who_may_subscribe_to_what() {
        use Role::{Agent, Arbiter, Chief, Display, Hub, Technician, Viewer};
        let desk = vec![Arbiter, Chief, Technician, Viewer, Hub];
        let everybody = vec![Arbiter, Chief, Technician, Viewer, Display, Hub];
        let rows = [
            ("#", vec![Hub]),
            ("+/#", vec![Hub]),
            ("+/board/1", vec![Hub]),
            ("+/+/+", vec![Hub]),
            ("desk/#", desk.clone()),
            ("desk/+/+", desk.clone()),
            ("desk/table/12", desk.clone()),
            ("desk", desk.clone()),
            ("device/+/info", desk),
            ("hall/#", everybody.clone()),
            ("hall/+/3", everybody.clone()),
            ("world/web/board/+", everybody),
            ("device/+/facts", vec![Hub]),
            ("device/#", vec![Hub]),
            ("device/dgt-1/control", vec![Agent, Hub]),
            ("device/+/control", vec![Hub]),
            ("agent/a1/time/answer", vec![Agent, Hub]),
            ("agent/a2/time/answer", vec![Hub]),
            ("agent/#", vec![Hub]),
        ];
        for (tail, allowed) in rows {
            for role in [Agent, Arbiter, Chief, Display, Hub, Technician, Viewer] {
                let may = may_subscribe(&topics(), role, "a1", &topics().filter(tail));
                // `desk` alone is matched by `desk/#` in MQTT; it is refused as narrower than any line needs.
                let want = allowed.contains(&role) && (tail != "desk" || role == Hub);
                assert_eq!(may, want, "{role} {tail}");
            }
        }
    }

    #[test]
    fn nothing_outside_the_venue() {
        for filter in [
            "#",
            "+/v1/lyon/desk/#",
            "zeitnot/#",
            "zeitnot/v1/lyon",
            "zeitnot/v1/lyons/desk/#",
            "zeitnot/v1/paris/hall/#",
            "$SYS/#",
            "$share/g/zeitnot/v1/lyon/desk/#",
            "",
        ] {
            assert!(
                !may_subscribe(&topics(), Role::Chief, "c", filter),
                "{filter}"
            );
            assert!(!may_publish(&topics(), Role::Hub, "c", filter), "{filter}");
        }
    }

    #[test]
    fn an_access_list_for_mosquitto() {
        let text = mosquitto_acl(&topics(), [("sign", Role::Display), ("a1", Role::Agent)]);
        assert!(text.contains("user sign\ntopic read zeitnot/v1/lyon/hall/#\n"));
        assert!(text.contains("topic write zeitnot/v1/lyon/agent/a1/presence\n"));
        assert!(!text.contains("{name}") && !text.contains("desk"));
    }
}
