//! Everything this driver can ever say to a board.
//!
//! The list is closed and holds questions only: the boot loader (4E), the draughts scans (51-54), the lamps (60)
//! and every clock command but the question for its version have no variant, so they cannot be sent.

/// A command to a board in single-board mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostCommand {
    /// Stop all updates.
    Reset,
    /// Send the clock.
    Clock,
    /// Send the whole board.
    Dump,
    /// Send the serial number.
    Serial,
    /// Send every change of a square and of the clock from now on.
    UpdateNice,
    /// Send every change of a square from now on.
    UpdateBoard,
    /// Send the state of the battery.
    Battery,
    /// Send the firmware version.
    Firmware,
    /// Send the hardware version.
    Hardware,
    /// Send the long serial number.
    LongSerial,
    /// Send the memory; blocks the line for more than eight seconds.
    Log,
    /// Ask the chessclock for its version.
    ClockVersion,
}

impl HostCommand {
    /// All of them.
    pub const ALL: [HostCommand; 12] = [
        HostCommand::Reset,
        HostCommand::Clock,
        HostCommand::Dump,
        HostCommand::Serial,
        HostCommand::UpdateNice,
        HostCommand::UpdateBoard,
        HostCommand::Battery,
        HostCommand::Firmware,
        HostCommand::Hardware,
        HostCommand::LongSerial,
        HostCommand::Log,
        HostCommand::ClockVersion,
    ];

    /// The bytes on the wire.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            HostCommand::Reset => &[0x40],
            HostCommand::Clock => &[0x41],
            HostCommand::Dump => &[0x42],
            HostCommand::Serial => &[0x45],
            HostCommand::UpdateNice => &[0x4B],
            HostCommand::UpdateBoard => &[0x44],
            HostCommand::Battery => &[0x4C],
            HostCommand::Firmware => &[0x4D],
            HostCommand::Hardware => &[0x48],
            HostCommand::LongSerial => &[0x55],
            HostCommand::Log => &[0x49],
            HostCommand::ClockVersion => &[0x2B, 0x03, 0x03, 0x09, 0x00],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_command_can_harm_a_board_or_a_clock() {
        for command in HostCommand::ALL {
            let bytes = command.bytes();
            for hazard in [0x4E, 0x50, 0x51, 0x52, 0x53, 0x54, 0x60, 0x63] {
                assert!(!bytes.contains(&hazard), "{command:?} holds {hazard:02x}");
            }
            let clock_command = bytes.contains(&0x2B);
            assert_eq!(
                clock_command,
                bytes == [0x2B, 0x03, 0x03, 0x09, 0x00],
                "{command:?}"
            );
            assert!(clock_command || bytes.len() == 1);
            assert!(
                bytes.iter().all(|&byte| byte < 0x80),
                "{command:?} would start bus mode"
            );
        }
    }
}
