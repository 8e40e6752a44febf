"""XGrammar's interface: each test runs over Maskwright, and over the package `xgrammar` where it is installed, and asks the same of both."""

import importlib.util
import json
import sys
import random
import warnings

import maskwright.xgrammar
import pytest
from conftest import ids_of

np = pytest.importorskip("numpy")

STOP, HOLE, SIZE = 257, 256, 300
TOKENS = [bytes([byte]) for byte in range(256)] + [b"", b"</s>", b"true", b'{"', b'": ', b"[1", b", ", b"ab"]
SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "integer"}}},
    "required": ["a"],
}
HAS_BOTH = all(importlib.util.find_spec(name) for name in ("torch", "xgrammar"))


@pytest.fixture(scope="module", params=["maskwright.xgrammar", "xgrammar"])
def xgr(request):
    if request.param == "xgrammar" and not HAS_BOTH:
        pytest.skip("needs xgrammar and torch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(request.param)


@pytest.fixture(scope="module")
def compiler(xgr):
    return xgr.GrammarCompiler(xgr.TokenizerInfo(TOKENS, vocab_size=SIZE, stop_token_ids=[STOP]))


def mask_of(xgr, matcher):
    mask = xgr.allocate_token_bitmask(2, SIZE)
    assert matcher.fill_next_token_bitmask(mask, 1) is True
    assert (np.asarray(mask)[0] == -1).all()
    return ids_of(mask[1].tolist())


def whole(xgr, compiled, texts):
    found = []
    for text in texts:
        matcher = xgr.GrammarMatcher(compiled)
        if matcher.accept_string(text) and matcher.is_completed():
            assert matcher.accept_token(STOP) and matcher.is_terminated()
            found.append(text)
    return found


def test_a_text(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("ab?"))
    assert mask_of(xgr, matcher) == [97, TOKENS.index(b"ab")]
    assert not matcher.accept_token(98) and matcher.accept_token(97)
    assert mask_of(xgr, matcher) == [98, STOP] and matcher.is_completed() and not matcher.is_terminated()
    assert matcher.accept_token(STOP) and matcher.is_terminated() and matcher.is_completed()
    assert not matcher.accept_token(98) and not matcher.accept_token(STOP)
    for call in (matcher.find_jump_forward_string, lambda: matcher.fill_next_token_bitmask(xgr.allocate_token_bitmask(1, SIZE))):
        with pytest.raises(RuntimeError, match="terminated"):
            call()
    matcher.rollback()
    assert not matcher.is_terminated() and mask_of(xgr, matcher) == [98, STOP]
    with pytest.raises(RuntimeError):
        matcher.rollback(2)
    matcher.reset()
    assert matcher.accept_token(TOKENS.index(b"ab")) and matcher.max_rollback_tokens == -1


def test_ids_that_are_none(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("(.|\n)*"))
    for token in (-1, SIZE, SIZE + 40, HOLE, 290):
        assert not matcher.accept_token(token)
    assert not {HOLE, 290} & set(mask_of(xgr, matcher))


def test_strings_are_one_step(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("aé!"))
    assert matcher.accept_string("a") and matcher.accept_string(b"\xc3") and not matcher.accept_string("é")
    assert matcher.accept_string(b"\xa9!") and matcher.is_completed()
    matcher.rollback(2)
    assert matcher.accept_string("é!")


def test_forks(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("abc"))
    assert matcher.accept_token(97)
    fork = matcher.fork()
    assert fork.accept_token(98)
    fork.rollback(2)
    assert mask_of(xgr, matcher) == [98] and mask_of(xgr, fork) == [97, TOKENS.index(b"ab")]


def test_long_texts_are_taken_back(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_grammar('root ::= "(" root ")" root | [ab] root | ""'))
    masks, choose = [mask_of(xgr, matcher)], random.Random(1)
    for _ in range(80):
        assert matcher.accept_token(choose.choice([id for id in masks[-1] if id != STOP]))
        masks.append(mask_of(xgr, matcher))
    for count in (30, 2, 40):
        matcher.rollback(count)
        masks = masks[: len(masks) - count]
        assert mask_of(xgr, matcher) == masks[-1]


def test_what_is_forced(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("(x|y)true(on|off)"))
    assert matcher.find_jump_forward_string() == ""
    assert matcher.accept_token(ord("x")) and matcher.find_jump_forward_string() == "trueo"
    assert matcher.accept_string("trueon") and matcher.find_jump_forward_string() == ""


def test_stop_tokens_of_a_matcher(xgr, compiler):
    compiled = compiler.compile_regex("a!?")
    matcher = xgr.GrammarMatcher(compiled, override_stop_tokens=33)
    assert matcher.stop_token_ids == [33] and matcher.accept_token(97)
    assert mask_of(xgr, matcher) == [33]
    assert matcher.accept_token(33) and matcher.is_terminated()
    own = xgr.GrammarMatcher(compiled, override_stop_tokens=[STOP])
    assert own.stop_token_ids == [STOP] and own.accept_string("a!") and mask_of(xgr, own) == [STOP]


def test_an_end_without_a_stop_token(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("ab?"), terminate_without_stop_token=True)
    assert not matcher.is_terminated() and matcher.accept_token(97) and matcher.is_terminated()
    assert matcher.accept_token(98) and matcher.is_terminated()
    assert not matcher.accept_token(STOP)
    matcher.rollback(2)
    assert not matcher.is_terminated()


TEXTS = [
    *('{"a":1}', '{"a": 1}', '{"a" :1}', '{ "a":1 }', '{"a":1,"b":[1,2]}', '{"a": 1, "b": [1, 2]}'),
    *('{\n  "a": 1,\n  "b": [\n    1,\n    2\n  ]\n}', '{"a": 1, "c": 2}', '{"b": [], "a": 1}', ' {"a":1}', '{"a":   1}', '{"a":1}\n', '{"a":1,"b":[]}'),
]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, 5, 6, 10, 12]),
        ({"any_whitespace": False}, [1, 5]),
        ({"any_whitespace": False, "separators": (",", ":")}, [0, 4, 12]),
        ({"any_whitespace": False, "indent": 2}, [6]),
        ({"indent": 2, "separators": (",", ":")}, [0, 1, 2, 3, 4, 5, 6, 10, 12]),
        ({"strict_mode": False}, [0, 1, 2, 3, 4, 5, 6, 7, 10, 12]),
        ({"max_whitespace_cnt": 1}, [0, 1, 2, 3, 4, 5, 12]),
        ({"any_order": True}, [0, 1, 2, 3, 4, 5, 6, 8, 10, 12]),
    ],
)
def test_options_of_schemas(xgr, compiler, options, expected):
    for schema in (SCHEMA, json.dumps(SCHEMA)):
        compiled = compiler.compile_json_schema(schema, **options)
        assert [TEXTS.index(text) for text in whole(xgr, compiled, TEXTS)] == expected
        if options.get("strict_mode", True) and not options.get("any_order"):
            grammar = xgr.Grammar.from_json_schema(schema, **options)
            assert [TEXTS.index(text) for text in whole(xgr, compiler.compile_grammar(grammar), TEXTS)] == expected


