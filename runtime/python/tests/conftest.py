"""Vocabularies and compilers that the tests share."""

import maskwright
import pytest

# Tokens of several bytes, after the 256 single bytes; then the end token.
WORDS = [b"true", b"false", b'{"', b'": ', b"on", b"off", b"12"]
EOS = 256 + len(WORDS)


@pytest.fixture(scope="session")
def small():
    tokens = [bytes([byte]) for byte in range(256)] + WORDS + [b""]
    return maskwright.Vocabulary.from_tokens(tokens, EOS)


@pytest.fixture(scope="session")
def compiler(small):
    return maskwright.Compiler(small)


@pytest.fixture(scope="session")
def cl100k():
    return maskwright.Vocabulary.named("cl100k_base")


@pytest.fixture(scope="session")
def cl100k_compiler(cl100k):
    return maskwright.Compiler(cl100k)


@pytest.fixture(scope="session")
def lists(compiler):
    """Nested lists of digits."""
    return compiler.ebnf('root ::= "[" (item ("," item)*)? "]"\nitem ::= root | [0-9]')


def ids_of(row):
    """The tokens whose bits are set in a row of words."""
    ids = []
    for at, word in enumerate(row):
        word = int(word) & 0xFFFFFFFF
        ids += [32 * at + bit for bit in range(32) if word >> bit & 1]
    return ids


def follow(matcher, vocabulary, text):
    """Takes a text, each time with the longest token that fits."""
    by_bytes = {token: id for id, token in enumerate(vocabulary.tokens()) if token}
    while text:
        length = max(length for length in range(1, len(text) + 1) if text[:length] in by_bytes)
        assert matcher.accept_token(by_bytes[text[:length]]), text
        text = text[length:]
