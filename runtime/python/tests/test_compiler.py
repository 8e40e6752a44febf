import json
import threading
import time
import warnings

import maskwright
import pytest

SCHEMA = {
    "type": "object",
    "properties": {"on": {"type": "boolean"}, "level": {"type": "integer"}},
    "required": ["on"],
    "additionalProperties": False,
}
TOOLS = [
    {
        "type": "function",
        "function": {"name": name, "parameters": SCHEMA},
    }
    for name in ("lamp", "blind")
]


def accepts(grammar, text):
    matcher = maskwright.Matcher(grammar)
    return matcher.accept_bytes(text.encode()) and matcher.is_complete()


def test_schemas_of_all_kinds(compiler):
    for schema in (SCHEMA, json.dumps(SCHEMA)):
        grammar = compiler.schema(schema)
        assert accepts(grammar, '{"on": true, "level": 3}')
        assert not accepts(grammar, '{"level": 3}')
        assert not accepts(grammar, '{"on": 1}')
    assert accepts(compiler.schema(True), '[1, "a"]')


def test_options_of_schemas(compiler):
    assert not accepts(compiler.schema(SCHEMA), '{"level":3,"on":true}')
    grammar = compiler.schema(SCHEMA, whitespace="compact", key_order="any")
    assert accepts(grammar, '{"level":3,"on":true}')
    assert not accepts(grammar, '{"level": 3,"on":true}')
    shapes = {"type": "string", "format": "date"}
    assert not accepts(compiler.schema(shapes), '"soon"')
    assert accepts(compiler.schema(shapes, formats=False), '"soon"')
    with pytest.raises(ValueError, match="did you mean `whitespace`"):
        compiler.schema(SCHEMA, whitespaces="compact")
    with pytest.raises(ValueError, match="`whitespace`: expected"):
        compiler.schema(SCHEMA, whitespace="none")
    with pytest.raises(TypeError, match="`formats`.*got float"):
        compiler.schema(SCHEMA, formats=0.5)


def test_ebnf(compiler, tmp_path):
    text = 'root ::= "a" tail\ntail ::= "b"*'
    assert accepts(compiler.ebnf(text), "abb")
    assert accepts(compiler.ebnf(text, root="tail"), "bb")
    assert not accepts(compiler.ebnf(text, root="tail"), "ab")


IF = 'start: "if" NAME | NAME "=" NAME\nNAME: /[a-z]+/\n%ignore " "\n'


@pytest.mark.parametrize(
    "lexer, right",
    [
        (None, ["if x", "if = x", "x = if"]),
        ("longest", ["if x", "if = x", "x = if"]),
        ("dynamic", ["if x", "ifx", "if = x", "x = if"]),
        ("dynamic_complete", ["if x", "ifx", "if = x", "x = if"]),
        ("contextual", ["if x", "x = if"]),
        ("basic", ["if x"]),
    ],
)
def test_lark_and_its_lexers(compiler, lexer, right):
    grammar = compiler.lark(IF, lexer=lexer)
    texts = ["if x", "ifx", "if = x", "x = if", "if", "= x", "if x y", ""]
    assert [text for text in texts if accepts(grammar, text)] == right
    assert all(accepts(grammar, text + "  ") for text in right)
    assert accepts(grammar, " " + right[0]) == (lexer not in (None, "longest"))


def test_lark_and_its_starts(compiler):
    text = 'start: a b\na: "x"\nb: "y"'
    for start, right in ((None, ["xy"]), (["a"], ["x"]), (["a", "b"], ["x", "y"])):
        grammar = compiler.lark(text, start=start)
        assert [text for text in ("x", "y", "xy") if accepts(grammar, text)] == right
    with pytest.raises(maskwright.GrammarError, match="start rule `c`"):
        compiler.lark(text, start=["a", "c"])


def test_lark_with_json(compiler):
    grammar = compiler.lark('start: text %json {"type": "boolean"} "</call>"\ntext[suffix="<call>"]: /(.|\\n)*/')
    assert accepts(grammar, "Is < it?\n<call>true</call>")
    assert not accepts(grammar, "<call>1</call>")


