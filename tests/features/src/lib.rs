//! What `grammar!` says of what its features leave out.
