//! Texts of `null`, booleans, numbers and strings.

use std::sync::Arc;

use super::super::numbers::{self, NumberForms, NumberSet};
use super::super::strings::{self, CountedTails, Decoder, Escapes, Language, LanguageError};
use super::super::values::{Problem, StringCase, ValueShape};
use super::layout::{Inside, Layout};
use super::{SchemaLowering, styles};
use crate::grammar::{BoundedWords, Expr, Words};
use crate::limits::LimitExceeded;
use maskwright_core::style::{Form, Keys, Notation, Quoting};

/// A greater bound on a length or a number of items is refused: it could not be a number of
/// repetitions.
const MAX_COUNT: u64 = u32::MAX as u64;

/// Who reads the escapes of strings: within elements that is JSON.
pub(super) fn decoder(form: Option<&Form>, notation: &Notation) -> Decoder {
    match notation.quoting {
        Quoting::Python if form.is_none() => Decoder::Python,
        Quoting::Python | Quoting::Json | Quoting::Raw => Decoder::Json,
    }
}

/// States that all lengths of a string may take in an automaton. What would take more is counted
/// instead: that takes fewer bytes, but for short strings longer to compile.
const COUNTED_STATES: u64 = 10_000;

/// States that all lengths of a string may take before they are left to be made where they are
/// needed: the first tier needs few of them.
const BOUNDED_STATES: u64 = 1_000;

impl SchemaLowering<'_, '_> {
    pub(super) fn scalars(&mut self, shape: &ValueShape) -> Result<Vec<Expr>, Problem> {
        let mut cases = self.plain_scalars(shape)?;
        for case in &shape.strings {
            self.values.check_time()?;
            cases.push(self.string(case)?);
        }
        Ok(cases)
    }

    /// Texts of `null`, booleans and numbers.
    pub(super) fn plain_scalars(&mut self, shape: &ValueShape) -> Result<Vec<Expr>, Problem> {
        let mut cases = Vec::new();
        let [no, yes] = self.notation.booleans;
        let words = [
            (shape.null, self.notation.null),
            (shape.booleans[0], no),
            (shape.booleans[1], yes),
        ];
        for (_, word) in words.into_iter().filter(|w| w.0) {
            cases.push(Expr::Literal(word.to_owned()));
        }
        for (numbers, forms) in self.by_form(shape)? {
            cases.push(Expr::Words(self.numbers(&numbers, forms)?));
        }
        Ok(cases)
    }

    fn escapes(&self, language: &Language) -> Escapes {
        match language.is_any() {
            true => self.options.escapes,
            false => self.options.constrained_escapes,
        }
    }

    /// The numbers of a shape by the forms that their texts may have.
    fn by_form(&self, shape: &ValueShape) -> Result<Vec<(NumberSet, NumberForms)>, Problem> {
        let forms = self.options.numbers;
        let plain = NumberForms {
            integral_fractions: false,
            ..forms
        };
        let (numbers, integers) = (&shape.numbers, &shape.plain_integers);
        // Where both are written alike they are one set.
        if !integers.is_empty() && forms == plain && numbers.is_integral() {
            return Ok(vec![(numbers.union(integers)?, forms)]);
        }
        let sets = [(numbers.clone(), forms), (integers.clone(), plain)];
        Ok(sets.into_iter().filter(|set| !set.0.is_empty()).collect())
    }

    /// The texts of the numbers of a set.
    fn numbers(&mut self, set: &NumberSet, forms: NumberForms) -> Result<Arc<Words>, Problem> {
        let key = (set.clone(), forms);
        if let Some(words) = self.numbers.get(&key) {
            return Ok(Arc::clone(words));
        }
        let mut words = numbers::json_text(set, forms)?;
        // Readers of the types that the formats name refuse `-0`, as they do `1.0`.
        if self.options.number_formats && !forms.integral_fractions && set.is_integral() {
            words = Arc::new(numbers::without_negative_zero(&words));
        }
        self.numbers.insert(key, Arc::clone(&words));
        Ok(words)
    }

