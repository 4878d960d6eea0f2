// SPDX-License-Identifier: MIT
#include "ir/known.h"

#include <unordered_set>

#include "ir/world.h"

namespace mim {

namespace {

class Knowing {
public:
    Knowing(World& w, bool (*is_kept)(const Def*))
        : w_(w)
        , is_kept_(is_kept) {}

    Known ask(const Def* def, unsigned depth) {
        if (is_kept_ && is_kept_(def)) return Known::No;
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
            case Node::Sing: return def->is_set() ? closed(def) : Known::Open;
            case Node::Inj: return ask(def->op(0), depth - 1);
            case Node::Pack: return def->is_mut() ? Known::Open : ask(def->as<Pack>()->body(), depth - 1);
            case Node::Tuple: return tuple(def, depth);
            case Node::App: return is_type(def) || is_partial(def) ? closed(def) : Known::Open;
            default: return Known::Open;
        }
    }

private:
    Known closed(const Def* def) { return !def->is_unstable() && is_closed(w_, def) ? Known::Yes : Known::Open; }
    Known tuple(const Def* def, unsigned depth) {
        if (!asked_.insert(def).second) return Known::Yes; // or being asked
        for (auto op : def->ops())
            if (auto k = ask(op, depth - 1); k != Known::Yes) return k;
        return Known::Yes;
    }
    /// An axiom that waits for more arguments.
    bool is_partial(const Def* app) { return app->type()->isa<Pi>() && head_axiom(app) && !saturated_axiom(app); }

    World& w_;
    bool (*is_kept_)(const Def*);
    std::unordered_set<const Def*> asked_;
};

} // namespace

Known known(World& w, const Def* def, bool (*is_kept)(const Def*)) {
    constexpr unsigned MaxDepth = 1000;
    return Knowing(w, is_kept).ask(def, MaxDepth);
}

} // namespace mim
