"""Types where schemas are taken: classes of pydantic, dataclasses, `TypedDict`s and annotations, with pydantic and without it."""

import dataclasses
import enum
import json
import subprocess
import sys
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Optional, Union

import maskwright
import pytest
from maskwright import _plain, _types

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    # pydantic takes no other one before Python 3.12.
    TypedDict = getattr(pytest.importorskip("typing_extensions"), "TypedDict")


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Item:
    sku: str
    price: float
    colour: Colour = Colour.RED
    tags: list[str] = dataclasses.field(default_factory=list)
    inner: "Optional[Item]" = None


class Place(TypedDict):
    city: str
    at: tuple[int, int]


class Partly(TypedDict, total=False):
    on: bool


ITEM = '{"sku": "a", "price": 2.5, "colour": "blue", "tags": ["x"], "inner": {"sku": "b", "price": 3}}'

# Types, texts of them, texts of others.
TYPES = [
    (Item, [ITEM, '{"sku": "a", "price": 2}'], ['{"sku": "a"}', '{"sku": "a", "price": "2"}', '{"sku": "a", "price": 2, "colour": "green"}']),
    (list[Item], ["[]", f"[{ITEM}]"], ["{}", "[1]"]),
    (Place, ['{"city": "Rome", "at": [1, 2]}'], ['{"city": "Rome"}', '{"city": "Rome", "at": [1]}']),
    (Partly, ["{}", '{"on": true}'], ['{"on": 1}']),
    (dict[str, int], ["{}", '{"a": 1}'], ['{"a": "1"}']),
    (Mapping[str, list[bool]], ['{"a": [true]}'], ['{"a": true}']),
    (Sequence[str], ['["a"]'], ["[1]"]),
    (tuple[str, ...], ["[]", '["a", "b"]'], ["[1]"]),
    (Union[int, str, None], ["1", '"1"', "null"], ["1.5", "[]"]),
    (Literal["yes", "no", 3], ['"yes"', "3"], ['"maybe"', "true"]),
    (Colour, ['"red"'], ['"green"']),
    (bool, ["true"], ["1"]),
    (float, ["1", "1.5"], ['"1"']),
]
IDS = [str(kind) for kind, _, _ in TYPES]


def is_text(compiler, schema, text):
    matcher = maskwright.Matcher(compiler.schema(schema))
    return matcher.accept_bytes(text.encode()) and matcher.is_complete()


@pytest.mark.parametrize("kind, good, bad", TYPES, ids=IDS)
def test_a_type_is_a_schema(compiler, kind, good, bad):
    """Both readers allow the texts of the type and no others."""
    for schema in (kind, _plain.schema_of(kind)):
        assert all(is_text(compiler, schema, text) for text in good)
        assert not any(is_text(compiler, schema, text) for text in bad)


@pytest.mark.parametrize("kind, good, bad", TYPES, ids=IDS)
def test_values_are_read_alike(kind, good, bad):
    """Without pydantic as with it, but that pydantic makes values of other kinds fit."""
    pytest.importorskip("pydantic")
    for text in good:
        value, other = _types.read(kind, text), _plain.read(kind, text)
        assert value == other and type(value) is type(other), text
    for text in bad:
        with pytest.raises(ValueError):
            _plain.read(kind, text)


