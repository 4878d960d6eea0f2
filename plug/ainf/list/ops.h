// SPDX-License-Identifier: MIT
// The operations of lists that have a fixed number of operands, and the axioms that they are in the graph.
#pragma once
#include <optional>

#include "ainf/annexes.h"
#include "ainf/list/list.h"

namespace mim::plug::ainf {

/// The way in which an axiom of operands takes its groups.
enum class Shape : uint8_t { Plain, Moded };

struct OpRow {
    Op op;
    AnnexId axiom;
    Shape shape;
    size_t num_args;
};

template<class Enum>
constexpr AnnexId id_of(Enum e) {
    return {AnnexTraits<Enum>::plugin, AnnexTraits<Enum>::tag, static_cast<uint16_t>(e)};
}

/// Without binders, literals, `plus`, `app` and `ite`, which have shapes of their own.
inline constexpr OpRow kOps[] = {
    {Op::NatAdd, id_of(nat::add), Shape::Plain, 2},
    {Op::NatSub, id_of(nat::sub), Shape::Plain, 2},
    {Op::NatMul, id_of(nat::mul), Shape::Plain, 2},
    {Op::NatDiv, id_of(nat::div), Shape::Plain, 2},
    {Op::FltAdd, id_of(flt::add), Shape::Moded, 2},
    {Op::FltSub, id_of(flt::sub), Shape::Moded, 2},
    {Op::FltMul, id_of(flt::mul), Shape::Moded, 2},
    {Op::FltDiv, id_of(flt::div), Shape::Moded, 2},
    {Op::FltMax, id_of(flt::max), Shape::Moded, 2},
    {Op::Exp, id_of(unary::exp), Shape::Moded, 1},
    {Op::Log, id_of(unary::log), Shape::Moded, 1},
    {Op::Sqrt, id_of(unary::sqrt), Shape::Moded, 1},
    {Op::NormCdf, id_of(unary::norm_cdf), Shape::Moded, 1},
    {Op::Less, id_of(compare::less), Shape::Plain, 2},
    {Op::Equal, id_of(compare::equal), Shape::Plain, 2},
    {Op::Val, id_of(val(0)), Shape::Plain, 1},
    {Op::Real, id_of(real(0)), Shape::Plain, 1},
    {Op::Pair, id_of(pair(0)), Shape::Plain, 2},
    {Op::Fst, id_of(fst(0)), Shape::Plain, 1},
    {Op::Snd, id_of(snd(0)), Shape::Plain, 1},
    {Op::Get, id_of(get(0)), Shape::Plain, 2},
    {Op::Sum, id_of(sum(0)), Shape::Moded, 1},
};

inline const OpRow* row_of(Op op) {
    for (auto& row : kOps)
        if (row.op == op) return &row;
    return nullptr;
}
inline const OpRow* row_of(AnnexId axiom) {
    for (auto& row : kOps)
        if (row.axiom == axiom) return &row;
    return nullptr;
}

/// The operation on these operands, with this mode if it has one: one of the table, `app`, or `plus`, the only one that
/// needs its type.
const Def* make_operation(World&, Op, const Def* type, uint64_t mode, const DefVec& args);

struct Operation {
    Op op;
    DefVec args;
    const Def* mode = nullptr; ///< of floats
};
/// The operation that the application is; nothing if `make_operation` makes no such one.
std::optional<Operation> isa_operation(World&, const Def*);

/// `fold` or `scan`, whose function is written out.
struct Folding {
    Op op;
    const Def* start;
    const Lam* step;
    const Lam* turn; ///< the body of `step`
};
std::optional<Folding> isa_folding(const Def*);

/// A value that has no operands.
bool is_literal(const Def*);

} // namespace mim::plug::ainf
