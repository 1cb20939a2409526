//! Stories: keys against the hub of the example, then what stands on the screen and what was ordered.

use protocol::{Answer, Judgement, OrderBody, ResultHow, RulingLine};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::app::App;
use tui::example;
use tui::key::keys;
use tui::message::{Effect, Heard, Link, Message};
use tui::settings::Settings;

struct Desk {
    app: App,
    orders: Vec<OrderBody>,
}

impl Desk {
    fn open() -> Desk {
        let mut app = example::app(&Settings::default());
        app.draw(&mut Buffer::empty(Rect::new(0, 0, 80, 24)));
        Desk {
            app,
            orders: Vec::new(),
        }
    }

    /// Presses keys, 0.4 s each; the hub answers, and what was not a preview is kept.
    fn press(&mut self, text: &str) -> &mut Desk {
        for key in keys(text).expect("keys") {
            self.wait(400);
            let effects = self.app.update(Message::Key(key));
            self.answer(effects);
        }
        self
    }

    fn wait(&mut self, ms: u64) {
        let now = self.app.now.after(ms);
        self.app.update(Message::Tick(now));
        for heard in example::heard().into_iter().take(1) {
            if let Heard::Presence { mut presence, .. } = heard {
                presence.now = now;
                let live = Heard::Presence {
                    presence,
                    live: true,
                };
                self.app.update(Message::Heard(live));
            }
        }
    }

    fn answer(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Send(order) = effect {
                if !order.preview {
                    self.orders.push(order.body.clone());
                }
                self.hear(example::answer(&order));
            }
        }
    }

    fn hear(&mut self, answer: Answer) {
        let effects = self
            .app
            .update(Message::Heard(Heard::Answer(Box::new(answer))));
        self.answer(effects);
    }

    fn screen(&mut self) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        self.app.draw(&mut buffer);
        tui::screenshot::text(&buffer)
    }

    #[track_caller]
    fn sees(&mut self, text: &str) -> &mut Desk {
        let screen = self.screen();
        assert!(
            screen.contains(text),
            "{text:?} is not to be seen:\n{screen}"
        );
        self
    }

    #[track_caller]
    fn sees_no(&mut self, text: &str) -> &mut Desk {
        let screen = self.screen();
        assert!(!screen.contains(text), "{text:?} is to be seen:\n{screen}");
        self
    }
}

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

#[test]
fn time_is_given_and_the_sum_is_shown_before() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter t tab + 2 : 0 0")
        .sees("Set clock White 0:11:20 · Black 0:05:42");
    desk.press("enter");
    let [
        OrderBody::AdjustTime {
            change_ms, article, ..
        },
    ] = &desk.orders[..]
    else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(
        (change_ms.black, change_ms.white, article.as_str()),
        (120_000, 0, "7.5.5")
    );
}

