"""Masks in tensors and arrays, for the adapters of serving engines.

In: rows of words, logits. Out: masks written to and applied from tensors of torch, or arrays of numpy. What holds: torch is imported only where it is installed; without it arrays of numpy
stand in. Nothing waits for a device.
"""

from collections.abc import Sequence
from typing import Any, Optional

import numpy

from . import _native

try:
    import torch
except ImportError:
    torch = None

__all__ = ["Words", "apply_masks", "is_tensor", "new_masks", "torch", "words_of"]


def is_tensor(value: Any) -> bool:
    """Whether it is a tensor of torch."""
    return torch is not None and isinstance(value, torch.Tensor)


def new_masks(rows: int, words: int, pinned: bool = False) -> Any:
    """Masks that allow every token: int32 of the shape `(rows, words)`, a tensor on the CPU, or an array without torch.

    `pinned`: in memory that a device copies from while the program goes on.
    """
    if torch is not None:
        return torch.full((rows, words), -1, dtype=torch.int32, pin_memory=pinned)
    return numpy.full((rows, words), -1, dtype=numpy.int32)


def words_of(masks: Any) -> Any:
    """What `fill` writes to: the memory of a tensor on the CPU as an array, other buffers as they are. Nothing is copied.

    Raises `BufferError` for tensors on another device.
    """
    if not is_tensor(masks):
        return masks
    if masks.device.type != "cpu":
        raise BufferError(f"masks are written on the CPU; the tensor is on {masks.device}")
    return masks.detach().numpy()


class Words:
    """`words_of`, for a caller that mostly gives the same tensor: its array is kept, since to make one takes longer than a mask. Threads can use it at the same time.

    The tensor is held until another is given. One whose memory or shape was changed meanwhile is looked at again.
    """

    def __init__(self) -> None:
        self._last: Any = (None, None, None, None)

    def of(self, masks: Any) -> Any:
        tensor, start, shape, words = self._last
        if tensor is None or tensor is not masks or masks.data_ptr() != start or masks.shape != shape:
            words = words_of(masks)
            if is_tensor(masks):
                self._last = (masks, masks.data_ptr(), masks.shape, words)
        return words


def apply_masks(logits: Any, masks: Any, size: Optional[int] = None, rows: Optional[Sequence[int]] = None) -> None:
    """Sets logits of tokens that are not allowed to minus infinity, in place.

    `logits`: floats of the shape `(rows, size)` or `(size,)`. `masks`: int32 words, on the same device. `size`: how many logits of a row have bits; all that there are bits for if
    None. `rows`: the rows that are masked, each by the row of words of that number; all if None. Tensors on any device, or arrays of numpy.
    """
    if logits.ndim == 1:
        logits, masks = logits.reshape(1, -1), masks.reshape(1, -1)
    bits = min(logits.shape[-1], 32 * masks.shape[-1])
    size = bits if size is None else min(size, bits)
    numbers = _numbers(logits)
    if numbers is not None:
        words = numpy.ascontiguousarray(words_of(masks))
        _native.apply_masks(numbers, words, size, None if rows is None else [int(row) for row in rows])
    elif is_tensor(logits):
        _apply_to_tensor(logits, masks, size, rows)
    else:
        words = numpy.ascontiguousarray(masks, dtype="<i4").view(numpy.uint8)
        is_refused = numpy.unpackbits(words, axis=-1, count=size, bitorder="little") == 0
        for row in range(len(logits)) if rows is None else rows:
            logits[row][:size][is_refused[row]] = -numpy.inf


def _numbers(logits: Any) -> Any:
    """The memory of logits as the native function takes it: an array in C order on the CPU. None for others."""
    if is_tensor(logits):
        if logits.device.type != "cpu" or not logits.is_contiguous() or logits.ndim != 2:
            return None
        # numpy has no numbers in bfloat16.
        seen = logits.detach().view(torch.int16) if logits.dtype == torch.bfloat16 else logits.detach()
        return seen.numpy() if logits.is_floating_point() and logits.element_size() > 1 else None
    is_plain = logits.dtype.char in "efd" and logits.dtype.isnative and logits.flags.c_contiguous and logits.flags.writeable
    return logits if is_plain and logits.ndim == 2 else None


def _apply_to_tensor(logits: Any, masks: Any, size: int, rows: Any) -> None:
    """The same for tensors, with operations of torch alone: none of them waits for the device."""
    shifts = torch.arange(32, dtype=torch.int32, device=masks.device)
    index = None
    if rows is not None:
        index = torch.as_tensor(rows, dtype=torch.int64).to(logits.device, non_blocking=True)
        masks = masks.index_select(0, index)
    is_refused = ((masks.unsqueeze(-1) >> shifts) & 1).flatten(-2)[..., :size] == 0
    part = logits[..., :size]
    if index is None:
        part.masked_fill_(is_refused, float("-inf"))
    else:
        part.index_copy_(0, index, part.index_select(0, index).masked_fill_(is_refused, float("-inf")))
