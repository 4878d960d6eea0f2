// SPDX-License-Identifier: MIT
// Derivatives write what they need of a value again: each rule applies the functions of its operation anew, and each
// application makes functions of its own. Equal functions become one here, so that the graph has equal arrays once,
// and they are computed once.
#include <unordered_map>

#include "autodiff.h"
#include "ir/questions.h"
#include "kit/selective.h"

namespace mim::plug::autodiff {

namespace {

class Share : public SelectiveRewriter {
public:
    using SelectiveRewriter::SelectiveRewriter;

private:
    /// Functions with one hash that are compared, at most: few that differ have the same one.
    static constexpr size_t max_compared = 16;
    /// The hash looks so far into a body.
    static constexpr unsigned depth_of_hash = 4;

    static bool is_value(const Def* def) {
        auto lam = def->isa<Lam>();
        return lam && lam->is_set() && !lam->is_cn();
    }

    bool wants(const Def* def) override { return is_value(def); }

    const Def* rewrite_mut(const Def* def) override {
        auto result = SelectiveRewriter::rewrite_mut(def);
        return is_value(result) ? first(result->as<Lam>()) : result;
    }

    /// The first function that is equal to it.
    const Lam* first(const Lam* lam) {
        auto& known = functions_[hash(lam)];
        for (auto other : known)
            if (is_same(other, lam)) return other;
        if (known.size() != max_compared) known.push_back(lam);
        return lam;
    }

    bool is_same(const Lam* a, const Lam* b) {
        bool may_be = a->type() == b->type() && a->filter() == b->filter();
        return a == b || (may_be && free_vars(world(), a).data() == free_vars(world(), b).data() && equal(world(), a, b));
    }

    static void mix(size_t& seed, size_t value) { seed = (seed ^ value) * 0x9e3779b97f4a7c15; }

    size_t hash(const Lam* lam) {
        size_t result = lam->type()->id();
        for (auto var : free_vars(world(), lam)) mix(result, var->id());
        mix(result, hash(lam->body(), depth_of_hash));
        return result;
    }

    /// The same for expressions that are equal up to names of variables.
    size_t hash(const Def* def, unsigned depth) {
        size_t result = size_t(def->node());
        if (def->isa<Var>() || def->is_mut()) return result;
        if (is_closed(world(), def) && !def->has(Def::HasDep)) return def->id();
        if (depth == 0) return result;
        for (auto op : def->ops()) mix(result, op ? hash(op, depth - 1) : 0);
        return result;
    }

    std::unordered_map<size_t, std::vector<const Lam*>> functions_;
};

} // namespace

void share(PhaseContext& c) { Share(c).run(); }

} // namespace mim::plug::autodiff
