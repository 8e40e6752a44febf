"""Pictures of the figures of peers.py, in the style of benches/peers.

    python bench/plot.py bench/results     # reads peers.csv there, writes the pictures beside it

In: peers.csv. Out: SVG files, the same for the same CSV. What holds: times are on logarithmic axes, and an engine has one colour in all pictures.
"""

import argparse
import csv
import math
from pathlib import Path

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 78, 630, 40, 368
COLOURS = {"maskwright": "#d9480f", "xgrammar": "#0b7285", "llguidance": "#2f9e44"}
OTHER = "#868e96"
# Nanoseconds of a unit.
UNITS = {"ns": 1, "µs": 1_000, "ms": 1_000_000}


def read(path):
    """Figures by engine: {engine: {(task, measure): value}}, times in nanoseconds."""
    figures = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            of = figures.setdefault(row["engine"], {})
            of[row["task"], row["measure"]] = float(row["value"]) * UNITS.get(row["unit"], 1)
    return figures


def pictures(figures):
    """Names and contents of the files."""
    return {"tokens.svg": tokens(figures), "first-mask.svg": first_mask(figures), "batch.svg": batch(figures)}


def tokens(figures):
    """The share of tokens that take longer, from the quantiles that are there."""
    curves = {}
    for engine, of in figures.items():
        count = of["all", "tokens"]
        points = []
        for (task, measure), value in of.items():
            label = measure.removeprefix("time per token, ")
            if task == "all" and label == "most":
                points.append((value, 1 / count))
            elif task == "all" and label[0] == "p" and label[1:].replace(".", "").isdigit():
                points.append((value, 1 - float(label[1:]) / 100))
        curves[engine] = sorted(points)
    return drawn("A mask and its accepting, in Python: the share of tokens that take longer", "time of a token", "share of tokens", time, share, curves)


def first_mask(figures):
    """Times to the first mask, each engine's sorted."""
    curves = {}
    for engine, of in figures.items():
        times = sorted(value for (task, measure), value in of.items() if measure == "time to first mask")
        curves[engine] = [(at + 1, value) for at, value in enumerate(times)]
    return drawn("Schemas, in Python: the time to the first mask, each engine's sorted", "schemas", "until the first mask", None, time, curves)


def batch(figures):
    """Bars: 64 masks in one call."""
    bars = []
    for engine, of in figures.items():
        for (_, measure), value in of.items():
            if measure.startswith("batch of"):
                bars.append((engine, measure.split(": ")[1], value))
    low, high = decades([value for _, _, value in bars])
    svg = head("Masks of 64 texts in one call, in Python", "time of a call", None)
    svg += x_grid(low, high, time, lambda exponent: LEFT + (exponent - low) / (high - low) * (RIGHT - LEFT))
    height = (BOTTOM - TOP) / len(bars)
    for at, (engine, call, value) in enumerate(bars):
        y = TOP + height * at
        width = (math.log10(value) - low) / (high - low) * (RIGHT - LEFT)
        colour = COLOURS.get(engine, OTHER)
        svg.append(f'<rect x="{LEFT}" y="{y + 0.45 * height:.1f}" width="{width:.1f}" height="{0.4 * height:.1f}" fill="{colour}"/>')
        svg.append(f'<text x="{LEFT + 4}" y="{y + 0.35 * height:.1f}">{engine}: {call}</text>')
        svg.append(f'<text x="{LEFT + width + 6:.1f}" y="{y + 0.7 * height:.1f}">{amount(value)}</text>')
    return finished(svg)


def drawn(title, x_title, y_title, x_names, y_names, curves):
    """Curves. The y axis is logarithmic, and the x axis if its powers of ten have names."""
    points = [point for curve in curves.values() for point in curve]
    y_low, y_high = decades([y for _, y in points])
    scale_x = math.log10 if x_names else float
    x_low, x_high = decades([x for x, _ in points]) if x_names else (min(x for x, _ in points), max(x for x, _ in points))

    def at_x(x):
        return LEFT + (x - x_low) / (x_high - x_low) * (RIGHT - LEFT)

    def at_y(y):
        return BOTTOM - (y - y_low) / (y_high - y_low) * (BOTTOM - TOP)

    svg = head(title, x_title, y_title)
    for exponent in range(y_low, y_high + 1):
        y = at_y(exponent)
        svg.append(f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="#ddd"/><text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{y_names(exponent)}</text>')
    svg += x_grid(x_low, x_high, x_names or str, at_x)
    for index, (engine, curve) in enumerate(curves.items()):
        colour, y = COLOURS.get(engine, OTHER), TOP + 16 + 20 * index
        path = "L".join(f"{at_x(scale_x(x)):.1f} {at_y(math.log10(y)):.1f}" for x, y in curve)
        svg.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>')
        for x, value in curve:
            svg.append(f'<circle cx="{at_x(scale_x(x)):.1f}" cy="{at_y(math.log10(value)):.1f}" r="3" fill="{colour}"/>')
        svg.append(f'<path d="M{RIGHT + 10} {y - 4}h18" stroke="{colour}" stroke-width="3"/><text x="{RIGHT + 33}" y="{y}">{engine}</text>')
    return finished(svg)


def head(title, x_title, y_title):
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="bold">{title}</text>',
        f'<text x="{(LEFT + RIGHT) // 2}" y="408" text-anchor="middle">{x_title}</text>',
    ]
    if y_title:
        svg.append(f'<text transform="translate(16 {(TOP + BOTTOM) // 2}) rotate(-90)" text-anchor="middle">{y_title}</text>')
    return svg


def x_grid(low, high, names, at):
    return [f'<path d="M{at(tick):.1f} {TOP}V{BOTTOM}" stroke="#ddd"/><text x="{at(tick):.1f}" y="385" text-anchor="middle">{names(tick)}</text>' for tick in range(low, high + 1)]


def finished(svg):
    return "\n".join([*svg, "</svg>", ""])


def decades(values):
    """The powers of ten around values."""
    low = math.floor(math.log10(min(values)))
    return low, max(math.ceil(math.log10(max(values))), low + 1)


def time(exponent):
    """A power of ten of nanoseconds."""
    return f"{10 ** (exponent % 3)} {('ns', 'µs', 'ms', 's')[exponent // 3]}"


def amount(nanoseconds):
    """A time in three digits."""
    at = min(3, int(math.log10(nanoseconds)) // 3)
    return f"{nanoseconds / 1_000**at:.3g} {('ns', 'µs', 'ms', 's')[at]}"


def share(exponent):
    """A power of ten as a share."""
    return "all" if exponent == 0 else f"{10 ** (exponent + 2):g} %"


def write(folder):
    """Draws what peers.csv in a folder says."""
    for name, content in pictures(read(folder / "peers.csv")).items():
        (folder / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of peers.csv")
    write(parser.parse_args().folder)
