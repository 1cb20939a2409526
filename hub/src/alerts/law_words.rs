//! Sentences for what the clock and the record bring about by the Laws, with the arithmetic of what is proposed.

use protocol::{Side, Speed, Timestamp, Urgency};

use super::clock_conditions::{NOT_SET, VOTES, completed, meaning, scramble_of, surplus_of};
use super::law_conditions::CLOSING;
use super::words::{Text, plain};
use super::{Condition, Devices};
use crate::game::{Claimed, Game, clock_words, replacement};
use crate::laws::chessclock::{
    ClockWords, FlagMeaning, counter_words, first_fallen, jump_words, odd_words, period_words,
    setting_words, start_display, start_words, sum_words, two_flags_words,
};
use crate::laws::scramble::{after_the_flag, trouble};
use crate::laws::start::{
    default_proposal, loses_time_while_both_absent, own_default, urgency_after,
};
use crate::laws::{BY_REGULATIONS, Code};

/// The text of a condition that this room knows.
pub(super) fn text(game: &Game, devices: &Devices, condition: &Condition) -> Option<Text> {
    let model = &game.clock.model;
    Some(match condition.code {
        Code::IncrementWrong => beside_neighbours(clock(setting_words(model.wrong()?)), devices),
        Code::TimeControlWrong if condition.ply() == 0 => beside_neighbours(
            clock(start_words(start_display(model, &game.setup.time_control))),
            devices,
        ),
        Code::TimeControlWrong => clock(period(game)?),
        Code::ClockSumWrong if condition.cause == NOT_SET => not_set(game, devices.now)?,
        Code::ClockSumWrong if condition.cause > NOT_SET => Text {
            because: vec![odd_words(&devices.odd?).1],
            proposal: vec!["Compare with the regulations and the clocks beside it.".to_owned()],
            ..plain("this clock differs from its neighbours", "")
        },
        Code::ClockSumWrong => clock(sum_words(model.off()?.1)),
        Code::ClockSideWrong if condition.cause == VOTES => plain(
            "the clock stands on the other side",
            "Three presses came from the player who had not moved, and none from the other; say \
             which side is White's on the screen of the board.",
        ),
        Code::ResultMissing if condition.cause == CLOSING => plain(
            "no confirmed result, the round is closing",
            "Ask both players for the signed scoresheets.",
        ),
        Code::ClockJumped => clock(jump_words(&model.jump?)),
        Code::MoveCounterWrong => clock(counter_words(surplus_of(game))),
        Code::WrongClockRunning => wrong_runner(condition.side?),
        Code::BothFlagsFallen => both_flags(game),
        Code::ClockBatteryLow => plain(
            "clock battery low",
            "Change it at the next stop; the last good times are kept.",
        ),
        Code::Scramble => scramble(game, condition)?,
        Code::ThreefoldClaimable => claimable(game, condition.side?, Code::ThreefoldClaimable),
        Code::FiftyClaimable => claimable(game, condition.side?, Code::FiftyClaimable),
        Code::Fivefold => ended(
            "fivefold repetition on the board",
            "The position has stood five times",
            condition.cause,
        ),
        Code::SeventyFive => ended(
            "75 moves without capture or pawn move",
            "Seventy-five moves by each were quiet",
            condition.cause,
        ),
        Code::DefaultTimeReached => default_time(game, condition.side?, devices.default_ms),
        Code::EarlyDraw if game.record.len() < 2 => plain(
            "drawn before both have moved",
            "A draw can be agreed only after both players have made a move.",
        ),
        Code::EarlyDraw => plain(
            &format!(
                "drawn before move {}",
                game.setup.regulations.no_draw_before
            ),
            &format!("No agreement before that move, {BY_REGULATIONS} (9.1.1)."),
        ),
        _ => return None,
    })
}

