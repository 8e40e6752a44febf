import base64
import json

import maskwright
import pytest
from conftest import EOS, WORDS


def test_a_vocabulary_of_tokens(small):
    assert small.size == len(small) == EOS + 1
    assert small.eos == [EOS]
    assert small.bytes(65) == b"A"
    assert small.bytes(256) == WORDS[0]
    assert small.bytes(EOS) == b""
    assert small.tokens()[256:-1] == WORDS
    assert small.warnings == []
    with pytest.raises(IndexError, match="264 ids"):
        small.bytes(EOS + 1)


def test_end_tokens_past_the_end_are_refused():
    with pytest.raises(maskwright.VocabularyError, match="7"):
        maskwright.Vocabulary.from_tokens([b"a"], [7])
    with pytest.raises(maskwright.VocabularyError):
        maskwright.Vocabulary.from_tokens([b"a", b"b"], 1).with_eos(2)


def test_the_hash_is_of_all_that_masks_depend_on(small):
    same = maskwright.Vocabulary.from_tokens(small.tokens(), [EOS])
    assert same.hash == small.hash
    other_end = same.with_eos([0, EOS])
    assert other_end.eos == [0, EOS]
    longer = same.with_size(300)
    assert longer.size == 300
    assert len({small.hash, other_end.hash, longer.hash}) == 3


def test_a_smaller_size_leaves_tokens_out(small):
    shorter = small.with_size(3)
    assert (shorter.size, shorter.eos) == (3, [])
    assert any("left out because only 3 ids are wanted" in warning for warning in shorter.warnings)
    with pytest.raises(maskwright.VocabularyError):
        small.with_size(1 << 31)


def test_named(cl100k):
    assert cl100k.size == 100_277
    assert cl100k.eos == [100_257]
    assert cl100k.bytes(84) == b"u"
    assert cl100k.special_tokens[100_258] == "<|fim_prefix|>"
    assert cl100k.token_name(100_258) == "<|fim_prefix|>" and cl100k.bytes(100_258) == b""
    assert cl100k.token_name(0) is None and cl100k.token_name(1 << 30) is None
    with pytest.raises(maskwright.VocabularyError, match="no_such"):
        maskwright.Vocabulary.named("no_such")


def test_a_file_of_ranks_and_a_list_of_special_tokens(tmp_path):
    ranks = tmp_path / "ranks.tiktoken"
    lines = [f"{base64.b64encode(bytes([byte])).decode()} {byte}\n" for byte in range(256)]
    ranks.write_text("".join(lines))
    special = tmp_path / "special.json"
    special.write_text(json.dumps(["<|endoftext|>", "<|fim_prefix|>"]))
    alone = maskwright.Vocabulary.from_file(str(ranks))
    assert (alone.size, alone.eos) == (256, [])
    assert len(alone.warnings) == 1 and "end" in alone.warnings[0]
    vocabulary = maskwright.Vocabulary.from_file(ranks, special=special)
    assert (vocabulary.size, vocabulary.eos) == (258, [256])
    assert vocabulary.special_tokens == {256: "<|endoftext|>", 257: "<|fim_prefix|>"}


def test_a_limit_of_time(tmp_path):
    ranks = tmp_path / "ranks.tiktoken"
    encoded = (base64.b64encode(number.to_bytes(3, "big")).decode() for number in range(50_000))
    ranks.write_text("".join(f"{text} {rank}\n" for rank, text in enumerate(encoded)))
    assert maskwright.Vocabulary.from_file(ranks, time=60).size == 50_000
    with pytest.raises(maskwright.VocabularyError, match="time"):
        maskwright.Vocabulary.from_file(ranks, time=0)
    with pytest.raises(ValueError, match="time"):
        maskwright.Vocabulary.from_file(ranks, time=-1)


def test_a_file_that_is_no_vocabulary_is_named(tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "llama"}')
    with pytest.raises(maskwright.VocabularyError, match="config.json"):
        maskwright.Vocabulary.from_file(path)
    with pytest.raises(maskwright.VocabularyError, match="missing.json"):
        maskwright.Vocabulary.from_file(tmp_path / "missing.json")


def byte_level():
    """A byte-level BPE tokenizer with one merge, an end token and an added token."""
    tokenizers = pytest.importorskip("tokenizers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocab = {letter: id for id, letter in enumerate(alphabet)}
    vocab["on"] = len(vocab)
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=[("o", "n")]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|im_end|>", "<|stop_here|>"])
    tokenizer.add_tokens(["<tool_call>"])
    return tokenizer


def test_a_tokenizer_of_hugging_face():
    tokenizer = byte_level()
    vocabulary = maskwright.Vocabulary.from_tokenizer(tokenizer)
    assert vocabulary.size == tokenizer.get_vocab_size()
    assert vocabulary.eos == [tokenizer.token_to_id("<|im_end|>")]
    assert vocabulary.bytes(tokenizer.token_to_id("on")) == b"on"
    assert vocabulary.bytes(tokenizer.token_to_id("Ġ")) == b" "
    assert list(vocabulary.added_tokens.values()) == ["<tool_call>"]
    for id in tokenizer.encode("on and on").ids:
        assert vocabulary.bytes(id).decode() == tokenizer.decode([id])


def test_a_fast_tokenizer_brings_its_end_token():
    """With the attributes that transformers' fast tokenizers have."""

    class Fast:
        backend_tokenizer = byte_level()
        eos_token_id = backend_tokenizer.token_to_id("<|stop_here|>")

    backend = Fast.backend_tokenizer
    both = [backend.token_to_id("<|im_end|>"), Fast.eos_token_id]
    assert maskwright.Vocabulary.from_tokenizer(Fast()).eos == sorted(both)
    Fast.eos_token_id = None
    assert maskwright.Vocabulary.from_tokenizer(Fast()).eos == both[:1]


def test_what_is_no_fast_tokenizer_is_refused():
    with pytest.raises(TypeError, match="got object"):
        maskwright.Vocabulary.from_tokenizer(object())


def test_word_piece_is_refused():
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    tokenizer.decoder = tokenizers.decoders.WordPiece()
    with pytest.raises(maskwright.VocabularyError, match="WordPiece"):
        maskwright.Vocabulary.from_tokenizer(tokenizer)


def test_special_and_added_tokens_by_name():
    tokens = [bytes([byte]) for byte in range(128)] + [b"<a>", b"<b>", b""]
    vocabulary = maskwright.Vocabulary.from_tokens(tokens, 130, special={128: "<a>"}, added={129: "<b>"})
    assert vocabulary.special_tokens == {128: "<a>"} and vocabulary.added_tokens == {129: "<b>"}
    assert vocabulary.bytes(128) == b"" and vocabulary.bytes(129) == b"<b>"
    tag = {"type": "structural_tag", "format": {"type": "sequence", "elements": [{"type": "token", "token": "<a>"}, {"type": "token", "token": "<b>"}]}}
    matcher = maskwright.Matcher(maskwright.Compiler(vocabulary).structural_tag(tag))
    assert matcher.forced_tokens() == [128, 129, 130]
