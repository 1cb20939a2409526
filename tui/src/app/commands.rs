//! Commands by name, for the palette and for `--plain`: `table 42`, `time 42 black +2:00 7.5.5`, `result 55 draw agreed`.

use protocol::{DeviceId, GameResult, ResultHow, Side, TableId};

use crate::action::Action;
use crate::dialogs::{HOWS, no_such_end};
use crate::language::{Language, t};
use crate::words::read_change;

/// A command that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Open a table.
    Table(TableId),
    /// Open the dialog of an action about a table.
    Decide(Action, TableId),
    /// Do an action where we are.
    Act(Action),
    /// Show alerts through a filter.
    Alerts(String),
    /// Look after another part of the hall.
    Sector(String),
    /// Filter the lists.
    Filter(String),
    /// The dialog for times, filled in.
    Time {
        /// The table.
        table: TableId,
        /// Whose time.
        side: Side,
        /// Milliseconds to add, negative to take away.
        ms: i64,
        /// Under which article, as written.
        article: String,
    },
    /// The dialog for the same time at several tables, filled in.
    AddTime {
        /// Milliseconds to add.
        ms: i64,
        /// The tables; none: every one in play.
        tables: Vec<TableId>,
    },
    /// The dialog for a result, filled in.
    Result {
        /// The table.
        table: TableId,
        /// The result.
        result: GameResult,
        /// How the game ended, if said.
        how: Option<ResultHow>,
    },
    /// The counter-ruling to a ruling of the journal.
    Counter(u64),
    /// A round by its number.
    Round(u16),
    /// A board for a table.
    Bind(TableId, DeviceId),
    /// A note for the journal of a table.
    Note(TableId, String),
}

/// Reads a command.
///
/// # Errors
/// A sentence with an example when it means nothing.
pub fn parse(l: &Language, text: &str) -> Result<Command, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [] => Err(t!(
            l,
            "a table number or a name: 42, alerts call, result 55 draw agreed"
        )),
        ["table", number] => Ok(Command::Table(table(l, number)?)),
        ["table", number, ref rest @ ..] => decide(l, table(l, number)?, rest),
        ["alerts", ref rest @ ..] if !rest.is_empty() => Ok(Command::Alerts(rest.join(" "))),
        ["round", number] => {
            Ok(Command::Round(number.parse().map_err(|_| {
                t!(l, "{} is no number of a round", number)
            })?))
        }
        ["sector", ref rest @ ..] => Ok(Command::Sector(rest.join(" "))),
        ["filter", ref rest @ ..] => Ok(Command::Filter(rest.join(" "))),
        ["time", number, ref rest @ ..] => time(l, table(l, number)?, rest),
        ["add-time", ref rest @ ..] => add_time(l, rest),
        ["result", number, ref rest @ ..] => result(l, table(l, number)?, rest),
        ["note", number, ref rest @ ..] => Ok(Command::Note(table(l, number)?, rest.join(" "))),
        ["bind", number, board] => Ok(Command::Bind(
            table(l, number)?,
            board
                .parse()
                .map_err(|_| t!(l, "{} is no board: dgt-01025", board))?,
        )),
        ["counter", number] => {
            Ok(Command::Counter(number.parse().map_err(|_| {
                t!(l, "{} is no number of the journal", number)
            })?))
        }
        [number, ref rest @ ..] if table(l, number).is_ok() => match rest {
            [] => Ok(Command::Table(table(l, number)?)),
            rest => decide(l, table(l, number)?, rest),
        },
        [name] => act(l, name),
        [name, number] => match (Action::named(name), table(l, number)) {
            (Some(action), Ok(table)) => Ok(Command::Decide(action, table)),
            _ => Err(unknown(l, text)),
        },
        _ => Err(unknown(l, text)),
    }
}

fn unknown(l: &Language, text: &str) -> String {
    t!(
        l,
        "{} means nothing here; try 42, alerts call, time 42 black +2:00 7.5.5",
        text
    )
}

fn table(l: &Language, text: &str) -> Result<TableId, String> {
    text.parse()
        .map_err(|_| t!(l, "{} is no table number", text))
}

fn act(l: &Language, name: &str) -> Result<Command, String> {
    Action::named(name)
        .map(Command::Act)
        .ok_or_else(|| unknown(l, name))
}

fn decide(l: &Language, table: TableId, rest: &[&str]) -> Result<Command, String> {
    let [word] = rest else {
        return Err(unknown(l, &rest.join(" ")));
    };
    let by_key = |a: &&Action| a.info().keys.contains(word);
    Action::named(word)
        .or_else(|| Action::ALL.iter().find(by_key).copied())
        .map(|action| Command::Decide(action, table))
        .ok_or_else(|| unknown(l, word))
}

