//! What the boards and the link to the hub tell one another: who is there, what the hub wants, what time it is there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::{Command, Control, DeviceId, DeviceInfo};
use tokio::sync::{Notify, mpsc, watch};

use crate::session::View;

/// Orders of the hub that may wait for one board.
const WAITING: usize = 32;

/// What the hub says to one board, or a program beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FromHub {
    /// The state it wants.
    Control(Box<Control>),
    /// A short command.
    Command(Command),
    /// A program beside the board plays from this position on, full FEN.
    SetUp(String),
}

/// The place where boards and link meet. Clones are the same place.
#[derive(Debug, Clone, Default)]
pub struct Exchange {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    state: Mutex<State>,
    news: Notify,
    /// Counts what programs beside the boards have not seen yet; nothing while there are none.
    beside: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    boards: BTreeMap<DeviceId, Board>,
    changed: BTreeSet<DeviceId>,
    offset: Option<i64>,
    connected: bool,
    refusal: Option<String>,
}

#[derive(Debug, Default)]
struct Board {
    info: Option<DeviceInfo>,
    control: Option<Control>,
    session: Option<mpsc::Sender<FromHub>>,
    view: Option<View>,
}

impl Exchange {
    /// A board said who it is; what the hub wants of it comes through the channel, beginning with what it wanted last.
    pub fn join(&self, device: &DeviceId) -> mpsc::Receiver<FromHub> {
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut state = self.locked();
        let board = state.boards.entry(device.clone()).or_default();
        if let Some(control) = &board.control {
            let _fits_an_empty_channel =
                sender.try_send(FromHub::Control(Box::new(control.clone())));
        }
        board.session = Some(sender);
        state.changed.insert(device.clone());
        drop(state);
        self.inner.news.notify_one();
        receiver
    }

    /// A board's line is closed for now.
    pub fn leave(&self, device: &DeviceId) {
        if let Some(board) = self.locked().boards.get_mut(device) {
            board.session = None;
        }
    }

    /// How a board is; published when it changed.
    pub fn tell(&self, info: DeviceInfo) {
        let mut state = self.locked();
        let board = state.boards.entry(info.device.clone()).or_default();
        if board.info.as_ref() == Some(&info) {
            return;
        }
        let device = info.device.clone();
        board.info = Some(info);
        state.changed.insert(device);
        drop(state);
        self.inner.news.notify_one();
        self.inner.beside.send_modify(|count| *count += 1);
    }

    /// The hub wants something of a board; a control for a board that is not there waits for it.
    pub fn from_hub(&self, device: &DeviceId, order: FromHub) {
        let mut state = self.locked();
        let Some(board) = state.boards.get_mut(device) else {
            return;
        };
        if let FromHub::Control(control) = &order {
            board.control = Some(control.as_ref().clone());
        }
        let session = board.session.clone();
        drop(state);
        if let Some(session) = session
            && session.try_send(order).is_err()
        {
            tracing::warn!(%device, "A51 an order of the hub found the board busy and was dropped");
        }
    }

    /// Boards whose information changed since the last call.
    pub fn changed(&self) -> Vec<DeviceInfo> {
        let mut state = self.locked();
        let changed = std::mem::take(&mut state.changed);
        let infos = changed
            .iter()
            .filter_map(|device| state.boards.get(device)?.info.clone());
        infos.collect()
    }

    /// Every board that ever said who it is, with what is known of it.
    pub fn boards(&self) -> Vec<DeviceInfo> {
        self.locked()
            .boards
            .values()
            .filter_map(|board| board.info.clone())
            .collect()
    }

    /// The ids of those boards.
    pub fn ids(&self) -> Vec<DeviceId> {
        self.locked().boards.keys().cloned().collect()
    }

    /// News for a program beside the boards, from now on.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.inner.beside.subscribe()
    }

    /// Whether any program is served beside the boards.
    pub fn is_watched(&self) -> bool {
        self.inner.beside.receiver_count() > 0
    }

    /// How a board looks now.
    pub fn show(&self, device: &DeviceId, view: View) {
        let mut state = self.locked();
        let board = state.boards.entry(device.clone()).or_default();
        if board.view.as_ref() == Some(&view) {
            return;
        }
        board.view = Some(view);
        drop(state);
        self.inner.beside.send_modify(|count| *count += 1);
    }

    /// Every board that said who it is, with how it looks.
    pub fn seen(&self) -> Vec<(DeviceInfo, Option<View>)> {
        let state = self.locked();
        let boards = state.boards.values();
        let seen = boards.filter_map(|board| Some((board.info.clone()?, board.view.clone())));
        seen.collect()
    }

    /// A program beside a board plays from this position on.
    pub fn set_up(&self, device: &DeviceId, fen: &str) {
        self.from_hub(device, FromHub::SetUp(fen.to_owned()));
    }

    /// Waits until a board joined or changed.
    pub async fn news(&self) {
        self.inner.news.notified().await;
    }

    /// Milliseconds to add to the agent's clock for the hub's, when that was measured.
    pub fn offset(&self) -> Option<i64> {
        self.locked().offset
    }

    /// The offset was measured.
    pub fn set_offset(&self, offset: i64) {
        self.locked().offset = Some(offset);
    }

    /// Whether a broker is connected.
    pub fn connected(&self) -> bool {
        self.locked().connected
    }

    /// The line to the broker is up or down.
    pub fn set_connected(&self, connected: bool) {
        let mut state = self.locked();
        state.connected = connected;
        if connected {
            state.refusal = None;
        }
    }

    /// Why the broker did not let us in, where that was its last word.
    pub fn refusal(&self) -> Option<String> {
        self.locked().refusal.clone()
    }

    /// The broker does not let us in.
    pub fn set_refusal(&self, why: &str) {
        self.locked().refusal = Some(why.to_owned());
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
