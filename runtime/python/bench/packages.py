"""The packages that peers.py measures, each behind the same calls.

In: tokens and the end token of a vocabulary, schemas, tokens of texts. Out: masks in rows of numpy. What holds: each compiles with one thread and without a cache, and all allow any blanks.
"""

import time
import warnings

import numpy as np

import maskwright
from page import BATCH

clock = time.perf_counter_ns


class Maskwright:
    """The plain interface; a batch is the rows of a pool."""

    name, package = "maskwright", "maskwright"

    def __init__(self, tokens, eos):
        self.compiler = maskwright.Compiler(maskwright.Vocabulary.from_tokens(tokens, eos), threads=1)

    def compile(self, schema):
        return self.compiler.schema(schema, whitespace="unbounded")

    def first_by_registry(self, schema, rows):
        """Nanoseconds from the text of a schema to a mask by a registry that has seen nothing yet; its tables are compiled meanwhile."""
        registry = maskwright.Registry(self.compiler, threads=1)
        start = clock()
        registry.get(schema=schema, whitespace="unbounded").matcher().fill(rows)
        return clock() - start

    def matcher(self, compiled):
        return maskwright.Matcher(compiled)

    def fill(self, matcher, rows):
        matcher.fill(rows)

    def accept(self, matcher, token):
        return matcher.accept_token(token)

    def is_whole(self, matcher):
        return matcher.is_complete()

    def batches(self, words):
        rows = [np.zeros((BATCH, words), dtype=np.int32) for _ in range(3)]
        kept, pool = maskwright.MaskBuffer(rows[1]), maskwright.MaskPool(rows[2])
        return {"fill_batch": lambda matchers: maskwright.fill_batch(matchers, rows[0]), "MaskBuffer": kept.fill, "MaskPool": pool.rows_of}


class XGrammar:
    name, package = "xgrammar", "xgrammar"

    def __init__(self, tokens, eos):
        warnings.simplefilter("ignore")
        import xgrammar

        self.module = xgrammar
        self.compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo(tokens, stop_token_ids=[eos]), max_threads=1, cache_enabled=False)

    def compile(self, schema):
        return self.compiler.compile_json_schema(schema, strict_mode=False)

    def matcher(self, compiled):
        return self.module.GrammarMatcher(compiled)

    def fill(self, matcher, rows):
        matcher.fill_next_token_bitmask(rows)

    def accept(self, matcher, token):
        return matcher.accept_token(token)

    def is_whole(self, matcher):
        return matcher.is_completed()

    def batches(self, words):
        rows, batch = np.zeros((BATCH, words), dtype=np.int32), self.module.BatchGrammarMatcher(max_threads=1)
        return {"batch_fill_next_token_bitmask": lambda matchers: batch.batch_fill_next_token_bitmask(matchers, rows)}


class LLGuidance:
    name, package = "llguidance", "llguidance"

    def __init__(self, tokens, eos):
        import llguidance
        import llguidance.numpy

        self.module, self.fill_row = llguidance, llguidance.numpy.fill_next_token_bitmask
        special = [id for id, token in enumerate(tokens) if not token]
        texts = [token or f"\xff<special {id}>".encode("latin-1") for id, token in enumerate(tokens)]
        ids = {token: id for id, token in enumerate(tokens) if token}

        class Tokenizer:
            eos_token_id, bos_token_id, special_token_ids = eos, None, special

            def __call__(self, text):
                return longest(ids, text if isinstance(text, bytes) else text.encode())

        Tokenizer.tokens = texts
        self.tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Tokenizer()))

    def compile(self, schema):
        compiled = self.module.LLMatcher.grammar_from_json_schema(schema)
        error = self.module.LLMatcher.validate_grammar(compiled, self.tokenizer)
        if error:
            raise ValueError(error)
        return compiled

    def matcher(self, compiled):
        return self.module.LLMatcher(self.tokenizer, compiled, log_level=0)

    def fill(self, matcher, rows):
        self.fill_row(matcher, rows)

    def accept(self, matcher, token):
        return matcher.consume_token(token)

    def is_whole(self, matcher):
        return matcher.is_accepting()

    def batches(self, words):
        rows, executor = np.zeros((BATCH, words), dtype=np.int32), self.module.LLExecutor(num_threads=1)
        from llguidance.numpy import fill_next_token_bitmask_par

        return {"fill_next_token_bitmask_par": lambda matchers: fill_next_token_bitmask_par(executor, list(zip(matchers, range(BATCH))), rows)}


ENGINES = [Maskwright, XGrammar, LLGuidance]


def longest(ids, text):
    """The tokens of a text, each the longest that fits."""
    tokens, most = [], 64
    while text:
        length = next(length for length in range(min(most, len(text)), 0, -1) if text[:length] in ids)
        tokens.append(ids[text[:length]])
        text = text[length:]
    return tokens
