//! A broker with a hub behind it whose clock was set differently: it lets everybody in and answers one question.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use protocol::{TimeAnswer, TimeQuestion};

/// Starts it for one visitor; its port. Its clock is so many milliseconds ahead.
pub(crate) fn hub(ahead: i64) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let task = std::thread::spawn(move || {
        // The doctor first sees whether anybody listens at all.
        let visits: Vec<JoinHandle<()>> = (0..2)
            .map(|_| {
                let (stream, _) = listener.accept().expect("a visitor");
                std::thread::spawn(move || serve(stream, ahead))
            })
            .collect();
        for visit in visits {
            visit.join().expect("it ends");
        }
    });
    (port, task)
}

/// Until the visitor leaves.
fn serve(mut stream: TcpStream, ahead: i64) {
    while let Some((kind, body)) = packet(&mut stream) {
        let answer = match kind >> 4 {
            // Connect, subscribe, publish.
            1 => vec![0x20, 3, 0, 0, 0],
            8 => vec![0x90, 4, body[0], body[1], 0, 1],
            3 => [acknowledge(&body), told(&body, ahead)].concat(),
            _ => Vec::new(),
        };
        if stream.write_all(&answer).is_err() {
            return;
        }
    }
}

fn packet(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let byte = |stream: &mut TcpStream| {
        let mut one = [0];
        stream.read_exact(&mut one).ok().map(|()| one[0])
    };
    let kind = byte(stream)?;
    let (mut length, mut place) = (0, 1);
    loop {
        let digit = byte(stream)?;
        length += usize::from(digit & 0x7F) * place;
        place *= 128;
        if digit < 0x80 {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((kind, body))
}

/// The length of a topic with its two bytes in front.
fn topic_length(body: &[u8]) -> usize {
    2 + usize::from(body[0]) * 256 + usize::from(body[1])
}

fn acknowledge(body: &[u8]) -> Vec<u8> {
    let number = topic_length(body);
    vec![0x40, 2, body[number], body[number + 1]]
}

/// What time it is here, on the topic of answers.
fn told(body: &[u8], ahead: i64) -> Vec<u8> {
    let topic = topic_length(body);
    let payload = topic + 3 + usize::from(body[topic + 2]);
    let question: TimeQuestion = protocol::decode(&body[payload..]).expect("a question");
    let answer = protocol::encode(&TimeAnswer {
        asked: question.asked,
        hub: question.asked.shifted(ahead),
    });
    let topic = [&body[2..topic], b"/answer"].concat();
    let length = |count: usize| u8::try_from(count).expect("short");
    let mut packet = vec![0x30, length(2 + topic.len() + 1 + answer.len())];
    packet.extend([0, length(topic.len())]);
    packet.extend(topic);
    packet.push(0);
    packet.extend(answer.as_slice());
    packet
}
