//! The short ones: a note, a counter-ruling, an alert put aside or closed.

use protocol::{Alert, BySide, JournalLine, OrderBody, TableId, Timestamp};

use super::dialog::{About, Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::words;

/// Opens a note for the journal of a table.
pub(super) fn open_note(opening: &Opening<'_>) -> Dialog {
    let body = |dialog: &Dialog| match dialog.form.text(NOTE) {
        "" => Err("write the note".to_owned()),
        _ => Ok(OrderBody::Note {
            table: dialog.about.table,
        }),
    };
    let form = Form::new(vec![(NOTE, Held::Text(String::new()))]);
    let players = &opening.table.players;
    let names = format!("{} – {}", players.white.name, players.black.name);
    let dialog = Dialog::about(opening, "Note", form, body).knowing("Players", names);
    Dialog {
        previewed: false,
        ..dialog
    }
}

/// Opens the taking back of a ruling.
pub fn open_counter(ruling: &JournalLine, number: &str, zone: i32) -> Dialog {
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
    let title = format!("Counter-ruling · Table {number}");
    let dialog = Dialog::new(title, about, form, body)
        .knowing("Ruling", format!("no. {} of the journal", ruling.number))
        .knowing("It said", said)
        .knowing(
            "Both stay",
            "nothing is erased: this writes a second ruling that undoes the first",
        );
    Dialog {
        table: ruling.table,
        number: number.to_owned(),
        ..dialog
    }
}

/// Opens the closing of an alert without a ruling: what was done instead.
pub fn open_dismiss(alert: &Alert, number: Option<&str>, at: Timestamp) -> Dialog {
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
        Some(number) => format!("Close the alert · Table {number}"),
        None => "Close the alert".to_owned(),
    };
    let rows = [
        ("Alert", alert.headline.clone()),
        ("Because", alert.because.join(" ")),
        ("Proposed", alert.proposal.join(" ")),
        (
            "Then",
            "no ruling is made; the note says what was done".to_owned(),
        ),
    ];
    let dialog = Dialog::new(title, about, form, body);
    let rows = rows.into_iter().filter(|(_, words)| !words.is_empty());
    let dialog = rows.fold(dialog, |dialog, (label, words)| {
        dialog.knowing(label, words)
    });
    Dialog {
        previewed: false,
        ..dialog
    }
}

/// Opens the start of a round: from this moment on White's clocks may run.
pub fn open_start_round(round: u16, at: Timestamp) -> Dialog {
    let body = |dialog: &Dialog| {
        Ok(OrderBody::StartRound {
            round: dialog.about.table.0,
        })
    };
    let form = Form::new(vec![(NOTE, Held::Text(String::new()))]);
    // The round stands where other dialogs have their table.
    let about = about_nothing(TableId(round), at);
    Dialog::new(format!("Start of round {round}"), about, form, body).knowing(
        "Then",
        "default time counts from now, and clocks that stand still are told",
    )
}

const UNTIL: &str = "Until";
const MINUTES: [u64; 6] = [2, 5, 10, 20, 30, 60];

/// Opens the putting aside of an alert; never for a CALL.
pub fn open_snooze(alert: &Alert, at: Timestamp, zone: i32) -> Dialog {
    let times = MINUTES.map(|minutes| {
        let until = words::hour_minute(at.after(minutes * 60_000), zone);
        Choose::with(&format!("{minutes} minutes"), &format!("until {until}"))
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
    let dialog = Dialog::new("Snooze".to_owned(), about, form, body)
        .knowing(alert.urgency.word(), alert.headline.clone());
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
        ruling: 0,
        now_ms: BySide::default(),
        at,
    }
}
