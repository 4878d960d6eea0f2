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

    /// Some coefficient left 128 bits: the polynomial means nothing, and neither does what is computed from it.
    bool is_overflown() const { return is_overflown_; }
    /// The number that it is, if no variable occurs.
    std::optional<Number> value() const;
    /// The variable that it is.
    std::optional<Var> as_variable() const;
    bool occurs(Var) const;
    /// The coefficients that are not 0.
    const std::map<Monomial, Number>& terms() const { return terms_; }

    Polynomial substitute(Var, const Polynomial&) const;
    /// The polynomial p such that this one is 0 exactly where the variable is p. Nothing if the variable occurs in a
    /// product, or if division by its coefficient leaves a rest.
    std::optional<Polynomial> solve(Var) const;

private:
    void add(const Monomial&, Number);

    std::map<Monomial, Number> terms_;
    bool is_overflown_ = false;
};

} // namespace mim
