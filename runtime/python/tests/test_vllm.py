"""The adapter for vLLM, under the engine's order of calls."""

import importlib.util
import json
import random
import sys
from types import SimpleNamespace

import engine_interfaces
import maskwright
import pytest
from conftest import EOS, ids_of

np = pytest.importorskip("numpy")


@pytest.fixture(params=["copy", "real"])
def engine(request, monkeypatch):
    if request.param == "real" and not (engine_interfaces.FOLDER and importlib.util.find_spec("torch")):
        pytest.skip("needs MASKWRIGHT_ENGINES and torch")
    adapter, manager = engine_interfaces.vllm(monkeypatch, request.param)
    return SimpleNamespace(adapter=adapter, manager=manager, kinds=adapter.StructuredOutputOptions, kind=request.param)


def config(**options):
    outputs = SimpleNamespace(disable_any_whitespace=False, disable_additional_properties=False)
    outputs.__dict__.update(options)
    return SimpleNamespace(structured_outputs_config=outputs)


@pytest.fixture
def backend(engine, small):
    return engine.adapter.MaskwrightBackend(config(), small, 300)


def manager(engine, backend, rows=16, drafted=4):
    if engine.kind == "copy":
        return engine.manager(backend, rows)
    made = object.__new__(engine.manager)
    made.backend, made._grammar_bitmask = backend, None
    made._full_mask = sys.modules["torch"].tensor(-1, dtype=sys.modules["torch"].int32)
    made.enable_in_reasoning, made.fill_bitmask_parallel_threshold = True, 128
    made.vllm_config = SimpleNamespace(
        num_speculative_tokens=drafted,
        scheduler_config=SimpleNamespace(max_num_seqs=rows // (1 + drafted)),
        model_config=SimpleNamespace(is_diffusion=False),
    )
    return made


def running(grammar):
    return SimpleNamespace(structured_output_request=SimpleNamespace(grammar=grammar), use_structured_output=True, request_id="one")


def texts_of(grammar, texts):
    """Which of these texts the grammar takes as whole ones."""
    found = []
    for text in texts:
        grammar.reset()
        if grammar.accept_tokens("one", list(text.encode())) and grammar.accept_tokens("one", [EOS]):
            assert grammar.is_terminated()
            found.append(text)
    return found


def test_kinds_of_requests(engine, backend, caplog):
    kinds = engine.kinds
    cases = [
        (kinds.JSON, '{"type": "boolean"}', ["true", "false", "1"], ["true", "false"]),
        (kinds.JSON_OBJECT, "", ["{}", '{"a": [1]}', "[]"], ["{}", '{"a": [1]}']),
        (kinds.REGEX, "a+b", ["aab", "b", "ab"], ["aab", "ab"]),
        (kinds.GRAMMAR, 'root ::= "x" root | "y"', ["xxy", "xx", "y"], ["xxy", "y"]),
        (kinds.GRAMMAR, 'start: "x" start | NUM\nNUM: /[0-9]+/\n%ignore " "', ["xx 12", "xx", "7", "1 2"], ["xx 12", "7"]),
        (kinds.GRAMMAR, '%llguidance {}\nstart: "a"~2', ["aa", "a"], ["aa"]),
        (kinds.CHOICE, json.dumps(["on", 'a"\n\\', "é"]), ["on", 'a"\n\\', "é", "off"], ["on", 'a"\n\\', "é"]),
        (
            kinds.STRUCTURAL_TAG,
            json.dumps({"structures": [{"begin": "<f>", "schema": {"type": "boolean"}, "end": "</f>"}], "triggers": ["<f>"]}),
            ["free <f>true</f>", "<f>1</f>", "free"],
            ["free <f>true</f>", "free"],
        ),
    ]
    for kind, text, tried, expected in cases:
        grammar = backend.compile_grammar(kind, text)
        assert isinstance(grammar, engine.adapter.StructuredOutputGrammar)
        assert texts_of(grammar, tried) == expected, kind
    with pytest.raises(ValueError):
        backend.compile_grammar("none of them", "")
    with pytest.raises(ValueError, match="one or more texts"):
        backend.compile_grammar(kinds.CHOICE, "[]")
    with pytest.raises(maskwright.GrammarError):
        backend.compile_grammar(kinds.JSON, '{"type": "nothing"}')
    assert "is not allowed after" in caplog.text


def test_flags_of_the_server(engine, small, monkeypatch):
    kind, schema = engine.kinds.JSON, '{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}'
    texts = ['{"a":true}', '{"a": true}', '{\n  "a": true\n}', '{"a":true,"b":1}', '{ "a"  : true }']
    make = engine.adapter.MaskwrightBackend
    assert texts_of(make(config(), small, 300).compile_grammar(kind, schema), texts) == texts
    monkeypatch.setenv("MASKWRIGHT_WHITESPACE", "usual")
    assert texts_of(make(config(), small, 300).compile_grammar(kind, schema), texts) == texts[:4]
    compact = make(config(disable_any_whitespace=True, disable_additional_properties=True), small, 300)
    assert texts_of(compact.compile_grammar(kind, schema), texts) == texts[:1]


def test_stop_tokens_of_a_request(engine, backend):
    other = ord("!")
    grammar = backend.compile_grammar(engine.kinds.REGEX, "a.?", {other})
    masks = backend.allocate_token_bitmask(1)
    assert grammar.accept_tokens("one", [ord("a")])
    grammar.fill_bitmask(masks, 0)
    ids = ids_of(masks[0].tolist())
    assert other in ids and EOS not in ids and ord("b") in ids
    assert grammar.accept_tokens("one", [other]) and grammar.is_terminated()
    again = backend.compile_grammar(engine.kinds.REGEX, "ab", {other})
    assert again.accept_tokens("one", list(b"ab")) and not again.accept_tokens("one", [EOS])
    assert len(backend.registries._kept) == 1
    backend.destroy()


def test_what_was_compiled_is_kept(engine, backend):
    for _ in range(3):
        backend.compile_grammar(engine.kinds.JSON, '{"type": "integer"}')
    metrics = backend.registries.metrics()
    assert (metrics["compiled"], metrics["hits"]) == (1, 2)
    # Other end tokens are another vocabulary.
    backend.compile_grammar(engine.kinds.JSON, '{"type": "integer"}', {7})
    assert backend.registries.metrics()["compiled"] == 2


def test_variables_of_the_environment(engine, small, monkeypatch):
    make = engine.adapter.MaskwrightBackend
    nested, brackets = 'root ::= "[" root? "]"', "[" * 100 + "]" * 100
    assert texts_of(make(config(), small, 300).compile_grammar(engine.kinds.GRAMMAR, nested), [brackets]) == []
    monkeypatch.setenv("MASKWRIGHT_DEPTH", "128")
    monkeypatch.setenv("MASKWRIGHT_BYTES", "1000")
    monkeypatch.setenv("MASKWRIGHT_THREADS", "1")
    monkeypatch.setenv("MASKWRIGHT_TIME", "5.5")
    assert texts_of(make(config(), small, 300).compile_grammar(engine.kinds.GRAMMAR, nested), [brackets]) == [brackets]
    for wrong in ("0", "many", "-3"):
        monkeypatch.setenv("MASKWRIGHT_DEPTH", wrong)
        with pytest.raises(ValueError, match="MASKWRIGHT_DEPTH is a number above 0"):
            make(config(), small, 300)


def test_rows_that_allow_everything(backend):
    masks = backend.allocate_token_bitmask(3)
    assert tuple(masks.shape) == (3, -(-300 // 32)) and masks.tolist() == [[-1] * 10] * 3


def test_a_step_with_drafts(engine, backend):
    """Rows of drafts and behind them are the masks after each token, and the grammars stay where they are."""
    texts = {"a": backend.compile_grammar(engine.kinds.JSON, "true"), "b": backend.compile_grammar(engine.kinds.REGEX, "[ab]{3}")}
    assert texts["a"].accept_tokens("a", list(b'{"'))
    drafts = {"a": list(b"x\":"), "b": [ord("b"), -1, -1]}
    expected = []
    for name, draft in drafts.items():
        matcher = texts[name]._steps.matcher.fork()
        rows = [ids_of(_row(matcher))]
        for at, token in enumerate(draft):
            padded = -1 in draft[: at + 1]
            assert padded or matcher.accept_token(token)
            rows.append(list(range(320)) if padded else ids_of(_row(matcher)))
        expected.append(rows)
    requests = {name: running(grammar) for name, grammar in texts.items()}
    rows = manager(engine, backend).grammar_bitmask(requests, ["a", "b"], drafts)
    # Versions differ in whether the rows of a request fill a block of a fixed size.
    block = len(rows) // 2
    assert [[ids_of(row) for row in rows[at : at + 4]] for at in (0, block)] == expected
    assert texts["a"]._steps.taken == list(b'{"') and texts["b"]._steps.taken == []
    assert manager(engine, backend).validate_tokens(requests["b"], [ord("a"), ord("c"), ord("a")]) == [ord("a")]
    assert manager(engine, backend).validate_tokens(requests["b"], [ord("a"), -1]) == [ord("a")]


def _row(matcher):
    row = np.zeros(10, dtype=np.int32)
    matcher.fill(row)
    return row


def test_a_draft_that_ends_the_text(engine, backend):
    grammar = backend.compile_grammar(engine.kinds.REGEX, "ab?")
    one = manager(engine, backend)
    assert one.accept_tokens(running(grammar), [ord("a")])
    rows = one.grammar_bitmask({"one": running(grammar)}, ["one"], {"one": [EOS]})
    assert ids_of(rows[0]) == [ord("b"), EOS] and (rows[1] == -1).all()
    assert not grammar.is_terminated()
    assert one.accept_tokens(running(grammar), [EOS, 7]) and grammar.is_terminated()
    assert grammar.validate_tokens([EOS]) == []
    grammar.rollback(1)
    assert not grammar.is_terminated() and grammar.validate_tokens([ord("b"), EOS, 3]) == [ord("b"), EOS]
    grammar.reset()
    assert grammar.validate_tokens([ord("b")]) == []


def test_more_is_taken_back_than_the_matcher_keeps(engine, backend):
    grammar = backend.compile_grammar(engine.kinds.GRAMMAR, 'root ::= "(" root ")" root | [a-c] root | ""')
    points, choose = [grammar._steps.matcher.fork()], random.Random(2)
    while len(points) <= 100:
        tokens = [token for token in grammar._steps.matcher.allowed_tokens() if token != EOS]
        assert grammar.accept_tokens("one", [choose.choice(tokens)])
        points.append(grammar._steps.matcher.fork())
    for count in (3, 30, 1, 60, 0, 6):
        grammar.rollback(count)
        points = points[: len(points) - count]
        assert grammar._steps.matcher.allowed_tokens() == points[-1].allowed_tokens()
        assert grammar._steps.matcher.forced_bytes() == points[-1].forced_bytes()
    with pytest.raises(ValueError, match="were to be taken back"):
        grammar.rollback(1)


def test_what_is_wrong_is_answered_before_the_engine(engine, monkeypatch):
    params = {}
    monkeypatch.setattr(sys.modules["vllm.v1.structured_output.request"], "get_structured_output_key", lambda asked: params[asked])
    params["good"] = (engine.kinds.JSON, '{"type": "string", "pattern": "^a+$"}')
    params["bad"] = (engine.kinds.GRAMMAR, "root ::= nothing")
    token = {"type": "token", "token": "<think>"}
    params["tag"] = (engine.kinds.STRUCTURAL_TAG, json.dumps({"type": "structural_tag", "format": token}))
    worse = {"type": "json_schema", "json_schema": {"type": "x"}}
    params["bad tag"] = (engine.kinds.STRUCTURAL_TAG, json.dumps({"type": "structural_tag", "format": worse}))
    params["lark"] = (engine.kinds.GRAMMAR, 'start: <|think|> "x" | /[a-z]+/')
    params["bad lark"] = (engine.kinds.GRAMMAR, 'start: "x" other')
    params["no tag"] = (engine.kinds.STRUCTURAL_TAG, "[]")
    params["no choice"] = (engine.kinds.CHOICE, "[]")
    for good in ("good", "tag", "lark"):  # which tokens there are is not known here
        engine.adapter.validate(SimpleNamespace(structured_outputs=good))
    engine.adapter.validate(SimpleNamespace(structured_outputs=None))
    for bad, message in [("bad", "undefined-rule"), ("bad lark", "lark-invalid"), ("bad tag", "error"), ("no tag", "error"), ("no choice", "one or more")]:
        with pytest.raises(engine_interfaces.VLLMValidationError, match=message):
            engine.adapter.validate(SimpleNamespace(structured_outputs=bad), tokenizer=None)


@pytest.mark.parametrize(("file", "size"), [("tekken_240911.json", 131072), ("mistral_instruct_tokenizer_241114.model.v7", 32768), ("tokenizer.model.v1", 32000)])
def test_tokenizers_of_mistral(engine, file, size):
    """vLLM has a class of its own around one of mistral-common, which has its file."""
    mistral = pytest.importorskip("mistral_common.tokens.tokenizers.mistral")
    from importlib.resources import files

    inner = mistral.MistralTokenizer.from_file(str(files("mistral_common") / "data" / file))
    for tokenizer in (inner, SimpleNamespace(tokenizer=inner.instruct_tokenizer.tokenizer)):
        backend = engine.adapter.MaskwrightBackend(config(), tokenizer, size)
        vocabulary = backend.registries.vocabulary
        assert vocabulary.size == size and vocabulary.eos == [2]
    grammar = backend.compile_grammar(engine.kinds.REGEX, "yes|no")
    ids = inner.instruct_tokenizer.tokenizer.encode("yes", bos=False, eos=False)
    text = b"".join(vocabulary.bytes(id) for id in ids).lstrip()
    assert text == b"yes" and grammar._steps.take(text) and grammar.accept_tokens("one", [2]) and grammar.is_terminated()


def test_a_tensor_is_looked_at_once(backend, monkeypatch):
    torch = pytest.importorskip("torch")
    from maskwright import _masks

    looked = []
    monkeypatch.setattr(_masks, "words_of", lambda masks: looked.append(1) or masks.detach().numpy())
    grammars = [backend.compile_grammar(sys.modules["vllm.v1.structured_output.backend_types"].StructuredOutputOptions.REGEX, text) for text in "ab"]
    masks = backend.allocate_token_bitmask(4)
    for row in range(4):
        grammars[row % 2].fill_bitmask(masks, row)
    assert [ids_of(row) for row in masks.tolist()] == [[97], [98]] * 2 and len(looked) == 1
    for other in (torch.zeros_like(masks), masks[:3]):
        grammars[0].fill_bitmask(other, 2)
        assert ids_of(other[2].tolist()) == [97]
    assert len(looked) == 3
    masks.set_(torch.zeros_like(masks))  # other memory under the same name
    grammars[1].fill_bitmask(masks, 0)
    grammars[0].fill_bitmask(masks, 0)
    assert ids_of(masks[0].tolist()) == [97] and len(looked) == 4


def test_it_takes_the_place_of_a_backend(engine, monkeypatch):
    package = sys.modules["vllm.v1.structured_output"]
    for place, name, module, validator in [
        ("xgrammar", "XgrammarBackend", "backend_xgrammar", "validate_xgrammar_grammar"),
        ("guidance", "GuidanceBackend", "backend_guidance", "validate_guidance_grammar"),
    ]:
        engine.adapter.install(place)
        assert getattr(package, name) is engine.adapter.MaskwrightBackend
        own = sys.modules[f"{package.__name__}.{module}"]
        assert getattr(own, name) is engine.adapter.MaskwrightBackend  # where beam search takes it from
        assert getattr(own, validator) is engine.adapter.validate
    # vLLM asks this of guidance's backend.
    fast = SimpleNamespace(backend_tokenizer=SimpleNamespace(to_str=str))
    asked = engine.adapter.MaskwrightBackend.is_tokenizer_supported
    assert asked(fast) and asked(maskwright.Vocabulary.from_tokens([b"a", b""], 1)) and not asked(SimpleNamespace())
    with pytest.raises(ValueError, match="xgrammar or guidance"):
        engine.adapter.install("outlines")
    from maskwright import _plugins

    monkeypatch.delenv("MASKWRIGHT_VLLM", raising=False)
    monkeypatch.setitem(sys.modules, "maskwright.vllm", None)  # not to be imported
    _plugins.vllm()
    monkeypatch.setitem(sys.modules, "maskwright.vllm", engine.adapter)
    monkeypatch.setenv("MASKWRIGHT_VLLM", "nothing")
    with pytest.raises(ValueError, match="'nothing'"):
        _plugins.vllm()


@pytest.mark.parametrize("name", ["/etc/passwd", "/dev/zero", "pyproject.toml"])
def test_a_request_opens_no_file(engine, backend, name):
    grammar = f'root ::= json_schema("{name}")'
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "<", "content": {"type": "grammar", "grammar": grammar}, "end": ">"}}
    for kind, text in ((engine.kinds.GRAMMAR, grammar), (engine.kinds.STRUCTURAL_TAG, json.dumps(tag))):
        with pytest.raises(maskwright.GrammarError) as raised:
            backend.compile_grammar(kind, text)
        assert raised.value.code == "no-documents"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('root ::= "a"', "ebnf"),
        ('# start: "a"\nroot\n  ::= "a"', "ebnf"),
        ('root ::= [^\n start: ]\n', "ebnf"),
        ("", "ebnf"),
        ('start: "a"', "lark"),
        ('?start: "::=" "a"', "lark"),
        ('// a ::= b\n_x.2: "b"\nstart: _x', "lark"),
        ('text[suffix="x"]: /(.|\\n)*/', "lark"),
        ('list{x, s}: x (s x)*', "lark"),
        ('%llguidance {}\nroot ::= "a"', "lark"),
        ("  %import common.NUMBER", "lark"),
    ],
)
def test_which_language_a_grammar_is_in(text, kind):
    from maskwright import _serving

    assert list(_serving.grammar(text))[0] == kind


