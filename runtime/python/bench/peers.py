"""Maskwright, XGrammar and llguidance in one process of Python, on the same texts.

    python bench/peers.py                  # measures, prints a table
    python bench/peers.py --out results    # and writes peers.csv, peers.md and pictures into that folder

In: the documents and schemas of benches/peers/work, in tokens of one of OpenAI's vocabularies, each the longest that fits. Out: for each engine that is installed the time of a token, to the first
mask, and of a batch in one call; its memory; and how often it is right about a text. What holds: all engines get the same tokens, fill the same kind of int32 rows of numpy, and take turns on
each text, so that what else the machine does falls on all alike.
"""

import argparse
import csv
import gc
import importlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np

import maskwright
import plot

WORK = Path(__file__).parents[3] / "benches" / "peers" / "work"
ROUNDS = 3
BATCH = 64
clock = time.perf_counter_ns


class Maskwright:
    """The plain interface; a batch is the rows of a pool."""

    name, package = "maskwright", "maskwright"

    def __init__(self, tokens, eos):
        self.compiler = maskwright.Compiler(maskwright.Vocabulary.from_tokens(tokens, eos), threads=1)

    def compile(self, schema):
        return self.compiler.schema(schema, whitespace="unbounded")

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


def work(ids):
    """Tasks: a name, a schema, its valid and invalid texts, in tokens."""
    documents = [path.read_bytes().strip() for path in sorted((WORK / "documents").glob("*.json"))]
    yield "free JSON", "{}", [longest(ids, text) for text in documents], []
    for line in (WORK / "schemas.jsonl").read_text().splitlines():
        task = json.loads(line)
        texts = {True: [], False: []}
        for test in task["tests"]:
            for options in ({}, {"separators": (",", ":")}, {"indent": 2}):
                text = json.dumps(test["data"], ensure_ascii=False, **options).encode()
                texts[test["valid"]].append(longest(ids, text))
        yield task["name"], json.dumps(task["schema"]), texts[True], texts[False]


def walk(engine, compiled, text, rows):
    """Nanoseconds of each step, mask and accepting; None if a token is refused."""
    matcher, steps = engine.matcher(compiled), []
    for token in text:
        start = clock()
        engine.fill(matcher, rows)
        is_taken = engine.accept(matcher, token)
        steps.append(clock() - start)
        if not is_taken:
            return None
    return steps


def takes(engine, compiled, text):
    """Whether a text is taken as a whole one."""
    matcher = engine.matcher(compiled)
    return all(engine.accept(matcher, token) for token in text) and bool(engine.is_whole(matcher))


def first_mask(engine, schema, rows):
    """Nanoseconds from the text of a schema to a mask."""
    start = clock()
    engine.fill(engine.matcher(engine.compile(schema)), rows)
    return clock() - start


def batch_times(engine, compiled, text, words):
    """By kind of call, nanoseconds of each step of a batch whose texts stand at different places of one document."""
    times = {}
    for name, fill in engine.batches(words).items():
        matchers = [engine.matcher(compiled) for _ in range(BATCH)]
        for at, matcher in enumerate(matchers):
            for token in text[: 7 * at]:
                engine.accept(matcher, token)
        times[name] = []
        for step in range(200):
            start = clock()
            fill(matchers)
            times[name].append(clock() - start)
            for at, matcher in enumerate(matchers):
                engine.accept(matcher, text[7 * at + step])
    return times


