// SPDX-License-Identifier: MIT
// The table of annexes. As abbreviations: messages show `%p.T` where the program wrote it, although the graph only knows what
// it stands for.
#include "ir/annex_index.h"

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

size_t AnnexIndex::Hash::operator()(const AnnexId& id) const { return mix(id.plugin, id.tag * 65536ull + id.sub); }

void AnnexIndex::define(AnnexId id, Symbol name, const Def* def) {
    annexes_[id] = def;
    names_[name] = def;
    auto axm     = def->isa<Axm>();
    if (!axm) return;
    has_linear_types_ |= axm->axiom().has(Axiom::LinearType);
    has_calls_of_continuations_ |= calls_continuation(axm);
}

const Def* AnnexIndex::at(AnnexId id) const {
    auto it = annexes_.find(id);
    if (it == annexes_.end()) fail(Diag::unknown_annex, {std::to_string(id.tag) + "." + std::to_string(id.sub)});
    return it->second;
}

const Def* AnnexIndex::find(Symbol name) const {
    auto it = names_.find(name);
    return it == names_.end() ? nullptr : it->second;
}

/// The table has no order, so of two names that are equally long one is chosen.
static bool is_shorter(Symbol a, Symbol b) { return std::pair(a.view().size(), a.view()) < std::pair(b.view().size(), b.view()); }

/// Of an alias like `l` and a canonical name like `xYGle` the short one is what people write.
ShortForm AnnexIndex::short_form_of_axiom(const Def* axiom) const {
    ShortForm best;
    for (auto& [name, def] : names_)
        if (def == axiom && (!best.name || is_shorter(name, best.name))) best.name = name;
    return best;
}

Symbol AnnexIndex::shortest_name(const Axm* axm) const {
    auto best = axm->axiom().name;
    auto tag  = best.view().substr(0, best.view().rfind('.') + 1);
    for (auto& [name, def] : names_)
        if (def == axm && name.view().starts_with(tag) && is_shorter(name, best)) best = name;
    return best;
}

ShortForm AnnexIndex::short_form(const Def* app) const {
    if (app->isa<Axm>()) return short_form_of_axiom(app);
    ShortForm best;
    auto axm = app->isa<App>() ? head_axiom(app) : nullptr;
    if (!axm) return best;
    ShortForm guess;
    size_t num_guesses = 0;
    for (auto& [name, def] : names_) {
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
