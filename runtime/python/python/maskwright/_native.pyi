"""Types of the compiled part of `maskwright`; `help(maskwright.Matcher)` and the like say what each does."""

import builtins
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Optional, Union, final, overload

__all__ = [
    "Call",
    "CallFormat",
    "CallReader",
    "Compiler",
    "Grammar",
    "GrammarError",
    "GrammarWarning",
    "Handle",
    "MaskBuffer",
    "MaskPool",
    "Matcher",
    "OpenCall",
    "Reasoning",
    "Registry",
    "ServedMatcher",
    "TablesError",
    "Text",
    "Vocabulary",
    "VocabularyError",
    "__version__",
    "apply_masks",
    "fill_batch",
]

__version__: str

_Path = Union[str, "os.PathLike[str]"]
# A writable buffer of int32 or uint32 in C order, of the shape (words,) or (rows, words): numpy array, torch tensor on the CPU, array.array, memoryview.
_Buffer = Any
# A text of JSON, a document, or a type: a class of pydantic, a dataclass, a TypedDict, an annotation. Some annotations, such as `int | None`, have no type but `Any`.
_Json = Union[str, bool, Mapping[str, Any], type, Any]
_Tools = Union[str, Sequence[Mapping[str, Any]], Mapping[str, Any]]
_Matcher = Union["Matcher", "ServedMatcher"]
_Escapes = Literal["any", "natural", "shortest"]
_Reasoning = Literal["none", "optional", "required", "opened"]
_Part = Union["Text", "Reasoning", "Call", "OpenCall"]
_Lexer = Literal["longest", "dynamic", "dynamic_complete", "contextual", "basic"]

class GrammarError(ValueError):
    """A grammar, schema, structural tag or list of tools that cannot be compiled. `str()` draws all errors with their places."""

    code: str
    """What kind of error, such as `undefined-rule`."""
    message: str
    """The first error in one sentence."""
    line: Optional[int]
    """Line of the first error, from 1; None if it has no place. A document that was not a `str` is written on several lines first."""
    column: Optional[int]
    """Column of the first error in characters, from 1; None if it has no place."""
    help: Optional[str]
    """The way out, if there is one to name."""

class GrammarWarning(UserWarning):
    """A part of a grammar that is allowed and probably not meant. `str()` draws it with its place and the way out."""

class VocabularyError(ValueError):
    """A vocabulary that cannot be read, or passes a limit."""

class TablesError(ValueError):
    """Bytes of a grammar or of a matcher's state that were not made by this version, for this vocabulary or for this grammar."""

@final
class Vocabulary:
    """The bytes of each token, and the tokens that end a sequence.

    It does not change; threads can share it. A copy with other end tokens or more ids is made by
    `with_eos` and `with_size`.
    """

    @staticmethod
    def from_file(
        path: _Path, special: Optional[_Path] = None, *, time: Optional[float] = None
    ) -> Vocabulary:
        """Reads a vocabulary from a file, whose content tells its kind: `tokenizer.json`, GGUF, a
        SentencePiece model, `tekken.json`, `.tiktoken`, or `vocab.json` beside `merges.txt`.

        `special` is a file with a list of special tokens, for files of ranks, which leave them out.
        `time`: seconds that reading may take, 60 if None. Raises `VocabularyError`.
        """
    @staticmethod
    def named(name: str) -> Vocabulary:
        """One of OpenAI's vocabularies: `cl100k_base`, `o200k_base`, `o200k_harmony`, `p50k_base`,
        `p50k_edit` or `r50k_base`.

        Raises `VocabularyError` for other names.
        """
    @staticmethod
    def from_tokens(
        tokens: Sequence[builtins.bytes],
        eos: Union[int, Sequence[int]],
        special: Optional[Mapping[int, str]] = None,
        added: Optional[Mapping[int, str]] = None,
    ) -> Vocabulary:
        """A vocabulary of these tokens: `tokens[id]` is a `bytes`, empty if the token is no text.
        `eos` are the ids that end a sequence: an int or several; they are no text.

        `special` names special tokens by id: they are no text either, and structural tags can name
        them. `added` names tokens that are text and that structural tags can name. Raises
        `VocabularyError` if an id of `eos` is past the end, or a limit is passed.
        """
    @staticmethod
    def from_tokenizer(tokenizer: Any) -> Vocabulary:
        """The vocabulary of a `tokenizers.Tokenizer`, or of a fast tokenizer of transformers, by its
        serialised form.

        Special tokens with a well-known name end a sequence, and so does the tokenizer's
        `eos_token_id`. Raises `TypeError` for other objects, such as slow tokenizers, and
        `VocabularyError` for models that cannot be turned into bytes, such as WordPiece.
        """
    def with_eos(self, eos: Union[int, Sequence[int]]) -> Vocabulary:
        """The same vocabulary with these ids, and no others, ending a sequence. Raises
        `VocabularyError` if one is past the end.
        """
    def with_size(self, size: int) -> Vocabulary:
        """The same vocabulary with `size` ids, as many as the model has logits. Ids past its own last
        one are never allowed; tokens past `size` are left out, and `warnings` names those that are
        text. Raises `VocabularyError` if there are too many ids.
        """
    @property
    def size(self) -> int:
        """Number of ids: the length of a row of logits."""
    @property
    def eos(self) -> list[int]:
        """The ids that end a sequence, ascending: a list of int."""
    @property
    def hash(self) -> int:
        """A hash of all that masks depend on: size, bytes and end tokens. The same on all machines."""
    @property
    def special_tokens(self) -> dict[int, str]:
        """The special tokens, which are no text, by id, as far as the file names them."""
    @property
    def added_tokens(self) -> dict[int, str]:
        """The tokens that were added to the tokenizer's own and are text, by id."""
    @property
    def warnings(self) -> list[str]:
        """What is probably not meant, each as a drawn text: that no token ends a sequence, that
        `with_size` leaves out tokens that are text.
        """
    def bytes(self, id: int) -> builtins.bytes:
        """The bytes of a token; empty for special tokens, end tokens and ids without a token. Raises
        `IndexError` for ids past the end.
        """
    def token_name(self, id: int) -> str | None:
        """The name of a control token, which has no bytes; None for tokens that are text, and where
        the file does not tell the name.
        """
    def tokens(self) -> list[builtins.bytes]:
        """The bytes of all tokens by id: a list of `bytes`."""
    def __len__(self) -> int: ...
    def __copy__(self) -> Vocabulary: ...
    def __deepcopy__(self, _memo: Any) -> Vocabulary: ...

