//! The command line of the agent.

use std::process::ExitCode;

fn main() -> ExitCode {
    agent::cli::main(std::env::args_os())
}
