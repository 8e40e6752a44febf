"""What the adapters of serving engines have in common.

In: a tokenizer, end tokens of a request, texts of grammars, rows of words in tensors or arrays. Out: compilers and registries for each set of end tokens, matchers that
can take any number of tokens back, and masks written to and applied from tensors. What holds: torch is imported only where a tensor is asked for and it is installed;
without it arrays of numpy stand in.

Engines have no flags for what plug-ins can do: variables of the environment set the depth, blanks and limits. docs/engines-python.md lists them.
"""

import json
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Generic, Optional, TypeVar, Union

import numpy

from ._native import Compiler, Grammar, GrammarError, Matcher, Registry, ServedMatcher, Vocabulary

try:
    import torch
except ImportError:
    torch = None

__all__ = [
    "Compilers",
    "Registries",
    "Steps",
    "Words",
    "apply_masks",
    "choice",
    "compiler_of_bytes",
    "depth",
    "is_supported",
    "is_tensor",
    "new_masks",
    "problem",
    "vocabulary_of",
    "whitespace",
    "words_of",
]

Step = Union[int, bytes]

# Sets of end tokens whose compilers are kept: engines have one, requests with stop tokens of their own add a few.
KEPT_COMPILERS = 8
# Tokens that a matcher takes back by itself; for more the text is followed again from its beginning.
HISTORY = 16
# Bytes of compiled grammars that are kept.
KEPT_BYTES = 256 << 20


def _number(name: str, usual: Any) -> Any:
    """The number that a variable of the environment has, of the kind of the usual one."""
    text = os.environ.get(name)
    if not text:
        return usual
    try:
        number = float(text) if isinstance(usual, float) else int(text)
    except ValueError:
        number = -1
    if number <= 0:
        raise ValueError(f"{name} is a number above 0, not {text!r}")
    return number


def depth() -> int:
    """How deep texts may nest."""
    return int(_number("MASKWRIGHT_DEPTH", 64))


def whitespace(is_compact: bool = False) -> str:
    """Blanks in JSON: none if the engine's flag says so, or else as many as the standard allows, which is what engines promise."""
    return "compact" if is_compact else os.environ.get("MASKWRIGHT_WHITESPACE") or "unbounded"


def vocabulary_of(tokenizer: Any, size: Optional[int] = None) -> Vocabulary:
    """The vocabulary of a tokenizer with as many ids as the model's row of logits, `size`: more than the tokenizer has, or fewer."""
    vocabulary = tokenizer if isinstance(tokenizer, Vocabulary) else _read(tokenizer)
    return vocabulary if size is None or size == vocabulary.size else vocabulary.with_size(size)


def _file_of(tokenizer: Any) -> Any:
    """The file of a tokenizer of mistral-common, or of vLLM's class around one; None for others."""
    inner = tokenizer
    while inner is not None:
        if type(inner).__module__.split(".")[0] == "mistral_common" and hasattr(type(inner), "file_path"):
            return inner.file_path
        inner = getattr(inner, "instruct_tokenizer", None) or getattr(inner, "tokenizer", None)
    return None


def _read(tokenizer: Any) -> Vocabulary:
    """The vocabulary of a tokenizer of Hugging Face; for one of mistral-common that of the file that it was read from."""
    file = _file_of(tokenizer)
    return Vocabulary.from_tokenizer(tokenizer) if file is None else Vocabulary.from_file(file)


def is_supported(tokenizer: Any) -> bool:
    """Whether a tokenizer is of a kind whose vocabulary can be read."""
    if isinstance(tokenizer, Vocabulary):
        return True
    return hasattr(getattr(tokenizer, "backend_tokenizer", tokenizer), "to_str") or _file_of(tokenizer) is not None


@lru_cache(maxsize=1)
def compiler_of_bytes() -> Compiler:
    """A compiler for single bytes and one end token: for what holds for every vocabulary."""
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    return Compiler(Vocabulary.from_tokens(tokens, 256), threads=1, capped=True, time_limit=5.0, warn=False)


