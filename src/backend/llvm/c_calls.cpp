// SPDX-License-Identifier: MIT
// See c_calls.h.
#include "backend/llvm/c_calls.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "backend/llvm/arrays.h"
#include "backend/llvm/conversions.h"

namespace mim::backend::llvm {

void CCalls::attributes(const CSig& sig, LLVMValueRef v, bool is_call) {
    auto add = [&](unsigned index, std::string_view name, LLVMTypeRef type, uint64_t value) {
        auto ctx  = build_.context();
        auto kind = LLVMGetEnumAttributeKindForName(name.data(), name.size());
        auto attr = type ? LLVMCreateTypeAttribute(ctx, kind, type) : LLVMCreateEnumAttribute(ctx, kind, value);
        if (is_call) LLVMAddCallSiteAttribute(v, index, attr);
        else LLVMAddAttributeAtIndex(v, index, attr);
    };
    auto narrow = [&](const CArg& a) {
        return a.kind == CArg::Direct && a.type && LLVMGetTypeKind(a.type) == LLVMIntegerTypeKind
               && LLVMGetIntTypeWidth(a.type) < 32;
    };
    unsigned index = 1;
    if (narrow(sig.result)) add(LLVMAttributeReturnIndex, "zeroext", nullptr, 0);
    if (sig.result.kind == CArg::Memory) {
        add(index, "sret", sig.result.type, 0);
        add(index++, "align", nullptr, LLVMABIAlignmentOfType(build_.data(), sig.result.type));
    }
    for (auto& arg : sig.args) {
        if (narrow(arg)) add(index, "zeroext", nullptr, 0);
        if (arg.kind == CArg::Memory && !is_arm(build_.settings())) {
            add(index, "byval", arg.type, 0);
            add(index, "align", nullptr, std::max<uint64_t>(8, LLVMABIAlignmentOfType(build_.data(), arg.type)));
        }
        index += arg.kind == CArg::Coerced ? unsigned(arg.parts.size()) : 1;
    }
}

LLVMValueRef CCalls::function(std::string_view name, const CSig& sig, const Def* at) {
    std::string symbol(name);
    auto fn = build_.c_function(symbol);
    if (fn) {
        if (LLVMGlobalGetValueType(fn) != sig.type) ctx_.reports.fail(at, Diag::symbol_clash, {symbol});
        return fn;
    }
    fn = build_.declare_c_function(symbol, sig.type, {ctx_.reports.span_of(at), "the program"});
    attributes(sig, fn, false);
    return fn;
}

LLVMValueRef CCalls::import(const Axm* axm, const CSig& sig) {
    return function(heap_.function(axm->axiom().name.view()), sig, ctx_.frame.place);
}

/// The arguments of C that the internal ones are.
std::vector<LLVMValueRef> CCalls::ungroup(const CSig& sig, const std::vector<LLVMValueRef>& internal) {
    std::vector<LLVMValueRef> args;
    for (size_t i = 0; i != internal.size(); ++i) {
        if (!sig.groups[i]) args.push_back(internal[i]);
        for (unsigned k = 0; k != sig.groups[i]; ++k)
            args.push_back(unwrap(conversions_.project(Value(internal[i]), sig.types[i], k)));
    }
    return args;
}

/// The other way round; the types are those of the internal parameters.
std::vector<LLVMValueRef> CCalls::group(const CSig& sig, const std::vector<LLVMValueRef>& args,
                                        std::span<const LLVMTypeRef> types) {
    std::vector<LLVMValueRef> internal;
    size_t next = 0;
    for (size_t i = 0; i != sig.groups.size(); ++i) {
        if (!sig.groups[i]) {
            internal.push_back(args[next++]);
            continue;
        }
        if (is_by_address(sig.types[i])) {
            std::vector<Value> elems;
            for (unsigned k = 0; k != sig.groups[i]; ++k) elems.push_back(Value(args[next++]));
            internal.push_back(unwrap(arrays_.of(sig.types[i], elems)));
            continue;
        }
        auto whole = LLVMGetUndef(types[i]);
        for (unsigned k = 0; k != sig.groups[i]; ++k) whole = LLVMBuildInsertValue(build_.ref(), whole, args[next++], k, "");
        internal.push_back(whole);
    }
    return internal;
}

/// An argument that is passed in memory, in the internal form.
Value CCalls::read(const CArg& arg, LLVMValueRef memory) {
    if (arg.holder) return arrays_.read(arg.holder, Value(memory), {});
    return Value(LLVMBuildLoad2(build_.ref(), arg.type, memory, ""));
}

void CCalls::write(const CArg& arg, LLVMValueRef value, LLVMValueRef memory) {
    if (arg.holder) arrays_.write(arg.holder, Value(value), Value(memory), {});
    else LLVMBuildStore(build_.ref(), value, memory);
}

Value CCalls::call(LLVMValueRef callee, const CSig& sig, const std::vector<LLVMValueRef>& internal) {
    auto builder = build_.ref();
    auto args    = ungroup(sig, internal);
    std::vector<LLVMValueRef> passed;
    auto slot        = [&](LLVMTypeRef t) { return unwrap(build_.passing_slot(Type(t))); };
    LLVMValueRef out = nullptr;
    if (sig.result.kind == CArg::Memory) passed.push_back(out = slot(sig.result.type));
    for (size_t i = 0; i != args.size(); ++i) {
        auto& arg = sig.args[i];
        if (arg.kind == CArg::Direct) {
            passed.push_back(args[i]);
            continue;
        }
        // in memory, or from there into registers, of which the struct is as large as all of them together
        auto regs = arg.kind == CArg::Coerced ? build_.struct_of(arg.parts) : arg.type;
        auto mem  = slot(regs);
        write(arg, args[i], mem);
        if (arg.kind == CArg::Memory) passed.push_back(mem);
        for (unsigned k = 0; k != arg.parts.size(); ++k) {
            auto part = LLVMBuildStructGEP2(builder, regs, mem, k, "");
            passed.push_back(LLVMBuildLoad2(builder, arg.parts[k], part, ""));
        }
    }
    auto call = LLVMBuildCall2(builder, sig.type, callee, passed.data(), unsigned(passed.size()), "");
    attributes(sig, call, true);
    build_.others_at_work();
    if (!sig.result.type) return {};
    if (sig.result.kind == CArg::Direct) return Value(call);
    if (sig.result.kind == CArg::Coerced) {
        out = slot(LLVMTypeOf(call));
        LLVMBuildStore(builder, call, out);
    }
    return sig.result.holder ? read(sig.result, out) : build_.load(Type(sig.result.type), Value(out));
}

std::vector<LLVMValueRef> CCalls::receive(LLVMValueRef fn, const CSig& sig, std::span<const LLVMTypeRef> types) {
    auto builder = build_.ref();
    std::vector<LLVMValueRef> args;
    unsigned next = sig.result.kind == CArg::Memory ? 1 : 0;
    for (auto& arg : sig.args) {
        if (arg.kind == CArg::Direct) {
            args.push_back(LLVMGetParam(fn, next++));
            continue;
        }
        auto mem = LLVMGetParam(fn, next);
        if (arg.kind == CArg::Memory) {
            ++next;
        } else {
            auto regs = build_.struct_of(arg.parts);
            mem       = unwrap(build_.alloca_(Type(regs)));
            for (unsigned k = 0; k != arg.parts.size(); ++k)
                LLVMBuildStore(builder, LLVMGetParam(fn, next++), LLVMBuildStructGEP2(builder, regs, mem, k, ""));
        }
        args.push_back(unwrap(read(arg, mem)));
    }
    return group(sig, args, types);
}

void CCalls::give_back(LLVMValueRef fn, const CSig& sig, Value result) {
    auto builder = build_.ref();
    if (!sig.returns) {
        LLVMBuildUnreachable(builder);
    } else if (!sig.result.type) {
        LLVMBuildRetVoid(builder);
    } else if (sig.result.kind == CArg::Memory) {
        if (sig.result.holder) write(sig.result, unwrap(result), LLVMGetParam(fn, 0));
        else build_.store(result, Value(LLVMGetParam(fn, 0)));
        LLVMBuildRetVoid(builder);
    } else if (sig.result.kind == CArg::Coerced) {
        auto regs = LLVMGetReturnType(sig.type);
        auto mem  = build_.alloca_(Type(regs));
        build_.store(result, mem);
        LLVMBuildRet(builder, LLVMBuildLoad2(builder, regs, unwrap(mem), ""));
    } else {
        LLVMBuildRet(builder, unwrap(result));
    }
}

} // namespace mim::backend::llvm
