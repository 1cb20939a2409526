//! A pseudo-terminal as a serial device: its name is a link that can be pulled out and put in again under another name.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};

/// The board's end of a pseudo-terminal; the link to the host's end goes with it.
#[derive(Debug)]
pub struct Pty {
    master: File,
    link: PathBuf,
    target: PathBuf,
    open: Cell<bool>,
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
        // A child process that inherits the board's end would keep a pulled cable alive.
        fcntl(&pair.master, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        fcntl(&pair.slave, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
        let target = nix::unistd::ttyname(&pair.slave)?;
        replace_link(&target, link)?;
        Ok(Pty {
            master: File::from(pair.master),
            link: link.to_owned(),
            target,
            open: Cell::new(false),
        })
    }

    /// The name the host opens.
    pub fn link(&self) -> &Path {
        &self.link
    }

    /// What the host wrote since the last call; nothing as well when nobody has the device open.
    ///
    /// To be called again and again: a pseudo-terminal that was closed once reports "closed" for ever to whoever waits
    /// for it, though it may be opened again.
    pub fn read(&self, buffer: &mut [u8]) -> usize {
        let read = (&self.master).read(buffer);
        let nothing_yet = |why: &io::Error| why.kind() == io::ErrorKind::WouldBlock;
        self.open.set(read.as_ref().err().is_none_or(nothing_yet));
        read.unwrap_or(0)
    }

    /// Whether the host had the device open at the last [`read`](Self::read).
    pub fn is_open(&self) -> bool {
        self.open.get()
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
