"""Types as JSON Schemas, and their values read from JSON.

In: classes of pydantic, dataclasses, `TypedDict`s, annotations. Out: schemas, and values of the types. What holds: pydantic says what a type means where it is installed; without it
`_plain` reads dataclasses and annotations of plain types in the same way. Nothing is imported before a type is given.
"""

import typing
from typing import Any

from . import _plain

__all__ = ["is_type", "read", "schema_of"]

KINDS = "a class of pydantic, a dataclass, a TypedDict or an annotation"


def is_type(value: Any) -> bool:
    """Whether a value is a type, and no document."""
    return isinstance(value, type) or value is Any or typing.get_origin(value) is not None or hasattr(value, "__supertype__") or hasattr(value, "__value__") or _is_adapter(value)


def schema_of(kind: Any) -> Any:
    """The JSON Schema of a type, with the names that its values have in JSON.

    Raises `TypeError` for what is no type, and for types that have no schema.
    """
    if not is_type(kind):
        raise TypeError(_no_type(kind))
    if isinstance(kind, type) and hasattr(kind, "parse_obj") and not hasattr(kind, "model_json_schema"):
        raise TypeError(f"{kind.__name__} is a class of pydantic 1: schemas are read from classes of pydantic 2")
    adapter = _adapter(kind)
    if adapter is None:
        return _plain.schema_of(kind)
    from pydantic.errors import PydanticUserError

    try:
        return adapter.json_schema(by_alias=True, mode="validation")
    except PydanticUserError as error:
        raise TypeError(f"{_plain.name(kind)} has no JSON Schema: {error}") from error


def read(kind: Any, text: str) -> Any:
    """The value of a type that a JSON text stands for.

    Raises `ValueError` for other texts, which for pydantic is its `ValidationError`.
    """
    adapter = _adapter(kind)
    return _plain.read(kind, text) if adapter is None else adapter.validate_json(text)


def _adapter(kind: Any) -> Any:
    """What pydantic knows of a type; None without pydantic."""
    if _is_adapter(kind):
        return kind
    try:
        from pydantic import TypeAdapter
        from pydantic.errors import PydanticUserError
    except ImportError:
        return None
    try:
        return TypeAdapter(kind)
    except (PydanticUserError, NameError) as error:
        raise TypeError(f"{_plain.name(kind)} has no JSON Schema: {error}") from error


def _is_adapter(value: Any) -> bool:
    """Whether it is a `TypeAdapter` of pydantic."""
    return type(value).__name__ == "TypeAdapter" and type(value).__module__.split(".")[0] == "pydantic"


def _no_type(value: Any) -> str:
    """Why a value has no schema."""
    kind = type(value)
    if hasattr(kind, "model_json_schema") or hasattr(kind, "__dataclass_fields__"):
        return f"expected a schema, got an object of {kind.__name__}: give the class itself"
    return f"expected JSON, or {KINDS}, got {kind.__name__}"
