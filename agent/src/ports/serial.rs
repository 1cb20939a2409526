//! An open serial port: 8 data bits, no parity, 1 stop bit, nobody else's, DTR and RTS low; its end means unplugged.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_serial::{SerialPort as _, SerialPortBuilderExt, SerialStream};

/// A port opened for one board.
#[derive(Debug)]
pub struct SerialPort {
    stream: SerialStream,
}

/// Opens the port at `path`.
///
/// # Errors
/// What the system says: not there, not permitted, in use.
pub fn open(path: &str, baud: u32) -> io::Result<SerialPort> {
    let mut stream = tokio_serial::new(path, baud)
        .open_native_async()
        .map_err(io::Error::from)?;
    // Boards on RS-232 adapters answer only with both lines low; pseudo-terminals have no such lines.
    let _no_such_line = stream.write_data_terminal_ready(false);
    let _no_such_line = stream.write_request_to_send(false);
    let _nothing_waits = stream.clear(tokio_serial::ClearBuffer::Input);
    Ok(SerialPort { stream })
}

impl SerialPort {
    /// Bytes that arrived, at least one.
    ///
    /// # Errors
    /// `UnexpectedEof` when the device was pulled out, or what else the system says.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.stream.read(buffer).await {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            other => other,
        }
    }

    /// Writes all bytes.
    ///
    /// # Errors
    /// What the system says.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }
}
