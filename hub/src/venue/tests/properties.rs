//! What holds whatever comes: no panic, replay equals live, the hall never holds what only the desk may know.

use proptest::prelude::*;
use protocol::{
    BySide, ClaimJudgement, DrawClaim, Envelope, Fact, Flag, GameResult, HallBoard, Health,
    Judgement, Missing, Order, OrderBody, Placement, Played, Reported, ResultHow, Role, Side,
    TableId, Timestamp, Uncertain,
};

use super::hall::{Hall, config, device, reading, round, topics};
use crate::venue::{Event, Input, Venue, VenueConfig};

fn uci() -> impl Strategy<Value = String> {
    let real = prop::sample::select(vec![
        "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "b5c6", "d7c6", "f2f3", "d8h4",
        "g2g4", "f7f5",
    ]);
    prop_oneof![8 => real.prop_map(str::to_owned), 1 => ".{0,6}"]
}

fn fen() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 b KQkq - 0 1".to_owned(),
        "8/8/8/8/8/8/8/8 w - - 0 1".to_owned(),
        "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
        "nonsense".to_owned(),
    ])
}

fn side() -> impl Strategy<Value = Side> {
    prop::bool::ANY.prop_map(|white| if white { Side::White } else { Side::Black })
}

fn played() -> impl Strategy<Value = Played> {
    prop_oneof![
        6 => uci().prop_map(Played::Legal),
        1 => (fen(), fen(), ".{0,20}").prop_map(|(from_fen, to_fen, words)| Played::Irregular {
            from_fen,
            to_fen,
            words
        }),
    ]
}

fn clock() -> impl Strategy<Value = protocol::ClockReading> {
    let running = prop::option::of(side());
    let time = || prop_oneof![9 => 0..6_000u64, 1 => Just(u64::MAX / 1000)];
    (time(), time(), running, prop::bool::weighted(0.1)).prop_map(|(w, b, r, fallen)| {
        let mut clock = reading(w, b, r);
        if fallen {
            clock.flag.white = Flag::Blocked;
        }
        clock
    })
}

fn fact() -> impl Strategy<Value = Fact> {
    let ply = 0..12u32;
    prop_oneof![
        8 => (ply.clone(), played(), side(), any::<f32>()).prop_map(|(ply, played, by, certainty)| {
            Fact::Made { ply, played, by, certainty, squares: Vec::new(), after_ms: 0 }
        }),
        4 => (ply.clone(), any::<bool>(), prop::option::of(clock()))
            .prop_map(|(ply, pressed, clock)| Fact::Completed { ply, pressed, clock }),
        2 => ply.clone().prop_map(|ply| Fact::Settled { ply }),
        2 => (ply.clone(), prop::collection::vec(played(), 0..4), any::<f32>())
            .prop_map(|(from_ply, line, certainty)| Fact::Revised { from_ply, line, certainty }),
        1 => ply.clone().prop_map(|from_ply| Fact::Retracted { from_ply }),
        2 => clock().prop_map(Fact::Reading),
        1 => (side(), clock()).prop_map(|(by, clock)| Fact::Press { by, clock }),
        1 => any::<u64>().prop_map(|generation| Fact::Adopted { generation }),
        1 => Just(Fact::Unexplained { squares: Vec::new(), board: Placement::default() }),
        1 => Just(Fact::Explained),
        1 => ply.prop_map(|ply| Fact::Ambiguous(Uncertain { ply, choices: vec![vec!["e2e4".into()]], more: false })),
        1 => Just(Fact::KingsCentred { result: GameResult::Draw }),
        1 => any::<bool>().prop_map(|correct| Fact::SetUp {
            board: Placement::default(),
            correct,
            squares: Vec::new(),
            rotated: false
        }),
        1 => "(ILLEGAL_MOVE|PRESS_WITHOUT_MOVE|MOVED_TWICE|BOARD_MISMATCH|[A-Z_]{0,9})"
            .prop_map(|code| Fact::Notice { code, over: false, detail: String::new() }),
        1 => any::<bool>().prop_map(|board| Fact::Health(Health { board, ..Health::default() })),
    ]
}

