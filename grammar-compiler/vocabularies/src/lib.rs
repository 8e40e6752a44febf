//! The vocabularies of OpenAI's models: which bytes each token id stands for, without an encoder.
//!
//! In: a name of [`NAMES`]. Out: an [`Encoding`]: the bytes of each id, the special tokens and
//! those that end a sequence, as OpenAI's tiktoken has them. What holds: an id without bytes is a
//! special token or a hole between ids.
//!
//! ```
//! let encoding = maskwright_vocabularies::named("cl100k_base").unwrap();
//! assert_eq!(encoding.size(), 100_277);
//! assert_eq!(encoding.tokens().nth(1917), Some(&b" world"[..]));
//! assert_eq!(encoding.eos(), [100_257]);
//! assert!(encoding.special().contains(&(100_257, "<|endoftext|>".into())));
//! ```

/// The names that [`named`] knows.
pub const NAMES: &[&str] = &[
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
    "p50k_base",
    "p50k_edit",
    "r50k_base",
];

/// A vocabulary as it is published.
#[derive(Clone, Copy, Debug)]
pub struct Encoding {
    size: u32,
    ranks: Ranks,
    /// In p50k the id after the first special token is two spaces, and so on up to so many.
    spaces: usize,
    special: &'static [(u32, &'static str)],
    /// From this id on, special tokens without a name in `special` are called `<|reserved_ID|>`.
    reserved: Option<u32>,
    eos: &'static [u32],
}

/// The vocabulary `name`, if it is one of [`NAMES`].
pub fn named(name: &str) -> Option<Encoding> {
    Some(match name {
        "cl100k_base" => CL100K_BASE,
        "o200k_base" => O200K_BASE,
        "o200k_harmony" => O200K_HARMONY,
        "p50k_base" => P50K_BASE,
        "p50k_edit" => P50K_EDIT,
        "r50k_base" => R50K_BASE,
        _ => return None,
    })
}

impl Encoding {
    /// Number of ids, special tokens included.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The bytes of each id, in order: [`Encoding::size`] of them, empty for special tokens and
    /// holes.
    pub fn tokens(&self) -> impl Iterator<Item = &'static [u8]> + use<> {
        let runs = 2..=self.spaces;
        let spaces = runs.map(|length| SPACES.get(..length).unwrap_or(&[]));
        let special: Option<&[u8]> = (self.spaces > 0).then_some(&[]);
        self.ranks
            .iter()
            .chain(special)
            .chain(spaces)
            .chain(std::iter::repeat(&[][..]))
            .take(self.size as usize)
    }

    /// The special tokens with their names, ascending.
    pub fn special(&self) -> Vec<(u32, String)> {
        let named = self.special.iter().map(|&(id, name)| (id, name.to_owned()));
        let mut all: Vec<(u32, String)> = named.collect();
        for id in self.reserved.unwrap_or(self.size)..self.size {
            if self.special.iter().all(|&(other, _)| other != id) {
                all.push((id, format!("<|reserved_{id}|>")));
            }
        }
        all.sort_unstable();
        all
    }

    /// The ids of the tokens that end a sequence, ascending.
    pub fn eos(&self) -> &'static [u32] {
        self.eos
    }
}

/// The tokens that a text is made of, in the order of their ranks.
#[derive(Clone, Copy)]
struct Ranks {
    lengths: &'static [u8],
    bytes: &'static [u8],
}

impl Ranks {
    /// `file`: the length of each of `count` tokens, then the bytes of all.
    const fn new(count: usize, file: &'static [u8]) -> Ranks {
        let (lengths, bytes) = file.split_at(count);
        Ranks { lengths, bytes }
    }

    fn iter(self) -> impl Iterator<Item = &'static [u8]> {
        let mut rest = self.bytes;
        self.lengths.iter().map(move |&length| {
            let (token, after) = rest.split_at_checked(length.into()).unwrap_or((rest, &[]));
            rest = after;
            token
        })
    }
}

impl std::fmt::Debug for Ranks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} tokens", self.lengths.len())
    }
}

const CL100K: Ranks = Ranks::new(100_256, include_bytes!("../data/cl100k_base.ranks"));
const O200K: Ranks = Ranks::new(199_998, include_bytes!("../data/o200k_base.ranks"));
const R50K: Ranks = Ranks::new(50_256, include_bytes!("../data/r50k_base.ranks"));
const SPACES: &[u8] = &[b' '; 25];

const CL100K_BASE: Encoding = Encoding {
    size: 100_277,
    ranks: CL100K,
    spaces: 0,
    special: &[
        (100_257, "<|endoftext|>"),
        (100_258, "<|fim_prefix|>"),
        (100_259, "<|fim_middle|>"),
        (100_260, "<|fim_suffix|>"),
        (100_276, "<|endofprompt|>"),
    ],
    reserved: None,
    eos: &[100_257],
};

const O200K_BASE: Encoding = Encoding {
    size: 200_019,
    ranks: O200K,
    spaces: 0,
    special: &[(199_999, "<|endoftext|>"), (200_018, "<|endofprompt|>")],
    reserved: None,
    eos: &[199_999],
};

const O200K_HARMONY: Encoding = Encoding {
    size: 201_088,
    ranks: O200K,
    spaces: 0,
    special: &[
        (199_998, "<|startoftext|>"),
        (199_999, "<|endoftext|>"),
        (200_002, "<|return|>"),
        (200_003, "<|constrain|>"),
        (200_005, "<|channel|>"),
        (200_006, "<|start|>"),
        (200_007, "<|end|>"),
        (200_008, "<|message|>"),
        (200_012, "<|call|>"),
    ],
    reserved: Some(200_000),
    eos: &[199_999, 200_002, 200_012],
};

const P50K_BASE: Encoding = Encoding {
    size: 50_281,
    ranks: R50K,
    spaces: 25,
    special: &[(50_256, "<|endoftext|>")],
    reserved: None,
    eos: &[50_256],
};

const P50K_EDIT: Encoding = Encoding {
    size: 50_284,
    special: &[
        (50_256, "<|endoftext|>"),
        (50_281, "<|fim_prefix|>"),
        (50_282, "<|fim_middle|>"),
        (50_283, "<|fim_suffix|>"),
    ],
    ..P50K_BASE
};

const R50K_BASE: Encoding = Encoding {
    size: 50_257,
    spaces: 0,
    ..P50K_BASE
};
