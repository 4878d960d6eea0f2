// SPDX-License-Identifier: MIT
// Types of functions that compute values become those of continuations, wherever they are mentioned. See converter.h.
#include "converter.h"

namespace mim::plug::direct {

/// Rewrites a binder in a type or a pack: all variables around it at once, for their types mention one another.
class Converter::Inside : public Rewriter {
public:
    explicit Inside(Converter& converter)
        : Rewriter(converter.world_)
        , converter_(converter) {}
    const Def* copy(const Def* def) { return copy_mut(def); }
    /// Of a function whose codomain depends on its argument: `[x: T] → U` becomes `Cn [x: T, Cn U]`.
    const Def* function(const Pi* pi) {
        auto type = world().mut_sigma(2);
        world().set(type, 0, rewrite(pi->dom()));
        map(pi->var(), world().extract(type->var(), uint64_t(0)));
        world().set(type, 1, world().cn(rewrite(pi->codom())));
        return world().cn(world().seal(type));
    }

private:
    const Def* known(const Def* def) {
        auto i = converter_.env_.find(def);
        return i == converter_.env_.end() ? nullptr : i->second;
    }
    bool needs(const Def* def) override { return !converter_.facts_.is_closed(def) || converter_.holds_function(def); }
    const Def* rewrite_var(const Def* var) override {
        auto to = known(var);
        return to ? to : var;
    }
    const Def* rewrite_imm(const Def* def) override {
        if (auto to = known(def)) return to;
        auto pi = def->isa<Pi>();
        return pi && is_function(pi) ? world().fn(rewrite(pi->dom()), rewrite(pi->codom())) : Rewriter::rewrite_imm(def);
    }
    const Def* rewrite_mut(const Def* def) override {
        if (auto to = known(def)) return to;
        auto pi = def->isa<Pi>();
        return pi && is_function(pi) ? function(pi) : Rewriter::rewrite_mut(def);
    }
    Converter& converter_;
};

const Def* Converter::same_type(const Pi* pi) { return pi->is_mut() ? Inside(*this).copy(pi) : rewrite(pi); }

const Def* Converter::function_type(const Pi* pi) {
    return pi->is_mut() ? Inside(*this).function(pi) : world_.fn(rewrite(pi->dom()), rewrite(pi->codom()));
}

/// Functions that compute values become continuations, wherever they are passed.
const Def* Converter::rewrite_pi(const Pi* pi) {
    if (pi->is_mut()) return is_function(pi) ? function_type(pi) : substitute(pi);
    auto dom = rewrite(pi->dom()), codom = rewrite(pi->codom());
    if (is_function(pi)) return world_.fn(dom, codom);
    return dom == pi->dom() && codom == pi->codom() ? pi : world_.pi(dom, codom, pi->is_implicit());
}

bool Converter::is_function(const Pi* pi) {
    auto codom = pi->codom();
    return !pi->is_cn() && !codom->isa<Sort>() && codom->type()->isa<Sort>() && !Facts::is_type_abstraction(pi);
}

/// Whether a type mentions functions that become continuations. Functions that compute types are not looked into.
bool Converter::holds_function(const Def* root) {
    if (!root->type() || !root->type()->isa<Sort>()) return false;
    std::vector<const Def*> todo{root}, seen;
    while (!todo.empty()) {
        auto def        = todo.back();
        auto [i, fresh] = holds_.try_emplace(def, false);
        todo.pop_back();
        if (!fresh && !i->second) continue;
        auto pi = def->isa<Pi>();
        if (i->second || (pi && is_function(pi))) {
            for (auto s : seen) holds_.erase(s);
            return holds_[def] = holds_[root] = true;
        }
        seen.push_back(def);
        for (auto op : def->ops())
            if (op && !op->isa<Lam>()) todo.push_back(op);
    }
    return false;
}

const Def* Converter::substitute(const Def* def) { return Inside(*this).rewrite(def); }

} // namespace mim::plug::direct
