// SPDX-License-Identifier: MIT
// Questions about all annexes. As abbreviations: messages show `%p.T` where the program wrote it, although the graph only knows what
// it stands for.
#include <utility>

#include "ir/impl.h"

namespace mim {

namespace {

/// First-order matching: what must `var` be for `pattern` to be `def`? Patterns are as small as what people write.
bool fits(const Def* pattern, const Def* def, const Def* var, const Def*& found, unsigned depth) {
    static constexpr unsigned MaxDepth = 16;
    if (pattern == var) {
        if (found && found != def) return false;
        return found = def, true;
    }
    if (pattern == def) return true;
    if (depth == MaxDepth || pattern->node() != def->node() || pattern->is_mut() || def->is_mut() || pattern->num_ops() == 0
        || pattern->num_ops() != def->num_ops())
        return false;
    for (size_t i = 0; i < def->num_ops(); ++i)
        if (!fits(pattern->op(i), def->op(i), var, found, depth + 1)) return false;
    return true;
}

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
    for (auto& [name, def] : impl_->annex_names) {
        if (best.name && best.name.view() <= name.view()) continue; // the table has no order
        auto lam     = def->isa<Lam>();
        auto pattern = lam ? (lam->is_set() ? lam->body() : nullptr) : def;
        if (!pattern || !pattern->isa<App>() || head_axiom(pattern) != axm) continue;
        const Def* arg = nullptr;
        if (lam ? fits(pattern, app, lam->var(), arg, 0) && arg : pattern == app) best = {name, arg};
    }
    return best;
}

bool World::has_linear_types() const {
    for (auto& [id, def] : impl_->annexes)
        if (auto axm = def->isa<Axm>(); axm && axm->axiom().has(Axiom::LinearType)) return true;
    return false;
}

} // namespace mim
