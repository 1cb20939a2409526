//! Prints the coverage of an edition, a row a line.

use std::io::{self, Write};

use protocol::EditionId;

use super::articles::ARTICLES;
use super::codes::RAISED;
use super::competition::COMPETITION;
use super::row::{How, Row};
use super::situations::{GUIDE, MEMO, RULE_OF_1929};
use crate::laws::{Code, Laws, finding};

/// Writes what the hub makes of every article of 2023, of every situation of the documents, and for another edition its values.
///
/// # Errors
/// When writing fails.
pub fn coverage(edition: EditionId, out: &mut impl Write) -> io::Result<()> {
    let laws = Laws::of(edition);
    writeln!(out, "{}", laws.name)?;
    subjects(laws, out)?;
    if edition == EditionId::Fide2023 {
        section("Articles 1 to 7 of 2023", ARTICLES, out)?;
        section(
            "Articles 8 to 12, appendices, guidelines of 2023",
            COMPETITION,
            out,
        )?;
    }
    if matches!(edition, EditionId::Fide2023 | EditionId::Fide2001) {
        section("The arbiter's guide and the Laws of 2001", GUIDE, out)?;
    }
    if edition == EditionId::Fide2023 {
        section("The memo of 2023", MEMO, out)?;
    }
    if matches!(edition, EditionId::Fide2023 | EditionId::Fide1929) {
        section("The rule of 1929", RULE_OF_1929, out)?;
    }
    Ok(())
}

/// Where each code stands in the edition and what it is to the arbiter of a standard game.
fn subjects(laws: &Laws, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\nAlerts, standard play")?;
    for code in Code::ALL {
        let found = finding(*code, laws, protocol::Regime::default());
        let article = match found.article {
            "" => "-",
            article => article,
        };
        let word = found.urgency.word();
        let raised = RAISED.iter().find(|(raised, ..)| raised == code);
        let (by, test) = raised.map_or(("nothing", ""), |(_, by, test)| (*by, *test));
        let name = code.name();
        writeln!(
            out,
            "  {name:<26} {word:<7} {article:<12} by {by} · test {test}"
        )?;
    }
    Ok(())
}

fn section(title: &str, rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n{title}: {}", tally(rows))?;
    rows.iter().try_for_each(|row| line(row, out))
}

fn line(row: &Row, out: &mut impl Write) -> io::Result<()> {
    write!(out, "  {:<10} {:<66} ", row.at, row.subject)?;
    match row.how {
        How::Done { code, test } => writeln!(out, "code {code} · test {test}"),
        How::Partly {
            code,
            test,
            missing,
        } => {
            writeln!(out, "code {code} · test {test} · missing: {missing}")
        }
        How::Unknowable(why) => writeln!(out, "a hub cannot know: {why}"),
    }
}

fn tally(rows: &[Row]) -> String {
    let count = |is: fn(&How) -> bool| rows.iter().filter(|r| is(&r.how)).count();
    format!(
        "{} done, {} partly, {} beyond a hub",
        count(|h| matches!(h, How::Done { .. })),
        count(|h| matches!(h, How::Partly { .. })),
        count(|h| matches!(h, How::Unknowable(_))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the tests stand that the rows name.
    const SOURCES: &[&str] = &[
        include_str!("../adjourned.rs"),
        include_str!("../arithmetic.rs"),
        include_str!("../blind.rs"),
        include_str!("../completion.rs"),
        include_str!("../drawn_game.rs"),
        include_str!("../editions.rs"),
        include_str!("../edition.rs"),
        include_str!("../end_of_game.rs"),
        include_str!("../guidelines.rs"),
        include_str!("../irregularities.rs"),
        include_str!("../mate_search.rs"),
        include_str!("../penalties.rs"),
        include_str!("../rapid_blitz.rs"),
        include_str!("../scramble.rs"),
        include_str!("../silence.rs"),
        include_str!("../start.rs"),
        include_str!("../chessclock/counter.rs"),
        include_str!("../chessclock/flag.rs"),
        include_str!("../chessclock/properties.rs"),
        include_str!("../odds.rs"),
        include_str!("../../game/draws.rs"),
        include_str!("../../game/notices.rs"),
        include_str!("../../game/position.rs"),
        include_str!("../../venue/tests/adjournments.rs"),
        include_str!("../../venue/tests/claims.rs"),
        include_str!("../../venue/tests/clocks.rs"),
        include_str!("../../venue/tests/devices.rs"),
        include_str!("../../venue/tests/disturbances.rs"),
        include_str!("../../venue/tests/editions.rs"),
        include_str!("../../venue/tests/irregularities.rs"),
        include_str!("../../venue/tests/second_illegal_moves.rs"),
        include_str!("../../venue/tests/laws.rs"),
        include_str!("../../venue/tests/notices.rs"),
        include_str!("../../venue/tests/numbers.rs"),
        include_str!("../../venue/tests/orders.rs"),
        include_str!("../../venue/tests/starts.rs"),
        include_str!("../../venue/tests/story.rs"),
    ];

    #[test]
    fn every_test_that_a_row_names_exists() {
        let all = [ARTICLES, COMPETITION, GUIDE, MEMO, RULE_OF_1929].concat();
        let missing: Vec<&str> = all
            .iter()
            .filter_map(|row| match row.how {
                How::Done { test, .. } | How::Partly { test, .. } => Some(test),
                How::Unknowable(_) => None,
            })
            .filter(|test| {
                let name = format!("fn {test}");
                *test != "every_form_of_the_grammar" && !SOURCES.iter().any(|s| s.contains(&name))
            })
            .collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }

    #[test]
    fn every_code_is_raised_and_its_test_exists() {
        for code in Code::ALL {
            let rows: Vec<_> = RAISED
                .iter()
                .filter(|(raised, ..)| raised == code)
                .collect();
            assert_eq!(rows.len(), 1, "{code}");
            let test = rows[0].2;
            let name = format!("fn {test}");
            assert!(SOURCES.iter().any(|s| s.contains(&name)), "{code}: {test}");
        }
    }

    #[test]
    fn every_edition_prints_and_every_row_says_something() {
        for edition in EditionId::ALL {
            let mut out = Vec::new();
            coverage(edition, &mut out).expect("memory");
            let text = String::from_utf8(out).expect("UTF-8");
            assert!(text.lines().count() > Code::ALL.len(), "{edition}");
            assert!(!text.contains("test \n"), "{edition}");
        }
    }
}
