"""Grammars and compilers as XGrammar's interface has them.

In: schemas, EBNF, Lark, regular expressions, structural tags. Out: `Grammar`, and `CompiledGrammar` for one vocabulary. What holds: whatever is wrong with a grammar for every vocabulary is raised when it is made.
"""

import base64
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Optional, Union

from .. import _serving
from .._native import Compiler, GrammarError, TablesError
from .._native import Grammar as _Tables
from .saved import DeserializeFormatError, dumped, loaded
from .tokenizers import TokenizerInfo


class CompileError(RuntimeError):
    """A grammar that cannot be compiled, with Maskwright's message; the `GrammarError` with its place is the cause."""


class InvalidStructuralTagError(CompileError):
    """A structural tag that cannot be compiled."""


class _Source(NamedTuple):
    """What a grammar is compiled from: a method of `Compiler`, a text, and options."""

    method: str
    text: str
    options: tuple[tuple[str, Any], ...] = ()

    def compile(self, compiler: Compiler) -> _Tables:
        try:
            return self._with(compiler)
        except GrammarError as error:
            raise self._kind()(str(error)) from error

    def _with(self, compiler: Compiler) -> _Tables:
        method: Callable[..., _Tables] = getattr(compiler, self.method)
        return method(self.text, **dict(self.options))

    def _kind(self) -> type[CompileError]:
        return InvalidStructuralTagError if self.method == "structural_tag" else CompileError

    def printed(self) -> str:
        """It in EBNF, with `root` as the root. A lexer has no form there."""
        if self.method == "lark":
            raise CompileError("a Lark grammar cannot be written in EBNF, nor joined with other grammars: its lexer has no form there")
        try:
            return _serving.compiler_of_bytes().to_ebnf(**{self.method: self.text}, **dict(self.options))
        except GrammarError as error:
            raise self._kind()(str(error)) from error

    def as_format(self) -> dict[str, Any]:
        """It as a part of a structural tag."""
        if self.method == "structural_tag":
            read = json.loads(self.text)
            if isinstance(read, dict) and isinstance(read.get("format"), dict):
                return dict(read["format"])
        if self.method == "regex":
            return {"type": "regex", "pattern": self.text}
        return {"type": "grammar", "grammar": self.printed()}

    def fields(self) -> list[Any]:
        """It as JSON."""
        return [self.method, self.text, dict(self.options)]

    @staticmethod
    def of_fields(fields: Any) -> "_Source":
        """What `fields` gave."""
        is_one = isinstance(fields, list) and len(fields) == 3 and isinstance(fields[1], str) and isinstance(fields[2], dict)
        if not is_one or fields[0] not in ("schema", "ebnf", "lark", "regex", "structural_tag"):
            raise DeserializeFormatError("this is no grammar")
        return _Source(fields[0], fields[1], tuple(fields[2].items()))

    def check(self) -> "_Source":
        """Raises what `compile` would, as far as reading finds it for every vocabulary."""
        request: dict[str, Any] = {self.method: self.text, **dict(self.options)}
        error = _serving.problem(lambda compiler: compiler.check(**request))
        if error is not None:
            raise self._kind()(str(error)) from error
        return self


