"""Exact token masks for structured generation, from grammars compiled ahead of time.

A `Compiler` turns a JSON Schema, a grammar, a regular expression, a structural tag or the tools of a request into a `Grammar`
for a `Vocabulary`. A `Matcher` follows one text under it, and writes at each point the mask of the tokens that may come next.
A `Registry` is what a server holds: it answers each request at once, and compiles what is new on threads of its own.

    >>> import array
    >>> import maskwright
    >>> compiler = maskwright.Compiler(maskwright.Vocabulary.named("cl100k_base"))
    >>> grammar = compiler.schema({"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]})
    >>> matcher = maskwright.Matcher(grammar)
    >>> matcher.accept_bytes(b'{"on": t')
    True
    >>> matcher.forced_bytes()
    b'rue'
    >>> row = array.array("i", bytes(4 * grammar.mask_words))
    >>> matcher.fill(row)

With a model of transformers, `generate` does all of it and returns a value. `maskwright.calls` has the parts of outputs with tool calls.
"""

from . import calls
from ._generate import CutOffError, generate
from ._logits import apply_mask
from ._native import (
    CallFormat,
    CallReader,
    Compiler,
    Grammar,
    GrammarError,
    GrammarWarning,
    Handle,
    MaskBuffer,
    MaskPool,
    Matcher,
    Registry,
    ServedMatcher,
    TablesError,
    Vocabulary,
    VocabularyError,
    __version__,
    apply_masks,
    fill_batch,
)

__all__ = [
    "CallFormat",
    "CallReader",
    "Compiler",
    "CutOffError",
    "Grammar",
    "GrammarError",
    "GrammarWarning",
    "Handle",
    "MaskBuffer",
    "MaskPool",
    "Matcher",
    "Registry",
    "ServedMatcher",
    "TablesError",
    "Vocabulary",
    "VocabularyError",
    "__version__",
    "apply_mask",
    "apply_masks",
    "calls",
    "fill_batch",
    "generate",
]
