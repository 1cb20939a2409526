//! The file of one device's outbox: append, read on, acknowledge, compact, and repair a torn end at start.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use protocol::Seq;

use super::record::{self, BootKey, HEADER, Head, MAGIC, MAX_PAYLOAD};

/// Acknowledged bytes at the head of a file from which on it is written anew without them.
const COMPACT_FROM: u64 = 4 * 1024 * 1024;

/// Envelopes that are read back at once, at most.
const MOST_SINCE: usize = 4_096;

/// Where the records of a file begin.
const START: u64 = MAGIC.len() as u64;

/// What a damaged file cost when it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repair {
    /// Bytes at the end that were no whole record; they are kept beside the file.
    pub torn_bytes: u64,
}

/// An envelope read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) boot: BootKey,
    pub(super) payload: Vec<u8>,
}

/// One device's file. **What stands between `acked` and `end` is not yet in the hub's journal**; of that, what stands
/// before `sent` is on its way.
#[derive(Debug)]
pub(super) struct BoxFile {
    path: PathBuf,
    file: File,
    end: u64,
    acked: u64,
    sent: u64,
    waiting: u64,
    in_flight: u64,
    last: Option<(BootKey, Seq)>,
    marks: Vec<(BootKey, Seq)>,
}

impl BoxFile {
    /// Opens or makes the file; a torn end is moved aside and said.
    pub(super) fn open(path: &Path) -> io::Result<(BoxFile, Repair)> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut this = BoxFile {
            path: path.to_owned(),
            file,
            end: START,
            acked: START,
            sent: START,
            waiting: 0,
            in_flight: 0,
            last: None,
            marks: Vec::new(),
        };
        let repair = this.scan()?;
        this.skip_acked()?;
        Ok((this, repair))
    }

    /// Appends records without syncing; on an error the file is as before.
    pub(super) fn append(&mut self, boot: BootKey, seq: Seq, payload: &[u8]) -> io::Result<()> {
        let bytes = record::encode(boot, seq, payload);
        if payload.is_empty() || payload.len() > MAX_PAYLOAD {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        if let Err(error) = self.file.write_all_at(&bytes, self.end) {
            let _cut_again_at_next_open = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += bytes.len() as u64;
        self.waiting += 1;
        self.last = Some((boot, seq));
        Ok(())
    }

    /// Makes everything appended durable.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// The hub has everything of `boot` up to `seq`. Frees the head of the file; older starts are never skipped. What is
    /// `wanted` stays readable for [`BoxFile::since`].
    pub(super) fn ack(&mut self, boot: BootKey, seq: Seq, wanted: bool) -> io::Result<()> {
        match self.marks.iter_mut().find(|(known, _)| *known == boot) {
            Some((_, known)) => *known = seq.max(*known),
            None => self.marks.push((boot, seq)),
        }
        let before = self.acked;
        self.skip_acked()?;
        if self.acked == before || (!wanted && self.forget_if_done()?) {
            return Ok(());
        }
        self.write_marks()?;
        if self.acked - START > COMPACT_FROM && self.acked > self.end / 2 {
            self.compact()?;
        }
        Ok(())
    }

    /// The next envelope to send; none when everything is on its way.
    pub(super) fn next(&mut self) -> io::Result<Option<Stored>> {
        while self.sent < self.end {
            let (header, head) = self.head(self.sent)?;
            let mut payload = vec![0; head.len];
            self.file
                .read_exact_at(&mut payload, self.sent + HEADER as u64)?;
            self.sent += head.size();
            if !head.is_mark() {
                self.in_flight += 1;
                let whole = head.fits(&header, &payload);
                return if whole {
                    Ok(Some(Stored {
                        boot: head.boot,
                        payload,
                    }))
                } else {
                    Err(io::ErrorKind::InvalidData.into())
                };
            }
        }
        Ok(None)
    }

    /// The newest envelopes after this one, acknowledged or not, oldest first; the whole file where it is not there.
    pub(super) fn since(&self, mark: Option<(BootKey, Seq)>) -> io::Result<Vec<Vec<u8>>> {
        let mut places = Vec::new();
        let mut at = START;
        while at < self.end {
            let (_, head) = self.head(at)?;
            if !head.is_mark() {
                places.push(at);
            }
            if mark == Some((head.boot, head.seq)) && !head.is_mark() {
                places.clear();
            }
            at += head.size();
        }
        let newest = places.len().saturating_sub(MOST_SINCE);
        places[newest..]
            .iter()
            .map(|&at| self.payload(at))
            .collect()
    }

    fn payload(&self, at: u64) -> io::Result<Vec<u8>> {
        let (_, head) = self.head(at)?;
        let mut payload = vec![0; head.len];
        self.file.read_exact_at(&mut payload, at + HEADER as u64)?;
        Ok(payload)
    }

    /// Everything that is not acknowledged is to be sent again.
    pub(super) fn rewind(&mut self) {
        (self.sent, self.in_flight) = (self.acked, 0);
    }

    /// Envelopes that were sent and not acknowledged.
    pub(super) fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Envelopes that wait for the hub.
    pub(super) fn waiting(&self) -> u64 {
        self.waiting
    }

    /// Bytes of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.end
    }

    /// The highest number of this start that is or was in the file.
    pub(super) fn last_of(&self, boot: BootKey) -> Option<Seq> {
        self.last
            .filter(|(known, _)| *known == boot)
            .map(|(_, seq)| seq)
    }

    fn scan(&mut self) -> io::Result<Repair> {
        let length = self.file.metadata()?.len();
        let mut reader = BufReader::with_capacity(64 * 1024, self.file.try_clone()?);
        let mut magic = [0; MAGIC.len()];
        let whole = reader.read_exact(&mut magic).is_ok() && &magic == MAGIC;
        if !whole {
            let repair = self.set_aside(0, length)?;
            self.file.set_len(0)?;
            self.file.write_all_at(MAGIC, 0)?;
            self.file.sync_data()?;
            return Ok(repair);
        }
        while let Some((head, _)) = next_record(&mut reader)? {
            self.end += head.size();
            self.take_in(&head);
        }
        let repair = self.set_aside(self.end, length)?;
        self.file.set_len(self.end)?;
        Ok(repair)
    }

    fn take_in(&mut self, head: &Head) {
        if head.is_mark() {
            self.marks.retain(|(boot, _)| *boot != head.boot);
            self.marks.push((head.boot, head.seq));
        } else {
            self.waiting += 1;
            self.last = Some((head.boot, head.seq));
        }
    }

    fn set_aside(&self, from: u64, to: u64) -> io::Result<Repair> {
        if from >= to {
            return Ok(Repair::default());
        }
        let mut torn = vec![0; usize::try_from((to - from).min(1 << 20)).unwrap_or(0)];
        self.file.read_exact_at(&mut torn, from)?;
        let mut aside = File::create(self.path.with_extension("torn"))?;
        aside.write_all(&torn)?;
        Ok(Repair {
            torn_bytes: to - from,
        })
    }

    fn skip_acked(&mut self) -> io::Result<()> {
        while self.acked < self.end {
            let (_, head) = self.head(self.acked)?;
            let done = |&(boot, seq): &(BootKey, Seq)| boot == head.boot && seq >= head.seq;
            if !head.is_mark() && !self.marks.iter().any(done) {
                break;
            }
            if !head.is_mark() {
                self.waiting -= 1;
                self.in_flight -= u64::from(self.acked < self.sent);
            }
            self.acked += head.size();
        }
        self.sent = self.sent.max(self.acked);
        Ok(())
    }

    fn forget_if_done(&mut self) -> io::Result<bool> {
        if self.acked < self.end {
            return Ok(false);
        }
        self.file.set_len(START)?;
        self.marks.clear();
        (self.acked, self.sent, self.end) = (START, START, START);
        Ok(true)
    }

    fn write_marks(&mut self) -> io::Result<()> {
        for (boot, seq) in &self.marks {
            let bytes = record::encode(*boot, *seq, &[]);
            self.file.write_all_at(&bytes, self.end)?;
            self.end += bytes.len() as u64;
        }
        Ok(())
    }

    fn compact(&mut self) -> io::Result<()> {
        let fresh = self.path.with_extension("new");
        let mut to = File::create(&fresh)?;
        to.write_all(MAGIC)?;
        let mut at = self.acked;
        let mut piece = vec![0; 64 * 1024];
        while at < self.end {
            let len = usize::try_from((self.end - at).min(piece.len() as u64)).unwrap_or(0);
            self.file.read_exact_at(&mut piece[..len], at)?;
            to.write_all(&piece[..len])?;
            at += len as u64;
        }
        to.sync_data()?;
        std::fs::rename(&fresh, &self.path)?;
        self.file = OpenOptions::new().read(true).write(true).open(&self.path)?;
        let gone = self.acked - START;
        (self.acked, self.sent, self.end) = (START, self.sent - gone, self.end - gone);
        Ok(())
    }

    fn head(&self, at: u64) -> io::Result<([u8; HEADER], Head)> {
        let mut header = [0; HEADER];
        self.file.read_exact_at(&mut header, at)?;
        let head = Head::decode(&header).ok_or(io::ErrorKind::InvalidData)?;
        Ok((header, head))
    }
}

