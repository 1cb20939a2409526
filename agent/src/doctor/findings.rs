//! What a few seconds of a board tell about its health: pure, from events to findings with a cure.

use std::collections::BTreeMap;

use shakmaty::{File, Square};

use super::{Check, State, check};
use crate::devices::{DeviceEvent, NoClockBecause, Orientation, Placement};

/// A battery with less than this many per cent does not last a round.
const LOW: u8 = 20;
/// So many stretches of damaged bytes in a few seconds are no accident.
const DAMAGED: u64 = 3;
/// A square that changed so often while nobody played flickers.
const CHANGES: usize = 6;

/// Everything that is worth a word, the worst first.
pub(super) fn findings(events: &[DeviceEvent]) -> Vec<Check> {
    let mut found: Vec<Check> = [
        dead_column(events),
        flickers(events),
        battery(events),
        chessclock(events),
        garbage(events),
        reversed(events),
        unknown_pieces(events),
    ]
    .into_iter()
    .flatten()
    .collect();
    found.sort_by_key(|check| check.state != State::Fail);
    found
}

/// Bytes came, but no board said who it is.
pub(super) fn nobody(heard: usize) -> Check {
    if heard == 0 {
        return check(
            State::Fail,
            "A20",
            "nobody answers there",
            "is the board switched on and in its playing mode, does its cable sit at both ends, and is it of this family?",
        );
    }
    check(
        State::Fail,
        "A58",
        format!("{heard} bytes came, but none of them are a board's words"),
        "the port has the wrong speed, another device is plugged in, or another family is configured: `zeitnot-agent list --supported`",
    )
}

/// Another family answers than the one that is configured for the port.
pub(super) fn wrong_mode(configured: &str, who: &str) -> Check {
    check(
        State::Fail,
        "A59",
        format!("wrong mode: {who} answers there, but the port is configured for {configured}"),
        "set the port's family in agent.toml (`[families]`), or `auto`; or switch the board to the mode that is configured",
    )
}

fn last_dump(events: &[DeviceEvent]) -> Option<Placement> {
    events.iter().rev().find_map(|event| match event {
        DeviceEvent::Dump(placement) => Some(*placement),
        _ => None,
    })
}

/// One file is empty while the initial array stands on all others.
fn dead_column(events: &[DeviceEvent]) -> Option<Check> {
    let stands = last_dump(events)?;
    let array = Placement::start();
    let turned = array.rotated();
    let is_dead = |file: File| {
        let own = |square: &Square| square.file() == file;
        let empty = Square::ALL
            .iter()
            .filter(|square| own(square))
            .all(|square| stands.at(*square).is_none());
        let others = Square::ALL.iter().filter(|square| !own(square));
        let like = |array: &Placement| {
            others
                .clone()
                .all(|square| stands.at(*square) == array.at(*square))
        };
        empty && (like(&array) || like(&turned))
    };
    let file = File::ALL.into_iter().find(|file| is_dead(*file))?;
    Some(check(
        State::Fail,
        "A52",
        format!("no piece is seen on the {file}-file, though the array stands on all others"),
        "the column is dead: use another board, and have this one repaired",
    ))
}

fn flickers(events: &[DeviceEvent]) -> Option<Check> {
    let mut changes: BTreeMap<Square, usize> = BTreeMap::new();
    let mut told = None;
    for event in events {
        match event {
            DeviceEvent::Flickers { square } => told = Some(*square),
            DeviceEvent::Square { square, .. } | DeviceEvent::Occupied { square, .. } => {
                *changes.entry(*square).or_default() += 1;
            }
            _ => {}
        }
    }
    let often = changes.into_iter().find(|(_, count)| *count >= CHANGES);
    let square = told.or(often.map(|(square, _)| square))?;
    Some(check(
        State::Warn,
        "A53",
        format!("the piece on {square} comes and goes"),
        "put it in the middle of its square; if it goes on, take another piece: its transponder is worn",
    ))
}

fn battery(events: &[DeviceEvent]) -> Option<Check> {
    let battery = events.iter().rev().find_map(|event| match event {
        DeviceEvent::Battery(battery) => Some(*battery),
        _ => None,
    })?;
    let text = format!("the board's battery has {} %", battery.percent);
    Some(if battery.percent < LOW && !battery.charging {
        check(State::Warn, "A54", text, "charge it before the round")
    } else {
        check(State::Ok, "A54", text, "")
    })
}

fn chessclock(events: &[DeviceEvent]) -> Option<Check> {
    let last = events
        .iter()
        .rev()
        .find(|event| matches!(event, DeviceEvent::NoClock(_) | DeviceEvent::Clock(_)))?;
    Some(match last {
        DeviceEvent::Clock(reading) if reading.low_battery => check(
            State::Warn,
            "A55",
            "the chessclock's battery is low",
            "change its batteries before the round",
        ),
        DeviceEvent::NoClock(NoClockBecause::NotConnected) => check(
            State::Warn,
            "A55",
            "no chessclock is plugged into the board",
            "plug the clock's cable into the board's socket; without it moves are known and times are not",
        ),
        DeviceEvent::NoClock(NoClockBecause::Silent) => check(
            State::Warn,
            "A55",
            "the chessclock does not answer",
            "is it switched on, and does its cable sit?",
        ),
        _ => check(State::Ok, "A55", "the chessclock is read", ""),
    })
}

