// SPDX-License-Identifier: MIT
#include "polara/types.h"

#include <algorithm>

namespace mim::plug::polara {

Polynomial Types::size_meta() {
    sizes_.push_back({{}, {}});
    return Polynomial::variable(static_cast<Polynomial::Var>(sizes_.size() - 1));
}

Polynomial::Var Types::size_name(std::string_view name) {
    sizes_.push_back({name, {}});
    return static_cast<Polynomial::Var>(sizes_.size() - 1);
}

Type* Types::resolve(Type* t) {
    while (t->link) t = t->link;
    return t;
}

Polynomial Types::resolve(Polynomial p) {
    for (bool is_done = false; !is_done;) {
        is_done = true;
        for (auto& [monomial, coefficient] : p.terms()) {
            auto known = monomial.begin();
            while (known != monomial.end() && !sizes_[*known].value) ++known;
            if (known == monomial.end()) continue;
            p       = p.substitute(*known, *sizes_[*known].value);
            is_done = false;
            break;
        }
    }
    return p;
}

const char* Types::fault(const Polynomial& size) {
    auto value    = size.value();
    auto is_large = [](auto& term) { return term.second >> 64 > 0 || -term.second >> 64 > 0; };
    if (size.is_overflown() || std::ranges::any_of(size.terms(), is_large)) return "it is 2^64 or more";
    return value && *value < 0 ? "it is negative" : nullptr;
}

bool Types::unify(const Polynomial& a, const Polynomial& b) {
    auto rest = resolve(a - b);
    if (rest.terms().empty()) return true;
    bool has_meta = false;
    for (auto& [monomial, coefficient] : rest.terms()) {
        for (auto x : monomial) {
            if (!sizes_[x].name.empty()) continue;
            has_meta = true;
            if (auto value = rest.solve(x)) {
                sizes_[x].value = *value;
                return true;
            }
        }
    }
    if (has_meta) waiting_.push_back(rest);
    return has_meta;
}

bool Types::solve_waiting() {
    for (size_t before = waiting_.size() + 1; waiting_.size() < before;) {
        before     = waiting_.size();
        auto again = std::move(waiting_);
        waiting_.clear();
        for (auto& rest : again)
            if (!unify(rest, {})) return false;
    }
    return true;
}

bool Types::occurs(Type* meta, Type* t) {
    t = resolve(t);
    if (t == meta) return true;
    return (t->first && occurs(meta, t->first)) || (t->second && occurs(meta, t->second));
}

bool Types::unify(Type* a, Type* b) {
    a = resolve(a), b = resolve(b);
    if (a == b || a->kind == Type::Broken || b->kind == Type::Broken) return true;
    if (b->kind == Type::Meta) std::swap(a, b);
    if (a->kind == Type::Meta) {
        if (occurs(a, b)) return false;
        a->link = b;
        return true;
    }
    return a->kind == b->kind && unify_parts(a, b);
}

bool Types::unify_parts(Type* a, Type* b) {
    switch (a->kind) {
        case Type::Fin: return unify(a->size, b->size);
        case Type::Array: return unify(a->size, b->size) && unify(a->first, b->first);
        case Type::Fun:
        case Type::Pair: return unify(a->first, b->first) && unify(a->second, b->second);
        default: return true;
    }
}

bool Types::is_open(const Polynomial& p) {
    auto known = resolve(p);
    for (auto& [monomial, coefficient] : known.terms())
        for (auto x : monomial)
            if (sizes_[x].name.empty()) return true;
    return false;
}

bool Types::is_open(Type* t) {
    t = resolve(t);
    if (t->kind == Type::Meta) return true;
    bool has_size = t->kind == Type::Fin || t->kind == Type::Array;
    if (has_size && is_open(t->size)) return true;
    return (t->first && is_open(t->first)) || (t->second && is_open(t->second));
}

Type* Types::instantiate(Type* t, const std::map<Polynomial::Var, Polynomial>& sizes) {
    t         = resolve(t);
    Type copy = *t;
    if (t->first) copy.first = instantiate(t->first, sizes);
    if (t->second) copy.second = instantiate(t->second, sizes);
    copy.size = resolve(t->size);
    for (auto& [name, size] : sizes) copy.size = copy.size.substitute(name, size);
    return make(std::move(copy));
}

std::string Types::text(Polynomial::Number n) {
    std::string digits;
    for (auto rest = n < 0 ? -n : n; rest != 0 || digits.empty(); rest /= 10)
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    return n < 0 ? "-" + digits : digits;
}

std::string Types::text(Polynomial p) {
    p = resolve(std::move(p));
    std::string result;
    Polynomial::Number last = 0;
    for (auto& [monomial, coefficient] : p.terms()) {
        if (monomial.empty()) {
            last = coefficient;
            continue;
        }
        bool is_first = result.empty();
        if (!is_first && coefficient > 0) result += "+";
        if (coefficient == -1) result += "-";
        else if (coefficient != 1) result += text(coefficient) + "*";
        for (size_t i = 0; i != monomial.size(); ++i) {
            auto name = sizes_[monomial[i]].name;
            result += (i == 0 ? "" : "*") + (name.empty() ? std::string("?") : std::string(name));
        }
    }
    if (last == 0 && !result.empty()) return result;
    auto sign = last < 0 || result.empty() ? "" : "+";
    return result + sign + text(last);
}

std::string Types::text(Type* t, bool is_inner) {
    t               = resolve(t);
    auto in_bracket = [&](std::string s) { return is_inner ? "(" + s + ")" : s; };
    switch (t->kind) {
        case Type::Nat: return "nat";
        case Type::Flt: return "flt";
        case Type::Fin: {
            auto size    = text(t->size);
            bool is_word = size.find_first_of("+-*") == size.npos;
            return "fin " + (is_word ? size : "(" + size + ")");
        }
        case Type::Fun: return in_bracket(text(t->first, true) + " -> " + text(t->second));
        case Type::Pair:
            return in_bracket(text(t->first, true) + " * " + text(t->second, resolve(t->second)->kind != Type::Pair));
        case Type::Array: return in_bracket(text(t->size) + " => " + text(t->first));
        case Type::Meta:
        case Type::Broken: break;
    }
    return "?";
}

} // namespace mim::plug::polara
