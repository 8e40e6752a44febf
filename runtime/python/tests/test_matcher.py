import pickle

import maskwright
import pytest
from conftest import EOS, follow


def test_tokens_and_bytes(lists):
    matcher = maskwright.Matcher(lists)
    assert matcher.allowed_tokens() == [ord("[")]
    assert matcher.accept_token(ord("["))
    assert not matcher.accept_token(ord(","))
    assert not matcher.accept_token(EOS)
    assert matcher.accept_bytes(b"1,[2")
    assert not matcher.accept_bytes(b"]]]")
    assert not matcher.is_complete()
    assert matcher.accept_bytes(b"]]")
    assert matcher.is_complete() and not matcher.is_finished()
    assert matcher.allowed_tokens() == [EOS]
    assert matcher.accept_token(EOS)
    assert matcher.is_finished() and matcher.allowed_tokens() == []


def test_what_was_expected_is_explained(lists):
    matcher = maskwright.Matcher(lists)
    assert matcher.explain(b"[1,,") == "refused at byte 3: `0` to `9`, `[` may come here"
    assert matcher.explain(b"[1,") is None
    assert matcher.explain(ord("1")) == "refused at byte 0: `[` must come here"
    assert matcher.explain(EOS).startswith("refused at byte 0")
    assert matcher == maskwright.Matcher(lists)


def test_ids_that_are_none(lists):
    matcher = maskwright.Matcher(lists)
    assert not matcher.accept_token(EOS + 1)
    for id in (-1, 2**32):
        with pytest.raises(OverflowError):
            matcher.accept_token(id)
    with pytest.raises(TypeError):
        matcher.accept_token("[")
    assert matcher == maskwright.Matcher(lists)


def test_depth(lists):
    matcher = maskwright.Matcher(lists, depth=3)
    assert matcher.depth == 3
    opened = 0
    while matcher.accept_bytes(b"["):
        opened += 1
    assert 0 < opened <= 4
    assert ord("[") not in matcher.allowed_tokens()
    assert matcher.accept_bytes(b"]" * opened)
    with pytest.raises(ValueError, match="65535"):
        maskwright.Matcher(lists, depth=65_536)


def test_a_depth_that_is_too_small_names_the_least(compiler):
    grammar = compiler.ebnf('root ::= "[" inner "]"\ninner ::= "(" ("(" root ")" | root | "x") ")"')
    assert grammar.least_depth > 0
    with pytest.raises(ValueError, match=f"set `depth` to {grammar.least_depth}"):
        maskwright.Matcher(grammar, depth=grammar.least_depth - 1)
    maskwright.Matcher(grammar, depth=grammar.least_depth)


def test_drafts(lists):
    matcher = maskwright.Matcher(lists, history=8)
    draft = list(b"[1,,2")
    assert matcher.validate(draft) == 3
    assert matcher == maskwright.Matcher(lists)
    assert matcher.accept_draft(draft) == 3
    assert matcher.accept_draft([]) == matcher.validate([]) == 0
    assert matcher.history_len == 3


def test_rollback(lists):
    matcher = maskwright.Matcher(lists, history=4)
    points = [matcher.fork()]
    for byte in b"[[1]]":
        assert matcher.accept_token(byte)
        points.append(matcher.fork())
    assert matcher.accept_token(EOS)
    assert matcher.history_len == 4
    matcher.rollback(0)
    assert matcher.is_finished()
    matcher.rollback(1)
    assert matcher == points[5] and not matcher.is_finished()
    matcher.rollback(3)
    assert matcher == points[2]
    assert matcher.allowed_tokens() == points[2].allowed_tokens()
    with pytest.raises(ValueError, match="larger `history`"):
        matcher.rollback(1)
    assert matcher == points[2]


def test_without_history_nothing_is_taken_back(lists):
    matcher = maskwright.Matcher(lists)
    assert matcher.accept_bytes(b"[")
    with pytest.raises(ValueError):
        matcher.rollback(1)


def test_forks_go_on_by_themselves(lists):
    matcher = maskwright.Matcher(lists, history=4)
    assert matcher.accept_bytes(b"[")
    fork = matcher.fork()
    assert fork.accept_bytes(b"1]")
    assert not matcher.is_complete() and fork.is_complete()
    fork.rollback(1)
    assert fork == matcher
    assert fork.history_len == 0 and matcher.history_len == 1
    assert fork.grammar is matcher.grammar


def test_reset(lists):
    matcher = maskwright.Matcher(lists, history=4)
    assert matcher.accept_bytes(b"[1")
    matcher.reset()
    assert matcher == maskwright.Matcher(lists)
    assert matcher.history_len == 0


def test_what_is_forced(compiler):
    matcher = maskwright.Matcher(compiler.regex("true(on|off)x"))
    assert matcher.forced_bytes() == b"trueo"
    assert matcher.forced_bytes(limit=2) == b"tr"
    assert matcher.accept_bytes(b"trueof")
    assert matcher.forced_tokens() == [ord("f"), ord("x"), EOS]
    assert matcher.forced_tokens(limit=1) == [ord("f")]
    with pytest.raises(ValueError, match="limit"):
        matcher.forced_bytes(limit=1 << 30)


def test_a_state_in_bytes(lists, compiler):
    matcher = maskwright.Matcher(lists)
    assert matcher.accept_bytes(b"[[1,")
    state = pickle.loads(pickle.dumps(matcher.to_bytes()))
    loaded = maskwright.Matcher.from_bytes(state, lists, depth=8, history=2)
    assert loaded == matcher and loaded.depth == 8
    assert loaded.allowed_tokens() == matcher.allowed_tokens()
    assert loaded.accept_bytes(b"2]]")
    loaded.rollback(1)
    assert loaded == matcher
    with pytest.raises(maskwright.TablesError, match="another grammar"):
        maskwright.Matcher.from_bytes(state, compiler.regex("a"))
    with pytest.raises(maskwright.TablesError):
        maskwright.Matcher.from_bytes(b"nothing", lists)
    with pytest.raises(ValueError, match="depth"):
        maskwright.Matcher.from_bytes(state, lists, depth=1)


def test_matchers_of_other_grammars_differ(lists, compiler):
    assert maskwright.Matcher(lists) != maskwright.Matcher(compiler.regex("[a]"))
    assert maskwright.Matcher(lists) != "a matcher"


def test_a_text_of_cl100k(cl100k, cl100k_compiler):
    grammar = cl100k_compiler.schema({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
    matcher = maskwright.Matcher(grammar)
    follow(matcher, cl100k, '{"name": "Zoë and the others"}'.encode())
    assert matcher.is_complete()
    assert matcher.accept_token(cl100k.eos[0])
    assert matcher.is_finished()
