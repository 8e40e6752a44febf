"""The stubs say what the compiled part does: `python tests/test_stubs.py` copies its documentation into them."""

import ast
import inspect
import textwrap
from pathlib import Path

import maskwright
import pytest
from maskwright import _native

STUBS = Path(maskwright.__file__).with_name("_native.pyi")


def stubs():
    """The parts of the stubs that have documentation: the name, the node, and what has it."""
    for node in ast.parse(STUBS.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            yield node.name, node, getattr(_native, node.name)
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                yield f"{node.name}.{inner.name}", inner, getattr(getattr(_native, node.name), inner.name)


def documented():
    """Those that are to have it: of several signatures the first one."""
    seen = set()
    for name, node, value in stubs():
        if name not in seen:
            seen.add(name)
            yield name, node, inspect.cleandoc(value.__doc__ or "")


def written(text, indent):
    """Documentation as it stands in the stubs."""
    lines = textwrap.indent(text, indent).strip()
    end = f"\n{indent}" if "\n" in text else ""
    return f'{indent}"""{lines}{end}"""\n'


def with_documentation(source):
    """The stubs with the documentation of the compiled part."""
    lines = source.splitlines(keepends=True)
    for name, node, text in sorted(documented(), key=lambda each: -each[1].lineno):
        indent = " " * (node.col_offset + 4)
        first, *rest = node.body
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            lines[first.lineno - 1 : first.end_lineno] = [written(text, indent)]
        elif isinstance(node, ast.FunctionDef):
            head = lines[first.lineno - 1].rstrip().removesuffix("...").rstrip()
            lines[first.lineno - 1 : first.end_lineno] = [f"{head}\n", written(text, indent)]
        else:
            raise ValueError(f"{name} has no documentation")
    return "".join(lines)


def test_the_stubs_have_the_documentation():
    if not STUBS.exists():
        pytest.skip("the stubs are not installed")
    missing = [name for name, _, text in documented() if not text]
    assert not missing
    source = STUBS.read_text(encoding="utf-8")
    assert with_documentation(source) == source, f"run `python {Path(__file__).name}` in its folder"


OPTIONS = set(inspect.signature(maskwright.Compiler.schema).parameters) - {"self", "schema"}
DOCUMENT = {"type": "object"}
VALUES = {"style": "json", "whitespace": "compact", "key_order": "any", "escapes": "any", "constrained_escapes": "any", "draft": "2020-12", "digits": "3,2", "excludes": ["x"], "lenient": ["format"]}


def test_options_have_names(compiler, tmp_path):
    """Each name of a signature is an option, which None leaves as it is; no other name is one."""
    for name in OPTIONS:
        value = f"{tmp_path}=http://a.org/" if name == "documents" else VALUES.get(name, False)
        compiler.schema(DOCUMENT, **{name: value})
        assert compiler.schema(DOCUMENT, **{name: None}).to_bytes() == compiler.schema(DOCUMENT).to_bytes()
    with pytest.raises(ValueError) as raised:
        compiler.schema(DOCUMENT, indentation=3)
    named = set(str(raised.value).replace("`", " ").replace(",", " ").split())
    assert named >= OPTIONS
    with pytest.raises(ValueError):
        compiler.schema(DOCUMENT, indentation=None)


def test_signatures_name_the_options(small):
    """None of these hides its options behind `**`. Requests of any kind are overloads, which only stubs have."""
    compiler = maskwright.Compiler
    for call in (compiler.schema, compiler.structural_tag, compiler.tools, compiler.call_format):
        parameters = inspect.signature(call).parameters
        assert not [each for each in parameters.values() if each.kind == each.VAR_KEYWORD], call
    assert OPTIONS < set(inspect.signature(compiler.structural_tag).parameters)
    registry = maskwright.Registry(small)
    for node in ast.walk(ast.parse(STUBS.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name in ("get", "check", "to_ebnf"):
            kind, *options = [each.arg for each in node.args.kwonlyargs if each.arg != "pedantic"]
            method = {"schema": compiler.schema, "structural_tag": compiler.structural_tag, "tools": compiler.tools, "ebnf": compiler.ebnf, "lark": compiler.lark, "regex": compiler.regex}[kind]
            assert set(options) == set(list(inspect.signature(method).parameters)[2:]), (node.name, kind)
    with pytest.raises(ValueError, match="`whitespace`"):
        registry.get(tools=[], format="hermes", whitespace="compact")


def test_the_package_has_a_version():
    from importlib.metadata import version

    assert maskwright.__version__ == version("maskwright")


if __name__ == "__main__":
    STUBS.write_text(with_documentation(STUBS.read_text(encoding="utf-8")), encoding="utf-8")
