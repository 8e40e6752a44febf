"""The pictures beside the figures are those of the figures."""

import sys
from pathlib import Path

BENCH = Path(__file__).parents[1] / "bench"
RESULTS = BENCH / "results"


def test_pictures_are_of_the_figures():
    sys.path.insert(0, str(BENCH))
    try:
        import plot
    finally:
        sys.path.remove(str(BENCH))
    drawn = plot.pictures(plot.read(RESULTS / "peers.csv"))
    assert {path.name for path in RESULTS.glob("*.svg")} == set(drawn)
    for name, content in drawn.items():
        assert (RESULTS / name).read_text(encoding="utf-8") == content, f"run python bench/plot.py bench/results: {name}"