def test_strict_mode_leaves_plain_objects_open(xgr, compiler):
    texts = ["{}", '{"a":1}', '{"b":{"c":2}}', '{"b":{},"c":1}']
    assert whole(xgr, compiler.compile_json_schema('{"type": "object"}'), texts) == texts
    inner = {"type": "object", "properties": {"b": {"type": "object"}}}
    assert whole(xgr, compiler.compile_json_schema(inner), texts) == ["{}", '{"b":{"c":2}}']


def test_schemas_of_pydantic(xgr, compiler):
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", a=(int, ...), b=(bool, False))
    assert whole(xgr, compiler.compile_json_schema(model), ['{"a":1}', '{"a":1,"b":true}', '{"b":true}', '{"a":"1"}']) == ['{"a":1}', '{"a":1,"b":true}']


def test_other_grammars(xgr, compiler):
    assert whole(xgr, compiler.compile_builtin_json_grammar(), ["1", "[1]", '{"a": [ 1 ]}', "[ ]", "{"]) == ["[1]", '{"a": [ 1 ]}', "[ ]"]
    named = compiler.compile_grammar('start ::= "x" rest\nrest ::= [0-9]+', root_rule_name="start")
    assert whole(xgr, named, ["x12", "x"]) == ["x12"]
    assert whole(xgr, compiler.compile_grammar(xgr.Grammar.from_ebnf('root ::= "x"*')), ["", "xx", "y"]) == ["", "xx"]
    assert whole(xgr, compiler.compile_grammar(xgr.Grammar.from_regex("[ab]{2}")), ["ab", "a"]) == ["ab"]


