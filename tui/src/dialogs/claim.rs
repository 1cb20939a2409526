//! A player's claim: entered with the move he wrote down (9.2, 9.3) or with what he asks for (III.4, III.5), then ruled upon.

use protocol::{ClaimJudgement, DeskTable, DrawClaim, OrderBody, QuickplayAsk, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{t, word};

const WHAT: &str = word!("Claim");
const BY: &str = word!("By");
const WRITTEN: &str = word!("Written");
const RULING: &str = word!("Ruling");
const BONUS: &str = word!("the opponent gets his two minutes (III.5)");

/// Opens the ruling on the claim that waits at the table, or the entering of a new one.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    match waiting(opening.table) {
        Some(quickplay) => open_ruling(opening, quickplay),
        None => open_entry(opening),
    }
}

/// Whether a claim waits for its ruling, and whether it is one of a game without increment.
fn waiting(table: &DeskTable) -> Option<bool> {
    let has = |code: &str| table.alerts.iter().any(|id| id.contains(code));
    match (has("-quickplay-claim-"), has("-draw-claimed-")) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    }
}

fn open_entry(opening: &Opening<'_>) -> Dialog {
    let (table, l) = (opening.table, opening.language);
    let choices = [
        (
            word!("the same position for the third time"),
            "9.2",
            Some(word!("The player claims a draw")),
        ),
        (
            word!("fifty moves without capture or pawn move"),
            "9.3",
            None,
        ),
        (
            word!("an increment of five seconds"),
            "III.4",
            Some(word!("Short of time, without increment, he asks for")),
        ),
        (word!("a draw: no way to win, or no effort"), "III.5", None),
    ];
    let choices = choices.map(|(words, article, heading)| {
        let choice = Choose::with(l.say(words), article);
        match heading {
            Some(heading) => choice.under(l.say(heading)),
            None => choice,
        }
    });
    let form = Form::new(vec![
        (
            WHAT,
            Held::List(
                choices.to_vec(),
                usize::from(table.repetitions < 3 && table.quiet_plies >= 99),
            ),
        ),
        (WRITTEN, Held::Text(String::new())),
        (BY, super::small::sides(l, table.turn)),
        (NOTE, Held::Text(String::new())),
    ]);
    let hint = t!(
        l,
        "a move that he wrote down and has not made: Nf3; empty: he claims what stands on the board"
    );
    Dialog::about(opening, &t!(l, "Claim"), form, enter)
        .knowing(word!("Record"), record(opening))
        .knowing(word!("Written"), hint)
}

fn record(opening: &Opening<'_>) -> String {
    let table = opening.table;
    let l = opening.language;
    let times = usize::try_from(table.repetitions).unwrap_or(usize::MAX);
    t!(
        l,
        "the present position {} · {} half-moves without capture or pawn move",
        l.many(times, "once", "{} times"),
        table.quiet_plies
    )
}

fn enter(dialog: &Dialog) -> Result<OrderBody, String> {
    let table = dialog.about.table;
    let claimant = Side::BOTH[dialog.form.chosen(BY)];
    let written = dialog.form.text(WRITTEN);
    let draw = |claim| OrderBody::ClaimDraw {
        table,
        claimant,
        claim,
        written: (!written.is_empty()).then(|| dialog.notation.read(written)),
    };
    let asks = |asks| OrderBody::ClaimQuickplay {
        table,
        claimant,
        asks,
    };
    Ok(match dialog.form.chosen(WHAT) {
        0 => draw(DrawClaim::Threefold),
        1 => draw(DrawClaim::FiftyMoves),
        2 => asks(QuickplayAsk::Increment),
        _ => asks(QuickplayAsk::Draw),
    })
}

const JUDGEMENTS: [ClaimJudgement; 3] = [
    ClaimJudgement::Grant,
    ClaimJudgement::Reject,
    ClaimJudgement::Postpone,
];

fn open_ruling(opening: &Opening<'_>, quickplay: bool) -> Dialog {
    let (table, l) = (opening.table, opening.language);
    let mut choices = vec![
        Choose::with(
            l.say(word!("the claim is correct, or is granted")),
            l.say(word!("as the Laws say")),
        ),
        Choose::with(
            l.say(word!("the claim is not correct, or is rejected")),
            l.say(word!("time for the opponent")),
        ),
    ];
    let correct = quickplay || table.repetitions >= 3 || table.quiet_plies >= 100;
    let mut fields = Vec::new();
    if quickplay {
        choices.push(Choose::with(
            l.say(word!("watch first and decide later")),
            "III.5",
        ));
    }
    fields.push((RULING, Held::List(choices, usize::from(!correct))));
    if quickplay {
        fields.push((BONUS, Held::Tick(false)));
    }
    fields.push((NOTE, Held::Text(String::new())));
    Dialog::about(
        opening,
        &t!(l, "Ruling on the claim"),
        Form::new(fields),
        rule,
    )
    .knowing(word!("Record"), record(opening))
}

fn rule(dialog: &Dialog) -> Result<OrderBody, String> {
    Ok(OrderBody::RuleClaim {
        table: dialog.about.table,
        judgement: JUDGEMENTS[dialog.form.chosen(RULING)],
        bonus: dialog.form.ticked(BONUS),
    })
}
