//! Claims entered at the desk and ruled upon: draws by the record (9.2, 9.3, 9.5) and the end of games without increment (III.4, III.5).

use protocol::{
    Bonus, BySide, ClaimJudgement, DrawClaim, GameResult, Played, QuickplayAsk, ResultHow,
    ResultState, Side, SideControl, Standing, TimeControl,
};

use super::{Around, Prepared, Refusal, time};
use crate::game::{Claimed, Game, GameEvent, OpenClaim, clock_words, draw_verdict, may_ask_now};
use crate::laws::Code;
use crate::laws::arithmetic::claim_cost;
use crate::laws::concordance::{Matter, article_of};
use crate::laws::guidelines::{QuickplayRuling, quickplay_ruling};

/// Seconds a move that III.4 gives.
const FIVE_SECONDS: u32 = 5;

pub(super) fn draw(
    game: &Game,
    by: Side,
    what: DrawClaim,
    written: Option<&str>,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    in_play(game)?;
    let demand = what == DrawClaim::FiftyMoves && game.laws().fifty_on_demand;
    if !demand && game.record.position().turn() != by {
        return Err(Refusal::state(format!(
            "{} has the move: only the player on move may claim (9.2, 9.3)",
            by.other().word()
        )));
    }
    let written = written.map(|text| read(game, text)).transpose()?;
    let open = opened(game, Claimed::Draw(what), by, written, around);
    let verdict = draw_verdict(game, &open, what)
        .map_err(|why| Refusal::moves(format!("no verdict: {why}")))?;
    let words = match what {
        DrawClaim::Threefold => "threefold repetition",
        DrawClaim::FiftyMoves => "fifty moves",
    };
    let mut ruling = entered(
        game,
        open,
        &format!("draw claimed by {}: {words}", by.word()),
    );
    ruling.lines = [
        vec![verdict.word.to_owned()],
        verdict.because,
        verdict.proposal,
    ]
    .concat();
    ruling.article = verdict.article.to_owned();
    Ok(ruling)
}

pub(super) fn quickplay(
    game: &Game,
    by: Side,
    asks: QuickplayAsk,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    in_play(game)?;
    let open = opened(game, Claimed::Quickplay(asks), by, None, around);
    let may = may_ask_now(game, by, open.left_ms);
    let allowed = match asks {
        QuickplayAsk::Increment => may.increment,
        QuickplayAsk::Draw => may.draw,
    };
    let known = game.clock.view.is_some();
    if known && !allowed {
        return Err(Refusal::state(format!(
            "{} has {} and may not ask: the last period, no increment, less than two minutes, and guidelines that apply are needed",
            by.word(),
            clock_words(open.left_ms)
        )));
    }
    let what = match asks {
        QuickplayAsk::Increment => "asks for an increment of five seconds",
        QuickplayAsk::Draw => "claims a draw: no effort to win, or no way to",
    };
    let mut ruling = entered(game, open, &format!("{} {what}", by.word()));
    ruling.article = article_of(Matter::Quickplay, game.laws().id).to_owned();
    if !known {
        let line = "No clock is read: check the time, the period and the regulations yourself.";
        ruling.lines.push(line.to_owned());
    }
    Ok(ruling)
}

fn in_play(game: &Game) -> Result<(), Refusal> {
    if game.is_over() || game.adjourned.is_some() {
        return Err(Refusal::state("no game is in play"));
    }
    match game.claim.as_ref().filter(|c| !c.postponed) {
        Some(open) => Err(Refusal::state(format!(
            "{}'s claim waits for its ruling",
            open.by.word()
        ))),
        None => Ok(()),
    }
}

fn read(game: &Game, text: &str) -> Result<String, Refusal> {
    match game.record.position().read(text) {
        Ok(Played::Legal(uci)) => Ok(uci),
        Ok(Played::Irregular { words, .. }) => Err(Refusal::moves(words)),
        Err(why) => Err(Refusal::moves(why.to_string())),
    }
}

