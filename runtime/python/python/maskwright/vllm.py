"""Maskwright as a structured-output backend of vLLM.

In: the structured outputs of requests. Out: a grammar for each, which follows the request's tokens and drafts and writes its rows of the bitmask. What holds: what is refused raises
`GrammarError` with its place, and fails its request only; reasoning is the engine's matter, which asks for no mask and gives no token before its end.

vLLM has no registry: a new backend takes the place of one of its own. `install()` puts Maskwright in the place of XGrammar, in this process. As a plug-in it does so in
all processes of vLLM if the environment variable `MASKWRIGHT_VLLM` is set, to the name of the backend whose place it takes:

    MASKWRIGHT_VLLM=xgrammar vllm serve … --structured-outputs-config.backend xgrammar

Written for vLLM 0.32 and 0.33.
"""

import json
import logging
from dataclasses import dataclass
from typing import Any, Optional

from vllm.v1.structured_output.backend_types import (
    StructuredOutputBackend,
    StructuredOutputGrammar,
    StructuredOutputOptions,
)

from . import _serving
from ._native import Handle

__all__ = ["MaskwrightBackend", "MaskwrightGrammar", "install", "validate"]

logger = logging.getLogger(__name__)

# Whose place can be taken: the class in `vllm.v1.structured_output`, and the module and the name of the function that looks at requests beforehand.
PLACES = {
    "xgrammar": ("XgrammarBackend", "backend_xgrammar", "validate_xgrammar_grammar"),
    "guidance": ("GuidanceBackend", "backend_guidance", "validate_guidance_grammar"),
}


class MaskwrightGrammar(StructuredOutputGrammar):
    """One request: where its text stands."""

    def __init__(self, handle: Handle, words: Optional[_serving.Words] = None) -> None:
        self.handle = handle
        self._words = words or _serving.Words()
        self._steps = _serving.Steps(handle.matcher())

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Takes tokens. False at the first that may not come next; those before it stay taken. Tokens behind the end of the text are passed over."""
        for token in tokens:
            if self.is_terminated():
                break
            if not self._steps.take(token):
                taken = len(self._steps.taken)
                logger.error("request %s: token %s is not allowed after %d tokens", request_id, token, taken)
                return False
        return True

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """The tokens of a draft up to the first that may not come. The text stays where it is."""
        return tokens[: self._steps.valid(tokens)]

    def rollback(self, num_tokens: int) -> None:
        self._steps.take_back(num_tokens)

    def fill_bitmask(self, bitmask: Any, batch_index: int) -> None:
        """Writes the mask into a row of the bitmask, an int32 tensor on the CPU, without a copy."""
        self._steps.matcher.fill(self._words.of(bitmask), batch_index)

    def is_terminated(self) -> bool:
        return self._steps.matcher.is_finished()

    def reset(self) -> None:
        self._steps.reset()


@dataclass
class MaskwrightBackend(StructuredOutputBackend):
    """Serves one tokenizer: a fast tokenizer of transformers, or a `maskwright.Vocabulary`. vLLM calls it from its own threads.

    What was compiled is kept for later requests, by registries; `registries.metrics()` says how they fare. Variables of the environment set their limits: see docs/engines-python.md.
    """

    def __post_init__(self) -> None:
        config = self.vllm_config.structured_outputs_config
        self.schema_options = {
            "whitespace": _serving.whitespace(config.disable_any_whitespace),
            "outer_blanks": False,  # clients see the text, which is to begin with the value
            "undeclared": not getattr(config, "disable_additional_properties", False),
        }
        vocabulary = _serving.vocabulary_of(self.tokenizer, self.vocab_size)
        self.registries = _serving.Registries(vocabulary)
        self._words = _serving.Words()

    @staticmethod
    def is_tokenizer_supported(tokenizer: Any) -> bool:
        """Whether a tokenizer's vocabulary can be read: what vLLM asks guidance's backend beforehand."""
        return _serving.is_supported(tokenizer)

    def compile_grammar(self, request_type: Any, grammar_spec: str, stop_token_ids: Optional[set[int]] = None) -> MaskwrightGrammar:
        """Compiles what a request asks for, unless it was compiled before. `stop_token_ids` end its texts, and no others; they are the tokenizer's if there are none.

        Raises `GrammarError`, `ValueError` for a request that is none of vLLM's kinds.
        """
        registry = self.registries.ending_with(stop_token_ids)
        handle = registry.get(**asked(request_type, grammar_spec, self.schema_options))
        # What is refused is refused now, and not within a text.
        handle.wait()
        return MaskwrightGrammar(handle, self._words)

    def allocate_token_bitmask(self, max_num_seqs: int) -> Any:
        """Rows that allow every token: an int32 tensor of the shape `(max_num_seqs, vocab_size / 32, rounded up)`."""
        return _serving.new_masks(max_num_seqs, -(-self.vocab_size // 32))

    def destroy(self) -> None:
        del self.registries


def asked(request_type: Any, text: str, schema_options: dict[str, Any]) -> dict[str, Any]:
    """What a request asks for, as arguments of `Registry.get`. Schemas in structural tags are always read as structural tags have them."""
    kinds = StructuredOutputOptions
    if request_type == kinds.JSON:
        return {"schema": text, **schema_options}
    if request_type == kinds.JSON_OBJECT:
        return {"schema": {"type": "object"}, **schema_options}
    if request_type == kinds.REGEX:
        return {"regex": text}
    if request_type == kinds.GRAMMAR:
        return {"ebnf": text}
    if request_type == kinds.CHOICE:
        return {"ebnf": _serving.choice(json.loads(text))}
    if request_type == kinds.STRUCTURAL_TAG:
        return {"structural_tag": text}
    raise ValueError(f"Maskwright does not compile {request_type}")


def validate(sampling_params: Any, tokenizer: Any = None) -> None:
    """What vLLM's front end calls with a request, so that a grammar with an error is answered before it reaches the engine. It is read and not compiled, which takes a fraction of a millisecond.

    Tokens that a structural tag names are looked up in the engine: its vocabulary is not known here.
    """
    from vllm.exceptions import VLLMValidationError
    from vllm.v1.structured_output.request import get_structured_output_key

    if sampling_params.structured_outputs is None:
        return
    kind, text = get_structured_output_key(sampling_params.structured_outputs)
    try:
        error: Optional[ValueError] = _serving.problem(lambda compiler: compiler.check(**asked(kind, text, {})))
    except ValueError as refused:
        error = refused
    if error is not None:
        raise VLLMValidationError(str(error)) from error


def install(place: str = "xgrammar") -> None:
    """Puts Maskwright in the place of one of vLLM's backends, `xgrammar` or `guidance`, in this process, before an engine starts."""
    if place not in PLACES:
        raise ValueError(f"Maskwright takes the place of {' or '.join(PLACES)}, not of {place!r}")
    from importlib import import_module

    backend, module, validator = PLACES[place]
    own = import_module(f"vllm.v1.structured_output.{module}")
    # Beam search takes the class from the backend's own module.
    for holder in (import_module("vllm.v1.structured_output"), own):
        setattr(holder, backend, MaskwrightBackend)
    setattr(own, validator, validate)
