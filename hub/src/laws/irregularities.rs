//! Article 7 and its neighbours: urgency and article of every code, and what a completed illegal move costs.

use protocol::{Regime, Side, Speed, Urgency};

use super::concordance::{Matter, article_of};
use super::edition::{AfterPromotion, FlagCall, Laws, PressAlone};
use super::{Code, Finding, MateVerdict};

/// Urgency and article of a code in an edition and a regime.
pub fn finding(code: Code, laws: &Laws, regime: Regime) -> Finding {
    Finding {
        code,
        urgency: urgency(code, laws, regime),
        article: article(code, laws, regime),
    }
}

fn urgency(code: Code, laws: &Laws, regime: Regime) -> Urgency {
    match code {
        Code::IllegalMove | Code::PromotionNotReplaced | Code::TwoMoves => {
            call_if(laws.illegal.of(regime).arbiter_acts)
        }
        Code::PressWithoutMove => call_if(
            laws.press_alone == PressAlone::IllegalMove && laws.illegal.of(regime).arbiter_acts,
        ),
        Code::FlagFallen | Code::BothFlagsFallen => {
            call_if(*laws.flag.of(regime) == FlagCall::Arbiter)
        }
        Code::Fivefold | Code::SeventyFive => call_if(laws.ends_unclaimed),
        Code::InitialPositionWrong
        | Code::BoardTurned
        | Code::ColoursReversed
        | Code::ClockNotStarted
        | Code::DefaultTimeReached
        | Code::TimeControlWrong
        | Code::IncrementWrong
        | Code::ClockSumWrong
        | Code::ClockJumped
        | Code::DeadPosition
        | Code::IllegalPositionStands
        | Code::EarlyDraw
        | Code::ResultConflict
        | Code::ResultMissing
        | Code::LateForResumption
        | Code::SealedMoveVoid
        | Code::Checkmate
        | Code::Stalemate
        | Code::MoveChangedAfterPress
        | Code::BoardsDiffer => Urgency::Call,
        Code::ClocksStopped | Code::ResultProposed | Code::DrawClaimed | Code::QuickplayClaim => {
            Urgency::Asked
        }
        Code::ClockSideWrong
        | Code::MoveWithoutPress
        | Code::WrongClockRunning
        | Code::Scramble
        | Code::ThreefoldClaimable
        | Code::FiftyClaimable
        | Code::PiecesDisplaced => Urgency::Silent,
        Code::PositionMismatch
        | Code::RecordGap
        | Code::ClockLost
        | Code::MoveCounterWrong
        | Code::BoardsExchanged
        | Code::ReadingAmbiguous
        | Code::BoardSilent
        | Code::AgentSilent
        | Code::AgentDiskFull
        | Code::SquareFaulty
        | Code::BoardBatteryLow
        | Code::ClockBatteryLow
        | Code::DeviceUnknown
        | Code::DeviceClaimedTwice
        | Code::TableClaimedTwice => Urgency::Tech,
    }
}

fn call_if(acts: bool) -> Urgency {
    if acts { Urgency::Call } else { Urgency::Silent }
}

fn article(code: Code, laws: &Laws, regime: Regime) -> &'static str {
    let at = &laws.articles;
    match code {
        Code::IllegalMove => at.illegal_move,
        Code::PromotionNotReplaced => at.promotion,
        Code::PressWithoutMove => at.press_alone,
        Code::TwoMoves => at.two_moves,
        Code::MoveWithoutPress | Code::WrongClockRunning => at.silence,
        Code::PiecesDisplaced | Code::PositionMismatch => at.displaced,
        Code::RecordGap | Code::ReadingAmbiguous => at.record,
        Code::FlagFallen => flag_article(laws, regime),
        Code::ClocksStopped => at.stopping,
        Code::ClockLost => at.clock_defect,
        Code::Checkmate => at.checkmate,
        Code::Stalemate => at.stalemate,
        Code::ResultProposed => at.result,
        Code::ClockNotStarted => at.start,
        Code::DefaultTimeReached => at.default_time,
        Code::MoveChangedAfterPress => at.released,
        Code::DeadPosition => at.dead_position,
        Code::ResultConflict | Code::ResultMissing => at.result,
        code => further(code, laws),
    }
}

/// Matters whose articles stand in the concordance; devices have none.
fn further(code: Code, laws: &Laws) -> &'static str {
    let matter = match code {
        Code::InitialPositionWrong => Matter::InitialPosition,
        Code::BoardTurned => Matter::BoardTurned,
        Code::ColoursReversed => Matter::ReversedColours,
        Code::ClockSideWrong => Matter::ClockSide,
        Code::TimeControlWrong | Code::IncrementWrong | Code::MoveCounterWrong => {
            Matter::ClockSetting
        }
        Code::ClockSumWrong | Code::ClockJumped => Matter::ClockShows,
        Code::BothFlagsFallen => Matter::BothFlags,
        Code::Scramble => Matter::Scramble,
        Code::ThreefoldClaimable | Code::DrawClaimed => Matter::Threefold,
        Code::FiftyClaimable => Matter::Fifty,
        Code::Fivefold => Matter::Fivefold,
        Code::SeventyFive => Matter::SeventyFive,
        Code::EarlyDraw => Matter::Agreement,
        Code::QuickplayClaim => Matter::Quickplay,
        Code::IllegalPositionStands => Matter::IllegalPositionStands,
        Code::LateForResumption => Matter::Resumption,
        Code::SealedMoveVoid => Matter::SealedMove,
        Code::BoardsDiffer => Matter::TwoBoards,
        _ => return "",
    };
    article_of(matter, laws.id)
}

