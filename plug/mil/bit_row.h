// SPDX-License-Identifier: MIT
// Rows of bits that may be wider than any register.
#pragma once
#include <bitset>
#include <cstdint>

namespace mim::plug::mil {

/// A row has at most so many bits.
constexpr uint32_t kMostBits = 1000;

using Row = std::bitset<1024>;

/// Its least 64 bits.
inline uint64_t low_bits(const Row& r) { return (r & Row(~uint64_t(0))).to_ullong(); }
/// A row whose least `width` bits are 1.
inline Row ones(uint32_t width) { return width == 0 ? Row() : ~Row() >> (Row().size() - width); }
/// So many bits of a row, from the place `offset` on.
inline Row part(const Row& r, uint32_t offset, uint32_t width) { return r >> offset & ones(width); }

} // namespace mim::plug::mil
