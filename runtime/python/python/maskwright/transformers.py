"""A logits processor for `generate()` of transformers.

In: at each step the ids of all sequences and the scores of the next token. Out: the scores, minus infinity for each token that the grammar
does not allow. What holds: every sequence has a matcher at the end of its text, however beams are reordered; a text that is not of the grammar is an error, but for beams that are given up.

Needs numpy, and torch where scores are tensors. transformers itself is not imported: `generate()` takes any object that is called like a `LogitsProcessor`.
"""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional, Union

import numpy

from . import _masks
from ._native import Grammar, Matcher, fill_batch

__all__ = ["GrammarLogitsProcessor"]

# Tokens at the end of a sequence by which it is known again. Only beams that end alike are compared as a whole.
TAIL = 32
# Lengths of a single text that are kept, since drafts are taken back.
KEPT_LENGTHS = 64


class _Step(NamedTuple):
    """All sequences at one length."""

    tails: numpy.ndarray
    # None for a sequence that is given up.
    matchers: list[Optional[Matcher]]
    # All ids, where there are several sequences.
    ids: Any


class GrammarLogitsProcessor:
    """Lets `generate()` write texts of a grammar only.

    `model.generate(**inputs, logits_processor=[GrammarLogitsProcessor(grammar)])`

    What is in `input_ids` at the first call is the prompt, which the grammar does not see. A processor serves one call of `generate()`: another call, with another prompt, raises
    `ValueError`, unless `reset()` was called in between. `depth` is that of `Matcher`. `padding` are the tokens that `generate()` fills ended sequences with, an int, several, or None for a
    tokenizer without any: only they and the grammar's end tokens may follow the end of a text. Works with several sequences, with padding on the left, with sampling, with beams and with drafts. A step takes the same time
    however long the text is.
    """

    def __init__(self, grammar: Grammar, depth: int = 64, padding: Union[int, Sequence[int], None] = None) -> None:
        self._start = Matcher(grammar, depth)
        self._padding = [padding] if isinstance(padding, int) else list(padding or ())
        self.reset()

    def reset(self) -> None:
        """Forgets all texts: the next call is the first one of another `generate()`."""
        self._prompt = 0
        # The prompts, one in each row, from the first call on.
        self._prompts: Optional[numpy.ndarray] = None
        self._steps: dict[int, _Step] = {}

    @property
    def prompt_length(self) -> int:
        """How many ids of each sequence are the prompt; 0 before the first call."""
        return self._prompt

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
        unknown = [token for token in self._padding if not 0 <= token < size]
        if unknown:
            raise ValueError(f"token {unknown[0]}, which fills sequences, has no score: there are {size}")
        count, length = input_ids.shape
        if self._prompts is None:
            self._prompt, self._prompts = length, numpy.array(_on_the_cpu(input_ids[:, :length]))
        tails = _on_the_cpu(input_ids[:, max(0, length - TAIL) :])
        matchers = self._after(input_ids, tails)
        self._keep(length, _Step(tails, matchers, None if count == 1 else _copy(input_ids)))
        masks = self._masks(matchers, size)
        masked = _copy(scores)
        _masks.apply_masks(masked, masks if isinstance(scores, numpy.ndarray) else _masks.torch.from_numpy(masks).to(scores.device))
        return masked

    def _keep(self, length: int, step: _Step) -> None:
        """Keeps the sequences of one length."""
        if len(step.matchers) > 1:
            self._steps.clear()
        self._steps.pop(length, None)
        self._steps[length] = step
        if len(self._steps) > KEPT_LENGTHS:
            del self._steps[next(iter(self._steps))]

    def _after(self, ids: Any, tails: numpy.ndarray) -> list[Optional[Matcher]]:
        """The matcher of each sequence: one token after a sequence of the step before, mostly the one of the same row, or found from the beginning."""
        before = self._steps.get(ids.shape[-1] - 1)
        known: dict[tuple[int, int], Optional[Matcher]] = {}
        matchers: list[Optional[Matcher]] = []
        for row in range(len(ids)):
            parent = None if before is None else self._parent(before, ids, row, tails[row])
            if before is None or parent is None:
                self._check_prompts(_on_the_cpu(ids[row : row + 1]))
                matchers.append(self._from_the_beginning(_on_the_cpu(ids[row, self._prompt :]).tolist()))
                continue
            step = (parent, int(tails[row, -1]))
            if step not in known:
                known[step] = self._next(before.matchers, parent, step[1])
            matchers.append(known[step])
        return matchers

    def _parent(self, before: _Step, ids: Any, row: int, tail: numpy.ndarray) -> Optional[int]:
        """The sequence of the step before that this one goes on; those that have ended or are given up are all the same."""
        # A tail of the step before is as long as this one, or lacks what is new.
        width = min(before.tails.shape[-1], len(tail) - 1)
        ends = before.tails[:, before.tails.shape[-1] - width :]
        found = numpy.flatnonzero((ends == tail[len(tail) - 1 - width : -1]).all(axis=1)).tolist()
        if len({_state(before.matchers[other]) for other in found}) > 1:
            # Sequences that end alike: the text itself says which one it is.
            text, texts = _on_the_cpu(ids[row, self._prompt : -1]), _on_the_cpu(before.ids[found, self._prompt :])
            found = [other for other, same in zip(found, (texts == text).all(axis=1).tolist()) if same]
        return row if row in found else found[0] if found else None

    def _next(self, matchers: list[Optional[Matcher]], parent: int, token: int) -> Optional[Matcher]:
        """The matcher of a sequence of the step before, one token later. None if the token is one that was refused."""
        before = matchers[parent]
        if before is None or before.is_finished():
            return before
        matcher = before.fork()
        if matcher.accept_token(token):
            return matcher
        if len(matchers) == 1:
            raise not_allowed(token)
        if not any(matcher is None for matcher in matchers):
            warnings.warn(f"a sequence has taken token {token}, which was refused: it is given up, as beams are where there are fewer texts than beams", RuntimeWarning, stacklevel=4)
        return None

    def _from_the_beginning(self, tokens: list[int]) -> Matcher:
        """The matcher after these tokens."""
        matcher, at = self._start.fork(), 0
        while at < len(tokens) and not matcher.is_finished():
            if not matcher.accept_token(tokens[at]):
                raise not_allowed(tokens[at])
            at += 1
        # The token that fills ended sequences of a batch may not have been told.
        others = set(tokens[at:]) - {*self._start.grammar.eos, *self._padding}
        if len(others) > (self._prompts is not None and len(self._prompts) > 1):
            raise not_allowed(min(others))
        return matcher

    def _check_prompts(self, ids: numpy.ndarray) -> None:
        """Refuses sequences that go on from other prompts."""
        start = ids[:, : self._prompt]
        known = self._prompts
        if known is None or start.shape[1] < self._prompt or not all((known == row).all(axis=1).any() for row in start):
            raise ValueError("this processor has followed another prompt: use one processor for each call of `generate()`, or call `reset()` in between")

    def _masks(self, matchers: list[Optional[Matcher]], size: int) -> numpy.ndarray:
        """Which tokens may come next: words of the shape `(sequences, size / 32)`."""
        masks = numpy.zeros((len(matchers), -(-size // 32)), dtype=numpy.int32)
        going = {row: matcher for row, matcher in enumerate(matchers) if matcher is not None and not matcher.is_finished()}
        fill_batch(list(going.values()), masks, list(going))
        ended = [row for row in range(len(matchers)) if row not in going]
        bits = masks.view(numpy.uint32)
        for token in [*self._start.grammar.eos, *self._padding] if ended else ():
            bits[ended, token // 32] |= numpy.uint32(1 << token % 32)
        return masks


def _state(matcher: Optional[Matcher]) -> int:
    """A number that two sequences share if it makes no difference which one goes on."""
    return 0 if matcher is None or matcher.is_finished() else id(matcher)


def _on_the_cpu(ids: Any) -> numpy.ndarray:
    return numpy.asarray(ids.cpu() if hasattr(ids, "cpu") else ids)


def _copy(values: Any) -> Any:
    return values.copy() if isinstance(values, numpy.ndarray) else values.clone()


def not_allowed(token: int) -> ValueError:
    """The error for a text that is not of the grammar."""
    return ValueError(f"token {token} is not allowed where it stands in a text: use one processor for each call of `generate()`, or call `reset()`")
