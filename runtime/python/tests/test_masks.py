import array
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import maskwright
import pytest
from conftest import ids_of

np = pytest.importorskip("numpy")

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["name"],
}


@pytest.fixture(scope="module")
def grammar(cl100k_compiler):
    return cl100k_compiler.schema(SCHEMA)


@pytest.fixture(scope="module")
def matchers(grammar):
    """Matchers at many points of random texts."""
    matchers, choose = [], random.Random(7)
    while len(matchers) < 64:
        matcher = maskwright.Matcher(grammar, depth=16)
        while not matcher.is_finished() and choose.random() < 0.95:
            matchers.append(matcher.fork())
            assert matcher.accept_token(choose.choice(matcher.allowed_tokens()))
        matchers.append(matcher)
    return matchers[:64]


def test_a_row_is_the_allowed_tokens(grammar, matchers):
    masks = np.full((3, grammar.mask_words), -1, dtype=np.int32)
    counts = set()
    for matcher in matchers:
        assert matcher.fill(masks, 1) is None
        allowed = matcher.allowed_tokens()
        assert ids_of(masks[1]) == allowed
        counts.add(len(allowed))
    assert len(counts) > 4
    assert (masks[[0, 2]] == -1).all()


@pytest.mark.parametrize("kind", ["int32", "uint32", "one row", "array", "memoryview", "wide"])
def test_buffers(lists, kind):
    words = lists.mask_words
    buffer = {
        "int32": lambda: np.full((2, words), -1, dtype=np.int32),
        "uint32": lambda: np.full((2, words), 2**32 - 1, dtype=np.uint32),
        "one row": lambda: np.full(words, -1, dtype=np.int32),
        "array": lambda: array.array("i", [-1] * words),
        "memoryview": lambda: memoryview(bytearray(b"\xff" * 4 * words)).cast("i", (1, words)),
        "wide": lambda: np.full((1, words + 5), -1, dtype=np.int32),
    }[kind]()
    maskwright.Matcher(lists).fill(buffer)
    row = buffer if kind in ("one row", "array") else np.asarray(buffer)[0]
    assert ids_of(row) == [ord("[")]


def shapes(words):
    """Buffers that cannot be filled, and the errors that say why."""
    read_only = np.zeros((2, words), dtype=np.int32)
    read_only.flags.writeable = False
    unaligned = np.frombuffer(bytearray(4 * words + 4), dtype=np.uint8)[1 : 1 + 4 * words].view(np.int32)
    return {
        "int64": (np.zeros((2, words), dtype=np.int64), BufferError, "32-bit integers"),
        "float32": (np.zeros((2, words), dtype=np.float32), BufferError, "32-bit integers"),
        "bytes": (bytearray(4 * words), BufferError, "32-bit integers"),
        "other byte order": (np.zeros((2, words), dtype=np.dtype(np.int32).newbyteorder()), BufferError, "32-bit integers"),
        "read-only": (read_only, BufferError, "read-only"),
        "columns": (np.zeros((2, 2 * words), dtype=np.int32)[:, ::2], BufferError, "contiguous"),
        "Fortran order": (np.zeros((2, words), dtype=np.int32, order="F"), BufferError, "contiguous"),
        "backwards": (np.zeros(words, dtype=np.int32)[::-1], BufferError, "contiguous"),
        "three dimensions": (np.zeros((1, 1, words), dtype=np.int32), BufferError, "3 dimensions"),
        "no dimension": (np.zeros((), dtype=np.int32), BufferError, "0 dimensions"),
        "not aligned": (unaligned, BufferError, "aligned"),
        "too short": (np.zeros((2, words - 1), dtype=np.int32), ValueError, f"takes {words} words"),
        "no rows": (np.zeros((0, words), dtype=np.int32), IndexError, "0 rows"),
        "no words": (np.zeros((2, 0), dtype=np.int32), (ValueError, IndexError), "."),
        "a list": ([0] * words, TypeError, "got list"),
        "None": (None, TypeError, "got NoneType"),
    }


