//! ECMA-262 patterns.
//!
//! In: the text of a pattern. Out: the strings in which it is found, as a [`Language`].

use super::{Language, TooLarge};
use core::fmt;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use std::ops::Range;

/// Why a pattern is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub message: String,
    /// The bytes of the pattern that it is about.
    pub span: Range<usize>,
    /// A way out.
    pub help: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}

/// The strings in which the pattern is found somewhere.
pub fn pattern(text: &str) -> Result<Language, PatternError> {
    let refuse = |message: String| PatternError {
        message,
        span: 0..text.len(),
        help: "write the pattern without it".into(),
    };
    let hir = (regex_syntax::ParserBuilder::new()
        .nest_limit(200)
        .build()
        .parse(text))
    .map_err(|e| refuse(e.to_string()))?;
    search(&hir).map_err(|e| refuse(e.unwrap_or("an assertion inside a pattern".into())))
}

type Refused = Option<String>;

fn search(hir: &Hir) -> Result<Language, Refused> {
    if let HirKind::Alternation(parts) = hir.kind() {
        let mut all = Language::empty();
        for part in parts {
            all = all.union(&search(part)?).map_err(large)?;
        }
        return Ok(all);
    }
    if let HirKind::Capture(capture) = hir.kind() {
        return search(&capture.sub);
    }
    let one = [hir.clone()];
    let parts = match hir.kind() {
        HirKind::Concat(parts) => &parts[..],
        _ => &one[..],
    };
    let is = |part: Option<&Hir>, look| {
        part.is_some_and(|p| matches!(p.kind(), HirKind::Look(l) if *l == look))
    };
    let from = usize::from(is(parts.first(), Look::Start));
    let to = parts.len() - usize::from(is(parts.last(), Look::End));
    let mut all = if from == 1 {
        Language::literal("")
    } else {
        Language::any()
    };
    for part in &parts[from.min(to)..to] {
        all = all.concat(&whole(part)?).map_err(large)?;
    }
    let rest = if to < parts.len() {
        Language::literal("")
    } else {
        Language::any()
    };
    all.concat(&rest).map_err(large)
}

fn large(error: TooLarge) -> Refused {
    Some(error.to_string())
}

fn whole(hir: &Hir) -> Result<Language, Refused> {
    Ok(match hir.kind() {
        HirKind::Empty => Language::literal(""),
        HirKind::Literal(literal) => {
            Language::literal(std::str::from_utf8(&literal.0).map_err(|_| None)?)
        }
        HirKind::Class(Class::Unicode(class)) => {
            let ranges: Vec<_> = class.iter().map(|r| (r.start(), r.end())).collect();
            Language::class(&ranges)
        }
        HirKind::Class(Class::Bytes(_)) | HirKind::Look(_) => return Err(None),
        HirKind::Repetition(r) => whole(&r.sub)?.repeat(r.min, r.max).map_err(large)?,
        HirKind::Capture(capture) => whole(&capture.sub)?,
        HirKind::Concat(parts) => parts.iter().try_fold(Language::literal(""), |all, part| {
            all.concat(&whole(part)?).map_err(large)
        })?,
        HirKind::Alternation(parts) => parts.iter().try_fold(Language::empty(), |all, part| {
            all.union(&whole(part)?).map_err(large)
        })?,
    })
}
