//! The door of the listener: so many connections at once and no more, and nobody who says nothing, so that clients never take the files
//! that the agent needs for its boards.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

/// Connections at once; the next ones wait.
const CONNECTIONS: usize = 64;
/// The first byte must be there within this time.
const FIRST: Duration = Duration::from_secs(10);

pub(super) struct Door {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl Door {
    pub(super) fn new(listener: TcpListener) -> Door {
        Door {
            listener,
            places: Arc::new(Semaphore::new(CONNECTIONS)),
        }
    }
}

impl Listener for Door {
    type Io = Guest;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Guest, SocketAddr) {
        loop {
            let place = Arc::clone(&self.places).acquire_owned().await;
            if let (Ok(place), Ok((stream, address))) = (place, self.listener.accept().await) {
                let guest = Guest {
                    stream,
                    first: Some(Box::pin(tokio::time::sleep(FIRST))),
                    _place: place,
                };
                return (guest, address);
            }
            // Out of file descriptors, most likely: others will go.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection and its place.
pub(super) struct Guest {
    stream: TcpStream,
    /// Until when he must have said something; none: he has.
    first: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for Guest {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() {
            self.first = None;
        }
        let late = |first: &mut Pin<Box<Sleep>>| first.as_mut().poll(context).is_ready();
        if self.first.as_mut().is_some_and(late) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        read
    }
}

impl AsyncWrite for Guest {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn ask(stream: &mut TcpStream) -> String {
        let question = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        stream.write_all(question).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("answered");
        answer
    }

    #[tokio::test]
    async fn who_says_nothing_holds_his_place_for_a_while_and_no_longer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let router = Router::new().route("/", get(|| async { "here" }));
        let serving = tokio::spawn(async { axum::serve(Door::new(listener), router).await });
        let connect = || TcpStream::connect(address);
        let mut one = connect().await.expect("let in");
        assert!(ask(&mut one).await.ends_with("here"));
        let mut silent = Vec::new();
        for _ in 0..CONNECTIONS {
            silent.push(connect().await.expect("let in"));
        }
        let mut next = connect().await.expect("the system lets him in");
        assert!(
            ask(&mut next).await.ends_with("here"),
            "the silent have gone"
        );
        let mut first = silent.remove(0);
        assert!(matches!(first.read(&mut [0]).await, Ok(0) | Err(_)));
        serving.abort();
    }
}
