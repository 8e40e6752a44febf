"""What engines use of XGrammar's Python interface, over Maskwright: an engine is switched by an import.

    import maskwright.xgrammar as xgrammar

In: XGrammar's calls, of version 0.2.8. Out: what they return there. What holds: masks are Maskwright's, which allow a token if and only if the text can still be finished; what is not
covered is not there, or is refused with an error that names it. The README has the table of what is covered and what differs. Masks are tensors of torch, or arrays of
numpy where torch is not installed.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, NamedTuple, Optional, Union

import numpy

from . import _serving
from ._native import Compiler, GrammarError, Vocabulary, fill_batch
from ._native import Grammar as _Tables

__all__ = [
    "BatchGrammarMatcher",
    "CompileError",
    "CompiledGrammar",
    "Grammar",
    "GrammarCompiler",
    "GrammarMatcher",
    "InvalidStructuralTagError",
    "StructuralTagItem",
    "TokenizerInfo",
    "VocabType",
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "bitmask_dtype",
    "get_bitmask_shape",
    "reset_token_bitmask",
]

bitmask_dtype: Any = numpy.int32 if _serving.torch is None else _serving.torch.int32
"""The type of a mask's words."""

# How deep texts may nest, as of `maskwright.Matcher`.
DEPTH = 64

# Tokens that end a text where no stop tokens are given.
ENDS = {"</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<｜end▁of▁sentence｜>"}


class CompileError(RuntimeError):
    """A grammar that cannot be compiled, with Maskwright's message; the `GrammarError` with its place is the cause."""


class InvalidStructuralTagError(CompileError):
    """A structural tag that cannot be compiled."""


class VocabType(Enum):
    """How the texts of tokens are written."""

    RAW = 0
    BYTE_FALLBACK = 1
    BYTE_LEVEL = 2


def _bytes_of_characters() -> dict[str, int]:
    """The byte that each character stands for in vocabularies of byte-level BPE: printable ones of Latin-1 for themselves, those from U+0100 on for the others."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{chr(byte): byte for byte in printable}, **{chr(0x100 + at): byte for at, byte in enumerate(others)}}


_BYTES = _bytes_of_characters()


def _decoded(token: Union[str, bytes], kind: VocabType) -> bytes:
    """The bytes that a token stands for."""
    if isinstance(token, bytes):
        if kind is VocabType.RAW:
            return token
        token = token.decode("utf-8")
    if kind is VocabType.BYTE_LEVEL and all(character in _BYTES for character in token):
        return bytes(_BYTES[character] for character in token)
    if kind is VocabType.BYTE_FALLBACK:
        if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
            return bytes([int(token[3:5], 16)])
        token = token.replace("▁", " ")
    return token.encode("utf-8")


def __getattr__(name: str) -> Any:
    """What of the package is data for requests, and has no engine in it, comes from the package itself where it is installed."""
    if name not in _OF_THE_PACKAGE:
        raise AttributeError(f"maskwright.xgrammar has no {name!r}: docs/engines-python.md has the table of what is covered")
    try:
        from importlib import import_module

        module, of = _OF_THE_PACKAGE[name]
        found = import_module(module)
    except ImportError as error:
        raise AttributeError(f"{name!r} comes from the package xgrammar, which is not installed: `pip install xgrammar`") from error
    return getattr(found, of) if of else found


# Names of the package that engines import for requests: the module that has each, and its name there.
_OF_THE_PACKAGE = {
    "StructuralTag": ("xgrammar.structural_tag", "StructuralTag"),
    "get_model_structural_tag": ("xgrammar.builtin_structural_tag", "get_model_structural_tag"),
    "normalize_tool_choice": ("xgrammar.builtin_structural_tag", "normalize_tool_choice"),
    "structural_tag": ("xgrammar.structural_tag", ""),
    "openai_tool_call_schema": ("xgrammar.openai_tool_call_schema", ""),
}


def _ids(ids: Union[int, Sequence[int], None]) -> Optional[list[int]]:
    return [ids] if isinstance(ids, int) else None if ids is None else list(ids)


class TokenizerInfo:
    """The bytes of each token, and the tokens that end a text."""

    def __init__(
        self,
        encoded_vocab: Sequence[Union[bytes, str]],
        vocab_type: VocabType = VocabType.RAW,
        *,
        vocab_size: Optional[int] = None,
        stop_token_ids: Union[int, Sequence[int], None] = None,
        add_prefix_space: bool = False,
    ) -> None:
        tokens = [_decoded(token, vocab_type) for token in encoded_vocab]
        stops = _ids(stop_token_ids)
        if stops is None:
            stops = [id for id, token in enumerate(tokens) if token.decode("utf-8", "replace") in ENDS]
        tokens = tokens[:vocab_size]
        vocabulary = Vocabulary.from_tokens(tokens, stops)
        self._set(_serving.vocabulary_of(vocabulary, vocab_size), vocab_type, add_prefix_space)

    def _set(self, vocabulary: Vocabulary, kind: VocabType, add_prefix_space: bool) -> None:
        self.vocabulary = vocabulary
        self.vocab_type = kind
        self.add_prefix_space = add_prefix_space

    @classmethod
    def from_vocabulary(cls, vocabulary: Vocabulary) -> "TokenizerInfo":
        """Of a vocabulary of Maskwright's; not in XGrammar."""
        info = cls.__new__(cls)
        info._set(vocabulary, VocabType.RAW, False)
        return info

    @classmethod
    def from_huggingface(cls, tokenizer: Any, *, vocab_size: Optional[int] = None, stop_token_ids: Union[int, Sequence[int], None] = None) -> "TokenizerInfo":
        """Of a fast tokenizer of transformers. Its special tokens are no text, whatever their names."""
        stops = _ids(stop_token_ids)
        if stops == []:
            raise ValueError("stop_token_ids cannot be empty")
        eos = getattr(tokenizer, "eos_token_id", None)
        stops = stops or _ids(eos)
        vocabulary = Vocabulary.from_tokenizer(tokenizer)
        info = cls.from_vocabulary(_serving.vocabulary_of(vocabulary.with_eos(stops) if stops else vocabulary, vocab_size))
        names = tokenizer.get_vocab()
        info.vocab_type = VocabType.BYTE_FALLBACK if "<0x0A>" in names else VocabType.BYTE_LEVEL if "Ġ" in names else VocabType.RAW
        return info

    @property
    def vocab_size(self) -> int:
        return self.vocabulary.size

    @property
    def decoded_vocab(self) -> list[bytes]:
        """The bytes of each token; empty for special and stop tokens."""
        return self.vocabulary.tokens()

    @property
    def stop_token_ids(self) -> list[int]:
        return self.vocabulary.eos

    @property
    def special_token_ids(self) -> list[int]:
        """The tokens that are no text, besides those that end one."""
        stops = set(self.stop_token_ids)
        return [id for id, token in enumerate(self.decoded_vocab) if not token and id not in stops]


