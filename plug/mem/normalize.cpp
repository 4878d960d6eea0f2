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

/// The operation that made this token: itself (store, free) or what the token is the first result of.
const Def* producer(const Def* token) {
    auto ex = token->isa<Extract>();
    if (!ex) return token;
    return is_value(ex->index(), 0) ? ex->tuple() : nullptr;
}

/// A pointer taken apart: an origin that is no lea, and the indices from there, outermost first.
struct Path {
    const Def* origin;
    DefVec indices;
};

Path path_of(World& w, const Def* ptr) {
    Path path{ptr, {}};
    while (auto app = match<lea>(path.origin)) {
        auto [ptr, index] = elems<2>(w, app.arg());
        path.indices.insert(path.indices.begin(), index);
        path.origin = ptr;
    }
    return path;
}

/// The pointer that an alloc, malloc or local returned.
bool is_fresh(const Def* ptr) {
    auto ex = ptr->isa<Extract>();
    if (!ex || !is_value(ex->index(), 1)) return false;
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
    auto size = isa_idx(type);
    return size && is_value(size, 1) ? w.lit_idx(size, 0) : nullptr;
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
        } else if (!match<restrict>(op)) return nullptr;
        token = operand(w, op, 0);
    }
    return nullptr;
}

/// The type of what a load or a store is about. Memory holds data: a token in it could be loaded although nobody gave it up.
const Def* data_type(const Redex& redex) {
    auto type = redex.group(0);
    if (redex.w.token_types().contains(type)) throw Error(diag::token_in_memory(type));
    return type;
}

} // namespace

/// load (m, p) ▷ (m, v) if v is what memory at p holds after m; (m, ()) if there is nothing to read.
const Def* normalize_load(const Redex& redex) {
    auto& w           = redex.w;
    auto [token, ptr] = redex.elems<2>();
    auto type         = data_type(redex);
    if (auto value = only_value(w, type)) return w.tuple({token, value});
    auto value = known_content(w, token, ptr);
    if (!value || !assignable(w, type, value)) return nullptr; // one of several packages is none, unless all have one type
    return w.tuple({token, value});
}

namespace {

/// The token before the store that made this one, if memory at `ptr` is all that it wrote to; else null.
const Def* before_store(World& w, const Def* token, const Def* ptr) {
    if (!match<store>(token) || w.keeps_traps) return nullptr; // there, the store may trap
    auto [before, target, value] = elems<3>(w, arg_of(token));
    auto rel                     = alias(path_of(w, ptr), path_of(w, target));
    return rel == Alias::Same || rel == Alias::Part ? before : nullptr;
}

} // namespace

/// store (m, p, ()) ▷ m · store (m, p, v) ▷ m if memory at p holds v after m · store (store (m, q, u), p, v) ▷ store (m, p, v)
/// if q is p or points into it.
const Def* normalize_store(const Redex& redex) {
    auto& w                  = redex.w;
    auto [token, ptr, value] = redex.elems<3>();
    if (only_value(w, data_type(redex))) return token;
    if (known_content(w, token, ptr) == value) return token;
    auto before = before_store(w, token, ptr);
    return before ? w.app(redex.callee, {before, ptr, value}) : nullptr;
}

/// free (store (m, q, v), p) ▷ free (m, p) if q is p or points into it.
const Def* normalize_free(const Redex& redex) {
    auto [token, ptr] = redex.elems<2>();
    auto before       = before_store(redex.w, token, ptr);
    return before ? redex.w.app(redex.callee, {before, ptr}) : nullptr;
}

/// slot T (m, id) ▷ local T m
const Def* normalize_slot(const Redex& redex) { return redex.w.apply<local>(redex.group(0), redex.group(1), redex.elem(0)); }

/// lea (p, i) ▷ p for a pointer to a 1-tuple.
const Def* normalize_lea(const Redex& redex) { return value(redex.w, redex.group(0), 0) == 1 ? redex.elem(0) : nullptr; }

} // namespace mim::plug::mem
