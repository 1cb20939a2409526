//! The articles of the edition of 2023 on records, draws, conduct and arbiters, 8 to 12, its appendices and guidelines.

use super::row::{Row, done, not, partly, unknowable};

const INTENTION: &str =
    "sensors see pieces and no intention; the lifts stand in the log as evidence";
const CONDUCT: &str = "conduct is seen by people; an arbiter enters it with its penalty";

/// The rows.
pub const COMPETITION: &[Row] = &[
    unknowable(
        "8.1.1",
        "players record the moves",
        "scoresheets are on paper; the hub's record is none of them",
    ),
    unknowable(
        "8.1.1.2",
        "certified electronic scoresheets",
        "the hub is no scoresheet",
    ),
    unknowable(
        "8.1.2",
        "when a move may be written",
        "scoresheets are not seen",
    ),
    unknowable("8.1.3", "draw offers are noted", "entered as a note"),
    unknowable(
        "8.1.4",
        "a player who cannot write",
        "agreed with the arbiter; a time ruling for the deduction",
    ),
    unknowable("8.2", "scoresheets are visible", CONDUCT),
    unknowable(
        "8.3",
        "scoresheets belong to the organiser",
        "a matter of paper",
    ),
    done(
        "8.4",
        "recording below five minutes",
        "laws/scramble.rs",
        "art_8_4_who_need_not_keep_score",
    ),
    done(
        "8.5.1",
        "an arbiter records",
        "laws/scramble.rs",
        "art_8_5_1_a_recorder",
    ),
    done(
        "8.5.2",
        "one player stopped recording",
        "laws/scramble.rs",
        "art_8_5_1_a_recorder",
    ),
    done(
        "8.5.3",
        "no full scoresheet: reconstruct",
        "alerts/conditions.rs",
        "several_lines_explain_the_board",
    ),
    not(
        "8.6",
        "overstepping that cannot be proved",
        "the alert says moves completed by this record; the next move as the first of the next period is yours to rule",
    ),
    done(
        "8.7",
        "result and signatures",
        "rulings/result.rs",
        "art_8_7",
    ),
    done(
        "9.1.1",
        "no agreement before a move: no_draw_before of the event",
        "alerts/law_conditions.rs",
        "art_9_1_1_no_agreement_before_the_event_allows_it",
    ),
    unknowable("9.1.2", "offers", "said and not seen; entered as a note"),
    done(
        "9.2",
        "threefold repetition",
        "laws/drawn_game.rs",
        "art_9_2_claims_with_and_without",
    ),
    done(
        "9.3",
        "fifty moves",
        "laws/drawn_game.rs",
        "art_9_3_fifty_moves_with_and_without",
    ),
    unknowable("9.4", "a touched piece loses the claim", INTENTION),
    done(
        "9.5",
        "procedure of a claim: entered, judged, ruled, with both clocks",
        "rulings/claim.rs",
        "art_9_5_3_a_wrong_claim_changes_the_clocks",
    ),
    done(
        "9.6.1",
        "fivefold repetition",
        "game/draws.rs",
        "art_9_2_a_threefold_is_silent_and_passes",
    ),
    done(
        "9.6.2",
        "seventy-five moves",
        "game/draws.rs",
        "art_9_3_fifty_and_seventy_five_moves",
    ),
    done(
        "10.1",
        "points",
        "laws/penalties.rs",
        "art_12_9_what_penalties_change",
    ),
    done(
        "10.2",
        "the total of a game",
        "laws/penalties.rs",
        "art_12_9_what_penalties_change",
    ),
    unknowable("11.1-11.6", "conduct, playing area, spectators", CONDUCT),
    partly(
        "11.3.2",
        "electronic devices",
        "rulings/conduct.rs",
        "art_12_9_nine_penalties",
        CONDUCT,
    ),
    done(
        "11.7",
        "persistent refusal loses",
        "rulings/conduct.rs",
        "art_12_9",
    ),
    done("11.8", "both lose", "rulings/result.rs", "art_8_7"),
    unknowable(
        "11.9",
        "asking for an explanation",
        "asked and answered by people",
    ),
    not(
        "11.10",
        "appeals",
        "the journal holds everything an appeal needs; a case file is made elsewhere",
    ),
    not(
        "11.11",
        "both players help to reconstruct",
        "done on a second board by the players; an insert ruling enters what they agree on",
    ),
    done(
        "11.12",
        "claims are checked",
        "laws/drawn_game.rs",
        "art_9_2_claims_with_and_without",
    ),
    unknowable("12.1-12.5", "the arbiter's duties", "they are his"),
    done(
        "12.6",
        "what an arbiter may not say",
        "laws/silence.rs",
        "art_12_6_what_may_not_be_said",
    ),
    unknowable("12.7", "bystanders", CONDUCT),
    unknowable("12.8", "telephones in the venue", CONDUCT),
    done(
        "12.9",
        "nine penalties",
        "laws/penalties.rs",
        "art_12_9_nine_penalties",
    ),
    done(
        "A.1",
        "rapid play",
        "protocol, time controls",
        "every_form_of_the_grammar",
    ),
    done(
        "A.2",
        "no duty to record",
        "alerts/clock_conditions.rs",
        "art_8_4_short_of_time",
    ),
    done(
        "A.3",
        "one minute in place of two",
        "laws/edition.rs",
        "art_7_5_5_what_an_illegal_move_costs",
    ),
    done(
        "A.4",
        "supervised rapid",
        "laws/edition.rs",
        "art_a_5_2_an_illegal_move_lapses",
    ),
    done(
        "A.5.1",
        "after ten moves",
        "laws/start.rs",
        "art_a_5_1_no_call_after_ten_moves",
    ),
    done(
        "A.5.2",
        "illegal moves until the next move",
        "laws/rapid_blitz.rs",
        "art_a_5_2_in_unsupervised_play",
    ),
    done(
        "A.5.3",
        "claiming a win on time",
        "laws/rapid_blitz.rs",
        "art_a_5_4_wait_for_the_next_move",
    ),
    done(
        "A.5.4",
        "both kings in check, pawn on the last rank",
        "game/law_watch.rs",
        "art_a_5_4_an_illegal_position_that_stands",
    ),
    done(
        "A.5.5",
        "the arbiter calls a flag",
        "laws/irregularities.rs",
        "the_same_fact_is_a_call_in_one_edition",
    ),
    done(
        "A.6",
        "which of both applies",
        "rounds/setup.rs",
        "art_7_5_5_what_an_illegal_move_costs",
    ),
    done(
        "B.1",
        "blitz",
        "protocol, time controls",
        "every_form_of_the_grammar",
    ),
    done(
        "B.2",
        "supervised blitz: two minutes",
        "laws/edition.rs",
        "art_7_5_5_what_an_illegal_move_costs",
    ),
    done(
        "B.3",
        "other blitz",
        "laws/edition.rs",
        "art_7_5_5_what_an_illegal_move_costs",
    ),
    done(
        "B.4",
        "which of both applies",
        "rounds/setup.rs",
        "art_7_5_5_what_an_illegal_move_costs",
    ),
    not(
        "C",
        "notation",
        "moves are kept as UCI and SAN; the printed scoresheet is made by the feeds",
    ),
    partly(
        "D",
        "a blind player",
        "laws/blind.rs",
        "art_d_2_1_moves_are_announced",
        "announcement and comparison are there; a table with two boards is bound by hand and compared by the tracker",
    ),
    done(
        "I",
        "adjournments: envelope, resumption, sealed move, late players",
        "rulings/adjournment.rs",
        "art_i_7_the_sealed_move_is_played",
    ),
    done(
        "II",
        "Chess960",
        "game/position.rs",
        "both_notations_are_read",
    ),
    done(
        "III",
        "games without increment, where the event announces the guidelines",
        "rulings/claim.rs",
        "art_iii_5_who_may_claim",
    ),
];
