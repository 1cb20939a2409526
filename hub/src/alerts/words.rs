//! Writes alerts for arbiters: a headline, why, what the Laws propose, when it lapses.

use protocol::{
    Alert, AlertLife, Evidence, FactId, Played, Regime, Side, Speed, Timestamp, Urgency,
};

use super::{Condition, Devices, Place, board_words, claim_words, evidence, law_words};
use crate::game::{Game, clock_words};
use crate::laws::blind::differ_proposal;
use crate::laws::rapid_blitz::flag_claim_words;
use crate::laws::{
    Code, Lapse, Laws, MateVerdict, Prospects, finding, flag_verdict, illegal_proposal,
};

/// The parts that differ from code to code.
#[derive(Default)]
pub(super) struct Text {
    pub(super) headline: String,
    pub(super) because: Vec<String>,
    pub(super) proposal: Vec<String>,
    pub(super) evidence: Vec<Evidence>,
}

/// The alert of a condition of a game.
pub fn for_game(
    game: &Game,
    devices: &Devices,
    place: &Place,
    condition: &Condition,
    id: (String, Vec<String>),
    prospects: &Prospects,
) -> Alert {
    let regime = game.setup.regime;
    let text = text(game, devices, place, condition, prospects);
    let found = finding(condition.code, game.laws(), regime);
    Alert {
        id: id.0,
        code: condition.code.name().to_owned(),
        table: place.table(),
        ply: concerned(game, condition),
        side: condition.side,
        urgency: law_words::urgency(game, condition.code, found.urgency),
        article: found.article.to_owned(),
        headline: text.headline,
        because: text.because,
        proposal: text.proposal,
        since: condition.since,
        lapse: lapse(game, condition),
        life: AlertLife::New,
        snoozed: None,
        evidence: match text.evidence.is_empty() {
            true => evidence::of(game, condition),
            false => text.evidence,
        },
        history: id.1,
    }
}

/// The half-move of an irregularity, else the last one of the record.
fn concerned(game: &Game, condition: &Condition) -> Option<protocol::Ply> {
    let found = game.irregularity(condition.code, condition.ply());
    Some(found.map_or(game.record.len(), |i| i.ply)).filter(|ply| *ply > 0)
}

/// The alert of a device or an agent.
pub fn for_device(
    place: &Place,
    condition: &Condition,
    id: (String, Vec<String>),
    because: Vec<String>,
) -> Alert {
    let found = finding(
        condition.code,
        Laws::of(protocol::EditionId::default()),
        Regime::default(),
    );
    Alert {
        id: id.0,
        code: condition.code.name().to_owned(),
        table: place.table(),
        ply: None,
        side: None,
        urgency: found.urgency,
        article: String::new(),
        headline: device_headline(place, condition.code),
        because,
        proposal: Vec::new(),
        since: condition.since,
        lapse: None,
        life: AlertLife::New,
        snoozed: None,
        evidence: Vec::new(),
        history: id.1,
    }
}

fn device_headline(place: &Place, code: Code) -> String {
    match code {
        Code::DeviceUnknown => format!("board {place} belongs to no table"),
        Code::TableClaimedTwice => format!("two tables name board {place}"),
        Code::DeviceClaimedTwice => format!("two agents read board {place}"),
        Code::AgentDiskFull => format!("the disk of agent {place} is full"),
        Code::AgentSilent => format!("agent {place} does not answer"),
        Code::RecordGap => format!("a fact of board {place} was refused"),
        Code::BoardBatteryLow => format!("battery of board {place} is low"),
        code => format!("{code} {place}"),
    }
}

