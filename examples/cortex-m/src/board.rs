//! What the firmware needs of the board: a console, a clock, the stack's mark. The only module with
//! unsafe code.

use core::ptr;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_semihosting::debug::{self, EXIT_FAILURE, EXIT_SUCCESS};

/// Instructions of a tick: the board's timer runs at 25 MHz, and QEMU takes a nanosecond for each
/// instruction.
pub const INSTRUCTIONS_PER_TICK: u32 = 40;

/// Instructions that [`known`] takes.
pub const KNOWN: u32 = 200_000;

unsafe extern "C" {
    /// The lowest word of the stack's memory, from the linker.
    static _stack_end: u32;
    static _stack_start: u32;
    /// Defined nowhere: a program that could come to it is not linked.
    fn a_panic_path_is_left_in_the_program() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: where this is in a program, the program cannot be linked.
    unsafe { a_panic_path_is_left_in_the_program() }
}

/// Writes a text to the host's console.
pub fn print(text: &str) {
    for byte in text.bytes() {
        // SAFETY: SYS_WRITEC reads one byte, which outlives the call.
        unsafe { cortex_m_semihosting::syscall1(WRITE_CHARACTER, &raw const byte as usize) };
    }
}

/// The semihosting operation SYS_WRITEC.
const WRITE_CHARACTER: usize = 0x03;

/// Writes a number to the host's console.
pub fn print_number(number: u32) {
    if number > 9 {
        print_number(number / 10);
    }
    let digit = [b'0' + (number % 10) as u8];
    print(core::str::from_utf8(&digit).unwrap_or("?"));
}

/// Writes a line: what it is about, a number, and the unit.
pub fn print_line(name: &str, number: u32, unit: &str) {
    print(name);
    print_number(number);
    print(unit);
    print("\n");
}

/// Ends the run.
pub fn exit(success: bool) -> ! {
    debug::exit(if success { EXIT_SUCCESS } else { EXIT_FAILURE });
    loop {
        cortex_m::asm::wfi();
    }
}

/// Starts the clock.
pub fn start_clock() {
    // SAFETY: nothing else uses the timer.
    let mut timer = unsafe { cortex_m::Peripherals::steal() }.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(0x00ff_ffff);
    timer.clear_current();
    timer.enable_counter();
}

/// Ticks that `work` takes.
pub fn ticks(work: impl FnOnce()) -> u32 {
    let before = SYST::get_current();
    work();
    before.wrapping_sub(SYST::get_current()) & 0x00ff_ffff
}

/// Takes [`KNOWN`] instructions, so that the clock can be checked.
pub fn known() {
    // SAFETY: a loop of two instructions on a register of its own.
    unsafe {
        core::arch::asm!(
            "2: subs {count}, {count}, #1",
            "bne 2b",
            count = inout(reg) KNOWN / 2 => _,
            options(nomem, nostack)
        );
    }
}

/// Bytes of the stack that have been used, by the paint that the start-up code left on it.
pub fn stack_used() -> u32 {
    let mut word = &raw const _stack_end;
    let end = &raw const _stack_start;
    // SAFETY: the words between the linker's symbols are the stack's memory.
    while word < end && unsafe { ptr::read_volatile(word) } == cortex_m_rt::STACK_PAINT_VALUE {
        word = word.wrapping_add(1);
    }
    (end as u32).wrapping_sub(word as u32)
}
