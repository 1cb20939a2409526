//! Recording a result with its witnesses, confirming the proposed one, and declaring a default.

use protocol::{Alert, BySide, DeskTable, GameResult, OrderBody, ResultHow, Side};

use super::dialog::{Dialog, Opening, result};
use super::form::{Choose, Form, Held, NOTE};

const RESULTS: [GameResult; 7] = [
    GameResult::WhiteWins,
    GameResult::BlackWins,
    GameResult::Draw,
    GameResult::WhiteByDefault,
    GameResult::BlackByDefault,
    GameResult::NobodyAppeared,
    GameResult::BothLose,
];
/// Ways a game ends, in the order of the dialog.
pub const HOWS: [ResultHow; 14] = [
    ResultHow::Agreed,
    ResultHow::Checkmate,
    ResultHow::Resigned,
    ResultHow::Flag,
    ResultHow::Stalemate,
    ResultHow::DeadPosition,
    ResultHow::Threefold,
    ResultHow::FiftyMoves,
    ResultHow::Fivefold,
    ResultHow::SeventyFiveMoves,
    ResultHow::Default,
    ResultHow::IllegalMoves,
    ResultHow::KingsSign,
    ResultHow::Arbiter,
];

const RESULT: &str = "Result";
const HOW: &str = "How";
const SHEET_WHITE: &str = "White has signed the sheet";
const SHEET_BLACK: &str = "Black has signed the sheet";
const CONFIRM: &str = "confirm at once";

/// Opens the dialog, with the proposed result chosen if there is one.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let form = Form::new(vec![
        (
            RESULT,
            Held::Row(RESULTS.map(|r| Choose::plain(result(r))).to_vec(), 2),
        ),
        (
            HOW,
            Held::Row(HOWS.map(|h| Choose::plain(h.words())).to_vec(), 0),
        ),
        (SHEET_WHITE, Held::Tick(false)),
        (SHEET_BLACK, Held::Tick(false)),
        (CONFIRM, Held::Tick(false)),
        (NOTE, Held::Text(String::new())),
    ]);
    let mut dialog = Dialog::about(opening, "Result", form, body);
    let players = &opening.table.players;
    dialog.title = format!(
        "{} · {} – {}",
        dialog.title, players.white.name, players.black.name
    );
    if let Some(standing) = opening.table.standing {
        choose(&mut dialog, standing.result, Some(standing.how));
    } else if let Some((result, how)) = opening.alert.and_then(|a| found(a, opening.table)) {
        choose(&mut dialog, result, Some(how));
    }
    dialog
        .knowing("Board", witness(opening.table))
        .knowing("So far", standing(opening.table))
}

/// What an alert has found, as the first choice; the hub's preview says whether it is right.
fn found(alert: &Alert, table: &DeskTable) -> Option<(GameResult, ResultHow)> {
    let lost = |side: Side| match side {
        Side::White => GameResult::BlackWins,
        Side::Black => GameResult::WhiteWins,
    };
    let fallen = |side: &Side| {
        let clock = table.clock.as_ref();
        clock.is_some_and(|c| *c.flag.get(*side) != protocol::Flag::Up)
    };
    Some(match alert.code.as_str() {
        "fivefold" => (GameResult::Draw, ResultHow::Fivefold),
        "seventy-five" => (GameResult::Draw, ResultHow::SeventyFiveMoves),
        "dead-position" => (GameResult::Draw, ResultHow::DeadPosition),
        "stalemate" => (GameResult::Draw, ResultHow::Stalemate),
        "checkmate" => (lost(table.turn), ResultHow::Checkmate),
        "flag-fallen" => {
            let side = Side::BOTH.into_iter().find(fallen);
            (lost(side.unwrap_or(table.turn)), ResultHow::Flag)
        }
        _ => return None,
    })
}

/// Chooses a result, and how it came about where that is known.
pub fn choose(dialog: &mut Dialog, result: GameResult, how: Option<ResultHow>) {
    if let Some(index) = RESULTS.iter().position(|r| *r == result) {
        dialog.form.choose(RESULT, index);
    }
    if let Some(index) = HOWS.iter().position(|h| Some(*h) == how) {
        dialog.form.choose(HOW, index);
    }
}

fn witness(table: &DeskTable) -> String {
    let clocks = match table.clock.map(|c| c.running) {
        None => "no clock",
        Some(None) => "clocks stopped",
        Some(Some(_)) => "a clock runs",
    };
    let board = match table.board {
        None => "board = record",
        Some(_) => "the board differs from the record",
    };
    format!("{clocks} · {board}")
}

fn standing(table: &DeskTable) -> String {
    match table.standing {
        None => "no result".to_owned(),
        Some(s) => format!(
            "{} · {} · {}",
            result(s.result),
            s.how.words(),
            state_words(s.state)
        ),
    }
}

/// How far a result has come, in one word.
pub fn state_words(state: protocol::ResultState) -> &'static str {
    use protocol::ResultState as S;
    match state {
        S::Proposed => "proposed",
        S::Confirmed => "confirmed",
        S::Signed => "signed",
        S::Published => "published",
        S::Corrected => "corrected",
    }
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    Ok(OrderBody::Result {
        table: dialog.about.table,
        result: RESULTS[form.chosen(RESULT)],
        how: HOWS[form.chosen(HOW)],
        confirm: form.ticked(CONFIRM),
        signed: BySide {
            white: form.ticked(SHEET_WHITE),
            black: form.ticked(SHEET_BLACK),
        },
    })
}

/// Opens the confirmation of the proposed result.
pub(super) fn open_confirm(opening: &Opening<'_>) -> Dialog {
    let form = Form::new(vec![(NOTE, Held::Text(String::new()))]);
    let confirm = |dialog: &Dialog| {
        Ok(OrderBody::Confirm {
            table: dialog.about.table,
        })
    };
    let players = &opening.table.players;
    let names = format!("{} – {}", players.white.name, players.black.name);
    Dialog::about(opening, "Confirm the result", form, confirm)
        .knowing("Players", names)
        .knowing("Proposed", standing(opening.table))
        .knowing("Board", witness(opening.table))
}

const ABSENT: &str = "Absent";

/// Opens the declaration of a default (6.7).
pub(super) fn open_default(opening: &Opening<'_>) -> Dialog {
    let absent = ["White", "Black", "both"].map(Choose::plain).to_vec();
    let form = Form::new(vec![
        (ABSENT, Held::Row(absent, first_absent(opening.table))),
        (NOTE, Held::Text(String::new())),
    ]);
    let players = &opening.table.players;
    let names = format!("{} – {}", players.white.name, players.black.name);
    Dialog::about(opening, "Default", form, default)
        .knowing("Players", names)
        .knowing("Seen", format!("{} half-moves", opening.table.record.len()))
}

fn first_absent(table: &DeskTable) -> usize {
    usize::from(table.turn == Side::Black)
}

fn default(dialog: &Dialog) -> Result<OrderBody, String> {
    let results = [
        GameResult::BlackByDefault,
        GameResult::WhiteByDefault,
        GameResult::NobodyAppeared,
    ];
    Ok(OrderBody::Result {
        table: dialog.about.table,
        result: results[dialog.form.chosen(ABSENT)],
        how: ResultHow::Default,
        confirm: true,
        signed: BySide::default(),
    })
}
