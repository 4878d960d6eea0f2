// SPDX-License-Identifier: MIT
// What C sees: System V x86-64 and AAPCS64 for scalars, pointers and structs of them. LLVM passes scalars as C does; structs are
// broken into registers or passed in memory here, as clang does. Narrow integers are zero-extended.
#include <algorithm>

#include "analysis/pointee.h"
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

static bool is_arm(const Settings& s) { return s.triple.starts_with("aarch64") || s.triple.starts_with("arm64"); }
static constexpr unsigned tailcc = 18; // llvm::CallingConv::Tail

static bool is_aggregate(LLVMTypeRef t) {
    auto kind = LLVMGetTypeKind(t);
    return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

/// The scalars of a struct by offset; false if there are too many for registers.
bool Emitter::c_scalars(LLVMTypeRef t, uint64_t offset, std::vector<CScalar>& out) {
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
        for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
            if (!c_scalars(LLVMStructGetTypeAtIndex(t, i), offset + LLVMOffsetOfElement(settings_.data, t, i), out)) return false;
        return true;
    }
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
        auto elem = LLVMGetElementType(t);
        auto n    = LLVMGetArrayLength2(t);
        if (n > 16) return false;
        for (uint64_t i = 0; i != n; ++i)
            if (!c_scalars(elem, offset + i * LLVMABISizeOfType(settings_.data, elem), out)) return false;
        return true;
    }
    out.push_back({offset, t});
    return out.size() <= 16;
}