fn order() -> impl Strategy<Value = OrderBody> {
    let table = (1..4u16).prop_map(TableId);
    prop_oneof![
        (table.clone(), side(), 0..5usize, any::<bool>()).prop_map(
            |(table, offender, judgement, take_increment)| OrderBody::IllegalMove {
                table,
                offender,
                judgement: [
                    Judgement::First,
                    Judgement::Second,
                    Judgement::NoIllegalMove,
                    Judgement::NotCompleted,
                    Judgement::Stands
                ][judgement],
                incident: None,
                take_increment,
            }
        ),
        (table.clone(), any::<i64>(), -200_000..200_000i64).prop_map(|(table, white, black)| {
            OrderBody::AdjustTime {
                table,
                change_ms: BySide { white, black },
                article: String::new(),
            }
        }),
        (table.clone(), any::<bool>()).prop_map(|(table, confirm)| OrderBody::Result {
            table,
            result: GameResult::WhiteWins,
            how: ResultHow::Resigned,
            confirm,
            signed: BySide::default(),
        }),
        table.clone().prop_map(|table| OrderBody::Confirm { table }),
        (table.clone(), any::<u8>()).prop_map(|(table, ply)| OrderBody::Strike {
            table,
            from_ply: ply.into()
        }),
        (table.clone(), 0..9u32, prop::collection::vec(uci(), 0..4)).prop_map(
            |(table, from_ply, moves)| OrderBody::Insert {
                table,
                from_ply,
                moves
            }
        ),
        (table.clone(), side()).prop_map(|(table, turn)| OrderBody::AdoptBoard { table, turn }),
        (1..80u64).prop_map(|ruling| OrderBody::Counter { ruling }),
        (table.clone(), side(), uci(), any::<bool>()).prop_map(|(table, side, text, more)| {
            match more {
                true => OrderBody::ClaimDraw {
                    table,
                    claimant: side,
                    claim: DrawClaim::Threefold,
                    written: Some(text),
                },
                false => OrderBody::Adjourn {
                    table,
                    sealed_by: side,
                    time_ms: Some(BySide::default()),
                    draw_offer: None,
                    session_ends: Some(Timestamp(0)),
                    resumes: Some(Timestamp(0)),
                    place: text,
                },
            }
        }),
        (table.clone(), 0..6usize, uci()).prop_map(|(table, which, text)| match which {
            0 => OrderBody::RuleClaim {
                table,
                judgement: ClaimJudgement::Reject,
                bonus: true,
            },
            1 => OrderBody::Resume {
                table,
                missing: Missing::Nobody,
                sealed: Some(text),
                lost: false,
            },
            2 => OrderBody::ReplaceClock { table },
            3 => OrderBody::Restart { table },
            4 => OrderBody::Report {
                table,
                what: Reported::ColoursReversed,
            },
            _ => OrderBody::CloseRound { round: 5 },
        }),
        (table, prop::option::of(1..4u16)).prop_map(|(table, d)| OrderBody::Bind {
            table,
            device: d.map(device),
        }),
        (1..4u16, any::<bool>()).prop_map(|(table, hold)| OrderBody::Hold {
            table: TableId(table),
            hold
        }),
        Just(OrderBody::Dismiss {
            alert: "1-illegal-move-1".to_owned()
        }),
    ]
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Fact(u16, u64, String, Fact),
    Order(OrderBody, bool),
    Round(u16),
    Presence(bool),
    Wait(u64),
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let boot = prop::sample::select(vec!["b1".to_owned(), "b2".to_owned()]);
    prop_oneof![
        10 => (1..4u16, 1..3u64, boot, fact()).prop_map(|(n, skip, boot, f)| Step::Fact(n, skip, boot, f)),
        2 => (order(), any::<bool>()).prop_map(|(o, preview)| Step::Order(o, preview)),
        1 => (5..7u16).prop_map(Step::Round),
        1 => any::<bool>().prop_map(Step::Presence),
        2 => (0..30_000u64).prop_map(Step::Wait),
    ]
}

/// Words of what only the desk may know, as they stand in its own topics.
pub(crate) const SECRET: [&str; 17] = [
    "alert",
    "urgency",
    "silence",
    "to_control",
    "illegal",
    "repetitions",
    "quiet",
    "certainty",
    "pressed",
    "log",
    "device",
    "signed",
    "standing",
    "uncertain",
    "Irregular",
    "irregular",
    "proposed",
];

