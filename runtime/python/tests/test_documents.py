"""Documents that texts name: no text of a request opens a file, unless the caller gives a folder of documents."""

import json
import os
import threading

import maskwright
import pytest

SECRET = "7f3a secret"
TOOLS = [{"name": "lamp", "inputSchema": {"type": "object", "properties": {}}}]


@pytest.fixture(scope="module")
def registry(small):
    return maskwright.Registry(small)


@pytest.fixture
def folder(tmp_path):
    """A folder with documents, and a secret beside it."""
    inner = tmp_path / "inner"
    (inner / "sub").mkdir(parents=True)
    (tmp_path / "secret.json").write_text(json.dumps({"const": SECRET}))
    (tmp_path / "secret.ebnf").write_text(f"root ::= ({SECRET}")
    (inner / "list.ebnf").write_text('root ::= "[" grammar("sub/item.ebnf")* "]"')
    (inner / "sub/item.ebnf").write_text('root ::= "i" | grammar("../list.ebnf")')
    (inner / "one.json").write_text('{"const": 1}')
    return inner


def tag(grammar):
    return {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "content": {"type": "grammar", "grammar": grammar}, "end": "</a>"}}


def ways(compiler, registry, grammar):
    """All ways in which a grammar reaches the compiler."""

    def served(**request):
        handle = registry.get(**request)
        handle.wait()
        return handle.matcher()

    yield lambda **folder: compiler.ebnf(grammar, **folder)
    yield lambda **folder: compiler.structural_tag(tag(grammar), **folder)
    yield lambda **folder: compiler.to_ebnf(ebnf=grammar, **folder)
    yield lambda **folder: compiler.to_ebnf(structural_tag=tag(grammar), **folder)
    yield lambda **folder: served(ebnf=grammar, **folder)
    yield lambda **folder: served(structural_tag=tag(grammar), **folder)


def at_once(call):
    """Fails if a call takes long: it has opened what makes readers wait."""
    raised = []

    def run():
        try:
            call()
        except Exception as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive(), "it waits"
    return raised[0]


def test_without_a_folder_no_document_is_read(compiler, registry, folder):
    os.mkfifo(folder / "pipe")
    absolute = [str(folder.parent / name) for name in ("secret.json", "secret.ebnf", "inner/one.json", "inner/pipe")]
    for name in [*absolute, "pyproject.toml", "../../Cargo.toml", "/etc/passwd", "/dev/zero", "/proc/self/environ"]:
        for call in (f'json_schema("{name}")', f'grammar("{name}")'):
            for way in ways(compiler, registry, f"root ::= {call}"):
                error = at_once(way)
                assert isinstance(error, maskwright.GrammarError), error
                assert error.code == "no-documents" and error.line == 1, error
                assert SECRET not in str(error)


def test_a_folder_gives_what_lies_in_it(compiler, registry, folder):
    grammar = 'root ::= grammar("list.ebnf") json_schema("one.json")'
    for path in (folder, str(folder)):
        matcher = maskwright.Matcher(compiler.ebnf(grammar, folder=path))
        assert matcher.accept_bytes(b"[i[]i]1") and not matcher.accept_bytes(b"1")
        matcher = registry.get(structural_tag=tag(grammar), folder=path).matcher()
        assert matcher.accept_bytes(b"<a>[i]1</a>")
    for way in ways(compiler, registry, grammar):
        way(folder=folder)


def test_a_folder_gives_nothing_else(compiler, registry, folder):
    os.mkfifo(folder / "pipe")
    (folder / "link.json").symlink_to("../secret.json")
    (folder / "out").symlink_to("..")
    (folder / "long.json").write_text(" " * (17 << 20))
    refused = ["../secret.json", "..", "sub/../../secret.json", "sub/../one.json", str(folder.parent / "secret.json"), str(folder / "one.json")]
    refused += ["/dev/zero", "..\\\\secret.json", "C:one.json", "pipe", "link.json", "out/secret.json", "sub", "none.json"]
    for name in refused:
        for way in ways(compiler, registry, f'root ::= json_schema("{name}")'):
            error = at_once(lambda: way(folder=folder))
            assert error.code == "unreadable-grammar", (name, error)
            assert SECRET not in str(error)
    with pytest.raises(maskwright.GrammarError) as raised:
        compiler.ebnf('root ::= json_schema("long.json")', folder=folder)
    assert raised.value.code == "limit-exceeded"
    for name in ("zero", "tty"):
        error = at_once(lambda: compiler.ebnf(f'root ::= grammar("{name}")', folder="/dev"))
        assert error.code == "unreadable-grammar"


