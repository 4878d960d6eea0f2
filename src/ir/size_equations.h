// SPDX-License-Identifier: MIT
// Private to src/ir: sums and products of Nats as polynomials. One in the left side of a rule is an equation for the variables in it: `q · k` at
// the size 64 · n, where k is 32, makes q = 2 · n. One in the type of a parameter is an equation for placeholders.
#pragma once
#include <map>
#include <vector>

#include "base/polynomial.h"
#include "ir/rule.h"
#include "ir/world.h"

namespace mim {

/// Expressions as polynomials and back. Their variables are the numbers of nodes.
class SizePolynomials {
public:
    explicit SizePolynomials(World& world)
        : world_(world) {}

    Polynomial read(const Def* def, int depth = 0);
    /// Null if it is negative for some values of its variables, or too large.
    const Def* build(const Polynomial&) const;
    /// What is neither a sum nor a product nor a literal, in what was read.
    const std::map<Polynomial::Var, const Def*>& atoms() const { return atoms_; }

private:
    Polynomial atom(const Def*);
    const Def* join(const Def* axm, const Def* a, const Def* b) const;

    World& world_;
    std::map<Polynomial::Var, const Def*> atoms_;
    const Def *sum_ = nullptr, *product_ = nullptr;
};

class SizeEquations {
public:
    struct Equation {
        const Def *pattern, *def;
    };

    SizeEquations(World& world, const RewriteRule& rule)
        : world_(world)
        , var_(rule.binder->var()) {}

    /// A sum or a product.
    static bool is_size(const Def*);
    /// The pattern variable of this number.
    const Def* variable(size_t i) const;
    /// With what stands for the variables, as far as that is found.
    const Def* with(const Def* pattern, const std::vector<const Def*>& found) const;
    /// Puts what follows from all equations into `found`, where it is a number from 0 on whatever the variables of the program are.
    void solve(const std::vector<Equation>&, std::vector<const Def*>& found) const;

private:
    World& world_;
    const Def* var_;
};

} // namespace mim
