// SPDX-License-Identifier: MIT
#include "linear/rules.h"

#include <algorithm>

#include "ir/token_types.h"

namespace mim::linear {

namespace {

class Builder {
public:
    Builder(World& world, const RewriteRule& rule)
        : world_(world)
        , rule_(rule)
        , var_(rule.binder->var()) {
        auto n = lit_arity(world, rule.binder->dom());
        for (int64_t i = 0; n > 1 && i < n; ++i) leaves_.push_back(world.extract(var_, static_cast<uint64_t>(i)));
        if (n == 1) leaves_.push_back(var_);
        args_ = leaves_;
        for (size_t i = 0; i < leaves_.size(); ++i) {
            bool is_group = holds_types(leaves_[i]->type()) || types_depend_on(leaves_[i]);
            (is_group ? groups_ : values_).push_back(i);
        }
        put_return_last();
    }

    bool has_values() const { return !values_.empty(); }

    RuleFunction run() {
        RuleFunction res;
        std::vector<Lam*> lams;
        for (size_t i = 0; i <= groups_.size(); ++i) {
            lams.push_back(world_.mut_lam(type_from(i)));
            bind(i, lams.back()->var());
        }
        auto body = now(rule_.rhs);
        for (auto lam = lams.rbegin(); lam != lams.rend(); body = *lam++) world_.set(*lam, world_.ff(), body);
        for (size_t i = 0; i < leaves_.size(); ++i) world_.notes.copy_info(leaves_[i], args_[i]);
        for (auto left = rule_.lhs; left->isa<App>(); left = left->as<App>()->callee())
            res.patterns.push_back(now(left->as<App>()->arg()));
        std::ranges::reverse(res.patterns);
        res.lams.assign(lams.begin(), lams.end());
        return res;
    }

private:
    /// The return of the axiom is the last element of its argument, but a rule may name its pattern variables in any
    /// order.
    void put_return_last() {
        auto arg    = rule_.lhs->isa<App>() ? rule_.lhs->as<App>()->arg() : nullptr;
        auto tuple  = arg ? arg->isa<Tuple>() : nullptr;
        auto last   = tuple && tuple->num_ops() ? tuple->ops().back() : arg;
        auto is_ret = [&](size_t i) { return leaves_[i] == last && last->type()->isa<Pi>(); };
        auto ret    = std::ranges::find_if(values_, is_ret);
        if (ret != values_.end()) std::rotate(ret, ret + 1, values_.end());
    }

    bool types_depend_on(const Def* leaf) {
        return std::ranges::any_of(leaves_, [&](auto other) { return mentions(other->type(), leaf); });
    }

    bool mentions(const Def* type, const Def* leaf) {
        DefSet seen;
        std::vector<const Def*> todo{type};
        while (!todo.empty()) {
            auto d = todo.back();
            todo.pop_back();
            if (d == leaf || d == var_) return true;
            bool is_leaf = std::ranges::find(leaves_, d) != leaves_.end();
            if (is_leaf || !is_free_in(world_, var_, d) || !seen.insert(d)) continue;
            todo.insert(todo.end(), d->ops().begin(), d->ops().end());
        }
        return false;
    }

    /// With what stands for the pattern variables so far.
    const Def* now(const Def* def) { return world_.subst(def, var_, world_.tuple(args_)); }

    const Def* domain(size_t group) {
        if (group < groups_.size()) return now(leaves_[groups_[group]]->type());
        std::vector<const Def*> types;
        for (auto i : values_) types.push_back(now(leaves_[i]->type()));
        return world_.sigma(types);
    }

    void bind(size_t group, const Def* var) {
        if (group < groups_.size()) {
            args_[groups_[group]] = var;
            return;
        }
        for (size_t i = 0; i < values_.size(); ++i)
            args_[values_[i]] = values_.size() == 1 ? var : world_.extract(var, static_cast<uint64_t>(i));
    }

    /// The type of the function from this group on.
    const Def* type_from(size_t group) {
        auto before = args_;
        auto pi     = world_.mut_pi(domain(group));
        bind(group, pi->var());
        auto codom = group < groups_.size() ? type_from(group + 1) : now(rule_.lhs->type());
        args_      = before;
        return world_.seal(pi, codom);
    }

    World& world_;
    const RewriteRule& rule_;
    const Def* var_;
    std::vector<const Def*> leaves_, args_; ///< the pattern variables, and what stands for them
    std::vector<size_t> groups_, values_;   ///< those that types depend on, and the others
};

} // namespace

bool may_matter(const RewriteRule& rule) {
    auto dom = rule.binder->dom();
    if (holds_types(dom)) return true;
    return !rule.eager && (holds_function(dom) || holds_function(rule.lhs->type()));
}

std::optional<RuleFunction> rule_function(World& world, const RewriteRule& rule) {
    if (holds_types(rule.lhs->type()) || !may_matter(rule)) return {};
    Builder builder(world, rule);
    return builder.has_values() ? std::optional(builder.run()) : std::nullopt;
}

} // namespace mim::linear
