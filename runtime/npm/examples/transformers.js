// A model in transformers.js that answers with JSON by a schema.
//
//     npm install @huggingface/transformers
//     node examples/transformers.js HuggingFaceTB/SmolLM2-135M-Instruct "Marie is a nurse of 34."

import { AutoConfig, AutoModelForCausalLM, AutoTokenizer } from "@huggingface/transformers";
import { compile, Vocabulary } from "maskwright";
import { logitsProcessor } from "maskwright/transformers";

const [name = "HuggingFaceTB/SmolLM2-135M-Instruct", text = "Marie is a nurse of 34."] = process.argv.slice(2);
const schema = {
    type: "object",
    properties: { name: { type: "string", maxLength: 40 }, age: { type: "integer", minimum: 0, maximum: 150 }, job: { type: "string", maxLength: 40 } },
    required: ["name", "age", "job"],
    additionalProperties: false,
};

const tokenizer = await AutoTokenizer.from_pretrained(name);
const model = await AutoModelForCausalLM.from_pretrained(name);
const config = await AutoConfig.from_pretrained(name);

// The tokenizer's own file: masks are over its ids, as many as the model has logits.
const file = await fetch(`https://huggingface.co/${name}/resolve/main/tokenizer.json`);
const vocabulary = await Vocabulary.fromFile(await file.text(), { eos: model.generation_config.eos_token_id, size: config.vocab_size });
const grammar = compile(schema, { vocabulary, whitespace: "spaced" });

const messages = [{ role: "user", content: `${text} Answer with JSON.` }];
const inputs = tokenizer.apply_chat_template(messages, { add_generation_prompt: true, return_dict: true });
const [output] = (await model.generate({ ...inputs, max_new_tokens: 200, logits_processor: [logitsProcessor(grammar)] })).tolist();
const answer = output.slice(inputs.input_ids.dims[1]).map(Number);
console.log(JSON.parse(vocabulary.decode(answer)));
