//! Earley's algorithm over pieces, each of which may be several terminals.

use crate::rules::{Productions, Symbol};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Item {
    production: u16,
    dot: u16,
    origin: u16,
}

/// The rules.
pub struct Parser<'g> {
    productions: &'g Productions,
    is_nullable: Vec<bool>,
}

/// What has been read: a column for each piece.
#[derive(Clone, Debug)]
pub struct Chart(Rc<Vec<Rc<Vec<Item>>>>);

impl<'g> Parser<'g> {
    /// The parser of these productions.
    pub fn new(productions: &'g Productions) -> Self {
        let mut is_nullable = vec![false; productions.count];
        for _ in 0..productions.count {
            for (rule, symbols) in &productions.all {
                is_nullable[*rule] |= symbols.iter().all(|symbol| match symbol {
                    Symbol::Terminal(_) => false,
                    Symbol::Rule(rule) => is_nullable[*rule],
                });
            }
        }
        Parser {
            productions,
            is_nullable,
        }
    }

    fn next(&self, item: Item) -> Option<Symbol> {
        let symbols = &self.productions.all[usize::from(item.production)].1;
        symbols.get(usize::from(item.dot)).copied()
    }

    fn rule(&self, item: Item) -> usize {
        self.productions.all[usize::from(item.production)].0
    }

    /// The chart before the first piece.
    pub fn start(&self) -> Chart {
        let mut column = Vec::new();
        self.predict(0, 0, &mut column);
        self.close(&[], 0, &mut column);
        Chart(Rc::new(vec![Rc::new(column)]))
    }

    fn predict(&self, rule: usize, at: u16, column: &mut Vec<Item>) {
        for (production, (of, _)) in (0u16..).zip(&self.productions.all) {
            let item = Item {
                production,
                dot: 0,
                origin: at,
            };
            if *of == rule && !column.contains(&item) {
                column.push(item);
            }
        }
    }

    fn close(&self, before: &[Rc<Vec<Item>>], at: u16, column: &mut Vec<Item>) {
        let mut place = 0;
        while place < column.len() {
            let item = column[place];
            place += 1;
            let moved = |item: Item| Item {
                dot: item.dot + 1,
                ..item
            };
            let mut add = Vec::new();
            match self.next(item) {
                Some(Symbol::Terminal(_)) => {}
                Some(Symbol::Rule(rule)) => {
                    self.predict(rule, at, column);
                    if self.is_nullable[rule] {
                        add.push(moved(item));
                    }
                }
                None => {
                    let rule = self.rule(item);
                    let origin = usize::from(item.origin);
                    let waiting = before.get(origin).map_or(&*column, |column| column);
                    let waiting = waiting.iter().copied();
                    let waiting =
                        waiting.filter(|&item| self.next(item) == Some(Symbol::Rule(rule)));
                    add.extend(waiting.map(moved));
                }
            }
            for item in add {
                if !column.contains(&item) {
                    column.push(item);
                }
            }
        }
    }

    /// The terminals that may be next, ascending.
    pub fn allowed(&self, chart: &Chart) -> Vec<usize> {
        let mut allowed: Vec<usize> = (chart.last().iter())
            .filter_map(|&item| match self.next(item) {
                Some(Symbol::Terminal(terminal)) => Some(terminal),
                _ => None,
            })
            .collect();
        allowed.sort_unstable();
        allowed.dedup();
        allowed
    }

    /// The chart after a piece that is one of these terminals, or is ignored.
    pub fn advance(&self, chart: &Chart, terminals: &[usize], is_ignored: bool) -> Option<Chart> {
        let mut column: Vec<Item> = Vec::new();
        for &item in chart.last() {
            if let Some(Symbol::Terminal(terminal)) = self.next(item)
                && terminals.contains(&terminal)
            {
                column.push(Item {
                    dot: item.dot + 1,
                    ..item
                });
            }
        }
        if is_ignored && column.is_empty() {
            return Some(chart.clone());
        }
        if is_ignored {
            // What was predicted is predicted again, with the new column as its origin.
            let last = chart.0.len() as u16 - 1;
            let is_kept = |item: &&Item| item.origin != last || last == 0 && self.rule(**item) == 0;
            column.extend(chart.last().iter().filter(is_kept));
        }
        if column.is_empty() {
            return None;
        }
        self.close(&chart.0, chart.0.len() as u16, &mut column);
        let mut columns = (*chart.0).clone();
        columns.push(Rc::new(column));
        Some(Chart(Rc::new(columns)))
    }

    /// Whether the pieces are a sentence.
    pub fn is_sentence(&self, chart: &Chart) -> bool {
        let mut items = chart.last().iter();
        items.any(|&item| self.next(item).is_none() && self.rule(item) == 0 && item.origin == 0)
    }

    /// Equal keys go on equally.
    pub fn key(&self, chart: &Chart) -> Vec<u32> {
        let mut nodes: Vec<(u16, usize)> = Vec::new();
        let number = |node: (u16, usize), nodes: &mut Vec<(u16, usize)>| {
            let place = nodes.iter().position(|&one| one == node);
            place.unwrap_or_else(|| {
                nodes.push(node);
                nodes.len() - 1
            }) as u32
        };
        let mut key = vec![u32::from(self.is_sentence(chart))];
        let write = |item: Item, node: u32, key: &mut Vec<u32>| {
            key.extend([item.production.into(), item.dot.into(), node]);
        };
        let mut items: Vec<Item> = chart.last().to_vec();
        items.sort_unstable();
        for item in items {
            if let Some(Symbol::Terminal(_)) = self.next(item) {
                let node = number((item.origin, self.rule(item)), &mut nodes);
                write(item, node, &mut key);
            }
        }
        let mut place = 0;
        while place < nodes.len() {
            key.push(u32::MAX);
            let (mut items, is_root) = self.after(chart, nodes[place]);
            items.sort_unstable();
            key.push(is_root.into());
            for item in items {
                let node = number((item.origin, self.rule(item)), &mut nodes);
                write(item, node, &mut key);
            }
            place += 1;
        }
        key
    }

    /// What goes on after a rule that began in a column, and whether the sentence may end with it;
    /// items that end with the rule are replaced by what goes on after theirs.
    fn after(&self, chart: &Chart, node: (u16, usize)) -> (Vec<Item>, bool) {
        let (mut found, mut is_root) = (Vec::new(), false);
        let mut due = vec![node];
        let mut place = 0;
        while place < due.len() {
            let (origin, rule) = due[place];
            place += 1;
            is_root |= origin == 0 && rule == 0;
            for &item in &**chart.0[usize::from(origin)] {
                if self.next(item) != Some(Symbol::Rule(rule)) {
                    continue;
                }
                let moved = Item {
                    dot: item.dot + 1,
                    ..item
                };
                if self.next(moved).is_some() {
                    found.push(moved);
                } else if !due.contains(&(item.origin, self.rule(item))) {
                    due.push((item.origin, self.rule(item)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, is_root)
    }
}

impl Chart {
    fn last(&self) -> &[Item] {
        self.0.last().expect("a chart begins with a column")
    }
}
