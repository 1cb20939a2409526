//! `asyncapi`: the document of all topics.

use anyhow::Result;
use clap::Args;

use super::args::Where;
use super::say;
use crate::asyncapi::document;

/// Every topic with its messages, as an AsyncAPI 3 document in JSON.
#[derive(Debug, Args)]
pub(super) struct AsyncApi {
    #[command(flatten)]
    place: Where,
}

impl AsyncApi {
    pub(super) fn run(self) -> Result<bool> {
        let config = self.place.config()?;
        let text = serde_json::to_string_pretty(&document(&config.venue))?;
        say::line(text);
        Ok(true)
    }
}
