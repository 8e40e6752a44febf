"""A logits processor for `generate()` of transformers.

In: at each step the ids of all sequences and the scores of the next token. Out: the scores, minus infinity for each token that the grammar
does not allow. What holds: every sequence has a matcher at the end of its text, however beams are reordered; a text that is not of the grammar is an error.

Needs numpy, and torch where scores are tensors. transformers itself is not imported: `generate()` takes any object that is called like a `LogitsProcessor`.
"""

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
        # The matcher after each text of the last step.
        self._texts: dict[tuple[int, ...], Matcher] = {(): self._start}

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores with minus infinity for tokens that may not come next.

        `input_ids`: a tensor or array of whole numbers of the shape `(sequences, length)`. `scores`: a tensor or array of floats of the shape `(sequences, size)`, where `size`
        is at least the vocabulary's; it is not changed. A sequence that has ended keeps its scores. Raises `ValueError` if a text is not of the grammar, or
        `size` is too small.
        """
        size = scores.shape[-1]
        if size < self._start.grammar.vocab_size:
            vocab_size = self._start.grammar.vocab_size
            raise ValueError(f"scores have {size} columns, the vocabulary has {vocab_size} tokens")
        if self._prompt is None:
            self._prompt = input_ids.shape[-1]
        texts = [tuple(text) for text in input_ids[:, self._prompt :].tolist()]
        self._texts = {text: self._matcher(text) for text in texts}
        allowed = self._allowed([self._texts[text] for text in texts], size)
        if isinstance(scores, numpy.ndarray):
            return numpy.where(allowed, scores, scores.dtype.type("-inf"))
        import torch

        return scores.masked_fill(~torch.from_numpy(allowed).to(scores.device), float("-inf"))

    def _matcher(self, text: tuple[int, ...]) -> Matcher:
        """The matcher at the end of a text: one token after a text of the last step, or found from the beginning."""
        if text in self._texts:
            return self._texts[text]
        before = self._texts.get(text[:-1])
        before, rest = (self._start, text) if before is None else (before, text[-1:])
        matcher = before.fork()
        for token in rest:
            if not matcher.is_finished() and not matcher.accept_token(token):
                raise ValueError(
                    f"token {token} is not allowed where it stands in a text: use one processor for each call of `generate()`, or call `reset()`"
                )
        return matcher

    def _allowed(self, matchers: list[Matcher], size: int) -> numpy.ndarray:
        """Which tokens may come next: a bool array of the shape `(sequences, size)`."""
        masks = numpy.zeros((len(matchers), -(-size // 32)), dtype="<i4")
        going = [row for row, matcher in enumerate(matchers) if not matcher.is_finished()]
        fill_batch([matchers[row] for row in going], masks, going)
        bits = numpy.unpackbits(masks.view(numpy.uint8), axis=1, count=size, bitorder="little")
        allowed = bits.astype(bool)
        ended = [row for row, matcher in enumerate(matchers) if matcher.is_finished()]
        allowed[ended] = True
        return allowed