def problem(compile: Callable[[Compiler], Any]) -> Optional[GrammarError]:
    """What is wrong with a grammar for every vocabulary: the error of `compile`, which may only read it, if any, with a compiler for single bytes.

    That a token is not in the vocabulary is no such error, and neither is a limit of time. Both are left to the compiler of the model's vocabulary, and with an unknown token whatever would be found after it.
    """
    try:
        compile(compiler_of_bytes())
    except GrammarError as error:
        codes = set(re.findall(r"^error\[([\w-]+)\]", str(error), re.MULTILINE)) or {error.code}
        is_time = error.code == "limit-exceeded" and "limit `time`" in error.message
        return None if is_time or codes == {"unknown-token"} else error
    return None


Made = TypeVar("Made")


class _PerEnds(Generic[Made]):
    """What is made of a vocabulary, once for each set of end tokens: at the first request with these, which takes a fraction of a second for 200,000 tokens; the last eight are kept. Threads can use it at the same time."""

    def __init__(self, vocabulary: Vocabulary, make: Callable[[Vocabulary, bool], Made]) -> None:
        self.vocabulary = vocabulary
        self._make = make
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, ...], Made] = OrderedDict()

    def ending_with(self, eos: Optional[Iterable[int]] = None) -> Made:
        """What is made of the vocabulary where these ids, and no others, end a text; those of the vocabulary if there are none."""
        ids = tuple(sorted(set(eos or self.vocabulary.eos)))
        with self._lock:
            made = self._kept.get(ids)
            if made is None:
                is_own = ids == tuple(self.vocabulary.eos)
                vocabulary = self.vocabulary if is_own else self.vocabulary.with_eos(list(ids))
                made = self._make(vocabulary, is_own)
            self._kept[ids] = made
            self._kept.move_to_end(ids)
            if len(self._kept) > KEPT_COMPILERS:
                self._kept.popitem(last=False)
            return made


class Compilers(_PerEnds[Compiler]):
    """Compilers for one vocabulary, one for each set of end tokens. `options` are those of `Compiler`."""

    def __init__(self, vocabulary: Vocabulary, **options: Any) -> None:
        super().__init__(vocabulary, lambda vocabulary, _: Compiler(vocabulary, warn=False, **options))


