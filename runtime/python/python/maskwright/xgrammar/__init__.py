"""What engines use of XGrammar's Python interface, over Maskwright: an engine is switched by an import.

    import maskwright.xgrammar as xgrammar

An engine whose sources stay as they are is switched by `install()`, before it is imported.

In: XGrammar's calls, of the version that runtime/python/engines/versions.json says. Out: what they return there. What holds: masks are Maskwright's, which allow a token if and only if the text can still be finished; what is not
covered is not there, or is refused with an error that names it. docs/engines-python.md has the table of what is covered and what differs. Masks are tensors of torch, or arrays of
numpy where torch is not installed.

`tokenizers` and `requests` are documents; `grammars` is over them, and `matchers` over `grammars`. `masks` and `saved` stand alone.
"""

from typing import Any

from .grammars import CompiledGrammar, CompileError, Grammar, GrammarCompiler, InvalidStructuralTagError
from .masks import allocate_token_bitmask, apply_token_bitmask_inplace, bitmask_dtype, get_bitmask_shape, reset_token_bitmask
from .matchers import BatchGrammarMatcher, GrammarMatcher
from .saved import DeserializeFormatError, DeserializeVersionError, InvalidJSONError
from .requests import OF_THE_PACKAGE, StructuralTagItem, of_the_package
from .tokenizers import TokenizerInfo, VocabType

__all__ = [
    "BatchGrammarMatcher",
    "CompileError",
    "CompiledGrammar",
    "DeserializeFormatError",
    "DeserializeVersionError",
    "Grammar",
    "GrammarCompiler",
    "GrammarMatcher",
    "InvalidJSONError",
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


def __getattr__(name: str) -> Any:
    """What of the package is data for requests, and has no engine in it."""
    if name not in OF_THE_PACKAGE:
        raise AttributeError(f"maskwright.xgrammar has no {name!r}: docs/engines-python.md has the table of what is covered")
    return of_the_package(name)


def install() -> None:
    """Puts this layer in the place of the package xgrammar, in this process, before an engine imports it.

    The package has to be installed: documents of requests, and what the layer does not cover, stay its own. What engines take from its submodules is not changed.
    """
    import xgrammar

    for name in __all__:
        setattr(xgrammar, name, globals()[name])
