//! `laws`: what the hub knows of the Laws, and questions to them, a line in and a line out.

use std::io::{BufWriter, ErrorKind, Write, stdin, stdout};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use protocol::EditionId;

use crate::laws::coverage::coverage;
use crate::laws_cli::{BudgetArgs, ShowArgs, Troubles, cannot_mate, dead_positions, history, show};

/// The Laws of an edition: what the hub knows of them, or questions, a line in and a line out.
#[derive(Debug, Args)]
pub(super) struct Laws {
    /// The edition: fide-2023, fide-2018, fide-2014, fide-2009, fide-2001, fide-1929.
    #[arg(long, default_value_t = EditionId::default())]
    edition: EditionId,
    /// Every article with its code and test, or why a hub cannot know it. Also what is said without a question.
    #[arg(long)]
    coverage: bool,
    #[command(subcommand)]
    question: Option<Question>,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Lines `FEN;white` or `FEN;black` (who should mate): can he, by any legal moves?
    CannotMate(BudgetArgs),
    /// One question, answered for an arbiter: sentence, article, moves, board; or a page for a case file.
    Show(ShowArgs),
    /// Lines of FEN: is the position dead (5.2.2)?
    Dead(BudgetArgs),
    /// Lines `{"start_fen","moves":[uci…]}`: when did each right to a draw first arise?
    History,
}

impl Laws {
    pub(super) fn run(self) -> Result<bool> {
        let mut out = BufWriter::new(stdout());
        let troubles = Troubles::default();
        let done = match self.question.filter(|_| !self.coverage) {
            Some(Question::CannotMate(args)) => cannot_mate(&args, stdin(), out, &troubles),
            Some(Question::Show(args)) => return shown(&args),
            Some(Question::Dead(args)) => dead_positions(&args, stdin(), out, &troubles),
            Some(Question::History) => history(stdin(), out, &troubles),
            None => coverage(self.edition, &mut out).and_then(|()| out.flush()),
        };
        match done {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(true),
            Err(error) => bail!("H76 {error} · help: give the questions on standard input"),
            Ok(()) => match (troubles.refused(), troubles.unread()) {
                (0, 0) => Ok(true),
                (0, n) => bail!(
                    "H77 {n} of the questions could not be read; their answers say why · help: see `zeitnot-hub laws --help`"
                ),
                (n, _) => bail!(
                    "H83 {n} proofs did not pass their check, which is an error of this program; nothing was concluded from them · help: report the positions whose answers say so"
                ),
            },
        }
    }
}

fn shown(args: &ShowArgs) -> Result<bool> {
    let told = show(args).map_err(|why| {
        anyhow!("H77 {why} · help: give FEN;white or FEN;black, see `zeitnot-hub laws show --help`")
    })?;
    match &args.output {
        Some(path) => std::fs::write(path, told).with_context(|| {
            format!(
                "H76 {} cannot be written · help: name another file",
                path.display()
            )
        })?,
        None => stdout().write_all(told.as_bytes())?,
    }
    Ok(true)
}
