//! Nodes worked out: from conjunctions of schemas to cases by type.
//!
//! In: a `Model` and a node. Out: its [`ValueShape`]. A schema's shape is the intersection of its
//! parts'; its complement is the union of their complements. Shapes are kept, so each schema is
//! worked out once for each sign.

use crate::error::Code;
use std::rc::Rc;

use super::evaluated::forget_evaluated;
use super::parts::SchemaPart;
use super::shape::{MAX_CASES, MAX_MADE, add, add_string, check_cases};
use super::{ANY, ArrayCase, Literal, NEVER, NodeId, Problem, SchemaValues, ValueAtom, ValueShape};
use crate::limits::LimitExceeded;
use crate::syntax::json_schema::model::{Keywords, Schema, SchemaId, SchemaKind, SchemaPlace};

/// No more nodes than this.
const MAX_NODES: usize = 200_000;
/// Up to this number of object cases, nobody checks which of them have no value.
const FEW_CASES: usize = 8;
/// Schemas may refer to one another at one place in the value no deeper than this.
const MAX_DEPTH: usize = 80;
/// The most keywords of one schema that are refused at once.
const MOST_REFUSED: usize = 20;

impl<'m> SchemaValues<'m> {
    /// Ignores a keyword that cannot be honoured, if the options say so.
    pub(crate) fn refuse(&mut self, problem: Problem) -> Result<(), Problem> {
        match &problem.keyword {
            Some(keyword) if self.lenient.contains(keyword) => {
                self.ignore(problem);
                Ok(())
            }
            keyword => {
                let place = keyword.as_deref().map(|keyword| self.place(Some(keyword)));
                match (&mut self.refused, place) {
                    (Some(refused), Some(place)) if refused.len() < MOST_REFUSED => {
                        refused.push(problem.or_at(|| place));
                        Ok(())
                    }
                    _ => Err(problem),
                }
            }
        }
    }

    /// Notes a keyword that is ignored.
    pub(crate) fn ignore(&mut self, problem: Problem) {
        self.warn(problem.ignored());
    }

    /// Notes a problem that does not change the grammar.
    pub(super) fn warn(&mut self, problem: Problem) {
        let place = self.place(problem.keyword.as_deref());
        self.warnings.push(problem.or_at(|| place));
    }

    /// Says which node's text is being made: where a problem is met meanwhile.
    pub(crate) fn look_at(&mut self, node: NodeId) {
        self.focus = node;
    }

    /// Where the innermost schema that is being worked out stands, or its keyword.
    fn place(&self, keyword: Option<&str>) -> SchemaPlace {
        let Some(schema) = self.innermost() else {
            return SchemaPlace::default();
        };
        let keyword = keyword.and_then(|keyword| schema.place_of(keyword));
        keyword.unwrap_or(&schema.place).clone()
    }

    /// The problem as one of the first of these keywords that the schema has whose text is being
    /// made; of the whole schema, if it has none.
    pub(crate) fn blame(&self, problem: Problem, keywords: &[&str]) -> Problem {
        let Some(schema) = self.innermost() else {
            return problem;
        };
        let mut places = (keywords.iter()).map(|&keyword| (keyword, schema.place_of(keyword)));
        let found = places.find_map(|(keyword, place)| Some((keyword, place?)));
        let (keyword, place) = match found {
            Some((keyword, place)) => (Some(keyword.to_owned()), place),
            None => (None, &schema.place),
        };
        Problem {
            keyword,
            ..problem.or_at(|| place.clone())
        }
    }

