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

/// Tests an input of at most 4 KiB, and then as many changed copies of it as the environment's FUZZ_MUTANTS says: what these are depends
/// on the input and the lexer alone, not on what else was run. A copy is in the file FUZZ_MUTANT while it is tested.
void test_text(const uint8_t* data, size_t size, void (*test)(const std::string&));

} // namespace fuzz

/// A target: libFuzzer calls `test` with texts and uses the mutations above.
#define FUZZ_TEXT_TARGET(test)                                                                                                   \
    extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {                                                    \
        fuzz::test_text(data, size, test);                                                                                       \
        return 0;                                                                                                                \
    }                                                                                                                            \
    extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max);                                                  \
    extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {                           \
        bool choices = size != 0 && (data[0] == 1 || data[0] == 2); /* of a generator, see generated.h */                        \
        if (choices || seed % 16 == 0) return LLVMFuzzerMutate(data, size, max);                                                 \
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
