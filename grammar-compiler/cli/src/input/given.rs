//! The grammar on the command line: one argument for each kind that the compiler reads.

use clap::{Arg, ArgGroup, ArgMatches, Command, FromArgMatches, value_parser};
use maskwright_compiler::syntax::Kind;
use std::path::PathBuf;

/// The grammar that is given, if one is.
#[derive(Clone, Debug)]
pub struct GivenText(pub Option<(Kind, Content)>);

/// Where the text of a grammar is.
#[derive(Clone, Debug)]
pub enum Content {
    /// In a file, or on standard input.
    File(PathBuf),
    /// On the command line.
    Here(String),
}

impl clap::Args for GivenText {
    fn augment_args(command: Command) -> Command {
        let group = ArgGroup::new("grammar").multiple(false);
        let command = command.group(group.args(Kind::ALL.map(Kind::flag)));
        let args = Kind::ALL.into_iter().map(arg);
        args.fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// What the value of a kind's argument is called.
fn value_name(kind: Kind) -> &'static str {
    if kind.has_files() { "FILE" } else { "PATTERN" }
}

fn arg(kind: Kind) -> Arg {
    let arg = Arg::new(kind.flag()).long(kind.flag());
    let arg = arg.value_name(value_name(kind));
    if !kind.has_files() {
        return arg.help(kind.about()).value_parser(value_parser!(String));
    }
    let needs = match kind.takes_tool_options() {
        true => ". Needs --tool-format",
        false => "",
    };
    arg.help(format!("{}; `-` reads standard input{needs}", kind.about()))
        .value_parser(value_parser!(PathBuf))
}

impl FromArgMatches for GivenText {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = GivenText(None);
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for kind in Kind::ALL {
            let content = match kind.has_files() {
                true => matches.get_one(kind.flag()).cloned().map(Content::File),
                false => matches.get_one(kind.flag()).cloned().map(Content::Here),
            };
            if let Some(content) = content {
                self.0 = Some((kind, content));
            }
        }
        Ok(())
    }
}

/// The arguments of these kinds, as messages name them.
pub fn flags(kinds: impl Fn(Kind) -> bool) -> Vec<String> {
    let kinds = Kind::ALL.into_iter().filter(|&kind| kinds(kind));
    kinds.map(|kind| format!("--{}", kind.flag())).collect()
}

/// All arguments with their values, as a message offers them.
pub fn all() -> String {
    let all = Kind::ALL.map(|kind| format!("--{} {}", kind.flag(), value_name(kind)));
    let (last, others) = all
        .split_last()
        .map_or(("", &[][..]), |(last, others)| (last, others));
    format!("{} or {last}", others.join(", "))
}
