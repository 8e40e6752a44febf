//! The code blocks of a Markdown text.
//!
//! In: the text and the name of its document. Out: each fenced block, with a name that says where
//! it stands. What holds: a block's text is what a reader of the document sees, less the quotation
//! marks of a list or a quotation.

/// A fenced block.
pub struct Block {
    /// The document and the heading that the block stands under: `readme.tool-calls`. A second
    /// block of the same language under that heading ends with `-2`.
    pub name: String,
    /// What stands behind the opening fence: `rust`.
    pub info: String,
    /// The lines between the fences.
    pub text: String,
}

impl Block {
    /// Whether the block shows a whole build script.
    pub fn is_build_script(&self) -> bool {
        self.info == "rust" && self.text.starts_with("// build.rs\n")
    }

    /// Whether the block is a whole program.
    #[allow(dead_code)] // by one of the two crates that have this module
    pub fn is_program(&self) -> bool {
        self.info == "rust" && !self.is_build_script() && self.text.contains("\nfn main()")
    }

    /// The name as an identifier of Rust.
    pub fn identifier(&self) -> String {
        let mut name = self.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        name
    }
}

/// All fenced blocks of a document, in order.
pub fn blocks(document: &str, markdown: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut heading = String::new();
    let mut open: Option<(&str, Block)> = None;
    for line in markdown.lines() {
        match &mut open {
            Some((fence, _)) if line.trim() == *fence => blocks.extend(open.take().map(|o| o.1)),
            Some((_, block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None if line.trim_start().starts_with("```") => {
                let line = line.trim_start();
                let (fence, info) = line.split_at(line.len() - line.trim_start_matches('`').len());
                let name = unused_name(&blocks, &format!("{document}.{heading}"), info);
                let (info, text) = (info.to_string(), String::new());
                open = Some((fence, Block { name, info, text }));
            }
            None if line.starts_with('#') => heading = slug(line.trim_start_matches('#')),
            None => {}
        }
    }
    assert!(open.is_none(), "{document}: a block is never closed");
    blocks
}

/// `name`, or the first of `name-2`, `name-3` and so on that no block of the language has.
fn unused_name(blocks: &[Block], name: &str, info: &str) -> String {
    let is_free = |name: &String| !blocks.iter().any(|b| b.name == *name && b.info == info);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_string()).chain(numbered);
    names.find(is_free).unwrap_or_default()
}

/// A heading in small letters, with one hyphen for whatever stands between its words.
fn slug(heading: &str) -> String {
    let words = heading.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}
