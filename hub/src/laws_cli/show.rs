//! `laws show`: one verdict for an arbiter to read, or as a page for a case file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shakmaty::{Chess, Color};

use super::BudgetArgs;
use crate::laws::unwinnable::{case_page, position_from_fen, verdict, words::Occasion};

/// Options of `laws show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// `FEN;white` or `FEN;black`: who should mate
    question: String,
    /// What the answer is wanted for; it decides which article is named
    #[arg(long, value_enum, default_value_t = For::FlagFall)]
    occasion: For,
    /// A board after every move of the line
    #[arg(long)]
    boards: bool,
    /// Writes a page with the boards to go through instead
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum For {
    FlagFall,
    SecondIllegalMove,
    Resignation,
    DeadPosition,
}

impl From<For> for Occasion {
    fn from(occasion: For) -> Self {
        match occasion {
            For::FlagFall => Self::FlagFall,
            For::SecondIllegalMove => Self::SecondIllegalMove,
            For::Resignation => Self::Resignation,
            For::DeadPosition => Self::DeadPosition,
        }
    }
}

/// The answer: text for a terminal, or the page when an output file is named.
///
/// # Errors
/// When the question cannot be read, with the reason.
pub fn show(args: &ShowArgs) -> Result<String, String> {
    let (pos, winner) = read(&args.question)?;
    let ((found, _), _) = super::timed(&args.budget, |budget| verdict(&pos, winner, budget));
    let occasion = args.occasion.into();
    Ok(match args.output {
        Some(_) => case_page::page(&pos, winner, &found, occasion),
        None => case_page::text(&pos, winner, &found, occasion, args.boards),
    })
}

/// A question as `FEN;white` or `FEN;black`.
fn read(question: &str) -> Result<(Chess, Color), String> {
    let asked = question.rsplit_once(';');
    let (fen, winner) = match asked.map(|(fen, side)| (fen.trim(), side.trim())) {
        Some((fen, "white")) => (fen, Color::White),
        Some((fen, "black")) => (fen, Color::Black),
        _ => return Err("expected FEN;white or FEN;black".to_owned()),
    };
    let pos = position_from_fen(fen).map_err(|why| why.to_string())?;
    Ok((pos, winner))
}
