//! The situations of the client's three documents.

use super::row::{Row, done, partly, unknowable};

/// The arbiter's guide with the Laws of 2001.
pub const GUIDE: &[Row] = &[
    done(
        "guide",
        "round checklist: boards, arrays, control, batteries, announcement, phones, absent Whites",
        "venue/checklist.rs",
        "the_list_before_a_round_names",
    ),
    done(
        "guide",
        "clocks of absent Whites are started",
        "alerts/conditions.rs",
        "art_6_6",
    ),
    done(
        "guide",
        "scoresheets signed per table, and asked for when the round closes",
        "rulings/result.rs",
        "the_round_is_closed",
    ),
    done(
        "guide",
        "forecast of scrambles by the quarter of an hour, for assigning assistants",
        "laws/scramble.rs",
        "art_8_4_when_time_trouble_is_expected",
    ),
    unknowable("guide", "notation checks in increment games", "paper"),
    done(
        "guide",
        "a mechanical clock checked after an hour",
        "laws/chessclock/judge.rs",
        "art_6_10_a_slow_clock_shows_in_the_sum",
    ),
    done(
        "guide",
        "(PER + NC x INC) - DT/2",
        "laws/arithmetic.rs",
        "art_6_10_1_replacement_when_nothing_is_known",
    ),
    done(
        "guide",
        "one clock failed: reckoned from the last reading and the time of day, with bounds",
        "rulings/clock_replacement.rs",
        "art_6_10_1_a_clock_is_replaced",
    ),
    partly(
        "guide",
        "captains as joint arbiters: both rule, or a note says why one rules alone",
        "venue/orders.rs",
        "captains_who_are_the_arbiters",
        "who is captain or deputy, a disagreement and the joint report are said and written by people",
    ),
    unknowable(
        "guide",
        "appeals: entitled, relief, deadlines, suspensive effect, decision",
        "a letter in two copies from one person to another; the journal is its evidence, notes keep its moments",
    ),
    done(
        "6.2b",
        "unused time carried into the next period: told in the log at each control",
        "game/evolve.rs",
        "art_6_2_what_a_control_adds",
    ),
    unknowable(
        "8.1, 6.8d",
        "a player who cannot write or press",
        "agreed with the arbiter; a time ruling for the deduction",
    ),
    done(
        "8.5b",
        "only one player stopped recording",
        "alerts/law_words.rs",
        "art_8_5_after_a_flag_who_stopped_recording",
    ),
    unknowable(
        "9.1",
        "draw offers, repeated ones counted",
        "said and not seen; entered as notes",
    ),
    done(
        "9.5b",
        "a wrong claim in 2001",
        "laws/arithmetic.rs",
        "art_9_5_what_a_wrong_claim_costs",
    ),
    done(
        "13.5, 6.13a",
        "disturbance: the same time for chosen tables or all, clocks still running, a sheet",
        "venue/disturbance.rs",
        "art_12_5_the_same_time_for_every_game",
    ),
    done(
        "6.13b",
        "a piece is needed for a promotion",
        "alerts/board_words.rs",
        "art_6_13_a_piece_is_needed",
    ),
    unknowable(
        "6.13d",
        "a stop ruled justified or not",
        "the arbiter's judgement; conduct may be entered",
    ),
    done(
        "7.4b",
        "the third illegal move loses",
        "laws/irregularities.rs",
        "art_7_5_5_the_proposal_says_its_arithmetic",
    ),
    done(
        "10",
        "quickplay finish",
        "rulings/claim.rs",
        "art_iii_5_a_claim_is_granted_postponed_or_rejected",
    ),
    done(
        "A.1b",
        "early sealing is charged to the end of the session",
        "rulings/adjournment.rs",
        "art_a_1_who_seals_before_the_end",
    ),
    done(
        "A.2",
        "the envelope",
        "rulings/adjournment.rs",
        "art_i_2_the_envelope_is_kept",
    ),
    done(
        "A.7-A.9",
        "script of the resumption, second envelope",
        "rulings/adjournment.rs",
        "art_i_9_the_player_who_sealed_is_missing",
    ),
    done(
        "A.8",
        "a void sealed move",
        "rulings/adjournment.rs",
        "art_i_8_a_sealed_move_that_is_none",
    ),
    done(
        "A.10",
        "late for the resumption",
        "game/adjournment.rs",
        "art_i_10_late_for_the_resumption_by_edition",
    ),
    done(
        "A.11",
        "the envelope is lost",
        "rulings/adjournment.rs",
        "art_a_11_a_game_whose_envelope",
    ),
    done(
        "A.12",
        "clocks differ at the resumption",
        "rulings/adjournment.rs",
        "art_a_11_a_game_whose_envelope",
    ),
    done(
        "B.4",
        "no claim after three moves",
        "laws/start.rs",
        "art_a_5_1_no_call_after_ten_moves",
    ),
    done(
        "B.5b, C.3",
        "an illegal move lapses",
        "laws/rapid_blitz.rs",
        "art_a_5_2_an_illegal_move_lapses",
    ),
    done(
        "B.6",
        "the arbiter is silent about flags",
        "laws/irregularities.rs",
        "the_same_fact_is_a_call_in_one_edition",
    ),
    done(
        "B.7, B.8",
        "claiming a win on time; both flags",
        "alerts/words.rs",
        "art_6_8_a_fallen_flag_by_edition",
    ),
    done(
        "D",
        "no arbiter: the claim ends the game",
        "alerts/claim_words.rs",
        "art_d_without_an_arbiter",
    ),
    unknowable("E", "a sheet in another notation", "paper"),
    done(
        "IBCA 1.1",
        "names of the files, Rochade, the new piece",
        "laws/blind.rs",
        "art_d_2_1_moves_are_announced",
    ),
    unknowable(
        "IBCA 1.6",
        "a slip corrected before the press",
        "announced by voice; on the board a move changed before the press is no irregularity",
    ),
    done(
        "IBCA 1.7",
        "boards differ, scores agree",
        "alerts/words.rs",
        "notices_of_the_tracker_raise",
    ),
    done(
        "IBCA 1.8",
        "boards differ, scores differ: back to the last move agreed, struck from there",
        "rulings/record.rs",
        "notices_of_the_tracker_raise",
    ),
    unknowable(
        "IBCA 1.9",
        "the assistant and his duties",
        "a person; a note in the log",
    ),
];

