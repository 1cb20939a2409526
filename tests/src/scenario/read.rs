//! A file of stories, read line by line: what stands before the first `story` belongs to all of them.

use super::read_setup::Setup;
use super::story::{Expected, Fault, Line, Step, Story};
use super::words::{Read, Words, table};
use super::{Problem, read_acts, read_expect, read_orders};
use protocol::TableId;

/// Reads a file; `name` is that of its only story when it names none.
///
/// # Errors
/// The first line that cannot be read, and why.
pub fn read(name: &str, text: &str) -> Result<Vec<Story>, Problem> {
    let mut reader = Reader {
        common: Chapter::new(name, 1),
        told: Vec::new(),
    };
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        reader
            .line(number, line)
            .map_err(|what| Problem::new(number, what))?;
    }
    reader.finish()
}

/// A story in the making.
#[derive(Debug, Clone)]
struct Chapter {
    name: String,
    line: usize,
    setup: Setup,
    steps: Vec<Line>,
}

struct Reader {
    common: Chapter,
    told: Vec<Chapter>,
}

impl Chapter {
    fn new(name: &str, line: usize) -> Chapter {
        Chapter {
            name: name.to_owned(),
            line,
            setup: Setup::default(),
            steps: Vec::new(),
        }
    }

    fn story(self) -> Result<Story, Problem> {
        let expects = |l: &Line| matches!(l.step, Step::Expect(_));
        if !self.steps.iter().any(expects) {
            let what = format!("the story “{}” expects nothing", self.name);
            return Err(Problem::new(self.line, what));
        }
        let line = self.line;
        let unpaired = self.setup.is_unpaired();
        let (round, boards) = self
            .setup
            .round()
            .map_err(|what| Problem::new(line, what))?;
        Ok(Story {
            name: self.name,
            line,
            round,
            unpaired,
            boards,
            steps: self.steps,
        })
    }
}

impl Reader {
    fn finish(self) -> Result<Vec<Story>, Problem> {
        let chapters = if self.told.is_empty() {
            vec![self.common]
        } else {
            self.told
        };
        chapters.into_iter().map(Chapter::story).collect()
    }

    fn line(&mut self, number: usize, line: &str) -> Read<()> {
        let mut words = Words::of(line)?;
        if words.peek().is_none() {
            return Ok(());
        }
        if words.takes("story") {
            let name = words.text("name of the story")?;
            words.end()?;
            self.told.push(Chapter {
                name,
                line: number,
                ..self.common.clone()
            });
            return Ok(());
        }
        let chapter = self.told.last_mut().unwrap_or(&mut self.common);
        if chapter.setup.take(&mut words)? {
            let late = chapter.steps.iter().any(|l| l.number < number);
            return if late {
                Err("the round is set up before anything happens in it".to_owned())
            } else {
                words.end()
            };
        }
        let here = chapter.setup.last_table();
        let steps = if words.takes("pairings") {
            vec![Step::Pairings(Box::new(
                chapter.setup.pairings(&mut words)?,
            ))]
        } else {
            step(&mut words, here)?
        };
        words.end()?;
        for table in steps.iter().filter_map(table_of) {
            chapter.setup.knows(table)?;
        }
        chapter
            .steps
            .extend(steps.into_iter().map(|step| Line { number, step }));
        Ok(())
    }
}

/// The table a step is played at: it must have been set up.
fn table_of(step: &Step) -> Option<TableId> {
    match step {
        Step::Play(table, _)
        | Step::Given(table, ..)
        | Step::Acts(table, _)
        | Step::Looks(_, table)
        | Step::Fact(table, _) => Some(*table),
        Step::Fault(
            Fault::Cable(table, _)
            | Fault::Power(table, _)
            | Fault::Lose(table, _)
            | Fault::Disk(table, _)
            | Fault::Reader(table, _),
        ) => Some(*table),
        Step::Expect(expectation) => match &expectation.what {
            Expected::HallUnchanged(table)
            | Expected::Hall(table, ..)
            | Expected::Desk(table, ..)
            | Expected::Result(table, _) => Some(*table),
            Expected::Alert(p)
            | Expected::NoAlert(p, _)
            | Expected::Cleared(p, _)
            | Expected::Raised(p, _) => p.table,
            Expected::Answer(_) => None,
        },
        // An order for a table that is not there is refused by the hub, which a story may tell.
        Step::Order(_) | Step::Fault(_) | Step::Pairings(_) | Step::MayRaise(_) => None,
    }
}