TAG = {
    "type": "structural_tag",
    "format": {
        "type": "triggered_tags",
        "triggers": ["<f="],
        "tags": [{"type": "tag", "begin": "<f=on>", "content": {"type": "json_schema", "json_schema": {"type": "boolean"}}, "end": "</f>"}],
    },
}


@pytest.mark.parametrize("form", ["dict", "text", "tags", "names"])
def test_structural_tags(xgr, compiler, form):
    items = [xgr.StructuralTagItem(begin="<f=on>", schema={"type": "boolean"}, end="</f>")]
    compiled = {
        "dict": lambda: compiler.compile_structural_tag(TAG),
        "text": lambda: compiler.compile_structural_tag(json.dumps(TAG)),
        "tags": lambda: compiler.compile_structural_tag(items, ["<f="]),
        "names": lambda: compiler.compile_structural_tag(tags=items, triggers=["<f="]),
    }[form]()
    texts = ["free", "a <f=on>true</f> b", "<f=on>1</f>", "<f=off>"]
    assert whole(xgr, compiled, texts) == texts[:2]


def test_what_cannot_be_compiled(xgr, compiler):
    for compile, text in [
        (compiler.compile_grammar, "root ::= nothing"),
        (compiler.compile_json_schema, "{"),
        (compiler.compile_json_schema, '{"type": "x"}'),
        (compiler.compile_regex, "("),
        (compiler.compile_structural_tag, '{"type": "structural_tag", "format": {"type": "nope"}}'),
    ]:
        with pytest.raises(RuntimeError):
            compile(text)
    with pytest.raises(TypeError):
        compiler.compile_structural_tag(5)
    for call in (compiler.compile_grammar, compiler.compile_json_schema, xgr.GrammarMatcher, xgr.GrammarCompiler):
        with pytest.raises(ValueError):
            call(5)


def test_the_cache(xgr):
    compiler = xgr.GrammarCompiler(xgr.TokenizerInfo(TOKENS, stop_token_ids=[STOP]))
    compiled = compiler.compile_regex("a+")
    before = compiler.get_cache_size_bytes()
    assert before >= compiled.memory_size_bytes > 0 and compiler.cache_limit_bytes == -1
    compiler.clear_cache()
    assert compiler.get_cache_size_bytes() < before
    assert xgr.GrammarMatcher(compiled).accept_string("aa")
    without = xgr.GrammarCompiler(compiled.tokenizer_info, cache_enabled=False, max_threads=1)
    before = without.get_cache_size_bytes()
    without.compile_regex("a")
    assert without.get_cache_size_bytes() == before


def test_vocabularies(xgr):
    info = xgr.TokenizerInfo(TOKENS, vocab_size=SIZE)
    assert info.stop_token_ids == [STOP] and info.special_token_ids == [HOLE, *range(len(TOKENS), SIZE)]
    assert info.vocab_size == SIZE and info.vocab_type is xgr.VocabType.RAW and not info.add_prefix_space
    level = xgr.TokenizerInfo(["Ġa", "é", "Ċ", "e"], xgr.VocabType.BYTE_LEVEL, stop_token_ids=3)
    assert level.decoded_vocab[:3] == [b" a", b"\xe9", b"\n"]
    fallback = xgr.TokenizerInfo(["▁a", "<0x1B>", "é", "e"], xgr.VocabType.BYTE_FALLBACK, stop_token_ids=3)
    assert fallback.decoded_vocab[:3] == [b" a", b"\x1b", "é".encode()]
    raw = xgr.TokenizerInfo(["a", "é", "e"], stop_token_ids=[2])
    assert raw.decoded_vocab[:2] == [b"a", "é".encode()] and raw.vocab_size == 3


