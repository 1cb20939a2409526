//! Facts are counted once and in order, whatever the network does.

use protocol::{Ack, Envelope, Fact, Health, Topic, decode};

use super::hall::{Hall, config, device, made, round};
use crate::venue::{Input, Venue};

fn send(hall: &mut Hall, envelope: &Envelope) {
    hall.input(Input::Fact {
        device: device(1),
        envelope: envelope.clone(),
    });
}

fn last_ack(hall: &Hall) -> u64 {
    let acks = hall.said.iter().rev();
    let of = |t: &Topic| matches!(t, Topic::Ack(_));
    let (_, payload) = acks.clone().find(|(t, _)| of(t)).expect("an ack");
    decode::<Ack>(payload).expect("an ack").seq
}

/// Six half-moves, each made, completed and settled.
fn game(hall: &mut Hall) -> Vec<Envelope> {
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
    let mut facts = Vec::new();
    for (uci, ply) in moves.iter().zip(1..) {
        let by = if ply % 2 == 1 {
            protocol::Side::White
        } else {
            protocol::Side::Black
        };
        facts.push(hall.envelope(1, made(ply, uci, by)));
        facts.push(hall.envelope(
            1,
            Fact::Completed {
                ply,
                pressed: true,
                clock: None,
            },
        ));
        facts.push(hall.envelope(1, Fact::Settled { ply }));
    }
    facts
}

#[test]
fn duplicates_and_other_orders_give_the_same_game() {
    let straight: Vec<usize> = (0..18).collect();
    let twice: Vec<usize> = (0..18).flat_map(|i| [i, i]).collect();
    let backwards: Vec<usize> = (0..18).rev().collect();
    let pairs: Vec<usize> = (0..18).map(|i| i ^ 1).collect();
    let again: Vec<usize> = (0..18).chain(0..18).chain(5..9).collect();
    let mut games = Vec::new();
    for order in [straight, twice, backwards, pairs, again] {
        let mut hall = Hall::standard();
        let facts = game(&mut hall);
        for index in &order {
            send(&mut hall, &facts[*index]);
        }
        assert_eq!(last_ack(&hall), 18, "{order:?}");
        assert!(hall.open().is_empty());
        hall.a_moment();
        games.push(hall.desk(1).record);
    }
    assert_eq!(games[0].len(), 6);
    for game in &games[1..] {
        assert_eq!(*game, games[0]);
    }
}

#[test]
fn an_absurd_number_hides_no_real_fact_and_is_said() {
    let mut hall = Hall::standard();
    let facts = game(&mut hall);
    send(&mut hall, &facts[0]);
    for seq in [1 << 60, u64::MAX, 1 << 60] {
        send(
            &mut hall,
            &Envelope {
                seq,
                ..facts[1].clone()
            },
        );
    }
    hall.pass(60_000);
    assert_eq!(last_ack(&hall), 1);
    let alert = hall.alert("record-gap");
    assert!(
        alert.because[0].contains("1152921504606846976"),
        "{alert:?}"
    );
    for fact in &facts[1..] {
        send(&mut hall, fact);
    }
    hall.a_moment();
    assert_eq!((last_ack(&hall), hall.desk(1).record.len()), (18, 6));
    hall.info(1, "b2", Health::default());
    assert!(
        !hall.open().contains(&"record-gap".to_owned()),
        "another start"
    );
}

#[test]
fn facts_that_were_given_up_count_when_they_come_after_all() {
    let mut hall = Hall::standard();
    let facts = game(&mut hall);
    send(&mut hall, &facts[0]);
    let ahead = Envelope {
        seq: 5_000,
        fact: Fact::Explained,
        ..facts[1].clone()
    };
    send(&mut hall, &ahead);
    hall.pass(21_000);
    for fact in &facts[1..] {
        send(&mut hall, fact);
    }
    hall.a_moment();
    assert_eq!(hall.desk(1).record.len(), 6);
}