@pytest.mark.parametrize(
    "text, code, place",
    [
        ('start: item\nitem: strin | "x"', "lark-invalid", (2, 7)),
        ('start: A\nA.2: "x"', "lark-invalid", (2, 2)),
        ('start: ("a"', "lark-invalid", None),
        ("start: A\nA: /(a)\\1/", "lark-unsupported", (2, 8)),
        ('start: a\na[max_tokens=3]: "x"', "lark-unsupported", None),
        ('start: <|none|> "x"', "unknown-token", (1, 8)),
    ],
)
def test_an_error_of_lark_has_its_place(compiler, text, code, place):
    for read in (lambda: compiler.lark(text), lambda: compiler.check(lark=text)):
        with pytest.raises(maskwright.GrammarError) as caught:
            read()
        assert caught.value.code == code
        assert caught.value.line and caught.value.column
        assert place in (None, (caught.value.line, caught.value.column))


def test_options_of_lark(compiler):
    with pytest.raises(ValueError, match="expected one of `longest`"):
        compiler.lark(IF, lexer="greedy")
    with pytest.raises(TypeError):
        compiler.lark(IF, start="start")
    with pytest.raises(TypeError):
        compiler.lark(IF, "basic")
    # A priority has a meaning where one terminal wins.
    assert accepts(compiler.lark('start: A\nA.2: "x"', lexer="basic"), "x")


def test_regex(compiler):
    grammar = compiler.regex(r"(on|off){2}")
    assert accepts(grammar, "onoff")
    assert not accepts(grammar, "on")


def test_structural_tags(compiler):
    tag = {
        "type": "structural_tag",
        "format": {"type": "tag", "begin": "<call>", "content": {"type": "json_schema", "json_schema": SCHEMA}, "end": "</call>"},
    }
    for form in (tag, json.dumps(tag)):
        grammar = compiler.structural_tag(form)
        assert accepts(grammar, '<call>{"on": true}</call>')
        assert not accepts(grammar, "<call>{}</call>")


def test_tools(compiler):
    call = '<tool_call>\n{"name": "lamp", "arguments": {"on": true}}\n</tool_call>'
    other = call.replace("lamp", "blind")
    for tools in (TOOLS, json.dumps(TOOLS), {"tools": TOOLS}):
        grammar = compiler.tools(tools, "hermes", tool_choice="required")
        assert accepts(grammar, call) and accepts(grammar, other)
        assert not accepts(grammar, "on")
    assert accepts(compiler.tools(TOOLS, "hermes"), "on")
    for choice in ("lamp", {"type": "function", "function": {"name": "lamp"}}):
        grammar = compiler.tools(TOOLS, "hermes", tool_choice=choice)
        assert accepts(grammar, call) and not accepts(grammar, other)
    with pytest.raises(ValueError, match="tool_choice"):
        compiler.tools(TOOLS, "hermes", tool_choice={"type": "function"})
    with pytest.raises(ValueError, match="reasoning"):
        compiler.tools(TOOLS, "hermes", reasoning="perhaps")
    with pytest.raises(maskwright.GrammarError, match="no_format") as caught:
        compiler.tools(TOOLS, "no_format")
    assert caught.value.code == "tool-format"


def test_an_error_has_its_place(compiler):
    with pytest.raises(maskwright.GrammarError) as caught:
        compiler.ebnf('root ::= value\nvalue ::= strin | "x"')
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.code, error.line, error.column) == ("undefined-rule", 2, 11)
    assert error.message == "rule `strin` is not defined"
    assert error.help.startswith("add a rule `strin")
    assert str(error).startswith("error[undefined-rule]: rule `strin` is not defined\n --> <grammar>:2:11\n")
    assert "^^^^^ used here" in str(error)


