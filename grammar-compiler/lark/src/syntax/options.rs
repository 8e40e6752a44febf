//! The options of rules, `[lazy, max_tokens=5]`.

use super::parser::Parser;
use super::token::Kind;
use super::tree::{Ast, Ending, Name, Node, Options};
use crate::error::Error;

/// All options, for messages.
const ALL: &str = "the options are `lazy`, `suffix`, `stop`, `stop_capture`, `capture`, \
                   `temperature`, `max_tokens` and `max_chars`";

impl Parser<'_> {
    /// The options of `rule`, in brackets.
    pub(super) fn options(&mut self, rule: &Name) -> Result<Options, Error> {
        let open = self.next().span;
        if rule.is_terminal() {
            let message = format!("the terminal `{}` cannot have options", rule.text);
            return Err(Error::new(message, open).help(format!(
                "only rules have options; write a rule for `{}`",
                rule.text
            )));
        }
        let mut options = Options::default();
        let mut seen: Vec<Name> = Vec::new();
        loop {
            self.newlines();
            let name = self.name("the name of an option")?;
            if let Some(first) = seen.iter().find(|first| first.text == name.text) {
                let message = format!("the option `{}` is given twice", name.text);
                return Err(Error::new(message, name.span).also(first.span.clone(), "first here"));
            }
            self.option(&name, &mut options)?;
            if name.text != "capture" && options.beyond_capture.is_none() {
                options.beyond_capture = Some((name.text.clone(), name.span.clone()));
            }
            seen.push(name);
            self.newlines();
            if !self.take(",") {
                break;
            }
        }
        self.close("]", open)?;
        self.check_stop_capture(&options, &seen)?;
        Ok(options)
    }

    fn check_stop_capture(&self, options: &Options, seen: &[Name]) -> Result<(), Error> {
        let is_marked = matches!(options.ending, Some(Ending::Marker(_)));
        match seen.iter().find(|name| name.text == "stop_capture") {
            Some(name) if !is_marked => {
                let message = "`stop_capture` needs `stop` or `suffix`";
                Err(Error::new(message, name.span.clone()))
            }
            _ => Ok(()),
        }
    }

    fn option(&mut self, name: &Name, options: &mut Options) -> Result<(), Error> {
        match name.text.as_str() {
            "lazy" => {
                if self.is("=") {
                    return Err(self.expected("`,` or `]` after `lazy`"));
                }
                end(options, Ending::Lazy, name)
            }
            "suffix" | "stop" => {
                let marker = self.marker(name)?;
                end(options, Ending::Marker(Box::new(marker)), name)
            }
            "capture" if !self.is("=") => {
                options.capture = Some(None);
                Ok(())
            }
            "capture" => {
                options.capture = Some(Some(self.capture_name(name)?));
                Ok(())
            }
            "stop_capture" => {
                options.stop_capture = Some(self.capture_name(name)?);
                Ok(())
            }
            "temperature" => {
                options.temperature = Some(self.temperature(name)?);
                Ok(())
            }
            "max_tokens" => {
                self.equals(name)?;
                options.max_tokens = Some(self.count()?);
                Ok(())
            }
            "max_chars" => {
                self.equals(name)?;
                options.max_chars = Some(self.count()?);
                Ok(())
            }
            _ => {
                let message = format!("rules have no option `{}`", name.text);
                Err(Error::new(message, name.span.clone()).help(ALL))
            }
        }
    }

    fn equals(&mut self, name: &Name) -> Result<(), Error> {
        let expected = format!("`=` after `{}`", name.text);
        if self.take("=") {
            Ok(())
        } else {
            Err(self.expected(&expected))
        }
    }

    /// The string, regular expression or terminal of `suffix` and `stop`.
    fn marker(&mut self, name: &Name) -> Result<Ast, Error> {
        self.equals(name)?;
        let is_one = matches!(
            self.peek().kind,
            Kind::String { .. } | Kind::Regex { .. } | Kind::Name
        );
        if !is_one {
            return Err(self.expected("a string, a regular expression or a terminal"));
        }
        let marker = self.atom()?;
        match &marker.node {
            Node::String { text, .. } if text.is_empty() && name.text == "stop" => {
                Err(Error::new("`stop=\"\"` is not supported", marker.span)
                    .help("leave it out: a text may end where its grammar does"))
            }
            Node::String { text, .. } if text.is_empty() => Err(Error::new(
                format!("`{}` must not be empty", name.text),
                marker.span,
            )),
            _ => Ok(marker),
        }
    }

    fn capture_name(&mut self, name: &Name) -> Result<String, Error> {
        self.equals(name)?;
        let Kind::String { text, .. } = self.peek().kind.clone() else {
            return Err(self.expected("a string"));
        };
        let is_valid = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        if text.is_empty() || !text.chars().all(is_valid) {
            return Err(Error::new(
                format!("the name of a capture cannot be {text:?}"),
                self.span(),
            )
            .help("it is of letters, digits, `_`, `-` and `.`"));
        }
        self.next();
        Ok(text)
    }

    fn temperature(&mut self, name: &Name) -> Result<f64, Error> {
        self.equals(name)?;
        let is_number = self.peek().kind == Kind::Number;
        let number = self.word().parse::<f64>().ok().filter(|_| is_number);
        let number = number.ok_or_else(|| self.expected("a number that is not negative"))?;
        self.next();
        Ok(number)
    }
}

/// Sets where a rule ends. Behind `suffix` and `stop`, `lazy` adds nothing: no longer text than the
/// one up to the first marker matches anyway.
fn end(options: &mut Options, ending: Ending, name: &Name) -> Result<(), Error> {
    match (&options.ending, &ending) {
        (Some(Ending::Marker(first)), Ending::Marker(_)) => {
            let message = "a rule has one of `suffix` and `stop`";
            Err(Error::new(message, name.span.clone()).also(first.span.clone(), "the other one"))
        }
        (Some(Ending::Marker(_)), Ending::Lazy) => Ok(()),
        _ => {
            options.ending = Some(ending);
            Ok(())
        }
    }
}
