//! Giving a board to a table, or taking it away.

use protocol::{DeviceId, OrderBody, TableId};

use super::dialog::{About, Dialog};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{Language, t, word};

const BOARD: &str = word!("Board");
const TABLE: &str = word!("Table");
const LIFTED: &str = word!("its king is lifted");
const NOBODY: &str = word!("no board");
const AS_IT_IS: &str = word!("leave it as it is");

/// What the dialog knows when it is opened.
#[derive(Debug, Clone, Default)]
pub struct Binding {
    /// Boards that stand at no table.
    pub free: Vec<DeviceId>,
    /// The board to choose first.
    pub board: Option<DeviceId>,
    /// The table to fill in.
    pub table: Option<TableId>,
    /// The board that stands there now.
    pub now: Option<DeviceId>,
}

/// Opens the dialog.
pub fn open_bind(language: &Language, binding: &Binding, about: About) -> Dialog {
    let mut boards: Vec<String> = binding.free.iter().map(ToString::to_string).collect();
    let wanted = binding.board.as_ref().map(ToString::to_string);
    if let Some(board) = &wanted
        && !boards.contains(board)
    {
        boards.insert(0, board.clone());
    }
    boards.push(language.say(LIFTED).to_owned());
    boards.push(language.say(NOBODY).to_owned());
    // A table that has its board keeps it until another one is chosen.
    if wanted.is_none() && binding.now.is_some() {
        boards.push(language.say(AS_IT_IS).to_owned());
    }
    let first = wanted.unwrap_or_else(|| language.say(AS_IT_IS).to_owned());
    let at = boards.iter().position(|board| *board == first);
    let choices = boards.iter().map(|board| Choose::plain(board)).collect();
    let number = binding.table.map_or(String::new(), |t| t.to_string());
    let mut form = Form::new(vec![
        (BOARD, Held::Row(choices, at.unwrap_or(0))),
        (TABLE, Held::Text(number)),
        (NOTE, Held::Text(String::new())),
    ]);
    form.at = usize::from(binding.table.is_none());
    let now = binding
        .now
        .as_ref()
        .map_or(language.say(NOBODY).to_owned(), ToString::to_string);
    let dialog = Dialog::new(language, t!(language, "Board and table"), about, form, body);
    match binding.table {
        Some(_) => dialog.knowing(word!("There now"), now),
        None => dialog.knowing(
            word!("Look"),
            t!(language, "the board's serial number is printed on it"),
        ),
    }
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let text = dialog.form.text(TABLE);
    let table = text.parse().map_err(|_| match text {
        "" => t!(dialog.language, "write the number of the table"),
        text => t!(dialog.language, "{} is no table number", text),
    })?;
    let field = dialog.form.fields.iter().position(|f| f.name == BOARD);
    let boards = field
        .and_then(|field| dialog.form.options(field))
        .unwrap_or_default();
    let board = boards
        .get(dialog.form.chosen(BOARD))
        .map_or("", |(_, board, _)| *board);
    if board == dialog.language.say(AS_IT_IS) {
        return Err(t!(
            dialog.language,
            "the table keeps its board; choose another one, or esc"
        ));
    }
    if board == dialog.language.say(LIFTED) {
        return Ok(OrderBody::BindByGesture { table });
    }
    Ok(OrderBody::Bind {
        table,
        device: board
            .parse()
            .ok()
            .filter(|_| board != dialog.language.say(NOBODY)),
    })
}
