//! What Lark 1.3.1 says of small grammars: the number of states of its tables, and all texts up to
//! a length that it accepts; nothing if it refuses the grammar for a reduce/reduce collision.

/// A grammar, and what Lark makes of it.
pub(super) struct Case {
    /// What it shows.
    pub(super) what: &'static str,
    pub(super) grammar: &'static str,
    /// The length of the texts that were tried, over the terminals of the grammar.
    pub(super) length: usize,
    /// The states, and the texts accepted, with `a` for terminal 0.
    pub(super) tables: Option<(usize, &'static [&'static str])>,
}

pub(super) const CASES: &[Case] = &[
    Case {
        what: "dangling else",
        grammar: "s: A s|A s B s|C",
        length: 6,
        tables: Some((
            7,
            &[
                "c", "ac", "aac", "aaac", "acbc", "aaaac", "aacbc", "acbac", "aaaaac", "aaacbc",
                "aacbac", "acbaac",
            ],
        )),
    },
    Case {
        what: "sums and products, left recursive",
        grammar: "e: e A t|t\nt: t B f|f\nf: C|D e E",
        length: 5,
        tables: Some((
            12,
            &[
                "c", "cac", "cbc", "dce", "cacac", "cacbc", "cadce", "cbcac", "cbcbc", "cbdce",
                "dcace", "dcbce", "dceac", "dcebc", "ddcee",
            ],
        )),
    },
    Case {
        what: "sums, right recursive",
        grammar: "e: t A e|t\nt: B|C e C",
        length: 5,
        tables: Some((
            9,
            &[
                "b", "bab", "cbc", "babab", "bacbc", "cbabc", "cbcab", "ccbcc",
            ],
        )),
    },
    Case {
        what: "an ambiguous sum: a shift makes it associate to the right",
        grammar: "e: e A e|B",
        length: 7,
        tables: Some((5, &["b", "bab", "babab", "bababab"])),
    },
    Case {
        what: "a repetition that takes all",
        grammar: "s: A* A",
        length: 4,
        tables: Some((5, &["a", "aa", "aaa", "aaaa"])),
    },
    Case {
        what: "a repetition that takes all, behind a separator",
        grammar: "s: B (A B)* A?",
        length: 6,
        tables: Some((8, &["b", "ba", "bab", "baba", "babab", "bababa"])),
    },
    Case {
        what: "a list with a separator at the end: one look-ahead is not enough",
        grammar: "s: B (A B)* [A] B?",
        length: 6,
        tables: None,
    },
    Case {
        what: "a nullable rule in front",
        grammar: "s: x A\nx: B|",
        length: 4,
        tables: Some((5, &["a", "ba"])),
    },
    Case {
        what: "nullable rules",
        grammar: "s: x y z\nx: A?\ny: B*\nz: [C]",
        length: 4,
        tables: Some((
            10,
            &[
                "", "a", "b", "c", "ab", "ac", "bb", "bc", "abb", "abc", "bbb", "bbc", "abbb",
                "abbc", "bbbb", "bbbc",
            ],
        )),
    },
    Case {
        what: "two ways to nothing",
        grammar: "s: x|y\nx: A?\ny: B?",
        length: 3,
        tables: None,
    },
    Case {
        what: "two ways to nothing, one preferred",
        grammar: "s: x|y\nx.1: A?\ny: B?",
        length: 3,
        tables: Some((6, &["", "a", "b"])),
    },
    Case {
        what: "two rules for one terminal",
        grammar: "s: x A|y B\nx: C\ny: C",
        length: 4,
        tables: Some((7, &["ca", "cb"])),
    },
    Case {
        what: "two rules for one terminal, before the same",
        grammar: "s: x A|y A B\nx: C\ny: C",
        length: 4,
        tables: None,
    },
    Case {
        what: "the same with a priority, which loses a text",
        grammar: "s: x A|y A B\nx.2: C\ny.1: C",
        length: 4,
        tables: Some((8, &["ca"])),
    },
    Case {
        what: "equal priorities decide nothing",
        grammar: "s: x A|y A B\nx.2: C\ny.2: C",
        length: 4,
        tables: None,
    },
    Case {
        what: "a negative priority",
        grammar: "s: x A|y A B\nx: C\ny.-1: C",
        length: 4,
        tables: Some((8, &["ca"])),
    },
    Case {
        what: "a priority decides also where a shift wins",
        grammar: "s: x A|y A|C A B\nx.1: C\ny: C",
        length: 4,
        tables: Some((9, &["cab"])),
    },
    Case {
        what: "a collision where a shift would win is refused",
        grammar: "s: x A|y A|C A B\nx: C\ny: C",
        length: 4,
        tables: None,
    },
    Case {
        what: "a rule of its own for a group: two nonterminals",
        grammar: "s: A+ B|(A)+ C",
        length: 4,
        tables: None,
    },
    Case {
        what: "equal groups share a nonterminal",
        grammar: "s: A+ B|A* C",
        length: 4,
        tables: Some((8, &["c", "ab", "ac", "aab", "aac", "aaab", "aaac"])),
    },
    Case {
        what: "equal groups in two rules",
        grammar: "s: x B|y C\nx: (A|D)+\ny: (A|D)*",
        length: 3,
        tables: Some((
            11,
            &[
                "c", "ab", "ac", "db", "dc", "aab", "aac", "adb", "adc", "dab", "dac", "ddb", "ddc",
            ],
        )),
    },
    Case {
        what: "groups in another order do not",
        grammar: "s: x B|y C\nx: (A|D)+\ny: (D|A)+",
        length: 3,
        tables: None,
    },
    Case {
        what: "equal alternatives",
        grammar: "s: A|A|(A|B)|B",
        length: 2,
        tables: Some((4, &["a", "b"])),
    },
    Case {
        what: "optional parts in a row",
        grammar: "s: A? A? A?",
        length: 5,
        tables: Some((5, &["", "a", "aa", "aaa"])),
    },
    Case {
        what: "counts",
        grammar: "s: A~2..4 B~2",
        length: 6,
        tables: Some((12, &["aabb", "aaabb", "aaaabb"])),
    },
    Case {
        what: "nothing, counted",
        grammar: "s: A~0 B~0..1",
        length: 3,
        tables: Some((3, &["", "b"])),
    },
    Case {
        what: "a large count",
        grammar: "s: (A~51)?",
        length: 51,
        tables: Some((15, &["", A51])),
    },
    Case {
        what: "hidden left recursion",
        grammar: "s: x s A|B\nx:",
        length: 4,
        tables: Some((6, &["b"])),
    },
    Case {
        what: "hidden left recursion with two ends",
        grammar: "s: x s A|B\nx: C|",
        length: 4,
        tables: Some((7, &["b", "cba"])),
    },
    Case {
        what: "a cycle at the top, where the end comes first",
        grammar: "s: s|A",
        length: 3,
        tables: Some((3, &["a"])),
    },
    Case {
        what: "a cycle behind a shift",
        grammar: "s: t B\nt: t|A",
        length: 3,
        tables: Some((5, &["ab"])),
    },
    Case {
        what: "a cycle below",
        grammar: "s: t\nt: t|A",
        length: 3,
        tables: None,
    },
    Case {
        what: "no LALR(1), but LR(1)",
        grammar: "s: A x A|B y A|A y B|B x B\nx: C\ny: C",
        length: 3,
        tables: None,
    },
    Case {
        what: "palindromes",
        grammar: "s: A s A|B s B|",
        length: 4,
        tables: Some((8, &[""])),
    },
    Case {
        what: "nested repetitions",
        grammar: "s: ((A B?)+ C)*",
        length: 5,
        tables: Some((
            11,
            &[
                "", "ac", "aac", "abc", "aaac", "aabc", "abac", "acac", "aaaac", "aaabc", "aabac",
                "aacac", "abaac", "ababc", "abcac", "acaac", "acabc",
            ],
        )),
    },
    Case {
        what: "unused rules do not count",
        grammar: "s: A\nx: B\ny: B|x|y",
        length: 2,
        tables: Some((3, &["a"])),
    },
];

/// 51 times terminal 0.
const A51: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
