//! Outputs rendered from formats: what a model may have meant is what is read back.

use crate::formats::*;
use crate::growing::{Random, bounds, grown};
use crate::parts;
use maskwright_core::calls::{CallFormat, Layout, Opened, Piece};
use maskwright_core::style::{Form, Keys, Kind, Notation, Quoting};

/// An output in the making, and its parts.
struct Output<'r> {
    format: CallFormat<'static>,
    random: &'r mut Random,
    text: String,
    parts: Vec<(&'static str, String)>,
}

impl Output<'_> {
    fn part(&mut self, kind: &'static str, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some((last, all)) if *last == kind && kind != "call" => all.push_str(text),
            _ => self.parts.push((kind, text.to_owned())),
        }
    }

    /// A text in which none of some literals is, nor the beginning of one that `next` makes whole.
    fn words(&mut self, ends: &[&str], next: &str) -> String {
        const WORDS: [&str; 12] = [
            "é", "\n", " ", "{\"", "}", "[", "]", "</", "<|", "name", "\\\"", "x",
        ];
        loop {
            let mut text = String::new();
            for _ in 0..self.random.below(6) {
                let end = ends.get(self.random.below(ends.len().max(1) + 1));
                match end {
                    // The beginning of an end.
                    Some(end) => {
                        let cut = bounds(end).nth(self.random.below(end.chars().count()));
                        text.push_str(&end[..cut.unwrap_or(0)]);
                    }
                    None => text.push_str(WORDS[self.random.below(WORDS.len())]),
                }
            }
            let both = format!("{text}{next}");
            let is_free = ends.iter().all(|end| {
                both.find(end)
                    .is_none_or(|at| at + end.len() > text.len() && at >= text.len())
            });
            if is_free {
                return text;
            }
        }
    }

    fn name(&mut self) -> String {
        let length = 1 + self.random.below(5);
        (0..length)
            .map(|_| ["a", "b", "_", ".", "9", "é"][self.random.below(6)])
            .collect()
    }

    /// A value in brackets, or a word.
    fn value(&mut self, notation: &Notation, depth: usize) -> String {
        match self.random.below(if depth > 2 { 3 } else { 5 }) {
            0 => "-1.5e3".to_owned(),
            1 => notation.null.to_owned(),
            2 => {
                let calls = self.format.calls.iter();
                let ends: Vec<&str> = calls.flat_map(|call| literals(call)).collect();
                let end = ends[self.random.below(ends.len())];
                let text = end.to_owned() + &self.words(&[notation.quote], notation.quote);
                let text = match notation.quoting {
                    Quoting::Raw => text,
                    Quoting::Json | Quoting::Python => {
                        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                        escaped.replace('\n', "\\n")
                    }
                };
                format!("{0}{text}{0}", notation.quote)
            }
            3 => {
                let first = self.value(notation, depth + 1);
                format!("[{first}, {}]", self.value(notation, depth + 1))
            }
            _ => self.object(notation, depth + 1),
        }
    }

    fn object(&mut self, notation: &Notation, depth: usize) -> String {
        let value = self.value(notation, depth);
        match notation.keys {
            Keys::Quoted | Keys::Arguments => format!("{{\"}}\": {value}}}"),
            Keys::Bare => format!("{{a:{value}}}"),
        }
    }

    /// The value of an element, with the word for its kind.
    fn content<'f>(&mut self, form: &Form<'f>, depth: usize) -> (&'f str, String) {
        let kind = match (form.item, self.random.below(3)) {
            (Some(_), 0) if depth < 3 => Kind::Object,
            (Some(_), 1) if depth < 3 => Kind::Array,
            _ => Kind::String,
        };
        let value = match kind {
            Kind::String => self.words(&[form.end], form.end),
            _ => (0..self.random.below(3))
                .map(|_| self.element(form, kind == Kind::Array, depth + 1))
                .collect(),
        };
        (form.kind(kind), value)
    }

    fn element(&mut self, form: &Form, is_item: bool, depth: usize) -> String {
        let (word, value) = self.content(form, depth);
        let key = ["a", "key", "B_2"][self.random.below(3)];
        let begin = match form.item {
            Some(item) if is_item => item.to_owned(),
            _ => format!("{}{key}{}", form.open, form.key_end),
        };
        let closing = form.closing.map(|(before, behind)| match is_item {
            true => format!("{before}{}{behind}", Form::ITEM),
            false => format!("{before}{key}{behind}"),
        });
        let closing = closing.unwrap_or_default();
        format!("{begin}{word}{}{value}{}{closing}", form.kind_end, form.end)
    }

    fn arguments(&mut self) -> String {
        let style = self.format.arguments;
        match (style.form(), style.notation()) {
            (Some(form), _) => {
                let elements = 0..self.random.below(3);
                let elements: Vec<String> =
                    elements.map(|_| self.element(form, false, 0)).collect();
                elements.join(["", "\n"][self.random.below(2)])
            }
            (None, Some(notation)) if notation.keys == Keys::Arguments => {
                let values = (0..self.random.below(3)).map(|_| self.value(notation, 0));
                let arguments: Vec<String> = values.map(|value| format!("a={value}")).collect();
                arguments.join(", ")
            }
            (None, Some(notation)) => self.object(notation, 0),
            (None, None) => String::new(),
        }
    }

    /// A literal with other blanks.
    fn literal(&mut self, literal: &str) {
        for char in literal.chars() {
            match char {
                ' ' | '\n' => self
                    .text
                    .push_str(["", " ", "\n\n\t"][self.random.below(3)]),
                _ => self.text.push(char),
            }
        }
    }

    fn call(&mut self) {
        let way = self.format.calls[self.random.below(self.format.calls.len())];
        let (mut name, mut id, mut arguments) = (String::new(), String::new(), String::new());
        for (at, piece) in way.iter().enumerate() {
            match piece {
                Piece::Text(literal) if at == 0 || way[at - 1] != Piece::Name => {
                    // A call in free text begins with the trigger as it is.
                    let triggers = self.format.triggers.iter();
                    let mut triggers = triggers.filter(|trigger| literal.starts_with(**trigger));
                    let exact = triggers.next().map_or(0, |trigger| trigger.len());
                    self.text.push_str(&literal[..exact]);
                    self.literal(&literal[exact..]);
                }
                Piece::Text(literal) => self.text.push_str(literal),
                Piece::Name => {
                    name = self.name();
                    self.text.push_str(&name);
                }
                Piece::Id => {
                    id = format!("#{}", self.random.below(30));
                    self.text.push_str(&id[1..]);
                }
                Piece::Arguments => {
                    arguments = self.arguments();
                    self.text.push_str(&arguments);
                }
            }
        }
        self.part("call", &format!("{name}{id} {arguments}"));
    }

    /// Calls in a section, or one call without a section if there is none.
    fn calls(&mut self) {
        let sections = self.format.sections;
        let Some(section) = sections.get(self.random.below(sections.len().max(1))) else {
            return self.call();
        };
        self.text.push_str(section.begin);
        self.call();
        while self.random.below(2) == 0 {
            self.literal(self.format.separator);
            self.call();
        }
        self.literal(section.end);
    }

    fn reasoning(&mut self) {
        let Some(reasoning) = self.format.reasoning else {
            return;
        };
        let mut ends = vec![reasoning.end];
        if reasoning.opened == Opened::No || self.random.below(2) == 0 {
            self.text.push_str(reasoning.begin);
        } else if reasoning.opened == Opened::Perhaps {
            // What ends free text tells that it is none of reasoning.
            ends.extend(self.format.triggers);
        }
        let text = self.words(&ends, reasoning.end);
        self.text.push_str(&(text.clone() + reasoning.end));
        self.text.push_str(reasoning.after);
        self.part("reasoning", &text);
    }

    fn framed(&mut self, is_first: bool) {
        let frame = self.format.texts[self.random.below(self.format.texts.len())];
        // The separator ends a text that has no end.
        let separator = [self.format.separator];
        let (ends, end) = match frame.ends {
            [] => (&separator[..], ""),
            ends => (ends, ends[self.random.below(ends.len())]),
        };
        if !(is_first && frame.at_start) || self.random.below(2) == 0 {
            self.text.push_str(frame.begin);
        }
        let next = if end.is_empty() { ends[0] } else { end };
        let text = self.words(ends, next);
        self.text.push_str(&(text.clone() + end));
        self.part("text", &text);
    }

    fn anywhere(&mut self) {
        let opened = self.format.reasoning.map(|reasoning| reasoning.opened);
        if opened != Some(Opened::Perhaps) || self.random.below(2) == 0 {
            self.reasoning();
        }
        let begins: Vec<&str> = match self.format.sections {
            [] => self
                .format
                .calls
                .iter()
                .filter_map(|call| literals(call).next())
                .collect(),
            sections => sections.iter().map(|section| section.begin).collect(),
        };
        while self.random.below(3) > 0 {
            let text = self.words(self.format.triggers, begins[0]);
            let triggers = self.format.triggers.iter();
            let led = triggers.filter_map(|trigger| begins[0].find(trigger)).min();
            self.text.push_str(&text);
            self.part("text", &(text + &begins[0][..led.unwrap_or(0)]));
            self.calls();
        }
        let text = self.words(self.format.triggers, "");
        self.text.push_str(&text);
        self.part("text", &text);
    }

    fn messages(&mut self) {
        loop {
            match self.random.below(3) {
                0 if self.format.reasoning.is_some() => self.reasoning(),
                0 | 1 => self.framed(false),
                _ => self.calls(),
            }
            if self.random.below(3) == 0 {
                return;
            }
            if self.format.sections.is_empty() {
                self.text.push_str(self.format.separator);
            }
        }
    }

    fn all(&mut self) {
        match self.format.layout {
            Layout::Anywhere => self.anywhere(),
            Layout::AtStart => self.calls(),
            Layout::Blocks => {
                let may_not_think = self.format.texts.iter().any(|frame| frame.at_start);
                let thinks = !may_not_think || self.random.below(2) == 0;
                if thinks {
                    self.reasoning();
                }
                let has_thought = thinks && self.format.reasoning.is_some();
                self.framed(!has_thought);
                if self.random.below(2) == 0 {
                    self.calls();
                }
                self.text.push_str(self.format.end);
            }
            Layout::Messages => self.messages(),
        }
    }
}

