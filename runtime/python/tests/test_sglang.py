"""The adapter for SGLang, under the engine's order of calls."""

import importlib.util
import json
import sys
from types import SimpleNamespace

import engine_interfaces
import maskwright
import pytest
from conftest import EOS, ids_of

np = pytest.importorskip("numpy")

SIZE = 300


@pytest.fixture(params=["copy", "real"])
def engine(request, monkeypatch):
    if request.param == "real" and not (engine_interfaces.FOLDER and importlib.util.find_spec("torch")):
        pytest.skip("needs MASKWRIGHT_ENGINES and torch")
    adapter, interface = engine_interfaces.sglang(monkeypatch, request.param)
    return SimpleNamespace(adapter=adapter, interface=interface, kind=request.param)


@pytest.fixture
def backend(engine, small):
    engine.adapter.register()
    make = engine.interface.GRAMMAR_BACKEND_REGISTRY["maskwright"]
    return make(SimpleNamespace(), small, SIZE, {EOS})


def whole(grammar, texts):
    """Which of these texts the grammar takes as whole ones."""
    found = []
    for text in texts:
        fresh = grammar.copy()
        try:
            for token in [*text.encode(), EOS]:
                fresh.accept_token(token)
        except ValueError:
            continue
        assert fresh.is_terminated()
        found.append(text)
    return found


def test_the_registry(engine):
    choices = sys.modules["sglang.srt.server_args"].GRAMMAR_BACKEND_CHOICES
    for _ in range(2):
        engine.adapter.register()
        assert choices.count("maskwright") == 1
    assert engine.interface.GRAMMAR_BACKEND_REGISTRY["maskwright"] is engine.adapter.new_backend


@pytest.mark.parametrize(
    ("kind", "text", "tried", "expected"),
    [
        ("json", '{"type": "boolean"}', ["true", "1"], ["true"]),
        ("json", "$$ANY$$", ["[1, {}]", "x"], ["[1, {}]"]),
        ("regex", "a+b", ["aab", "b"], ["aab"]),
        ("ebnf", 'root ::= "x" root | "y"', ["xxy", "x"], ["xxy"]),
        ("full_assistant_ebnf", 'root ::= "x"', ["x", "y"], ["x"]),
        ("ebnf", '%llguidance {}\nstart: "a"~2 NUM\nNUM: /[0-9]+/', ["aa1", "aa"], ["aa1"]),
        (
            "structural_tag",
            json.dumps({"type": "structural_tag", "format": {"type": "tag", "begin": "<", "content": {"type": "json_schema", "json_schema": {"type": "null"}}, "end": ">"}}),
            ["<null>", "<1>"],
            ["<null>"],
        ),
    ],
)
def test_kinds_of_requests(backend, kind, text, tried, expected):
    grammar = backend._init_value_dispatch((kind, text), False)
    assert whole(grammar, tried) == expected
    assert grammar.grammar_stats.compilation_time > 0 and grammar.grammar_stats.dispatch_type in kind


@pytest.mark.parametrize("key", [("json", '{"type": "x"}'), ("json", "{"), ("regex", "("), ("ebnf", "root ::= a"), ("ebnf", "start: other"), ("structural_tag", "[]")])
def test_a_grammar_that_cannot_be_compiled(engine, backend, key):
    grammar = backend._init_value_dispatch(key, False)
    assert isinstance(grammar, engine.interface.InvalidGrammarObject)
    assert "error[" in grammar.error_message


def test_flags_of_the_server(engine, small, monkeypatch):
    schema, texts = '{"type": "array", "items": {"type": "integer"}}', ["[1,2]", "[1, 2]", "[1 ,2]", "[\n  1,\n  2\n]"]
    flags = {
        (): texts,
        ("constrained_json_disable_any_whitespace",): ["[1,2]"],
        ("constrained_json_max_whitespace_cnt",): ["[1,2]", "[1, 2]", "[1 ,2]"],
    }
    for names, expected in flags.items():
        made = engine.adapter.new_backend(SimpleNamespace(**dict.fromkeys(names, 1)), small, SIZE)
        assert whole(made.dispatch_json(schema), texts) == expected
    monkeypatch.setenv("MASKWRIGHT_WHITESPACE", "usual")
    monkeypatch.setenv("MASKWRIGHT_DEPTH", "9")
    made = engine.adapter.new_backend(SimpleNamespace(), small, SIZE)
    assert whole(made.dispatch_json(schema), texts) == ["[1,2]", "[1, 2]", "[\n  1,\n  2\n]"] and made.depth == 9
    with pytest.raises(ValueError, match="whitespace-pattern"):
        engine.adapter.new_backend(SimpleNamespace(constrained_json_whitespace_pattern="x"), small, SIZE)


