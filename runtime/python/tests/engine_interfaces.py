"""The interfaces of vLLM and SGLang that the adapters implement: copies for tests, and the real files where they are.

The copies were written from the documentation of the versions that engines/versions.json says: names, arguments and what each method is to do. They hold no code of the engines. With
`MASKWRIGHT_ENGINES=FOLDER`, where the folder has the packages `vllm` and `sglang` (their wheels, unpacked), the real files are read in their place; what these import
besides, and need not have, is stood in for.
"""

import enum
import importlib
import importlib.util
import os
import sys
import types
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path

FOLDER = os.environ.get("MASKWRIGHT_ENGINES")


class StandIn(types.ModuleType):
    """A module that has whatever is imported from it, as empty classes."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {})
        setattr(self, name, made)
        return made


def stand_in(patch, name, **members):
    """Puts a module, and the packages that it is in, where imports find it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        path = ".".join(parts[:end])
        if path not in sys.modules:
            patch.setitem(sys.modules, path, StandIn(path))
        if end > 1:
            patch.setattr(sys.modules[".".join(parts[: end - 1])], parts[end - 1], sys.modules[path], raising=False)
    for member, value in members.items():
        patch.setattr(sys.modules[name], member, value, raising=False)
    return sys.modules[name]


def real(patch, name):
    """The real file of a module of an engine."""
    file = Path(FOLDER, *name.split("."))
    file = file.with_suffix(".py") if not file.is_dir() else file / "__init__.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    module.__path__ = [str(file.parent)] if file.name == "__init__.py" else []
    stand_in(patch, name)
    patch.setitem(sys.modules, name, module)
    parent, _, last = name.rpartition(".")
    patch.setattr(sys.modules[parent], last, module, raising=False)
    spec.loader.exec_module(module)
    return module


def adapter(patch, name):
    """Maskwright's adapter, imported for these modules."""
    sys.modules.pop(f"maskwright.{name}", None)
    module = importlib.import_module(f"maskwright.{name}")
    del sys.modules[f"maskwright.{name}"]
    return module


def without(patch, engine):
    """Hides the engine, if it is installed."""
    for name in list(sys.modules):
        if name.split(".")[0] == engine:
            patch.delitem(sys.modules, name)


# vLLM: `vllm.v1.structured_output`


class StructuredOutputOptions(enum.Enum):
    JSON = 1
    JSON_OBJECT = 2
    REGEX = 3
    GRAMMAR = 4
    CHOICE = 5
    STRUCTURAL_TAG = 6


class StructuredOutputGrammar(ABC):
    @abstractmethod
    def accept_tokens(self, request_id, tokens): ...

    @abstractmethod
    def validate_tokens(self, tokens): ...

    @abstractmethod
    def rollback(self, num_tokens): ...

    @abstractmethod
    def fill_bitmask(self, bitmask, batch_index): ...

    @abstractmethod
    def is_terminated(self): ...

    @abstractmethod
    def reset(self): ...


@dataclass
class StructuredOutputBackend(ABC):
    vllm_config: object
    tokenizer: object
    vocab_size: int

    @abstractmethod
    def compile_grammar(self, request_type, grammar_spec, stop_token_ids=None): ...

    @abstractmethod
    def allocate_token_bitmask(self, max_num_seqs): ...

    @abstractmethod
    def destroy(self): ...


class StructuredOutputManager:
    """The engine's side: in which order a step asks for masks and takes drafts."""

    def __init__(self, backend, rows):
        self.backend = backend
        self._grammar_bitmask = backend.allocate_token_bitmask(rows)

    def _row(self, grammar, row, is_constrained):
        if is_constrained and not grammar.is_terminated():
            grammar.fill_bitmask(self._grammar_bitmask, row)
        else:
            self._grammar_bitmask[row] = -1

    def grammar_bitmask(self, requests, structured_output_request_ids, scheduled_spec_decode_tokens):
        """A row for each token of a draft and one behind it, request by request; -1 in a draft ends what is constrained."""
        row = 0
        for name in structured_output_request_ids:
            grammar, taken, is_padding = requests[name].structured_output_request.grammar, 0, False
            for token in [*scheduled_spec_decode_tokens.get(name, []), None]:
                self._row(grammar, row, not is_padding)
                row += 1
                is_padding |= token == -1
                if token is not None and not is_padding:
                    assert not grammar.is_terminated() and grammar.accept_tokens(name, [token])
                    taken += 1
            grammar.rollback(taken)
        return getattr(self._grammar_bitmask, "numpy", lambda: self._grammar_bitmask)()[:row]

    def validate_tokens(self, request, spec_tokens):
        tokens = spec_tokens[: spec_tokens.index(-1)] if -1 in spec_tokens else spec_tokens
        return request.structured_output_request.grammar.validate_tokens(tokens)

    def accept_tokens(self, request, new_token_ids):
        return request.structured_output_request.grammar.accept_tokens("request", new_token_ids)


class VLLMValidationError(ValueError):
    pass


