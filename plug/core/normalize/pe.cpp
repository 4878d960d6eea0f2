// SPDX-License-Identifier: MIT
// %core.pe. `known` answers as soon as the answer cannot change: tt for literals, closed functions, types and tuples of such, ff for
// what is kept from evaluation by `hlt`. While variables are free or something is still to be inferred it stays, until code is emitted.
#include "ir/known.h"
#include "normalize/common.h"

namespace mim::plug::core {

namespace {

bool is_kept(const Def* def) { return !!match(pe::hlt, def); }

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
    auto k = known(w, redex.arg, is_kept);
    if (k == Known::Yes) return w.tt();
    return k == Known::No || w.emitting ? w.ff() : nullptr;
}

} // namespace mim::plug::core
