//! Recording a result with its witnesses, confirming the proposed one, and declaring a default.

use protocol::{Alert, BySide, DeskTable, GameResult, OrderBody, ResultHow, Side};

use super::dialog::{Dialog, Opening, result};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{Language, t, word};

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

const RESULT: &str = word!("Result");
const HOW: &str = word!("How");
const SHEET_WHITE: &str = word!("White has signed the sheet");
const SHEET_BLACK: &str = word!("Black has signed the sheet");
/// The tick that confirms at once.
pub(super) const CONFIRM: &str = word!("confirm at once (v)");

/// Opens the dialog, with the proposed result chosen if there is one.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let form = Form::new(vec![
        (
            RESULT,
            Held::Row(RESULTS.map(|r| Choose::plain(result(r))).to_vec(), 2),
        ),
        (
            HOW,
            Held::Row(HOWS.map(|h| Choose::plain(l.say(h.words()))).to_vec(), 0),
        ),
        (SHEET_WHITE, Held::Tick(false)),
        (SHEET_BLACK, Held::Tick(false)),
        (CONFIRM, Held::Tick(false)),
        (NOTE, Held::Text(String::new())),
    ]);
    let mut dialog = Dialog::about(opening, &t!(l, "Result"), form, body);
    dialog.settles = |dialog, field| {
        if field == RESULT {
            say_how(dialog);
        }
    };
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
        .knowing(word!("Board"), witness(l, opening.table))
        .knowing(word!("Position"), position(l, opening.table))
        .knowing(word!("So far"), standing(l, opening.table))
}

/// What the hub has found in the position: it stands as an alert of the table, or as the way of its result.
fn position(l: &Language, table: &DeskTable) -> String {
    let found = |how: ResultHow, code: &str| {
        let alert = table.alerts.iter().any(|id| id.contains(code));
        let yes = alert || table.standing.is_some_and(|s| s.how == how);
        format!(
            "{} {}",
            l.say(how.words()),
            l.say(if yes { word!("yes") } else { word!("no") })
        )
    };
    let ends = [
        found(ResultHow::Checkmate, "-checkmate-"),
        found(ResultHow::Stalemate, "-stalemate-"),
        found(ResultHow::DeadPosition, "-dead-position-"),
    ];
    ends.join(" · ")
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
            let side = alert.side.or_else(|| Side::BOTH.into_iter().find(fallen));
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
    match how {
        Some(how) => choose_how(dialog, how),
        None => say_how(dialog),
    }
}

fn choose_how(dialog: &mut Dialog, how: ResultHow) {
    if let Some(index) = HOWS.iter().position(|h| *h == how) {
        dialog.form.choose(HOW, index);
    }
}

/// Gives a result that was chosen its usual way, unless another one was chosen that fits.
fn say_how(dialog: &mut Dialog) {
    let result = RESULTS[dialog.form.chosen(RESULT)];
    let how = HOWS[dialog.form.chosen(HOW)];
    if RESULTS.map(usual).contains(&how) || !how.fits(result) {
        choose_how(dialog, usual(result));
    }
}

/// How a game with this result usually ended.
fn usual(result: GameResult) -> ResultHow {
    match result {
        GameResult::WhiteWins | GameResult::BlackWins => ResultHow::Resigned,
        GameResult::Draw => ResultHow::Agreed,
        GameResult::WhiteByDefault | GameResult::BlackByDefault | GameResult::NobodyAppeared => {
            ResultHow::Default
        }
        GameResult::BothLose => ResultHow::Arbiter,
    }
}

fn witness(l: &Language, table: &DeskTable) -> String {
    let clocks = match table.clock.map(|c| c.running) {
        None => word!("no clock"),
        Some(None) => word!("clocks stopped"),
        Some(Some(_)) => word!("a clock runs"),
    };
    let board = match table.board {
        None => word!("board = record"),
        Some(_) => word!("the board differs from the record"),
    };
    format!("{} · {}", l.say(clocks), l.say(board))
}

fn standing(l: &Language, table: &DeskTable) -> String {
    match table.standing {
        None => t!(l, "no result"),
        Some(s) => format!(
            "{} · {} · {}",
            result(s.result),
            l.say(s.how.words()),
            l.say(state_words(s.state))
        ),
    }
}

/// How far a result has come, in one word.
pub fn state_words(state: protocol::ResultState) -> &'static str {
    use protocol::ResultState as S;
    match state {
        S::Proposed => word!("proposed"),
        S::Confirmed => word!("confirmed"),
        S::Signed => word!("signed"),
        S::Published => word!("published"),
        S::Corrected => word!("corrected"),
    }
}

/// Why a result and a way do not go together.
pub fn no_such_end(l: &Language, chosen: GameResult, how: ResultHow) -> String {
    t!(
        l,
        "{} does not end so: {}; choose how",
        result(chosen),
        l.say(how.words())
    )
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    let (chosen, how) = (RESULTS[form.chosen(RESULT)], HOWS[form.chosen(HOW)]);
    if !how.fits(chosen) {
        return Err(no_such_end(&dialog.language, chosen, how));
    }
    Ok(OrderBody::Result {
        table: dialog.about.table,
        result: chosen,
        how,
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
    let l = opening.language;
    Dialog::about(opening, &t!(l, "Confirm the result"), form, confirm)
        .knowing(word!("Players"), names)
        .knowing(word!("Proposed"), standing(l, opening.table))
        .knowing(word!("Board"), witness(l, opening.table))
}

const ABSENT: &str = word!("Absent");

/// Opens the declaration of a default (6.7).
pub(super) fn open_default(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let absent = [Side::White.word(), Side::Black.word(), word!("both")];
    let absent = absent.map(|who| Choose::plain(l.say(who))).to_vec();
    let form = Form::new(vec![
        (ABSENT, Held::Row(absent, first_absent(opening))),
        (NOTE, Held::Text(String::new())),
    ]);
    let players = &opening.table.players;
    let names = format!("{} – {}", players.white.name, players.black.name);
    let played = opening.table.record.len();
    Dialog::about(opening, &t!(l, "Default"), form, default)
        .knowing(word!("Players"), names)
        .knowing(
            word!("Played"),
            l.many(played, "1 half-move", "{} half-moves"),
        )
}

/// Whom the alert names, else who has the move.
fn first_absent(opening: &Opening<'_>) -> usize {
    let told = opening.alert.and_then(|alert| alert.side);
    usize::from(told.unwrap_or(opening.table.turn) == Side::Black)
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
