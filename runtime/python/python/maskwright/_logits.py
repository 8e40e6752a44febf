"""Masks applied to logits, for programs with a loop of their own.

In: logits of numpy, torch or MLX, and rows of words as `fill` writes them. Out: logits that are minus infinity for each token that may not come. What holds: no library is imported whose arrays are
not given.
"""

import sys
from typing import Any, TypeVar

from . import _native

__all__ = ["apply_mask"]

Logits = TypeVar("Logits")


def apply_mask(logits: Logits, mask: Any) -> Logits:
    """Sets the logits of tokens that a mask does not allow to minus infinity, and returns them.

    `logits`: floats of the shape `(size,)` or `(rows, size)`: an array of numpy or a tensor of torch, on any device, which is changed in place and returned; or an array of MLX, which does not
    change: a new one is returned. `mask`: words as `fill` writes them, of the shape `(words,)` or `(rows, words)`, in any memory that `fill` writes to, or on the device of the logits. A token
    without a bit is not allowed: rows of logits may be longer than the vocabulary.

    Raises `TypeError` for logits of another kind, `ValueError` if there are not as many rows of both, or more words than logits.
    """
    library = type(logits).__module__.split(".")[0]
    apply = {"numpy": _to_array, "torch": _to_tensor, "mlx": _to_mlx}.get(library)
    if apply is None:
        library = next((name for name in ("torch", "numpy") if _is_of(logits, name)), "")
        apply = {"numpy": _to_array, "torch": _to_tensor}.get(library)
    if apply is None:
        raise TypeError(f"expected logits of numpy, torch or MLX, got {type(logits).__module__}.{type(logits).__name__}")
    return apply(logits, mask)


def _is_of(value: Any, library: str) -> bool:
    """Whether it is of a subclass of the library's arrays."""
    module = sys.modules.get(library)
    kind = getattr(module, "Tensor" if library == "torch" else "ndarray", None)
    return kind is not None and isinstance(value, kind)


def _check(logits: Any, words: Any) -> None:
    """Refuses shapes that do not belong together."""
    (*rows, size), (*masks, count) = logits.shape or (0,), words.shape or (0,)
    if len(rows) > 1 or len(masks) > 1:
        raise ValueError(f"expected one dimension or two; the logits have the shape {tuple(logits.shape)}, the mask {tuple(words.shape)}")
    if (rows or [1]) != (masks or [1]):
        raise ValueError(f"there are {(rows or [1])[0]} rows of logits and {(masks or [1])[0]} masks")
    if count > -(-size // 32):
        raise ValueError(f"a mask has {count} words, which is {32 * count} tokens, and a row has {size} logits: was the grammar compiled for this model's vocabulary?")


def _array(mask: Any) -> Any:
    """Words as an array of numpy, without a copy."""
    import numpy

    if _is_of(mask, "torch"):
        mask = mask.detach().cpu().numpy()
    words = numpy.ascontiguousarray(mask)
    if words.dtype.kind not in "iu" or words.dtype.itemsize != 4:
        raise TypeError(f"expected a mask of int32 or uint32, got {words.dtype}")
    return words


def _refused(words: Any, size: int) -> Any:
    """For each logit of each row, whether it is refused: an array of flags."""
    import numpy

    bits = numpy.unpackbits(words.astype("<u4", copy=False).view(numpy.uint8), axis=-1, bitorder="little")[..., :size]
    refused = numpy.ones((*words.shape[:-1], size), dtype=bool)
    refused[..., : bits.shape[-1]] = bits == 0
    return refused


def _natively(logits: Any, words: Any) -> bool:
    """Masks numbers in C order in place; integers of two bytes are numbers in bfloat16. False for numbers that the compiled part does not take."""
    if logits.dtype.char not in "hefd" or not logits.dtype.isnative or not logits.flags.carray:
        return False
    _native.apply_masks(logits, words.reshape(*logits.shape[:-1], -1))
    return True


def _to_array(logits: Any, mask: Any) -> Any:
    import numpy

    words = _array(mask)
    _check(logits, words)
    # Numbers of other packages, such as bfloat16 of ml_dtypes, are of the kind "V".
    if logits.dtype.kind not in "fV" or logits.dtype.names is not None:
        raise TypeError(f"expected logits with a point, got {logits.dtype}")
    if _natively(logits.view(numpy.int16) if logits.dtype.name == "bfloat16" else logits, words):
        logits[..., 32 * words.shape[-1] :] = -numpy.inf
    else:
        logits[_refused(words, logits.shape[-1]).reshape(logits.shape)] = -numpy.inf
    return logits


def _to_tensor(logits: Any, mask: Any) -> Any:
    import torch

    if not logits.is_floating_point():
        raise TypeError(f"expected logits with a point, got {logits.dtype}")
    plain = logits.detach()
    if logits.device.type == "cpu" and logits.is_contiguous() and logits.element_size() > 1:
        words = _array(mask)
        _check(logits, words)
        _natively((plain.view(torch.int16) if logits.dtype == torch.bfloat16 else plain).numpy(), words)
        plain[..., 32 * words.shape[-1] :] = float("-inf")
        return logits
    # Operations of torch alone: none of them waits for the device.
    words = mask if _is_of(mask, "torch") else torch.from_numpy(_array(mask).view("int32"))
    _check(logits, words)
    shifts = torch.arange(32, dtype=torch.int32, device=logits.device)
    bits = ((words.to(logits.device, non_blocking=True).unsqueeze(-1) >> shifts) & 1).flatten(-2)
    refused = torch.ones((*words.shape[:-1], logits.shape[-1]), dtype=torch.bool, device=logits.device)
    known = min(bits.shape[-1], logits.shape[-1])
    refused[..., :known] = bits[..., :known] == 0
    plain.masked_fill_(refused.reshape(logits.shape), float("-inf"))
    return logits


def _to_mlx(logits: Any, mask: Any) -> Any:
    import mlx.core as mx

    if not mx.issubdtype(logits.dtype, mx.floating):
        raise TypeError(f"expected logits with a point, got {logits.dtype}")
    words = mask.view(mx.uint32) if isinstance(mask, mx.array) else mx.array(_array(mask).view("uint32"))
    _check(logits, words)
    size = logits.shape[-1]
    bits = (words[..., None] >> mx.arange(32, dtype=mx.uint32)) & 1
    bits = bits.reshape(*words.shape[:-1], -1)[..., :size]
    missing = [(0, 0)] * (bits.ndim - 1) + [(0, size - bits.shape[-1])]
    allowed = (mx.pad(bits, missing) == 1).reshape(logits.shape)
    return mx.where(allowed, logits, mx.array(-float("inf"), dtype=logits.dtype))
