"""`apply_mask`, for each library of arrays that is here."""

import array
import subprocess
import sys

import maskwright
import pytest

np = pytest.importorskip("numpy")


def masks(rows, words, seed=1):
    """Random rows, the last of which allows nothing and the first everything."""
    found = np.random.default_rng(seed).integers(-(1 << 31), 1 << 31, (rows, words)).astype(np.int32)
    found[0], found[-1] = -1, 0
    return found


def allowed(words, size):
    """The tokens that a row allows."""
    return [token for token in range(size) if token < 32 * len(words) and int(words[token // 32]) >> token % 32 & 1]


def kept(row):
    return np.flatnonzero(np.asarray(row, dtype=np.float32) > -np.inf).tolist()


def bfloat16():
    return np.dtype(pytest.importorskip("ml_dtypes").bfloat16)


KINDS = ["float16", "float32", "float64", ">f4", "bfloat16"]
# A row as long as the words, longer, and a row whose last word has bits for no logit.
SHAPES = [(96, 3), (100, 3), (70, 3), (5, 1)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size, words", SHAPES)
def test_arrays(kind, size, words):
    dtype = bfloat16() if kind == "bfloat16" else np.dtype(kind)
    rows = masks(4, words)
    logits = np.random.default_rng(2).random((4, size)).astype(dtype)
    before = logits.copy()
    assert maskwright.apply_mask(logits, rows) is logits and logits.dtype == dtype
    for row, mask, was in zip(logits, rows, before):
        assert kept(row) == allowed(mask, size)
        assert (row[allowed(mask, size)] == was[allowed(mask, size)]).all()
    one = before[1].copy()
    assert maskwright.apply_mask(one, rows[1]) is one and (one == logits[1]).all()
    # Rows that do not lie one behind the other.
    wide = np.concatenate([before, before], axis=1)
    maskwright.apply_mask(wide[:, :size], rows)
    assert (wide[:, :size] == logits).all() and (wide[:, size:] == before).all()


@pytest.mark.parametrize("mask", [array.array("i", [5]), array.array("I", [5]), memoryview(array.array("i", [5])), np.array([[5]], dtype=np.uint32)], ids=str)
def test_masks_in_any_memory(mask):
    for logits in (np.zeros(40, dtype=np.float32), np.zeros((1, 40), dtype=np.float32)):
        maskwright.apply_mask(logits, mask)
        assert kept(logits.reshape(-1)) == [0, 2]


def test_a_mask_of_a_matcher(lists):
    mask = np.zeros((1, lists.mask_words), dtype=np.int32)
    maskwright.Matcher(lists).fill(mask)
    logits = maskwright.apply_mask(np.zeros((1, lists.vocab_size + 50), dtype=np.float32), mask)
    assert kept(logits[0]) == [ord("[")]


def test_what_does_not_fit_changes_nothing():
    logits = np.zeros((2, 40), dtype=np.float32)
    for mask in (masks(3, 2), masks(2, 2)[0], masks(2, 3), np.zeros((1, 2, 2), dtype=np.int32)):
        with pytest.raises(ValueError):
            maskwright.apply_mask(logits, mask)
    for mask in (masks(2, 2).astype(np.int64), masks(2, 2).astype(np.float32), [[0.5, 1.0], [1.0, 1.0]]):
        with pytest.raises(TypeError, match="int32"):
            maskwright.apply_mask(logits, mask)
    with pytest.raises(ValueError, match="one dimension or two"):
        maskwright.apply_mask(logits.reshape(1, 2, 40), masks(2, 2))
    assert (logits == 0).all()
    for other in ([[0.0] * 40], array.array("f", [0.0]), "logits", None):
        with pytest.raises(TypeError, match="numpy, torch or MLX"):
            maskwright.apply_mask(other, masks(1, 2))
    for dtype in (np.int32, complex, bool):
        with pytest.raises(TypeError, match="with a point"):
            maskwright.apply_mask(np.zeros((2, 40), dtype=dtype), masks(2, 2))
    logits.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        maskwright.apply_mask(logits, masks(2, 2))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("size, words", SHAPES)
def test_tensors(kind, size, words):
    torch = pytest.importorskip("torch")
    rows = torch.from_numpy(masks(4, words))
    before = torch.rand(4, size).to(getattr(torch, kind))
    logits = before.clone()
    assert maskwright.apply_mask(logits, rows) is logits and logits.dtype == before.dtype
    for row, mask in zip(logits, rows):
        assert kept(row.float().numpy()) == allowed(mask.tolist(), size)
    one = before[1].clone()
    assert maskwright.apply_mask(one, rows[1].numpy()) is one and torch.equal(one, logits[1])
    # These are left to torch, as tensors on a device are.
    wide = torch.cat([before, before], 1)
    maskwright.apply_mask(wide[:, :size], rows)
    assert torch.equal(wide[:, :size], logits) and torch.equal(wide[:, size:], before)
    leaf = before.float().requires_grad_()
    maskwright.apply_mask(leaf, rows)
    assert leaf.isinf().any()


def test_tensors_without_memory():
    """Whatever asks for a value of one is an error: nothing waits for a device."""
    torch = pytest.importorskip("torch")
    if torch.__version__.startswith("1."):
        pytest.skip("torch 1 cannot shift integers without memory")
    logits, mask = torch.zeros(8, 70, device="meta"), torch.zeros(8, 3, dtype=torch.int32, device="meta")
    assert maskwright.apply_mask(logits, mask) is logits
    assert maskwright.apply_mask(logits[0], mask[0]).shape == (70,)


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32"])
@pytest.mark.parametrize("size, words", SHAPES)
def test_arrays_of_mlx(kind, size, words):
    mx = pytest.importorskip("mlx.core")
    rows = masks(4, words)
    before = mx.random.uniform(shape=(4, size)).astype(getattr(mx, kind))
    for mask in (rows, mx.array(rows), mx.array(rows.view(np.uint32))):
        logits = maskwright.apply_mask(before, mask)
        assert logits.dtype == before.dtype and not mx.isinf(before).any()
        for row, words_of_row in zip(logits, rows):
            assert kept(np.array(row.astype(mx.float32))) == allowed(words_of_row, size)
    assert mx.array_equal(maskwright.apply_mask(before[1], rows[1]), logits[1])


def test_nothing_is_imported_with_the_package():
    program = "import sys, maskwright; assert not {'numpy', 'torch', 'mlx', 'pydantic', 'transformers'} & set(sys.modules), sorted(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
