//! Sets of numbers as finite automata over their texts.

/// How numbers may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberForms {
    /// With an exponent, as in `1e5`.
    pub exponents: bool,
    /// Integers with a fraction of zeros, as in `1.0`.
    pub integral_fractions: bool,
}

impl Default for NumberForms {
    fn default() -> Self {
        NumberForms {
            exponents: true,
            integral_fractions: false,
        }
    }
}
