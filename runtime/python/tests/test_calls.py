"""Outputs with tool calls, read back."""

import json

import maskwright
import pytest
from maskwright.calls import Call, OpenCall, Reasoning, Text

TOOLS = [
    {"name": "weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}},
    {"name": "now", "inputSchema": {"type": "object", "properties": {}}},
]
OUTPUT = 'Let me see.<tool_call>\n{"name": "weather", "arguments": {"city": "Ōsaka", "days": 2}}\n</tool_call>\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'
ARGUMENTS = '{"city": "Ōsaka", "days": 2}'
XML = "<tool_call>\n<function=weather>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>"


@pytest.fixture(scope="module")
def grammar(compiler):
    return compiler.tools(TOOLS, "hermes")


@pytest.fixture
def call_format(grammar):
    return grammar.call_format


def joined(parts):
    """What the parts say; texts that follow one another are one."""
    found = []
    for part in parts:
        if isinstance(part, (Text, Reasoning)):
            if found and found[-1][0] is type(part):
                found[-1] = (type(part), found[-1][1] + part.text)
            else:
                found.append((type(part), part.text))
        else:
            found.append((type(part), part.name, part.arguments))
    return found


def test_a_finished_output(grammar, call_format):
    assert maskwright.Matcher(grammar).accept_bytes(OUTPUT.encode())
    text, weather, *blanks, now = call_format.parts(OUTPUT)
    assert isinstance(text, Text) and text.text == "Let me see."
    assert (weather.name, weather.arguments, weather.id, weather.is_closed) == ("weather", ARGUMENTS, None, True)
    assert weather.to_dict() == json.loads(weather.to_json()) == {"city": "Ōsaka", "days": 2}
    assert (now.name, now.to_dict()) == ("now", {})
    assert all(isinstance(part, Text) and not part.text.strip() for part in blanks)
    assert call_format.tools == ["weather", "now"]
    assert repr(weather) == f"Call('weather', {ARGUMENTS!r})" and repr(text) == "Text('Let me see.')"
    assert weather == call_format.parts(OUTPUT)[1] and hash(weather) == hash(call_format.parts(OUTPUT)[1]) and weather != now


def test_patterns(call_format):
    """Parts can be taken apart by `match`, which Python before 3.10 does not have."""
    assert (Text.__match_args__, Call.__match_args__, OpenCall.__match_args__) == (("text",), ("name", "arguments"), ("name", "arguments"))


def test_an_output_that_grows(call_format):
    """In pieces of every length, of text and of bytes: the same parts."""
    whole = joined(call_format.parts(OUTPUT))
    for output in (OUTPUT, OUTPUT.encode()):
        for length in (1, 2, 3, 7, 1000):
            reader, parts = call_format.reader(), []
            for at in range(0, len(output), length):
                parts += reader.feed(output[at : at + length])
            parts += reader.finish()
            assert joined(parts) == whole
            assert reader.text == OUTPUT


def test_what_is_being_written(call_format):
    reader = call_format.reader()
    assert reader.feed("Well <tool") == [*call_format.parts("Well ")]
    assert reader.open == "text"
    assert reader.feed('_call>\n{"name": "weather", "arguments": {"ci') == []
    begun = reader.open
    assert isinstance(begun, OpenCall)
    assert (begun.name, begun.id, begun.arguments) == ("weather", None, '{"ci')
    assert begun.text == '<tool_call>\n{"name": "weather", "arguments": {"ci'
    assert reader.finish() == [begun]
    for call in (lambda: reader.feed(""), reader.finish):
        with pytest.raises(ValueError, match="a reader for each output"):
            call()


def test_bytes_that_are_no_text(call_format):
    reader = call_format.reader()
    assert reader.feed(b"a\xc3") == call_format.parts("a")
    with pytest.raises(ValueError, match="UTF-8"):
        reader.feed(b"(")
    assert reader.feed(b"\xa4") == call_format.parts("ä")
    reader.feed(b"\xe2\x82")
    assert [part.text for part in reader.finish()] == ["\ufffd"]
    with pytest.raises(TypeError, match="got int"):
        call_format.reader().feed(3)


def test_arguments_in_another_style(compiler):
    """They are JSON all the same: kinds of values are those of the schema."""
    (call,) = compiler.tools(TOOLS, "qwen_3_coder").call_format.parts(XML)
    assert call.arguments.startswith("<parameter=city>")
    assert call.to_dict() == {"city": "Rome", "days": 3}


def test_arguments_that_are_none(compiler):
    """An output that is not of the grammar: the call can be read, and its arguments cannot."""
    call_format = compiler.call_format(TOOLS, "hermes")
    (call,) = call_format.parts('<tool_call>\n{"name": "now", "arguments": {x: 1}}\n</tool_call>')
    assert (call.name, call.arguments) == ("now", "{x: 1}")
    for read in (call.to_json, call.to_dict):
        with pytest.raises(ValueError):
            read()


def test_reasoning(compiler):
    call_format = compiler.tools(TOOLS, "qwen_3").call_format
    reasoning, *_ = call_format.parts("<think>\nHm.\n</think>\n\nYes.")
    assert isinstance(reasoning, Reasoning) and "Hm." in reasoning.text
    opened = compiler.tools(TOOLS, "qwen_3", reasoning="opened").call_format
    assert isinstance(opened.parts("Hm.\n</think>\n\nYes.")[0], Reasoning)


def test_whether_the_prompt_has_opened_reasoning(compiler):
    """Where a format leaves that open, the caller knows it."""
    call_format = compiler.call_format(TOOLS, "deepseek_r1")
    text = "Hm.</think>\n\nYes."
    assert isinstance(call_format.parts(text, opened=True)[0], Reasoning)
    reader = call_format.reader(opened=True)
    assert isinstance(reader.feed("Hm. ")[0], Reasoning)
    assert isinstance(call_format.reader(opened=False).feed("Hm. ")[0], Text)


def test_where_formats_come_from(compiler, grammar, small):
    """From a compiler without compiling, from a grammar, from a handle; other grammars have none."""
    read = compiler.call_format(TOOLS, "hermes")
    assert read.parts(OUTPUT) == grammar.call_format.parts(OUTPUT)
    registry = maskwright.Registry(small)
    for choice in ("auto", "required"):
        handle = registry.get(tools=TOOLS, format="hermes", tool_choice=choice)
        assert handle.call_format.parts(OUTPUT)[-1] == read.parts(OUTPUT)[-1]
    assert registry.get(regex="a").call_format is None
    assert compiler.regex("a").call_format is None
    assert maskwright.Grammar.from_bytes(grammar.to_bytes(), small).call_format is None
    with pytest.raises(maskwright.GrammarError):
        compiler.call_format(TOOLS, "herms")


def test_no_tool_may_be_called(compiler):
    """A text that looks like a call is text then."""
    call_format = compiler.call_format(TOOLS, "hermes", tool_choice="none")
    assert all(isinstance(part, Text) for part in call_format.parts(OUTPUT))
