//! Words of delays, and histories against a list of whole boards.

use proptest::prelude::*;
use protocol::{GameResult, HallBoard, HallState, Timestamp};

use super::{Audience, History, next_due, release};
use crate::views::Unreleased;
use crate::web::example::board;

#[test]
fn a_delay_says_itself() {
    let rows = [
        (Audience::hall(), "live"),
        (Audience::world("web", 30_000), "30 seconds delayed"),
        (Audience::world("web", 900_000), "15 minutes delayed"),
        (Audience::world("web", 60_000), "1 minute delayed"),
        (Audience::world("web", 150_000), "150 seconds delayed"),
        (Audience::world("web", 0).behind(1), "1 move delayed"),
        (
            Audience::world("web", 900_000).behind(2),
            "15 minutes and 2 moves delayed",
        ),
    ];
    for (audience, words) in rows {
        assert_eq!(audience.words(), words);
    }
}

/// Lines that share beginnings, as corrections make them.
fn boards() -> impl Strategy<Value = Vec<(u64, HallBoard)>> {
    let lines: Vec<&[&str]> = vec![
        &[],
        &["e4"],
        &["e4", "e5"],
        &["e4", "c5"],
        &["e4", "e5", "Nf3"],
        &["e4", "e5", "Nf3", "Nc6"],
        &["d4"],
    ];
    let one = (
        0..9_000u64,
        prop::sample::select(lines),
        0..3u16,
        0..5u32,
        any::<bool>(),
    );
    let made = one.prop_map(|(wait, sans, round, settled, over)| {
        let mut b = board(sans);
        b.round = 5 + round / 2;
        b.settled_ply = settled.min(b.settled_ply);
        (b.state, b.result) = match over {
            true => (HallState::Over, Some(GameResult::Draw)),
            false => (HallState::Playing, None),
        };
        (wait, b)
    });
    prop::collection::vec(made, 1..40)
}

proptest! {
    #[test]
    fn a_history_gives_back_what_was_seen_and_forgets_only_what_all_have_seen(
        boards in boards(),
        delay in 0..20_000u64,
        more in 0..20_000u64,
    ) {
        let audience = Audience { settled_only: false, ..Audience::world("web", delay) };
        let (mut history, mut all, mut now) = (History::default(), Vec::new(), Timestamp(0));
        for (wait, board) in boards {
            now = now.after(wait);
            history.note(now, &Unreleased(board.clone()), delay + more);
            all.push((now, board));
            let due = all.iter().rev().find(|(at, _)| at.after(delay) <= now);
            let shown = release(&history, &audience, now, 1).expect("a table");
            match due {
                Some((_, due)) => {
                    prop_assert_eq!((&shown.moves, shown.round, shown.result), (&due.moves, due.round, due.result));
                    prop_assert_eq!((&shown.position, shown.turn), (&due.position, due.turn));
                }
                None => prop_assert_eq!((shown.moves.len(), shown.result, shown.clock), (0, None, None)),
            }
            let due_after = all.iter().map(|(at, _)| at.after(delay)).find(|at| *at > now);
            if let Some(next) = next_due(&history, &audience, now) {
                prop_assert!(due_after.is_some_and(|at| at <= next), "nothing comes that was not noted");
            }
        }
        let again: History = serde_json::from_str(&serde_json::to_string(&history).expect("written")).expect("read");
        prop_assert_eq!(again, history);
    }
}
