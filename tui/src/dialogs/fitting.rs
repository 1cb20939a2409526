//! Which decision answers which alert, and which key opens which dialog.

use super::dialog::{Dialog, Opening};
use super::{adjourn, claim, conduct, illegal_move, position, result, round, small, time};
use crate::action::Action;
use crate::language::word;
use crate::words;

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
        "default-time-reached" => Action::Default,
        "late-for-resumption" => Action::Resume,
        "colours-reversed" | "initial-position-wrong" => Action::Restart,
        "draw-claimed"
        | "quickplay-claim"
        | "threefold-claimable"
        | "fifty-claimable"
        | "clocks-stopped" => Action::Claim,
        "clock-lost" | "clock-jumped" | "clock-sum-wrong" | "move-counter-wrong" => Action::Clock,
        "device-unknown" | "table-claimed-twice" | "boards-exchanged" => Action::Bind,
        "time-control-wrong" | "increment-wrong" | "wrong-clock-running" => Action::Time,
        "position-mismatch"
        | "pieces-displaced"
        | "record-gap"
        | "reading-ambiguous"
        | "move-changed-after-press"
        | "boards-differ" => Action::Position,
        // Something is done at the table or with a device, and no ruling on the game is made.
        "board-turned"
        | "clock-not-started"
        | "clock-side-wrong"
        | "move-without-press"
        | "scramble"
        | "board-silent"
        | "agent-silent"
        | "square-faulty"
        | "board-battery-low"
        | "clock-battery-low"
        | "device-claimed-twice"
        | "agent-disk-full" => Action::Dismiss,
        _ => return None,
    })
}

/// Opens the dialog of an action, if it has one; the alert that it answers stands above everything.
pub fn open(action: Action, opening: &Opening<'_>) -> Option<Dialog> {
    let mut dialog = blank(action, opening)?;
    if !opening.also.is_empty() {
        dialog = dialog.knowing(word!("Not this"), opening.also);
    }
    if let Some(alert) = opening.alert.filter(|a| fitting(&a.code) == Some(action)) {
        let told = dialog.known.iter().any(|(label, _)| *label == "Because");
        let because = alert.because.join(" ");
        let rows = [
            (word!("Alert"), words::headline(alert), true),
            (
                word!("Because"),
                because.clone(),
                !told && !because.is_empty(),
            ),
            (
                word!("Proposed"),
                alert.proposal.join(" "),
                // For an illegal move the hub's preview says the same.
                !alert.proposal.is_empty() && action != Action::IllegalMove,
            ),
        ];
        let rows = rows.into_iter().filter(|(.., wanted)| *wanted);
        let rows = rows.map(|(label, text, _)| (label, text));
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
        Action::Adjourn => adjourn::open_adjourn(opening),
        Action::Resume => adjourn::open_resume(opening),
        Action::Hold => round::open_hold(opening),
        Action::Restart => round::open_restart(opening),
        Action::Report => round::open_report(opening),
        _ => return None,
    })
}