@pytest.mark.parametrize("kind", shapes(9))
def test_wrong_buffers_are_refused(lists, kind):
    assert lists.mask_words == 9
    buffer, error, why = shapes(9)[kind]
    matcher = maskwright.Matcher(lists)
    with pytest.raises(error, match=why):
        matcher.fill(buffer)
    with pytest.raises(error, match=why):
        maskwright.fill_batch([matcher], buffer)
    if isinstance(buffer, np.ndarray):
        assert not buffer.any()


def test_rows_that_are_not_there(lists):
    matcher = maskwright.Matcher(lists)
    masks = np.zeros((2, lists.mask_words), dtype=np.int32)
    with pytest.raises(IndexError, match="there is no row 2"):
        matcher.fill(masks, 2)
    with pytest.raises(OverflowError):
        matcher.fill(masks, -1)
    with pytest.raises(IndexError):
        matcher.fill(masks[0], 1)
    assert not masks.any()


def test_a_batch_is_its_rows(grammar, matchers):
    single = np.full((64, grammar.mask_words), -1, dtype=np.int32)
    batch = single.copy()
    for row, matcher in enumerate(matchers):
        matcher.fill(single, row)
    maskwright.fill_batch(matchers, batch)
    assert (single == batch).all()
    mixed = np.full((70, grammar.mask_words + 2), -1, dtype=np.int32)
    rows = random.Random(3).sample(range(70), 64)
    maskwright.fill_batch(tuple(matchers), mixed, rows=rows)
    assert (mixed[rows, : grammar.mask_words] == single).all()
    assert (mixed[rows, grammar.mask_words :] == 0).all()
    others = [row for row in range(70) if row not in rows]
    assert (mixed[others] == -1).all()


def test_rows_are_written_whole_whatever_they_held(grammar, matchers, cl100k_compiler):
    """Finished masks are kept inside and copied; what the caller's rows held before never counts."""
    other = cl100k_compiler.regex("[a-z]{1,9}")
    batch = [*matchers, maskwright.Matcher(other)]
    expected = [matcher.allowed_tokens() for matcher in batch]
    rows, noise = np.zeros((65, grammar.mask_words + 1), dtype=np.int32), np.random.default_rng(5)
    for step in range(12):
        rows[:] = [-1, 0, noise.integers(-(2**31), 2**31, rows.shape)][step % 3]
        order = noise.permutation(65).tolist()
        if step % 2:
            for row, matcher in zip(order, batch):
                matcher.fill(rows, row)
        else:
            maskwright.fill_batch(batch, rows, order)
        assert [ids_of(rows[row]) for row in order] == expected


def test_more_masks_than_are_kept(compiler):
    rows = np.full((1, 9), -1, dtype=np.int32)
    for _ in range(2):
        for first in range(97, 123):
            for last in range(97, 123):
                matcher = maskwright.Matcher(_letters(compiler, first, last))
                matcher.fill(rows, 0)
                assert ids_of(rows[0]) == sorted({first, last})


@lru_cache(maxsize=None)
def _letters(compiler, first, last):
    return compiler.regex(f"{chr(first)}|{chr(last)}")


def test_threads_fill_at_the_same_time(grammar, matchers):
    expected = [matcher.allowed_tokens() for matcher in matchers]

    def fill(_):
        rows = np.full((64, grammar.mask_words), -1, dtype=np.int32)
        maskwright.fill_batch(matchers, rows)
        return [ids_of(row) for row in rows] == expected

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(fill, range(8)))


def test_the_size_of_a_grammar(grammar):
    assert grammar.nbytes == len(grammar.to_bytes())


def test_a_batch_of_several_grammars(compiler, lists):
    matchers = [maskwright.Matcher(grammar) for grammar in (lists, compiler.regex("ab"), lists)]
    masks = np.zeros((3, lists.mask_words), dtype=np.int32)
    maskwright.fill_batch(matchers, masks, [2, 0, 1])
    assert [ids_of(row) for row in masks] == [[ord("a")], [ord("[")], [ord("[")]]


