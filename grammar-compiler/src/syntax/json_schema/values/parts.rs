//! A schema's keywords as independent conditions.
//!
//! In: [`Keywords`]. Out: [`Part`]s: the value satisfies the schema if and only if it satisfies every part. Parts are in the
//! order of the document, which is the order in which properties are written.

use super::object::Named;
use super::shape::StringCase;
use super::{ANY, ArrayCase, Atom, Contains, Literal, NEVER, NodeId, ObjectCase, Problem, Values};
use crate::error::Code;
use crate::syntax::json_schema::model::{Condition, Keywords, Kind, Place, SchemaId, Types};
use crate::syntax::json_schema::numbers::{self, Decimal, NumberSet};
use crate::syntax::json_schema::strings::{self, Language, Pattern, PatternError};

/// One condition of a schema.
#[derive(Clone, Debug)]
pub enum Part {
    /// The value has one of these types.
    Types(Types),
    /// The value is one of these constants.
    Values(Vec<u32>),
    /// If it is a number, it is in this set.
    Numbers(NumberSet),
    /// If it is a string, it is in this case.
    Strings(StringCase),
    /// If it is an array, it is in this case.
    Array(ArrayCase),
    /// If it is an object, it is in this case.
    Object(ObjectCase),
    /// It is in this node.
    All(NodeId),
    /// It is in at least one of these nodes.
    Any(Vec<NodeId>),
    /// It is in exactly one of these nodes.
    One(Vec<NodeId>),
    /// If it is in the first node, it is in the second, otherwise in the third.
    If(NodeId, NodeId, NodeId),
    /// If it is an object with this property, it has these too.
    WithNames(String, Vec<String>),
    /// If it is an object with this property, it is in this node.
    WithSchema(String, NodeId),
}

impl Part {
    /// Whether it is several cases of its own, not those of one schema.
    pub(super) fn has_alternatives(&self) -> bool {
        self.is_combinator() && !matches!(self, Part::All(_))
    }

    /// Whether it may be several cases.
    pub(super) fn is_combinator(&self) -> bool {
        matches!(
            self,
            Part::All(_)
                | Part::Any(_)
                | Part::One(_)
                | Part::If(..)
                | Part::WithNames(..)
                | Part::WithSchema(..)
        )
    }
}

/// The numbers on one side of a bound.
type Bounded = fn(&Decimal) -> NumberSet;