fn text(
    game: &Game,
    devices: &Devices,
    place: &Place,
    condition: &Condition,
    prospects: &Prospects,
) -> Text {
    match condition.code {
        Code::IllegalMove
        | Code::PromotionNotReplaced
        | Code::PressWithoutMove
        | Code::TwoMoves
        | Code::MoveChangedAfterPress => illegal(game, condition),
        Code::FlagFallen => flag(game, condition, prospects),
        Code::ClocksStopped => stopped(game),
        Code::MoveWithoutPress => without_press(game, condition),
        Code::PositionMismatch => board_words::mismatch(game, condition),
        Code::PiecesDisplaced => board_words::displaced(game),
        Code::BoardsExchanged => board_words::exchanged(place.table(), devices),
        Code::ColoursReversed => board_words::colours(game, condition),
        Code::DrawClaimed | Code::QuickplayClaim => {
            claim_words::claim(game).unwrap_or_else(|| noticed(game, condition))
        }
        Code::ResultConflict => {
            claim_words::conflict(game).unwrap_or_else(|| noticed(game, condition))
        }
        Code::BoardsDiffer => Text {
            proposal: [true, false]
                .map(|agree| differ_proposal(agree).to_owned())
                .into(),
            ..noticed(game, condition)
        },
        Code::LateForResumption => claim_words::late(game, condition.side),
        Code::SealedMoveVoid => claim_words::sealed(game, condition, prospects),
        Code::ResultProposed => proposed(game),
        Code::Checkmate | Code::Stalemate => plain(
            &format!("{} stands and a clock still runs", condition.code),
            "The game is over by the move on the board; confirm the result.",
        ),
        Code::ReadingAmbiguous => ambiguous(game, condition),
        Code::RecordGap => gap(game),
        Code::ClockNotStarted => plain(
            "White's clock does not run",
            "The round has started and White's clock stands.",
        ),
        Code::ClockLost => law_words::clock_lost(game, devices.now),
        Code::BoardSilent => plain(
            "board silent",
            "Nothing is heard from the board; the moves so far are in the journal.",
        ),
        Code::InitialPositionWrong | Code::BoardTurned => board_words::array(game, condition),
        _ => law_words::text(game, devices, condition).unwrap_or_else(|| noticed(game, condition)),
    }
}

fn proposed(game: &Game) -> Text {
    let headline = game.standing.map_or("result on the board".to_owned(), |s| {
        format!("{}, {}: to be confirmed", s.how.words(), s.result)
    });
    let because = match game.standing_words.as_str() {
        "" => String::new(),
        words => format!("{words}."),
    };
    plain(&headline, &because)
}

pub(super) fn plain(headline: &str, because: &str) -> Text {
    Text {
        headline: headline.to_owned(),
        because: vec![because.to_owned()]
            .into_iter()
            .filter(|b| !b.is_empty())
            .collect(),
        ..Text::default()
    }
}

pub(super) fn facts(facts: &[FactId], at: Timestamp, words: &str) -> Vec<Evidence> {
    facts
        .iter()
        .map(|fact| Evidence {
            fact: fact.clone(),
            at,
            words: words.to_owned(),
        })
        .collect()
}

fn illegal(game: &Game, condition: &Condition) -> Text {
    let ply = condition.ply();
    let Some(found) = game.irregularity(condition.code, ply) else {
        return plain(condition.code.name(), "");
    };
    let who = found.by.map_or("", |side| side.word());
    let before = found.by.map_or(0, |side| *game.illegal_moves.get(side));
    let what = match condition.code {
        Code::PromotionNotReplaced => "pawn not exchanged and clock pressed",
        Code::PressWithoutMove => "clock pressed without a move",
        Code::TwoMoves => "moved twice",
        Code::MoveChangedAfterPress => "completed move changed",
        _ => "illegal move completed",
    };
    let nth = match before {
        0 => String::new(),
        n => format!(", after {n} before"),
    };
    // Once it is taken back, another move may stand in its place.
    let shown = |p: &&protocol::DeskPly| match found.code {
        Code::IllegalMove | Code::TwoMoves => matches!(p.played, Played::Irregular { .. }),
        _ => true,
    };
    let san = game.record.get(ply).filter(shown);
    let san = san.map(|p| format!("{who} played {}.", p.san));
    Text {
        headline: format!("{what}, {who}{nth}"),
        because: san
            .into_iter()
            .chain([found.words.clone()])
            .filter(|w| !w.is_empty())
            .collect(),
        proposal: found.by.map_or(Vec::new(), |side| {
            illegal_proposal(condition.code, game.laws(), game.setup.regime, side, before)
        }),
        evidence: facts(&found.facts, found.at, &found.words),
    }
}

fn flag(game: &Game, condition: &Condition, prospects: &Prospects) -> Text {
    let Some(side) = condition.side else {
        return plain("flag fallen", "");
    };
    let seen = game.clock.flags.get(side).as_ref();
    let verdict = flag_verdict(game.record.position().legal(), side, prospects);
    let mut because = verdict.because;
    because.extend(before_the_move(game, side, prospects));
    if seen.is_some_and(|s| s.second) {
        because.push(format!("{}'s flag fell before.", side.other().word()));
    }
    because.push(law_words::flag_moves(game, side));
    because.extend(law_words::not_proved(game, side));
    because.extend(law_words::flag_and_claim(game));
    let (laws, regime) = (game.laws(), game.setup.regime);
    let on_claim = game.setup.regulations.flags_on_claim;
    let fast = regime.speed != Speed::Standard && !on_claim;
    let mut proposal = law_words::flag_proposal(game, side).unwrap_or_else(|| {
        let article = laws.articles.flag_result;
        vec![format!("{} ({article}).", verdict.result)]
    });
    let claims = flag_claim_words(laws, regime).into_iter().filter(|_| fast);
    proposal.extend(claims.map(str::to_owned));
    Text {
        headline: format!("flag fallen, {}", side.word()),
        because,
        proposal,
        evidence: seen
            .and_then(|s| {
                s.fact
                    .as_ref()
                    .map(|f| facts(std::slice::from_ref(f), s.at, "flag"))
            })
            .unwrap_or_default(),
    }
}

