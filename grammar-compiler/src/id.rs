//! Typed indices: numbers that say what they count.

/// Declares an index of its own type, which costs what a `u32` costs.
macro_rules! id {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident;) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        $visibility struct $name(u32);

        #[allow(dead_code, reason = "not every index is used in every way")]
        impl $name {
            /// The index with this number.
            #[inline]
            pub const fn new(number: u32) -> Self {
                $name(number)
            }

            /// The index of the item at a place.
            #[inline]
            pub const fn at(place: usize) -> Self {
                $name(place as u32)
            }

            /// Its number.
            #[inline]
            pub const fn number(self) -> u32 {
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