fn garbage(events: &[DeviceEvent]) -> Option<Check> {
    let is_garbage = |event: &&DeviceEvent| matches!(event, DeviceEvent::Garbage { .. });
    damage(events.iter().filter(is_garbage).count() as u64)
}

/// So many stretches of bytes were nobody's words.
pub(super) fn damage(damaged: u64) -> Option<Check> {
    (damaged >= DAMAGED).then(|| {
        check(
            State::Warn,
            "A56",
            format!("{damaged} stretches of damaged bytes in a few seconds"),
            "another cable, a shorter one, or another socket; on a shared line look for a second power supply or a loose splitter",
        )
    })
}

fn unknown_pieces(events: &[DeviceEvent]) -> Option<Check> {
    let last = events.iter().rev().find_map(|event| match event {
        DeviceEvent::PiecesUnknown(unknown) => Some(*unknown),
        DeviceEvent::Dump(_) => Some(false),
        _ => None,
    });
    (last == Some(true)).then(|| {
        check(
            State::Warn,
            "A50",
            "pieces are read, but the numbers in them are not known here",
            "set up the initial array for five seconds, once for each set; an agent that saw it before goes on with what it kept",
        )
    })
}

fn reversed(events: &[DeviceEvent]) -> Option<Check> {
    let lies = events.iter().rev().find_map(|event| match event {
        DeviceEvent::Orientation(lies) => Some(*lies),
        _ => None,
    })?;
    (lies == Orientation::Rotated).then(|| {
        check(
            State::Ok,
            "A57",
            "the board lies turned round, its connector at White's right hand",
            "nothing to do: it is read that way; if the pieces stand the wrong way, turn them",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::{Battery, LineOptions, driver};

    fn with_dead_file(file: File) -> DeviceEvent {
        let mut stands = Placement::start();
        for square in Square::ALL
            .into_iter()
            .filter(|square| square.file() == file)
        {
            stands.set(square, None);
        }
        DeviceEvent::Dump(stands)
    }

    fn low() -> DeviceEvent {
        DeviceEvent::Battery(Battery {
            percent: 12,
            minutes_left: None,
            on_minutes: 0,
            standby_minutes: 0,
            charging: false,
            discharging: true,
        })
    }

    #[test]
    fn every_cause_has_its_code_and_a_cure() {
        let garbage = DeviceEvent::Garbage {
            bytes: vec![0xFF],
            why: "noise",
        };
        let square = |piece| DeviceEvent::Square {
            square: Square::C4,
            piece,
        };
        let come_and_go: Vec<DeviceEvent> = (0..6).map(|_| square(None)).collect();
        let rows: [(Vec<DeviceEvent>, &str, State, &str); 9] = [
            (
                vec![DeviceEvent::PiecesUnknown(true)],
                "A50",
                State::Warn,
                "not known",
            ),
            (vec![with_dead_file(File::C)], "A52", State::Fail, "c-file"),
            (come_and_go, "A53", State::Warn, "c4"),
            (
                vec![DeviceEvent::Flickers { square: Square::G7 }],
                "A53",
                State::Warn,
                "g7",
            ),
            (vec![low()], "A54", State::Warn, "12 %"),
            (
                vec![DeviceEvent::NoClock(NoClockBecause::NotConnected)],
                "A55",
                State::Warn,
                "plugged",
            ),
            (
                vec![DeviceEvent::NoClock(NoClockBecause::Silent)],
                "A55",
                State::Warn,
                "answer",
            ),
            (
                vec![garbage.clone(), garbage.clone(), garbage],
                "A56",
                State::Warn,
                "damaged",
            ),
            (
                vec![DeviceEvent::Orientation(Orientation::Rotated)],
                "A57",
                State::Ok,
                "turned",
            ),
        ];
        for (events, code, state, word) in rows {
            let found = findings(&events);
            let [only] = &found[..] else {
                panic!("{events:?}: {found:?}");
            };
            assert_eq!((only.code, only.state), (code, state), "{found:?}");
            assert!(
                only.text.contains(word) && !only.help.is_empty(),
                "{only:?}"
            );
        }
        assert!(findings(&[DeviceEvent::Dump(Placement::start())]).is_empty());
        assert_eq!((nobody(0).code, nobody(40).code), ("A20", "A58"));
        let other = wrong_mode("dgt", "a board of the family millennium");
        assert_eq!((other.code, other.state), ("A59", State::Fail));
        assert!(other.text.contains("millennium") && other.text.contains("for dgt"));
    }

    #[test]
    fn what_a_recorded_board_says_is_found_sound() {
        let dump = "86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07 \
             00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
             01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02 8d 00 0a 21 29 58 21 30 00 13";
        let mut line = driver("dgt").expect("known").open(LineOptions {
            recording: true,
            ..LineOptions::default()
        });
        line.opened(0);
        line.receive(0, &crate::devices::parse_hex(dump).expect("hexadecimal"));
        let events: Vec<DeviceEvent> = std::iter::from_fn(|| line.next_event()).collect();
        let found = findings(&events);
        assert!(!found.is_empty(), "{events:?}");
        assert!(
            found.iter().all(|check| check.state == State::Ok),
            "{found:?}"
        );
    }
}
