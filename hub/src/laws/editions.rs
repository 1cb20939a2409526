//! The editions of the Laws: one constant each, from 1929 to 2023. A new edition is one constant more.

use protocol::EditionId;

use super::edition::{
    AfterPromotion, Articles, BothFlags, Cells, ClaimantPays, FlagCall, IllegalMoves, InitialArray,
    Lapse, Laws, PressAlone, Quickplay, Repetition, ReversedColours, SpeedLimits, WrongClaim,
};
use super::silence::Silence;

impl Laws {
    /// The Laws of an edition.
    pub fn of(id: EditionId) -> &'static Laws {
        match id {
            EditionId::Fide2023 => &FIDE_2023,
            EditionId::Fide2018 => &FIDE_2018,
            EditionId::Fide2014 => &FIDE_2014,
            EditionId::Fide2009 => &FIDE_2009,
            EditionId::Fide2001 => &FIDE_2001,
            EditionId::Fide1929 => &FIDE_1929,
        }
    }
}

const MINUTE: u64 = 60_000;

const fn lost_at(loses_at: u32, minutes: u64) -> IllegalMoves {
    IllegalMoves {
        bonus_ms: minutes * MINUTE,
        loses_at: Some(loses_at),
        draw_if_cannot_mate: true,
        lapse: Lapse::Never,
        arbiter_acts: true,
    }
}

const fn until_next_move(rule: IllegalMoves) -> IllegalMoves {
    IllegalMoves {
        lapse: Lapse::OpponentMoves,
        ..rule
    }
}

const fn on_claim(rule: IllegalMoves, lapse: Lapse) -> IllegalMoves {
    IllegalMoves {
        lapse,
        arbiter_acts: false,
        ..rule
    }
}

const fn claim_costs(minutes: u64, claimant: ClaimantPays) -> WrongClaim {
    WrongClaim {
        opponent_ms: minutes * MINUTE,
        claimant,
    }
}

const fn annulled(no_claim_after: Option<u32>) -> InitialArray {
    InitialArray {
        annulled: true,
        no_claim_after,
    }
}

const fn arrays(limit: u32) -> Cells<InitialArray> {
    Cells {
        standard: annulled(None),
        rapid_supervised: annulled(None),
        rapid: annulled(Some(limit)),
        blitz_supervised: annulled(None),
        blitz: annulled(Some(limit)),
    }
}

const fn players_call_in_fast_play() -> Cells<FlagCall> {
    Cells {
        standard: FlagCall::Arbiter,
        ..Cells::all(FlagCall::Player)
    }
}

const SINCE_2014: SpeedLimits = SpeedLimits {
    blitz_to: 600,
    rapid_to: 3599,
    counts_increments: true,
};

const UNTIL_2014: SpeedLimits = SpeedLimits {
    blitz_to: 899,
    rapid_to: 3600,
    counts_increments: false,
};

/// In force from 1 January 2023.
const FIDE_2023: Laws = Laws {
    id: EditionId::Fide2023,
    name: "FIDE 2023",
    illegal: Cells {
        standard: lost_at(2, 2),
        rapid_supervised: lost_at(2, 1),
        rapid: until_next_move(lost_at(2, 1)),
        blitz_supervised: lost_at(2, 2),
        blitz: until_next_move(lost_at(2, 1)),
    },
    wrong_claim: Cells {
        standard: claim_costs(2, ClaimantPays::Nothing),
        ..Cells::all(claim_costs(1, ClaimantPays::Nothing))
    },
    resignation_may_draw: true,
    both_flags: Cells {
        standard: BothFlags::DrawInLastPeriodIfAnnounced,
        rapid_supervised: BothFlags::DrawInLastPeriodIfAnnounced,
        rapid: BothFlags::DrawInLastPeriodIfAnnounced,
        blitz_supervised: BothFlags::ArbiterDecides,
        blitz: BothFlags::ArbiterDecides,
    },
    repetition: Repetition::LegalMoves,
    ..FIDE_2018
};

