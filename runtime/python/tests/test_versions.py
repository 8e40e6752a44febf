"""Versions of engines stand in one file, so that a new one is written in one place."""

import json
import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
VERSIONS = HERE / "engines" / "versions.json"
# Records of what was run, and lists for pip, name versions of their own.
RECORDS = {"results.md", "requirements.txt"}
NAMED = re.compile(r"\b(vLLM|SGLang|XGrammar|xgrammar|vllm|sglang)[ `=]+v?(\d+\.\d+(\.\d+)?)")


def documents():
    """The files that speak of engines."""
    found = [HERE / "README.md", HERE.parents[1] / "docs" / "engines-python.md"]
    for folder in ("python", "tests", "engines"):
        found += [path for path in sorted((HERE / folder).rglob("*")) if path.suffix in (".py", ".md", ".txt") and path.name not in RECORDS]
    return [path for path in found if path.is_file()]


def test_versions_are_stated_once():
    if not VERSIONS.is_file():
        pytest.skip("the engines' tests are not here")
    assert set(json.loads(VERSIONS.read_text())) == {"vllm", "sglang", "transformers", "xgrammar"}
    named = {path.name: match[0] for path in documents() for match in [NAMED.search(path.read_text(encoding="utf-8"))] if match}
    assert not named, f"{VERSIONS.name} says the versions: {named}"
