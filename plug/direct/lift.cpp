// SPDX-License-Identifier: MIT
// See lift.h.
#include "lift.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "ir/rewrite.h"
#include "ir/token_types.h"

namespace mim::plug::direct {

namespace {

/// The variables, parts of such, and results of effects that an expression takes from around it. The types of each mention only those
/// before it.
class Captures {
public:
    Captures(World& world, const Match* match)
        : world_(world)
        , vars_(free_vars(world, match)) {
        for (auto arm : match->arms()) visit(arm);
        visit(match->scrutinee()->type());
        visit(match->type());
    }
    const std::vector<const Def*>& found() const { return found_; }

private:
    void visit(const Def* def) {
        if (is_closed(world_, def) || !seen_.insert(def).second) return;
        if (def->type()) visit(def->type());
        if (is_part(def) || is_result(def)) return found_.push_back(def);
        if (def->isa<Var>()) return; // bound in what is visited
        for (auto op : def->ops())
            if (op) visit(op);
    }

    /// A variable from around, or `x#i` where x is one and i is known.
    bool is_part(const Def* def) const {
        while (auto extract = def->isa<Extract>()) {
            if (!isa_lit(extract->index())) return false;
            def = extract->tuple();
        }
        return def->isa<Var>() && std::ranges::find(vars_, def) != vars_.end();
    }

    /// What an effect around gave beside its token: the function does not repeat the effect.
    bool is_result(const Def* def) const {
        auto extract = def->isa<Extract>();
        auto& tokens = world_.token_types();
        if (!extract || !tokens.is_token(extract->tuple()) || tokens.is_token(def)) return false;
        auto is_around = [&](const Def* var) { return std::ranges::find(vars_, var) != vars_.end(); };
        return std::ranges::all_of(free_vars(world_, def), is_around);
    }

    World& world_;
    Defs vars_; ///< around it
    std::unordered_set<const Def*> seen_;
    std::vector<const Def*> found_;
};

/// Rewrites expressions over the captured values into such over the elements of a tuple.
class Over : public Rewriter {
public:
    Over(World& world, const std::vector<const Def*>& captures, const Def* tuple)
        : Rewriter(world) {
        for (size_t i = 0; i != captures.size(); ++i) map(captures[i], world.extract(tuple, i));
    }
};

/// The types of the captured values, and of what is matched.
const Def* domain(World& w, const std::vector<const Def*>& captures, const Def* last) {
    auto n = captures.size();
    if (n == 0) return last;
    auto sigma = w.mut_sigma(n + 1);
    Rewriter over(w);
    for (size_t i = 0; i != n; ++i) {
        w.set(sigma, i, over.rewrite(captures[i]->type()));
        over.map(captures[i], w.extract(sigma->var(), i));
    }
    w.set(sigma, n, over.rewrite(last));
    return w.seal(sigma);
}

} // namespace

Lifted lift(World& w, const Match* match) {
    Captures captures(w, match);
    auto args = captures.found();
    auto last = args.size();
    auto dom  = domain(w, args, match->scrutinee()->type());
    auto pi   = w.mut_pi(dom);
    auto type = w.seal(pi, Over(w, args, pi->var()).rewrite(match->type()));
    auto lam  = w.mut_lam(type);
    Over over(w, args, lam->var());
    std::vector<const Def*> arms;
    for (auto arm : match->arms()) arms.push_back(over.rewrite(arm));
    w.set(lam, w.tt(), w.match(w.extract(lam->var(), last), arms));
    w.notes.copy_place(match, lam);
    args.push_back(match->scrutinee());
    return {w.seal(lam)->as<Lam>(), w.tuple(args)};
}

} // namespace mim::plug::direct