class StructuralTagItem(NamedTuple):
    """A tag of the older form of structural tags."""

    begin: str
    schema: Any
    end: str


class _Source(NamedTuple):
    """What a grammar is compiled from: a method of `Compiler`, a text, and options."""

    method: str
    text: str
    options: tuple[tuple[str, Any], ...] = ()

    def compile(self, compiler: Compiler) -> _Tables:
        try:
            return self._with(compiler)
        except GrammarError as error:
            raise self._kind()(str(error)) from error

    def _with(self, compiler: Compiler) -> _Tables:
        method: Callable[..., _Tables] = getattr(compiler, self.method)
        return method(self.text, **dict(self.options))

    def _kind(self) -> type[CompileError]:
        return InvalidStructuralTagError if self.method == "structural_tag" else CompileError


    def check(self) -> "_Source":
        """Raises what `compile` would, for whatever is wrong with it for every vocabulary."""
        error = _serving.problem(self._with)
        if error is not None:
            raise self._kind()(str(error)) from error
        return self


class Grammar:
    """A grammar that is not compiled for a vocabulary yet. What is wrong with it for every vocabulary is raised at once, as `CompileError`."""

    def __init__(self, source: _Source) -> None:
        self._source = source.check()

    @staticmethod
    def from_ebnf(ebnf_string: str, *, root_rule_name: str = "root") -> "Grammar":
        return Grammar(_Source("ebnf", ebnf_string, (("root", root_rule_name),)))

    @staticmethod
    def from_regex(regex_string: str) -> "Grammar":
        return Grammar(_Source("regex", regex_string))

    @staticmethod
    def from_json_schema(
        schema: Any,
        *,
        any_whitespace: bool = True,
        indent: Optional[int] = None,
        separators: Optional[tuple[str, str]] = None,
        strict_mode: bool = True,
        max_whitespace_cnt: Optional[int] = None,
        any_order: bool = False,
    ) -> "Grammar":
        options = {
            "whitespace": _whitespace(any_whitespace, indent, separators, max_whitespace_cnt),
            "undeclared": not strict_mode,
            "key_order": "any" if any_order else "schema",
        }
        text = _schema(schema, strict_mode)
        return Grammar(_Source("schema", text, tuple(options.items())))

    @staticmethod
    def from_structural_tag(*args: Any, **kwargs: Any) -> "Grammar":
        return Grammar(_Source("structural_tag", _tag(*args, **kwargs)))

    @staticmethod
    def builtin_json_grammar() -> "Grammar":
        """Any JSON array or object."""
        schema = '{"anyOf": [{"type": "array"}, {"type": "object"}]}'
        return Grammar(_Source("schema", schema, (("whitespace", "unbounded"),)))


