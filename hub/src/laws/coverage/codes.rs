//! Codes of alerts that nothing raises by itself yet, each with the reason.

use crate::laws::Code;

/// The codes.
pub const NOT_RAISED: &[(Code, &str)] = &[
    (
        Code::BoardTurned,
        "told as a wrong initial position; the rule that knows a quarter turn is there",
    ),
    (
        Code::ColoursReversed,
        "no fact of a board tells who sits where; the rule and its urgency are there",
    ),
    (Code::PiecesDisplaced, "told as position-mismatch"),
    (
        Code::DrawClaimed,
        "no order enters a claim; the verdict is there",
    ),
    (
        Code::QuickplayClaim,
        "no order enters a claim; what may be ruled is there",
    ),
    (
        Code::ResultConflict,
        "an arbiter's entry replaces what the board proposed; no file of a pairing program is compared",
    ),
    (
        Code::LateForResumption,
        "no order adjourns a game; the rule is there",
    ),
    (
        Code::SealedMoveVoid,
        "no order adjourns a game; the reading of a sealed move is there",
    ),
    (
        Code::BoardBatteryLow,
        "the charge is on the screen of devices only",
    ),
    (
        Code::BoardsExchanged,
        "boards are known by their serial numbers; a swap of players is not looked for",
    ),
];
