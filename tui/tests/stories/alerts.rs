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
    desk.app.sector = tui::filter::Sector::new("rows A-D").expect("rows");
    desk.wait(1100);
    desk.sees_no("088  illegal").sees("042  clocks stopped");
    desk.wait(1100);
    let later = desk.app.now.after(20_000);
    desk.app.update(Message::Tick(later));
    desk.sees("088  illegal");
}

fn joined() -> Desk {
    let mut desk = Desk::open();
    tui::example::stage("tables-joined", &mut desk.app);
    desk.wait(2000);
    desk
}

#[test]
fn alerts_of_one_cause_are_one_line_and_are_answered_together() {
    let mut desk = joined();
    desk.sees("row E: 8 of 11 boards silent")
        .sees("14 open")
        .sees_no("048  board silent");
    desk.press("j j j j j a");
    assert_eq!(desk.orders.len(), 8, "{:?}", desk.orders);
    desk.press("x").sees("For all").press("1 enter");
    let snoozed = |o: &&OrderBody| matches!(o, OrderBody::Snooze { .. });
    assert_eq!(desk.orders.iter().filter(snoozed).count(), 8);
    desk.press("e").sees("048  board silent");
}

#[test]
fn two_matters_of_one_table_are_two_lines_and_every_table_is_counted_once() {
    let mut desk = joined();
    let mut round = desk.app.venue.round.clone();
    let mut again = desk.app.venue.alerts["47-board-silent-1"].clone();
    again.id = "47-board-silent-2".to_owned();
    let mut hear = |alerts: &[&str], desk: &mut Desk| {
        round.groups[0].alerts = alerts.iter().map(|id| (*id).to_owned()).collect();
        let round = Heard::Round(Box::new(round.clone()));
        desk.app
            .update(Message::Heard(Heard::Alert(Box::new(again.clone()))));
        desk.app.update(Message::Heard(round));
        desk.wait(2000);
    };
    hear(&["47-board-silent-1", "47-board-silent-2"], &mut desk);
    desk.press("2").sees_no("boards silent");
    let three = [
        "47-board-silent-1",
        "47-board-silent-2",
        "48-board-silent-1",
    ];
    hear(&three, &mut desk);
    desk.sees("row E: 2 of 11 boards silent");
}

#[test]
fn what_one_arbiter_has_taken_of_a_cause_is_a_line_of_its_own() {
    let mut desk = joined();
    for table in [47, 48] {
        let mut alert = desk.app.venue.alerts[&format!("{table}-board-silent-1")].clone();
        alert.life = protocol::AlertLife::Taken {
            by: "JP".to_owned(),
            at: desk.app.hub_now(),
        };
        desk.app
            .update(Message::Heard(Heard::Alert(Box::new(alert))));
    }
    desk.wait(2000);
    desk.sees("row E: 6 of 11 boards silent")
        .sees("row E: 2 of 11 boards silent");
}

#[test]
fn an_alert_of_another_sector_is_taken_over_only() {
    let mut desk = Desk::open();
    desk.app.sector = tui::filter::Sector::new("rows A-D").expect("rows");
    desk.wait(1100);
    desk.press(": 8 8 enter a")
        .sees("not the arbiter of this sector: A takes over");
    assert_eq!(desk.orders, []);
    desk.press("A");
    assert!(matches!(
        desk.orders[..],
        [OrderBody::Take { over: true, .. }]
    ));
}

#[test]
fn a_silent_matter_stands_by_how_soon_it_may_turn_into_a_call() {
    let mut desk = Desk::open();
    let soon = |desk: &mut Desk, repetitions| {
        let mut table = tui::example::table(63);
        table.repetitions = repetitions;
        let heard = Heard::Table(Box::new(table));
        desk.app.update(Message::Heard(heard));
        desk.wait(2000);
        let screen = desk.screen();
        screen.find("063  threefold") < screen.find("009  move made")
    };
    assert!(!soon(&mut desk, 1), "many moves away from the fifth time");
    assert!(soon(&mut desk, 5), "the next one is the fifth");
}

#[test]
fn boards_of_no_table_are_counted_against_nothing() {
    let mut desk = joined();
    let round = desk.app.venue.round.clone();
    for id in &round.groups[0].alerts {
        let alert = desk.app.venue.alerts.get_mut(id).expect("of the group");
        (alert.code, alert.table) = ("device-unknown".to_owned(), None);
    }
    desk.app
        .update(Message::Heard(Heard::Round(Box::new(round))));
    desk.wait(2000);
    desk.sees("8 boards that belong to no table")
        .sees_no("8 of ");
    desk.press("2 j j j j j")
        .sees("what you do here you do for all 8;")
        .sees_no("tables ;");
}
