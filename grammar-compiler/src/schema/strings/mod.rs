//! Sets of strings as finite automata over characters.
