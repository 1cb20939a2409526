//! What passes between the broker and the hub: arrivals, each with a receipt, and messages to go out.

use bytes::Bytes;
use protocol::{Role, Topic};
use tokio::sync::oneshot;

/// A message for the hub.
#[derive(Debug)]
pub struct Message {
    /// What it is about.
    pub topic: Topic,
    /// Who says it, as far as the broker knows.
    pub from: Sender,
    /// What is said.
    pub payload: Bytes,
    /// To be signed when it is in the journal.
    pub receipt: Receipt,
}

/// The client that said something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// Its name in the credentials; empty where an external broker does not tell.
    pub name: String,
    /// Its role.
    pub role: Role,
}

/// Signed by the hub once the message is journalled; the broker acknowledges only then.
#[derive(Debug, Default)]
pub struct Receipt(Option<oneshot::Sender<()>>);

impl Receipt {
    /// A receipt and the broker's end of it, which fails when the receipt is dropped unsigned.
    pub fn new() -> (Receipt, oneshot::Receiver<()>) {
        let (sign, signed) = oneshot::channel();
        (Receipt(Some(sign)), signed)
    }

    /// For what nobody waits for.
    pub fn none() -> Receipt {
        Receipt(None)
    }

    /// It is in the journal.
    pub fn sign(self) {
        if let Some(sign) = self.0
            && sign.send(()).is_err()
        {
            tracing::trace!("the client left before its receipt was signed");
        }
    }
}

/// A message to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The full topic.
    pub topic: String,
    /// Whether the broker keeps it for later subscribers.
    pub retain: bool,
    /// Seconds after which it is of no use to anybody.
    pub expires_s: Option<u32>,
    /// What is said; empty and retained: forget what was retained.
    pub payload: Vec<u8>,
}
