// SPDX-License-Identifier: MIT
// Operations, aggregates and control flow; for memory see memory_access.cpp.
#include "backend/llvm/code_builder.h"

#include <llvm-c/DebugInfo.h>

#include <utility>

#include "backend/llvm/attributes.h"
#include "base/blame.h"

namespace mim::backend::llvm {

CodeBuilder::CodeBuilder(World& world, LLVMModuleRef module, Settings settings)
    : ModuleBuilder(world, module, std::move(settings))
    , builder_(LLVMCreateBuilderInContext(context()))
    , alloca_builder_(LLVMCreateBuilderInContext(context())) {}

CodeBuilder::~CodeBuilder() {
    LLVMDisposeBuilder(builder_);
    LLVMDisposeBuilder(alloca_builder_);
}

LLVMValueRef CodeBuilder::function() const { return LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder_)); }

/// Without the empty ones.
static std::vector<LLVMValueRef> unwrap_present(Values values) {
    std::vector<LLVMValueRef> result;
    for (auto v : values)
        if (v) result.push_back(unwrap(v));
    return result;
}

// operations

static void set_flags(LLVMValueRef v, uint32_t flags) {
    if (!LLVMIsAInstruction(v)) return;
    if (flags & NUW) LLVMSetNUW(v, true);
    if (flags & NSW) LLVMSetNSW(v, true);
    if (flags & Exact) LLVMSetExact(v, true);
    auto mode = flags >> FastMathShift;
    if (!mode || !LLVMCanValueUseFastMathFlags(v)) return;
    LLVMFastMathFlags fast = 0;
    if (mode & 1) fast |= LLVMFastMathNoNaNs;
    if (mode & 2) fast |= LLVMFastMathNoInfs;
    if (mode & 4) fast |= LLVMFastMathNoSignedZeros;
    if (mode & 8) fast |= LLVMFastMathAllowReciprocal;
    if (mode & 16) fast |= LLVMFastMathAllowContract;
    if (mode & 32) fast |= LLVMFastMathApproxFunc;
    if (mode & 64) fast |= LLVMFastMathAllowReassoc;
    LLVMSetFastMathFlags(v, fast);
}

Value CodeBuilder::bin(Bin op, Value a, Value b, uint32_t flags) {
    static constexpr LLVMOpcode opcodes[] = {LLVMAdd,  LLVMSub,  LLVMMul,  LLVMUDiv, LLVMSDiv, LLVMURem,
                                             LLVMSRem, LLVMShl,  LLVMLShr, LLVMAShr, LLVMAnd,  LLVMOr,
                                             LLVMXor,  LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, LLVMFRem};
    auto v                                = LLVMBuildBinOp(builder_, opcodes[size_t(op)], unwrap(a), unwrap(b), "");
    set_flags(v, flags);
    return Value(v);
}