    /// The innermost schema that is being worked out, or whose text is being made.
    fn innermost(&self) -> Option<&'m Schema> {
        let schema_of = |literal: &Literal| match literal.atom {
            ValueAtom::Schema(id) => self.model.schema(id),
            _ => None,
        };
        let open = self.open.iter().rev().find_map(|open| schema_of(&open.0));
        let focus = || self.nodes.literals(self.focus).iter().find_map(schema_of);
        open.or_else(focus)
    }

    /// The cases of a node. `tracked` keeps account of what is evaluated.
    pub fn shape(&mut self, node: NodeId, tracked: bool) -> Result<Rc<ValueShape>, Problem> {
        if let Some(shape) = self.node_shapes.get(&(node, tracked)) {
            return Ok(Rc::clone(shape));
        }
        if self.nodes.count() > MAX_NODES {
            return Err(Problem::too_large(format!(
                "it needs more than {MAX_NODES} different sets of values"
            )));
        }
        let shape = match node {
            ANY => Rc::new(ValueShape::any()),
            NEVER => Rc::new(ValueShape::never()),
            _ => {
                let mut shape: Option<Rc<ValueShape>> = None;
                for literal in self.nodes.literals(node).to_vec() {
                    let next = self.literal(literal, tracked)?;
                    shape = Some(match shape {
                        None => next,
                        Some(shape) => Rc::new(self.intersect(&shape, &next)?),
                    });
                }
                shape.unwrap_or_else(|| Rc::new(ValueShape::any()))
            }
        };
        self.node_shapes.insert((node, tracked), Rc::clone(&shape));
        Ok(shape)
    }

    fn literal(&mut self, literal: Literal, tracked: bool) -> Result<Rc<ValueShape>, Problem> {
        let key = (literal, tracked);
        if let Some(shape) = self.shapes.get(&key) {
            return Ok(Rc::clone(shape));
        }
        let shape = self.opened(key, |values| values.work_out(literal, tracked))?;
        let shape = Rc::new(shape);
        self.shapes.insert(key, Rc::clone(&shape));
        Ok(shape)
    }

    /// Runs `work` while the literal is marked as being worked out. A problem without a place is
    /// given the place of the literal's schema.
    fn opened(
        &mut self,
        key: (Literal, bool),
        work: impl FnOnce(&mut Self) -> Result<ValueShape, Problem>,
    ) -> Result<ValueShape, Problem> {
        if self.open.contains(&key) {
            return Err(self.endless());
        }
        if self.open.len() > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.open.push(key);
        let shape = work(self).map_err(|problem| {
            let place = self.place(problem.keyword.as_deref());
            problem.or_at(|| place)
        });
        self.open.pop();
        shape
    }

    /// The values of a node, as far as they are `within` a shape. Only `oneOf` looks at the shape:
    /// where the property that tells its alternatives apart is required by a schema around it, they
    /// have no value in common.
    pub(super) fn shape_within(
        &mut self,
        node: NodeId,
        tracked: bool,
        within: &ValueShape,
    ) -> Result<ValueShape, Problem> {
        match self.alternatives(node) {
            Some((literal, schemas)) if *within != ValueShape::any() => {
                let nodes = self.nodes_of(schemas);
                self.opened((literal, tracked), |values| {
                    values.exactly_one(&nodes, tracked, within)
                })
            }
            _ => Ok(self.shape(node, tracked)?.as_ref().clone()),
        }
    }

    /// The alternatives of a node that is one schema with `oneOf` and nothing else.
    fn alternatives(&self, node: NodeId) -> Option<(Literal, &'m [SchemaId])> {
        let &[literal] = self.nodes.literals(node) else {
            return None;
        };
        match literal {
            Literal {
                atom: ValueAtom::Schema(id),
                holds: true,
            } => match &self.model.schema(id)?.kind {
                SchemaKind::Keywords(keywords) => Some((literal, keywords.only_alternatives()?)),
                SchemaKind::Never | SchemaKind::Any => None,
            },
            _ => None,
        }
    }

    /// Whether a part is several cases of its own, not those of one schema.
    fn has_alternatives(&self, part: &SchemaPart) -> bool {
        match part {
            SchemaPart::All(node) => self.alternatives(*node).is_some(),
            _ => part.is_combinator(),
        }
    }

    fn endless(&self) -> Problem {
        Problem {
            code: Code::SchemaRecursion,
            keyword: None,
            why: "the schema refers to itself for the same value, without end".to_owned(),
            help: "refer to it below `properties` or `items`, or drop the reference".to_owned(),
            place: Some(Box::new(self.place(Some("$ref")))),
            within: None,
        }
    }

    /// More schemas around one another, for the same value, than are followed.
    fn too_deep(&self) -> Problem {
        Problem {
            code: Code::LimitExceeded,
            keyword: None,
            why: format!("more than {MAX_DEPTH} schemas for the same value nest in one another"),
            help: "nest `not`, `allOf` and their like less deeply".to_owned(),
            place: Some(Box::new(self.place(None))),
            within: None,
        }
    }

    fn work_out(&mut self, literal: Literal, tracked: bool) -> Result<ValueShape, Problem> {
        self.check_time()?;
        match (literal.atom, literal.holds) {
            (ValueAtom::Schema(id), holds) => match self.model.schema(id).map(|s| &s.kind) {
                None | Some(SchemaKind::Never) => Ok(if holds {
                    ValueShape::never()
                } else {
                    ValueShape::any()
                }),
                Some(SchemaKind::Any) => Ok(if holds {
                    ValueShape::any()
                } else {
                    ValueShape::never()
                }),
                Some(SchemaKind::Keywords(keywords)) if holds => self.all(keywords, tracked),
                Some(SchemaKind::Keywords(keywords)) => self.not_all(keywords),
            },
            (ValueAtom::Constant(id), true) => self.constants(&[id]),
            (ValueAtom::Constant(id), false) => self.not_constants(&[id]),
            (ValueAtom::Node(node), true) => Ok(self.shape(node, tracked)?.as_ref().clone()),
            (ValueAtom::Node(node), false) => {
                let mut shape = ValueShape::never();
                for literal in self.nodes.literals(node).to_vec() {
                    let other = self.literal(literal.negated(), false)?;
                    shape = shape.union(other.as_ref().clone(), self.deadline)?;
                }
                Ok(shape)
            }
        }
    }

    /// The values that satisfy all keywords.
    fn all(&mut self, keywords: &Keywords, tracked: bool) -> Result<ValueShape, Problem> {
        let inner = tracked || keywords.has_unevaluated();
        let mut shape = self.all_parts(keywords, inner)?;
        if let Some(schema) = keywords.object.unevaluated {
            self.unevaluated_properties(&mut shape, schema)?;
        }
        if let Some(schema) = keywords.array.unevaluated {
            self.unevaluated_items(&mut shape, schema);
        }
        if !tracked {
            forget_evaluated(&mut shape);
        }
        Ok(shape)
    }

    /// The values that satisfy all keywords but those about what no other has evaluated.
    pub(super) fn all_parts(
        &mut self,
        keywords: &Keywords,
        tracked: bool,
    ) -> Result<ValueShape, Problem> {
        let parts = self.parts(keywords)?;
        let within = self.simple(&parts)?;
        let mut shape: Option<ValueShape> = None;
        for part in parts {
            let mut next = self.holds(&part, tracked, &within)?;
            if next.objects.len() > FEW_CASES {
                self.drop_outside(&mut next, &within);
            }
            shape = Some(match shape {
                None => next,
                Some(shape) => self.intersect(&shape, &next)?,
            });
            if let Some(shape) = shape.as_mut().filter(|s| s.objects.len() > FEW_CASES) {
                self.drop_empty(shape);
            }
        }
        Ok(shape.unwrap_or_else(ValueShape::any))
    }

    /// The values for which all parts hold that are one case each; all values if there are no
    /// alternatives beside them.
    fn simple(&mut self, parts: &[SchemaPart]) -> Result<ValueShape, Problem> {
        let mut shape = ValueShape::any();
        if parts.iter().any(|part| self.has_alternatives(part)) {
            for part in parts.iter().filter(|part| !part.is_combinator()) {
                let held = self.holds(part, false, &ValueShape::any())?;
                shape = self.intersect(&shape, &held)?;
            }
        }
        Ok(shape)
    }

    /// The values that do not satisfy some keyword.
    fn not_all(&mut self, keywords: &Keywords) -> Result<ValueShape, Problem> {
        // Each part fails where those before it hold, as long as that is one case: then the cases
        // exclude each other.
        let mut parts = self.parts(keywords)?;
        parts.sort_by_key(SchemaPart::is_combinator);
        let mut shape = ValueShape::never();
        let mut kept = ValueShape::any();
        for part in parts {
            let other = self.fails(&part)?;
            shape = shape.union(self.intersect(&kept, &other)?, self.deadline)?;
            if !part.is_combinator() {
                let held = self.holds(&part, false, &kept)?;
                kept = self.intersect(&kept, &held)?;
            }
        }
        if keywords.has_unevaluated() {
            let others = self.some_unevaluated(keywords)?;
            shape = shape.union(others, self.deadline)?;
        }
        Ok(shape)
    }

    /// The values that are not in a node.
    pub(super) fn not_shape(&mut self, node: NodeId) -> Result<ValueShape, Problem> {
        let not = self.nodes.negation(node);
        Ok(self.shape(not, false)?.as_ref().clone())
    }

    pub(super) fn both_shapes(
        &mut self,
        a: NodeId,
        b: NodeId,
        tracked: bool,
    ) -> Result<ValueShape, Problem> {
        let (a, b) = (self.shape(a, tracked)?, self.shape(b, tracked)?);
        self.intersect(&a, &b)
    }

    /// The values in both shapes.
    pub(super) fn intersect(
        &mut self,
        a: &ValueShape,
        b: &ValueShape,
    ) -> Result<ValueShape, Problem> {
        let mut shape = ValueShape {
            null: a.null && b.null,
            booleans: [
                a.booleans[0] && b.booleans[0],
                a.booleans[1] && b.booleans[1],
            ],
            numbers: a.numbers.intersect(&b.numbers)?,
            plain_integers: a.common_plain_integers(b)?,
            ..ValueShape::never()
        };
        let products = (a.strings.len() * b.strings.len())
            .max(a.arrays.len() * b.arrays.len())
            .max(a.objects.len() * b.objects.len());
        if products > MAX_CASES * 20 {
            return Err(Problem::too_large("its alternatives multiply"));
        }
        for x in &a.strings {
            for y in &b.strings {
                self.check_time()?;
                if let Some(case) = x.intersect(y, self.deadline)? {
                    add_string(&mut shape.strings, case, self.deadline)?;
                }
            }
        }
        for x in &a.arrays {
            self.deadline.check("intersecting schemas")?;
            for y in &b.arrays {
                if let Some(case) = x.intersect(y, &mut self.nodes) {
                    add(&mut shape.arrays, case, ArrayCase::is_within);
                }
            }
            check_cases(shape.arrays.len(), MAX_MADE)?;
        }
        for x in &a.objects {
            self.deadline.check("intersecting schemas")?;
            for y in &b.objects {
                if let Some(case) = x.intersect(y, &mut self.nodes, self.deadline)? {
                    add(&mut shape.objects, case, |case, other| {
                        case.is_within(other, self.deadline)
                    });
                }
            }
            check_cases(shape.objects.len(), MAX_MADE)?;
        }
        shape.bounded()
    }
}

impl From<LimitExceeded> for Problem {
    fn from(limit: LimitExceeded) -> Self {
        Problem::too_large(limit.to_string())
    }
}
