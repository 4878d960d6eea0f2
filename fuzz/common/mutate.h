// SPDX-License-Identifier: MIT
// Mutations of Mim text that mostly leave it text that parses: whole tokens, bracketed groups, declarations. Half of the inputs that
// bytes are flipped in would never get past the lexer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// A changed copy of `text`, of at most `max` bytes; the same seed makes the same change.
std::string mutate(std::string_view text, size_t max, uint64_t seed);
/// `text` with a piece of `other` in it.
std::string cross(std::string_view text, std::string_view other, size_t max, uint64_t seed);

} // namespace fuzz

/// Makes libFuzzer use the above.
#define FUZZ_TEXT_MUTATORS                                                                                                       \
    extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max);                                                  \
    extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {                           \
        if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, max);                                                            \
        auto text = fuzz::mutate({reinterpret_cast<char*>(data), size}, max, seed);                                              \
        text.copy(reinterpret_cast<char*>(data), text.size());                                                                   \
        return text.size();                                                                                                      \
    }                                                                                                                            \
    extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t na, const uint8_t* b, size_t nb, uint8_t* out,          \
                                                size_t max, unsigned seed) {                                                     \
        auto text = fuzz::cross({reinterpret_cast<const char*>(a), na}, {reinterpret_cast<const char*>(b), nb}, max, seed);      \
        text.copy(reinterpret_cast<char*>(out), text.size());                                                                    \
        return text.size();                                                                                                      \
    }
