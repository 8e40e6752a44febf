//! Whether a text that is refused is only in another order than the grammar's.
//!
//! A schema fixes the order of an object's keys where the options say so; a recorded instance need
//! not keep to it. So for a refused instance an accepted order is searched, by trying, within
//! bounds: first the key that closes the fewest others, and of these the first in the schema that
//! names most of them. An order that is found was accepted, so no other cause can hide behind it;
//! none may be found though there is one.

use super::python;
use maskwright_compiler::syntax::json_schema::document::{JsonNode, JsonValue, Member};
use maskwright_core::OwnedMatcher;
use std::collections::HashMap;

/// How many members are tried for one instance.
const TRIES: usize = 100_000;

/// Orders of keys that a schema names.
pub struct Orders<'s>(Vec<HashMap<&'s str, usize>>);

impl<'s> Orders<'s> {
    /// The orders in a schema: of each object that is the value of a `properties`.
    pub fn of(schema: &'s JsonNode) -> Self {
        let mut orders = Vec::new();
        let mut stack = vec![schema];
        while let Some(node) = stack.pop() {
            match &node.value {
                JsonValue::Array(items) => stack.extend(items),
                JsonValue::Object(members) => {
                    let named = node.get("properties").and_then(JsonNode::members);
                    orders.extend(named.map(|named| {
                        let keys = named.iter().map(|member| member.key.as_str());
                        keys.zip(0..).collect()
                    }));
                    stack.extend(members.iter().map(|member| &member.value));
                }
                _ => {}
            }
        }
        Orders(orders)
    }

    /// The members, in the order that knows most of them.
    fn sorted<'n>(&self, members: &'n [Member]) -> Vec<&'n Member> {
        let known = |order: &&HashMap<&str, usize>| {
            let known = members
                .iter()
                .filter(|m| order.contains_key(m.key.as_str()));
            known.count()
        };
        let mut sorted: Vec<&Member> = members.iter().collect();
        if let Some(order) = self.0.iter().max_by_key(known) {
            sorted.sort_by_key(|m| order.get(m.key.as_str()).copied().unwrap_or(usize::MAX));
        }
        sorted
    }

    /// Whether some order of the keys in `instance` is accepted.
    pub fn accepted(&self, instance: &JsonNode, start: &OwnedMatcher) -> bool {
        let mut search = Search {
            orders: self,
            tries: TRIES,
        };
        let end = search.value(instance, start.fork());
        end.is_some_and(|matcher| matcher.is_complete())
    }
}

struct Search<'o> {
    orders: &'o Orders<'o>,
    /// How many more members may be tried.
    tries: usize,
}

impl Search<'_> {
    /// The matcher after `node`, if some order is accepted.
    fn value(&mut self, node: &JsonNode, mut matcher: OwnedMatcher) -> Option<OwnedMatcher> {
        match &node.value {
            JsonValue::Array(items) => {
                feed(&mut matcher, "[")?;
                for (index, item) in items.iter().enumerate() {
                    feed(&mut matcher, if index == 0 { "" } else { ", " })?;
                    matcher = self.value(item, matcher)?;
                }
                feed(&mut matcher, "]")?;
                Some(matcher)
            }
            JsonValue::Object(members) => {
                feed(&mut matcher, "{")?;
                let sorted = self.orders.sorted(members);
                self.members(&sorted, true, matcher)
            }
            _ => {
                feed(&mut matcher, &python::dumps(node))?;
                Some(matcher)
            }
        }
    }

    /// The matcher after all `members` and the brace.
    fn members(
        &mut self,
        members: &[&Member],
        first: bool,
        mut matcher: OwnedMatcher,
    ) -> Option<OwnedMatcher> {
        if members.is_empty() {
            feed(&mut matcher, "}")?;
            return Some(matcher);
        }
        // First what closes the fewest of the others: what is passed over in a fixed order cannot
        // come later. What is not open yet does not count, since it may stand behind a required
        // key.
        let open: Vec<bool> = members
            .iter()
            .map(|m| is_open(m, first, &matcher))
            .collect();
        let mut ways = Vec::new();
        for (index, member) in members.iter().enumerate() {
            self.tries = self.tries.checked_sub(1)?;
            let Some(after) = self.member(member, first, matcher.fork()) else {
                continue;
            };
            let others = members.iter().zip(&open).enumerate();
            let closed = others
                .filter(|&(other, (m, was_open))| {
                    other != index && *was_open && !is_open(m, false, &after)
                })
                .count();
            let mut rest = members.to_vec();
            rest.remove(index);
            ways.push((closed, after, rest));
        }
        ways.sort_by_key(|(closed, ..)| *closed);
        let mut ways = ways.into_iter();
        ways.find_map(|(_, after, rest)| self.members(&rest, false, after))
    }

    fn member(
        &mut self,
        member: &Member,
        first: bool,
        mut matcher: OwnedMatcher,
    ) -> Option<OwnedMatcher> {
        feed(&mut matcher, &key(member, first))?;
        self.value(&member.value, matcher)
    }
}

/// Whether the key of `member` may come next.
fn is_open(member: &Member, first: bool, matcher: &OwnedMatcher) -> bool {
    feed(&mut matcher.fork(), &key(member, first)).is_some()
}

/// What stands before the value of a member.
fn key(member: &Member, first: bool) -> String {
    let mut key = String::from(if first { "" } else { ", " });
    python::string(&member.key, &mut key);
    key.push_str(": ");
    key
}

fn feed(matcher: &mut OwnedMatcher, text: &str) -> Option<()> {
    matcher.accept_bytes(text.as_bytes()).ok()
}
