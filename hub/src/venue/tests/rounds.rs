//! Earlier rounds: kept, shown to those who may see them, corrected by counter-rulings, opened again.

use protocol::{
    Answer, DeskRound, FeedHealth, FeedState, GameResult, HallBoard, OrderBody, ResultHow, TableId,
    Timestamp, Topic, decode,
};

use super::hall::{Hall, config, device, round};
use crate::rounds::RoundSetup;
use crate::venue::{Input, Venue, VenueConfig};
use crate::views::Audience;

fn result(result: GameResult) -> OrderBody {
    OrderBody::Result {
        table: TableId(1),
        result,
        how: ResultHow::Agreed,
        confirm: true,
        signed: protocol::BySide::default(),
    }
}

fn next(number: u16) -> RoundSetup {
    RoundSetup {
        round: number,
        ..round(1, "5400+30")
    }
}

/// Round 5 with two half-moves and a draw, then round 6 with one; the number of the ruling.
fn two_rounds(config: VenueConfig) -> (Hall, u64) {
    let mut hall = Hall::empty(config);
    hall.input(Input::Round(round(1, "5400+30")));
    hall.play(1, &["e2e4", "e7e5"]);
    let ruling = hall.done(result(GameResult::Draw)).expect("a ruling");
    hall.input(Input::Round(next(6)));
    hall.play(1, &["d2d4"]);
    (hall, ruling)
}

fn past<'a>(hall: &'a Hall, audience: &str) -> Option<&'a HallBoard> {
    hall.past.get(&(audience.to_owned(), 5, TableId(1)))
}

fn desk_round(hall: &Hall, topic: &Topic) -> DeskRound {
    decode(hall.text(topic).expect("a round").as_bytes()).expect("a round")
}

#[test]
fn a_round_that_is_over_is_kept_and_is_there_after_a_restart() {
    let (hall, _) = two_rounds(config());
    let board = past(&hall, "hall").expect("kept");
    assert_eq!(
        (board.moves.len(), board.result),
        (2, Some(GameResult::Draw))
    );
    assert_eq!(hall.board(1).moves.len(), 1, "round 6 goes on");
    assert_eq!(desk_round(&hall, &Topic::DeskRound).earlier, [5]);
    let kept = desk_round(&hall, &Topic::DeskPastRound(5));
    assert_eq!(
        kept.tables[0].standing.map(|s| s.result),
        Some(GameResult::Draw)
    );

    let mut again = Hall::empty(config());
    again.past.clear();
    again.venue = Venue::new(config());
    for event in &hall.journal {
        again.venue.replay(event);
    }
    assert_eq!(again.venue.state(), hall.venue.state());
    let outputs = again.venue.resume(hall.now);
    again.carry_out(outputs);
    assert_eq!(past(&again, "hall").map(|b| b.moves.len()), Some(2));
}

#[test]
fn a_restart_leaves_every_paired_game_of_earlier_rounds_where_it_was() {
    let mut hall = Hall::with_round(round(3, "5400+30"));
    hall.info(9, "b1", protocol::Health::default());
    hall.play(1, &["e2e4", "e7e5"]);
    hall.done(result(GameResult::Draw)).expect("a ruling");
    hall.input(Input::Round(RoundSetup {
        round: 6,
        ..round(9, "5400+30")
    }));
    hall.pass(60_000);
    let paired = |boards: &[(u16, u16, usize)]| -> Vec<(u16, usize)> {
        let earlier = boards.iter().filter(|(round, ..)| *round == 5);
        earlier.map(|(_, table, plies)| (*table, *plies)).collect()
    };
    let before = hall.has("hall");
    assert_eq!(paired(&before), [(1, 2), (2, 0), (3, 0)]);
    hall.restart();
    assert_eq!(hall.has("hall"), before);
    let kept = desk_round(&hall, &Topic::DeskPastRound(5));
    assert_eq!(kept.tables.len(), 3, "a result can still be entered");
}

#[test]
fn a_round_of_which_nothing_was_played_is_no_earlier_round() {
    let mut hall = Hall::with_round(round(2, "5400+30"));
    hall.input(Input::Round(next(6)));
    let before = hall.has("hall");
    assert_eq!(before, [(6, 1, 0)]);
    hall.restart();
    assert_eq!(hall.has("hall"), before);
}

