//! What a board says, as bytes.

use crate::devices::{Battery, ClockFace, Flag};

/// A message: identifier, length of the whole in two times seven bits, payload.
pub(super) fn message(id: u8, payload: &[u8]) -> Vec<u8> {
    let length = payload.len() + 3;
    let mut bytes = vec![id, (length >> 7) as u8 & 0x7F, length as u8 & 0x7F];
    bytes.extend_from_slice(payload);
    bytes
}

/// The seven bytes of a clock reading.
pub(super) fn reading(
    left: ClockFace,
    right: ClockFace,
    running: bool,
    right_high: bool,
    low: bool,
) -> [u8; 7] {
    let [rh, rm, rs] = face(right);
    let [lh, lm, ls] = face(left);
    let turn = if right_high { 0x10 } else { 0x08 };
    let status = u8::from(running) | u8::from(right_high) << 1 | u8::from(low) << 2 | turn;
    [rh, rm, rs, lh, lm, ls, status]
}

/// The seven bytes of an answer to a clock command.
pub(super) fn ack([ack, command, first, second]: [u8; 4]) -> [u8; 7] {
    let marker = |a: u8, b: u8| 0x0A | (a & 0x80) >> 3 | (b & 0x80) >> 2;
    let low = |byte: u8| byte & 0x7F;
    [
        marker(first, second),
        low(ack),
        low(command),
        marker(ack, command),
        low(first),
        low(second),
        0,
    ]
}

/// The nine bytes of the battery's state.
pub(super) fn battery(b: &Battery) -> [u8; 9] {
    let (left_hours, left_minutes) = b
        .minutes_left
        .map_or((0x7F, 0x7F), |m| ((m / 60) as u8, (m % 60) as u8));
    let (standby_hours, standby_minutes) = (b.standby_minutes / 60, b.standby_minutes % 60);
    [
        b.percent,
        left_hours,
        left_minutes,
        (b.on_minutes / 60) as u8 & 0x7F,
        (b.on_minutes % 60) as u8,
        (standby_hours / 24) as u8 & 0x7F,
        (standby_hours % 24) as u8,
        standby_minutes as u8,
        u8::from(b.charging) | u8::from(b.discharging) << 1,
    ]
}

/// Two decimal digits in one byte.
pub(super) fn bcd(number: u32) -> u8 {
    (number / 10 * 16 + number % 10) as u8
}

fn face(face: ClockFace) -> [u8; 3] {
    let shown = face.seconds.min(9 * 3600 + 59 * 60 + 59);
    let flag = match face.flag {
        Flag::Up => 0,
        Flag::Blocked => 0x10,
        Flag::Shown => 0x40,
    };
    let per_move = if face.per_move { 0x20 } else { 0 };
    [
        (shown / 3600) as u8 | flag | per_move,
        bcd(shown / 60 % 60),
        bcd(shown % 60),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::to_hex;

    #[test]
    fn bytes_are_those_of_the_layouts() {
        let shown = |seconds, flag, per_move| ClockFace {
            seconds,
            flag,
            per_move,
        };
        let running = reading(
            shown(5400, Flag::Up, true),
            shown(5398, Flag::Up, true),
            true,
            true,
            false,
        );
        let fallen = reading(
            shown(20, Flag::Up, true),
            shown(0, Flag::Blocked, true),
            false,
            true,
            true,
        );
        let battery = battery(&Battery {
            percent: 55,
            minutes_left: Some(72),
            on_minutes: 317,
            standby_minutes: 1302,
            charging: true,
            discharging: false,
        });
        let rows = [
            (message(0x8D, &running), "8d 00 0a 21 29 58 21 30 00 13"),
            (message(0x8D, &fallen), "8d 00 0a 30 00 00 20 00 20 16"),
            (
                message(0x8D, &ack([0x10, 0x09, 0x20, 0])),
                "8d 00 0a 0a 10 09 0a 20 00 00",
            ),
            (
                message(0x8D, &ack([0x10, 0x88, 0x05, 0x31])),
                "8d 00 0a 0a 10 08 2a 05 31 00",
            ),
            (
                message(0xA0, &battery),
                "a0 00 0c 37 01 0c 05 11 00 15 2a 01",
            ),
            (message(0x8F, &[0; 7936])[..3].to_vec(), "8f 3e 03"),
        ];
        for (bytes, expect) in rows {
            assert_eq!(to_hex(&bytes), expect);
        }
    }
}
