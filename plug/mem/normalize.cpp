// SPDX-License-Identifier: MIT
// Normalizers of `mem`. Each only looks along the chain of tokens that leads to the operation at hand, for a bounded number of
// steps. A rewrite may drop an operation only together with all its results: what it drops must be reached through the token that
// it consumes, or else that operation would remain elsewhere and its token would be used twice. So dead loads, and allocations
// that are freed at once, are left to a phase, which sees all uses.
//
// Two pointers are known to differ if they come from different allocations, or from one and differ in a literal index on the way.
#include <vector>

#include "ir/token_types.h"
#include "mem.h"
#include "mem/diagnostics.h"

namespace mim::plug::mem {

namespace {

/// Operations to look back at; a bound keeps building a block of n operations linear in n.
constexpr int MaxSteps = 8;

const Def* operand(World& w, const Def* app, size_t i) { return w.extract(app->as<App>()->arg(), i); }

/// The operation that made this token: itself (store, free) or what the token is the first result of.
const Def* producer(const Def* token) {
    if (auto ex = token->isa<Extract>()) {
        auto lit = isa_lit(ex->index());
        return lit && lit->value() == 0 ? ex->tuple() : nullptr;
    }
    return token;
}

/// A pointer taken apart: an origin that is no lea, and the indices from there, outermost first.
struct Path {
    const Def* origin;
    std::vector<const Def*> indices;
};

Path path_of(World& w, const Def* ptr) {
    Path path{ptr, {}};
    while (auto app = match<lea>(path.origin)) {
        path.indices.insert(path.indices.begin(), w.extract(app.arg(), 1));
        path.origin = w.extract(app.arg(), uint64_t(0));
    }
    return path;
}

/// The pointer that an alloc, malloc or local returned.
bool is_fresh(const Def* ptr) {
    auto ex = ptr->isa<Extract>();
    if (!ex || !isa_lit(ex->index()) || isa_lit(ex->index())->value() != 1) return false;
    return match<alloc>(ex->tuple()) || match<malloc>(ex->tuple()) || match<local>(ex->tuple());
}

enum class Alias { No, May, Same, Part, Whole };

/// What b is with respect to a: Part if b points into what a points to, Whole for the reverse.
Alias alias(const Path& a, const Path& b) {
    if (a.origin != b.origin) return is_fresh(a.origin) && is_fresh(b.origin) ? Alias::No : Alias::May;
    for (size_t i = 0; i < a.indices.size() && i < b.indices.size(); ++i) {
        if (a.indices[i] == b.indices[i]) continue;
        return isa_lit(a.indices[i]) && isa_lit(b.indices[i]) ? Alias::No : Alias::May;
    }
    if (a.indices.size() == b.indices.size()) return Alias::Same;
    return a.indices.size() < b.indices.size() ? Alias::Part : Alias::Whole;
}

/// A type with one value, so that memory of it has no content.
const Def* only_value(World& w, const Def* type) {
    if (type == w.unit_type()) return w.unit();
    if (auto size = isa_idx(type))
        if (auto lit = isa_lit(size); lit && lit->value() == 1) return w.lit_idx(size, 0);
    return nullptr;
}

/// The value that memory at `ptr` has after `token`, if the chain of operations tells; else null.
const Def* known_content(World& w, const Def* token, const Def* ptr) {
    auto path = path_of(w, ptr);
    for (int i = 0; i < MaxSteps; ++i) {
        auto op = producer(token);
        if (!op) return nullptr;
        if (match<load>(op)) {
            if (operand(w, op, 1) == ptr) return w.extract(op, 1);
        } else if (match<store>(op)) {
            auto target = path_of(w, operand(w, op, 1));
            auto rel    = alias(target, path);
            if (rel == Alias::Same || rel == Alias::Part) {
                auto value = operand(w, op, 2);
                for (size_t j = target.indices.size(); j < path.indices.size(); ++j) {
                    if (w.keeps_traps && !isa_lit(path.indices[j])) return nullptr; // the lea traps if it is out of range
                    value = w.extract(value, path.indices[j]);
                }
                return value;
            }
            if (rel != Alias::No) return nullptr;
        } else if (match<alloc>(op) || match<malloc>(op) || match<local>(op)) {
            if (path.origin == w.extract(op, 1)) return nullptr; // no content yet
        } else return nullptr;
        token = operand(w, op, 0);
    }
    return nullptr;
}

/// The type of what a load or a store is about. Memory holds data: a token in it could be loaded although nobody gave it up.
const Def* data_type(World& w, const Def* callee) {
    auto type = callee->as<App>()->callee()->as<App>()->arg();
    if (w.token_types().contains(type)) throw Error(diag::token_in_memory(type));
    return type;
}

} // namespace

/// load (m, p) ▷ (m, v) if v is what memory at p holds after m; (m, ()) if there is nothing to read.
const Def* normalize_load(World& w, const Def*, const Def* callee, const Def* arg) {
    auto token = w.extract(arg, uint64_t(0));
    auto type  = data_type(w, callee);
    if (auto value = only_value(w, type)) return w.tuple({token, value});
    auto value = known_content(w, token, w.extract(arg, 1));
    if (!value || !w.assignable(type, value)) return nullptr; // one of several packages is none, unless all have one type
    return w.tuple({token, value});
}

/// store (m, p, ()) ▷ m · store (m, p, v) ▷ m if memory at p holds v after m · store (store (m, q, u), p, v) ▷ store (m, p, v)
/// if q is p or points into it.
const Def* normalize_store(World& w, const Def*, const Def* callee, const Def* arg) {
    auto token = w.extract(arg, uint64_t(0)), ptr = w.extract(arg, 1), value = w.extract(arg, 2);
    if (only_value(w, data_type(w, callee))) return token;
    if (known_content(w, token, ptr) == value) return token;
    if (match<store>(token) && !w.keeps_traps) { // there, the first one may trap
        auto rel = alias(path_of(w, ptr), path_of(w, operand(w, token, 1)));
        if (rel == Alias::Same || rel == Alias::Part) return w.app(callee, {operand(w, token, 0), ptr, value});
    }
    return nullptr;
}

/// free (store (m, q, v), p) ▷ free (m, p) if q is p or points into it.
const Def* normalize_free(World& w, const Def*, const Def* callee, const Def* arg) {
    auto token = w.extract(arg, uint64_t(0)), ptr = w.extract(arg, 1);
    if (!match<store>(token) || w.keeps_traps) return nullptr;
    auto rel = alias(path_of(w, ptr), path_of(w, operand(w, token, 1)));
    if (rel != Alias::Same && rel != Alias::Part) return nullptr;
    return w.app(callee, {operand(w, token, 0), ptr});
}

/// slot T (m, id) ▷ local T m
const Def* normalize_slot(World& w, const Def*, const Def* callee, const Def* arg) {
    auto space = callee->as<App>();
    auto type  = space->callee()->as<App>()->arg();
    return w.app(w.app(w.app(w.annex(local(0)), type), space->arg()), w.extract(arg, uint64_t(0)));
}

/// lea (p, i) ▷ p for a pointer to a 1-tuple.
const Def* normalize_lea(World& w, const Def*, const Def* callee, const Def* arg) {
    auto n = isa_lit(w.extract(callee->as<App>()->callee()->as<App>()->arg(), uint64_t(0)));
    return n && n->value() == 1 ? w.extract(arg, uint64_t(0)) : nullptr;
}

} // namespace mim::plug::mem
