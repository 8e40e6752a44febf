"""What is saved as JSON, and read back.

In: fields. Out: a text, and the fields again. What holds: a text of something else, of another version or that is no JSON is an error that says so. The texts are this layer's own: XGrammar's are not read.
"""

import json
from typing import Any

# It counts up when a field changes.
VERSION = 1


class InvalidJSONError(RuntimeError):
    """A text that is no JSON."""


class DeserializeFormatError(RuntimeError):
    """JSON of something else."""


class DeserializeVersionError(RuntimeError):
    """What another version has written."""


def dumped(kind: str, **fields: Any) -> str:
    """The text of something of this kind."""
    return json.dumps({"maskwright": kind, "__VERSION__": VERSION, **fields}, ensure_ascii=False)


def loaded(kind: str, text: str, *names: str) -> list[Any]:
    """The fields of these names."""
    try:
        read = json.loads(text)
    except ValueError as error:
        raise InvalidJSONError(str(error)) from error
    if not isinstance(read, dict) or read.get("maskwright") != kind:
        raise DeserializeFormatError(f"this is not what `serialize_json` of a {kind} writes")
    if read.get("__VERSION__") != VERSION:
        raise DeserializeVersionError(f"this was written by version {read.get('__VERSION__')!r}; this is version {VERSION}")
    missing = [name for name in names if name not in read]
    if missing:
        raise DeserializeFormatError(f"a {kind} has a field {missing[0]!r}")
    return [read[name] for name in names]
