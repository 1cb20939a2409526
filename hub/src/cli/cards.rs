//! `cards`: a card for each table, to be printed: its number, the code of its page, and how its board is bound to it.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use protocol::TableId;

use super::args::Where;
use super::say;
use crate::web::table_cards::cards;

/// No hall has more.
const MOST: u16 = 2_000;

/// Cards for the tables, as one page to print.
#[derive(Debug, Args)]
pub(super) struct Cards {
    #[command(flatten)]
    place: Where,
    /// The tables: 12, or 1-40.
    #[arg(long, value_name = "A-B", value_parser = tables)]
    tables: (u16, u16),
    /// Address of the wall page as a telephone in the hall reaches it; without it the first listener's.
    #[arg(long, value_name = "http://HOST:PORT")]
    wall: Option<String>,
    /// The page to write; without it standard output.
    #[arg(short, long, value_name = "FILE.html")]
    output: Option<PathBuf>,
}

impl Cards {
    pub(super) fn run(self) -> Result<bool> {
        let wall = match self.wall {
            Some(wall) => wall,
            None => {
                let config = self.place.config()?;
                let first = config.http.first().context("no wall page is configured")?;
                let address = first.listen;
                if address.ip().is_loopback() || address.ip().is_unspecified() {
                    say::error(&anyhow!(
                        "H77 no telephone in the hall reaches http://{address} · help: give the address of the wall page as others see it with --wall http://HOST:{}",
                        address.port()
                    ));
                }
                format!("http://{address}")
            }
        };
        let (from, to) = self.tables;
        let page = cards((from..=to).map(TableId), &wall);
        match &self.output {
            None => say::line(page),
            Some(file) => {
                std::fs::write(file, page).with_context(|| format!("{}", file.display()))?;
                say::line(format!("{} cards in {}", to - from + 1, file.display()));
            }
        }
        Ok(true)
    }
}

fn tables(text: &str) -> Result<(u16, u16)> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let (from, to): (u16, u16) = (from.trim().parse()?, to.trim().parse()?);
    ensure!(
        from >= 1 && from <= to && to - from < MOST,
        "write the tables as 12 or 1-40"
    );
    Ok((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_one_or_a_stretch() {
        let rows = [
            ("12", Some((12, 12))),
            ("1-40", Some((1, 40))),
            ("0-3", None),
            ("4-3", None),
            ("1-9999", None),
            ("a", None),
            ("", None),
        ];
        for (text, expect) in rows {
            assert_eq!(tables(text).ok(), expect, "{text:?}");
        }
    }
}
