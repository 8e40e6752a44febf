"""Matchers as XGrammar's interface has them.

In: a compiled grammar, tokens and texts. Out: masks, and whether a step may be taken. What holds: any number of steps can be taken back.
"""

import time
from collections.abc import Sequence
from typing import Any, Optional, Union

from .. import _masks, _serving
from .._native import Matcher, ServedMatcher, fill_batch
from .grammars import CompiledGrammar
from .tokenizers import ids_of


class GrammarMatcher:
    """Where one text stands. Any number of steps can be taken back."""

    def __init__(
        self,
        compiled_grammar: CompiledGrammar,
        *,
        override_stop_tokens: Union[int, Sequence[int], None] = None,
        terminate_without_stop_token: bool = False,
        max_rollback_tokens: int = -1,
    ) -> None:
        if not isinstance(compiled_grammar, CompiledGrammar):
            raise ValueError("The grammar should be compiled before passing it to GrammarMatcher.")
        stops = ids_of(override_stop_tokens)
        self._grammar = compiled_grammar if stops is None else compiled_grammar._ending_with(stops)
        self.stop_token_ids = sorted(set(stops)) if stops is not None else compiled_grammar.tokenizer_info.stop_token_ids
        self.max_rollback_tokens = -1
        self._ends_by_itself = terminate_without_stop_token
        self._steps = _serving.Steps.of(self._grammar.tables, _serving.depth())

    def accept_token(self, token_id: int, *, debug_print: bool = False) -> bool:
        """Takes a token. False if it may not come next; nothing has changed then."""
        if self._ends_by_itself and token_id in self.stop_token_ids:
            return False
        return self._steps.take(token_id)

    def accept_string(self, input_str: Union[str, bytes], *, debug_print: bool = False) -> bool:
        """Takes a text as one step. False if it may not come next; nothing has changed then."""
        return self._steps.take(input_str if isinstance(input_str, bytes) else input_str.encode("utf-8"))

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0, *, debug_print: bool = False) -> bool:
        """Writes the mask into a row. Returns True: it has to be applied. Raises `RuntimeError` behind the end of the text, and for masks that are none."""
        self._goes_on()
        try:
            self._steps.matcher.fill(_masks.words_of(bitmask), index)
        except (ValueError, IndexError, BufferError, OverflowError) as error:
            raise RuntimeError(str(error)) from error
        return True

    def traverse_draft_tree(
        self,
        retrieve_next_token: Any,
        retrieve_next_sibling: Any,
        draft_tokens: Any,
        token_bitmask: Any,
        time_threshold: float = -1.0,
        temperatures: Any = None,
    ) -> bool:
        """Writes the masks of a tree of drafts: row `i` is the mask behind node `i`.

        Node 0 is where the text stands, so that its token has been taken. `retrieve_next_token[i]` is the first node behind node `i`, `retrieve_next_sibling[i]` the next one beside it, -1 if there is
        none. Behind a node whose token may not come, or ends the text, nothing may come: its row is 0, and so are the rows of all nodes behind it. `temperatures` become -1: no grammar has one. Returns False if there was more to do after
        `time_threshold` seconds; there is no limit if that is not above 0. The text stays where it is. Raises `RuntimeError` as `fill_next_token_bitmask`, and for nodes that there are not, or that are met twice.
        """
        children, siblings, tokens = (_list(of) for of in (retrieve_next_token, retrieve_next_sibling, draft_tokens))
        if temperatures is not None:
            temperatures[:] = -1
        words = _masks.words_of(token_bitmask)
        self.fill_next_token_bitmask(words, 0)
        end = time.monotonic() + time_threshold if time_threshold > 0 else None
        start: Optional[Union[Matcher, ServedMatcher]] = self._steps.matcher
        seen, pending = {0}, [(children[0], start)]
        while pending:
            node, before = pending.pop()
            if node == -1:
                continue
            if node in seen or not 0 <= node < min(len(tokens), len(children), len(siblings)):
                raise RuntimeError(f"node {node} is not there, or is met twice")
            seen.add(node)
            if end is not None and time.monotonic() > end:
                return False
            pending.append((siblings[node], before))
            matcher = None if before is None else before.fork()
            if matcher is not None and (not 0 <= tokens[node] < 1 << 32 or not matcher.accept_token(tokens[node]) or matcher.is_finished()):
                matcher = None
            try:
                if matcher is None:
                    words[node] = 0
                else:
                    matcher.fill(words, node)
            except (ValueError, IndexError, BufferError, OverflowError) as error:
                raise RuntimeError(str(error)) from error
            pending.append((children[node], matcher))
        return True

    def find_jump_forward_string(self) -> str:
        """The text that must come next, up to its last whole character."""
        self._goes_on()
        return self._steps.matcher.forced_bytes().decode("utf-8", "ignore")

    def find_jump_forward_tokens(self) -> list[int]:
        """Tokens of the text that must come next, each the longest there is. The last one is left out if a longer token begins with it. Empty where the text is whole or has ended."""
        if self.is_completed():
            return []
        text, longest = self._steps.matcher.forced_bytes(), self._grammar.tokenizer_info.longest
        tokens: list[int] = []
        while text:
            found = longest(text)
            if found is None or (len(found.text) == len(text) and found.is_begin):
                break
            tokens.append(found.id)
            text = text[len(found.text) :]
        return tokens[: self._steps.valid(tokens)]

    def rollback(self, num_tokens: int = 1) -> None:
        """Takes steps back. Raises `RuntimeError` if there were fewer."""
        try:
            self._steps.take_back(num_tokens)
        except ValueError as error:
            raise RuntimeError(str(error)) from error

    def is_terminated(self) -> bool:
        """Whether a stop token was taken; with `terminate_without_stop_token`, whether the text is whole."""
        return self.is_completed() if self._ends_by_itself else self._steps.matcher.is_finished()

    def is_completed(self) -> bool:
        """Whether the text is whole, with or without a stop token."""
        return self._steps.matcher.is_complete() or self._steps.matcher.is_finished()

    def reset(self) -> None:
        self._steps.reset()

    def fork(self) -> "GrammarMatcher":
        other = GrammarMatcher.__new__(GrammarMatcher)
        other.__dict__.update(self.__dict__)
        other._steps = self._steps.fork()
        return other

    def _goes_on(self) -> None:
        if self._steps.matcher.is_finished():
            raise RuntimeError("the matcher has terminated: a stop token was taken")


