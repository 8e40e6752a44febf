"""Maskwright, XGrammar and llguidance in one process of Python, on the same texts.

    python bench/peers.py                        # measures, prints a table
    python bench/peers.py --out bench/results    # and writes peers.csv, peers.md and pictures into that folder, if the machine is quiet

In: the documents and schemas of benches/peers/work, in tokens of one of OpenAI's vocabularies, each the longest that fits. Out: for each engine that is installed the time of a token, to the first
mask, and of a batch in one call; its memory; how often it is right about a text; and what a row takes in Python and, where cargo is, in Rust. What holds: all engines get the same tokens, fill the same kind
of int32 rows of numpy, and take turns on each text, so that what else the machine does falls on all alike. With a load above 0.5 nothing is written, unless `--busy` is given; the page says how high it was.
"""

import argparse
import csv
import gc
import importlib.util
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

import maskwright
import packages
import page
import plot

ROOT = Path(__file__).parents[3]
WORK = ROOT / "benches" / "peers" / "work"
ENGINES, longest = packages.ENGINES, packages.longest
ROUNDS, BATCH, STEPS = page.ROUNDS, page.BATCH, page.STEPS
# A machine with a higher load is not quiet.
QUIET = 0.5
clock = time.perf_counter_ns


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


def row_times(engine, compiled, texts, words):
    """By kind of buffer, nanoseconds of each row along the texts, the least of some walks; and of a call that does nothing."""
    buffers = {"numpy": np.zeros((1, words), dtype=np.int32)}
    if importlib.util.find_spec("torch"):
        import torch

        buffers["a tensor"] = torch.zeros((1, words), dtype=torch.int32)
    calls = {f"row of {name}": lambda matcher, buffer=buffer: matcher.fill(buffer) for name, buffer in buffers.items()}
    calls["an empty call"] = lambda matcher: matcher.is_complete()
    times = {}
    for name, call in calls.items():
        rounds = []
        for _ in range(ROUNDS):
            rounds.append([])
            for text in texts:
                matcher = engine.matcher(compiled)
                for token in text:
                    start = clock()
                    call(matcher)
                    rounds[-1].append(clock() - start)
                    engine.accept(matcher, token)
        times[name] = [min(each) for each in zip(*rounds)]
    return times