def test_an_error_in_a_dict_has_a_line_of_its_own(compiler):
    with pytest.raises(maskwright.GrammarError) as caught:
        compiler.schema({"type": "object", "properties": {"x": {"type": "text"}}})
    assert (caught.value.code, caught.value.line, caught.value.column) == ("schema-malformed", 5, 7)


def test_what_is_no_json_is_refused(compiler):
    with pytest.raises(ValueError, match="nan"):
        compiler.schema({"maximum": float("nan")})
    with pytest.raises(TypeError):
        compiler.schema({"enum": [b"bytes"]})
    with pytest.raises(maskwright.GrammarError) as caught:
        compiler.schema('{"type": ')
    assert caught.value.code == "json-syntax"


def test_options_of_compilers(small):
    palindromes = 'root ::= "a" root "a" | "b" root "b" | ""'
    graph = maskwright.Compiler(small).ebnf(palindromes)
    assert accepts(graph, "abba") and not graph.warnings
    assert not accepts(graph, "abb")
    with pytest.raises(maskwright.GrammarError) as caught:
        maskwright.Compiler(small, deterministic=True).ebnf(palindromes)
    assert caught.value.code == "not-deterministic"
    with pytest.raises(maskwright.GrammarError) as caught:
        maskwright.Compiler(small, limits={"states": 3}).regex("[a-f]{20}x")
    assert caught.value.code == "limit-exceeded"
    with pytest.raises(maskwright.GrammarError) as caught:
        maskwright.Compiler(small, time_limit=0.0).regex("[a-f]{200}x")
    assert caught.value.code == "limit-exceeded"
    with pytest.raises(ValueError, match="`sets`"):
        maskwright.Compiler(small, limits={"sets": 3})
    with pytest.raises(ValueError, match="time_limit"):
        maskwright.Compiler(small, time_limit=-1.0)


def test_tables_do_not_depend_on_threads(cl100k):
    one, several = (maskwright.Compiler(cl100k, threads=threads) for threads in (1, 3))
    assert one.schema(SCHEMA).to_bytes() == several.schema(SCHEMA).to_bytes()
    assert one.vocabulary.hash == cl100k.hash


def test_other_threads_run_while_a_grammar_is_compiled(cl100k):
    compiler = maskwright.Compiler(cl100k, threads=1)
    properties = {f"property {at}": {"type": ["string", "number", "null"], "maxLength": 30} for at in range(60)}
    began, done = threading.Event(), threading.Event()

    def compile():
        began.set()
        compiler.schema({"type": "object", "properties": properties})
        done.set()

    thread = threading.Thread(target=compile)
    thread.start()
    began.wait()
    steps = 0
    while not done.is_set():
        steps += 1
        time.sleep(0.0005)
    thread.join()
    assert steps > 3


