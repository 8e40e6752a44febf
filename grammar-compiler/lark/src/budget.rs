//! What reading may spend: nodes and time.

use crate::error::Error;
use std::ops::Range;

/// The nodes that may still be made, and the caller's clock.
pub(crate) struct Budget<'c> {
    nodes: usize,
    limit: usize,
    clock: &'c mut dyn FnMut() -> bool,
}

impl<'c> Budget<'c> {
    pub(crate) fn new(limit: usize, clock: &'c mut dyn FnMut() -> bool) -> Self {
        Self {
            nodes: 0,
            limit,
            clock,
        }
    }

    /// Looks at the clock, for the token or node at `span`.
    pub(crate) fn tick(&mut self, span: &Range<usize>) -> Result<(), Error> {
        if (self.clock)() {
            Ok(())
        } else {
            Err(Error::stopped(span.clone()))
        }
    }

    /// Pays for `count` nodes of the grammar that is read.
    pub(crate) fn spend(&mut self, count: usize, span: &Range<usize>) -> Result<(), Error> {
        self.tick(span)?;
        self.nodes = self.nodes.saturating_add(count);
        if self.nodes <= self.limit {
            return Ok(());
        }
        let message = format!(
            "the grammar has more than {} nodes, written out",
            self.limit
        );
        let help = "make templates, parametric rules or alternatives fewer";
        Err(Error::limit(message, span.clone(), help))
    }
}
