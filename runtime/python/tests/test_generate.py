"""`generate`, with models that implement the protocol of transformers, and with those of transformers where it is installed."""

import dataclasses
import gc
import json
import pickle
import types

import maskwright
import pytest

np = pytest.importorskip("numpy")
tokenizers = pytest.importorskip("tokenizers")

from maskwright import _generate  # noqa: E402

SCHEMA = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"], "additionalProperties": False}
BYTES = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
EOS, OTHER, PAD, SIZE = 256, 257, 262, 264


@dataclasses.dataclass
class Person:
    name: str
    age: int


class Tokenizer:
    """A token for each byte, and two control tokens; `messages` is what the template was given."""

    pad_token_id = PAD
    eos_token_id = EOS

    def __init__(self, chat=False):
        self.backend_tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={name: id for id, name in enumerate(BYTES)}, merges=[]))
        self.backend_tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        self.backend_tokenizer.decoder = tokenizers.decoders.ByteLevel()
        self.backend_tokenizer.add_special_tokens(["<|im_end|>", "<|other|>"])
        self.chat_template = "{{ messages }}" if chat else None
        self.messages = None

    def __len__(self):
        return OTHER + 1

    def __call__(self, text, return_tensors):
        assert return_tensors == "pt"
        ids = self.backend_tokenizer.encode(text).ids
        return {"input_ids": np.array([ids]), "attention_mask": np.ones((1, len(ids)), dtype=int), "token_type_ids": None}

    def apply_chat_template(self, messages, add_generation_prompt, return_tensors, return_dict):
        assert add_generation_prompt and return_dict
        self.messages = messages
        return self(f"<{messages[-1]['content']}>", return_tensors)


class Model:
    """Writes one text as far as it may, and the first token that may come where it may not; then the end."""

    def __init__(self, text, ends=EOS, size=SIZE):
        self.config = types.SimpleNamespace(vocab_size=size)
        self.generation_config = types.SimpleNamespace(eos_token_id=ends)
        self.tokens, self.given = Tokenizer().backend_tokenizer.encode(text).ids, None

    def generate(self, input_ids, logits_processor, max_new_tokens, **given):
        self.given = given
        ends = np.atleast_1d(given.get("eos_token_id", self.generation_config.eos_token_id))
        for at in range(max_new_tokens):
            scores = np.zeros((1, self.config.vocab_size), dtype=np.float32)
            scores[0, self.tokens[at] if at < len(self.tokens) else ends[0]] = 1
            for processor in logits_processor:
                scores = processor(input_ids, scores)
            token = int(scores[0].argmax())
            input_ids = np.concatenate([input_ids, [[token]]], axis=1)
            if token in ends:
                break
        return input_ids


ANSWER = '{"name": "Ada", "age": 36}'


def test_a_value_of_a_type():
    model, tokenizer = Model(ANSWER), Tokenizer()
    assert maskwright.generate(model, tokenizer, "Who?", Person) == Person("Ada", 36)
    pydantic = pytest.importorskip("pydantic")

    class Guest(pydantic.BaseModel):
        name: str
        age: int = pydantic.Field(le=150)

    assert maskwright.generate(model, tokenizer, "Who?", Guest) == Guest(name="Ada", age=36)
    assert maskwright.generate(Model("[1, 2]"), tokenizer, "Which?", list[int]) == [1, 2]


def test_a_value_of_a_schema():
    tokenizer = Tokenizer()
    for schema in (SCHEMA, json.dumps(SCHEMA)):
        assert maskwright.generate(Model('{"age": 7}'), tokenizer, "How old?", schema) == {"age": 7}


def test_a_grammar_gives_its_text():
    tokenizer = Tokenizer()
    grammar = maskwright.Compiler(maskwright.Vocabulary.from_tokenizer(tokenizer)).regex("yes|no")
    assert maskwright.generate(Model("nobody"), tokenizer, "Is it?", grammar) == "no"


def test_a_chat():
    tokenizer = Tokenizer(chat=True)
    maskwright.generate(Model('{"age": 7}'), tokenizer, "How old?", SCHEMA)
    assert tokenizer.messages == [{"role": "user", "content": "How old?"}]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How old?"}]
    maskwright.generate(Model('{"age": 7}'), tokenizer, messages, SCHEMA)
    assert tokenizer.messages == messages
    with pytest.raises(ValueError, match="no chat template"):
        maskwright.generate(Model('{"age": 7}'), Tokenizer(), messages, SCHEMA)


def test_options_are_passed_on():
    model, seen = Model('{"age": 7}'), []
    other = lambda ids, scores: seen.append(ids.shape) or scores  # noqa: E731
    maskwright.generate(model, Tokenizer(), "How old?", SCHEMA, temperature=0.5, logits_processor=[other])
    assert model.given == {"attention_mask": model.given["attention_mask"], "temperature": 0.5} and seen
    with pytest.raises(ValueError, match="one value"):
        maskwright.generate(model, Tokenizer(), "How old?", SCHEMA, num_return_sequences=2)


def test_an_answer_that_is_cut_off():
    for text, most in (('{"age": 77', 9), ('{"age": 7}', 3)):
        with pytest.raises(maskwright.CutOffError, match="max_new_tokens") as raised:
            maskwright.generate(Model(text), Tokenizer(), "How old?", SCHEMA, max_new_tokens=most)
        assert raised.value.text == text[:most] and raised.value.tokens == most
        copy = pickle.loads(pickle.dumps(raised.value))
        assert (copy.text, str(copy)) == (raised.value.text, str(raised.value))
    # A number may go on, and an object may not.
    with pytest.raises(maskwright.CutOffError):
        maskwright.generate(Model("12"), Tokenizer(), "How old?", int, max_new_tokens=2)
    assert maskwright.generate(Model('{"age": 7}'), Tokenizer(), "How old?", SCHEMA, max_new_tokens=10) == {"age": 7}