Value CodeBuilder::cmp(Cmp op, Value a, Value b) {
    static constexpr LLVMIntPredicate preds[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE, LLVMIntUGT,
                                                 LLVMIntUGE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
    return Value(LLVMBuildICmp(builder_, preds[size_t(op)], unwrap(a), unwrap(b), ""));
}

Value CodeBuilder::fcmp(FCmp op, Value a, Value b, uint32_t flags) {
    auto v = LLVMBuildFCmp(builder_, LLVMRealPredicate(op), unwrap(a), unwrap(b), "");
    set_flags(v, flags);
    return Value(v);
}

Value CodeBuilder::cast(Cast op, Value v, Type to) {
    if (type_of(v) == to) return v;
    static constexpr LLVMOpcode opcodes[] = {LLVMZExt,    LLVMSExt,  LLVMTrunc,  LLVMPtrToInt, LLVMIntToPtr, LLVMBitCast,
                                             LLVMFPTrunc, LLVMFPExt, LLVMSIToFP, LLVMUIToFP,   LLVMFPToSI,   LLVMFPToUI};
    return Value(LLVMBuildCast(builder_, opcodes[size_t(op)], unwrap(v), unwrap(to), ""));
}

Value CodeBuilder::select(Value c, Value t, Value f) {
    if (!t) return {};
    if (LLVMIsConstant(unwrap(c)) && unwrap(c) == LLVMConstAllOnes(LLVMTypeOf(unwrap(c)))) return t;
    return Value(LLVMBuildSelect(builder_, unwrap(c), unwrap(t), unwrap(f), ""));
}

Value CodeBuilder::fneg(Value v, uint32_t flags) {
    auto result = LLVMBuildFNeg(builder_, unwrap(v), "");
    set_flags(result, flags);
    return Value(result);
}

Value CodeBuilder::resize(Value v, Type to) {
    auto from = type_of(v);
    if (from == to) return v;
    bool from_ptr = is_ptr(from), to_ptr = is_ptr(to);
    if (from_ptr && to_ptr) return Value(LLVMBuildAddrSpaceCast(builder_, unwrap(v), unwrap(to), ""));
    if (from_ptr) return Value(LLVMBuildPtrToInt(builder_, unwrap(v), unwrap(to), ""));
    if (to_ptr) return Value(LLVMBuildIntToPtr(builder_, unwrap(v), unwrap(to), ""));
    return cast(bits(from) < bits(to) ? Cast::ZExt : Cast::Trunc, v, to);
}

Value CodeBuilder::intrinsic(std::string_view name, Types types, Values args, uint32_t flags) {
    auto id = LLVMLookupIntrinsicID(name.data(), name.size());
    std::vector<LLVMTypeRef> overloads;
    for (auto t : types) overloads.push_back(unwrap(t));
    auto fn     = LLVMGetIntrinsicDeclaration(module(), id, overloads.data(), overloads.size());
    auto type   = LLVMGlobalGetValueType(fn);
    auto values = unwrap_present(args);
    auto v      = LLVMBuildCall2(builder_, type, fn, values.data(), unsigned(values.size()), "");
    set_flags(v, flags);
    return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind ? Value() : Value(v);
}

/// The emitter that is at work; none: the back end itself calls.
static CCaller caller_here(World& world) {
    auto blame = Blame::current();
    if (!blame || !blame->culprit.at) return {};
    return {world.notes.span(blame->culprit.at), blame->culprit.text()};
}

Value CodeBuilder::call(std::string_view name, Type result, Values args, uint32_t flags) {
    auto values = unwrap_present(args);
    std::vector<LLVMTypeRef> params;
    for (auto v : values) params.push_back(LLVMTypeOf(v));
    auto type = LLVMFunctionType(result ? unwrap(result) : LLVMVoidTypeInContext(context()), params.data(),
                                 unsigned(params.size()), false);
    std::string symbol(name);
    auto fn = c_function(symbol);
    if (!fn) fn = declare_c_function(symbol, type, caller_here(world()));
    auto v = LLVMBuildCall2(builder_, type, fn, values.data(), unsigned(values.size()), "");
    if (flags & NoEffect) {
        mark_call(v, "memory"); // 0: touches none
        mark_call(v, "nounwind"), mark_call(v, "willreturn");
    }
    if (flags & AsWritten) mark_call(v, "nobuiltin");
    set_flags(v, flags);
    if (!(flags & (NoEffect | OwnMemory))) others_at_work();
    return result ? Value(v) : Value();
}

// aggregates and vectors

Value CodeBuilder::aggregate(Values elems) {
    auto values = unwrap_present(elems);
    if (values.empty()) return {};
    if (values.size() == 1) return Value(values.front());
    std::vector<LLVMTypeRef> types;
    for (auto v : values) types.push_back(LLVMTypeOf(v));
    return fill(struct_of(types), std::move(values));
}

/// The constant ones are put together at once: one by one, LLVM would make a constant for each step.
Value CodeBuilder::fill(LLVMTypeRef type, std::vector<LLVMValueRef> elems) {
    std::vector<std::pair<unsigned, LLVMValueRef>> rest;
    for (unsigned i = 0; i != elems.size(); ++i) {
        if (LLVMIsConstant(elems[i])) continue;
        rest.emplace_back(i, elems[i]);
        elems[i] = LLVMGetUndef(LLVMTypeOf(elems[i]));
    }
    auto kind = LLVMGetTypeKind(type);
    auto size = unsigned(elems.size());
    auto agg  = kind == LLVMArrayTypeKind    ? LLVMConstArray2(LLVMGetElementType(type), elems.data(), size)
                : kind == LLVMVectorTypeKind ? LLVMConstVector(elems.data(), size)
                                             : LLVMConstStructInContext(context(), elems.data(), size, false);
    for (auto [i, v] : rest)
        agg = kind == LLVMVectorTypeKind ? LLVMBuildInsertElement(builder_, agg, v, unwrap(i64(i)), "")
                                         : LLVMBuildInsertValue(builder_, agg, v, i, "");
    return Value(agg);
}

Value CodeBuilder::extract_value(Value agg, unsigned i) { return Value(LLVMBuildExtractValue(builder_, unwrap(agg), i, "")); }

Value CodeBuilder::insert_value(Value agg, Value elem, unsigned i) {
    return Value(LLVMBuildInsertValue(builder_, unwrap(agg), unwrap(elem), i, ""));
}

Value CodeBuilder::extract_lane(Value vec, Value i) {
    return Value(LLVMBuildExtractElement(builder_, unwrap(vec), unwrap(i), ""));
}

Value CodeBuilder::insert_lane(Value vec, Value elem, Value i) {
    return Value(LLVMBuildInsertElement(builder_, unwrap(vec), unwrap(elem), unwrap(i), ""));
}

Value CodeBuilder::lanes(Values elems) {
    auto values = unwrap_present(elems);
    auto type   = LLVMVectorType(LLVMTypeOf(values.front()), unsigned(values.size()));
    return fill(type, std::move(values));
}

Value CodeBuilder::splat(Value elem, unsigned lanes) {
    auto vec = undef(vector_type(type_of(elem), lanes));
    vec      = insert_lane(vec, elem, i64(0));
    std::vector<int> mask(lanes, 0);
    return shuffle(vec, vec, mask);
}

Value CodeBuilder::shuffle(Value a, Value b, std::span<const int> mask) {
    auto i32 = LLVMInt32TypeInContext(context());
    std::vector<LLVMValueRef> lanes;
    for (int i : mask) lanes.push_back(i < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, uint64_t(i), false));
    auto m = LLVMConstVector(lanes.data(), unsigned(lanes.size()));
    return Value(LLVMBuildShuffleVector(builder_, unwrap(a), unwrap(b), m, ""));
}

