//! Serves a router over HTTP to clients that may be slow, silent or hostile: who does not finish his question is sent away, and no more
//! come in than can be served.

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

/// A question's head must be there within this time.
const QUESTION: Duration = Duration::from_secs(10);
/// More connections than this no listener holds at once.
pub(super) const CONNECTIONS: usize = 5_000;
/// A client that takes nothing of its answer for so long is sent away.
const PATIENCE: Duration = Duration::from_secs(20);
/// After `stop`, connections have this long to finish.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until `stop` is done, so many connections at once and the others when there is room; they then finish what they are at.
///
/// # Errors
/// None so far: a connection that cannot be accepted is tried again.
pub(crate) async fn serve_router(
    listener: TcpListener,
    router: Router,
    connections: usize,
    stop: impl Future<Output = ()> + Send,
) -> std::io::Result<()> {
    let (closing, closed) = watch::channel(false);
    let places = Arc::new(Semaphore::new(connections.min(CONNECTIONS)));
    let mut connections = JoinSet::new();
    let mut stop = std::pin::pin!(stop);
    let mut full = false;
    loop {
        let was_full = std::mem::replace(&mut full, places.available_permits() == 0);
        if full && !was_full {
            let address = listener.local_addr().ok();
            tracing::warn!(
                ?address,
                "H64 as many connections as there is room for; others wait until one ends \u{b7} help: is somebody opening them in masses? let fewer reach this address"
            );
        }
        let place = Arc::clone(&places).acquire_owned();
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            accepted = async { (place.await, listener.accept().await) } => match accepted {
                (Ok(place), Ok((stream, _))) => {
                    let (router, closed) = (router.clone(), closed.clone());
                    connections.spawn(async move {
                        converse(stream, router, closed).await;
                        drop(place);
                    });
                }
                // Out of file descriptors, most likely: others will go.
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }
    closing.send_replace(true);
    let finished = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(FAREWELL, finished).await.is_err() {
        tracing::debug!("clients that did not finish are cut off");
    }
    Ok(())
}

async fn converse(stream: TcpStream, router: Router, mut closed: watch::Receiver<bool>) {
    // Small texts go out at once.
    let _quick = stream.set_nodelay(true);
    // HTTP/1 by its own builder: one that also knows HTTP/2 waits without a limit for the rest of what could be its preface.
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(QUESTION);
    let service = TowerToHyperService::new(router);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let connection = builder
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        ended = connection.as_mut() => {
            if let Err(error) = ended {
                tracing::trace!("a client went: {error}");
            }
            return;
        }
        _ = closed.wait_for(|closed| *closed) => connection.as_mut().graceful_shutdown(),
    }
    if let Err(error) = connection.await {
        tracing::trace!("a client went: {error}");
    }
}
