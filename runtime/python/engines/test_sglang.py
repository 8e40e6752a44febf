"""SGLang, whole: its scheduler, its sampler and a small model on the processor.

Each fixture is one run of the engine with all its calls; the tests look at what it said.
"""

import cases
import pytest
import results
from conftest import MODELS, calls, thoughts, valid

COUNT = len(cases.CASES)
THOUGHTS = ["JSON Schema, an object", "regular expression"]


def bad_calls():
    """Grammars with errors, and behind them a good one: the engine goes on."""
    bad = [{"kind": kind, "spec": spec, "prompts": [cases.prompt("Hello!")], "sampling": {"max_tokens": 5}} for kind, spec in cases.BAD.items()]
    return bad + calls(0, names=["choice"])


@pytest.fixture(scope="module")
def plain(run):
    """All cases at temperature 0, all at 0.9, grammars with errors."""
    asked = calls(0) + calls(0.9) + bad_calls() + calls(0, names=["Lark"])
    return run("run_sglang", asked, {"model_path": str(MODELS / "plain"), "grammar_backend": "maskwright"})[0]


@pytest.fixture(scope="module")
def peer(run):
    """With XGrammar's masks."""
    return run("run_sglang", calls(0) + calls(0.9), {"model_path": str(MODELS / "plain"), "grammar_backend": "xgrammar"})[0]


@pytest.fixture(scope="module")
def thinking(run):
    """A model that thinks before it answers, and requests that do not reason."""
    asked = calls(0, begin="<think>\n", names=THOUGHTS, skip_special_tokens=False)
    asked = [{**call, "reasons": True} for call in asked] + asked
    return run("run_sglang", asked, {"model_path": str(MODELS / "thinks"), "grammar_backend": "maskwright", "reasoning_parser": "deepseek-r1"}, MASKWRIGHT_WHITESPACE="usual")[0]


def part(told, begin, end=None):
    return {**told, "calls": told["calls"][begin:end]}


def texts(told):
    return [[answer["text"] for answer in call["answers"]] for call in told["calls"]]


def test_every_answer_that_was_finished_is_valid(plain, rows):
    greedy, sampled = valid(part(plain, 0, COUNT)), valid(part(plain, COUNT, 2 * COUNT))
    rows.append(results.row("SGLang", "Maskwright", "all kinds, temperature 0", greedy))
    rows.append(results.row("SGLang", "Maskwright", "all kinds, temperature 0.9", sampled))
    for case in cases.CASES:
        assert greedy[case.name][1] + sampled[case.name][1] > 0, f"{case.name}: no answer was finished"


def test_xgrammar_beside_it(plain, peer, rows):
    """Languages that are the same give the same texts at temperature 0; JSON has other blanks."""
    same = [at for at, case in enumerate(cases.CASES) if case.kind in ("regex", "grammar", "choice")]
    assert [texts(part(peer, 0, COUNT))[at] for at in same] == [texts(part(plain, 0, COUNT))[at] for at in same]
    rows.append(results.row("SGLang", "XGrammar", "all kinds, temperature 0", valid(part(peer, 0, COUNT))))
    rows.append(results.row("SGLang", "XGrammar", "all kinds, temperature 0.9", valid(part(peer, COUNT))))


@pytest.mark.parametrize(("at", "shown"), [(0, "nothing"), (1, "a(b"), (2, "bolean")])
def test_a_grammar_with_an_error(plain, at, shown):
    """Only its request fails, with the place."""
    error = plain["calls"][2 * COUNT + at]["error"]
    assert "error[" in error and "-->" in error and shown in error, error
    assert plain["calls"][-2]["answers"]


def test_a_lark_grammar(plain):
    assert valid(part(plain, -1), ["Lark"])["Lark"][1] > 0


def test_a_thought_is_free_and_what_follows_is_not(thinking, rows):
    counts = thoughts(thinking, THOUGHTS)
    rows.append(results.row("SGLang", "Maskwright", "a thought, then JSON or a text of a regular expression", counts))


def test_a_request_that_does_not_reason_is_masked_from_its_beginning(thinking):
    for case, call in zip([case for case in cases.CASES if case.name in THOUGHTS], thinking["calls"][len(THOUGHTS) :]):
        for answer in call["answers"]:
            assert "</think>" not in answer["text"]
            assert answer["reason"] != "stop" or cases.is_valid(case, answer["text"].removesuffix("<|im_end|>")), answer
