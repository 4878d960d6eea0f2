// SPDX-License-Identifier: MIT
// Facts become names: `s | n` is n = s·q, `a <= b` is b = a + d, so a program speaks of q and d, and nothing has to be
// remembered beside its binders. What a name is at least (1 for a divisor) is kept with the name. Text puts n, n/s and
// b-a back.
#include <algorithm>
#include <numeric>
#include <utility>

#include "types.h"

namespace mim::plug::rise {

static Polynomial one() { return Polynomial::number(1); }

/// The greatest number that divides all coefficients.
static uint64_t content(const Polynomial& p) {
    uint64_t result = 0;
    for (auto& [monomial, coefficient] : p.terms()) {
        auto absolute = coefficient < 0 ? -coefficient : coefficient;
        result        = std::gcd(result, static_cast<uint64_t>(absolute));
    }
    return result;
}

static Polynomial divided(const Polynomial& p, uint64_t by) {
    Polynomial result;
    for (auto& [monomial, coefficient] : p.terms()) {
        auto part = Polynomial::number(coefficient / static_cast<Polynomial::Number>(by));
        for (auto x : monomial) part = part * Polynomial::variable(x);
        result = result + part;
    }
    return result;
}

static Polynomial::Number constant(const Polynomial& p) {
    auto found = p.terms().find({});
    return found == p.terms().end() ? 0 : found->second;
}

/// A name with coefficient 1 may become something else, unless it is in an atom or twice in the fact.
bool Types::can_replace(Var x, const Polynomial& rest) const {
    return vars_[x].kind == Entry::Named && !vars_[x].value && !mentions(rest, x);
}

Polynomial Types::derive(bool is_quotient, const Polynomial& left, const Polynomial& right, const std::string& name) {
    auto x = nat_name(name);
    derived_.push_back({x, is_quotient, left, right});
    return Polynomial::variable(x);
}

bool has_no_negative(const Polynomial& p) {
    return std::ranges::all_of(p.terms(), [](auto& t) { return t.second >= 0; });
}

std::string Types::divides(const Polynomial& divisor, const Polynomial& dividend) {
    auto d = resolve(divisor), p = resolve(dividend);
    auto number = d.value();
    auto name   = d.as_variable();
    if (number && *number == 0) return "nothing is a multiple of 0";
    bool is_divisor = number || name || is_size(d - one());
    if (!is_divisor) return "its divisor is neither a number nor a name";
    if (name) vars_[*name].at_least = std::max<uint64_t>(vars_[*name].at_least, 1);
    if (divide(p, d)) return {};
    auto rest_d = d, rest_p = p;
    if (number) {
        auto common = std::gcd(content(p), static_cast<uint64_t>(*number));
        auto all    = content(p);
        rest_d      = Polynomial::number(*number / static_cast<Polynomial::Number>(common));
        rest_p      = divided(p, all);
    }
    for (auto& [monomial, coefficient] : rest_p.terms()) {
        if (monomial.size() != 1 || coefficient != 1) continue;
        auto x    = monomial[0];
        auto rest = rest_p - Polynomial::variable(x);
        if (!can_replace(x, rest) || mentions(d, x) || !has_no_negative(Polynomial() - rest)) continue;
        auto least      = vars_[x].at_least;
        auto q          = derive(true, dividend, divisor, text(dividend) + "/" + text(divisor));
        bool is_literal = rest_d.value() && (rest.terms().empty() || rest.value());
        if (rest_p.terms().size() != p.terms().size() || content(p) > 1) {
            // q counts what is left of the divisor: n = rest_d · q
            derived_.back().left         = rest_p;
            derived_.back().right        = rest_d;
            vars_[*q.as_variable()].name = text(rest_p) + "/" + text(rest_d);
        }
        if (is_literal && least > 0) {
            auto k     = *rest_d.value();
            auto needs = static_cast<Polynomial::Number>(least) + constant(rest);
            if (needs > 0) vars_[*q.as_variable()].at_least = static_cast<uint64_t>((needs + k - 1) / k);
        } else if (least > 0 && rest.terms().empty()) {
            vars_[*q.as_variable()].at_least = 1;
        }
        vars_[x].value = rest_d * q - rest;
        return {};
    }
    bool is_divided = std::ranges::any_of(derived_, [&](auto& e) { return e.is_quotient && e.left == dividend; });
    if (is_divided) return "`" + text(dividend) + "` has another divisor already: write `k*l | " + text(dividend) + "` for both";
    return "no name of `" + text(dividend) + "` can become a multiple of `" + text(divisor) + "`";
}

/// p = 0.
std::string Types::equals(const Polynomial& p) {
    auto all = resolve(p);
    if (all.terms().empty()) return {};
    all = divided(all, content(all));
    for (auto& [monomial, coefficient] : all.terms()) {
        bool is_unit = monomial.size() == 1 && (coefficient == 1 || coefficient == -1);
        if (!is_unit) continue;
        auto x     = monomial[0];
        auto rest  = all - (coefficient == 1 ? Polynomial::variable(x) : Polynomial() - Polynomial::variable(x));
        auto value = coefficient == 1 ? Polynomial() - rest : rest;
        if (!can_replace(x, rest) || !has_no_negative(value)) continue;
        vars_[x].value = value;
        return {};
    }
    return "no name in it can be put in terms of the others";
}

/// p >= 0.
std::string Types::not_negative(Polynomial p, const Polynomial& left, const Polynomial& right, bool is_strict) {
    p = resolve(p);
    if (is_size(p)) return {};
    auto last  = constant(p);
    auto terms = p - Polynomial::number(last);
    auto k     = content(terms);
    if (k == 0) return "it does not hold";
    if (terms.terms().size() == 1 && terms.terms().begin()->second > 0) {
        auto least = static_cast<uint64_t>((-last + static_cast<Polynomial::Number>(k) - 1) / static_cast<Polynomial::Number>(k));
        auto names = terms.terms().begin()->first;
        bool fits  = names.size() == 1 || least == 1;
        if (fits) {
            for (auto x : names) vars_[x].at_least = std::max(vars_[x].at_least, least);
            bounded_.insert(bounded_.end(), names.begin(), names.end());
            return {};
        }
    }
    for (auto& [monomial, coefficient] : p.terms()) {
        if (monomial.size() != 1 || coefficient != 1) continue;
        auto x    = monomial[0];
        auto rest = p - Polynomial::variable(x);
        if (!can_replace(x, rest) || !has_no_negative(Polynomial() - rest)) continue;
        auto less      = left + (is_strict ? one() : Polynomial());
        auto d         = derive(false, right, less, text(right) + "-" + text(less));
        vars_[x].value = d - rest;
        return {};
    }
    return "no name in it can be put in terms of the others";
}

void Types::settle_bounds() {
    for (auto x : bounded_) {
        bool is_free = vars_[x].kind == Entry::Named && !vars_[x].value;
        if (!is_free) continue;
        auto name      = Polynomial::variable(x);
        auto least     = Polynomial::number(static_cast<Polynomial::Number>(vars_[x].at_least));
        auto rest      = derive(false, name, least, text(name) + "-" + text(least));
        vars_[x].value = rest + least;
    }
    bounded_.clear();
}

std::string Types::add_fact(Fact::Kind kind, const Polynomial& left, const Polynomial& right) {
    if (kind == Fact::Divides) return divides(left, right);
    if (kind == Fact::Equal) return equals(left - right);
    bool is_strict = kind == Fact::Less;
    return not_negative(right - left - (is_strict ? one() : Polynomial()), left, right, is_strict);
}

std::string Types::add_outer_fact(Fact::Kind kind, const Polynomial& left, const Polynomial& right) {
    auto inner = std::exchange(level_, 0);
    for (auto side : {&left, &right})
        for (auto& [monomial, coefficient] : side->terms())
            for (auto x : monomial) level_ = std::max(level_, vars_[x].level);
    auto why = add_fact(kind, left, right);
    settle_bounds();
    level_ = inner;
    return why;
}

/// A replaced name comes back where its replacement's greatest product is. Whether it does.
bool Types::put_back(Var x, Polynomial& all) {
    auto is_derived_name = [&](Var y) { return std::ranges::any_of(derived_, [&](auto& d) { return d.var == y; }); };
    if (vars_[x].kind != Entry::Named || !vars_[x].value || is_derived_name(x)) return false;
    auto value = resolve(*vars_[x].value);
    auto own   = *vars_[x].value; // in which names that others derive from stand for themselves
    for (auto& d : derived_)
        if (vars_[d.var].value) own = own.substitute(d.var, resolve(Polynomial::variable(d.var)));
    Polynomial::Monomial greatest;
    Polynomial::Number factor = 0;
    for (auto& [monomial, coefficient] : own.terms()) {
        bool is_derived = std::ranges::any_of(monomial, is_derived_name);
        if (is_derived && monomial.size() >= greatest.size()) greatest = monomial, factor = coefficient;
    }
    if (factor == 0) return false;
    auto found   = value.terms().find(greatest);
    bool has_it  = found != value.terms().end() && found->second == factor;
    auto& taken  = has_it ? value : own;
    bool is_back = false;
    while (true) {
        auto fits = [&](auto& term) { return std::ranges::includes(term.first, greatest) && term.second % factor == 0; };
        auto term = std::ranges::find_if(all.terms(), fits);
        if (term == all.terms().end()) return is_back;
        Polynomial::Monomial left;
        std::ranges::set_difference(term->first, greatest, std::back_inserter(left));
        auto times = Polynomial::number(term->second / factor);
        for (auto y : left) times = times * Polynomial::variable(y);
        all     = all - times * taken + times * Polynomial::variable(x);
        is_back = true;
    }
}

/// One name may come back in terms of another one that came back before it, or comes back later.
Polynomial Types::in_user_names(const Polynomial& p) {
    auto all = resolve(p);
    for (size_t round = 0; round != vars_.size(); ++round) {
        bool is_changed = false;
        for (Var x = static_cast<Var>(vars_.size()); x-- != 0;) is_changed |= put_back(x, all);
        if (!is_changed) break;
    }
    return all;
}

// ---- text

static std::string number_text(Polynomial::Number n) { return std::to_string(static_cast<uint64_t>(n)); }

std::string Types::atom_text(const AtomArgs& a) {
    auto part = [&](const Polynomial& p) {
        auto s         = text(p);
        bool is_simple = s.find_first_of("+-*/%^") == s.npos;
        return is_simple ? s : "(" + s + ")";
    };
    switch (a.op) {
        case NatOp::Div: return part(a.left) + "/" + part(a.right);
        case NatOp::Mod: return part(a.left) + "%" + part(a.right);
        case NatOp::Pow: return part(a.left) + "^" + part(a.right);
        case NatOp::Call: return text(a.left) + "(" + text(a.right) + ")";
        case NatOp::Min: return "min(" + text(a.left) + ", " + text(a.right) + ")";
        default: return "max(" + text(a.left) + ", " + text(a.right) + ")";
    }
}

std::string Types::product_text(const Polynomial::Monomial& monomial, Polynomial::Number coefficient) {
    std::string result;
    if (coefficient != 1 || monomial.empty()) result = number_text(coefficient);
    for (auto x : monomial) {
        auto& e      = vars_[x];
        auto factor  = e.kind == Entry::Atom ? atom_text(e.atom) : e.name.empty() ? "?" : e.name;
        bool is_word = factor.find_first_of("+-/%") == factor.npos || monomial.size() + (coefficient != 1) == 1;
        if (!is_word) factor = "(" + factor + ")";
        if (e.kind == Entry::Meta) factor = "?" + e.name;
        result += (result.empty() ? "" : "*") + factor;
    }
    return result;
}

std::string Types::text(const Polynomial& size) {
    auto p = in_user_names(size);
    std::string more, less;
    for (bool is_number : {false, true}) {
        for (auto& [monomial, coefficient] : p.terms()) {
            if (monomial.empty() != is_number) continue;
            auto product = product_text(monomial, coefficient < 0 ? -coefficient : coefficient);
            if (coefficient > 0) more += (more.empty() ? "" : " + ") + product;
            else less += " - " + product;
        }
    }
    if (more.empty()) return less.empty() ? "0" : "0" + less;
    return more + less;
}

std::pair<std::string, std::string> Types::sides(const Polynomial& p) {
    Polynomial more, less;
    auto known = in_user_names(p);
    for (auto& [monomial, coefficient] : known.terms()) {
        auto part = Polynomial::number(coefficient);
        for (auto x : monomial) part = part * Polynomial::variable(x);
        if (coefficient > 0) more = more + part;
        else less = less - part;
    }
    return {text(more), text(less)};
}

std::string_view text(Scalar s) {
    constexpr std::string_view names[] = {"bool", "i8",  "i16", "i32", "i64", "u8", "u16",
                                          "u32",  "u64", "f16", "f32", "f64", "nat"};
    return names[static_cast<size_t>(s)];
}

std::string_view text(Space s) {
    constexpr std::string_view names[] = {"Global", "Local", "Private", "Constant"};
    return names[static_cast<size_t>(s)];
}

static std::string_view text(Sort s) {
    constexpr std::string_view names[] = {"Nat", "DataType", "AddrSp", "Nat -> Nat"};
    return names[static_cast<size_t>(s)];
}

std::string Types::text(Type* t, bool is_inner) {
    t               = resolve(t);
    auto in_bracket = [&](std::string s) { return is_inner ? "(" + s + ")" : s; };
    switch (t->kind) {
        case Type::Scalar: return std::string(rise::text(t->scalar));
        case Type::Space: return std::string(rise::text(t->space));
        case Type::Name: return std::string(t->binder->name);
        case Type::Idx: return "Idx[" + text(t->size) + "]";
        case Type::Array: {
            auto n         = text(t->size);
            bool is_simple = n.find_first_of(" *+-/%^") == n.npos;
            return (is_simple ? n : "(" + n + ")") + "." + text(t->first, true);
        }
        case Type::Vec: return "Vec[" + text(t->size) + ", " + text(t->first) + "]";
        case Type::Pair: return "(" + text(t->first) + ", " + text(t->second) + ")";
        case Type::Fun: return in_bracket(text(t->first, true) + " -> " + text(t->second));
        case Type::Dep: {
            auto b        = std::string(t->binder->name) + ": " + std::string(rise::text(t->binder->sort));
            bool has_fact = t->binder->sort == Sort::Nat && value(t->binder->nat);
            if (has_fact) b += " where …";
            auto arrow = t->is_implicit ? "{" + b + "} -> " : "(" + b + ") -> ";
            return in_bracket(arrow + text(t->second));
        }
        default: return "?";
    }
}

} // namespace mim::plug::rise
