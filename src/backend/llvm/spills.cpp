// SPDX-License-Identifier: MIT
// See spills.h.
#include "backend/llvm/spills.h"

namespace mim::backend::llvm {

Value Spills::spill(Value v) {
    auto mem = build_.alloca_(build_.type_of(v));
    // large values may come to lie there without being copied (large.h)
    bool is_held = v && !LLVMIsConstant(unwrap(v)) && build_.leaves(LLVMTypeOf(unwrap(v)), max_scalars + 1) > max_scalars;
    if (is_held) LLVMBuildStore(build_.ref(), unwrap(v), unwrap(mem));
    else build_.store(v, mem, {});
    return mem;
}

Value Spills::view(Value v) {
    if (auto place = build_.place_of(v)) return place;
    auto mem = spill(v);
    places_.views.insert(unwrap(mem));
    return mem;
}

Value Spills::unspill(Type t, Value mem) {
    auto v = build_.load(t, mem, {});
    if (v) places_.homes.emplace(unwrap(v), unwrap(mem));
    return v;
}

} // namespace mim::backend::llvm