def test_a_step_of_a_batch(engine, backend):
    """Rows of grammars are written in one call; rows of others allow everything."""
    text = backend.dispatch_json('{"enum": ["ab", "ac"]}')
    grammars = [text.copy(), text.copy(), None, backend.dispatch_regex("x"), text.copy()]
    for token in b'"a':
        grammars[1].accept_token(token)
    grammars[4].finished = True
    first = grammars[0]
    masks = first.allocate_vocab_mask(vocab_size=SIZE, batch_size=5, device="cpu")
    entries = [engine.interface.GrammarRow(row=row, grammar=grammar) for row, grammar in enumerate(grammars) if grammar and not grammar.finished]
    first.fill_vocab_mask_batched(entries, masks)
    rows = [ids_of(row) for row in masks.tolist()]
    assert rows[:2] == [grammar._steps.matcher.allowed_tokens() for grammar in grammars[:2]]
    assert rows[3] == [ord("x")] and rows[2] == rows[4] == list(range(320))
    grammars[1].fill_vocab_mask(masks, 4)
    assert ids_of(masks[4].tolist()) == rows[1]
    first.reset_vocab_mask(masks)
    assert (np.array(masks.tolist()) == -1).all()


def test_a_batch_with_a_gate_for_reasoning(engine, backend):
    """A grammar that waits for the end of the reasoning is the engine's object: it writes its row by itself, or not."""

    class Waits(engine.interface.BaseGrammarObject):
        def __init__(self, grammar):
            super().__init__()
            self.grammar, self.is_open = grammar, False

        def fill_vocab_mask(self, masks, row):
            if self.is_open:
                self.grammar.fill_vocab_mask(masks, row)

    grammar = backend.dispatch_regex("x")
    gates = [Waits(grammar.copy()), Waits(grammar.copy())]
    gates[1].is_open = True
    masks = grammar.allocate_vocab_mask(SIZE, 3, "cpu")
    entries = [engine.interface.GrammarRow(row, one) for row, one in enumerate([*gates, grammar])]
    grammar.fill_vocab_mask_batched(entries, masks)
    assert [ids_of(row) for row in masks.tolist()] == [list(range(320)), [ord("x")], [ord("x")]]


@pytest.fixture
def gated(engine, small, monkeypatch):
    """The engine's gate before the backend, as its flags ask for it: token 1 ends the reasoning."""

    def make(ends=(1,), excluded=None, **flags):
        detector = SimpleNamespace(get_think_end_token_ids=lambda tokenizer: list(ends), get_answer_frame=lambda: None, think_excluded_tokens=excluded, think_end_token="end")
        engine_interfaces.stand_in(monkeypatch, "sglang.srt.parser.reasoning_parser", ReasoningParser=lambda **named: SimpleNamespace(detector=detector, **named))
        tokenizer = SimpleNamespace(encode=lambda text, add_special_tokens: list(text.encode()))
        monkeypatch.setattr(engine.adapter._serving, "_read", lambda of: small if of is tokenizer else None)
        return engine.adapter.new_backend(SimpleNamespace(reasoning_parser="qwen3", **flags), tokenizer, SIZE, {EOS})

    return make


@pytest.mark.parametrize(("kind", "text"), [("json", '{"const": "x"}'), ("regex", '"x"'), ("ebnf", 'root ::= "\\"x\\""')])
def test_a_request_behind_the_gate_for_reasoning(gated, kind, text):
    backend = gated(constrained_json_disable_any_whitespace=True)
    assert type(backend).__name__ == "ReasonerGrammarBackend"
    gate = backend._init_value_dispatch((kind, text), True)
    every = list(range(320))

    def allowed(of):
        masks = of.allocate_vocab_mask(SIZE, 1, "cpu")
        of.fill_vocab_mask(masks, 0)
        return ids_of(masks[0].tolist())

    for token in [5, 6]:  # thoughts
        assert allowed(gate) == every
        gate.accept_token(token)
    gate.accept_token(1)
    quote, x = ord('"'), ord("x")
    assert allowed(gate) == [quote]
    gate.accept_token(quote)
    assert allowed(gate) == [x]
    gate.rollback(2)  # across the end of the reasoning
    assert allowed(gate) == every
    fresh = gate.copy()
    for token in [1, quote, x, quote]:
        fresh.accept_token(token)
    assert allowed(fresh) == [EOS] and allowed(gate) == every and not fresh.is_terminated()
    fresh.accept_token(EOS)
    assert fresh.is_terminated()
    with pytest.raises(ValueError, match="not allowed"):
        backend._init_value_dispatch((kind, text), False).accept_token(5)


