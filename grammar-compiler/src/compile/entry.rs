//! A result as an entry of the cache.
//!
//! In: [`Compiled`] and its grammar, or an entry and the grammar that it is for. Out: the other of
//! the two. What holds: nothing in an entry is trusted, but its tables are not validated here.
//! Places in warnings are kept as sites of the grammar, since the same grammar may be written
//! elsewhere when the entry is read. Stages are not kept: none has run then.

use std::time::Duration;

use super::compiled::Compiled;
use super::report::{Report, section_names};
use crate::bytes::{ByteReader, ByteWriter};
use crate::error::Diagnostic;
use crate::grammar::Grammar;
use crate::grammar::places::Site;
use crate::pack::SetKinds;
use crate::pda::height::Height;
use crate::source::Span;

/// Written for a site that there is not.
const NOWHERE: u64 = u64::MAX;
/// Written before each kind of height.
const AT_MOST: u64 = 0;
const GROWS: u64 = 1;

/// The entry: report, warnings, tables.
pub(super) fn write(compiled: &Compiled, grammar: &Grammar) -> Vec<u8> {
    let mut entry = ByteWriter::default();
    entry.report(&compiled.report);
    entry.list(&compiled.warnings, |entry, warning| {
        entry.warning(warning, grammar);
    });
    entry.0.extend_from_slice(&compiled.tables);
    entry.0
}

/// Reads an entry back.
pub(super) fn read(entry: &[u8], grammar: &Grammar) -> Option<Compiled> {
    let mut entry = ByteReader(entry);
    Some(Compiled {
        report: entry.report()?,
        warnings: entry.list(|entry| entry.warning(grammar))?,
        tables: entry.0.to_vec(),
        sources: None,
        calls: None,
    })
}

impl ByteWriter {
    fn report(&mut self, report: &Report) {
        let Report {
            states,
            frames,
            conditional_edges,
            deepest_condition,
            looks_to_the_bottom,
            max_stacks,
            stacks_proved,
            least_depth,
            height,
            table_bytes,
            automaton_bytes,
            mask_bytes,
            sections,
            sets,
            mask_nodes,
            machines,
            blocks,
            stages: _,
            compile_time: _,
        } = report;
        let (kind, height) = match height {
            Height::AtMost(frames) => (AT_MOST, frames),
            Height::Grows { by } => (GROWS, by),
        };
        let sizes = [
            states,
            frames,
            conditional_edges,
            deepest_condition,
            max_stacks,
            least_depth,
            table_bytes,
            automaton_bytes,
            mask_bytes,
            mask_nodes,
            blocks,
        ];
        sizes.into_iter().for_each(|&size| self.number(size as u64));
        self.sets(sets);
        self.number(*height as u64);
        self.number(kind);
        self.number(u64::from(*looks_to_the_bottom));
        self.number(u64::from(*stacks_proved));
        self.list(sections, |entry, section| entry.number(section.1 as u64));
        self.list(machines, |entry, (name, states)| {
            entry.text(name);
            entry.number(*states as u64);
        });
    }

    fn sets(&mut self, sets: &SetKinds) {
        let SetKinds {
            bitmaps,
            accept_lists,
            reject_lists,
            deltas,
            shared,
        } = sets;
        let sizes = [bitmaps, accept_lists, reject_lists, deltas, shared];
        sizes.into_iter().for_each(|&size| self.number(size as u64));
    }

    fn warning(&mut self, warning: &Diagnostic, grammar: &Grammar) {
        self.text(warning.code().as_str());
        self.text(warning.message());
        self.list(warning.labels(), |entry, label| {
            let site = grammar.site(label.span);
            let part = site.and_then(|site| site.part);
            entry.number(site.map_or(NOWHERE, |site| site.rule.into()));
            entry.number(part.map_or(NOWHERE, u64::from));
            entry.text(&label.text);
        });
        let way_out: Vec<&str> = warning.way_out().into_iter().collect();
        self.list(&way_out, |entry, way_out| entry.text(way_out));
    }
}

