// SPDX-License-Identifier: MIT
// A builder in which scalar emitters make vectors: its types have n lanes, constants are the same in each lane, and symbols for operands
// (see lift.cpp) are the vectors at hand. What LLVM does lane by lane goes through unchanged. With no lanes the symbols are scalars: so
// emitters with branches are run, once for each lane.
#pragma once
#include <vector>

#include "backend/emit_forwarder.h"

namespace mim::plug::vec {

using enum backend::Bin;
using enum backend::Cast;
using enum backend::Cmp;
using backend::Emit;
using backend::Type;
using backend::Value;

class Lifted final : public backend::EmitForwarder {
public:
    /// `lanes` 0: scalars. `at` is to blame for what is undefined. `e` outlives this.
    Lifted(Emit& e, const Def* at, unsigned lanes, std::vector<Value> operands)
        : EmitForwarder(e)
        , at_(at)
        , lanes_(lanes)
        , operands_(std::move(operands)) {}

    Value emit(const Def*) override;
    Value elem(const Def*, size_t) override;
    Type type(const Def* t) override { return wide(below().type(t)); }
    Type int_type(unsigned bits) override { return wide(below().int_type(bits)); }
    Type float_type(backend::Float f) override { return wide(below().float_type(f)); }
    Value exact(Value index, Value) override { return index; }
    Value intrinsic(std::string_view, backend::Types, backend::Values, uint32_t flags) override;
    Value call(std::string_view, Type result, backend::Values, uint32_t flags) override;
    void branch(Value cond, backend::Block yes, backend::Block no) override;
    void trap_if(Value cond, const Def* at, std::string_view what, backend::Values numbers) override;
    using EmitForwarder::call;
    using EmitForwarder::intrinsic;

private:
    Type wide(Type t) { return t && lanes_ ? below().vector_type(t, lanes_) : t; }

    const Def* at_;
    unsigned lanes_;
    std::vector<Value> operands_;
};

} // namespace mim::plug::vec