def _list(values: Any) -> list[int]:
    """The numbers of a tensor, an array or a list."""
    return [int(value) for value in (values.tolist() if hasattr(values, "tolist") else values)]


class BatchGrammarMatcher:
    """Many matchers in one call, by one thread: that is faster than to wake others."""

    def __init__(self, max_threads: Union[int, str] = "auto") -> None:
        self.max_threads = max_threads

    def batch_fill_next_token_bitmask(self, matchers: Sequence[GrammarMatcher], bitmask: Any, indices: Optional[Sequence[int]] = None, debug_print: bool = False) -> None:
        """Writes the masks into rows `indices`, or the first rows."""
        for matcher in matchers:
            matcher._goes_on()
        try:
            fill_batch([matcher._steps.matcher for matcher in matchers], _masks.words_of(bitmask), indices)
        except (ValueError, IndexError, BufferError, OverflowError) as error:
            raise RuntimeError(str(error)) from error

    @staticmethod
    def batch_accept_token(matchers: Sequence[GrammarMatcher], tokens: Sequence[int], debug_print: bool = False) -> list[bool]:
        _same(matchers, tokens)
        return [matcher.accept_token(token) for matcher, token in zip(matchers, tokens)]

    @staticmethod
    def batch_accept_string(matchers: Sequence[GrammarMatcher], strings: Sequence[Union[str, bytes]], debug_print: bool = False) -> list[bool]:
        _same(matchers, strings)
        return [matcher.accept_string(text) for matcher, text in zip(matchers, strings)]

    @staticmethod
    def batch_rollback(matchers: Sequence[GrammarMatcher], num_tokens: Union[Sequence[int], int] = 1) -> None:
        counts = [num_tokens] * len(matchers) if isinstance(num_tokens, int) else num_tokens
        _same(matchers, counts)
        for matcher, count in zip(matchers, counts):
            matcher.rollback(count)


def _same(matchers: Sequence[Any], others: Sequence[Any]) -> None:
    if len(matchers) != len(others):
        raise RuntimeError(f"there are {len(matchers)} matchers and {len(others)} values")
