"""One answer of a model of transformers, as a value.

In: a model, its tokenizer, a prompt, a type or a schema. Out: the value that the model writes. What holds: the text is of the grammar and whole, or there is an error; the compiler of a tokenizer and
its grammars are kept as long as the tokenizer.

transformers is not imported: a model is whatever has `generate()` as its models have, and a tokenizer whatever `Vocabulary.from_tokenizer` reads.
"""

import json
import threading
import warnings
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Optional, TypeVar, Union, overload
from weakref import WeakKeyDictionary

from . import _types
from ._native import Compiler, Grammar, GrammarWarning, Matcher, Vocabulary

__all__ = ["CutOffError", "generate"]

T = TypeVar("T")
Prompt = Union[str, Sequence[Mapping[str, Any]]]

# Grammars that are kept for each tokenizer.
KEPT_GRAMMARS = 64
# How the model writes, if nothing else is asked for: what people read, and no property that nobody has declared.
WRITTEN = {"whitespace": "spaced", "undeclared": False}


class CutOffError(RuntimeError):
    """The answer has come to `max_new_tokens` before its end. `text` is what there is of it."""

    def __init__(self, text: str, tokens: int) -> None:
        super().__init__(f"the answer was cut off after {tokens} tokens, at {text[-40:]!r}: raise `max_new_tokens`, or bound strings, numbers and lists in the schema")
        self.text = text
        self.tokens = tokens

    def __reduce__(self) -> Any:
        return type(self), (self.text, self.tokens)


@overload
def generate(
    model: Any,
    tokenizer: Any,
    prompt: Prompt,
    schema: type[T],
    *,
    max_new_tokens: int = ...,
    depth: int = ...,
    schema_options: Optional[Mapping[str, Any]] = ...,
    **options: Any,
) -> T: ...
@overload
def generate(
    model: Any,
    tokenizer: Any,
    prompt: Prompt,
    schema: Any,
    *,
    max_new_tokens: int = ...,
    depth: int = ...,
    schema_options: Optional[Mapping[str, Any]] = ...,
    **options: Any,
) -> Any: ...
def generate(
    model: Any,
    tokenizer: Any,
    prompt: Prompt,
    schema: Any,
    *,
    max_new_tokens: int = 512,
    depth: int = 64,
    schema_options: Optional[Mapping[str, Any]] = None,
    **options: Any,
) -> Any:
    """Has a model of transformers answer a prompt with a value.

        answer = maskwright.generate(model, tokenizer, "Who wrote Emma?", Person)

    `prompt`: a text, or the messages of a chat. Where the tokenizer has a chat template, a text is the message of a user. `schema`: a class of pydantic, a dataclass, a `TypedDict` or an
    annotation, of which a value is returned; a JSON Schema, as a `dict` or a text, for what `json.loads` makes of the answer; or a `Grammar` for the model's vocabulary, for the text itself.
    `depth` is that of `Matcher`, and `schema_options` are those of `Compiler.schema`; without them the text has one blank after commas and colons, and only declared properties. Other options are
    those of the model's `generate()`, for one sequence: sampling, beams, an assistant.

    The first call for a tokenizer prepares its vocabulary, and the first with a schema compiles it; both are kept as long as the tokenizer. The model does not see the schema: say in the prompt
    what is asked for. Raises `CutOffError` if the answer is not whole, `GrammarError` for a schema that is refused, `ValueError` for options that make several sequences.
    """
    from .transformers import GrammarLogitsProcessor

    if options.get("num_return_sequences", 1) != 1:
        raise ValueError("`generate` returns one value: call the model's own `generate()` with a `GrammarLogitsProcessor` for several sequences")
    inputs = _inputs(model, tokenizer, prompt)
    if isinstance(schema, Grammar):
        grammar = schema
    else:
        chosen = {**WRITTEN, **(schema_options or {})}
        grammar = _prepared(tokenizer, _size(model), _ends(model, options)).grammar(schema, chosen)
    padding = options.get("pad_token_id", getattr(tokenizer, "pad_token_id", None))
    processor = GrammarLogitsProcessor(grammar, depth, padding)
    processors = [*(options.pop("logits_processor", None) or ()), processor]
    output = model.generate(**inputs, max_new_tokens=max_new_tokens, logits_processor=processors, **options)
    sequences = getattr(output, "sequences", output)
    text = _whole(grammar, depth, [int(token) for token in sequences[0][processor.prompt_length :]])
    if isinstance(schema, Grammar):
        return text
    return _types.read(schema, text) if _types.is_type(schema) else json.loads(text)


