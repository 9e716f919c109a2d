//! The thin binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    trajview::cli::run(std::env::args_os())
}
