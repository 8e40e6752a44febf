//! The tools. Their arguments need no check: the mask has let through nothing else.

use serde::Deserialize;
use std::error::Error;

#[derive(Deserialize)]
struct Weather {
    city: String,
    days: Option<u8>,
}

#[derive(Deserialize)]
struct Light {
    room: String,
    on: bool,
}

#[derive(Deserialize)]
struct Add {
    numbers: Vec<f64>,
}

#[derive(Deserialize)]
struct Remember {
    note: String,
}

/// Does what a call says.
pub fn act(tool: &str, arguments: &str) -> Result<String, Box<dyn Error>> {
    Ok(match tool {
        "get_weather" => {
            let Weather { city, days } = serde_json::from_str(arguments)?;
            format!("{} days of sun in {city}", days.unwrap_or(1))
        }
        "set_light" => {
            let Light { room, on } = serde_json::from_str(arguments)?;
            format!(
                "the lamp in the {room} is {}",
                if on { "on" } else { "off" }
            )
        }
        "add" => {
            let Add { numbers } = serde_json::from_str(arguments)?;
            numbers.iter().sum::<f64>().to_string()
        }
        "remember" => {
            let Remember { note } = serde_json::from_str(arguments)?;
            format!("noted: {note}")
        }
        "time" => "half past four".to_owned(),
        other => return Err(format!("no tool is called {other}").into()),
    })
}
