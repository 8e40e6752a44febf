"""Parts of SGLang without its processes: what asks for grammars, what writes the masks of a batch, and what walks trees of drafts, which the engine does on an accelerator only.

The parts are the real ones; the settings that they look up, and the requests, are stood in for.
"""

import json
import time
from types import SimpleNamespace

import cases
import pytest
from conftest import MODELS

pytest.importorskip("sglang")
torch = pytest.importorskip("torch")
if not MODELS.is_dir():
    pytest.skip("needs the models: engines/install makes them", allow_module_level=True)


@pytest.fixture(scope="module")
def tokenizer():
    import transformers

    return transformers.AutoTokenizer.from_pretrained(MODELS / "plain")


@pytest.fixture
def manager(monkeypatch, tokenizer):
    """SGLang's manager of grammars, with Maskwright as its backend by the registry."""
    from maskwright import sglang as adapter
    from sglang.srt.constrained import base_grammar_backend, grammar_manager

    adapter.register()
    monkeypatch.setattr(base_grammar_backend, "get_exec", lambda: SimpleNamespace(kernel=SimpleNamespace(grammar_backend=adapter.NAME)))
    monkeypatch.setattr(grammar_manager, "get_serving", lambda: SimpleNamespace(skip_tokenizer_init=False))
    monkeypatch.setattr(grammar_manager, "get_parallel", lambda: SimpleNamespace(pp_rank=0, pp_size=1))
    model = SimpleNamespace(vocab_size=len(tokenizer), hf_eos_token_id={tokenizer.eos_token_id}, think_end_ids=None)
    group = SimpleNamespace(world_size=1, first_rank=0, is_first_rank=True)
    return grammar_manager.GrammarManager(
        SimpleNamespace(server_args=SimpleNamespace(), tokenizer=tokenizer, model_config=model, dp_tp_cpu_group=None, dp_tp_group=group, pp_group=None)
    )


def request(**asked):
    """A request, and its errors."""
    kinds = dict.fromkeys(("json_schema", "regex", "ebnf", "structural_tag"))
    params = SimpleNamespace(**{**kinds, **asked}, ebnf_full_assistant=False, custom_params=None)
    errors = []
    return SimpleNamespace(
        sampling_params=params, origin_input_ids=[], require_reasoning=False, errors=errors, set_finish_with_abort=errors.append, finished=lambda: False, grammar=None, grammar_key=None, grammar_wait_ct=0, rid="one"
    )


def ready(manager, *requests):
    """Gives requests to the manager, and waits for their grammars."""
    waiting = [one for one in requests if manager.process_req_with_grammar(one)]
    until = time.monotonic() + 60
    while waiting and time.monotonic() < until:
        done = manager.get_ready_grammar_requests()
        waiting = [one for one in waiting if not any(one is other for other in done)]
    assert not waiting
    return requests


def test_grammars_of_requests(manager):
    bad, good = ready(manager, request(ebnf="root ::= nothing"), request(json_schema=json.dumps(cases.CITY)))
    assert "undefined-rule" in bad.errors[0] and "-->" in bad.errors[0] and not good.errors
    again, same = request(ebnf="root ::= nothing"), request(json_schema=json.dumps(cases.CITY))
    assert not manager.process_req_with_grammar(again) and not manager.process_req_with_grammar(same)
    assert again.errors == bad.errors
    assert same.grammar is not good.grammar and same.grammar.grammar_stats.is_cache_hit and not good.grammar.grammar_stats.is_cache_hit


def test_masks_of_a_batch(manager, tokenizer):
    from sglang.srt.sampling.sampling_batch_info import SamplingBatchInfo

    first, second = (one.grammar for one in ready(manager, request(regex="(yes|no)"), request(ebnf='root ::= "a" [0-9]')))
    batch = SimpleNamespace(grammars=[first, None, second], temperatures=torch.zeros(3), vocab_size=len(tokenizer), device="cpu")
    SamplingBatchInfo.update_regex_vocab_mask(batch)
    logits = torch.zeros(3, len(tokenizer))
    batch.grammar_mask.apply(logits)
    allowed = [row.isfinite().nonzero().flatten().tolist() for row in logits]
    assert {tokenizer.decode([id]) for id in allowed[0]} == {"y", "ye", "yes", "n", "no"}
    assert len(allowed[1]) == len(tokenizer) and {tokenizer.decode([id]) for id in allowed[2]} == {"a"}