@final
class Compiler:
    """Compiles grammars for one vocabulary.

    What is known of the vocabulary is prepared once, so that one compiler should be kept. Threads
    can use it at the same time; the interpreter's lock is released while it compiles. Every method
    raises `GrammarError` with code, message, place and way out.
    """

    def __new__(
        cls,
        vocabulary: Vocabulary,
        threads: Optional[int] = None,
        *,
        deterministic: bool = False,
        time_limit: Optional[float] = None,
        limits: Optional[Mapping[str, int]] = None,
        warn: bool = True,
    ) -> Compiler: ...
    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary."""
    def schema(
        self,
        schema: _Json,
        *,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> Grammar:
        """Compiles a JSON Schema: a `str` of JSON, a `dict` or a `bool`; or the schema of a type: a
        class of pydantic, a dataclass, a `TypedDict`, or an annotation such as `list[int]`.

        Options have the names of docs/json-schema.md, such as `whitespace="compact"`,
        `key_order="any"` or `lenient=["format"]`; `ValueError` for others. None leaves one as it
        is.
        """
    def ebnf(self, text: str, root: Optional[str] = None, folder: Optional[_Path] = None) -> Grammar:
        """Compiles a grammar in EBNF.

        `root` is the rule of whole texts, `root` if it is None. `folder` is the folder of documents
        that the grammar may name, such as with `grammar("list.ebnf")`: regular files in it and
        below it are read, no others. Without it a grammar that names documents is refused. Errors
        show excerpts of documents.
        """
    def lark(self, text: str, *, lexer: Optional[_Lexer] = None, parser: Optional[Literal["earley", "lalr"]] = None, start: Optional[Sequence[str]] = None) -> Grammar:
        """Compiles a grammar in a dialect of Lark: its own, llguidance's or XGrammar's.

        `lexer` says how a text is cut into terminals: `"longest"` (the default), `"dynamic"`,
        `"dynamic_complete"`, `"contextual"` or `"basic"`. `parser` says which readings count:
        `"earley"` for all, or `"lalr"`, the default beside the last two. `start` is a list of the
        rules with which a text can begin, `["start"]` if it is None.
        """
    def regex(self, pattern: str) -> Grammar:
        """Compiles a regular expression, which whole texts match."""
    def structural_tag(
        self,
        tag: Union[str, Mapping[str, Any]],
        *,
        folder: Optional[_Path] = None,
        spelled: bool = False,
        outer_ends: bool = True,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> Grammar:
        """Compiles a structural tag: a `str` of JSON, or a `dict`.

        `spelled`: a delimiter that is a token may also be written in other tokens. `outer_ends`:
        free text in a tag also ends at the ends of the tags around it. `folder` is that of
        documents which grammars in it may name, as for `ebnf`. Other options are those of `schema`,
        for the schemas in it.
        """
    def tools(
        self,
        tools: _Tools,
        format: Optional[str] = None,
        *,
        format_file: Optional[_Path] = None,
        tool_choice: Union[str, Mapping[str, Any], None] = None,
        parallel_tool_calls: Optional[bool] = None,
        reasoning: Optional[_Reasoning] = None,
        strict: Optional[bool] = None,
        blanks: Optional[bool] = None,
    ) -> Grammar:
        """Compiles the tools of a request, as OpenAI, Anthropic or MCP write them: a `str` of JSON, a
        `list`, or a `dict` of a whole request.

        `format` is the name of a format; a name opens no file. `format_file` is the path of a file
        with one, in its place. Options: `tool_choice` (`"auto"`, `"none"`, `"required"`, the name
        of a tool, `"auto:a,b"` for some of them, or a `dict` as OpenAI has it),
        `parallel_tool_calls`, `reasoning`, `strict` and `blanks`; None leaves one as it is.
        """
    def call_format(
        self,
        tools: _Tools,
        format: Optional[str] = None,
        *,
        format_file: Optional[_Path] = None,
        tool_choice: Union[str, Mapping[str, Any], None] = None,
        parallel_tool_calls: Optional[bool] = None,
        reasoning: Optional[_Reasoning] = None,
        strict: Optional[bool] = None,
        blanks: Optional[bool] = None,
    ) -> CallFormat:
        """How to read back the outputs of a model that is given these tools, without compiling them:
        the same as `Grammar.call_format` of what `tools` compiles. Arguments are those of `tools`.
        """
    @overload
    def to_ebnf(
        self,
        *,
        tools: _Tools,
        format: Optional[str] = None,
        format_file: Optional[_Path] = None,
        tool_choice: Union[str, Mapping[str, Any], None] = None,
        parallel_tool_calls: Optional[bool] = None,
        reasoning: Optional[_Reasoning] = None,
        strict: Optional[bool] = None,
        blanks: Optional[bool] = None,
    ) -> str:
        """The EBNF of a grammar in any form: a text for `ebnf`, in which `root` is the rule of whole
        texts.

        The request is one of `schema=`, `lark=`, `regex=`, `structural_tag=`, `tools=` and `ebnf=`,
        with the options of the method of that name. Limits on the tokens of a text, and terminals
        of a Lark grammar, have no form in EBNF: such a grammar is printed, and its text is refused.
        """
    @overload
    def to_ebnf(
        self,
        *,
        schema: _Json,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> str: ...
    @overload
    def to_ebnf(
        self,
        *,
        ebnf: str,
        root: Optional[str] = None,
        folder: Optional[_Path] = None,
    ) -> str: ...
    @overload
    def to_ebnf(
        self,
        *,
        lark: str,
        lexer: Optional[_Lexer] = None,
        parser: Optional[Literal["earley", "lalr"]] = None,
        start: Optional[Sequence[str]] = None,
    ) -> str: ...
    @overload
    def to_ebnf(
        self,
        *,
        regex: str,
    ) -> str: ...
    @overload
    def to_ebnf(
        self,
        *,
        structural_tag: Union[str, Mapping[str, Any]],
        folder: Optional[_Path] = None,
        spelled: bool = False,
        outer_ends: bool = True,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> str: ...
    @overload
    def check(
        self,
        *,
        tools: _Tools,
        pedantic: bool = False,
        format: Optional[str] = None,
        format_file: Optional[_Path] = None,
        tool_choice: Union[str, Mapping[str, Any], None] = None,
        parallel_tool_calls: Optional[bool] = None,
        reasoning: Optional[_Reasoning] = None,
        strict: Optional[bool] = None,
        blanks: Optional[bool] = None,
    ) -> list[str]:
        """Reads a request without compiling it, in a fraction of the time. Returns the warnings, each
        as a drawn text; raises `GrammarError` as far as mistakes are found by reading.

        The request is as for `to_ebnf`. With `pedantic`, what most grammars have and mean is warned
        of as well: digits without end; optional reasoning, if the prompt may have opened it.
        """
    @overload
    def check(
        self,
        *,
        schema: _Json,
        pedantic: bool = False,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> list[str]: ...
    @overload
    def check(
        self,
        *,
        ebnf: str,
        pedantic: bool = False,
        root: Optional[str] = None,
        folder: Optional[_Path] = None,
    ) -> list[str]: ...
    @overload
    def check(
        self,
        *,
        lark: str,
        pedantic: bool = False,
        lexer: Optional[_Lexer] = None,
        parser: Optional[Literal["earley", "lalr"]] = None,
        start: Optional[Sequence[str]] = None,
    ) -> list[str]: ...
    @overload
    def check(
        self,
        *,
        regex: str,
        pedantic: bool = False,
    ) -> list[str]: ...
    @overload
    def check(
        self,
        *,
        structural_tag: Union[str, Mapping[str, Any]],
        pedantic: bool = False,
        folder: Optional[_Path] = None,
        spelled: bool = False,
        outer_ends: bool = True,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> list[str]: ...
    def __copy__(self) -> Compiler: ...
    def __deepcopy__(self, _memo: Any) -> Compiler: ...

@final
class Grammar:
    """A compiled grammar for one vocabulary.

    It does not change; threads and matchers share it. `Compiler` makes one, and `from_bytes` reads
    one that `to_bytes` wrote.
    """

    @staticmethod
    def from_bytes(tables: bytes, vocabulary: Vocabulary) -> Grammar:
        """Reads what `to_bytes` wrote, for the vocabulary that the grammar was compiled for. The bytes
        are checked, not trusted.

        Raises `TablesError` if they are of another version or vocabulary, damaged, or no grammar at
        all.
        """
    def to_bytes(self) -> bytes:
        """The grammar as `bytes`, without its vocabulary: to keep in a file, or to send to another
        process.
        """
    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary that it was compiled for."""
    @property
    def nbytes(self) -> int:
        """Bytes of its tables: the length of `to_bytes()`, without a copy."""
    @property
    def vocab_size(self) -> int:
        """Number of tokens: the length of a row of logits."""
    @property
    def eos(self) -> list[int]:
        """The ids that end a text, ascending: a list of int."""
    @property
    def mask_words(self) -> int:
        """The words of 32 bits that a mask takes: `vocab_size / 32`, rounded up. Buffers for masks
        have the shape `(rows, mask_words)`.
        """
    @property
    def max_stacks(self) -> int:
        """The most stacks of a matcher."""
    @property
    def least_depth(self) -> int:
        """The least `depth` of a matcher: the shortest text needs as many frames."""
    @property
    def warnings(self) -> list[str]:
        """What the compiler warned of, each as a drawn text; empty for a grammar that was read from
        bytes.
        """
    @property
    def call_format(self) -> Optional[CallFormat]:
        """How to read outputs back, if the grammar was compiled from tools; None for others, and for
        a grammar that was read from bytes: `Compiler.call_format` reads the tools again.
        """
    def __copy__(self) -> Grammar: ...
    def __deepcopy__(self, _memo: Any) -> Grammar: ...

