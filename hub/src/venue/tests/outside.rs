//! Those outside the hall: later, whole, never more than the hall saw one delay ago; kept back on order; the same after a restart.

use std::collections::BTreeMap;

use proptest::prelude::*;
use protocol::{
    Answer, GameResult, HallBoard, HallState, OrderBody, ResultHow, Side, TableId, Timestamp, Topic,
};

use super::hall::{Hall, NOON, config, round};
use super::properties::{run_as, step};
use crate::venue::{EventBody, Input, Venue, VenueConfig};
use crate::views::Audience;

const MINUTE: u64 = 60_000;

fn watched(audiences: Vec<Audience>) -> VenueConfig {
    VenueConfig {
        audiences,
        ..config()
    }
}

fn web() -> Vec<Audience> {
    vec![Audience::world("web", MINUTE)]
}

fn hall_with(audiences: Vec<Audience>) -> Hall {
    let mut hall = Hall::empty(watched(audiences));
    hall.input(Input::Round(round(1, "5400+30")));
    hall
}

fn outside(hall: &Hall) -> HallBoard {
    seen(hall, "web", 1).expect("a board")
}

fn seen(hall: &Hall, audience: &str, table: u16) -> Option<HallBoard> {
    let topic = Topic::WorldBoard(audience.to_owned(), TableId(table));
    let text = hall.text(&topic)?;
    Some(protocol::decode(text.as_bytes()).expect("a board"))
}

fn sans(board: &HallBoard) -> Vec<&str> {
    board.moves.iter().map(|m| m.san.as_str()).collect()
}

fn resigned() -> OrderBody {
    OrderBody::Result {
        table: TableId(1),
        result: GameResult::WhiteWins,
        how: ResultHow::Resigned,
        confirm: true,
        signed: protocol::BySide::default(),
    }
}

#[test]
fn moves_clocks_and_result_come_together_after_the_delay() {
    let mut hall = hall_with(web());
    assert_eq!(
        outside(&hall).players.white.name,
        "White 1",
        "the pairing is no secret"
    );
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    hall.order(resigned());
    let before = outside(&hall);
    assert_eq!(
        (before.moves.len(), before.clock, before.result),
        (0, None, None)
    );
    assert_eq!(before.state, HallState::Waiting);
    hall.pass(MINUTE - 1_000);
    assert_eq!(sans(&outside(&hall)), ["e4"], "made a second before");
    assert_eq!(
        outside(&hall).clock.map(|c| c.at),
        Some(NOON.after(MINUTE)),
        "the clock is as late as the move"
    );
    assert_eq!(outside(&hall).result, None);
    hall.pass(2_000);
    let after = outside(&hall);
    assert_eq!(
        (sans(&after), after.result),
        (vec!["e4", "e5"], Some(GameResult::WhiteWins))
    );
}

#[test]
fn a_correction_is_as_late_as_what_it_corrects() {
    let mut hall = hall_with(web());
    hall.play(1, &["e2e4", "e7e5"]);
    hall.pass(30_000);
    hall.order(OrderBody::Strike {
        table: TableId(1),
        from_ply: 2,
    });
    assert_eq!(sans(&hall.board(1)), ["e4"]);
    hall.pass(30_000);
    assert_eq!(
        sans(&outside(&hall)),
        ["e4", "e5"],
        "the world still sees what the hall saw a minute ago"
    );
    hall.pass(30_000);
    assert_eq!(sans(&outside(&hall)), ["e4"]);
}

#[test]
fn a_new_round_does_not_take_the_end_of_the_last_one_away() {
    let mut hall = hall_with(web());
    hall.play(1, &["e2e4"]);
    hall.order(resigned());
    let mut next = round(1, "5400+30");
    next.round = 6;
    hall.input(Input::Round(next));
    assert_eq!((hall.board(1).round, outside(&hall).round), (6, 5));
    hall.pass(MINUTE);
    assert_eq!(outside(&hall).round, 6);
    hall.input(Input::Round(crate::rounds::RoundSetup {
        round: 7,
        ..round(0, "5400+30")
    }));
    assert_eq!(outside(&hall).round, 6, "the table has gone inside");
    hall.pass(MINUTE);
    assert_eq!(seen(&hall, "web", 1), None);
}