/// From 1 January 2018.
const FIDE_2018: Laws = Laws {
    id: EditionId::Fide2018,
    name: "FIDE 2018",
    illegal: Cells {
        standard: lost_at(2, 2),
        rapid_supervised: lost_at(2, 2),
        rapid: until_next_move(lost_at(2, 2)),
        blitz_supervised: lost_at(2, 1),
        blitz: until_next_move(lost_at(2, 1)),
    },
    promotion: AfterPromotion::Queen,
    press_alone: PressAlone::IllegalMove,
    two_hands_illegal: true,
    reversed_colours: ReversedColours::RestartBelow(10),
    quickplay: Quickplay::GuidelinesIii,
    both_flags: Cells::all(BothFlags::DrawInLastPeriodIfAnnounced),
    agreement_needs_moves: true,
    fivefold_in_a_row: false,
    penalties: 9,
    articles: Articles {
        illegal_move: "7.5.1",
        illegal_penalty: "7.5.5",
        promotion: "7.5.2",
        press_alone: "7.5.3",
        two_moves: "7.5",
        completing: "6.2.1",
        flag: "6.8",
        flag_result: "6.9",
        stopping: "6.11.2",
        start: "6.6",
        default_time: "6.7.1",
        displaced: "7.4",
        clock_defect: "6.10.1",
        record: "8.5.3",
        checkmate: "5.1.1",
        stalemate: "5.2.1",
        dead_position: "5.2.2",
        result: "8.7",
        silence: "12.6",
        penalties: "12.9",
        released: "4.7",
    },
    ..FIDE_2014
};

/// From 1 July 2014.
const FIDE_2014: Laws = Laws {
    id: EditionId::Fide2014,
    name: "FIDE 2014",
    illegal: Cells {
        standard: lost_at(2, 2),
        rapid_supervised: lost_at(2, 2),
        rapid: until_next_move(lost_at(1, 0)),
        blitz_supervised: lost_at(2, 1),
        blitz: until_next_move(lost_at(1, 0)),
    },
    promotion: AfterPromotion::Queen,
    flag: Cells::all(FlagCall::Arbiter),
    both_flags: Cells::all(BothFlags::Unnamed),
    wrong_claim: Cells {
        standard: claim_costs(2, ClaimantPays::Nothing),
        rapid_supervised: claim_costs(2, ClaimantPays::Nothing),
        rapid: claim_costs(2, ClaimantPays::Nothing),
        blitz_supervised: claim_costs(1, ClaimantPays::Nothing),
        blitz: claim_costs(1, ClaimantPays::Nothing),
    },
    ends_unclaimed: true,
    fivefold_in_a_row: true,
    initial_array: arrays(10),
    quickplay: Quickplay::AppendixG,
    speeds: Some(SINCE_2014),
    silence: Cells::all(Silence::ARTICLE_12_6),
    articles: Articles {
        illegal_move: "7.5a",
        illegal_penalty: "7.5b",
        promotion: "7.5a",
        press_alone: "6.7",
        two_moves: "7.5a",
        completing: "6.2a",
        flag: "6.8",
        flag_result: "6.9",
        stopping: "6.12b",
        start: "6.6",
        default_time: "6.7a",
        displaced: "7.4a",
        clock_defect: "6.10a",
        record: "8.5c",
        checkmate: "5.1a",
        stalemate: "5.2a",
        dead_position: "5.2b",
        result: "8.7",
        silence: "12.6",
        penalties: "12.9",
        released: "4.7",
    },
    ..FIDE_2009
};

/// From 1 July 2009.
const FIDE_2009: Laws = Laws {
    id: EditionId::Fide2009,
    name: "FIDE 2009",
    illegal: Cells {
        standard: lost_at(3, 2),
        rapid_supervised: lost_at(3, 2),
        rapid: on_claim(lost_at(3, 2), Lapse::OpponentMoves),
        blitz_supervised: lost_at(3, 2),
        blitz: on_claim(lost_at(1, 0), Lapse::OpponentMoves),
    },
    default_ms: Some(0),
    both_flags: Cells::all(BothFlags::Unnamed),
    ..FIDE_2001
};