class Grammar:
    """A grammar that is not compiled for a vocabulary yet. What is wrong with it for every vocabulary is raised at once, as `CompileError`."""

    def __init__(self, source: _Source) -> None:
        self._source = source.check()

    def __str__(self) -> str:
        """The grammar in EBNF, whatever it was made from. Raises `CompileError` for a Lark grammar, and where it names tokens, which only a compiler knows."""
        return self._source.printed()

    @staticmethod
    def from_ebnf(ebnf_string: str, *, root_rule_name: str = "root") -> "Grammar":
        return Grammar(_Source("ebnf", ebnf_string, (("root", root_rule_name),)))

    @staticmethod
    def from_lark(lark_string: str, *, tokenizer_info: Optional[TokenizerInfo] = None, named_grammars: Optional[Mapping[str, Any]] = None) -> "Grammar":
        """Of a grammar in a dialect of Lark. `tokenizer_info` makes no difference: tokens that it names are looked up where it is compiled. Other grammars cannot be named in it."""
        if named_grammars:
            raise ValueError("named grammars are not covered: a Lark grammar cannot name others")
        return Grammar(_Source("lark", lark_string, (("lexer", _serving.lexer()),)))

    @staticmethod
    def from_regex(regex_string: str) -> "Grammar":
        return Grammar(_Source("regex", regex_string))

    @staticmethod
    def from_json_schema(
        schema: Any,
        *,
        any_whitespace: bool = True,
        indent: Optional[int] = None,
        separators: Optional[tuple[str, str]] = None,
        strict_mode: bool = True,
        max_whitespace_cnt: Optional[int] = None,
        any_order: bool = False,
    ) -> "Grammar":
        options = {
            "whitespace": _whitespace(any_whitespace, indent, separators, max_whitespace_cnt),
            "undeclared": not strict_mode,
            "key_order": "any" if any_order else "schema",
        }
        text = _schema(schema, strict_mode)
        return Grammar(_Source("schema", text, tuple(options.items())))

    @staticmethod
    def from_structural_tag(*args: Any, **kwargs: Any) -> "Grammar":
        return Grammar(_Source("structural_tag", _tag(*args, **kwargs)))

    @staticmethod
    def concat(*grammars: "Grammar") -> "Grammar":
        """The texts of these grammars, one behind the other."""
        return _joined("sequence", grammars)

    @staticmethod
    def union(*grammars: "Grammar") -> "Grammar":
        """The texts of any of these grammars."""
        return _joined("or", grammars)

    def serialize_json(self) -> str:
        """What it is made from as JSON, for `deserialize_json`."""
        return dumped("grammar", source=self._source.fields())

    @staticmethod
    def deserialize_json(json_string: str) -> "Grammar":
        """What `serialize_json` wrote. Raises `InvalidJSONError`, `DeserializeFormatError`, `DeserializeVersionError`, and `CompileError` as for any grammar."""
        (fields,) = loaded("grammar", json_string, "source")
        return Grammar(_Source.of_fields(fields))

    @staticmethod
    def builtin_json_grammar() -> "Grammar":
        """Any JSON array or object."""
        schema = '{"anyOf": [{"type": "array"}, {"type": "object"}]}'
        return Grammar(_Source("schema", schema, (("whitespace", "unbounded"),)))


def _joined(how: str, grammars: tuple[Grammar, ...]) -> Grammar:
    """One grammar of several."""
    if not grammars:
        raise ValueError("there is no grammar to join")
    if len(grammars) == 1:
        return grammars[0]
    elements = [grammar._source.as_format() for grammar in grammars]
    return Grammar(_Source("structural_tag", json.dumps({"type": "structural_tag", "format": {"type": how, "elements": elements}}, ensure_ascii=False)))


def _whitespace(is_any: bool, indent: Optional[int], separators: Optional[tuple[str, str]], most: Optional[int]) -> str:
    """The option of Maskwright that means the same."""
    if is_any:
        return "unbounded" if most is None else f"flexible:{most}"
    separators = None if separators is None else (separators[0], separators[1])
    known: dict[Any, str] = {(None, None): "spaced", (None, (", ", ": ")): "spaced", (None, (",", ":")): "compact"}
    if indent is not None and separators in (None, (",", ": ")):
        return f"indent:{indent}"
    if (indent, separators) not in known:
        raise ValueError(f"separators {separators} with indent {indent} are not covered: give (', ', ': ') or (',', ':') without indent, or (',', ': ') with it")
    return known[indent, separators]


# What says something of an object's properties.
_OF_PROPERTIES = {
    *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "required", "dependentRequired", "dependentSchemas", "dependencies"),
    *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if"),
}