/// Urgency of a code in this game, which may fall with the moves played.
pub(super) fn urgency(game: &Game, code: Code, urgency: Urgency) -> Urgency {
    let (laws, regime) = (game.laws(), game.setup.regime);
    let event = &game.setup.regulations;
    match code {
        Code::FlagFallen | Code::BothFlagsFallen
            if event.flags_on_claim && regime.speed != Speed::Standard =>
        {
            return Urgency::Silent;
        }
        Code::ThreefoldClaimable | Code::FiftyClaimable if event.draws_unclaimed => {
            return Urgency::Call;
        }
        _ => {}
    }
    urgency_after(code, laws, regime, completed(game), urgency)
}

/// How the moves of the period stand with a fallen flag.
pub(super) fn flag_moves(game: &Game, side: Side) -> String {
    let who = side.word();
    match meaning(game, side) {
        FlagMeaning::NextPeriod {
            required,
            completed,
        } => {
            format!("{who} completed {completed} moves, {required} were required.")
        }
        FlagMeaning::Overstepped {
            required,
            completed,
        } => format!(
            "{who} completed {completed} moves by this record, {required} were required: check the scoresheets."
        ),
        FlagMeaning::TimeUsedUp => format!("{who} has used all his time."),
        FlagMeaning::Unknown => format!("The time control is not known: check the moves of {who}."),
    }
}

/// A record with holes does not prove that the moves were not completed (8.6).
pub(super) fn not_proved(game: &Game, side: Side) -> Option<String> {
    let holes = game.gap.is_some() || game.stray.is_some() || !game.uncertain.is_empty();
    let overstepped = matches!(meaning(game, side), FlagMeaning::Overstepped { .. });
    (overstepped && holes).then(|| {
        "This record has holes and proves no overstepping: where the scoresheets do not either, the next move is the \
         first of the next period (8.6)."
            .to_owned()
    })
}

/// What is proposed where the moves were completed and nothing is lost (8.5).
pub(super) fn flag_proposal(game: &Game, side: Side) -> Option<Vec<String>> {
    matches!(meaning(game, side), FlagMeaning::NextPeriod { .. }).then(|| {
        let lines = after_the_flag(protocol::BySide::new_with(|s| {
            stopped_recording(game, s, side)
        }));
        let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        lines.insert(0, "Nothing is lost: the next period runs.".to_owned());
        lines
    })
}

/// Whether a player need not have kept score when a flag fell: below five minutes without half a minute a move (8.4).
fn stopped_recording(game: &Game, side: Side, fallen: Side) -> bool {
    let left = game.clock.view.map_or(0, |v| *v.time.get(side));
    let left = if side == fallen { 0 } else { left };
    let number = *game.clock.model.period.get(side);
    let number = number.saturating_sub(u8::from(side == fallen && number > 0));
    let periods = game.setup.time_control.side(side).periods();
    trouble(periods, number, left, 0).recording_optional
}

/// What a postponed claim makes of a fallen flag (III.5).
pub(super) fn flag_and_claim(game: &Game) -> Option<String> {
    let open = game.claim.as_ref().filter(|c| c.postponed)?;
    let Claimed::Quickplay(_) = open.claimed else {
        return None;
    };
    Some(format!(
        "{}'s claim was postponed: the result is yours to give, also after the flag has fallen.",
        open.by.word()
    ))
}

/// The last good times of a clock that is lost, and those to set on another with their bounds (6.10.1).
pub(super) fn clock_lost(game: &Game, now: Timestamp) -> Text {
    let last = game.clock.view.map_or(String::new(), |v| {
        format!(
            "Last reading: White {}, Black {}.",
            clock_words(v.time.white),
            clock_words(v.time.black)
        )
    });
    Text {
        proposal: replacement(game, now).map_or(Vec::new(), |r| r.lines),
        ..plain("no clock", &last)
    }
}

/// Times were ruled, and the clock runs without them.
fn not_set(game: &Game, now: Timestamp) -> Option<Text> {
    let due = game.clock.awaited(now)?;
    let shows = game.clock.times(now)?;
    let pair = |t: protocol::BySide<u64>| {
        format!(
            "White {}, Black {}",
            clock_words(t.white),
            clock_words(t.black)
        )
    };
    Some(Text {
        because: vec![format!("It shows {}.", pair(shows))],
        proposal: vec![format!("Stop it and set {}.", pair(due))],
        ..plain("the ruled times are not on the clock", "")
    })
}

