//! The latest released board of every table, for the wall page and the feeds, and news of every change.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use protocol::{HallBoard, TableId};
use tokio::sync::broadcast;

use crate::views::Released;

pub use crate::feeds::Subject as Shown;

/// What is new.
#[derive(Debug, Clone)]
pub enum News {
    /// A board has changed.
    Board(Shown),
    /// A table is gone, with its board.
    Gone(TableId),
}

type Boards = BTreeMap<TableId, Shown>;

/// A handle on the boards; clones see the same boards.
#[derive(Clone)]
pub struct HallChannel {
    boards: Arc<RwLock<Boards>>,
    past: Arc<RwLock<BTreeMap<u16, Boards>>>,
    news: broadcast::Sender<News>,
}

impl Default for HallChannel {
    fn default() -> Self {
        HallChannel {
            boards: Arc::default(),
            past: Arc::default(),
            news: broadcast::channel(1024).0,
        }
    }
}

/// What stays of a round that is over: every game that was paired or played, if any was played at all. A board that nobody paired and
/// nobody played on was none of its games.
fn kept(round: Boards) -> Boards {
    let is_played = |board: &Shown| !board.moves.is_empty() || board.result.is_some();
    let is_paired = |board: &Shown| {
        let players = [&board.players.white, &board.players.black];
        players.iter().any(|player| !player.name.is_empty())
    };
    if !round.values().any(is_played) {
        return Boards::new();
    }
    let boards = round.into_iter();
    boards
        .filter(|(_, board)| is_played(board) || is_paired(board))
        .collect()
}

impl HallChannel {
    /// Shows a board; another round takes the place of the one before, which is an earlier one from now on.
    pub fn show(&self, board: Released<HallBoard>) {
        let shown = Arc::new(board);
        let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
        if boards
            .values()
            .next()
            .is_some_and(|b| b.round != shown.round)
        {
            let before = std::mem::take(&mut *boards);
            let mut past = self.past.write().unwrap_or_else(PoisonError::into_inner);
            past.remove(&shown.round);
            for (table, board) in kept(before) {
                past.entry(board.round).or_default().insert(table, board);
            }
        }
        boards.insert(shown.table, Arc::clone(&shown));
        drop(boards);
        // Without listeners there is nobody to tell.
        let _listeners = self.news.send(News::Board(shown));
    }

    /// A table is gone; its board is that of another table now, or of an earlier round.
    pub fn forget(&self, table: TableId) {
        let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
        let was_there = boards.remove(&table).is_some();
        drop(boards);
        if was_there {
            // Without listeners there is nobody to tell.
            let _listeners = self.news.send(News::Gone(table));
        }
    }

    /// Shows a board of an earlier round.
    pub fn show_past(&self, board: Released<HallBoard>) {
        let mut past = self.past.write().unwrap_or_else(PoisonError::into_inner);
        let round = past.entry(board.round).or_default();
        round.insert(board.table, Arc::new(board));
    }

    /// The earlier rounds that are known, rising.
    pub fn earlier(&self) -> Vec<u16> {
        let now = self.boards().first().map(|b| b.round);
        let past = self.past.read().unwrap_or_else(PoisonError::into_inner);
        past.keys().copied().filter(|r| Some(*r) != now).collect()
    }

    /// All boards of a round, this one or an earlier one, ordered by table; empty when it is not known.
    pub fn round(&self, round: u16) -> Vec<Shown> {
        let now = self.boards();
        if now.first().is_some_and(|b| b.round == round) {
            return now;
        }
        let past = self.past.read().unwrap_or_else(PoisonError::into_inner);
        let boards = past.get(&round).map(|boards| boards.values().cloned());
        boards.into_iter().flatten().collect()
    }

    /// All boards of all rounds that are known, by round and table.
    pub fn all(&self) -> Vec<Shown> {
        // Both at one moment: a round that another one follows just now stands in one of them.
        let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
        let past = self.past.read().unwrap_or_else(PoisonError::into_inner);
        let now = boards.values().next().map(|b| b.round);
        let earlier = past.iter().filter(|(round, _)| Some(**round) != now);
        let earlier = earlier.flat_map(|(_, boards)| boards.values());
        let mut all: Vec<Shown> = earlier.chain(boards.values()).cloned().collect();
        all.sort_by_key(|b| (b.round, b.table));
        all
    }

    /// All boards of the round, ordered by table.
    pub fn boards(&self) -> Vec<Shown> {
        self.boards
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// The board of one table.
    pub fn board(&self, table: TableId) -> Option<Shown> {
        self.boards
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&table)
            .cloned()
    }

    /// Every change from now on. A listener that falls behind is told so and starts again from [`HallChannel::boards`].
    pub fn changes(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }
}