@final
class Matcher:
    """Where one text stands in a grammar.

    `depth` is the number of frames that a stack may have: how deep the text may nest, at most
    65,535. `history` is the number of tokens that `rollback` can take back. A token id is an int
    from 0 to 2**32 - 1; others raise `OverflowError`. One thread at a time may change a matcher:
    while a batch is written, a change from another thread raises `RuntimeError`.
    """

    def __new__(cls, grammar: Grammar, depth: int = 64, history: int = 0) -> Matcher: ...
    @staticmethod
    def from_bytes(state: bytes, grammar: Grammar, depth: int = 64, history: int = 0) -> Matcher:
        """A matcher where `to_bytes` was called, with nothing to take back. The bytes are checked, not
        trusted.

        Raises `TablesError` if they are of another grammar or damaged, `ValueError` if `depth` is
        too small for them.
        """
    def to_bytes(self) -> bytes:
        """Where the text stands, as `bytes`: some tens of them."""
    @property
    def grammar(self) -> Grammar:
        """The grammar."""
    @property
    def depth(self) -> int:
        """The frames that a stack may have."""
    @property
    def history_len(self) -> int:
        """How many tokens `rollback` can take back now."""
    def accept_token(self, token: int) -> bool:
        """Takes a token. False if it may not come next; the matcher is then as it was."""
    def accept_bytes(self, text: bytes) -> bool:
        """Takes bytes, which `rollback` counts as one token. False if they may not come next; the
        matcher is then as it was.
        """
    def explain(self, text: bytes | int) -> str | None:
        """Why `accept_bytes` or `accept_token` would return False for these bytes or this token: at
        which byte, and what may come there. None if it would be taken. It works on a copy, and
        takes as long as some hundred steps.
        """
    def accept_draft(self, tokens: Sequence[int]) -> int:
        """Takes the tokens of a draft, a sequence of int, up to the first that may not come; returns
        how many.
        """
    def validate(self, tokens: Sequence[int]) -> int:
        """How many tokens of a draft, from its first, could be taken one after the other. The matcher
        stays where it is.
        """
    def rollback(self, tokens: int) -> None:
        """Takes the last `tokens` tokens back, the end of the text among them. Raises `ValueError` if
        `history` has fewer; the matcher is then as it was.
        """
    def reset(self) -> None:
        """Goes back to the beginning of a text, and forgets the history."""
    def fork(self) -> Matcher:
        """A matcher at the same point, which goes on by itself, with nothing to take back."""
    def fill(self, buffer: _Buffer, row: int = 0) -> None:
        """Writes the mask into a row of a buffer, without a copy: bit `i % 32` of word `i // 32` is 1
        if token `i` may come next.

        `buffer` is any object with a writable buffer of int32 or uint32 in C order: a numpy array,
        `array.array("i")`; or a torch tensor on the CPU of dtype int32, whose memory
        `tensor.numpy()` shares. Its shape is `(words,)`, one row, or `(rows, words)`, with at least
        `mask_words` words; words past the mask become 0. Raises `TypeError` if the object has no
        buffer, `BufferError` if it is none of this kind, `ValueError` if its rows are too short,
        `IndexError` if there is no such row. Nothing is written then. The interpreter's lock is
        released while the row is written, as in `fill_batch`.
        """
    def allowed_tokens(self) -> list[int]:
        """The ids of the tokens that may come next, ascending: a list of int. For looking; `fill` is
        faster where they are many.
        """
    def is_complete(self) -> bool:
        """Whether the text may end here."""
    def is_finished(self) -> bool:
        """Whether the text has ended: an end token was taken."""
    def forced_bytes(self, limit: int = 4096) -> bytes:
        """The bytes that must come next, at most `limit` of them: `bytes`."""
    def forced_tokens(self, limit: int = 256) -> list[int]:
        """The tokens that come next while the mask holds exactly one, at most `limit` of them: a list
        of int.
        """