fn opened(
    game: &Game,
    claimed: Claimed,
    by: Side,
    written: Option<String>,
    around: Around<'_>,
) -> OpenClaim {
    let times = game.clock.times(around.now);
    OpenClaim {
        claimed,
        by,
        written,
        at: around.now,
        ply: game.record.len(),
        left_ms: times.map_or(0, |t| *t.get(by)),
        postponed: false,
    }
}

fn entered(game: &Game, open: OpenClaim, words: &str) -> Prepared {
    Prepared {
        then: vec!["the claim waits for your ruling".to_owned()],
        events: vec![GameEvent::ClaimSet(Some(open))],
        undo: vec![GameEvent::ClaimSet(game.claim.clone())],
        words: words.to_owned(),
        closes: vec![Code::ClocksStopped],
        ..Prepared::default()
    }
}

/// Rules on the claim that waits, or that was postponed.
pub(super) fn rule(
    game: &Game,
    judgement: ClaimJudgement,
    bonus: bool,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    let open = game
        .claim
        .as_ref()
        .ok_or_else(|| Refusal::nothing("no claim is open at this table"))?;
    if game.is_over() {
        return Err(Refusal::state("the game is over; counter its result first"));
    }
    let mut ruling = Prepared {
        closes: vec![Code::DrawClaimed, Code::QuickplayClaim, Code::ClocksStopped],
        undo: vec![GameEvent::ClaimSet(Some(open.clone()))],
        ..Prepared::default()
    };
    match open.claimed {
        Claimed::Draw(what) => on_draw(game, open, what, judgement, around, &mut ruling)?,
        Claimed::Quickplay(asks) => {
            on_quickplay(game, open, asks, (judgement, bonus), around, &mut ruling)?;
        }
    }
    Ok(ruling)
}

fn on_draw(
    game: &Game,
    open: &OpenClaim,
    what: DrawClaim,
    judgement: ClaimJudgement,
    around: Around<'_>,
    ruling: &mut Prepared,
) -> Result<(), Refusal> {
    let verdict = draw_verdict(game, open, what)
        .map_err(|why| Refusal::moves(format!("no verdict: {why}")))?;
    ruling.article = verdict.article.to_owned();
    ruling.lines = verdict.because;
    let granted = judgement == ClaimJudgement::Grant;
    if verdict.correct.is_some_and(|correct| correct != granted) {
        ruling
            .lines
            .push("This record says otherwise than you rule.".to_owned());
    }
    let how = match what {
        DrawClaim::Threefold => ResultHow::Threefold,
        DrawClaim::FiftyMoves => ResultHow::FiftyMoves,
    };
    match judgement {
        ClaimJudgement::Grant => drawn(game, how, ruling),
        ClaimJudgement::Reject => rejected(game, open, around, ruling),
        ClaimJudgement::Postpone => {
            return Err(Refusal::state(
                "a claim of 9.2 or 9.3 is correct or not: it cannot be postponed",
            ));
        }
    }
    let word = if granted {
        "correct, drawn"
    } else {
        "not correct"
    };
    ruling.words = format!("claim of {}: {word}", open.by.word());
    ruling.events.push(GameEvent::ClaimSet(None));
    Ok(())
}

fn drawn(game: &Game, how: ResultHow, ruling: &mut Prepared) {
    ruling.then.push("result 1/2-1/2".to_owned());
    ruling.ends_game = true;
    ruling.events.push(GameEvent::ResultSet {
        standing: Some(Standing {
            result: GameResult::Draw,
            how,
            state: ResultState::Confirmed,
        }),
        signed: game.signed,
    });
    ruling.undo.push(GameEvent::ResultSet {
        standing: game.standing,
        signed: game.signed,
    });
}

