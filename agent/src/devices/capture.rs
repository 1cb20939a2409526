//! Recorded bytes: the three forms a capture is kept in.
//!
//! A `.cap` file is text: `milliseconds hexadecimal…` a line, `family NAME` once, `#` begins a comment.
//! A `.hex` file is the same without times; a `.bin` file is the bytes themselves. Lists of examples are read as `.hex` too: what follows a
//! semicolon is a remark, `<` stands before what a board says, and a line with `>` is what was said to it.

use thiserror::Error;

use super::{Driver, Millis};

/// Bytes that arrived together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Time of arrival.
    pub at: Millis,
    /// What arrived.
    pub bytes: Vec<u8>,
}

/// A recording with times of arrival, in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Capture {
    /// The family it was recorded from, if the file says so.
    pub family: Option<String>,
    /// What arrived, in order.
    pub chunks: Vec<Chunk>,
}

/// What is wrong with a capture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CaptureError {
    /// A line that is neither bytes nor a comment.
    #[error("line {0} is not `milliseconds hexadecimal…`")]
    Line(usize),
    /// A line earlier than the one before.
    #[error("line {0} goes back in time")]
    BackInTime(usize),
}

impl Capture {
    /// Reads a `.cap` file.
    ///
    /// # Errors
    /// The first line that cannot be read, counted from 1.
    pub fn parse(text: &str) -> Result<Capture, CaptureError> {
        let mut capture = Capture::default();
        for (number, line) in (1..).zip(text.lines()) {
            capture
                .take_line(without_comment(line))
                .map_err(|error| error(number))?;
        }
        Ok(capture)
    }

    /// Reads what can be read of a `.cap` file, and says which lines were left out: one that is torn off, for instance.
    pub fn read(text: &str) -> (Capture, Vec<CaptureError>) {
        let mut capture = Capture::default();
        let lines = (1..).zip(text.lines());
        let left_out = lines.filter_map(|(number, line)| {
            let taken = capture.take_line(without_comment(line));
            taken.err().map(|error| error(number))
        });
        let left_out = left_out.collect();
        (capture, left_out)
    }

    /// Writes a `.cap` file.
    pub fn to_text(&self) -> String {
        let family = self
            .family
            .iter()
            .map(|family| format!("family {family}\n"));
        let lines = self
            .chunks
            .iter()
            .map(|chunk| format!("{} {}\n", chunk.at, to_hex(&chunk.bytes)));
        family.chain(lines).collect()
    }

    /// Makes a capture of bytes without times; the driver guesses them.
    pub fn of_bytes(driver: &dyn Driver, bytes: &[u8]) -> Capture {
        Capture {
            family: Some(driver.family().to_owned()),
            chunks: driver.with_times(bytes),
        }
    }

    /// All the bytes without times.
    pub fn bytes(&self) -> Vec<u8> {
        self.chunks
            .iter()
            .flat_map(|chunk| chunk.bytes.iter().copied())
            .collect()
    }

    fn take_line(&mut self, line: &str) -> Result<(), fn(usize) -> CaptureError> {
        let mut words = line.split_whitespace();
        match words.next() {
            None => Ok(()),
            Some("family") => {
                self.family = words.next().map(str::to_owned);
                Ok(())
            }
            Some(at) => self.take_chunk(at, words.collect()),
        }
    }

    fn take_chunk(&mut self, at: &str, hex: String) -> Result<(), fn(usize) -> CaptureError> {
        let at: Millis = at
            .parse()
            .map_err(|_| CaptureError::Line as fn(usize) -> _)?;
        let bytes = from_hex(&hex).ok_or(CaptureError::Line as fn(usize) -> _)?;
        if self.chunks.last().is_some_and(|before| before.at > at) {
            return Err(CaptureError::BackInTime);
        }
        self.chunks.push(Chunk { at, bytes });
        Ok(())
    }
}

/// Reads the hexadecimal bytes of a `.hex` file; white space and remarks are skipped, and what was said to the board.
///
/// # Errors
/// The first line that is not hexadecimal, counted from 1.
pub fn parse_hex(text: &str) -> Result<Vec<u8>, CaptureError> {
    let mut bytes = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        bytes.extend(from_hex(&digits_of(line)).ok_or(CaptureError::Line(number))?);
    }
    Ok(bytes)
}

