//! A grammar of queries for given tables, in SQL that SQLite and PostgreSQL share.
//!
//! In: tables with their columns, and the pairs of columns by which tables join. Out: the grammar,
//! in EBNF. Every text of it is a query that the database prepares: a column belongs to a table
//! that the query reads, numbers are compared with numbers and texts with texts. Rules are named by
//! numbers, so that a name of the database stands in literals only, where it is escaped.

use std::fmt::Write;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Number,
    Text,
}

/// A column: its name and what it holds.
pub type Column<'a> = (&'a str, Kind);

/// A table that queries may read.
#[derive(Clone, Debug)]
pub struct Table<'a> {
    pub name: &'a str,
    pub columns: &'a [Column<'a>],
}

/// Two tables that queries may join, and the columns that are equal then.
#[derive(Clone, Copy, Debug)]
pub struct Join<'a> {
    pub left: (&'a str, &'a str),
    pub right: (&'a str, &'a str),
}

/// What the columns of a query may be: those of a table, or of two that are joined.
struct Scope {
    /// What stands behind `FROM`.
    source: String,
    numbers: Vec<String>,
    texts: Vec<String>,
}

/// Rules that are the same in each scope.
const SHARED: &str = r#"
function ::= "SUM" | "AVG" | "MIN" | "MAX"
compare ::= " = " | " <> " | " < " | " <= " | " > " | " >= "
direction ::= (" ASC" | " DESC")?
number ::= "-"? [0-9]{1,12} ("." [0-9]{1,6})?
string ::= "'" ([^'\x00] | "''"){0,100} "'"
alias ::= "\"" [a-zA-Z0-9_ ]{1,30} "\""
limit ::= " LIMIT " [1-9] [0-9]{0,4}
"#;

/// Rules of one scope; `@` is its number.
const OF_SCOPE: &str = r#"
select-@ ::= "SELECT " ("*" | "DISTINCT "? item-@ (", " item-@)*) " FROM " source-@
  where-@? group-@? order-@? limit?
item-@ ::= (column-@ | aggregate-@) (" AS " alias)?
aggregate-@ ::= "COUNT(*)" | "COUNT(" "DISTINCT "? column-@ ")" | function "(" numeric-@ ")"
group-@ ::= " GROUP BY " column-@ (", " column-@)* (" HAVING " aggregate-@ compare number)?
order-@ ::= " ORDER BY " column-@ direction (", " column-@ direction)*
where-@ ::= " WHERE " condition-@
condition-@ ::= "NOT "? test-@ ((" AND " | " OR ") "NOT "? test-@)*
test-@ ::= sum-@ compare sum-@
  | numeric-@ (" BETWEEN " number " AND " number | " NOT"? " IN (" number (", " number)* ")")
  | textual-@ (compare string | " NOT"? " LIKE " string | " NOT"? " IN (" string (", " string)* ")")
  | column-@ " IS " "NOT "? "NULL" | column-@ " NOT"? " IN (" subquery ")" | "(" condition-@ ")"
sum-@ ::= term-@ (" " [-+*\/] " " term-@)*
term-@ ::= numeric-@ | number | "ABS(" sum-@ ")" | "LENGTH(" textual-@ ")"
column-@ ::= numeric-@ | textual-@
"#;

/// The rule of a query within a condition.
const INNER: &str = "inner-@ ::= \"SELECT \" column-@ \" FROM \" source-@ where-@?\n";

/// The words that SQLite or PostgreSQL may read as something else than a name.
const KEYWORDS: &str = " \
abort action add after all alter always analyse analyze and any array as asc asymmetric attach \
authorization autoincrement before begin between binary both by cascade case cast char character \
check coalesce collate collation column commit concurrently conflict constraint create cross \
current current_catalog current_date current_role current_schema current_time current_timestamp \
current_user database decimal default deferrable deferred delete desc detach distinct do drop \
each else end escape except exclude exclusive exists explain extract fail false fetch filter \
first float following for foreign freeze from full generated glob grant group groups having if \
ignore ilike immediate in index indexed initially inner insert instead int integer intersect \
interval into is isnull join key last lateral leading left like limit localtime localtimestamp \
match materialized natural nchar no none not nothing notnull null nullif nulls numeric of offset \
on only or order others outer over overlaps partition placing plan position pragma preceding \
precision primary query raise range real recursive references regexp reindex release rename \
replace restrict returning right rollback row rows savepoint select session_user set setof \
similar smallint some substring symmetric table tablesample temp temporary then ties time \
timestamp to trailing transaction treat trigger trim true unbounded union unique update user \
using vacuum values varchar variadic verbose view virtual when where window with without ";

/// The grammar of all queries over the tables, or why there is none.
pub fn grammar(tables: &[Table<'_>], joins: &[Join<'_>]) -> Result<String, String> {
    let mut scopes = Vec::new();
    for table in tables {
        scopes.push(scope(tables, &[table.name], identifier(table.name)?)?);
    }
    let single = scopes.len();
    for join in joins {
        let (left, right) = (
            qualified(tables, join.left)?,
            qualified(tables, join.right)?,
        );
        let names = [join.left.0, join.right.0];
        let [first, second] = [identifier(names[0])?, identifier(names[1])?];
        let source = format!("{first} JOIN {second} ON {left} = {right}");
        scopes.push(scope(tables, &names, source)?);
    }
    let all = |scopes: usize, rule: &str| {
        let names: Vec<String> = (0..scopes).map(|place| format!("{rule}-{place}")).collect();
        names.join(" | ")
    };
    let mut text = format!("root ::= ({}) \";\"?\n", all(scopes.len(), "select"));
    let _ = writeln!(text, "subquery ::= {}", all(single, "inner"));
    text.push_str(SHARED);
    for (place, scope) in scopes.iter().enumerate() {
        write_scope(&mut text, place, scope, place < single);
    }
    Ok(text)
}

/// Writes the rules of a scope, and that of its subquery if there may be one.
fn write_scope(text: &mut String, place: usize, scope: &Scope, is_inner: bool) {
    let numbered = |rules: &str| rules.replace("-@", &format!("-{place}"));
    text.push_str(&numbered(OF_SCOPE));
    if is_inner {
        text.push_str(&numbered(INNER));
    }
    let _ = writeln!(text, "source-{place} ::= {}", literal(&scope.source));
    for (rule, names) in [("numeric", &scope.numbers), ("textual", &scope.texts)] {
        let names: Vec<String> = names.iter().map(|name| literal(name)).collect();
        let _ = writeln!(text, "{rule}-{place} ::= {}", names.join(" | "));
    }
}

/// The columns of some tables, with the tables' names before them if there are several.
fn scope(tables: &[Table<'_>], names: &[&str], source: String) -> Result<Scope, String> {
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for name in names {
        let table = table(tables, name)?;
        for (column, kind) in table.columns {
            let name = match names {
                [_] => identifier(column)?,
                _ => qualified(tables, (name, column))?,
            };
            match kind {
                Kind::Number => numbers.push(name),
                Kind::Text => texts.push(name),
            }
        }
    }
    if numbers.is_empty() || texts.is_empty() {
        return Err(format!(
            "{source} needs a column of numbers and one of texts"
        ));
    }
    Ok(Scope {
        source,
        numbers,
        texts,
    })
}

fn table<'t>(tables: &'t [Table<'t>], name: &str) -> Result<&'t Table<'t>, String> {
    let found = tables.iter().find(|table| table.name == name);
    found.ok_or_else(|| format!("there is no table {name:?}"))
}

/// A column with its table's name before it.
fn qualified(tables: &[Table<'_>], (name, column): (&str, &str)) -> Result<String, String> {
    let table = table(tables, name)?;
    if !table.columns.iter().any(|(known, _)| *known == column) {
        return Err(format!("the table {name:?} has no column {column:?}"));
    }
    Ok(format!("{}.{}", identifier(name)?, identifier(column)?))
}

/// A name as a database reads it: in quotation marks if it is not of small letters or is a keyword.
fn identifier(name: &str) -> Result<String, String> {
    if name.is_empty() || name.contains('\0') {
        return Err(format!("{name:?} is no name of a database"));
    }
    let is_small = |c: char| c.is_ascii_lowercase() || c == '_';
    let is_plain = name.starts_with(is_small)
        && name.chars().all(|c| is_small(c) || c.is_ascii_digit())
        && !KEYWORDS.contains(&format!(" {name} "));
    if is_plain {
        return Ok(name.to_owned());
    }
    Ok(format!("\"{}\"", name.replace('"', "\"\"")))
}

/// A literal of EBNF for a text.
fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            character if character.is_control() => {
                let _ = write!(literal, "\\u{:04x}", u32::from(character));
            }
            character => literal.push(character),
        }
    }
    literal.push('"');
    literal
}
