//! A broker to try: the embedded one, or Mosquitto when it is installed.

use std::collections::HashMap;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use hub::broker::{Broker, Embedded, EmbeddedConfig, Message, mosquitto_acl};
use hub::credentials::Book;
use hub::run::Hub;
use protocol::{Credentials, Role, Topics};
use tempfile::TempDir;
use tokio::sync::mpsc;

/// Names of the clients and what they are.
const CLIENTS: [(&str, Role); 8] = [
    ("hub", Role::Hub),
    ("a1", Role::Agent),
    ("a2", Role::Agent),
    ("arbiter", Role::Arbiter),
    ("chief", Role::Chief),
    ("viewer", Role::Viewer),
    ("sign", Role::Display),
    ("sign-2", Role::Display),
];

/// A running broker with clients' tokens.
pub(crate) struct Ground {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    pub(crate) tokens: HashMap<String, String>,
    pub(crate) topics: Topics,
    pub(crate) book: Arc<Book>,
    pub(crate) embedded: Option<Embedded>,
    mosquitto: Option<Child>,
    _data: TempDir,
}

impl Drop for Ground {
    fn drop(&mut self) {
        if let Some(mut child) = self.mosquitto.take() {
            child.kill().expect("it was running");
            child.wait().expect("it ended");
        }
    }
}

pub(crate) fn topics() -> Topics {
    Topics::new(&"lyon".parse().expect("id"))
}

fn clients(data: &Path) -> (Arc<Book>, HashMap<String, String>) {
    let book = Book::open(data).expect("a new book");
    let mut tokens = HashMap::new();
    for (name, role) in CLIENTS {
        tokens.insert(name.to_owned(), book.add(name, role).expect("a new name"));
    }
    (Arc::new(book), tokens)
}

/// The embedded broker; what clients say to the hub comes out of the receiver.
pub(crate) async fn embedded_with_arrivals() -> (Ground, mpsc::Receiver<Message>) {
    let data = tempfile::tempdir().expect("folder");
    let (book, tokens) = clients(data.path());
    let config = EmbeddedConfig {
        listen: "127.0.0.1:0".parse().expect("address"),
        topics: topics(),
    };
    let (say, arrivals) = mpsc::channel(1024);
    let broker = Embedded::start(&config, Arc::clone(&book), say)
        .await
        .expect("starts");
    let ground = Ground {
        name: "embedded",
        address: broker.address().expect("it listens"),
        tokens,
        topics: topics(),
        book,
        embedded: Some(broker),
        mosquitto: None,
        _data: data,
    };
    (ground, arrivals)
}

/// The embedded broker with a hub that signs everything at once.
pub(crate) async fn embedded() -> Ground {
    let (ground, mut arrivals) = embedded_with_arrivals().await;
    tokio::spawn(async move {
        while let Some(arrival) = arrivals.recv().await {
            arrival.receipt.sign();
        }
    });
    ground
}

/// Mosquitto with our access list, when it is installed.
pub(crate) async fn mosquitto() -> Option<Ground> {
    let program = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"];
    let program = program.into_iter().find(|p| Path::new(p).exists())?;
    let data = tempfile::tempdir().expect("folder");
    let (book, tokens) = clients(data.path());
    let address = free_port();
    let passwords: String = tokens.iter().map(|(n, t)| format!("{n}:{t}\n")).collect();
    let file = |name: &str| data.path().join(name).display().to_string();
    fs::write(file("passwords"), passwords).expect("written");
    let hashed = Command::new("mosquitto_passwd")
        .args(["-U", &file("passwords")])
        .status();
    assert!(hashed.expect("mosquitto_passwd runs").success());
    fs::write(file("acl"), mosquitto_acl(&topics(), CLIENTS)).expect("written");
    let user = fs::metadata(data.path())
        .map(|_| "user root\n")
        .expect("folder");
    let config = format!(
        "listener {} 127.0.0.1\nallow_anonymous false\npassword_file {}\nacl_file {}\nmax_queued_messages 100000\nmax_inflight_messages 100\npersistence false\n{user}",
        address.port(),
        file("passwords"),
        file("acl"),
    );
    fs::write(file("conf"), config).expect("written");
    let child = Command::new(program)
        .args(["-c", &file("conf")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("mosquitto starts");
    for _ in 0..200 {
        if TcpStream::connect(address).is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    Some(Ground {
        name: "mosquitto",
        address,
        tokens,
        topics: topics(),
        book,
        embedded: None,
        mosquitto: Some(child),
        _data: data,
    })
}

/// A running hub, to be spoken to with its local credentials.
pub(crate) fn of_hub(hub: &Hub) -> Ground {
    let data = tempfile::tempdir().expect("folder");
    let tokens = Role::ALL.into_iter().filter_map(|role| {
        let file = hub.addresses.credentials.join(format!("local-{role}.toml"));
        let made: Credentials = toml::from_str(&fs::read_to_string(file).ok()?).expect("its form");
        Some((made.name, made.token))
    });
    Ground {
        name: "hub",
        address: hub.addresses.mqtt.expect("embedded"),
        tokens: tokens.collect(),
        topics: topics(),
        book: Arc::new(Book::open(data.path()).expect("a new book")),
        embedded: None,
        mosquitto: None,
        _data: data,
    }
}

fn free_port() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its address")
}
