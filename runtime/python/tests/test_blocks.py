"""Every block of Python in the documents is run, in order, as it stands there. What a document leaves to its reader is set up here."""

import json
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import maskwright
import pytest

np = pytest.importorskip("numpy")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("pydantic")

ROOT = Path(__file__).parents[3]
FILES = ROOT / "tests" / "documents"
PYTHON = ROOT / "runtime" / "python" / "README.md"
if not FILES.exists():
    pytest.skip("the documents are not here", allow_module_level=True)
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), PYTHON]


def blocks(document, language):
    """The blocks of a language."""
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


class Tokenizer:
    """As a fast tokenizer of transformers is read."""

    pad_token_id = eos_token_id = 257
    chat_template = "{{ messages }}"

    def __init__(self):
        self.backend_tokenizer = tokenizers.Tokenizer.from_file("tokenizer.json")

    def apply_chat_template(self, messages, **options):
        assert messages[0]["role"] == "user" and options["add_generation_prompt"]
        return {"input_ids": np.array([[65]])}

    def decode(self, ids, skip_special_tokens):
        """The token of a byte is the byte."""
        assert skip_special_tokens
        return bytes(id for id in ids if id < 256).decode()


WRITTEN = [b'{"age": 7}', b"true", b'{"name": "Ada", "age": 36}']


def pick(allowed, at):
    """The next token of a text that a model would write; the end behind it."""
    tokens = [text[at] if at < len(text) else 256 for text in WRITTEN]
    return next(token for token in tokens if allowed(token))


class Model:
    """A model that writes one of a few texts."""

    config = types.SimpleNamespace(vocab_size=300)

    def generate(self, input_ids, logits_processor, max_new_tokens=64):
        for at in range(max_new_tokens):
            scores = np.zeros((len(input_ids), self.config.vocab_size), dtype=np.float32)
            for processor in logits_processor:
                scores = processor(input_ids, scores)
            chosen = pick(lambda token: scores[0, token] > -np.inf, at)
            input_ids = np.concatenate([input_ids, [[chosen]]], axis=1)
            if chosen == 256:
                break
        return input_ids


def choose(row, text):
    """The token that the model writes behind a text, as far as the mask allows it."""
    return pick(lambda token: int(row[token // 32]) >> token % 32 & 1, len(text))


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What a reader of the documents has."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(FILES / "tokenizer.json", "tokenizer.json")
    Path("grammars").mkdir()
    Path("my_format.json").write_text(blocks(ROOT / "docs" / "tool-calls.md", "json")[0])
    transformers = types.ModuleType("transformers")
    transformers.AutoTokenizer = types.SimpleNamespace(from_pretrained=lambda _: Tokenizer())
    transformers.AutoModelForCausalLM = types.SimpleNamespace(from_pretrained=lambda _: Model())
    monkeypatch.setitem(sys.modules, "transformers", transformers)
    grammar = maskwright.Compiler(maskwright.Vocabulary.from_file("tokenizer.json")).regex("[ab]{0,9}")
    return {
        "choose": choose,
        "confirmed": 1,
        "device_rows": np.zeros((128, grammar.mask_words), dtype=np.int32),
        "draft": [ord("{"), ord('"')],
        "inputs": {"input_ids": np.array([[65]])},
        "matchers": [maskwright.Matcher(grammar) for _ in range(3)],
        "model": Model(),
        "schema": {"type": "boolean"},
        "tag": {"format": {"type": "const_string", "value": "yes"}},
        "text": 'root ::= "yes"',
        "to_device": np.copy,
        "tokenizer": Tokenizer(),
        "tools": json.loads((FILES / "tools.json").read_text()),
    }


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_the_blocks_of_a_document_run(document, names):
    given = dict(names)
    for block in blocks(document, "python"):
        # A block may change what the document leaves to its reader, for itself.
        names |= given
        exec(compile(block, f"{document.name}: {block.splitlines()[0]}", "exec"), names)


def test_there_are_blocks():
    assert sum(len(blocks(document, "python")) for document in DOCUMENTS) >= 12


def test_the_script_that_the_command_line_writes_runs(tmp_path):
    """`maskwright init --python` writes these files."""
    templates = ROOT / "grammar-compiler" / "cli" / "src" / "init" / "templates"
    (tmp_path / "schemas").mkdir()
    shutil.copy(templates / "trip.json", tmp_path / "schemas" / "trip.json")
    script = shutil.copy(templates / "python" / "main.py", tmp_path / "main.py")
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    trip = json.loads(run.stdout)
    assert trip.keys() == {"city", "days"} and 1 <= trip["days"] <= 7