impl ByteReader<'_> {
    fn report(&mut self) -> Option<Report> {
        let mut report = Report {
            states: self.size()?,
            frames: self.size()?,
            conditional_edges: self.size()?,
            deepest_condition: self.size()?,
            max_stacks: self.size()?,
            least_depth: self.size()?,
            table_bytes: self.size()?,
            automaton_bytes: self.size()?,
            mask_bytes: self.size()?,
            mask_nodes: self.size()?,
            blocks: self.size()?,
            sets: SetKinds {
                bitmaps: self.size()?,
                accept_lists: self.size()?,
                reject_lists: self.size()?,
                deltas: self.size()?,
                shared: self.size()?,
            },
            height: Height::AtMost(self.size()?),
            looks_to_the_bottom: false,
            stacks_proved: false,
            sections: Vec::new(),
            machines: Vec::new(),
            stages: Vec::new(),
            compile_time: Duration::ZERO,
        };
        match (self.number()?, report.height) {
            (AT_MOST, _) => {}
            (GROWS, Height::AtMost(by)) => report.height = Height::Grows { by },
            _ => return None,
        }
        report.looks_to_the_bottom = self.flag()?;
        report.stacks_proved = self.flag()?;
        let sizes = self.list(Self::size)?;
        report.sections = section_names().zip(sizes).collect();
        report.machines = self.list(|entry| Some((entry.text()?, entry.size()?)))?;
        Some(report)
    }

    fn warning(&mut self, grammar: &Grammar) -> Option<Diagnostic> {
        let code = self.text()?.parse().ok()?;
        let mut warning = Diagnostic::warning(code, self.text()?);
        for (place, text) in self.list(|entry| entry.label(grammar))? {
            if let Some(place) = place {
                warning = warning.at(place, text);
            }
        }
        for way_out in self.list(Self::text)? {
            warning = warning.help(way_out);
        }
        Some(warning)
    }

    /// A place, if the grammar has it, and what is said there.
    fn label(&mut self, grammar: &Grammar) -> Option<(Option<Span>, String)> {
        let (rule, part) = (self.number()?, self.number()?);
        let part = match part {
            NOWHERE => None,
            part => Some(u32::try_from(part).ok()?),
        };
        let place = match rule {
            NOWHERE => None,
            rule => grammar.place(Site {
                rule: u32::try_from(rule).ok()?,
                part,
            }),
        };
        Some((place, self.text()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Compiler;
    use crate::error::Code;
    use crate::source::Source;
    use crate::syntax::ebnf;
    use crate::vocabulary::Vocabulary;

    fn grammar(text: &str) -> Grammar {
        let parsed = ebnf::parse(&Source::new("test", text), &Default::default());
        parsed.unwrap().grammar
    }

    fn compiled(grammar: &Grammar) -> Compiled {
        let tokens = (0..=255u8).map(|byte| vec![byte]).chain([vec![]]).collect();
        let compiler = Compiler::new(&Vocabulary::from_tokens(tokens, vec![256])).unwrap();
        let mut compiled = compiler.compile(grammar).unwrap();
        compiled.report.stages.clear();
        compiled.report.compile_time = Duration::ZERO;
        compiled
    }

    #[test]
    fn entries_are_read_back() {
        let here = grammar("root ::= \"a\" | b\nb ::= \"[\" b \"]\" | \"b\"");
        let mut made = compiled(&here);
        assert!(matches!(made.report.height, Height::Grows { .. }));
        let warning = |text: &str| Diagnostic::warning(Code::LargeRule, text);
        made.warnings = vec![
            warning("first").at(here.rules[0].places[2], "here"),
            warning("").help("a way out"),
            warning("ünïcode")
                .at(here.rules[1].span, "")
                .at(here.rules[0].places[2], "there"),
        ];
        let entry = write(&made, &here);
        assert_eq!(read(&entry, &here).as_ref(), Some(&made));
        for cut in 0..entry.len() - made.tables.len() {
            assert_eq!(read(&entry[..cut], &here), None, "cut at {cut}");
        }
        assert_eq!(read(&[0xFF; 400], &here), None);
        let bounded = compiled(&grammar("root ::= \"a\" | \"b\""));
        assert!(matches!(bounded.report.height, Height::AtMost(_)));
        assert_eq!(read(&write(&bounded, &here), &here), Some(bounded));

        // The same grammar, written in another way.
        let moved = grammar("# moved\nroot ::= (\"a\")\n  | b\n\nb ::= \"[\" b \"]\" | \"b\"");
        let read = read(&entry, &moved).unwrap();
        let spans: Vec<_> = read.warnings.iter().map(Diagnostic::span).collect();
        assert_eq!(
            spans,
            [Some(Span::new(27, 28)), None, Some(Span::new(30, 31))]
        );
    }
}