def test_a_name_of_a_format_opens_no_file(compiler, registry, folder):
    path = str(folder.parent / "secret.json")
    for name in (path, "/etc/passwd", "../secret.json", "secret.json", "/dev/zero"):
        for make in (lambda: compiler.tools(TOOLS, name), lambda: registry.get(tools=TOOLS, format=name), lambda: compiler.to_ebnf(tools=TOOLS, format=name)):
            with pytest.raises(maskwright.GrammarError) as raised:
                make()
            assert raised.value.code == "tool-format"
            assert raised.value.message == f"there is no format `{name}`"
            assert SECRET not in str(raised.value)


def test_a_format_in_a_file(compiler, registry, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"call": "CALL {{name}} {{arguments}}"}))
    for given in (path, str(path)):
        grammar = compiler.tools(TOOLS, format_file=given, tool_choice="required")
        assert maskwright.Matcher(grammar).accept_bytes(b"CALL lamp {}")
        assert registry.get(tools=TOOLS, format_file=given).matcher().accept_bytes(b"CALL lamp {}")
    for given in ({}, {"format": "hermes", "format_file": path}, {"format": path}):
        for make in (compiler.tools, lambda tools, **given: registry.get(tools=tools, **given)):
            with pytest.raises(TypeError, match="format"):
                make(TOOLS, **given)
    os.mkfifo(tmp_path / "pipe.json")
    error = at_once(lambda: compiler.tools(TOOLS, format_file=tmp_path / "pipe.json"))
    assert error.code == "tool-format" and "no regular file" in error.message


def test_documents_of_schemas_are_regular_files(compiler, folder):
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("../secret.json")
    documents = [f"{folder}=http://a.org/"]
    compiler.schema({"$ref": "http://a.org/one.json"}, documents=documents)
    for name in ("pipe", "link", "sub", "../secret.json", "%2e%2e/secret.json", "..%2fsecret.json"):
        error = at_once(lambda: compiler.schema({"$ref": f"http://a.org/{name}"}, documents=documents))
        assert error.code == "schema-other-document", (name, error)
        assert SECRET not in str(error)
    for reference in (str(folder / "one.json"), f"file://{folder}/one.json", "one.json"):
        with pytest.raises(maskwright.GrammarError) as raised:
            compiler.schema({"$ref": reference})
        assert raised.value.code == "schema-other-document"


def test_a_vocabulary_is_a_regular_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "ranks.tiktoken").write_text("YQ== 0\n")
    calls = [lambda: maskwright.Vocabulary.from_file(path) for path in (tmp_path / "pipe", "/dev/zero")]
    calls.append(lambda: maskwright.Vocabulary.from_file(tmp_path / "ranks.tiktoken", special=tmp_path / "pipe"))
    for call in calls:
        error = at_once(call)
        assert isinstance(error, maskwright.VocabularyError) and "no regular file" in str(error)


@pytest.mark.parametrize("call", ['grammar("/etc/passwd")', 'json_schema("/dev/zero")', 'grammar("pyproject.toml")'])
def test_the_layer_of_xgrammar_reads_no_documents(call):
    pytest.importorskip("numpy")
    import maskwright.xgrammar as xgr

    tokens = [bytes([byte]) for byte in range(256)] + [b"</s>"]
    compiler = xgr.GrammarCompiler(xgr.TokenizerInfo(tokens, stop_token_ids=[256]))
    grammar = f"root ::= {call}"
    makes = [
        lambda: xgr.Grammar.from_ebnf(grammar),
        lambda: compiler.compile_grammar(grammar),
        lambda: compiler.compile_structural_tag(json.dumps(tag(grammar))),
        lambda: xgr.Grammar.from_structural_tag(tag(grammar)),
    ]
    for make in makes:
        assert "no-documents" in str(at_once(make))
