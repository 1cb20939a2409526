//! Decisions: what their dialogs show, what is ordered, what is refused.

use crate::Desk;
use protocol::{Answer, Judgement, OrderBody, ResultHow, RulingLine};
use tui::message::{Effect, Heard, Message};

#[test]
fn a_second_illegal_move_is_ruled_with_the_table_number() {
    let mut desk = Desk::open();
    desk.press("! enter r").sees("Illegal move · Table 088");
    desk.sees("second completed illegal move of White: lost");
    desk.press("enter").sees("type the table number");
    assert_eq!(desk.orders, []);
    desk.press("0 8 7 enter").sees("type 088");
    desk.press("backspace 8").sees("enter give");
    desk.press("enter")
        .sees_no("Illegal move ·")
        .sees("written down as no. 41420");
    let [
        OrderBody::IllegalMove {
            judgement, table, ..
        },
    ] = &desk.orders[..]
    else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!((*judgement, table.0), (Judgement::Second, 88));
}

#[test]
fn a_choice_by_number_leads_to_the_number_of_the_table() {
    let mut desk = Desk::open();
    desk.press(": 8 8 enter r 1")
        .sees("two minutes more for Black");
    desk.press("2 8 8 enter");
    assert_eq!(desk.orders.len(), 1);
}

#[test]
fn another_judgement_is_one_key_away_and_needs_no_number() {
    let mut desk = Desk::open();
    desk.press(": 8 8 enter r 3")
        .sees("nothing is counted")
        .press("enter");
    let [OrderBody::IllegalMove { judgement, .. }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(*judgement, Judgement::NoIllegalMove);
}

#[test]
fn a_key_meant_for_the_list_rules_nothing() {
    let mut desk = Desk::open();
    desk.press(": 6 1 enter");
    desk.wait(400);
    let effects = desk.app.update(Message::Key("n".parse().expect("a key")));
    desk.answer(effects);
    let early = desk.app.update(Message::Key("x".parse().expect("a key")));
    desk.answer(early);
    desk.press("o k").sees("Note      ok_").press("enter");
    assert_eq!(desk.orders.len(), 1);
}

/// The one order given: milliseconds for White and Black, and the article.
fn time_given(desk: &Desk) -> (i64, i64, &str) {
    let [
        OrderBody::AdjustTime {
            change_ms, article, ..
        },
    ] = &desk.orders[..]
    else {
        panic!("{:?}", desk.orders);
    };
    (change_ms.white, change_ms.black, article)
}

#[test]
fn time_is_given_and_the_sum_is_shown_before() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter t tab + 2 : 0 0")
        .sees("Set clock White 0:11:20 · Black 0:05:42");
    desk.press("enter");
    assert_eq!(time_given(&desk), (0, 120_000, "7.5.5"));
}

#[test]
fn a_new_clock_is_set_to_whole_times() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter c 2").sees("6.10.1");
    desk.press("tab backspace backspace 3 0 enter");
    // From what was worked out, 0:13:18 and 0:10:48, White's is made 0:13:30.
    assert_eq!(time_given(&desk), (130_000, 426_000, "6.10.1"));
}

#[test]
fn a_command_fills_the_dialog_in() {
    let mut desk = Desk::open();
    let command = "result 55 draw agreed";
    desk.press(":");
    for c in command.chars() {
        let key = if c == ' ' {
            "space".to_owned()
        } else {
            c.to_string()
        };
        desk.press(&key);
    }
    desk.press("enter")
        .sees("Result · Table 055")
        .press("enter");
    let [OrderBody::Result { how, confirm, .. }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!((*how, *confirm), (ResultHow::Agreed, false));
}

#[test]
fn a_refused_order_comes_back_into_its_dialog_with_the_difference() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter n h i");
    desk.wait(400);
    let effects = desk
        .app
        .update(Message::Key("enter".parse().expect("a key")));
    let Some(Effect::Send(order)) = effects.first() else {
        panic!("{effects:?}");
    };
    desk.hear(Answer::Refused {
        id: order.id,
        code: "H30".to_owned(),
        why: "the game has moved on".to_owned(),
        difference: vec!["JP has recorded ½–½".to_owned()],
    });
    desk.sees("Not done: the game has moved on")
        .sees("JP has recorded")
        .sees("hi_");
}

