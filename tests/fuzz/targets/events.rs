#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trajview_fuzz::holds::events(bytes));
