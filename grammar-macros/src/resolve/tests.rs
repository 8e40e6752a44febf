//! Rules as tokens become the grammar that they spell.

use super::*;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;

fn resolved(tokens: TokenStream) -> syn::Result<Resolved> {
    let rules = rules::parse.parse2(tokens)?;
    resolve(&rules, Place::call_site(), &ParseOptions::default())
}

/// The expressions of all rules.
fn exprs(tokens: TokenStream) -> Vec<Expr> {
    resolved(tokens)
        .unwrap()
        .grammar
        .rules
        .into_iter()
        .map(|rule| rule.expr)
        .collect()
}

fn text(text: &str) -> Expr {
    Expr::Literal(text.into())
}

fn repeat(expr: Expr, min: u32, max: Option<u32>) -> Expr {
    Expr::Repeat {
        expr: Box::new(expr),
        min,
        max,
    }
}

#[test]
fn sequences_bind_tighter_than_alternatives() {
    let both = Expr::Seq(vec![text("a"), text("b")]);
    let exprs = exprs(quote! {
        root = "a" 'b' | other;
        other = "a" ('b' | other);
        empty = ;
        either = | "a" || ("b");
    });
    assert_eq!(exprs[0], Expr::Alt(vec![both, Expr::Ref(RuleId(1))]));
    assert_eq!(
        exprs[1],
        Expr::Seq(vec![
            text("a"),
            Expr::Alt(vec![text("b"), Expr::Ref(RuleId(1))])
        ])
    );
    assert_eq!(exprs[2], Expr::Seq(vec![]));
    let empty = || Expr::Seq(vec![]);
    assert_eq!(
        exprs[3],
        Expr::Alt(vec![empty(), text("a"), empty(), text("b")])
    );
}

#[test]
fn repetitions_apply_to_the_last_part_and_stack() {
    let exprs = exprs(quote! {
        root = "a" "b"*;
        others = ("a" "b")+ "c"? "d"{3} "e"{3,} "f"{3,5};
        stacked = "a"{2}*;
    });
    assert_eq!(
        exprs[0],
        Expr::Seq(vec![text("a"), repeat(text("b"), 0, None)])
    );
    let expected = vec![
        repeat(Expr::Seq(vec![text("a"), text("b")]), 1, None),
        repeat(text("c"), 0, Some(1)),
        repeat(text("d"), 3, Some(3)),
        repeat(text("e"), 3, None),
        repeat(text("f"), 3, Some(5)),
    ];
    assert_eq!(exprs[1], Expr::Seq(expected));
    assert_eq!(exprs[2], repeat(repeat(text("a"), 2, Some(2)), 0, None));
}

#[test]
fn classes_are_sorted_and_merged() {
    let exprs = exprs(quote! {
        root = ['x' 'b'..='d', 'a' "cz"];
        outside = [^ 'b'..='\u{10FFFF}'];
        bytes = [b'\x80'..=b'\xFF' b'\x7F'];
        other_bytes = [^ b'\x01'..=b'\xFF'];
        any = .;
    });
    assert_eq!(
        exprs[0],
        Expr::Class(vec![('a', 'd'), ('x', 'x'), ('z', 'z')])
    );
    assert_eq!(exprs[1], Expr::Class(vec![('\0', 'a')]));
    assert_eq!(exprs[2], Expr::Bytes(vec![(0x7F, 0xFF)]));
    assert_eq!(exprs[3], Expr::Bytes(vec![(0, 0)]));
    assert_eq!(exprs[4], Expr::Class(vec![('\0', char::MAX)]));
}

#[test]
fn all_errors_are_reported_and_nesting_is_bounded() {
    let errors = |tokens| resolved(tokens).unwrap_err().into_iter().count();
    assert_eq!(errors(quote!(root = @; other = "a" "b"{}; third = [];)), 3);
    assert_eq!(errors(quote!(start = a b; start = "c";)), 4);
    assert_eq!(errors(quote!()), 1);
    let mut deep = quote!("a");
    for _ in 0..201 {
        deep = quote!((#deep));
    }
    let error = resolved(quote!(root = #deep;)).unwrap_err();
    assert!(error.to_string().contains("200 deep"), "{error}");
}

#[test]
fn rules_that_the_root_does_not_reach_are_unused() {
    let resolved = resolved(quote!(spare = root; root = used; used = "a"; more = spare;)).unwrap();
    let unused: Vec<String> = resolved
        .warnings(Place::call_site())
        .into_iter()
        .map(|(message, _)| message)
        .collect();
    assert_eq!(
        unused,
        [
            "rule `spare` is never used (remove it, or refer to it)",
            "rule `more` is never used (remove it, or refer to it)"
        ]
    );
    assert_eq!(resolved.grammar.root, RuleId(1));
}
