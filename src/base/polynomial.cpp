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
    constexpr size_t most = 1 << 12; // products: what is written in a line has 2^n of them
    if (a.terms_.size() * b.terms_.size() > most) {
        product.is_overflown_ = true;
        return product;
    }
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

Polynomial Polynomial::replace(const std::map<Var, Polynomial>& values) const {
    Polynomial result;
    result.is_overflown_ = is_overflown_;
    for (auto& [monomial, coefficient] : terms_) {
        auto product = number(coefficient);
        for (auto x : monomial) {
            auto value = values.find(x);
            product    = product * (value == values.end() ? variable(x) : value->second);
        }
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

std::optional<Polynomial> Polynomial::coefficient(Var x) const {
    Polynomial result;
    result.is_overflown_ = is_overflown_;
    for (auto& [monomial, number] : terms_) {
        auto [first, last] = std::ranges::equal_range(monomial, x);
        if (last - first > 1) return {};
        if (first == last) continue;
        Monomial rest(monomial.begin(), first);
        rest.insert(rest.end(), last, monomial.end());
        result.add(rest, number);
    }
    return result;
}

namespace {

/// An order of monomials that multiplication keeps: by degree, then by the smallest variable in which they differ.
bool is_below(const Polynomial::Monomial& a, const Polynomial::Monomial& b) {
    return a.size() != b.size() ? a.size() < b.size() : a > b;
}

const auto& leading(const Polynomial& p) {
    return *std::ranges::max_element(p.terms(), is_below, [](auto& term) -> auto& { return term.first; });
}

} // namespace

std::optional<Polynomial> Polynomial::divide(const Polynomial& divisor) const {
    if (divisor.terms_.empty() || is_overflown_ || divisor.is_overflown_) return {};
    auto& [by, number] = leading(divisor);
    Polynomial rest    = *this, quotient;
    while (!rest.terms_.empty()) {
        auto& [monomial, coefficient] = leading(rest);
        bool is_multiple              = std::ranges::includes(monomial, by) && coefficient % number == 0;
        if (!is_multiple) return {};
        Polynomial part;
        Monomial factors;
        std::ranges::set_difference(monomial, by, std::back_inserter(factors));
        part.add(factors, coefficient / number);
        quotient = quotient + part;
        rest     = rest - part * divisor;
        if (rest.is_overflown_) return {};
    }
    return quotient;
}

/*
 * systems of equations
 */
namespace {

using Var       = Polynomial::Var;
using Solutions = std::map<Var, Polynomial>;

class System {
public:
    System(std::vector<Polynomial> zeros, const std::vector<Var>& unknowns, const Solutions& known)
        : zeros_(std::move(zeros)) {
        for (auto x : unknowns)
            if (!known.contains(x)) open_.push_back(x);
    }

    /// Each equation that tells an unknown is used for one; the others then do without this unknown.
    void eliminate() {
        for (auto x : open_) {
            auto pivot = std::ranges::find_if(zeros_, [&](auto& zero) { return tells(zero, x); });
            if (pivot == zeros_.end()) continue;
            auto equation = *pivot;
            zeros_.erase(pivot);
            auto factor = *equation.coefficient(x);
            for (auto& zero : zeros_)
                if (auto other = zero.coefficient(x)) zero = factor * zero - *other * equation;
            pivots_.emplace_back(x, std::move(equation));
        }
    }

    /// From the last one on, each has one unknown more than those behind it.
    Solutions solve() const {
        Solutions result;
        for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
            auto& [x, equation] = *pivot;
            auto now            = equation.replace(result);
            auto factor         = now.coefficient(x);
            if (!factor) continue;
            auto rest  = *factor * Polynomial::variable(x) - now;
            auto value = mentions_open(rest) ? std::nullopt : rest.divide(*factor);
            if (value) result.emplace(x, *value);
        }
        return result;
    }

private:
    bool mentions_open(const Polynomial& p) const {
        return std::ranges::any_of(open_, [&](auto x) { return p.occurs(x); });
    }
    bool tells(const Polynomial& zero, Var x) const {
        auto factor = zero.coefficient(x);
        return factor && !factor->terms().empty() && !mentions_open(*factor);
    }

    std::vector<Polynomial> zeros_;
    std::vector<Var> open_;
    std::vector<std::pair<Var, Polynomial>> pivots_;
};

} // namespace

/// A product of unknowns is linear once one of them is known.
Solutions solve_linear(std::vector<Polynomial> zeros, const std::vector<Var>& unknowns) {
    Solutions result;
    while (true) {
        System system(zeros, unknowns, result);
        system.eliminate();
        auto found = system.solve();
        if (found.empty()) return result;
        for (auto& zero : zeros) zero = zero.replace(found);
        result.insert(found.begin(), found.end());
    }
}

} // namespace mim
