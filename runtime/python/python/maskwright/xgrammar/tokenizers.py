"""Vocabularies as XGrammar's interface has them.

In: texts of tokens, or a tokenizer of Hugging Face. Out: `TokenizerInfo`, which holds a `maskwright.Vocabulary`. What holds: special tokens of a tokenizer are no text.
"""

import base64
import json
from bisect import bisect_left
from collections.abc import Sequence
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple, Optional, Union

from .. import _serving
from .._native import Vocabulary, VocabularyError
from .saved import DeserializeFormatError, dumped, loaded

# Tokens that end a text where no stop tokens are given.
ENDS = {"</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<｜end▁of▁sentence｜>"}


class VocabType(Enum):
    """How the texts of tokens are written."""

    RAW = 0
    BYTE_FALLBACK = 1
    BYTE_LEVEL = 2


def _bytes_of_characters() -> dict[str, int]:
    """The byte that each character stands for in vocabularies of byte-level BPE: printable ones of Latin-1 for themselves, those from U+0100 on for the others."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{chr(byte): byte for byte in printable}, **{chr(0x100 + at): byte for at, byte in enumerate(others)}}


_BYTES = _bytes_of_characters()


def _decoded(token: Union[str, bytes], kind: VocabType) -> bytes:
    """The bytes that a token stands for."""
    if isinstance(token, bytes):
        if kind is VocabType.RAW:
            return token
        token = token.decode("utf-8")
    if kind is VocabType.BYTE_LEVEL and all(character in _BYTES for character in token):
        return bytes(_BYTES[character] for character in token)
    if kind is VocabType.BYTE_FALLBACK:
        if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
            return bytes([int(token[3:5], 16)])
        token = token.replace("▁", " ")
    return token.encode("utf-8")


def ids_of(ids: Union[int, Sequence[int], None]) -> Optional[list[int]]:
    return [ids] if isinstance(ids, int) else None if ids is None else list(ids)


class Token(NamedTuple):
    """A token that begins a text."""

    id: int
    text: bytes
    # Whether a longer token begins with it.
    is_begin: bool


class TokenizerInfo:
    """The bytes of each token, and the tokens that end a text."""

    def __init__(
        self,
        encoded_vocab: Sequence[Union[bytes, str]],
        vocab_type: VocabType = VocabType.RAW,
        *,
        vocab_size: Optional[int] = None,
        stop_token_ids: Union[int, Sequence[int], None] = None,
        add_prefix_space: bool = False,
    ) -> None:
        tokens = [_decoded(token, vocab_type) for token in encoded_vocab]
        stops = ids_of(stop_token_ids)
        if stops is None:
            stops = [id for id, token in enumerate(tokens) if token.decode("utf-8", "replace") in ENDS]
        tokens = tokens[:vocab_size]
        vocabulary = Vocabulary.from_tokens(tokens, stops)
        self._set(_serving.vocabulary_of(vocabulary, vocab_size), vocab_type, add_prefix_space)

    def _set(self, vocabulary: Vocabulary, kind: VocabType, add_prefix_space: bool) -> None:
        self.vocabulary = vocabulary
        self.vocab_type = kind
        self.add_prefix_space = add_prefix_space

    @classmethod
    def from_vocabulary(cls, vocabulary: Vocabulary) -> "TokenizerInfo":
        """Of a vocabulary of Maskwright's; not in XGrammar."""
        info = cls.__new__(cls)
        info._set(vocabulary, VocabType.RAW, False)
        return info

    @classmethod
    def from_huggingface(cls, tokenizer: Any, *, vocab_size: Optional[int] = None, stop_token_ids: Union[int, Sequence[int], None] = None) -> "TokenizerInfo":
        """Of a fast tokenizer of transformers. Its special tokens are no text, whatever their names."""
        stops = ids_of(stop_token_ids)
        if stops == []:
            raise ValueError("stop_token_ids cannot be empty")
        eos = getattr(tokenizer, "eos_token_id", None)
        stops = stops or ids_of(eos)
        vocabulary = Vocabulary.from_tokenizer(tokenizer)
        info = cls.from_vocabulary(_serving.vocabulary_of(vocabulary.with_eos(stops) if stops else vocabulary, vocab_size))
        names = tokenizer.get_vocab()
        info.vocab_type = VocabType.BYTE_FALLBACK if "<0x0A>" in names else VocabType.BYTE_LEVEL if "Ġ" in names else VocabType.RAW
        return info

    @property
    def vocab_size(self) -> int:
        return self.vocabulary.size

    @property
    def decoded_vocab(self) -> list[bytes]:
        """The bytes of each token; empty for special and stop tokens."""
        return self.vocabulary.tokens()

    @property
    def stop_token_ids(self) -> list[int]:
        return self.vocabulary.eos

    @property
    def special_token_ids(self) -> list[int]:
        """The tokens that are no text, besides those that end one."""
        stops = set(self.stop_token_ids)
        return [id for id, token in enumerate(self.decoded_vocab) if not token and id not in stops]

    @cached_property
    def _sorted(self) -> tuple[list[bytes], dict[bytes, int], int]:
        """The texts of tokens in order, their ids, the least of equal ones, and the length of the longest."""
        ids: dict[bytes, int] = {}
        for id, text in enumerate(self.decoded_vocab):
            if text:
                ids.setdefault(text, id)
        return sorted(ids), ids, max(map(len, ids), default=0)

    def longest(self, text: bytes) -> Optional[Token]:
        """The longest token that a text begins with; not in XGrammar."""
        texts, ids, most = self._sorted
        for length in range(min(most, len(text)), 0, -1):
            found = text[:length]
            if found in ids:
                after = bisect_left(texts, found) + 1
                return Token(ids[found], found, after < len(texts) and texts[after].startswith(found))
        return None

    def dump_metadata(self) -> str:
        """What `from_vocab_and_metadata` needs besides the vocabulary, as JSON."""
        fields = {"vocab_type": self.vocab_type.value, "vocab_size": self.vocab_size, "add_prefix_space": self.add_prefix_space, "stop_token_ids": self.stop_token_ids}
        return json.dumps(fields)

    @staticmethod
    def from_vocab_and_metadata(encoded_vocab: Sequence[Union[bytes, str]], metadata: str) -> "TokenizerInfo":
        """Of the texts of tokens, and what `dump_metadata` gave. Raises `RuntimeError` for other metadata."""
        try:
            fields = json.loads(metadata)
            kind = VocabType(fields["vocab_type"])
            size, stops, prefix = fields["vocab_size"], fields["stop_token_ids"], bool(fields["add_prefix_space"])
        except (ValueError, KeyError, TypeError) as error:
            raise RuntimeError(f"this is no metadata of a tokenizer: {error!r}") from error
        return TokenizerInfo(encoded_vocab, kind, vocab_size=size, stop_token_ids=stops, add_prefix_space=prefix)

    def serialize_json(self) -> str:
        """All of it as JSON, for `deserialize_json`."""
        vocabulary = self.vocabulary
        tokens = [base64.b64encode(token).decode("ascii") for token in vocabulary.tokens()]
        names = [list(vocabulary.special_tokens.items()), list(vocabulary.added_tokens.items())]
        return dumped("tokenizer", tokens=tokens, names=names, metadata=self.dump_metadata())

    @staticmethod
    def deserialize_json(json_string: str) -> "TokenizerInfo":
        """What `serialize_json` wrote. Raises `InvalidJSONError`, `DeserializeFormatError`, `DeserializeVersionError`."""
        tokens, names, metadata = loaded("tokenizer", json_string, "tokens", "names", "metadata")
        try:
            fields = json.loads(metadata)
            special, added = (dict(named) for named in names)
            vocabulary = Vocabulary.from_tokens([base64.b64decode(token, validate=True) for token in tokens], fields["stop_token_ids"], special, added)
            info = TokenizerInfo.from_vocabulary(vocabulary)
            info.vocab_type, info.add_prefix_space = VocabType(fields["vocab_type"]), bool(fields["add_prefix_space"])
        except (ValueError, KeyError, TypeError, OverflowError, VocabularyError) as error:
            raise DeserializeFormatError(f"this is no tokenizer: {error!r}") from error
        return info
