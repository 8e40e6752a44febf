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
            /// The index with this number.
            #[inline]
            pub const fn new(number: $number) -> Self {
                $name(number)
            }

            /// The index of the item at a place.
            #[inline]
            pub const fn at(place: usize) -> Self {
                $name(place as $number)
            }

            /// Its number.
            #[inline]
            pub const fn number(self) -> $number {
                self.0
            }

            /// The place of its item.
            #[inline]
            pub const fn place(self) -> usize {
                self.0 as usize
            }
        }
    };
}

pub(crate) use id;