/// A step; `here` is the table that was set up last, meant where none is named.
fn step(words: &mut Words, here: Option<TableId>) -> Read<Vec<Step>> {
    let mut here = here;
    if words.takes("at") {
        here = Some(words.want("table", table)?);
    }
    let needs = || here.ok_or_else(|| "no table was set up: begin with “table 1”".to_owned());
    if let Some(order) = read_orders::order(words)? {
        return Ok(vec![order]);
    }
    if let Some(fault) = read_acts::fault(words)? {
        return Ok(vec![Step::Fault(fault)]);
    }
    if words.takes("expect") {
        return Ok(vec![Step::Expect(read_expect::expectation(words, here)?)]);
    }
    if words.takes("may") {
        words.want("word: raise", |w| (w == "raise").then_some(()))?;
        return Ok(vec![Step::MayRaise(read_expect::codes(words)?)]);
    }
    if words.takes("after") {
        return Ok(vec![Step::Play(
            needs()?,
            read_acts::movetext(words, 3_000)?,
        )]);
    }
    if words.takes("play") {
        return Ok(vec![Step::Play(
            needs()?,
            read_acts::movetext(words, 10_000)?,
        )]);
    }
    if words.takes("given") {
        return read_acts::given(words, needs()?).map(|step| vec![step]);
    }
    if words.takes("fact") {
        return Ok(vec![Step::Fact(needs()?, read_acts::fact(words)?)]);
    }
    Ok(vec![Step::Acts(needs()?, read_acts::acts(words)?)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "edition fide-2023 standard 5400+30\ntable 1\n";

    /// What is said about a file that begins well and goes on with this.
    fn said(rest: &str) -> String {
        read("a story", &format!("{HEAD}{rest}"))
            .map(|stories| format!("{} stories", stories.len()))
            .unwrap_or_else(|problem| problem.to_string())
    }

    #[test]
    fn files_that_can_be_read() {
        let rows = [
            ("expect no alert for 1s", "1 stories"),
            (
                "after 1. e4 e5 2. Nf3 {20s} Nc6 3…a6 # and a comment\nexpect desk moves e4 e5 Nf3 Nc6 a6",
                "1 stories",
            ),
            (
                "story \"one\"\nhand g5f7, press White\nexpect alert illegal-move CALL 7.5.1 within 2s\n\
                 story \"two\"\nexpect no alert",
                "2 stories",
            ),
            (
                "arbiter MK orders 1 illegal-move second note \"knight was pinned\"\nexpect result 1 0-1",
                "1 stories",
            ),
        ];
        for (rest, words) in rows {
            assert_eq!(said(rest), words, "{rest}");
        }
    }

    #[test]
    fn files_that_cannot_be_read_say_where_and_why() {
        let rows = [
            ("", "line 1: the story “a story” expects nothing"),
            ("dance", "line 3: “dance” is no act: hand, press, lift"),
            ("hand e2e4, fly", "line 3: “fly” is no act"),
            ("press Red", "line 3: “Red” is no side, White or Black"),
            ("press White now", "line 3: “now” is one word too many"),
            ("wait 20", "line 3: “20” is no length of time"),
            ("wait", "line 3: length of time (20s, 3m) is missing"),
            ("lift e9", "line 3: “e9” is no square"),
            ("put X e4", "line 3: “X” is no piece"),
            ("table 1", "line 3: table 1 stands twice"),
            ("table 0", "line 3: “0” is no number of a table"),
            ("table 2 control 9+x", "line 3: \"9+x\" is no time control"),
            ("table 2 fen \"8/8\"\nexpect no alert", "line 1: table 2: "),
            ("edition fide-2024", "line 3: \"fide-2024\" is no edition"),
            (
                "expect alert nonsense",
                "line 3: “nonsense” is no code, urgency, article",
            ),
            ("expect alert within 2", "line 3: “2” is no length of time"),
            ("expect joy", "line 3: “joy” cannot be expected"),
            ("expect result 1-1", "line 3: “1-1” is no result"),
            ("expect hall 9 unchanged", "line 3: table 9 was not set up"),
            ("at 7 press White", "line 3: table 7 was not set up"),
            ("arbiter MK orders 1 dance", "line 3: “dance” is no order"),
            (
                "arbiter MK sings",
                "line 3: “sings” is no word: orders, asks or looks",
            ),
            (
                "arbiter MK orders 1 {\"order\":\"none\"}",
                "line 3: no order: ",
            ),
            ("fact {\"fact\":\"none\"}", "line 3: no fact: "),
            ("fact none", "line 3: a fact is written as JSON"),
            ("clock set 5400", "line 3: time for Black is missing"),
            (
                "story \"never closed",
                "line 3: a quotation mark is not closed",
            ),
            (
                "given White has many completed illegal moves",
                "line 3: “many” is no number",
            ),
            (
                "expect no alert\ntable 2",
                "line 4: the round is set up before anything happens",
            ),
            ("after", "line 3: no moves"),
            ("pairings chair 5", "line 3: “chair” is no word: table"),
            ("pairings table 5, table 5", "line 3: table 5 stands twice"),
        ];
        let wrong: Vec<String> = rows
            .into_iter()
            .filter(|(rest, words)| !said(rest).starts_with(words))
            .map(|(rest, words)| format!("{rest}\n  said {}\n  not  {words}", said(rest)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn whatever_stands_in_a_file_nothing_panics() {
        let words = [
            "expect",
            "alert",
            "\"",
            "{",
            "1",
            "hand",
            ",",
            "no",
            "fen",
            "story",
            "é…",
            "999999999999999999999",
            "table",
            "within",
            "clock",
            "set",
            "arbiter",
            "orders",
            "-",
            "e4",
            "after",
        ];
        let mut state = 1_usize;
        for _ in 0..20_000 {
            let mut line = HEAD.to_owned();
            for _ in 0..6 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                line += words[(state >> 33) % words.len()];
                line += " ";
            }
            let _whatever_it_says = read("noise", &line);
        }
    }
}
