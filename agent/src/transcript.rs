//! A recording read offline: bytes through driver, session and tracker, with the recording's own times.

use protocol::{DeviceId, Envelope, Millis};

use crate::devices::{Capture, Driver, LineOptions, Orientation, OrientationChoice};
use crate::session::{Agent, Device, Input, Memory, Output, Session};

/// After the last byte the board is at peace for so long, milliseconds.
const PEACE: Millis = 30_000;

/// How a recording is to be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// Where the game starts, full FEN; none: the usual array.
    pub start_fen: Option<String>,
    /// How the board lay; none: found out at the initial array.
    pub orientation: Option<Orientation>,
}

/// All facts of a recording, dated in milliseconds of the recording.
pub fn read(driver: &'static dyn Driver, capture: &Capture, how: &Reading) -> Vec<Envelope> {
    let line = driver.open(LineOptions {
        orientation: how
            .orientation
            .map_or(OrientationChoice::Auto, OrientationChoice::Given),
        recording: true,
        ..LineOptions::default()
    });
    let mut session = Session::new(line, "recording");
    let begin = capture.chunks.first().map_or(0, |chunk| chunk.at);
    let device = Box::new(device(driver, how));
    let mut facts = Vec::new();
    take(&mut facts, session.handle(begin, Input::Opened));
    take(&mut facts, session.handle(begin, Input::Device(device)));
    for chunk in &capture.chunks {
        run_to(&mut session, chunk.at, &mut facts);
        take(
            &mut facts,
            session.handle(chunk.at, Input::Bytes(&chunk.bytes)),
        );
    }
    let end = capture.chunks.last().map_or(0, |chunk| chunk.at) + PEACE;
    run_to(&mut session, end, &mut facts);
    facts
}

fn run_to(session: &mut Session, now: Millis, facts: &mut Vec<Envelope>) {
    let mut last = 0;
    while let Some(at) = session.wake().filter(|&at| at <= now && at > last) {
        last = at;
        take(facts, session.handle(at, Input::Tick));
    }
}

fn take(facts: &mut Vec<Envelope>, outputs: Vec<Output>) {
    facts.extend(outputs.into_iter().filter_map(|output| match output {
        Output::Fact(envelope) => Some(envelope),
        _ => None,
    }));
}

fn device(driver: &dyn Driver, how: &Reading) -> Device {
    let agent = Agent {
        id: "replay".parse().expect("a good name"),
        boot: "replay".parse().expect("a good name"),
    };
    let mut memory = Memory::fresh(DeviceId::of(driver.family(), "recording"));
    if how.start_fen.is_some() {
        memory.control = Some(protocol::Control {
            generation: 1,
            game: "recording".parse().ok(),
            start_fen: how.start_fen.clone(),
            ..protocol::Control::default()
        });
    }
    Device::new(agent, memory, 1, false)
}
