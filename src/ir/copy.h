// SPDX-License-Identifier: MIT
// How a binder is copied, whoever rewrites its operands: the stub comes first, stands for the binder and its variable while the operands
// are rewritten, and is filled last. A sealed type comes back as its representative.
#pragma once
#include "ir/building.h"
#include "ir/recursive.h"

namespace mim {

/// `‹x: n; e›` and `«x: n; T»` whose variable occurs are written out up to this literal arity; above it the binder stays.
inline constexpr uint64_t MaxExpansion = 1024;

/// Nobody has an index into nothing, so what an array or a pack of arity 0 has as its body need not make sense.
inline bool is_zero(const Def* arity) {
    auto lit = isa_lit(arity);
    return lit && lit->value() == 0 && !lit->is_2_64();
}

/// Of a Π that binds no variable.
template<class Rewrite, class Bind, class IsRecursive>
const Def* copy_recursive_pi(World& w, const Def* def, Rewrite rewrite, Bind bind, IsRecursive is_recursive) {
    bool is_implicit = def->has(Def::Implicit);
    auto pi          = mut_recursive_pi(w, def->type(), is_implicit);
    bind(pi);
    auto dom   = rewrite(def->op(0));
    auto codom = rewrite(def->op(1));
    return is_recursive() ? seal_recursive(w, pi, dom, codom) : w.pi(dom, codom, is_implicit);
}

/// Of a pointer that contains itself.
template<class Rewrite, class Bind, class IsRecursive>
const Def* copy_recursive_pointer(World& w, const App* def, Rewrite rewrite, Bind bind, IsRecursive is_recursive) {
    auto pointer = mut_recursive_pointer(w, def);
    bind(pointer);
    auto callee = rewrite(def->callee());
    auto arg    = rewrite(def->arg());
    return is_recursive() ? seal_recursive(w, pointer, callee, arg) : w.app(callee, arg);
}

/// `rewrite(op)` is what becomes of an operand, `bind(stub)` takes note of the stub, `is_recursive()` says, once all operands are
/// rewritten, whether a Σ or a Π is part of itself, and `names(from, to)` copies the names of values for debuggers.
template<class Rewrite, class Bind, class IsRecursive, class Names>
const Def* copy_binder(World& w, const Def* def, Rewrite rewrite, Bind bind, IsRecursive is_recursive, Names names) {
    switch (def->node()) {
        case Node::Pi: {
            if (!def->var()) return copy_recursive_pi(w, def, rewrite, bind, is_recursive);
            auto dom = rewrite(def->op(0)); // does not contain the Π (ir/recursive.cpp)
            auto pi  = w.mut_pi(dom, def->has(Def::Implicit), def->type());
            bind(pi);
            auto codom = rewrite(def->op(1));
            return is_recursive() ? seal_recursive(w, pi, dom, codom) : w.seal(pi, codom);
        }
        case Node::Arr: {
            auto arity = rewrite(def->op(0));
            if (is_zero(arity)) return w.unit_type();
            auto arr = w.mut_arr(arity);
            bind(arr);
            return w.seal(arr, rewrite(def->op(1)));
        }
        case Node::Pack: {
            auto arity = rewrite(def->op(0));
            if (is_zero(arity)) return w.unit();
            auto pack = w.mut_pack(arity);
            bind(pack);
            return w.seal(pack, rewrite(def->op(1)));
        }
        case Node::Sigma: {
            auto sigma = w.mut_sigma(def->num_ops());
            bind(sigma);
            for (size_t i = 0; i < def->num_ops(); ++i) w.set(sigma, i, rewrite(def->op(i)));
            return is_recursive() ? seal_recursive(w, sigma) : w.seal(sigma);
        }
        case Node::App: return copy_recursive_pointer(w, def->as<App>(), rewrite, bind, is_recursive);
        default: break;
    }
    auto old = def->as<Lam>();
    auto lam = w.mut_lam(rewrite(def->type()));
    bind(lam);
    w.set_filter(lam, rewrite(old->filter()));
    Building body(w, lam);
    w.set_body(lam, rewrite(old->body()));
    if (w.debug) names(old, lam);
    w.close(std::span<Lam* const>(&lam, 1));
    return lam;
}

} // namespace mim