CArg Emitter::c_arg(LLVMTypeRef t, bool is_result, unsigned& ints, unsigned& floats) {
    CArg arg;
    arg.type = t;
    if (!t) return arg;
    if (!is_aggregate(t)) {
        auto& regs = is_float(Type(t)) ? floats : ints;
        regs -= regs != 0;
        return arg;
    }
    auto size = LLVMABISizeOfType(settings_.data, t);
    std::vector<CScalar> scalars;
    bool small = c_scalars(t, 0, scalars);
    if (is_arm(settings_)) {
        bool same = small && scalars.size() <= 4 && is_float(Type(scalars[0].type));
        for (auto& s : scalars) same = same && s.type == scalars[0].type;
        if (same) {
            arg.parts.assign(scalars.size(), scalars[0].type);
        } else if (small && size <= 16) {
            for (uint64_t at = 0; at < size; at += 8)
                arg.parts.push_back(LLVMIntTypeInContext(ctx_, is_result ? unsigned(std::min<uint64_t>(8, size - at)) * 8 : 64));
        }
    } else if (small && size <= 16) {
        unsigned need_ints = 0, need_floats = 0;
        for (uint64_t at = 0; at < size; at += 8) {
            unsigned count    = 0;
            bool only_floats  = true;
            LLVMTypeRef first = nullptr;
            for (auto& s : scalars) {
                if (s.offset < at || s.offset >= at + 8) continue;
                only_floats &= is_float(Type(s.type));
                if (!count++) first = s.type;
            }
            auto bytes = unsigned(std::min<uint64_t>(8, size - at));
            if (only_floats && first) {
                ++need_floats;
                auto whole = count == 1                ? first
                             : bits(Type(first)) == 32 ? LLVMVectorType(first, 2)
                                                       : LLVMDoubleTypeInContext(ctx_);
                arg.parts.push_back(whole);
            } else {
                ++need_ints;
                arg.parts.push_back(LLVMIntTypeInContext(ctx_, bytes * 8));
            }
        }
        if (!is_result && (need_ints > ints || need_floats > floats)) arg.parts.clear();
        else ints -= need_ints, floats -= need_floats;
    }
    arg.kind = arg.parts.empty() ? CArg::Memory : CArg::Coerced;
    return arg;
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

CSig Emitter::c_signature(const CnView& view, const Def* at, std::string_view name) {
    CSig sig;
    unsigned ints = is_arm(settings_) ? 8 : 6, floats = 8, none_i = 4, none_f = 4;
    std::vector<LLVMTypeRef> params;
    auto ptr = unwrap(ptr_type(0));
    // which registers vectors travel in depends on the processor that the C code was compiled for
    auto check = [&](const Def* type) {
        check_parts(type);
        if (auto t = lower(type); t && has_vector(t))
            fail(at, Diag::no_c_type, {std::string(name), "C passes no vectors: pass a pointer"});
    };
    sig.returns = view.result != nullptr;
    if (view.result) check(view.result);
    sig.result  = c_arg(view.result ? lower(view.result) : nullptr, true, none_i, none_f);
    auto result = sig.result.type ? sig.result.type : LLVMVoidTypeInContext(ctx_);
    if (sig.result.kind == CArg::Coerced) result = struct_of(sig.result.parts);
    if (sig.result.kind == CArg::Memory) {
        result = LLVMVoidTypeInContext(ctx_);
        params.push_back(ptr);
        if (!is_arm(settings_)) --ints;
    }
    for (auto& p : view.params) {
        auto t = lower(p.type);
        if (!t) continue;
        check(p.type);
        bool is_array   = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
        bool is_c_group = is_array && is_group(world_, view, p);
        // a Σ of equal types is an array here, a struct there
        if (is_array && !is_c_group && LLVMGetArrayLength2(t) > uint64_t(max_flat_params))
            fail(at, Diag::no_c_type, {std::string(name), "C passes no arrays by value"});
        auto size = is_c_group ? unsigned(LLVMGetArrayLength2(t)) : 0;
        sig.groups.push_back(size);
        if (!is_c_group) sig.args.push_back(c_arg(t, false, ints, floats));
        for (unsigned i = 0; i != size; ++i) sig.args.push_back(c_arg(LLVMGetElementType(t), false, ints, floats));
    }
    for (auto& arg : sig.args) {
        if (arg.kind == CArg::Direct) params.push_back(arg.type);
        else if (arg.kind == CArg::Memory) params.push_back(ptr);
        else params.insert(params.end(), arg.parts.begin(), arg.parts.end());
    }
    sig.type = LLVMFunctionType(result, params.data(), unsigned(params.size()), false);
    return sig;
}

void Emitter::c_attributes(const CSig& sig, LLVMValueRef v, bool is_call) {
    auto add = [&](unsigned index, std::string_view name, LLVMTypeRef type, uint64_t value) {
        auto kind = LLVMGetEnumAttributeKindForName(name.data(), name.size());
        auto attr = type ? LLVMCreateTypeAttribute(ctx_, kind, type) : LLVMCreateEnumAttribute(ctx_, kind, value);
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
        add(index++, "align", nullptr, LLVMABIAlignmentOfType(settings_.data, sig.result.type));
    }
    for (auto& arg : sig.args) {
        if (narrow(arg)) add(index, "zeroext", nullptr, 0);
        if (arg.kind == CArg::Memory && !is_arm(settings_)) {
            add(index, "byval", arg.type, 0);
            add(index, "align", nullptr, std::max<uint64_t>(8, LLVMABIAlignmentOfType(settings_.data, arg.type)));
        }
        index += arg.kind == CArg::Coerced ? unsigned(arg.parts.size()) : 1;
    }
}

LLVMValueRef Emitter::c_function(std::string_view name, const CSig& sig, const Def* at) {
    std::string symbol(name);
    auto fn = LLVMGetNamedFunction(module_, symbol.c_str());
    if (fn) {
        if (LLVMGlobalGetValueType(fn) != sig.type) fail(at, Diag::symbol_clash, {symbol});
        return fn;
    }
    fn = LLVMAddFunction(module_, symbol.c_str(), sig.type);
    c_attributes(sig, fn, false);
    return fn;
}

/// Memory that holds a struct and is as large as its registers together.
static LLVMTypeRef register_struct(LLVMContextRef ctx, const CArg& arg) {
    return LLVMStructTypeInContext(ctx, const_cast<LLVMTypeRef*>(arg.parts.data()), unsigned(arg.parts.size()), false);
}

/// The arguments of C that the internal ones are.
std::vector<LLVMValueRef> Emitter::ungroup(const CSig& sig, const std::vector<LLVMValueRef>& internal) {
    std::vector<LLVMValueRef> args;
    for (size_t i = 0; i != internal.size(); ++i) {
        if (!sig.groups[i]) args.push_back(internal[i]);
        for (unsigned k = 0; k != sig.groups[i]; ++k) args.push_back(LLVMBuildExtractValue(builder_, internal[i], k, ""));
    }
    return args;
}

/// The other way round; the types are those of the internal parameters.
std::vector<LLVMValueRef> Emitter::group(const CSig& sig, const std::vector<LLVMValueRef>& args,
                                         std::span<const LLVMTypeRef> types) {
    std::vector<LLVMValueRef> internal;
    size_t next = 0;
    for (size_t i = 0; i != sig.groups.size(); ++i) {
        if (!sig.groups[i]) {
            internal.push_back(args[next++]);
            continue;
        }
        auto whole = LLVMGetUndef(types[i]);
        for (unsigned k = 0; k != sig.groups[i]; ++k) whole = LLVMBuildInsertValue(builder_, whole, args[next++], k, "");
        internal.push_back(whole);
    }
    return internal;
}

Value Emitter::c_call(LLVMValueRef callee, const CSig& sig, const std::vector<LLVMValueRef>& internal) {
    auto args = ungroup(sig, internal);
    std::vector<LLVMValueRef> passed;
    auto slot = [&](LLVMTypeRef t) {
        auto mem = unwrap(alloca_(Type(t)));
        state_.hidden.push_back(mem);
        return mem;
    };
    LLVMValueRef out = nullptr;
    if (sig.result.kind == CArg::Memory) passed.push_back(out = slot(sig.result.type));
    for (size_t i = 0; i != args.size(); ++i) {
        auto& arg = sig.args[i];
        if (arg.kind == CArg::Direct) {
            passed.push_back(args[i]);
            continue;
        }
        auto regs = arg.kind == CArg::Coerced ? register_struct(ctx_, arg) : arg.type;
        auto mem  = slot(regs);
        LLVMBuildStore(builder_, args[i], mem);
        if (arg.kind == CArg::Memory) passed.push_back(mem);
        else
            for (unsigned k = 0; k != arg.parts.size(); ++k)
                passed.push_back(LLVMBuildLoad2(builder_, arg.parts[k], LLVMBuildStructGEP2(builder_, regs, mem, k, ""), ""));
    }
    auto call = LLVMBuildCall2(builder_, sig.type, callee, passed.data(), unsigned(passed.size()), "");
    c_attributes(sig, call, true);
    others_at_work();
    if (!sig.result.type) return {};
    if (sig.result.kind == CArg::Direct) return Value(call);
    if (sig.result.kind == CArg::Coerced) {
        out = slot(LLVMTypeOf(call));
        LLVMBuildStore(builder_, call, out);
    }
    return load(Type(sig.result.type), Value(out), {});
}

/// Another function is emitted, then the one before goes on where it was.
class Emitter::Detour {
public:
    Detour(Emitter& e, LLVMValueRef fn, const Def* place)
        : e_(e)
        , state_(std::exchange(e.state_, {}))
        , here_(LLVMGetInsertBlock(e.builder_))
        , alloca_here_(LLVMGetInsertBlock(e.alloca_builder_))
        , location_(LLVMGetCurrentDebugLocation2(e.builder_)) {
        if (e.debug_) frame_ = std::exchange(e.debug_->frame, {});
        e.state_.place = place;
        e.state_.llvm  = fn;
        auto entry     = LLVMAppendBasicBlockInContext(e.ctx_, fn, "entry");
        body_          = LLVMAppendBasicBlockInContext(e.ctx_, fn, "body");
        LLVMPositionBuilderAtEnd(e.alloca_builder_, entry);
        LLVMPositionBuilderAtEnd(e.builder_, body_);
        LLVMSetCurrentDebugLocation2(e.builder_, nullptr);
    }
    ~Detour() {
        LLVMBuildBr(e_.alloca_builder_, body_);
        e_.state_ = std::move(state_);
        if (e_.debug_) e_.debug_->frame = std::move(frame_);
        if (here_) LLVMPositionBuilderAtEnd(e_.builder_, here_);
        if (alloca_here_) LLVMPositionBuilderAtEnd(e_.alloca_builder_, alloca_here_);
        LLVMSetCurrentDebugLocation2(e_.builder_, location_);
    }
    Detour(const Detour&)            = delete;
    Detour& operator=(const Detour&) = delete;

private:
    Emitter& e_;
    State state_;
    LLVMBasicBlockRef here_, alloca_here_, body_;
    LLVMMetadataRef location_;
    DebugInfo::Frame frame_;
};

/// The body of a C function that calls the internal form; that call.
LLVMValueRef Emitter::c_body(LLVMValueRef wrapper, const CSig& sig, const Lam* lam) {
    auto inner = function(lam);
    Detour detour(*this, wrapper, lam);
    begin_debug(lam, wrapper, true);
    others_at_work();
    enter_from_c();

    auto internal = signature(program_->view(lam), {});
    std::vector<LLVMTypeRef> types(LLVMCountParamTypes(internal.type));
    LLVMGetParamTypes(internal.type, types.data());
    std::vector<LLVMValueRef> args;
    unsigned next = sig.result.kind == CArg::Memory ? 1 : 0;
    for (auto& arg : sig.args) {
        if (arg.kind == CArg::Direct) {
            args.push_back(LLVMGetParam(wrapper, next++));
            continue;
        }
        auto mem = LLVMGetParam(wrapper, next);
        if (arg.kind == CArg::Memory) {
            ++next;
        } else {
            auto regs = register_struct(ctx_, arg);
            mem       = unwrap(alloca_(Type(regs)));
            for (unsigned k = 0; k != arg.parts.size(); ++k)
                LLVMBuildStore(builder_, LLVMGetParam(wrapper, next++), LLVMBuildStructGEP2(builder_, regs, mem, k, ""));
        }
        args.push_back(LLVMBuildLoad2(builder_, arg.type, mem, ""));
    }
    args = group(sig, args, std::span(types).subspan(internal.by_memory ? 1 : 0));
    Value out;
    if (internal.by_memory) args.insert(args.begin(), unwrap(out = alloca_(Type(internal.result))));
    auto call = LLVMBuildCall2(builder_, internal.type, inner, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    Value result = internal.by_memory ? load(Type(internal.result), out, {}) : Value(call);
    if (!sig.returns) {
        LLVMBuildUnreachable(builder_);
    } else if (!sig.result.type) {
        LLVMBuildRetVoid(builder_);
    } else if (sig.result.kind == CArg::Memory) {
        store(result, Value(LLVMGetParam(wrapper, 0)), {});
        LLVMBuildRetVoid(builder_);
    } else if (sig.result.kind == CArg::Coerced) {
        auto regs = LLVMGetReturnType(sig.type);
        auto mem  = alloca_(Type(regs));
        store(result, mem, {});
        LLVMBuildRet(builder_, LLVMBuildLoad2(builder_, regs, unwrap(mem), ""));
    } else {
        LLVMBuildRet(builder_, unwrap(result));
    }
    return call;
}

/// `main` is called once. Inlined into what C calls, most of the program would go through all passes twice. What C calls keeps its frame,
/// where a backtrace ends.
void Emitter::wrap_external(Symbol name, const Lam* lam) {
    auto sig = c_signature(program_->view(lam), lam, name.view());
    if (name == "main") check_main(lam, sig);
    auto wrapper = c_function(name.view(), sig, lam);
    if (LLVMCountBasicBlocks(wrapper)) fail(lam, Diag::symbol_clash, {std::string(name.view())});
    auto call = c_body(wrapper, sig, lam);
    if (name != "main") return;
    mark_call(call, "noinline");
    LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);
}

/// What C sees is right in any order of the parameters; the language has one.
void Emitter::check_main(const Lam* lam, const CSig& sig) {
    auto is    = [&](const CArg& a, Type t) { return a.kind == CArg::Direct && a.type == unwrap(t); };
    auto token = [](const Def* type) { return head_axiom(type) && head_axiom(type)->axiom().has(Axiom::LinearType); };
    auto view  = program_->view(lam);
    auto size  = view.result ? std::max<int64_t>(world_.lit_arity(view.result), 1) : 0;
    bool ok    = is(sig.result, int_type(32)) && (sig.args.empty() || sig.args.size() == 2) && size <= 2;
    for (size_t i = 1; i < view.params.size(); ++i) ok = ok && !token(view.params[i].type);
    if (ok && size == 2) ok = token(elem_decl(world_, view.result, 0)) && !token(elem_decl(world_, view.result, 1));
    if (ok && sig.args.size() == 2) {
        auto strings = pointee(world_, view.params.back().type);
        auto chars   = strings ? pointee(world_, strings) : nullptr;
        ok           = is(sig.args[0], int_type(32)) && is(sig.args[1], ptr_type(0)) && chars == world_.idx(0x100);
    }
    if (!ok) fail(lam, Diag::bad_main, {});
}

/// The form in which a closed function is a value of a type that C sees.
LLVMValueRef Emitter::c_callback(const Lam* lam) {
    auto& fn = callbacks_[lam];
    if (fn) return fn;
    auto sig = c_signature(program_->view(lam), state_.place, name_of(lam));
    fn       = LLVMAddFunction(module_, "mim.callback", sig.type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    c_attributes(sig, fn, false);
    c_body(fn, sig, lam);
    return fn;
}

/// A C function as a value.
Value Emitter::c_pointer(const Axm* axm) {
    auto name = heap_function(axm->axiom().name.view());
    auto view = view_cn(world_, axm->type()->as<Pi>()->dom(), true);
    if (!c_types_->contains(axm->type())) return Value(as_value(c_thunk(axm), signature(view, {})));
    return Value(c_function(name, c_signature(view, state_.place, name), state_.place));
}

/// The internal form of a C function, for values of a type that C does not see.
LLVMValueRef Emitter::c_thunk(const Axm* axm) {
    auto& thunk = thunks_[axm];
    if (thunk) return thunk;
    auto name   = axm->axiom().name.view();
    auto view   = view_cn(world_, axm->type()->as<Pi>()->dom(), true);
    auto sig    = signature(view, {});
    auto csig   = c_signature(view, state_.place, name);
    auto callee = c_function(heap_function(name), csig, state_.place);
    thunk       = LLVMAddFunction(module_, ("mim." + std::string(name)).c_str(), sig.type);
    LLVMSetFunctionCallConv(thunk, tailcc);
    LLVMSetLinkage(thunk, LLVMInternalLinkage);

    Detour detour(*this, thunk, state_.place);
    std::vector<LLVMValueRef> args;
    for (unsigned i = sig.by_memory ? 1 : 0, n = LLVMCountParams(thunk); i != n; ++i) args.push_back(LLVMGetParam(thunk, i));
    auto result = c_call(callee, csig, args);
    if (!view.has_ret()) {
        LLVMBuildUnreachable(builder_);
    } else if (sig.by_memory) {
        store(result, Value(LLVMGetParam(thunk, 0)), {});
        LLVMBuildRetVoid(builder_);
    } else if (result) {
        LLVMBuildRet(builder_, unwrap(result));
    } else {
        LLVMBuildRetVoid(builder_);
    }
    return thunk;
}

} // namespace mim::backend::llvm
