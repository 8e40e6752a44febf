//! The command line, from its arguments to what it prints and its exit code.

mod blocks;
mod conform;
mod depths;
mod documents;
mod grammars;
mod init;
mod messages;
mod schemas;
mod support;
mod tables;
mod texts;
mod tokens;
mod tools;
mod vocab;
