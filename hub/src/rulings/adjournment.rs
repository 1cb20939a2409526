//! Adjourning a game with its envelope, and resuming it: the sealed move read, the times set, who is missing (I; 2001 A; 1929 par. 21).

use protocol::{BySide, DeskPly, Missing, Played, Side, SideControl, Timestamp};

use super::illegal_move::replace;
use super::{Around, Prepared, Refusal};
use crate::game::{
    Adjournment, Awaited, Game, GameEvent, Irregularity, Over, clock_words, read_envelope,
};
use crate::laws::adjourned::{
    ENVELOPE_LOST, Envelope, Sealed, clocks_differ, early_sealing, resumption, sealed_proposal,
};
use crate::laws::concordance::{Matter, article_of};
use crate::laws::{Code, MateVerdict};

/// Characters of a place, or of a sealed move, at most.
const LONGEST: usize = 80;

/// What an arbiter says when he adjourns a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) sealed_by: Side,
    pub(super) time_ms: Option<BySide<u64>>,
    pub(super) draw_offer: Option<Side>,
    pub(super) session_ends: Option<Timestamp>,
    pub(super) resumes: Option<Timestamp>,
    pub(super) place: &'a str,
}

pub(super) fn adjourn(
    game: &Game,
    terms: &Terms<'_>,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    if game.is_over() || game.begun.is_none() || game.adjourned.is_some() {
        return Err(Refusal::state("no game is in play"));
    }
    let position = game.record.position();
    let untimed = *game.setup.time_control.side(Side::Black) == SideControl::Unlimited;
    if untimed && game.laws().untimed_black_seals && position.turn() == Side::White {
        return Err(Refusal::state(
            "without a time limit it is always Black who seals (21): White plays his move first",
        ));
    }
    if position.turn() != terms.sealed_by {
        return Err(Refusal::state(format!(
            "{} has the move: the player on move seals",
            position.turn().word()
        )));
    }
    let mut time_ms = terms
        .time_ms
        .or_else(|| game.clock.times(around.now))
        .ok_or_else(|| Refusal::value("no clock is read: give both times"))?;
    let early = terms
        .session_ends
        .filter(|end| *end > around.now)
        .map_or(0, |end| end.since(around.now));
    let sealer = time_ms.get_mut(terms.sealed_by);
    let left = *sealer;
    *sealer = early_sealing(left, early);
    if Side::BOTH.iter().any(|s| *time_ms.get(*s) > 86_400_000) {
        return Err(Refusal::value("more than a day on a clock"));
    }
    let envelope = Envelope {
        players: game.setup.players.clone().map(|p| p.name),
        position: position.fen(),
        time_ms,
        sealed_by: terms.sealed_by,
        move_number: move_number(&position.fen()),
        draw_offer: terms.draw_offer,
        resumption: resumption_words(terms),
    };
    let mut lines = envelope.lines();
    if game.laws().untimed_black_seals {
        lines.push("The player who sealed signs the envelope.".to_owned());
    }
    if early > 0 {
        lines.push(format!(
            "Sealed before the end of the session: {} {} - {} = {}",
            terms.sealed_by.word(),
            clock_words(left),
            clock_words(early),
            clock_words(early_sealing(left, early))
        ));
    }
    Ok(Prepared {
        lines,
        article: article_of(Matter::Resumption, game.laws().id).to_owned(),
        then: vec!["nothing on the board is a move until the game is resumed".to_owned()],
        words: format!("adjourned; {} sealed", terms.sealed_by.word()),
        events: vec![GameEvent::AdjournmentSet(Box::new(Adjournment {
            envelope,
            ply: game.record.len(),
            at: around.now,
            resumes: terms.resumes,
            missing: Missing::Nobody,
            since: None,
            opened: None,
        }))],
        undo: vec![GameEvent::Resumed { awaited: None }],
        closes: vec![Code::ClocksStopped],
        ..Prepared::default()
    })
}

