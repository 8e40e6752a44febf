//! All that lives in the module: the objects by their handles, what came in and what goes out.

use std::cell::RefCell;

use maskwright_core::OwnedMatcher;

use crate::objects::{Failure, Grammar};
use crate::vocabulary::Vocabulary;

/// An object that JavaScript has a handle of.
pub(crate) enum Object {
    Vocabulary(Box<Vocabulary>),
    Grammar(Grammar),
    Matcher(Box<OwnedMatcher>),
}

/// What lives in the module.
#[derive(Default)]
pub(crate) struct Store {
    /// Handle `n` is the object at `n - 1`.
    objects: Vec<Option<Object>>,
    /// What JavaScript has written for the next call, in order.
    inputs: Vec<Vec<u8>>,
    /// What the last call has to say.
    pub(crate) reply: Vec<u8>,
}

thread_local! {
    static STORE: RefCell<Store> = RefCell::default();
}

/// Calls `with` with all that lives in the module. No function does so within another one.
pub(crate) fn with<R>(with: impl FnOnce(&mut Store) -> R) -> R {
    STORE.with_borrow_mut(with)
}

macro_rules! of_kind {
    ($($function:ident, $kind:ident: $type:ty, $name:literal;)*) => {$(
        pub(crate) fn $function(&mut self, handle: u32) -> Result<&mut $type, Failure> {
            match self.object(handle) {
                Some(Object::$kind(object)) => Ok(object),
                _ => Err(Failure::text(concat!("this is no ", $name, ", or it was freed"))),
            }
        }
    )*};
}

impl Store {
    /// Room for the next input; where it begins.
    pub(crate) fn input(&mut self, length: usize) -> *mut u8 {
        self.inputs.push(vec![0; length]);
        self.inputs
            .last_mut()
            .map_or(std::ptr::null_mut(), |input| input.as_mut_ptr())
    }

    /// The next input; empty if there is none.
    pub(crate) fn next_input(&mut self) -> Vec<u8> {
        match self.inputs.is_empty() {
            true => Vec::new(),
            false => self.inputs.remove(0),
        }
    }

    /// Drops inputs that nobody has asked for.
    pub(crate) fn drop_inputs(&mut self) {
        self.inputs.clear();
    }

    /// The handle of a new object.
    pub(crate) fn add(&mut self, object: Object) -> u32 {
        let at = self.objects.iter().position(Option::is_none);
        let at = at.unwrap_or_else(|| {
            self.objects.push(None);
            self.objects.len() - 1
        });
        if let Some(free) = self.objects.get_mut(at) {
            *free = Some(object);
        }
        at as u32 + 1
    }

    /// Drops an object.
    pub(crate) fn free(&mut self, handle: u32) {
        if let Some(object) = self.object_mut(handle) {
            *object = None;
        }
    }

    fn object_mut(&mut self, handle: u32) -> Option<&mut Option<Object>> {
        self.objects.get_mut((handle as usize).checked_sub(1)?)
    }

    fn object(&mut self, handle: u32) -> Option<&mut Object> {
        self.object_mut(handle)?.as_mut()
    }

    of_kind! {
        vocabulary, Vocabulary: Vocabulary, "vocabulary";
        grammar, Grammar: Grammar, "grammar";
        matcher, Matcher: OwnedMatcher, "matcher";
    }
}
