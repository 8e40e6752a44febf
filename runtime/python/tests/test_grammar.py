import copy
import pickle

import maskwright
import pytest


def test_facts(lists, small):
    assert lists.vocab_size == small.size
    assert lists.mask_words == -(-small.size // 32)
    assert lists.max_stacks == 1
    assert lists.least_depth >= 0
    assert lists.warnings == []


def test_bytes_and_back(lists, small):
    tables = pickle.loads(pickle.dumps(lists.to_bytes()))
    loaded = maskwright.Grammar.from_bytes(tables, small)
    assert loaded.to_bytes() == lists.to_bytes()
    first, second = maskwright.Matcher(lists), maskwright.Matcher(loaded)
    assert first.allowed_tokens() == second.allowed_tokens()
    assert first == second


def test_what_does_not_fit_is_refused(lists, small, cl100k):
    tables = lists.to_bytes()
    with pytest.raises(maskwright.TablesError, match="compiled for the vocabulary"):
        maskwright.Grammar.from_bytes(tables, cl100k)
    with pytest.raises(maskwright.TablesError, match="bytes long"):
        maskwright.Grammar.from_bytes(tables[:-4], small)
    damaged = bytearray(tables)
    damaged[-1] ^= 1
    with pytest.raises(maskwright.TablesError, match="checksum"):
        maskwright.Grammar.from_bytes(bytes(damaged), small)
    with pytest.raises(maskwright.TablesError, match="not grammar tables"):
        maskwright.Grammar.from_bytes(b"x" * 100, small)


def test_pickles_and_copies(lists, small, compiler):
    read = pickle.loads(pickle.dumps(lists))
    assert read.to_bytes() == lists.to_bytes() and read.vocabulary.hash == lists.vocabulary.hash
    named = maskwright.Vocabulary.from_tokens([b"a", b"", b"<t>", b""], [3], {1: "<|x|>"}, {2: "<t>"})
    for vocabulary in (small, named):
        other = pickle.loads(pickle.dumps(vocabulary))
        assert (other.hash, other.eos) == (vocabulary.hash, vocabulary.eos)
        assert (other.special_tokens, other.added_tokens) == (vocabulary.special_tokens, vocabulary.added_tokens)
    narrow = maskwright.Compiler(small, 1, limits={"states": 10}, warn=False)
    again = pickle.loads(pickle.dumps(narrow))
    with pytest.raises(maskwright.GrammarError, match="states"):
        again.regex("[a-c]{50}d{20}[ef]{9}")
    # What does not change is its own copy.
    for thing in (lists, small, compiler):
        assert copy.copy(thing) is thing and copy.deepcopy(thing) is thing
