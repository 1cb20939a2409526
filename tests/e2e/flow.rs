//! The flow for Node-RED, run: it hears the hub's plain topics with a display's login and tells every board.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use protocol::Role;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use venue_tests::{Venue, VenueOptions, free_port};

use crate::faults::executable;

/// Ended when it is dropped.
struct NodeRed(Child);

impl Drop for NodeRed {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _reaped = self.0.wait();
    }
}

fn node_red(folder: &Path, dir: &Path, port: u16, login: &protocol::Credentials) -> NodeRed {
    std::fs::create_dir_all(dir).expect("made");
    let flow = include_str!("../../hub/packaging/node-red-flow.json");
    std::fs::write(dir.join("flows.json"), flow).expect("written");
    // What the editor does when it imports the flow: logins are kept apart.
    let apart = r#"{"zeitnot-hub": {"user": "${ZEITNOT_NAME}", "password": "${ZEITNOT_TOKEN}"}}"#;
    assert!(flow.contains(r#""user": "${ZEITNOT_NAME}", "password": "${ZEITNOT_TOKEN}""#));
    std::fs::write(dir.join("flows_cred.json"), apart).expect("written");
    let settings = format!(
        "module.exports = {{ uiHost: '127.0.0.1', uiPort: {port}, flowFile: 'flows.json', credentialSecret: false, httpAdminRoot: false, telemetry: {{ enabled: false }} }};\n"
    );
    std::fs::write(dir.join("settings.js"), settings).expect("written");
    let log = std::fs::File::create(dir.join("log")).expect("made");
    let child = Command::new("node")
        .arg(folder.join("node_modules/node-red/red.js"))
        .arg("--userDir")
        .arg(dir)
        .env("ZEITNOT_HOST", &login.host)
        .env("ZEITNOT_PORT", login.port.to_string())
        .env("ZEITNOT_VENUE", login.venue.as_str())
        .env("ZEITNOT_NAME", &login.name)
        .env("ZEITNOT_TOKEN", &login.token)
        .stdin(Stdio::null())
        .stdout(log.try_clone().expect("a file"))
        .stderr(log)
        .spawn();
    NodeRed(child.expect("node came with npm"))
}

async fn boards(port: u16) -> Option<Value> {
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port))
        .await
        .ok()?;
    let question = b"GET /zeitnot/boards HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(question).await.ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.ok()?;
    serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_flow_for_node_red_tells_every_board() {
    let Some(folder) = crate::node::packages("node-red", &["node-red@4.1.15"]) else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        tables: 2,
        ..VenueOptions::new(executable(), dir.path())
    };
    let venue = Venue::start(options).await.expect("starts");
    let login = venue.login("sign", Role::Display).expect("a login");
    let port = free_port().expect("a port");
    let own = dir.path().join("node-red");
    let _running = node_red(&folder, &own, port, &login);
    let known = |boards: &Value| {
        ["1", "2"].iter().all(|n| {
            let of = |what: &str| boards[*n][what].as_str().is_some_and(|v| !v.is_empty());
            of("last-move") && of("white/clock") && boards[*n]["state"] == "playing"
        })
    };
    for _ in 0..240 {
        if boards(port).await.is_some_and(|boards| known(&boards)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let log = std::fs::read_to_string(own.join("log")).unwrap_or_default();
    panic!("{:?}\n{log}", boards(port).await);
}