@final
class Registry:
    """What a server holds for one vocabulary: the tools and grammars of its requests, each compiled
    once.

    `compiler` is a `Compiler`, whose options hold (a compile has one thread), or a `Vocabulary`.
    `depth`: frames that a stack may have. `bytes`: bytes of tables that are kept for later
    requests, 256 MiB if None; those that were not asked for the longest go first, and what a handle
    uses stays as long as the handle. `threads`: threads that compile, a quarter of the processors
    if None. `time`: seconds for one compile, 10 if None; one that takes longer is refused.
    `folder`: a folder in which parts are kept, for other processes too; it is made if it is not
    there, and None keeps none. `warn`: whether `get` warns as a `Compiler` does,
    with `GrammarWarning`. It then reads each request a second time: for development.

    Threads can use a registry at the same time, and several registries run side by side. A process
    that forks makes its registry after the fork: threads stay behind. Raises `VocabularyError` if
    the vocabulary has no room for what linking adds.
    """

    def __new__(
        cls,
        compiler: Union[Compiler, Vocabulary],
        *,
        depth: int = 64,
        bytes: Optional[int] = None,
        threads: Optional[int] = None,
        time: Optional[float] = None,
        folder: Optional[_Path] = None,
        warn: bool = False,
    ) -> Registry: ...
    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary."""
    @overload
    def get(
        self,
        *,
        tools: _Tools,
        format: Optional[str] = None,
        format_file: Optional[_Path] = None,
        tool_choice: Union[str, Mapping[str, Any], None] = None,
        parallel_tool_calls: Optional[bool] = None,
        reasoning: Optional[_Reasoning] = None,
        strict: Optional[bool] = None,
        blanks: Optional[bool] = None,
    ) -> Handle:
        """What a request may be answered with. The `Handle` is usable at once: what is new is compiled
        by the registry's threads, and matchers work meanwhile.

        A request is exactly one of `tools`, `schema`, `ebnf`, `lark`, `regex` and `structural_tag`;
        other arguments are those of the method of `Compiler` with that name, such as `format` for
        `tools`. Tools are linked where their format can be, so that each is compiled once, in
        whichever requests it comes. A matcher of a `lark` grammar waits for the tables. Raises
        `GrammarError` if the request is refused, as far as that is known without compiling;
        `Handle.wait` raises the rest.
        """
    @overload
    def get(
        self,
        *,
        schema: _Json,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> Handle: ...
    @overload
    def get(
        self,
        *,
        ebnf: str,
        root: Optional[str] = None,
        folder: Optional[_Path] = None,
    ) -> Handle: ...
    @overload
    def get(
        self,
        *,
        lark: str,
        lexer: Optional[_Lexer] = None,
        parser: Optional[Literal["earley", "lalr"]] = None,
        start: Optional[Sequence[str]] = None,
    ) -> Handle: ...
    @overload
    def get(
        self,
        *,
        regex: str,
    ) -> Handle: ...
    @overload
    def get(
        self,
        *,
        structural_tag: Union[str, Mapping[str, Any]],
        folder: Optional[_Path] = None,
        spelled: bool = False,
        outer_ends: bool = True,
        style: Optional[str] = None,
        arguments: Optional[bool] = None,
        whitespace: Optional[str] = None,
        outer_blanks: Optional[bool] = None,
        key_order: Optional[Literal["schema", "sorted", "any"]] = None,
        escapes: Optional[_Escapes] = None,
        constrained_escapes: Optional[_Escapes] = None,
        draft: Union[str, int, None] = None,
        exponents: Optional[bool] = None,
        integral_fractions: Optional[bool] = None,
        digits: Union[str, int, None] = None,
        formats: Optional[bool] = None,
        number_formats: Optional[bool] = None,
        undeclared: Optional[bool] = None,
        declare_required: Optional[bool] = None,
        documents: Union[str, Sequence[str], None] = None,
        excludes: Union[str, Sequence[str], None] = None,
        lenient: Union[str, Sequence[str], None] = None,
    ) -> Handle: ...
    def metrics(self) -> dict[str, float]:
        """What the registry has done so far, as a `dict` of numbers: `hits`, `misses`, `evictions` of
        parts and grammars; `compiled`, of which `refused`, `failed` (the compiler panicked) and
        `at_once` (a matcher or `Handle.wait` needed them before the registry's threads came to
        them); `first_tier_masks`, masks that came from the first tier since a piece was not
        compiled yet; `compile_time` and `longest_compile`, in seconds; `cancelled` and `stopped`,
        compiles that nobody waited for any more, before and after they were begun; `queued`,
        compiles that wait; `entries`, `bytes` and `bytes_not_compiled`, what is kept;
        `first_tier_matchers` and `first_tier_bytes`, matchers that have no tables yet, and what
        they hold; `files_refused`, files of the folder that were passed over.
        """
    def warnings(self) -> list[str]:
        """What is wrong with the folder, as a list of sentences: files that were passed over, at most
        the last 64 of them since this was last asked, and that other users can write there. What a
        file should have held has been compiled, and written anew.
        """

@final
class Handle:
    """What a request is answered with; `Registry.get` makes one. It does not change, and threads share
    it.
    """

    def is_ready(self) -> bool:
        """Whether everything has been compiled, so that no matcher has to wait."""
    def is_linked(self) -> bool:
        """Whether the request has tools that are linked; others are compiled as a whole."""
    def wait(self) -> None:
        """Compiles here what the registry's threads have not begun, and waits for the rest. Raises
        `GrammarError` if a schema of a tool, or the grammar, is refused.
        """
    def matcher(self) -> ServedMatcher:
        """A matcher at the beginning of a text, usable before anything is compiled. Raises
        `GrammarError` if the grammar is refused, as far as that is known, or if the shortest text
        needs more frames than the registry's `depth`.
        """
    def matcher_from_bytes(self, state: bytes) -> ServedMatcher:
        """The matcher whose state `ServedMatcher.to_bytes` wrote for the same request, with nothing to
        take back but what it takes again. The bytes are checked, not trusted.

        Raises `TablesError` if they are of another request or damaged, and what `matcher` does.
        """
    @property
    def call_format(self) -> Optional[CallFormat]:
        """How to read outputs back, if the request has tools; None for others."""

@final
class CallFormat:
    """How the model writes its output: text, reasoning and tool calls. `Grammar.call_format`,
    `Handle.call_format` and `Compiler.call_format` give one for tools; it does not change.
    """

    @property
    def tools(self) -> list[str]:
        """The names of the tools that can be called, in the order of the request."""
    def parts(self, text: str, *, opened: Optional[bool] = None) -> list[_Part]:
        """The parts of a finished output, a list of `Text`, `Reasoning`, `Call` and, at the end of an
        output that breaks off in a call, `OpenCall`.

        `opened`: whether the prompt has opened reasoning, where the format leaves that open.
        """
    def reader(self, *, opened: Optional[bool] = None) -> CallReader:
        """A reader for an output that grows. `opened` is as for `parts`."""

@final
class CallReader:
    """Reads an output that grows; `CallFormat.reader` makes one for each output."""

    @property
    def text(self) -> str:
        """The output so far."""
    @property
    def open(self) -> Union[Literal["text", "reasoning"], OpenCall, None]:
        """What is being written at the end: `"text"`, `"reasoning"`, an `OpenCall`, or None where that
        is not known.
        """
    def feed(self, piece: Union[str, bytes]) -> list[_Part]:
        """Adds what the model has written since, a `str` or `bytes`, which may end within a character.
        Returns the parts that are whole now. What may become something else is held back, such as
        the beginning of a delimiter.

        Raises `ValueError` if the bytes are no UTF-8, and after `finish`.
        """
    def finish(self) -> list[_Part]:
        """Says that the output is finished. Returns the parts that were held back; the last one is an
        `OpenCall` if the output breaks off in a call.
        """

@final
class Text:
    """Text, as it is written. One text may come in several of these."""

    __match_args__ = ("text",)
    @property
    def text(self) -> str:
        """The text."""
    def __hash__(self) -> int: ...

@final
class Reasoning:
    """Reasoning, as it is written. It may come in several of these, too."""

    __match_args__ = ("text",)
    @property
    def text(self) -> str:
        """The text."""
    def __hash__(self) -> int: ...

@final
class Call:
    """A call that the model has written."""

    __match_args__ = ("name", "arguments")
    @property
    def name(self) -> str:
        """The tool's name."""
    @property
    def id(self) -> Optional[str]:
        """The identifier or number that the model gave the call, in formats that have one."""
    @property
    def arguments(self) -> str:
        """The arguments as the model wrote them, in the format's own style."""
    @property
    def is_closed(self) -> bool:
        """Whether the end of the call is there. If not, the output ends behind whole arguments."""
    def to_json(self) -> str:
        """The arguments as the JSON of an object, whatever style the model writes them in. Raises
        `ValueError` if they are none of the style, which the grammar does not allow.
        """
    def to_dict(self) -> dict[str, Any]:
        """The arguments as a `dict`: what `json.loads` makes of `to_json()`."""
    def __hash__(self) -> int: ...

