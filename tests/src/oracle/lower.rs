//! From rules with expressions to plain productions over bytes.
//!
//! Each group, class and repetition gets a nonterminal of its own; `x*` becomes `S ::= "" | S x`.

use super::ast::{Ast, Expr};
use super::cfg::{ByteSet, Cfg, Production, Symbol};
use super::utf8;
use std::collections::HashMap;

/// Lowers and reduces.
///
/// # Errors
/// An undefined or duplicate rule, a missing `root`, or a root that derives nothing.
pub fn lower(ast: &Ast) -> Result<Cfg, String> {
    let mut lowering = Lowering {
        names: HashMap::new(),
        productions: Vec::new(),
        sets: Vec::new(),
        count: 1,
    };
    for rule in &ast.rules {
        let id = lowering.fresh();
        if lowering.names.insert(rule.name.as_str(), id).is_some() {
            return Err(format!("rule {} is defined twice", rule.name));
        }
    }
    let root = lowering.symbol_of_name("root")?;
    lowering.produce(0, vec![root]);
    for rule in &ast.rules {
        let left = lowering.names[rule.name.as_str()];
        lowering.alternatives(left, &rule.expr)?;
    }
    Cfg::new(lowering.count, &lowering.productions, lowering.sets)
}

struct Lowering<'a> {
    names: HashMap<&'a str, u32>,
    productions: Vec<Production>,
    sets: Vec<ByteSet>,
    count: u32,
}

impl Lowering<'_> {
    fn fresh(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    fn produce(&mut self, left: u32, right: Vec<Symbol>) {
        self.productions.push(Production { left, right });
    }

    fn symbol_of_name(&self, name: &str) -> Result<Symbol, String> {
        let id = self
            .names
            .get(name)
            .ok_or_else(|| format!("rule {name} is not defined"))?;
        Ok(Symbol::Nonterminal(*id))
    }

    fn alternatives(&mut self, left: u32, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Alt(items) => items
                .iter()
                .try_for_each(|item| self.alternatives(left, item)),
            _ => {
                let right = self.sequence(expr)?;
                self.produce(left, right);
                Ok(())
            }
        }
    }

    fn sequence(&mut self, expr: &Expr) -> Result<Vec<Symbol>, String> {
        match expr {
            Expr::Text(text) => Ok(text.bytes().map(|byte| self.bytes(byte, byte)).collect()),
            Expr::Seq(items) => {
                let parts: Result<Vec<_>, _> =
                    items.iter().map(|item| self.sequence(item)).collect();
                Ok(parts?.concat())
            }
            Expr::Name(name) => Ok(vec![self.symbol_of_name(name)?]),
            Expr::Class {
                negated: false,
                ranges,
            } => Ok(vec![self.class(ranges)]),
            Expr::Class {
                negated: true,
                ranges,
            } => Ok(vec![self.class(&utf8::complement(ranges))]),
            Expr::Any => Ok(vec![self.class(&utf8::complement(&[]))]),
            Expr::Byte(low, high) => Ok(vec![self.bytes(*low, *high)]),
            Expr::Alt(_) => {
                let group = self.fresh();
                self.alternatives(group, expr)?;
                Ok(vec![Symbol::Nonterminal(group)])
            }
            Expr::Repeat(inner, min, max) => self.repetition(inner, *min, *max),
        }
    }

    fn repetition(
        &mut self,
        inner: &Expr,
        min: u32,
        max: Option<u32>,
    ) -> Result<Vec<Symbol>, String> {
        let once = self.fresh();
        self.alternatives(once, inner)?;
        let once = Symbol::Nonterminal(once);
        let mut right = vec![once; min as usize];
        let rest = match max {
            None => {
                let star = self.fresh();
                self.produce(star, vec![]);
                self.produce(star, vec![Symbol::Nonterminal(star), once]);
                Some(Symbol::Nonterminal(star))
            }
            Some(max) => (min..max).fold(None, |rest, _| {
                let optional = self.fresh();
                self.produce(optional, vec![]);
                self.produce(optional, std::iter::once(once).chain(rest).collect());
                Some(Symbol::Nonterminal(optional))
            }),
        };
        right.extend(rest);
        Ok(right)
    }

    fn class(&mut self, ranges: &[(char, char)]) -> Symbol {
        let class = self.fresh();
        for &(low, high) in ranges {
            for encoding in utf8::encodings(low, high) {
                let right = encoding
                    .iter()
                    .map(|&(from, to)| self.bytes(from, to))
                    .collect();
                self.produce(class, right);
            }
        }
        Symbol::Nonterminal(class)
    }

    fn bytes(&mut self, from: u8, to: u8) -> Symbol {
        let mut set = [false; 256];
        set[from as usize..=to as usize].fill(true);
        let index = self
            .sets
            .iter()
            .position(|known| *known == set)
            .unwrap_or_else(|| {
                self.sets.push(set);
                self.sets.len() - 1
            });
        Symbol::Bytes(index as u32)
    }
}
