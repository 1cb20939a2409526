//! Which decision answers which alert, and which key opens which dialog.

use super::dialog::{Dialog, Opening};
use super::{claim, conduct, illegal_move, position, result, small, time};
use crate::action::Action;

/// The decision that usually answers an alert of this code; none where a choice is better.
pub fn fitting(code: &str) -> Option<Action> {
    Some(match code {
        "illegal-move" | "promotion-not-replaced" | "press-without-move" | "two-moves" => {
            Action::IllegalMove
        }
        "flag-fallen"
        | "both-flags-fallen"
        | "fivefold"
        | "seventy-five"
        | "dead-position"
        | "checkmate"
        | "stalemate"
        | "result-conflict"
        | "result-missing"
        | "early-draw"
        | "sealed-move-void"
        | "illegal-position-stands" => Action::Result,
        "result-proposed" => Action::Confirm,
        "default-time-reached" | "late-for-resumption" => Action::Default,
        "draw-claimed"
        | "quickplay-claim"
        | "threefold-claimable"
        | "fifty-claimable"
        | "clocks-stopped" => Action::Claim,
        "clock-lost" | "clock-jumped" | "clock-sum-wrong" | "move-counter-wrong" => Action::Clock,
        "device-unknown" | "table-claimed-twice" | "boards-exchanged" => Action::Bind,
        "time-control-wrong" | "increment-wrong" | "wrong-clock-running" => Action::Time,
        "position-mismatch"
        | "initial-position-wrong"
        | "pieces-displaced"
        | "record-gap"
        | "reading-ambiguous"
        | "move-changed-after-press"
        | "boards-differ" => Action::Position,
        // Something is done at the table or with a device, and no ruling on the game is made.
        "board-turned" | "colours-reversed" | "clock-not-started" | "clock-side-wrong"
        | "move-without-press" | "scramble" | "board-silent" | "agent-silent" | "square-faulty"
        | "board-battery-low" | "clock-battery-low" => Action::Dismiss,
        _ => return None,
    })
}

/// Opens the dialog of an action, if it has one; the alert that it answers stands above everything.
pub fn open(action: Action, opening: &Opening<'_>) -> Option<Dialog> {
    let mut dialog = blank(action, opening)?;
    if let Some(alert) = opening.alert.filter(|a| fitting(&a.code) == Some(action)) {
        let told = dialog.known.iter().any(|(label, _)| label == "Because");
        let because = alert.because.join(" ");
        let rows = [
            ("Alert", alert.headline.clone(), true),
            ("Because", because.clone(), !told && !because.is_empty()),
            (
                "Proposed",
                alert.proposal.join(" "),
                !alert.proposal.is_empty(),
            ),
        ];
        let rows = rows.into_iter().filter(|(.., wanted)| *wanted);
        let rows = rows.map(|(label, text, _)| (label.to_owned(), text));
        dialog.known.splice(0..0, rows);
    }
    Some(dialog)
}

fn blank(action: Action, opening: &Opening<'_>) -> Option<Dialog> {
    Some(match action {
        Action::IllegalMove => illegal_move::open(opening),
        Action::Time => time::open_adjust(opening),
        Action::Clock => time::open_clock(opening),
        Action::Result => result::open(opening),
        Action::Confirm => result::open_confirm(opening),
        Action::Default => result::open_default(opening),
        Action::Position => position::open(opening),
        Action::Claim => claim::open(opening),
        Action::Conduct => conduct::open(opening),
        Action::Note => small::open_note(opening),
        _ => return None,
    })
}