def test_masks_of_a_gate_are_the_backends(gated):
    backend = gated().grammar_backend
    masks = backend.allocate_vocab_mask(SIZE, 2, "cpu")
    assert (np.array(masks.tolist()) == -1).all() and len(masks) == 2
    torch = pytest.importorskip("torch")
    logits = torch.zeros(2, SIZE)
    masks[1] = 0
    backend.apply_vocab_mask(logits=logits, vocab_mask=backend.move_vocab_mask(masks, "cpu"))
    assert torch.isfinite(logits[0]).all() and not torch.isfinite(logits[1]).any()


def test_there_is_no_gate_without_an_end_of_the_reasoning(engine, gated):
    assert isinstance(gated(ends=()), engine.adapter.MaskwrightGrammarBackend)


def test_a_bad_grammar_behind_the_gate(engine, gated):
    assert isinstance(gated()._init_value_dispatch(("regex", "("), True), engine.interface.InvalidGrammarObject)


def test_masks_are_pinned_where_the_engine_pins_its_own(engine, backend, monkeypatch):
    asked = []
    monkeypatch.setattr(engine.adapter._masks, "new_masks", lambda rows, words, pinned: asked.append((rows, words, pinned)))
    for is_available in (False, True):
        monkeypatch.setattr(engine.adapter, "is_pin_memory_available", lambda: is_available)
        backend.dispatch_regex("x").allocate_vocab_mask(SIZE, 2, "cpu")
        backend.allocate_vocab_mask(SIZE, 3, "cpu")
    assert asked == [(2, 10, False), (3, 10, False), (2, 10, True), (3, 10, True)]


def test_a_copy_says_that_it_was_kept(backend):
    grammar = backend._init_value_dispatch(("regex", "x"), False)
    assert not grammar.grammar_stats.is_cache_hit
    copy = grammar.copy()
    assert copy.grammar_stats.is_cache_hit and copy.grammar_stats.compilation_time == grammar.grammar_stats.compilation_time
    assert not grammar.grammar_stats.is_cache_hit


def test_a_tree_of_drafts(backend):
    """Depth first, each token taken, its row written and taken back, as the engine walks a tree."""
    children = {0: [1, 3], 1: [2], 2: [], 3: [4, 5], 4: [], 5: []}
    tokens = [0, ord("a"), ord("b"), ord("b"), ord("a"), EOS]
    grammar = backend.dispatch_regex("(ab|b)a?")
    masks = grammar.allocate_vocab_mask(SIZE, 6, "cpu")
    start = grammar._steps.matcher.fork()

    def walk(node, matcher):
        if not grammar.is_terminated():
            grammar.fill_vocab_mask(masks, node)
            assert ids_of(masks[node].tolist()) == matcher.allowed_tokens()
        for child in children[node]:
            grammar.accept_token(tokens[child])
            below = matcher.fork()
            assert below.accept_token(tokens[child])
            walk(child, below)
            grammar.rollback(1)

    walk(0, start)
    assert grammar._steps.matcher == start and ids_of(masks[5].tolist()) == list(range(320))


def test_tokens_that_are_refused_and_the_end(backend):
    grammar = backend.dispatch_regex("ab")
    assert grammar.current_token is None
    grammar.accept_token(ord("a"))
    with pytest.raises(ValueError, match="token 97 is not allowed after 1 tokens of a text of 'ab'"):
        grammar.accept_token(ord("a"))
    grammar.accept_token(ord("b"))
    grammar.accept_token(EOS)
    assert grammar.current_token == EOS and grammar.is_terminated()
    grammar.accept_token(5)  # passed over
    grammar.rollback(2)
    assert not grammar.is_terminated() and grammar.copy()._steps.taken == []


