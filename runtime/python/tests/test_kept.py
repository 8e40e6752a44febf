"""Rows that know which masks they hold: at each step they are what `fill` writes."""

import array
import random

import maskwright
import pytest
from conftest import ids_of

np = pytest.importorskip("numpy")

ROWS = 12


@pytest.fixture(scope="module")
def grammar(cl100k_compiler):
    return cl100k_compiler.schema({"type": "object", "properties": {"a": {"type": "string"}, "b": {"enum": ["x", 1]}}, "required": ["a"]})


def steps(grammars, choose, count=30):
    """A batch of random texts, step by step; a text that has ended begins anew."""
    matchers = [maskwright.Matcher(grammars[at % len(grammars)], depth=16) for at in range(ROWS)]
    for _ in range(count):
        yield matchers
        for matcher in matchers:
            allowed = matcher.allowed_tokens()
            if allowed:
                assert matcher.accept_token(choose.choice(allowed))
            else:
                matcher.reset()


def plain(matchers, words):
    masks = np.zeros((len(matchers), words), dtype=np.int32)
    maskwright.fill_batch(matchers, masks)
    return masks


@pytest.mark.parametrize("extra", [0, 3])
def test_a_buffer_holds_the_masks(grammar, cl100k_compiler, extra):
    grammars = [grammar, grammar, cl100k_compiler.regex("[a-z]{3,}!")]
    masks = np.full((ROWS, grammar.mask_words + extra), -1, dtype=np.int32)
    kept = maskwright.MaskBuffer(masks)
    assert kept.buffer is masks
    written = 0
    for matchers in steps(grammars, random.Random(3)):
        before = masks.copy()
        changed = kept.fill(matchers)
        expected = plain(matchers, grammar.mask_words + extra)
        assert (masks == expected).all()
        differ = np.flatnonzero((before != masks).any(axis=1)).tolist()
        assert set(differ) <= set(changed) and changed == sorted(set(changed))
        written += len(changed)
        assert kept.fill(matchers) == []
    assert ROWS < written < 30 * ROWS


def test_rows_of_a_buffer_by_number(lists):
    masks = np.full((4, lists.mask_words), -1, dtype=np.int32)
    kept = maskwright.MaskBuffer(masks)
    first, second = maskwright.Matcher(lists), maskwright.Matcher(lists)
    assert second.accept_bytes(b"[1")
    assert kept.fill([first, second], rows=[3, 1]) == [1, 3]
    assert ids_of(masks[3]) == [ord("[")] and ids_of(masks[1]) == second.allowed_tokens()
    assert (masks[[0, 2]] == -1).all()
    assert kept.fill([first, second], rows=[0, 0]) == [0]
    assert ids_of(masks[0]) == second.allowed_tokens()


def test_what_else_writes_a_buffer_is_seen_after_forget(lists):
    masks = np.zeros((1, lists.mask_words), dtype=np.int32)
    kept, matcher = maskwright.MaskBuffer(masks), maskwright.Matcher(lists)
    assert kept.fill([matcher]) == [0]
    masks[:] = -1
    assert kept.fill([matcher]) == [] and (masks == -1).all()
    kept.forget()
    assert kept.fill([matcher]) == [0] and ids_of(masks[0]) == [ord("[")]


@pytest.mark.parametrize("rows", [ROWS, 40])
def test_a_pool_holds_the_masks(grammar, cl100k_compiler, rows):
    grammars = [grammar, cl100k_compiler.regex("[a-z]{3,}!")]
    masks = np.full((rows, grammar.mask_words), -1, dtype=np.int32)
    pool = maskwright.MaskPool(masks)
    assert pool.buffer is masks
    written = 0
    for matchers in steps(grammars, random.Random(4)):
        before = masks.copy()
        numbers, new = pool.rows_of(matchers)
        assert (masks[numbers] == plain(matchers, grammar.mask_words)).all()
        differ = np.flatnonzero((before != masks).any(axis=1)).tolist()
        assert set(differ) <= set(new) <= set(numbers) and len(new) == len(set(new))
        written += len(new)
        assert pool.rows_of(matchers) == (numbers, [])
    assert written < 30 * ROWS / 2


