//! Trust: nothing is believed or ordered that the hub has not said.

use crate::Desk;
use protocol::{Answer, OrderBody, TableId};
use tui::example;
use tui::message::{Effect, Heard, Link, Message};
use tui::settings::Settings;

#[test]
fn an_order_without_an_answer_is_not_believed() {
    let mut desk = Desk::open();
    desk.press("");
    desk.wait(400);
    desk.app.update(Message::Key("a".parse().expect("a key")));
    desk.wait(3000);
    desk.wait(3000);
    desk.sees("no answer from the hub");
}

#[test]
fn nothing_is_ordered_while_the_hub_is_silent_or_the_screen_only_reads() {
    let mut stale = Desk::open();
    let now = stale.app.now.after(14_000);
    stale.app.update(Message::Tick(now));
    for key in ["a", "w", "r", "U"] {
        let effects = stale.app.update(Message::Key(key.parse().expect("a key")));
        assert_eq!(effects, []);
    }
    stale
        .sees("STALE 0:14")
        .sees("orders wait until the hub is heard again");
    let mut reads = Desk::open();
    reads.app.me.read_only = true;
    reads.press("a").sees("only reads");
    let mut technician = Desk::open();
    technician.app.me.role = protocol::Role::Technician;
    technician
        .press(": 4 2 enter w")
        .sees("a technician does not rule");
    assert_eq!((reads.orders.len(), technician.orders.len()), (0, 0));
}

#[test]
fn while_stale_every_clock_is_worked_out() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter").sees(" 0:03:42  stopped");
    desk.app.update(Message::Link(Link::Down("cut".to_owned())));
    desk.sees("≈0:03:42  stopped").sees("≈0:11:20  stopped");
}

#[test]
fn a_preview_lost_with_the_line_is_asked_again() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter");
    desk.wait(400);
    let lost = desk.app.update(Message::Key("w".parse().expect("a key")));
    assert_eq!(lost.len(), 1, "the preview that is never answered");
    desk.sees("asking the hub what follows");
    desk.app.update(Message::Link(Link::Down("cut".to_owned())));
    let effects = desk.app.update(Message::Link(Link::Up));
    desk.answer(effects);
    desk.sees("recorded, unconfirmed");
}

#[test]
fn the_hub_says_what_we_are_and_keys_follow() {
    let mut desk = Desk::open();
    let effects = desk.app.update(Message::Link(Link::Down("cut".to_owned())));
    assert_eq!(effects, []);
    let effects = desk.app.update(Message::Link(Link::Up));
    let Some(Effect::Send(order)) = effects.last() else {
        panic!("{effects:?}");
    };
    assert!(order.preview, "nothing is ordered by asking");
    desk.hear(Answer::Refused {
        id: order.id,
        code: "H31".to_owned(),
        why: "a technician may not order this".to_owned(),
        difference: Vec::new(),
    });
    desk.sees("the hub knows you as a technician");
    desk.wait(9000);
    desk.press(": 4 2 enter w")
        .sees("a technician does not rule")
        .sees("technician MK");
    desk.app.update(Message::Heard(Heard::NotAllowed));
    desk.wait(9000);
    desk.press("n").sees("viewer only reads");
}

#[test]
fn a_ruling_of_somebody_else_is_told_in_the_open_dialog_and_no_preview_takes_it_in() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter t + 2 : 0 0").sees("enter give");
    let mut table = desk.app.venue.tables[&protocol::TableId(42)].clone();
    let mut ruling = table.rulings[0].clone();
    ruling.number += 1;
    ruling.by = "JP".to_owned();
    ruling.words = "time: White +2:00, Black +0:00".to_owned();
    table.rulings.push(ruling);
    table.revision += 1;
    let effects = desk
        .app
        .update(Message::Heard(Heard::Table(Box::new(table))));
    assert_eq!(effects, [], "the hub is to see which game was ruled upon");
    desk.sees("Meanwhile JP has ruled: time: White +2:00");
}

/// How many previews a decision asks when a move is made at its table meanwhile.
fn asked_again(scene: &str) -> usize {
    let mut desk = Desk::open();
    desk.press(scene);
    let mut table = desk.app.venue.tables[&TableId(61)].clone();
    let last = table.record.last().expect("moves").clone();
    table.record.push(last);
    table.revision += 1;
    let effects = desk
        .app
        .update(Message::Heard(Heard::Table(Box::new(table))));
    let is_preview = |e: &&Effect| matches!(e, Effect::Send(order) if order.preview);
    effects.iter().filter(is_preview).count()
}

#[test]
fn play_that_goes_on_under_a_decision_asks_it_again_unless_it_ends_the_game() {
    assert_eq!(asked_again(": 6 1 enter t tab + 2 : 0 0"), 1);
    assert_eq!(asked_again(": 6 1 enter X"), 0);
}

#[test]
fn without_a_hub_the_screen_says_why_and_not_that_nobody_needs_you() {
    let down = "nothing listens at hub.local:1883";
    let presence = "zeitnot/v1/venue/hub/presence".to_owned();
    let other = Heard::Unreadable(presence, "P03 version 2 is not known here".to_owned());
    let rows = [
        (vec![], "The line is being opened."),
        (vec![Message::Link(Link::Down(down.to_owned()))], down),
        (vec![Message::Link(Link::Up)], "no hub speaks in this venue"),
        (
            vec![Message::Link(Link::Up), Message::Heard(other)],
            "The hub there speaks otherwise: P03 version 2",
        ),
    ];
    for (messages, want) in rows {
        let mut desk = Desk::open();
        desk.app = example::deaf(&Settings::default());
        for message in messages {
            desk.app.update(message);
        }
        for place in ["1", "2", "3", "4", "5"] {
            let key = place.parse().expect("a key");
            desk.app.update(Message::Key(key));
            desk.sees(want)
                .sees_no("nobody needs you")
                .sees_no("nothing open");
        }
    }
    let mut desk = Desk::open();
    desk.sees_no("The hub has not been heard yet");
    desk.app = example::deaf(&Settings::default());
    desk.wait(400);
    desk.sees("nobody needs you")
        .sees("no tables yet: zeitnot-hub import");
}

#[test]
fn moves_are_read_and_shown_in_the_letters_of_the_arbiter() {
    let settings = Settings {
        notation: "fr".to_owned(),
        ..Settings::default()
    };
    let mut desk = Desk::open();
    desk.app = example::app(&settings);
    desk.press(": 4 2 enter").sees("Cxe7").sees_no("Nxe7");
    desk.sees("7 p f p p[c]p . p 7");
    desk.press("esc : 6 1 enter C tab C f 6 enter");
    let [OrderBody::ClaimDraw { written, .. }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(written.as_deref(), Some("Nf6"));
}
