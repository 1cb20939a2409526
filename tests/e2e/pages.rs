//! The pages in a browser: three sizes, three themes, keyboard, contrast and names by the rules of axe-core, nothing cut off, overlapping
//! or from elsewhere; and a hub that goes and comes back under them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use agent::simulate::hands::Tempo;
use venue_tests::{Venue, VenueOptions};

use crate::faults::executable;

const PAGES: [&str; 23] = [
    "/",
    "/?theme=dark",
    "/?theme=contrast",
    "/?type=large",
    "/board/1",
    "/board/1?theme=dark",
    "/board/1?type=large",
    "/board/1?theme=contrast",
    "/wall?boards=1-4",
    "/wall?boards=1",
    "/wall?page=2",
    "/wall?boards=77",
    "/overlay/board/1",
    "/overlay/names/1",
    "/overlay/teams",
    "/overlay/standings",
    "/overlay/clocks/1",
    "/overlay/move/1",
    "/overlay/ticker",
    "/?theme=pink",
    "/wall?theme=pink&type=large",
    "/round/1?theme=light",
    "/nowhere",
];

/// Chromium and what drives it, where they can be had.
fn browser() -> Option<(&'static str, PathBuf)> {
    let browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
    let browser = browsers.into_iter().find(|path| Path::new(path).exists());
    if browser.is_none() {
        println!("skipped: Chromium is not installed");
    }
    let wanted = ["puppeteer-core@23.11.1", "axe-core@4.10.3"];
    browser.zip(crate::node::packages("pages", &wanted))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_can_be_read_by_everybody_at_every_size() {
    let Some((browser, folder)) = browser() else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let operator = format!("127.0.0.1:{}", venue_tests::free_port().expect("a port"));
    let options = VenueOptions {
        tables: 4,
        sections: format!("[feeds]\noperator = \"{operator}\"\n"),
        ..VenueOptions::new(executable(), dir.path())
    };
    let venue = Venue::start(options).await.expect("starts");
    let played = |seen: &venue_tests::Seen| seen.halls.values().any(|hall| hall.moves.len() > 4);
    let limit = Duration::from_secs(60);
    assert!(
        venue.observer.wait(limit, played).await,
        "a game is under way"
    );
    for (address, pages) in [
        (venue.wall(), &PAGES[..]),
        (format!("http://{operator}"), &["/"]),
    ] {
        let folder = folder.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let mut arguments = vec![browser, address.as_str(), "-"];
            arguments.extend(pages);
            crate::node::run(&folder, include_str!("node/pages.cjs"), &arguments)
        });
        let looked = looked.await.expect("no panic");
        let (said, complaint) = (
            String::from_utf8_lossy(&looked.stdout),
            String::from_utf8_lossy(&looked.stderr),
        );
        assert!(looked.status.success(), "{said}{complaint}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_that_lose_the_hub_say_so_and_come_back_by_themselves() {
    let Some((browser, folder)) = browser() else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        tables: 2,
        tempo: Tempo::Lasting(120_000),
        ..VenueOptions::new(executable(), dir.path())
    };
    let mut venue = Venue::start(options).await.expect("starts");
    let played = |seen: &venue_tests::Seen| seen.halls.values().any(|hall| hall.moves.len() > 1);
    let limit = Duration::from_secs(60);
    assert!(venue.observer.wait(limit, played).await, "a game is on");
    let (address, said) = (venue.wall(), dir.path().to_owned());
    let looking = tokio::task::spawn_blocking(move || {
        let script = include_str!("node/comes_back.cjs");
        let arguments = [browser, &address, &said.to_string_lossy()];
        crate::node::run(&folder, script, &arguments)
    });
    let happened = async |name: &str| {
        while !dir.path().join(name).exists() && !looking.is_finished() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    happened("open").await;
    venue.kill_hub();
    happened("lost").await;
    venue.start_hub().expect("starts again");
    let looked = looking.await.expect("no panic");
    let complaint = String::from_utf8_lossy(&looked.stderr);
    assert!(looked.status.success(), "{complaint}");
}
