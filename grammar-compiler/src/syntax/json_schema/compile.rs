//! All stages of a schema: one call a stage.

use super::document::{self, JsonNode};
use super::lower::{LoweredSchema, lower};
use super::model::{self, Model, ModelOptions, Schema, SchemaId, SchemaKind, SchemaPlace};
use super::refusal::{refuse, warn};
use super::values::SchemaValues;
use crate::error::{Code, Diagnostic, Error};
use crate::grammar::check::for_each_ref;
use crate::grammar::{Grammar, RuleId};
use crate::limits::Deadline;
use crate::maps::IdSet;
use crate::source::{Source, Span};
use crate::syntax::{ParseOptions, Parsed};

/// The grammar of the texts of a schema's values.
///
/// # Errors
///
/// If the text is no JSON Schema, or demands what cannot be honoured exactly, or no value satisfies
/// it, or a limit is passed; if the option `lenient` names what is no keyword.
pub fn parse(source: &Source, options: &ParseOptions) -> Result<Parsed, Error> {
    parse_within(source, Span::new(0, source.text().len()), options)
}

/// The same for a schema that stands somewhere in a text.
///
/// # Errors
///
/// As [`parse`].
pub(crate) fn parse_within(
    source: &Source,
    place: Span,
    options: &ParseOptions,
) -> Result<Parsed, Error> {
    let options = &*options.begun();
    let document = document::parse_within(source, place, &options.limits)
        .map_err(|error| Error::in_source(source, vec![error]))?;
    of_document(source, &document, options)
}

/// The same for a schema that has been read as JSON; `document` is a part of `source`.
///
/// # Errors
///
/// As [`parse`].
fn of_document(
    source: &Source,
    document: &JsonNode,
    options: &ParseOptions,
) -> Result<Parsed, Error> {
    let whole = options;
    let ParseOptions {
        schema: options,
        limits,
        ..
    } = options;
    let refused = |diagnostics| Error::in_source(source, diagnostics);
    check_lenient(&options.lenient)?;
    let deadline = Deadline::start(limits);
    let reading = ModelOptions {
        takes_null: options.arguments,
        draft: options.draft,
        resolver: options.resolver.clone(),
        folders: options.documents.clone(),
        limits: limits.clone(),
        lenient: options.lenient.clone(),
    };
    let mut model = model::build(document, &reading).map_err(refused)?;
    if !options.undeclared {
        model::close(&mut model, &deadline);
    }
    if options.declare_required {
        model::declare_required(&mut model, &deadline);
    }
    model::merge(&mut model, &deadline);
    let mut values = SchemaValues::new(&model, options, &deadline);
    let root = values.root();
    let lowered = lower(&mut values, root, whole);
    let noted = values.warnings().iter().cloned();
    let noted = noted.map(|problem| problem.warning(source));
    let mut warnings: Vec<Diagnostic> = model.warnings.iter().cloned().chain(noted).collect();
    // A warning often says why there is an error, so it is shown with it.
    let beside = |error: Diagnostic| refused([vec![error], warnings.clone()].concat());
    let in_time = deadline.confirm("working out a schema");
    in_time.map_err(|limit| refused(vec![Diagnostic::from(&limit)]))?;
    let LoweredSchema {
        grammar,
        holds_end,
        unproductive,
        never,
    } = lowered.map_err(|problem| {
        let mut all = vec![problem.clone().diagnostic(source)];
        if problem.keyword.is_some() {
            let mut others = SchemaValues::new(&model, options, &deadline).collecting();
            let root = others.root();
            // Whether it goes through then does not matter: the schema is refused.
            let _ = lower(&mut others, root, whole);
            let others = others.refused().iter().cloned();
            for other in others.map(|other| other.diagnostic(source)) {
                if all.iter().all(|known| known.message() != other.message()) {
                    all.push(other);
                }
            }
        }
        all.sort_by_key(Diagnostic::span);
        refused([all, warnings.clone()].concat())
    })?;
    if let Some((schema, place)) = unsatisfiable(&grammar, &unproductive, &model) {
        let undeclared = (!options.undeclared)
            .then(|| model::undeclared_required(&model, schema))
            .flatten();
        if let Some(found) = undeclared {
            return Err(beside(undeclared_name(
                &found,
                Code::SchemaUnsatisfiable,
                refuse,
            )));
        }
        return Err(beside(refuse(
            Code::SchemaUnsatisfiable,
            &place,
            "",
            "no value satisfies this schema",
            match options.undeclared {
                true => "take out one of the keywords that contradict each other",
                false => {
                    "take out one of the keywords that contradict each other; properties that the schema does not declare are forbidden, unless it has `additionalProperties`"
                }
            },
        )));
    }
    warnings.extend(never.into_iter().filter_map(|id| {
        let undeclared = (!options.undeclared)
            .then(|| model::undeclared_required(&model, id))
            .flatten();
        match undeclared {
            Some(found) => Some(undeclared_name(&found, Code::SchemaNoValue, warn)),
            None => no_value(&model, id),
        }
    }));
    Ok(Parsed {
        grammar,
        sources: source.into(),
        warnings,
        files: model.files.clone(),
        has_schema: true,
        holds_end,
        calls: None,
    })
}

/// Members that are no keywords are ignored anyway, so the option `lenient` names one only by
/// mistake.
fn check_lenient(names: &[String]) -> Result<(), Error> {
    for name in names {
        model::keyword_named(name).map_err(|why| {
            let message = format!("the option `lenient` names `{name}`: {why}");
            Diagnostic::error(Code::SchemaUnknownKeyword, message)
                .help("name the keywords that may be ignored, such as `uniqueItems`")
        })?;
    }
    Ok(())
}