def test_how_it_is_written():
    compact = {"whitespace": "compact"}
    assert maskwright.generate(Model('{"age":7}'), Tokenizer(), "?", SCHEMA, schema_options=compact) == {"age": 7}
    model, open_schema = Model('{"age":7,"x":1}'), {**SCHEMA, "additionalProperties": True}
    assert maskwright.generate(model, Tokenizer(), "?", open_schema, schema_options=compact) == {"age": 7, "x": 1}
    with pytest.raises(ValueError, match="whitespaces"):
        maskwright.generate(model, Tokenizer(), "?", SCHEMA, schema_options={"whitespaces": "compact"})


def test_what_was_compiled_is_kept(monkeypatch):
    vocabularies, compiled = [], []
    compiler, from_tokenizer = maskwright.Compiler, maskwright.Vocabulary.from_tokenizer
    monkeypatch.setattr(_generate, "Vocabulary", types.SimpleNamespace(from_tokenizer=lambda tokenizer: vocabularies.append(None) or from_tokenizer(tokenizer)))

    class Compiler:
        def __init__(self, vocabulary, warn):
            self.inner = compiler(vocabulary, warn=warn)

        def schema(self, schema, **options):
            compiled.append(schema)
            return self.inner.schema(schema, **options)

    monkeypatch.setattr(_generate, "Compiler", Compiler)
    first, second = Tokenizer(), Tokenizer()
    for tokenizer, read, made in ((first, 1, 1), (first, 1, 1), (second, 2, 2), (first, 2, 2)):
        maskwright.generate(Model('{"age": 7}'), tokenizer, "How old?", SCHEMA)
        assert (len(vocabularies), len(compiled)) == (read, made)
    maskwright.generate(Model(ANSWER), first, "How old?", Person)
    maskwright.generate(Model(ANSWER), first, "How old?", Person)
    maskwright.generate(Model('{"age":7}'), first, "How old?", SCHEMA, schema_options={"whitespace": "compact"})
    assert (len(vocabularies), len(compiled)) == (2, 4)
    # Other end tokens are another vocabulary.
    maskwright.generate(Model('{"age": 7}', ends=[EOS, OTHER]), first, "How old?", SCHEMA)
    assert (len(vocabularies), len(compiled)) == (3, 5)
    kept = len(_generate._known)
    del first, second, tokenizer
    gc.collect()
    assert len(_generate._known) <= kept - 2


def test_the_ends_of_the_model_end_an_answer():
    """What the model says goes before what the tokenizer says, and what the call says before both."""
    for model, options in ((Model('{"age": 7}', ends=[OTHER]), {}), (Model('{"age": 7}'), {"eos_token_id": OTHER}), (Model('{"age": 7}', ends=None), {"eos_token_id": [OTHER]})):
        assert maskwright.generate(model, Tokenizer(), "How old?", SCHEMA, **options) == {"age": 7}
    assert _generate._ends(Model("", ends=None), {}) == ()
    with pytest.raises(maskwright.VocabularyError):
        maskwright.generate(Model("", ends=SIZE), Tokenizer(), "How old?", SCHEMA)


def test_a_schema_that_is_refused():
    with pytest.raises(maskwright.GrammarError):
        maskwright.generate(Model(""), Tokenizer(), "?", {"type": "intger"})
    with pytest.raises(TypeError, match="give the class itself"):
        maskwright.generate(Model(""), Tokenizer(), "?", Person("a", 1))


def test_warnings_name_the_line_that_asks():
    schema = {"type": "string", "format": "datetime"}
    with pytest.warns(maskwright.GrammarWarning) as caught:
        maskwright.generate(Model('"a"'), Tokenizer(), "?", schema)
    assert {each.filename for each in caught} == {__file__}


def test_another_processor_that_does_not_heed_the_mask():
    class Forgetful(Model):
        def generate(self, input_ids, logits_processor, **given):
            logits_processor[-1](input_ids, np.zeros((1, self.config.vocab_size), dtype=np.float32))
            return np.concatenate([input_ids, [self.tokens]], axis=1)

    with pytest.raises(ValueError, match="another logits processor"):
        maskwright.generate(Forgetful("x"), Tokenizer(), "?", SCHEMA)


@pytest.mark.parametrize("how", [{}, {"do_sample": True}, {"num_beams": 3}, {"return_dict_in_generate": True}], ids=str)
def test_a_model_of_transformers(how):
    """Random weights: the answer is a value of the type all the same."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")

    class Tensors(Tokenizer):
        def __call__(self, text, return_tensors):
            return {name: torch.tensor(values) for name, values in super().__call__(text, return_tensors).items() if values is not None}

    torch.manual_seed(1)
    config = transformers.GPT2Config(vocab_size=SIZE, n_layer=1, n_head=2, n_embd=16, n_positions=128, bos_token_id=1, eos_token_id=EOS, pad_token_id=PAD)
    model = transformers.GPT2LMHeadModel(config).eval()
    schema = {"type": "object", "properties": {"on": {"type": "boolean"}, "n": {"enum": [1, 2, 3]}}, "required": ["on", "n"]}
    value = maskwright.generate(model, Tensors(chat=True), "On?", schema, max_new_tokens=60, **how)
    assert value["on"] in (True, False) and value["n"] in (1, 2, 3)