def test_jumps(backend):
    grammar = backend.dispatch_regex("(cat|dog)fish|é!")
    assert grammar.try_jump_forward(None) is None
    grammar.accept_token(ord("c"))
    helper = grammar.try_jump_forward(None)
    assert grammar.jump_forward_str_state(helper) == ("atfish", -1)
    grammar.accept_token(ord("a"))
    grammar.jump_and_retokenize([ord("c"), ord("a")], list(b"catf"), -1)
    assert bytes(grammar._steps.taken) == b"catf"
    with pytest.raises(ValueError, match="not allowed"):
        grammar.jump_and_retokenize(list(b"catf"), list(b"cag"), -1)


def test_masks_are_applied(backend):
    torch = pytest.importorskip("torch")
    grammar = backend.dispatch_regex("[ab]")
    masks = grammar.allocate_vocab_mask(SIZE, 2, "cpu")
    grammar.fill_vocab_mask(masks, 1)
    logits = torch.zeros(2, SIZE)
    grammar.apply_vocab_mask(logits=logits, vocab_mask=grammar.move_vocab_mask(masks, "cpu"))
    assert torch.isfinite(logits[0]).all()
    assert torch.isfinite(logits[1]).nonzero().flatten().tolist() == [97, 98]


def test_a_vocabulary_with_more_tokens_than_logits(engine, small):
    backend = engine.adapter.MaskwrightGrammarBackend(small.with_eos([10, EOS]), 200)
    assert backend.compiler.vocabulary.size == 200 and backend.compiler.vocabulary.eos == [10]
    assert backend.dispatch_regex("a")._steps.matcher.allowed_tokens() == [97]
    with pytest.raises(maskwright.VocabularyError):
        engine.adapter.MaskwrightGrammarBackend(small, 200, [EOS])


@pytest.mark.parametrize("name", ["/etc/passwd", "/dev/zero", "pyproject.toml"])
def test_a_request_opens_no_file(engine, backend, name):
    grammar = f'root ::= json_schema("{name}")'
    tag = {"type": "structural_tag", "format": {"type": "tag", "begin": "<", "content": {"type": "grammar", "grammar": grammar}, "end": ">"}}
    for refused in (backend.dispatch_ebnf(grammar), backend.dispatch_structural_tag(json.dumps(tag))):
        assert isinstance(refused, engine.interface.InvalidGrammarObject)
        assert "no-documents" in refused.error_message


def allowed(of):
    masks = of.allocate_vocab_mask(SIZE, 1, "cpu")
    of.fill_vocab_mask(masks, 0)
    return ids_of(masks[0].tolist())


def test_tokens_are_filtered(backend):
    """As SGLang's own function does with a row on the processor."""
    masks = backend.allocate_vocab_mask(SIZE, 2, "cpu")
    every = list(range(320))
    backend.set_token_filter(masks, [0, 33, 299], 1, is_allowed=False)
    assert ids_of(masks[1].tolist()) == [id for id in every if id not in (0, 33, 299)]
    backend.set_token_filter(masks, [33, 31, 31], 1)
    assert ids_of(masks[1].tolist()) == [31, 33]
    backend.set_token_filter(masks, [7], 1, True, reset_vocab_mask=False)
    assert ids_of(masks[1].tolist()) == [7, 31, 33]
    backend.set_token_filter(masks, [31, 9], 1, False, reset_vocab_mask=False)
    assert ids_of(masks[1].tolist()) == [7, 33] and ids_of(masks[0].tolist()) == every
    assert backend.is_support_token_filter


def test_strict_thinking(engine, gated, monkeypatch):
    """The gate takes the backend, and forbids what a thought must not have."""
    if engine.kind == "copy":
        assert gated(enable_strict_thinking=True).is_strict
        return
    backend = gated(enable_strict_thinking=True, excluded=["!"])
    assert backend.enable_token_filter
    gate = backend._init_value_dispatch(("regex", "x"), True)
    assert allowed(gate) == [id for id in range(320) if id != ord("!")]
    gate.accept_token(1)
    assert allowed(gate) == [ord("x")]


FRAME = (5, 6)


