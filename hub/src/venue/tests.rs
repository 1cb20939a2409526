//! Stories and properties of the whole venue.
