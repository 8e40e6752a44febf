"""Types of the compiled part of `maskwright`; `help(maskwright.Matcher)` and the like say what each does."""

import builtins
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Optional, Union, final

__all__ = [
    "Compiler",
    "Grammar",
    "GrammarError",
    "MaskBuffer",
    "MaskPool",
    "Matcher",
    "TablesError",
    "Vocabulary",
    "VocabularyError",
    "fill_batch",
]

_Path = Union[str, "os.PathLike[str]"]
# A writable buffer of int32 or uint32 in C order, of the shape (words,) or (rows, words): numpy array, array.array, memoryview.
_Buffer = Any
_Json = Union[str, bool, Mapping[str, Any]]
_Option = Union[str, bool, int, Sequence[str]]

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

class VocabularyError(ValueError):
    """A vocabulary that cannot be read, or passes a limit."""

class TablesError(ValueError):
    """Bytes of a grammar or of a matcher's state that were not made by this version, for this vocabulary or for this grammar."""

@final
class Vocabulary:
    """The bytes of each token, and the tokens that end a sequence."""

    @staticmethod
    def from_file(path: _Path, special: Optional[_Path] = None) -> Vocabulary: ...
    @staticmethod
    def named(name: str) -> Vocabulary: ...
    @staticmethod
    def from_tokens(
        tokens: Sequence[builtins.bytes],
        eos: Union[int, Sequence[int]],
        special: Optional[Mapping[int, str]] = None,
        added: Optional[Mapping[int, str]] = None,
    ) -> Vocabulary: ...
    @staticmethod
    def from_tokenizer(tokenizer: Any) -> Vocabulary: ...
    def with_eos(self, eos: Union[int, Sequence[int]]) -> Vocabulary: ...
    def with_size(self, size: int) -> Vocabulary: ...
    @property
    def size(self) -> int: ...
    @property
    def eos(self) -> list[int]: ...
    @property
    def hash(self) -> int: ...
    @property
    def special_tokens(self) -> dict[int, str]: ...
    @property
    def added_tokens(self) -> dict[int, str]: ...
    @property
    def warnings(self) -> list[str]: ...
    def bytes(self, id: int) -> builtins.bytes: ...
    def tokens(self) -> list[builtins.bytes]: ...
    def __len__(self) -> int: ...

@final
class Compiler:
    """Compiles grammars for one vocabulary."""

    def __new__(
        cls,
        vocabulary: Vocabulary,
        threads: Optional[int] = None,
        *,
        capped: bool = False,
        deterministic: bool = False,
        time_limit: Optional[float] = None,
        limits: Optional[Mapping[str, int]] = None,
    ) -> Compiler: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    def schema(self, schema: _Json, **options: _Option) -> Grammar: ...
    def ebnf(self, text: str, root: Optional[str] = None, folder: Optional[_Path] = None) -> Grammar: ...
    def regex(self, pattern: str) -> Grammar: ...
    def structural_tag(
        self,
        tag: Union[str, Mapping[str, Any]],
        *,
        spelled: bool = False,
        outer_ends: bool = True,
        **options: _Option,
    ) -> Grammar: ...
    def tools(
        self,
        tools: Union[str, Sequence[Mapping[str, Any]], Mapping[str, Any]],
        format: str,
        *,
        tool_choice: Union[str, Mapping[str, Any], None] = None,
        parallel_tool_calls: Optional[bool] = None,
        reasoning: Optional[Literal["none", "optional", "required"]] = None,
        strict: Optional[bool] = None,
        blanks: Optional[bool] = None,
    ) -> Grammar: ...

@final
class Grammar:
    """A compiled grammar for one vocabulary."""

    @staticmethod
    def from_bytes(tables: bytes, vocabulary: Vocabulary) -> Grammar: ...
    def to_bytes(self) -> bytes: ...
    @property
    def vocab_size(self) -> int: ...
    @property
    def mask_words(self) -> int: ...
    @property
    def max_stacks(self) -> int: ...
    @property
    def least_depth(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...

@final
class Matcher:
    """Where one text stands in a grammar."""

    def __new__(cls, grammar: Grammar, depth: int = 64, history: int = 0) -> Matcher: ...
    @staticmethod
    def from_bytes(state: bytes, grammar: Grammar, depth: int = 64, history: int = 0) -> Matcher: ...
    def to_bytes(self) -> bytes: ...
    @property
    def grammar(self) -> Grammar: ...
    @property
    def depth(self) -> int: ...
    @property
    def history_len(self) -> int: ...
    def accept_token(self, token: int) -> bool: ...
    def accept_bytes(self, text: bytes) -> bool: ...
    def accept_draft(self, tokens: Sequence[int]) -> int: ...
    def validate(self, tokens: Sequence[int]) -> int: ...
    def rollback(self, tokens: int) -> None: ...
    def reset(self) -> None: ...
    def fork(self) -> Matcher: ...
    def fill(self, buffer: _Buffer, row: int = 0) -> None: ...
    def allowed_tokens(self) -> list[int]: ...
    def is_complete(self) -> bool: ...
    def is_finished(self) -> bool: ...
    def forced_bytes(self, limit: int = 4096) -> bytes: ...
    def forced_tokens(self, limit: int = 256) -> list[int]: ...

@final
class MaskBuffer:
    """Rows of a buffer, one for each text of a batch, that know which masks they hold."""

    def __new__(cls, buffer: _Buffer) -> MaskBuffer: ...
    @property
    def buffer(self) -> Any: ...
    def fill(self, matchers: Sequence[Matcher], rows: Optional[Sequence[int]] = None) -> list[int]: ...
    def forget(self) -> None: ...

@final
class MaskPool:
    """Rows of a buffer for the masks that a batch shares."""

    def __new__(cls, buffer: _Buffer) -> MaskPool: ...
    @property
    def buffer(self) -> Any: ...
    def rows_of(self, matchers: Sequence[Matcher]) -> tuple[list[int], list[int]]: ...
    def forget(self) -> None: ...

def fill_batch(matchers: Sequence[Matcher], buffer: _Buffer, rows: Optional[Sequence[int]] = None) -> None:
    """Writes the masks of many matchers into rows of one buffer, of the shape (rows, words), int32 or uint32."""
