// SPDX-License-Identifier: MIT
// See pointees.h.
#include "backend/llvm/pointees.h"

#include <algorithm>
#include <set>
#include <vector>

#include "analysis/pointee.h"
#include "backend/llvm/unions.h"

namespace mim::backend::llvm {

namespace {

/// Two types, one of which is an instance of the other, of one part of a value.
struct PartTypes {
    const Def* from;
    const Def* to;
    const Def* pointer                       = nullptr; ///< behind which it is; null: it is in the value itself
    const Def* other_pointer                 = nullptr;
    bool in_function                         = false; ///< it is passed to a function, or is its result
    auto operator<=>(const PartTypes&) const = default;
};

bool is_continuation(const Def* type) { return type->isa<Pi>() && type->as<Pi>()->is_cn(); }

bool is_aggregate(const Def* type) { return type->isa<Sigma>() || type->isa<Arr>(); }

/// The element type of an array. Any other type is an array of one element.
const Def* element_type(const Def* type) {
    auto arr = type->isa<Arr>();
    return arr ? arr->body() : type;
}

} // namespace

void check_pointees(Context& ctx, TypeLowering& types, const Def* from, const Def* to) {
    if (from == to) return; // nearly always
    std::set<PartTypes> seen;
    std::vector<PartTypes> work;
    auto is_open = [](const Def* type) { return type->has(Def::HasDep) || type->is_mut(); };
    auto push    = [&](const PartTypes& part) {
        bool differs = part.from != part.to && (is_open(part.from) || is_open(part.to));
        if (differs && seen.insert(part).second) work.push_back(part);
    };
    auto called_otherwise = [&](const Def* a, const Def* b) { ctx.reports.run_time_layout(is_open(a) ? a : b); };
    push({from, to});
    while (!work.empty()) {
        auto [a, b, pointer, other_pointer, in_function] = work.back();
        work.pop_back();
        if (is_open_array(a) || is_open_array(b)) {
            if (in_function && is_open_array(a) != is_open_array(b)) called_otherwise(pointer, other_pointer);
            push({element_type(a), element_type(b), pointer, other_pointer, in_function});
            continue;
        }
        if (is_continuation(a) && is_continuation(b)) {
            auto called = types.value_type(a->as<Pi>()), other = types.value_type(b->as<Pi>());
            push({called->dom(), other->dom(), in_function ? pointer : a, in_function ? other_pointer : b, true});
            continue;
        }
        bool is_other_index = isa_idx(a) && isa_idx(b) && types.type(a) != types.type(b);
        bool is_union       = a->isa<Union>() || b->isa<Union>();
        bool is_other       = is_other_index || (is_union && is_other_union(ctx.world, a, b));
        if (in_function && is_other) called_otherwise(pointer, other_pointer);
        if (pointer && is_other)
            ctx.reports.fail_here(Diag::memory_differs, {ctx.reports.show(pointer), ctx.reports.show(other_pointer)});
        auto target       = pointee(a);
        auto other_target = pointee(b);
        // whoever has a pointer to a variable type reads nothing behind it
        bool is_known     = target && other_target && !is_variable(target) && !is_variable(other_target);
        bool is_outermost = !pointer || in_function;
        if (is_known) push({target, other_target, is_outermost ? a : pointer, is_outermost ? b : other_pointer});
        if (!is_aggregate(a) || !is_aggregate(b)) continue;
        if (is_large_array(a) && is_large_array(b)) {
            push({element_type(a), element_type(b), pointer, other_pointer, in_function});
            continue;
        }
        auto n = std::min(lit_arity(ctx.world, a), lit_arity(ctx.world, b));
        for (int64_t i = 0; i < n; ++i) {
            auto elem       = elem_decl(ctx.world, a, size_t(i));
            auto other_elem = elem_decl(ctx.world, b, size_t(i));
            push({elem, other_elem, pointer, other_pointer, in_function});
        }
    }
}

} // namespace mim::backend::llvm