// control flow

backend::Block CodeBuilder::new_block(std::string_view name) {
    return backend::Block(LLVMAppendBasicBlockInContext(context(), function(), std::string(name).c_str()));
}

backend::Block CodeBuilder::current() { return backend::Block(LLVMGetInsertBlock(builder_)); }

void CodeBuilder::enter(backend::Block b) { LLVMPositionBuilderAtEnd(builder_, unwrap(b)); }

void CodeBuilder::jump(backend::Block b) { LLVMBuildBr(builder_, unwrap(b)); }

void CodeBuilder::branch(Value cond, backend::Block yes, backend::Block no) {
    LLVMBuildCondBr(builder_, unwrap(cond), unwrap(yes), unwrap(no));
}

Value CodeBuilder::phi(Type t, std::span<const std::pair<Value, backend::Block>> incoming) {
    if (!t) return {};
    auto phi = LLVMBuildPhi(builder_, unwrap(t), "");
    for (auto& [value, block] : incoming) {
        auto v = unwrap(value);
        auto b = unwrap(block);
        LLVMAddIncoming(phi, &v, &b, 1);
    }
    return Value(phi);
}

void CodeBuilder::trap() {
    intrinsic("llvm.trap", {}, {});
    unreachable();
}

void CodeBuilder::unreachable() {
    LLVMBuildUnreachable(builder_);
    LLVMPositionBuilderAtEnd(builder_, LLVMAppendBasicBlockInContext(context(), function(), "dead"));
}

void CodeBuilder::others_at_work() {
    if (checks_memory()) call("mim_memory_unknown", {}, {}, OwnMemory);
}

Value CodeBuilder::at_entry(const std::function<Value()>& emit) {
    std::swap(builder_, alloca_builder_);
    auto result = emit();
    std::swap(builder_, alloca_builder_);
    return result;
}

Value CodeBuilder::at_start_of(LLVMBasicBlockRef block, const std::function<Value()>& emit) {
    auto here = LLVMGetInsertBlock(builder_);
    auto next = LLVMGetFirstInstruction(block);
    while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
    if (next) LLVMPositionBuilderBefore(builder_, next);
    else LLVMPositionBuilderAtEnd(builder_, block);
    auto result = emit();
    LLVMPositionBuilderAtEnd(builder_, here);
    return result;
}

void CodeBuilder::before_returns(LLVMBasicBlockRef entry, const std::function<void()>& emit) {
    for (auto block = entry; block; block = LLVMGetNextBasicBlock(block)) {
        auto last = LLVMGetBasicBlockTerminator(block);
        if (!last || !LLVMIsAReturnInst(last)) continue;
        auto call    = LLVMGetPreviousInstruction(last);
        bool is_tail = call && LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
        LLVMPositionBuilderBefore(builder_, is_tail ? call : last);
        emit();
    }
}

// positions

CodeBuilder::Position CodeBuilder::begin(LLVMBasicBlockRef entry) {
    Position before{LLVMGetInsertBlock(builder_), LLVMGetInsertBlock(alloca_builder_), LLVMGetCurrentDebugLocation2(builder_),
                    std::exchange(passing_slots_, {})};
    LLVMPositionBuilderAtEnd(alloca_builder_, entry);
    return before;
}

void CodeBuilder::resume(Position position) {
    passing_slots_ = std::move(position.passing_slots);
    if (position.here) LLVMPositionBuilderAtEnd(builder_, position.here);
    if (position.entry) LLVMPositionBuilderAtEnd(alloca_builder_, position.entry);
    LLVMSetCurrentDebugLocation2(builder_, position.location);
}

void CodeBuilder::end_entry(LLVMBasicBlockRef body) { LLVMBuildBr(alloca_builder_, body); }

} // namespace mim::backend::llvm
