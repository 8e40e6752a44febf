"""Dataclasses and annotations of plain types without pydantic.

In: types. Out: the schema that pydantic would write but for titles and defaults, and values of the types. What holds: a type that is not known here is a `TypeError` that says so: nothing of an
annotation is passed over.
"""

import dataclasses
import enum
import json
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, Required
else:
    NotRequired = Required = None

__all__ = ["name", "read", "schema_of"]

PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
LISTS = (list, Sequence)
TABLES = (dict, Mapping)
UNIONS = (Union, getattr(types, "UnionType", Union))


def name(kind: Any) -> str:
    """A type as messages name it."""
    return kind.__name__ if isinstance(kind, type) and not typing.get_args(kind) else str(kind)


def schema_of(kind: Any) -> Any:
    """The schema of a type. Raises `TypeError` for types that are not plain."""
    known: dict[str, Any] = {}
    schema = _schema(kind, known)
    return {**schema, "$defs": known} if known else schema


def read(kind: Any, text: str) -> Any:
    """The value of a type that a JSON text stands for. Raises `ValueError` for others."""
    return _value(kind, json.loads(text))


def _schema(kind: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; objects are added to those that are known."""
    kind, origin, inner = _parts(kind)
    if kind is Any:
        return {}
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if origin in UNIONS:
        return {"anyOf": [_schema(each, known) for each in inner]}
    if origin is Literal:
        return {"enum": list(inner)}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {"enum": [member.value for member in kind]}
    if origin in LISTS:
        return {"type": "array", **({"items": _schema(inner[0], known)} if inner else {})}
    if origin is tuple and inner:
        if inner[-1] is Ellipsis:
            return {"type": "array", "items": _schema(inner[0], known)}
        return {"type": "array", "prefixItems": [_schema(each, known) for each in inner], "minItems": len(inner), "maxItems": len(inner)}
    if origin in TABLES and (not inner or inner[0] is str):
        return {"type": "object", **({"additionalProperties": _schema(inner[1], known)} if inner else {})}
    return {"$ref": f"#/$defs/{_define(kind, known)}"}


def _define(kind: Any, known: dict[str, Any]) -> str:
    """Adds an object to those that are known; its name there."""
    fields = _fields(kind)
    key = f"{kind.__module__}.{kind.__qualname__}".replace("/", "_").replace("~", "_")
    if key not in known:
        known[key] = None  # it may contain itself
        properties = {field: _schema(each, known) for field, (each, _) in fields.items()}
        known[key] = {"type": "object", "properties": properties, "required": [field for field, (_, needed) in fields.items() if needed]}
    return key


def _fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """The fields of a dataclass or a `TypedDict`: their types, and whether a value has to have them."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        fields = [field for field in dataclasses.fields(kind) if field.init]
        missing = dataclasses.MISSING
        return {field.name: (hints[field.name], field.default is missing and field.default_factory is missing) for field in fields}
    if isinstance(kind, type) and hasattr(kind, "__required_keys__"):
        hints = typing.get_type_hints(kind, include_extras=True)
        return {field: (each, field in kind.__required_keys__) for field, each in hints.items()}
    raise TypeError(f"{name(kind)} is no plain type: install pydantic, which knows more of them, or give a JSON Schema")


def _parts(kind: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """A type without what stands around it, the generic type of which it is one, and the types in it."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated and all(isinstance(note, str) for note in inner[1:]):
        return _parts(inner[0])
    if origin is not None and origin in (Required, NotRequired):
        return _parts(inner[0])
    kind = type(None) if kind is None else kind
    return kind, kind if origin is None else origin, inner


def _value(kind: Any, value: Any) -> Any:
    """The value of a type. Raises `ValueError` if it has no such value."""
    kind, origin, inner = _parts(kind)
    if kind is Any:
        return value
    if kind in PLAIN:
        return _plain_value(kind, value)
    if origin in UNIONS:
        return _first(inner, value)
    if origin is Literal:
        return _one_of([(each, each) for each in inner], kind, value)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _one_of([(member.value, member) for member in kind], kind, value)
    if origin in LISTS:
        return [_value(inner[0] if inner else Any, each) for each in _of(list, kind, value)]
    if origin is tuple and inner:
        values = _of(list, kind, value)
        kinds = [inner[0]] * len(values) if inner[-1] is Ellipsis else inner
        if len(kinds) != len(values):
            raise ValueError(f"expected {name(kind)}, got {len(values)} items")
        return tuple(_value(each, item) for each, item in zip(kinds, values))
    if origin in TABLES:
        return {key: _value(inner[1] if inner else Any, each) for key, each in _of(dict, kind, value).items()}
    return _object(kind, _of(dict, kind, value))


def _object(kind: Any, value: dict[str, Any]) -> Any:
    """A dataclass, or the dict of a `TypedDict`. Other keys are left out, as pydantic leaves them out."""
    fields = _fields(kind)
    missing = [field for field, (_, needed) in fields.items() if needed and field not in value]
    if missing:
        raise ValueError(f"{name(kind)} needs `{missing[0]}`")
    make: Callable[..., Any] = kind
    return make(**{field: _value(each, value[field]) for field, (each, _) in fields.items() if field in value})


def _plain_value(kind: Any, value: Any) -> Any:
    """A text, a number, a flag or null."""
    if kind is float and type(value) is int:
        return float(value)
    if kind is int and type(value) is float and value.is_integer():
        return int(value)
    return _of(kind, kind, value)


def _of(needed: Any, kind: Any, value: Any) -> Any:
    """A value of exactly this type: a flag is no number."""
    if type(value) is not needed:
        raise ValueError(f"expected {name(kind)}, got {type(value).__name__}")
    return value


def _one_of(known: list[tuple[Any, Any]], kind: Any, value: Any) -> Any:
    """What a listed value stands for."""
    for each, meant in known:
        if each == value and isinstance(each, bool) == isinstance(value, bool):
            return meant
    raise ValueError(f"{value!r} is none of {name(kind)}")


def _first(kinds: Sequence[Any], value: Any) -> Any:
    """The value of the first type that has it: one that it has as it is, before one that it is made into."""
    plain = [kind for kind in kinds if kind in PLAIN or kind is None]
    exact = [kind for kind in plain if type(value) is (type(None) if kind is None else kind)]
    for kind in [*exact, *kinds]:
        try:
            return _value(kind, value)
        except ValueError:
            continue
    raise ValueError(f"{value!r} is none of {', '.join(name(kind) for kind in kinds)}")