def resident():
    """Bytes of this process that are in memory; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory(name, tokens, eos, tasks):
    """Bytes that a vocabulary takes, and grammars with one walk of each text besides: in a process of its own."""
    rows = np.zeros((1, -(-len(tokens) // 32)), dtype=np.int32)
    kind = next(kind for kind in ENGINES if kind.name == name)
    importlib.import_module(kind.package)  # what its libraries take, torch among them, is not counted
    gc.collect()
    before = resident()
    engine = kind(tokens, eos)
    gc.collect()
    ready = resident()
    kept = []
    for _, schema, valid, _ in tasks:
        kept.append(engine.compile(schema))
        for text in valid:
            walk(engine, kept[-1], text, rows)
    gc.collect()
    return ready - before, resident() - ready


def measure(engines, tasks, words):
    """Figures by engine: a list of (task, measure, value, unit)."""
    rows = np.zeros((1, words), dtype=np.int32)
    figures = {engine.name: [] for engine in engines}
    right = {engine.name: [0, 0] for engine in engines}
    steps = {engine.name: [] for engine in engines}
    firsts = {engine.name: [] for engine in engines}
    for task, schema, valid, invalid in tasks:
        compiled = {engine.name: engine.compile(schema) for engine in engines}
        for engine in engines:
            firsts[engine.name].append(min(first_mask(engine, schema, rows) for _ in range(ROUNDS)))
            figures[engine.name].append((task, "time to first mask", firsts[engine.name][-1] / 1e6, "ms"))
        for text, is_valid in [(text, True) for text in valid] + [(text, False) for text in invalid]:
            least = {}
            for engine in engines:
                found = takes(engine, compiled[engine.name], text)
                right[engine.name][0] += found == is_valid
                right[engine.name][1] += 1
                if is_valid and found:
                    rounds = [walk(engine, compiled[engine.name], text, rows) for _ in range(ROUNDS)]
                    least[engine.name] = [min(times) for times in zip(*rounds)]
            if len(least) == len(engines):  # a text counts if all engines take it
                for name, times in least.items():
                    steps[name] += times
        if task == "free JSON":
            text = max(valid, key=len)
            for engine in engines:
                for name, times in batch_times(engine, compiled[engine.name], text, words).items():
                    figures[engine.name].append((task, f"batch of {BATCH}: {name}", statistics.median(times) / 1e3, "µs"))
    for name, times in steps.items():
        times.sort()
        for share, label in ((0.1, "p10"), (0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9"), (1.0, "most")):
            at = min(len(times) - 1, int(share * len(times)))
            figures[name].append(("all", f"time per token, {label}", times[at] / 1e3, "µs"))
        figures[name].append(("all", "time per token, mean", statistics.fmean(times) / 1e3, "µs"))
        figures[name].append(("all", "tokens", len(times), ""))
        figures[name].append(("all", "time to first mask, mean", statistics.fmean(firsts[name]) / 1e6, "ms"))
        figures[name].append(("all", "right about texts", right[name][0], f"of {right[name][1]}"))
    return figures


def table(figures, versions, args):
    """The figures as a page of Markdown."""
    names = list(figures)
    values = {name: {(task, what): (value, unit) for task, what, value, unit in rows} for name, rows in figures.items()}
    lines = [
        "# Beside the peers, in Python",
        "",
        f"Written by `python bench/peers.py {' '.join(args)}`.".replace(" `.", "`."),
        "",
        f"{machine()}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}; the machine was shared with other work, so that a figure may be off by half. One process, one thread.",
        "",
        "| | " + " | ".join(f"{name} {versions[name]}" for name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    shown = ["time per token, p50", "time per token, p99", "time per token, most", "time to first mask, mean", "memory of the vocabulary", "memory of grammars and walks", "right about texts"]
    for what in shown:
        cells = [values[name].get(("all", what)) for name in names]
        lines.append(f"| {what} | " + " | ".join(cell_text(cell) for cell in cells) + " |")
    lines += ["", "![Share of tokens that take longer](tokens.svg)"]
    lines += ["", f"A batch of {BATCH} texts in one call, the median of 200 steps through one document:", "", "| engine | call | |", "|---|---|---|"]
    for name in names:
        for (_, what), cell in values[name].items():
            if what.startswith("batch"):
                lines.append(f"| {name} | `{what.split(': ')[1]}` | {cell_text(cell)} |")
    lines += ["", "![Masks of a batch](batch.svg)"]
    lines += ["", "Time to the first mask, by grammar:", "", "| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    tasks = [task for task, what, _, _ in figures[names[0]] if what == "time to first mask"]
    lines += [f"| {task} | " + " | ".join(cell_text(values[name][task, "time to first mask"]) for name in names) + " |" for task in tasks]
    lines += ["", "![Time to the first mask](first-mask.svg)"]
    tokens = values[names[0]]["all", "tokens"][0]
    lines += [
        "",
        f"A token is a mask and its accepting, through Python; the least of {ROUNDS} rounds counts, of {tokens} tokens. Texts are the documents and schemas of benches/peers/work, "
        "each instance written by `json.dumps` in three ways. An engine is right if it takes a valid text and refuses one that is not. The first mask counts from the schema's text, without caches. "
        "Memory is what a process of its own has resident more than after the import: after the vocabulary, and after all grammars and one walk of each text. XGrammar is not strict here, and all allow any blanks.",
        "",
    ]
    return "\n".join(lines)


def cell_text(cell):
    if cell is None:
        return "–"
    value, unit = cell
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}".strip()


def machine():
    try:
        name = next(line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")).split(": ")[1]
    except (OSError, StopIteration, IndexError):
        name = platform.machine()
    return f"{os.cpu_count()} cores of {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="a folder to write peers.csv, peers.md and pictures into")
    parser.add_argument("--vocabulary", default="cl100k_base")
    parser.add_argument("--memory", help=argparse.SUPPRESS)  # an engine: its memory only, as JSON
    args = parser.parse_args()
    vocabulary = maskwright.Vocabulary.named(args.vocabulary)
    tokens, eos = vocabulary.tokens(), vocabulary.eos[0]
    ids = {token: id for id, token in enumerate(tokens) if token}
    tasks = list(work(ids))
    if args.memory:
        print(json.dumps(memory(args.memory, tokens, eos, tasks)))
        return
    engines, versions = [], {}
    for kind in ENGINES:
        try:
            versions[kind.name] = version(kind.package)
            engines.append(kind(tokens, eos))
        except ImportError as error:
            print(f"not measured: {kind.name}: {error}", file=sys.stderr)
    figures = measure(engines, tasks, -(-len(tokens) // 32))
    for engine in engines:
        again = [sys.executable, __file__, "--vocabulary", args.vocabulary, "--memory", engine.name]
        last = subprocess.run(again, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
        for what, value in zip(("memory of the vocabulary", "memory of grammars and walks"), json.loads(last)):
            figures[engine.name].append(("all", what, value / 2**20, "MiB"))
    page = table(figures, versions, sys.argv[1:])
    print(page)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "peers.md").write_text(page)
        with open(args.out / "peers.csv", "w", newline="") as file:
            rows = [(name, versions[name], *figure) for name, found in figures.items() for figure in found]
            csv.writer(file, lineterminator="\n").writerows([("engine", "version", "task", "measure", "value", "unit"), *rows])
        plot.write(args.out)


if __name__ == "__main__":
    main()
