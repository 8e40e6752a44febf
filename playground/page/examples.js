// The kinds of grammars, with examples to begin with.

const json = (value) => JSON.stringify(value, null, 2);

const person = json({
    type: "object",
    properties: {
        name: { type: "string", maxLength: 20 },
        age: { type: "integer", minimum: 0, maximum: 150 },
        job: { enum: ["nurse", "teacher", "pilot"] },
    },
    required: ["name", "age"],
    additionalProperties: false,
});

const tree = json({
    $ref: "#/$defs/node",
    $defs: {
        node: {
            type: "object",
            properties: { value: { type: "integer" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
            required: ["value", "children"],
            additionalProperties: false,
        },
    },
});

const tools = json([
    {
        type: "function",
        function: {
            name: "get_weather",
            parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } }, required: ["city"] },
        },
    },
    {
        type: "function",
        function: { name: "set_light", parameters: { type: "object", properties: { room: { enum: ["kitchen", "hall"] }, on: { type: "boolean" } }, required: ["room", "on"] } },
    },
]);

const tag = json({
    type: "structural_tag",
    format: {
        type: "triggered_tags",
        triggers: ["<function="],
        tags: [
            {
                begin: "<function=add>",
                content: { type: "json_schema", json_schema: { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } }, required: ["a", "b"] } },
                end: "</function>",
            },
        ],
    },
});

export const KINDS = [
    {
        name: "schema",
        title: "JSON Schema",
        options: "whitespace=compact key_order=any",
        examples: [
            ["A person", person],
            ["A tree", tree],
            ["A date", json({ type: "string", format: "date" })],
            ["A mistake", '{\n  "type": "object",\n  "properties": {\n    "age": {"type": "intger", "minimum": 5}\n  }\n}'],
        ],
    },
    { name: "tools", title: "Tools", options: "tool_choice=required", format: "qwen_3", examples: [["Weather and light", tools]] },
    {
        name: "regex",
        title: "Regular expression",
        options: "",
        examples: [
            ["A time", "([01][0-9]|2[0-3]):[0-5][0-9]"],
            ["A verdict", "(yes|no|unsure): [^\\n]{1,80}"],
        ],
    },
    {
        name: "ebnf",
        title: "EBNF",
        options: "root=root",
        examples: [
            ["Lists of numbers", 'root  ::= value\nvalue ::= "[" (value ("," value)*)? "]" | [0-9]+'],
            ["Arithmetic", 'root ::= sum "\\n"\nsum  ::= product (("+" | "-") product)*\nproduct ::= atom (("*" | "/") atom)*\natom ::= [0-9]+ | "(" sum ")"'],
            ["A mistake", 'root  ::= value\nvalue ::= "[" values "]" | [0-9]+'],
        ],
    },
    {
        name: "lark",
        title: "Lark",
        options: "lexer=contextual",
        examples: [["Assignments", 'start: statement+\nstatement: NAME "=" expr ";"\nexpr: NAME | NUMBER | expr "+" expr\n\nNAME: /[a-z]+/\nNUMBER: /[0-9]+/\n\n%ignore " "']],
    },
    { name: "structural_tag", title: "Structural tag", options: "", examples: [["A call in free text", tag]] },
];

export const kindOf = (name) => KINDS.find((kind) => kind.name === name) ?? KINDS[0];
