import json
import os
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


@pytest.mark.parametrize("padding", [None, (), 5, [6, 5]])
def test_behind_the_end_of_a_text_come_end_tokens_and_padding_only(lists, padding):
    processor = GrammarLogitsProcessor(lists, padding=padding)
    scores = np.zeros((2, lists.vocab_size))
    rows = [PROMPT, PROMPT]
    for tokens in [b"[[", b"]1", [EOS, ord(",")], [0, ord("2")], [0, ord("]")]]:
        processor(np.array(rows), scores)
        rows = [row + [int(token)] for row, token in zip(rows, tokens)]
    masked = processor(np.array(rows), scores)
    assert lists.eos == [EOS]
    assert allowed(masked) == sorted({EOS, *np.atleast_1d(np.array(padding or (), dtype=int)).tolist()})
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
    assert processor.prompt_length == len(PROMPT)
    processor.reset()
    assert processor.prompt_length == 0
    assert allowed(processor(np.array([PROMPT + [10, 11]]), scores)) == [ord("[")]


# Texts of a grammar that allows everything, which hide that they are of another prompt.
OTHERS = {
    "as long": [1, 2, 3],
    "shorter": [7, 8],
    "longer": [1, 2, 3, 4, 5, 6],
    "one longer": [1, 7, 8, 9],
    "a chat that goes on": [*PROMPT, *b"ab", EOS, *b"cd"],
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_call_of_generate_is_an_error(compiler, other):
    """Whatever the grammar allows: the prompt is another one."""
    grammar = compiler.regex("(?s).*")
    processor = GrammarLogitsProcessor(grammar, padding=EOS - 1)
    scores = np.zeros((1, grammar.vocab_size))
    for text in ([], [*b"a"], [*b"ab"], [*b"ab", EOS]):
        processor(np.array([PROMPT + text]), scores)
    with pytest.raises(ValueError, match="one processor for each call of `generate"):
        processor(np.array([other]), scores)
    processor.reset()
    processor(np.array([other]), scores)
    assert processor.prompt_length == len(other)


def test_the_same_prompt_again(lists):
    """It is the same as a new processor: a server may ask for several answers, and threads at the same time."""
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((1, lists.vocab_size))
    for texts in ([b"", b"[", b"[1"], [b"", b"[", b"[["], [b"[[", b"[1", b"[[2", b"[1]"]):
        for text in texts:
            matcher = maskwright.Matcher(lists)
            assert matcher.accept_bytes(text)
            assert allowed(processor(np.array([PROMPT + list(text)]), scores)) == matcher.allowed_tokens()


def test_a_batch_with_other_prompts(lists):
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((2, lists.vocab_size))
    processor(np.array([[0, 1], [2, 3]]), scores)
    processor(np.array([[2, 3], [2, 3]]), scores)  # beams of one of them
    with pytest.raises(ValueError, match="another prompt"):
        processor(np.array([[0, 1], [2, 4]]), scores)


@pytest.mark.parametrize("padding", [-1, 10_000])
def test_padding_without_a_score_is_an_error(lists, padding):
    with pytest.raises(ValueError, match="has no score"):
        GrammarLogitsProcessor(lists, padding=padding)(np.array([PROMPT]), np.zeros((1, lists.vocab_size)))


def test_beams_that_are_given_up(compiler):
    """More beams than texts: beams take tokens that were refused, and get no score from then on."""
    grammar = compiler.regex("ab?")
    processor = GrammarLogitsProcessor(grammar)
    scores = np.zeros((2, grammar.vocab_size))
    a, b, refused = b"abz"
    processor(np.array([PROMPT, PROMPT]), scores)
    with pytest.warns(RuntimeWarning, match="given up"):
        masked = processor(np.array([PROMPT + [a], PROMPT + [refused]]), scores)
    assert allowed(masked) == [b, EOS] and allowed(masked, 1) == [EOS]
    masked = processor(np.array([PROMPT + [refused, a], PROMPT + [a, b]]), scores)
    assert allowed(masked) == [EOS] and allowed(masked, 1) == [EOS]
    # All texts have ended: what the beams hold now is given up, and `generate()` has what has ended.
    masked = processor(np.array([PROMPT + [refused, a, a], PROMPT + [a, b, refused]]), scores)
    assert allowed(masked) == allowed(masked, 1) == [EOS]


def test_a_refused_token_of_a_single_sequence_is_an_error(lists):
    processor = GrammarLogitsProcessor(lists)
    scores = np.zeros((1, lists.vocab_size))
    processor(np.array([PROMPT]), scores)
    with pytest.raises(ValueError, match="is not allowed"):
        processor(np.array([PROMPT + [ord("]")]]), scores)


def test_too_few_scores_are_an_error(lists):
    with pytest.raises(ValueError, match=f"{lists.vocab_size} tokens"):
        GrammarLogitsProcessor(lists)(np.array([PROMPT]), np.zeros((1, lists.vocab_size - 1)))


def test_tensors(lists):
    torch = pytest.importorskip("torch")
    scores = GrammarLogitsProcessor(lists)(torch.tensor([PROMPT]), torch.zeros(1, lists.vocab_size))
    assert torch.is_tensor(scores)
    assert allowed(scores.numpy()) == [ord("[")]


HOW = [{}, {"do_sample": True}, {"num_beams": 2}, {"num_beams": 4}, {"num_beams": 3, "do_sample": True}, {"num_beams": 4, "num_return_sequences": 4}]
FINITE = "[a-c]{1,3}|yes|no"


@pytest.mark.parametrize("how", HOW, ids=str)
@pytest.mark.parametrize("ends", [[EOS], [0, EOS]], ids=str)
@pytest.mark.parametrize("pattern", [None, FINITE])
@pytest.mark.filterwarnings("ignore:a sequence has taken token:RuntimeWarning")
def test_generate(small, how, ends, pattern):
    """A model of random weights writes sentences of the grammar only: also where there are few, with several end tokens, and with prompts of several lengths."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(1)
    compiler = maskwright.Compiler(small.with_eos(ends))
    grammar = compiler.regex(pattern) if pattern else compiler.ebnf('root ::= "[" (root | [0-9]) ("," (root | [0-9]))* "]"')
    size, padding = grammar.vocab_size + 6, grammar.vocab_size + 2
    config = transformers.GPT2Config(vocab_size=size, n_layer=1, n_head=2, n_embd=16, n_positions=64, bos_token_id=1, eos_token_id=ends, pad_token_id=padding)
    model = transformers.GPT2LMHeadModel(config).eval()
    prompt = torch.tensor([PROMPT, [padding, *PROMPT[1:]]])
    output = model.generate(
        prompt,
        attention_mask=(prompt != padding).long(),
        max_new_tokens=50,
        logits_processor=[GrammarLogitsProcessor(grammar, padding=padding)],
        **how,
    )
    assert len(output) == 2 * how.get("num_return_sequences", 1)
    for text in output[:, prompt.shape[1] :].tolist():
        end = next((at for at, token in enumerate(text) if token in ends), len(text))
        assert set(text[end + 1 :]) <= {padding}
        matcher = maskwright.Matcher(grammar)
        assert matcher.accept_draft(text[: end + 1]) == len(text[: end + 1])
        assert matcher.is_finished() or len(text) == 50


def test_a_real_model_from_its_gguf():
    """SmolLM2 in transformers: vocabulary, tokenizer and weights from one file."""
    path = os.environ.get("MASKWRIGHT_GGUF")
    if not path:
        pytest.skip("needs MASKWRIGHT_GGUF, the path of a GGUF")
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("gguf")
    folder, file = os.path.split(os.path.abspath(path))
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=file)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, gguf_file=file)
    # Some versions of transformers leave the output layer at random where the file has none of its own.
    model.lm_head.weight = model.model.embed_tokens.weight
    vocabulary = maskwright.Vocabulary.from_file(path).with_size(model.config.vocab_size)
    grammar = maskwright.Compiler(vocabulary).schema(
        {
            "type": "object",
            "properties": {"city": {"type": "string", "maxLength": 20}, "people": {"type": "integer", "minimum": 0, "maximum": 100_000_000}},
            "required": ["city", "people"],
            "additionalProperties": False,
        },
        whitespace="spaced",
    )
    prompt = "<|im_start|>user\nWhich city is the capital of France? Answer in JSON.<|im_end|>\n<|im_start|>assistant\n"
    inputs = tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
    with torch.no_grad():
        output = model.generate(
            **inputs, logits_processor=[GrammarLogitsProcessor(grammar)], max_new_tokens=60, do_sample=False, eos_token_id=vocabulary.eos, pad_token_id=vocabulary.eos[0]
        )
    answer = output[0, inputs["input_ids"].shape[1] :].tolist()
    assert answer[-1] in vocabulary.eos
    value = json.loads(b"".join(vocabulary.bytes(token) for token in answer))
    assert set(value) == {"city", "people"}
    print(value)

    # The same in one call. The tokenizer that transformers makes of a GGUF does not say what its tokens stand for, so the grammar is given.
    options = {"do_sample": False, "eos_token_id": vocabulary.eos, "pad_token_id": vocabulary.eos[0]}
    question = "Which city is the capital of France? Answer in JSON."
    value = json.loads(maskwright.generate(model, tokenizer, question, grammar, max_new_tokens=60, **options))
    assert set(value) == {"city", "people"}
    with pytest.raises(maskwright.CutOffError):
        maskwright.generate(model, tokenizer, question, grammar, max_new_tokens=3, **options)


@pytest.mark.parametrize("tail", [1, 2, 32])
def test_beams_that_end_alike(compiler, monkeypatch, tail):
    """Random beams over few letters, whose last tokens are often the same: each has the masks of its own text."""
    from maskwright import transformers

    monkeypatch.setattr(transformers, "TAIL", tail)
    grammar = compiler.ebnf('root ::= "a" ("a" | "b")* "x" | "b" ("a" | "b")* "y"')
    scores, choose = np.zeros((4, grammar.vocab_size)), random.Random(tail)
    for _ in range(5):
        processor, texts = GrammarLogitsProcessor(grammar), [b""] * 4
        for _ in range(30):
            masked = processor(np.array([PROMPT + list(text) for text in texts]), scores)
            for row, text in enumerate(texts):
                matcher = maskwright.Matcher(grammar)
                assert matcher.accept_bytes(text)
                assert allowed(masked, row) == matcher.allowed_tokens(), texts
            parents = [choose.choice(texts) for _ in texts]
            texts = [parent + choose.choice([b"a", b"b"]) for parent in parents]


def test_drafts_are_taken_back(lists):
    """Texts of other lengths: those of the lengths before are known, others are followed from the beginning."""
    processor = GrammarLogitsProcessor(lists)
    scores, followed = np.zeros((1, lists.vocab_size)), []
    begin = processor._from_the_beginning
    processor._from_the_beginning = lambda tokens: followed.append(len(tokens)) or begin(tokens)
    texts = [b"", b"[", b"[1", b"[1,", b"[1,2", b"[1]", b"[", b"[[", b"[[3,4", b"[[3,4]"]
    for text in texts:
        matcher = maskwright.Matcher(lists)
        assert matcher.accept_bytes(text)
        assert allowed(processor(np.array([PROMPT + list(text)]), scores)) == matcher.allowed_tokens()
    assert followed == [0, 5]


def test_a_step_looks_at_the_end_of_a_text_only(lists):
    """However long it is: ids before the last ones are not asked for."""
    processor = GrammarLogitsProcessor(lists)
    scores, text, seen = np.zeros((1, lists.vocab_size)), b"[" + b"1," * 300, []

    class Ids:
        def __init__(self, ids):
            self.ids, self.shape = np.array([ids]), (1, len(ids))

        def __len__(self):
            return 1

        def __getitem__(self, at):
            found = self.ids[at]
            seen.append(found.size)
            return found

    for end in range(len(text)):
        masked = processor(Ids(PROMPT + list(text[:end])), scores)
    matcher = maskwright.Matcher(lists)
    assert matcher.accept_bytes(text[:-1]) and allowed(masked) == matcher.allowed_tokens()
    assert max(seen) == 32


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_scores_of_all_kinds(lists, dtype):
    torch = pytest.importorskip("torch")
    scores = torch.rand(2, lists.vocab_size + 40).to(getattr(torch, dtype))
    masked = GrammarLogitsProcessor(lists)(torch.tensor([PROMPT, PROMPT]), scores)
    assert masked.dtype == scores.dtype and torch.isfinite(scores).all()
    assert masked.isfinite().nonzero().tolist() == [[0, ord("[")], [1, ord("[")]]
    assert (masked[:, ord("[")] == scores[:, ord("[")]).all()
