//! A part that is compiled when it is first needed.
//!
//! In: a way to compile it. Out: [`PartCell`], which gives the part to all that share it. What holds: it is compiled once, in the first thread that asks; others wait. Reading it later takes no lock.

use std::fmt;
use std::sync::OnceLock;

use maskwright_core::OwnedPart;

use super::NotLinked;

type Compile = Box<dyn Fn() -> Result<OwnedPart, NotLinked> + Send + Sync>;

/// A part that is compiled when it is first needed.
pub struct PartCell {
    part: OnceLock<Result<OwnedPart, NotLinked>>,
    compile: Compile,
}

impl PartCell {
    /// A part that `compile` makes.
    pub(crate) fn new(
        compile: impl Fn() -> Result<OwnedPart, NotLinked> + Send + Sync + 'static,
    ) -> Self {
        PartCell {
            part: OnceLock::new(),
            compile: Box::new(compile),
        }
    }

    /// The part, if it has been compiled.
    pub fn ready(&self) -> Option<&Result<OwnedPart, NotLinked>> {
        self.part.get()
    }

    /// The part, compiled now if it has not been.
    ///
    /// # Errors
    /// If it is refused, or cannot be a part.
    pub fn get(&self) -> Result<&OwnedPart, NotLinked> {
        self.part
            .get_or_init(|| (self.compile)())
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl fmt::Debug for PartCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartCell").field(&self.part.get()).finish()
    }
}