def rust_rows(vocabulary):
    """Nanoseconds of a row in Rust, along the same texts: median and 90th percentile by kind of call. None without cargo."""
    if not shutil.which("cargo"):
        print("not measured: a row in Rust; there is no cargo", file=sys.stderr)
        return None
    command = ["cargo", "run", "-q", "--release", "--locked", "-p", "maskwright-benches", "--example", "rows", "--", vocabulary]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def batch_times(engine, compiled, texts, words):
    """By kind of call, nanoseconds of each step of a batch whose texts stand at different places of one document; of all documents."""
    times = {}
    for name, fill in engine.batches(words).items():
        times[name] = []
        for text in texts:
            apart = min(7, (len(text) - STEPS) // BATCH)
            matchers = [engine.matcher(compiled) for _ in range(BATCH)]
            for at, matcher in enumerate(matchers):
                for token in text[: apart * at]:
                    engine.accept(matcher, token)
            for step in range(STEPS):
                start = clock()
                fill(matchers)
                times[name].append(clock() - start)
                for at, matcher in enumerate(matchers):
                    engine.accept(matcher, text[apart * at + step])
    return times


def mixed_times(engine, works, words):
    """The same of a batch whose texts are of all grammars in turn. `works`: compiled grammars, each with its longest text. A text that has ended begins anew."""
    times = {}
    for name, fill in engine.batches(words).items():
        choose = random.Random(5)
        texts = [works[at % len(works)] for at in range(BATCH)]
        places = [choose.randrange(len(text)) for _, text in texts]
        matchers = [engine.matcher(compiled) for compiled, _ in texts]
        for matcher, place, (_, text) in zip(matchers, places, texts):
            for token in text[:place]:
                engine.accept(matcher, token)
        times[name] = []
        for _ in range(STEPS):
            start = clock()
            fill(matchers)
            times[name].append(clock() - start)
            for at, (compiled, text) in enumerate(texts):
                engine.accept(matchers[at], text[places[at]])
                places[at] += 1
                if places[at] == len(text):
                    places[at], matchers[at] = 0, engine.matcher(compiled)
    return times


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


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


def both(task, median, high, times):
    """Two figures of each kind of call: the median and the 90th percentile, under these names."""
    for name, values in times.items():
        yield task, median.format(name), statistics.median(values) / 1e3, "µs"
        yield task, high.format(name), quantile(values, 0.9) / 1e3, "µs"


def rows_and_batches(engine, task, compiled, texts, words):
    """What batches take along the texts of one grammar; of Maskwright single rows, too."""
    yield from both(task, f"batch of {BATCH}: {{}}", "p90 of a batch: {}", batch_times(engine, compiled, texts, words))
    if hasattr(engine, "first_by_registry"):
        yield from both(task, "{}", "p90: {}", row_times(engine, compiled, texts, words))


def measure(engines, tasks, words):
    """Figures by engine: a list of (task, measure, value, unit)."""
    rows = np.zeros((1, words), dtype=np.int32)
    figures = {engine.name: [] for engine in engines}
    right = {engine.name: [0, 0] for engine in engines}
    steps = {engine.name: [] for engine in engines}
    firsts = {engine.name: [] for engine in engines}
    registry = []
    works = {engine.name: [] for engine in engines}
    for task, schema, valid, invalid in tasks:
        compiled = {engine.name: engine.compile(schema) for engine in engines}
        for engine in engines:
            firsts[engine.name].append(min(first_mask(engine, schema, rows) for _ in range(ROUNDS)))
            figures[engine.name].append((task, "time to first mask", firsts[engine.name][-1] / 1e6, "ms"))
            if hasattr(engine, "first_by_registry"):
                registry.append(min(engine.first_by_registry(schema, rows) for _ in range(ROUNDS)))
                figures[engine.name].append((task, "by a registry", registry[-1] / 1e6, "ms"))
        longest_of_all = []
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
                longest_of_all = max(longest_of_all, text, key=len)
                for name, times in least.items():
                    steps[name] += times
        for engine in engines:
            works[engine.name].append((compiled[engine.name], longest_of_all))
        if task == "free JSON":
            for engine in engines:
                figures[engine.name] += rows_and_batches(engine, task, compiled[engine.name], valid, words)
    for engine in engines:
        figures[engine.name] += both("all", "mixed batch: {}", "p90 of a mixed batch: {}", mixed_times(engine, works[engine.name], words))
        if hasattr(engine, "first_by_registry"):
            figures[engine.name].append(("all", "time to first mask by a registry, mean", statistics.fmean(registry) / 1e6, "ms"))
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="a folder to write peers.csv, peers.md and pictures into")
    parser.add_argument("--vocabulary", default="cl100k_base")
    parser.add_argument("--busy", action="store_true", help="write the figures even if the machine does other work")
    parser.add_argument("--memory", help=argparse.SUPPRESS)  # an engine: its memory only, as JSON
    args = parser.parse_args()
    vocabulary = maskwright.Vocabulary.named(args.vocabulary)
    tokens, eos = vocabulary.tokens(), vocabulary.eos[0]
    ids = {token: id for id, token in enumerate(tokens) if token}
    tasks = list(work(ids))
    if args.memory:
        print(json.dumps(memory(args.memory, tokens, eos, tasks)))
        return
    before = os.getloadavg()[0]
    if args.out and before > QUIET and not args.busy:
        sys.exit(f"the load of the machine is {before:.2f}: figures are written at {QUIET} or less, or with --busy")
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
    after = os.getloadavg()[0]
    for kind, (median, high) in (rust_rows(args.vocabulary) or {}).items():
        name = {"fill": "in Rust: Mask::fill", "copy_to": "in Rust: MaskPool::copy_to"}[kind]
        figures["maskwright"] += [("free JSON", name, median / 1e3, "µs"), ("free JSON", f"p90: {name}", high / 1e3, "µs")]
    text = page.table(figures, versions, sys.argv[1:], (before, after))
    print(text)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "peers.md").write_text(text)
        with open(args.out / "peers.csv", "w", newline="") as file:
            rows = [(name, versions[name], *figure) for name, found in figures.items() for figure in found]
            csv.writer(file, lineterminator="\n").writerows([("engine", "version", "task", "measure", "value", "unit"), *rows])
        plot.write(args.out)


if __name__ == "__main__":
    main()
