//! Setters for structs of options.
//!
//! Structs of options are `#[non_exhaustive]`, so that a new option breaks no one. Other crates
//! cannot write them as literals then; they chain setters behind `default()`, or assign the fields.

/// Makes a method for each field that sets it and returns the struct. The list is that of the
/// fields.
macro_rules! setters {
    ($options:ident { $($field:ident: $kind:ty,)* }) => {
        impl $options {
            $(
                #[doc = concat!("The same with this [`", stringify!($field), "`](#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: $kind) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

pub(crate) use setters;