def test_a_tree_of_drafts(manager, tokenizer):
    """Depth first over branches, some of which the grammar refuses: a row for each node that can be reached, and the grammar where it was."""
    from sglang.srt.speculative.spec_utils import generate_token_bitmask

    (one,) = ready(manager, request(regex="(ab|ac)d?"))
    of = {letter: tokenizer.encode(letter, add_special_tokens=False)[0] for letter in "abcdx"}
    # The root, its children `a` and `x`, the children `b` and `c` of `a`, and `d` below `b`.
    tokens, parents = [0, of["a"], of["x"], of["b"], of["c"], of["d"]], [-1, 0, 0, 1, 1, 3]
    child, sibling = [-1] * 6, [-1] * 6
    for node in reversed(range(1, 6)):
        sibling[node], child[parents[node]] = child[parents[node]], node
    before = one.grammar._steps.matcher.to_bytes()
    masks, grammar = generate_token_bitmask([one], torch.tensor([child]), torch.tensor([sibling]), torch.tensor([tokens]), len(tokenizer))
    assert grammar is one.grammar and one.grammar._steps.matcher.to_bytes() == before
    for node, text in enumerate(["", "a", None, "ab", "ac", "abd"]):
        matcher = one.grammar.copy()._steps.matcher
        if text is None:
            assert (masks[node] == -1).all()  # refused, so that nobody looked at it
            continue
        assert matcher.accept_bytes(text.encode())
        bits = [id for id in range(len(tokenizer)) if int(masks[node][id // 32]) >> (id % 32) & 1]
        assert bits == matcher.allowed_tokens(), text


def byte_vocabulary(names, end):
    """Single bytes, and special tokens of these names by their ids; `end` is the name of the end token."""
    import maskwright

    size = max([255, *names.values()]) + 1
    tokens = [bytes([id]) if id < 256 else b"" for id in range(size)]
    return maskwright.Vocabulary.from_tokens(tokens, names[end], {id: name for name, id in names.items() if name != end})


def backend_of(names, end):
    from maskwright import sglang as adapter

    vocabulary = byte_vocabulary(names, end)
    return adapter.MaskwrightGrammarBackend(vocabulary, vocabulary.size, vocabulary.eos)


def tokens_of(text, names):
    """A text, in which names of tokens are tokens."""
    ids = []
    while text:
        name = next((name for name in sorted(names, key=len, reverse=True) if text.startswith(name)), None)
        ids += [names[name]] if name else text[0].encode()
        text = text[len(name or text[0]) :]
    return ids


def takes(grammar, ids):
    """Whether these tokens are a whole text."""
    matcher = grammar.copy()._steps.matcher
    return matcher.accept_draft(ids) == len(ids) and matcher.is_complete()


def tool(name, parameters):
    from sglang.srt.entrypoints.openai.protocol import Tool

    return Tool(type="function", function={"name": name, "parameters": parameters, "strict": True})


WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "unit": {"type": "string", "enum": ["C", "F"]},
        "days": {"type": "integer", "minimum": 1},
        "code": {"type": "string", "pattern": "^[A-Z]{2}$"},
    },
    "required": ["city", "unit"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("choice", ["auto", "required"])
def test_strict_tools_of_kimi_k3(choice):
    """Strings are raw in their elements, as SGLang's tag for strict tools has them, and fit their schemas."""
    tags = pytest.importorskip("sglang.srt.function_call.kimik3_structural_tag")
    names = {"<|open|>": 256, "<|close|>": 257, "<|sep|>": 258, "<|end|>": 259}
    backend = backend_of(names, "<|end|>")
    tag = tags.get_kimik3_structural_tag([tool("weather", WEATHER), tool("now", {"type": "object"})], choice)
    grammar = backend.dispatch_structural_tag(tag.model_dump_json(by_alias=True))

    def call(**arguments):
        kinds = {str: "string", int: "number"}
        parts = [f'<|open|>argument key="{key}" type="{kinds[type(value)]}"<|sep|>{value}<|close|>argument<|sep|>' for key, value in arguments.items()]
        inside = "".join(parts)
        return tokens_of(f'<|open|>tools<|sep|><|open|>call tool="weather" index="1"<|sep|>{inside}<|close|>call<|sep|><|close|>tools<|sep|>', names)

    assert takes(grammar, call(city='"Oslo" <close>, 5', unit="C"))
    assert takes(grammar, call(city="", unit="F", days=12, code="NO"))
    for wrong in ({"city": "x", "unit": "K"}, {"city": "x", "unit": '"C"'}, {"city": "x", "unit": "C", "days": 0}, {"city": "x", "unit": "C", "code": "n"}):
        assert not takes(grammar, call(**wrong)), wrong


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("most", [-1, 2])
def test_frames_of_inkling(is_open, most):
    """An answer in the frame that the format writes around it: its tokens are no text, also where the frame does not name them."""
    frames, tokens = pytest.importorskip("sglang.srt.parser.answer_frame"), pytest.importorskip("sglang.srt.parser.inkling_tokenizer")
    names = tokens.INKLING_SPECIAL_TOKEN_IDS
    backend, frame = backend_of(names, tokens.CONTENT_MODEL_END_SAMPLING), frames.InklingAnswerFrame()
    backend.reserve_framing_tokens(frame.framing_token_ids())
    answer = backend.dispatch_json(json.dumps({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}))
    framed = backend.compile_framed_grammar(answer, lambda content: frame.structural_tag(content, in_answer_block=is_open, max_think_tokens=most))
    begin = "" if is_open else tokens.MESSAGE_MODEL + tokens.CONTENT_TEXT
    thought = tokens.MESSAGE_MODEL + tokens.CONTENT_THINKING + "hm" + tokens.END_MESSAGE
    for text, expected in [
        (begin + '{"a": "x"}' + tokens.END_MESSAGE, True),
        (begin + '{"a": 1}' + tokens.END_MESSAGE, False),
        (begin + '{"a": "' + tokens.CONTENT_XML + '"}' + tokens.END_MESSAGE, False),
        (thought + begin + '{"a": "x"}' + tokens.END_MESSAGE, not is_open),
        (thought.replace("hm", "long") + begin + '{"a": "x"}' + tokens.END_MESSAGE, not is_open and most < 0),
    ]:
        assert takes(framed, tokens_of(text, names)) is expected, text


def test_turns_of_a_response_template():
    """The grammar of a whole turn, whose delimiters stand in patterns: they are the model's tokens."""
    detectors = pytest.importorskip("sglang.srt.function_call.beam_detector")
    names = {name: 256 + at for at, name in enumerate(["<|channel|>", "<|constrain|>", "<|message|>", "<|call|>", "<|end|>", "<|start|>", "<|return|>", "<|stop|>"])}
    backend = backend_of(names, "<|stop|>")
    weather = tool("weather", {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]})
    detector = detectors.BeamDetector(tools=[weather])
    for choice in ("auto", "none", "required"):
        for thinking in (False, True):
            for start in (False, True):
                tag = detector.get_structural_tag(tools=[weather], tool_choice=choice, thinking_mode=thinking, message_start=start)
                assert backend.dispatch_structural_tag(tag.model_dump_json(by_alias=True)).grammar, (choice, thinking, start)
    tag = detector.get_structural_tag(tools=[weather], tool_choice="required")
    grammar = backend.dispatch_structural_tag(tag.model_dump_json(by_alias=True))
    text = ' to=weather<|channel|>analysis <|constrain|>xml<|message|>\n<rfl:parameter name="city">\nOslo\n</rfl:parameter>'
    matcher = grammar.copy()._steps.matcher
    ids = tokens_of(text, names)
    assert matcher.accept_draft(ids) == len(ids), text
    spelled = list(text.encode())
    assert grammar.copy()._steps.matcher.accept_draft(spelled) == spelled.index(ord("<"))
