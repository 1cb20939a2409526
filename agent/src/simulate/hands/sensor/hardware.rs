//! What the board and its cable are like: the parameters of the sensor at each level of noise.

use super::super::how::{Noise, Profile};

/// Times in milliseconds, rates per board and hour.
#[derive(Clone, Debug, PartialEq)]
pub struct Hardware {
    /// A sweep over the 64 squares; 0 for a board that sees everything at once.
    pub sweep: f64,
    /// Delay of every message.
    pub latency: f64,
    /// Up to this much more.
    pub jitter: f64,
    /// A moved rocker is noticed within this time.
    pub lever_poll: f64,
    /// Pieces that read as nothing for a moment.
    pub drop_outs: f64,
    /// Median length of such a moment.
    pub drop_out: f64,
    /// Its spread.
    pub drop_out_spread: f64,
    /// Pieces that read as others for a sweep or two.
    pub misreads: f64,
    /// Pieces that are read where none are.
    pub ghosts: f64,
    /// Squares with a bad contact.
    pub bad_squares: usize,
    /// Mean time such a square reads.
    pub bad_reads: f64,
    /// Mean time it does not.
    pub bad_blind: f64,
    /// Probability that the message of a change is lost.
    pub lost: f64,
    /// Interruptions of the link, of 1 to 6 seconds.
    pub outages: f64,
    /// The whole board is asked for this often; 0 for never.
    pub dump_every: f64,
}

impl Hardware {
    /// A wired board at a level of noise.
    pub fn at(noise: Noise) -> Hardware {
        let sound = Hardware {
            sweep: 225.0,
            latency: 8.0,
            jitter: 10.0,
            lever_poll: 900.0,
            drop_outs: 3.0,
            drop_out: 120.0,
            drop_out_spread: 1.0,
            misreads: 0.0,
            ghosts: 0.0,
            bad_squares: 0,
            bad_reads: 6000.0,
            bad_blind: 450.0,
            lost: 0.0,
            outages: 0.0,
            dump_every: 0.0,
        };
        match noise {
            Noise::Clean => Hardware {
                drop_outs: 0.0,
                lever_poll: 400.0,
                ..sound
            },
            Noise::Normal => sound,
            Noise::Scramble => Hardware {
                drop_outs: 6.0,
                ..sound
            },
            Noise::Faulty => Hardware {
                latency: 30.0,
                jitter: 60.0,
                drop_outs: 60.0,
                drop_out: 350.0,
                misreads: 15.0,
                ghosts: 8.0,
                bad_squares: 2,
                lost: 0.004,
                outages: 4.0,
                dump_every: 10_000.0,
                ..sound
            },
        }
    }

    /// The same with the timing of another board.
    pub fn with(self, profile: Profile) -> Hardware {
        match profile {
            Profile::Usb => self,
            Profile::Bluetooth => Hardware {
                sweep: 450.0,
                latency: 40.0,
                jitter: 40.0,
                ..self
            },
            Profile::Fast => Hardware {
                sweep: 50.0,
                latency: 5.0,
                jitter: 5.0,
                ..self
            },
            Profile::Ideal => Hardware {
                sweep: 0.0,
                latency: 0.0,
                jitter: 0.0,
                lever_poll: 0.0,
                ..self
            },
        }
    }
}
