//! A sign on a serial line: lines with their checks for the tables it shows and for no others, through a cable pulled and a hub killed.

use std::path::Path;
use std::time::Duration;

use agent::simulate::pty::Pty;
use venue_tests::{Part, Venue, VenueOptions};

use crate::faults::executable;

/// What has come on the line, whole lines only.
struct Line {
    pty: Pty,
    heard: String,
}

impl Line {
    fn at(link: &Path) -> Line {
        Line {
            pty: Pty::open(link).expect("a pseudo-terminal"),
            heard: String::new(),
        }
    }

    /// Waits for a line that begins so, and checks every line on the way.
    async fn until(&mut self, beginning: &str) -> String {
        for _ in 0..1_200 {
            let mut buffer = [0; 4_096];
            let count = self.pty.read(&mut buffer);
            self.heard
                .push_str(std::str::from_utf8(&buffer[..count]).expect("ASCII"));
            while let Some((line, rest)) = self.heard.split_once("\r\n") {
                let (line, rest) = (line.to_owned(), rest.to_owned());
                self.heard = rest;
                check(&line);
                if line.starts_with(beginning) {
                    return line;
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{beginning} did not come");
    }
}

fn check(line: &str) {
    let (text, check) = line
        .strip_prefix('$')
        .and_then(|line| line.split_once('*'))
        .unwrap_or_else(|| panic!("{line:?} is no line"));
    let sum = text.bytes().fold(0, |sum, byte| sum ^ byte);
    assert_eq!(check, format!("{sum:02X}"), "{line}");
    assert!(
        !text.starts_with("2,"),
        "the sign shows table 1 alone: {line}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_shows_its_table_through_a_pulled_cable_and_a_killed_hub() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        tables: 2,
        ..VenueOptions::new(executable(), dir.path())
    };
    let mut venue = Venue::start(options).await.expect("starts");
    let link = dir.path().join("sign");
    let mut line = Line::at(&link);
    let arguments = [
        "wall",
        "--port",
        link.to_str().expect("UTF-8"),
        "--boards",
        "1",
        "--data",
        venue.data().to_str().expect("UTF-8"),
    ]
    .map(str::to_owned);
    let log = dir.path().join("sign.log");
    let _sign = Part::start(executable(), "agent", &arguments, &log).expect("starts");
    line.until("$0,hello,1*").await;
    line.until("$0,link,up*").await;
    line.until("$1,state,playing*").await;
    let moved = line.until("$1,move,").await;
    assert!(moved.len() > "$1,move,*00".len(), "{moved}");
    line.until("$1,white,1:").await;

    drop(line);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut line = Line::at(&link);
    line.until("$0,hello,1*").await;
    line.until("$1,state,playing*").await;
    venue.kill_hub();
    line.until("$0,link,down*").await;
    venue.start_hub().expect("starts again");
    line.until("$0,link,up*").await;
    line.until("$1,move,").await;
}