def frame(content):
    """An optional thought, then the answer between tokens."""
    begin, end = ({"type": "token", "token": id} for id in FRAME)
    thought = {"type": "sequence", "elements": [end, {"type": "any_tokens", "exclude_tokens": list(FRAME), "max_tokens": 2}, end]}
    return {"type": "structural_tag", "format": {"type": "sequence", "elements": [{"type": "optional", "content": thought}, begin, content, end]}}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        (("json", '{"type": "array", "items": {"type": "integer"}}'), b"[1, 2]"),
        (("regex", "[a-c]+x"), b"abx"),
        (("ebnf", 'root ::= "(" root ")" | ""'), b"(())"),
        (("ebnf", "top ::= word\nroot ::= top\nword ::= [a-z]+"), b"ab"),
    ],
)
def test_framed_grammars(engine, backend, key, text):
    grammar = backend._init_value_dispatch(key, False)
    framed = backend.compile_framed_grammar(grammar, frame)
    assert whole(framed, []) == [] and allowed(framed) == sorted(FRAME)
    for token in [FRAME[0], *text]:
        framed.accept_token(token)
    assert FRAME[1] in allowed(framed)
    framed.accept_token(FRAME[1])
    assert allowed(framed) == [EOS]
    again = framed.copy()
    for token in [FRAME[1], 0, 0]:
        again.accept_token(token)
    assert allowed(again) == [FRAME[1]]


def test_tokens_of_a_frame_are_no_text(engine, backend):
    """`reserve_framing_tokens`: a frame's own tokens can be in no text of the content, whether the frame names them or not."""
    grammar = backend.dispatch_regex("(.|\n)*")
    first, other = FRAME[0], ord("z")
    framed = backend.compile_framed_grammar(grammar, frame)
    framed.accept_token(first)
    assert other in allowed(framed) and FRAME[1] in allowed(framed)
    backend.reserve_framing_tokens([*FRAME, other, EOS])
    framed = backend.compile_framed_grammar(grammar, frame)
    framed.accept_token(first)
    assert other not in allowed(framed) and FRAME[1] in allowed(framed) and ord("y") in allowed(framed)
    # What is not framed goes on as it was.
    assert other in allowed(grammar)


def test_a_frame_that_cannot_be_compiled(engine, backend):
    grammar = backend.dispatch_regex("a")
    refused = backend.compile_framed_grammar(grammar, lambda content: {"type": "structural_tag", "format": {"type": "nothing"}})
    assert isinstance(refused, engine.interface.InvalidGrammarObject) and "nothing" in refused.error_message


def test_grammars_of_whole_turns(engine):
    """The front end asks its backend `xgrammar` alone; this one takes the same."""

    def own(serving):
        return serving.switch and serving.tokenizer_manager.config_value("grammar_backend") == "xgrammar"

    def serving(name, switch=True):
        return SimpleNamespace(switch=switch, tokenizer_manager=SimpleNamespace(config_value={"grammar_backend": name, "other": 1}.get))

    decide = engine.adapter.template_turn_grammar
    assert decide(own, serving("maskwright")) and decide(own, serving("xgrammar"))
    assert not decide(own, serving("llguidance")) and not decide(own, serving("maskwright", False))


def test_limits_of_ranks(engine, small, monkeypatch):
    """One rank is limited by time, several by work, which is the same on all of them."""
    monkeypatch.setenv("MASKWRIGHT_TIME", "0.000001")
    key = ("json", '{"type": "array", "items": {"type": "string", "pattern": "^[a-z]{1,40}$"}}')
    alone = engine.adapter.new_backend(SimpleNamespace(tp_size=1), small, SIZE, {EOS})
    assert "limit `time`" in alone._init_value_dispatch(key, False).error_message
    ranks = engine.adapter.new_backend(SimpleNamespace(tp_size=2), small, SIZE, {EOS})
    assert whole(ranks._init_value_dispatch(key, False), ['["a"]']) == ['["a"]']
    monkeypatch.setenv("MASKWRIGHT_WORK", "1000")
    ranks = engine.adapter.new_backend(SimpleNamespace(tp_size=2), small, SIZE, {EOS})
    assert "limit `work` = 1000" in ranks._init_value_dispatch(key, False).error_message


def test_strings_in_the_style_of_elements(backend):
    """Kimi K3's strict tools: a string by itself in the style of elements is its raw text."""
    value = {"type": "json_schema", "json_schema": {"type": "string", "maxLength": 3}, "style": "qwen_xml"}
    tag = {"type": "tag", "begin": "<a>", "content": value, "end": "</a>"}
    grammar = backend.dispatch_structural_tag(json.dumps({"type": "structural_tag", "format": tag}))
    assert whole(grammar, ["<a>x y</a>", '<a>"x"</a>', '<a>"xy"</a>', "<a></a>"]) == ["<a>x y</a>", '<a>"x"</a>', "<a></a>"]
