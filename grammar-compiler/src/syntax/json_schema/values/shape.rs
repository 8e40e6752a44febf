//! A set of values as a union of cases by JSON type.

use super::bounds::{self, least, reachable};
use super::{ArrayCase, ObjectCase, Problem};
use crate::limits::Deadline;
use crate::syntax::json_schema::numbers::NumberSet;
use crate::syntax::json_schema::strings::Language;

/// More cases than this of one type are refused.
pub const MAX_CASES: usize = 1_000;

/// More than this are refused while they are made, when later ones may still cover some: each is
/// compared with all others.
pub const MAX_MADE: usize = 2 * MAX_CASES;

/// A set of values: everything that one of its parts holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueShape {
    /// Whether `null` is in it.
    pub null: bool,
    /// Whether `false` and `true` are in it.
    pub booleans: [bool; 2],
    /// The numbers in it.
    pub numbers: NumberSet,
    /// Integers in it that are to be written without a point and an exponent, as drafts 3 and 4
    /// say; none of `numbers`.
    pub plain_integers: NumberSet,
    /// The strings: those of each case.
    pub strings: Vec<StringCase>,
    /// The arrays: those of each case.
    pub arrays: Vec<ArrayCase>,
    /// The objects: those of each case.
    pub objects: Vec<ObjectCase>,
}

/// Kinds of values that are looked at by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `null`, booleans and numbers.
    Scalar,
    /// Strings.
    String,
    /// Arrays.
    Array,
    /// Objects.
    Object,
}

impl ValueKind {
    /// All of them: each value is of one.
    pub const ALL: [ValueKind; 4] = [
        ValueKind::Scalar,
        ValueKind::String,
        ValueKind::Array,
        ValueKind::Object,
    ];
}

/// Strings of a language whose length lies between two bounds. The bounds stay apart from the
/// language, since long ones need a counter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StringCase {
    /// The language.
    pub language: Language,
    /// The least length in code points.
    pub min: u64,
    /// The greatest length in code points.
    pub max: Option<u64>,
}

impl StringCase {
    /// All strings.
    pub fn any() -> Self {
        StringCase {
            language: Language::any(),
            min: 0,
            max: None,
        }
    }

    /// The bound that takes the most states, with its keyword.
    pub fn bound(&self) -> (&'static str, u64) {
        match self.max {
            Some(max) => ("maxLength", max),
            None => ("minLength", self.min),
        }
    }

    /// Whether no string is in it.
    pub fn is_empty(&self) -> bool {
        let Some((shortest, longest)) = self.language.lengths() else {
            return true;
        };
        bounds::is_empty(self.min.max(shortest), self.max) || longest.is_some_and(|l| l < self.min)
    }

    /// The strings in both; nothing if there surely are none.
    pub fn intersect(&self, other: &Self, deadline: &Deadline) -> Result<Option<Self>, Problem> {
        let case = StringCase {
            language: self.language.intersect(&other.language, deadline)?,
            min: self.min.max(other.min),
            max: least(self.max, other.max),
        };
        Ok((!case.is_empty()).then_some(case))
    }

    /// All other strings.
    pub fn complement(&self) -> Vec<Self> {
        let mut out = Vec::new();
        let language = self.language.complement();
        if !language.is_empty() {
            out.push(StringCase {
                language,
                ..StringCase::any()
            });
        }
        if self.min > 0 {
            out.push(StringCase {
                max: reachable(self.min - 1),
                ..StringCase::any()
            });
        }
        if let Some(max) = self.max {
            out.push(StringCase {
                min: max.saturating_add(1),
                ..StringCase::any()
            });
        }
        out
    }

    /// The strings of any length of which the set has those of at most `max` characters, if that
    /// leaves some out, and not all. Nothing if they are too many.
    pub fn without_max(&self, deadline: &Deadline) -> Option<Language> {
        let max = self.max?;
        let language = self.language.with_length(self.min, None, deadline).ok()?;
        let (shortest, longest) = language.lengths()?;
        let is_cut = shortest <= max && longest.is_none_or(|longest| longest > max);
        is_cut.then_some(language)
    }

    /// The same set without bounds beside the language.
    pub fn to_language(&self, deadline: &Deadline) -> Result<Language, Problem> {
        Ok(self.language.with_length(self.min, self.max, deadline)?)
    }
}

impl ValueShape {
    /// No value.
    pub fn never() -> Self {
        ValueShape {
            null: false,
            booleans: [false; 2],
            numbers: NumberSet::empty(),
            plain_integers: NumberSet::empty(),
            strings: Vec::new(),
            arrays: Vec::new(),
            objects: Vec::new(),
        }
    }

