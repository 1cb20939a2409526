//! `--plain` at the rim: sentences to standard output, orders from standard input.

use std::collections::VecDeque;
use std::io::{BufRead, ErrorKind, Write, stdin, stdout};
use std::time::Duration;

use protocol::Timestamp;
use tokio::sync::mpsc::{Receiver, channel};

use crate::link::{self, Hand};
use crate::message::{Effect, Message};
use crate::plain::Plain;
use crate::run::{Clock, Options, RunError, dashboard, on_own_thread, zone};
use crate::venue::Trust;

const TICK: Duration = Duration::from_millis(500);
/// How long the answers to the last orders are waited for after the end of the input, milliseconds.
const LAST_ANSWERS_MS: u64 = 2_000;
/// How long a line waits for the hub before it is told why it cannot be done, milliseconds.
const PATIENCE_MS: u64 = 10_000;

/// Speaks until `quit`, or shortly after the end of the input; a listener that went away (`| head`) ends it too.
///
/// # Errors
/// [`RunError`] when the settings mean nothing.
/// [`RunError::NeverHeard`] when the hub was not reached at all.
pub(crate) fn run(options: Options) -> Result<(), RunError> {
    match on_own_thread(|| live(options))? {
        Err(RunError::Terminal(why)) if why.kind() == ErrorKind::BrokenPipe => Ok(()),
        ended => ended,
    }
}

async fn live(options: Options) -> Result<(), RunError> {
    let place = format!("{}:{}", options.target.host, options.target.port);
    let mut plain = Plain::new(dashboard(&options)?);
    let (sender, mut inbox) = channel(4096);
    let (typing, mut lines) = channel(64);
    let hand = link::open(
        options.target,
        &plain.app().me.client,
        &plain.app().language,
        sender,
    );
    std::thread::Builder::new()
        .name("orders".to_owned())
        .spawn(move || {
            for line in lines_of(stdin().lock()) {
                if typing.blocking_send(line).is_err() {
                    return;
                }
            }
        })?;
    let clock = Clock::start();
    let mut typed = Typed::default();
    plain.update(Message::Zone(zone(clock.now())));
    loop {
        let (said, effects) = next(&mut plain, &clock, &mut inbox, &mut lines, &mut typed).await;
        print(&said)?;
        send(&hand, &effects)?;
        while let Some(line) = typed.due(&plain, clock.now()) {
            let (said, effects) = plain.line(&line);
            print(&said)?;
            typed.quit |= send(&hand, &effects)?;
        }
        if typed.is_over(&plain, clock.now()) {
            return match plain.app().trust() {
                Trust::Waiting if typed.asked || !typed.quit => Err(RunError::NeverHeard(place)),
                _ => Ok(()),
            };
        }
    }
}

/// What was typed and is still to be done: an order waits for the hub, and an answer to a decision for what would follow.
#[derive(Debug, Default)]
struct Typed {
    held: VecDeque<(String, Timestamp)>,
    ended: Option<Timestamp>,
    quit: bool,
    asked: bool,
}

impl Typed {
    /// The next line, when it can be done or has waited too long.
    fn due(&mut self, plain: &Plain, now: Timestamp) -> Option<String> {
        let (line, since) = self.held.front_mut()?;
        let aside = matches!(line.trim(), "" | "quit" | "help" | "?");
        if !aside && !plain.is_ready() && now.since(*since) < PATIENCE_MS {
            return None;
        }
        self.asked |= !aside;
        let (line, _) = self.held.pop_front()?;
        // The next one has its own patience from now on.
        if let Some((_, since)) = self.held.front_mut() {
            *since = now;
        }
        Some(line)
    }

    /// Whether all is done and answered, as far as answers come in good time.
    fn is_over(&mut self, plain: &Plain, now: Timestamp) -> bool {
        let ended = self.ended.is_some() && self.held.is_empty();
        if !self.quit && !ended {
            return false;
        }
        let since = *self.ended.get_or_insert(now);
        let waits = plain.awaits_answers() || !self.quit;
        !waits || now.since(since) > LAST_ANSWERS_MS
    }
}

/// The lines of a text; bytes that are no UTF-8 spoil their own line only, never the orders after it.
fn lines_of(text: impl BufRead) -> impl Iterator<Item = String> {
    let lines = text.split(b'\n').map_while(Result::ok);
    lines.map(|line| String::from_utf8_lossy(&line).into_owned())
}

async fn next(
    plain: &mut Plain,
    clock: &Clock,
    inbox: &mut Receiver<Message>,
    lines: &mut Receiver<String>,
    typed: &mut Typed,
) -> (Vec<String>, Vec<Effect>) {
    let open = typed.ended.is_none();
    tokio::select! {
        message = inbox.recv() => {
            let (mut said, _) = plain.update(Message::Tick(clock.now()));
            let (more, effects) = message.map_or_else(Default::default, |m| plain.update(m));
            said.extend(more);
            (said, effects)
        }
        line = lines.recv(), if open => {
            match line {
                Some(line) => typed.held.push_back((line, clock.now())),
                None => typed.ended = Some(clock.now()),
            }
            plain.update(Message::Tick(clock.now()))
        }
        () = tokio::time::sleep(TICK) => plain.update(Message::Tick(clock.now())),
    }
}

fn print(said: &[String]) -> Result<(), RunError> {
    let mut out = stdout().lock();
    for line in said {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// Sends orders; true when the arbiter quits.
fn send(hand: &Hand, effects: &[Effect]) -> Result<bool, RunError> {
    let mut quit = false;
    for effect in effects {
        match effect {
            Effect::Quit => quit = true,
            // Cards are asked for by a key, and no keys are pressed here.
            Effect::Bell | Effect::Write(..) => {}
            Effect::Send(order) => {
                if let Err(why) = hand.send(order) {
                    print(&[format!("not sent: {why}")])?;
                }
            }
        }
    }
    Ok(quit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_text_does_not_end_the_orders() {
        let typed: &[u8] = b"take 42\n\xff\xfe\r\nconfirm 55";
        let lines: Vec<String> = lines_of(typed).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!((&*lines[0], &*lines[2]), ("take 42", "confirm 55"));
    }

    #[test]
    fn an_order_waits_for_the_hub_and_quit_for_nothing() {
        let settings = crate::settings::Settings::default();
        let deaf = crate::example::deaf(&settings);
        let heard = crate::example::app(&settings);
        let now = heard.now;
        // What is typed, whether the hub was heard, seconds since, and how many lines are done.
        let rows: [(&[&str], bool, i64, usize); 6] = [
            (&["quit"], false, 0, 1),
            (&["help", "take 42"], false, 0, 1),
            (&["take 42", "quit"], false, 0, 0),
            (&["take 42", "quit"], false, 11, 2),
            (&["take 42", "quit"], true, 0, 2),
            (&["result 55 draw agreed", "055"], true, 0, 1),
        ];
        for (lines, live, seconds, want) in rows {
            let app = if live { heard.clone() } else { deaf.clone() };
            let mut plain = Plain::new(app);
            let mut typed = Typed::default();
            typed
                .held
                .extend(lines.iter().map(|l| ((*l).to_owned(), now)));
            let mut done = 0;
            while let Some(line) = typed.due(&plain, now.shifted(seconds * 1000)) {
                plain.line(&line);
                done += 1;
            }
            assert_eq!(done, want, "{lines:?} {live} {seconds}");
        }
    }
}
