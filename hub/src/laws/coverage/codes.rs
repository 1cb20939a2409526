//! Every code of an alert: what raises it, and the test that shows it raised, not raised, and ended.

use crate::laws::Code;

/// Code, what it is raised by, the beginning of a test's name.
pub const RAISED: &[(Code, &str, &str)] = &[
    (
        Code::InitialPositionWrong,
        "a full set in another array, or an arbiter's entry",
        "art_7_2_arrays_that_are_wrong",
    ),
    (
        Code::BoardTurned,
        "an array turned by a quarter, or an arbiter's entry",
        "art_7_2_arrays_that_are_wrong",
    ),
    (
        Code::ColoursReversed,
        "the first move by Black, or an arbiter's entry: no board knows who sits where",
        "art_7_3_colours_reversed_at_move_nine",
    ),
    (
        Code::ClockNotStarted,
        "readings and the start of the round",
        "art_6_6",
    ),
    (
        Code::DefaultTimeReached,
        "the record and the start of the round",
        "art_6_7_1_no_move_at_the_default_time",
    ),
    (
        Code::TimeControlWrong,
        "the display before the game, a period added",
        "art_6_10_2_wrong_times_before_the_game",
    ),
    (
        Code::IncrementWrong,
        "readings alone",
        "art_6_10_2_a_clock_without_increment",
    ),
    (
        Code::ClockSideWrong,
        "the tracker's notice, or three presses against the moves",
        "art_6_5_presses_from_the_wrong_side",
    ),
    (
        Code::IllegalMove,
        "a completed half-move that is no legal move",
        "an_illegal_move_is_raised_once",
    ),
    (
        Code::PromotionNotReplaced,
        "the same with a pawn on the last rank",
        "art_7_5_2_a_pawn_left_on_the_last_rank_becomes",
    ),
    (
        Code::PressWithoutMove,
        "the tracker's notice",
        "art_7_5_5_the_second_one_loses",
    ),
    (
        Code::TwoMoves,
        "the tracker's notice",
        "notices_of_the_tracker_raise",
    ),
    (
        Code::MoveWithoutPress,
        "the record and the running clock",
        "art_12_6_a_move_without_its_press",
    ),
    (
        Code::WrongClockRunning,
        "the record and the running clock",
        "art_6_2_the_wrong_clock_runs",
    ),
    (
        Code::PiecesDisplaced,
        "up to two squares that differ, or men off the board",
        "art_7_4_pieces_knocked_over",
    ),
    (
        Code::PositionMismatch,
        "three squares that differ or more, facts that do not follow the record",
        "art_7_4_board_and_record_differ",
    ),
    (
        Code::RecordGap,
        "numbers of facts that never came",
        "a_lost_fact_is_asked_for",
    ),
    (
        Code::FlagFallen,
        "the clock's own sign",
        "art_6_8_a_fallen_flag_by_edition",
    ),
    (
        Code::BothFlagsFallen,
        "both signs",
        "the_event_may_depart_from_the_laws",
    ),
    (
        Code::ClocksStopped,
        "readings in play",
        "art_6_11_2_both_clocks_stopped",
    ),
    (
        Code::ClockSumWrong,
        "the sum of both clocks, neighbours where no control is known, ruled times that are not set",
        "art_6_10_a_clock_that_differs_from_its_neighbours",
    ),
    (Code::ClockJumped, "readings", "art_6_10_a_clock_that_jumps"),
    (
        Code::ClockLost,
        "the board's word about its clock",
        "art_6_10_1_a_clock_is_replaced",
    ),
    (
        Code::MoveCounterWrong,
        "presses beside moves",
        "art_6_10_2_presses_and_moves_disagree",
    ),
    (
        Code::Scramble,
        "readings and the control",
        "art_8_4_short_of_time",
    ),
    (
        Code::ThreefoldClaimable,
        "the record",
        "art_9_2_a_threefold_is_silent",
    ),
    (
        Code::FiftyClaimable,
        "the record",
        "art_9_3_fifty_and_seventy_five",
    ),
    (
        Code::Fivefold,
        "the record",
        "art_9_2_a_threefold_is_silent",
    ),
    (
        Code::SeventyFive,
        "the record",
        "art_9_3_fifty_and_seventy_five",
    ),
    (
        Code::DeadPosition,
        "the position, by a search beside the game",
        "art_5_2_2_a_dead_position",
    ),
    (
        Code::Checkmate,
        "the position while a clock runs",
        "art_5_1_1_checkmate",
    ),
    (
        Code::Stalemate,
        "the position while a clock runs",
        "art_5_2_1_a_stalemate_calls",
    ),
    (
        Code::IllegalPositionStands,
        "the record in unsupervised rapid and blitz",
        "art_a_5_4_an_illegal_position",
    ),
    (Code::DrawClaimed, "an order", "art_9_2_a_correct_claim"),
    (Code::QuickplayClaim, "an order", "art_iii_5_who_may_claim"),
    (
        Code::ReadingAmbiguous,
        "the tracker's word",
        "several_lines_explain_the_board",
    ),
    (
        Code::MoveChangedAfterPress,
        "the tracker's notice",
        "notices_of_the_tracker_raise",
    ),
    (
        Code::EarlyDraw,
        "the result and the moves",
        "art_5_2_3_a_draw_before_both",
    ),
    (
        Code::ResultProposed,
        "kings in the centre, mate, stalemate",
        "art_8_7_kings_in_the_centre",
    ),
    (
        Code::ResultConflict,
        "kings, mate or a flag against the result entered",
        "art_8_7_witnesses_of_the_result",
    ),
    (
        Code::ResultMissing,
        "the array set up again, the round being closed",
        "the_round_is_closed",
    ),
    (
        Code::BoardsDiffer,
        "the tracker's notice",
        "notices_of_the_tracker_raise",
    ),
    (
        Code::LateForResumption,
        "the time of the resumption",
        "art_i_10_late_for_the_resumption",
    ),
    (
        Code::SealedMoveVoid,
        "the order that resumes",
        "art_i_8_a_sealed_move_that_is_none",
    ),
    (
        Code::BoardSilent,
        "the agent's word, or nothing heard",
        "a_call_cannot_be_put_aside",
    ),
    (Code::AgentSilent, "its last will", "a_silent_agent"),
    (
        Code::AgentDiskFull,
        "what its boards say of it",
        "an_agent_whose_disk_is_full",
    ),
    (
        Code::SquareFaulty,
        "the tracker's notice",
        "notices_of_the_tracker_raise",
    ),
    (
        Code::BoardBatteryLow,
        "the board's charge",
        "a_low_battery_is_told_once",
    ),
    (
        Code::ClockBatteryLow,
        "the clock's own sign",
        "a_clock_asks_for_a_battery",
    ),
    (
        Code::DeviceUnknown,
        "a board without a table",
        "with_pairings_an_unknown_board",
    ),
    (
        Code::TableClaimedTwice,
        "the pairings",
        "two_tables_that_claim_one_board",
    ),
    (
        Code::DeviceClaimedTwice,
        "what its agents say",
        "two_agents_that_read_one_board",
    ),
    (
        Code::BoardsExchanged,
        "positions on other tables' boards",
        "boards_of_two_tables",
    ),
];