def _whitespace(is_any: bool, indent: Optional[int], separators: Optional[tuple[str, str]], most: Optional[int]) -> str:
    """The option of Maskwright that means the same."""
    if is_any:
        return "unbounded" if most is None else f"flexible:{most}"
    separators = None if separators is None else (separators[0], separators[1])
    known: dict[Any, str] = {(None, None): "spaced", (None, (", ", ": ")): "spaced", (None, (",", ":")): "compact"}
    if indent is not None and separators in (None, (",", ": ")):
        return f"indent:{indent}"
    if (indent, separators) not in known:
        raise ValueError(f"separators {separators} with indent {indent} are not covered: give (', ', ': ') or (',', ':') without indent, or (',', ': ') with it")
    return known[indent, separators]


# What says something of an object's properties.
_OF_PROPERTIES = {
    *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "required", "dependentRequired", "dependentSchemas", "dependencies"),
    *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if"),
}


def _open(schema: Any) -> bool:
    """Lets objects of which nothing but their type is said have any properties, in place; strict mode is not for them. Returns whether there were any."""
    if isinstance(schema, list):
        return any([_open(item) for item in schema])
    if not isinstance(schema, dict):
        return False
    of_object = schema.get("type") == "object" or (isinstance(schema.get("type"), list) and "object" in schema["type"])
    inner = any([_open(value) for key, value in schema.items() if key not in ("enum", "const", "default", "examples")])
    if of_object and not _OF_PROPERTIES & schema.keys():
        schema["additionalProperties"] = True
        return True
    return inner


def _schema(schema: Any, strict: bool) -> str:
    """The text of a schema: of a text, a `dict`, or a class of pydantic."""
    if hasattr(schema, "model_json_schema"):
        schema = schema.model_json_schema()
    if isinstance(schema, dict):
        schema = json.dumps(schema, indent=2, ensure_ascii=False)
    if not isinstance(schema, str):
        raise ValueError("The schema should be a string or a Pydantic model.")
    if strict:
        try:
            read = json.loads(schema)
        except ValueError:
            return schema  # the compiler says where
        if _open(read):
            return json.dumps(read, indent=2, ensure_ascii=False)
    return schema


def _tag(*args: Any, **kwargs: Any) -> str:
    """The text of a structural tag, from what may be given for one."""
    if len(args) == 2 or {"tags", "triggers"} <= kwargs.keys():
        tags, triggers = args or (kwargs["tags"], kwargs["triggers"])
        structures = [{"begin": tag.begin, "schema": json.loads(_schema(tag.schema, False)), "end": tag.end} for tag in tags]
        return json.dumps({"type": "structural_tag", "structures": structures, "triggers": list(triggers)})
    tag: Any = args[0] if len(args) == 1 else kwargs.get("structural_tag")
    if hasattr(tag, "model_dump_json"):
        return str(tag.model_dump_json())
    if isinstance(tag, dict):
        return json.dumps(tag, indent=2, ensure_ascii=False)
    if isinstance(tag, str):
        return tag
    raise TypeError("expected a structural tag as a text, a dict or a model of pydantic, or a list of tags and one of triggers")


class CompiledGrammar:
    """A compiled grammar. `GrammarCompiler` makes it; threads and matchers share it."""

    def __init__(self, source: _Source, compilers: _serving.Compilers, info: TokenizerInfo, stops: Optional[list[int]] = None) -> None:
        self._source, self._compilers = source, compilers
        self.tokenizer_info = info
        self.tables = source.compile(compilers.ending_with(stops))

    @property
    def memory_size_bytes(self) -> int:
        """Bytes of the tables; the vocabulary is shared."""
        return self.tables.nbytes

    def _ending_with(self, stops: list[int]) -> "CompiledGrammar":
        """The same grammar, with other stop tokens: compiled again if they are others."""
        if sorted(set(stops)) == self.tokenizer_info.stop_token_ids:
            return self
        return CompiledGrammar(self._source, self._compilers, self.tokenizer_info, stops)


