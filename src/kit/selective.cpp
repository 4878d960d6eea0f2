// SPDX-License-Identifier: MIT
#include "kit/selective.h"

#include <algorithm>

namespace mim {

const Def* eta_expand(World& w, const Def* partial) {
    if (saturated_axiom(partial) || !partial->type()->isa<Pi>()) return partial;
    auto lam = w.mut_lam(partial->type());
    w.set(lam, w.tt(), eta_expand(w, w.app(partial, lam->var())));
    return w.seal(lam);
}

/// Dirty is what is wanted, all that mentions something dirty, and the variable of a dirty binder, since the copy has its own.
void SelectiveRewriter::spread(std::vector<const Def*> work) {
    auto dirty = [&](const Def* def) {
        if (def->id() >= dirty_.size()) dirty_.resize(std::max<size_t>(def->id() + 1, dirty_.size() * 2));
        if (!dirty_[def->id()]) dirty_[def->id()] = true, work.push_back(def);
    };
    auto wanted = std::move(work);
    work.clear();
    for (auto def : wanted) dirty(def);
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (def->var()) dirty(def->var());
        for (auto user : program_.users(def)) dirty(user);
    }
}

bool SelectiveRewriter::run() {
    std::vector<const Def*> wanted;
    for (auto def : program_.nodes())
        if (wants(def)) wanted.push_back(def);
    if (wanted.empty()) return false;
    spread(std::move(wanted));
    try {
        rewrite_all();
    } catch (const Error&) {
        world().here = place();
        throw;
    }
    return true;
}

void SelectiveRewriter::rewrite_all() {
    auto externals = world().externals;
    for (auto& e : externals)
        if (auto lam = rewrite(e.lam); lam != e.lam) world().externals.replace(e.name, lam->as_mut<Lam>());
}

/// Of the innermost definition under rewriting that the text has.
Span SelectiveRewriter::place() {
    for (auto def = rewriting_.rbegin(); def != rewriting_.rend(); ++def)
        if (auto span = world().notes.span(*def)) return span;
    return {};
}

const Def* SelectiveRewriter::rewrite_mut(const Def* def) {
    rewriting_.push_back(def); // an error leaves it there
    auto copy = Rewriter::rewrite_mut(def);
    map(copy, copy);
    rewriting_.pop_back();
    return copy;
}

} // namespace mim