def test_batches(xgr, compiler):
    matchers = [xgr.GrammarMatcher(compiler.compile_regex(pattern)) for pattern in ("ab", "xyz")]
    batch = xgr.BatchGrammarMatcher(max_threads=2)
    masks = xgr.allocate_token_bitmask(4, SIZE)
    batch.batch_fill_next_token_bitmask(matchers, masks, [3, 1])
    rows = [ids_of(row) for row in masks.tolist()]
    assert rows[3] == [97, TOKENS.index(b"ab")] and rows[1] == [ord("x")] and len(rows[0]) == len(rows[2]) == 320
    assert batch.batch_accept_token(matchers, [97, 97]) == [True, False]
    assert batch.batch_accept_string(matchers, ["b", b"xy"]) == [True, True]
    batch.batch_rollback(matchers, [2, 1])
    batch.batch_fill_next_token_bitmask(matchers, masks)
    assert [ids_of(row) for row in masks.tolist()[:2]] == [rows[3], rows[1]]
    with pytest.raises(RuntimeError):
        batch.batch_accept_token(matchers, [1])


def test_masks(xgr):
    assert xgr.get_bitmask_shape(3, 33) == (3, 2)
    mask = xgr.allocate_token_bitmask(3, 70)
    assert tuple(mask.shape) == (3, 3) and mask.dtype == xgr.bitmask_dtype and (np.asarray(mask) == -1).all()
    mask[1] = 0
    xgr.reset_token_bitmask(mask)
    assert (np.asarray(mask) == -1).all()


@pytest.mark.parametrize("size", [70, 64, 80])
def test_masks_are_applied(xgr, size):
    if xgr.bitmask_dtype is np.int32:
        logits = np.zeros((3, size), dtype=np.float32)
    else:
        logits = importlib.import_module("torch").zeros(3, size)
    mask = xgr.allocate_token_bitmask(3, 70)
    mask[1] = 5
    mask[2] = 2
    xgr.apply_token_bitmask_inplace(logits, mask, vocab_size=min(size, 70), indices=[1])
    kept = [np.flatnonzero(np.isfinite(np.asarray(row))).tolist() for row in logits]
    assert kept[1] == [id for id in range(size) if id >= 70 or id % 32 in (0, 2)]
    assert kept[0] == kept[2] == list(range(size))
    xgr.apply_token_bitmask_inplace(logits, mask, vocab_size=min(size, 70))
    assert np.flatnonzero(np.isfinite(np.asarray(logits[2]))).tolist() == [id for id in range(size) if id >= 70 or id % 32 == 1]
    xgr.apply_token_bitmask_inplace(logits[0], mask[1], vocab_size=40)
    assert np.isfinite(np.asarray(logits[0])).sum() == 4 + size - 40


def test_masks_that_are_none(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex("a"))
    mask = xgr.allocate_token_bitmask(1, SIZE)
    for wrong, row in [(mask[:, :-1], 0), (mask, 1), (np.zeros((1, 10), dtype=np.int64), 0)]:
        with pytest.raises(RuntimeError):
            matcher.fill_next_token_bitmask(wrong, row)


@pytest.mark.skipif(not HAS_BOTH, reason="needs xgrammar and torch")
@pytest.mark.parametrize(
    ("method", "text"),
    [
        ("compile_json_schema", json.dumps(SCHEMA)),
        ("compile_builtin_json_grammar", None),
        ("compile_regex", "(true|[a-c]{2,5})*!"),
        ("compile_grammar", 'root ::= "(" root ")" root | [ab1]* "," root | ""'),
        ("compile_structural_tag", json.dumps(TAG)),
    ],
)
def test_masks_are_the_same(method, text):
    """Along random texts, both packages allow the same tokens, but for bytes that are no ASCII in a structural tag: XGrammar allows them anywhere in free text."""
    import xgrammar

    matchers, masks = [], []
    for module in (maskwright.xgrammar, xgrammar):
        compiler = module.GrammarCompiler(module.TokenizerInfo(TOKENS, vocab_size=SIZE, stop_token_ids=[STOP]))
        compile = getattr(compiler, method)
        matchers.append(module.GrammarMatcher(compile() if text is None else compile(text)))
        masks.append(module.allocate_token_bitmask(1, SIZE))
    choose = random.Random(9)
    for _ in range(10):
        written = b""
        for _ in range(40):
            for matcher, mask in zip(matchers, masks):
                matcher.fill_next_token_bitmask(mask)
            ours, theirs = ([id for id in ids_of(mask[0].tolist()) if id < SIZE and (text != json.dumps(TAG) or not 128 <= id < 256)] for mask in masks)
            if method == "compile_json_schema" and written.endswith(b"-"):
                ours = [id for id in ours if id != ord("0")]  # -0 is an integer here
            assert ours == theirs
            token = choose.choice([id for id in ours if id < 128 or id > STOP] or ours)
            written += TOKENS[token]
            if not all([matcher.accept_token(token) for matcher in matchers]) or matchers[0].is_terminated():
                break
        for matcher in matchers:
            matcher.reset()


