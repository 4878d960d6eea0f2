// SPDX-License-Identifier: MIT
// The facade that emitters of plugins get: it looks at what an emitter asks for before LLVM does, whose answer to operands of wrong types
// is a crash, or code that nobody can explain. Mim's own code works with the builder below.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "backend/emit_forwarder.h"
#include "backend/llvm/code_builder.h"

namespace mim::backend::llvm {

/// An emitter asked for what cannot be, or made what it must not. `what` goes on after the emitter's name: "asks for `bin` of …".
struct Misuse : Passing {
    explicit Misuse(std::string what)
        : what(std::move(what)) {}
    std::string what;
};

/// "`i64`", or "nothing" for an empty one.
std::string text_of(LLVMTypeRef);

/// A mistake throws Misuse.
class CheckedEmit final : public EmitForwarder {
public:
    explicit CheckedEmit(CodeBuilder& below)
        : EmitForwarder(below)
        , build_(below) {}

    using EmitForwarder::aggregate;
    using EmitForwarder::intrinsic;
    using EmitForwarder::struct_type;

    // types and constants
    Type int_type(unsigned bits) override;
    Type array_type(Type elem, uint64_t n) override;
    Type vector_type(Type elem, unsigned lanes) override;
    Value int_const(Type type, uint64_t n) override;
    Value float_bits(Type type, uint64_t bits) override;
    Value zero(Type type) override;
    Value undef(Type type) override;

    // operations
    Value bin(Bin op, Value a, Value b, uint32_t flags) override;
    Value cmp(Cmp op, Value a, Value b) override;
    Value fcmp(FCmp op, Value a, Value b, uint32_t flags) override;
    Value cast(Cast op, Value value, Type to) override;
    Value select(Value cond, Value on_true, Value on_false) override;
    Value fneg(Value value, uint32_t flags) override;
    Value resize(Value value, Type to) override;
    Value intrinsic(std::string_view name, Types types, Values args, uint32_t flags) override;

    // aggregates and vectors
    Value extract_value(Value agg, unsigned i) override;
    Value insert_value(Value agg, Value elem, unsigned i) override;
    Value extract_lane(Value vec, Value i) override;
    Value insert_lane(Value vec, Value elem, Value i) override;
    Value lanes(Values elems) override;
    Value splat(Value elem, unsigned lanes) override;
    Value shuffle(Value a, Value b, std::span<const int> mask) override;

    // memory
    Value load(Type type, Value ptr, Access access) override;
    void store(Value value, Value ptr, Access access) override;
    Value gep(Type elem, Value ptr, Value i) override;
    Value byte_gep(Value ptr, Value bytes) override;
    Value field_ptr(Type struct_type, Value ptr, unsigned field) override;
    Value masked_load(Type vec, Value ptr, Value mask, Value otherwise, Access access) override;
    void masked_store(Value vec, Value ptr, Value mask, Access access) override;

    // control flow
    Block new_block(std::string_view name) override;
    void enter(Block block) override;
    void jump(Block block) override;
    using Emit::trap_if;
    void trap_if(Value cond, const Def* at, std::string_view what, Values numbers) override;
    void branch(Value cond, Block yes, Block no) override;
    Value phi(Type type, std::span<const std::pair<Value, Block>> incoming) override;

    /// The blocks of one emitter, in which others may be called.
    struct Mark {
        LLVMBasicBlockRef start;
        size_t made, ended;
    };
    Mark begin();
    /// After the emitter: every block but the one that is being filled has an end, and nothing behind it.
    void end(const Mark&);

private:
    void check_open(std::string_view operation);
    bool is_int_like(Value v) { return v && build_.is_int(elem_type(v)); }
    bool is_float_like(Value v) { return v && build_.is_float(elem_type(v)); }
    bool is_pointer(Value v) { return v && build_.is_ptr(build_.type_of(v)); }
    bool is_flag(Value v) { return is_int_like(v) && build_.bits(elem_type(v)) == 1; }
    Type elem_type(Value v);

    CodeBuilder& build_;
    std::vector<LLVMBasicBlockRef> made_, ended_; ///< by emitters that have not returned
};

} // namespace mim::backend::llvm
