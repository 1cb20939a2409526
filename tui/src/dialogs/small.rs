//! The short ones: a note, a counter-ruling, an alert put aside or closed.

use protocol::{Alert, BySide, JournalLine, OrderBody, Side, TableId, Timestamp};

use super::dialog::{About, Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{Language, t, word};
use crate::words;

/// White or Black, beside each other.
pub(super) fn sides(language: &Language, chosen: Side) -> Held {
    let sides = Side::BOTH.map(|side| Choose::plain(language.say(side.word())));
    Held::Row(sides.to_vec(), usize::from(chosen == Side::Black))
}

/// Opens a note for the journal of a table.
pub(super) fn open_note(opening: &Opening<'_>) -> Dialog {
    let body = |dialog: &Dialog| match dialog.form.text(NOTE) {
        "" => Err(t!(dialog.language, "write the note")),
        _ => Ok(OrderBody::Note {
            table: dialog.about.table,
        }),
    };
    let form = Form::new(vec![(NOTE, Held::Text(String::new()))]);
    let players = &opening.table.players;
    let names = format!("{} – {}", players.white.name, players.black.name);
    let dialog = Dialog::about(opening, &t!(opening.language, "Note"), form, body)
        .knowing(word!("Players"), names);
    Dialog {
        previewed: false,
        ..dialog
    }
}

/// Opens the taking back of a ruling.
pub fn open_counter(language: &Language, ruling: &JournalLine, number: &str, zone: i32) -> Dialog {
    let body = |dialog: &Dialog| {
        Ok(OrderBody::Counter {
            ruling: dialog.about.ruling,
        })
    };
    let table = ruling.table.unwrap_or(TableId(0));
    let about = About {
        ruling: ruling.number,
        ..about_nothing(table, ruling.line.at)
    };
    let form = Form::new(vec![(NOTE, Held::Text(String::new()))]);
    let said = format!(
        "{} {}  {}  {}",
        words::time_of_day(ruling.line.at, zone),
        ruling.line.words,
        ruling.article,
        ruling.line.source
    );
    let title = t!(language, "Counter-ruling · Table {}", number);
    let dialog = Dialog::new(language, title, about, form, body)
        .knowing(
            word!("Ruling"),
            t!(language, "no. {} of the journal", ruling.number),
        )
        .knowing(word!("It said"), said)
        .knowing(
            word!("Both stay"),
            t!(
                language,
                "nothing is erased: this writes a second ruling that undoes the first"
            ),
        );
    Dialog {
        table: ruling.table,
        number: number.to_owned(),
        ..dialog
    }
}

/// Opens the closing of an alert without a ruling: what was done instead.
pub fn open_dismiss(
    language: &Language,
    alert: &Alert,
    number: Option<&str>,
    at: Timestamp,
) -> Dialog {
    let body = |dialog: &Dialog| {
        Ok(OrderBody::Dismiss {
            alert: dialog.about.alert.clone(),
        })
    };
    let about = About {
        alert: alert.id.clone(),
        ..about_nothing(alert.table.unwrap_or(TableId(0)), at)
    };
    let form = Form::new(vec![(NOTE, Held::Text(String::new()))]);
    let title = match number {
        Some(number) => t!(language, "Close the alert · Table {}", number),
        None => t!(language, "Close the alert"),
    };
    let rows = [
        (word!("Alert"), words::headline(alert)),
        (word!("Because"), alert.because.join(" ")),
        (word!("Proposed"), alert.proposal.join(" ")),
        (
            word!("Then"),
            t!(language, "no ruling is made; the note says what was done"),
        ),
    ];
    let dialog = Dialog::new(language, title, about, form, body);
    let rows = rows.into_iter().filter(|(_, words)| !words.is_empty());
    let dialog = rows.fold(dialog, |dialog, (label, words)| {
        dialog.knowing(label, words)
    });
    Dialog {
        previewed: false,
        ..dialog
    }
}

const UNTIL: &str = word!("Until");
const MINUTES: [u64; 6] = [2, 5, 10, 20, 30, 60];

/// Opens the putting aside of an alert; never for a CALL.
pub fn open_snooze(language: &Language, alert: &Alert, at: Timestamp, zone: i32) -> Dialog {
    let times = MINUTES.map(|minutes| {
        let until = words::hour_minute(at.after(minutes * 60_000), zone);
        Choose::with(
            &t!(language, "{} minutes", minutes),
            &t!(language, "until {}", until),
        )
    });
    let body = |dialog: &Dialog| {
        let minutes = MINUTES[dialog.form.chosen(UNTIL)];
        Ok(OrderBody::Snooze {
            alert: dialog.about.alert.clone(),
            until: dialog.about.at.after(minutes * 60_000),
        })
    };
    let form = Form::new(vec![(UNTIL, Held::List(times.to_vec(), 2))]);
    let about = About {
        alert: alert.id.clone(),
        ..about_nothing(alert.table.unwrap_or(TableId(0)), at)
    };
    let dialog = Dialog::new(language, t!(language, "Snooze"), about, form, body)
        .knowing(alert.urgency.word(), words::headline(alert));
    Dialog {
        previewed: false,
        ..dialog
    }
}

/// What an order needs when it is about no game.
pub fn about_nothing(table: TableId, at: Timestamp) -> About {
    About {
        table,
        alert: String::new(),
        also: Vec::new(),
        incident: None,
        ruling: 0,
        now_ms: BySide::default(),
        at,
        zone: 0,
    }
}
