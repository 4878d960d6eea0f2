// SPDX-License-Identifier: MIT
#include "ir/size_equations.h"

#include <utility>

namespace mim {

namespace {

/// The axiom, if this is a sum or a product.
const Axm* operation(const Def* def) {
    auto app    = def->isa<App>();
    auto axm    = app ? app->callee()->isa<Axm>() : nullptr;
    bool is_one = axm && (axm->axiom().has(Axiom::Sum) || axm->axiom().has(Axiom::Product));
    return is_one ? axm : nullptr;
}

constexpr int max_depth    = 64;
constexpr size_t max_terms = 64; ///< so that a product of many sums stays as it is

} // namespace

Polynomial SizePolynomials::atom(const Def* def) {
    atoms_[def->id()] = def;
    return Polynomial::variable(def->id());
}

Polynomial SizePolynomials::read(const Def* def, int depth) {
    auto lit = isa_lit(def);
    if (lit) return Polynomial::number(lit->value());
    auto axm = depth < max_depth ? operation(def) : nullptr;
    if (!axm) return atom(def);
    auto [x, y]   = elems<2>(world_, def->as<App>()->arg());
    auto a        = read(x, depth + 1);
    auto b        = read(y, depth + 1);
    bool is_large = a.terms().size() * b.terms().size() > max_terms;
    if (is_large) return atom(def);
    bool is_sum                = axm->axiom().has(Axiom::Sum);
    (is_sum ? sum_ : product_) = axm;
    return is_sum ? a + b : a * b;
}

/// An equation whose solution has sums or products has some, too.
const Def* SizePolynomials::join(const Def* axm, const Def* a, const Def* b) const {
    if (!a) return b;
    return axm ? world_.app(axm, {a, b}) : nullptr;
}

const Def* SizePolynomials::build(const Polynomial& p) const {
    if (p.is_overflown()) return nullptr;
    const Def* result = nullptr;
    for (auto& [monomial, coefficient] : p.terms()) {
        if (coefficient < 0 || coefficient > UINT64_MAX) return nullptr;
        bool is_one = coefficient == 1 && !monomial.empty();
        auto term   = is_one ? nullptr : world_.lit_nat(static_cast<uint64_t>(coefficient));
        for (auto x : monomial) {
            term = join(product_, term, atoms_.at(x));
            if (!term) return nullptr;
        }
        result = join(sum_, result, term);
        if (!result) return nullptr;
    }
    return result ? result : world_.lit_nat(0);
}

bool SizeEquations::is_size(const Def* def) { return operation(def); }

const Def* SizeEquations::variable(size_t i) const {
    auto n = lit_arity(world_, var_->type());
    return n < 0 || n == 1 ? var_ : world_.extract(var_, i);
}

const Def* SizeEquations::with(const Def* pattern, const std::vector<const Def*>& found) const {
    if (!is_free_in(world_, var_, pattern)) return pattern;
    std::vector<const Def*> args;
    for (size_t i = 0; i < found.size(); ++i) args.push_back(found[i] ? found[i] : variable(i));
    return world_.subst(pattern, var_, args.size() == 1 ? args[0] : world_.tuple(args));
}

void SizeEquations::solve(const std::vector<Equation>& equations, std::vector<const Def*>& found) const {
    SizePolynomials sizes(world_);
    std::vector<Polynomial> zeros;
    for (auto& [pattern, def] : equations) zeros.push_back(sizes.read(with(pattern, found)) - sizes.read(def));
    std::map<Polynomial::Var, size_t> unknowns;
    std::vector<Polynomial::Var> vars;
    for (size_t i = 0; i < found.size(); ++i) {
        if (found[i]) continue;
        vars.push_back(variable(i)->id());
        unknowns.emplace(vars.back(), i);
    }
    for (auto& [x, value] : solve_linear(std::move(zeros), vars)) {
        auto def = sizes.build(value);
        if (def && !is_free_in(world_, var_, def)) found[unknowns.at(x)] = def;
    }
}

} // namespace mim