/// From 1 July 2001.
const FIDE_2001: Laws = Laws {
    id: EditionId::Fide2001,
    name: "FIDE 2001",
    illegal: Cells {
        standard: third_loses_without_draw(),
        rapid_supervised: on_claim(third_loses_without_draw(), Lapse::OpponentTouches),
        rapid: on_claim(third_loses_without_draw(), Lapse::OpponentTouches),
        blitz_supervised: on_claim(lost_at(1, 0), Lapse::OpponentMoves),
        blitz: on_claim(lost_at(1, 0), Lapse::OpponentMoves),
    },
    promotion: AfterPromotion::Illegal,
    press_alone: PressAlone::ImproperUse,
    two_hands_illegal: false,
    flag: players_call_in_fast_play(),
    both_flags: Cells {
        standard: BothFlags::PlayOn,
        ..Cells::all(BothFlags::Draw)
    },
    resignation_may_draw: false,
    wrong_claim: Cells::all(claim_costs(3, ClaimantPays::HalfAtMostThreeMinutes)),
    announced_move_binds: true,
    repetition: Repetition::RightsOfTheMoment,
    ends_unclaimed: false,
    fivefold_in_a_row: false,
    fifty_on_demand: false,
    default_ms: Some(60 * MINUTE),
    reversed_colours: ReversedColours::ArbiterDecides,
    initial_array: arrays(3),
    quickplay: Quickplay::Article10,
    speeds: Some(UNTIL_2014),
    agreement_needs_moves: false,
    odds: false,
    after_illegal_capture: &[],
    wrongly_restored: "",
    may_stop_to_compare: "",
    untimed_black_seals: false,
    penalties: 7,
    silence: Cells {
        standard: Silence::ARTICLE_13_6,
        ..Cells::all(Silence::APPENDIX_B_2001)
    },
    articles: Articles {
        illegal_move: "7.4a",
        illegal_penalty: "7.4b",
        promotion: "7.4a",
        press_alone: "6.8",
        two_moves: "7.4a",
        completing: "6.8",
        flag: "6.9",
        flag_result: "6.10",
        stopping: "6.13b",
        start: "6.5",
        default_time: "6.7",
        displaced: "7.3",
        clock_defect: "6.11",
        record: "8.5",
        checkmate: "5.1a",
        stalemate: "5.2a",
        dead_position: "9.6",
        result: "8.7",
        silence: "13.6",
        penalties: "13.4",
        released: "4.6",
    },
};

const fn third_loses_without_draw() -> IllegalMoves {
    IllegalMoves {
        draw_if_cannot_mate: false,
        ..lost_at(3, 2)
    }
}

/// The rule of Venice, 1929: most irregularities are the opponent's to notice.
const FIDE_1929: Laws = Laws {
    id: EditionId::Fide1929,
    name: "FIDE 1929",
    illegal: Cells::all(IllegalMoves {
        bonus_ms: 0,
        loses_at: None,
        draw_if_cannot_mate: false,
        lapse: Lapse::OpponentTouches,
        arbiter_acts: false,
    }),
    promotion: AfterPromotion::Unnamed,
    press_alone: PressAlone::ImproperUse,
    two_hands_illegal: false,
    flag: Cells::all(FlagCall::Arbiter),
    both_flags: Cells::all(BothFlags::Unnamed),
    resignation_may_draw: false,
    wrong_claim: Cells::all(claim_costs(0, ClaimantPays::Nothing)),
    announced_move_binds: false,
    repetition: Repetition::SamePlayer,
    ends_unclaimed: false,
    fivefold_in_a_row: false,
    fifty_on_demand: true,
    default_ms: None,
    reversed_colours: ReversedColours::ArbiterDecides,
    initial_array: Cells::all(InitialArray {
        annulled: false,
        no_claim_after: None,
    }),
    quickplay: Quickplay::Unnamed,
    speeds: None,
    agreement_needs_moves: false,
    odds: true,
    after_illegal_capture: &[
        "After an illegal capture the opponent chooses: that piece is taken by a legal move, with a piece of the \
         offender's choice, or the touched piece makes another legal move (17).",
        "Where neither is possible nothing follows (17).",
    ],
    wrongly_restored: "A position that was wrongly restored voids every move after it; where the right one cannot be \
                       restored the game is void (17).",
    may_stop_to_compare: "Players whose counts of moves differ may stop both clocks while they compare, once each has \
                          written his last move (19).",
    untimed_black_seals: true,
    penalties: 0,
    silence: Cells::all(Silence::RULE_OF_1929),
    articles: Articles {
        illegal_move: "17",
        illegal_penalty: "17",
        promotion: "",
        press_alone: "19",
        two_moves: "17",
        completing: "",
        flag: "19",
        flag_result: "19",
        stopping: "",
        start: "19",
        default_time: "19",
        displaced: "17",
        clock_defect: "",
        record: "",
        checkmate: "",
        stalemate: "",
        dead_position: "",
        result: "",
        silence: "21",
        penalties: "18",
        released: "",
    },
};

