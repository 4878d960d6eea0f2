// SPDX-License-Identifier: MIT
#include "polara/types.h"

#include <algorithm>
#include <unordered_map>

#include "ainf/list/types.h"

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
    while (t->link) {
        if (t->link->link) t->link = t->link->link; // so that chains stay short
        t = t->link;
    }
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
    if (size.is_overflown()) return "it is too large, or a sum of too many products";
    if (std::ranges::any_of(size.terms(), is_large)) return "it is 2^64 or more";
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

void Types::wait(Type* t, Expr* e) {
    t = resolve(t);
    if (t->kind == Type::Meta) t->waiting.push_back(e);
}

Expr* Types::take_woken() {
    if (woken_.empty()) return nullptr;
    auto e = woken_.front();
    woken_.pop_front();
    return e;
}

bool Types::link(Type* meta, Type* t) {
    if (any(t, [&](Type* part) { return part == meta; })) return false;
    if (t->kind == Type::Meta) t->waiting.insert(t->waiting.end(), meta->waiting.begin(), meta->waiting.end());
    else woken_.insert(woken_.end(), meta->waiting.begin(), meta->waiting.end());
    meta->waiting.clear();
    meta->link = t;
    return true;
}

/// Types that are equal become one, so that parts that they share are looked at once.
bool Types::unify(Type* a, Type* b) {
    a = resolve(a), b = resolve(b);
    if (a == b || a->kind == Type::Broken || b->kind == Type::Broken) return true;
    if (a->kind == Type::Meta) return link(a, b);
    if (b->kind == Type::Meta) return link(b, a);
    auto waiting = waiting_.size();
    if (a->kind != b->kind || !unify_parts(a, b)) return false;
    if (waiting_.size() == waiting) a->link = b;
    return true;
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

bool Types::has_function(Type* t) {
    return any(t, [](Type* part) { return part->kind == Type::Fun; });
}

Type* Types::instantiate(Type* t, const std::map<Polynomial::Var, Polynomial>& sizes) {
    std::unordered_map<Type*, Type*> known;
    auto copy = [&](auto& self, Type* part) -> Type* {
        part      = resolve(part);
        auto& all = known[part];
        if (all) return all;
        auto result = make({.kind = part->kind, .size = resolve(part->size).replace(sizes)});
        if (part->first) result->first = self(self, part->first);
        if (part->second) result->second = self(self, part->second);
        return all = result;
    };
    return sizes.empty() ? t : copy(copy, t);
}

std::string Types::text(const Polynomial& p) {
    return ainf::polynomial_text(resolve(p), [&](Polynomial::Var x) {
        auto name = sizes_[x].name;
        return name.empty() ? "?" : std::string(name);
    });
}

std::string Types::text(Type* t) {
    size_t room = 100;
    return part_text(t, false, room);
}

/// `room` is the number of parts that may follow.
std::string Types::part_text(Type* t, bool is_inner, size_t& room) {
    if (room == 0) return "…";
    --room;
    t               = resolve(t);
    auto in_bracket = [&](std::string s) { return is_inner ? "(" + s + ")" : s; };
    auto part       = [&](Type* inner, bool has_bracket) { return part_text(inner, has_bracket, room); };
    switch (t->kind) {
        case Type::Nat: return "nat";
        case Type::Flt: return "flt";
        case Type::Fin: {
            auto size    = text(t->size);
            bool is_word = size.find_first_of("+-*") == size.npos;
            return "fin " + (is_word ? size : "(" + size + ")");
        }
        case Type::Array: return in_bracket(text(t->size) + " => " + part(t->first, false));
        case Type::Fun:
        case Type::Pair: {
            bool is_fun  = t->kind == Type::Fun;
            bool is_tail = is_fun || resolve(t->second)->kind == Type::Pair;
            auto first   = part(t->first, true);
            return in_bracket(first + (is_fun ? " -> " : " * ") + part(t->second, !is_tail));
        }
        case Type::Meta:
        case Type::Broken: break;
    }
    return "?";
}

} // namespace mim::plug::polara
