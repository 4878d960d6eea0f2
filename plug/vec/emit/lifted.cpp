// SPDX-License-Identifier: MIT
#include "emit/lifted.h"

#include "vec.h"

namespace mim::plug::vec {

Value Lifted::emit(const Def* def) {
    if (auto k = isa_symbol(def)) return operands_[*k];
    auto v = e_.emit(def);
    return v && lanes_ ? e_.splat(v, lanes_) : v;
}

Value Lifted::elem(const Def* def, size_t i) {
    if (auto tuple = def->isa<Tuple>()) return emit(tuple->op(i));
    return emit(world().extract(def, i));
}

/// What an operand must be known for is no vector.
Value Lifted::intrinsic(std::string_view name, backend::Types types, backend::Values args, uint32_t flags) {
    std::vector<Value> all(args.begin(), args.end());
    if (name == "llvm.abs" || name == "llvm.ctlz" || name == "llvm.cttz") all[1] = e_.i1(false);
    return e_.intrinsic(name, types, all, flags);
}

/// A C function is called for each lane.
Value Lifted::call(std::string_view name, Type result, backend::Values args, uint32_t flags) {
    if (!lanes_) return e_.call(name, result, args, flags);
    auto all = e_.undef(result);
    for (unsigned i = 0; i != lanes_; ++i) {
        auto at = e_.i64(i);
        std::vector<Value> scalars;
        for (auto arg : args) scalars.push_back(e_.extract_lane(arg, at));
        auto scalar = e_.type_of(e_.extract_lane(e_.undef(result), at));
        all         = e_.insert_lane(all, e_.call(name, scalar, scalars, flags), at);
    }
    return all;
}

void Lifted::trap_if(Value cond, const Def*, std::string_view what) {
    if (lanes_) cond = e_.intrinsic("llvm.vector.reduce.or", {e_.type_of(cond)}, {cond});
    e_.trap_if(cond, at_, what);
}

} // namespace mim::plug::vec
