// SPDX-License-Identifier: MIT
#include "types.h"

#include <algorithm>
#include <set>

namespace mim::plug::rise {

Polynomial Types::nat_meta(const Expr* origin, std::string_view name) {
    vars_.push_back({.kind = Entry::Meta, .name = std::string(name), .level = level_, .origin = origin});
    return Polynomial::variable(static_cast<Var>(vars_.size() - 1));
}

Types::Var Types::nat_name(std::string name) {
    vars_.push_back({.kind = Entry::Named, .name = std::move(name), .level = level_});
    return static_cast<Var>(vars_.size() - 1);
}

Type* Types::resolve(Type* t) {
    while (t->link) t = t->link;
    return t;
}

/// Atoms whose parts have become known are computed again.
Polynomial Types::resolve(const Polynomial& p) {
    Polynomial sum;
    for (auto& [monomial, coefficient] : p.terms()) {
        auto product = Polynomial::number(coefficient);
        for (auto x : monomial) {
            auto& e = vars_[x];
            if (e.value) {
                product = product * resolve(*e.value);
            } else if (e.kind == Entry::Atom) {
                auto a     = e.atom;
                auto left  = resolve(a.left);
                auto right = resolve(a.right);
                bool is_it = left == a.left && right == a.right;
                product    = product * (is_it ? Polynomial::variable(x) : apply(a.op, left, right));
            } else {
                product = product * Polynomial::variable(x);
            }
        }
        sum = sum + product;
    }
    return sum;
}

// ---- atoms

Polynomial Types::atom(NatOp op, const Polynomial& left, const Polynomial& right) {
    for (size_t x = 0; x != vars_.size(); ++x) {
        auto& e     = vars_[x];
        bool is_one = e.kind == Entry::Atom && e.atom.op == op && e.atom.left == left && e.atom.right == right;
        if (is_one) return Polynomial::variable(static_cast<Var>(x));
    }
    vars_.push_back({.kind = Entry::Atom, .level = level_, .atom = {op, left, right}});
    return Polynomial::variable(static_cast<Var>(vars_.size() - 1));
}

/// 1^a is 1, x^(a + b) is x^a · x^b, and (x · y)^a is x^a · y^a.
Polynomial Types::power(const Polynomial& base, const Polynomial& exponent) {
    constexpr int kLongest = 64;
    auto result            = Polynomial::number(1);
    if (base == result) return result;
    bool is_product = base.terms().size() == 1;
    for (auto& [monomial, coefficient] : exponent.terms()) {
        bool is_plain = coefficient > 0 && coefficient <= kLongest;
        if (!is_plain) return atom(NatOp::Pow, base, exponent);
    }
    for (auto& [monomial, coefficient] : exponent.terms()) {
        auto once = Polynomial::number(1);
        if (monomial.empty()) {
            once = base;
        } else {
            auto e = Polynomial::number(1);
            for (auto x : monomial) e = e * Polynomial::variable(x);
            if (!is_product) {
                once = atom(NatOp::Pow, base, e);
            } else {
                auto& [factors, number] = *base.terms().begin();
                if (number != 1) once = atom(NatOp::Pow, Polynomial::number(number), e);
                for (auto x : factors) once = once * atom(NatOp::Pow, Polynomial::variable(x), e);
            }
        }
        for (int i = 0; i != static_cast<int>(coefficient); ++i) result = result * once;
    }
    return result;
}

Polynomial Types::apply(NatOp op, const Polynomial& left, const Polynomial& right) {
    auto a = resolve(left), b = resolve(right);
    auto m = a.value(), n = b.value();
    switch (op) {
        case NatOp::Pow: return power(a, b);
        case NatOp::Div:
            if (m && n && *n > 0) return Polynomial::number(*m / *n);
            if (auto q = divide(a, b); q && is_size(b - Polynomial::number(1))) return *q;
            break;
        case NatOp::Mod:
            if (m && n && *n > 0) return Polynomial::number(*m % *n);
            if (divide(a, b) && is_size(b - Polynomial::number(1))) return {};
            break;
        case NatOp::Min:
        case NatOp::Max: {
            bool is_min = op == NatOp::Min;
            if (is_size(a - b)) return is_min ? b : a;
            if (is_size(b - a)) return is_min ? a : b;
            break;
        }
        case NatOp::Call: break;
    }
    return atom(op, a, b);
}

// ---- what polynomials are

/// Division needs an order of products that agrees with multiplication: by degree first.
static bool is_before(const Polynomial::Monomial& a, const Polynomial::Monomial& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return a > b;
}

static const std::pair<const Polynomial::Monomial, Polynomial::Number>& leading(const Polynomial& p) {
    auto best = p.terms().begin();
    for (auto i = p.terms().begin(); i != p.terms().end(); ++i)
        if (is_before(best->first, i->first)) best = i;
    return *best;
}

static Polynomial product_of(const Polynomial::Monomial& monomial, Polynomial::Number coefficient) {
    auto p = Polynomial::number(coefficient);
    for (auto x : monomial) p = p * Polynomial::variable(x);
    return p;
}

std::optional<Polynomial> Types::divide(const Polynomial& p, const Polynomial& d) {
    if (d.terms().empty()) return {};
    auto lead = leading(d);
    Polynomial quotient, rest = p;
    while (!rest.terms().empty()) {
        auto [monomial, coefficient] = leading(rest);
        bool is_divided              = coefficient % lead.second == 0 && std::ranges::includes(monomial, lead.first);
        if (!is_divided || rest.is_overflown()) return {};
        Polynomial::Monomial left;
        std::ranges::set_difference(monomial, lead.first, std::back_inserter(left));
        auto part = product_of(left, coefficient / lead.second);
        quotient  = quotient + part;
        rest      = rest - part * d;
    }
    return quotient;
}

static bool is_never_negative(const Polynomial& p) { return !p.is_overflown() && has_no_negative(p); }

/// A power whose base is at least 1 is so, too.
uint64_t Types::least(Var x) const {
    auto& e = vars_[x];
    if (e.kind != Entry::Atom || e.atom.op != NatOp::Pow) return e.at_least;
    bool is_positive = is_never_negative(at_least(e.atom.left - Polynomial::number(1)));
    return is_positive ? 1 : 0;
}

/// Each name that is at least k is k more than another one.
Polynomial Types::at_least(const Polynomial& p) const {
    Polynomial sum;
    for (auto& [monomial, coefficient] : p.terms()) {
        auto product = Polynomial::number(coefficient);
        for (auto x : monomial) product = product * (Polynomial::variable(x) + Polynomial::number(least(x)));
        sum = sum + product;
    }
    return sum;
}

bool Types::is_size(const Polynomial& p) { return is_never_negative(at_least(resolve(p))); }

bool Types::has_meta(const Polynomial& p) const {
    for (auto& [monomial, coefficient] : p.terms()) {
        for (auto x : monomial) {
            auto& e = vars_[x];
            if (e.kind == Entry::Meta) return true;
            if (e.kind == Entry::Atom && (has_meta(e.atom.left) || has_meta(e.atom.right))) return true;
        }
    }
    return false;
}

bool Types::mentions(const Polynomial& p, Var y) const {
    for (auto& [monomial, coefficient] : p.terms()) {
        for (auto x : monomial) {
            auto& e = vars_[x];
            if (x == y) return true;
            if (e.kind == Entry::Atom && (mentions(e.atom.left, y) || mentions(e.atom.right, y))) return true;
        }
    }
    return false;
}

bool Types::is_open(const Polynomial& p) { return has_meta(resolve(p)); }

bool Types::is_open(Type* t) {
    t = resolve(t);
    if (t->kind == Type::Meta) return true;
    if (t->has_size() && is_open(t->size)) return true;
    return (t->first && is_open(t->first)) || (t->second && is_open(t->second));
}

bool Types::has_function(Type* t) {
    t = resolve(t);
    if (t->kind == Type::Fun || t->kind == Type::Dep) return true;
    return (t->first && has_function(t->first)) || (t->second && has_function(t->second));
}

// ---- equations

/// The equation p = 0 without factors that are known to be at least 1.
Polynomial Types::without_factors(const Polynomial& p) const {
    auto rest = p;
    for (auto x : p.terms().begin()->first) {
        if (least(x) == 0) continue;
        auto& terms    = rest.terms();
        bool is_common = std::ranges::all_of(terms, [&](auto& t) { return std::ranges::count(t.first, x) > 0; });
        if (!is_common) continue;
        Polynomial less;
        for (auto& [monomial, coefficient] : terms) {
            auto m = monomial;
            m.erase(std::ranges::find(m, x));
            less = less + product_of(m, coefficient);
        }
        rest = less;
    }
    return rest;
}

/// What a size is must not mention names that are bound further in than the size is asked for.
bool Types::settle(const Polynomial& p, uint32_t level) {
    for (auto& [monomial, coefficient] : p.terms()) {
        for (auto x : monomial) {
            auto& e = vars_[x];
            if (e.kind == Entry::Named && e.level > level) return false;
            if (e.kind == Entry::Meta) e.level = std::min(e.level, level);
            if (e.kind == Entry::Atom) {
                auto a = e.atom;
                if (!settle(a.left, level) || !settle(a.right, level)) return false;
            }
        }
    }
    return true;
}

/// rest = A·x + B.
std::optional<Types::Outcome> Types::solve_for(const Polynomial& rest, Var x) {
    Polynomial factor, other;
    for (auto& [monomial, coefficient] : rest.terms()) {
        auto n = std::ranges::count(monomial, x);
        if (n > 1) return {};
        auto m = monomial;
        if (n == 1) m.erase(std::ranges::find(m, x));
        auto& part = n == 1 ? factor : other;
        part       = part + product_of(m, coefficient);
    }
    if (has_meta(factor) || mentions(other, x)) return {};
    auto result = divide(Polynomial() - other, factor);
    if (!result) {
        if (has_meta(other)) return {};
        bool is_negative = leading(factor).second < 0;
        auto dividend    = is_negative ? other : Polynomial() - other;
        auto divisor     = is_negative ? Polynomial() - factor : factor;
        bool is_assumed  = assume_divides && assume_divides(divisor, dividend);
        if (is_assumed) return solve_for(resolve(rest), x);
        failure = {.is_division = true, .divisor = divisor, .dividend = dividend, .origin = vars_[x].origin};
        return Outcome::Wrong;
    }
    if (!settle(*result, vars_[x].level)) {
        failure = {.is_escape = true};
        return Outcome::Wrong;
    }
    vars_[x].value = *result;
    return Outcome::Solved;
}

Types::Outcome Types::unify(const Polynomial& a, const Polynomial& b, const Expr* where) {
    auto rest = resolve(a - b);
    if (rest.terms().empty()) return Outcome::Solved;
    failure = {};
    rest    = without_factors(rest);
    if (!has_meta(rest)) return Outcome::Wrong;
    std::set<Var> metas;
    for (auto& [monomial, coefficient] : rest.terms())
        for (auto x : monomial)
            if (vars_[x].kind == Entry::Meta) metas.insert(x);
    // the latest first: an explicit argument that a primitive is given is asked for after what stands around it
    for (auto x = metas.rbegin(); x != metas.rend(); ++x)
        if (auto outcome = solve_for(rest, *x)) return *outcome;
    waiting_.push_back({a, b, where ? where : at});
    return Outcome::Waits;
}

const Expr* Types::solve_waiting(bool& is_wrong) {
    is_wrong = false;
    for (size_t before = waiting_.size() + 1; waiting_.size() < before;) {
        before     = waiting_.size();
        auto again = std::move(waiting_);
        waiting_.clear();
        for (auto& e : again) {
            if (unify(e.left, e.right, e.at) != Outcome::Wrong) continue;
            is_wrong = true;
            return e.at;
        }
    }
    return nullptr;
}

std::vector<Types::Open> Types::sizes_since(size_t first) {
    std::vector<Open> all;
    for (size_t x = first; x < vars_.size(); ++x) {
        if (vars_[x].kind != Entry::Meta) continue;
        auto p = resolve(Polynomial::variable(static_cast<Var>(x)));
        all.push_back({vars_[x].origin, vars_[x].name, p});
    }
    return all;
}

bool Types::occurs(Type* meta, Type* t) {
    t = resolve(t);
    if (t == meta) return true;
    if (t->kind == Type::Meta) {
        t->level = std::min(t->level, meta->level);
        t->is_data |= meta->is_data;
    }
    if (t->has_size() && !settle(resolve(t->size), meta->level)) {
        failure = {.is_escape = true};
        return true;
    }
    return (t->first && occurs(meta, t->first)) || (t->second && occurs(meta, t->second));
}

bool Types::bind(Type* meta, Type* t) {
    if (occurs(meta, t)) return false;
    meta->link = t;
    return true;
}

bool Types::unify(Type* a, Type* b) {
    a = resolve(a), b = resolve(b);
    if (a == b || a->kind == Type::Broken || b->kind == Type::Broken) return true;
    if (b->kind == Type::Meta) std::swap(a, b);
    if (a->kind == Type::Meta) return bind(a, b);
    return a->kind == b->kind && unify_parts(a, b);
}

bool Types::unify_parts(Type* a, Type* b) {
    switch (a->kind) {
        case Type::Scalar: return a->scalar == b->scalar;
        case Type::Space: return a->space == b->space;
        case Type::Name: return a->binder == b->binder;
        case Type::Idx: return unify(a->size, b->size) != Outcome::Wrong;
        case Type::Array:
        case Type::Vec: return unify(a->first, b->first) && unify(a->size, b->size) != Outcome::Wrong;
        case Type::Fun:
        case Type::Pair: return unify(a->first, b->first) && unify(a->second, b->second);
        case Type::Dep: {
            if (a->binder->sort != b->binder->sort || a->is_implicit != b->is_implicit) return false;
            Level inner(*this);
            // what is still open is found in the names of its own binder
            if (!is_open(a) && is_open(b)) std::swap(a, b);
            bool is_nat   = a->binder->sort == Sort::Nat;
            bool has_fact = is_nat && (value(a->binder->nat) || value(b->binder->nat)); // it is not for all sizes
            if (has_fact) return false;
            TypeArg same{.sort = a->binder->sort};
            if (same.sort == Sort::Nat) {
                same.nat = Polynomial::variable(a->binder->nat);
            } else if (same.sort == Sort::NatFun) {
                same.param = nat_name("i");
                same.nat   = apply(NatOp::Call, Polynomial::variable(a->binder->nat), Polynomial::variable(same.param));
            } else {
                same.type = a->binder->type;
            }
            return unify(a->second, substitute(b->second, b->binder, same));
        }
        default: return true;
    }
}

// ---- binders

Polynomial Types::substitute(const Polynomial& p, Var x, const Polynomial& by) {
    Polynomial sum;
    auto known = resolve(p);
    for (auto& [monomial, coefficient] : known.terms()) {
        auto product = Polynomial::number(coefficient);
        for (auto y : monomial) {
            auto factor = Polynomial::variable(y);
            if (y == x) factor = by;
            else if (vars_[y].kind == Entry::Atom) {
                auto a = vars_[y].atom;
                factor = apply(a.op, substitute(a.left, x, by), substitute(a.right, x, by));
            }
            product = product * factor;
        }
        sum = sum + product;
    }
    return sum;
}

Polynomial Types::substitute_function(const Polynomial& p, Var f, const TypeArg& function) {
    Polynomial sum;
    auto known = resolve(p);
    for (auto& [monomial, coefficient] : known.terms()) {
        auto product = Polynomial::number(coefficient);
        for (auto y : monomial) {
            auto factor = Polynomial::variable(y);
            if (vars_[y].kind == Entry::Atom) {
                auto a      = vars_[y].atom;
                auto right  = substitute_function(a.right, f, function);
                bool is_one = a.op == NatOp::Call && a.left == Polynomial::variable(f);
                factor      = is_one ? substitute(function.nat, function.param, right)
                                     : apply(a.op, substitute_function(a.left, f, function), right);
            }
            product = product * factor;
        }
        sum = sum + product;
    }
    return sum;
}

Type* Types::substitute(Type* t, const Local* binder, const TypeArg& arg) {
    t = resolve(t);
    if (t->kind == Type::Name && t->binder == binder) return arg.type;
    bool is_leaf = t->kind == Type::Meta || t->kind == Type::Scalar || t->kind == Type::Name || t->kind == Type::Space;
    if (is_leaf) return t;
    Type copy = *t;
    if (t->first) copy.first = substitute(t->first, binder, arg);
    if (t->second) copy.second = substitute(t->second, binder, arg);
    if (t->has_size() && arg.sort == Sort::Nat) copy.size = substitute(t->size, binder->nat, arg.nat);
    else if (t->has_size() && arg.sort == Sort::NatFun) copy.size = substitute_function(t->size, binder->nat, arg);
    else if (t->has_size()) copy.size = resolve(t->size);
    return make(std::move(copy));
}

} // namespace mim::plug::rise
