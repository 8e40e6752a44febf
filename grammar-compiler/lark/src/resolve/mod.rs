//! Items of all files → a [`Lark`].
//!
//! In: the items of the grammar and of the files that it imports. Out: the [`Lark`]. The passes,
//! and what holds after each:
//!
//! 1. `files`: every imported file is read once.
//! 2. `definitions`: every name of every file leads to one definition; `%override` and `%extend`
//!    are done.
//! 3. `check`: every name that is used is defined and used as what it is; nothing stands where it
//!    may not.
//! 4. `terminals`: every terminal has its pattern; none needs itself.
//! 5. `rules`: templates and parametric rules are written out; strings and regular expressions in
//!    rules are terminals.
//! 6. `prune`: what no start reaches is gone.

mod anonymous;
mod arguments;
mod built;
mod check;
mod definitions;
mod files;
mod prune;
mod rules;
mod shape;
mod terminals;
mod width;

use crate::budget::Budget;
use crate::error::Error;
use crate::grammar::{Lark, Settings};
use crate::options::ReadOptions;
use crate::syntax::tree::{Item, Setting};
pub(crate) use files::{Modules, load};

/// The number of the grammar's own module.
const MAIN: usize = 0;

/// Resolves the grammar in the first of `modules`.
pub(crate) fn resolve(
    modules: &Modules,
    options: &ReadOptions,
    budget: &mut Budget,
) -> Result<Lark, Error> {
    let definitions = definitions::define(modules, budget)?;
    let starts = check::starts(&definitions, options)?;
    let reached = check::check(&definitions, options, budget)?;
    let terminals = terminals::build(&definitions, &reached, options, budget)?;
    let written = rules::write(&definitions, terminals, &starts, options, budget)?;
    let settings = settings(modules);
    Ok(prune::prune(written, settings, options.all_terminals))
}

/// What the directives of the grammar itself set; the last of one key counts.
fn settings(modules: &Modules) -> Settings {
    let mut settings = Settings::default();
    for item in &modules.all[MAIN].items {
        if let Item::Setting(setting, value) = *item {
            match setting {
                Setting::AllowInitialSkip => settings.allow_initial_skip = value,
                Setting::IgnoreOnce => settings.ignore_once = value,
                Setting::NoForcing => settings.no_forcing = value,
                Setting::AllowInvalidUtf8 => settings.allow_invalid_utf8 = value,
            }
        }
    }
    settings
}
