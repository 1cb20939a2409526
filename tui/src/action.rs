//! Everything a key can ask for, on one page: name, keys, words. Help, palette, footer and documentation print from here.

/// A group of actions in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Going somewhere.
    Go,
    /// Changing what is shown.
    Show,
    /// Answering an alert.
    Answer,
    /// Deciding about a game.
    Decide,
    /// Asking a device.
    Device,
    /// The program itself.
    Program,
}

impl Group {
    /// Every group, in the order of the help.
    pub const ALL: [Group; 6] = [
        Group::Answer,
        Group::Decide,
        Group::Go,
        Group::Show,
        Group::Device,
        Group::Program,
    ];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::Go => "Go",
            Group::Show => "Show",
            Group::Answer => "Alerts",
            Group::Decide => "Decisions",
            Group::Device => "Devices",
            Group::Program => "Program",
        }
    }
}

/// What is written about an action.
#[derive(Debug, Clone, Copy)]
pub struct Info {
    /// Its name in `tui.toml` and the palette.
    pub name: &'static str,
    /// Its usual keys; a blank inside one makes a sequence, `round:g` is `g` on the screen Round only.
    pub keys: &'static [&'static str],
    /// One word for the footer.
    pub word: &'static str,
    /// One line for help.
    pub help: &'static str,
    /// Where it stands in the help.
    pub group: Group,
}

macro_rules! actions {
    ($($action:ident $name:literal $keys:expr, $word:literal, $group:ident, $help:literal;)*) => {
        /// Everything a key can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $(#[doc = $help] $action,)*
        }

        impl Action {
            /// Every action, in the order of the help.
            pub const ALL: &[Action] = &[$(Action::$action,)*];

            /// What is written about it.
            pub fn info(self) -> &'static Info {
                match self {
                    $(Action::$action => &Info {
                        name: $name, keys: &$keys, word: $word, help: $help, group: Group::$group,
                    },)*
                }
            }
        }
    };
}

