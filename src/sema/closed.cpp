// SPDX-License-Identifier: MIT
#include "sema/closed.h"

#include <unordered_set>
#include <utility>

namespace mim {

bool ClosedAnnexes::check(Symbol name, Span place, const Def* def, const Lam* binder) {
    if (!def || enclosing_.is_outermost()) return true;
    shared_.inner_annexes.push_back({name, place, def, binder});
    return check_vars({name, place, def, binder});
}

void ClosedAnnexes::check_inner() {
    for (auto& annex : std::exchange(shared_.inner_annexes, {})) check_vars(annex);
}

bool ClosedAnnexes::check_vars(const Elaborator::Shared::InnerAnnex& annex) {
    for (auto var : free_vars(world_, annex.def)) {
        if (annex.binder && var == annex.binder->var()) continue;
        report_open(annex, var);
        return false;
    }
    return true;
}

void ClosedAnnexes::report_open(const Elaborator::Shared::InnerAnnex& annex, const Def* var) {
    auto part  = mentioned_part(annex.def, var);
    auto bound = names_.first_binding(part);
    auto text  = bound ? bound->sym.str() : show(part);
    auto at    = bound                     ? bound->span
                 : world_.notes.span(part) ? world_.notes.span(part)
                                           : world_.notes.span(var->as<Var>()->binder());
    auto& d    = error(Diag::annex_open, annex.place, {annex.name.str(), text});
    if (at) d.note(Diag::declared_here, at, {text});
}

/// The first part of the variable that `root` mentions; the variable itself if it mentions that as a whole.
const Def* ClosedAnnexes::mentioned_part(const Def* root, const Def* var) {
    std::vector<const Def*> work{root};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !is_free_in(world_, var, d) || !done.insert(d).second) continue;
        auto base = d;
        while (base->isa<Extract>() && isa_lit(base->as<Extract>()->index())) base = base->as<Extract>()->tuple();
        if (base == var) return d;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
        work.push_back(d->type());
    }
    return var;
}

} // namespace mim
