//! The latest released board of every table, for the wall page and the feeds, and news of every change.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use protocol::{HallBoard, TableId};
use tokio::sync::broadcast;

use crate::views::Released;

/// A released board, shared by everybody who shows it.
pub type Shown = Arc<Released<HallBoard>>;

/// A handle on the boards; clones see the same boards.
#[derive(Clone)]
pub struct HallChannel {
    boards: Arc<RwLock<BTreeMap<TableId, Shown>>>,
    news: broadcast::Sender<Shown>,
}

impl Default for HallChannel {
    fn default() -> Self {
        HallChannel {
            boards: Arc::default(),
            news: broadcast::channel(1024).0,
        }
    }
}

impl HallChannel {
    /// Shows a board; a higher round takes the place of the one before, with all its tables.
    pub fn show(&self, board: Released<HallBoard>) {
        let shown = Arc::new(board);
        let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
        boards.retain(|_, old| old.round == shown.round);
        boards.insert(shown.table, Arc::clone(&shown));
        drop(boards);
        // Without listeners there is nobody to tell.
        let _listeners = self.news.send(shown);
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
    pub fn changes(&self) -> broadcast::Receiver<Shown> {
        self.news.subscribe()
    }
}
