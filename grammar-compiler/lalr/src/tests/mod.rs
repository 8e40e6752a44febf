mod conflicts;
mod expected;
mod limits;
mod notation;
mod oracle;
mod parser;
mod random;
mod verdicts;
