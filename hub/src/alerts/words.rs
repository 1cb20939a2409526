//! Writes alerts for arbiters: a headline, why, what the Laws propose, when it lapses.

use protocol::{Alert, AlertLife, Evidence, FactId, Regime, SquareName, Timestamp, Urgency};

use super::{Condition, Place, law_words};
use crate::game::{Game, clock_words};
use crate::laws::{Code, Lapse, Laws, MateTest, finding, flag_verdict, illegal_proposal};

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
    place: &Place,
    condition: &Condition,
    id: (String, Vec<String>),
    test: MateTest,
) -> Alert {
    let regime = game.setup.regime;
    let text = text(game, condition, test);
    let found = finding(condition.code, game.laws(), regime);
    Alert {
        id: id.0,
        code: condition.code.name().to_owned(),
        table: place.table(),
        ply: Some(game.record.len()).filter(|ply| *ply > 0),
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
        evidence: text.evidence,
        history: id.1,
    }
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
        Code::AgentSilent => format!("agent {place} does not answer"),
        Code::RecordGap => format!("a fact of board {place} was refused"),
        code => format!("{code} {place}"),
    }
}

fn text(game: &Game, condition: &Condition, test: MateTest) -> Text {
    match condition.code {
        Code::IllegalMove
        | Code::PromotionNotReplaced
        | Code::PressWithoutMove
        | Code::TwoMoves
        | Code::MoveChangedAfterPress => illegal(game, condition),
        Code::FlagFallen => flag(game, condition, test),
        Code::ClocksStopped => stopped(game),
        Code::MoveWithoutPress => without_press(game, condition),
        Code::PositionMismatch => mismatch(game, condition),
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
        Code::ClockLost => clock_lost(game),
        Code::BoardSilent => plain(
            "board silent",
            "Nothing is heard from the board; the moves so far are in the journal.",
        ),
        Code::InitialPositionWrong => wrong_array(game),
        code => law_words::text(game, condition).unwrap_or_else(|| noticed(game, code, condition)),
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

fn evidence(facts: &[FactId], at: Timestamp, words: &str) -> Vec<Evidence> {
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
    let ply = u32::try_from(condition.cause).unwrap_or(u32::MAX);
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
    let san = game
        .record
        .get(ply)
        .map(|p| format!("{who} played {}.", p.san));
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
        evidence: evidence(&found.facts, found.at, &found.words),
    }
}

fn flag(game: &Game, condition: &Condition, test: MateTest) -> Text {
    let Some(side) = condition.side else {
        return plain("flag fallen", "");
    };
    let seen = game.clock.flags.get(side).as_ref();
    let verdict = flag_verdict(game.record.position().legal(), side, test);
    let mut because = verdict.because;
    if seen.is_some_and(|s| s.second) {
        because.push(format!("{}'s flag fell before.", side.other().word()));
    }
    because.push(law_words::flag_moves(game, side));
    let laws = game.laws();
    Text {
        headline: format!("flag fallen, {}", side.word()),
        because,
        proposal: law_words::flag_proposal(game, side).unwrap_or_else(|| {
            vec![format!(
                "{} ({}).",
                verdict.result, laws.articles.flag_result
            )]
        }),
        evidence: seen
            .and_then(|s| {
                s.fact
                    .as_ref()
                    .map(|f| evidence(std::slice::from_ref(f), s.at, "flag"))
            })
            .unwrap_or_default(),
    }
}

fn stopped(game: &Game) -> Text {
    let times = game.clock.view.map(|v| {
        format!(
            "White {}, Black {}.",
            clock_words(v.time.white),
            clock_words(v.time.black)
        )
    });
    Text {
        headline: "clocks stopped".to_owned(),
        because: times.into_iter().collect(),
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

fn mismatch(game: &Game, condition: &Condition) -> Text {
    let words = match (condition.cause, &game.differs, &game.stray) {
        (0, Some(differs), _) => match names(&differs.squares) {
            None => "Board and record differ.".to_owned(),
            Some(names) => format!("Board and record differ at {names}."),
        },
        (1, _, Some(stray)) => format!("Facts do not follow the record: {}.", stray.why),
        _ => "The board has not taken over the record.".to_owned(),
    };
    plain("position and record disagree", &words)
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

fn clock_lost(game: &Game) -> Text {
    let last = game.clock.view.map_or(String::new(), |v| {
        format!(
            "Last reading: White {}, Black {}.",
            clock_words(v.time.white),
            clock_words(v.time.black)
        )
    });
    plain("no clock", &last)
}

fn wrong_array(game: &Game) -> Text {
    let squares = game.wrong_array.as_ref().map(|(squares, _)| &squares[..]);
    let words = match squares.and_then(names) {
        None => "The pieces do not stand in the initial array.".to_owned(),
        Some(names) => format!("Other pieces stand on {names}."),
    };
    plain("initial position wrong", &words)
}

/// The names of squares; none where there are none, because a list of nothing tells nothing.
fn names(squares: &[SquareName]) -> Option<String> {
    let names: Vec<String> = squares.iter().map(|s| s.0.to_string()).collect();
    (!names.is_empty()).then(|| names.join(" "))
}

fn noticed(game: &Game, code: Code, condition: &Condition) -> Text {
    let ply = u32::try_from(condition.cause).unwrap_or(u32::MAX);
    match game.irregularity(code, ply) {
        // What is wrong with a square is told by naming it.
        Some(found) if code == Code::SquareFaulty && !found.words.is_empty() => Text {
            evidence: evidence(&found.facts, found.at, &found.words),
            ..plain(&found.words, "")
        },
        Some(found) => Text {
            evidence: evidence(&found.facts, found.at, &found.words),
            ..plain(&code.name().replace('-', " "), &found.words)
        },
        None => plain(&code.name().replace('-', " "), ""),
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
