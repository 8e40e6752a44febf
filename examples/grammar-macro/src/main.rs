//! Grammars written in the program, and drafts of a model checked against them.
//!
//! ```text
//! cargo run --release -p grammar-macro
//! ```

maskwright::grammar! {
    /// A command for a home: "turn the kitchen lights off", "set bedroom heating to 21 degrees".
    pub static COMMAND for "cl100k_base" {
        root = turn | set;
        turn = "turn " ("the ")? room " lights " ("on" | "off");
        set = "set " room " heating to " number " degree" ("s")?;
        room = "kitchen" | "bedroom" | "hall" ("way")?;
        number = ['1'..='9'] ['0'..='9']?;
    }

    /// A date, as a regular expression.
    pub static DATE for "cl100k_base", regex = r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])";
}

/// Accepts the bytes of a text and answers what the grammar says of it.
fn judge(grammar: &'static maskwright::Grammar<'static>, text: &str) -> String {
    let Ok(mut matcher) = maskwright::Matcher::<8>::new(grammar) else {
        return "nests too deep".into();
    };
    for (index, character) in text.char_indices() {
        let mut bytes = [0; 4];
        if matcher
            .accept_bytes(character.encode_utf8(&mut bytes).as_bytes())
            .is_err()
        {
            return format!("refused at `{}`; {}", &text[index..], expected(&matcher));
        }
    }
    match matcher.is_complete() {
        true => "a sentence".into(),
        false => format!("a beginning; {}", expected(&matcher)),
    }
}

/// What may come next: the bytes that are certain, and how many tokens are possible.
fn expected<const DEPTH: usize>(matcher: &maskwright::Matcher<'static, DEPTH>) -> String {
    let mut bytes = [0; 32];
    let certain = matcher.forced_bytes(&mut bytes);
    let certain = String::from_utf8_lossy(&bytes[..certain]);
    format!(
        "{} tokens may come next, certainly `{certain}`",
        matcher.mask().count()
    )
}

fn main() {
    for text in [
        "turn the kitchen lights off",
        "turn the k",
        "set hall heating to 05",
        "set ",
    ] {
        println!("{text:30} {}", judge(&COMMAND, text));
    }
    for text in ["2026-11-21", "2026-13", "20"] {
        println!("{text:30} {}", judge(&DATE, text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_dates() {
        assert_eq!(judge(&COMMAND, "turn hallway lights on"), "a sentence");
        assert_eq!(
            judge(&COMMAND, "set kitchen heating to 7 degrees"),
            "a sentence"
        );
        assert!(judge(&COMMAND, "turn the k").contains("certainly `itchen lights o`"));
        assert!(judge(&COMMAND, "turn kitchen lights up").starts_with("refused at `up`"));
        assert_eq!(judge(&DATE, "2026-02-30"), "a sentence");
        assert!(judge(&DATE, "2026-1").starts_with("a beginning"));
    }
}
