"""Two small models for the engines, from the GGUF of SmolLM2-135M-Instruct.

    python model.py SmolLM2-135M-Instruct.Q4_1.gguf FOLDER

In: the GGUF. Out: `FOLDER/plain`, the model as it is, and `FOLDER/thinks`, both as transformers writes models. What holds: both have `<think>` and `</think>` as tokens. `plain` was never trained on
them. In `thinks` the end of a thought weighs a little more than the full stop, so that a thought ends where its first sentence would: the model opens a thought in the prompt and closes it by itself.
"""

import sys
from pathlib import Path

import torch
import transformers

# What the end of a thought weighs, in full stops.
MORE = 1.1


def read(gguf):
    """The model and its tokenizer, without what it was quantised by."""
    where = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
    loaded = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    config = loaded.config.to_dict()
    config.pop("quantization_config", None)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**config))
    model.load_state_dict(loaded.state_dict(), strict=False)
    model.tie_weights()
    return model, tokenizer


def main():
    gguf, folder = Path(sys.argv[1]), Path(sys.argv[2])
    model, tokenizer = read(gguf)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<think>", "</think>"]})
    model.resize_token_embeddings(len(tokenizer), mean_resizing=False)
    model.to(torch.bfloat16)
    embeddings = model.get_input_embeddings().weight.data
    start, end = tokenizer.convert_tokens_to_ids(["<think>", "</think>"])
    (stop,) = tokenizer.encode(".", add_special_tokens=False)
    for name in ["plain", "thinks"]:
        embeddings[start] = 0
        embeddings[end] = 0 if name == "plain" else MORE * embeddings[stop]
        model.save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)


if __name__ == "__main__":
    main()