actions! {
    Take "take" ["a"], "take", Answer, "take the alert: I am on my way";
    GiveBack "give-back" ["A"], "give back", Answer, "give it back, or take it over from another arbiter";
    Rule "rule" ["r"], "rule", Answer, "rule on this: opens the fitting dialog";
    Snooze "snooze" ["x"], "snooze", Answer, "put the alert aside until a moment (never a CALL)";
    Dismiss "dismiss" ["D"], "dismiss", Answer, "close the alert without a ruling";
    NextCall "next-call" ["!"], "next CALL", Answer, "go to the next CALL that nobody has taken";
    Mark "mark" ["space"], "mark", Answer, "mark several: take, snooze, dismiss and confirm act on all marked";
    Result "result" ["w"], "result", Decide, "record a result";
    Confirm "confirm" ["v"], "confirm", Decide, "confirm the proposed result";
    Time "time" ["t"], "time", Decide, "adjust the times";
    IllegalMove "illegal-move" ["I"], "illegal move", Decide, "rule on an illegal move";
    Claim "claim" ["C"], "claim", Decide, "enter or judge a claim";
    Position "position" ["p"], "position", Decide, "strike or write in moves, adopt, promotion piece";
    Clock "clock" ["c"], "clock", Decide, "replace the chessclock";
    Default "default" ["d"], "default", Decide, "declare a game lost by default";
    Conduct "conduct" ["m"], "conduct", Decide, "a penalty for conduct (12.9)";
    Restart "restart" ["X"], "new game", Decide, "annul the game; a new one begins (7.2, 7.3)";
    Report "report" ["N"], "report", Decide, "say what was seen at the table: colours, array, board";
    Adjourn "adjourn" ["J"], "adjourn", Decide, "adjourn the game, with its envelope";
    Resume "resume" ["E"], "resume", Decide, "resume an adjourned game: open the envelope";
    Hold "hold" ["H"], "hold back", Decide, "keep the game back from everybody outside the hall, or show it again";
    StartRound "start-round" ["O"], "start round", Decide, "start the round: the clocks may run (6.6)";
    CloseRound "close-round" ["P"], "publish", Decide, "close the round; with no result missing, publish all of them";
    Note "note" ["n"], "note", Decide, "write a note into the journal of the table";
    Counter "counter-ruling" ["U"], "counter-ruling", Decide, "take a ruling back by a new one; both stay written";
    Open "open" ["enter"], "open", Go, "open what is selected";
    OpenTable "open-table" ["o"], "open table", Go, "open the table of this alert";
    Back "back" ["esc"], "back", Go, "close, clear the filter, or go back";
    LastPlace "last-place" ["-"], "last place", Go, "the place before this one";
    Palette "palette" [":"], "go", Go, "go or do, by name";
    Tables "tables" ["1"], "Tables", Go, "screen Tables: who needs me, and the hall";
    Alerts "alerts" ["2"], "Alerts", Go, "screen Alerts: the inbox and the reasons";
    Round "round" ["3"], "Round", Go, "screen Round: results, absences, what is missing";
    Devices "devices" ["4"], "Devices", Go, "screen Devices: boards, clocks, likely causes";
    Journal "journal" ["5"], "Journal", Go, "screen Journal: one line per event";
    NextScreen "next-screen" ["tab"], "next screen", Go, "the next screen";
    Up "up" ["up", "k"], "up", Go, "one line up";
    Down "down" ["down", "j"], "down", Go, "one line down";
    Left "left" ["[", "left", "h"], "previous", Go, "previous table or pane";
    Right "right" ["]", "right", "l"], "next", Go, "next table or pane";
    Top "top" ["g", "home"], "top", Go, "the first line";
    Bottom "bottom" ["G", "end"], "bottom", Go, "the last line";
    HalfUp "half-up" ["ctrl-u", "pageup"], "half page up", Go, "half a page up";
    HalfDown "half-down" ["ctrl-d", "pagedown"], "half page down", Go, "half a page down";
    Filter "filter" ["/"], "filter", Show, "filter: words, call, row:D, t:40-50, time<5, !tech";
    Sort "sort" ["s"], "sort", Show, "sort by the next column";
    Reverse "reverse" ["S"], "reverse", Show, "turn the order round";
    Freeze "freeze" ["z"], "freeze", Show, "freeze the order; again to let it go";
    Evidence "evidence" ["e"], "evidence", Show, "the facts behind it; at a table the board beside the record";
    LogFilter "log-filter" ["f"], "log filter", Show, "which lines the log shows";
    Curtain "curtain" ["\\"], "curtain", Show, "a curtain over the screen at once; again to lift it";
    Pgn "pgn" ["round:g"], "PGN", Show, "on Round: the game of the selected table as PGN";
    DeviceLog "device-log" ["devices:l"], "log", Device, "on Devices: what happened with the board of this table";
    Blink "blink" ["i"], "blink", Device, "let the board's lamps blink, between games only";
    ReadBoard "read-board" ["b"], "read position", Device, "read the position that stands on the board, and show it beside the record";
    Resync "resync" ["R"], "resync", Device, "ask the board for its position and compare";
    Bind "bind" ["B"], "bind", Device, "give a board to a table, or take it away";
    Help "help" ["?"], "help", Program, "help for here; again for all keys";
    Quit "quit" ["q", "ctrl-c"], "quit", Program, "quit; harmless, the hub keeps everything";
}

impl Action {
    /// The action of a name.
    pub fn named(name: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|a| a.info().name == name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::key::keys;

    #[test]
    fn no_key_and_no_name_means_two_things() {
        let mut seen: HashMap<&str, Action> = HashMap::new();
        for &action in Action::ALL {
            assert_eq!(Action::named(action.info().name), Some(action));
            for key in action.info().keys {
                let (_, pressed) = key
                    .split_once(':')
                    .filter(|(s, _)| !s.is_empty())
                    .unwrap_or(("", key));
                assert!(keys(pressed).is_ok(), "{key}");
                assert_eq!(seen.insert(key, action), None, "{key} is bound twice");
            }
        }
    }
}
