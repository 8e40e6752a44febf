//! The driver in C: compiled in several ways, and run.

use crate::script::Script;
use maskwright_tests::documents::root;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// How C is compiled.
const FLAGS: [&str; 6] = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g"];
/// What finds undefined behaviour, where the compiler has it.
const SANITIZERS: [&str; 2] = [
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
];

/// The folder of the reader.
pub fn folder() -> PathBuf {
    root().join("runtime/c-reader")
}

/// A compiler of C and what it can do.
pub struct Compiler {
    name: String,
    has_sanitizers: bool,
    folder: PathBuf,
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Compiler {
    /// The compiler that `CC` names, or `cc`; `None` if there is none, which is an error where
    /// `STRICT` is set. Its files lie in a folder with the name of the test.
    pub fn find(test: &str) -> Option<Self> {
        let name = env::var("CC").unwrap_or("cc".to_owned());
        let version = Command::new(&name).arg("--version").output();
        if !version.is_ok_and(|run| run.status.success()) {
            assert!(
                env::var_os("STRICT").is_none(),
                "there is no C compiler {name}"
            );
            eprintln!("not run: there is no C compiler");
            return None;
        }
        let folder = env::temp_dir().join(format!("maskwright-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut compiler = Compiler {
            name,
            has_sanitizers: true,
            folder,
        };
        let probe = compiler.file("probe.c", b"int main(void) { return 0; }\n");
        let program = compiler.folder.join("probe");
        let built = compiler.command(&[&probe], &program).output().unwrap();
        let runs = || {
            Command::new(&program)
                .output()
                .is_ok_and(|run| run.status.success())
        };
        compiler.has_sanitizers = built.status.success() && runs();
        if !compiler.has_sanitizers {
            eprintln!("not run: sanitizers, which {} does not have", compiler.name);
        }
        Some(compiler)
    }

    /// Writes a file into the folder.
    pub fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.join(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn command(&self, sources: &[&Path], to: &Path) -> Command {
        let mut command = Command::new(&self.name);
        command.args(FLAGS).arg("-O1").args(sources);
        if self.has_sanitizers {
            command.args(SANITIZERS);
        }
        command.arg("-I").arg(folder()).arg("-o").arg(to);
        command
    }

    /// Builds the driver with some macros.
    pub fn build(&self, name: &str, macros: &[&str]) -> PathBuf {
        let driver = root().join("tests/tests/c_reader/driver.c");
        let reader = folder().join("maskwright.c");
        let program = self.folder.join(name);
        let mut command = self.command(&[&driver, &reader], &program);
        command.args(macros.iter().map(|name| format!("-D{name}")));
        let output = command.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{macros:?}: {message}");
        program
    }

    /// Runs a script; the lines that were printed. Fails where a sanitizer reports something.
    pub fn run(&self, program: &Path, script: &Script) -> String {
        let input = self.file("script", script.input.as_bytes());
        let run = Command::new(program)
            .stdin(fs::File::open(input).unwrap())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{}\n{message}", run.status);
        String::from_utf8_lossy(&run.stdout).into_owned()
    }

    /// Runs a script, and compares each line that it prints with the matcher's.
    pub fn compare(&self, name: &str, program: &Path, script: &Script) {
        let printed = self.run(program, script);
        // Commands that print nothing.
        let is_silent =
            |line: &str| line.starts_with(['t', 'v', 'p', 'q', 'n', 's', 'r', 'c', 'z', 'i']);
        let mut commands = script.input.lines().filter(|line| !is_silent(line));
        let mut expected = script.expected.lines();
        for (at, line) in printed.lines().enumerate() {
            let (command, expected) = (commands.next(), expected.next());
            assert_eq!(Some(line), expected, "{name}, line {at}: {command:?}");
        }
        assert_eq!(expected.next(), None, "{name}");
    }
}