def test_ranks_decide_by_work(engine, small, monkeypatch):
    """Where each rank compiles, no clock decides: what is refused is refused for its work, and the same everywhere."""
    ranks = config()
    ranks.parallel_config = SimpleNamespace(distributed_executor_backend="external_launcher")
    long = json.dumps({"type": "array", "items": {"type": "string", "pattern": "^[a-z]{1,40}$"}})
    monkeypatch.setenv("MASKWRIGHT_TIME", "0.000001")
    make = engine.adapter.MaskwrightBackend
    with pytest.raises(maskwright.GrammarError, match="limit `time`"):
        make(config(), small, 300).compile_grammar(engine.kinds.JSON, long)
    assert texts_of(make(ranks, small, 300).compile_grammar(engine.kinds.JSON, long), ['["ab"]', "[1]"]) == ['["ab"]']
    monkeypatch.setenv("MASKWRIGHT_WORK", "1000")
    with pytest.raises(maskwright.GrammarError, match="limit `work` = 1000"):
        make(ranks, small, 300).compile_grammar(engine.kinds.JSON, long)


def test_threads_that_compile_at_once(engine, small, monkeypatch):
    import threading

    monkeypatch.setenv("MASKWRIGHT_THREADS", "2")
    backend = engine.adapter.MaskwrightBackend(config(), small, 300)
    registries, now, most = backend.registries, [], []
    wait, lock = engine.adapter.Handle.wait, threading.Lock()

    class Handle:
        def __init__(self, handle):
            self.handle = handle

        def is_ready(self):
            return self.handle.is_ready()

        def matcher(self):
            return self.handle.matcher()

        def wait(self):
            compiles = not self.handle.is_ready()
            with lock:
                now.extend([self] * compiles)
                most.append(len(now) if compiles else 0)
            wait(self.handle)
            with lock:
                now[:] = [other for other in now if other is not self]

    class Registry:
        def __init__(self, registry):
            self.registry = registry

        def get(self, **asked):
            return Handle(self.registry.get(**asked))

    own = registries.ending_with
    monkeypatch.setattr(registries, "ending_with", lambda eos: Registry(own(eos)))
    texts = ["|".join(f"{word}{letter}{{1,30}}x" for letter in "abcdefgh") for word in ("p", "q", "r", "s", "t", "u")]
    threads = [threading.Thread(target=backend.compile_grammar, args=(engine.kinds.REGEX, text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 12 and 1 <= max(most) <= 2, most


def test_the_models_own_end_tokens(engine, small):
    """Those of its configuration are those of most requests, so that they have most of the bytes."""
    served = config()
    served.model_config = SimpleNamespace(try_get_generation_config=lambda: {"eos_token_id": [7, EOS, 9999]})
    registries = engine.adapter.MaskwrightBackend(served, small, 300).registries
    assert registries.vocabulary.eos == [7, EOS]
    assert engine.adapter.MaskwrightBackend(config(), small, 300).registries.vocabulary.eos == [EOS]


def test_an_event_loop_is_not_held_up(engine, monkeypatch):
    """An asynchronous engine has requests looked at on another thread; `validate` then knows the answer."""
    import asyncio
    import threading

    reads, monkey = [], engine.adapter._serving.problem
    monkeypatch.setattr(engine.adapter, "_VERDICTS", engine.adapter._serving.Recent(4))
    monkeypatch.setattr(sys.modules["vllm.v1.structured_output.request"], "get_structured_output_key", lambda asked: (engine.kinds.GRAMMAR, asked))
    monkeypatch.setattr(engine.adapter._serving, "problem", lambda *args: reads.append((threading.get_ident(), args[1])) or monkey(*args))

    class AsyncLLM:
        async def add_request(self, request_id, prompt, params, arrival_time=None):
            engine.adapter.validate(params)
            return (request_id, prompt, arrival_time)

    for _ in range(2):  # a plug-in may be loaded twice
        engine.adapter.off_the_loop(AsyncLLM)
    asked = SimpleNamespace(structured_outputs='root ::= "a"')
    assert asyncio.run(AsyncLLM().add_request("one", "p", asked, arrival_time=3)) == ("one", "p", 3)
    assert asyncio.run(AsyncLLM().add_request("two", "p", params=asked)) == ("two", "p", None)
    assert len(reads) == 1 and reads[0][0] != threading.get_ident()
    with pytest.raises(engine_interfaces.VLLMValidationError, match="undefined-rule"):
        asyncio.run(AsyncLLM().add_request("three", "p", SimpleNamespace(structured_outputs="root ::= other")))
    assert len(reads) == 2

    async def direct():
        engine.adapter.validate(SimpleNamespace(structured_outputs='root ::= "b"'))

    asyncio.run(direct())
    assert reads[-1] == (threading.get_ident(), engine.adapter.READING_IN_A_LOOP)
    engine.adapter.validate(SimpleNamespace(structured_outputs='root ::= "c"'))
    assert reads[-1] == (threading.get_ident(), engine.adapter.READING)
