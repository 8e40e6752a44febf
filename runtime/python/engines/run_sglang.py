"""SGLang in processes of its own: what it answers.

In, as JSON on standard input: `options` of the class `Engine`, and `calls`, each a kind of structured output or none, what it holds, prompts and options of sampling. Out, as JSON in the file that is
named: for each call the answers, or their errors. What holds: nothing of Maskwright is imported here; SGLang finds it as a plug-in, in each of its processes.
"""

import json
import os
import re
import sys
import time

os.environ.update(HF_HUB_OFFLINE="1", OMP_NUM_THREADS="1")

OPTIONS = {
    "device": "cpu",
    "attention_backend": "torch_native",
    "sampling_backend": "pytorch",
    "disable_cuda_graph": True,
    "disable_radix_cache": True,
    "mem_fraction_static": 0.3,
    "max_total_tokens": 8192,
    "max_running_requests": 8,
    "context_length": 1024,
    "dtype": "float32",
    "log_level": "error",
    "skip_server_warmup": True,
}


def structured(call):
    """What SGLang has for a call's structured output. It has no choices: they are a regular expression."""
    kind, spec = call["kind"], call["spec"]
    if kind is None:
        return {}
    if kind in ("json", "json_object"):
        schema = {"type": "object"} if kind == "json_object" else spec
        return {"json_schema": schema if isinstance(schema, str) else json.dumps(schema)}
    if kind == "choice":
        return {"regex": "|".join(map(re.escape, spec))}
    return {"regex": {"regex": spec}, "grammar": {"ebnf": spec}, "structural_tag": {"structural_tag": json.dumps(spec)}}[kind]


def answers(engine, call):
    """The answers to a call, or its error."""
    sampling = {**call["sampling"], **structured(call)}
    sampling["max_new_tokens"] = sampling.pop("max_tokens")
    sampling.pop("seed", None)  # a seed is for engines that were started to be deterministic
    start = time.perf_counter_ns()
    try:
        found = engine.generate(call["prompts"], sampling, require_reasoning=call.get("reasons", False))
    except ValueError as error:
        return {"error": str(error)}
    seconds = time.perf_counter_ns() - start
    reasons = [one["meta_info"]["finish_reason"] for one in found]
    if any(reason["type"] == "abort" for reason in reasons):
        return {"error": next(reason["message"] for reason in reasons if reason["type"] == "abort")}
    texts = [{"text": one["text"], "ids": one["output_ids"], "reason": reason["type"]} for one, reason in zip(found, reasons)]
    return {"answers": texts, "taken": seconds}


def main():
    asked = json.load(sys.stdin)
    import sglang

    engine = sglang.Engine(**{**OPTIONS, **asked["options"]})
    told = {"calls": [answers(engine, call) for call in asked["calls"]]}
    engine.shutdown()
    with open(sys.argv[1], "w") as file:
        json.dump(told, file)


if __name__ == "__main__":
    main()
