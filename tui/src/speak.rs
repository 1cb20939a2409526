//! `--plain` at the rim: sentences to standard output, orders from standard input.

use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, channel};

use crate::link::{self, Hand};
use crate::message::{Effect, Message};
use crate::plain::Plain;
use crate::run::{Clock, Options, RunError, dashboard, on_own_thread, zone};
use crate::venue::Trust;

const TICK: Duration = Duration::from_millis(500);
/// How long the answers to the last orders are waited for after the end of the input.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Speaks until `quit`, or shortly after the end of the input.
///
/// # Errors
/// [`RunError`] when the settings mean nothing.
/// [`RunError::NeverHeard`] when the hub was not reached at all.
pub(crate) fn run(options: Options) -> Result<(), RunError> {
    on_own_thread(|| live(options))?
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
    let mut until = None;
    plain.update(Message::Zone(zone(clock.now())));
    loop {
        let (said, effects) = next(&mut plain, &clock, &mut inbox, &mut lines, &mut until).await;
        print(&said)?;
        if !send(&hand, &effects)? || until.is_some_and(|until| clock.now() > until) {
            return match plain.app().trust() {
                Trust::Waiting => Err(RunError::NeverHeard(place)),
                _ => Ok(()),
            };
        }
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
    until: &mut Option<protocol::Timestamp>,
) -> (Vec<String>, Vec<Effect>) {
    let open = until.is_none();
    tokio::select! {
        message = inbox.recv() => {
            let (mut said, _) = plain.update(Message::Tick(clock.now()));
            let (more, effects) = message.map_or_else(Default::default, |m| plain.update(m));
            said.extend(more);
            (said, effects)
        }
        line = lines.recv(), if open => match line {
            Some(line) => {
                plain.update(Message::Tick(clock.now()));
                plain.line(&line)
            }
            None => {
                let last = u64::try_from(LAST_ANSWERS.as_millis()).unwrap_or(0);
                *until = Some(clock.now().after(last));
                Default::default()
            }
        },
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

/// Sends orders; false when the arbiter quits.
fn send(hand: &Hand, effects: &[Effect]) -> Result<bool, RunError> {
    for effect in effects {
        match effect {
            Effect::Quit => return Ok(false),
            Effect::Bell => {}
            Effect::Send(order) => {
                if let Err(why) = hand.send(order) {
                    print(&[format!("not sent: {why}")])?;
                }
            }
        }
    }
    Ok(true)
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
}