/// That a property is demanded that may not be there.
fn undeclared_name(
    (place, name): &(SchemaPlace, String),
    code: Code,
    say: fn(Code, &SchemaPlace, &str, String, String) -> Diagnostic,
) -> Diagnostic {
    let shown: String = name.chars().take(64).flat_map(char::escape_debug).collect();
    let why = format!(
        "it names `{shown}`, which `properties` does not declare, and properties that a schema does not declare are forbidden"
    );
    let help = format!(
        "declare `{shown}` in `properties`, take it out of `required`, \
         or set the option `declare_required`, which allows any value for it"
    );
    say(code, place, "required", why, help)
}

/// The warning that no value satisfies a schema, unless it says that none shall.
fn no_value(model: &Model, id: SchemaId) -> Option<Diagnostic> {
    let Schema { place, kind } = model.schema(id)?;
    match kind {
        SchemaKind::Keywords(keywords) if keywords.not.is_empty() => Some(warn(
            Code::SchemaNoValue,
            place,
            "",
            "no value satisfies this schema, so no text has a value for it",
            "take out one of the keywords that contradict each other, or write `false` if no value is meant to be allowed",
        )),
        _ => None,
    }
}

/// Where the schema demands what cannot be, if nothing satisfies it as a whole: the innermost
/// place.
fn unsatisfiable(
    grammar: &Grammar,
    unproductive: &IdSet<RuleId>,
    model: &Model,
) -> Option<(SchemaId, SchemaPlace)> {
    let mut at = grammar.root;
    let mut seen = IdSet::default();
    // Each rule's name is the pointer of its schema.
    while unproductive.contains(&at) && seen.insert(at) {
        let mut inner = None;
        for_each_ref(&grammar.rules.get(at.0 as usize)?.expr, &mut |id| {
            inner = inner.or(Some(id).filter(|id| unproductive.contains(id)));
        });
        at = inner.unwrap_or(at);
    }
    let name = &grammar.rules.get(at.0 as usize)?.name;
    let number = (0..).zip(&model.schemas);
    let mut number = number.filter(|(_, schema)| schema.place.pointer == *name);
    let id = number.next().map_or(model.root, |(at, _)| SchemaId(at));
    let place = model.schema(id).map(|schema| schema.place.clone());
    unproductive
        .contains(&grammar.root)
        .then(|| (id, place.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::syntax::json_schema::SchemaOptions;

    fn compile(schema: &str) -> Result<Parsed, Error> {
        parse(&Source::new("s.json", schema), &ParseOptions::default())
    }

    #[test]
    fn all_keywords_that_cannot_be_honoured_are_named_at_once() {
        let schema = r#"{"type": "object", "properties": {
            "a": {"type": "array", "uniqueItems": true},
            "b": {"type": "string", "pattern": "(a)\\1"},
            "c": {"type": "string", "format": "regex"},
            "d": {"type": "array", "uniqueItems": true, "minItems": 1}}}"#;
        let source = Source::new("", schema);
        let error = parse(&source, &ParseOptions::default()).unwrap_err();
        let errors = error.diagnostics().iter();
        let said: Vec<String> = errors.map(|error| error.message().to_owned()).collect();
        for place in ["a", "b", "c", "d"] {
            let at = format!("at `#/properties/{place}`");
            let named = said.iter().filter(|message| message.contains(&at)).count();
            assert_eq!(named, 1, "{place} in {said:#?}");
        }
    }

    #[test]
    fn lenient_names_keywords_only() {
        let lenient = |name: &str| {
            let options = SchemaOptions {
                lenient: vec![name.into()],
                ..SchemaOptions::default()
            };
            parse(&Source::new("s.json", "{}"), &options.into()).map(|_| ())
        };
        assert!(lenient("uniqueItems").is_ok());
        let error = lenient("uniqueItem").expect_err("no keyword").to_string();
        assert!(error.contains("did you mean `uniqueItems`?"), "{error}");
    }

    #[test]
    fn published_metaschemas_are_there() {
        for draft in model::Draft::ALL {
            let made = compile(&format!(r#"{{"$ref": "{}"}}"#, draft.uri())).unwrap();
            // Names are not compared with one another, and it is said.
            let codes: BTreeSet<Code> = made.warnings.iter().map(Diagnostic::code).collect();
            assert_eq!(codes, BTreeSet::from([Code::SchemaLenient]), "{draft}");
        }
        // No reference, nothing to say.
        let plain = compile(r#"{"$schema": "http://json-schema.org/draft-07/schema#"}"#).unwrap();
        assert_eq!(plain.warnings.len(), 0);
    }

    #[test]
    fn only_a_metaschemas_own_keyword_is_ignored() {
        let names = "http://json-schema.org/draft-07/schema#/definitions/stringArray";
        assert!(compile(&format!(r#"{{"$ref": "{names}"}}"#)).is_ok());
        for schema in [
            format!(r#"{{"allOf": [{{"$ref": "{names}"}}, {{"uniqueItems": true}}]}}"#),
            format!(r#"{{"allOf": [{{"uniqueItems": true}}, {{"$ref": "{names}"}}]}}"#),
            format!(r#"{{"not": {{"$ref": "{names}"}}}}"#),
        ] {
            assert_eq!(compile(&schema).unwrap_err().code(), "schema-undecided");
        }
        let pattern = "http://json-schema.org/draft-07/schema#/properties/pattern";
        assert!(compile(&format!(r#"{{"$ref": "{pattern}"}}"#)).is_ok());
        let format = format!(r#"{{"allOf": [{{"$ref": "{pattern}"}}, {{"format": "regex"}}]}}"#);
        assert_eq!(compile(&format).unwrap_err().code(), "schema-format");
    }
}