#[test]
fn a_board_that_time_alone_brings_is_newer_than_the_one_before() {
    let mut hall = hall_with(web());
    hall.play(1, &["e2e4"]);
    hall.pass(5_000);
    hall.play(1, &["e7e5"]);
    let mut seen = vec![(0, outside(&hall).revision)];
    for _ in 0..70 {
        hall.pass(1_000);
        let board = outside(&hall);
        if seen
            .last()
            .is_some_and(|(moves, _)| *moves != board.moves.len())
        {
            seen.push((board.moves.len(), board.revision));
        }
    }
    assert_eq!(seen.iter().map(|s| s.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(seen.is_sorted_by(|a, b| a.1 < b.1), "{seen:?}");
}

#[test]
fn two_moves_stay_hidden_until_the_game_is_over() {
    let mut hall = hall_with(vec![Audience::world("web", 0).behind(2)]);
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
    hall.a_moment();
    let board = outside(&hall);
    assert_eq!(sans(&board), ["e4"]);
    assert_eq!(board.turn, Side::Black);
    assert!(
        board.clock.is_none_or(|c| c.running.is_none()),
        "no clock tells of hidden moves"
    );
    hall.order(resigned());
    assert_eq!(outside(&hall).moves.len(), 5);
}

#[test]
fn a_game_under_review_is_kept_back_from_outside_alone() {
    let mut hall = hall_with(vec![
        Audience::world("web", MINUTE),
        Audience::world("press", 0),
    ]);
    hall.play(1, &["e2e4"]);
    let hold = |hold| OrderBody::Hold {
        table: TableId(1),
        hold,
    };
    assert!(
        matches!(hall.order(hold(false)), Answer::Refused { .. }),
        "it is not held"
    );
    assert!(matches!(hall.order(hold(true)), Answer::Done { .. }));
    hall.play(1, &["e7e5"]);
    hall.pass(3 * MINUTE);
    let moves = |hall: &Hall, who| seen(hall, who, 1).expect("shown").moves.len();
    assert_eq!(hall.board(1).moves.len(), 2, "the hall sees it");
    assert_eq!((moves(&hall, "web"), moves(&hall, "press")), (0, 1));
    let text = hall
        .text(&Topic::WorldBoard("web".to_owned(), TableId(1)))
        .expect("a board");
    assert!(
        !text.contains("held") && !text.contains("hold"),
        "nobody is told why"
    );
    hall.order(hold(false));
    assert_eq!((moves(&hall, "web"), moves(&hall, "press")), (2, 2));
}

fn hold(table: u16, hold: bool) -> OrderBody {
    let table = TableId(table);
    OrderBody::Hold { table, hold }
}

fn open(hall: &mut Hall, number: u16, tables: &[u16]) {
    let mut next = round(9, "5400+30");
    next.round = number;
    next.tables.retain(|t| tables.contains(&t.table.0));
    hall.input(Input::Round(next));
}

/// The hub starts again with a delay of five minutes.
fn delayed_longer(hall: &mut Hall) {
    let last = hall.venue.config.audiences.remove(0);
    let longer = Audience::world("web", 5 * MINUTE).after(&last, hall.now);
    hall.venue.config.audiences.push(longer);
    hall.channels.clear();
    hall.venue.shown = Default::default();
    let outputs = hall.venue.resume(hall.now);
    hall.carry_out(outputs);
}

#[test]
fn a_longer_delay_takes_nothing_back() {
    let mut hall = hall_with(web());
    hall.play(1, &["e2e4"]);
    hall.pass(MINUTE);
    hall.play(1, &["e7e5"]);
    hall.pass(30_000);
    assert_eq!(hall.has("web"), [(5, 1, 1)]);
    delayed_longer(&mut hall);
    assert_eq!(hall.has("web"), [(5, 1, 1)], "what was seen stays");
    hall.pass(4 * MINUTE);
    assert_eq!(
        hall.has("web"),
        [(5, 1, 1)],
        "and more comes by the new delay"
    );
    hall.pass(MINUTE);
    assert_eq!(hall.has("web"), [(5, 1, 2)]);

    // A game that is kept back is as it was, by the delay that held then.
    let mut hall = hall_with(web());
    hall.play(1, &["e2e4"]);
    hall.pass(MINUTE);
    hall.play(1, &["e7e5"]);
    hall.order(hold(1, true));
    hall.pass(3 * MINUTE);
    delayed_longer(&mut hall);
    hall.pass(30 * MINUTE);
    assert_eq!(hall.has("web"), [(5, 1, 1)]);
}

#[test]
fn the_pairings_of_a_round_come_together() {
    let mut hall = Hall::empty(watched(web()));
    open(&mut hall, 5, &[2, 3]);
    hall.play(2, &["e2e4"]);
    hall.play(3, &["d2d4"]);
    hall.pass(MINUTE - 5_000);
    open(&mut hall, 6, &[1, 2, 3, 4]);
    let before = [(5, 2, 0), (5, 3, 0)];
    assert_eq!(hall.has("web"), before, "nothing of the next round");
    hall.pass(10_000);
    let ended = [(5, 2, 1), (5, 3, 1)];
    assert_eq!(hall.has("web"), ended, "the last moves come still");
    hall.restart();
    assert_eq!(hall.has("web"), ended, "after a restart as before");
    hall.pass(MINUTE);
    let next = [(6, 1, 0), (6, 2, 0), (6, 3, 0), (6, 4, 0)];
    assert_eq!(hall.has("web"), [&ended[..], &next].concat());
}

#[test]
fn what_is_kept_back_leaves_the_house_by_no_feed() {
    let mut hall = Hall::empty(VenueConfig {
        house: true,
        ..config()
    });
    open(&mut hall, 5, &[1, 2]);
    hall.play(1, &["e2e4"]);
    hall.order(hold(1, true));
    hall.pass(1_000);
    hall.play(1, &["e7e5"]);
    hall.play(2, &["d2d4", "d7d5"]);
    let house = Audience::house().name;
    let kept = [(5, 1, 1), (5, 2, 2)];
    assert_eq!(hall.has(&house), kept);
    assert_eq!(hall.has("hall"), [(5, 1, 2), (5, 2, 2)]);
    assert!(
        !hall.retained.keys().any(|topic| topic.contains("/world/")),
        "it stands in no topic"
    );
    hall.restart();
    assert_eq!(hall.has(&house), kept, "after a restart as before");
    open(&mut hall, 6, &[1]);
    hall.play(1, &["c2c4"]);
    let later = [(5, 1, 1), (5, 2, 2), (6, 1, 1)];
    assert_eq!(hall.has(&house), later, "the next game is another one");
    hall.restart();
    assert_eq!(hall.has(&house), later);
    hall.order(hold(1, false));
    assert_eq!(hall.has(&house), [(5, 1, 2), (5, 2, 2), (6, 1, 1)]);
    open(&mut hall, 7, &[]);
    assert_eq!(hall.has(&house).last(), Some(&(6, 1, 1)));
}

fn earlier(hall: &Hall, audience: &str) -> Option<usize> {
    let game = (audience.to_owned(), 5, TableId(1));
    hall.past.get(&game).map(|board| board.moves.len())
}

#[test]
fn the_next_round_does_not_show_what_is_kept_back() {
    let mut hall = hall_with(vec![
        Audience::world("web", MINUTE),
        Audience::world("press", 0),
    ]);
    hall.play(1, &["e2e4"]);
    hall.pass(MINUTE);
    hall.play(1, &["e7e5"]);
    let hold = |hold| OrderBody::Hold {
        table: TableId(1),
        hold,
    };
    hall.order(hold(true));
    hall.play(1, &["g1f3"]);
    hall.order(resigned());
    hall.pass(10 * MINUTE);
    let open = |hall: &mut Hall, number, tables| {
        let mut next = round(tables, "5400+30");
        next.round = number;
        hall.input(Input::Round(next));
    };
    open(&mut hall, 6, 1);
    let sight = |hall: &Hall, who| seen(hall, who, 1).map(|b| (b.round, b.moves.len(), b.result));
    assert_eq!(sight(&hall, "web"), Some((5, 1, None)), "as it was held");
    assert_eq!(hall.round_shown().kept_back, [(5, TableId(1))]);
    assert_eq!(sight(&hall, "press"), Some((6, 0, None)), "the next game");
    hall.pass(MINUTE - 1_000);
    assert_eq!(sight(&hall, "web"), Some((5, 1, None)));
    hall.pass(1_000);
    assert_eq!(sight(&hall, "web"), Some((6, 0, None)));
    assert!(
        matches!(hall.order(hold(true)), Answer::Done { .. }),
        "the game that is played there now is another one"
    );
    let both = [(5, TableId(1)), (6, TableId(1))];
    assert_eq!(hall.round_shown().kept_back, both);
    assert_eq!(hall.venue.kept_back(), both);
    hall.order(hold(false));
    assert_eq!(hall.round_shown().kept_back, [(5, TableId(1))]);
    hall.play(1, &["d2d4"]);
    open(&mut hall, 7, 0);
    hall.pass(10 * MINUTE);
    assert_eq!(
        (earlier(&hall, "web"), earlier(&hall, "press")),
        (Some(1), Some(2))
    );

    let mut again = Venue::new(hall.venue.config.clone());
    hall.journal.iter().for_each(|event| again.replay(event));
    assert_eq!(again.state(), hall.venue.state());
    hall.venue = again;
    hall.past.clear();
    let outputs = hall.venue.resume(hall.now);
    hall.carry_out(outputs);
    assert_eq!(
        (earlier(&hall, "web"), earlier(&hall, "press")),
        (Some(1), Some(2))
    );

    let preview = hall.preview(OrderBody::StartRound { round: 7 });
    assert!(format!("{preview:?}").contains("still kept back from outside: round 5, tables 1"));
    let done = format!("{:?}", hall.order(hold(false)));
    assert!(
        done.contains("table 1 of round 5 is shown outside again"),
        "{done}"
    );
    assert_eq!(
        (earlier(&hall, "web"), earlier(&hall, "press")),
        (Some(3), Some(3))
    );
    assert!(hall.round_shown().kept_back.is_empty());
    assert!(matches!(hall.order(hold(false)), Answer::Refused { .. }));
}

#[test]
fn a_round_that_is_opened_again_goes_on_keeping_back() {
    let mut hall = hall_with(vec![Audience::world("press", 0)]);
    hall.play(1, &["e2e4"]);
    hall.order(OrderBody::Hold {
        table: TableId(1),
        hold: true,
    });
    hall.play(1, &["e7e5"]);
    for number in [6, 5] {
        let mut next = round(1, "5400+30");
        next.round = number;
        hall.input(Input::Round(next));
        hall.pass(MINUTE);
    }
    assert_eq!(hall.board(1).moves.len(), 2);
    assert!(seen(&hall, "press", 1).is_none_or(|board| board.moves.len() < 2));
    hall.order(OrderBody::Hold {
        table: TableId(1),
        hold: false,
    });
    assert_eq!(seen(&hall, "press", 1).map(|b| b.moves.len()), Some(2));
}

#[test]
fn a_restart_shows_neither_more_nor_less() {
    let mut hall = hall_with(web());
    hall.play(1, &["e2e4", "e7e5", "g1f3"]);
    hall.pass(MINUTE - 1_000);
    let before = outside(&hall);
    assert_eq!(before.moves.len(), 2);
    let mut again = Venue::new(watched(web()));
    hall.journal.iter().for_each(|event| again.replay(event));
    assert_eq!(again.state(), hall.venue.state());
    hall.venue = again;
    hall.retained.clear();
    let outputs = hall.venue.resume(hall.now);
    hall.carry_out(outputs);
    assert_eq!(
        HallBoard {
            revision: before.revision,
            at: before.at,
            ..outside(&hall)
        },
        before
    );
    hall.pass(1_000);
    assert_eq!(outside(&hall).moves.len(), 3);
}

#[test]
fn setting_the_clock_of_the_hub_makes_no_delay_shorter() {
    for by_ms in [3_600_000, -3_600_000] {
        let mut hall = hall_with(web());
        hall.play(1, &["e2e4"]);
        hall.now = hall.now.shifted(by_ms);
        hall.input(Input::ClockSet(by_ms));
        hall.pass(MINUTE - 1_000);
        assert_eq!(outside(&hall).moves.len(), 0, "{by_ms}");
        hall.pass(1_000);
        assert_eq!(outside(&hall).moves.len(), 1, "{by_ms}");
    }
}

type Seen = Vec<(Timestamp, BTreeMap<TableId, HallBoard>)>;

/// What the hall would be shown now.
fn hall_now(hall: &Hall) -> BTreeMap<TableId, HallBoard> {
    let state = hall.venue.state();
    let board = |(id, table): (&TableId, &crate::venue::Table)| {
        let read = state.is_read(table);
        let board = crate::views::hall(*id, &state.round, &table.game, read, false);
        (*id, (*crate::views::to_hall(board, NOON, 0)).clone())
    };
    state.tables.iter().map(board).collect()
}

fn shown_of(board: &HallBoard) -> &[protocol::HallPly] {
    let sure = board.settled_ply.min(board.completed_ply) as usize;
    let count = if board.state == HallState::Over {
        board.moves.len()
    } else {
        sure
    };
    &board.moves[..count]
}

/// A round, since when a game of it was held, and when another one began at its table.
type Left = (u16, Timestamp, Timestamp);

/// Since when the game of a table is kept back, and since when those of earlier rounds were, until another one began, as the journal
/// says; none when such a round was opened again, which has its own test.
fn held(hall: &Hall, id: TableId) -> Option<(Option<Timestamp>, Vec<Left>)> {
    let (mut now, mut left, mut round) = (None, Vec::new(), None);
    for event in &hall.journal {
        match &event.body {
            EventBody::Held {
                table,
                past: None,
                held,
                ..
            } if *table == id => now = held.then_some(event.at),
            EventBody::RoundOpened { setup, .. } if round != Some(setup.round) => {
                let since = round.replace(setup.round).zip(now.take());
                left.extend(since.map(|(round, since)| (round, since, event.at)));
            }
            _ => {}
        }
        if left.iter().any(|(before, _, _)| Some(*before) == round) {
            return None;
        }
    }
    Some((now, left))
}

/// What the world sees is what the hall saw at the last moment that is one delay old, or the pairing alone; nothing that came after a
/// game was kept back.
fn check(hall: &Hall, seen_by_hall: &Seen, delay: u64) {
    for table in (1..4).map(TableId) {
        let Some((since, left)) = held(hall, table) else {
            continue;
        };
        let mut moment = since.unwrap_or(hall.now);
        if let Some((_, since, _)) = left
            .iter()
            .find(|(_, _, until)| moment < until.after(delay))
        {
            moment = moment.min(*since);
        }
        let due = seen_by_hall
            .iter()
            .rev()
            .find(|(at, _)| at.after(delay) <= moment);
        let Some(board) = seen(hall, "web", table.0) else {
            continue;
        };
        match due.and_then(|(_, boards)| boards.get(&table)) {
            Some(then) => {
                assert_eq!(board.moves, shown_of(then), "table {table}");
                assert_eq!((board.result, board.round), (then.result, then.round));
                assert_eq!(board.state, then.state);
            }
            None => {
                let nothing = (board.moves.len(), board.result, board.clock, board.state);
                assert_eq!(
                    nothing,
                    (0, None, None, HallState::Waiting),
                    "table {table}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_world_is_the_hall_one_delay_ago(
        steps in prop::collection::vec(step(), 1..60),
        delay in prop::sample::select(vec![1_000u64, 20_000, 60_000]),
    ) {
        let mut seen_by_hall: Seen = Vec::new();
        run_as(watched(vec![Audience::world("web", delay)]), steps, |hall| {
            seen_by_hall.push((hall.now, hall_now(hall)));
            check(hall, &seen_by_hall, delay);
        });
    }

    #[test]
    fn a_replay_with_audiences_gives_the_state_that_was(steps in prop::collection::vec(step(), 1..60)) {
        let outside = || watched(vec![Audience::world("web", 5_000), Audience::world("press", 0).behind(1)]);
        let hall = run_as(outside(), steps, |_| {});
        let mut again = Venue::new(outside());
        for event in &hall.journal {
            let bytes = serde_json::to_vec(event).expect("an event is written");
            again.replay(&serde_json::from_slice(&bytes).expect("and read"));
        }
        prop_assert_eq!(again.state(), hall.venue.state());
    }
}

/// Everything that stays published after some play, an alert, a ruling and a result: topics and payloads.
pub(crate) fn an_afternoon() -> Vec<(String, Vec<u8>)> {
    let mut hall = hall_with(vec![Audience::world("web", 0)]);
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["b1c3", "e7e5", "g1f3", "e5e4"]);
    let illegal = "rnbqkbnr/pppp1ppp/8/8/4p3/3N1N2/PPPPPPPP/R1BQKB1R b KQkq - 1 3";
    hall.irregular(1, 5, Side::White, illegal, "Nc3-d3");
    hall.completed(1, 5);
    hall.order(OrderBody::Note { table: TableId(1) });
    hall.a_moment();
    hall.retained.clone().into_iter().collect()
}