class GrammarCompiler:
    """Compiles for one tokenizer, and keeps what it compiled. Threads can use it at the same time."""

    def __init__(self, tokenizer_info: TokenizerInfo, *, max_threads: int = 8, cache_enabled: bool = True, cache_limit_bytes: int = -1) -> None:
        if not isinstance(tokenizer_info, TokenizerInfo):
            raise ValueError("Please convert the tokenizer to TokenizerInfo before passing it to GrammarCompiler.")
        self._info = tokenizer_info
        self._compilers = _serving.Compilers(tokenizer_info.vocabulary, threads=max_threads, capped=True)
        self._is_cached, self.cache_limit_bytes = cache_enabled, cache_limit_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Source, CompiledGrammar] = OrderedDict()

    def compile_json_schema(self, schema: Any, **options: Any) -> CompiledGrammar:
        """`options` are those of `Grammar.from_json_schema`."""
        return self._compile(Grammar.from_json_schema(schema, **options)._source)

    def compile_builtin_json_grammar(self) -> CompiledGrammar:
        return self._compile(Grammar.builtin_json_grammar()._source)

    def compile_regex(self, regex: str) -> CompiledGrammar:
        return self._compile(Grammar.from_regex(regex)._source)

    def compile_grammar(self, grammar: Union[str, Grammar], *, root_rule_name: str = "root") -> CompiledGrammar:
        if isinstance(grammar, str):
            grammar = Grammar.from_ebnf(grammar, root_rule_name=root_rule_name)
        if not isinstance(grammar, Grammar):
            raise ValueError("Invalid grammar type. Please pass a string or a Grammar object.")
        return self._compile(grammar._source)

    def compile_structural_tag(self, *args: Any, **kwargs: Any) -> CompiledGrammar:
        """Of one structural tag, or of `tags` and `triggers`."""
        return self._compile(Grammar.from_structural_tag(*args, **kwargs)._source)

    def clear_cache(self) -> None:
        with self._lock:
            self._kept.clear()

    def get_cache_size_bytes(self) -> int:
        with self._lock:
            return sum(grammar.memory_size_bytes for grammar in self._kept.values())

    def _compile(self, source: _Source) -> CompiledGrammar:
        with self._lock:
            found = self._kept.get(source)
            if found is not None:
                self._kept.move_to_end(source)
                return found
        compiled = CompiledGrammar(source, self._compilers, self._info)
        if self._is_cached:
            with self._lock:
                self._kept[source] = compiled
                size = sum(grammar.memory_size_bytes for grammar in self._kept.values())
                while 0 <= self.cache_limit_bytes < size:
                    _, dropped = self._kept.popitem(last=False)
                    size -= dropped.memory_size_bytes
        return compiled


class GrammarMatcher:
    """Where one text stands. Any number of steps can be taken back."""

    def __init__(
        self,
        compiled_grammar: CompiledGrammar,
        *,
        override_stop_tokens: Union[int, Sequence[int], None] = None,
        terminate_without_stop_token: bool = False,
        max_rollback_tokens: int = -1,
    ) -> None:
        if not isinstance(compiled_grammar, CompiledGrammar):
            raise ValueError("The grammar should be compiled before passing it to GrammarMatcher.")
        stops = _ids(override_stop_tokens)
        self._grammar = compiled_grammar if stops is None else compiled_grammar._ending_with(stops)
        self.stop_token_ids = sorted(set(stops)) if stops is not None else compiled_grammar.tokenizer_info.stop_token_ids
        self.max_rollback_tokens = -1
        self._ends_by_itself = terminate_without_stop_token
        self._steps = _serving.Steps(self._grammar.tables, DEPTH)

    def accept_token(self, token_id: int, *, debug_print: bool = False) -> bool:
        """Takes a token. False if it may not come next; nothing has changed then."""
        if self._ends_by_itself and token_id in self.stop_token_ids:
            return False
        return self._steps.take(token_id)

    def accept_string(self, input_str: Union[str, bytes], *, debug_print: bool = False) -> bool:
        """Takes a text as one step. False if it may not come next; nothing has changed then."""
        return self._steps.take(input_str if isinstance(input_str, bytes) else input_str.encode("utf-8"))

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0, *, debug_print: bool = False) -> bool:
        """Writes the mask into a row. Returns True: it has to be applied. Raises `RuntimeError` behind the end of the text, and for masks that are none."""
        self._goes_on()
        try:
            self._steps.matcher.fill(_serving.words_of(bitmask), index)
        except (ValueError, IndexError, BufferError, OverflowError) as error:
            raise RuntimeError(str(error)) from error
        return True

    def find_jump_forward_string(self) -> str:
        """The text that must come next, up to its last whole character."""
        self._goes_on()
        return self._steps.matcher.forced_bytes().decode("utf-8", "ignore")

    def rollback(self, num_tokens: int = 1) -> None:
        """Takes steps back. Raises `RuntimeError` if there were fewer."""
        try:
            self._steps.take_back(num_tokens)
        except ValueError as error:
            raise RuntimeError(str(error)) from error

    def is_terminated(self) -> bool:
        """Whether a stop token was taken; with `terminate_without_stop_token`, whether the text is whole."""
        return self.is_completed() if self._ends_by_itself else self._steps.matcher.is_finished()

    def is_completed(self) -> bool:
        """Whether the text is whole, with or without a stop token."""
        return self._steps.matcher.is_complete() or self._steps.matcher.is_finished()

    def reset(self) -> None:
        self._steps.reset()

    def fork(self) -> "GrammarMatcher":
        other = GrammarMatcher.__new__(GrammarMatcher)
        other.__dict__.update(self.__dict__)
        other._steps = self._steps.fork()
        return other

    def _goes_on(self) -> None:
        if self._steps.matcher.is_finished():
            raise RuntimeError("the matcher has terminated: a stop token was taken")


