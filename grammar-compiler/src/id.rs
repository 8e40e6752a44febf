//! Typed indices: numbers that say what they count.

/// Declares an index of its own type, which costs what its number costs: a `u32`, unless another
/// type is given.
macro_rules! id {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident;) => {
        $crate::id::id! { $(#[$attribute])* $visibility struct $name(u32); }
    };
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident($number:ty);) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        $visibility struct $name($number);

        $crate::maps::own_keys!($name);

        #[allow(dead_code, reason = "not every index is used in every way")]
        impl $name {
            /// The id with this number.
            #[inline]
            pub const fn new(number: $number) -> Self {
                $name(number)
            }

            /// The id of the item at an index.
            #[inline]
            pub const fn at(index: usize) -> Self {
                $name(index as $number)
            }

            /// Its number.
            #[inline]
            pub const fn number(self) -> $number {
                self.0
            }

            /// The index of its item.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

pub(crate) use id;
