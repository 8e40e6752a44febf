//! `--depth`: the frames that a matcher has room for.

use crate::failure::Failure;
use maskwright_compiler::error::Error;
use maskwright_compiler::pda::height::Depths;
use maskwright_core::Grammar;

/// The depth where texts are read and none is given.
const DEFAULT: u16 = 256;

/// The depth.
#[derive(clap::Args)]
pub struct DepthArgs {
    /// Frames that a stack may have, from 1 to 65535: how deep texts may nest. `report` says what a
    /// grammar needs. Where texts are read, it is 256 unless given.
    #[arg(long, value_name = "FRAMES", value_parser = clap::value_parser!(u16).range(1..))]
    depth: Option<u16>,
}

impl DepthArgs {
    /// The depth as it is given.
    pub fn given(&self) -> Option<usize> {
        self.depth.map(usize::from)
    }

    /// The depth as it is given, or the default, where it is enough for some text.
    pub fn frames(&self, depths: Depths) -> Result<usize, Failure> {
        let frames = self.given().unwrap_or(usize::from(DEFAULT));
        depths.check(frames).map_err(Error::from)?;
        Ok(frames)
    }

    /// The depth as it is given, where it is enough for some text.
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

/// The depth of a run over many grammars.
#[derive(Clone, Copy, Debug)]
pub enum RunDepth {
    /// The same for all.
    Frames(usize),
    /// For each grammar the least with which some text can be finished.
    Least,
}

impl RunDepth {
    /// What is walked where nothing is given.
    pub const DEFAULT: RunDepth = RunDepth::Frames(DEFAULT as usize);

    /// Reads the option.
    pub fn parse(text: &str) -> Result<Self, String> {
        let frames = text.parse().ok().filter(|&frames: &u16| frames > 0);
        match (text, frames) {
            ("least", _) => Ok(RunDepth::Least),
            (_, Some(frames)) => Ok(RunDepth::Frames(usize::from(frames))),
            _ => Err("expected a number from 1 to 65535, or `least`".to_owned()),
        }
    }

    /// The frames for a grammar.
    pub fn of(self, grammar: &Grammar<'_>) -> usize {
        match self {
            RunDepth::Frames(frames) => frames,
            RunDepth::Least => grammar.least_depth().max(1),
        }
    }
}