def test_threads_share_a_compiler(cl100k_compiler):
    alone = cl100k_compiler.schema(SCHEMA).to_bytes()
    found = []
    threads = [threading.Thread(target=lambda: found.append(cl100k_compiler.schema(SCHEMA).to_bytes())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


@pytest.mark.parametrize(
    ("request_", "right", "wrong"),
    [
        ({"schema": SCHEMA}, ['{"on": true}', '{"on":false,"level":-3}'], ["{}", '{"level": 1}']),
        ({"schema": {"enum": ["é", 1]}, "whitespace": "compact"}, ['"é"', "1"], ["2"]),
        ({"regex": "(a|b){2,3}c"}, ["abc", "bbbc"], ["ac", "abab"]),
        ({"ebnf": 'root ::= "x"\ntop ::= root "y"', "root": "top"}, ["xy"], ["x"]),
        ({"structural_tag": {"type": "structural_tag", "format": {"type": "tag", "begin": "<", "content": {"type": "any_text"}, "end": ">"}}}, ["<a>"], ["a"]),
    ],
)
def test_a_grammar_of_any_kind_in_ebnf(compiler, request_, right, wrong):
    text = compiler.to_ebnf(**request_)
    grammar = compiler.ebnf(text)
    assert [accepts(grammar, text) for text in right + wrong] == [True] * len(right) + [False] * len(wrong)


def test_what_has_no_ebnf(compiler):
    with pytest.raises(maskwright.GrammarError) as raised:
        compiler.to_ebnf(ebnf="root ::= nothing")
    assert raised.value.column == 10
    with pytest.raises(TypeError, match="exactly one"):
        compiler.to_ebnf()


def test_warnings_are_those_of_python(small):
    text = 'root ::= "a" | "a"'
    with pytest.warns(maskwright.GrammarWarning, match="is the same as alternative 1"):
        grammar = maskwright.Compiler(small).ebnf(text)
    assert len(grammar.warnings) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert maskwright.Compiler(small, warn=False).ebnf(text).warnings == grammar.warnings
        with pytest.raises(maskwright.GrammarWarning):
            maskwright.Compiler(small).ebnf(text)


def test_a_request_is_read_without_compiling(compiler):
    assert compiler.check(schema=SCHEMA) == []
    assert "is the same as alternative 1" in compiler.check(ebnf='root ::= "a" | "a"')[0]
    assert "a line feed too" in compiler.check(regex="a.b")[0]
    assert compiler.check(ebnf="root ::= [0-9]+") == []
    assert "digits may go on" in compiler.check(ebnf="root ::= [0-9]+", pedantic=True)[0]
    for request_ in ({"ebnf": "root ::= nothing"}, {"schema": {"type": "x"}}, {"regex": "("}, {"structural_tag": "[]"}):
        with pytest.raises(maskwright.GrammarError):
            compiler.check(**request_)
    with pytest.raises(TypeError, match="exactly one"):
        compiler.check()


def test_a_text_that_spells_a_control_token_is_warned_of():
    tokens = [bytes([byte]) for byte in range(256)] + [b""]
    vocabulary = maskwright.Vocabulary.from_tokens(tokens, 256, {256: "<|end|>"})
    with pytest.warns(maskwright.GrammarWarning, match="control token 256"):
        maskwright.Compiler(vocabulary).ebnf('root ::= "a<|end|>"')


def test_what_a_model_may_trip_over_is_warned_of(compiler):
    with pytest.warns(maskwright.GrammarWarning, match="a line feed too"):
        compiler.regex("a.b")
    with pytest.warns(maskwright.GrammarWarning, match="did you mean `date-time`"):
        compiler.schema({"type": "string", "format": "datetime"})
    tokens = [bytes([byte]) for byte in range(256)] + [b"", b""]
    vocabulary = maskwright.Vocabulary.from_tokens(tokens, 257, {256: "<|channel|>"})
    tag = {"begin": "<|channel|>analysis:", "content": {"type": "any_text"}, "end": "<|channel|>"}
    tag = {"type": "triggered_tags", "triggers": ["<|channel|>analysis"], "tags": [tag]}
    with pytest.warns(maskwright.GrammarWarning, match="begins a trigger"):
        maskwright.Compiler(vocabulary).structural_tag({"format": tag})


def test_the_work_of_a_compile_is_the_same_whatever_was_compiled_before(small):
    """So that processes which have this limit, and none of time, take and refuse the same."""
    schema = {"type": "array", "items": {"type": "string", "pattern": "^[a-z]{1,9}(-[a-z]{1,9}){0,3}$"}}

    def takes(work, before=()):
        compiler = maskwright.Compiler(small, 1, limits={"work": work}, warn=False)
        for text in before:
            try:
                compiler.regex(text)
            except maskwright.GrammarError:
                pass
        try:
            compiler.schema(schema)
        except maskwright.GrammarError as error:
            assert error.code == "limit-exceeded" and f"limit `work` = {work}" in error.message
            return False
        return True

    low, high = 0, 1 << 30
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if takes(middle) else (middle, high)
    assert high > 10_000
    for before in ([], ["a+", "(a|b)*c{3}"], ["([a-z]{1,50}x)*"]):
        assert takes(high, before) and not takes(high - 1, before)
