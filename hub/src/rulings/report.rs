//! What an arbiter sees at the table and no board can tell: colours reversed, wrong arrays on boards that know no pieces, a turned board.

use protocol::Reported;

use super::{Around, Prepared, Refusal};
use crate::game::{Game, GameEvent, Irregularity, Over};
use crate::laws::start::{array_proposal, colours_proposal};
use crate::laws::{Code, finding};

pub(super) fn report(game: &Game, what: Reported, around: Around<'_>) -> Result<Prepared, Refusal> {
    if game.is_over() {
        return Err(Refusal::state("the game is over: the result stands"));
    }
    let completed = game.record.completed_moves();
    let by_each = completed.white.min(completed.black);
    let (laws, regime) = (game.laws(), game.setup.regime);
    let (code, words, lines) = match what {
        Reported::ColoursReversed => (
            Code::ColoursReversed,
            "The players have each other's colours.",
            colours_proposal(laws, completed),
        ),
        Reported::InitialPositionWrong => (
            Code::InitialPositionWrong,
            "Pieces were wrongly placed at the start.",
            array_proposal(laws, regime, by_each),
        ),
        Reported::BoardTurned => (
            Code::BoardTurned,
            "The board lies turned.",
            vec!["Put the position on a board that lies right; the game goes on.".to_owned()],
        ),
    };
    if game.open_irregularities().any(|i| i.code == code) {
        return Err(Refusal::state(format!(
            "{code} is open at this table already"
        )));
    }
    let ply = game.record.len();
    Ok(Prepared {
        lines,
        article: finding(code, laws, regime).article.to_owned(),
        then: vec!["restart the game, or close the alert and let it go on".to_owned()],
        words: format!("{code}: {words}"),
        events: vec![GameEvent::IrregularityFound(Irregularity {
            code,
            ply,
            by: None,
            at: around.now,
            words: words.to_owned(),
            facts: Vec::new(),
            over: None,
        })],
        undo: vec![GameEvent::IrregularityOver {
            code,
            ply,
            how: Over::Corrected,
        }],
        ..Prepared::default()
    })
}