    /// The texts of the strings of a set, without quotes.
    fn text(&mut self, language: &Language) -> Result<Arc<Words>, LimitExceeded> {
        if let Some(words) = self.strings.get(language) {
            return Ok(Arc::clone(words));
        }
        let escapes = self.escapes(language);
        let words = Arc::new(self.quoted_text(language, escapes)?);
        self.strings.insert(language.clone(), Arc::clone(&words));
        Ok(words)
    }

    /// The texts of strings in quotes, in which nothing stands that is excluded or ends their
    /// element. Where `escapes` leave no other way, characters of listed strings may be escaped in
    /// every way.
    fn quoted_text(
        &mut self,
        language: &Language,
        escapes: Escapes,
    ) -> Result<Words, LimitExceeded> {
        let most = self.limits.automaton_states;
        let words = (self.quoted).of(language, escapes, most, self.values.deadline())?;
        let end = self.form.map_or("", |form| form.end);
        let (words, is_ended) = match self.form {
            None => (words, false),
            Some(_) => styles::without(words, end, self.limits, self.values.deadline())?,
        };
        let (words, is_cut) = self.without_excluded(words)?;
        let is_wrong = |word: &str| is_ended && word.contains(end) || self.is_excluded(word);
        let is_cut = is_ended | is_cut;
        match is_cut && escapes != Escapes::Any && styles::listed(language, is_wrong).is_some() {
            true => self.quoted_text(language, Escapes::Any),
            false => Ok(words),
        }
    }

    fn string(&mut self, case: &StringCase) -> Result<Expr, Problem> {
        if self.notation.quoting == Quoting::Raw {
            return self.marked_string(case);
        }
        let escapes = self.escapes(&case.language);
        let quote = || Expr::Literal("\"".to_owned());
        let bounded = case.min > 0 || case.max.is_some();
        let body = if bounded && case.language.is_any() && self.options.excludes.is_empty() {
            // Bounds on the length alone stay a count, which need not be spelled out.
            let character = match self.form {
                None => {
                    let any = Language::class(&[('\0', char::MAX)]);
                    let most = self.limits.automaton_states;
                    let words = (self.quoted).of(&any, escapes, most, self.values.deadline())?;
                    Expr::Words(Arc::new(words))
                }
                Some(form) => {
                    styles::json_character(escapes, form.end, self.limits, self.values.deadline())?
                }
            };
            repeat(character, case.min, case.max)?
        } else if let Some(tails) = self.counted(case)? {
            self.tails(tails)?
        } else if let Some(words) = self.bounded(case)? {
            Expr::Bounded(words)
        } else {
            let language = self.with_length(case)?;
            Expr::Words(self.text(&language)?)
        };
        Ok(Expr::Seq(vec![quote(), body, quote()]))
    }

    /// The strings of a case. If a bound on their length takes too many states, and may be ignored,
    /// it is.
    fn with_length(&mut self, case: &StringCase) -> Result<Language, Problem> {
        let too_large = match case.to_language(self.values.deadline()) {
            Ok(language) => return Ok(language),
            Err(problem) => problem,
        };
        let (keyword, _) = case.bound();
        let mut rest = case.clone();
        if rest.max.take().is_none() {
            rest.min = 0;
        }
        let problem = Problem {
            why: format!(
                "counting the characters of these strings takes too many states: {}",
                too_large.why
            ),
            help: format!(
                "lower `{keyword}`, take a simpler pattern or format, or check the length afterwards and let the option `lenient` name `{keyword}`"
            ),
            ..too_large
        };
        let problem = Problem {
            keyword: Some(keyword.to_owned()),
            ..self.values.blame(problem, &[keyword])
        };
        self.values.refuse(problem)?;
        self.with_length(&rest)
    }

    /// Whether texts are cut out of strings: what ends an element, or is excluded.
    fn cuts_strings(&self) -> bool {
        self.form.is_some() || !self.options.excludes.is_empty()
    }