def _inputs(model: Any, tokenizer: Any, prompt: Prompt) -> dict[str, Any]:
    """The arguments of the model's `generate()` that the prompt gives."""
    if getattr(tokenizer, "chat_template", None):
        messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else list(prompt)
        inputs = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    elif isinstance(prompt, str):
        inputs = tokenizer(prompt, return_tensors="pt")
    else:
        raise ValueError("the tokenizer has no chat template: give the prompt as one text")
    device = getattr(model, "device", None)
    moved = {name: values.to(device) if device is not None and hasattr(values, "to") else values for name, values in inputs.items()}
    # Some tokenizers give these for models that do not take them.
    moved.pop("token_type_ids", None)
    return moved


def _size(model: Any) -> Optional[int]:
    """How many logits a row of the model has; None if its configuration does not say."""
    config = model.config
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    return getattr(text, "vocab_size", None)


def _ends(model: Any, options: Mapping[str, Any]) -> tuple[int, ...]:
    """The tokens at which the model's `generate()` ends a sequence; none if it does not say."""
    given = [options, vars(options["generation_config"]) if options.get("generation_config") else {}]
    config = getattr(model, "generation_config", None) or getattr(model, "config", None)
    ends = next((each["eos_token_id"] for each in given if each.get("eos_token_id") is not None), getattr(config, "eos_token_id", None))
    return () if ends is None else (ends,) if isinstance(ends, int) else tuple(sorted({int(end) for end in ends}))


class _Prepared:
    """The compiler of a tokenizer, and the last grammars."""

    def __init__(self, tokenizer: Any, size: Optional[int], ends: tuple[int, ...]) -> None:
        vocabulary = Vocabulary.from_tokenizer(tokenizer)
        if size is not None and size != vocabulary.size:
            vocabulary = vocabulary.with_size(size)
        if ends and list(ends) != vocabulary.eos:
            vocabulary = vocabulary.with_eos(list(ends))
        if not vocabulary.eos:
            raise ValueError("neither the model nor the tokenizer says which token ends a text: set `eos_token_id`")
        self._compiler = Compiler(vocabulary, warn=False)
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Grammar] = OrderedDict()

    def grammar(self, schema: Any, options: Mapping[str, Any]) -> Grammar:
        """The grammar of a schema, compiled unless it is kept."""
        document = _types.schema_of(schema) if _types.is_type(schema) else schema
        key = json.dumps([document, sorted(options.items())], default=_types.schema_of)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        grammar = self._compiler.schema(document, **options)
        for warning in grammar.warnings:
            # At the line that calls `generate`.
            warnings.warn(warning, GrammarWarning, stacklevel=3)
        with self._lock:
            self._kept[key] = grammar
            while len(self._kept) > KEPT_GRAMMARS:
                self._kept.popitem(last=False)
        return grammar


_lock = threading.Lock()
_known: "WeakKeyDictionary[Any, dict[Any, _Prepared]]" = WeakKeyDictionary()


def _prepared(tokenizer: Any, size: Optional[int], ends: tuple[int, ...]) -> _Prepared:
    """What is kept for a tokenizer. One that has had tokens added since is another one."""
    length = len(tokenizer) if hasattr(tokenizer, "__len__") else None
    with _lock:
        try:
            kept = _known.setdefault(tokenizer, {})
        except TypeError:  # it has no hash, or no weak references
            kept = {}
        key = (length, size, ends)
        if key not in kept:
            kept[key] = _Prepared(tokenizer, size, ends)
        return kept[key]


def _whole(grammar: Grammar, depth: int, tokens: list[int]) -> str:
    """The text of an answer. Raises `CutOffError` if it is not whole."""
    matcher, text = Matcher(grammar, depth), b""
    for token in tokens:
        if matcher.is_finished():
            break
        if not matcher.accept_token(token):
            raise ValueError(f"token {token} is not allowed where it stands in the answer: another logits processor has allowed it")
        text += grammar.vocabulary.bytes(token)
    # Where nothing but an end may come, nothing was cut off.
    is_whole = matcher.is_finished() or (matcher.is_complete() and set(matcher.allowed_tokens()) <= set(grammar.eos))
    answer = text.decode("utf-8", "replace")
    if not is_whole:
        raise CutOffError(answer, len(tokens))
    return answer
