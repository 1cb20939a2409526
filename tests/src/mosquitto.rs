//! Mosquitto as the venue's broker, with our own access list, that can be killed and started again.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, ensure};
use protocol::Credentials;

const PLACES: [&str; 2] = ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"];

/// A Mosquitto of our own; it ends when it is dropped.
pub struct Mosquitto {
    program: &'static str,
    config: PathBuf,
    child: Child,
}

impl Mosquitto {
    /// Whether it is installed here.
    pub fn is_installed() -> bool {
        program().is_some()
    }

    /// Starts on this machine's `port` for these logins, with their rights as `zeitnot-hub credentials acl` prints them.
    ///
    /// # Errors
    /// When it is not installed, or what the system says.
    pub fn start(dir: &Path, port: u16, logins: &[Credentials], acl: &str) -> anyhow::Result<Self> {
        let program = program().context("Mosquitto is not installed")?;
        let file = |name: &str| dir.join(name);
        let passwords: String = logins
            .iter()
            .map(|login| format!("{}:{}\n", login.name, login.token))
            .collect();
        std::fs::write(file("passwords"), passwords)?;
        let hashed = Command::new("mosquitto_passwd")
            .arg("-U")
            .arg(file("passwords"))
            .status()?;
        ensure!(hashed.success(), "mosquitto_passwd failed");
        std::fs::write(file("acl"), acl)?;
        // It would otherwise change to a user who cannot read our folder.
        let config = format!(
            "listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {}\nacl_file {}\n\
             max_queued_messages 100000\npersistence false\nuser root\n",
            file("passwords").display(),
            file("acl").display(),
        );
        std::fs::write(file("mosquitto.conf"), config)?;
        Ok(Mosquitto {
            program,
            child: run(program, &file("mosquitto.conf"))?,
            config: file("mosquitto.conf"),
        })
    }

    /// `kill -9`, with everything it held for its clients, and a new one in its place.
    ///
    /// # Errors
    /// What the system says.
    pub fn restart(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        self.child = run(self.program, &self.config)?;
        Ok(())
    }
}

impl Drop for Mosquitto {
    fn drop(&mut self) {
        // One that has ended by itself cannot be killed again.
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

fn program() -> Option<&'static str> {
    PLACES.into_iter().find(|place| Path::new(place).exists())
}

fn run(program: &str, config: &Path) -> std::io::Result<Child> {
    Command::new(program)
        .arg("-c")
        .arg(config)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}
