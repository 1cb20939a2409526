//! One row of the coverage: an article or a situation, and what the hub makes of it.

/// What the hub makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Code does it, and a test shows it.
    Done {
        /// Where the code is.
        code: &'static str,
        /// The test's name, or the beginning of it.
        test: &'static str,
    },
    /// Code does it as far as said; the rest is not there.
    Partly {
        /// Where the code is.
        code: &'static str,
        /// The test's name.
        test: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// A hub cannot know it, and why.
    Unknowable(&'static str),
}

/// An article, or a situation of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The article, or where the situation is described.
    pub at: &'static str,
    /// What it is about, in a few words.
    pub subject: &'static str,
    /// What the hub makes of it.
    pub how: How,
}

pub(super) const fn done(
    at: &'static str,
    subject: &'static str,
    code: &'static str,
    test: &'static str,
) -> Row {
    Row {
        at,
        subject,
        how: How::Done { code, test },
    }
}

pub(super) const fn partly(
    at: &'static str,
    subject: &'static str,
    code: &'static str,
    test: &'static str,
    missing: &'static str,
) -> Row {
    Row {
        at,
        subject,
        how: How::Partly {
            code,
            test,
            missing,
        },
    }
}

pub(super) const fn unknowable(at: &'static str, subject: &'static str, why: &'static str) -> Row {
    Row {
        at,
        subject,
        how: How::Unknowable(why),
    }
}
