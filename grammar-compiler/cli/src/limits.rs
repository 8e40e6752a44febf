//! Limits, threads and other options of compiling, as a command line has them.

use maskwright_compiler::Options;
use maskwright_compiler::limits::Limits;
use std::time::Duration;

/// Limits and threads.
#[derive(clap::Args)]
pub struct LimitArgs {
    /// Threads to compile with; 0 is one for each processor.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    threads: usize,
    /// Refuse a grammar for which a matcher would need more than one stack.
    #[arg(long)]
    deterministic: bool,
    /// The most bytes of grammar text [default: 16 MiB].
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    limit_grammar_bytes: Option<usize>,
    /// How deep groups may nest [default: 200].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_nesting: Option<usize>,
    /// The largest bound of a counted repetition [default: 100000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_repetition: Option<u32>,
    /// The most states of finite automata [default: 400000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_automaton_states: Option<usize>,
    /// The most states of the pushdown automaton [default: 100000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_states: Option<usize>,
    /// The most branches of edges that depend on the stack [default: 1000000].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_branches: Option<usize>,
    /// The most bytes of tables [default: 256 MiB].
    #[arg(long, value_name = "BYTES", help_heading = "Limits")]
    limit_table_bytes: Option<usize>,
    /// The most seconds for reading the grammar and compiling it [default: 60].
    #[arg(
        long,
        visible_alias = "time-limit",
        value_name = "SECONDS",
        value_parser = seconds,
        help_heading = "Limits"
    )]
    limit_time: Option<Duration>,
    /// The most units of work for reading the grammar and compiling it [default: no bound].
    #[arg(long, value_name = "COUNT", help_heading = "Limits")]
    limit_work: Option<u64>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds, such as `10` or `0.5`".to_owned())
}

impl LimitArgs {
    /// The limits, defaults where none is given.
    pub fn limits(&self) -> Limits {
        fn set<T: Copy>(field: &mut T, given: Option<T>) {
            *field = given.unwrap_or(*field);
        }
        let mut limits = Limits::default();
        set(&mut limits.grammar_bytes, self.limit_grammar_bytes);
        set(&mut limits.nesting, self.limit_nesting);
        set(&mut limits.repetition, self.limit_repetition);
        set(&mut limits.automaton_states, self.limit_automaton_states);
        set(&mut limits.states, self.limit_states);
        set(&mut limits.branches, self.limit_branches);
        set(&mut limits.table_bytes, self.limit_table_bytes);
        set(&mut limits.time, self.limit_time);
        set(&mut limits.work, self.limit_work);
        limits
    }

    /// Options for a compile.
    pub fn options(&self) -> Options {
        Options::default()
            .limits(self.limits())
            .threads(self.threads)
            .deterministic(self.deterministic)
    }

    /// The number of threads as it was given; 0 if it is for the program to choose.
    pub fn given_threads(&self) -> usize {
        self.threads
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}
