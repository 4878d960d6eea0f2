// SPDX-License-Identifier: MIT
// Values that pass to a type of another layout are converted; the memory that they point to is not. So a pointer passes only where both
// types lay out that memory in the same way. They may differ where one of them is open: an `Idx 200` has 8 bits, an `Idx n` has 64.
#include <algorithm>
#include <set>
#include <vector>

#include "analysis/pointee.h"
#include "backend/llvm/emitter.h"
#include "ir/error.h"

namespace mim::backend::llvm {

namespace {

/// Two types, one of which is an instance of the other, of one part of a value.
struct PartTypes {
    const Def* from;
    const Def* to;
    const Def* pointer                       = nullptr; ///< behind which it is; null: it is in the value itself
    const Def* other_pointer                 = nullptr;
    auto operator<=>(const PartTypes&) const = default;
};

bool is_aggregate(const Def* type) { return type->isa<Sigma>() || type->isa<Arr>(); }

/// An array whose length is not known.
bool is_open_array(const Def* type) {
    auto arr = type->isa<Arr>();
    return arr && !isa_lit(arr->arity());
}

/// The element type of an array. Any other type is an array of one element.
const Def* element_type(const Def* type) {
    auto arr = type->isa<Arr>();
    return arr ? arr->body() : type;
}

} // namespace

/// Ends emission where memory would be read in another layout than it was written.
void Emitter::check_memory(const Def* from, const Def* to) {
    if (from == to) return; // nearly always
    std::set<PartTypes> seen;
    std::vector<PartTypes> work;
    auto push = [&](const PartTypes& part) {
        auto is_open = [](const Def* type) { return type->has(Def::HasDep) || type->is_mut(); };
        bool differs = part.from != part.to && (is_open(part.from) || is_open(part.to));
        if (differs && seen.insert(part).second) work.push_back(part);
    };
    push({from, to});
    while (!work.empty()) {
        auto [a, b, pointer, other_pointer] = work.back();
        work.pop_back();
        if (is_open_array(a) || is_open_array(b)) {
            push({element_type(a), element_type(b), pointer, other_pointer});
            continue;
        }
        bool is_other_index = isa_idx(a) && isa_idx(b) && type(a) != type(b);
        bool is_union       = a->isa<Union>() || b->isa<Union>();
        bool is_other       = is_other_index || (is_union && is_other_union(a, b));
        if (pointer && is_other) fail(state_.place, Diag::memory_differs, {show(pointer), show(other_pointer)});
        auto target       = pointee(world_, a);
        auto other_target = pointee(world_, b);
        if (target && other_target) push({target, other_target, pointer ? pointer : a, pointer ? other_pointer : b});
        if (!is_aggregate(a) || !is_aggregate(b)) continue;
        auto n = std::min(world_.lit_arity(a), world_.lit_arity(b));
        for (int64_t i = 0; i < n; ++i) {
            auto elem       = elem_decl(world_, a, size_t(i));
            auto other_elem = elem_decl(world_, b, size_t(i));
            push({elem, other_elem, pointer, other_pointer});
        }
    }
}

} // namespace mim::backend::llvm
