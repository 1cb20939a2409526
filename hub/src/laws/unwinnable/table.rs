//! The positions a walk has seen, each once, with the way they were reached.

use super::keys::Key;

/// The parent of the first position.
pub(super) const NO_PARENT: u32 = u32::MAX;
const SEGMENT: usize = 1 << 14;
const EMPTY: u64 = u64::MAX;
/// Set in the shape's number once a position has been dealt with.
const DONE: u32 = 1 << 31;
/// Where the number of moves from the start is kept, beside the shape's number.
const DEPTH: u32 = 18;
const DEEPEST: u32 = (1 << 13) - 1;
const SHAPE: u32 = (1 << DEPTH) - 1;

#[derive(Clone, Copy)]
struct Node {
    low: u64,
    high: u64,
    shape: u32,
    parent: u32,
}

/// An append-only list of positions with an index by key. Grows in segments, so that memory is never held twice.
pub(super) struct Table {
    segments: Vec<Vec<Node>>,
    /// The hash of a key and, below it, its number.
    index: Vec<u64>,
    len: usize,
}

impl Table {
    pub(super) fn new() -> Self {
        Self {
            segments: Vec::new(),
            index: vec![EMPTY; 512],
            len: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a position; its number, or nothing if it was there already.
    pub(super) fn insert(&mut self, key: Key, parent: u32) -> Option<u32> {
        if 3 * (self.len + 1) > 2 * self.index.len() {
            self.grow();
        }
        let mask = self.index.len() - 1;
        let hash = spread(key);
        let mut slot = hash as usize & mask;
        while self.index[slot] != EMPTY {
            let known = self.index[slot];
            if (known >> 32) as u32 == hash && self.key(known as u32) == key {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        let number = self.len as u32;
        self.index[slot] = u64::from(hash) << 32 | u64::from(number);
        let (low, high) = (key.squares as u64, (key.squares >> 64) as u64);
        let depth = if parent == NO_PARENT {
            0
        } else {
            (self.depth(parent) + 1).min(DEEPEST)
        };
        self.push(Node {
            low,
            high,
            shape: key.shape | depth << DEPTH,
            parent,
        });
        Some(number)
    }

    pub(super) fn key(&self, number: u32) -> Key {
        let node = self.node(number);
        Key {
            shape: node.shape & SHAPE,
            squares: u128::from(node.high) << 64 | u128::from(node.low),
        }
    }

    pub(super) fn parent(&self, number: u32) -> u32 {
        self.node(number).parent
    }

    /// Moves from the start, by the way it was first reached.
    pub(super) fn depth(&self, number: u32) -> u32 {
        (self.node(number).shape & !DONE) >> DEPTH
    }

    /// Marks a position as dealt with; true the first time.
    pub(super) fn finish(&mut self, number: u32) -> bool {
        let at = number as usize;
        let node = &mut self.segments[at / SEGMENT][at % SEGMENT];
        let first = node.shape & DONE == 0;
        node.shape |= DONE;
        first
    }

    fn node(&self, number: u32) -> &Node {
        &self.segments[number as usize / SEGMENT][number as usize % SEGMENT]
    }

    fn push(&mut self, node: Node) {
        if self.len.is_multiple_of(SEGMENT) {
            let room = if self.len == 0 { 64 } else { SEGMENT };
            self.segments.push(Vec::with_capacity(room));
        }
        if let Some(last) = self.segments.last_mut() {
            last.push(node);
        }
        self.len += 1;
    }

    fn grow(&mut self) {
        let size = 2 * self.index.len();
        let before = std::mem::replace(&mut self.index, vec![EMPTY; size]);
        for entry in before.into_iter().filter(|entry| *entry != EMPTY) {
            let mut slot = (entry >> 32) as usize & (size - 1);
            while self.index[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.index[slot] = entry;
        }
    }
}

fn spread(key: Key) -> u32 {
    let high = (key.squares >> 64) as u64 ^ u64::from(key.shape) << 32;
    let folded = (key.squares as u64) ^ high.wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}
