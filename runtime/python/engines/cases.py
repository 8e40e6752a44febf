"""What the engines are asked, and who judges the answers.

In: nothing. Out: cases, each a kind of structured output, what it holds, a judge and questions. What holds: judges are Python's `json` and `re` and the package jsonschema; they know nothing of
masks. A judge answers whether a whole text is what was asked for.
"""

import json
import re
from collections import namedtuple
from pathlib import Path

import jsonschema

Case = namedtuple("Case", "name kind spec judge questions")

CITY = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1, "maxLength": 12},
        "people": {"type": "integer", "minimum": 0, "maximum": 100_000_000},
        "is_capital": {"type": "boolean"},
    },
    "required": ["city", "people", "is_capital"],
    "additionalProperties": False,
}
CITIES = {"type": "array", "items": {"anyOf": [{"type": "string", "pattern": "^[A-Z][a-z]{1,8}$"}, {"type": "integer"}]}, "minItems": 2, "maxItems": 4}
TOOLS = [tool["function"] for tool in json.loads((Path(__file__).parents[3] / "examples/llama-cpp/tools.json").read_text())]
REGEX = r"(yes|no), because [a-z ]{5,30}\."
EBNF = 'root ::= verdict (" " digit digit?)?\nverdict ::= "good" | "bad"\ndigit ::= [0-9]'
# llguidance else leaves one tokenization of what is forced.
LARK = '%llguidance {"no_forcing": true}\nstart: verdict (" because " WORD)?\nverdict: "good" | "bad"\nWORD: /[a-z]{2,10}/\n'
BAD = {"grammar": "root ::= nothing", "regex": "a(b", "json": '{"type": "bolean"}'}
CHOICE = ["red", "green", "dark blue"]


def call(name, schema):
    """A tag of a structural tag: one call, in the form of Hermes and Qwen."""
    begin = f'<tool_call>\n{{"name": "{name}", "arguments": '
    return {"type": "tag", "begin": begin, "content": {"type": "json_schema", "json_schema": schema}, "end": "}\n</tool_call>"}


TAG = {"type": "structural_tag", "format": call("city", CITY)}
CALLS = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<tool_call>"],
        "tags": [call(tool["name"], tool["parameters"]) for tool in TOOLS],
        "at_least_one": True,
        "stop_after_first": True,
    },
}


def fits(schema):
    """A judge: whether a text is JSON that fits a schema."""

    def judge(text):
        jsonschema.validate(json.loads(text), schema)
        return True

    return judge


def is_call_of(tools):
    """A judge: whether a text is one call of these tools, with arguments that fit."""

    def judge(text):
        found = json.loads(re.fullmatch(r"<tool_call>\n(.*)\n</tool_call>", text, re.DOTALL)[1])
        jsonschema.validate(found["arguments"], tools[found["name"]])
        return found.keys() == {"name", "arguments"}

    return judge


ABOUT = ["Which city is the capital of France?", "Name a large city in Japan."]
ASKED = ["How is the weather in Oslo tomorrow?", "Switch off the light in the kitchen.", "Add 10, 20 and 5."]

CASES = [
    Case("JSON Schema, an object", "json", CITY, fits(CITY), ABOUT),
    Case("JSON Schema, a list", "json", CITIES, fits(CITIES), ABOUT),
    Case("any JSON object", "json_object", True, fits({"type": "object"}), ["Answer with an empty JSON object.", "Write {} and nothing else."]),
    Case("regular expression", "regex", REGEX, lambda text: bool(re.fullmatch(REGEX, text)), ABOUT),
    Case("EBNF", "grammar", EBNF, lambda text: bool(re.fullmatch("(good|bad)( [0-9][0-9]?)?", text)), ["How was the film?", "How is the soup?"]),
    Case("choice", "choice", CHOICE, CHOICE.__contains__, ["Which colour is the sky?", "Which colour is grass?"]),
    Case("structural tag", "structural_tag", TAG, is_call_of({"city": CITY}), ABOUT),
    Case("tools, as a structural tag", "structural_tag", CALLS, is_call_of({tool["name"]: tool["parameters"] for tool in TOOLS}), ASKED),
]

# Not every engine's own masks take it.
LARK_CASE = Case("Lark", "grammar", LARK, lambda text: bool(re.fullmatch("(good|bad)( because [a-z]{2,10})?", text)), ["How was the film?", "How is the soup?"])


def prompt(question, begin=""):
    """A question in the form of the model's chats, and how its answer begins."""
    return f"<|im_start|>user\n{question}<|im_end|>\n<|im_start|>assistant\n{begin}"


def is_valid(case, text):
    """Whether an answer is what the case asks for."""
    try:
        return case.judge(text)
    except (ValueError, TypeError, KeyError, jsonschema.ValidationError):
        return False
