//! What is asked, and what a good answer is.

/// A call as the model shall write it.
macro_rules! call {
    ($name:literal, $arguments:literal) => {
        concat!(
            "<tool_call>\n{\"name\": \"",
            $name,
            "\", \"arguments\": ",
            $arguments,
            "}\n</tool_call>"
        )
    };
}

/// What the model is told before it is asked: a system message, then questions with good answers.
pub struct Setting {
    system: &'static str,
    examples: &'static [(&'static str, &'static str)],
}

/// Calls of tools. The answers are between the tags of a call.
pub const TOOLS_SETTING: Setting = Setting {
    system: "You call functions. Choose the one that fits the message: get_weather for weather and rain, set_light for lights and lamps, add for sums, remember for notes, play_music for music.",
    examples: &[
        (
            "Put on some rock, loud.",
            call!("play_music", r#"{"kind": "rock", "volume": 80}"#),
        ),
        (
            "Note that the car needs new tyres.",
            call!("remember", r#"{"note": "the car needs new tyres"}"#),
        ),
        (
            "How much is 3 plus 4?",
            call!("add", r#"{"numbers": [3, 4]}"#),
        ),
        (
            "Turn on the lamp in the hall!",
            call!("set_light", r#"{"room": "hall", "on": true}"#),
        ),
        (
            "How is the weather in Oslo tomorrow?",
            call!("get_weather", r#"{"city": "Oslo", "days": 1}"#),
        ),
        (
            "Remember: my sister's birthday is in May.",
            call!("remember", r#"{"note": "my sister's birthday is in May"}"#),
        ),
        (
            "Play jazz at volume 20.",
            call!("play_music", r#"{"kind": "jazz", "volume": 20}"#),
        ),
        (
            "Switch off the light in the kitchen.",
            call!("set_light", r#"{"room": "kitchen", "on": false}"#),
        ),
        (
            "Will it rain in Rome in the next 2 days?",
            call!("get_weather", r#"{"city": "Rome", "days": 2}"#),
        ),
        (
            "Add 10, 20 and 5.",
            call!("add", r#"{"numbers": [10, 20, 5]}"#),
        ),
    ],
};

/// People in JSON.
pub const PERSON_SETTING: Setting = Setting {
    system: "You read texts about people and answer with JSON.",
    examples: &[
        (
            "Olga is a baker of 41 years. Her husband is German, as she is, and she knows English.",
            r#"{"name": "Olga", "age": 41, "job": "baker", "languages": ["German", "English"], "married": true}"#,
        ),
        (
            "Luc Petit, 23, from Paris, studies law. He lives alone.",
            r#"{"name": "Luc Petit", "age": 23, "job": "student", "languages": ["French"], "married": false}"#,
        ),
    ],
};

/// What is asked, and the tool that answers it.
pub const TOOLS: [(&str, &str); 10] = [
    (
        "What will the weather be in Lisbon for the next 3 days?",
        "get_weather",
    ),
    ("Switch on the light in the kitchen.", "set_light"),
    ("What is the sum of 12, 30 and 7?", "add"),
    (
        "Remember that my dentist appointment is on Friday.",
        "remember",
    ),
    ("Play some jazz music at volume 40.", "play_music"),
    (
        "Is it going to rain in Helsinki this week? I need the weather for 7 days.",
        "get_weather",
    ),
    ("Turn off the lamp in the bedroom, please.", "set_light"),
    ("Add 250 and 375.", "add"),
    ("Keep a note: buy milk and two loaves of bread.", "remember"),
    (
        "I want to hear classical music, very quietly.",
        "play_music",
    ),
];

/// Texts about people.
pub const PEOPLE: [&str; 4] = [
    "Marie Dubois is a nurse from Lyon. She is 34, married, and speaks French and English.",
    "My neighbour Jorge, 58, drives a bus. He has never been married. He speaks Spanish only.",
    "Dr. Hanna Vogel (29) works as a vet. She speaks German, English and French. She is single.",
    "Tom is 45 years old and teaches English at a school. His wife is called Ann.",
];

/// A prompt in ChatML, up to where the model goes on: what all prompts of a setting begin with, and
/// the rest.
pub fn chat_ml(setting: &Setting, user: &str) -> (String, String) {
    let turn = |role: &str, text: &str| format!("<|im_start|>{role}\n{text}<|im_end|>\n");
    let mut begin = turn("system", setting.system);
    for (user, answer) in setting.examples {
        begin += &turn("user", user);
        begin += &turn("assistant", answer);
    }
    let rest = turn("user", user) + "<|im_start|>assistant\n";
    (begin, rest)
}
