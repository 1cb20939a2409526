//! Places: screens, filters, selections, earlier rounds, the journal.

use crate::Desk;
use protocol::OrderBody;
use tui::example;
use tui::message::{Heard, Message};
use tui::settings::Settings;

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
fn the_journal_follows_the_newest_until_an_older_line_is_chosen() {
    let mut desk = Desk::open();
    let newer = |desk: &mut Desk, number| {
        let mut line = desk.app.venue.journal.newest_first()[0].clone();
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

fn at(desk: &mut Desk, text: &str) -> (u16, u16) {
    let screen = desk.screen();
    let found = screen.lines().enumerate().find_map(|(y, line)| {
        let cut = line.find(text)?;
        Some((line[..cut].chars().count(), y))
    });
    let (x, y) = found.expect("it stands on the screen");
    (x as u16, y as u16)
}

#[test]
fn the_mouse_selects_scrolls_and_presses_and_is_never_needed() {
    let mut desk = Desk::open();
    let click = |desk: &mut Desk, (x, y)| {
        let effects = desk.app.update(Message::Click(x, y));
        desk.answer(effects);
    };
    let here = at(&mut desk, "042  clocks stopped");
    click(&mut desk, here);
    desk.sees("▸?  ASKED   042");
    let here = at(&mut desk, "2 Alerts");
    click(&mut desk, here);
    desk.sees("Why 088 is here");
    desk.app.update(Message::Wheel(1));
    desk.sees("Why 017 is here");
    let here = at(&mut desk, "n note");
    click(&mut desk, here);
    desk.sees("Note · Table");
    for nowhere in [here, (0, 0), (u16::MAX, u16::MAX)] {
        click(&mut desk, nowhere);
    }
    desk.app.update(Message::Wheel(isize::MIN));
    desk.app.update(Message::Wheel(isize::MAX));
    desk.sees("Note · Table").press("esc");
    assert_eq!(desk.orders, []);
}

#[test]
fn the_inbox_opens_on_something_open() {
    let mut desk = Desk::open();
    desk.press("2 G").sees("Why 012 is here");
    desk.press("1 2").sees_no("Why 012 is here");
    let here = desk.app.lists.alerts.selected().cloned().expect("one");
    assert!(desk.app.venue.alerts[&here].is_open());
}

#[test]
fn a_key_of_one_screen_does_its_work_there_only() {
    let mut desk = Desk::open();
    desk.press("3 j j j j g")
        .sees("PGN · Table 055")
        .sees("kings: proposed, not")
        .press("g")
        .sees_no("PGN ·");
    desk.press("1 G g").sees("▸!! CALL    088");
    desk.press("4 l")
        .sees("newest first · f board")
        .press("esc 4 i");
    desk.sees("a game is in play: lamps blink between games only");
    desk.press("b").sees("‹ Table 071");
    assert_eq!(desk.orders.len(), 1);
    assert!(matches!(
        desk.orders[0],
        protocol::OrderBody::ReadBoard { table } if table.0 == 71
    ));
}

#[test]
fn lamps_blink_between_games_where_there_are_any() {
    let mut desk = Desk::open();
    let mut table = example::table(71);
    table.state = protocol::TableState::Waiting;
    desk.app
        .update(Message::Heard(Heard::Table(Box::new(table.clone()))));
    desk.press("4 i").sees("no lamps whose use is documented");
    table.device_info.as_mut().expect("a board").lamps = true;
    desk.app
        .update(Message::Heard(Heard::Table(Box::new(table))));
    desk.press("i");
    assert!(matches!(
        desk.orders[..],
        [protocol::OrderBody::Blink { .. }]
    ));
}

#[test]
fn an_adjourned_game_is_called_so_everywhere() {
    let mut desk = Desk::open();
    desk.sees_no("adjourned");
    let mut table = example::table(1);
    table.state = protocol::TableState::Adjourned;
    desk.app
        .update(Message::Heard(Heard::Table(Box::new(table))));
    desk.wait(1100);
    desk.sees("001/").sees("/ adjourned").sees("1 adjourned");
    desk.press(": 1 enter").sees("ADJOURNED");
    desk.press(": r o u n d enter").sees("adjourned");
}