/// Reads a text that is a list of hexadecimal examples and nothing else.
pub fn parse_examples(text: &str) -> Option<Vec<u8>> {
    let pairs = |line| without_comment(line).split_whitespace().all(is_whole);
    let is_said = |line: &str| line.starts_with(['<', '>']);
    let is_list = text.lines().all(|line| is_said(line) || pairs(line));
    parse_hex(text)
        .ok()
        .filter(|bytes| is_list && !bytes.is_empty())
}

fn is_whole(digits: &str) -> bool {
    digits.len().is_multiple_of(2)
}

/// The digits of a line; after `<` words may follow them.
fn digits_of(line: &str) -> String {
    let line = without_comment(line).trim();
    match line.strip_prefix('<') {
        Some(said) => {
            let words = said.split_whitespace();
            words.take_while(|word| from_hex(word).is_some()).collect()
        }
        None if line.starts_with('>') => String::new(),
        None => line.split_whitespace().collect(),
    }
}

/// Bytes as hexadecimal with spaces between them.
pub fn to_hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

fn without_comment(line: &str) -> &str {
    line.split(['#', ';']).next().unwrap_or_default()
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).ok());
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_survives_writing_and_reading() {
        let text = "family dgt\n0 86 00\n1500 8e 00 05 34 00\n";
        let capture = Capture::parse(&format!("# a comment\n\n{text}")).expect("good");
        assert_eq!(capture.to_text(), text);
        assert_eq!(capture.bytes(), [0x86, 0, 0x8e, 0, 5, 0x34, 0]);
        assert_eq!(
            parse_hex("86 00 # dump\n8e0005").expect("good"),
            [0x86, 0, 0x8e, 0, 5]
        );
    }

    #[test]
    fn bad_lines_are_named() {
        let rows = [
            ("0 86\nx 00", CaptureError::Line(2)),
            ("0 8", CaptureError::Line(1)),
            ("0 é8", CaptureError::Line(1)),
            ("5 86\n4 00", CaptureError::BackInTime(2)),
        ];
        for (text, error) in rows {
            assert_eq!(Capture::parse(text), Err(error), "{text}");
        }
        assert_eq!(parse_hex("86\nzz"), Err(CaptureError::Line(2)));
    }

    #[test]
    fn a_recording_that_is_torn_is_read_without_what_cannot_be_read() {
        let rows: [(&str, &[u8], &[CaptureError]); 4] = [
            ("0 86\n9 8e 0", &[0x86], &[CaptureError::Line(2)]),
            ("5 86\n1", &[0x86], &[CaptureError::BackInTime(2)]),
            ("5 86\nx\n6 00", &[0x86, 0], &[CaptureError::Line(2)]),
            ("5 86\n6 00", &[0x86, 0], &[]),
        ];
        for (text, bytes, left_out) in rows {
            let (capture, problems) = Capture::read(text);
            assert_eq!(capture.bytes(), bytes, "{text}");
            assert_eq!(problems, left_out, "{text}");
        }
    }

    #[test]
    fn a_list_of_examples_is_read_and_another_text_is_none() {
        let rows: [(&str, Option<&[u8]>); 8] = [
            (
                "# frame ; means\n2a026401 ; charging\n\n2A 02 58 00",
                Some(&[0x2A, 2, 0x64, 1, 0x2A, 2, 0x58, 0]),
            ),
            (
                "> d6 b5 b6   V56\n< 76 b0 31  v01 (version)",
                Some(&[0x76, 0xB0, 0x31]),
            ),
            ("> d6 b5 b6", None),
            ("3 0 84 252 153 12", None),
            ("10 20 300 40 5", None),
            (":255 255 0 0", None),
            ("M 1 e2-e4", None),
            ("", None),
        ];
        for (text, bytes) in rows {
            assert_eq!(parse_examples(text).as_deref(), bytes, "{text}");
        }
    }
}
