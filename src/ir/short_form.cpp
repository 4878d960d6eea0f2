// SPDX-License-Identifier: MIT
// Questions about all annexes. As abbreviations: messages show `%p.T` where the program wrote it, although the graph only knows what
// it stands for.
#include <utility>

#include "ir/impl.h"

namespace mim {

namespace {

/// What will be inferred: a placeholder, or an implicit parameter of the function whose type is shown.
bool is_inferred(const Def* def) {
    if (auto extract = def->isa<Extract>()) def = extract->tuple();
    if (auto hole = def->isa<Hole>()) return !hole->solution();
    auto var = def->isa<Var>();
    auto pi  = var ? var->binder()->isa<Pi>() : nullptr;
    return pi && pi->is_implicit();
}

/// First-order matching: what must `var` be for `pattern` to be `def`? Patterns are as small as what people write.
struct Matching {
    const Def* var   = nullptr; ///< or null
    const Def* found = nullptr;
    bool guesses     = false; ///< a literal of the pattern stands for something that will be inferred

    bool fits(const Def* pattern, const Def* def, unsigned depth = 0) {
        static constexpr unsigned MaxDepth = 16;
        if (pattern == var) {
            if (found && found != def) return false;
            return found = def, true;
        }
        if (pattern == def) return true;
        if (pattern->isa<Lit>() && is_inferred(def)) return guesses = true;
        if (depth == MaxDepth || pattern->node() != def->node() || pattern->is_mut() || def->is_mut() || pattern->num_ops() == 0
            || pattern->num_ops() != def->num_ops())
            return false;
        for (size_t i = 0; i < def->num_ops(); ++i)
            if (!fits(pattern->op(i), def->op(i), depth + 1)) return false;
        return true;
    }
};

} // namespace

World::ShortForm World::short_form(const Def* app) {
    ShortForm best;
    if (app->isa<Axm>()) { // of an alias like `l` and a canonical name like `xYGle` the short one is what people write
        for (auto& [name, def] : impl_->annex_names) {
            auto key = [](Symbol s) { return std::pair(s.view().size(), s.view()); };
            if (def == app && (!best.name || key(name) < key(best.name))) best.name = name;
        }
        return best;
    }
    auto axm = app->isa<App>() ? head_axiom(app) : nullptr;
    if (!axm) return best;
    ShortForm guess;
    size_t num_guesses = 0;
    for (auto& [name, def] : impl_->annex_names) {
        auto lam     = def->isa<Lam>();
        auto pattern = lam ? (lam->is_set() ? lam->body() : nullptr) : def;
        if (!pattern || !pattern->isa<App>() || head_axiom(pattern) != axm) continue;
        Matching m{lam ? lam->var() : nullptr};
        if (!m.fits(pattern, app) || (lam && !m.found)) continue;
        num_guesses += m.guesses;
        auto& form = m.guesses ? guess : best; // the table has no order
        if (!form.name || name.view() < form.name.view()) form = {name, m.found};
    }
    if (!best.name && num_guesses == 1) best = guess;
    return best;
}

} // namespace mim
