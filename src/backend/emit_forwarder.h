// SPDX-License-Identifier: MIT
// A builder that hands everything on to another one. A plugin that changes a few operations of a builder derives from
// it and overrides these: see the vectors of plug/vec.
#pragma once
#include <utility>

#include "backend/emit.h"

namespace mim::backend {

/// Each function calls the function of the same name of the builder below. None calls another one of this builder:
/// who overrides `emit` and wants `elem` to follow overrides both.
class EmitForwarder : public Emit {
public:
    /// `to` outlives this builder.
    explicit EmitForwarder(Emit& to)
        : below_(to) {}

    // those with lists as arguments
    using Emit::aggregate;
    using Emit::call;
    using Emit::error;
    using Emit::intrinsic;
    using Emit::struct_type;

    // the program and the target
    World& world() override { return below_.world(); }
    std::string_view target() const override { return below_.target(); }
    bool has(std::string_view feature) const override { return below_.has(feature); }
    bool checked() const override { return below_.checked(); }
    bool may_be_2_64(const Def* size) override { return below_.may_be_2_64(size); }
    bool checks_memory() const override { return below_.checks_memory(); }

    // expressions
    Value emit(const Def* def) override { return below_.emit(def); }
    Value elem(const Def* def, size_t i) override { return below_.elem(def, i); }
    Type type(const Def* type) override { return below_.type(type); }
    Value convert(Value value, const Def* from, const Def* to) override { return below_.convert(value, from, to); }
    std::string show(const Def* def) override { return below_.show(def); }
    void error(const Def* at, Diag id, std::vector<std::string> args) override { below_.error(at, id, std::move(args)); }

    // types
    Type int_type(unsigned bits) override { return below_.int_type(bits); }
    Type float_type(Float kind) override { return below_.float_type(kind); }
    Type ptr_type(unsigned addrspace = 0) override { return below_.ptr_type(addrspace); }
    Type array_type(Type elem, uint64_t n) override { return below_.array_type(elem, n); }
    Type vector_type(Type elem, unsigned lanes) override { return below_.vector_type(elem, lanes); }
    Type struct_type(Types elems) override { return below_.struct_type(elems); }
    Type type_of(Value value) override { return below_.type_of(value); }
    bool is_int(Type type) override { return below_.is_int(type); }
    bool is_float(Type type) override { return below_.is_float(type); }
    bool is_ptr(Type type) override { return below_.is_ptr(type); }
    unsigned bits(Type type) override { return below_.bits(type); }
    uint64_t size_of(Type type) override { return below_.size_of(type); }
    uint64_t align_of(Type type) override { return below_.align_of(type); }

    // constants
    Value int_const(Type type, uint64_t n) override { return below_.int_const(type, n); }
    Value float_bits(Type type, uint64_t bits) override { return below_.float_bits(type, bits); }
    Value zero(Type type) override { return below_.zero(type); }
    Value undef(Type type) override { return below_.undef(type); }
    Value bytes(std::string_view data, unsigned align = 1) override { return below_.bytes(data, align); }

    // operations
    Value bin(Bin op, Value a, Value b, uint32_t flags = 0) override { return below_.bin(op, a, b, flags); }
    Value cmp(Cmp op, Value a, Value b) override { return below_.cmp(op, a, b); }
    Value fcmp(FCmp op, Value a, Value b, uint32_t flags = 0) override { return below_.fcmp(op, a, b, flags); }
    Value cast(Cast op, Value value, Type to) override { return below_.cast(op, value, to); }
    Value select(Value cond, Value on_true, Value on_false) override { return below_.select(cond, on_true, on_false); }
    Value fneg(Value value, uint32_t flags = 0) override { return below_.fneg(value, flags); }
    Value resize(Value value, Type to) override { return below_.resize(value, to); }
    Value exact(Value index, Value wide) override { return below_.exact(index, wide); }
    Value number_of(Value index) override { return below_.number_of(index); }
    Value intrinsic(std::string_view name, Types types, Values args, uint32_t flags = 0) override {
        return below_.intrinsic(name, types, args, flags);
    }
    Value call(std::string_view name, Type result, Values args, uint32_t flags = 0) override {
        return below_.call(name, result, args, flags);
    }

