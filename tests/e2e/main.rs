//! The house from end to end: its shape, its stories, its faults.

mod beside;
mod captures;
mod desk;
mod families;
mod faults;
mod flow;
mod hall;
mod livechess;
mod node;
mod own_boards;
mod pages;
mod pip;
mod readers;
mod scenarios;
mod sign;
mod tidy;
mod world;