/// The edition's arithmetic on both clocks; the move written down must be played.
fn rejected(game: &Game, open: &OpenClaim, around: Around<'_>, ruling: &mut Prepared) {
    let (laws, regime) = (game.laws(), game.setup.regime);
    let cost = claim_cost(laws, regime, open.left_ms);
    let mut change = BySide::default();
    *change.get_mut(open.by.other()) = signed(cost.opponent_ms);
    *change.get_mut(open.by) = -signed(cost.claimant_ms);
    ruling.article = article_of(Matter::WrongClaim, laws.id).to_owned();
    if change == BySide::default() {
        let line = "No penalty in this edition; the game goes on.";
        ruling.lines.push(line.to_owned());
    } else {
        time::add(game, change, around.now, ruling);
    }
    if let Some(uci) = open.written.as_ref().filter(|_| laws.announced_move_binds) {
        ruling
            .then
            .push(format!("{uci}, written down, must be played"));
    }
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

fn on_quickplay(
    game: &Game,
    open: &OpenClaim,
    asks: QuickplayAsk,
    (judgement, bonus): (ClaimJudgement, bool),
    around: Around<'_>,
    ruling: &mut Prepared,
) -> Result<(), Refusal> {
    use ClaimJudgement::{Grant, Postpone, Reject};
    let way = match (asks, judgement) {
        (QuickplayAsk::Increment, Grant) => QuickplayRuling::Increment,
        (QuickplayAsk::Increment, Postpone) => {
            return Err(Refusal::state("an increment is given or not"));
        }
        (QuickplayAsk::Draw, Grant) => QuickplayRuling::Grant,
        (QuickplayAsk::Draw, Postpone) => QuickplayRuling::Postpone,
        (_, Reject) => QuickplayRuling::Reject,
    };
    let refused_increment = asks == QuickplayAsk::Increment && judgement == Reject;
    let (ms, lines) = quickplay_ruling(game.laws(), way, open.by);
    ruling.article = article_of(Matter::Quickplay, game.laws().id).to_owned();
    let extra = match way {
        QuickplayRuling::Postpone if !bonus => 0,
        _ if refused_increment => 0,
        _ => ms,
    };
    if refused_increment {
        ruling.lines = vec!["No increment; the request remains an offer of a draw.".to_owned()];
    } else {
        ruling.lines = lines;
    }
    if extra > 0 {
        let mut change = BySide::default();
        *change.get_mut(open.by.other()) = signed(extra);
        time::add(game, change, around.now, ruling);
    }
    let word = match way {
        QuickplayRuling::Grant => "granted, drawn",
        QuickplayRuling::Postpone => "postponed",
        QuickplayRuling::Reject => "rejected",
        QuickplayRuling::Increment => "increment of five seconds for both",
    };
    ruling.words = format!("claim of {}: {word}", open.by.word());
    match way {
        QuickplayRuling::Grant => drawn(game, ResultHow::Arbiter, ruling),
        QuickplayRuling::Increment => increment(game, ruling),
        QuickplayRuling::Postpone | QuickplayRuling::Reject => {}
    }
    let kept = (way == QuickplayRuling::Postpone).then(|| OpenClaim {
        postponed: true,
        ..open.clone()
    });
    ruling.events.push(GameEvent::ClaimSet(kept));
    Ok(())
}

/// Five seconds a move for both from now on.
fn increment(game: &Game, ruling: &mut Prepared) {
    let control = TimeControl {
        sides: game.setup.time_control.sides.clone().map(with_increment),
    };
    ruling
        .then
        .push("set five seconds a move on the clock; it is watched".to_owned());
    ruling.events.push(GameEvent::ControlRuled(control));
    let before = game.setup.time_control.clone();
    ruling.undo.push(GameEvent::ControlRuled(before));
}

fn with_increment(side: SideControl) -> SideControl {
    match side {
        SideControl::Periods(mut periods) => {
            if let Some(last) = periods.last_mut() {
                last.bonus = Bonus::Increment(FIVE_SECONDS);
            }
            SideControl::Periods(periods)
        }
        other => other,
    }
}