    // aggregates and vectors
    Value aggregate(Values elems) override { return below_.aggregate(elems); }
    Value extract_value(Value agg, unsigned i) override { return below_.extract_value(agg, i); }
    Value insert_value(Value agg, Value elem, unsigned i) override { return below_.insert_value(agg, elem, i); }
    Value extract_lane(Value vec, Value i) override { return below_.extract_lane(vec, i); }
    Value insert_lane(Value vec, Value elem, Value i) override { return below_.insert_lane(vec, elem, i); }
    Value lanes(Values elems) override { return below_.lanes(elems); }
    Value splat(Value elem, unsigned lanes) override { return below_.splat(elem, lanes); }
    Value shuffle(Value a, Value b, std::span<const int> mask) override { return below_.shuffle(a, b, mask); }

    // memory
    Value alloca_(Type type) override { return below_.alloca_(type); }
    Value activation_memory(const Def* type, const Def* op) override { return below_.activation_memory(type, op); }
    Value load(Type type, Value ptr, Access access = {}) override { return below_.load(type, ptr, access); }
    void store(Value value, Value ptr, Access access = {}) override { below_.store(value, ptr, access); }
    Value gep(Type elem, Value ptr, Value i) override { return below_.gep(elem, ptr, i); }
    Value byte_gep(Value ptr, Value bytes) override { return below_.byte_gep(ptr, bytes); }
    Value field_ptr(Type struct_type, Value ptr, unsigned field) override { return below_.field_ptr(struct_type, ptr, field); }
    void unaliased(Value ptr) override { below_.unaliased(ptr); }
    Value read(const Def* type, Value ptr, Access access = {}) override { return below_.read(type, ptr, access); }
    bool is_view(const Def* load) override { return below_.is_view(load); }
    Value view(const Def* type, Value ptr) override { return below_.view(type, ptr); }
    bool is_sink(const Def* store) override { return below_.is_sink(store); }
    void end_array(const Def* type, Value array, Value ptr) override { below_.end_array(type, array, ptr); }
    void write(const Def* type, Value value, Value ptr, Access access = {}) override { below_.write(type, value, ptr, access); }
    Value fill_array(const Def* type, const std::function<Value(Value)>& element) override {
        return below_.fill_array(type, element);
    }
    Value unwritten(const Def* type) override { return below_.unwritten(type); }
    Value bytes_of(const Def* type) override { return below_.bytes_of(type); }
    Value lea(const Def* pointee, Value ptr, const Def* index) override { return below_.lea(pointee, ptr, index); }
    Value masked_load(Type vec, Value ptr, Value mask, Value otherwise, Access access = {}) override {
        return below_.masked_load(vec, ptr, mask, otherwise, access);
    }
    void masked_store(Value vec, Value ptr, Value mask, Access access = {}) override {
        below_.masked_store(vec, ptr, mask, access);
    }

    // evaluation by need
    Value emit_inside(const Def* def, const Def* type) override { return below_.emit_inside(def, type); }
    Value call_function(const Def* fn, const Def* arg) override { return below_.call_function(fn, arg); }
    Value call_function(const Def* fn, Values args) override { return below_.call_function(fn, args); }

    // closures
    Value closure(const Def* lam, Type header, Storage storage) override { return below_.closure(lam, header, storage); }
    Value call_closure(Value closure, const Def* pi, Values args) override { return below_.call_closure(closure, pi, args); }
    Value escaping(const Def* code, const Def* env) override { return below_.escaping(code, env); }

    // the heap
    Value heap(const Def* type, Value bytes) override { return below_.heap(type, bytes); }
    void free_heap(Value ptr) override { below_.free_heap(ptr); }
    Value collected(Value bytes, bool is_plain) override { return below_.collected(bytes, is_plain); }
    void keep_closures(const Def* type, Value value, Value at) override { below_.keep_closures(type, value, at); }
    void reinterpreted(const Def* from, const Def* to, Value value) override { below_.reinterpreted(from, to, value); }

    // control flow
    using Emit::trap_if;
    void trap_if(Value cond, const Def* at, std::string_view what, Values numbers) override {
        below_.trap_if(cond, at, what, numbers);
    }
    void trap() override { below_.trap(); }
    void unreachable() override { below_.unreachable(); }
    Block new_block(std::string_view name) override { return below_.new_block(name); }
    Block current() override { return below_.current(); }
    void enter(Block block) override { below_.enter(block); }
    void jump(Block block) override { below_.jump(block); }
    void branch(Value cond, Block yes, Block no) override { below_.branch(cond, yes, no); }
    Value phi(Type type, std::span<const std::pair<Value, Block>> incoming) override { return below_.phi(type, incoming); }

protected:
    /// The builder below.
    Emit& below() const { return below_; }

private:
    Emit& below_;
};

} // namespace mim::backend
