//! What stands for `link` without the feature `tags`.

use maskwright_compiler::{Diagnostic, Options};

use super::Group;
use crate::environment::Environment;
use crate::features::off;
use crate::input::Item;
use crate::read::Read;

impl Group<'_> {
    /// Refuses the item.
    pub(super) fn link(
        &mut self,
        item: &Item,
        _: &Read,
        _: Options,
        _: &Environment,
    ) -> syn::Result<Vec<Diagnostic>> {
        Err(off("link", "tags", item.name.span()))
    }
}
