//! The kinds of files that vocabularies are read from.

/// The kind of a vocabulary's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A `tokenizer.json` of Hugging Face tokenizers.
    TokenizerJson,
    /// A GGUF: a model of llama.cpp, which holds its vocabulary.
    Gguf,
    /// A SentencePiece model, such as `tokenizer.model`.
    SentencePiece,
    /// Mistral's `tekken.json`.
    Tekken,
    /// A file of ranks, as tiktoken reads it.
    Tiktoken,
    /// A `vocab.json` of byte-level BPE, beside a `merges.txt`.
    VocabJson,
}

impl FileKind {
    /// All kinds.
    pub const ALL: [FileKind; 6] = [
        FileKind::TokenizerJson,
        FileKind::Gguf,
        FileKind::SentencePiece,
        FileKind::Tekken,
        FileKind::Tiktoken,
        FileKind::VocabJson,
    ];

    /// What messages call such a file.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::TokenizerJson => "`tokenizer.json`",
            FileKind::Gguf => "GGUF file",
            FileKind::SentencePiece => "SentencePiece model",
            FileKind::Tekken => "`tekken.json`",
            FileKind::Tiktoken => "`.tiktoken` file",
            FileKind::VocabJson => "`vocab.json`",
        }
    }

    /// One word for programs: `tokenizer_json`, `gguf`, `sentencepiece`, `tekken`, `tiktoken` or
    /// `vocab_json`.
    pub fn id(self) -> &'static str {
        match self {
            FileKind::TokenizerJson => "tokenizer_json",
            FileKind::Gguf => "gguf",
            FileKind::SentencePiece => "sentencepiece",
            FileKind::Tekken => "tekken",
            FileKind::Tiktoken => "tiktoken",
            FileKind::VocabJson => "vocab_json",
        }
    }
}
