//! Items that are linked: their parts are compiled by themselves.

use maskwright_compiler::build::Linker;
use maskwright_compiler::emit::{Embedding, LinkedItem};
use maskwright_compiler::link::NotLinked;
use maskwright_compiler::{Diagnostic, Options};
use quote::{ToTokens, quote};

use super::Group;
use crate::environment::Environment;
use crate::input::Item;
use crate::read::{self, Read};

impl Group<'_> {
    /// Links the tools or the tag of an item. Their parts have no warnings of their own.
    pub(super) fn link(
        &mut self,
        item: &Item,
        read: &Read,
        options: Options,
        environment: &Environment,
    ) -> syn::Result<Vec<Diagnostic>> {
        let Read::Text { text, literal, .. } = read else {
            return Err(syn::Error::new(
                item.name.span(),
                "only tools and structural tags are linked",
            ));
        };
        let of_name = |message: &str| syn::Error::new(item.name.span(), message);
        let linker = Linker::new(&self.compiler.with_options(options))
            .map_err(|error| of_name(error.message()))?;
        let within = read::in_package(text, &environment.package);
        let depth = item.depth.as_ref();
        let linked = linker.link(&within, depth.map(|depth| depth.frames));
        let linked = linked.map_err(|why| match why {
            NotLinked::Refused(error) => read.locate(&error),
            NotLinked::TooDeep { .. } => {
                let place = depth.map_or(item.name.span(), |depth| depth.span);
                syn::Error::new(place, why)
            }
            other => {
                let help = "leave `link` out: it is compiled as a whole then";
                syn::Error::new(literal.span(), format!("{other}\n{help}"))
            }
        })?;
        let visibility = item.visibility.to_token_stream();
        let embed = |_: &str, bytes: &[u8]| Ok(Embedding::Literal(bytes.to_vec()));
        let linked = linked.item(item.name.clone(), visibility, text, &embed);
        let linked = linked.map_err(|error| of_name(error.message()))?;
        let attributes = &item.attributes;
        self.linked.push(LinkedItem {
            attributes: quote!(#(#attributes)*),
            ..linked
        });
        Ok(Vec::new())
    }
}
