"""Outputs of models that call tools, read back.

`Compiler.tools` compiles a grammar for the outputs, and its `call_format` takes an output apart:

    for part in grammar.call_format.parts(output):
        match part:
            case Text(text):
                print(text)
            case Call(name):
                results.append(run(name, part.to_dict()))

A `CallReader` reads an output that grows.
"""

from typing import Union

from ._native import Call, CallFormat, CallReader, OpenCall, Reasoning, Text

__all__ = ["Call", "CallFormat", "CallReader", "OpenCall", "Part", "Reasoning", "Text"]

# A part of an output.
Part = Union[Text, Reasoning, Call, OpenCall]