#[test]
fn a_lost_fact_is_asked_for_and_at_last_given_up() {
    let mut hall = Hall::standard();
    let facts = game(&mut hall);
    for fact in facts.iter().filter(|f| f.seq != 4) {
        send(&mut hall, fact);
    }
    assert_eq!(last_ack(&hall), 3, "acknowledged up to the gap only");
    assert_eq!(hall.desk(1).record.len(), 1);
    hall.pass(12_000);
    assert_eq!(
        last_ack(&hall),
        3,
        "the agent sends again twice before that"
    );
    hall.pass(9_000);
    assert_eq!(last_ack(&hall), 18, "given up, the rest is taken");
    assert!(hall.open().contains(&"record-gap".to_owned()));
    assert_eq!(hall.desk(1).record.len(), 1, "the record was not damaged");
    let adopt = hall.control(1).adopt.expect("the board starts again");
    assert_eq!(adopt.line.len(), 1);
    let generation = hall.control(1).generation;
    hall.fact(1, Fact::Adopted { generation });
    hall.made(1, 2, "e7e5");
    assert_eq!(hall.desk(1).record.len(), 2);
    assert!(hall.open().is_empty(), "in line again: {:?}", hall.open());
}

#[test]
fn a_replayed_journal_is_the_state_that_was() {
    let mut hall = Hall::with_round(round(2, "5400+30"));
    hall.play(1, &["e2e4", "e7e5", "g1f3"]);
    hall.play(2, &["d2d4"]);
    hall.pass(120_000);
    let mut again = Venue::new(config());
    for event in &hall.journal {
        again.replay(event);
    }
    assert_eq!(again.state(), hall.venue.state());
    let numbers: Vec<u64> = hall.journal.iter().map(|e| e.number).collect();
    let want: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, want, "from 1 without gaps");
}

#[test]
fn after_a_restart_everything_retained_is_there_again() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
    hall.a_moment();
    let mut again = Hall::empty(config());
    again.venue = Venue::new(config());
    again.retained.clear();
    for event in &hall.journal {
        again.venue.replay(event);
    }
    let outputs = again.venue.resume(hall.now);
    again.carry_out(outputs);
    let names = |h: &Hall| h.retained.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&again), names(&hall));
    assert_eq!(again.desk(1), hall.desk(1));
    assert!(
        again.board(1).revision > hall.board(1).revision,
        "a higher number replaces a lower one, also over a restart"
    );
}

#[test]
fn numbers_out_of_all_measure_do_no_harm() {
    let mut hall = Hall::standard();
    let mut fact = hall.envelope(1, made(1, "e2e4", protocol::Side::White));
    for seq in [0, u64::MAX, u64::MAX - 1, 1, u64::MAX] {
        fact.seq = seq;
        send(&mut hall, &fact);
    }
    hall.pass(10_000);
    hall.pass(10_000);
    assert_eq!(hall.desk(1).record.len(), 1);
}

#[test]
fn invented_boards_are_not_heard_for_ever() {
    let mut hall = Hall::standard();
    let fact = hall.envelope(1, Fact::Explained);
    for n in 0..2_100u16 {
        let mut envelope = fact.clone();
        envelope.seq = 1;
        let input = Input::Fact {
            device: device(n.saturating_add(10)),
            envelope,
        };
        let outputs = hall.venue.handle_all(hall.now, [input]);
        drop(outputs);
    }
    assert!(hall.venue.state().devices.len() <= 2_048);
    assert!(hall.venue.skipped() > 0);
}

#[test]
fn inputs_that_come_together_are_shown_once() {
    let mut one = Hall::standard();
    let facts = game(&mut one);
    let inputs = |facts: &[Envelope]| -> Vec<Input> {
        let input = |e: &Envelope| Input::Fact {
            device: device(1),
            envelope: e.clone(),
        };
        facts.iter().map(input).collect()
    };
    let outputs = one.venue.handle_all(one.now, inputs(&facts));
    let tables = outputs.iter().filter(|o| {
        matches!(
            o,
            crate::venue::Output::Publish {
                topic: Topic::DeskTable(_),
                ..
            }
        )
    });
    assert_eq!(tables.count(), 1);
    one.carry_out(outputs);
    let mut other = Hall::standard();
    for fact in &facts {
        send(&mut other, fact);
    }
    assert_eq!(one.venue.state(), other.venue.state());
}