fn move_number(fen: &str) -> u32 {
    fen.split(' ')
        .nth(5)
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn resumption_words(terms: &Terms<'_>) -> String {
    let place: String = terms.place.chars().take(LONGEST).collect();
    let at = terms.resumes.map(|at| {
        let minutes = at.0.div_euclid(60_000).rem_euclid(24 * 60);
        format!("{:02}:{:02} UTC", minutes / 60, minutes % 60)
    });
    let said: Vec<String> = at.into_iter().chain([place]).collect();
    said.join(" ").trim().to_owned()
}

pub(super) fn resume(
    game: &Game,
    missing: Missing,
    sealed: Option<&str>,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    let adjourned = game
        .adjourned
        .as_deref()
        .ok_or_else(|| Refusal::state("the game is not adjourned"))?;
    if game.is_over() {
        return Err(Refusal::state("the game is over; counter its result first"));
    }
    let envelope = &adjourned.envelope;
    let mut lines = resumption(envelope.replies(), missing);
    lines.extend(clock_differs(game, envelope, around));
    let mut ruling = Prepared {
        lines,
        article: article_of(Matter::Resumption, game.laws().id).to_owned(),
        set_clock: Some(envelope.time_ms),
        undo: vec![GameEvent::AdjournmentSet(Box::new(adjourned.clone()))],
        closes: vec![Code::LateForResumption],
        ..Prepared::default()
    };
    let closed = matches!(missing, Missing::Replier | Missing::Both);
    match (closed, sealed) {
        (true, None) => begin(adjourned, missing, around, &mut ruling),
        (true, Some(_)) => {
            return Err(Refusal::state(
                "the envelope is opened only when the player who must reply is there (I.7)",
            ));
        }
        (false, None) => return Err(Refusal::value("say what stands in the envelope")),
        (false, Some(text)) => open(game, adjourned, missing, text, around, &mut ruling)?,
    }
    Ok(ruling)
}

fn clock_differs(game: &Game, envelope: &Envelope, around: Around<'_>) -> Option<String> {
    let shown = game.clock.times(around.now)?;
    clocks_differ(envelope.time_ms, shown).map(str::to_owned)
}

/// The envelope is lost: the game goes on from the record, the sealed move is played on the board.
pub(super) fn without_envelope(game: &Game, around: Around<'_>) -> Result<Prepared, Refusal> {
    let adjourned = game
        .adjourned
        .as_deref()
        .ok_or_else(|| Refusal::state("the game is not adjourned"))?;
    let envelope = &adjourned.envelope;
    let mut lines = vec![ENVELOPE_LOST.to_owned()];
    lines.extend(clock_differs(game, envelope, around));
    Ok(Prepared {
        lines,
        article: article_of(Matter::Resumption, game.laws().id).to_owned(),
        then: vec![
            format!("{} has the move", envelope.sealed_by.word()),
            "set both clocks to the times on record; their reading is watched".to_owned(),
        ],
        set_clock: Some(envelope.time_ms),
        events: vec![
            GameEvent::Resumed { awaited: None },
            GameEvent::TimeRuled {
                change_ms: BySide::default(),
                due: Some(envelope.time_ms),
                at: around.now,
            },
        ],
        undo: vec![GameEvent::AdjournmentSet(Box::new(adjourned.clone()))],
        words: "resumed without the envelope, which is lost".to_owned(),
        closes: vec![Code::LateForResumption, Code::SealedMoveVoid],
        adopt: true,
        ..Prepared::default()
    })
}

/// The clock of the player who must reply runs; the envelope stays closed.
fn begin(adjourned: &Adjournment, missing: Missing, around: Around<'_>, ruling: &mut Prepared) {
    let replies = adjourned.envelope.replies().word();
    ruling.words = format!("resumption: {replies}'s clock runs, the envelope stays closed");
    ruling
        .events
        .push(GameEvent::AdjournmentSet(Box::new(Adjournment {
            missing,
            since: Some(adjourned.since.unwrap_or(around.now)),
            ..adjourned.clone()
        })));
}

fn open(
    game: &Game,
    adjourned: &Adjournment,
    missing: Missing,
    text: &str,
    around: Around<'_>,
    ruling: &mut Prepared,
) -> Result<(), Refusal> {
    let text: String = text.chars().take(LONGEST).collect();
    let sealed = read_envelope(game, &text)
        .ok_or_else(|| Refusal::moves("the position of the record is not legal"))?;
    match &sealed {
        Sealed::Good(uci) => go_on(game, adjourned, missing, uci, around, ruling),
        void => {
            is_void(game, adjourned, void, text, around, ruling);
            Ok(())
        }
    }
}

/// The sealed move is played on the board and the other clock started.
fn go_on(
    game: &Game,
    adjourned: &Adjournment,
    missing: Missing,
    uci: &str,
    around: Around<'_>,
    ruling: &mut Prepared,
) -> Result<(), Refusal> {
    let envelope = &adjourned.envelope;
    let next = game.record.len() + 1;
    let ply = sealed_ply(game, uci, around)?;
    let mut after = game.record.position().clone();
    let ends = after.play(&ply.played).is_ok()
        && after.legal().and_then(crate::laws::end_by_move).is_some();
    ruling.words = format!("resumed with {}", ply.san);
    ruling.then = vec![
        format!("{} is in the record as half-move {next}", ply.san),
        "set both clocks to the times on the envelope; their reading is watched".to_owned(),
    ];
    replace(game, next, vec![ply], ruling);
    let awaited = (missing == Missing::Sealer).then(|| Awaited {
        side: envelope.sealed_by,
        since: adjourned.resumes.unwrap_or(around.now),
        excused: ends,
    });
    ruling.events.push(GameEvent::Resumed { awaited });
    ruling.events.push(GameEvent::TimeRuled {
        change_ms: BySide::default(),
        due: Some(envelope.time_ms),
        at: around.now,
    });
    let void = game
        .open_irregularities()
        .filter(|i| i.code == Code::SealedMoveVoid);
    ruling
        .events
        .extend(void.map(|i| GameEvent::IrregularityOver {
            code: i.code,
            ply: i.ply,
            how: Over::Ruled,
        }));
    Ok(())
}

fn sealed_ply(game: &Game, uci: &str, around: Around<'_>) -> Result<DeskPly, Refusal> {
    let next = game.record.len() + 1;
    let (played, san) = game
        .record
        .checked_line(next, &[Played::Legal(uci.to_owned())])
        .map_err(|why| Refusal::moves(why.to_string()))?
        .pop()
        .ok_or_else(|| Refusal::moves("no move"))?;
    Ok(DeskPly {
        played,
        san,
        by: game.record.position().turn(),
        made_at: around.now,
        completed_at: Some(around.now),
        pressed: false,
        settled: true,
        certainty: 1.0,
        clock_ms: None,
        spent_ms: None,
    })
}

fn is_void(
    game: &Game,
    adjourned: &Adjournment,
    sealed: &Sealed,
    text: String,
    around: Around<'_>,
    ruling: &mut Prepared,
) {
    let by = adjourned.envelope.sealed_by;
    let position = game.record.position().legal();
    let drawn = position.is_some_and(|p| {
        matches!(
            around.prospects.can_mate(p, by.other()),
            MateVerdict::Cannot(_)
        )
    });
    let laws = game.laws();
    ruling.article = article_of(Matter::SealedMove, laws.id).to_owned();
    ruling.lines = sealed_proposal(laws, sealed, by, drawn);
    ruling.set_clock = None;
    ruling.then = vec!["enter the result, or resume with the move that is to be played".to_owned()];
    ruling.words = format!("the envelope holds no move: {text:?}");
    let ply = game.record.len() + 1;
    if game.irregularity(Code::SealedMoveVoid, ply).is_none() {
        ruling
            .events
            .push(GameEvent::IrregularityFound(Irregularity {
                code: Code::SealedMoveVoid,
                ply,
                by: Some(by),
                at: around.now,
                words: match sealed {
                    Sealed::Ambiguous(choices) => {
                        format!("{text:?} may be {}.", choices.join(" or "))
                    }
                    Sealed::Void(why) => format!("{why}."),
                    Sealed::Empty => "The envelope is empty.".to_owned(),
                    Sealed::Good(uci) => uci.clone(),
                },
                facts: Vec::new(),
                over: None,
            }));
        ruling.undo.push(GameEvent::IrregularityOver {
            code: Code::SealedMoveVoid,
            ply,
            how: Over::Corrected,
        });
    }
    ruling
        .events
        .push(GameEvent::AdjournmentSet(Box::new(Adjournment {
            since: Some(adjourned.since.unwrap_or(around.now)),
            opened: Some(text),
            missing: Missing::Nobody,
            ..adjourned.clone()
        })));
}
