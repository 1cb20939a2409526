//! What a receiver has got, what it did not take and when that may be tried again.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use tokio::time::Instant;

use super::files::Written;
use super::{Answer, Post};

/// The longest wait between two tries of a message, unless the other server wants a longer one.
const LONGEST: Duration = Duration::from_secs(60);

/// A message that was refused while others were taken.
struct Refused {
    hash: u64,
    again: Instant,
    why: String,
}

/// What a receiver has got, and when it may be tried again.
pub(super) struct Sent {
    pub(super) files: Written,
    /// Messages, by what they are about.
    known: BTreeMap<String, u64>,
    /// What of them was not taken, as long as they stay as they are.
    partly: BTreeMap<String, String>,
    refused: BTreeMap<String, Refused>,
    tries: u32,
    not_before: Option<Instant>,
}

impl Sent {
    /// Nothing so far.
    pub(super) fn begun() -> Sent {
        Sent {
            files: Written::begun(),
            known: BTreeMap::new(),
            partly: BTreeMap::new(),
            refused: BTreeMap::new(),
            tries: 0,
            not_before: None,
        }
    }

    /// Whether something may be tried now.
    pub(super) fn may(&self) -> bool {
        self.not_before.is_none_or(|at| at <= Instant::now())
    }

    /// Nothing waits any more.
    pub(super) fn try_at_once(&mut self) {
        self.not_before = None;
        self.refused.clear();
    }

    /// Nothing is tried for so long.
    pub(super) fn leave_alone(&mut self, wait: Duration) {
        self.not_before = Some(Instant::now() + wait);
    }

    /// Whether a message that was refused may be tried again.
    pub(super) fn has_refused_due(&self) -> bool {
        let now = Instant::now();
        self.refused.values().any(|refused| refused.again <= now)
    }

    /// The messages that it does not have, those last that were refused before.
    pub(super) fn news(&mut self, posts: Vec<Post>) -> Vec<Post> {
        let there = |about: &String| posts.iter().any(|post| post.about == *about);
        self.refused.retain(|about, _| there(about));
        let now = Instant::now();
        let waits = |post: &Post| {
            let refused = self.refused.get(&post.about);
            refused.is_some_and(|r| r.hash == hash(post) && r.again > now)
        };
        let is_new = |post: &Post| self.known.get(&post.about) != Some(&hash(post)) && !waits(post);
        let mut new: Vec<Post> = posts.into_iter().filter(is_new).collect();
        new.sort_by_key(|post| self.refused.contains_key(&post.about));
        new
    }

    /// Notes what came of some messages: how many were taken, and why the others have to wait, if they have to. One that is refused
    /// beside others that are taken keeps nobody waiting.
    pub(super) fn hear(
        &mut self,
        posts: &[Post],
        answers: Vec<(Answer, Option<Duration>)>,
    ) -> (u64, Option<String>) {
        let is_taken =
            |(answer, _): &(Answer, _)| matches!(answer, Answer::Taken | Answer::Partly(_));
        let taken = answers.iter().filter(|answer| is_taken(answer)).count();
        let mut stop = None;
        for (post, (answer, wait)) in posts.iter().zip(answers) {
            let about = post.about.clone();
            match answer {
                Answer::Taken => self.took(post, None),
                Answer::Partly(why) => self.took(post, Some(why)),
                Answer::Later(why) => {
                    // A server that names a moment gone by is not asked without a pause.
                    let named = wait.filter(|wait| !wait.is_zero());
                    stop = Some((why, named.unwrap_or_else(|| self.usual_wait())));
                }
                Answer::Refused(why) if taken > 0 || self.refused.contains_key(&about) => {
                    let refused = Refused {
                        hash: hash(post),
                        again: Instant::now() + LONGEST,
                        why: format!("{about}: {why}"),
                    };
                    self.refused.insert(about, refused);
                }
                Answer::Refused(why) => stop = stop.or(Some((why, LONGEST))),
            }
        }
        let stop = stop.map(|(why, wait)| {
            self.tries += 1;
            self.leave_alone(wait);
            why
        });
        (taken as u64, stop)
    }

    fn took(&mut self, post: &Post, but: Option<String>) {
        let about = post.about.clone();
        self.known.insert(about.clone(), hash(post));
        self.refused.remove(&about);
        match but {
            Some(why) => self.partly.insert(about, why),
            None => self.partly.remove(&about),
        };
    }

    /// Everything was tried.
    pub(super) fn whole(&mut self) {
        self.tries = 0;
        self.not_before = None;
    }

    /// What it has not taken, in words.
    pub(super) fn trouble(&self) -> Option<String> {
        let refused = self.refused.values().map(|refused| refused.why.as_str());
        let all = self.partly.values().map(String::as_str).chain(refused);
        let some: Vec<&str> = all.take(5).collect();
        (!some.is_empty()).then(|| some.join("; "))
    }

    /// One second, two, four … a minute.
    fn usual_wait(&self) -> Duration {
        Duration::from_secs(1 << self.tries.min(6)).min(LONGEST)
    }
}

fn hash(post: &Post) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&post.url, &post.content).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(about: u8, content: &str) -> Post {
        Post {
            about: format!("board {about}"),
            url: String::new(),
            token_file: None,
            content_type: "text/plain",
            content: content.to_owned(),
        }
    }

    fn abouts(posts: &[Post]) -> Vec<&str> {
        posts.iter().map(|post| post.about.as_str()).collect()
    }

    #[tokio::test]
    async fn a_message_that_is_refused_keeps_no_other_waiting() {
        let taken = || (Answer::Taken, None);
        let refused = || (Answer::Refused("no".to_owned()), None);
        let mut sent = Sent::begun();
        let all = |content| vec![post(1, content), post(2, content)];
        let new = sent.news(all("a"));
        assert_eq!(sent.hear(&new, vec![refused(), taken()]), (1, None));
        assert_eq!(sent.trouble().as_deref(), Some("board 1: no"));
        assert!(sent.may() && sent.news(all("a")).is_empty());
        let new = sent.news(all("b"));
        assert_eq!(abouts(&new), ["board 2", "board 1"], "the refused one last");
        assert_eq!(
            sent.hear(&new[1..], vec![refused()]),
            (0, None),
            "as before"
        );
        assert_eq!(sent.hear(&new[..1], vec![taken()]), (1, None));
        assert!(sent.news(vec![post(2, "b")]).is_empty() && sent.trouble().is_none());

        let mut sent = Sent::begun();
        let new = sent.news(all("a"));
        let (count, stop) = sent.hear(&new, vec![refused(), refused()]);
        assert_eq!((count, stop.as_deref(), sent.may()), (0, Some("no"), false));
    }

    #[tokio::test]
    async fn waits_double_and_are_as_long_as_the_other_server_wants() {
        let later = |wait| vec![(Answer::Later("later".to_owned()), wait)];
        let mut sent = Sent::begun();
        let one = [post(1, "a")];
        for (wait, seconds) in [
            (None, 1),
            (None, 2),
            (Some(Duration::from_secs(90)), 90),
            (None, 8),
            (Some(Duration::ZERO), 16),
        ] {
            sent.hear(&one, later(wait));
            let left = sent.not_before.expect("it waits") - Instant::now();
            assert_eq!(left.as_secs_f64().round() as u64, seconds);
        }
        for _ in 0..9 {
            sent.hear(&one, later(None));
        }
        assert_eq!(sent.usual_wait(), LONGEST);
        sent.whole();
        assert!(sent.may() && sent.usual_wait() == Duration::from_secs(1));
    }
}