/// A move that was made and not completed before the flag fell: what the answer was before it, where it was another one (6.2.1).
fn before_the_move(game: &Game, fallen: Side, prospects: &Prospects) -> Option<String> {
    let made = game.record.last()?;
    if made.completed_at.is_some() || made.by != fallen {
        return None;
    }
    let opponent = fallen.other();
    let after = prospects.can_mate(game.record.position().legal()?, opponent);
    let before = game.record.position_before(game.record.len());
    let before = prospects.can_mate(before.legal()?, opponent);
    let differ =
        matches!(after, MateVerdict::Cannot(_)) != matches!(before, MateVerdict::Cannot(_));
    differ.then(|| {
        format!(
            "{} was made and not completed; before it: {}. Which position counts is yours to say.",
            made.san,
            before.words()
        )
    })
}

fn stopped(game: &Game) -> Text {
    let times = game.clock.view.map(|v| {
        format!(
            "White {}, Black {}.",
            clock_words(v.time.white),
            clock_words(v.time.black)
        )
    });
    let rule = Some(game.laws().may_stop_to_compare).filter(|rule| !rule.is_empty());
    Text {
        proposal: rule.into_iter().map(str::to_owned).collect(),
        headline: "clocks stopped".to_owned(),
        because: times
            .into_iter()
            .chain(board_words::piece_needed(game))
            .collect(),
        ..Text::default()
    }
}

fn without_press(game: &Game, condition: &Condition) -> Text {
    let san = game.record.last().map_or("", |p| p.san.as_str());
    let side = game.record.last().map_or("", |p| p.by.word());
    plain(
        &format!("move made, clock not pressed, {side}"),
        &format!(
            "{san} stands since {}; his own clock runs.",
            clock_of_day(condition.since)
        ),
    )
}

/// Time of day in UTC, for sentences; screens show ages in local time.
fn clock_of_day(at: Timestamp) -> String {
    let s = at.0.div_euclid(1000).rem_euclid(86_400);
    format!("{:02}:{:02}:{:02} UTC", s / 3600, s / 60 % 60, s % 60)
}

fn ambiguous(game: &Game, condition: &Condition) -> Text {
    let found = game.uncertain.iter().map(|(u, _)| u);
    let Some(uncertain) = found
        .into_iter()
        .find(|u| u64::from(u.ply) == condition.cause)
    else {
        return plain("several lines explain the board", "");
    };
    Text {
        headline: format!("half-move {} is not certain", uncertain.ply),
        because: uncertain
            .choices
            .iter()
            .map(|line| line.join(" "))
            .chain(uncertain.more.then(|| "or another line".to_owned()))
            .collect(),
        ..Text::default()
    }
}

fn gap(game: &Game) -> Text {
    let words = game.gap.map_or(String::new(), |g| {
        format!("Facts {} to {} never came.", g.from, g.to)
    });
    plain("facts are missing", &words)
}

/// What an irregularity says of itself.
pub(super) fn noticed(game: &Game, condition: &Condition) -> Text {
    let name = condition.code.name().replace('-', " ");
    match game.irregularity(condition.code, condition.ply()) {
        // What is wrong with a square is told by naming it.
        Some(found) if condition.code == Code::SquareFaulty && !found.words.is_empty() => Text {
            evidence: facts(&found.facts, found.at, &found.words),
            ..plain(&found.words, "")
        },
        Some(found) => Text {
            evidence: facts(&found.facts, found.at, &found.words),
            ..plain(&name, &found.words)
        },
        None => plain(&name, ""),
    }
}

fn lapse(game: &Game, condition: &Condition) -> Option<String> {
    let irregular = matches!(
        condition.code,
        Code::IllegalMove | Code::PromotionNotReplaced | Code::PressWithoutMove | Code::TwoMoves
    );
    let opponent = condition.side?.other().word();
    match game.laws().illegal.of(game.setup.regime).lapse {
        _ if !irregular => None,
        Lapse::Never => None,
        Lapse::OpponentTouches => Some(format!("when {opponent} touches a piece")),
        Lapse::OpponentMoves => Some(format!("with {opponent}'s next move")),
    }
}

/// CALL may not be put aside.
pub(crate) fn may_snooze(alert: &Alert) -> bool {
    alert.urgency != Urgency::Call
}
