//! Alerts: taken, given back, closed, and where the cursor stands.

use crate::Desk;
use protocol::OrderBody;
use tui::message::{Heard, Message};

#[test]
fn an_alert_without_a_ruling_is_closed_with_what_was_done() {
    let mut desk = Desk::open();
    desk.press("2 j j j r")
        .sees("Close the alert · Table 009")
        .press("s p o k e n enter");
    let [OrderBody::Dismiss { alert }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(alert, "9-move-without-press-1");
}

#[test]
fn the_cursor_leaves_an_alert_that_was_closed() {
    let mut desk = Desk::open();
    desk.press("2 j");
    let id = desk.app.lists.alerts.selected().cloned().expect("one");
    let mut alert = desk.app.venue.alerts[&id].clone();
    alert.life = protocol::AlertLife::Closed {
        why: "ruled".to_owned(),
        by: Some("MK".to_owned()),
        at: desk.app.hub_now(),
    };
    desk.app
        .update(Message::Heard(Heard::Alert(Box::new(alert))));
    desk.screen();
    let here = desk.app.lists.alerts.selected().cloned().expect("one");
    assert_ne!(here, id);
    assert!(desk.app.venue.alerts[&here].is_open());
}

#[test]
fn take_give_back_take_over_and_their_reasons() {
    let mut desk = Desk::open();
    desk.press("a");
    assert!(matches!(desk.orders[..], [OrderBody::Take { .. }]));
    desk.press("j j a").sees("JP has taken it: A takes over");
    desk.press("A");
    assert!(matches!(desk.orders[..], [_, OrderBody::Take { .. }]));
    desk.press("k A").sees("nobody has taken it");
    desk.press("x").sees("a CALL cannot be snoozed");
}

#[test]
fn several_are_taken_at_once() {
    let mut desk = Desk::open();
    desk.press("space space a");
    let taken: Vec<&str> = desk
        .orders
        .iter()
        .map(|o| match o {
            OrderBody::Take { alert, .. } => alert.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(taken, ["17-fivefold-1", "88-illegal-move-1"]);
}

#[test]
fn a_call_outside_the_sector_shows_itself_after_a_minute() {
    let mut desk = Desk::open();
    desk.app.sector = tui::filter::Sector::new("rows A-D");
    desk.wait(1100);
    desk.sees_no("088  illegal").sees("042  clocks stopped");
    desk.wait(1100);
    let later = desk.app.now.after(20_000);
    desk.app.update(Message::Tick(later));
    desk.sees("088  illegal");
}
