//! Decodes, measures and prints.

use crate::board::{self, INSTRUCTIONS_PER_TICK, KNOWN, print, print_line};
use crate::decode;

/// All of it; the run's exit status says whether all was right.
pub fn run() -> ! {
    let decoded = decode::check();
    board::start_clock();
    let known = board::ticks(board::known) * INSTRUCTIONS_PER_TICK;
    let (fill, accept) = decode::measure();
    let used = board::stack_used();

    print_line("tokens decoded: ", decoded.tokens, "");
    print_line("masks unlike the host's: ", decoded.wrong_masks, "");
    print_line(
        "tokens refused that are not in the mask: ",
        decoded.refused,
        "",
    );
    print_line(
        "matcher of depth 32: ",
        decode::MATCHER_BYTES,
        " bytes of RAM",
    );
    print_line("mask: ", decode::MASK_BYTES, " bytes of RAM");
    print_line(
        "stack, the matcher and a mask on it: ",
        used,
        " bytes at most",
    );
    print_line("clock: ", known, " instructions measured of 200000");
    print_line("fill, mean: ", fill.mean, " instructions");
    print_line("fill, most: ", fill.most, " instructions");
    print_line("accept_token, mean: ", accept.mean, " instructions");
    print_line("accept_token, most: ", accept.most, " instructions");

    let exact = known.abs_diff(KNOWN) <= KNOWN / 1000;
    let success = decoded.is_right() && exact;
    print(if success { "passed\n" } else { "FAILED\n" });
    board::exit(success)
}
