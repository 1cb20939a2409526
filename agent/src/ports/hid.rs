//! Boards that are USB devices for human interfaces: whole reports in, whole reports out, through libusb.
//!
//! libusb blocks, so each open device has a thread of its own; the agent sees a port like any other.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rusb::{Context, DeviceHandle, Direction, TransferType, UsbContext};
use tokio::sync::mpsc;

/// One report of a device, and one to it.
///
/// The only boundary to libusb: tests put a double in its place.
pub trait Reports: Send + Sync + 'static {
    /// The next report; `None` when none came within `patience`.
    ///
    /// # Errors
    /// `UnexpectedEof` when the device was pulled out, or what else the system says.
    fn read(&self, patience: Duration) -> io::Result<Option<Vec<u8>>>;
    /// Sends a report whose first byte is its number.
    ///
    /// # Errors
    /// What the system says.
    fn write(&self, report: &[u8]) -> io::Result<()>;
}

/// An open device.
pub struct HidPort {
    reports: mpsc::Receiver<io::Result<Vec<u8>>>,
    device: Arc<dyn Reports>,
}

/// Reports wait for the agent in this many places.
const WAITING: usize = 64;
/// A read that brings nothing ends after this, so that a thread nobody needs any more notices.
const PATIENCE: Duration = Duration::from_millis(200);
/// The longest report.
const LONGEST: usize = 256;
/// Class of devices for human interfaces.
const HUMAN_INTERFACE: u8 = 3;

impl HidPort {
    /// A port on a device that is open already.
    pub fn on(device: Arc<dyn Reports>) -> HidPort {
        let (sender, reports) = mpsc::channel(WAITING);
        let reader = Arc::clone(&device);
        std::thread::spawn(move || read_all(reader.as_ref(), &sender));
        HidPort { reports, device }
    }

    /// The next report.
    ///
    /// # Errors
    /// `UnexpectedEof` when the device was pulled out, or what else the system says.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let report = self.reports.recv().await;
        let report = report.unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))?;
        let length = report.len().min(buffer.len());
        buffer[..length].copy_from_slice(&report[..length]);
        Ok(length)
    }

    /// Sends a report.
    ///
    /// # Errors
    /// What the system says.
    pub async fn write(&mut self, report: &[u8]) -> io::Result<()> {
        let (device, report) = (Arc::clone(&self.device), report.to_vec());
        tokio::task::spawn_blocking(move || device.write(&report))
            .await
            .map_err(io::Error::other)?
    }
}

/// Opens the device at `/dev/bus/usb/BUS/ADDRESS`.
///
/// # Errors
/// What the system says: not there, not permitted, in use.
pub(super) fn open(path: &str) -> io::Result<HidPort> {
    let context = Context::new().map_err(in_words)?;
    let devices = context.devices().map_err(in_words)?;
    let wanted = devices
        .iter()
        .find(|device| path_of(device) == path)
        .ok_or(io::ErrorKind::NotFound)?;
    let opened = UsbReports::open(&wanted).map_err(in_words)?;
    Ok(HidPort::on(Arc::new(opened)))
}

fn read_all(device: &dyn Reports, sender: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let report = match device.read(PATIENCE) {
            Ok(None) if sender.is_closed() => return,
            Ok(None) => continue,
            Ok(Some(report)) => Ok(report),
            Err(why) => Err(why),
        };
        let ended = report.is_err();
        if sender.blocking_send(report).is_err() || ended {
            return;
        }
    }
}

fn path_of(device: &rusb::Device<Context>) -> String {
    format!(
        "/dev/bus/usb/{:03}/{:03}",
        device.bus_number(),
        device.address()
    )
}

/// A device behind libusb.
struct UsbReports {
    handle: DeviceHandle<Context>,
    interface: u8,
    input: u8,
    output: Option<u8>,
}

impl UsbReports {
    fn open(device: &rusb::Device<Context>) -> rusb::Result<UsbReports> {
        let (interface, input, output) = endpoints(device)?;
        let handle = device.open()?;
        claim(&handle, interface)?;
        Ok(UsbReports {
            handle,
            interface,
            input,
            output,
        })
    }
}

impl Reports for UsbReports {
    fn read(&self, patience: Duration) -> io::Result<Option<Vec<u8>>> {
        let mut report = vec![0; LONGEST];
        match self
            .handle
            .read_interrupt(self.input, &mut report, patience)
        {
            Ok(length) => {
                report.truncate(length);
                Ok(Some(report))
            }
            Err(rusb::Error::Timeout) => Ok(None),
            Err(why) => Err(in_words(why)),
        }
    }