fn next_record(reader: &mut impl Read) -> io::Result<Option<(Head, Vec<u8>)>> {
    let mut header = [0; HEADER];
    if !fill(reader, &mut header)? {
        return Ok(None);
    }
    let Some(head) = Head::decode(&header) else {
        return Ok(None);
    };
    let mut payload = vec![0; head.len];
    let whole = fill(reader, &mut payload)? && head.fits(&header, &payload);
    Ok(whole.then_some((head, payload)))
}

fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: BootKey = *b"0000000000000old";
    const NEW: BootKey = *b"0000000000000new";

    fn all(file: &mut BoxFile) -> Vec<Vec<u8>> {
        file.rewind();
        std::iter::from_fn(|| file.next().expect("readable"))
            .map(|stored| stored.payload)
            .collect()
    }

    fn three(dir: &Path) -> PathBuf {
        let path = dir.join("dgt-1.box");
        let (mut file, _) = BoxFile::open(&path).expect("fresh");
        for (boot, seq, text) in [(OLD, 7, "seven"), (NEW, 1, "one"), (NEW, 2, "two")] {
            file.append(boot, seq, text.as_bytes()).expect("written");
        }
        path
    }

    #[test]
    fn a_file_cut_at_any_byte_keeps_every_whole_record_before_the_cut() {
        let dir = tempfile::tempdir().expect("a place");
        let whole = std::fs::read(three(dir.path())).expect("readable");
        let ends = [8, 8 + 32 + 5, 8 + 32 + 5 + 32 + 3, whole.len()];
        for cut in 0..=whole.len() {
            let path = dir.path().join("cut.box");
            std::fs::write(&path, &whole[..cut]).expect("written");
            let (mut file, repair) = BoxFile::open(&path).expect("repaired");
            let kept = ends
                .iter()
                .filter(|&&end| end <= cut)
                .count()
                .saturating_sub(1);
            assert_eq!(all(&mut file).len(), kept, "cut at {cut}");
            let torn = cut - ends.iter().rfind(|&&end| end <= cut).unwrap_or(&0);
            assert_eq!(repair.torn_bytes, torn as u64, "cut at {cut}");
            file.append(NEW, 9, b"after").expect("goes on");
            drop(file);
            let (mut again, repair) = BoxFile::open(&path).expect("whole");
            assert_eq!((all(&mut again).len(), repair.torn_bytes), (kept + 1, 0));
        }
    }

    #[test]
    fn a_flipped_byte_is_never_taken_for_a_fact() {
        let dir = tempfile::tempdir().expect("a place");
        let whole = std::fs::read(three(dir.path())).expect("readable");
        for at in 8..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 0x20;
            let path = dir.path().join("bad.box");
            std::fs::write(&path, &bad).expect("written");
            let (mut file, _) = BoxFile::open(&path).expect("repaired");
            for payload in all(&mut file) {
                assert!(
                    [&b"seven"[..], b"one", b"two"].contains(&&payload[..]),
                    "{at}"
                );
            }
        }
    }

    #[test]
    fn acknowledgements_free_the_head_and_never_skip_an_older_start() {
        let dir = tempfile::tempdir().expect("a place");
        let path = three(dir.path());
        let (mut file, _) = BoxFile::open(&path).expect("whole");
        file.ack(NEW, 1, false).expect("taken");
        assert_eq!(file.waiting(), 3, "the older start stands before it");
        file.ack(OLD, 7, false).expect("taken");
        assert_eq!((file.waiting(), all(&mut file)), (1, vec![b"two".to_vec()]));
        drop(file);
        let (mut file, _) = BoxFile::open(&path).expect("whole");
        assert_eq!((file.waiting(), file.last_of(NEW)), (1, Some(2)));
        file.ack(NEW, 2, false).expect("taken");
        assert_eq!((file.waiting(), file.bytes()), (0, 8));
        file.append(NEW, 3, b"three").expect("goes on");
        assert_eq!(all(&mut file), [b"three".to_vec()]);
    }

    #[test]
    fn what_a_memory_does_not_have_yet_is_read_back_though_it_was_acknowledged() {
        let dir = tempfile::tempdir().expect("a place");
        let path = three(dir.path());
        let (mut file, _) = BoxFile::open(&path).expect("whole");
        file.ack(OLD, 7, true).expect("taken");
        file.ack(NEW, 2, true).expect("taken");
        assert_eq!(file.waiting(), 0);
        drop(file);
        let (file, _) = BoxFile::open(&path).expect("whole");
        let texts: [&[u8]; 3] = [b"seven", b"one", b"two"];
        for (mark, rest) in [
            (None, 0),
            (Some((OLD, 7)), 1),
            (Some((NEW, 1)), 2),
            (Some((NEW, 2)), 3),
        ] {
            assert_eq!(file.since(mark).expect("readable"), &texts[rest..]);
        }
    }

    #[test]
    fn a_long_acknowledged_head_is_dropped_and_sending_goes_on_where_it_was() {
        let dir = tempfile::tempdir().expect("a place");
        let (mut file, _) = BoxFile::open(&dir.path().join("x.box")).expect("fresh");
        let payload = vec![b'x'; 10_000];
        for seq in 1..=600 {
            file.append(NEW, seq, &payload).expect("written");
        }
        for _ in 0..500 {
            file.next().expect("readable").expect("there");
        }
        file.ack(NEW, 480, false).expect("taken");
        assert!(file.bytes() < 1_300_000, "{}", file.bytes());
        assert_eq!((file.waiting(), file.in_flight()), (120, 20));
        let rest = std::iter::from_fn(|| file.next().expect("readable")).count();
        assert_eq!((rest, file.in_flight()), (100, 120));
    }
}
