//! Serves requests under twenty schemas with a model that knows nothing, and prints what the masks
//! cost.
//!
//! ```text
//! cargo run --release -p server [REQUESTS [SEED]]
//! ```

use maskwright_compiler::link::registry::{Registry, RegistryOptions};
use maskwright_compiler::{Compiler, vocabulary::Vocabulary};
use server::schemas::schemas;
use server::serve::{Error, Options, serve};

fn main() -> Result<(), Error> {
    let mut numbers = std::env::args().skip(1).map(|argument| argument.parse());
    let requests = numbers.next().transpose()?.unwrap_or(500);
    let seed = numbers.next().transpose()?.unwrap_or(1) as u64;
    let vocabulary = Vocabulary::named("cl100k_base")?;
    let schemas = schemas()?;
    // Room for about half of the grammars.
    let kept = RegistryOptions::default().bytes(600_000).threads(1);
    let registry = Registry::new(&Compiler::new(&vocabulary)?, kept)?;
    let options = Options {
        slots: 64,
        requests,
        draft: 4,
        jump: true,
        seed,
    };
    let (outputs, figures) = serve(&registry, vocabulary.eos(), &schemas, options)?;
    for output in outputs.iter().take(3) {
        println!("{}", String::from_utf8_lossy(&output.text));
    }
    println!("\n{figures}");
    Ok(())
}