fn literals(call: &'static [Piece<'static>]) -> impl Iterator<Item = &'static str> {
    call.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(*text),
        _ => None,
    })
}

#[test]
fn what_was_rendered_is_read_back() {
    const ALL: [CallFormat<'static>; 28] = [
        QWEN_3,
        QWEN_3_THINKS,
        QWEN_3_MAY_THINK,
        QWEN_3_MAY_BE_THINKING,
        LLAMA,
        QWEN_3_CODER,
        KIMI_K2,
        DEEPSEEK_V3_1,
        DEEPSEEK_R1,
        DEEPSEEK_V3_2,
        GLM_4_7,
        COHERE,
        MINIMAX,
        MINIMAX_M3,
        MISTRAL,
        MISTRAL_LIST,
        PYTHONIC,
        GEMMA_4,
        FUNCTION_GEMMA,
        SEMICOLONS,
        HARMONY,
        FUNCTIONARY,
        MUSE,
        KIMI_K3,
        KIMI_K3_ANSWERS,
        KIMI_K3_MAY_THINK,
        COMMAND_R,
        MISTRAL_ARGS,
    ];
    let mut random = Random(7);
    for format in ALL {
        for _ in 0..150 {
            let mut output = Output {
                format,
                random: &mut random,
                text: String::new(),
                parts: Vec::new(),
            };
            output.all();
            let Output {
                text,
                parts: expected,
                ..
            } = output;
            let expected = expected
                .iter()
                .map(|(kind, text)| format!("{kind}: {text}"));
            let expected: Vec<String> = expected.collect();
            assert_eq!(parts(&format, &text), expected, "{text}");
            assert_eq!(grown(&format, &text, bounds(&text)), expected, "{text}");
        }
    }
}
