// SPDX-License-Identifier: MIT
#include "linear/kept.h"

namespace mim::linear {

/// The function leaves the token alone on the way to its return if it captures it, or a token that is made from the
/// same one.
bool KeptTokens::keep(const Fn& callee, const Def* token) {
    if (!facts_.is_token(token) || is_closed(world_, token)) return false;
    bool changed = false;
    for (auto own : callee.captures) {
        bool is_open = facts_.is_token(own) && !is_closed(world_, own);
        bool is_same = own == token || (is_open && effects_.have_common(own, token));
        if (is_same) changed |= kept_[last_param(world_, callee)].insert(own);
    }
    return changed;
}

/// The tokens that are left to what the parameter stands for are left to it by the function as well.
bool KeptTokens::keep_as_for(const Fn& callee, const Def* param) {
    auto found = kept_.find(param);
    if (found == kept_.end()) return false;
    bool changed = false;
    for (auto token : std::vector(found->second.begin(), found->second.end())) changed |= keep(callee, token);
    return changed;
}

/// A λ to which the call returns consumes the tokens that it captures, or leads to a parameter to which tokens are
/// left.
bool KeptTokens::keep_for_returns(const Fn& callee, const End& end) {
    bool changed = false;
    for (auto lam : end.last) {
        auto ret = summaries_.fn(lam);
        if (!ret) continue;
        for (auto token : ret->captures) changed |= keep(callee, token);
        for (auto exit : ret->exits)
            if (exit && binder_of(exit) != lam) changed |= keep_as_for(callee, exit);
    }
    for (auto param : end.last_params) changed |= keep_as_for(callee, param);
    return changed;
}

void KeptTokens::find() {
    for (auto& f : summaries_.all())
        for (auto& use : f.jumps)
            for (auto token : summaries_.fn(use.lam)->captures) keep(*summaries_.fn(use.lam), token);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& f : summaries_.all())
            for (auto& end : f.ends)
                for (auto lam : end.callees) {
                    auto callee = summaries_.fn(lam);
                    if (callee && !callee->captures.empty()) changed |= keep_for_returns(*callee, end);
                }
    }
}

} // namespace mim::linear
