// SPDX-License-Identifier: MIT
// See c_signature.h.
#include "backend/llvm/c_signature.h"

#include <algorithm>

#include "analysis/pointee.h"

namespace mim::backend::llvm {

static bool is_aggregate(LLVMTypeRef t) {
    auto kind = LLVMGetTypeKind(t);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

/// The scalars of a struct by offset; false if there are too many for registers.
bool CSignatures::scalars(LLVMTypeRef t, uint64_t offset, std::vector<Scalar>& out) {
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
        for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i) {
            auto at = offset + LLVMOffsetOfElement(module_.data(), t, i);
            if (!scalars(LLVMStructGetTypeAtIndex(t, i), at, out)) return false;
        }
        return true;
    }
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
        auto elem = LLVMGetElementType(t);
        auto n    = LLVMGetArrayLength2(t);
        if (n > 16) return false;
        for (uint64_t i = 0; i != n; ++i)
            if (!scalars(elem, offset + i * LLVMABISizeOfType(module_.data(), elem), out)) return false;
        return true;
    }
    out.push_back({offset, t});
    return out.size() <= 16;
}

CArg CSignatures::pass(const Def* type, bool is_result, Registers& free) {
    CArg arg;
    auto t   = type ? types_.lower_memory(type) : nullptr;
    arg.type = t;
    if (t && holds_large_array(type)) arg.holder = type;
    if (!t) return arg;
    if (!is_aggregate(t)) {
        auto& regs = module_.is_float(Type(t)) ? free.floats : free.ints;
        regs -= regs != 0;
        return arg;
    }
    std::vector<Scalar> parts;
    bool is_small = scalars(t, 0, parts);
    if (is_small && is_arm(module_.settings())) coerce_arm(arg, parts, is_result);
    else if (is_small) coerce_x86(arg, parts, is_result, free);
    arg.kind = arg.parts.empty() ? CArg::Memory : CArg::Coerced;
    return arg;
}

/// Up to four equal floats travel in registers for floats, other structs of up to 16 bytes in those for integers.
void CSignatures::coerce_arm(CArg& arg, const std::vector<Scalar>& scalars, bool is_result) {
    auto size = LLVMABISizeOfType(module_.data(), arg.type);
    bool same = scalars.size() <= 4 && module_.is_float(Type(scalars[0].type));
    for (auto& s : scalars) same = same && s.type == scalars[0].type;
    if (same) {
        arg.parts.assign(scalars.size(), scalars[0].type);
    } else if (size <= 16) {
        for (uint64_t at = 0; at < size; at += 8) {
            auto bytes = is_result ? unsigned(std::min<uint64_t>(8, size - at)) : 8;
            arg.parts.push_back(LLVMIntTypeInContext(module_.context(), bytes * 8));
        }
    }
}

/// Structs of up to 16 bytes travel in registers for eight bytes each: one for floats if these are all that is in the
/// eight bytes, else one for integers. An argument for which there are too few registers is in memory as a whole.
void CSignatures::coerce_x86(CArg& arg, const std::vector<Scalar>& scalars, bool is_result, Registers& free) {
    auto size = LLVMABISizeOfType(module_.data(), arg.type);
    if (size > 16) return;
    Registers need{0, 0};
    for (uint64_t at = 0; at < size; at += 8) {
        unsigned count    = 0;
        bool only_floats  = true;
        LLVMTypeRef first = nullptr;
        for (auto& s : scalars) {
            if (s.offset < at || s.offset >= at + 8) continue;
            only_floats &= module_.is_float(Type(s.type));
            if (!count++) first = s.type;
        }
        auto bytes = unsigned(std::min<uint64_t>(8, size - at));
        if (only_floats && first) {
            ++need.floats;
            auto whole = count == 1                        ? first
                         : module_.bits(Type(first)) == 32 ? LLVMVectorType(first, 2)
                                                           : LLVMDoubleTypeInContext(module_.context());
            arg.parts.push_back(whole);
        } else {
            ++need.ints;
            arg.parts.push_back(LLVMIntTypeInContext(module_.context(), bytes * 8));
        }
    }
    bool lacks = need.ints > free.ints || need.floats > free.floats;
    if (!is_result && lacks) {
        arg.parts.clear();
        return;
    }
    free.ints -= need.ints;
    free.floats -= need.floats;
}

static bool has_vector(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
        case LLVMVectorTypeKind: return true;
        case LLVMArrayTypeKind: return has_vector(LLVMGetElementType(t));
        case LLVMStructTypeKind:
            for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
                if (has_vector(LLVMStructGetTypeAtIndex(t, i))) return true;
            return false;
        default: return false;
    }
}

/// Which registers vectors travel in depends on the processor that the C code was compiled for.
void CSignatures::check(const Def* type, const Def* at, std::string_view name) {
    types_.check_parts(type);
    if (holds_open_array(type))
        ctx_.reports.fail(at, Diag::no_c_type, {std::string(name), "C passes no arrays by value: pass a pointer"});
    auto t = types_.lower_memory(type);
    if (t && has_vector(t)) ctx_.reports.fail(at, Diag::no_c_type, {std::string(name), "C passes no vectors: pass a pointer"});
}

/// Whether the parameter is a group of parameters, which C sees one by one. A Σ of equal types is an array here, a
/// struct there.
bool CSignatures::is_c_group(const CnView& view, const CnView::Param& p, LLVMTypeRef t, const Def* at, std::string_view name) {
    if (LLVMGetTypeKind(t) != LLVMArrayTypeKind) return false;
    if (is_group(ctx_.world, view, p)) return true;
    if (LLVMGetArrayLength2(t) > uint64_t(max_flat_params))
        ctx_.reports.fail(at, Diag::no_c_type, {std::string(name), "C passes no arrays by value"});
    return false;
}

CSig CSignatures::of(const CnView& view, const Def* at, std::string_view name) {
    CSig sig;
    bool on_arm = is_arm(module_.settings());
    Registers free{on_arm ? 8u : 6u, 8}, of_result{4, 4};
    std::vector<LLVMTypeRef> params;
    auto ptr  = unwrap(module_.ptr_type());
    auto none = LLVMVoidTypeInContext(module_.context());

    sig.returns = view.result != nullptr;
    if (view.result) check(view.result, at, name);
    sig.result  = pass(view.result, true, of_result);
    auto result = sig.result.type ? sig.result.type : none;
    if (sig.result.kind == CArg::Coerced) {
        auto& parts = sig.result.parts;
        result      = parts.size() == 1 ? parts.front() : module_.struct_of(parts);
    }
    if (sig.result.kind == CArg::Memory) {
        result = none;
        params.push_back(ptr);
        if (!on_arm) --free.ints;
    }
    for (auto& p : view.params) {
        auto t = types_.lower_memory(p.type);
        if (!t) continue;
        check(p.type, at, name);
        auto size = is_c_group(view, p, t, at, name) ? unsigned(LLVMGetArrayLength2(t)) : 0;
        sig.groups.push_back(size);
        sig.types.push_back(p.type);
        if (!size) sig.args.push_back(pass(p.type, false, free));
        for (unsigned i = 0; i != size; ++i) sig.args.push_back(pass(elem_decl(ctx_.world, p.type, i), false, free));
    }
    for (auto& arg : sig.args) {
        if (arg.kind == CArg::Direct) params.push_back(arg.type);
        else if (arg.kind == CArg::Memory) params.push_back(ptr);
        else params.insert(params.end(), arg.parts.begin(), arg.parts.end());
    }
    sig.type = LLVMFunctionType(result, params.data(), unsigned(params.size()), false);
    return sig;
}

} // namespace mim::backend::llvm