class BatchGrammarMatcher:
    """Many matchers in one call, by one thread: that is faster than to wake others."""

    def __init__(self, max_threads: Union[int, str] = "auto") -> None:
        self.max_threads = max_threads

    def batch_fill_next_token_bitmask(self, matchers: Sequence[GrammarMatcher], bitmask: Any, indices: Optional[Sequence[int]] = None, debug_print: bool = False) -> None:
        """Writes the masks into rows `indices`, or the first rows."""
        for matcher in matchers:
            matcher._goes_on()
        try:
            fill_batch([matcher._steps.matcher for matcher in matchers], _serving.words_of(bitmask), indices)
        except (ValueError, IndexError, BufferError, OverflowError) as error:
            raise RuntimeError(str(error)) from error

    @staticmethod
    def batch_accept_token(matchers: Sequence[GrammarMatcher], tokens: Sequence[int], debug_print: bool = False) -> list[bool]:
        _same(matchers, tokens)
        return [matcher.accept_token(token) for matcher, token in zip(matchers, tokens)]

    @staticmethod
    def batch_accept_string(matchers: Sequence[GrammarMatcher], strings: Sequence[Union[str, bytes]], debug_print: bool = False) -> list[bool]:
        _same(matchers, strings)
        return [matcher.accept_string(text) for matcher, text in zip(matchers, strings)]

    @staticmethod
    def batch_rollback(matchers: Sequence[GrammarMatcher], num_tokens: Union[Sequence[int], int] = 1) -> None:
        counts = [num_tokens] * len(matchers) if isinstance(num_tokens, int) else num_tokens
        _same(matchers, counts)
        for matcher, count in zip(matchers, counts):
            matcher.rollback(count)


def _same(matchers: Sequence[Any], others: Sequence[Any]) -> None:
    if len(matchers) != len(others):
        raise RuntimeError(f"there are {len(matchers)} matchers and {len(others)} values")


def get_bitmask_shape(batch_size: int, vocab_size: int) -> tuple[int, int]:
    """Rows, and words of 32 tokens."""
    return batch_size, -(-vocab_size // 32)


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> Any:
    """Masks that allow every token, on the CPU."""
    return _serving.new_masks(*get_bitmask_shape(batch_size, vocab_size))


def reset_token_bitmask(bitmask: Any) -> None:
    """Lets masks allow every token."""
    bitmask[:] = -1


def apply_token_bitmask_inplace(
    logits: Any,
    bitmask: Any,
    *,
    vocab_size: Optional[int] = None,
    indices: Optional[Sequence[int]] = None,
    backend: str = "auto",
) -> None:
    """Sets logits of tokens that are not allowed to minus infinity. Tensors on any device, or arrays of numpy; `backend` makes no difference."""
    if _serving.is_tensor(logits) and logits.device != bitmask.device:
        raise ValueError(f"logits and bitmask should be on the same device; they are on {logits.device} and {bitmask.device}")
    _serving.apply_masks(logits, bitmask, vocab_size, indices)
