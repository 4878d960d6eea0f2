// SPDX-License-Identifier: MIT
#include "base/polynomial.h"

#include <algorithm>
#include <iterator>

namespace mim {

Polynomial Polynomial::number(Number n) {
    Polynomial result;
    result.add({}, n);
    return result;
}

Polynomial Polynomial::variable(Var x) {
    Polynomial result;
    result.add({x}, 1);
    return result;
}

void Polynomial::add(const Monomial& monomial, Number coefficient) {
    auto& sum = terms_[monomial];
    is_overflown_ |= __builtin_add_overflow(sum, coefficient, &sum);
    if (sum == 0) terms_.erase(monomial);
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
    auto sum = a;
    sum.is_overflown_ |= b.is_overflown_;
    for (auto& [monomial, coefficient] : b.terms_) sum.add(monomial, coefficient);
    return sum;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + Polynomial::number(-1) * b; }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial product;
    product.is_overflown_ = a.is_overflown_ || b.is_overflown_;
    for (auto& [x, m] : a.terms_) {
        for (auto& [y, n] : b.terms_) {
            Polynomial::Monomial both;
            std::ranges::merge(x, y, std::back_inserter(both));
            Polynomial::Number coefficient = 0;
            product.is_overflown_ |= __builtin_mul_overflow(m, n, &coefficient);
            product.add(both, coefficient);
        }
    }
    return product;
}

std::optional<Polynomial::Number> Polynomial::value() const {
    if (terms_.empty()) return 0;
    bool is_number = terms_.size() == 1 && terms_.begin()->first.empty();
    return is_number ? std::optional(terms_.begin()->second) : std::nullopt;
}

std::optional<Polynomial::Var> Polynomial::as_variable() const {
    if (terms_.size() != 1) return {};
    auto& [monomial, coefficient] = *terms_.begin();
    bool is_variable              = monomial.size() == 1 && coefficient == 1;
    return is_variable ? std::optional(monomial[0]) : std::nullopt;
}

bool Polynomial::occurs(Var x) const {
    return std::ranges::any_of(terms_, [&](auto& term) { return std::ranges::binary_search(term.first, x); });
}

Polynomial Polynomial::substitute(Var x, const Polynomial& value) const {
    Polynomial result;
    result.is_overflown_ = is_overflown_;
    for (auto& [monomial, coefficient] : terms_) {
        auto product = number(coefficient);
        for (auto y : monomial) product = product * (y == x ? value : variable(y));
        result = result + product;
    }
    return result;
}

std::optional<Polynomial> Polynomial::solve(Var x) const {
    auto own = terms_.find({x});
    if (own == terms_.end()) return {};
    auto rest = *this - variable(x) * number(own->second);
    if (rest.occurs(x)) return {};
    Polynomial result;
    for (auto& [monomial, coefficient] : rest.terms_) {
        if (coefficient % own->second != 0) return {};
        result.add(monomial, -(coefficient / own->second));
    }
    return result;
}

} // namespace mim
