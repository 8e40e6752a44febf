//! `maskwright init`: a small project that decodes under a schema.
//!
//! In: a folder that does not exist yet, or is empty. Out: a project in it that builds and runs as
//! it is. What holds: no file is overwritten; the files are those of `templates`, but for the
//! project's name and the places of the packages.

use crate::failure::{Failure, Outcome};
use crate::output;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The repository that projects depend on until the packages are published.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// `maskwright init`.
#[derive(clap::Args)]
pub struct InitArgs {
    #[command(flatten)]
    kind: KindArgs,
    /// The folder of the project, which must be empty or not there yet. The package has its name.
    folder: PathBuf,
    /// Depend on the packages in this checkout of the repository instead of the repository itself.
    #[arg(long, value_name = "FOLDER")]
    checkout: Option<PathBuf>,
}

/// Which project; the macro if none is named.
#[derive(clap::Args)]
#[group(multiple = false)]
struct KindArgs {
    /// A Rust program with the macro `grammar!` (the default).
    #[arg(long = "macro")]
    with_macro: bool,
    /// A Rust program whose build script compiles the schema.
    #[arg(long)]
    build_script: bool,
    /// A script in Python.
    #[arg(long)]
    python: bool,
}

/// A file of a project: its path, and its content.
type ProjectFile = (&'static str, String);

/// Runs the command.
pub fn run(args: &InitArgs) -> Result<Outcome, Failure> {
    let packages = Packages::new(args.checkout.as_deref())?;
    let name = package_name(&args.folder)?;
    let (files, command) = match (args.kind.build_script, args.kind.python) {
        (true, _) => (build_script(&name, &packages), "cargo run"),
        (_, true) => (
            python(&packages),
            "pip install -r requirements.txt && python main.py",
        ),
        _ => (macro_(&name, &packages), "cargo run"),
    };
    check_empty(&args.folder)?;
    for (path, content) in files {
        write(&args.folder.join(path), &content)?;
    }
    let folder = args.folder.display();
    output::print_line(&format!("{folder} is ready: cd {folder} && {command}"))?;
    Ok(Outcome::Good)
}

/// Where a project finds the packages.
struct Packages {
    checkout: Option<PathBuf>,
}

impl Packages {
    fn new(checkout: Option<&Path>) -> Result<Self, Failure> {
        let found = |folder: &Path| {
            let folder = fs::canonicalize(folder).map_err(Failure::file(folder))?;
            match folder.join("grammar-compiler").is_dir() && folder.join("runtime").is_dir() {
                true => Ok(folder),
                false => Err(Failure::Usage(format!(
                    "--checkout: {} is no checkout of Maskwright: `runtime` and \
                     `grammar-compiler` are not in it",
                    folder.display()
                ))),
            }
        };
        Ok(Packages {
            checkout: checkout.map(found).transpose()?,
        })
    }

    /// A dependency of Cargo on the package in this folder of the repository.
    fn dependency(&self, folder: &str, features: &str) -> String {
        let place = match &self.checkout {
            Some(checkout) => {
                let path = checkout.join(folder).display().to_string();
                format!("path = {}", quoted(&path))
            }
            None => format!("git = {}", quoted(REPOSITORY)),
        };
        format!("{{ {place}{features} }}")
    }

    /// A requirement of pip.
    fn requirement(&self) -> String {
        match &self.checkout {
            Some(checkout) => checkout.join("runtime/python").display().to_string(),
            None => format!("maskwright @ git+{REPOSITORY}#subdirectory=runtime/python"),
        }
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn macro_(name: &str, packages: &Packages) -> Vec<ProjectFile> {
    let runtime = packages.dependency("runtime", ", features = [\"macros\", \"json-schema\"]");
    let manifest = format!("{}[dependencies]\nmaskwright = {runtime}\n", package(name));
    let main = main_with(include_str!("templates/macro/grammar.rs"));
    vec![
        ("Cargo.toml", manifest),
        ("src/main.rs", main),
        schema(),
        (".gitignore", "/target\n".to_owned()),
    ]
}

fn build_script(name: &str, packages: &Packages) -> Vec<ProjectFile> {
    let runtime = packages.dependency("runtime", "");
    let compiler = packages.dependency("grammar-compiler", ", features = [\"tiktoken\"]");
    let manifest = format!(
        "{}[dependencies]\nmaskwright = {runtime}\n\n\
         [build-dependencies]\n# `tiktoken` has the vocabularies by name, such as cl100k_base.\n\
         maskwright-compiler = {compiler}\n",
        package(name)
    );
    let main = main_with(include_str!("templates/build-script/grammar.rs"));
    let script = include_str!("templates/build-script/build.rs").to_owned();
    vec![
        ("Cargo.toml", manifest),
        ("build.rs", script),
        ("src/main.rs", main),
        schema(),
        (".gitignore", "/target\n".to_owned()),
    ]
}

fn python(packages: &Packages) -> Vec<ProjectFile> {
    let main = include_str!("templates/python/main.py").to_owned();
    let requirements = format!("{}\n", packages.requirement());
    vec![
        ("requirements.txt", requirements),
        ("main.py", main),
        schema(),
    ]
}

/// A program that decodes under the grammar at its head.
fn main_with(grammar: &str) -> String {
    let decode = include_str!("templates/decode.rs");
    format!("{grammar}{decode}")
}

fn schema() -> ProjectFile {
    let schema = include_str!("templates/trip.json").to_owned();
    ("schemas/trip.json", schema)
}

/// The head of a manifest.
fn package(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n")
}

/// The folder's name, as Cargo takes names of packages.
fn package_name(folder: &Path) -> Result<String, Failure> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let kept = |c: char| match c.is_ascii_alphanumeric() || c == '_' {
        true => c.to_ascii_lowercase(),
        false => '-',
    };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim_matches('-');
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => Ok(name.to_owned()),
        false => Err(Failure::Usage(format!(
            "{}: a package is named after its folder, and the name has to begin with a letter \
             of ASCII",
            folder.display()
        ))),
    }
}

/// Refuses a folder that holds something, hidden files included.
fn check_empty(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::file(folder)(error)),
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(Failure::file(folder)(io::Error::other(
                "the folder is not empty; name a new one",
            ))),
        },
    }
}

fn write(path: &Path, content: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    }
    fs::write(path, content).map_err(Failure::file(path))
}