def test_wrong_batches_write_nothing(lists):
    matcher = maskwright.Matcher(lists)
    masks = np.zeros((2, lists.mask_words), dtype=np.int32)
    with pytest.raises(IndexError):
        maskwright.fill_batch([matcher, matcher], masks, [0, 2])
    with pytest.raises(IndexError):
        maskwright.fill_batch([matcher] * 3, masks)
    with pytest.raises(ValueError, match="2 matchers and 1 rows"):
        maskwright.fill_batch([matcher, matcher], masks, [0])
    with pytest.raises(TypeError):
        maskwright.fill_batch([matcher, "a matcher"], masks)
    assert not masks.any()
    maskwright.fill_batch([], masks)
    assert not masks.any()


def test_a_buffer_is_given_back(lists):
    buffer = array.array("i", bytes(4 * lists.mask_words))
    matcher = maskwright.Matcher(lists)
    matcher.fill(buffer)
    with pytest.raises(IndexError):
        matcher.fill(buffer, 5)
    buffer.append(1)  # an array cannot grow while a view of it is held
    with pytest.raises(BufferError):
        held = memoryview(buffer)
        buffer.append(len(held))


def test_batches_in_threads(grammar, matchers):
    expected = np.zeros((64, grammar.mask_words), dtype=np.int32)
    maskwright.fill_batch(matchers, expected)
    found = [np.zeros_like(expected) for _ in range(4)]

    def work(masks):
        for _ in range(20):
            maskwright.fill_batch(matchers, masks)

    threads = [threading.Thread(target=work, args=(masks,)) for masks in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((masks == expected).all() for masks in found)


@pytest.mark.parametrize("as_array", [False, True])
def test_a_tensor_on_the_cpu(lists, as_array):
    torch = pytest.importorskip("torch")
    masks = torch.full((2, lists.mask_words), -1, dtype=torch.int32)
    given = masks.numpy() if as_array else masks
    maskwright.Matcher(lists).fill(given, 1)
    assert ids_of(masks[1].tolist()) == [ord("[")]
    assert (masks[0] == -1).all()
    maskwright.fill_batch([maskwright.Matcher(lists)], given)
    assert ids_of(masks[0].tolist()) == [ord("[")]
    shared = torch.full((2, lists.mask_words), -1, dtype=torch.int32)
    pool = maskwright.MaskPool(shared.numpy() if as_array else shared)
    (row,), _ = pool.rows_of([maskwright.Matcher(lists)])
    assert ids_of(shared[row].tolist()) == [ord("[")]


def test_tensors_that_are_none(lists):
    torch = pytest.importorskip("torch")
    matcher = maskwright.Matcher(lists)
    with pytest.raises(BufferError, match="32-bit"):
        matcher.fill(torch.zeros(lists.mask_words, dtype=torch.int64))
    with pytest.raises(TypeError):
        matcher.fill(torch.zeros(lists.mask_words, dtype=torch.int32, device="meta"))
    with pytest.raises(BufferError, match="contiguous"):
        matcher.fill(torch.zeros((lists.mask_words, 2), dtype=torch.int32).T)


def test_what_has_dlpack_and_no_memory_here(lists):
    class Elsewhere:
        __dlpack__ = None

    with pytest.raises(TypeError, match="got Elsewhere"):
        maskwright.Matcher(lists).fill(Elsewhere())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int16"])
def test_masks_are_applied_natively(dtype):
    """Against bits one by one, for sizes and rows of all kinds; `int16` is bfloat16."""
    random = np.random.default_rng(3)
    infinity = np.float32(-np.inf).view(np.uint32) >> 16 if dtype == "int16" else -np.inf
    refused = np.array([infinity], dtype=np.uint16).view(np.int16)[0] if dtype == "int16" else infinity
    for width, size, rows in [(70, None, None), (70, 64, [2, 0]), (64, 33, [1]), (1, 1, None), (300, 200, None), (96, None, [])]:
        logits = random.integers(1, 100, (3, width)).astype(dtype)
        masks = random.integers(-(1 << 31), 1 << 31, (3, -(-width // 32))).astype(np.int32)
        masks[1] = random.choice([0, -1], masks.shape[1])
        expected = logits.copy()
        for row in range(3) if rows is None else rows:
            for token in range(width if size is None else size):
                if not masks[row, token // 32] >> token % 32 & 1:
                    expected[row, token] = refused
        maskwright.apply_masks(logits, masks, size, rows)
        assert (logits == expected).all(), (width, size, rows)


def test_masks_that_cannot_be_applied():
    logits, masks = np.zeros((2, 40), dtype=np.float32), np.zeros((2, 2), dtype=np.int32)
    for bad in (logits.astype(np.int32), logits.astype(">f4"), logits[:, ::2], logits.astype(complex), np.zeros((1, 1, 40), dtype=np.float32)):
        with pytest.raises(BufferError):
            maskwright.apply_masks(bad, masks)
    fixed = logits.copy()
    fixed.flags.writeable = False
    with pytest.raises(BufferError):
        maskwright.apply_masks(fixed, masks)
    with pytest.raises(BufferError):
        maskwright.apply_masks(logits, masks.astype(np.int64))
    with pytest.raises(TypeError):
        maskwright.apply_masks([[0.0]], masks)
    for rows in ([2], [0, 7]):
        with pytest.raises(IndexError):
            maskwright.apply_masks(logits, masks, None, rows)
    with pytest.raises(IndexError):
        maskwright.apply_masks(logits, masks[:1])
    assert (logits == 0).all()
    maskwright.apply_masks(logits, masks[:, :1].copy(), 1000)  # bits that there are
    assert np.isinf(logits).sum() == 64


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_logits_in_tensors(dtype):
    torch = pytest.importorskip("torch")
    from maskwright import _masks

    generator = torch.Generator().manual_seed(2)
    logits = torch.rand(4, 75, generator=generator).to(getattr(torch, dtype))
    masks = torch.randint(-(1 << 31), 1 << 31, (4, 3), generator=generator, dtype=torch.int64).to(torch.int32)
    for rows in (None, [3, 1], torch.tensor([0, 2, 2])):
        for size in (None, 40, 75):
            native, plain, wide = logits.clone(), logits.clone(), torch.cat([logits, logits], 1)
            _masks.apply_masks(native, masks, size, rows)
            _masks._apply_to_tensor(plain, masks, size or 75, rows)
            # Rows that do not lie one behind the other are left to torch.
            _masks.apply_masks(wide[:, :75], masks, size, rows)
            assert torch.equal(native, plain) and torch.equal(wide[:, :75], plain) and torch.equal(wide[:, 75:], logits)
            assert native.isinf().any()


def test_masks_are_applied_without_waiting_for_a_device():
    """Tensors without memory: whatever asks for a value of one is an error."""
    torch = pytest.importorskip("torch")
    from maskwright import _masks

    logits, masks = torch.zeros(8, 70, device="meta"), torch.zeros(8, 3, dtype=torch.int32, device="meta")
    for rows in (None, [1, 2], torch.zeros(3, dtype=torch.int64, device="meta")):
        _masks.apply_masks(logits, masks, None, rows)
        _masks.apply_masks(logits[0], masks[0])


def test_fill_gives_the_lock_back(cl100k_compiler):
    """Another thread goes on while masks are written."""
    matcher = maskwright.Matcher(cl100k_compiler.schema({"type": "object"}))
    row, counted, is_over = np.zeros(matcher.grammar.mask_words, dtype=np.int32), [0], threading.Event()

    def count():
        while not is_over.is_set():
            counted[0] += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # the interpreter takes the lock from nobody
    thread = threading.Thread(target=count)
    try:
        thread.start()
        before, until = counted[0], time.monotonic() + 20
        while counted[0] == before and time.monotonic() < until:
            matcher.fill(row)
        assert counted[0] > before
    finally:
        is_over.set()
        sys.setswitchinterval(interval)
        thread.join()
