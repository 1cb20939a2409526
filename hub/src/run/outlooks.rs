//! Finds out beside the loop whether either side can still mate: one thread, the latest question of each table, a little time for each at
//! first, and more for what stayed open when nobody else waits.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use protocol::{GameId, TableId};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Position};
use tokio::sync::mpsc;

use crate::laws::unwinnable::{Budget, Outlook};
use crate::laws::verdicts;
use crate::venue::{Found, Question};

/// Time for a question at first, and when it is asked again.
const QUICK: Duration = Duration::from_millis(50);
const THOROUGH: Duration = Duration::from_secs(5);
/// Outlooks kept for one game: a move that is taken back brings an earlier position back.
const KEPT: usize = 8;
/// Answers that may wait for the loop.
const ANSWERS: usize = 64;

/// Takes questions and gives answers; the thread ends with it.
pub(super) struct Outlooks {
    desk: Arc<Desk>,
    answers: mpsc::Receiver<Found>,
}

impl Outlooks {
    /// Starts the thread.
    pub(super) fn start() -> Outlooks {
        let desk = Arc::new(Desk::default());
        let (send, answers) = mpsc::channel(ANSWERS);
        let worker = Arc::clone(&desk);
        let named = thread::Builder::new().name("outlooks".to_owned());
        if let Err(error) = named.spawn(move || work(&worker, &send)) {
            tracing::warn!("H33 no thread to look into positions ahead of time: {error}");
        }
        Outlooks { desk, answers }
    }

    /// Puts a question; an older one of the same table is dropped.
    pub(super) fn ask(&self, question: Question) {
        let mut waiting = self.desk.waiting();
        if !waiting.asked.insert(question.table) {
            drop_table(&mut waiting.again, question.table);
            drop_table(&mut waiting.fresh, question.table);
        }
        waiting.fresh.push_back(question);
        self.desk.more.notify_one();
    }

    /// The next answer.
    pub(super) async fn answer(&mut self) -> Option<Found> {
        self.answers.recv().await
    }
}

impl Drop for Outlooks {
    fn drop(&mut self) {
        self.desk.waiting().closed = true;
        self.desk.more.notify_one();
    }
}

#[derive(Default)]
struct Desk {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

#[derive(Default)]
struct Waiting {
    fresh: VecDeque<Question>,
    again: VecDeque<Question>,
    /// The tables of all of them; thousands are asked about when pairings come in.
    asked: BTreeSet<TableId>,
    closed: bool,
}

impl Desk {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next question and the time for it; waits for one. Nothing once closed.
    fn next(&self) -> Option<(Question, Duration)> {
        let mut waiting = self.waiting();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(question) = waiting.fresh.pop_front() {
                waiting.asked.remove(&question.table);
                return Some((question, QUICK));
            }
            if let Some(question) = waiting.again.pop_front() {
                waiting.asked.remove(&question.table);
                return Some((question, THOROUGH));
            }
            waiting = self
                .more
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a thorough search is to make room.
    fn is_wanted(&self) -> bool {
        let waiting = self.waiting();
        waiting.closed || !waiting.fresh.is_empty()
    }

    /// Keeps a question that stayed open for a quiet moment, unless its table asks something newer.
    fn later(&self, question: Question) {
        let mut waiting = self.waiting();
        if waiting.asked.insert(question.table) {
            waiting.again.push_back(question);
        }
    }
}

fn drop_table(questions: &mut VecDeque<Question>, table: TableId) {
    questions.retain(|q| q.table != table);
}

fn work(desk: &Desk, answers: &mpsc::Sender<Found>) {
    let mut memory = Memory::default();
    while let Some((question, time)) = desk.next() {
        let mut outlook = memory.before(&question);
        let start = Instant::now();
        let thorough = time == THOROUGH;
        let mut stop = || start.elapsed() >= time || (thorough && desk.is_wanted());
        let mut budget = Budget::new(u64::MAX, &mut stop);
        for color in outlook.find_out(&question.position, &mut budget) {
            let fen = Fen::from_position(&question.position, EnPassantMode::Legal);
            tracing::error!(
                "H83 the proof whether {color} can mate from {fen} did not pass its check, which is an error of this program; nothing was concluded from it · help: report the position"
            );
        }
        let open = outlook.is_open();
        let found = Found {
            table: question.table,
            game: question.game.clone(),
            mates: verdicts(&question.position, &outlook),
            position: question.position.clone(),
        };
        memory.keep(&question, outlook);
        if answers.blocking_send(found).is_err() {
            return;
        }
        if open && start.elapsed() < THOROUGH {
            desk.later(question);
        }
    }
}

/// The last outlooks of each table.
#[derive(Default)]
struct Memory {
    tables: BTreeMap<TableId, (GameId, VecDeque<(Chess, Outlook)>)>,
}

impl Memory {
    /// What is known before any search: the position itself is known, or the one that the last half-move was played in.
    fn before(&self, question: &Question) -> Outlook {
        let Some((game, known)) = self.tables.get(&question.table) else {
            return Outlook::default();
        };
        if *game != question.game {
            return Outlook::default();
        }
        if let Some((_, same)) = known.iter().find(|(at, _)| *at == question.position) {
            return same.clone();
        }
        let followed = known.iter().rev().find_map(|(at, outlook)| {
            let uci: UciMove = question.last.as_ref()?.parse().ok()?;
            let m = uci.to_move(at).ok()?;
            let mut next = at.clone();
            next.play_unchecked(m);
            (next == question.position).then(|| outlook.after(at, m))
        });
        followed.unwrap_or_default()
    }