def stripped(schema):
    """A schema without what has no meaning for values."""
    if isinstance(schema, list):
        return [stripped(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: stripped(each) for key, each in schema.items() if key not in ("title", "default", "$defs", "$ref", "description")}


@pytest.mark.parametrize("kind", [list[int], dict[str, int], Union[int, str, None], tuple[int, str], Optional[float], Any], ids=str)
def test_schemas_are_written_alike(kind):
    pytest.importorskip("pydantic")
    assert stripped(_types.schema_of(kind)) == stripped(_plain.schema_of(kind))


def test_classes_of_pydantic(compiler):
    pydantic = pytest.importorskip("pydantic")

    class Guest(pydantic.BaseModel):
        full_name: str = pydantic.Field(alias="fullName", min_length=1, max_length=20)
        age: int = pydantic.Field(ge=0, le=150)
        friends: "list[Guest]" = []

    text = '{"fullName": "Ada", "age": 36, "friends": [{"fullName": "Bo", "age": 7}]}'
    for schema in (Guest, pydantic.TypeAdapter(Guest), Guest.model_json_schema(), json.dumps(Guest.model_json_schema())):
        assert is_text(compiler, schema, text)
        assert not is_text(compiler, schema, text.replace("fullName", "full_name"))
        assert not is_text(compiler, schema, text.replace("36", "200"))
    assert _types.read(Guest, text).friends[0].full_name == "Bo"
    assert is_text(compiler, Guest, text) and is_text(compiler, list[Guest], f"[{text}]")


def test_types_wherever_schemas_are_taken(compiler, small):
    text = '{"sku": "a", "price": 2}'
    registry = maskwright.Registry(small)
    assert registry.get(schema=Item).matcher().accept_bytes(text.encode())
    assert compiler.check(schema=Item) == []
    assert "sku" in compiler.to_ebnf(schema=Item)
    tag = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": Item}}
    assert maskwright.Matcher(compiler.structural_tag(tag)).accept_bytes(text.encode())
    tools = [{"type": "function", "function": {"name": "buy", "parameters": Item}}]
    grammar = compiler.tools(tools, "hermes", tool_choice="required")
    assert maskwright.Matcher(grammar).accept_bytes(b'<tool_call>\n{"name": "buy", "arguments": ' + text.encode())
    registry.get(tools=tools, format="hermes").wait()
    schema = {"type": "array", "items": Place, "maxItems": 2}
    assert is_text(compiler, schema, '[{"city": "Rome", "at": [1, 2]}]')


def test_a_class_with_fields_of_many_kinds(compiler):
    """What pydantic writes for the types of the standard library is understood."""
    pydantic = pytest.importorskip("pydantic")
    import datetime
    import decimal
    import uuid

    class Cat(pydantic.BaseModel):
        kind: Literal["cat"]

    class Dog(pydantic.BaseModel):
        kind: Literal["dog"]

    class Many(pydantic.BaseModel):
        when: datetime.datetime
        day: datetime.date
        id: uuid.UUID
        price: decimal.Decimal
        count: pydantic.PositiveInt
        pet: Union[Cat, Dog] = pydantic.Field(discriminator="kind")
        pairs: dict[Literal["a", "b"], float]
        mixed: tuple[int, str, None]
        short: typing.Annotated[str, pydantic.StringConstraints(pattern="^[a-z]+$", max_length=5)]

    value = {
        "when": "2026-11-29T10:00:00Z",
        "day": "2026-11-29",
        "id": "123e4567-e89b-12d3-a456-426614174000",
        "price": "1.50",
        "count": 2,
        "pet": {"kind": "dog"},
        "pairs": {"a": 0.5},
        "mixed": [1, "x", None],
        "short": "abc",
    }
    text = json.dumps(value)
    Many.model_validate_json(text)
    assert is_text(compiler, Many, text)
    for wrong in (text.replace('"dog"', '"cow"'), text.replace("abc", "ABC"), text.replace('"count": 2', '"count": 0')):
        assert not is_text(compiler, Many, wrong)


class Odd:
    pass


@pytest.mark.parametrize(
    "schema, message",
    [
        (Item("a", 1.0), "an object of Item: give the class itself"),
        ({1, 2}, "got set"),
        ({"const": 3j}, "got complex"),
        (Odd, "Odd"),
        (list[Odd], "Odd"),
        (typing.Callable[[], int], "no JSON Schema|no plain type"),
        ("Item", None),
    ],
    ids=str,
)
def test_what_is_no_type_says_so(compiler, schema, message):
    error = TypeError if message else maskwright.GrammarError
    with pytest.raises(error, match=message):
        compiler.schema(schema)


def test_classes_of_pydantic_1(compiler):
    v1 = pytest.importorskip("pydantic.v1")
    with pytest.raises(TypeError, match="pydantic 1"):
        compiler.schema(type("Old", (v1.BaseModel,), {"__annotations__": {"x": int}}))


@pytest.mark.parametrize("kind", [Odd, set[int], dict[int, str], typing.Annotated[int, 3]], ids=str)
def test_what_only_pydantic_knows(kind):
    with pytest.raises(TypeError, match="install pydantic"):
        _plain.schema_of(kind)


def test_without_pydantic():
    """In a process in which it cannot be imported, dataclasses work all the same."""
    program = """
import sys
sys.modules["pydantic"] = None
import dataclasses, maskwright
from maskwright import _types

@dataclasses.dataclass
class Point:
    x: int
    y: int = 0

tokens = [bytes([byte]) for byte in range(256)] + [b""]
compiler = maskwright.Compiler(maskwright.Vocabulary.from_tokens(tokens, 256), threads=1)
matcher = maskwright.Matcher(compiler.schema(Point))
assert matcher.accept_bytes(b'{"x": 1, "y": 2}')
assert _types.read(Point, '{"x": 1}') == Point(1)
try:
    compiler.schema(set[int])
except TypeError as error:
    assert "install pydantic" in str(error)
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", program], check=True)
