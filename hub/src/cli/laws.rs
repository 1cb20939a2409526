//! `laws`: questions to the Laws, a line in and a line out.

use std::io::{BufWriter, ErrorKind, stdin, stdout};

use anyhow::{Result, bail};
use clap::Subcommand;

use crate::laws_cli::{BudgetArgs, cannot_mate, dead_positions, history};

/// Questions to the Laws.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Lines `FEN;white` or `FEN;black` (who should mate): can he, by any legal moves?
    CannotMate(BudgetArgs),
    /// Lines of FEN: is the position dead (5.2.2)?
    Dead(BudgetArgs),
    /// Lines `{"start_fen","moves":[uci…]}`: when did each right to a draw first arise?
    History,
}

impl Command {
    pub(super) fn run(self) -> Result<bool> {
        let out = BufWriter::new(stdout());
        let done = match self {
            Command::CannotMate(args) => cannot_mate(&args, stdin(), out),
            Command::Dead(args) => dead_positions(&args, stdin(), out),
            Command::History => history(stdin(), out),
        };
        match done {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(true),
            Err(error) => bail!("H76 {error} · help: give the questions on standard input"),
            Ok(()) => Ok(true),
        }
    }
}