/// The memo on the edition of 2023.
pub const MEMO: &[Row] = &[
    unknowable(
        "art. 4",
        "touched pieces",
        "sensors see no intention; kept as evidence",
    ),
    done(
        "art. 7.5",
        "illegal moves, two minutes, second loses",
        "laws/irregularities.rs",
        "art_7_5_5_what_an_illegal_move_costs",
    ),
    done(
        "art. 7.5",
        "in rapid and blitz until the next move",
        "laws/rapid_blitz.rs",
        "art_a_5_2_in_unsupervised_play",
    ),
    done(
        "art. 7.5",
        "taking the king is an illegal move",
        "laws/completion.rs",
        "art_7_5_1_which_rule_is_broken",
    ),
    done(
        "art. 6",
        "flags in rapid and blitz: the Laws prevail (A.5.5) unless the event says flags_on_claim",
        "laws/regulations.rs",
        "the_event_may_depart_from_the_laws",
    ),
    done(
        "art. 6",
        "both flags: no article in rapid and blitz; drawn where the event says both_flags_draw",
        "laws/regulations.rs",
        "the_event_may_depart_from_the_laws",
    ),
    done(
        "art. 9",
        "claims by a written move",
        "laws/drawn_game.rs",
        "art_9_2_claims_with_and_without",
    ),
    done(
        "art. 9",
        "online mode: threefold and fifty end the game unclaimed where the event says draws_unclaimed",
        "laws/regulations.rs",
        "the_event_may_depart_from_the_laws",
    ),
    done(
        "art. 3",
        "a piece not at hand for promotion",
        "game/notices.rs",
        "every_code_of_the_tracker",
    ),
    done(
        "art. 3",
        "an upturned rook is a rook",
        "the tracker of the agent",
        "art_7_5_2_a_pawn_left_on_the_last_rank",
    ),
    done(
        "art. 8",
        "recording below five minutes",
        "laws/scramble.rs",
        "art_8_4_who_need_not_keep_score",
    ),
    unknowable(
        "art. 11",
        "telephones, leaving, conduct",
        "seen by people; entered as conduct",
    ),
    done(
        "art. 6.7",
        "default time",
        "alerts/law_conditions.rs",
        "art_6_7_1_no_move_at_the_default_time",
    ),
    partly(
        "art. 5",
        "king laid down or a handshake: a question, no result",
        "game/decide.rs",
        "art_8_7",
        "kings on the centre squares are read; a king laid down is not seen",
    ),
    done(
        "art. 12",
        "penalties: nine where the memo knows five",
        "laws/penalties.rs",
        "art_12_9_nine_penalties",
    ),
];

/// The extracts of the rule of 1929.
pub const RULE_OF_1929: &[Row] = &[
    done(
        "par. 16",
        "the same position three times, same player to move",
        "game/draws.rs",
        "art_9_2_3_the_same_position_by_edition",
    ),
    done(
        "par. 16",
        "mate demanded within fifty moves",
        "game/claims.rs",
        "rule_of_1929_mate_within_fifty",
    ),
    done(
        "par. 17",
        "irregular moves are the opponent's to notice; the choices after an illegal capture",
        "laws/irregularities.rs",
        "rule_of_1929_what_only_it_says",
    ),
    done(
        "par. 17",
        "a wrongly restored position voids the later moves, else the game",
        "rulings/record.rs",
        "rule_of_1929_what_only_it_says",
    ),
    partly(
        "par. 19",
        "an absent player's clock",
        "laws/start.rs",
        "art_6_7_1_default_time_by_edition",
        "that it starts only when it is his turn is the arbiter's to see",
    ),
    done(
        "par. 19",
        "differing move counts allow both clocks stopped",
        "alerts/words.rs",
        "rule_of_1929_what_only_it_says",
    ),
    done(
        "par. 21",
        "the sealed move: ambiguous, empty, illegal",
        "laws/adjourned.rs",
        "art_i_8_what_a_void_sealed_move_costs",
    ),
    done(
        "par. 21",
        "an untimed adjourned game: Black seals",
        "rulings/adjournment.rs",
        "rule_of_1929_without_a_time_limit",
    ),
    done(
        "odds",
        "pawn, piece and move odds",
        "laws/odds.rs",
        "rule_of_1929_odds",
    ),
    done(
        "bystanders",
        "the wrong clock is told to the director alone",
        "alerts/clock_conditions.rs",
        "art_6_2_the_wrong_clock_runs",
    ),
    unknowable(
        "bystanders",
        "a fact judged by an agreed bystander",
        "said by people; a note in the log",
    ),
];
