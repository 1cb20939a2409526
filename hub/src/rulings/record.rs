//! Rulings on the record: strike, insert, take the board's position for the game's.

use protocol::{DeskPly, Played, Ply, PromotionPiece, Side};

use super::illegal_move::replace;
use super::{Around, Prepared, Refusal};
use crate::game::{Game, GamePosition, MAX_PLIES};
use crate::laws::Code;

pub(super) fn strike(game: &Game, from: Ply) -> Result<Prepared, Refusal> {
    if from == 0 || from > game.record.len() {
        return Err(Refusal::moves(format!(
            "half-move {from} is not in the record of {}",
            game.record.len()
        )));
    }
    let mut ruling = about_record(game, format!("record ends before half-move {from}"));
    ruling.lines = vec![format!(
        "{} half-moves are struck.",
        game.record.len() + 1 - from
    )];
    let rule = Some(game.laws().wrongly_restored).filter(|rule| !rule.is_empty());
    ruling.lines.extend(rule.map(str::to_owned));
    replace(game, from, Vec::new(), &mut ruling);
    Ok(ruling)
}

pub(super) fn insert(
    game: &Game,
    from: Ply,
    moves: &[String],
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    if from == 0 || from > game.record.len() + 1 {
        return Err(Refusal::moves(format!(
            "half-move {from} cannot follow a record of {}",
            game.record.len()
        )));
    }
    if moves.is_empty() || moves.len() > MAX_PLIES {
        return Err(Refusal::value("no moves, or too many"));
    }
    let line = read(game, from, moves, around)?;
    let last = line.last().map_or(String::new(), |p| p.san.clone());
    let words = format!("moves put in from half-move {from}, the last is {last}");
    let mut ruling = about_record(game, words);
    ruling.lines = line.iter().map(|p| p.san.clone()).collect();
    replace(game, from, line, &mut ruling);
    Ok(ruling)
}

fn read(
    game: &Game,
    from: Ply,
    moves: &[String],
    around: Around<'_>,
) -> Result<Vec<DeskPly>, Refusal> {
    let mut position = game.record.position_before(from);
    let mut line = Vec::new();
    for (text, number) in moves.iter().zip(from..) {
        let played = position
            .read(text)
            .map_err(|why| Refusal::moves(format!("half-move {number}: {why}")))?;
        line.push(played);
        let last = line.last().expect("just pushed");
        position
            .play(last)
            .map_err(|why| Refusal::moves(format!("half-move {number}: {why}")))?;
    }
    dated(game, from, &line, around)
}

/// The half-moves of a line with the times that are known of those they replace.
fn dated(
    game: &Game,
    from: Ply,
    line: &[Played],
    around: Around<'_>,
) -> Result<Vec<DeskPly>, Refusal> {
    let checked = game
        .record
        .checked_line(from, line)
        .map_err(|why| Refusal::moves(why.to_string()))?;
    let mut mover = game.record.position_before(from).turn();
    let mut plies = Vec::new();
    for ((played, san), number) in checked.into_iter().zip(from..) {
        let old = game.record.get(number).filter(|p| p.by == mover);
        let at = old.map_or(around.now, |p| p.made_at);
        plies.push(DeskPly {
            played,
            san,
            by: mover,
            made_at: at,
            completed_at: old.and_then(|p| p.completed_at).or(Some(at)),
            pressed: old.is_some_and(|p| p.pressed),
            settled: true,
            certainty: 1.0,
            clock_ms: old.and_then(|p| p.clock_ms),
            spent_ms: old.and_then(|p| p.spent_ms),
        });
        mover = mover.other();
    }
    Ok(plies)
}

/// Another piece for a promotion; what was played after it stays as far as it is legal with the new piece.
pub(super) fn promotion(
    game: &Game,
    ply: Ply,
    piece: PromotionPiece,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    let old = game.record.get(ply);
    let played = old.map(|p| &p.played);
    let Some(Played::Legal(uci)) = played.filter(|p| is_promotion(p)) else {
        return Err(Refusal::moves(format!("half-move {ply} is no promotion")));
    };
    let letter = match piece {
        PromotionPiece::Queen => 'q',
        PromotionPiece::Rook => 'r',
        PromotionPiece::Bishop => 'b',
        PromotionPiece::Knight => 'n',
    };
    let new = Played::Legal(format!("{}{letter}", &uci[..4]));
    if played == Some(&new) {
        return Err(Refusal::value("it is that piece already"));
    }
    let first = usize::try_from(ply).unwrap_or(usize::MAX);
    let after = game.record.entries().iter().skip(first);
    let line: Vec<Played> = [new]
        .into_iter()
        .chain(after.map(|e| e.ply.played.clone()))
        .collect();
    let line = dated(game, ply, &line, around)?;
    let mut ruling = about_record(game, format!("promotion: {}", line[0].san));
    ruling.lines = vec![format!(
        "{} instead of {}; {} half-moves after it stay.",
        line[0].san,
        old.map_or("", |p| p.san.as_str()),
        line.len() - 1
    )];
    replace(game, ply, line, &mut ruling);
    Ok(ruling)
}

fn is_promotion(played: &Played) -> bool {
    matches!(played, Played::Legal(uci) if uci.len() == 5 && uci.is_ascii())
}

pub(super) fn adopt_board(
    game: &Game,
    turn: Side,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    let board = game
        .differs
        .as_ref()
        .map(|d| &d.board)
        .or(around.board)
        .ok_or_else(|| Refusal::nothing("nothing is known of the board: read it first"))?;
    let position = game.record.position();
    let next = game.record.len() + 1;
    let mut ruling = about_record(game, "the board's position taken for the game's".to_owned());
    if position.placement() == *board && position.turn() == turn {
        ruling.lines = vec!["Board and record agree.".to_owned()];
        ruling.adopt = true;
        return Ok(ruling);
    }
    let to_fen = format!(
        "{board} {} - - 0 1",
        if turn == Side::White { "w" } else { "b" }
    );
    let played = one_move(position, board, turn).unwrap_or_else(|| Played::Irregular {
        from_fen: position.fen(),
        to_fen,
        words: "position taken from the board".to_owned(),
    });
    let line = dated(game, next, &[played], around)?;
    ruling.lines = vec![match &line[0].played {
        Played::Legal(_) => format!("The board shows {}.", line[0].san),
        Played::Irregular { .. } => {
            "No legal move leads to the board: the record goes on from it as it stands.".to_owned()
        }
    }];
    replace(game, next, line, &mut ruling);
    Ok(ruling)
}

/// The legal move that makes this board, where there is one.
fn one_move(position: &GamePosition, board: &protocol::Placement, turn: Side) -> Option<Played> {
    let chess = position.legal()?;
    shakmaty::Position::legal_moves(chess)
        .iter()
        .map(|m| {
            let uci = m.to_uci(shakmaty::CastlingMode::Standard);
            Played::Legal(uci.to_string())
        })
        .find(|played| {
            let mut after = position.clone();
            after.play(played).is_ok() && after.placement() == *board && after.turn() == turn
        })
}

fn about_record(game: &Game, words: String) -> Prepared {
    Prepared {
        article: game.laws().articles.record.to_owned(),
        then: vec!["the board starts again from this record".to_owned()],
        words,
        closes: vec![
            Code::PositionMismatch,
            Code::PiecesDisplaced,
            Code::RecordGap,
            Code::ReadingAmbiguous,
            Code::MoveChangedAfterPress,
        ],
        ..Prepared::default()
    }
}