@final
class OpenCall:
    """A call that is not whole: what there is of it."""

    __match_args__ = ("name", "arguments")
    @property
    def name(self) -> Optional[str]:
        """The tool's name, once it is whole."""
    @property
    def id(self) -> Optional[str]:
        """The identifier or number, once it is whole."""
    @property
    def arguments(self) -> Optional[str]:
        """The arguments so far, once the call has come to them."""
    @property
    def text(self) -> str:
        """All of it, as it is written."""
    def __hash__(self) -> int: ...

@final
class ServedMatcher:
    """Where one text of a request stands; `Handle.matcher` makes one.

    It can be used before anything is compiled: masks are the same before and after. Its methods are
    those of `Matcher` that follow a text; `rollback` takes back the last 256 tokens, and the depth
    is the registry's.
    The interpreter's lock is released while it may have to compile. One thread at a time may use a
    matcher; another one gets `RuntimeError`.

    A schema that is refused only when it is compiled is found out by `Handle.wait`. Without that,
    the methods of a matcher raise the `GrammarError` once it is known.
    """

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary."""
    @property
    def mask_words(self) -> int:
        """The words of 32 bits that a mask takes."""
    def accept_token(self, token: int) -> bool:
        """Takes a token. False if it may not come next; the matcher is then as it was. Raises
        `GrammarError` if the request turns out to be refused.
        """
    def accept_bytes(self, text: bytes) -> bool:
        """Takes bytes, which `rollback` counts as one token. False if they may not come next; the
        matcher is then as it was. Raises what `accept_token` does.
        """
    def explain(self, text: bytes | int) -> str | None:
        """Why `accept_bytes` or `accept_token` would return False: see `Matcher.explain`. Raises what
        `accept_token` does.
        """
    def accept_draft(self, tokens: Sequence[int]) -> int:
        """Takes the tokens of a draft, a sequence of int, up to the first that may not come; returns
        how many. Raises `GrammarError` if the first finds that the request is refused.
        """
    def validate(self, tokens: Sequence[int]) -> int:
        """How many tokens of a draft, from its first, could be taken one after the other. The matcher
        stays where it is: a copy takes them. Raises what `accept_draft` does.
        """
    def rollback(self, tokens: int) -> None:
        """Takes the last `tokens` tokens back, the end of the text among them. Raises `ValueError` if
        fewer are kept, at most 256; the matcher is then as it was. Raises `GrammarError` if the
        request turns out to be refused.
        """
    def reset(self) -> None:
        """Goes back to the beginning of a text, and forgets the history. Raises what `Handle.matcher`
        does.
        """
    def fork(self) -> ServedMatcher:
        """A matcher at the same point, with the same history, which goes on by itself."""
    def fill(self, buffer: _Buffer, row: int = 0) -> None:
        """Writes the mask into a row of a buffer, without a copy: see `Matcher.fill`, which says what
        `buffer` may be and what is raised: int32 or uint32, of the shape `(words,)` or
        `(rows, words)`.

        Raises `GrammarError` too, if the grammar is refused and the text has come to where it
        cannot be followed without tables.
        """
    def allowed_tokens(self) -> list[int]:
        """The ids of the tokens that may come next, ascending: a list of int. For looking; `fill` is
        faster. Raises `GrammarError` as `fill` does.
        """
    def is_complete(self) -> bool:
        """Whether the text may end here."""
    def is_finished(self) -> bool:
        """Whether the text has ended: an end token was taken."""
    def forced_bytes(self, limit: int = 4096) -> bytes:
        """The bytes that must come next, at most `limit` of them: `bytes`. Raises `GrammarError` if
        the request turns out to be refused.
        """
    def forced_tokens(self, limit: int = 256) -> list[int]:
        """The tokens that come next while the mask holds exactly one, at most `limit` of them: a list
        of int. Before there are tables they may be fewer. Raises what `forced_bytes` does.
        """
    def to_bytes(self) -> bytes:
        """Where the text stands, as `bytes`, for `Handle.matcher_from_bytes` of the same request in
        this process or another one. Raises `GrammarError` if the request turned out to be refused.
        """

@final
class MaskBuffer:
    """Rows of a buffer, one for each text of a batch, that know which masks they hold: only what
    differs from a row's last mask is written.

    `buffer` is an int32 or uint32 buffer of the shape `(rows, words)`, as for `Matcher.fill`, which
    also says what it raises. It is held for as long as the object lives, so that an `array` cannot
    grow meanwhile. What it holds before does not matter. If anything else writes to it, call
    `forget`: a row that is taken for unchanged would be wrong. One thread at a time may use it.
    """

    def __new__(cls, buffer: _Buffer) -> MaskBuffer: ...
    @property
    def buffer(self) -> Any:
        """The buffer that was given."""
    def fill(self, matchers: Sequence[Matcher], rows: Optional[Sequence[int]] = None) -> list[int]:
        """Makes rows hold the masks of matchers, and zeros after them. Returns the rows that may have
        changed, ascending: a list of int. The others need not be copied to a device again.

        `rows[i]` is the row of `matchers[i]`; without it row `i`. A row that is not named stays as
        it is. Errors are those of `fill_batch`; nothing is written then.
        """
    def forget(self) -> None:
        """Forgets what the rows hold: each is written anew when it is next filled. To be called if
        anything else has written to the buffer.
        """

@final
class MaskPool:
    """Rows of a buffer for the masks that a batch shares: texts whose masks are equal are given the
    same row, and a mask that was met some steps ago is mostly still there.

    `buffer` is as for `MaskBuffer`, and so is what is said of others that write to it. It needs as
    many rows as there are texts; with 32 to 64 more, nearly all masks of a grammar stay in rows,
    and hardly anything is written. Texts may be of different grammars. One thread at a time may use
    it.
    """

    def __new__(cls, buffer: _Buffer) -> MaskPool: ...
    @property
    def buffer(self) -> Any:
        """The buffer that was given."""
    def rows_of(self, matchers: Sequence[_Matcher]) -> tuple[list[int], list[int]]:
        """The rows that hold the masks of matchers, one for each, and the rows among them that were
        written now: two lists of int.

        A call is a step: rows keep their masks until the next one. Raises `ValueError` if the
        matchers have more different masks than there are rows, or a mask takes more words than a
        row has. The rows of an earlier step may have been written then.

        `matchers` is a sequence of `Matcher` and `ServedMatcher`. For those of the latter that are
        not compiled yet the interpreter's lock is released, and what `ServedMatcher.fill` raises is
        raised.
        """
    def forget(self) -> None:
        """Forgets what the rows hold: each is written anew when it is next handed out. To be called if
        anything else has written to the buffer.
        """

def fill_batch(matchers: Sequence[_Matcher], buffer: _Buffer, rows: Optional[Sequence[int]] = None) -> None:
    """Writes the masks of many matchers into rows of one buffer; see `Matcher.fill`.

    `matchers` is a sequence of `Matcher` and `ServedMatcher`, of the latter each once; `buffer` an
    int32 or uint32 buffer of the shape `(rows, words)`. `rows[i]` is the row of `matchers[i]`;
    without it row `i`. Where a row is named twice, the last mask stays. The interpreter's lock is
    released while the rows are written; nothing else may read or write them meanwhile. Errors are
    those of `fill`, and `ValueError` if there are not as many rows as matchers. Nothing is written
    then, unless a `ServedMatcher` raises `GrammarError`: the rows before its own are written.
    """

def apply_masks(logits: Any, masks: _Buffer, size: Optional[int] = None, rows: Optional[Sequence[int]] = None) -> None:
    """Sets logits of tokens that masks do not allow to minus infinity, in place.

    `logits` is a writable buffer of numbers with a point, of 2, 4 or 8 bytes, in C order, of the
    shape `(size,)` or `(rows, size)`; integers of two bytes are numbers in bfloat16. `masks` are
    rows of words, as `fill` writes them. `size` is how many logits of a row have bits; without it
    all that there are bits for. `rows` are the rows that are masked, each by the row of masks of
    that number; without it all. The interpreter's lock is released. Raises `TypeError` and
    `BufferError` for other buffers, `IndexError` if a row is not there. Nothing is written then.
    """
