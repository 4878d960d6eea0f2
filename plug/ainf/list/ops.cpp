// SPDX-License-Identifier: MIT
#include "ainf/list/ops.h"

#include "kit/build.h"
#include "kit/match.h"

namespace mim::plug::ainf {

/// The implicit group of an axiom with these operands; null if it has none.
static const Def* implicit(World& w, Op op, const DefVec& args) {
    auto type = args[0]->type();
    switch (op) {
        case Op::Less:
        case Op::Equal: return type;
        case Op::Val: return isa_idx(type);
        case Op::Pair: return w.tuple({type, args[1]->type()});
        case Op::Fst:
        case Op::Snd:
        case Op::Get:
        case Op::Sum: return type->as<App>()->arg();
        default: return nullptr;
    }
}

const Def* make_operation(World& w, Op op, const Def* type, uint64_t mode, const DefVec& args) {
    if (op == Op::Plus)
        return w.apply<plus>({isa_idx(args[0]->type()), isa_idx(args[1]->type())}, {isa_idx(type)}, {args[0], args[1]});
    if (op == Op::App) return w.apply<app>({args[1]->type(), args[0]->type()->as<Pi>()->codom()}, {args[0]}, {args[1]});
    auto& row = *row_of(op);
    auto def  = w.annexes.at(row.axiom);
    if (auto types = implicit(w, op, args)) def = w.app(def, types);
    if (row.shape == Shape::Moded) def = w.app(def, w.lit_nat(mode));
    return w.app(def, w.tuple(args));
}

std::optional<Operation> isa_operation(World& w, const Def* def) {
    if (auto m = match<app>(def)) return Operation{Op::App, {m.group(1), m.arg()}};
    if (match<plus>(def)) return Operation{Op::Plus, {operand(w, def, 0), operand(w, def, 1)}};
    auto axiom = saturated_axiom(def);
    auto row   = axiom ? row_of(axiom->axiom().id) : nullptr;
    if (!row) return {};
    auto mode = row->shape == Shape::Moded ? arg_of(callee_of(def)) : nullptr;
    if (row->num_args == 1) return Operation{row->op, {arg_of(def)}, mode};
    return Operation{row->op, {operand(w, def, 0), operand(w, def, 1)}, mode};
}

std::optional<Folding> isa_folding(const Def* def) {
    bool is_fold = match<fold>(def);
    if (!is_fold && !match<scan>(def)) return {};
    auto step = arg_of(def)->isa<Lam>();
    auto turn = step ? step->body()->isa<Lam>() : nullptr;
    if (!turn) return {};
    return Folding{is_fold ? Op::Fold : Op::Scan, group(def, 1), step, turn};
}

bool is_literal(const Def* def) { return def->isa<Lit>() || match<index>(def); }

} // namespace mim::plug::ainf