#[cfg(test)]
mod tests {
    use protocol::{Regime, Speed};

    use super::*;

    const STANDARD: Regime = Regime {
        speed: Speed::Standard,
        supervised: true,
    };
    const RAPID: Regime = Regime {
        speed: Speed::Rapid,
        supervised: false,
    };
    const RAPID_SUPERVISED: Regime = Regime {
        speed: Speed::Rapid,
        supervised: true,
    };
    const BLITZ: Regime = Regime {
        speed: Speed::Blitz,
        supervised: false,
    };
    const BLITZ_SUPERVISED: Regime = Regime {
        speed: Speed::Blitz,
        supervised: true,
    };

    #[test]
    fn art_7_5_5_what_an_illegal_move_costs_in_every_edition() {
        use EditionId::*;
        let rows = [
            (Fide2023, STANDARD, 2, Some(2), true, Lapse::Never),
            (Fide2023, RAPID, 1, Some(2), true, Lapse::OpponentMoves),
            (Fide2023, RAPID_SUPERVISED, 1, Some(2), true, Lapse::Never),
            (Fide2023, BLITZ, 1, Some(2), true, Lapse::OpponentMoves),
            (Fide2023, BLITZ_SUPERVISED, 2, Some(2), true, Lapse::Never),
            (Fide2018, RAPID, 2, Some(2), true, Lapse::OpponentMoves),
            (Fide2018, BLITZ, 1, Some(2), true, Lapse::OpponentMoves),
            (Fide2014, STANDARD, 2, Some(2), true, Lapse::Never),
            (Fide2014, RAPID, 0, Some(1), true, Lapse::OpponentMoves),
            (Fide2009, STANDARD, 2, Some(3), true, Lapse::Never),
            (Fide2001, STANDARD, 2, Some(3), false, Lapse::Never),
            (Fide2001, RAPID, 2, Some(3), false, Lapse::OpponentTouches),
            (Fide2001, BLITZ, 0, Some(1), true, Lapse::OpponentMoves),
            (Fide1929, STANDARD, 0, None, false, Lapse::OpponentTouches),
        ];
        for (edition, regime, minutes, loses_at, draw, lapse) in rows {
            let rule = Laws::of(edition).illegal.of(regime);
            let got = (
                rule.bonus_ms / MINUTE,
                rule.loses_at,
                rule.draw_if_cannot_mate,
                rule.lapse,
            );
            assert_eq!(
                got,
                (minutes, loses_at, draw, lapse),
                "{edition} {regime:?}"
            );
        }
    }

    #[test]
    fn art_6_8_who_calls_a_flag() {
        use EditionId::*;
        let rows = [
            (Fide2023, BLITZ, FlagCall::Arbiter),
            (Fide2014, RAPID, FlagCall::Arbiter),
            (Fide2009, RAPID, FlagCall::Player),
            (Fide2001, BLITZ, FlagCall::Player),
            (Fide2001, STANDARD, FlagCall::Arbiter),
        ];
        for (edition, regime, who) in rows {
            assert_eq!(*Laws::of(edition).flag.of(regime), who, "{edition}");
        }
    }

    #[test]
    fn every_edition_answers_to_its_own_name() {
        for id in EditionId::ALL {
            assert_eq!(Laws::of(id).id, id);
            assert!(Laws::of(id).name.ends_with(&id.name()[5..]));
        }
    }
}
