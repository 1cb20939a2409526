//! A real terminal for a real program: keys go in through tmux, and what stands on the screen is read back.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A program in a terminal of its own; both end when it is dropped.
pub struct Terminal {
    socket: PathBuf,
}

/// Between two keys, as a quick typist.
const BETWEEN_KEYS: Duration = Duration::from_millis(450);
/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

impl Terminal {
    /// Starts a program in a terminal of so many columns and rows; none, with a word about it, where tmux is not installed.
    pub fn open(
        socket: &Path,
        program: &Path,
        arguments: &[&str],
        (columns, rows): (u16, u16),
    ) -> Option<Terminal> {
        if Command::new("tmux").arg("-V").output().is_err() {
            println!("skipped: tmux is not installed");
            return None;
        }
        let terminal = Terminal {
            socket: socket.with_extension("tmux"),
        };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let size = ["-x", columns.as_str(), "-y", rows.as_str()];
        let said = terminal
            .tmux()
            .args(["-f", "/dev/null", "-u", "new-session", "-d"])
            .args(size)
            .arg(program)
            .args(arguments)
            .env("LC_ALL", "C.UTF-8")
            .env_remove("TMUX")
            .output()
            .expect("tmux runs");
        assert!(said.status.success(), "tmux: {said:?}");
        Some(terminal)
    }

    fn tmux(&self) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket);
        command
    }

    /// Presses one key at once: a letter, `Enter`, `Escape`.
    pub fn press(&self, key: &str) {
        let said = self.tmux().args(["send-keys", key]).output();
        assert!(said.is_ok_and(|s| s.status.success()), "no terminal: {key}");
    }

    /// Presses keys one after the other, at the pace of hands.
    pub async fn keys(&self, keys: &[&str]) {
        for key in keys {
            tokio::time::sleep(BETWEEN_KEYS).await;
            self.press(key);
        }
    }

    /// What stands on the screen.
    pub fn screen(&self) -> String {
        let said = self.tmux().args(["capture-pane", "-p"]).output();
        said.map_or(String::new(), |s| {
            String::from_utf8_lossy(&s.stdout).into_owned()
        })
    }

    /// The number of the program in it.
    pub fn process(&self) -> Option<u32> {
        let mut asked = self.tmux();
        let said = asked
            .args(["list-panes", "-F", "#{pane_pid}"])
            .output()
            .ok()?;
        String::from_utf8_lossy(&said.stdout).trim().parse().ok()
    }

    /// Waits until a text stands on the screen.
    ///
    /// # Panics
    /// When it does not appear; the message shows the screen.
    pub async fn sees(&self, text: &str) {
        let end = tokio::time::Instant::now() + PATIENCE;
        while !self.screen().contains(text) {
            assert!(
                tokio::time::Instant::now() < end,
                "{text:?} is not to be seen:\n{}",
                self.screen()
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A terminal that is gone already has nothing to end.
        let _gone = self.tmux().arg("kill-server").output();
    }
}
