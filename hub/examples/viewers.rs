//! Many viewers of one wall: opens live streams, and says how late each board came and what the whole process of the hub cost meanwhile:
//! boards, broker, journal, feeds and wall.
//!
//! `cargo run --release -p hub --example viewers -- 127.0.0.1:8080 500 30 PID [small]`: address, viewers, seconds, process of the hub, and
//! what each viewer asks for: boards as JSON, or `small` or `large` for what the page in a browser asks for.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, usual: u64| {
        args.get(index)
            .and_then(|a| a.parse().ok())
            .unwrap_or(usual)
    };
    let address = args.first().cloned().unwrap_or("127.0.0.1:8080".to_owned());
    let (viewers, seconds, pid) = (number(1, 500), number(2, 30), number(3, 0));
    let part = args.get(4).map_or(String::new(), |p| format!("?part={p}"));
    let late: Arc<Mutex<Vec<u64>>> = Arc::default();
    let watching: Vec<_> = (0..viewers)
        .map(|_| tokio::spawn(watch(address.clone(), part.clone(), Arc::clone(&late))))
        .collect();
    tokio::time::sleep(Duration::from_secs(3)).await;
    late.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let (before, began) = (cpu_ticks(pid), Instant::now());
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let ticks = cpu_ticks(pid).saturating_sub(before);
    let passed = began.elapsed().as_secs_f64();
    let broken = watching.iter().filter(|w| w.is_finished()).count();
    let mut late = late.lock().unwrap_or_else(PoisonError::into_inner).clone();
    late.sort_unstable();
    let at = |part: usize| {
        late.get(late.len().saturating_sub(1) * part / 100)
            .copied()
            .unwrap_or(0)
    };
    let cost = if pid == 0 {
        "hub not measured: name its process".to_owned()
    } else {
        format!("hub {:.1} % of a core", ticks as f64 / passed)
    };
    println!(
        "viewers {viewers}, broken {broken}, boards {}, late ms p50 {} p99 {} max {}, {cost}",
        late.len(),
        at(50),
        at(99),
        at(100),
    );
}

/// Reads a stream until it ends; each board notes how much later than its release it came.
async fn watch(address: String, part: String, late: Arc<Mutex<Vec<u64>>>) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(&address).await?;
    let question = format!("GET /live{part} HTTP/1.1\r\nHost: wall\r\n\r\n");
    stream.write_all(question.as_bytes()).await?;
    let mut rest = Vec::new();
    let mut buffer = vec![0; 65_536];
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        rest.extend_from_slice(&buffer[..count]);
        while let Some(end) = rest.windows(2).position(|w| w == b"\n\n") {
            let event = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest.drain(..end + 2);
            if let Some(at) = released(&event) {
                late.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(now().saturating_sub(at));
            }
        }
    }
}

/// When a board was released: the last `at` of its JSON, beside the revision.
fn released(event: &str) -> Option<u64> {
    let (head, _) = event.rsplit_once(",\"revision\":")?;
    head.rsplit_once("\"at\":")?.1.parse().ok()
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// Hundredths of a second that a process has worked.
fn cpu_ticks(pid: u64) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = stat.rsplit_once(") ").map_or("", |(_, after)| after);
    let field = |n: usize| {
        after
            .split(' ')
            .nth(n)
            .and_then(|f| f.parse::<u64>().ok())
            .unwrap_or(0)
    };
    field(11) + field(12)
}
