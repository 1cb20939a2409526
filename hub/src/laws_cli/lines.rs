//! A line in, a line out, on several threads, answers in the order of the questions.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Lines taken in at once; bounds the memory whatever the length of the input.
const BATCH: usize = 4_096;
/// Longest line that is read; a FEN needs about a hundred bytes, a long game some thousands.
const LONGEST: usize = 64 * 1024;

/// Answers every line that is not blank, in order, a batch at a time.
pub(super) fn each_line(
    threads: usize,
    input: impl Read,
    mut output: impl Write,
    answer: &(dyn Fn(&str) -> String + Sync),
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 18, input);
    loop {
        let batch = read_batch(&mut input)?;
        if batch.is_empty() {
            return output.flush();
        }
        for line in answer_batch(threads, &batch, answer) {
            output.write_all(line.as_bytes())?;
            output.write_all(b"\n")?;
        }
        output.flush()?;
    }
}

/// What has arrived, at least one line if there is one more: a caller that waits for each answer gets it.
fn read_batch(input: &mut BufReader<impl Read>) -> io::Result<Vec<String>> {
    let mut batch = Vec::new();
    while batch.len() < BATCH {
        let Some(line) = read_line(input)? else {
            break;
        };
        if !line.trim().is_empty() {
            batch.push(line);
        }
        if !batch.is_empty() && input.buffer().is_empty() {
            break;
        }
    }
    Ok(batch)
}

/// One line, cut off at [`LONGEST`] bytes; bytes that are no UTF-8 are replaced.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            let last = (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned());
            return Ok(last);
        }
        let end = chunk.iter().position(|&b| b == b'\n');
        let taken = end.unwrap_or(chunk.len());
        let room = LONGEST.saturating_sub(bytes.len());
        bytes.extend_from_slice(&chunk[..taken.min(room)]);
        input.consume(end.map_or(taken, |at| at + 1));
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

fn answer_batch(
    threads: usize,
    batch: &[String],
    answer: &(dyn Fn(&str) -> String + Sync),
) -> Vec<String> {
    if threads <= 1 || batch.len() == 1 {
        return batch.iter().map(|line| answer(line)).collect();
    }
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![String::new(); batch.len()]);
    thread::scope(|scope| {
        for _ in 0..threads.min(batch.len()) {
            scope.spawn(|| {
                while let Some(at) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < batch.len())
                {
                    let line = answer(&batch[at]);
                    if let Ok(mut answers) = answers.lock() {
                        answers[at] = line;
                    }
                }
            });
        }
    });
    answers
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_line_is_cut_off() {
        let long = vec![b'x'; 3 * LONGEST];
        let line = read_line(&mut long.as_slice())
            .expect("memory can be read")
            .expect("a line");
        assert_eq!(line.len(), LONGEST);
    }

    #[test]
    fn answers_keep_the_order_of_the_questions() {
        let input: String = (0..9_000).map(|n| format!("{n}\n")).collect();
        let mut output = Vec::new();
        each_line(3, input.as_bytes(), &mut output, &|line| line.to_owned()).expect("memory");
        assert_eq!(output, input.as_bytes());
    }
}
