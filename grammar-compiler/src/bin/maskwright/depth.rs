//! `--depth`: the frames that a matcher has room for.

use crate::failure::Failure;
use maskwright_compiler::error::Error;
use maskwright_compiler::pda::height::Depths;

/// The depth.
#[derive(clap::Args)]
pub struct DepthArgs {
    /// Frames that a stack may have, from 1 to 65535: how deep texts may nest. `report` says what a grammar needs.
    #[arg(long, value_name = "FRAMES", value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,
}

impl DepthArgs {
    /// The depth as it is given.
    pub fn given(&self) -> Option<usize> {
        self.depth.map(usize::from)
    }

    /// The same, where it is enough for some text.
    pub fn checked(&self, depths: Depths) -> Result<Option<usize>, Failure> {
        let Some(frames) = self.given() else {
            return Ok(None);
        };
        match depths.check(frames) {
            Ok(()) => Ok(Some(frames)),
            Err(wrong) => Err(Failure::Grammar(Error::from(wrong))),
        }
    }
}
