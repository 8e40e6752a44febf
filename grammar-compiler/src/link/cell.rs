//! A part that is compiled when it is first needed.
//!
//! In: a way to compile it. Out: [`PartCell`], which gives the part to all that share it. What holds: it is compiled once, in the first thread that asks; others wait. Reading it later takes no lock.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use maskwright_core::OwnedPart;

use super::NotLinked;

type Compile = Box<dyn FnOnce() -> Result<OwnedPart, NotLinked> + Send>;

/// A part that is compiled when it is first needed.
pub struct PartCell {
    part: OnceLock<Result<OwnedPart, NotLinked>>,
    /// What makes it; none once it has been made.
    compile: Mutex<Option<Compile>>,
}

impl PartCell {
    /// A part that `compile` makes.
    pub(crate) fn new(
        compile: impl FnOnce() -> Result<OwnedPart, NotLinked> + Send + 'static,
    ) -> Self {
        PartCell {
            part: OnceLock::new(),
            compile: Mutex::new(Some(Box::new(compile))),
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
        let make = || {
            let compile = self.compile.lock();
            let compile = compile.unwrap_or_else(PoisonError::into_inner).take();
            match compile {
                Some(compile) => compile(),
                None => Err(NotLinked::NotAPart("compiling it failed before")),
            }
        };
        self.part.get_or_init(make).as_ref().map_err(Clone::clone)
    }
}

impl fmt::Debug for PartCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartCell").field(&self.part.get()).finish()
    }
}