/// Everything that hall and world were shown at the end of some steps.
pub(crate) fn public_boards() -> impl Strategy<Value = Vec<HallBoard>> {
    let roots = ["hall/", "world/"].map(|tail| topics().filter(tail));
    prop::collection::vec(step(), 1..40).prop_map(move |steps| {
        let outside = VenueConfig {
            audiences: vec![crate::views::Audience::world("web", 20_000)],
            ..config()
        };
        let hall = run_as(outside, steps, |_| {});
        let public = |topic: &str| roots.iter().any(|root| topic.starts_with(root));
        let public = hall.retained.iter().filter(|(topic, _)| public(topic));
        let boards = public.filter_map(|(_, payload)| protocol::decode(payload).ok());
        boards.chain(hall.past.into_values()).collect()
    })
}

fn run(steps: Vec<Step>) -> Hall {
    run_as(config(), steps, |_| {})
}

/// Plays the steps; `after` looks at the hall after each.
pub(super) fn run_as(config: VenueConfig, steps: Vec<Step>, mut after: impl FnMut(&Hall)) -> Hall {
    let mut hall = Hall::empty(config);
    hall.input(Input::Round(round(2, "5400+30")));
    let mut seqs = std::collections::BTreeMap::new();
    for (id, step) in (1..).zip(steps) {
        match step {
            Step::Fact(n, skip, boot, fact) => {
                let seq = seqs.entry((n, boot.clone())).or_insert(0u64);
                // Now and then a number is skipped or comes again.
                *seq = if skip == 1 {
                    *seq + 1
                } else {
                    seq.saturating_sub(1).max(1)
                };
                let envelope = Envelope {
                    agent: "a1".parse().expect("id"),
                    boot: boot.parse().expect("id"),
                    seq: *seq,
                    at: hall.now,
                    offset: None,
                    fact,
                };
                hall.input(Input::Fact {
                    device: device(n),
                    envelope,
                });
            }
            Step::Order(body, preview) => {
                let order = Order {
                    client: "c".parse().expect("id"),
                    id,
                    by: "MK".to_owned(),
                    preview,
                    basis: None,
                    note: "x".to_owned(),
                    body,
                };
                hall.send(Role::Arbiter, order);
            }
            Step::Round(n) => {
                let mut setup = round(3, "180+2");
                setup.round = n;
                hall.input(Input::Round(setup));
            }
            Step::Presence(online) => hall.agent(online),
            Step::Wait(ms) => hall.pass(ms),
        }
        after(&hall);
    }
    hall
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_replay_gives_the_state_that_was_and_survives_the_wire(steps in prop::collection::vec(step(), 1..60)) {
        let hall = run(steps);
        let mut again = Venue::new(config());
        for event in &hall.journal {
            let bytes = serde_json::to_vec(event).expect("an event is written");
            let read: Event = serde_json::from_slice(&bytes).expect("and read");
            again.replay(&read);
        }
        prop_assert_eq!(again.state(), hall.venue.state());
    }

    #[test]
    fn neither_hall_nor_world_ever_holds_what_only_the_desk_may_know(steps in prop::collection::vec(step(), 1..60)) {
        let outside = VenueConfig {
            audiences: vec![crate::views::Audience::world("web", 20_000)],
            ..config()
        };
        let hall = run_as(outside, steps, |_| {});
        let roots = ["hall/", "world/"].map(|tail| topics().filter(tail));
        let public = |topic: &str| roots.iter().any(|root| topic.starts_with(root));
        for (topic, payload) in hall.retained.iter().filter(|(t, _)| public(t)) {
            let text = String::from_utf8_lossy(payload);
            for word in SECRET {
                prop_assert!(!text.contains(word), "{topic} says {word}: {text}");
            }
        }
    }

    #[test]
    fn the_record_is_always_playable(steps in prop::collection::vec(step(), 1..60)) {
        let hall = run(steps);
        for table in hall.venue.state().tables.values() {
            let mut position = table.game.record.start().clone();
            for entry in table.game.record.entries() {
                prop_assert!(position.play(&entry.ply.played).is_ok());
            }
            prop_assert_eq!(&position, table.game.record.position());
        }
        prop_assert!(hall.now >= Timestamp(0));
    }
}