#[test]
fn a_ruling_of_an_earlier_round_is_taken_back() {
    let (mut hall, ruling) = two_rounds(config());
    hall.a_moment();
    let before = hall.desk(1);
    let generation = hall.control(1).generation;
    let preview = hall.preview(OrderBody::Counter { ruling });
    let Answer::Preview { preview, .. } = preview else {
        panic!("{preview:?}");
    };
    assert_eq!(
        preview.then,
        [
            "there is no result any more; the game goes on",
            "the files and pages of round 5 follow"
        ]
    );
    hall.done(OrderBody::Counter { ruling });
    assert_eq!(past(&hall, "hall").expect("kept").result, None);
    assert_eq!(
        desk_round(&hall, &Topic::DeskPastRound(5)).tables[0].standing,
        None
    );
    hall.a_moment();
    assert_eq!(hall.desk(1).record, before.record, "round 6 is left alone");
    assert_eq!(hall.desk(1).rulings, []);
    assert_eq!(hall.control(1).generation, generation);
    let again = hall.order(OrderBody::Counter { ruling });
    assert!(matches!(again, Answer::Refused { code, .. } if code == "H36"));
}

#[test]
fn those_outside_see_the_end_of_a_round_after_their_delay() {
    let config = VenueConfig {
        audiences: vec![Audience::world("web", 60_000)],
        ..config()
    };
    let (mut hall, _) = two_rounds(config);
    assert_eq!(past(&hall, "web"), None);
    hall.pass(58_000);
    assert_eq!(past(&hall, "web"), None);
    hall.pass(3_000);
    assert_eq!(past(&hall, "web").map(|b| b.moves.len()), Some(2));
}

#[test]
fn a_correction_of_an_earlier_round_reaches_those_outside_after_their_delay() {
    let config = VenueConfig {
        audiences: vec![
            Audience::world("web", 60_000),
            Audience::world("club", 10_000),
        ],
        ..config()
    };
    let (mut hall, ruling) = two_rounds(config.clone());
    hall.pass(61_000);
    let outside = |hall: &Hall| ["web", "club"].map(|a| past(hall, a).and_then(|b| b.result));
    let draw = Some(GameResult::Draw);
    assert_eq!(outside(&hall), [draw, draw]);
    hall.done(OrderBody::Counter { ruling });
    assert_eq!(past(&hall, "hall").expect("kept").result, None, "at once");
    assert_eq!(outside(&hall), [draw, draw]);
    hall.pass(11_000);
    assert_eq!(outside(&hall), [draw, None]);
    restart(&mut hall, &config);
    assert_eq!(outside(&hall), [draw, None], "a restart changes nothing");
    hall.pass(51_000);
    assert_eq!(outside(&hall), [None, None]);
}

/// Everything is read again from the journal, and shown.
fn restart(hall: &mut Hall, config: &VenueConfig) {
    hall.past.clear();
    hall.venue = Venue::new(config.clone());
    for event in &hall.journal {
        hall.venue.replay(event);
    }
    let outputs = hall.venue.resume(hall.now);
    hall.carry_out(outputs);
}

#[test]
fn a_round_that_is_opened_again_goes_on_with_its_games() {
    let (mut hall, _) = two_rounds(config());
    hall.input(Input::Round(round(1, "5400+30")));
    let desk = hall.desk(1);
    assert_eq!((desk.game.as_str(), desk.record.len()), ("r5-t1", 2));
    assert_eq!(desk.device, Some(device(1)));
    assert_eq!(desk_round(&hall, &Topic::DeskRound).earlier, [6]);
    hall.input(Input::Round(next(6)));
    assert_eq!(hall.desk(1).record.len(), 1);
}

#[test]
fn pairings_of_others_are_no_round_that_was_played() {
    let (hall, _) = two_rounds(config());
    let named = |number: u16, white: &str, black: &str| {
        let mut setup = next(number);
        setup.tables[0].players.white.name = white.to_owned();
        setup.tables[0].players.black.name = black.to_owned();
        setup
    };
    let usual = next(6).tables[0].players.clone();
    let (white, black) = (usual.white.name.as_str(), usual.black.name.as_str());
    let rows = [
        (named(6, white, black), false),
        (named(6, "Corrected, N", black), false),
        (named(6, "Other, A", "Other, B"), true),
        (named(5, "Other, A", "Other, B"), true),
        (named(7, "Other, A", "Other, B"), false),
    ];
    for (setup, refused) in rows {
        let why = hall.venue.objection(&setup);
        assert_eq!(why.is_some(), refused, "{} {why:?}", setup.round);
        assert!(why.is_none_or(|why| why.contains("--round")));
    }
}

#[test]
fn how_the_feeds_are_stands_at_the_desk_and_not_in_the_journal() {
    let mut hall = Hall::standard();
    let before = hall.journal.len();
    let report = FeedHealth {
        name: "pgn-round".to_owned(),
        state: FeedState::Failing,
        at: Some(Timestamp(5)),
        detail: "the disk is full".to_owned(),
    };
    hall.input(Input::Feed(report.clone()));
    assert_eq!(desk_round(&hall, &Topic::DeskRound).feeds, [report]);
    assert_eq!(hall.journal.len(), before);
}
