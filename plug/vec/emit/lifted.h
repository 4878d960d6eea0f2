// SPDX-License-Identifier: MIT
// A builder in which scalar emitters make vectors: its types have n lanes, constants are the same in each lane, and symbols for operands
// (see lift.cpp) are the vectors at hand. What LLVM does lane by lane goes through unchanged. With no lanes the symbols are scalars: so
// emitters with branches are run, once for each lane.
#pragma once
#include <vector>

#include "backend/emit.h"

namespace mim::plug::vec {

using backend::Bin;
using backend::Cast;
using backend::Cmp;
using backend::Emit;
using backend::group_back;
using backend::sub_of_app;
using backend::Type;
using backend::Value;

class Lifted final : public Emit {
public:
    /// `lanes` 0: scalars. `at` is to blame for what is undefined.
    Lifted(Emit& e, const Def* at, unsigned lanes, std::vector<Value> operands)
        : e_(e)
        , at_(at)
        , lanes_(lanes)
        , operands_(std::move(operands)) {}

    // what differs
    Value emit(const Def*) override;
    Value elem(const Def*, size_t) override;
    Type type(const Def* t) override { return wide(e_.type(t)); }
    Type int_type(unsigned bits) override { return wide(e_.int_type(bits)); }
    Type float_type(backend::Float f) override { return wide(e_.float_type(f)); }
    Value intrinsic(std::string_view, backend::Types, backend::Values, uint32_t flags) override;
    Value call(std::string_view, Type result, backend::Values, uint32_t flags) override;
    void trap_if(Value cond, const Def* at, std::string_view what) override;
    using Emit::call;
    using Emit::intrinsic;

    // what is handed on
    World& world() override { return e_.world(); }
    std::string_view target() const override { return e_.target(); }
    bool has(std::string_view feature) const override { return e_.has(feature); }
    bool checked() const override { return e_.checked(); }
    bool checks_memory() const override { return e_.checks_memory(); }
    bool may_be_2_64(const Def* size) override { return e_.may_be_2_64(size); }
    Value convert(Value v, const Def* from, const Def* to) override { return e_.convert(v, from, to); }
    std::string show(const Def* def) override { return e_.show(def); }
    void error(const Def* at, Diag id, std::vector<std::string> args) override { e_.error(at, id, std::move(args)); }
    Type ptr_type(unsigned space) override { return e_.ptr_type(space); }
    Type array_type(Type t, uint64_t n) override { return e_.array_type(t, n); }
    Type vector_type(Type t, unsigned n) override { return e_.vector_type(t, n); }
    Type struct_type(backend::Types ts) override { return e_.struct_type(ts); }
    Type type_of(Value v) override { return e_.type_of(v); }
    bool is_int(Type t) override { return e_.is_int(t); }
    bool is_float(Type t) override { return e_.is_float(t); }
    bool is_ptr(Type t) override { return e_.is_ptr(t); }
    unsigned bits(Type t) override { return e_.bits(t); }
    uint64_t size_of(Type t) override { return e_.size_of(t); }
    uint64_t align_of(Type t) override { return e_.align_of(t); }
    Value int_const(Type t, uint64_t n) override { return e_.int_const(t, n); }
    Value float_bits(Type t, uint64_t bits) override { return e_.float_bits(t, bits); }
    Value zero(Type t) override { return e_.zero(t); }
    Value undef(Type t) override { return e_.undef(t); }
    Value bytes(std::string_view data, unsigned align) override { return e_.bytes(data, align); }
    Value bin(Bin op, Value a, Value b, uint32_t flags) override { return e_.bin(op, a, b, flags); }
    Value cmp(Cmp op, Value a, Value b) override { return e_.cmp(op, a, b); }
    Value fcmp(backend::FCmp op, Value a, Value b, uint32_t flags) override { return e_.fcmp(op, a, b, flags); }
    Value cast(Cast op, Value v, Type to) override { return e_.cast(op, v, to); }
    Value select(Value c, Value t, Value f) override { return e_.select(c, t, f); }
    Value fneg(Value v, uint32_t flags) override { return e_.fneg(v, flags); }
    Value resize(Value v, Type to) override { return e_.resize(v, to); }
    Value exact(Value index, Value) override { return index; }
    Value aggregate(backend::Values vs) override { return e_.aggregate(vs); }
    Value extract_value(Value agg, unsigned i) override { return e_.extract_value(agg, i); }
    Value insert_value(Value agg, Value v, unsigned i) override { return e_.insert_value(agg, v, i); }
    Value extract_lane(Value v, Value i) override { return e_.extract_lane(v, i); }
    Value insert_lane(Value v, Value x, Value i) override { return e_.insert_lane(v, x, i); }
    Value lanes(backend::Values vs) override { return e_.lanes(vs); }
    Value splat(Value x, unsigned n) override { return e_.splat(x, n); }
    Value shuffle(Value a, Value b, std::span<const int> mask) override { return e_.shuffle(a, b, mask); }
    Value alloca_(Type t) override { return e_.alloca_(t); }
    Value activation_memory(const Def* type) override { return e_.activation_memory(type); }
    Value load(Type t, Value p, backend::Access a) override { return e_.load(t, p, a); }
    void store(Value v, Value p, backend::Access a) override { e_.store(v, p, a); }
    Value gep(Type t, Value p, Value i) override { return e_.gep(t, p, i); }
    Value byte_gep(Value p, Value i) override { return e_.byte_gep(p, i); }
    Value field_ptr(Type t, Value p, unsigned i) override { return e_.field_ptr(t, p, i); }
    Value lea(const Def* pointee, Value p, const Def* i) override { return e_.lea(pointee, p, i); }
    Value masked_load(Type t, Value p, Value m, Value v, backend::Access a) override { return e_.masked_load(t, p, m, v, a); }
    void masked_store(Value v, Value p, Value m, backend::Access a) override { e_.masked_store(v, p, m, a); }
    Value emit_inside(const Def* def, const Def* t) override { return e_.emit_inside(def, t); }
    Value call_function(const Def* fn, const Def* arg) override { return e_.call_function(fn, arg); }
    Value closure(const Def* lam, Type t, backend::Storage s) override { return e_.closure(lam, t, s); }
    Value call_closure(Value c, const Def* pi, backend::Values args) override { return e_.call_closure(c, pi, args); }
    Value escaping(const Def* code, const Def* env) override { return e_.escaping(code, env); }
    Value heap(const Def* t, Value bytes) override { return e_.heap(t, bytes); }
    void free_heap(Value p) override { e_.free_heap(p); }
    void keep_closures(const Def* t, Value v, Value p) override { e_.keep_closures(t, v, p); }
    void reinterpreted(const Def* from, const Def* to, Value v) override { e_.reinterpreted(from, to, v); }
    void trap() override { e_.trap(); }
    void unreachable() override { e_.unreachable(); }
    backend::Block new_block(std::string_view name) override { return e_.new_block(name); }
    backend::Block current() override { return e_.current(); }
    void enter(backend::Block b) override { e_.enter(b); }
    void jump(backend::Block b) override { e_.jump(b); }
    void branch(Value c, backend::Block yes, backend::Block no) override { e_.branch(c, yes, no); }
    Value phi(Type t, std::span<const std::pair<Value, backend::Block>> in) override { return e_.phi(t, in); }

private:
    Type wide(Type t) { return t && lanes_ ? e_.vector_type(t, lanes_) : t; }

    Emit& e_;
    const Def* at_;
    unsigned lanes_;
    std::vector<Value> operands_;
};

} // namespace mim::plug::vec
