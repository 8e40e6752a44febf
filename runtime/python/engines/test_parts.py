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
