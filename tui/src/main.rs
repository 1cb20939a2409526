//! The program `zeitnot`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tui::cli::main(std::env::args_os())
}
