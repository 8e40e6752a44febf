//! A part that is compiled when it is first needed.
//!
//! In: a function that compiles it. Out: [`PartCell`], which returns the part to all that share it.
//! What holds: the guarantees of [`Once`].

use std::fmt;
use std::sync::atomic::AtomicU8;
use std::sync::{Arc, OnceLock, Weak};

use maskwright_core::link::OwnedPart;

use super::NotLinked;
use super::base::BaseCell;
use super::behind_name::BehindName;
use super::compiles::{Compiles, Once};
use crate::digest::Digest;
use crate::limits::{Cancel, Limits};

/// A part, and what is known of names in front of it.
pub(super) type Made = (OwnedPart, Option<BehindName>);
type Compile = Box<dyn Fn(&Limits) -> Result<Made, NotLinked> + Send>;

/// A queue of parts that are compiled ahead.
pub(super) trait Prioritize: Send + Sync {
    /// A matcher is about to need this part. Does not wait.
    fn prioritize(&self, cell: &Arc<PartCell>);
}

/// A part that is compiled when it is first needed.
pub struct PartCell {
    part: Once<Compile, OwnedPart, NotLinked>,
    behind_name: OnceLock<BehindName>,
    /// Bytes of the text that it is compiled from.
    text: usize,
    /// What a compile of it may cost.
    limits: Limits,
    /// What the store calls it.
    pub(super) key: Digest,
    compiles: Arc<Compiles>,
    ahead: Option<Weak<dyn Prioritize>>,
    /// The base that it stands beside, which is there as long as the part.
    pub(super) base: Arc<BaseCell>,
    /// A mark of the queue that it waits in.
    pub(super) mark: AtomicU8,
}

impl PartCell {
    /// The part with this key, which `compile` makes within limits from a text of so many bytes.
    pub(super) fn new(
        key: Digest,
        text: usize,
        limits: &Limits,
        base: &Arc<BaseCell>,
        compile: impl Fn(&Limits) -> Result<Made, NotLinked> + Send + 'static,
    ) -> Self {
        PartCell {
            part: Once::new(Box::new(compile)),
            behind_name: OnceLock::new(),
            text,
            limits: limits.clone(),
            base: base.clone(),
            key,
            compiles: Arc::default(),
            ahead: None,
            mark: AtomicU8::new(0),
        }
    }

    /// The same, counted among these compiles, and compiled ahead if need be.
    pub(super) fn shared(
        self,
        compiles: &Arc<Compiles>,
        ahead: Option<Weak<dyn Prioritize>>,
    ) -> Self {
        PartCell {
            compiles: compiles.clone(),
            ahead,
            ..self
        }
    }

    /// The counters that it counts among.
    pub(super) fn compiles(&self) -> &Compiles {
        &self.compiles
    }

    /// The part, compiled now if it has not been, for matchers of this depth.
    pub(super) fn for_depth(&self, depth: usize) -> Result<&OwnedPart, NotLinked> {
        let part = self.get()?;
        match part.least_depth() {
            needed if needed > depth => Err(NotLinked::TooDeep { needed }),
            _ => Ok(part),
        }
    }

    /// Counts a failure of which the cell itself does not know.
    pub(super) fn fail(&self) {
        self.compiles.found_unusable();
    }

    /// The part, if it has been compiled.
    #[inline]
    pub fn ready(&self) -> Option<&Result<OwnedPart, NotLinked>> {
        self.part.ready()
    }

    /// What is known of names in front of the part.
    pub(super) fn behind_name(&self) -> Option<&BehindName> {
        self.behind_name.get()
    }

    /// Compiles it, and keeps what is known of names in front of it.
    fn compile(&self, compile: &Compile, limits: &Limits) -> Result<OwnedPart, NotLinked> {
        let (part, behind_name) = compile(limits)?;
        if let Some(known) = behind_name {
            let _ = self.behind_name.set(known);
        }
        Ok(part)
    }

    /// The part, compiled now if it has not been.
    ///
    /// # Errors
    /// If it is refused or cannot be a part, or another thread does not finish it within the limit
    /// of time.
    pub fn get(&self) -> Result<&OwnedPart, NotLinked> {
        self.get_by(&self.limits)
    }

    /// The same within the time of a request that has begun with these limits.
    ///
    /// # Errors
    /// As for [`get`](Self::get), and if the time of the request is over: the part is then not
    /// refused for others.
    pub(super) fn get_within(&self, request: &Limits) -> Result<&OwnedPart, NotLinked> {
        self.get_by(&self.limits.within(request))
    }

    fn get_by(&self, limits: &Limits) -> Result<&OwnedPart, NotLinked> {
        (self.part).get(&self.compiles, limits, |compile, limits| {
            self.compile(compile, limits)
        })
    }

    /// Compiles it, unless another thread does so already, or it is told to stop.
    pub(super) fn compile_ahead(&self, cancel: &Cancel) {
        let limits = self.limits.cancelled_by(cancel);
        (self.part).ahead(&self.compiles, &limits, |compile, limits| {
            self.compile(compile, limits)
        });
    }

    /// Asks the queue to compile it before others.
    pub(super) fn prioritize(self: &Arc<Self>) {
        if self.ready().is_none()
            && let Some(ahead) = self.ahead.as_ref().and_then(Weak::upgrade)
        {
            ahead.prioritize(self);
        }
    }

    /// About how many bytes it takes.
    pub(super) fn memory(&self) -> usize {
        match self.ready() {
            None => self.text,
            Some(Ok(part)) => part.memory() + self.behind_name().map_or(0, BehindName::memory),
            Some(Err(error)) => error.memory(),
        }
    }
}

impl fmt::Debug for PartCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartCell").field(&self.ready()).finish()
    }
}