def _open(schema: Any) -> bool:
    """Lets objects of which nothing but their type is said have any properties, in place; strict mode is not for them. Returns whether there were any."""
    if isinstance(schema, list):
        return any([_open(item) for item in schema])
    if not isinstance(schema, dict):
        return False
    of_object = schema.get("type") == "object" or (isinstance(schema.get("type"), list) and "object" in schema["type"])
    inner = any([_open(value) for key, value in schema.items() if key not in ("enum", "const", "default", "examples")])
    if of_object and not _OF_PROPERTIES & schema.keys():
        schema["additionalProperties"] = True
        return True
    return inner


def _schema(schema: Any, strict: bool) -> str:
    """The text of a schema: of a text, a `dict`, or a class of pydantic."""
    if hasattr(schema, "model_json_schema"):
        schema = schema.model_json_schema()
    if isinstance(schema, dict):
        schema = json.dumps(schema, indent=2, ensure_ascii=False)
    if not isinstance(schema, str):
        raise ValueError("The schema should be a string or a Pydantic model.")
    if strict:
        try:
            read = json.loads(schema)
        except ValueError:
            return schema  # the compiler says where
        if _open(read):
            return json.dumps(read, indent=2, ensure_ascii=False)
    return schema


def _tag(*args: Any, **kwargs: Any) -> str:
    """The text of a structural tag, from what may be given for one."""
    if len(args) == 2 or {"tags", "triggers"} <= kwargs.keys():
        tags, triggers = args or (kwargs["tags"], kwargs["triggers"])
        structures = [{"begin": tag.begin, "schema": json.loads(_schema(tag.schema_, False)), "end": tag.end} for tag in tags]
        return json.dumps({"type": "structural_tag", "structures": structures, "triggers": list(triggers)})
    tag: Any = args[0] if len(args) == 1 else kwargs.get("structural_tag")
    if hasattr(tag, "model_dump_json"):
        return str(tag.model_dump_json())
    if isinstance(tag, dict):
        return json.dumps(tag, indent=2, ensure_ascii=False)
    if isinstance(tag, str):
        return tag
    raise TypeError("expected a structural tag as a text, a dict or a model of pydantic, or a list of tags and one of triggers")


class CompiledGrammar:
    """A compiled grammar. `GrammarCompiler` makes it; threads and matchers share it."""

    def __init__(self, source: _Source, compilers: _serving.Compilers, info: TokenizerInfo, stops: Optional[list[int]] = None) -> None:
        self._set(source, compilers, info, source.compile(compilers.ending_with(stops)))

    def _set(self, source: _Source, compilers: _serving.Compilers, info: TokenizerInfo, tables: _Tables) -> None:
        self._source, self._compilers = source, compilers
        self.tokenizer_info = info
        self.tables = tables

    def serialize_json(self) -> str:
        """It as JSON without the tokenizer, for `deserialize_json`."""
        tables = base64.b64encode(self.tables.to_bytes()).decode("ascii")
        return dumped("compiled grammar", source=self._source.fields(), metadata=self.tokenizer_info.dump_metadata(), eos=self.tables.eos, tables=tables)

    @staticmethod
    def deserialize_json(json_str: str, tokenizer_info: TokenizerInfo) -> "CompiledGrammar":
        """What `serialize_json` wrote, for the tokenizer that it was compiled for. The text is checked, not trusted. Raises `InvalidJSONError`, `DeserializeFormatError`, `DeserializeVersionError`."""
        fields, metadata, eos, tables = loaded("compiled grammar", json_str, "source", "metadata", "eos", "tables")
        if metadata != tokenizer_info.dump_metadata():
            raise DeserializeFormatError("it was compiled for a tokenizer with other metadata")
        compiled = CompiledGrammar.__new__(CompiledGrammar)
        compilers = _serving.Compilers(tokenizer_info.vocabulary, **_serving.limits(True))
        try:
            read = _Tables.from_bytes(base64.b64decode(tables, validate=True), compilers.ending_with(eos).vocabulary)
        except (ValueError, TypeError, OverflowError, TablesError) as error:
            raise DeserializeFormatError(f"it has no tables of this tokenizer: {error}") from error
        compiled._set(_Source.of_fields(fields), compilers, tokenizer_info, read)
        return compiled

    @property
    def grammar(self) -> Grammar:
        """What it was compiled from."""
        return Grammar(self._source)

    @property
    def memory_size_bytes(self) -> int:
        """Bytes of the tables; the vocabulary is shared."""
        return self.tables.nbytes

    def _ending_with(self, stops: list[int]) -> "CompiledGrammar":
        """The same grammar, with other stop tokens: compiled again if they are others."""
        if sorted(set(stops)) == self.tokenizer_info.stop_token_ids:
            return self
        return CompiledGrammar(self._source, self._compilers, self.tokenizer_info, stops)


