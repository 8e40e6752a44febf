"""A logits processor for `generate()` of transformers.

In: at each step the ids of all sequences and the scores of the next token. Out: the scores, minus infinity for each token that the grammar
does not allow. What holds: every sequence has a matcher at the end of its text, however beams are reordered; a text that is not of the grammar is an error, but for beams that are given up.

Needs numpy, and torch where scores are tensors. transformers itself is not imported: `generate()` takes any object that is called like a `LogitsProcessor`.
"""

import warnings
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy

from ._native import Grammar, Matcher, fill_batch

__all__ = ["GrammarLogitsProcessor"]


class GrammarLogitsProcessor:
    """Lets `generate()` write texts of a grammar only.

    `model.generate(**inputs, logits_processor=[GrammarLogitsProcessor(grammar)])`

    What is in `input_ids` at the first call is the prompt, which the grammar does not see. Use one processor for each call of `generate()`, or
    call `reset()` in between. `depth` is that of `Matcher`. `padding` are the tokens that `generate()` fills ended sequences with, an int or several: only they and the
    grammar's end tokens may follow the end of a text. Works with several sequences, with padding on the left, with sampling and with beams.
    """

    def __init__(self, grammar: Grammar, depth: int = 64, padding: Union[int, Sequence[int]] = ()) -> None:
        self._start = Matcher(grammar, depth)
        self._padding = [padding] if isinstance(padding, int) else list(padding)
        self.reset()

    def reset(self) -> None:
        """Forgets all texts: the next call is the first one of another `generate()`."""
        self._prompt: Optional[int] = None
        # The ids of the last step, and the matcher of each sequence; none for one that is given up.
        self._last: numpy.ndarray = numpy.empty((0, 0), dtype=numpy.int64)
        self._matchers: list[Optional[Matcher]] = []

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores with minus infinity for tokens that may not come next.

        `input_ids`: a tensor or array of whole numbers of the shape `(sequences, length)`. `scores`: a tensor or array of floats of the shape `(sequences, size)`, where `size`
        is at least the vocabulary's; it is not changed. Behind the end of a text end tokens and padding keep their scores. Raises `ValueError` if a text is not of the grammar, or
        `size` is too small.

        Where there are fewer texts than beams, transformers lets beams take tokens of the score minus infinity. Such a beam is given up, with a warning at the first of them: it is
        treated as one that has ended, and its score stays minus infinity.
        """
        size = scores.shape[-1]
        vocab_size = self._start.grammar.vocab_size
        if size < vocab_size:
            raise ValueError(f"scores have {size} columns, the vocabulary has {vocab_size} tokens")
        ids = numpy.asarray(input_ids.cpu() if hasattr(input_ids, "cpu") else input_ids)
        if self._prompt is None:
            self._prompt = ids.shape[-1]
        self._matchers = self._after(ids)
        self._last = ids.copy()
        allowed = self._allowed(size)
        if isinstance(scores, numpy.ndarray):
            return numpy.where(allowed, scores, scores.dtype.type("-inf"))
        import torch

        return scores.masked_fill(~torch.from_numpy(allowed).to(scores.device), float("-inf"))

    def _after(self, ids: numpy.ndarray) -> list[Optional[Matcher]]:
        """The matcher of each sequence: one token after a sequence of the last step, mostly the one of the same row, or found from the beginning."""
        known: dict[tuple[int, int], Optional[Matcher]] = {}
        matchers: list[Optional[Matcher]] = []
        for row, text in enumerate(ids):
            parent = self._parent(row, text)
            if parent is None:
                matchers.append(self._from_the_beginning(text[self._prompt :].tolist()))
                continue
            step = (parent, int(text[-1]))
            if step not in known:
                known[step] = self._next(self._matchers[parent], step[1])
            matchers.append(known[step])
        return matchers

    def _parent(self, row: int, text: numpy.ndarray) -> Optional[int]:
        """The sequence of the last step that this one goes on."""
        if self._last.shape[-1] != len(text) - 1:
            return None
        rows = range(len(self._last))
        candidates = [row, *(other for other in rows if other != row)] if row in rows else rows
        return next((parent for parent in candidates if numpy.array_equal(self._last[parent], text[:-1])), None)

    def _next(self, before: Optional[Matcher], token: int) -> Optional[Matcher]:
        """The matcher one token later. None if the token is one that the last step has refused."""
        if before is None or before.is_finished():
            return before
        matcher = before.fork()
        if matcher.accept_token(token):
            return matcher
        if len(self._matchers) == 1:
            raise not_allowed(token)
        if not any(matcher is None for matcher in self._matchers):
            warnings.warn(f"a sequence has taken token {token}, which was refused: it is given up, as beams are where there are fewer texts than beams", RuntimeWarning, stacklevel=4)
        return None

    def _from_the_beginning(self, tokens: list[int]) -> Matcher:
        """The matcher after these tokens."""
        matcher = self._start.fork()
        for token in tokens:
            if not matcher.is_finished() and not matcher.accept_token(token):
                raise not_allowed(token)
        return matcher

    def _allowed(self, size: int) -> numpy.ndarray:
        """Which tokens may come next: a bool array of the shape `(sequences, size)`."""
        masks = numpy.zeros((len(self._matchers), -(-size // 32)), dtype="<i4")
        going = {row: matcher for row, matcher in enumerate(self._matchers) if matcher is not None and not matcher.is_finished()}
        fill_batch(list(going.values()), masks, list(going))
        bits = numpy.unpackbits(masks.view(numpy.uint8), axis=1, count=size, bitorder="little")
        allowed = bits.astype(bool)
        ended = [row for row in range(len(allowed)) if row not in going]
        if ended:
            allowed[numpy.ix_(ended, self._start.grammar.eos + self._padding)] = True
        return allowed


def not_allowed(token: int) -> ValueError:
    """The error for a text that is not of the grammar."""
    return ValueError(f"token {token} is not allowed where it stands in a text: use one processor for each call of `generate()`, or call `reset()`")