    fn keep(&mut self, question: &Question, outlook: Outlook) {
        let fresh = || (question.game.clone(), VecDeque::new());
        let entry = self.tables.entry(question.table).or_insert_with(fresh);
        if entry.0 != question.game {
            *entry = fresh();
        }
        entry.1.retain(|(at, _)| *at != question.position);
        if entry.1.len() == KEPT {
            entry.1.pop_front();
        }
        entry.1.push_back((question.position.clone(), outlook));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::MateVerdict;
    use crate::laws::unwinnable::position_from_fen;

    fn question(table: u16, fen: &str, last: Option<&str>) -> Question {
        Question {
            table: TableId(table),
            game: "r1-t1".parse().expect("id"),
            ply: 1,
            last: last.map(str::to_owned),
            position: position_from_fen(fen).expect("a position"),
        }
    }

    #[tokio::test]
    async fn every_question_is_answered_and_the_thread_ends() {
        let mut outlooks = Outlooks::start();
        let wall = "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1";
        outlooks.ask(question(1, wall, None));
        outlooks.ask(question(2, "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", None));
        for _ in 0..2 {
            let found = outlooks.answer().await.expect("an answer");
            let white = matches!(found.mates.white, MateVerdict::Can(_));
            assert_eq!(white, found.table == TableId(2), "{found:?}");
            assert!(matches!(found.mates.black, MateVerdict::Cannot(_)));
        }
        let desk = Arc::downgrade(&outlooks.desk);
        drop(outlooks);
        while desk.strong_count() > 0 {
            tokio::task::yield_now().await;
        }
    }

    #[test]
    fn a_side_that_cannot_mate_is_not_asked_about_again() {
        let mut memory = Memory::default();
        let before = question(1, "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", None);
        let mut outlook = memory.before(&before);
        let mut never = || false;
        outlook.find_out(&before.position, &mut Budget::new(10_000, &mut never));
        memory.keep(&before, outlook);
        let after = question(1, "4k3/8/8/8/8/5Q2/8/4K3 b - - 1 1", Some("f1f3"));
        assert!(!memory.before(&after).is_open());
        let elsewhere = question(1, "4k3/8/8/8/8/5Q2/8/K7 b - - 1 1", Some("f1f3"));
        assert!(memory.before(&elsewhere).is_open());
    }
}