#[test]
fn a_new_clock_is_set_to_whole_times() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter c").sees("6.10.1");
    desk.press("backspace backspace 3 0 enter");
    let [
        OrderBody::AdjustTime {
            change_ms, article, ..
        },
    ] = &desk.orders[..]
    else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(
        (change_ms.white, change_ms.black, article.as_str()),
        (10_000, 0, "6.10.1")
    );
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
fn the_last_ruling_that_can_be_undone_is_found_on_the_table() {
    let mut desk = Desk::open();
    desk.app.venue.journal.clear();
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
fn an_earlier_round_is_looked_at_and_its_ruling_taken_back() {
    let mut desk = Desk::open();
    desk.press(": r o u n d space 4 enter")
        .sees("Round 4, over")
        .sees("U takes the last ruling");
    desk.press("w").sees("this round is over");
    desk.press("U")
        .sees("no. 31001 of the journal")
        .press("enter");
    let [OrderBody::Counter { ruling }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(*ruling, 31_001);
    desk.press("]")
        .sees("Round 5")
        .press("[")
        .sees("Round 4, over");
    desk.press(": r o u n d space 9 enter")
        .sees("this is round 5; known: 4");
}

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
fn the_journal_follows_the_newest_until_an_older_line_is_chosen() {
    let mut desk = Desk::open();
    let newer = |desk: &mut Desk, number| {
        let mut line = desk.app.venue.journal.back().expect("lines").clone();
        line.number = number;
        desk.app
            .update(Message::Heard(Heard::Journal(Box::new(line))));
    };
    desk.press("5");
    newer(&mut desk, 50_000);
    assert!(
        desk.screen()
            .lines()
            .nth(3)
            .is_some_and(|l| l.starts_with('▸') && l.contains("#50000"))
    );
    desk.press("j");
    newer(&mut desk, 50_001);
    assert!(
        desk.screen()
            .lines()
            .nth(5)
            .is_some_and(|l| l.starts_with('▸')),
        "{}",
        desk.screen()
    );
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
fn a_ruling_is_taken_back_by_another_one() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter U")
        .sees("no. 41002 of the journal")
        .sees("Black 0:03:42 − 2:00 = 0:01:42");
    desk.press("enter");
    assert_eq!(desk.orders, [OrderBody::Counter { ruling: 41_002 }]);
}

#[test]
fn the_selection_stays_on_its_table_when_a_new_call_comes() {
    let mut desk = Desk::open();
    desk.press("j j");
    let mut alert = desk.app.venue.alerts["17-fivefold-1"].clone();
    alert.id = "5-flag-fallen-1".to_owned();
    alert.table = Some(protocol::TableId(5));
    alert.since = example::NOW.shifted(-500_000);
    desk.app
        .update(Message::Heard(Heard::Alert(Box::new(alert))));
    desk.sees("▸?  ASKED   042");
    let screen = desk.screen();
    let row = |text: &str| screen.lines().position(|l| l.contains(text));
    assert!(
        row("CALL    005") > row("TECH    071"),
        "nothing moves in the first second:\n{screen}"
    );
    desk.wait(1100);
    let screen = desk.screen();
    let row = |text: &str| screen.lines().position(|l| l.contains(text));
    assert!(row("CALL    005") < row("CALL    088"), "{screen}");
    desk.sees("▸?  ASKED   042");
}

#[test]
fn the_last_place_the_filter_and_escape() {
    let mut desk = Desk::open();
    desk.press(": 4 2 enter").sees("‹ Table 042");
    desk.press("-").sees("Needs you");
    desk.press("-").sees("‹ Table 042");
    desk.press("]").sees("‹ Table 043");
    desk.press("[ [").sees("‹ Table 041");
    desk.press("1 / o k a f o r enter")
        .sees("/okafor")
        .sees("Hall 10 of 99");
    desk.press("esc").sees_no("/okafor");
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
        .press("3 enter");
    assert!(matches!(
        &desk.orders[..],
        [OrderBody::Bind { device: None, .. }]
    ));
}

#[test]
fn with_nobody_in_need_the_keys_are_for_the_hall_and_stay_there() {
    let mut desk = Desk::open();
    let alert = desk.app.venue.alerts["17-fivefold-1"].clone();
    desk.app.venue.alerts.clear();
    desk.wait(1100);
    desk.sees("nobody needs you").press("right").sees("▸002");
    desk.app
        .update(Message::Heard(Heard::Alert(Box::new(alert))));
    desk.wait(1100);
    desk.press("enter").sees("‹ Table 002");
}

#[test]
fn keys_help_and_headings_speak_french() {
    let settings = Settings {
        language: "fr".to_owned(),
        ..Settings::default()
    };
    let mut desk = Desk {
        app: example::app(&settings),
        orders: Vec::new(),
    };
    desk.screen();
    desk.sees("A besoin de vous")
        .sees("a prendre")
        .sees("2 Alertes 6")
        .press("3")
        .sees("Pour clore la ronde")
        .press("1 ?")
        .sees("Aide pour ici")
        .sees("prendre l'alerte : j'y vais")
        .sees("page murale");
    desk.press("esc ?").press("?").sees("Toutes les touches");
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
