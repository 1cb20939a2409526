//! How much work one question may cost, and who may stop it.

use std::fmt;

/// Work is counted in nodes (one generated set of moves, or one closed phase, each about a microsecond); `stop` is asked every
/// [`Budget::POLL`] nodes, so a caller can bind a deadline or a cancel button without this room reading a clock.
pub struct Budget<'a> {
    nodes: u64,
    spent: u64,
    next_poll: u64,
    stop: &'a mut dyn FnMut() -> bool,
    stopped: bool,
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("spent", &self.spent)
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

impl<'a> Budget<'a> {
    /// Nodes between two questions to `stop`.
    pub const POLL: u64 = 32;

    /// At most `nodes` nodes of work, less when `stop` answers true.
    pub fn new(nodes: u64, stop: &'a mut dyn FnMut() -> bool) -> Self {
        Self {
            nodes,
            spent: 0,
            next_poll: Self::POLL,
            stop,
            stopped: false,
        }
    }

    /// Nodes spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Nodes left before the budget ends; 0 once stopped.
    pub fn left(&self) -> u64 {
        if self.stopped {
            return 0;
        }
        self.nodes.saturating_sub(self.spent)
    }

    /// Whether the work ended because `stop` said so, not because the nodes ran out.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Lets `work` spend at most `nodes` of this budget, under the same `stop`.
    pub fn with_part<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        let mut part = Budget::new(self.left().min(nodes), &mut *self.stop);
        let answer = work(&mut part);
        let (spent, stopped) = (part.spent, part.stopped);
        self.spent = self.spent.saturating_add(spent);
        self.stopped = self.stopped || stopped;
        answer
    }

    /// Pays `nodes`; false means: go no further.
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.spent = self.spent.saturating_add(nodes);
        if self.spent >= self.next_poll {
            self.next_poll = self.spent + Self::POLL;
            self.stopped = self.stopped || (self.stop)();
        }
        !self.stopped && self.spent <= self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_run_out() {
        let mut never = || false;
        let mut budget = Budget::new(3, &mut never);
        assert!(budget.spend(3));
        assert!(!budget.spend(1));
        assert_eq!(budget.left(), 0);
    }

    #[test]
    fn stop_is_asked_again_and_again_and_is_final() {
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked >= 3
        };
        let mut budget = Budget::new(u64::MAX, &mut stop);
        let mut paid = 0;
        while budget.spend(1) {
            paid += 1;
        }
        assert!(budget.was_stopped());
        assert!(paid < 4 * Budget::POLL);
    }
}