#[test]
fn the_last_ruling_that_can_be_undone_is_found_on_the_table() {
    let mut desk = Desk::open();
    desk.app.venue.journal = Default::default();
    let mut table = desk.app.venue.tables[&protocol::TableId(42)].clone();
    let first = table.rulings[0].clone();
    let rows = [
        (1354, true, false),
        (1360, false, false),
        (1371, true, true),
    ];
    table.rulings = rows
        .map(|(number, undoable, countered)| RulingLine {
            number,
            undoable,
            countered,
            ..first.clone()
        })
        .to_vec();
    desk.app
        .update(Message::Heard(Heard::Table(Box::new(table))));
    desk.press(": 4 2 enter U").sees("no. 1354 of the journal");
}

#[test]
fn a_wrong_table_number_is_said() {
    let mut desk = Desk::open();
    desk.press("! enter r enter 0 8 7")
        .sees("087 is not this table: type 088");
    desk.press("backspace 8").sees("enter give");
}

#[test]
fn a_ruling_is_taken_back_by_another_one() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter U")
        .sees("no. 41002 of the journal")
        .sees("Black 0:03:42 − 2:00 = 0:01:42");
    desk.press("enter");
    assert_eq!(desk.orders, [OrderBody::Counter { ruling: 41_002 }]);
}

#[test]
fn a_board_without_a_table_is_given_one() {
    let mut desk = Desk::open();
    let mut alert = desk.app.venue.alerts["71-board-silent-1"].clone();
    alert.id = "dgt-24302-device-unknown-1".to_owned();
    alert.code = "device-unknown".to_owned();
    alert.table = None;
    alert.headline = "board dgt-24302 belongs to no table".to_owned();
    desk.app.venue.alerts.clear();
    desk.app
        .update(Message::Heard(Heard::Alert(Box::new(alert))));
    desk.wait(1100);
    desk.press("r")
        .sees("[2 dgt-24302]")
        .sees("write the number of the table");
    desk.press("4 6").sees("enter give").press("enter");
    let [
        OrderBody::Bind {
            table,
            device: Some(device),
        },
    ] = &desk.orders[..]
    else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!((table.0, device.as_str()), (46, "dgt-24302"));
}

#[test]
fn a_table_loses_its_board_when_none_is_chosen() {
    let mut desk = Desk::open();
    desk.press(": 4 6 enter B")
        .sees("There now")
        .press("4 enter");
    assert!(matches!(
        &desk.orders[..],
        [OrderBody::Bind { device: None, .. }]
    ));
}

#[test]
fn results_of_all_marked_tables_are_confirmed_one_after_the_other() {
    let mut desk = Desk::open();
    for table in [42_u16, 63] {
        let mut proposed = desk.app.venue.tables[&protocol::TableId(table)].clone();
        proposed.standing = Some(protocol::Standing {
            result: protocol::GameResult::Draw,
            how: ResultHow::KingsSign,
            state: protocol::ResultState::Proposed,
        });
        desk.app
            .update(Message::Heard(Heard::Table(Box::new(proposed))));
    }
    desk.press("2 j j space j space").press("v");
    desk.sees("Table 042").press("0 4 2 enter");
    desk.sees("Table 063").press("0 6 3 enter");
    let tables: Vec<u16> = desk
        .orders
        .iter()
        .filter_map(|order| match order {
            OrderBody::Confirm { table } => Some(table.0),
            _ => None,
        })
        .collect();
    assert_eq!(tables, [42, 63]);
}

#[test]
fn the_round_is_started_by_name() {
    let mut desk = Desk::open();
    desk.press(": s t a r t - r o u n d enter")
        .sees("Start of round 5")
        .press("enter");
    assert!(matches!(
        desk.orders[..],
        [OrderBody::StartRound { round: 5 }]
    ));
}