    fn write(&self, report: &[u8]) -> io::Result<()> {
        const LIMIT: Duration = Duration::from_secs(1);
        /// Set report, to the interface, class request.
        const KIND: u8 = 0x21;
        const SET_REPORT: u8 = 0x09;
        const OUTPUT: u16 = 0x0200;
        let number = u16::from(report.first().copied().unwrap_or(0));
        let sent = match self.output {
            Some(endpoint) => self.handle.write_interrupt(endpoint, report, LIMIT),
            None => self.handle.write_control(
                KIND,
                SET_REPORT,
                OUTPUT | number,
                u16::from(self.interface),
                report,
                LIMIT,
            ),
        };
        sent.map(|_| ()).map_err(in_words)
    }
}

impl Drop for UsbReports {
    fn drop(&mut self) {
        let _device_is_gone = self.handle.release_interface(self.interface);
    }
}

/// Takes the interface from the kernel's driver, or as it is where no driver can be detached.
fn claim(handle: &DeviceHandle<Context>, interface: u8) -> rusb::Result<()> {
    let _claiming_says_so = handle.set_auto_detach_kernel_driver(true);
    match handle.claim_interface(interface) {
        Err(rusb::Error::Other) => {
            let _claiming_says_so = handle.set_auto_detach_kernel_driver(false);
            handle.claim_interface(interface)
        }
        claimed => claimed,
    }
}

/// The interface for human interfaces with its interrupt endpoints, in and out.
fn endpoints(device: &rusb::Device<Context>) -> rusb::Result<(u8, u8, Option<u8>)> {
    let config = device.active_config_descriptor()?;
    let settings = config
        .interfaces()
        .flat_map(|interface| interface.descriptors());
    for setting in settings.filter(|setting| setting.class_code() == HUMAN_INTERFACE) {
        let find = |direction: Direction| {
            setting
                .endpoint_descriptors()
                .find(|end| {
                    end.transfer_type() == TransferType::Interrupt && end.direction() == direction
                })
                .map(|end| end.address())
        };
        if let Some(input) = find(Direction::In) {
            return Ok((setting.interface_number(), input, find(Direction::Out)));
        }
    }
    Err(rusb::Error::NotFound)
}

fn in_words(why: rusb::Error) -> io::Error {
    let kind = match why {
        rusb::Error::NoDevice | rusb::Error::Io => io::ErrorKind::UnexpectedEof,
        rusb::Error::Access => io::ErrorKind::PermissionDenied,
        rusb::Error::NotFound => io::ErrorKind::NotFound,
        rusb::Error::Busy => io::ErrorKind::ResourceBusy,
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, why.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::devices::{DeviceEvent, LineOptions, Orientation, Placement, driver};
    use crate::simulate::VirtualBoard;
    use crate::simulate::whole::virtual_board;
    use crate::time::Clock;

    /// A virtual board in the place of libusb.
    struct Double {
        board: Mutex<Box<dyn VirtualBoard>>,
        clock: Clock,
        pulled: AtomicBool,
    }

    impl Reports for Double {
        fn read(&self, _patience: Duration) -> io::Result<Option<Vec<u8>>> {
            std::thread::sleep(Duration::from_millis(5));
            if self.pulled.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let mut board = self.board.lock().expect("whole");
            let report = board.take_output(self.clock.now());
            Ok((!report.is_empty()).then_some(report))
        }

        fn write(&self, report: &[u8]) -> io::Result<()> {
            let mut board = self.board.lock().expect("whole");
            board.host_bytes(self.clock.now(), report);
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_board_behind_usb_is_asked_and_heard_and_its_end_is_noticed() {
        let start = Placement::start();
        let board =
            virtual_board("chessnut", "", Orientation::Normal, start, 1).expect("there is one");
        let double = Arc::new(Double {
            board: Mutex::new(board),
            clock: Clock::start(),
            pulled: AtomicBool::new(false),
        });
        let mut port = HidPort::on(Arc::clone(&double) as Arc<dyn Reports>);
        let mut line = driver("chessnut")
            .expect("known")
            .open(LineOptions::default());
        let clock = Clock::start();
        let mut buffer = [0; LONGEST];
        line.opened(clock.now());
        let mut told = Vec::new();
        while !told.contains(&DeviceEvent::Dump(start)) {
            while let Some(report) = line.next_write() {
                port.write(&report).await.expect("it takes reports");
            }
            let nap = line
                .wake()
                .map_or(Duration::from_secs(1), |at| clock.until(at));
            tokio::select! {
                read = port.read(&mut buffer) => line.receive(clock.now(), &buffer[..read.expect("it is there")]),
                () = tokio::time::sleep(nap) => line.tick(clock.now()),
            }
            told.extend(std::iter::from_fn(|| line.next_event()));
        }
        assert_eq!(double.board.lock().expect("whole").harmful_commands(), 0);
        double.pulled.store(true, Ordering::Relaxed);
        let end = loop {
            if let Err(end) = port.read(&mut buffer).await {
                break end;
            }
        };
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
    }
}