def test_equal_masks_share_a_row(lists):
    pool = maskwright.MaskPool(np.zeros((2, lists.mask_words), dtype=np.int32))
    numbers, new = pool.rows_of([maskwright.Matcher(lists) for _ in range(5)])
    assert len(set(numbers)) == 1 and new == numbers[:1]


def test_a_pool_that_is_too_small(lists):
    pool = maskwright.MaskPool(np.zeros((1, lists.mask_words), dtype=np.int32))
    inside = maskwright.Matcher(lists)
    assert inside.accept_bytes(b"[")
    with pytest.raises(ValueError, match="more different masks than the buffer has rows, 1"):
        pool.rows_of([maskwright.Matcher(lists), inside])
    assert pool.rows_of([inside])[0] == [0]
    assert ids_of(pool.buffer[0]) == inside.allowed_tokens()


def test_a_pool_forgets(lists):
    masks = np.zeros((2, lists.mask_words), dtype=np.int32)
    pool, matcher = maskwright.MaskPool(masks), maskwright.Matcher(lists)
    pool.rows_of([matcher])
    masks[:] = -1
    pool.forget()
    (row,), new = pool.rows_of([matcher])
    assert new == [row] and ids_of(masks[row]) == [ord("[")]


@pytest.mark.parametrize("kind", ["MaskBuffer", "MaskPool"])
def test_wrong_buffers_are_refused(lists, kind):
    make = getattr(maskwright, kind)
    read_only = np.zeros((2, 9), dtype=np.int32)
    read_only.flags.writeable = False
    for buffer, error in [(read_only, BufferError), (np.zeros((2, 9)), BufferError), ([0] * 9, TypeError)]:
        with pytest.raises(error):
            make(buffer)
    short = np.zeros((2, lists.mask_words - 1), dtype=np.int32)
    kept = make(short)
    with pytest.raises(ValueError, match=f"takes {lists.mask_words} words"):
        (kept.fill if kind == "MaskBuffer" else kept.rows_of)([maskwright.Matcher(lists)])
    assert not short.any()


def test_wrong_rows_write_nothing(lists):
    masks = np.zeros((2, lists.mask_words), dtype=np.int32)
    kept, matcher = maskwright.MaskBuffer(masks), maskwright.Matcher(lists)
    with pytest.raises(IndexError, match="there is no row 2"):
        kept.fill([matcher, matcher], rows=[0, 2])
    with pytest.raises(ValueError, match="2 matchers and 1 rows"):
        kept.fill([matcher, matcher], rows=[0])
    with pytest.raises(TypeError):
        kept.fill(["a matcher"])
    assert not masks.any()
    assert kept.fill([]) == []


def test_a_buffer_is_held_for_as_long(lists):
    buffer = array.array("i", bytes(4 * lists.mask_words))
    kept = maskwright.MaskBuffer(buffer)
    kept.fill([maskwright.Matcher(lists)])
    kept.forget()
    with pytest.raises(BufferError):
        buffer.append(1)
    del kept
    buffer.append(1)
    words = maskwright.MaskBuffer(np.zeros(lists.mask_words, dtype=np.int32))
    assert words.fill([maskwright.Matcher(lists)]) == [0]
    assert ids_of(words.buffer) == [ord("[")]


def test_grammars_may_be_dropped(compiler):
    masks = np.zeros((2, 9), dtype=np.int32)
    kept, pool = maskwright.MaskBuffer(masks[:1]), maskwright.MaskPool(masks[1:])
    for at in range(60):
        letter = bytes([ord("a") + at % 26])
        matcher = maskwright.Matcher(compiler.regex(letter.decode() + "x"))
        kept.fill([matcher])
        pool.rows_of([matcher])
        assert [ids_of(row) for row in masks] == [[letter[0]]] * 2
