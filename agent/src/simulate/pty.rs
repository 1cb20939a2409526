//! A pseudo-terminal as a serial device: its name is a link that can be pulled out and put in again under another name.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;

/// How long to wait before looking again whether somebody opened the device.
const NOBODY: Duration = Duration::from_millis(100);

/// The board's end of a pseudo-terminal; the link to the host's end goes with it.
#[derive(Debug)]
pub struct Pty {
    heard: pipe::Receiver,
    master: File,
    link: PathBuf,
    target: PathBuf,
}

impl Pty {
    /// Makes a device and a link to it at `link`; an old link there is replaced.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(link: &Path) -> io::Result<Pty> {
        let pair = openpty(None, None)?;
        let mut modes = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut modes);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &modes)?;
        fcntl(&pair.master, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let target = nix::unistd::ttyname(&pair.slave)?;
        replace_link(&target, link)?;
        let master = File::from(pair.master);
        Ok(Pty {
            heard: pipe::Receiver::from_file_unchecked(master.try_clone()?)?,
            master,
            link: link.to_owned(),
            target,
        })
    }

    /// The name the host opens.
    pub fn link(&self) -> &Path {
        &self.link
    }

    /// What the host wrote; nothing when nobody has the device open.
    ///
    /// # Errors
    /// What the system says.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.heard.read(buffer).await {
            Err(error) if error.raw_os_error() == Some(nix::errno::Errno::EIO as i32) => {
                tokio::time::sleep(NOBODY).await;
                Ok(0)
            }
            other => other,
        }
    }

    /// Sends bytes to the host; what does not fit because nobody reads is lost, as on a real line.
    pub fn write(&self, bytes: &[u8]) {
        let _nobody_reads = (&self.master).write(bytes);
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        if fs::read_link(&self.link).is_ok_and(|target| target == self.target) {
            let _already_gone = fs::remove_file(&self.link);
        }
    }
}

fn replace_link(target: &Path, link: &Path) -> io::Result<()> {
    match fs::remove_file(link) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::os::unix::fs::symlink(target, link)
}
