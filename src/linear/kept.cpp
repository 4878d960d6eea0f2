// SPDX-License-Identifier: MIT
#include "linear/kept.h"

namespace mim::linear {

/// The function leaves the token alone on the way to its return if it captures it, or a token that is made from the
/// same one.
bool KeptTokens::keep(const Fn& callee, const Def* exit, const Def* token) {
    if (!facts_.is_token(token) || is_closed(world_, token)) return false;
    bool changed = false;
    for (auto own : callee.captures) {
        bool is_open = facts_.is_token(own) && !is_closed(world_, own);
        bool is_same = own == token || (is_open && effects_.have_common(own, token));
        if (is_same) changed |= kept_[exit].insert(own);
    }
    return changed;
}

/// The tokens that are left to what the parameter stands for are left to it by the function as well.
bool KeptTokens::keep_as_for(const Fn& callee, const Def* exit, const Def* param) {
    auto found = kept_.find(param);
    if (found == kept_.end()) return false;
    bool changed = false;
    for (auto token : std::vector(found->second.begin(), found->second.end())) changed |= keep(callee, exit, token);
    return changed;
}

/// A λ to which the call goes through this exit consumes the tokens that it captures, or leads to a parameter to which tokens are left.
bool KeptTokens::keep_for(const Fn& callee, const Def* exit, std::span<const Lam* const> lams,
                          std::span<const Def* const> params) {
    bool changed = false;
    for (auto lam : lams) {
        auto ret = summaries_.fn(lam);
        if (!ret) continue;
        for (auto token : ret->captures) changed |= keep(callee, exit, token);
        for (auto way : ret->exits)
            if (way && binder_of(way) != lam) changed |= keep_as_for(callee, exit, way);
    }
    for (auto param : params) changed |= keep_as_for(callee, exit, param);
    return changed;
}

/// Control goes to these λs when a callee leaves through the parameter for which it gets them.
bool KeptTokens::keep_for_exits(const App* app) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    bool changed = false;
    auto elems   = call_elems(world_, app);
    callees(app->callee(), lams, others);
    for (size_t i = 0; i + 1 < elems.size(); ++i) {
        if (!forgetting_.is_exit_of(app, i)) continue;
        auto target = elems[i]->isa<Lam>();
        std::span<const Lam* const> functions(&target, target ? 1 : 0);
        std::span<const Def* const> params(&elems[i], target ? 0 : 1);
        for (auto lam : lams) {
            auto callee = summaries_.fn(lam);
            if (!callee->captures.empty()) changed |= keep_for(*callee, param(world_, lam, i), functions, params);
        }
    }
    return changed;
}

bool KeptTokens::shares_all(const Lam* callee, const Lam* passed) const {
    auto fn       = summaries_.fn(callee);
    bool captures = false;
    if (!fn) return false;
    for (auto token : summaries_.fn(passed)->captures) {
        if (!facts_.is_token(token) || is_closed(world_, token)) continue;
        captures = true;
        if (!fn->capture_set.contains(token)) return false;
    }
    return captures;
}

void KeptTokens::share(const Lam* passed, const App* app) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    callees(app->callee(), lams, others);
    for (auto lam : lams) {
        if (!shares_all(lam, passed)) continue;
        for (auto token : summaries_.fn(passed)->captures) shared_[lam].insert(token);
    }
}

void KeptTokens::find() {
    for (auto& f : summaries_.all())
        for (auto& use : f.jumps) {
            auto& callee = *summaries_.fn(use.lam);
            for (auto token : callee.captures) keep(callee, last_param(world_, callee), token);
            if (auto app = use.at->isa<App>()) share(use.lam, app);
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& f : summaries_.all()) {
            for (auto& end : f.ends)
                for (auto lam : end.callees) {
                    auto callee   = summaries_.fn(lam);
                    bool may_keep = callee && !callee->captures.empty();
                    if (may_keep) changed |= keep_for(*callee, last_param(world_, *callee), end.last, end.last_params);
                }
            for (auto d : f.end_nodes)
                if (auto app = d->isa<App>()) changed |= keep_for_exits(app);
        }
    }
}

} // namespace mim::linear
