//! The table of topics: address, who sends, how it is kept, and messages that were really sent, from the golden files of the protocol.

/// Who says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// The hub.
    Hub,
    /// Agents, or arbiters' programs.
    Others,
}

/// One topic.
pub(super) struct Row {
    /// A name for references.
    pub(super) name: &'static str,
    /// Below the root, with parameters in braces.
    pub(super) address: &'static str,
    /// Who says it.
    pub(super) from: From,
    /// Whether the broker keeps the last one.
    pub(super) retained: bool,
    /// What it is for.
    pub(super) summary: &'static str,
    /// Real messages, each kind once; none: plain text.
    pub(super) examples: &'static [&'static str],
}

macro_rules! golden {
    ($($name:literal),*) => {
        &[$(include_str!(concat!("../../../protocol/golden/", $name, ".json"))),*]
    };
}

/// Parameters of addresses with their meaning.
pub(super) const PARAMETERS: &[(&str, &str)] = &[
    ("agent", "name of an agent"),
    ("alert", "id of an alert"),
    ("audience", "name of an audience outside the hall"),
    ("client", "name of an arbiter's program"),
    ("device", "family and serial number of a board: dgt-01025"),
    ("round", "number of a round"),
    ("table", "number of a table, unique in the venue"),
    (
        "value",
        "white/clock, black/clock, last-move, turn, result or state",
    ),
];

/// Every topic.
pub(super) const TOPICS: &[Row] = &[
    Row {
        name: "agentPresence",
        address: "agent/{agent}/presence",
        from: From::Others,
        retained: true,
        summary: "An agent is there; its last will says that it is not.",
        examples: golden!["agent-presence"],
    },
    Row {
        name: "timeQuestion",
        address: "agent/{agent}/time",
        from: From::Others,
        retained: false,
        summary: "An agent asks for the hub's time.",
        examples: golden!["time-question"],
    },
    Row {
        name: "timeAnswer",
        address: "agent/{agent}/time/answer",
        from: From::Hub,
        retained: false,
        summary: "The hub's time.",
        examples: golden!["time-answer"],
    },
    Row {
        name: "deviceInfo",
        address: "device/{device}/info",
        from: From::Others,
        retained: true,
        summary: "What a board is and how it is.",
        examples: golden!["device-info"],
    },
    Row {
        name: "facts",
        address: "device/{device}/facts",
        from: From::Others,
        retained: false,
        summary: "What the board, the hands and the clock did, numbered.",
        examples: golden![
            "fact-adopted",
            "fact-ambiguous",
            "fact-completed",
            "fact-dump",
            "fact-explained",
            "fact-health",
            "fact-kings-centred",
            "fact-logged",
            "fact-made-irregular",
            "fact-made",
            "fact-notice",
            "fact-press",
            "fact-reading",
            "fact-retracted",
            "fact-revised",
            "fact-set-up",
            "fact-settled",
            "fact-squares",
            "fact-unexplained"
        ],
    },
    Row {
        name: "ack",
        address: "device/{device}/ack",
        from: From::Hub,
        retained: false,
        summary: "Everything up to here is in the journal.",
        examples: golden!["ack"],
    },
    Row {
        name: "control",
        address: "device/{device}/control",
        from: From::Hub,
        retained: true,
        summary: "What the hub wants of a board: its table, its game, its position.",
        examples: golden!["control"],
    },
    Row {
        name: "command",
        address: "device/{device}/command",
        from: From::Hub,
        retained: false,
        summary: "Something that a board is asked to do now; it expires.",
        examples: golden![
            "command-clock-side",
            "command-expect",
            "command-orientation",
            "command-resync"
        ],
    },
    Row {
        name: "hubPresence",
        address: "hub/presence",
        from: From::Hub,
        retained: true,
        summary: "A beat a second with the hub's time; its last will says that it is not there.",
        examples: golden!["hub-presence"],
    },
    Row {
        name: "deskTable",
        address: "desk/table/{table}",
        from: From::Hub,
        retained: true,
        summary: "Everything known of a table, for arbiters alone.",
        examples: golden!["desk-table"],
    },
    Row {
        name: "deskAlert",
        address: "desk/alert/{alert}",
        from: From::Hub,
        retained: true,
        summary: "Something that needs an arbiter, or his silence.",
        examples: golden!["alert"],
    },
    Row {
        name: "deskRound",
        address: "desk/round",
        from: From::Hub,
        retained: true,
        summary: "The round with its results, for arbiters alone.",
        examples: golden!["desk-round"],
    },
    Row {
        name: "deskPastRound",
        address: "desk/round/{round}",
        from: From::Hub,
        retained: true,
        summary: "An earlier round with its results, for arbiters alone.",
        examples: golden!["desk-round"],
    },
    Row {
        name: "deskJournal",
        address: "desk/journal",
        from: From::Hub,
        retained: true,
        summary: "The journal's last line.",
        examples: golden!["journal-line"],
    },
    Row {
        name: "order",
        address: "desk/order",
        from: From::Others,
        retained: false,
        summary: "An order of an arbiter, or the question what would follow.",
        examples: golden![
            "order-adjust-time",
            "order-conduct",
            "order-illegal-move",
            "order-take"
        ],
    },
    Row {
        name: "answer",
        address: "desk/answer/{client}",
        from: From::Hub,
        retained: false,
        summary: "The answer to an order.",
        examples: golden!["answer-done", "answer-preview", "answer-refused"],
    },
    Row {
        name: "hallBoard",
        address: "hall/board/{table}",
        from: From::Hub,
        retained: true,
        summary: "What everybody in the hall may see of a game, at once.",
        examples: golden!["hall-board"],
    },
    Row {
        name: "hallScalar",
        address: "hall/board/{table}/{value}",
        from: From::Hub,
        retained: true,
        summary: "One plain value of a board, for signs and LED walls.",
        examples: &[],
    },
    Row {
        name: "worldBoard",
        address: "world/{audience}/board/{table}",
        from: From::Hub,
        retained: true,
        summary: "What an audience outside sees of a game, after its delay.",
        examples: golden!["hall-board"],
    },
];
