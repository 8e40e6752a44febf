//! Grammars, compiled on some threads when they are asked for, and kept up to a number of bytes.
//!
//! In: numbers of schemas. Out: [`OwnedGrammar`]s. What holds throughout: the tables that the cache keeps take no more bytes than it may
//! have; what it drops is freed when the last sequence that uses it ends.

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle};

use maskwright::{OwnedGrammar, OwnedVocabulary};
use maskwright_compiler::source::Source;
use maskwright_compiler::syntax::json_schema;
use maskwright_compiler::{Options, PreparedVocabulary, compile_prepared};

/// What came of compiling a schema.
type Made = (usize, Result<OwnedGrammar, String>);

/// What the threads need.
struct Workshop {
    schemas: Vec<String>,
    prepared: PreparedVocabulary,
    vocabulary: OwnedVocabulary,
}

/// A grammar that is kept.
struct Kept {
    grammar: OwnedGrammar,
    last_use: u64,
}

/// What is known of a schema.
enum Entry {
    Absent,
    Compiling,
    Kept(Kept),
}

/// The cache.
pub struct Cache {
    entries: Vec<Entry>,
    most_bytes: usize,
    uses: u64,
    jobs: Option<Sender<usize>>,
    made: Receiver<Made>,
    threads: Vec<JoinHandle<()>>,
    /// All tables that were ever made, as far as they are alive.
    alive: Vec<Weak<[u8]>>,
    /// Grammars that were compiled.
    pub compiled: u64,
    /// Grammars that were dropped.
    pub evicted: u64,
}

impl Cache {
    /// A cache of at most so many bytes of tables, which compiles on so many threads.
    ///
    /// # Errors
    ///
    /// If the vocabulary cannot be prepared.
    pub fn new(
        schemas: Vec<String>,
        vocabulary: &maskwright_compiler::Vocabulary,
        most_bytes: usize,
        threads: usize,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let entries = schemas.iter().map(|_| Entry::Absent).collect();
        let workshop = Arc::new(Workshop {
            schemas,
            prepared: PreparedVocabulary::new(vocabulary)?,
            vocabulary: OwnedVocabulary::load(vocabulary.pack()?)?,
        });
        let (jobs, todo) = mpsc::channel();
        let (done, made) = mpsc::channel();
        let todo = Arc::new(Mutex::new(todo));
        let work = || {
            let (workshop, todo, done) = (workshop.clone(), todo.clone(), done.clone());
            thread::spawn(move || workshop.work(&todo, &done))
        };
        Ok(Cache {
            entries,
            most_bytes,
            uses: 0,
            jobs: Some(jobs),
            made,
            threads: (0..threads.max(1)).map(|_| work()).collect(),
            alive: Vec::new(),
            compiled: 0,
            evicted: 0,
        })
    }

    /// The grammar of a schema, or `None` as long as it is being compiled.
    ///
    /// # Errors
    ///
    /// If a schema that was asked for before could not be compiled.
    pub fn get(&mut self, schema: usize) -> Result<Option<OwnedGrammar>, String> {
        self.uses += 1;
        let last_use = self.uses;
        let entry = self.entries.get_mut(schema).ok_or("no such schema")?;
        match entry {
            Entry::Kept(kept) => {
                kept.last_use = last_use;
                return Ok(Some(kept.grammar.clone()));
            }
            Entry::Compiling => {}
            Entry::Absent => {
                *entry = Entry::Compiling;
                let jobs = self.jobs.as_ref().ok_or("the threads have ended")?;
                jobs.send(schema).map_err(|error| error.to_string())?;
            }
        }
        Ok(None)
    }

    /// Takes in what the threads have compiled; waits for something if `wait`. Returns what was taken in, so that it can be used even if it is too large to be kept.
    ///
    /// # Errors
    ///
    /// If a schema could not be compiled.
    pub fn take_in(&mut self, wait: bool) -> Result<Vec<(usize, OwnedGrammar)>, String> {
        let first = wait.then(|| self.made.recv().map_err(|error| error.to_string()));
        let mut made: Vec<Made> = first.transpose()?.into_iter().collect();
        made.extend(self.made.try_iter());
        let mut taken = Vec::new();
        for (schema, result) in made {
            let grammar = result?;
            self.compiled += 1;
            self.alive.retain(|tables| tables.strong_count() > 0);
            self.alive.push(Arc::downgrade(grammar.tables()));
            self.keep(schema, grammar.clone());
            taken.push((schema, grammar));
        }
        Ok(taken)
    }

    /// Bytes of the tables that the cache keeps.
    pub fn bytes(&self) -> usize {
        let kept = self.entries.iter().map(|entry| match entry {
            Entry::Kept(kept) => kept.grammar.tables().len(),
            _ => 0,
        });
        kept.sum()
    }

    /// Bytes of all tables that are alive, in the cache or in sequences.
    pub fn bytes_alive(&self) -> usize {
        let alive = self.alive.iter().filter_map(Weak::upgrade);
        alive.map(|tables| tables.len()).sum()
    }

    /// Drops all grammars.
    pub fn clear(&mut self) {
        self.entries.fill_with(|| Entry::Absent);
    }

    /// Keeps a grammar, and drops those that were not used the longest until there is room.
    fn keep(&mut self, schema: usize, grammar: OwnedGrammar) {
        let Some(entry) = self.entries.get_mut(schema) else {
            return;
        };
        *entry = Entry::Kept(Kept {
            grammar,
            last_use: self.uses,
        });
        while self.bytes() > self.most_bytes {
            let last_use = |entry: &Entry| match entry {
                Entry::Kept(kept) => Some(kept.last_use),
                _ => None,
            };
            let kept = self.entries.iter_mut();
            let kept = kept.filter_map(|entry| Some((last_use(entry)?, entry)));
            let Some((_, oldest)) = kept.min_by_key(|(last_use, _)| *last_use) else {
                return;
            };
            *oldest = Entry::Absent;
            self.evicted += 1;
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        // Without jobs to come the threads end.
        self.jobs = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Workshop {
    /// Compiles what there is to do until there can be nothing more.
    fn work(&self, todo: &Mutex<Receiver<usize>>, done: &Sender<Made>) {
        loop {
            let Ok(next) = todo.lock().map(|todo| todo.recv()) else {
                return;
            };
            let Ok(schema) = next else {
                return;
            };
            let made = self.compile(schema).map_err(|error| error.to_string());
            if done.send((schema, made)).is_err() {
                return;
            }
        }
    }

    fn compile(&self, schema: usize) -> Result<OwnedGrammar, Box<dyn std::error::Error>> {
        let text = self.schemas.get(schema).ok_or("no such schema")?;
        let source = Source::new("schema", text.as_str());
        let grammar = json_schema::parse(&source, &Default::default())?.grammar;
        let compiled = compile_prepared(&grammar, &self.prepared, &Options::default())?;
        let grammar = OwnedGrammar::load(compiled.into_tables())?;
        Ok(grammar.with_vocabulary(&self.vocabulary)?)
    }
}