fn time(l: &Language, table: TableId, rest: &[&str]) -> Result<Command, String> {
    let (side, change, article) = match rest {
        [] => return Ok(Command::Decide(Action::Time, table)),
        [side, change] => (side, change, "7.5.5"),
        [side, change, article] => (side, change, *article),
        _ => return Err(t!(l, "write it as {}", "time 42 black +2:00 7.5.5")),
    };
    let side = match side.to_lowercase().as_str() {
        "white" | "w" => Side::White,
        "black" | "b" => Side::Black,
        other => return Err(t!(l, "{} is neither white nor black", other)),
    };
    let ms = read_change(change)
        .ok_or_else(|| t!(l, "{} is no time: write it as 2m or +2:00", change))?;
    Ok(Command::Time {
        table,
        side,
        ms,
        article: article.to_owned(),
    })
}

fn add_time(l: &Language, rest: &[&str]) -> Result<Command, String> {
    let (change, tables) = rest
        .split_first()
        .ok_or_else(|| t!(l, "write it as {}", "add-time 2m 4 7 12"))?;
    let ms = read_change(change)
        .ok_or_else(|| t!(l, "{} is no time: write it as 2m or +2:00", change))?;
    let tables: Result<_, _> = tables.iter().map(|number| table(l, number)).collect();
    Ok(Command::AddTime {
        ms,
        tables: tables?,
    })
}

fn result(l: &Language, table: TableId, rest: &[&str]) -> Result<Command, String> {
    let (result, how) = match rest {
        [] => return Ok(Command::Decide(Action::Result, table)),
        [result, how @ ..] => (outcome(l, result)?, how.join(" ")),
    };
    let how = match how.as_str() {
        "" => None,
        text => Some(way(l, text)?),
    };
    if let Some(how) = how.filter(|how| !how.fits(result)) {
        return Err(no_such_end(l, result, how));
    }
    Ok(Command::Result { table, result, how })
}

fn outcome(l: &Language, text: &str) -> Result<GameResult, String> {
    match text.to_lowercase().as_str() {
        "draw" | "½" | "1/2" | "½-½" | "½–½" => Ok(GameResult::Draw),
        "white" => Ok(GameResult::WhiteWins),
        "black" => Ok(GameResult::BlackWins),
        other => other
            .parse()
            .map_err(|_: String| t!(l, "{} is no result: 1-0, 0-1, draw", other)),
    }
}

fn way(l: &Language, text: &str) -> Result<ResultHow, String> {
    let known = |how: &&ResultHow| how.words() == text;
    HOWS.iter().find(known).copied().ok_or_else(|| {
        let all: Vec<&str> = HOWS.iter().map(|how| how.words()).collect();
        t!(l, "{} is no end of a game: {}", text, all.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_the_manual() {
        use Command as C;
        let t = TableId(42);
        let time = C::Time {
            table: t,
            side: Side::Black,
            ms: 120_000,
            article: "7.5.5".to_owned(),
        };
        let result = C::Result {
            table: t,
            result: GameResult::Draw,
            how: Some(ResultHow::Agreed),
        };
        let rows = [
            ("42", Some(C::Table(t))),
            ("table 42", Some(C::Table(t))),
            ("042", Some(C::Table(t))),
            ("42 w", Some(C::Decide(Action::Result, t))),
            ("table 42 time", Some(C::Decide(Action::Time, t))),
            ("illegal-move 42", Some(C::Decide(Action::IllegalMove, t))),
            ("alerts call", Some(C::Alerts("call".to_owned()))),
            ("alerts", Some(C::Act(Action::Alerts))),
            ("round", Some(C::Act(Action::Round))),
            ("round 1", Some(C::Round(1))),
            ("round one", None),
            ("start-round", Some(C::Act(Action::StartRound))),
            ("sector B", Some(C::Sector("B".to_owned()))),
            ("time 42 black +2:00 7.5.5", Some(time)),
            (
                "add-time 2m 42",
                Some(C::AddTime {
                    ms: 120_000,
                    tables: vec![t],
                }),
            ),
            (
                "add-time 1:30",
                Some(C::AddTime {
                    ms: 90_000,
                    tables: Vec::new(),
                }),
            ),
            ("add-time", None),
            ("add-time soon", None),
            ("add-time 2m forty", None),
            ("result 42 draw agreed", Some(result)),
            ("result 42 1-0 agreed", None),
            ("result 42 draw checkmate", None),
            (
                "bind 42 dgt-01025",
                Some(C::Bind(t, "dgt-01025".parse().expect("a name"))),
            ),
            ("counter 7", Some(C::Counter(7))),
            ("", None),
            ("fly", None),
            ("time 42 green +2:00", None),
            ("result 42 draw nonsense", None),
            ("99999999", None),
        ];
        for (text, want) in rows {
            assert_eq!(parse(&Language::default(), text).ok(), want, "{text}");
        }
    }
}
