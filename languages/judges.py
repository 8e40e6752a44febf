"""The parsers that judge texts: each function is named after its language and raises if the language has not the text."""

import ast
import csv as csv_module
import io
import re
import sqlite3
import subprocess
import sysconfig
import tomllib
import warnings
from functools import cache
from pathlib import Path


class Refused(Exception):
    """What a judge raises that has no exception for wrong texts."""


def csv(text):
    rows = list(csv_module.reader(io.StringIO(text, newline=""), strict=True))
    widths = {len(row) for row in rows}
    if len(widths) != 1 or widths.pop() < 2:
        raise Refused("rows of different length, or of one field")


class _Tables(tomllib._parser.NestedDict):
    """Gives each key a table that has no other, so that no key is there twice."""

    def get_or_create_nest(self, key, *, access_lists=True):
        return {}

    def append_nest_to_list(self, key):
        pass


class _Flags(tomllib._parser.Flags):
    """Remembers nothing of the keys before."""

    def is_(self, key, flag):
        return False


@cache
def _shop():
    connection = sqlite3.connect(":memory:")
    connection.executescript(Path(__file__).with_name("sql").joinpath("schema.sql").read_text())
    return connection


def sql(text):
    import pglast

    # Not the syntax alone: each name has to be one of the database.
    _shop().execute("EXPLAIN " + text).close()
    pglast.parse_sql(text)


def toml(text):
    tomllib._parser.NestedDict, tomllib._parser.Flags = _Tables, _Flags
    tomllib.loads(text)


def python(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ast.parse(text)


def javascript(text):
    import esprima

    # An object at the beginning of a statement would be a block.
    esprima.parseScript("(" + text.removesuffix(";") + ")")


def regex(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        re.compile(text)


def graphql(text):
    from graphql import parse

    parse(text)


def yaml(text):
    import yaml as pyyaml

    if not isinstance(pyyaml.safe_load(text), (dict, list)):
        raise Refused("neither a mapping nor a list")


def dot(text):
    program = Path(sysconfig.get_path("scripts")) / "graphviz-pure"
    done = subprocess.run([program, "-Tcanon"], input=text.encode(), capture_output=True)
    if done.returncode:
        raise Refused(done.stderr.decode(errors="replace"))


def gcode(text):
    from pygcode.words import text2words

    for line in text.split("\n"):
        code = re.sub(r"\([^()]*\)|;.*", "", line).removeprefix("/").replace(" ", "")
        if code in ("", "%"):
            continue
        # The parser passes over what begins no word, so its words are compared with the text.
        written = [(word[0], float(word[1:])) for word in re.split("(?<=.)(?=[A-Z])", code)]
        if written != [(word.letter, float(word.value)) for word in text2words(code)]:
            raise Refused(line)


@cache
def _pddl():
    """The LALR parser of the package pddl, without what it makes of trees."""
    import importlib.resources

    import lark

    grammar = importlib.resources.files("pddl.parser").joinpath("grammar.lark").read_text()
    return lark.Lark(grammar, parser="lalr", start=["domain", "problem"])


def pddl(text):
    start = "problem" if re.search(r"\(\s*problem\b", re.sub(";.*", "", text)) else "domain"
    _pddl().parse(text, start=start)
