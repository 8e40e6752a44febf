"""A logits processor for `generate()` of transformers.

In: at each step the ids of all sequences and the scores of the next token. Out: the scores, minus infinity for each token that the grammar
does not allow. What holds: every sequence has a matcher at the end of its text, however beams are reordered; a text that is not of the grammar is an error, but for beams that are given up.

Needs numpy, and torch where scores are tensors. transformers itself is not imported: `generate()` takes any object that is called like a `LogitsProcessor`.
"""

import warnings
from typing import Any, Optional

import numpy

from ._native import Grammar, Matcher, fill_batch

__all__ = ["GrammarLogitsProcessor"]


class GrammarLogitsProcessor:
    """Lets `generate()` write texts of a grammar only.

    `model.generate(**inputs, logits_processor=[GrammarLogitsProcessor(grammar)])`

    What is in `input_ids` at the first call is the prompt, which the grammar does not see. Use one processor for each call of `generate()`, or
    call `reset()` in between. `depth` is that of `Matcher`. Works with several sequences, with padding on the left, with sampling and with beams.
    """

    def __init__(self, grammar: Grammar, depth: int = 64) -> None:
        self._start = Matcher(grammar, depth)
        self.reset()

    def reset(self) -> None:
        """Forgets all texts: the next call is the first one of another `generate()`."""
        self._prompt: Optional[int] = None
        # The matcher after each text of the last step; none after a text that is given up.
        self._texts: dict[tuple[int, ...], Optional[Matcher]] = {(): self._start}

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores with minus infinity for tokens that may not come next.

        `input_ids`: a tensor or array of whole numbers of the shape `(sequences, length)`. `scores`: a tensor or array of floats of the shape `(sequences, size)`, where `size`
        is at least the vocabulary's; it is not changed. A sequence that has ended keeps its scores. Raises `ValueError` if a text is not of the grammar, or
        `size` is too small.

        Where there are fewer texts than beams, transformers lets beams take tokens of the score minus infinity. Such a beam is given up, with a warning: minus infinity is all that it gets from
        then on. It is an error if all are.
        """
        size = scores.shape[-1]
        if size < self._start.grammar.vocab_size:
            vocab_size = self._start.grammar.vocab_size
            raise ValueError(f"scores have {size} columns, the vocabulary has {vocab_size} tokens")
        if self._prompt is None:
            self._prompt = input_ids.shape[-1]
        texts = [tuple(text) for text in input_ids[:, self._prompt :].tolist()]
        self._texts = {text: self._matcher(text) for text in texts}
        if not any(self._texts.values()):
            raise not_allowed(texts[0][-1])
        allowed = self._allowed([self._texts[text] for text in texts], size)
        if isinstance(scores, numpy.ndarray):
            return numpy.where(allowed, scores, scores.dtype.type("-inf"))
        import torch

        return scores.masked_fill(~torch.from_numpy(allowed).to(scores.device), float("-inf"))

    def _matcher(self, text: tuple[int, ...]) -> Optional[Matcher]:
        """The matcher at the end of a text: one token after a text of the last step, or found from the beginning. None if a token was taken that the last step has refused."""
        if text in self._texts:
            return self._texts[text]
        is_next = text[:-1] in self._texts
        before = self._texts[text[:-1]] if is_next else self._start
        if before is None:
            return None
        matcher = before.fork()
        for token in text[-1:] if is_next else text:
            if matcher.is_finished() or matcher.accept_token(token):
                continue
            if not is_next:
                raise not_allowed(token)
            warnings.warn(f"a sequence has taken token {token}, which was refused: it is given up, as beams are where there are fewer texts than beams", RuntimeWarning, stacklevel=3)
            return None
        return matcher

    def _allowed(self, matchers: list[Optional[Matcher]], size: int) -> numpy.ndarray:
        """Which tokens may come next: a bool array of the shape `(sequences, size)`."""
        masks = numpy.zeros((len(matchers), -(-size // 32)), dtype="<i4")
        going = {row: matcher for row, matcher in enumerate(matchers) if matcher is not None and not matcher.is_finished()}
        fill_batch(list(going.values()), masks, list(going))
        bits = numpy.unpackbits(masks.view(numpy.uint8), axis=1, count=size, bitorder="little")
        allowed = bits.astype(bool)
        ended = [row for row, matcher in enumerate(matchers) if matcher is not None and matcher.is_finished()]
        allowed[ended] = True
        return allowed


def not_allowed(token: int) -> ValueError:
    """The error for a text that is not of the grammar."""
    return ValueError(f"token {token} is not allowed where it stands in a text: use one processor for each call of `generate()`, or call `reset()`")