impl Values<'_> {
    /// The parts of `keywords`, in the order of the document.
    pub(super) fn parts(&mut self, keywords: &Keywords) -> Result<Vec<Part>, Problem> {
        let mut parts: Vec<(usize, Part)> = Vec::new();
        let mut add = |names: &[&str], part: Part| {
            let places = names.iter().filter_map(|name| keywords.place(name));
            let at = places.map(|p| p.span.start).min().unwrap_or(0);
            parts.push((at, part));
        };
        if keywords.types != Types::ALL {
            add(&["type"], Part::Types(keywords.types));
        }
        for list in &keywords.values {
            let constants = list
                .iter()
                .map(|node| self.constant_id(&node.value))
                .collect();
            add(&["enum", "const"], Part::Values(constants));
        }
        if let Some(numbers) = self.numbers(keywords)? {
            add(&["minimum"], Part::Numbers(numbers));
        }
        if let Some(strings) = self.strings(keywords)? {
            // Where the keywords contradict each other, the type is left out.
            let part = match strings.is_empty() {
                true => Part::Types(Types {
                    string: false,
                    ..Types::ALL
                }),
                false => Part::Strings(strings),
            };
            add(&["pattern"], part);
        }
        if let Some(array) = self.array(keywords) {
            let part = match array.is_empty() {
                true => Part::Types(Types {
                    array: false,
                    ..Types::ALL
                }),
                false => Part::Array(array),
            };
            add(&["items"], part);
        }
        let object = &keywords.object;
        if let Some(case) = self.object(keywords)? {
            add(
                &[
                    "properties",
                    "patternProperties",
                    "required",
                    "additionalProperties",
                ],
                Part::Object(case),
            );
        }
        if let Some(names) = object.names {
            let case = self.property_names(names)?;
            add(&["propertyNames"], Part::Object(case));
        }
        for (name, names) in &object.dependent_required {
            let part = Part::WithNames(name.clone(), names.clone());
            add(&["dependentRequired", "dependencies"], part);
        }
        for &(ref name, schema) in &object.dependent_schemas {
            let part = Part::WithSchema(name.clone(), self.node_of(schema));
            add(&["dependentSchemas", "dependencies"], part);
        }
        for &schema in &keywords.references {
            let part = Part::All(self.node_of(schema));
            add(&["$ref", "$dynamicRef", "$recursiveRef"], part);
        }
        for &schema in &keywords.all_of {
            add(&["allOf", "extends"], Part::All(self.node_of(schema)));
        }
        if let Some(any) = &keywords.any_of {
            add(&["anyOf"], Part::Any(self.nodes_of(any)));
        }
        if let Some(one) = &keywords.one_of {
            add(&["oneOf"], Part::One(self.nodes_of(one)));
        }
        for &schema in &keywords.not {
            let node = self.node_of(schema);
            add(&["not"], Part::All(self.nodes.negation(node)));
        }
        if let Some(condition) = keywords.condition {
            add(&["if"], self.condition(condition));
        }
        parts.sort_by_key(|p| p.0);
        Ok(parts.into_iter().map(|p| p.1).collect())
    }

    fn condition(&mut self, condition: Condition) -> Part {
        let branch = |values: &mut Self, schema: Option<SchemaId>| {
            schema.map_or(ANY, |schema| values.node_of(schema))
        };
        let test = self.node_of(condition.test);
        let then = branch(self, condition.then);
        let otherwise = branch(self, condition.otherwise);
        Part::If(test, then, otherwise)
    }

    /// The node of a schema; schemas that only refer to another are that one.
    pub(super) fn node_of(&mut self, mut schema: SchemaId) -> NodeId {
        for _ in 0..self.model.schemas.len().min(100) {
            let keywords = match self.model.schema(schema).map(|s| &s.kind) {
                None | Some(Kind::Never) => return NEVER,
                Some(Kind::Any) => return ANY,
                Some(Kind::Keywords(keywords)) => keywords,
            };
            match only_reference(keywords) {
                Some(target) => schema = target,
                None => break,
            }
        }
        self.nodes.all_of(vec![Literal::yes(Atom::Schema(schema))])
    }

    fn nodes_of(&mut self, schemas: &[SchemaId]) -> Vec<NodeId> {
        schemas.iter().map(|&s| self.node_of(s)).collect()
    }

    fn numbers(&mut self, keywords: &Keywords) -> Result<Option<NumberSet>, Problem> {
        let number = &keywords.number;
        let mut set = NumberSet::all();
        let bounds: [(&str, &Option<String>, Bounded); 4] = [
            ("minimum", &number.minimum, |d| {
                NumberSet::at_least(d, false)
            }),
            ("maximum", &number.maximum, |d| NumberSet::at_most(d, false)),
            ("exclusiveMinimum", &number.exclusive_minimum, |d| {
                NumberSet::at_least(d, true)
            }),
            ("exclusiveMaximum", &number.exclusive_maximum, |d| {
                NumberSet::at_most(d, true)
            }),
        ];
        for (keyword, bound, make) in bounds {
            if let Some(text) = bound {
                set = set.intersect(&make(&decimal(keyword, text)?))?;
            }
        }
        if let Some(format) = &keywords.string.format
            && self.number_formats
            && let Some(numbers) = numbers::of_format(format)
        {
            set = set.intersect(&numbers)?;
        }
        if let Some(text) = &number.multiple_of {
            let multiples = NumberSet::multiple_of(&decimal("multipleOf", text)?);
            match multiples {
                Ok(multiples) => set = set.intersect(&multiples)?,
                Err(error) => self.refuse(Problem::keyword(
                    Code::SchemaUndecided,
                    "multipleOf",
                    error.to_string(),
                    "use a divisor with few digits that are not zero",
                ))?,
            }
        }
        Ok((!set.is_all()).then_some(set))
    }

    fn strings(&mut self, keywords: &Keywords) -> Result<Option<StringCase>, Problem> {
        let string = &keywords.string;
        let mut case = StringCase {
            language: Language::any(),
            min: string.min_length,
            max: string.max_length,
        };
        if let Some(pattern) = &string.pattern
            && let Some(language) = self.pattern("pattern", pattern, None)?
        {
            case.language = case.language.intersect(&language)?;
        }
        if let Some(format) = &string.format
            && let Some(language) = self.format(format, string.format_of_draft_3)?
        {
            case.language = case.language.intersect(&language)?;
        }
        Ok((case != StringCase::any()).then_some(case))
    }

    /// The strings that match a pattern, which stands at `place` or is the keyword's value; nothing if it is to be ignored.
    fn pattern(
        &mut self,
        keyword: &str,
        pattern: &str,
        place: Option<Place>,
    ) -> Result<Option<Language>, Problem> {
        if let Some(known) = self.patterns.get(pattern) {
            return Ok(Some(known.clone()));
        }
        let problem = |error: PatternError| {
            let why = format!("the pattern {pattern:?}: {}", error.message);
            let problem = Problem::keyword(Code::SchemaPattern, keyword, why, error.help);
            Problem {
                place: place.clone().map(Box::new),
                ..problem.within(pattern, error.span)
            }
        };
        match strings::read_pattern(pattern) {
            Ok(Pattern { language, doubts }) => {
                doubts
                    .into_iter()
                    .for_each(|doubt| self.warn(problem(doubt)));
                self.patterns.insert(pattern.to_owned(), language.clone());
                Ok(Some(language))
            }
            Err(error) => {
                self.refuse(problem(error))?;
                Ok(None)
            }
        }
    }

    /// [`Self::pattern`] of a name of `patternProperties`, whose value is `schema`.
    fn name_pattern(
        &mut self,
        keywords: &Keywords,
        pattern: &str,
        schema: SchemaId,
    ) -> Result<Option<Language>, Problem> {
        let name = "patternProperties";
        let held = self.model.schema(schema).map(|schema| schema.place.span);
        let place = keywords.place(name).zip(held);
        let place = place.map(|(place, span)| Place {
            span,
            ..place.clone()
        });
        self.pattern(name, pattern, place)
    }

    fn format(&mut self, name: &str, of_draft_3: bool) -> Result<Option<Language>, Problem> {
        if !self.formats {
            return Ok(None);
        }
        let key = (name.to_owned(), of_draft_3);
        if let Some(known) = self.known_formats.get(&key) {
            return Ok(Some(known.clone()));
        }
        let language = match of_draft_3 {
            true => strings::format_of_draft_3(name),
            false => strings::format(name),
        };
        if let Some(language) = &language {
            self.known_formats.insert(key, language.clone());
        }
        if language.is_none() && strings::is_standard_format(name) {
            self.refuse(Problem::keyword(
                Code::SchemaFormat,
                "format",
                format!("`{name}` is no regular set of strings"),
                "replace it by a `pattern`, or take formats as annotations",
            ))?;
        }
        Ok(language)
    }

    fn array(&mut self, keywords: &Keywords) -> Option<ArrayCase> {
        let array = &keywords.array;
        let prefix = self.nodes_of(&array.prefix);
        let rest = array.items.map_or(ANY, |items| self.node_of(items));
        let contains = array.contains.map(|value| Contains {
            from: 0,
            value: self.node_of(value),
            min: array.min_contains.unwrap_or(1),
            max: array.max_contains,
            evaluates: array.contains_evaluates,
        });
        let mut case = ArrayCase {
            evaluated: match array.items {
                Some(_) => u64::MAX,
                None => prefix.len() as u64,
            },
            prefix,
            rest,
            min: array.min_items,
            max: array.max_items,
            contains: contains.into_iter().collect(),
            unique: array.unique,
        };
        case.normalize();
        (case != ArrayCase::any()).then_some(case)
    }

    fn object(&mut self, keywords: &Keywords) -> Result<Option<ObjectCase>, Problem> {
        let object = &keywords.object;
        let mut covered = Language::empty();
        let mut others: Vec<(Language, NodeId)> = vec![(Language::any(), ANY)];
        for (pattern, schema) in &object.patterns {
            self.check_time()?;
            let Some(language) = self.name_pattern(keywords, pattern, *schema)? else {
                continue;
            };
            covered = covered.union(&language)?;
            let value = self.node_of(*schema);
            others = self.refine(others, &language, value)?;
        }
        if let Some(additional) = object.additional {
            let value = self.node_of(additional);
            others = self.refine(others, &covered.complement(), value)?;
        }
        let mut case = ObjectCase {
            others,
            min: object.min_properties,
            max: object.max_properties,
            ..ObjectCase::any()
        };
        for (name, schema) in &object.properties {
            let mut value = self.node_of(*schema);
            if !object.patterns.is_empty() {
                self.check_time()?;
            }
            for (pattern, schema) in &object.patterns {
                if let Some(language) = self.name_pattern(keywords, pattern, *schema)?
                    && language.contains(name)
                {
                    let matched = self.node_of(*schema);
                    value = self.nodes.both(value, matched);
                }
            }
            case.names.push(Named {
                name: name.as_str().into(),
                value,
                required: false,
                placed: true,
            });
        }
        case.demand(&object.required);
        case.evaluated = match object.additional {
            Some(_) => Language::any(),
            None => {
                let names = Language::literals(object.properties.iter().map(|p| p.0.as_str()))?;
                covered.union(&names)?
            }
        };
        Ok((case != ObjectCase::any()).then_some(case))
    }

    /// The partition in which the values of `names` are also in `value`.
    pub(super) fn refine(
        &mut self,
        others: Vec<(Language, NodeId)>,
        names: &Language,
        value: NodeId,
    ) -> Result<Vec<(Language, NodeId)>, Problem> {
        if value == ANY {
            return Ok(others);
        }
        let mut out = Vec::new();
        for (language, known) in others {
            let inside = language.intersect(names)?;
            let outside = language.minus(names)?;
            let both = self.nodes.both(known, value);
            out.extend(
                [(inside, both), (outside, known)]
                    .into_iter()
                    .filter(|o| !o.0.is_empty()),
            );
        }
        Ok(out)
    }

    /// Objects all of whose names are strings of a schema.
    fn property_names(&mut self, schema: SchemaId) -> Result<ObjectCase, Problem> {
        let node = self.node_of(schema);
        let shape = self.shape(node, false)?;
        let mut names = Language::empty();
        for case in &shape.strings {
            names = names.union(&case.to_language()?)?;
        }
        let others = [(names.clone(), ANY), (names.complement(), NEVER)];
        Ok(ObjectCase {
            others: others.into_iter().filter(|o| !o.0.is_empty()).collect(),
            ..ObjectCase::any()
        })
    }
}

/// The one schema that `keywords` refer to, if they say nothing else.
fn only_reference(keywords: &Keywords) -> Option<SchemaId> {
    let targets = [keywords.references.as_slice(), keywords.all_of.as_slice()].concat();
    let &[target] = targets.as_slice() else {
        return None;
    };
    let nothing_else = keywords.types == Types::ALL
        && keywords.values.is_empty()
        && keywords.any_of.is_none()
        && keywords.one_of.is_none()
        && keywords.not.is_empty()
        && keywords.condition.is_none()
        && keywords.number == Default::default()
        && keywords.string == Default::default()
        && keywords.array == Default::default()
        && keywords.object == Default::default();
    nothing_else.then_some(target)
}

pub(super) fn decimal(keyword: &str, text: &str) -> Result<Decimal, Problem> {
    Decimal::parse(text).ok_or_else(|| {
        Problem::keyword(
            Code::LimitExceeded,
            keyword,
            format!("`{text}` has too many digits"),
            "round it",
        )
    })
}
