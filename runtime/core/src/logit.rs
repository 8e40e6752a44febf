//! Logits as engines keep them.

mod sealed {
    pub trait Sealed {}
}

/// A number as which an engine keeps a logit: `f32`, and with the feature `half` `half::f16` and
/// `half::bf16`.
///
/// Masks write minus infinity of the type itself, and compare logits as `f32`, which has every
/// value of the other two.
pub trait Logit: Copy + sealed::Sealed {
    /// The logit of a token that may not come next.
    const NEG_INFINITY: Self;

    /// The same number.
    fn to_f32(self) -> f32;
}

impl sealed::Sealed for f32 {}

impl Logit for f32 {
    const NEG_INFINITY: Self = f32::NEG_INFINITY;

    #[inline]
    fn to_f32(self) -> f32 {
        self
    }
}

#[cfg(feature = "half")]
mod halves {
    use super::{Logit, sealed};

    macro_rules! logit {
        ($number:ty) => {
            impl sealed::Sealed for $number {}

            impl Logit for $number {
                const NEG_INFINITY: Self = <$number>::NEG_INFINITY;

                #[inline]
                fn to_f32(self) -> f32 {
                    <$number>::to_f32(self)
                }
            }
        };
    }

    logit!(half::f16);
    logit!(half::bf16);
}
