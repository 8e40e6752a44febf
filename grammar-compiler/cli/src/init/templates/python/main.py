"""Decodes a trip under the schema of schemas/trip.json."""

import random
from pathlib import Path

import maskwright

SCHEMA = Path(__file__).parent / "schemas" / "trip.json"

# Another vocabulary: `from_file("tokenizer.json")`, the file that comes with your model.
vocabulary = maskwright.Vocabulary.named("cl100k_base")
grammar = maskwright.Compiler(vocabulary).schema(SCHEMA.read_text(), whitespace="spaced")

matcher, text = maskwright.Matcher(grammar), b""
while not matcher.is_finished():
    token = random.choice(matcher.allowed_tokens())     # your model chooses here
    matcher.accept_token(token)
    text += vocabulary.bytes(token)
print(text.decode())
