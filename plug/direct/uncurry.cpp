// SPDX-License-Identifier: MIT
#include "uncurry.h"

#include <algorithm>
#include <map>
#include <vector>

#include "facts.h"
#include "ir/token_types.h"
#include "kit/selective.h"

namespace mim::plug::direct {

namespace {

/// A known function and what it gets, group by group.
struct Call {
    const Lam* callee = nullptr;
    std::vector<const Def*> groups;
};

Call curried_call(const Def* def) {
    Call call;
    for (; def->isa<App>(); def = def->as<App>()->callee()) call.groups.push_back(def->as<App>()->arg());
    std::ranges::reverse(call.groups);
    call.callee = def->isa<Lam>();
    return call;
}

/// Types that depend on values stay as they are.
bool is_simple(const Pi* pi) { return !pi->is_mut() && !binds_types(pi->dom()) && !holds_types(pi); }

class Uncurry : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

protected:
    bool wants(const Def* def) override {
        if (!is_direct_call(def) || !def->as<App>()->callee()->isa<App>()) return false;
        auto call = curried_call(def);
        if (!call.callee || !call.callee->is_set()) return false;
        const Def* type = call.callee->type();
        bool has_token  = false;
        for (size_t i = 0; i != call.groups.size(); ++i) {
            auto pi = type->isa<Pi>();
            if (!pi || !is_simple(pi)) return false;
            bool is_last = i + 1 == call.groups.size();
            has_token |= !is_last && world().token_types().is_token(call.groups[i]);
            type = pi->codom();
        }
        return has_token;
    }

    const Def* rewrite_imm(const Def* def) override {
        if (!wants(def)) return SelectiveRewriter::rewrite_imm(def);
        auto call = curried_call(def);
        std::vector<const Def*> args;
        for (auto group : call.groups) args.push_back(rewrite(group));
        return world().app(uncurried(call.callee, args.size()), world().tuple(args));
    }

private:
    /// The function that takes the first `n` groups at once. It is known before its body is, which may call it.
    const Def* uncurried(const Lam* lam, size_t n) {
        auto [known, fresh] = made_.try_emplace({lam, n}, nullptr);
        if (!fresh) return known->second;
        auto& w = world();
        std::vector<const Def*> doms;
        const Def* codom = lam->type();
        for (size_t i = 0; i != n; ++i) {
            auto pi = codom->as<Pi>();
            doms.push_back(rewrite(pi->dom()));
            codom = pi->codom();
        }
        auto made     = w.mut_lam(w.pi(w.sigma(doms), rewrite(codom)));
        known->second = made;
        w.notes.copy_info(lam, made);
        w.set_filter(made, w.ff());
        auto group = [&](size_t i) { return w.extract(made->var(), w.lit_idx(n, i)); };
        auto body  = w.subst(lam->body(), lam->var(), group(0));
        for (size_t i = 1; i != n; ++i) body = w.app(body, group(i));
        for (size_t i = 0; i != n; ++i) map(group(i), group(i));
        w.set_body(made, rewrite(body));
        w.close(std::span<Lam* const>(&made, 1));
        return made;
    }

    std::map<std::pair<const Lam*, size_t>, Lam*> made_;
};

} // namespace

void uncurry_tokens(PhaseContext& c) { Uncurry(c).run(); }

} // namespace mim::plug::direct
