// SPDX-License-Identifier: MIT
// %core.pe. `known` answers as soon as the answer cannot change: tt for literals, closed functions, types and tuples of such, ff for
// what is kept from evaluation by `hlt`. While variables are free or something is still to be inferred it stays, until code is emitted.
#include <unordered_set>

#include "normalize/common.h"

namespace mim::plug::core {

namespace {

enum class Known { No, Yes, Open };

/// `seen`: aggregates that are known already, or being asked.
Known known(World& w, const Def* def, std::unordered_set<const Def*>& seen, unsigned depth) {
    if (match(pe::hlt, def)) return Known::No;
    if (depth == 0) return Known::Open;
    switch (def->node()) {
        case Node::Lit:
        case Node::Axm:
        case Node::Sort:
        case Node::Nat:
        case Node::Idx:
        case Node::Bot:
        case Node::Top: return def->has(Def::HasHole) ? Known::Open : Known::Yes;
        case Node::Lam:
        case Node::Pi:
        case Node::Sigma:
        case Node::Arr:
        case Node::Union:
        case Node::Sing: return def->is_set() && !def->is_unstable() && is_closed(w, def) ? Known::Yes : Known::Open;
        case Node::Inj: return known(w, def->op(0), seen, depth - 1);
        case Node::Pack: return def->is_mut() ? Known::Open : known(w, def->as<Pack>()->body(), seen, depth - 1);
        case Node::Tuple:
            if (!seen.insert(def).second) return Known::Yes;
            for (auto op : def->ops())
                if (auto k = known(w, op, seen, depth - 1); k != Known::Yes) return k;
            return Known::Yes;
        case Node::App: { // an axiom that waits for more arguments, or a type such as `Idx 8`
            bool value = is_type(def) || (def->type()->isa<Pi>() && head_axiom(def));
            return value && !def->is_unstable() && is_closed(w, def) ? Known::Yes : Known::Open;
        }
        default: return Known::Open;
    }
}

/// The call under `run` is reduced once, whatever its filter says; what needs no evaluation is itself.
const Def* run(World& w, const Def* e) {
    if (auto app = e->isa<App>()) {
        if (app->is_unstable()) return nullptr;
        if (auto lam = app->callee()->isa<Lam>()) return lam->is_set() ? w.beta(lam, app->arg()) : nullptr;
        return saturated_axiom(app) && !match<pe>(app) ? e : nullptr;
    }
    switch (e->node()) {
        case Node::Var:
        case Node::Hole:
        case Node::Extract:
        case Node::Match: return nullptr; // may become a call
        default: return e;
    }
}

} // namespace

const Def* normalize_pe(const Redex& redex) {
    auto& w = redex.w;
    switch (pe(redex.sub())) {
        case pe::hlt: return w.emitting ? redex.arg : nullptr;
        case pe::run:
            if (auto e = run(w, redex.arg)) return e;
            return w.emitting ? redex.arg : nullptr;
        case pe::known: break;
    }
    constexpr unsigned MaxDepth = 1000;
    std::unordered_set<const Def*> seen;
    auto k = known(w, redex.arg, seen, MaxDepth);
    if (k == Known::Yes) return w.tt();
    return k == Known::No || w.emitting ? w.ff() : nullptr;
}

} // namespace mim::plug::core
