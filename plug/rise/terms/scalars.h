// SPDX-License-Identifier: MIT
// Types of the graph, for plugins that make code of programs in RISE.
#pragma once
#include <cstdint>

#include "ir/world.h"

namespace mim::plug::rise {

struct ScalarType {
    enum Kind : uint8_t { None, Bool, Signed, Unsigned, Float, Nat, Index } kind = None;
    unsigned bits                                                                = 64;
    const Def* size                                                              = nullptr; ///< of an Index

    bool is_whole() const { return kind == Signed || kind == Unsigned || kind == Nat || kind == Index; }
};

ScalarType scalar_of(const Def* type);
/// The number whose 16 bits these are.
float half_value(uint64_t bits);

struct ArrayType {
    const Def *size = nullptr, *elem = nullptr;
    explicit operator bool() const { return size; }
};
struct PairType {
    const Def *first = nullptr, *second = nullptr;
    explicit operator bool() const { return first; }
};
ArrayType isa_array(World&, const Def* type);
PairType isa_pair(World&, const Def* type);
/// Its length and its lanes.
ArrayType isa_vector(World&, const Def* type);
/// An array, or a pair that has one.
bool has_array(World&, const Def* type);

} // namespace mim::plug::rise
