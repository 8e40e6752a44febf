//! The tools, and the judge of outputs, which knows nothing of grammars: it reads JSON with serde
//! and looks at each value.

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    arguments: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weather {
    city: String,
    days: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Light {
    room: Room,
    on: bool,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Room {
    Kitchen,
    Hall,
    Bedroom,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Add {
    numbers: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remember {
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Music {
    kind: Kind,
    volume: u8,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Jazz,
    Rock,
    Classical,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    name: String,
    age: u8,
    job: String,
    languages: Vec<Language>,
    married: bool,
}

#[derive(Deserialize, Debug)]
enum Language {
    English,
    French,
    German,
    Spanish,
}

/// Does what a call says, and says what came of it.
pub fn act(tool: &str, arguments: &str) -> Result<String, String> {
    match tool {
        "get_weather" => {
            let Weather { city, days } = read(arguments)?;
            limits("city", city.chars().count(), 2, 30)?;
            limits("days", days.into(), 1, 7)?;
            Ok(format!("{days} days of sun in {city}"))
        }
        "set_light" => {
            let Light { room, on } = read(arguments)?;
            let state = if on { "on" } else { "off" };
            Ok(format!("the lamp in the {room:?} is {state}").to_lowercase())
        }
        "add" => {
            let Add { numbers } = read(arguments)?;
            limits("numbers", numbers.len(), 2, 4)?;
            let largest = numbers.iter().copied().max().unwrap_or(0);
            limits("a number", largest.into(), 0, 9999)?;
            let sum: u32 = numbers.iter().map(|number| u32::from(*number)).sum();
            Ok(sum.to_string())
        }
        "remember" => {
            let Remember { note } = read(arguments)?;
            limits("note", note.chars().count(), 1, 80)?;
            Ok(format!("noted: {note}"))
        }
        "play_music" => {
            let Music { kind, volume } = read(arguments)?;
            limits("volume", volume.into(), 0, 100)?;
            Ok(format!("{kind:?} at {volume} %").to_lowercase())
        }
        other => Err(format!("no tool is called {other}")),
    }
}

/// Whether a whole output is one call of a tool; which.
pub fn judge_call(output: &str) -> Result<String, String> {
    let call = output.trim().strip_prefix("<tool_call>\n");
    let call = call.and_then(|call| call.strip_suffix("\n</tool_call>"));
    let Call { name, arguments } = read(call.ok_or("it is no call")?)?;
    act(&name, &arguments.to_string())?;
    Ok(name)
}

/// Whether a whole output is a person; a sentence of it.
pub fn judge_person(output: &str) -> Result<String, String> {
    let person: Person = read(output)?;
    limits("name", person.name.chars().count(), 1, 30)?;
    limits("job", person.job.chars().count(), 1, 30)?;
    limits("age", person.age.into(), 0, 130)?;
    limits("languages", person.languages.len(), 1, 3)?;
    let married = if person.married {
        "married"
    } else {
        "not married"
    };
    let Person {
        name,
        age,
        job,
        languages,
        ..
    } = person;
    Ok(format!(
        "{name}, {job}, {age}, {married}, speaks {languages:?}"
    ))
}

fn read<'j, T: Deserialize<'j>>(json: &'j str) -> Result<T, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

fn limits(what: &str, value: usize, least: usize, most: usize) -> Result<(), String> {
    match value {
        value if value < least || value > most => Err(format!("{what}: {value}")),
        _ => Ok(()),
    }
}
