//! docs/tool-calls.md and docs/linking.md.

use std::error::Error;

mod in_the_source {
    items!("tool-calls.tool-calls");

    #[test]
    fn calls_are_read_back() -> Result<(), Box<dyn super::Error>> {
        use maskwright::calls::Part;
        use std::cell::RefCell;

        let arguments = RefCell::new(String::new());
        let weather = |json: &String| arguments.borrow_mut().push_str(json);
        let output = String::from(
            "<tool_call>\n\
            {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
        );
        let mut matcher = ToolsMatcher::<32>::new(&TOOLS)?;
        matcher.accept_bytes(output.as_bytes())?;
        block!("tool-calls.tool-calls-3");
        assert_eq!(arguments.take(), "{\"city\":\"Oslo\"}");
        Ok(())
    }
}

/// What the build script of docs/tool-calls.md has written.
mod in_a_build_script {
    include!(concat!(env!("OUT_DIR"), "/tools.rs"));

    #[test]
    fn the_format_is_there() {
        assert!(ToolsMatcher::<32>::new(&TOOLS).is_ok());
        assert_eq!(TOOLS_FORMAT.parts("Hello.").count(), 1);
    }
}

mod linked_by_a_build_script {
    items!("linking.when-the-program-is-built-2");

    #[test]
    fn a_step() {
        let mut matcher = ToolsMatcher::new(&TOOLS).unwrap();
        let mut logits = vec![0.0; 258];
        let sample = |logits: &[f32]| logits.iter().position(|l| l.is_finite()).unwrap() as u32;
        step(&mut matcher, &mut logits, sample).unwrap();
        assert_eq!(TOOLS_FORMAT.parts("Hello.").count(), 1);
    }
}

mod linked_in_the_source {
    items!("linking.when-the-program-is-built-3");

    #[test]
    fn text_may_come() {
        let mut matcher = ToolsMatcher::new(&TOOLS).unwrap();
        matcher.accept_bytes(b"Hello.").unwrap();
        assert_eq!(TOOLS_FORMAT.parts("Hello.").count(), 1);
    }
}
