//! A context-free grammar over bytes, as plain productions.
//!
//! In: productions as [`super::lower`] makes them. Out: [`Cfg`], *reduced*: each nonterminal
//! derives some string, and no production refers to one that does not. Nonterminal 0 is the start.

/// A symbol of a right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// One byte of a set, by its index in [`Cfg::sets`].
    Bytes(u32),
    /// A nonterminal.
    Nonterminal(u32),
}

/// A set of bytes.
pub type ByteSet = [bool; 256];

/// A production `left ::= right`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Production {
    /// The nonterminal.
    pub left: u32,
    /// Its right-hand side; empty for the empty string.
    pub right: Vec<Symbol>,
}

/// A position in a right-hand side: what comes next there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A byte of this set.
    Bytes(u32),
    /// A nonterminal.
    Nonterminal(u32),
    /// Nothing: the production of this nonterminal is complete.
    End(u32),
}

/// A reduced grammar. Each position in each production has a number, its *slot*; moving the dot
/// over a symbol adds one.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// What follows the dot, for each slot.
    pub slots: Vec<Next>,
    /// The slots of the productions' beginnings, for each nonterminal.
    pub starts: Vec<Vec<u32>>,
    /// Does the nonterminal derive the empty string?
    pub nullable: Vec<bool>,
    /// The sets of bytes.
    pub sets: Vec<ByteSet>,
}

impl Cfg {
    /// Reduces the productions of `count` nonterminals, the first of which is the start.
    ///
    /// # Errors
    /// If the start derives nothing.
    pub fn new(count: u32, productions: &[Production], sets: Vec<ByteSet>) -> Result<Self, String> {
        let nonempty: Vec<bool> = sets.iter().map(|set| set.contains(&true)).collect();
        let productive = least_fixpoint(count, productions, |symbol, known| match symbol {
            Symbol::Bytes(set) => nonempty[set as usize],
            Symbol::Nonterminal(n) => known[n as usize],
        });
        if !productive[0] {
            return Err("the root derives no sentence".into());
        }
        let nullable = least_fixpoint(count, productions, |symbol, known| match symbol {
            Symbol::Bytes(_) => false,
            Symbol::Nonterminal(n) => known[n as usize],
        });
        let mut cfg = Cfg {
            slots: Vec::new(),
            starts: vec![Vec::new(); count as usize],
            nullable,
            sets,
        };
        for production in productions {
            let useful = production.right.iter().all(|symbol| match *symbol {
                Symbol::Bytes(set) => nonempty[set as usize],
                Symbol::Nonterminal(n) => productive[n as usize],
            });
            if useful {
                cfg.push(production);
            }
        }
        Ok(cfg)
    }

    fn push(&mut self, production: &Production) {
        self.starts[production.left as usize].push(self.slots.len() as u32);
        self.slots
            .extend(production.right.iter().map(|symbol| match *symbol {
                Symbol::Bytes(set) => Next::Bytes(set),
                Symbol::Nonterminal(n) => Next::Nonterminal(n),
            }));
        self.slots.push(Next::End(production.left));
    }

    /// Is `byte` in the set?
    pub fn contains(&self, set: u32, byte: u8) -> bool {
        self.sets[set as usize][byte as usize]
    }
}

/// The nonterminals with a production whose symbols all hold, where nonterminals may lean on
/// others.
fn least_fixpoint(
    count: u32,
    productions: &[Production],
    holds: impl Fn(Symbol, &[bool]) -> bool,
) -> Vec<bool> {
    let mut known = vec![false; count as usize];
    loop {
        let mut changed = false;
        for production in productions {
            let left = production.left as usize;
            if !known[left] && production.right.iter().all(|&symbol| holds(symbol, &known)) {
                known[left] = true;
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
}
