"""What the adapters of serving engines have in common.

In: a tokenizer, end tokens of a request, texts of grammars, rows of words in tensors or arrays. Out: compilers for each set of end tokens, matchers that
can take any number of tokens back, and masks written to and applied from tensors. What holds: torch is imported only where a tensor is asked for and it is installed;
without it arrays of numpy stand in.
"""

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Optional, Union

import numpy

from ._native import Compiler, Grammar, GrammarError, Matcher, Vocabulary

try:
    import torch
except ImportError:
    torch = None

__all__ = ["Compilers", "Steps", "Words", "apply_masks", "choice", "compiler_of_bytes", "is_tensor", "new_masks", "problem", "vocabulary_of", "words_of"]

Step = Union[int, bytes]

# Sets of end tokens whose compilers are kept: engines have one, requests with stop tokens of their own add a few.
KEPT_COMPILERS = 8
# Tokens that a matcher takes back by itself; for more the text is followed again from its beginning.
HISTORY = 16


def vocabulary_of(tokenizer: Any, size: Optional[int] = None) -> Vocabulary:
    """The vocabulary of a tokenizer with as many ids as the model's row of logits, `size`: more than the tokenizer has, or fewer."""
    vocabulary = tokenizer if isinstance(tokenizer, Vocabulary) else _read(tokenizer)
    if size is None or size == vocabulary.size:
        return vocabulary
    if size > vocabulary.size:
        return vocabulary.with_size(size)
    eos = [id for id in vocabulary.eos if id < size]
    special = {id: name for id, name in vocabulary.special_tokens.items() if id < size}
    added = {id: name for id, name in vocabulary.added_tokens.items() if id < size}
    return Vocabulary.from_tokens(vocabulary.tokens()[:size], eos, special, added)


def _read(tokenizer: Any) -> Vocabulary:
    """The vocabulary of a tokenizer of Hugging Face; for one of mistral-common, and vLLM's class around it, that of the file that it was read from."""
    inner = tokenizer
    while inner is not None:
        if type(inner).__module__.split(".")[0] == "mistral_common" and hasattr(type(inner), "file_path"):
            return Vocabulary.from_file(inner.file_path)
        inner = getattr(inner, "instruct_tokenizer", None) or getattr(inner, "tokenizer", None)
    return Vocabulary.from_tokenizer(tokenizer)


@lru_cache(maxsize=1)
def compiler_of_bytes() -> Compiler:
    """A compiler for single bytes and one end token: for what holds for every vocabulary."""
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    return Compiler(Vocabulary.from_tokens(tokens, 256), threads=1, capped=True, time_limit=5.0)


def problem(compile: Callable[[Compiler], Any]) -> Optional[GrammarError]:
    """What is wrong with a grammar for every vocabulary: the error of `compile`, if any, with a compiler for single bytes.

    That a token is not in the vocabulary is no such error, and neither is a limit of time. Both are left to the compiler of the model's vocabulary, and with an unknown token whatever would be found after it.
    """
    try:
        compile(compiler_of_bytes())
    except GrammarError as error:
        codes = set(re.findall(r"^error\[([\w-]+)\]", str(error), re.MULTILINE)) or {error.code}
        is_time = error.code == "limit-exceeded" and "limit `time`" in error.message
        return None if is_time or codes == {"unknown-token"} else error
    return None


class Compilers:
    """Compilers for one vocabulary, one for each set of end tokens. Threads can use it at the same time.

    `options` are those of `Compiler`. A compiler is made at the first request with its end tokens, which takes a fraction of a second for 200,000 tokens; the last eight are kept.
    """

    def __init__(self, vocabulary: Vocabulary, **options: Any) -> None:
        self.vocabulary = vocabulary
        self._options = options
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, ...], Compiler] = OrderedDict()

    def ending_with(self, eos: Optional[Iterable[int]] = None) -> Compiler:
        """The compiler for the vocabulary where these ids, and no others, end a text; those of the vocabulary if there are none."""
        ids = tuple(sorted(set(eos or self.vocabulary.eos)))
        with self._lock:
            compiler = self._kept.get(ids)
            if compiler is None:
                is_own = ids == tuple(self.vocabulary.eos)
                vocabulary = self.vocabulary if is_own else self.vocabulary.with_eos(list(ids))
                compiler = Compiler(vocabulary, **self._options)
            self._kept[ids] = compiler
            self._kept.move_to_end(ids)
            if len(self._kept) > KEPT_COMPILERS:
                self._kept.popitem(last=False)
            return compiler


class Steps:
    """A matcher and the steps that it took, of which any number can be taken back.

    A step is a token, or bytes. The last sixteen are taken back at once. For more, the text is followed again, which takes less than a microsecond a token.
    """

    def __init__(self, grammar: Grammar, depth: int = 64) -> None:
        self.matcher = Matcher(grammar, depth, HISTORY)
        self.taken: list[Step] = []

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
        if count <= self.matcher.history_len:
            self.matcher.rollback(count)
        else:
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
