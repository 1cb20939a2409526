//! What a command answers on standard output, for a reader or a file.

use std::io::{ErrorKind, Write, stdout};

use anyhow::bail;

/// Writes it; a reader that went away (`| head`) is no error.
///
/// # Errors
/// When there is no room for it, or its place cannot be written.
pub(crate) fn say(text: &str) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => bail!(
            "Z34 the answer cannot be written: {why} · help: free some space, or write it to another place"
        ),
        _ => Ok(()),
    }
}
