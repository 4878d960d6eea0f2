// SPDX-License-Identifier: MIT
#include "emit/lifted.h"

#include "vec.h"

namespace mim::plug::vec {

Value Lifted::emit(const Def* def) {
    if (auto k = isa_symbol(def)) return operands_[*k];
    auto& e = below();
    auto v  = e.emit(def);
    return v && lanes_ ? e.splat(v, lanes_) : v;
}

Value Lifted::elem(const Def* def, size_t i) {
    if (auto tuple = def->isa<Tuple>()) return emit(tuple->op(i));
    return emit(world().extract(def, i));
}

/// What an operand must be known for is no vector.
Value Lifted::intrinsic(std::string_view name, backend::Types types, backend::Values args, uint32_t flags) {
    std::vector<Value> all(args.begin(), args.end());
    if (name == "llvm.abs" || name == "llvm.ctlz" || name == "llvm.cttz") all[1] = below().i1(false);
    return below().intrinsic(name, types, all, flags);
}

/// A C function is called for each lane.
Value Lifted::call(std::string_view name, Type result, backend::Values args, uint32_t flags) {
    if (!lanes_) return below().call(name, result, args, flags);
    auto& e  = below();
    auto all = e.undef(result);
    for (unsigned i = 0; i != lanes_; ++i) {
        auto at = e.i64(i);
        std::vector<Value> scalars;
        for (auto arg : args) scalars.push_back(e.extract_lane(arg, at));
        auto scalar = e.type_of(e.extract_lane(e.undef(result), at));
        all         = e.insert_lane(all, e.call(name, scalar, scalars, flags), at);
    }
    return all;
}

/// To `yes` if the condition holds at one lane.
void Lifted::branch(Value cond, backend::Block yes, backend::Block no) {
    auto& e = below();
    e.branch(lanes_ ? e.intrinsic("llvm.vector.reduce.or", {e.type_of(cond)}, {cond}) : cond, yes, no);
}

/// Numbers are those of the first lane that traps.
void Lifted::trap_if(Value cond, const Def*, std::string_view what, backend::Values numbers) {
    auto& e = below();
    std::vector<Value> of_lane(numbers.begin(), numbers.end());
    if (lanes_ && !numbers.empty()) {
        auto mask  = e.int_type(unsigned(lanes_));
        auto first = e.intrinsic("llvm.cttz", {mask}, {e.cast(backend::Cast::Bit, cond, mask), e.i1(false)});
        for (auto& number : of_lane) number = e.extract_lane(number, e.resize(first, e.int_type(32)));
    }
    if (lanes_) cond = e.intrinsic("llvm.vector.reduce.or", {e.type_of(cond)}, {cond});
    e.trap_if(cond, at_, what, of_lane);
}

} // namespace mim::plug::vec