class Registries(_PerEnds[Registry]):
    """Registries for one vocabulary, one for each set of end tokens, with the depth, the bytes, the threads and the time that the environment says. The vocabulary's own end tokens have half of the bytes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.depth = depth()
        bytes, threads, time = _number("MASKWRIGHT_BYTES", KEPT_BYTES), _number("MASKWRIGHT_THREADS", 0), _number("MASKWRIGHT_TIME", 10.0)

        def make(vocabulary: Vocabulary, is_own: bool) -> Registry:
            compiler = Compiler(vocabulary, capped=True, warn=False)
            share = bytes // 2 if is_own else bytes // (2 * KEPT_COMPILERS)
            return Registry(compiler, depth=self.depth, bytes=share, threads=threads or None, time=time)

        super().__init__(vocabulary, make)

    def metrics(self) -> dict[str, float]:
        """Those of all registries together; see `Registry.metrics`."""
        with self._lock:
            registries = list(self._kept.values())
        sums: dict[str, float] = {}
        for metrics in (registry.metrics() for registry in registries):
            for name, number in metrics.items():
                sums[name] = max(sums.get(name, 0), number) if name == "longest_compile" else sums.get(name, 0) + number
        return sums


class Steps:
    """A matcher and the steps that it took, of which any number can be taken back.

    A step is a token, or bytes. The last sixteen are taken back at once. For more, the text is followed again, which takes less than a microsecond a token.
    """

    def __init__(self, matcher: Union[Matcher, ServedMatcher]) -> None:
        self.matcher = matcher
        self.taken: list[Step] = []

    @classmethod
    def of(cls, grammar: Grammar, depth: int) -> "Steps":
        """At the beginning of a text of a grammar."""
        return cls(Matcher(grammar, depth, HISTORY))

    def take(self, step: Step) -> bool:
        """Takes a step. False if it may not come next, and for what is no token id; nothing has changed then."""
        if isinstance(step, bytes):
            is_taken = self.matcher.accept_bytes(step)
        else:
            is_taken = 0 <= step < 1 << 32 and self.matcher.accept_token(step)
        if is_taken:
            self.taken.append(step)
        return is_taken

    def take_back(self, count: int) -> None:
        """Takes the last `count` steps back. Raises `ValueError` if there were fewer; nothing has changed then."""
        if not 0 <= count <= len(self.taken):
            raise ValueError(f"{len(self.taken)} steps were taken, {count} were to be taken back")
        left = len(self.taken) - count
        try:
            self.matcher.rollback(count)
        except ValueError:  # it keeps fewer
            self.matcher.reset()
            for step in self.taken[:left]:
                if isinstance(step, bytes):
                    self.matcher.accept_bytes(step)
                else:
                    self.matcher.accept_token(step)
        del self.taken[left:]

    def valid(self, tokens: Sequence[int]) -> int:
        """How many of these tokens, from the first, could be taken one after the other. What is no token id ends them."""
        ids = list(tokens)
        bad = next((at for at, token in enumerate(ids) if not 0 <= token < 1 << 32), len(ids))
        return self.matcher.validate(ids[:bad])

    def reset(self) -> None:
        """Goes back to the beginning of the text."""
        self.matcher.reset()
        self.taken.clear()

    def fork(self) -> "Steps":
        """The same point of the text, which goes on by itself."""
        other = Steps.__new__(Steps)
        other.matcher, other.taken = self.matcher.fork(), list(self.taken)
        return other


def choice(texts: Sequence[str]) -> str:
    """A grammar of these texts and no others."""
    if not texts or not all(isinstance(text, str) for text in texts):
        raise ValueError("a choice is a list of one or more texts")
    return "root ::= " + " | ".join(json.dumps(text, ensure_ascii=False) for text in texts)


def is_tensor(value: Any) -> bool:
    """Whether it is a tensor of torch."""
    return torch is not None and isinstance(value, torch.Tensor)


def new_masks(rows: int, words: int, pinned: bool = False) -> Any:
    """Masks that allow every token: int32 of the shape `(rows, words)`, a tensor on the CPU, or an array without torch.

    `pinned`: in memory that a device copies from while the program goes on.
    """
    if torch is not None:
        return torch.full((rows, words), -1, dtype=torch.int32, pin_memory=pinned)
    return numpy.full((rows, words), -1, dtype=numpy.int32)


def words_of(masks: Any) -> Any:
    """What `fill` writes to: the memory of a tensor on the CPU as an array, other buffers as they are. Nothing is copied.

    Raises `BufferError` for tensors on another device.
    """
    if not is_tensor(masks):
        return masks
    if masks.device.type != "cpu":
        raise BufferError(f"masks are written on the CPU; the tensor is on {masks.device}")
    return masks.detach().numpy()


class Words:
    """`words_of`, for a caller that mostly gives the same tensor: its array is kept, since to make one takes longer than a mask. Threads can use it at the same time.

    The tensor is held until another is given. One whose memory or shape was changed meanwhile is looked at again.
    """

    def __init__(self) -> None:
        self._last: Any = (None, None, None, None)

    def of(self, masks: Any) -> Any:
        tensor, start, shape, words = self._last
        if tensor is None or tensor is not masks or masks.data_ptr() != start or masks.shape != shape:
            words = words_of(masks)
            if is_tensor(masks):
                self._last = (masks, masks.data_ptr(), masks.shape, words)
        return words


def apply_masks(logits: Any, masks: Any, size: Optional[int] = None, rows: Optional[Sequence[int]] = None) -> None:
    """Sets logits of tokens that are not allowed to minus infinity, in place.

    `logits`: floats of the shape `(rows, size)` or `(size,)`. `masks`: int32 words, on the same device. `size`: how many logits of a row have bits; all that there are bits for if
    None. `rows`: the rows that are masked; all if None. Tensors on any device, or arrays of numpy.
    """
    if logits.ndim == 1:
        logits, masks = logits.reshape(1, -1), masks.reshape(1, -1)
    size = min(logits.shape[-1], 32 * masks.shape[-1]) if size is None else size
    if is_tensor(logits):
        shifts = torch.arange(32, dtype=torch.int32, device=masks.device)
        for row in [slice(None)] if rows is None else rows:
            bits = (masks[row].unsqueeze(-1) >> shifts) & 1
            bits = bits.reshape(*bits.shape[:-2], -1)[..., :size]
            logits[row][..., :size].masked_fill_(bits == 0, float("-inf"))
        return
    masks = numpy.ascontiguousarray(masks, dtype="<i4").view(numpy.uint8)
    for row in [slice(None)] if rows is None else rows:
        bits = numpy.unpackbits(masks[row], axis=-1, count=size, bitorder="little")
        logits[row][..., :size][bits == 0] = -numpy.inf
