"""Masks as XGrammar's interface has them: tensors of torch, or arrays of numpy where torch is not installed."""

from collections.abc import Sequence
from typing import Any, Optional

import numpy

from .. import _masks

bitmask_dtype: Any = numpy.int32 if _masks.torch is None else _masks.torch.int32
"""The type of a mask's words."""


def get_bitmask_shape(batch_size: int, vocab_size: int) -> tuple[int, int]:
    """Rows, and words of 32 tokens."""
    return batch_size, -(-vocab_size // 32)


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> Any:
    """Masks that allow every token, on the CPU."""
    return _masks.new_masks(*get_bitmask_shape(batch_size, vocab_size))


def reset_token_bitmask(bitmask: Any) -> None:
    """Lets masks allow every token."""
    bitmask[:] = -1


def apply_token_bitmask_inplace(
    logits: Any,
    bitmask: Any,
    *,
    vocab_size: Optional[int] = None,
    indices: Optional[Sequence[int]] = None,
    backend: str = "auto",
) -> None:
    """Sets logits of tokens that are not allowed to minus infinity. Tensors on any device, or arrays of numpy; `backend` makes no difference."""
    if _masks.is_tensor(logits) and logits.device != bitmask.device:
        raise ValueError(f"logits and bitmask should be on the same device; they are on {logits.device} and {bitmask.device}")
    _masks.apply_masks(logits, bitmask, vocab_size, indices)