class TestWhatDiffers:
    """What is Maskwright's alone, with or without XGrammar here."""

    xgr = maskwright.xgrammar

    @pytest.fixture
    def compiler(self):
        return self.xgr.GrammarCompiler(self.xgr.TokenizerInfo(TOKENS, vocab_size=SIZE, stop_token_ids=[STOP]))

    def test_forced_texts_end_with_a_whole_character(self, compiler):
        matcher = self.xgr.GrammarMatcher(compiler.compile_regex("(xé|xê)y"))
        assert matcher.find_jump_forward_string() == "x"

    def test_any_order_asks_for_what_is_required(self, compiler):
        compiled = compiler.compile_json_schema(SCHEMA, any_order=True)
        assert whole(self.xgr, compiled, ['{"b":[]}', '{"b":[],"a":1}', '{"a":1,"a":1}']) == ['{"b":[],"a":1}']

    def test_nothing_is_ignored(self, compiler):
        compiled = compiler.compile_json_schema({"type": "integer", "minimum": 3, "multipleOf": 2})
        assert whole(self.xgr, compiled, ["3", "4", "5", "10"]) == ["4", "10"]

    def test_separators_that_are_not_covered(self, compiler):
        with pytest.raises(ValueError, match="not covered"):
            compiler.compile_json_schema(SCHEMA, any_whitespace=False, separators=(";", ":"))

    def test_errors_have_places(self, compiler):
        with pytest.raises(self.xgr.CompileError, match="undefined-rule") as raised:
            compiler.compile_grammar("root ::= nothing")
        assert raised.value.__cause__.column == 10
        with pytest.raises(self.xgr.InvalidStructuralTagError):
            compiler.compile_structural_tag("[]")

    def test_what_is_wrong_is_raised_before_there_is_a_vocabulary(self):
        grammar = self.xgr.Grammar
        with pytest.raises(RuntimeError, match="undefined-rule") as raised:
            grammar.from_ebnf("root ::= nothing")
        assert raised.value.__cause__.column == 10
        for make in (lambda: grammar.from_regex("("), lambda: grammar.from_json_schema('{"type": "x"}'), lambda: grammar.from_json_schema("{")):
            with pytest.raises(self.xgr.CompileError, match="error"):
                make()
        with pytest.raises(self.xgr.InvalidStructuralTagError):
            grammar.from_structural_tag("[]")
        unknown = {"type": "structural_tag", "format": {"type": "token", "token": "<think>"}}
        later = grammar.from_structural_tag(unknown)  # which tokens there are is not known yet
        compiler = self.xgr.GrammarCompiler(self.xgr.TokenizerInfo(TOKENS, stop_token_ids=[STOP]))
        with pytest.raises(self.xgr.InvalidStructuralTagError, match="unknown-token"):
            compiler.compile_grammar(later)

    def test_data_of_requests_comes_from_the_package(self, monkeypatch):
        with pytest.raises(AttributeError, match="no 'Nothing'"):
            _ = self.xgr.Nothing
        names = [*self.xgr.OF_THE_PACKAGE]
        for name in list(sys.modules):
            if name.split(".")[0] == "xgrammar":
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "xgrammar", None)
        assert self.xgr.StructuralTag is maskwright.xgrammar.requests.StructuralTag
        for name in set(names) - {"StructuralTag"}:
            with pytest.raises(AttributeError, match="pip install xgrammar"):
                getattr(self.xgr, name)
        monkeypatch.undo()
        real = pytest.importorskip("xgrammar")
        assert self.xgr.StructuralTag is real.StructuralTag and self.xgr.structural_tag is real.structural_tag
        assert self.xgr.normalize_tool_choice is real.normalize_tool_choice
        tag = real.StructuralTag.model_validate({"type": "structural_tag", "format": {"type": "const_string", "value": "a"}})
        info = self.xgr.TokenizerInfo(TOKENS, stop_token_ids=[STOP])
        assert whole(self.xgr, self.xgr.GrammarCompiler(info).compile_structural_tag(tag), ["a", "b"]) == ["a"]

    @pytest.mark.parametrize("kind", ["own", "package"])
    def test_structural_tags_as_documents(self, compiler, kind):
        if kind == "package":
            pytest.importorskip("xgrammar")
        tags = self.xgr.StructuralTag if kind == "package" else maskwright.xgrammar.requests.StructuralTag
        document = {"type": "structural_tag", "format": {"type": "const_string", "value": "a"}}
        for tag in (tags.model_validate(document), tags.model_validate_json(json.dumps(document)), tags.from_json(document)):
            assert tag == tags.from_json(json.dumps(document)) and json.loads(tag.model_dump_json())["format"]["value"] == "a"
            assert whole(self.xgr, compiler.compile_structural_tag(tag), ["a", "b"]) == ["a"]
        items = [self.xgr.StructuralTagItem(begin="<f>", schema=json.dumps({"type": "boolean"}), end="</f>")]
        legacy = compiler.compile_structural_tag(tags.from_legacy_structural_tag(items, ["<f>"]))
        assert whole(self.xgr, legacy, ["x<f>true</f>", "<f>1</f>"]) == ["x<f>true</f>"]
        for wrong in ([], {"type": "other", "format": {}}, {"type": "structural_tag"}):
            with pytest.raises(ValueError):
                tags.model_validate(wrong)

    def test_grammars_as_texts(self, compiler):
        schema = {"type": "object", "properties": {"a": {"enum": [1, "x"]}}, "required": ["a"], "additionalProperties": False}
        for grammar in (self.xgr.Grammar.from_json_schema(schema, any_whitespace=False), compiler.compile_json_schema(schema, any_whitespace=False).grammar):
            assert str(grammar).startswith("root ::= ") or "\nroot ::= " in str(grammar)
            again = compiler.compile_grammar(str(grammar))
            assert whole(self.xgr, again, ['{"a": 1}', '{"a": "x"}', '{"a": 2}', "{}"]) == ['{"a": 1}', '{"a": "x"}']

    def test_the_package_can_be_replaced(self, monkeypatch):
        real = pytest.importorskip("xgrammar")
        for name in self.xgr.__all__:
            monkeypatch.setattr(real, name, getattr(real, name, None), raising=False)
        self.xgr.install()
        assert real.GrammarCompiler is self.xgr.GrammarCompiler and real.structural_tag is self.xgr.structural_tag

    def test_a_cache_with_a_limit(self):
        info = self.xgr.TokenizerInfo(TOKENS, stop_token_ids=[STOP])
        size = self.xgr.GrammarCompiler(info).compile_regex("a").memory_size_bytes
        compiler = self.xgr.GrammarCompiler(info, cache_limit_bytes=5 * size // 2)
        kept = [compiler.compile_regex(letter) for letter in "abc"]
        assert 0 < compiler.get_cache_size_bytes() <= 5 * size // 2
        assert compiler.compile_regex("c") is kept[2] and compiler.compile_regex("a") is not kept[0]

    def test_vocabularies_of_tokenizers(self):
        tokenizers = pytest.importorskip("tokenizers")
        model = tokenizers.models.BPE(vocab={**{chr(33 + id): id for id in range(60)}, "<end>": 60, "<stop>": 61}, merges=[])
        tokenizer = tokenizers.Tokenizer(model)
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = tokenizers.decoders.ByteLevel()
        tokenizer.add_special_tokens(["<end>", "<stop>"])
        info = self.xgr.TokenizerInfo.from_huggingface(tokenizer, vocab_size=64, stop_token_ids=[61])
        assert info.stop_token_ids == [61] and info.vocab_size == 64 and info.special_token_ids == [60, 62, 63]
        matcher = self.xgr.GrammarMatcher(self.xgr.GrammarCompiler(info).compile_regex(".*"))
        mask = self.xgr.allocate_token_bitmask(1, 64)
        matcher.fill_next_token_bitmask(mask)
        assert 60 not in ids_of(mask[0].tolist())  # special tokens are no text
        with pytest.raises(ValueError, match="cannot be empty"):
            self.xgr.TokenizerInfo.from_huggingface(tokenizer, stop_token_ids=[])
        assert self.xgr.TokenizerInfo.from_vocabulary(info.vocabulary).decoded_vocab == info.decoded_vocab


def test_grammars_are_joined(xgr, compiler):
    made = xgr.Grammar.from_regex("a+"), xgr.Grammar.from_ebnf('root ::= "b" root | "c"'), xgr.Grammar.from_json_schema({"type": "boolean"})
    texts = ["aabctrue", "ac false", "aactrue", "aab", "bbc", "true", "aa", ""]
    assert whole(xgr, compiler.compile_grammar(xgr.Grammar.concat(*made)), texts) == ["aabctrue", "aactrue"]
    assert whole(xgr, compiler.compile_grammar(xgr.Grammar.union(*made)), texts) == ["bbc", "true", "aa"]
    nested = xgr.Grammar.concat(xgr.Grammar.union(made[0], made[1]), made[2])
    assert whole(xgr, compiler.compile_grammar(nested), texts + ["ctrue", "aafalse"]) == ["ctrue", "aafalse"]


def test_what_is_saved_is_read_back(xgr, compiler):
    info = xgr.TokenizerInfo(TOKENS, vocab_size=SIZE, stop_token_ids=[STOP])
    again = xgr.TokenizerInfo.from_vocab_and_metadata(TOKENS, info.dump_metadata())
    read = xgr.TokenizerInfo.deserialize_json(info.serialize_json())
    for other in (again, read):
        assert (other.vocab_size, other.stop_token_ids, other.vocab_type.value) == (info.vocab_size, info.stop_token_ids, info.vocab_type.value)
        assert list(other.decoded_vocab) == list(info.decoded_vocab)
    grammar = xgr.Grammar.from_json_schema(SCHEMA)
    compiled = compiler.compile_grammar(xgr.Grammar.deserialize_json(grammar.serialize_json()))
    texts = ['{"a": 1}', '{"b": [1]}', '{"a": 1, "b": [2]}']
    assert whole(xgr, compiled, texts) == [texts[0], texts[2]]
    assert whole(xgr, xgr.CompiledGrammar.deserialize_json(compiled.serialize_json(), info), texts) == [texts[0], texts[2]]
    for kind in (xgr.Grammar, xgr.TokenizerInfo):
        with pytest.raises(RuntimeError):
            kind.deserialize_json("{")
        with pytest.raises(RuntimeError):
            kind.deserialize_json("{}")
    with pytest.raises(RuntimeError):
        xgr.CompiledGrammar.deserialize_json(compiled.serialize_json(), xgr.TokenizerInfo(TOKENS[:200] + [b"</s>"], stop_token_ids=[200]))


def test_a_tree_of_drafts(xgr, compiler):
    """Each node's row is the mask behind it; those whose token may not come have none."""
    torch = pytest.importorskip("torch")
    # 0 is where the text stands; 1 and 4 follow it, 2 and 3 follow 1, 5 follows 4, 6 follows 5.
    matcher = xgr.GrammarMatcher(compiler.compile_grammar(xgr.Grammar.from_ebnf('root ::= "[" (root | [a-c]) ("," (root | [a-c]))* "]"')))
    assert matcher.accept_string("[")
    before = mask_of(xgr, matcher)
    children = torch.tensor([1, 2, -1, -1, 5, 6, -1])
    siblings = torch.tensor([-1, 4, 3, -1, -1, -1, -1])
    tokens = torch.tensor([ord(character) for character in "[[axa,b"])
    masks = xgr.allocate_token_bitmask(7, SIZE)
    temperatures = torch.zeros(7)
    assert matcher.traverse_draft_tree(children, siblings, tokens, masks, temperatures=temperatures) is True
    paths = {0: "", 1: "[", 2: "[a", 4: "a", 5: "a,", 6: "a,b"}
    for node, path in paths.items():
        fork = matcher.fork()
        assert fork.accept_string(path) or not path
        assert ids_of(masks[node].tolist()) == mask_of(xgr, fork), node
    assert (masks[3] == 0).all() and mask_of(xgr, matcher) == before
    assert temperatures.tolist() == [-1] * 7


LARK = 'start: "on" | "off" NUM?\nNUM: /[0-9]+/\n%ignore " "\n'


def test_lark(xgr, compiler):
    texts = ["on", "off", "off 12", "off12", "of", "off 1x"]
    for compiled in (compiler.compile_lark(LARK), compiler.compile_grammar(xgr.Grammar.from_lark(LARK))):
        assert whole(xgr, compiled, texts) == texts[:4]
    assert whole(xgr, compiler.compile_lark('start: %json {"type": "boolean"} "!"', named_grammars={}), ["true!", "1!"]) == ["true!"]
    for bad in ("start: other", 'start: "a', "rule: 1"):
        for make in (xgr.Grammar.from_lark, compiler.compile_lark):
            with pytest.raises(RuntimeError):
                make(bad)


def test_lark_names_tokens(xgr):
    """Special tokens by their names, with a tokenizer that has them."""
    tokenizers, transformers = pytest.importorskip("tokenizers"), pytest.importorskip("transformers")
    letters = {letter: id for id, letter in enumerate("abcxyz")}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(letters, []))
    made.add_special_tokens(["<|go|>", "<|end|>"])
    info = xgr.TokenizerInfo.from_huggingface(transformers.PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>"))
    compiler = xgr.GrammarCompiler(info)
    text = 'start: <|go|> "ab"'
    assert xgr.Grammar.from_lark(text, tokenizer_info=info)
    matcher = xgr.GrammarMatcher(compiler.compile_lark(text))
    mask = xgr.allocate_token_bitmask(1, info.vocab_size)
    matcher.fill_next_token_bitmask(mask)
    assert ids_of(mask[0].tolist()) == [6] and matcher.accept_token(6) and matcher.accept_string("ab") and matcher.accept_token(7)
    with pytest.raises(RuntimeError):
        compiler.compile_lark('start: <|none|> "ab"')


def test_lark_is_not_joined_or_printed():
    """XGrammar does so, with a grammar that may cut a text anywhere."""
    grammar = maskwright.xgrammar.Grammar
    lark = grammar.from_lark(LARK)
    assert grammar.union(lark) is lark
    for join in (grammar.union, grammar.concat):
        with pytest.raises(RuntimeError, match="its lexer"):
            join(lark, grammar.from_regex("x"))
    with pytest.raises(RuntimeError, match="its lexer"):
        str(lark)
    with pytest.raises(ValueError, match="named grammars"):
        grammar.from_lark("start: @other", named_grammars={"other": lark})


def test_lark_is_saved(xgr, compiler):
    grammar = xgr.Grammar.deserialize_json(xgr.Grammar.from_lark(LARK).serialize_json())
    assert whole(xgr, compiler.compile_grammar(grammar), ["off 1", "x"]) == ["off 1"]


def test_jumps_in_tokens(xgr, compiler):
    matcher = xgr.GrammarMatcher(compiler.compile_regex('\\{": true(on|x)'))
    if not hasattr(matcher, "find_jump_forward_tokens"):
        pytest.skip("this version has none")
    jump = matcher.find_jump_forward_tokens()
    assert jump == [TOKENS.index(b'{"'), ord(":"), ord(" "), TOKENS.index(b"true")]
    for token in jump:
        assert matcher.accept_token(token)
    assert matcher.find_jump_forward_tokens() == []
    # A token that a longer one begins with is left to the model.
    matcher = xgr.GrammarMatcher(compiler.compile_regex("xa(b|c)"))
    assert matcher.find_jump_forward_tokens() == [ord("x")]
    assert matcher.accept_string("xab") and matcher.is_completed() and matcher.find_jump_forward_tokens() == []