fn flag_article(laws: &Laws, regime: Regime) -> &'static str {
    let fast = regime.speed != Speed::Standard;
    match laws.flag.of(regime) {
        FlagCall::Player => "B.6",
        FlagCall::Arbiter if fast && !regime.supervised => "A.5.5",
        FlagCall::Arbiter => laws.articles.flag,
    }
}

/// What the last allowed illegal move costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossVerdict {
    /// The game is lost.
    Lost,
    /// The game is drawn: the opponent cannot mate, with the reason.
    Drawn(String),
}

/// Lost, or drawn because the opponent cannot mate by any series of legal moves, as far as the edition has that exception.
pub fn loss_or_draw(laws: &Laws, regime: Regime, opponent_mates: &MateVerdict) -> LossVerdict {
    match opponent_mates {
        MateVerdict::Cannot(why) if laws.illegal.of(regime).draw_if_cannot_mate => {
            LossVerdict::Drawn(why.clone())
        }
        _ => LossVerdict::Lost,
    }
}

/// What the Laws propose for a completed illegal move, line by line; `before` counts those of the offender so far.
pub fn illegal_proposal(
    code: Code,
    laws: &Laws,
    regime: Regime,
    offender: Side,
    before: u32,
) -> Vec<String> {
    if code == Code::PressWithoutMove && laws.press_alone == PressAlone::ImproperUse {
        return vec!["No fixed penalty in this edition: your judgement.".to_owned()];
    }
    let rule = laws.illegal.of(regime);
    let mut lines = vec![cost(laws, regime, offender, before)];
    lines.push(match (code, laws.promotion) {
        (Code::PressWithoutMove, _) => "Nothing to restore.".to_owned(),
        (Code::PromotionNotReplaced, AfterPromotion::Queen) => {
            "The pawn becomes a queen; the position stands.".to_owned()
        }
        _ => "The position before the move is restored; the touched piece moves if it can (4.3)."
            .to_owned(),
    });
    if code == Code::IllegalMove {
        let choices = laws.after_illegal_capture.iter();
        lines.extend(choices.map(|&choice| choice.to_owned()));
    }
    if !rule.arbiter_acts {
        lines.push("Only on the opponent's claim; say nothing.".to_owned());
    }
    lines
}

fn cost(laws: &Laws, regime: Regime, offender: Side, before: u32) -> String {
    let rule = laws.illegal.of(regime);
    let opponent = offender.other().word();
    let offender = offender.word();
    let article = laws.articles.illegal_penalty;
    match rule.loses_at {
        Some(last) if before + 1 >= last => {
            let except = if rule.draw_if_cannot_mate {
                format!(", drawn if {opponent} cannot mate")
            } else {
                String::new()
            };
            format!(
                "No. {} by {offender}: the game is lost{except} ({article}).",
                before + 1
            )
        }
        _ if rule.bonus_ms == 0 => "No penalty in this edition.".to_owned(),
        _ => format!(
            "No. {} by {offender}: {opponent} +{}:00 ({article}).",
            before + 1,
            rule.bonus_ms / 60_000
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::EditionId;

    fn regime(speed: Speed, supervised: bool) -> Regime {
        Regime { speed, supervised }
    }

    #[test]
    fn the_same_fact_is_a_call_in_one_edition_and_silence_in_another() {
        use EditionId::*;
        let standard = regime(Speed::Standard, true);
        let blitz = regime(Speed::Blitz, false);
        let rows = [
            (Code::FlagFallen, Fide2023, standard, Urgency::Call, "6.8"),
            (Code::FlagFallen, Fide2023, blitz, Urgency::Call, "A.5.5"),
            (Code::FlagFallen, Fide2001, blitz, Urgency::Silent, "B.6"),
            (Code::FlagFallen, Fide2001, standard, Urgency::Call, "6.9"),
            (Code::IllegalMove, Fide2023, blitz, Urgency::Call, "7.5.1"),
            (Code::IllegalMove, Fide2001, blitz, Urgency::Silent, "7.4a"),
            (Code::IllegalMove, Fide1929, standard, Urgency::Silent, "17"),
            (
                Code::PressWithoutMove,
                Fide2023,
                standard,
                Urgency::Call,
                "7.5.3",
            ),
            (
                Code::PressWithoutMove,
                Fide2014,
                standard,
                Urgency::Silent,
                "6.7",
            ),
            (
                Code::MoveWithoutPress,
                Fide2023,
                standard,
                Urgency::Silent,
                "12.6",
            ),
            (Code::BoardSilent, Fide2023, standard, Urgency::Tech, ""),
        ];
        for (code, edition, regime, urgency, article) in rows {
            let got = finding(code, Laws::of(edition), regime);
            assert_eq!(
                (got.urgency, got.article),
                (urgency, article),
                "{code} {edition}"
            );
        }
    }

    #[test]
    fn art_7_5_5_the_proposal_says_its_arithmetic() {
        use EditionId::*;
        let standard = regime(Speed::Standard, true);
        let blitz = regime(Speed::Blitz, false);
        let rows = [
            (Fide2023, standard, 0, "Black +2:00 (7.5.5)"),
            (Fide2023, blitz, 0, "Black +1:00 (7.5.5)"),
            (Fide2023, standard, 1, "lost, drawn if Black cannot mate"),
            (Fide2001, standard, 1, "No. 2 by White: Black +2:00 (7.4b)"),
            (Fide2001, standard, 2, "the game is lost (7.4b)"),
            (Fide1929, standard, 5, "No penalty"),
        ];
        for (edition, regime, before, words) in rows {
            let lines = illegal_proposal(
                Code::IllegalMove,
                Laws::of(edition),
                regime,
                Side::White,
                before,
            );
            assert!(lines[0].contains(words), "{edition}: {lines:?}");
        }
    }
}
