// SPDX-License-Identifier: MIT
// Polynomials with integer coefficients over variables that are numbers: the sizes of arrays in languages that compute
// with them. Equal polynomials have equal representations.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace mim {

class Polynomial {
public:
    using Var = uint32_t;
    /// Wide enough for sizes of 64 bits with a sign.
    __extension__ using Number = __int128;
    /// A product of variables in ascending order, with repetition; the empty one is 1.
    using Monomial = std::vector<Var>;

    Polynomial() = default;
    static Polynomial number(Number);
    static Polynomial variable(Var);

    friend Polynomial operator+(const Polynomial&, const Polynomial&);
    friend Polynomial operator-(const Polynomial&, const Polynomial&);
    friend Polynomial operator*(const Polynomial&, const Polynomial&);
    bool operator==(const Polynomial&) const = default;

    /// Some coefficient left 128 bits, or there were thousands of products: the polynomial means nothing, and neither does what is computed from it.
    bool is_overflown() const { return is_overflown_; }
    /// The number that it is, if no variable occurs.
    std::optional<Number> value() const;
    /// The variable that it is.
    std::optional<Var> as_variable() const;
    bool occurs(Var) const;
    /// The coefficients that are not 0.
    const std::map<Monomial, Number>& terms() const { return terms_; }

    Polynomial substitute(Var x, const Polynomial& value) const { return replace({{x, value}}); }
    /// With these in place of variables, all at once: the variables that they mention stay.
    Polynomial replace(const std::map<Var, Polynomial>& values) const;
    /// The polynomial p such that this one is 0 exactly where the variable is p. Nothing if the variable occurs in a
    /// product, or if division by its coefficient leaves a rest.
    std::optional<Polynomial> solve(Var) const;
    /// What the variable is multiplied with, which need not be a number. Nothing if it occurs squared.
    std::optional<Polynomial> coefficient(Var) const;
    /// The polynomial that is this one when it is multiplied with `divisor`. Nothing if there is none.
    std::optional<Polynomial> divide(const Polynomial& divisor) const;

private:
    void add(const Monomial&, Number);

    std::map<Monomial, Number> terms_;
    bool is_overflown_ = false;
};

/// Values of unknowns that follow from all of these polynomials being 0. An unknown has none if the equations do not determine it, if it occurs
/// in products with other unknowns, or if division leaves a rest. Where a coefficient that is no number may be 0, an equation may hold for other
/// values as well. Whoever needs all equations to hold puts the values in.
std::map<Polynomial::Var, Polynomial> solve_linear(std::vector<Polynomial> zeros, const std::vector<Polynomial::Var>& unknowns);

} // namespace mim
