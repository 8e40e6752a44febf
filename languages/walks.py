"""Texts walked at random under the masks of a grammar, and texts taken token by token."""

import random
import re

import maskwright
import numpy

# As cl100k_base cuts a text into words before it merges bytes; exact for ASCII.
WORDS = re.compile(
    r"'(?:[sdmtSDMT]|ll|LL|ve|VE|re|RE)|[^\r\n\w]?(?:[^\W\d_])+|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# A walk that has not ended this many tokens after it was asked to is an error.
PATIENCE = 500


class Tokenizer:
    """Cuts texts into the tokens of a vocabulary whose ids are in the order in which bytes merge."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.tokens = vocabulary.tokens()
        self.ids = {token: id for id, token in reversed(list(enumerate(self.tokens))) if token}
        self.longest = max(map(len, self.ids))

    def merged(self, text):
        """The tokens that the model's own tokenizer gives."""
        return [self.ids[piece] for word in WORDS.findall(text) for piece in self._merge(word.encode())]

    def _merge(self, word):
        pieces = [word[at : at + 1] for at in range(len(word))]
        while len(pieces) > 1:
            pairs = [self.ids.get(left + right, len(self.tokens)) for left, right in zip(pieces, pieces[1:])]
            at = min(range(len(pairs)), key=pairs.__getitem__)
            if pairs[at] == len(self.tokens):
                break
            pieces[at : at + 2] = [pieces[at] + pieces[at + 1]]
        return pieces

    def greedy(self, text):
        """At each place the longest token."""
        text, at, ids = text.encode(), 0, []
        while at < len(text):
            sizes = range(min(self.longest, len(text) - at), 0, -1)
            size = next(size for size in sizes if text[at : at + size] in self.ids)
            ids.append(self.ids[text[at : at + size]])
            at += size
        return ids

    def bytes_of(self, text):
        """One token for each byte."""
        return [self.ids[bytes([byte])] for byte in text.encode()]


def refusal(grammar, tokenizer, ids, depth):
    """Why a matcher refuses a text that is cut into these tokens, or None if it takes all of it."""
    matcher, taken = maskwright.Matcher(grammar, depth), b""
    for id in ids:
        if not matcher.accept_token(id):
            return f"{taken[-60:]!r} ┊ {tokenizer.tokens[id]!r}: {matcher.explain(id)}"
        taken += tokenizer.tokens[id]
    return None if matcher.is_complete() else f"{taken[-60:]!r} ┊ the text may not end"


class Walker:
    """Draws tokens under masks: mostly those that real texts have, else any that is allowed."""

    def __init__(self, grammar, tokenizer, texts, closing, depth):
        self.grammar, self.tokenizer, self.depth = grammar, tokenizer, depth
        self.usual = [id for text in texts for id in tokenizer.merged(text)]
        self.closing = [tokenizer.ids[text.encode()] for text in closing]
        self.bytes = [id for id, token in enumerate(tokenizer.tokens) if len(token) == 1]
        self.row = numpy.zeros(grammar.mask_words, dtype=numpy.int32)

    def walk(self, seed, budget):
        """A text of about `budget` tokens. Behind them, the walk takes what usually closes a text."""
        draw = random.Random(seed)
        budget = draw.randint(1, budget)
        usual = draw.choice([0.5, 0.9, 0.98])
        matcher, text = maskwright.Matcher(self.grammar, self.depth), b""
        for step in range(budget + PATIENCE):
            if matcher.is_complete() and (step >= budget or draw.random() < 0.03):
                return text
            matcher.fill(self.row)
            id = self._closing(draw, matcher) if step >= budget else self._usual(draw, usual)
            if id is None:
                id = self._any(draw)
            if not matcher.accept_token(id):
                raise AssertionError(f"a mask allows {self.tokenizer.tokens[id]!r} behind {text!r}")
            if matcher.is_finished():
                return text
            text += self.tokenizer.tokens[id]
        raise AssertionError(f"a walk does not end: {text[-200:]!r}")

    def _allows(self, id):
        return self.row[id // 32] >> (id % 32) & 1

    def _usual(self, draw, share):
        if draw.random() < share:
            for _ in range(30):
                id = draw.choice(self.usual)
                if self._allows(id):
                    return id
        return None

    def _closing(self, draw, matcher):
        """Of the closing tokens the one behind which the stack is lowest: a saved state grows with it."""
        allowed = [id for id in self.closing if self._allows(id)]
        chance = draw.random()
        if not allowed or chance < 0.15:
            return draw.choice([id for id in self.bytes if self._allows(id)])
        if chance < 0.4:
            return draw.choice(allowed)
        return min(allowed, key=lambda id: (*self._behind(matcher, id), draw.random()))

    def _behind(self, matcher, id):
        fork = matcher.fork()
        fork.accept_token(id)
        return not fork.is_complete(), len(fork.to_bytes())

    def _any(self, draw):
        allowed = numpy.flatnonzero(numpy.unpackbits(self.row.view(numpy.uint8), bitorder="little"))
        return int(allowed[draw.randrange(len(allowed))])
