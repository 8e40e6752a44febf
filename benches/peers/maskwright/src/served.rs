//! Maskwright's registry: each tool is compiled once by itself, and a request links its tools.
//!
//! In: the tools of a request. Out: a handle that can be used at once. The first request of a
//! process meets a registry that knows the format and none of the tools; they are compiled by
//! another thread, and masks come from the first tier until then. Later requests name the same
//! tools in another order, so that each is linked anew, of pieces that are known.

use maskwright::{MaskPool, PoolSlot};
use maskwright_compiler::link::registry::{Handle, Registry, RegistryOptions, ServedMatcher};
use maskwright_compiler::vocabulary::Vocabulary as Tokens;
use maskwright_compiler::{Compiler, GrammarText};
use peers_common::{Engine, Source, Vocabulary, Walker};
use serde_json::Value;

use crate::asked::{first_line, text, tool_options};

/// Rows of a sequence's pool.
const ROWS: usize = 64;
/// A request with one tool, with which a server compiles what all requests of a format have in
/// common.
const ONE: &str = r#"[{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]"#;

/// The engine.
pub struct Linked {
    registry: Registry,
    /// The last request, and its handle.
    last: Option<(String, Handle)>,
    /// The next request, if it is not the first.
    next: Option<String>,
}

struct Walk {
    handle: Handle,
    matcher: ServedMatcher,
    pool: MaskPool<Vec<u32>, Vec<PoolSlot>>,
    row: usize,
}

impl Engine for Linked {
    type Compiled = Handle;

    fn new(vocabulary: &Vocabulary) -> Result<Self, String> {
        let vocabulary = Tokens::from_tokens(vocabulary.tokens.clone(), vec![vocabulary.eos]);
        let compiler = Compiler::new(&vocabulary).map_err(text)?;
        let options = RegistryOptions::default().threads(1);
        let registry = Registry::new(&compiler, options).map_err(text)?;
        let handle = registry.get(&request(ONE)).map_err(first_line)?;
        handle.wait().map_err(first_line)?;
        Ok(Linked {
            registry,
            last: None,
            next: None,
        })
    }

    /// Waits until all tools are compiled, and turns their order.
    fn forget(&mut self) {
        let Some((request, handle)) = self.last.take() else {
            return;
        };
        let ready = handle.wait();
        let turned = turned(&request);
        self.next = ready.ok().and(turned);
    }

    fn compile(&mut self, source: &Source) -> Result<Handle, String> {
        let Source::Tools(tools) = source else {
            return Err("only tools are linked".to_owned());
        };
        let tools = self.next.take().unwrap_or_else(|| tools.request.clone());
        let handle = self.registry.get(&request(&tools)).map_err(first_line)?;
        self.last = Some((tools, handle.clone()));
        Ok(handle)
    }

    fn walker<'a>(&'a self, handle: &'a mut Handle) -> Result<Box<dyn Walker + 'a>, String> {
        let words = self.registry.vocabulary().view().size().div_ceil(32) as usize;
        Ok(Box::new(Walk {
            handle: handle.clone(),
            matcher: handle.matcher().map_err(first_line)?,
            pool: MaskPool::new(
                vec![0; ROWS * words],
                vec![PoolSlot::default(); ROWS],
                words,
            ),
            row: 0,
        }))
    }

    fn artifact(&self, _: &Handle) -> Option<usize> {
        usize::try_from(self.registry.metrics().bytes).ok()
    }
}

impl Walker for Walk {
    fn reset(&mut self) {
        if let Ok(matcher) = self.handle.matcher() {
            self.matcher = matcher;
        }
    }

    fn mask(&mut self) -> Result<(), String> {
        self.pool.begin_step();
        self.row = self.matcher.row_of(&mut self.pool).map_err(text)?.row;
        Ok(())
    }

    fn read(&self, words: &mut [u32]) {
        words.copy_from_slice(self.pool.row(self.row));
    }

    fn accept(&mut self, token: u32) -> bool {
        self.matcher.accept_token(token).is_ok()
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_complete()
    }
}

fn request(tools: &str) -> GrammarText {
    GrammarText::tools(tools).tool_options(tool_options())
}

/// The same tools, the first one behind all others.
fn turned(request: &str) -> Option<String> {
    let mut tools: Vec<Value> = serde_json::from_str(request).ok()?;
    if !tools.is_empty() {
        tools.rotate_left(1);
    }
    Some(Value::Array(tools).to_string())
}
