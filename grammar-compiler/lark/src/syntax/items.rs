//! Tokens → items: definitions and directives.

use super::parser::Parser;
use super::token::Kind;
use super::tree::{Definition, Item, Mode, Name, Options, Span};
use crate::budget::Budget;
use crate::error::Error;

impl Parser<'_> {
    /// All items.
    pub(super) fn items(mut self, budget: &mut Budget) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        loop {
            self.newlines();
            match self.peek().kind {
                Kind::End => return Ok(items),
                Kind::Directive => self.directive(&mut items, budget)?,
                _ => items.push(self.definition(Mode::New, budget)?),
            }
            if !matches!(self.peek().kind, Kind::Newline | Kind::End) {
                return Err(self.misplaced());
            }
        }
    }

    /// The error about a token at which an item should have ended.
    fn misplaced(&self) -> Error {
        match self.peek().kind {
            Kind::Sign("?" | "*" | "+" | "~" | "{") => {
                Error::new(format!("misplaced operator `{}`", self.word()), self.span())
                    .help("an operator stands behind one item; use brackets for several operators")
            }
            Kind::Sign(":") => self
                .expected("the end of the definition")
                .help("a definition begins in a line of its own"),
            _ => self.expected("the end of the definition"),
        }
    }

    /// `name: …` with all that may stand before the colon.
    pub(super) fn definition(&mut self, mode: Mode, budget: &mut Budget) -> Result<Item, Error> {
        while self.is("?") || self.is("!") {
            self.next();
        }
        let name = self.name("the name of a rule or terminal, or a directive")?;
        let parameters = self.parameters()?;
        let (mut parametric, mut options, mut priority) = (None, None, None);
        while !self.is(":") {
            if self.is("::") && parametric.is_none() {
                parametric = Some(self.parametric_mark()?);
            } else if self.is("[") && options.is_none() {
                options = Some(self.options(&name)?);
            } else if self.is(".") && priority.is_none() {
                priority = Some(self.priority()?);
            } else {
                return Err(self.expected(&format!("`:` after the name `{}`", name.text)));
            }
        }
        self.refuse_on_terminal(&name, &parameters, parametric.as_ref())?;
        self.next();
        let body = self.alternatives(budget)?;
        let options = options.unwrap_or_else(Options::default);
        let definition = Definition {
            mode,
            name,
            parameters,
            parametric,
            options,
            priority,
            body,
        };
        Ok(Item::Definition(Box::new(definition)))
    }

    /// The error if a terminal has what only rules have.
    fn refuse_on_terminal(
        &self,
        name: &Name,
        parameters: &[Name],
        parametric: Option<&Span>,
    ) -> Result<(), Error> {
        let wrong = parameters
            .first()
            .map(|parameter| &parameter.span)
            .or(parametric);
        match wrong {
            Some(span) if name.is_terminal() => {
                let message = format!("the terminal `{}` cannot have parameters", name.text);
                Err(Error::new(message, span.clone()).help("only rules have parameters"))
            }
            _ => Ok(()),
        }
    }

    /// `{x, y}` behind the name of a template.
    fn parameters(&mut self) -> Result<Vec<Name>, Error> {
        let mut parameters: Vec<Name> = Vec::new();
        let open = self.span();
        if !self.take("{") {
            return Ok(parameters);
        }
        loop {
            let name = self.name("the name of a parameter")?;
            if let Some(first) = parameters.iter().find(|first| first.text == name.text) {
                let message = format!("the parameter `{}` is named twice", name.text);
                return Err(Error::new(message, name.span).also(first.span.clone(), "first here"));
            }
            if parameters.len() == MOST_PARAMETERS {
                let message = format!("a template has at most {MOST_PARAMETERS} parameters");
                return Err(Error::limit(message, name.span, ""));
            }
            parameters.push(name);
            if !self.take(",") {
                break;
            }
        }
        self.close("}", open)?;
        Ok(parameters)
    }

    /// `::_` behind the name of a parametric rule.
    fn parametric_mark(&mut self) -> Result<Span, Error> {
        let start = self.span().start;
        self.next();
        self.expect("_")?;
        Ok(start..self.end())
    }

    /// `.2` or `.-1`.
    fn priority(&mut self) -> Result<(i32, Span), Error> {
        let start = self.span().start;
        self.next();
        let is_negative = self.take("-");
        let place = self.span();
        let number = self.number("a priority")?;
        let number = i32::try_from(number);
        let wrong = |_| Error::new("this priority is too large", place);
        let number = number.map_err(wrong)?;
        Ok((
            if is_negative { -number } else { number },
            start..self.end(),
        ))
    }
}

/// How many parameters a template may have.
const MOST_PARAMETERS: usize = 64;
