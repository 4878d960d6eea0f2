// SPDX-License-Identifier: MIT
#include "reach.h"

#include <unordered_map>
#include <unordered_set>

#include "ir/token_types.h"
#include "kit/match.h"

namespace mim::plug::elevate {

namespace {

/// The left side of a rule. Types and sizes stay as they are where terms are rewritten.
class LeftSide {
public:
    LeftSide(World& world, const Def* var)
        : world_(world)
        , var_(var) {}

    /// The depth of the parts of `def` that are not variables, or of all.
    Reach reach(const Def* def, bool with_variables) {
        if (is_type(def) || holds_types(def->type())) return Reach(0);
        if (is_variable_of_rule(def)) {
            note(def);
            return Reach(0);
        }
        if (def->isa<Lit>() || def->isa<Axm>()) return Reach(0);
        auto result = Reach(0);
        auto add    = [&](const Def* part) {
            bool counts = with_variables || !is_variable_of_rule(part);
            auto below  = reach(part, with_variables);
            result      = result.with(counts ? below.from(Reach(1)) : below);
        };
        if (auto tuple = def->isa<Tuple>()) {
            for (auto part : tuple->ops()) add(part);
            return result;
        }
        if (!head_axiom(def)) return Reach::all();
        for (auto app = def->isa<App>(); app; app = app->callee()->isa<App>())
            if (!app->callee()->type()->as<Pi>()->is_implicit()) add(app->arg());
        return result;
    }
    /// Whether a variable stands for a term twice: then both are compared.
    bool repeats() const {
        return std::ranges::any_of(uses_, [](auto& use) { return use.second > 1; });
    }
    bool is_variable_of_rule(const Def* def) const {
        auto extract = def->isa<Extract>();
        return def == var_ || (extract && extract->tuple() == var_);
    }

private:
    void note(const Def* def) {
        bool is_size = def->type() == world_.nat();
        if (!is_size) ++uses_[def];
    }

    World& world_;
    const Def* var_;
    std::unordered_map<const Def*, size_t> uses_;
};

/// The result of a function is not moved: it is made of the argument as it is.
bool applies_variable(const LeftSide& left, const Def* right) {
    std::unordered_set<const Def*> seen;
    DefVec todo{right};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        bool is_new = def && def->is_set() && !def->isa<Var>() && seen.insert(def).second;
        if (!is_new) continue;
        auto app = def->isa<App>();
        if (app && left.is_variable_of_rule(app->callee())) return true;
        todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
    return false;
}

} // namespace

RuleReach reach_of(World& w, const RewriteRule& rule) {
    LeftSide left(w, rule.binder->var());
    auto fails = left.reach(rule.lhs, false);
    if (rule.when || left.repeats()) return {};
    auto moves = applies_variable(left, rule.rhs) ? Reach::all() : left.reach(rule.lhs, true);
    return {fails, moves};
}

} // namespace mim::plug::elevate
