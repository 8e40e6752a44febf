"""What engines import of XGrammar, as their sources say, against what the layer has.

The sources are those of `MASKWRIGHT_ENGINES`, a folder with the packages `vllm` and `sglang`, or of what is installed.
"""

import ast
import importlib.util
from pathlib import Path

import engine_interfaces
import maskwright.xgrammar
import pytest

# Names of XGrammar's methods that are called on its classes.
CLASSES = ["Grammar", "GrammarCompiler", "StructuralTag", "TokenizerInfo", "VocabType"]


def sources(engine):
    """The files of an engine that name xgrammar."""
    folder = Path(engine_interfaces.FOLDER or "/nowhere", engine)
    if not folder.is_dir():
        found = importlib.util.find_spec(engine)
        if found is None or not found.submodule_search_locations:
            pytest.skip(f"needs the sources of {engine}")
        folder = Path(found.submodule_search_locations[0])
    return {path: text for path in sorted(folder.rglob("*.py")) if "xgrammar" in (text := path.read_text(errors="replace"))}


def used(text):
    """What a file uses: names that it imports from xgrammar and its modules, attributes of the module, and attributes of its classes."""
    modules, names, found = set(), {}, set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name for alias in node.names if alias.name == "xgrammar"}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "xgrammar" and not node.level:
            inner = node.module.partition(".")[2]
            for alias in node.names:
                name = f"{inner}.{alias.name}" if inner else alias.name
                found.add(name)
                names[alias.asname or alias.name] = name
        elif isinstance(node, ast.Assign) and "LazyLoader" in ast.dump(node.value) and "xgrammar" in ast.dump(node.value):
            modules |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and "(" not in (text := ast.unparse(node)):
            path = text.split(".")
            if path[0] in modules and len(path) > 1:
                found.add(".".join(path[1:]))
            elif names.get(path[0]) in CLASSES:
                found.add(".".join([names[path[0]], *path[1:]]))
    return found


def has(name):
    """Whether the layer has it; documents of requests are the package's."""
    found = maskwright.xgrammar
    for part in name.split("."):
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_the_layer_has_what_engines_use(engine):
    pytest.importorskip("xgrammar")
    files = sources(engine)
    names = {name: path for path, text in files.items() for name in used(text)}
    assert {"Grammar.from_regex", "StructuralTag"} <= set(names), "the sources are read in another way than they are written"
    missing = {name for name in names if not has(name)}
    assert not missing, {name: str(names[name]) for name in missing}
