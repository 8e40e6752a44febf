//! What stands for `linked` in a compiler without the feature `tags`.

use super::run::BuildRun;
use crate::emit::LinkedItem;
use crate::error::Error;

impl BuildRun<'_> {
    /// Refuses whatever is to be linked.
    pub(super) fn linked(&mut self) -> Result<Vec<LinkedItem>, Error> {
        match self.builder.linked.first() {
            Some((_, text)) => Err(text.kind().absent(text.kind().name()).into()),
            None => Ok(Vec::new()),
        }
    }
}
