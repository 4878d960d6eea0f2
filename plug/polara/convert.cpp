// SPDX-License-Identifier: MIT
// Terms to lists, left to right: an operation gets the next number and is appended under the frames that are around
// it. Indices are named by the number of indices around, so sibling loops write the same operation down in the same
// way.
#include <unordered_map>

#include "ainf/list/ops.h"
#include "kit/match.h"
#include "polara.h"
#include "polara/annexes.h"
#include "polara/list_builder.h"

namespace mim::plug::polara {

namespace {

namespace a = mim::plug::ainf;
using a::Frame;
using a::Op;
using a::Operand;

class Converter : ListBuilder {
public:
    explicit Converter(World& w)
        : ListBuilder(w) {}

    a::List run(const mim::Def* term) {
        list_.result = operand(term);
        return std::move(list_);
    }

private:
    Operand operand(const mim::Def*);
    Operand bind(const mim::Def*);
    Operand function(const Lam*);
    Operand table(const mim::Def*);
    Operand choice(const mim::Def*);
    Operand fold(const mim::Def*, Op, const mim::Def* start, const mim::Def* step);
    Operand operation(const mim::Def*);
    /// The operand that the expression is under one more frame.
    Operand under(Frame, const mim::Def*);
    const mim::Def* enter(const mim::Def* lam, uint32_t index) {
        names_.insert_or_assign(lam->as<Lam>()->var(), Operand{true, index});
        return lam->as<Lam>()->body();
    }

    std::unordered_map<const mim::Def*, Operand> names_;
};

Operand Converter::under(Frame f, const mim::Def* body) {
    Inside inside(*this, std::move(f));
    return operand(body);
}

/// The parameter is another name of the value.
Operand Converter::bind(const mim::Def* def) {
    auto value = operand(group(def, 1));
    auto lam   = arg_of(def)->as<Lam>();
    names_.insert_or_assign(lam->var(), value);
    return operand(lam->body());
}

Operand Converter::function(const Lam* lam) {
    Frame f{.kind = a::Kind::Fun, .index = depth_, .type = lam->dom(), .functions = {next_++}};
    return add(plain(Op::Fun, lam->type(), {under(f, enter(lam, depth_))}, {f}));
}

Operand Converter::table(const mim::Def* def) {
    auto lam = arg_of(def)->as<Lam>();
    Frame f{.kind = a::Kind::For, .index = depth_, .type = lam->dom()};
    return add(plain(Op::For, def->type(), {under(f, enter(lam, depth_))}, {f}));
}

Operand Converter::choice(const mim::Def* def) {
    auto [c, holds, fails] = elems<3>(w, arg_of(def));
    auto condition         = operand(c);
    auto first             = under({.kind = a::Kind::Holds, .condition = condition}, holds);
    auto second            = under({.kind = a::Kind::Fails, .condition = condition}, fails);
    return add(plain(Op::Ite, def->type(), {condition, first, second}));
}

Operand Converter::fold(const mim::Def* def, Op op, const mim::Def* start, const mim::Def* step) {
    auto z     = operand(start);
    auto outer = step->as<Lam>();
    auto inner = enter(outer, depth_)->as<Lam>();
    Frame f{.kind = a::Kind::Fold, .index = depth_, .type = outer->dom(), .turn = inner->dom(), .fold = next_++};
    return add(plain(op, def->type(), {z, under(f, enter(inner, depth_ + 1))}, {f}));
}

Operand Converter::operation(const mim::Def* def) {
    auto [op, parts, mode] = *a::isa_operation(w, def);
    std::vector<Operand> args;
    for (auto part : parts) args.push_back(operand(part));
    return add(moded(op, def->type(), std::move(args), mode ? *value(mode) : 0));
}

Operand Converter::operand(const mim::Def* def) {
    if (auto name = names_.find(def); name != names_.end()) return name->second;
    bool is_literal = def->isa<Lit>() || match<a::index>(def);
    if (is_literal) return literal(def);
    if (auto lam = def->isa<Lam>()) return function(lam);
    if (match<polara::bind>(def)) return bind(def);
    if (match<a::tab>(def)) return table(def);
    if (match<polara::ite>(def)) return choice(def);
    if (auto m = match<a::fold>(def)) return fold(def, Op::Fold, m.group(1), m.arg());
    if (auto m = match<a::scan>(def)) return fold(def, Op::Scan, m.group(1), m.arg());
    return operation(def);
}

} // namespace

ainf::List convert(World& w, const mim::Def* term) { return Converter(w).run(term); }

} // namespace mim::plug::polara