    /// The texts of the strings of a case, without quotes, as an automaton that does not count and
    /// a bound on their length: the first tier needs few of the states that all lengths would take.
    /// Nothing if these are few, or if they may be too many for tables, and nothing where texts are
    /// cut out of strings.
    fn bounded(&mut self, case: &StringCase) -> Result<Option<Arc<BoundedWords>>, LimitExceeded> {
        if self.cuts_strings() {
            return Ok(None);
        }
        let states = case.language.states().len() as u64;
        let Some(max) = case
            .max
            .filter(|max| states.saturating_mul(*max) >= BOUNDED_STATES)
        else {
            return Ok(None);
        };
        let language = case.without_max(self.values.deadline());
        let Some((language, max)) = language.zip(u32::try_from(max).ok()) else {
            return Ok(None);
        };
        if let Some(bounded) = self.bounded_words(&language, max)? {
            return Ok(Some(bounded));
        }
        // What takes too much in tables is refused.
        match strings::with_early_address(&language, self.values.deadline()) {
            Some(language) => self.bounded_words(&language, max),
            None => Ok(None),
        }
    }

    /// The texts of the strings of a set that have at most `max` characters, if tables can tell.
    fn bounded_words(
        &mut self,
        language: &Language,
        max: u32,
    ) -> Result<Option<Arc<BoundedWords>>, LimitExceeded> {
        let boundaries = language.states().len() as u32;
        let words = self.text(language)?;
        let key = (Arc::as_ptr(&words).addr(), max);
        if let Some(known) = self.bounded.get(&key) {
            return Ok(Some(known.clone()));
        }
        let bounded = BoundedWords::new(words, boundaries, max);
        let Some(bounded) = bounded.filter(|bounded| bounded.plan().is_some()) else {
            return Ok(None);
        };
        let bounded = Arc::new(bounded);
        self.bounded.insert(key, bounded.clone());
        Ok(Some(bounded))
    }

    /// The strings of a case by how they begin, if all lengths of their last characters would take
    /// many states. Nothing where texts are cut out of strings.
    fn counted(&mut self, case: &StringCase) -> Result<Option<CountedTails>, LanguageError> {
        if self.cuts_strings() {
            return Ok(None);
        }
        let (_, bound) = case.bound();
        let deadline = self.values.deadline();
        (case.language).counted(case.min, case.max, deadline, |class| {
            let states = self.text(class)?.states.len() as u64;
            Ok(states.saturating_mul(bound) > COUNTED_STATES)
        })
    }

    /// The texts of strings, without quotes, of which the last characters are counted.
    fn tails(&mut self, strings: CountedTails) -> Result<Expr, Problem> {
        let mut ways = Vec::new();
        for tail in strings.tails {
            let beginning = Expr::Words(self.text(&tail.beginning)?);
            let character = Expr::Words(self.text(&tail.class)?);
            ways.push(Expr::Seq(vec![
                beginning,
                repeat(character, tail.min, tail.max)?,
            ]));
        }
        if !strings.others.is_empty() {
            ways.push(Expr::Words(self.text(&strings.others)?));
        }
        Ok(Expr::Alt(ways))
    }

    /// The text of a key in `names`, with its quotes if it has some; nothing if the style leaves
    /// such keys out.
    pub(super) fn key(
        &mut self,
        layout: &Layout<'_>,
        names: &Language,
    ) -> Result<Option<Expr>, Problem> {
        if self.notation.keys == Keys::Bare || matches!(layout.of(), Inside::Call) {
            return self.bare_key(names);
        }
        let quote = || Expr::Bytes(vec![(b'"', b'"')]);
        let words = self.text(names)?;
        Ok(Some(Expr::Seq(vec![quote(), Expr::Words(words), quote()])))
    }
}

/// From `min` to `max` in a row.
fn repeat(expr: Expr, min: u64, max: Option<u64>) -> Result<Expr, Problem> {
    Ok(Expr::Repeat {
        expr: Box::new(expr),
        min: count(min)?,
        max: max.map(count).transpose()?,
    })
}

/// A bound as a count of repetitions.
pub(super) fn count(bound: u64) -> Result<u32, Problem> {
    u32::try_from(bound)
        .map_err(|_| Problem::too_large(format!("a bound of {bound} is more than {MAX_COUNT}")))
}
