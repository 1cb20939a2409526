//! How many connections each listener may hold, so that broker, journal and feeds never lack a file for their own work.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Files that a process may open where the system does not say.
const USUAL: u64 = 1_024;

/// Takes as many files as the system lets this process have, and says how many.
pub(super) fn files() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return USUAL;
    };
    match setrlimit(Resource::RLIMIT_NOFILE, hard, hard) {
        Ok(()) => hard,
        Err(_) => soft,
    }
}

/// Connections that each of so many listeners may hold: together three quarters of the files at most.
pub(super) fn connections(files: u64, listeners: usize) -> usize {
    let together = usize::try_from(files / 4 * 3).unwrap_or(usize::MAX);
    together / listeners.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_leave_a_quarter_of_the_files_to_the_others() {
        let rows = [
            (1_024, 1, 768),
            (1_024, 4, 192),
            (20_000, 3, 5_000),
            (20_000, 0, 15_000),
        ];
        for (files, listeners, each) in rows {
            assert_eq!(connections(files, listeners), each, "{files} {listeners}");
        }
        assert!(files() > 0);
    }
}
