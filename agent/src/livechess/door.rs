//! The door of the listener: so many connections at once and no more, and nobody who does not finish a question or takes no answer, so that
//! clients never take the files that the agent needs for its boards.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;

/// Connections at once; the next ones wait.
const CONNECTIONS: usize = 64;
/// A question's head must be there within this time.
const QUESTION: Duration = Duration::from_secs(10);
/// A client that takes nothing of its answer for so long is sent away.
const PATIENCE: Duration = Duration::from_secs(20);

/// Serves until `stop` turns true or nobody holds it.
pub(super) async fn serve_router(
    listener: TcpListener,
    router: Router,
    stop: watch::Receiver<bool>,
) {
    let mut stopped = std::pin::pin!(stopped(stop));
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let place = Arc::clone(&places).acquire_owned();
        tokio::select! {
            () = &mut stopped => return,
            Some(_) = connections.join_next() => {}
            accepted = async { (place.await, listener.accept().await) } => match accepted {
                (Ok(place), Ok((stream, _))) => {
                    let router = router.clone();
                    connections.spawn(async move {
                        converse(stream, router).await;
                        drop(place);
                    });
                }
                // Out of file descriptors, most likely: others will go.
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        tracing::trace!("nobody holds the agent any more");
    }
}

async fn converse(stream: TcpStream, router: Router) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    // HTTP/1 by its own builder: one that also knows HTTP/2 waits without a limit for the rest of what could be its preface.
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(QUESTION);
    let connection = builder
        .serve_connection(
            TokioIo::new(Box::pin(stream)),
            TowerToHyperService::new(router),
        )
        .with_upgrades();
    if let Err(error) = connection.await {
        tracing::trace!("a client went: {error}");
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
    async fn who_does_not_finish_a_question_holds_his_place_for_a_while_and_no_longer() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let router = Router::new().route("/", get(|| async { "here" }));
        let (stop, stopped) = watch::channel(false);
        let serving = tokio::spawn(serve_router(listener, router, stopped));
        let connect = || TcpStream::connect(address);
        let mut one = connect().await.expect("let in");
        assert!(ask(&mut one).await.ends_with("here"));
        let mut silent = Vec::new();
        let begun = [&b""[..], b"G", b"P", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"];
        for begun in begun.into_iter().cycle().take(CONNECTIONS) {
            let mut guest = connect().await.expect("let in");
            guest.write_all(begun).await.expect("sent");
            silent.push(guest);
        }
        let mut next = connect().await.expect("the system lets him in");
        assert!(
            ask(&mut next).await.ends_with("here"),
            "the silent have gone"
        );
        for mut guest in silent {
            assert!(matches!(guest.read(&mut [0]).await, Ok(0) | Err(_)));
        }
        stop.send_replace(true);
        serving.await.expect("it ends");
    }
}
