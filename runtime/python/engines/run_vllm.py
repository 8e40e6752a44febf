"""vLLM in a process of its own: what it answers, and how long its steps and masks take.

In, as JSON on standard input: `options` of the class `LLM`, and `calls`, each a kind of structured output or none, what it holds, prompts and options of sampling. Out, as JSON in the file that is
named: the backend's class, the module of `xgrammar.GrammarMatcher`, and for each call the answers, or the error that the front end has for them; nanoseconds of each step with masks, and of the masks in it. What holds: nothing
of Maskwright is imported here: whether vLLM finds it is up to the environment, as for a server. The model has one thread, so that it takes the same time whatever else the machine does.
"""

import importlib
import json
import os
import sys
import time

os.environ.update(VLLM_CPU_KVCACHE_SPACE="1", VLLM_ENABLE_V1_MULTIPROCESSING="0", VLLM_NO_USAGE_STATS="1", HF_HUB_OFFLINE="1", VLLM_CPU_OMP_THREADS_BIND="nobind", OMP_NUM_THREADS="1")


def timed(function, into, counts=lambda: True):
    """The function, which adds what each call takes to a list, if it counts."""

    def call(*args, **named):
        start = time.perf_counter_ns()
        try:
            return function(*args, **named)
        finally:
            if counts():
                into.append(time.perf_counter_ns() - start)

    return call


def structured(call):
    """What vLLM has for a call's structured output."""
    from vllm.sampling_params import StructuredOutputsParams

    if call["kind"] is None:
        return None
    spec = json.dumps(call["spec"]) if call["kind"] == "structural_tag" else call["spec"]
    return StructuredOutputsParams(**{call["kind"]: spec})


def answers(llm, call):
    """The answers to a call, or its error."""
    from vllm import SamplingParams
    from vllm.exceptions import VLLMValidationError

    try:
        sampling = SamplingParams(structured_outputs=structured(call), **call["sampling"])
        outputs = llm.generate(call["prompts"], sampling, use_tqdm=False)
    except (ValueError, VLLMValidationError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    found = [output.outputs[0] for output in outputs]
    return {"answers": [{"text": one.text, "ids": list(one.token_ids), "reason": one.finish_reason} for one in found]}


def main():
    asked = json.load(sys.stdin)
    from vllm import LLM
    from vllm.v1 import structured_output

    steps, masks = [], []
    manager = structured_output.StructuredOutputManager
    manager.grammar_bitmask = timed(manager.grammar_bitmask, masks)
    options = {"max_model_len": 1024, "enforce_eager": True, "max_num_seqs": 8, "dtype": "float32", **asked["options"]}
    llm = LLM(**options)
    # The engine also makes steps while it waits for a grammar.
    llm.llm_engine.step = timed(llm.llm_engine.step, steps, lambda: len(masks) > len(steps))
    told = {"backend": f"{structured_output.XgrammarBackend.__module__}.{structured_output.XgrammarBackend.__name__}", "calls": []}
    told["matcher"] = importlib.import_module("xgrammar").GrammarMatcher.__module__
    for call in asked["calls"]:
        del steps[:], masks[:]
        told["calls"].append({**answers(llm, call), "steps": list(steps), "masks": list(masks)})
    with open(sys.argv[1], "w") as file:
        json.dump(told, file)


if __name__ == "__main__":
    main()
