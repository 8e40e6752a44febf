//! Sets of numbers as finite automata over their texts.