    /// Every value.
    pub fn any() -> Self {
        ValueShape {
            null: true,
            booleans: [true; 2],
            numbers: NumberSet::all(),
            plain_integers: NumberSet::empty(),
            strings: vec![StringCase::any()],
            arrays: vec![ArrayCase::any()],
            objects: vec![ObjectCase::any()],
        }
    }

    /// Every value but numbers.
    pub fn but_numbers() -> Self {
        ValueShape {
            numbers: NumberSet::empty(),
            ..ValueShape::any()
        }
    }

    /// Every value but strings.
    pub fn but_strings() -> Self {
        ValueShape {
            strings: Vec::new(),
            ..ValueShape::any()
        }
    }

    /// Every value but arrays.
    pub fn but_arrays() -> Self {
        ValueShape {
            arrays: Vec::new(),
            ..ValueShape::any()
        }
    }

    /// Every value but objects.
    pub fn but_objects() -> Self {
        ValueShape {
            objects: Vec::new(),
            ..ValueShape::any()
        }
    }

    /// Those of its values that are of a kind.
    pub fn of_kind(&self, kind: ValueKind) -> Self {
        let mut shape = ValueShape::never();
        match kind {
            ValueKind::Scalar => {
                (shape.null, shape.booleans) = (self.null, self.booleans);
                shape.numbers = self.numbers.clone();
                shape.plain_integers = self.plain_integers.clone();
            }
            ValueKind::String => shape.strings.clone_from(&self.strings),
            ValueKind::Array => shape.arrays.clone_from(&self.arrays),
            ValueKind::Object => shape.objects.clone_from(&self.objects),
        }
        shape
    }

    /// The values in either.
    pub fn union(mut self, other: ValueShape, deadline: &Deadline) -> Result<ValueShape, Problem> {
        self.null |= other.null;
        for (mine, theirs) in self.booleans.iter_mut().zip(other.booleans) {
            *mine |= theirs;
        }
        self.numbers = self.numbers.union(&other.numbers)?;
        if !(self.plain_integers.is_empty() && other.plain_integers.is_empty()) {
            let plain = self.plain_integers.union(&other.plain_integers)?;
            self.plain_integers = plain.minus(&self.numbers)?;
        }
        for case in other.strings {
            add_string(&mut self.strings, case, deadline)?;
        }
        for case in other.arrays {
            add(&mut self.arrays, case, ArrayCase::is_within);
        }
        for case in other.objects {
            add(&mut self.objects, case, |case, other| {
                case.is_within(other, deadline)
            });
        }
        self.bounded()
    }

    /// The integers in both that one of them wants without a point and an exponent.
    pub(super) fn common_plain_integers(&self, other: &ValueShape) -> Result<NumberSet, Problem> {
        if self.plain_integers.is_empty() && other.plain_integers.is_empty() {
            return Ok(NumberSet::empty());
        }
        let theirs = other.numbers.union(&other.plain_integers)?;
        let mine = self.plain_integers.intersect(&theirs)?;
        Ok(mine.union(&self.numbers.intersect(&other.plain_integers)?)?)
    }

    /// Fails if there are too many cases.
    pub fn bounded(self) -> Result<ValueShape, Problem> {
        let most = self
            .strings
            .len()
            .max(self.arrays.len())
            .max(self.objects.len());
        check_cases(most, MAX_CASES)?;
        Ok(self)
    }
}

/// Fails if there are more cases than `most`.
pub fn check_cases(cases: usize, most: usize) -> Result<(), Problem> {
    if cases > most {
        return Err(Problem::too_large(format!(
            "its alternatives multiply to more than {MAX_CASES} cases"
        )));
    }
    Ok(())
}

/// Adds a case of strings; cases without bounds on the length are one.
pub fn add_string(
    cases: &mut Vec<StringCase>,
    case: StringCase,
    deadline: &Deadline,
) -> Result<(), Problem> {
    let same = (cases.iter_mut()).find(|c| c.min == case.min && c.max == case.max);
    match same {
        Some(known) => known.language = known.language.union(&case.language, deadline)?,
        None => cases.push(case),
    }
    Ok(())
}

/// Adds a case unless one that is there covers it; drops those that it covers.
pub fn add<T>(cases: &mut Vec<T>, case: T, is_within: impl Fn(&T, &T) -> bool) {
    if cases.iter().any(|known| is_within(&case, known)) {
        return;
    }
    cases.retain(|known| !is_within(known, &case));
    cases.push(case);
}
