// SPDX-License-Identifier: MIT
// The layout of types in memory. It is that of the World's data layout, written down here once more, so that it checks
// the back end's.
#pragma once
#include <cstdint>

#include "eval/types.h"
#include "eval/value.h"

namespace mim::eval {

constexpr uint64_t round_up(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }
/// Bytes of the tag of a union with so many members.
constexpr uint64_t tag_size(uint64_t members) { return members <= 0x100 ? 1 : members <= 0x10000 ? 2 : 4; }

/// Bytes and alignment; all of them fail for what has no layout.
class Layouts {
public:
    Layouts(Machine& m, Budget& budget, Types& types)
        : m_(m)
        , budget_(budget)
        , types_(types) {}

    uint64_t size_of(const Value& type, const Def* where) { return of(type, where).size; }
    uint64_t align_of(const Value& type, const Def* where) { return of(type, where).align; }
    /// Both; computed once for each type.
    Layout of(const Value& type, const Def* where);
    /// Of what a union holds, behind its tag.
    uint64_t payload_offset(const TypeView& union_type, const Def* where);

private:
    Layout compute(const TypeView&, const Def* where);
    Layout of_axiom(const TypeView&, const Def* where);

    Machine& m_;
    Budget& budget_;
    Types& types_;
};

} // namespace mim::eval
