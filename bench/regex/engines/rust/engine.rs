// SPDX-License-Identifier: MIT
// Rust's regex for C++: compiles a pattern, and tells whether it matches.
use regex::bytes::{Regex, RegexBuilder};
use std::slice::from_raw_parts;

#[no_mangle]
pub unsafe extern "C" fn rust_compile(pattern: *const u8, n: usize) -> *mut Regex {
    let text = std::str::from_utf8(from_raw_parts(pattern, n)).unwrap();
    // with a higher limit where it refuses
    let re = Regex::new(text).or_else(|_| RegexBuilder::new(text).size_limit(1 << 32).build());
    Box::into_raw(Box::new(re.unwrap()))
}

#[no_mangle]
pub unsafe extern "C" fn rust_match(re: *const Regex, text: *const u8, n: usize) -> bool {
    (*re).is_match(from_raw_parts(text, n))
}

#[no_mangle]
pub unsafe extern "C" fn rust_count(re: *const Regex, text: *const u8, n: usize) -> usize {
    (*re).find_iter(from_raw_parts(text, n)).count()
}
