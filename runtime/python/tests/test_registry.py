"""A registry answers requests with matchers whose masks are those of the compiled grammar, before and after there are tables."""

import gc
import os
import random
import select
import signal
import threading
import time

import maskwright
import pytest
from conftest import ids_of

np = pytest.importorskip("numpy")

SCHEMAS = [
    {"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": ["x", 1]}}, "required": ["a"]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 4},
    {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}, "additionalProperties": False}}},
]
TOOLS = [
    {"name": "now", "inputSchema": {"type": "object", "properties": {}}},
    {"name": "search", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}, "most": {"type": "integer"}}, "required": ["text"]}},
    {"name": "switch", "inputSchema": {"type": "object", "properties": {"on": {"type": "boolean"}}, "required": ["on"]}},
]
CALLS = [
    b'Let me see.\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    b'<tool_call>\n{"name": "search", "arguments": {"text": "a \\" b", "most": 12}}\n</tool_call>\n<tool_call>\n{"name": "switch", "arguments": {"on": true}}\n</tool_call>',
]


@pytest.fixture(scope="module")
def registry(cl100k_compiler):
    return maskwright.Registry(cl100k_compiler, depth=16, threads=1)


def compare(served, plain, choose, steps=40):
    """Walks a random text."""
    row = np.full((1, served.mask_words + 2), -1, dtype=np.int32)
    expected = np.zeros_like(row)
    for step in range(steps):
        served.fill(row)
        plain.fill(expected)
        assert (row == expected).all(), step
        assert served.is_complete() == plain.is_complete()
        assert served.is_finished() == plain.is_finished()
        allowed = ids_of(row[0])
        if not allowed:
            break
        token = choose.choice(allowed)
        assert served.accept_token(token) and plain.accept_token(token)
    assert served.is_finished() == plain.is_finished()


def tokens_of(vocabulary, text):
    """A text in tokens, each the longest that fits."""
    by_bytes = {token: id for id, token in enumerate(vocabulary.tokens()) if token}
    longest = max(map(len, by_bytes))
    ids = []
    while text:
        length = max(length for length in range(1, min(len(text), longest) + 1) if text[:length] in by_bytes)
        ids.append(by_bytes[text[:length]])
        text = text[length:]
    return ids


@pytest.mark.parametrize("at", range(len(SCHEMAS)))
def test_masks_of_schemas(registry, cl100k_compiler, at):
    grammar = cl100k_compiler.schema(SCHEMAS[at])
    handle = registry.get(schema=SCHEMAS[at])
    assert not handle.is_linked()
    for seed in range(4):
        # The first may be asked before there are tables, the last are asked after.
        if seed == 2:
            handle.wait()
            assert handle.is_ready()
        compare(handle.matcher(), maskwright.Matcher(grammar, depth=16), random.Random(seed))


@pytest.mark.parametrize("wait", [False, True])
@pytest.mark.parametrize("text", CALLS)
def test_masks_of_tools(cl100k, cl100k_compiler, text, wait):
    registry = maskwright.Registry(cl100k_compiler, depth=16, threads=1)
    handle = registry.get(tools=TOOLS, format="qwen_3", parallel_tool_calls=True)
    assert handle.is_linked()
    if wait:
        handle.wait()
        assert handle.is_ready()
    served = handle.matcher()
    plain = maskwright.Matcher(cl100k_compiler.tools(TOOLS, "qwen_3", parallel_tool_calls=True), depth=16)
    row, expected = np.zeros((2, 1, served.mask_words), dtype=np.int32)
    for token in tokens_of(cl100k, text):
        served.fill(row)
        plain.fill(expected)
        assert (row == expected).all()
        assert served.forced_bytes() == plain.forced_bytes()
        assert served.accept_token(token) and plain.accept_token(token)
    assert served.is_complete()
    compare(served, plain, random.Random(5), steps=8)


def test_the_methods_of_a_matcher(registry, cl100k):
    for handle in (registry.get(tools=TOOLS, format="qwen_3"), registry.get(ebnf='root ::= "<tool_call>" | "<tool" [a-z]+')):
        matcher = handle.matcher()
        assert matcher.vocabulary is cl100k
        assert matcher.mask_words == -(-cl100k.size // 32)
        tokens = tokens_of(cl100k, b"<tool_call>")
        assert len(tokens) > 1
        assert matcher.validate(tokens + [cl100k.eos[0]] * 2) >= len(tokens)
        before = matcher.allowed_tokens()
        assert matcher.accept_draft(tokens) == len(tokens)
        after = matcher.allowed_tokens()
        fork = matcher.fork()
        matcher.rollback(len(tokens))
        assert matcher.allowed_tokens() == before != after == fork.allowed_tokens()
        with pytest.raises(ValueError, match="are kept"):
            matcher.rollback(1)
        assert matcher.accept_bytes(b"<tool")
        assert matcher.forced_tokens() == matcher.forced_tokens(limit=4096)
        again = handle.matcher_from_bytes(matcher.to_bytes())
        assert again.allowed_tokens() == matcher.allowed_tokens()
        assert again.accept_bytes(b"_call>") == matcher.fork().accept_bytes(b"_call>")
        with pytest.raises(maskwright.TablesError):
            handle.matcher_from_bytes(matcher.to_bytes()[:-1])
        assert not matcher.accept_token(cl100k.size + 7)
        matcher.reset()
        assert matcher.allowed_tokens() == before
        assert "ServedMatcher" in repr(matcher) and "Handle" in repr(handle)


def test_drafts_longer_than_the_history(registry):
    matcher = registry.get(regex="a+!").matcher()
    a = ord("a") - ord("!")  # cl100k_base begins with the bytes that are printed, from `!` on
    assert registry.vocabulary.bytes(a) == b"a"
    assert matcher.validate([a] * 600) == 600
    assert not matcher.is_complete()
    with pytest.raises(ValueError):
        matcher.rollback(1)
    assert matcher.accept_draft([a] * 600) == 600
    matcher.rollback(256)
    with pytest.raises(ValueError):
        matcher.rollback(345)


def test_buffers_are_checked(registry):
    matcher = registry.get(regex="a").matcher()
    with pytest.raises(ValueError, match="words"):
        matcher.fill(np.zeros(3, dtype=np.int32))
    with pytest.raises(IndexError):
        matcher.fill(np.zeros((2, matcher.mask_words), dtype=np.int32), row=2)
    with pytest.raises(BufferError):
        matcher.fill(np.zeros(matcher.mask_words, dtype=np.int64))


def test_a_batch_of_both_kinds(registry, cl100k_compiler):
    grammar = cl100k_compiler.schema(SCHEMAS[0])
    matchers = [registry.get(schema=SCHEMAS[0]).matcher(), maskwright.Matcher(grammar), registry.get(tools=TOOLS, format="qwen_3").matcher()]
    words = grammar.mask_words
    expected = np.zeros((3, words), dtype=np.int32)
    for at, matcher in enumerate(matchers):
        matcher.fill(expected, row=at)
    rows = np.full((3, words), -1, dtype=np.int32)
    maskwright.fill_batch(matchers, rows, rows=[2, 1, 0])
    assert (rows[::-1] == expected).all()
    shared = np.full((4, words), -1, dtype=np.int32)
    pool = maskwright.MaskPool(shared)
    for _ in range(2):
        index, written = pool.rows_of(matchers)
        assert (shared[index] == expected).all()
        assert set(written) <= set(index)
    with pytest.raises(RuntimeError):
        maskwright.fill_batch([matchers[0], matchers[0]], rows)
    with pytest.raises(ValueError):
        maskwright.fill_batch([matchers[0]], np.zeros((1, 3), dtype=np.int32))
    with pytest.raises(TypeError):
        maskwright.fill_batch([grammar], rows)


def test_what_is_asked_for_again_is_there(cl100k_compiler):
    registry = maskwright.Registry(cl100k_compiler, threads=1)
    registry.get(tools=TOOLS, format="qwen_3").wait()
    first = registry.metrics()
    assert first["misses"] == 1 + len(TOOLS) and first["hits"] == 0
    handle = registry.get(tools=TOOLS[::-1] + [{"name": "later", "inputSchema": TOOLS[0]["inputSchema"]}], format="qwen_3")
    handle.wait()
    second = registry.metrics()
    # Two tools of this request have one schema, and so one piece.
    assert second["misses"] == first["misses"] and second["hits"] == 1 + len(TOOLS)
    assert second["bytes"] > 0
    # What `wait` has compiled is taken out of the queue when a thread comes to it.
    end = time.monotonic() + 60
    while registry.metrics()["queued"] and time.monotonic() < end:
        time.sleep(0.01)
    assert registry.metrics()["queued"] == 0
    assert all(isinstance(number, (int, float)) for number in second.values())
    counts = {"hits", "misses", "evictions", "compiled", "refused", "failed", "at_once", "cancelled", "stopped", "queued", "entries", "first_tier_masks"}
    counts |= {"first_tier_matchers"}
    others = {"bytes", "bytes_not_compiled", "first_tier_bytes", "files_refused", "compile_time", "longest_compile"}
    assert set(second) == counts | others


def test_little_room(cl100k_compiler):
    registry = maskwright.Registry(cl100k_compiler, bytes=1, threads=1)
    for at in range(8):
        registry.get(regex=f"a{{{at + 1}}}").wait()
    assert registry.metrics()["evictions"] > 0


def test_a_folder_that_processes_share(small, tmp_path):
    for _ in range(2):
        registry = maskwright.Registry(small, folder=tmp_path / "parts", threads=1)
        handle = registry.get(tools=TOOLS, format="qwen_3")
        handle.wait()
        assert handle.matcher().accept_bytes(CALLS[0])
    assert list((tmp_path / "parts").iterdir())


def test_a_folder_that_others_can_write_to(small, tmp_path):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    registry = maskwright.Registry(small, folder=folder, threads=1)
    registry.get(tools=TOOLS, format="qwen_3").wait()
    warnings = registry.warnings()
    assert any(str(folder) in warning and "not safe" in warning for warning in warnings), warnings
    assert registry.warnings() == []


def test_grammars_that_have_no_tables(registry):
    """Each reading of these needs a stack of its own. The registry serves them all the same."""
    palindromes = 'root ::= "a" root "a" | "b" root "b" | ""'
    handle = registry.get(ebnf=palindromes)
    early = handle.matcher()
    assert early.accept_bytes(b"ab")
    handle.wait()
    assert early.accept_bytes(b"ba") and early.is_complete()
    matcher = handle.matcher()
    assert matcher.accept_bytes(b"abba") and matcher.is_complete()
    assert matcher.accept_bytes(b"b") and not matcher.is_complete()
    ambiguous = registry.get(ebnf='root ::= x "c"\nx ::= x x | y "b" | "a" | ""\ny ::= x')
    ambiguous.wait()
    matcher = ambiguous.matcher()
    assert matcher.accept_bytes(b"ab" * 300) and not matcher.is_complete()
    assert matcher.accept_bytes(b"c") and matcher.is_complete()


def test_refused_requests(registry):
    with pytest.raises(maskwright.GrammarError) as raised:
        registry.get(ebnf="root ::= missing").matcher()
    assert raised.value.code == "undefined-rule" and raised.value.line == 1
    tools = [{"name": "odd", "inputSchema": {"type": "object", "properties": {"a": {"type": "nothing"}}}}]
    with pytest.raises(maskwright.GrammarError, match="nothing"):
        registry.get(tools=tools, format="qwen_3").wait()
    with pytest.raises(maskwright.GrammarError):
        registry.get(tools=TOOLS, format="no_such_format")


@pytest.mark.parametrize(
    "call",
    [
        lambda matcher: matcher.accept_token(65),
        lambda matcher: matcher.accept_bytes(b"A"),
        lambda matcher: matcher.accept_draft([65]),
        lambda matcher: matcher.validate([65]),
        lambda matcher: matcher.rollback(1),
        lambda matcher: matcher.allowed_tokens(),
        lambda matcher: matcher.forced_bytes(),
    ],
)
def test_a_refusal_between_two_calls_is_raised(cl100k_compiler, call):
    registry = maskwright.Registry(cl100k_compiler, threads=0)
    # Too long to be read when the request comes. No other tool can be called.
    schema = {"type": "object", "description": "a" * 20_000, "properties": {"a": {"type": "nothing"}}}
    handle = registry.get(tools=[{"name": "odd", "inputSchema": schema}], format="qwen_3")
    matcher = handle.matcher()
    assert matcher.accept_token(65) and matcher.allowed_tokens()
    with pytest.raises(maskwright.GrammarError, match="nothing"):
        handle.wait()
    for _ in range(2):
        with pytest.raises(maskwright.GrammarError, match="nothing"):
            call(matcher)
    assert not matcher.is_finished()


@pytest.mark.parametrize(
    "request_, error, what",
    [
        ({}, TypeError, "exactly one"),
        ({"schema": {}, "regex": "a"}, TypeError, "exactly one"),
        ({"tools": TOOLS}, TypeError, "format"),
        ({"regex": "a", "root": "b"}, ValueError, "root"),
        ({"ebnf": "root ::= 'a'", "roots": "b"}, ValueError, "roots"),
        ({"ebnf": "root ::= 'a'", "root": 3}, TypeError, "root"),
        ({"lark": 'start: "a"', "root": "b"}, ValueError, "root"),
        ({"lark": 'start: "a"', "lexer": "greedy"}, ValueError, "expected one of"),
        ({"lark": 'start: "a"', "start": 3}, TypeError, "start"),
        ({"schema": {}, "white": 1}, ValueError, "white"),
        ({"structural_tag": {}, "spelled": "no"}, TypeError, "spelled"),
    ],
)
def test_what_is_no_request(registry, request_, error, what):
    with pytest.raises(error, match=what):
        registry.get(**request_)


def test_what_is_no_registry(cl100k):
    with pytest.raises(TypeError, match="Compiler"):
        maskwright.Registry("cl100k_base")
    with pytest.raises(OverflowError):
        maskwright.Registry(cl100k, bytes=-1)


def test_options_of_requests(registry):
    ebnf = registry.get(ebnf='start ::= "x"', root="start").matcher()
    assert ebnf.forced_bytes() == b"x"
    compact = registry.get(schema=SCHEMAS[1], whitespace="compact").matcher()
    assert compact.accept_bytes(b"[1,2]") and not compact.accept_bytes(b" ")
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "content": {"type": "const_string", "value": "b"}, "end": "</a>"}}
    assert registry.get(structural_tag=tag, spelled=True).matcher().forced_bytes() == b"<a>b</a>"


def test_lark_grammars_wait_for_their_tables(registry, cl100k_compiler):
    text = 'begin: "if" NAME | NAME "=" NAME\nNAME: /[a-z]{1,9}/\n%llguidance {"ignore_once": true}\n%ignore " "\n'
    options = {"lexer": "contextual", "start": ["begin"]}
    handle = registry.get(lark=text, **options)
    matcher = handle.matcher()
    plain = maskwright.Matcher(cl100k_compiler.lark(text, **options))
    compare(matcher, plain, random.Random(7))
    assert handle.is_ready() and not handle.is_linked()
    with pytest.raises(maskwright.GrammarError, match="nothing"):
        registry.get(lark="start: nothing").matcher()


def test_threads(registry, cl100k):
    """Many threads ask for the same and for different things; the interpreter is not held up by a compile."""
    wrong = []

    def serve(seed):
        choose = random.Random(seed)
        row = np.zeros(-(-cl100k.size // 32), dtype=np.int32)
        try:
            for _ in range(10):
                matcher = registry.get(schema={"enum": [f"{choose.randrange(20)} of them"]}).matcher()
                while not matcher.is_finished():
                    matcher.fill(row)
                    assert matcher.accept_token(choose.choice(ids_of(row)))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=serve, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_the_interpreter_goes_on_while_something_is_compiled(registry):
    """Waiting for a schema that takes a while holds no other thread up, nor does the first mask."""
    schema = {"type": "object", "properties": {f"p{at}": {"type": "string", "pattern": f"^[a-z]{{{at + 3}}}$"} for at in range(40)}}
    handle = registry.get(schema=schema)
    state = []

    def wait():
        state.append("begun")
        handle.wait()
        state.append("done")

    thread = threading.Thread(target=wait)
    thread.start()
    ticks = 0
    while len(state) < 2:
        ticks += len(state) == 1
        time.sleep(0.001)
    thread.join()
    assert handle.is_ready() and ticks > 5


def test_a_handle_outlives_its_registry(cl100k_compiler):
    registry = maskwright.Registry(cl100k_compiler, threads=1)
    handle = registry.get(schema=SCHEMAS[0])
    matcher = handle.matcher()
    del registry
    assert matcher.accept_bytes(b'{"a": "') and handle.matcher().accept_bytes(b"{")
    handle.wait()
    assert matcher.accept_bytes(b'b"') and handle.is_ready()


def in_a_child(body):
    """What `body` returns in a forked child, as text; None if the child does not end within a minute."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = body()
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writer, str(said).encode())
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 60)
    said = os.read(reader, 4096).decode() if ready else None
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return said


def refused_in_a_child(body):
    said = in_a_child(body)
    assert said is not None, "the child waits for ever"
    return said.startswith("RuntimeError") and "fork" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_is_told_what_it_cannot_use(small):
    compiler = maskwright.Compiler(small)
    grammar = compiler.regex("[a-c]+")
    registry = maskwright.Registry(compiler)
    handle = registry.get(regex="[a-c]+d")
    matcher = handle.matcher()
    row = np.zeros((1, grammar.mask_words), dtype=np.int32)
    for body in (
        lambda: registry.get(regex="a"),
        registry.metrics,
        handle.wait,
        handle.matcher,
        handle.is_ready,
        lambda: matcher.accept_bytes(b"a"),
        matcher.allowed_tokens,
        matcher.is_complete,
        matcher.fork,
        lambda: maskwright.fill_batch([matcher], row),
        lambda: maskwright.MaskPool(row).rows_of([matcher]),
        # A registry works with the compiler's locks.
        lambda: compiler.regex("a"),
    ):
        assert refused_in_a_child(body)

    def what_waits_for_nothing():
        plain = maskwright.Matcher(grammar)
        return plain.accept_bytes(b"ab") and len(plain.allowed_tokens())

    def made_in_the_child():
        made = maskwright.Registry(maskwright.Compiler(small)).get(regex="[a-c]+d")
        made.wait()
        return made.matcher().accept_bytes(b"abd")

    def dropped():
        nonlocal registry, handle, matcher
        del registry, handle, matcher
        gc.collect()
        return True

    assert in_a_child(what_waits_for_nothing) not in (None, "0", "False")
    assert in_a_child(made_in_the_child) == "True"
    assert in_a_child(dropped) == "True"
    # The parent goes on.
    assert matcher.accept_bytes(b"abd")
    alone = maskwright.Compiler(small)
    assert in_a_child(lambda: alone.regex("a").mask_words) == str(grammar.mask_words)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forks_beside_busy_threads_end(small):
    compiler = maskwright.Compiler(small, 1)
    registry = maskwright.Registry(compiler, threads=2)
    ends = threading.Event()

    def busy(first):
        number = first
        while not ends.is_set():
            handle = registry.get(regex=f"[a-z]{{1,20}}{number}")
            matcher = handle.matcher()
            matcher.accept_bytes(b"ab")
            matcher.allowed_tokens()
            handle.wait()
            number += 2

    threads = [threading.Thread(target=busy, args=(first,)) for first in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(15):
            assert refused_in_a_child(lambda: registry.get(regex="a"))
            assert refused_in_a_child(lambda: compiler.regex("a"))
    finally:
        ends.set()
        for thread in threads:
            thread.join()


def test_warnings_of_requests(small, recwarn):
    """A registry warns where it is asked to."""
    request = {"schema": {"type": "string", "format": "datetime"}}
    maskwright.Registry(small).get(**request)
    assert not recwarn.list
    registry = maskwright.Registry(small, warn=True)
    with pytest.warns(maskwright.GrammarWarning, match="did you mean `date-time`") as caught:
        registry.get(**request)
    assert caught[0].filename == __file__
    registry.get(regex="a")