fn beside_neighbours(mut text: Text, devices: &Devices) -> Text {
    text.because
        .extend(devices.odd.map(|odd| odd_words(&odd).1));
    text
}

fn clock(words: ClockWords) -> Text {
    Text {
        headline: words.headline,
        because: words.because,
        proposal: words.proposal,
        ..Text::default()
    }
}

fn period(game: &Game) -> Option<ClockWords> {
    let (_, side, added) = game.clock.model.wrong_period?;
    let number = usize::from(*game.clock.model.period.get(side));
    let due = game.setup.time_control.side(side).periods().get(number);
    let due = due.map(|p| u64::from(p.seconds) * 1000);
    Some(period_words(side, added, due))
}

fn wrong_runner(running: Side) -> Text {
    let turn = running.other();
    plain(
        &format!("wrong clock runs, {}'s", running.word()),
        &format!(
            "{} has the move and {}'s clock runs; not to be told (12.6).",
            turn.word(),
            running.word()
        ),
    )
}

fn both_flags(game: &Game) -> Text {
    let flags = &game.clock.flags;
    let seen = |side: Side| flags.get(side).as_ref().map(|f| f.at);
    let first = first_fallen(protocol::BySide::new_with(seen));
    let last = Side::BOTH.into_iter().any(|side| {
        let periods = game.setup.time_control.side(side).periods();
        usize::from(*game.clock.model.period.get(side)) + 1 >= periods.len()
    });
    let words = match first {
        Some(side) => format!("{}'s flag was seen fallen first.", side.word()),
        None if game.setup.regulations.both_flags_draw => {
            format!("Which flag fell first is not known: drawn {BY_REGULATIONS}.")
        }
        None => {
            let announced = game.setup.regulations.guidelines_iii;
            two_flags_words(game.laws(), game.setup.regime, last, announced)
        }
    };
    plain("both flags have fallen", &words)
}

fn scramble(game: &Game, condition: &Condition) -> Option<Text> {
    let scramble = scramble_of(game, condition.since)?;
    Some(Text {
        headline: "short of time, recording optional".to_owned(),
        because: scramble.words(),
        ..Text::default()
    })
}

fn claimable(game: &Game, side: Side, code: Code) -> Text {
    let (headline, count) = match code {
        Code::FiftyClaimable => (
            "fifty moves, nobody has claimed",
            format!("{} quiet half-moves.", game.draws.quiet),
        ),
        _ => (
            "threefold repetition, nobody has claimed",
            format!("The position stands for time {}.", game.draws.stood),
        ),
    };
    if game.setup.regulations.draws_unclaimed {
        return Text {
            proposal: vec![format!("The game is drawn unclaimed, {BY_REGULATIONS}.")],
            ..plain(headline, &count)
        };
    }
    Text {
        because: vec![
            count,
            format!("{} has the move and may claim; say nothing.", side.word()),
        ],
        ..plain(headline, "")
    }
}

fn ended(headline: &str, why: &str, ply: u64) -> Text {
    Text {
        because: vec![format!("{why}, after half-move {ply}.")],
        proposal: vec![
            "The game is drawn; nobody needs to claim. Stop the clocks, record 1/2-1/2.".to_owned(),
        ],
        ..plain(headline, "")
    }
}

fn default_time(game: &Game, side: Side, default_ms: u64) -> Text {
    let mut absent = protocol::BySide::default();
    *absent.get_mut(side) = true;
    let mut because = vec![
        "Absence cannot be seen from the board: look.".to_owned(),
        own_default(game.laws()),
    ];
    let both = loses_time_while_both_absent(default_ms).filter(|_| game.record.is_empty());
    because.extend(both.map(|white| {
        format!(
            "While both are absent {} loses the time (6.7.2).",
            white.word()
        )
    }));
    Text {
        because,
        proposal: default_proposal(game.laws(), absent),
        ..plain(
            &format!("no move by {} at the default time", side.word()),
            "",
        )
    }
}
