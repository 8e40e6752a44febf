"""The page of the figures of peers.py.

In: figures by engine, lists of (task, measure, value, unit), and the load of the machine. Out: Markdown. What holds: the page has nothing that is not measured in the same run.
"""

import os
import platform
import time
from pathlib import Path

ROUNDS = 3
# Texts of a batch.
BATCH = 64
# Steps of a batch on each document, and of a batch of all grammars.
STEPS = 200


def batch_table(values):
    """Lines of what a batch takes: of one grammar, and of all."""
    lines = ["", f"A batch of {BATCH} texts in one call, median and 90th percentile. Of free JSON: {STEPS} steps through each of the five documents, with the texts at different places of one document. Of all grammars in turn: {STEPS} steps.", ""]
    lines += ["| engine | call | free JSON | | all grammars | |", "|---|---|---:|---:|---:|---:|"]
    for name, of in values.items():
        for call in [what.split(": ")[1] for _, what in of if what.startswith("batch of")]:
            keys = [("free JSON", f"batch of {BATCH}: {call}"), ("free JSON", f"p90 of a batch: {call}"), ("all", f"mixed batch: {call}"), ("all", f"p90 of a mixed batch: {call}")]
            lines.append(f"| {name} | `{call}` | " + " | ".join(cell_text(of.get(key)) for key in keys) + " |")
    return lines


def row_table(of):
    """Lines of what a row takes in Python and in Rust. `of`: the figures of Maskwright."""
    lines = ["", "A row of a mask of free JSON, one call at each step of the five documents, median and 90th percentile, the clock included:", "", "| | | |", "|---|---:|---:|"]
    names = [what for task, what in of if task == "free JSON" and (what.startswith("row of") or what == "an empty call" or what.startswith("in Rust"))]
    lines += [f"| {name} | {cell_text(of['free JSON', name])} | {cell_text(of['free JSON', f'p90: {name}'])} |" for name in names]
    rust, python = of.get(("free JSON", "in Rust: MaskPool::copy_to")), of.get(("free JSON", "row of numpy"))
    if rust and python:
        lines += ["", f"In numpy a row takes {python[0] - rust[0]:.2f} µs more than in Rust; Python keeps finished masks and copies them, as `copy_to` does."]
    return lines


def table(figures, versions, args, load):
    """The figures as a page of Markdown. `load`: that of the machine before and after."""
    names = list(figures)
    values = {name: {(task, what): (value, unit) for task, what, value, unit in rows} for name, rows in figures.items()}
    lines = [
        "# Beside the peers, in Python",
        "",
        f"Written by `python bench/peers.py {' '.join(args)}`.".replace(" `.", "`."),
        "",
        f"{machine()}, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}; the load of the machine was {load[0]:.2f} before and {load[1]:.2f} after, of which this is one. One process, one thread; by itself XGrammar would compile with eight.",
        "",
        "| | " + " | ".join(f"{name} {versions[name]}" for name in names) + " |",
        "|---" * (len(names) + 1) + "|",
    ]
    shown = ["time per token, p50", "time per token, p99", "time per token, most", "time to first mask, mean", "time to first mask by a registry, mean", "memory of the vocabulary", "memory of grammars and walks", "right about texts"]
    for what in shown:
        cells = [values[name].get(("all", what)) for name in names]
        lines.append(f"| {what} | " + " | ".join(cell_text(cell) for cell in cells) + " |")
    lines += ["", "![Share of tokens that take longer](tokens.svg)"]
    lines += batch_table(values)
    lines += ["", "![Masks of a batch](batch.svg)"]
    lines += row_table(values["maskwright"])
    lines += ["", "Time to the first mask, by grammar:", "", "| | maskwright's registry | " + " | ".join(names) + " |", "|---" * (len(names) + 2) + "|"]
    tasks = [task for task, what, _, _ in figures[names[0]] if what == "time to first mask"]
    for task in tasks:
        cells = [values["maskwright"].get((task, "by a registry"))] + [values[name][task, "time to first mask"] for name in names]
        lines.append(f"| {task} | " + " | ".join(cell_text(cell) for cell in cells) + " |")
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
