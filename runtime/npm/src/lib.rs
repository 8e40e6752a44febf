//! The compiler and the matcher as a module of WebAssembly, without bindings of another tool.
//!
//! In: numbers, and bytes that JavaScript writes into [`input`]. Out: numbers, and bytes that it
//! reads from [`reply`]. What holds: objects are known by handles, so that no pointer comes in; a
//! handle of no object, or of another kind, is an error like any other. There is one thread, and
//! no function calls JavaScript but for [`now`](host::now) and, before the module ends, for
//! [`panicked`](host::panicked). `maskwright.js` beside the crate is the other half.

mod drawing;
mod exports;
mod host;
mod objects;
mod report;
mod request;
mod store;
mod vocabulary;
