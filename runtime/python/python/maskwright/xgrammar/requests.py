"""What engines import from XGrammar for requests: documents, with no engine in them.

In: documents of structural tags and tools. Out: the same. What holds: they are the package's own models where the package xgrammar is installed; without it `StructuralTag` is a plain document, and the others
are an `AttributeError` that says how to have them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Union


class StructuralTagItem(NamedTuple):
    """A tag of the older form of structural tags."""

    begin: str
    schema: Any
    end: str

    @property
    def schema_(self) -> Any:
        """`schema`, as the package's own item calls it."""
        return self.schema


class StructuralTag:
    """A structural tag as a document: `format` is a `dict`. It is checked where it is compiled."""

    def __init__(self, *, format: Mapping[str, Any], type: str = "structural_tag") -> None:
        if type != "structural_tag" or not isinstance(format, Mapping):
            raise ValueError('a structural tag is an object with `"type": "structural_tag"` and an object as its `format`')
        self.type, self.format = type, dict(format)

    @classmethod
    def model_validate(cls, obj: Any) -> "StructuralTag":
        """Of a `dict`; `ValueError` for what is no structural tag."""
        if isinstance(obj, cls):
            return obj
        if not isinstance(obj, Mapping) or obj.keys() - {"type", "format"} or "format" not in obj:
            raise ValueError("a structural tag is an object with a `format`, and a `type`")
        return cls(**obj)

    @classmethod
    def model_validate_json(cls, json_data: Union[str, bytes]) -> "StructuralTag":
        return cls.model_validate(json.loads(json_data))

    @classmethod
    def from_json(cls, json_str: Union[str, Mapping[str, Any]]) -> "StructuralTag":
        return cls.model_validate_json(json_str) if isinstance(json_str, str) else cls.model_validate(json_str)

    @classmethod
    def from_legacy_structural_tag(cls, tags: Sequence[StructuralTagItem], triggers: Sequence[str]) -> "StructuralTag":
        """Of the older form."""
        made = [{"type": "tag", "begin": tag.begin, "content": {"type": "json_schema", "json_schema": _document(tag.schema)}, "end": tag.end} for tag in tags]
        return cls(format={"type": "triggered_tags", "triggers": list(triggers), "tags": made})

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return {"type": self.type, "format": self.format}

    def model_dump_json(self, *, indent: Union[int, None] = None, **_: Any) -> str:
        return json.dumps(self.model_dump(), indent=indent, ensure_ascii=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StructuralTag) and self.model_dump() == other.model_dump()

    def __repr__(self) -> str:
        return f"StructuralTag(format={self.format!r})"


def _document(schema: Any) -> Any:
    """The JSON of a schema that is given as a text, as a class of pydantic, or as it is."""
    if isinstance(schema, str):
        return json.loads(schema)
    return schema.model_json_schema() if hasattr(schema, "model_json_schema") else schema


# Names of the package that engines import: the module that has each, and its name there.
OF_THE_PACKAGE = {
    "StructuralTag": ("xgrammar.structural_tag", "StructuralTag"),
    "get_model_structural_tag": ("xgrammar.builtin_structural_tag", "get_model_structural_tag"),
    "normalize_tool_choice": ("xgrammar.builtin_structural_tag", "normalize_tool_choice"),
    "structural_tag": ("xgrammar.structural_tag", ""),
    "openai_tool_call_schema": ("xgrammar.openai_tool_call_schema", ""),
}


def of_the_package(name: str) -> Any:
    """What the package has under this name, which is one of `OF_THE_PACKAGE`; without the package, `StructuralTag` is the class above."""
    from importlib import import_module

    module, of = OF_THE_PACKAGE[name]
    try:
        found = import_module(module)
    except ImportError as error:
        if name == "StructuralTag":
            return StructuralTag
        raise AttributeError(f"{name!r} comes from the package xgrammar, which is not installed: `pip install xgrammar`") from error
    return getattr(found, of) if of else found
