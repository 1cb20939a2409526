//! The local API of LiveChess, port 1982: HTTP and WebSocket on one address, as the programs that talk to LiveChess expect them.

mod documents;
mod serve;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use documents::hall_of;

use super::delivery::one;
use super::{Delivery, Feed, FeedsConfig, Subject, Target};

pub(super) use serve::{Api, NAME, serve};

/// The listener; it is asked, it delivers nothing by itself.
pub(super) struct LivechessApi;

impl Feed for LivechessApi {
    fn name(&self) -> &'static str {
        "livechess-api"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = &config.livechess_api;
        let on = own.listen.is_some();
        one(self.name(), on, config.audience_of(&own.audience))
    }

    fn deliveries(&self, _: &[Subject], _: &FeedsConfig, _: &Target) -> Vec<Delivery> {
        Vec::new()
    }
}
