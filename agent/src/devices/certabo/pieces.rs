//! Which number belongs to which piece: learned once from the initial array, kept for the set.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::frame::{Tag, squares};
use crate::devices::{Orientation, OrientationChoice, Placement};

/// So many frames are compared before a set is believed …
const FRAMES: usize = 7;
/// … and a square must have read the same in so many of them.
const CLEAR: usize = 5;

/// Ranks on which the armies stand.
const ARMIES: Bitboard = Bitboard(0xFFFF_0000_0000_FFFF);
/// Where extra queens lie while a set is learned: White's on d3, Black's on d6.
const QUEENS: [(Square, Color); 2] = [(Square::D3, Color::White), (Square::D6, Color::Black)];

/// The pieces of a set by their numbers.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    known: BTreeMap<Tag, Piece>,
    frames: VecDeque<Vec<Tag>>,
    orientation: Option<Orientation>,
    /// The set was learned without knowing how the board lies, and nobody has moved yet.
    assumed: bool,
    array: Option<Placement>,
    learned: BTreeMap<Square, Tag>,
}

impl Pieces {
    /// Whether the numbers mean something.
    pub(super) fn are_known(&self) -> bool {
        !self.known.is_empty()
    }

    /// The piece with this number.
    pub(super) fn piece(&self, tag: &Tag) -> Option<Piece> {
        self.known.get(tag).copied()
    }

    /// Whether a number looks as those of the set do.
    pub(super) fn is_like_the_set(&self, tag: &Tag) -> bool {
        self.known.keys().any(|known| known[..2] == tag[..2])
    }

    /// The array the set was last learned from, in the board's own numbering.
    pub(super) fn array(&self) -> Option<Placement> {
        self.array
    }

    /// Learns from one more frame; says what to keep when something was learned.
    pub(super) fn look(&mut self, tags: &[Tag]) -> Option<String> {
        self.frames.push_back(tags.to_vec());
        if self.frames.len() > FRAMES {
            self.frames.pop_front();
        }
        if self.frames.len() < FRAMES {
            return None;
        }
        let array = self.majorities()?;
        if array.values().all(|tag| self.known.contains_key(tag)) {
            return None;
        }
        let told = self.orientation.or_else(|| self.lies_as_known(&array));
        self.assumed = told.is_none();
        self.learned = array;
        Some(self.label(told.unwrap_or(Orientation::Normal)))
    }

    /// What was kept for this set.
    pub(super) fn remember(&mut self, kept: &str) {
        for word in kept.split_ascii_whitespace() {
            if let Some((tag, piece)) = read_pair(word) {
                self.known.insert(tag, piece);
            }
        }
    }

    /// How the board lies.
    pub(super) fn lies(&mut self, choice: OrientationChoice) {
        self.orientation = choice.known();
        self.assumed &= self.orientation.is_none();
    }

    /// The pieces of the set that are known already tell how the board lies.
    fn lies_as_known(&self, array: &BTreeMap<Square, Tag>) -> Option<Orientation> {
        let agree = |lies: Orientation| {
            let start = lies.apply(&Placement::start());
            let known = array
                .iter()
                .filter_map(|(square, tag)| Some((square, self.piece(tag)?)));
            known
                .filter(|(square, piece)| start.at(**square) == Some(*piece))
                .count()
        };
        let (normal, rotated) = (agree(Orientation::Normal), agree(Orientation::Rotated));
        match normal.cmp(&rotated) {
            std::cmp::Ordering::Greater => Some(Orientation::Normal),
            std::cmp::Ordering::Less => Some(Orientation::Rotated),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The clear reading of every square of an initial array; none unless all are there and differ.
    fn majorities(&self) -> Option<BTreeMap<Square, Tag>> {
        let mut array = BTreeMap::new();
        for (number, square) in squares().enumerate() {
            let clear = self.clear(number);
            if ARMIES.contains(square) {
                array.insert(square, clear?);
            } else if QUEENS.iter().any(|(queen, _)| *queen == square) {
                array.extend(clear.map(|tag| (square, tag)));
            }
        }
        let numbers: BTreeSet<&Tag> = array.values().collect();
        (numbers.len() == array.len()).then_some(array)
    }

    fn clear(&self, number: usize) -> Option<Tag> {
        let first = self.frames.iter().filter_map(|frame| frame.get(number));
        let mut counts: BTreeMap<&Tag, usize> = BTreeMap::new();
        first
            .filter(|tag| !is_nothing(tag))
            .for_each(|tag| *counts.entry(tag).or_default() += 1);
        counts
            .into_iter()
            .find(|(_, count)| *count >= CLEAR)
            .map(|(tag, _)| *tag)
    }

    /// Gives the learned numbers their pieces; says what to keep.
    fn label(&mut self, lies: Orientation) -> String {
        let start = lies.apply(&Placement::start());
        let pairs = self.learned.iter().filter_map(|(square, tag)| {
            let piece = start.at(*square).or_else(|| queen(*square, lies))?;
            Some((*tag, piece))
        });
        self.known = pairs.collect();
        self.array = Some(start);
        self.to_text()
    }

    /// White moves first. When the first man comes from where Black was taken to sit, the board lies the other way
    /// round: says what to keep then.
    pub(super) fn first_move(&mut self, board: &Placement) -> Option<String> {
        let array = self.array.filter(|_| self.assumed)?;
        let differ = array.differences(board);
        let came = differ.iter().filter_map(|&square| board.at(square));
        let [mover] = came.collect::<Vec<_>>()[..] else {
            return None;
        };
        self.assumed = false;
        (differ.len() == 2 && mover.color.is_black()).then(|| self.label(Orientation::Rotated))
    }

    fn to_text(&self) -> String {
        let pairs = self.known.iter().map(|(tag, piece)| {
            let digits: String = tag.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{digits}={}", piece.char())
        });
        pairs.collect::<Vec<_>>().join(" ")
    }
}

/// More than two zeros of five are what an empty square reads.
pub(super) fn is_nothing(tag: &Tag) -> bool {
    tag.iter().filter(|&&byte| byte == 0).count() > 2
}

fn queen(square: Square, lies: Orientation) -> Option<Piece> {
    QUEENS
        .into_iter()
        .find(|(queen, _)| *queen == square)
        .map(|(_, color)| match lies {
            Orientation::Normal => Role::Queen.of(color),
            Orientation::Rotated => Role::Queen.of(color.other()),
        })
}

fn read_pair(word: &str) -> Option<(Tag, Piece)> {
    let (digits, letter) = word.split_once('=')?;
    if digits.len() != 10 || !digits.is_ascii() {
        return None;
    }
    let mut tag = Tag::default();
    for (at, byte) in tag.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[at * 2..at * 2 + 2], 16).ok()?;
    }
    Some((tag, Piece::from_char(letter.chars().next()?)?))
}