#[test]
fn one_dialog_is_about_one_incident_and_keys_choose_which() {
    let mut desk = Desk::open();
    tui::example::stage("table-two-alerts", &mut desk.app);
    let illegal = desk.app.venue.alerts.get_mut("88-illegal-move-1");
    let illegal = illegal.expect("there");
    (illegal.side, illegal.ply) = (Some(protocol::Side::White), Some(23));
    desk.press(": 8 8 enter").sees("(1 of 2, down next)");
    desk.press("r")
        .sees("Illegal move · Table 088")
        .sees("12. Qxb5")
        .sees("Not this")
        .press("esc down")
        .sees("clocks stopped, ")
        .sees("(2 of 2, down next)")
        .press("r")
        .sees_no("Illegal move ·")
        .sees("Claim · Table 088");
    desk.press("esc down r 1 enter");
    let [OrderBody::IllegalMove { incident, .. }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    let incident = incident.as_ref().expect("that of the alert");
    assert_eq!((&*incident.code, incident.ply), ("illegal-move", 23));
}

#[test]
fn another_penalty_leads_from_the_illegal_move_to_conduct() {
    let mut desk = Desk::open();
    desk.press(": 8 8 enter r 6")
        .sees("enter opens the penalties")
        .press("enter")
        .sees("Conduct · Table 088");
    assert_eq!(desk.orders, []);
}

#[test]
fn v_records_a_result_and_confirms_it() {
    let mut desk = Desk::open();
    desk.press(": 5 5 enter w v")
        .sees("type the table number 055");
    desk.press("0 5 5 enter");
    let [OrderBody::Result { confirm, .. }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert!(confirm);
}

#[test]
fn with_every_result_there_the_chief_publishes() {
    let mut desk = Desk::open();
    let all = tui::example::table(11).standing;
    for line in &mut desk.app.venue.round.tables {
        line.standing = all;
    }
    desk.press("3 P")
        .sees("the chief arbiter publishes them")
        .sees_no("Close round 5");
    desk.app.me.role = protocol::Role::Chief;
    desk.press("P").sees("Close round 5 and publish");
}

#[test]
fn a_card_with_the_times_is_written_for_the_table() {
    let mut desk = Desk::open();
    desk.press(": 3 3 enter c");
    desk.wait(400);
    let key = tui::key::Key::char('p');
    let effects = desk.app.update(Message::Key(key));
    let [Effect::Write(name, text)] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(name, "clock-card-033.txt");
    for line in [
        "Replace the chessclock · Table 033",
        "between 0:13:06 and 0:14:11",
        "White 0:13:18, Black 0:10:48",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    desk.sees("Replace the chessclock");
}

#[test]
fn a_ruling_that_changes_while_it_is_read_is_asked_again() {
    let mut desk = Desk::open();
    desk.press("! enter r enter 0 8").sees("Then");
    let mut table = example_table(&desk, 88);
    table.revision += 1;
    let effects = desk
        .app
        .update(Message::Heard(Heard::Table(Box::new(table))));
    let Some(Effect::Send(order)) = effects.first() else {
        panic!("{effects:?}");
    };
    let Answer::Preview { id, basis, preview } = tui::example::answer(order) else {
        panic!("a preview");
    };
    let preview = protocol::Preview {
        then: vec!["result 1/2-1/2; both clocks stay stopped".to_owned()],
        ..preview
    };
    desk.hear(Answer::Preview { id, basis, preview });
    desk.sees("The ruling has changed since it was opened")
        .sees("enter asks again");
    // What was being typed answers the old text, and so does the first enter.
    desk.press("8 enter");
    assert_eq!(desk.orders, []);
    desk.sees_no("has changed").press("enter");
    assert_eq!(desk.orders, []);
    desk.press("0 8 8 enter");
    assert_eq!(desk.orders.len(), 1);
}

fn example_table(desk: &Desk, number: u16) -> protocol::DeskTable {
    desk.app.venue.tables[&protocol::TableId(number)].clone()
}

#[test]
fn how_a_game_ended_follows_its_result() {
    use protocol::GameResult::{BlackWins, Draw, WhiteWins};
    let rows = [
        ("w 1 enter", WhiteWins, ResultHow::Resigned),
        ("w 2 enter", BlackWins, ResultHow::Resigned),
        ("w 1 3 enter", Draw, ResultHow::Agreed),
        ("w 3 enter", Draw, ResultHow::Agreed),
        (
            ": r e s u l t space 4 2 space 1 - 0 enter enter",
            WhiteWins,
            ResultHow::Resigned,
        ),
    ];
    for (keys, wanted, way) in rows {
        let mut desk = Desk::open();
        desk.press(": 4 2 enter").press(keys);
        let [OrderBody::Result { result, how, .. }] = &desk.orders[..] else {
            panic!("{keys} {:?}", desk.orders);
        };
        assert_eq!((*result, *how), (wanted, way), "{keys}");
    }
}

#[test]
fn a_result_and_a_way_that_do_not_go_together_are_no_order() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter w 1 tab left")
        .press("left enter")
        .sees("does not end so");
    assert_eq!(desk.orders, []);
}

#[test]
fn a_table_keeps_its_board_until_another_one_is_chosen() {
    let mut desk = Desk::open();
    desk.press(": 4 6 enter B")
        .sees("leave it as it is")
        .press("enter")
        .sees("the table keeps its board");
    assert_eq!(desk.orders, []);
}
