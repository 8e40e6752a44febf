import random

import maskwright
import pytest
from conftest import EOS

np = pytest.importorskip("numpy")

from maskwright.transformers import GrammarLogitsProcessor  # noqa: E402

PROMPT = [7, 8, 9]


def allowed(scores, row=0):
    return np.flatnonzero(scores[row] > -np.inf).tolist()


def test_scores_are_masked_as_the_matcher_says(lists):
    processor = GrammarLogitsProcessor(lists)
    matcher = maskwright.Matcher(lists)
    ids, choose = list(PROMPT), random.Random(5)
    for _ in range(60):
        given = np.random.default_rng(len(ids)).random((1, lists.vocab_size + 9), dtype=np.float32)
        scores = processor(np.array([ids]), given)
        assert scores.dtype == given.dtype and (given > -np.inf).all()
        assert allowed(scores) == matcher.allowed_tokens()
        kept = matcher.allowed_tokens()
        assert (scores[0, kept] == given[0, kept]).all()
        ids.append(choose.choice(kept))
        assert matcher.accept_token(ids[-1])
        if matcher.is_finished():
            break


def test_a_sequence_that_has_ended_keeps_its_scores(lists):
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((2, lists.vocab_size))
    rows = [PROMPT, PROMPT]
    for tokens in [b"[[", b"]1", [EOS, ord(",")], [0, ord("2")], [0, ord("]")]]:
        processor(np.array(rows), scores)
        rows = [row + [int(token)] for row, token in zip(rows, tokens)]
    masked = processor(np.array(rows), scores)
    assert allowed(masked) == list(range(lists.vocab_size))
    assert allowed(masked, 1) == [EOS]


def test_beams_are_reordered(lists):
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((3, lists.vocab_size))
    steps = [[b"", b"", b""], [b"[", b"[", b"["], [b"[1", b"[]", b"[["], [b"[[[", b"[1,", b"[1]"], [b"[1,[", b"[1,2", b"[[[]"]]
    for texts in steps:
        masked = processor(np.array([PROMPT + list(text) for text in texts]), scores)
        for row, text in enumerate(texts):
            matcher = maskwright.Matcher(lists)
            assert matcher.accept_bytes(text)
            assert allowed(masked, row) == matcher.allowed_tokens()


def test_a_text_that_is_taken_back_is_followed_from_the_beginning(lists):
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((1, lists.vocab_size))
    for text in (b"", b"[1", b"[", b"[[2,"):
        matcher = maskwright.Matcher(lists)
        assert matcher.accept_bytes(text)
        assert allowed(processor(np.array([PROMPT + list(text)]), scores)) == matcher.allowed_tokens()


def test_another_text_is_an_error_until_reset(lists):
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((1, lists.vocab_size))
    processor(np.array([PROMPT]), scores)
    with pytest.raises(ValueError, match="token 10 is not allowed"):
        processor(np.array([PROMPT + [10, 11]]), scores)
    processor.reset()
    assert allowed(processor(np.array([PROMPT + [10, 11]]), scores)) == [ord("[")]


def test_too_few_scores_are_an_error(lists):
    with pytest.raises(ValueError, match=f"{lists.vocab_size} tokens"):
        GrammarLogitsProcessor(lists)(np.array([PROMPT]), np.zeros((1, lists.vocab_size - 1)))


def test_tensors(lists):
    torch = pytest.importorskip("torch")
    scores = GrammarLogitsProcessor(lists)(torch.tensor([PROMPT]), torch.zeros(1, lists.vocab_size))
    assert torch.is_tensor(scores)
    assert allowed(scores.numpy()) == [ord("[")]


@pytest.mark.parametrize("how", [{"do_sample": True}, {"num_beams": 3}, {"num_beams": 3, "do_sample": True}])
def test_generate(lists, how):
    """A model of random weights writes sentences of the grammar only."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(1)
    size = lists.vocab_size + 6
    config = transformers.GPT2Config(vocab_size=size, n_layer=1, n_head=2, n_embd=16, n_positions=64, bos_token_id=0, eos_token_id=EOS, pad_token_id=0)
    model = transformers.GPT2LMHeadModel(config).eval()
    prompt = torch.tensor([PROMPT, PROMPT[::-1]])
    output = model.generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        max_new_tokens=50,
        logits_processor=[GrammarLogitsProcessor(lists)],
        **how,
    )
    for text in output[:, prompt.shape[1] :].tolist():
        matcher = maskwright.Matcher(lists)
        text = text[: text.index(EOS) + 1] if EOS in text else text
        assert matcher.accept_draft(text) == len(text)
        assert matcher.is_finished() or len(text) == 50
