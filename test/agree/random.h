// SPDX-License-Identifier: MIT
// The source of all choices: the same seed makes the same program on every machine.
#pragma once
#include <cstdint>
#include <vector>

namespace agree {

class Random {
public:
    explicit Random(uint64_t seed)
        : state_(seed) {}

    uint64_t next() { // splitmix64
        uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z          = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z          = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t n) { return next() % n; }
    bool chance(unsigned percent) { return below(100) < percent; }
    template<class C>
    const auto& pick(const C& c) {
        return c[below(std::size(c))];
    }

private:
    uint64_t state_;
};

} // namespace agree
