"""What the adapters of serving engines have in common.

In: a tokenizer, end tokens of a request, texts of grammars. Out: compilers and registries for each set of end tokens, and matchers that can take any number of tokens
back. What holds: no request opens a file, and what it costs is limited.

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

from ._native import Compiler, Grammar, GrammarError, Handle, Matcher, Registry, ServedMatcher, Vocabulary

__all__ = [
    "Compilers",
    "Registries",
    "Steps",
    "choice",
    "compiler_of_bytes",
    "depth",
    "grammar",
    "is_supported",
    "lexer",
    "limits",
    "problem",
    "threads",
    "vocabulary_of",
    "whitespace",
]

Step = Union[int, bytes]

# Sets of end tokens whose compilers are kept: engines have one, requests with stop tokens of their own add a few.
KEPT_COMPILERS = 8
# Tokens that a matcher takes back by itself; for more the text is followed again from its beginning.
HISTORY = 16
# Bytes of compiled grammars that are kept.
KEPT_BYTES = 256 << 20
# Seconds for one compile, and units of work where processes have to decide alike: a second has some ten million.
TIME, WORK = 10.0, 1 << 28
# Seconds that are never over.
NEVER = 1e9


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


def lexer() -> str:
    """Whose lexer cuts the texts of Lark grammars into terminals: an option of `Compiler.lark`."""
    return os.environ.get("MASKWRIGHT_LEXER") or "longest"


# Lines that begin a rule of EBNF, a rule of Lark, and a directive of Lark.
_EBNF_RULE = re.compile(r"^[ \t]*[\w.-]+\s*::=", re.MULTILINE)
_LARK_RULE = re.compile(r"^[ \t]*[?!]*[\w-]+(\.-?\d+)?([\[{][^\]}\n]*[\]}])?(::_)?[ \t]*:(?![:=])", re.MULTILINE)
_LARK_DIRECTIVE = re.compile(r"^[ \t]*%(llguidance|grammar_options|import|ignore|override|extend|declare)\b", re.MULTILINE)


def grammar(text: str) -> dict[str, Any]:
    """A grammar in EBNF or in Lark, as arguments of `Registry.get`: engines take both under one name.

    A text is in Lark if a line of it begins with a directive such as `%llguidance {}`, or if a line begins a rule with `:` and none with `::=`.
    """
    is_lark = _LARK_DIRECTIVE.search(text) or (_LARK_RULE.search(text) and not _EBNF_RULE.search(text))
    return {"lark": text, "lexer": lexer()} if is_lark else {"ebnf": text}


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


@lru_cache(maxsize=4)
def compiler_of_bytes(seconds: float = 5.0) -> Compiler:
    """A compiler for single bytes and one end token: for what holds for every vocabulary."""
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    return Compiler(Vocabulary.from_tokens(tokens, 256), threads=1, time_limit=seconds, warn=False)


def problem(compile: Callable[[Compiler], Any], seconds: float = 5.0) -> Optional[GrammarError]:
    """What is wrong with a grammar for every vocabulary: the error of `compile`, which may only read it, if any, with a compiler for single bytes.

    That a token is not in the vocabulary is no such error, and neither is that it takes more than these seconds. Both are left to the compiler of the model's vocabulary, and with an unknown token whatever would be found after it.
    """
    try:
        compile(compiler_of_bytes(seconds))
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


def threads() -> int:
    """Threads that may compile at a time: a quarter of the processors unless the environment says otherwise."""
    return int(_number("MASKWRIGHT_THREADS", max(1, (os.cpu_count() or 1) // 4)))


def limits(is_alike: bool) -> dict[str, Any]:
    """Limits of one compile, as options of `Compiler`.

    `is_alike`: several processes compile what a request asks for, and all have to take or refuse it. A machine that is busy must not decide then, so that work is limited in place of time.
    """
    work = _number("MASKWRIGHT_WORK", WORK if is_alike else 0)
    time = NEVER if is_alike else _number("MASKWRIGHT_TIME", TIME)
    return {"time_limit": time, "limits": {"work": work} if work else None}


class Registries(_PerEnds[Registry]):
    """Registries for one vocabulary, one for each set of end tokens, with the depth, the bytes, the threads and the limits that the environment says; `is_alike` is that of `limits`. The vocabulary's own end tokens have half of the bytes."""

    def __init__(self, vocabulary: Vocabulary, is_alike: bool = False) -> None:
        self.depth = depth()
        self._slots = threading.BoundedSemaphore(threads())
        bytes, limited = _number("MASKWRIGHT_BYTES", KEPT_BYTES), limits(is_alike)

        def make(vocabulary: Vocabulary, is_own: bool) -> Registry:
            compiler = Compiler(vocabulary, 1, warn=False, **limited)
            share = bytes // 2 if is_own else bytes // (2 * KEPT_COMPILERS)
            # Callers compile, as many at a time as there are slots.
            return Registry(compiler, depth=self.depth, bytes=share, threads=0, time=limited["time_limit"])

        super().__init__(vocabulary, make)

    def compiled(self, eos: Optional[Iterable[int]], **asked: Any) -> Handle:
        """What a request with these end tokens is answered with, compiled. Raises `GrammarError` for what is refused."""
        handle = self.ending_with(eos).get(**asked)
        if not handle.is_ready():
            with self._slots:
                handle.wait()
        # Refusals are kept as well.
        handle.wait()
        return handle

    def metrics(self) -> dict[str, float]:
        """Those of all registries together; see `Registry.metrics`."""
        with self._lock:
            registries = list(self._kept.values())
        sums: dict[str, float] = {}
        for metrics in (registry.metrics() for registry in registries):
            for name, number in metrics.items():
                sums[name] = max(sums.get(name, 0), number) if name == "longest_compile" else sums.get(name, 0) + number
        return sums


class Recent(Generic[Made]):
    """What was made last, by key, so that it is not made again; the oldest goes first. Threads can use it at the same time."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._kept: OrderedDict[Any, Made] = OrderedDict()

    def get(self, key: Any, make: Callable[[], Made]) -> Made:
        """What was made for the key, or what `make` returns now. Threads that ask for the same at once may each make it."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._count:
                self._kept.popitem(last=False)
        return made


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
