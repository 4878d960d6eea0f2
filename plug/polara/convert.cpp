// SPDX-License-Identifier: MIT
// Terms to lists, left to right: an operation gets the next number and is appended under the frames that are around
// it. Indices are named by the number of indices around, so sibling loops write the same operation down in the same
// way.
#include <unordered_map>

#include "ainf/list/builder.h"
#include "ainf/list/ops.h"
#include "kit/match.h"
#include "polara.h"
#include "polara/annexes.h"

namespace mim::plug::polara {

namespace {

namespace a = mim::plug::ainf;
using a::Op;
using a::Operand;

class Converter : a::ListBuilder {
public:
    explicit Converter(World& w)
        : a::ListBuilder(w) {}

    a::List run(const mim::Def* term) {
        list_.result = operand(term);
        return std::move(list_);
    }

private:
    Operand operand(const mim::Def*);
    Operand bind(const mim::Def*);
    Operand choice(const mim::Def*);
    Operand fold(const mim::Def* type, const a::Folding&);
    Operand operation(const mim::Def*);
    /// The body of a function, whose parameter has this name.
    const mim::Def* enter(const mim::Def* lam, Operand name) {
        names_.insert_or_assign(lam->as<Lam>()->var(), name);
        return lam->as<Lam>()->body();
    }

    std::unordered_map<const mim::Def*, Operand> names_;
};

/// The parameter is another name of the value.
Operand Converter::bind(const mim::Def* def) {
    auto value = operand(group(def, 1));
    return operand(enter(arg_of(def), value));
}

Operand Converter::choice(const mim::Def* def) {
    auto [c, holds, fails] = elems<3>(w, arg_of(def));
    auto branch            = [this](const mim::Def* body) { return [this, body] { return operand(body); }; };
    return add_choice(def->type(), operand(c), branch(holds), branch(fails));
}

Operand Converter::fold(const mim::Def* type, const a::Folding& f) {
    return add_fold(f.op, type, operand(f.start), f.step->dom(), f.turn->dom(), [&](Operand value, Operand index) {
        enter(f.step, value);
        return operand(enter(f.turn, index));
    });
}

Operand Converter::operation(const mim::Def* def) {
    auto [op, parts, mode] = *a::isa_operation(w, def);
    std::vector<Operand> args;
    for (auto part : parts) args.push_back(operand(part));
    return add(op, def->type(), std::move(args), mode ? *value(mode) : 0);
}

Operand Converter::operand(const mim::Def* def) {
    if (auto name = names_.find(def); name != names_.end()) return name->second;
    if (a::is_literal(def)) return literal(def);
    auto body_of = [this](const Lam* lam) { return [this, lam](Operand index) { return operand(enter(lam, index)); }; };
    if (auto lam = def->isa<Lam>()) return add_function(lam->pi(), body_of(lam));
    if (match<polara::bind>(def)) return bind(def);
    if (auto m = match<a::tab>(def)) return add_table(def->type(), m.arg()->as<Lam>()->dom(), body_of(m.arg()->as<Lam>()));
    if (match<polara::ite>(def)) return choice(def);
    if (auto f = a::isa_folding(def)) return fold(def->type(), *f);
    return operation(def);
}

} // namespace

ainf::List convert(World& w, const mim::Def* term) { return Converter(w).run(term); }

} // namespace mim::plug::polara
