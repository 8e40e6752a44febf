"""Engines for the tests, one after the other, and what they measured.

In: the folder that `install` made: its Python runs these tests. Out: a function that runs an engine and answers what it said; with `--write`, results.md. What holds: one engine runs at a time, each
in a process of its own, so that none changes another.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import cases
import pytest
import results

HERE = Path(__file__).parent
MODELS = Path(sys.prefix) / "models"
# What a run may take, on a machine that does other work.
SECONDS = 3600


def pytest_addoption(parser):
    parser.addoption("--write", action="store_true", help="write results.md; all tests have to run")


def pytest_configure(config):
    config.rows = []


def pytest_sessionfinish(session, exitstatus):
    if exitstatus == 0 and session.config.getoption("--write"):
        (HERE / "results.md").write_text(results.page(session.config.rows))


@pytest.fixture(scope="session")
def rows(request):
    """Rows of results.md, which the tests add to."""
    return request.config.rows


@pytest.fixture(scope="session")
def run():
    """Runs an engine: its script, the environment besides, options and calls."""

    def start(script, calls, options, **environment):
        package = script.removeprefix("run_")
        if importlib.util.find_spec(package) is None or not MODELS.is_dir():
            pytest.skip(f"needs {package} and the models: engines/install makes an environment")
        asked = json.dumps({"options": options, "calls": calls})
        with tempfile.TemporaryDirectory() as folder:
            told, log = Path(folder, "told"), Path(folder, "log")
            command = [sys.executable, str(HERE / f"{script}.py"), str(told)]
            with log.open("wb") as output:
                # A session of its own: an engine that is given up leaves none of its processes behind.
                engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output, env={**os.environ, **environment}, start_new_session=True)
                try:
                    engine.communicate(asked.encode(), timeout=SECONDS)
                finally:
                    if engine.returncode is None:
                        os.killpg(engine.pid, signal.SIGKILL)
            assert engine.returncode == 0, log.read_text(errors="replace")[-6000:]
            return json.loads(told.read_text()), log.read_text(errors="replace")

    return start


def chosen_of(names):
    """All cases, or those of these names."""
    return [case for case in [*cases.CASES, cases.LARK_CASE] if (case is not cases.LARK_CASE if names is None else case.name in names)]


def calls(temperature, seed=1, repeats=1, begin="", names=None, **more):
    """All cases as calls, or those of these names."""
    chosen = chosen_of(names)
    sampling = {"temperature": temperature, "seed": seed, "max_tokens": 96, **more}
    return [{"kind": case.kind, "spec": case.spec, "prompts": [cases.prompt(question, begin) for question in case.questions] * repeats, "sampling": sampling} for case in chosen]


def valid(told, names=None):
    """By case: how many answers there are, how many were finished, and how many of these are valid."""
    chosen = chosen_of(names)
    found = {}
    for case, call in zip(chosen, told["calls"]):
        assert "error" not in call, f"{case.name}: {call}"
        whole = [answer["text"] for answer in call["answers"] if answer["reason"] == "stop"]
        wrong = [text for text in whole if not cases.is_valid(case, text)]
        assert not wrong, f"{case.name}: {wrong}"
        found[case.name] = (len(call["answers"]), len(whole), len(whole) - len(wrong))
    return found


def thoughts(told, names):
    """Checks the answers to the cases of these names, which begin with a thought: the thought is free and what follows is not. By case: answers, whole ones and valid ones."""
    counts = {}
    for case, call in zip([case for case in cases.CASES if case.name in names], told["calls"]):
        for answer in call["answers"]:
            thought, end, text = answer["text"].partition("</think>")
            assert end and thought and not cases.is_valid(case, thought), answer
            if answer["reason"] == "stop":
                assert cases.is_valid(case, text.removesuffix("<|im_end|>")), answer
        whole = sum(answer["reason"] == "stop" for answer in call["answers"])
        counts[case.name] = (len(call["answers"]), whole, whole)
        assert whole
    return counts
