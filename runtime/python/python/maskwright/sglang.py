"""Maskwright as a grammar backend of SGLang, by its registry.

In: the keys of requests (JSON Schema, EBNF, regular expression, structural tag). Out: grammar objects that follow one request each, and write its row of the batch's mask. What
holds: a grammar that cannot be compiled becomes SGLang's `InvalidGrammarObject` with the message, so that only its request fails.

    python -m sglang.launch_server --model-path … --grammar-backend maskwright

SGLang finds it as a plug-in where both are installed. The plug-in adds a name to its list of backends, and lets the front end ask it for grammars of whole turns, as it asks its own. runtime/python/engines/versions.json says for
which version it was written and tested.
"""

import copy
import dataclasses
import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Optional

import numpy
from sglang.srt.constrained.base_grammar_backend import (
    BaseGrammarBackend,
    BaseGrammarObject,
    GrammarStats,
    InvalidGrammarObject,
    register_grammar_backend,
)
from sglang.srt.utils.common import is_pin_memory_available

from . import _masks, _serving
from ._native import Compiler, Grammar, Vocabulary, fill_batch

__all__ = ["NAME", "MaskwrightGrammar", "MaskwrightGrammarBackend", "new_backend", "register"]

NAME = "maskwright"


def new_vocab_mask(vocab_size: int, batch_size: int) -> Any:
    """Masks that allow every token, on the CPU; in pinned memory where SGLang has its own there, so that the copy to the device is not waited for."""
    return _masks.new_masks(batch_size, -(-vocab_size // 32), pinned=is_pin_memory_available())


class MaskwrightGrammar(BaseGrammarObject):
    """One request: where its text stands. `copy()` is one for another request of the same grammar, at the beginning."""

    def __init__(self, grammar: Grammar, key: str, depth: int, stats: Optional[Any] = None, asked: Optional[dict[str, Any]] = None) -> None:
        super().__init__()
        self.grammar, self.key, self.depth = grammar, key, depth
        # What it was compiled from, as arguments of `Compiler.check`.
        self.asked = asked
        self.grammar_stats = stats
        self._steps = _serving.Steps.of(grammar, depth)

    def accept_token(self, token: int) -> None:
        """Takes a token. Raises `ValueError`, as SGLang expects, if it may not come next. Behind the end of the text nothing happens."""
        if self.is_terminated():
            return
        self.current_token = token
        if not self._steps.take(int(token)):
            raise ValueError(f"token {token} is not allowed after {len(self._steps.taken)} tokens of a text of {self.key!r}")

    def rollback(self, k: int) -> None:
        self._steps.take_back(k)

    def is_terminated(self) -> bool:
        return self._steps.matcher.is_finished()

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> Any:
        """Masks that allow every token, on the CPU, where they are written; `move_vocab_mask` brings them to the device."""
        return new_vocab_mask(vocab_size, batch_size)

    def fill_vocab_mask(self, vocab_mask: Any, idx: int) -> None:
        self._steps.matcher.fill(_masks.words_of(vocab_mask), idx)

    @staticmethod
    def fill_vocab_mask_batched(entries: list[Any], vocab_mask: Any) -> None:
        """All rows of Maskwright's grammars in one call, without the interpreter's lock; others, such as those that wait for the end of the reasoning, by themselves."""
        own = [entry for entry in entries if isinstance(entry.grammar, MaskwrightGrammar)]
        matchers = [entry.grammar._steps.matcher for entry in own]
        fill_batch(matchers, _masks.words_of(vocab_mask), [entry.row for entry in own])
        for entry in entries:
            if not isinstance(entry.grammar, MaskwrightGrammar):
                entry.grammar.fill_vocab_mask(vocab_mask, entry.row)

    @staticmethod
    def reset_vocab_mask(vocab_mask: Any) -> None:
        vocab_mask[:] = -1

    @staticmethod
    def move_vocab_mask(vocab_mask: Any, device: Any) -> Any:
        return vocab_mask.to(device, non_blocking=True)

    @staticmethod
    def apply_vocab_mask(logits: Any, vocab_mask: Any) -> None:
        if logits.device.type == "cuda":
            # SGLang's own kernel.
            from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton

            apply_token_bitmask_inplace_triton(logits, vocab_mask)
        else:
            _masks.apply_masks(logits, vocab_mask)

    def copy(self) -> "MaskwrightGrammar":
        stats = self.grammar_stats
        if stats is not None:
            # SGLang copies what it has kept.
            stats = dataclasses.replace(stats, is_cache_hit=True, tree_traversal_time=[])
        return MaskwrightGrammar(self.grammar, self.key, self.depth, stats, self.asked)

    def try_jump_forward(self, tokenizer: Any) -> Optional[tuple[list[int], str]]:
        """The text that must come next, for the engine to tokenize; None if there is none."""
        forced = self._steps.matcher.forced_bytes().decode("utf-8", "ignore")
        return ([], forced) if forced else None

    def jump_forward_str_state(self, helper: tuple[list[int], str]) -> tuple[str, int]:
        return helper[1], -1

    def jump_and_retokenize(self, old_output_ids: list[int], new_output_ids: list[int], next_state: int) -> None:
        """Goes over from the tokens of a text to other tokens, of a longer text that begins with it."""
        pairs = zip(old_output_ids, new_output_ids)
        same = next((at for at, (old, new) in enumerate(pairs) if old != new), min(len(old_output_ids), len(new_output_ids)))
        self.rollback(len(old_output_ids) - same)
        for token in new_output_ids[same:]:
            self.accept_token(token)

    def __repr__(self) -> str:
        return f"MaskwrightGrammar({self.key!r}, {len(self._steps.taken)} tokens)"


class MaskwrightGrammarBackend(BaseGrammarBackend):
    """Compiles for one tokenizer. SGLang calls it from its own threads, keeps what it returns, and copies it for each request.

    `tokenizer`: a fast tokenizer of transformers, or a `maskwright.Vocabulary`. `vocab_size`: the length of a row of logits. `eos_token_ids`: those of the model; the tokenizer's if None.
    `is_alike`: whether other ranks compile what requests ask for as well, and have to take or refuse the same. `depth`: how deep texts may nest, as of `Matcher`. `whitespace`, and `schema_options`, are options of `Compiler.schema`. Both are what the environment says if they are None: `MASKWRIGHT_DEPTH`, 64 without it, and `MASKWRIGHT_WHITESPACE`,
    `unbounded` without it.
    """

    def __init__(
        self,
        tokenizer: Any,
        vocab_size: int,
        eos_token_ids: Any = None,
        depth: Optional[int] = None,
        whitespace: Optional[str] = None,
        is_alike: bool = False,
        **schema_options: Any,
    ) -> None:
        super().__init__()
        self.depth = depth or _serving.depth()
        # Clients see the text, which is to begin with the value.
        self.schema_options = {"whitespace": whitespace or _serving.whitespace(), "outer_blanks": False, **schema_options}
        eos = [eos_token_ids] if isinstance(eos_token_ids, int) else eos_token_ids
        vocabulary = _serving.vocabulary_of(tokenizer, vocab_size)
        self._options: dict[str, Any] = {"threads": 1, "warn": False, **_serving.limits(is_alike)}
        self.compiler = Compiler(vocabulary.with_eos(list(eos)) if eos else vocabulary, **self._options)
        # Compiles the frames of answers.
        self._framing = self.compiler
        self._slots = threading.BoundedSemaphore(_serving.threads())

    # SGLang's gate for reasoning takes these from the backend, for requests whose grammar waits.

    @staticmethod
    def allocate_vocab_mask(vocab_size: int, batch_size: int, device: Any) -> Any:
        return new_vocab_mask(vocab_size, batch_size)

    move_vocab_mask = staticmethod(MaskwrightGrammar.move_vocab_mask)
    apply_vocab_mask = staticmethod(MaskwrightGrammar.apply_vocab_mask)

    @property
    def is_support_token_filter(self) -> bool:
        """What the gate asks where thoughts are strict: it then says which tokens a thought has not, or has alone."""
        return True

    @staticmethod
    def set_token_filter(vocab_mask: Any, token_ids: Sequence[int], batch_idx: int, is_allowed: bool = True, reset_vocab_mask: bool = True) -> None:
        """Allows or refuses tokens in a row of masks; `reset_vocab_mask` refuses or allows all others."""
        words = numpy.asarray(_masks.words_of(vocab_mask)).view(numpy.uint32)[batch_idx]
        if reset_vocab_mask:
            words[:] = 0 if is_allowed else 0xFFFFFFFF
        for token in token_ids:
            bit = numpy.uint32(1 << token % 32)
            words[token // 32] = words[token // 32] | bit if is_allowed else words[token // 32] & ~bit

    def reserve_framing_tokens(self, token_ids: Sequence[int]) -> None:
        """Lets these tokens be no text where answers are framed."""
        self._framing = Compiler(reserved(self.compiler.vocabulary, set(token_ids)), **self._options)

    def compile_framed_grammar(self, grammar: Any, frame: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
        """A grammar as the content of a frame, a structural tag which `frame` writes around it."""
        try:
            content = {"type": "grammar", "grammar": self.compiler.to_ebnf(**grammar.asked)}
        except ValueError as error:
            return InvalidGrammarObject(str(error))
        return self._compiled("structural_tag", json.dumps(frame(content)), self._framing, {})

    def dispatch_json(self, key_string: str) -> Any:
        schema = "true" if key_string == "$$ANY$$" else key_string
        return self._compiled("json", key_string, self.compiler, {"schema": schema, **self.schema_options})

    def dispatch_regex(self, key_string: str) -> Any:
        return self._compiled("regex", key_string, self.compiler, {"regex": key_string})

    def dispatch_ebnf(self, key_string: str) -> Any:
        return self._compiled("ebnf", key_string, self.compiler, _serving.grammar(key_string))

    def dispatch_structural_tag(self, key_string: str) -> Any:
        return self._compiled("structural_tag", key_string, self.compiler, {})

    def _compiled(self, kind: str, key: str, compiler: Compiler, asked: dict[str, Any]) -> Any:
        """The object for a request, or the one for a grammar that is refused. `asked` is a structural tag, the key, if it is empty."""
        start = time.perf_counter()
        (name, text), *options = (asked or {"structural_tag": key}).items()
        try:
            with self._slots:
                compiled = getattr(compiler, name)(text, **dict(options))
            grammar = MaskwrightGrammar(compiled, key, self.depth, asked={name: text, **dict(options)})
        except ValueError as error:  # `GrammarError`, and a depth that is too small
            return InvalidGrammarObject(str(error))
        grammar.grammar_stats = GrammarStats(compilation_time=time.perf_counter() - start, dispatch_type=kind)
        return grammar


def reserved(vocabulary: Vocabulary, ids: set[int]) -> Vocabulary:
    """The vocabulary in which these tokens are no text."""
    ids = ids - set(vocabulary.eos)
    names = {id: vocabulary.token_name(id) or vocabulary.bytes(id).decode("utf-8", "replace") for id in ids if id < vocabulary.size}
    tokens = [b"" if id in names else token for id, token in enumerate(vocabulary.tokens())]
    added = {id: name for id, name in vocabulary.added_tokens.items() if id not in names}
    return Vocabulary.from_tokens(tokens, vocabulary.eos, {**vocabulary.special_tokens, **names}, added)


def new_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Optional[set[int]] = None) -> Any:
    """The backend as SGLang's flags ask for it: what the registry calls.

    SGLang puts its gate for reasoning around its own backends only, so that it is put around this one here.
    """
    if getattr(server_args, "constrained_json_whitespace_pattern", None):
        raise ValueError("`--constrained-json-whitespace-pattern` is for other backends: Maskwright has `--constrained-json-disable-any-whitespace`")
    whitespace = _serving.whitespace(getattr(server_args, "constrained_json_disable_any_whitespace", False))
    most = getattr(server_args, "constrained_json_max_whitespace_cnt", None)
    if most is not None and whitespace != "compact":
        whitespace = f"flexible:{most}"
    is_alike = any((getattr(server_args, name, 1) or 1) > 1 for name in ("tp_size", "pp_size"))
    backend = MaskwrightGrammarBackend(tokenizer, vocab_size, eos_token_ids, whitespace=whitespace, is_alike=is_alike)
    reasoning = getattr(server_args, "reasoning_parser", None)
    if not reasoning:
        return backend
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    parser = ReasoningParser(model_type=reasoning, stream_reasoning=False, tokenizer=tokenizer)
    if not parser.detector.get_think_end_token_ids(tokenizer):
        return backend  # The format has no end of the reasoning that is a token; SGLang has no gate then either.
    is_strict = getattr(server_args, "enable_strict_thinking", False)
    return ReasonerGrammarBackend(backend, parser, tokenizer, enable_strict_thinking=is_strict)


def register() -> None:
    """Makes `--grammar-backend maskwright` known to SGLang in this process: its plug-in, which SGLang calls in each of its processes."""
    from sglang.srt import server_args

    register_grammar_backend(NAME, new_backend)
    if NAME not in server_args.GRAMMAR_BACKEND_CHOICES:
        server_args.add_grammar_backend_choices([NAME])

    if "sglang.srt.entrypoints.engine" in sys.modules:  # a process that is no front end has nothing to ask
        take_turn_grammars()


# Where the front end decides whether the grammar of a template is asked for in each turn.
TURN_GRAMMAR = "sglang.srt.entrypoints.openai.serving_chat.OpenAIServingChat._template_turn_grammar"


@lru_cache(maxsize=1)
def take_turn_grammars() -> None:
    """Has SGLang ask this backend for grammars of whole turns, by a hook for plug-ins."""
    from sglang.srt.plugins.hook_registry import HookRegistry, HookType

    HookRegistry.register(TURN_GRAMMAR, template_turn_grammar, HookType.AROUND)


def template_turn_grammar(own: Callable[[Any], bool], serving: Any) -> bool:
    """What SGLang decides for its backend `xgrammar`, for this one: it asks no other for grammars of whole turns. `own` is its method, `serving` what serves chats."""
    manager = serving.tokenizer_manager
    if manager.config_value("grammar_backend") != NAME:
        return own(serving)
    seen = copy.copy(serving)
    seen.tokenizer_manager = _NamedXGrammar(manager)
    return own(seen)


class _NamedXGrammar:
    """A manager of tokenizers whose backend has the name that SGLang looks for."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __getattr__(self, name: str) -> Any:
        return getattr(self._manager, name)

    def config_value(self, name: str) -> Any:
        return "xgrammar" if name == "grammar_backend" else self._manager.config_value(name)
