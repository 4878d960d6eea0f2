// SPDX-License-Identifier: MIT
// The source of all choices: the same seed makes the same program on every machine. A fuzzer's input is a source as well: its bytes are
// the first choices, so that a small change of the input is a small change of the program.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace agree {

class Random {
public:
    explicit Random(uint64_t seed)
        : state_(seed) {}

    Random(const uint8_t* data, size_t size)
        : state_(size)
        , data_(data)
        , end_(data + size) {}

    uint64_t next() { return data_ != end_ ? bytes(8) : random(); }
    uint64_t below(uint64_t n) { return (data_ == end_ ? random() : bytes(n <= 256 ? 1 : n <= 65536 ? 2 : 8)) % n; }
    bool chance(unsigned percent) { return below(100) < percent; }
    template<class C>
    const auto& pick(const C& c) {
        return c[below(std::size(c))];
    }

private:
    uint64_t bytes(int n) {
        uint64_t v = 0;
        for (; n != 0 && data_ != end_; --n) v = v << 8 | *data_++;
        return v;
    }
    uint64_t random() { // splitmix64
        uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z          = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint64_t state_;
    const uint8_t *data_ = nullptr, *end_ = nullptr;
};

} // namespace agree
