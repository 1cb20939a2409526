//! Decisions about the round and about a game as a whole: start, close and publish, hold back, annul and begin anew, say what was seen.

use protocol::{OrderBody, Reported, TableId, Timestamp};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use super::small::about_nothing;
use crate::language::{Language, t, word};

fn only_note() -> Form {
    Form::new(vec![(NOTE, Held::Text(String::new()))])
}

/// Opens the start of a round: from this moment on White's clocks may run.
pub fn open_start_round(language: &Language, round: u16, at: Timestamp) -> Dialog {
    let body = |dialog: &Dialog| {
        Ok(OrderBody::StartRound {
            round: dialog.about.table.0,
        })
    };
    // The round stands where other dialogs have their table.
    let about = about_nothing(TableId(round), at);
    let title = t!(language, "Start of round {}", round);
    Dialog::new(language, title, about, only_note(), body).knowing(
        word!("Then"),
        t!(
            language,
            "default time counts from now, and clocks that stand still are told"
        ),
    )
}

/// Opens the closing of a round: what is missing is asked for; with nothing missing the results leave the house.
pub fn open_close_round(language: &Language, round: u16, at: Timestamp) -> Dialog {
    let body = |dialog: &Dialog| {
        Ok(OrderBody::CloseRound {
            round: dialog.about.table.0,
        })
    };
    let about = about_nothing(TableId(round), at);
    let title = t!(language, "Close round {} and publish", round);
    let dialog = Dialog::new(language, title, about, only_note(), body).knowing(
        word!("Then"),
        t!(
            language,
            "tables without a result are asked for; when none is missing every result is published"
        ),
    );
    Dialog {
        number: round.to_string(),
        leaves_house: true,
        ..dialog
    }
}

const MORE: &str = word!("More");
const TABLES: &str = word!("Tables");

/// Opens the giving of the same time to several tables after a disturbance (12.5); no tables: every one in play.
pub fn open_add_time(language: &Language, ms: i64, tables: &[TableId], at: Timestamp) -> Dialog {
    let named: Vec<String> = tables.iter().map(|t| t.0.to_string()).collect();
    let form = Form::new(vec![
        (
            MORE,
            Held::Change(crate::words::change(ms).trim().to_owned()),
        ),
        (TABLES, Held::Text(named.join(" "))),
        (NOTE, Held::Text(String::new())),
    ]);
    let title = t!(language, "The same time for several tables");
    Dialog::new(
        language,
        title,
        about_nothing(TableId(0), at),
        form,
        add_time,
    )
    .knowing(
        word!("Then"),
        t!(
            language,
            "both players of each table get it (12.5); without tables: every table in play"
        ),
    )
}

fn add_time(dialog: &Dialog) -> Result<OrderBody, String> {
    let l = &dialog.language;
    let text = dialog.form.text(MORE);
    let ms = crate::words::read_change(text).and_then(|ms| u64::try_from(ms).ok());
    let ms = ms.filter(|ms| *ms > 0);
    let table = |word: &str| {
        let number = word.parse().ok().map(TableId);
        number.ok_or_else(|| t!(l, "{} is no table number", word))
    };
    let tables: Result<Vec<TableId>, String> = dialog
        .form
        .text(TABLES)
        .split([' ', ',', ';'])
        .filter(|word| !word.is_empty())
        .map(table)
        .collect();
    Ok(OrderBody::AddTime {
        tables: tables?,
        ms: ms.ok_or_else(|| t!(l, "{} is no time: write it as 2m or +2:00", text))?,
    })
}

const WHAT: &str = word!("Outside");

/// Opens the keeping back of a game from everybody outside the hall, or the end of that.
pub(super) fn open_hold(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let choices = [
        word!("keep the game back from everybody outside the hall"),
        word!("show it outside again, after each delay"),
    ];
    let choices = choices.map(|c| Choose::plain(l.say(c))).to_vec();
    let at = usize::from(opening.table.held);
    let form = Form::new(vec![
        (WHAT, Held::List(choices, at)),
        (NOTE, Held::Text(String::new())),
    ]);
    let body = |dialog: &Dialog| {
        Ok(OrderBody::Hold {
            table: dialog.about.table,
            hold: dialog.form.chosen(WHAT) == 0,
        })
    };
    let now = match opening.table.held {
        true => t!(l, "the game is kept back"),
        false => t!(l, "the game is shown"),
    };
    Dialog::about(opening, &t!(l, "Hold back"), form, body).knowing(word!("Now"), now)
}

const GAME: &str = word!("Game");

/// Opens the annulment of a game (7.2.1, 7.3); from an alert also the other answer, that the game goes on.
pub(super) fn open_restart(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let mut choices = vec![Choose::with(
        l.say(word!("annul the game; a new one begins")),
        l.say(word!("record starts anew")),
    )];
    if opening.alert.is_some() {
        choices.push(Choose::with(
            l.say(word!("the game goes on; close the alert")),
            l.say(word!("game continues")),
        ));
    }
    let form = Form::new(vec![
        (GAME, Held::List(choices, 0)),
        (NOTE, Held::Text(String::new())),
    ]);
    let played = opening.table.record.len();
    let played = l.many(played, "1 half-move", "{} half-moves");
    Dialog::about(opening, &t!(l, "New game"), form, restart).knowing(word!("Played"), played)
}

fn restart(dialog: &Dialog) -> Result<OrderBody, String> {
    Ok(match dialog.form.chosen(GAME) {
        0 => OrderBody::Restart {
            table: dialog.about.table,
        },
        _ => OrderBody::Dismiss {
            alert: dialog.about.alert.clone(),
        },
    })
}

const SEEN: &str = word!("Seen");
const REPORTS: [Reported; 3] = [
    Reported::ColoursReversed,
    Reported::InitialPositionWrong,
    Reported::BoardTurned,
];

/// Opens the saying of what an arbiter sees at the table and no board can tell.
pub(super) fn open_report(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let seen = [
        (word!("the players have each other's colours"), "7.3"),
        (word!("pieces were wrongly placed at the start"), "7.2.1"),
        (word!("the board lies turned"), "7.2.2"),
    ];
    let seen = seen.map(|(words, article)| Choose::with(l.say(words), article));
    let form = Form::new(vec![
        (SEEN, Held::List(seen.to_vec(), 0)),
        (NOTE, Held::Text(String::new())),
    ]);
    let body = |dialog: &Dialog| {
        Ok(OrderBody::Report {
            table: dialog.about.table,
            what: REPORTS[dialog.form.chosen(SEEN)],
        })
    };
    Dialog::about(opening, &t!(l, "Seen at the table"), form, body).knowing(
        word!("Then"),
        t!(l, "an alert opens with what the Laws say about it"),
    )
}
