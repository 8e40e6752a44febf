//! The options of texts on the command line.
//!
//! In: the compiler's tables of options. Out: arguments of a command, one for each row, and the
//! options that were set by them.

use clap::builder::{ArgAction, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use maskwright_compiler::syntax::{Setting, Settings, Values};

/// Options as they are given, defaults where none is.
#[derive(Clone, Debug)]
pub struct Given<O>(pub O);

impl<O: Settings> clap::Args for Given<O> {
    fn augment_args(command: Command) -> Command {
        O::SETTINGS
            .iter()
            .fold(command, |command, setting| command.arg(arg(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<O: Settings> FromArgMatches for Given<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Given(O::default());
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in O::SETTINGS {
            let values = values(setting, matches);
            if values.is_empty() {
                continue;
            }
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let set = setting.set(&mut self.0, &values);
            set.map_err(|error| {
                let message = format!("--{}: {error}\n", setting.flag);
                clap::Error::raw(ErrorKind::ValueValidation, message)
            })?;
        }
        Ok(())
    }
}

/// The argument that sets an option.
fn arg<O: Settings>(setting: &'static Setting<O>) -> Arg {
    let arg = Arg::new(setting.flag)
        .long(setting.flag)
        .help(setting.about);
    // A value is checked while arguments are read, so that the message names the argument.
    let check = |value: &str| match setting.set(&mut O::default(), &[value]) {
        Ok(()) => Ok(value.to_owned()),
        Err(error) => Err(error.to_string()),
    };
    match setting.values {
        Values::Flag { .. } => arg.action(ArgAction::SetTrue),
        Values::Either => arg
            .value_name("BOOL")
            .num_args(0..=1)
            .default_missing_value("true")
            .require_equals(true)
            .value_parser(PossibleValuesParser::new(["true", "false"])),
        Values::Many { form, with_commas } => {
            let arg = arg
                .value_name(form)
                .action(ArgAction::Append)
                .value_parser(check);
            if with_commas {
                arg.value_delimiter(',')
            } else {
                arg
            }
        }
        Values::One { form } => arg.value_name(form).value_parser(check),
        _ => arg.value_parser(check),
    }
}

/// The values that are given for an option; none where it is not given.
fn values<O>(setting: &Setting<O>, matches: &ArgMatches) -> Vec<String> {
    if let Values::Flag { sets } = setting.values {
        let is_given = matches.get_flag(setting.flag);
        return Vec::from_iter(is_given.then(|| sets.to_string()));
    }
    let values = matches.get_many::<String>(setting.flag);
    values.into_iter().flatten().cloned().collect()
}
