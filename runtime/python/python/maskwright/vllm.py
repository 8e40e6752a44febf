"""Maskwright as a structured-output backend of vLLM.

In: the structured outputs of requests. Out: a grammar for each, which follows the request's tokens and drafts and writes its rows of the bitmask. What holds: what is refused raises
`GrammarError` with its place, and fails its request only; reasoning is the engine's matter, which asks for no mask and gives no token before its end.

vLLM has no registry: a new backend takes the place of one of its own. `install()` puts Maskwright in the place of XGrammar, in this process. As a plug-in it does so in
all processes of vLLM if the environment variable `MASKWRIGHT_VLLM` is set, to the name of the backend whose place it takes:

    MASKWRIGHT_VLLM=xgrammar vllm serve … --structured-outputs-config.backend xgrammar

runtime/python/engines/versions.json says for which versions it was written and tested.
"""

import asyncio
import functools
import hashlib
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

from vllm.v1.structured_output.backend_types import (
    StructuredOutputBackend,
    StructuredOutputGrammar,
    StructuredOutputOptions,
)

from . import _masks, _serving
from ._native import Handle, Vocabulary

__all__ = ["MaskwrightBackend", "MaskwrightGrammar", "install", "validate"]

logger = logging.getLogger(__name__)

# Whose place can be taken: the class in `vllm.v1.structured_output`, and the module and the name of the function that looks at requests beforehand.
PLACES = {
    "xgrammar": ("XgrammarBackend", "backend_xgrammar", "validate_xgrammar_grammar"),
    "guidance": ("GuidanceBackend", "backend_guidance", "validate_guidance_grammar"),
}


class MaskwrightGrammar(StructuredOutputGrammar):
    """One request: where its text stands."""

    def __init__(self, handle: Handle, words: Optional[_masks.Words] = None) -> None:
        self.handle = handle
        self._words = words or _masks.Words()
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
        self.registries = _serving.Registries(vocabulary.with_eos(ends(self.vllm_config, vocabulary)), is_alike(self.vllm_config))
        self._words = _masks.Words()

    @staticmethod
    def is_tokenizer_supported(tokenizer: Any) -> bool:
        """Whether a tokenizer's vocabulary can be read: what vLLM asks guidance's backend beforehand."""
        return _serving.is_supported(tokenizer)

    def compile_grammar(self, request_type: Any, grammar_spec: str, stop_token_ids: Optional[set[int]] = None) -> MaskwrightGrammar:
        """Compiles what a request asks for, unless it was compiled before. `stop_token_ids` end its texts, and no others; they are the tokenizer's if there are none.

        Raises `GrammarError`, `ValueError` for a request that is none of vLLM's kinds.
        """
        # What is refused is refused now, and not within a text.
        handle = self.registries.compiled(stop_token_ids, **asked(request_type, grammar_spec, self.schema_options))
        return MaskwrightGrammar(handle, self._words)

    def allocate_token_bitmask(self, max_num_seqs: int) -> Any:
        """Rows that allow every token: an int32 tensor of the shape `(max_num_seqs, vocab_size / 32, rounded up)`."""
        return _masks.new_masks(max_num_seqs, -(-self.vocab_size // 32))

    def destroy(self) -> None:
        del self.registries


def is_alike(config: Any) -> bool:
    """Whether each rank has a scheduler, which compiles what all ranks have to take or refuse."""
    parallel = getattr(config, "parallel_config", None)
    return getattr(parallel, "distributed_executor_backend", None) == "external_launcher"


def ends(config: Any, vocabulary: Vocabulary) -> list[int]:
    """The tokens that end the texts of requests without stop tokens of their own: the tokenizer's, and those of the model's configuration."""
    read: Optional[Callable[[], dict[str, Any]]] = getattr(getattr(config, "model_config", None), "try_get_generation_config", None)
    ids = read().get("eos_token_id") if read is not None else None
    added = [ids] if isinstance(ids, int) else ids or []
    return sorted({*vocabulary.eos, *(id for id in added if id < vocabulary.size)})


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
        return _serving.grammar(text)
    if request_type == kinds.CHOICE:
        return {"ebnf": _serving.choice(json.loads(text))}
    if request_type == kinds.STRUCTURAL_TAG:
        return {"structural_tag": text}
    raise ValueError(f"Maskwright does not compile {request_type}")


def validate(sampling_params: Any, tokenizer: Any = None) -> None:
    """What vLLM's front end calls with a request, so that a grammar with an error is answered before it reaches the engine. It is read and not compiled, which takes a fraction of a millisecond.

    Tokens that a structural tag names are looked up in the engine: its vocabulary is not known here. What takes long to read is left to the engine too, where the front end waits in an event loop.
    """
    from vllm.exceptions import VLLMValidationError

    if sampling_params.structured_outputs is None:
        return
    error = verdict(sampling_params.structured_outputs)
    if error is not None:
        raise VLLMValidationError(error)


# What was said of the last requests.
_VERDICTS: "_serving.Recent[Optional[str]]" = _serving.Recent(256)
# Seconds for reading a request, and those in which an event loop may stand still.
READING, READING_IN_A_LOOP = 5.0, 0.02
# Characters of an error that is shown and kept.
MOST_SHOWN = 1 << 14


def verdict(structured_outputs: Any) -> Optional[str]:
    """What is wrong with a request, if anything is."""
    from vllm.v1.structured_output.request import get_structured_output_key

    kind, text = get_structured_output_key(structured_outputs)

    def read() -> Optional[str]:
        seconds = READING_IN_A_LOOP if in_a_loop() else READING
        try:
            error: Optional[ValueError] = _serving.problem(lambda compiler: compiler.check(**asked(kind, text, {})), seconds)
        except ValueError as refused:
            error = refused
        return None if error is None else str(error)[:MOST_SHOWN]

    return _VERDICTS.get((kind, hashlib.blake2b(text.encode("utf-8", "surrogatepass")).digest()), read)


def in_a_loop() -> bool:
    """Whether this is called in an event loop, which stands still meanwhile."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def off_the_loop(engine: Any) -> None:
    """Lets an asynchronous engine look at structured outputs on another thread, before it asks `validate` in its event loop, which then knows the answer.

    `engine`: the class, whose `add_request` takes the request's parameters as the third argument or as `params`.
    """
    add = engine.add_request
    if hasattr(add, "of_maskwright"):
        return

    @functools.wraps(add)
    async def add_request(self: Any, request_id: Any, prompt: Any, params: Any, *args: Any, **named: Any) -> Any:
        asked = getattr(params, "structured_outputs", None)
        if asked is not None:
            try:
                await asyncio.to_thread(verdict, asked)
            except ValueError:
                pass  # a request without any structured output: vLLM says so itself
        return await add(self, request_id, prompt, params, *args, **named)

    add_request.of_maskwright = True  # type: ignore[attr-defined]
    engine.add_request = add_request


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
    try:
        off_the_loop(import_module("vllm.v1.engine.async_llm").AsyncLLM)
    except (ImportError, AttributeError) as error:
        # Requests are then looked at in the event loop, for a bounded time.
        logger.warning("vLLM's asynchronous engine is not as it was: %s", error)
    _serving.compiler_of_bytes(READING)
