//! Notices that somebody else uses the same name: a broker keeps one connection a name and ends the older one.

/// Short connections in a row that are no accident any more.
const SHORT: u32 = 3;

/// How many connections in a row were ended by the broker soon after it had let us in.
#[derive(Debug, Default)]
pub(super) struct Rivals {
    short: u32,
}

impl Rivals {
    /// Takes the end of a connection; true each time that so many in a row were short.
    pub(super) fn suspected(&mut self, short: bool) -> bool {
        self.short = if short { self.short + 1 } else { 0 };
        let enough = self.short >= SHORT;
        if enough {
            self.short = 0;
        }
        enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_short_connections_in_a_row_are_suspicious_and_said_once() {
        let mut rivals = Rivals::default();
        let short = [true, true, false, true, true, true, true, true, true];
        let said = short.map(|short| rivals.suspected(short));
        assert_eq!(
            said,
            [false, false, false, false, false, true, false, false, true]
        );
    }
}