def vllm(patch, kind):
    """The adapter for vLLM, and the class of its manager."""
    package = "vllm.v1.structured_output"
    without(patch, "vllm")
    stand_in(patch, "vllm.exceptions", VLLMValidationError=VLLMValidationError)
    stand_in(patch, f"{package}.request", get_structured_output_key=lambda params: params)
    stand_in(patch, f"{package}.backend_xgrammar")
    stand_in(patch, f"{package}.backend_guidance")
    if kind == "copy":
        members = {name: globals()[name] for name in ("StructuredOutputOptions", "StructuredOutputGrammar", "StructuredOutputBackend")}
        stand_in(patch, f"{package}.backend_types", **members)
        return adapter(patch, "vllm"), StructuredOutputManager
    stand_in(patch, "vllm.logger", init_logger=__import__("logging").getLogger)
    stand_in(patch, "vllm.utils.import_utils", LazyLoader=lambda local, into, name: importlib.import_module(name))
    padding = {"strip_speculative_padding": lambda tokens: tokens[: tokens.index(-1)] if -1 in tokens else tokens}
    stand_in(patch, f"{package}.utils", **padding)
    for name in ("config", "parser.engine.adapters", "reasoning", "tokenizers"):
        stand_in(patch, f"vllm.{name}")
    real(patch, f"{package}.backend_types")
    return adapter(patch, "vllm"), real(patch, package).StructuredOutputManager


# SGLang: `sglang.srt.constrained.base_grammar_backend`

GrammarRow = namedtuple("GrammarRow", "row grammar")


@dataclass
class GrammarStats:
    compilation_time: float = None
    is_cache_hit: bool = False
    tree_traversal_time: list = None
    dispatch_type: str = None


class BaseGrammarObject:
    def __init__(self):
        self.finished = False
        self.grammar_stats = None
        self.current_token = None

    def maybe_init_reasoning(self, reasoning):
        pass


class InvalidGrammarObject(BaseGrammarObject):
    def __init__(self, error_message="Unknown grammar error"):
        super().__init__()
        self.error_message = error_message


class BaseGrammarBackend:
    is_support_token_filter = False

    def __init__(self):
        self.cache = {}

    def _init_value_dispatch(self, key, require_reasoning):
        kind, text = key
        return getattr(self, "dispatch_ebnf" if kind == "full_assistant_ebnf" else f"dispatch_{kind}")(text)


class ReasonerGrammarObject(BaseGrammarObject):
    """A grammar that waits for one token, the end of the reasoning."""

    def __init__(self, grammar, end, masks):
        super().__init__()
        self.grammar, self.end, self.masks = grammar, end, masks
        self.after = -1

    def maybe_init_reasoning(self, reasoning):
        self.after = -1 if reasoning else 0

    def accept_token(self, token):
        if self.after >= 0:
            self.grammar.accept_token(token)
            self.after += 1
        elif token == self.end:
            self.after = 0

    def rollback(self, k):
        behind = min(k, max(self.after, 0))
        self.grammar.rollback(behind)
        self.after = self.after - k if self.after - k >= 0 else -1

    def is_terminated(self):
        return self.after >= 0 and self.grammar.is_terminated()

    def allocate_vocab_mask(self, vocab_size, batch_size, device):
        return self.masks[0](vocab_size, batch_size, device)

    def fill_vocab_mask(self, masks, row):
        if self.after >= 0:
            self.grammar.fill_vocab_mask(masks, row)

    def copy(self):
        other = ReasonerGrammarObject(self.grammar.copy(), self.end, self.masks)
        other.after = self.after
        return other


class ReasonerGrammarBackend(BaseGrammarBackend):
    """The gate: what it takes of the backend that it stands before."""

    def __init__(self, grammar_backend, reasoning_parser, tokenizer, enable_strict_thinking=False):
        super().__init__()
        self.grammar_backend, self.is_strict = grammar_backend, enable_strict_thinking
        (self.end,) = reasoning_parser.detector.get_think_end_token_ids(tokenizer)
        if enable_strict_thinking and not grammar_backend.is_support_token_filter:
            raise ValueError("the grammar backend does not support token filtering")

    def _init_value_dispatch(self, key, require_reasoning):
        grammar = self.grammar_backend._init_value_dispatch(key, require_reasoning)
        if isinstance(grammar, InvalidGrammarObject):
            return grammar
        of = self.grammar_backend
        gate = ReasonerGrammarObject(grammar, self.end, (of.allocate_vocab_mask, of.move_vocab_mask, of.apply_vocab_mask))
        gate.maybe_init_reasoning(require_reasoning)
        return gate


def sglang(patch, kind):
    """The adapter for SGLang, and the module of the interface."""
    name = "sglang.srt.constrained.base_grammar_backend"
    without(patch, "sglang")
    choices = ["xgrammar"]
    stand_in(patch, "sglang.srt.utils.common", is_pin_memory_available=lambda: False)
    stand_in(patch, "sglang.srt.server_args", GRAMMAR_BACKEND_CHOICES=choices, add_grammar_backend_choices=choices.extend)
    if kind == "copy":
        registry = {}
        members = {name: globals()[name] for name in ("GrammarRow", "GrammarStats", "BaseGrammarObject", "InvalidGrammarObject", "BaseGrammarBackend")}
        module = stand_in(patch, name, GRAMMAR_BACKEND_REGISTRY=registry, register_grammar_backend=registry.__setitem__, **members)
        stand_in(patch, "sglang.srt.constrained.reasoner_grammar_backend", ReasonerGrammarBackend=ReasonerGrammarBackend)
    else:
        stand_in(patch, "sglang.srt.parser.reasoning_parser")
        stand_in(patch, "sglang.srt.runtime_context")
        module = real(patch, name)
        stand_in(patch, "sglang.srt.parser.response_template")
        real(patch, "sglang.srt.environ")
        real(patch, "sglang.srt.utils.token_sequence_matcher")
        real(patch, "sglang.srt.constrained.reasoner_grammar_backend")
    return adapter(patch, "sglang"), module
