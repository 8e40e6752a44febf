//! Arguments and conditions of parametric rules.

use super::parser::Parser;
use super::tree::{Bits, Compare, Condition, Name, Value};
use crate::error::Error;

const ALL: Bits = Bits { from: 0, to: 64 };

impl Parser<'_> {
    /// What stands behind `name::`.
    pub(super) fn argument(&mut self) -> Result<Value, Error> {
        if self.take("_") {
            return Ok(Value::Same);
        }
        if matches!(self.peek().kind, super::token::Kind::Number) {
            return self.number("a number").map(Value::Constant);
        }
        let name = self.name("a number, `_` or a function of it after `::`")?;
        self.expect("(")?;
        let value = match name.text.as_str() {
            "set_bit" => Value::Or(1 << self.bit()?),
            "clear_bit" => Value::And(!(1 << self.bit()?)),
            "bit_and" => Value::And(self.number("a number")?),
            "bit_or" => Value::Or(self.number("a number")?),
            "incr" => Value::Increment(self.bits()?),
            "decr" => Value::Decrement(self.bits()?),
            _ => {
                return Err(unknown(&name, "function").help(
                    "there are `set_bit`, `clear_bit`, `bit_and`, `bit_or`, `incr` and `decr`",
                ));
            }
        };
        self.expect(")")?;
        Ok(value)
    }

    /// The number of a bit.
    fn bit(&mut self) -> Result<u32, Error> {
        let span = self.span();
        match self.number("the number of a bit")? {
            bit @ 0..64 => Ok(bit as u32),
            _ => Err(Error::new("bits are numbered from 0 to 63", span)),
        }
    }

    /// `_` or `[x:y]`.
    fn bits(&mut self) -> Result<Bits, Error> {
        if self.take("_") {
            return Ok(ALL);
        }
        let start = self.span().start;
        self.expect("[")?;
        let from = self.number("the number of a bit")?;
        self.expect(":")?;
        let to = self.number("the number of a bit")?;
        self.expect("]")?;
        if from < to && to <= 64 {
            return Ok(Bits {
                from: from as u32,
                to: to as u32,
            });
        }
        Err(Error::new("this range holds no bits", start..self.end())
            .help("`[x:y]` are the bits from x to before y, where x < y ≤ 64"))
    }

    /// What stands behind `%if`.
    pub(super) fn condition(&mut self) -> Result<Condition, Error> {
        self.nested(|parser| {
            let name = parser.name("a condition")?;
            if name.text == "true" {
                return Ok(Condition::True);
            }
            parser.expect("(")?;
            let condition = parser.condition_of(&name)?;
            parser.expect(")")?;
            Ok(condition)
        })
    }

    /// A condition but for its brackets.
    fn condition_of(&mut self, name: &Name) -> Result<Condition, Error> {
        let set = |bit: u32, is_set| {
            Condition::Bits(
                Bits {
                    from: bit,
                    to: bit + 1,
                },
                Compare::Equal,
                is_set,
            )
        };
        Ok(match name.text.as_str() {
            "bit_set" => set(self.bit()?, 1),
            "bit_clear" => set(self.bit()?, 0),
            "is_ones" => {
                let bits = self.bits()?;
                Condition::Count(bits, Compare::Equal, u64::from(bits.to - bits.from))
            }
            "is_zeros" => Condition::Bits(self.bits()?, Compare::Equal, 0),
            "and" => Condition::And(self.conditions()?),
            "or" => Condition::Or(self.conditions()?),
            "not" => Condition::Not(Box::new(self.condition()?)),
            other => {
                let (compared, is_count) = match other.strip_prefix("bit_count_") {
                    Some(compared) => (compared, true),
                    None => (other, false),
                };
                let Some(compare) = compare(compared) else {
                    return Err(unknown(name, "condition").help(
                        "there are `true`, `bit_set`, `bit_clear`, `is_ones`, `is_zeros`, `eq`, \
                         `ne`, `lt`, `le`, `gt`, `ge`, `bit_count_eq` and so on, `and`, `or` and \
                         `not`",
                    ));
                };
                let bits = self.bits()?;
                self.expect(",")?;
                let number = self.number("a number")?;
                match is_count {
                    true => Condition::Count(bits, compare, number),
                    false => Condition::Bits(bits, compare, number),
                }
            }
        })
    }

    fn conditions(&mut self) -> Result<Vec<Condition>, Error> {
        let mut conditions = vec![self.condition()?];
        while self.take(",") {
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }
}

fn compare(name: &str) -> Option<Compare> {
    Some(match name {
        "eq" => Compare::Equal,
        "ne" => Compare::NotEqual,
        "lt" => Compare::Less,
        "le" => Compare::LessOrEqual,
        "gt" => Compare::Greater,
        "ge" => Compare::GreaterOrEqual,
        _ => return None,
    })
}

fn unknown(name: &Name, what: &str) -> Error {
    Error::new(
        format!("there is no {what} `{}`", name.text),
        name.span.clone(),
    )
}

impl Bits {
    /// These bits of `value` as a number.
    pub(crate) fn of(self, value: u64) -> u64 {
        (value >> self.from) & self.mask()
    }

    /// The largest number that these bits can be.
    fn mask(self) -> u64 {
        u64::MAX >> (64 - (self.to - self.from))
    }

    /// `value` with these bits replaced.
    fn put(self, value: u64, bits: u64) -> u64 {
        (value & !(self.mask() << self.from)) | (bits << self.from)
    }
}

impl Value {
    /// Its value where the parameter is `value`; none where it needs one that is not there.
    pub(crate) fn at(self, value: Option<u64>) -> Option<u64> {
        if let Value::Constant(constant) = self {
            return Some(constant);
        }
        let value = value?;
        Some(match self {
            Value::Constant(constant) => constant,
            Value::Same => value,
            Value::And(mask) => value & mask,
            Value::Or(mask) => value | mask,
            Value::Increment(bits) => match bits.of(value) {
                full if full == bits.mask() => value,
                number => bits.put(value, number + 1),
            },
            Value::Decrement(bits) => bits.put(value, bits.of(value).saturating_sub(1)),
        })
    }
}

impl Compare {
    fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::LessOrEqual => left <= right,
            Compare::Greater => left > right,
            Compare::GreaterOrEqual => left >= right,
        }
    }
}

impl Condition {
    /// Whether it holds where the parameter is `value`.
    pub(crate) fn holds(&self, value: u64) -> bool {
        match self {
            Condition::True => true,
            Condition::Bits(bits, compare, number) => compare.holds(bits.of(value), *number),
            Condition::Count(bits, compare, number) => {
                compare.holds(u64::from(bits.of(value).count_ones()), *number)
            }
            Condition::And(parts) => parts.iter().all(|part| part.holds(value)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(value)),
            Condition::Not(part) => !part.holds(value),
        }
    }

    /// Whether it says something about the parameter.
    pub(crate) fn uses_parameter(&self) -> bool {
        match self {
            Condition::True => false,
            Condition::Bits(..) | Condition::Count(..) => true,
            Condition::And(parts) | Condition::Or(parts) => parts.iter().any(Self::uses_parameter),
            Condition::Not(part) => part.uses_parameter(),
        }
    }
}
