// SPDX-License-Identifier: MIT
// Private to Notes: the tables of places and of the names of values. Places are kept for expressions that become code.
#pragma once
#include <deque>
#include <unordered_map>
#include <vector>

#include "ir/id_table.h"
#include "ir/place.h"

namespace mim {

class Places {
public:
    /// Reduced calls within reduced calls are told apart up to this depth; recursion that is evaluated goes deeper.
    static constexpr uint32_t MaxDepth = 16;

    /// Names in one function: what is unrolled while compiling has any number.
    static constexpr size_t MaxLocals = 4096;

    IdTable<Place> of;

    /// A reduced call; 0 if it is too deep to be told apart.
    uint32_t inline_call(Symbol name, Span callee, Place call);
    /// The place `inner`, in a text that lies in the call `outer`.
    Place inside(Place inner, uint32_t outer);
    const Inlined& inlined(uint32_t id) const { return inlined_[id - 1]; }
    uint32_t depth(uint32_t id) const { return id ? inlined(id).depth : 0; }

    IdTable<Span> ends; ///< of λs: where their results are
    std::unordered_map<const Def*, Local> named;
    std::deque<FieldNames> fields;                             ///< of locals
    std::unordered_map<const Def*, std::vector<Local>> locals; ///< by λ

private:
    std::vector<Inlined> inlined_;
    std::unordered_map<uint64_t, uint32_t> nested_;
};

} // namespace mim
