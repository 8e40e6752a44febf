"""vLLM, whole: its scheduler, its sampler and a small model on the processor.

Each fixture is one run of the engine with all its calls; the tests look at what it said.
"""


import cases
import pytest
import results
from conftest import MODELS, calls, thoughts, valid

NAMES = [case.name for case in cases.CASES]
DRAFTS = {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
THOUGHTS = ["JSON Schema, an object", "regular expression"]


def bad_calls():
    return [{"kind": kind, "spec": spec, "prompts": [cases.prompt("Hello!")], "sampling": {"max_tokens": 5}} for kind, spec in cases.BAD.items()]


def ended_calls():
    """A request with a stop token of its own, and no other."""
    return [{"kind": "regex", "spec": "[a-z]{3,5}", "prompts": [cases.prompt("Say a word.")], "sampling": {"max_tokens": 20, "temperature": 0, "stop_token_ids": [30], "ignore_eos": True}}]


def options(model="plain", reasoning=None, in_reasoning=False, backend="xgrammar", **more):
    outputs = {"backend": backend}
    if reasoning:
        outputs.update(reasoning_parser=reasoning, enable_in_reasoning=in_reasoning)
    return {"model": str(MODELS / model), "structured_outputs_config": outputs, **more}


@pytest.fixture(scope="module")
def plain(run):
    """Without drafts: all cases at temperature 0, all at 0.9, grammars with errors, a stop token."""
    asked = calls(0) + calls(0.9, seed=3) + bad_calls() + ended_calls()
    return run("run_vllm", asked, options(), MASKWRIGHT_VLLM="xgrammar")[0]


@pytest.fixture(scope="module")
def drafted(run):
    """With drafts of four tokens."""
    return run("run_vllm", calls(0), options(speculative_config=DRAFTS), MASKWRIGHT_VLLM="xgrammar")


@pytest.fixture(scope="module")
def peer(run):
    """With XGrammar's masks."""
    return run("run_vllm", calls(0) + calls(0.9, seed=3), options())[0]


@pytest.fixture(scope="module")
def switched(run):
    """vLLM's own backend for XGrammar, over Maskwright's layer."""
    return run("run_vllm", calls(0), options(), MASKWRIGHT_XGRAMMAR="1")[0]


@pytest.fixture(scope="module")
def guidance(run):
    """In the place of guidance's backend, and guidance's own masks."""
    asked = calls(0) + calls(0, names=["Lark"])
    return [run("run_vllm", asked, options(backend="guidance"), **environment)[0] for environment in ({"MASKWRIGHT_VLLM": "guidance"}, {})]


@pytest.fixture(scope="module")
def thinking(run):
    """A model that thinks before it answers, and one whose thoughts ended in the prompt; without drafts and with them."""
    said = {}
    for name, drafts in [("plain", {}), ("drafted", {"speculative_config": DRAFTS})]:
        asked = calls(0, begin="<think>\n", names=THOUGHTS, skip_special_tokens=False) + calls(0, begin="<think>\n\n</think>\n\n", names=THOUGHTS, skip_special_tokens=False)
        # Any blanks would let the model run on in them.
        said[name] = run("run_vllm", asked, options("thinks", "deepseek_r1", **drafts), MASKWRIGHT_VLLM="xgrammar", MASKWRIGHT_WHITESPACE="usual")
    return said


def part(told, begin, end=None):
    return {**told, "calls": told["calls"][begin:end]}


def texts(told):
    return [[answer["text"] for answer in call.get("answers", ())] for call in told["calls"]]


COUNT = len(cases.CASES)


def test_maskwright_is_in_the_place_of_xgrammar(plain, peer):
    assert plain["backend"] == "maskwright.vllm.MaskwrightBackend"
    assert peer["backend"].startswith("vllm.")


def test_every_answer_that_was_finished_is_valid(plain, rows):
    greedy, sampled = valid(part(plain, 0, COUNT)), valid(part(plain, COUNT, 2 * COUNT))
    rows.append(results.row("vLLM", "Maskwright", "all kinds, temperature 0", greedy, part(plain, 0, COUNT)))
    rows.append(results.row("vLLM", "Maskwright", "all kinds, temperature 0.9", sampled, part(plain, COUNT, 2 * COUNT)))
    for name in NAMES:
        assert greedy[name][1] + sampled[name][1] > 0, f"{name}: no answer was finished"


def test_drafts_change_no_text(plain, drafted, rows):
    told, log = drafted
    assert texts(told) == texts(part(plain, 0, COUNT))
    rows.append(results.row("vLLM", "Maskwright", "all kinds, temperature 0, drafts of 4 tokens", valid(told), told))
    assert "rejected draft" not in log
    # Drafts were taken: there are fewer steps than tokens.
    assert sum(len(call["steps"]) for call in told["calls"]) < sum(len(call["steps"]) for call in part(plain, 0, COUNT)["calls"])


def test_xgrammar_beside_it(plain, peer, rows):
    """Languages that are the same give the same texts at temperature 0; JSON has other blanks."""
    same = [at for at, case in enumerate(cases.CASES) if case.kind in ("regex", "grammar", "choice")]
    assert [texts(peer)[at] for at in same] == [texts(plain)[at] for at in same]
    for name, told in [("all kinds, temperature 0", part(peer, 0, COUNT)), ("all kinds, temperature 0.9", part(peer, COUNT))]:
        rows.append(results.row("vLLM", "XGrammar", name, valid(told), told))


def test_the_engine_is_switched_by_the_layer(peer, switched, rows):
    """All texts are those that the engine writes under XGrammar itself, JSON too: its blanks are asked for by the engine's own backend."""
    assert switched["backend"] == peer["backend"]
    assert switched["matcher"] == "maskwright.xgrammar.matchers" and peer["matcher"] == "xgrammar.matcher"
    assert texts(switched) == texts(part(peer, 0, COUNT))
    rows.append(results.row("vLLM", "Maskwright, by XGrammar's interface", "all kinds, temperature 0", valid(switched), switched))


def test_maskwright_in_the_place_of_guidance(plain, guidance, rows):
    """The same answers as in the place of XGrammar; a Lark grammar too, as guidance itself answers."""
    ours, theirs = guidance
    assert texts(part(ours, 0, COUNT)) == texts(part(plain, 0, COUNT))
    assert valid(part(ours, COUNT), ["Lark"])["Lark"][1] > 0
    assert texts(part(ours, COUNT)) == texts(part(theirs, COUNT))
    rows.append(results.row("vLLM", "Maskwright, for guidance", "all kinds, temperature 0", valid(part(ours, 0, COUNT)), part(ours, 0, COUNT)))


@pytest.mark.parametrize(("at", "shown"), [(0, "nothing"), (1, "a(b"), (2, "bolean")])
def test_a_grammar_with_an_error(plain, at, shown):
    """The front end answers with the place."""
    error = plain["calls"][2 * COUNT + at]["error"]
    assert error.startswith("VLLMValidationError") and "error[" in error and "-->" in error and shown in error, error


def test_a_stop_token_of_the_request(plain):
    (answer,) = plain["calls"][2 * COUNT + len(cases.BAD)]["answers"]
    assert answer["reason"] == "stop" and answer["ids"][-1] == 30, answer
    assert answer["text"].isalpha() and 3 <= len(answer["text"]) <= 5


@pytest.mark.parametrize("kind", ["plain", "drafted"])
def test_a_thought_is_free_and_what_follows_is_not(thinking, rows, kind):
    told, log = thinking[kind]
    counts = thoughts(told, THOUGHTS)
    what = "a thought, then JSON or a text of a regular expression" + ("; drafts of 4 tokens" if kind == "drafted" else "")
    rows.append(results.row("vLLM", "Maskwright", what, counts, part(told, 0, len(THOUGHTS))))
    assert "rejected draft" not in log and "is not allowed" not in log


def test_drafts_change_no_thought(thinking):
    assert texts(thinking["plain"][0]) == texts(thinking["drafted"][0])


def test_a_thought_that_ended_in_the_prompt(thinking):
    chosen = [case for case in cases.CASES if case.name in THOUGHTS]
    for case, call in zip(chosen, thinking["plain"][0]["calls"][len(THOUGHTS) :]):
        for answer in call["answers"]:
            assert "</think>" not in answer["text"]
            assert answer["reason"] != "stop" or cases.is_valid(case, answer["text"].removesuffix("<|im_end|>")), answer


def test_masks_in_a_thought_if_they_are_asked_for(run):
    told, _ = run("run_vllm", calls(0, begin="<think>\n", names=THOUGHTS), options("thinks", "deepseek_r1", True), MASKWRIGHT_VLLM="xgrammar")
    assert any(whole for _, whole, _ in valid(told, THOUGHTS).values())