class GrammarCompiler:
    """Compiles for one tokenizer, and keeps what it compiled. Threads can use it at the same time. `enable_dynamic_compilation` makes no difference."""

    def __init__(
        self, tokenizer_info: TokenizerInfo, *, max_threads: int = 8, cache_enabled: bool = True, cache_limit_bytes: int = -1, enable_dynamic_compilation: bool = False
    ) -> None:
        if not isinstance(tokenizer_info, TokenizerInfo):
            raise ValueError("Please convert the tokenizer to TokenizerInfo before passing it to GrammarCompiler.")
        self._info = tokenizer_info
        self._compilers = _serving.Compilers(tokenizer_info.vocabulary, threads=max_threads, **_serving.limits(True))
        self._is_cached, self.cache_limit_bytes = cache_enabled, cache_limit_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Source, CompiledGrammar] = OrderedDict()

    def compile_json_schema(self, schema: Any, **options: Any) -> CompiledGrammar:
        """`options` are those of `Grammar.from_json_schema`."""
        return self._compile(Grammar.from_json_schema(schema, **options)._source)

    def compile_builtin_json_grammar(self) -> CompiledGrammar:
        return self._compile(Grammar.builtin_json_grammar()._source)

    def compile_regex(self, regex: str) -> CompiledGrammar:
        return self._compile(Grammar.from_regex(regex)._source)

    def compile_grammar(self, grammar: Union[str, Grammar], *, root_rule_name: str = "root") -> CompiledGrammar:
        if isinstance(grammar, str):
            grammar = Grammar.from_ebnf(grammar, root_rule_name=root_rule_name)
        if not isinstance(grammar, Grammar):
            raise ValueError("Invalid grammar type. Please pass a string or a Grammar object.")
        return self._compile(grammar._source)

    def compile_lark(self, lark_string: str, *, named_grammars: Optional[Mapping[str, Any]] = None) -> CompiledGrammar:
        """Of a grammar in a dialect of Lark."""
        return self._compile(Grammar.from_lark(lark_string, named_grammars=named_grammars)._source)

    def compile_structural_tag(self, *args: Any, **kwargs: Any) -> CompiledGrammar:
        """Of one structural tag, or of `tags` and `triggers`."""
        return self._compile(Grammar.from_structural_tag(*args, **kwargs)._source)

    def clear_cache(self) -> None:
        with self._lock:
            self._kept.clear()

    def get_cache_size_bytes(self) -> int:
        with self._lock:
            return sum(grammar.memory_size_bytes for grammar in self._kept.values())

    def _compile(self, source: _Source) -> CompiledGrammar:
        with self._lock:
            found = self._kept.get(source)
            if found is not None:
                self._kept.move_to_end(source)
                return found
        compiled = CompiledGrammar(source, self._compilers, self._info)
        if self._is_cached:
            with self._lock:
                self._kept[source] = compiled
                size = sum(grammar.memory_size_bytes for grammar in self._kept.values())
                while 0 <= self.cache_limit_bytes < size:
                    _, dropped = self._kept.popitem(last=False)
                    size -= dropped.memory_size_bytes
        return compiled
