//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    hub::cli::main(std::env::args_os())
}
