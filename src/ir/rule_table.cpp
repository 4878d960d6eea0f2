// SPDX-License-Identifier: MIT
// Rewrite rules (spec, "Rewrite rules"): first-order matching of an application against left sides with the same head axiom.
#include "ir/impl.h"

namespace mim {

/// The pattern variables of a rule: the elements of its domain, which may be none.
static size_t num_vars(World& world, const RewriteRule& rule) {
    auto n = lit_arity(world, rule.binder->dom());
    return n < 0 ? 1 : static_cast<size_t>(n);
}

namespace {
class RuleMatch {
public:
    RuleMatch(World& world, const RewriteRule& rule)
        : world_(world)
        , rule_(rule)
        , var_(rule.binder->var())
        , found_(num_vars(world, rule), nullptr) {}

    /// What the variables stand for in `def`, or null if the rule does not apply.
    const Def* run(const Def* def) {
        if (!match(rule_.lhs, def) && !(meets_type_ && match_values_first(def))) return nullptr;
        for (auto f : found_)
            if (!f) return nullptr;
        auto args = world_.tuple(found_);
        for (auto [pattern, type] : types_)
            if (!equal(world_, world_.subst(pattern, var_, args), type)) return nullptr;
        auto dom = rule_.binder->dom();
        if (!assignable(world_, dom, args) && !(world_.token_types().hidden_here(dom, args) && fits_each(dom, args)))
            return nullptr;
        if (rule_.when && world_.subst(rule_.when, var_, args) != world_.tt()) return nullptr;
        return args;
    }

private:
    /// A type may be computed from what the variables stand for: `«s; T»` is `«n, m; F64»` for a shape `s`. Such a
    /// type says nothing of them, and is compared when all are known.
    bool match_values_first(const Def* def) {
        std::ranges::fill(found_, nullptr);
        are_types_later_ = true;
        if (!match(rule_.lhs, def)) return false;
        are_types_later_ = false;
        for (auto [pattern, type] : types_) {
            auto before = found_;
            if (!match(pattern, type)) found_ = before;
        }
        return true;
    }

    /// All groups of a rule are one Σ here, but nobody makes a value of it: what would hide a token in it does not.
    bool fits_each(const Def* dom, const Def* args) {
        for (size_t i = 0; i < found_.size(); ++i)
            if (!assignable(world_, elem_type(world_, dom, args, world_.lit_idx(found_.size(), i)), found_[i])) return false;
        return true;
    }

    bool bind(size_t i, const Def* def) {
        if (found_[i]) return equal(world_, found_[i], def);
        found_[i] = def;
        return true;
    }

    /// The tuple of all variables in order is the variable of the binder.
    bool bind_all(const Def* def) {
        if (found_.size() == 1) return bind(0, def);
        if (lit_arity(world_, def->type()) != static_cast<int64_t>(found_.size())) return false;
        for (size_t i = 0; i < found_.size(); ++i)
            if (!bind(i, world_.extract(def, i))) return false;
        return true;
    }

    bool match(const Def* pattern, const Def* def) {
        if (pattern == var_) return bind_all(def);
        if (auto ex = pattern->isa<Extract>(); ex && ex->tuple() == var_)
            if (auto i = isa_lit(ex->index())) return bind(i->value(), def);
        if (pattern == def && !is_free_in(world_, var_, pattern)) return true;
        if (!is_free_in(world_, var_, pattern)) return equal(world_, pattern, def);
        if (is_type(pattern)) {
            meets_type_ = true;
            if (are_types_later_) return types_.emplace_back(pattern, def), true;
        }
        // a tuple pattern sees through packs and any other value of its arity
        if (pattern->isa<Tuple>() && !def->isa<Tuple>()) {
            if (lit_arity(world_, def->type()) != static_cast<int64_t>(pattern->num_ops())) return false;
            for (size_t i = 0; i < pattern->num_ops(); ++i)
                if (!match(pattern->op(i), world_.extract(def, i))) return false;
            return true;
        }
        if (pattern->node() != def->node() || pattern->num_ops() != def->num_ops() || pattern->is_mut() || def->is_mut())
            return false;
        if (!is_declared(pattern) && type_is_operand(pattern) && !match(pattern->type(), def->type())) return false;
        for (size_t i = 0; i < pattern->num_ops(); ++i)
            if (!match(pattern->op(i), def->op(i))) return false;
        return true;
    }

    World& world_;
    const RewriteRule& rule_;
    const Def* var_;
    std::vector<const Def*> found_;
    std::vector<std::pair<const Def*, const Def*>> types_; ///< patterns of types, and what they have to match
    bool meets_type_      = false;
    bool are_types_later_ = false;
};
} // namespace

/// Whether the element `leaf` of `var` occurs, alone or with the whole of it.
static bool occurs_in(const Def* leaf, const Def* var, const Def* root) {
    std::vector<const Def*> work{root};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (d == leaf || d == var) return true;
        auto ex = d->isa<Extract>();
        if (d->node() == Node::Var || (ex && ex->tuple() == var && isa_lit(ex->index())) || !done.insert(d).second) continue;
        for (auto op : d->ops())
            if (op) work.push_back(op);
        if (type_is_operand(d)) work.push_back(d->type());
    }
    return false;
}

void RuleTable::check(const RewriteRule& rule) const {
    auto require = [&](const Def* type, const Def* value) {
        if (!assignable(world_, type, value)) fail(Diag::not_assignable, {type, value, value->type()});
    };
    auto head = head_axiom(rule.lhs);
    if (!head || !rule.lhs->isa<App>()) fail(Diag::bad_rule, {std::string("the head of its left side is no applied axiom")});
    require(rule.lhs->type(), rule.rhs);
    if (rule.when) require(world_.bool_type(), rule.when);
    if (world_.impl().told_apart.contains(&head->axiom()))
        fail(Diag::bad_rule, {"a `match` before it tells members apart by `" + head->axiom().name.str() + "`"});
    auto var = rule.binder->var();
    auto n   = num_vars(world_, rule);
    for (size_t i = 0; i < n; ++i) {
        bool occurs = n == 1 ? is_free_in(world_, var, rule.lhs) : occurs_in(world_.extract(var, i), var, rule.lhs);
        if (!occurs) fail(Diag::bad_rule, {std::string("a pattern variable does not occur on the left side")});
    }
}

void RuleTable::add(RewriteRule rule) {
    check(rule);
    auto& impl = world_.impl();
    impl.member_indices.clear(); // the values of the axiom have no heads any more
    auto added = rules_.emplace_back(std::make_unique<RewriteRule>(rule)).get();
    index_.add(added);
    if (holds_types(rule.lhs->type())) type_rules_.push_back(added);
    if (!added->eager) return;
    eager_.add(added);
    impl.app_memo.clear(); // what was built before keeps its form; what is requested again is built after the declaration
}

/// No part of `apply`, whose frame is small: rules fire in the results of rules, thousands deep.
[[gnu::noinline]] static const Def* match_rule(World& world, const RewriteRule& rule, const Def* app) {
    return RuleMatch(world, rule).run(app);
}

const RewriteRule* RuleTable::hides(const RewriteRule& rule) const {
    auto head   = head_axiom(rule.lhs);
    auto& index = rule.eager ? eager_ : index_;
    if (!head || !index.contains(&head->axiom())) return nullptr;
    for (auto before : index.find(world_, rule.lhs))
        if (!before->when && match_rule(world_, *before, rule.lhs)) return before;
    return nullptr;
}

bool RuleTable::has(const Axiom* head) const { return index_.contains(head); }

bool RuleTable::has_eager(const Axiom* head) const { return eager_.contains(head); }

/// A type variable of a rule may stand for the type of a token. The token that it types, if the rule loses it; else
/// null.
const Def* RuleTable::lost_token(const RewriteRule& rule, const Def* args) const {
    auto var = rule.binder->var();
    auto n   = num_vars(world_, rule);
    for (size_t i = 0; i < n && n > 1; ++i) {
        auto leaf = world_.extract(var, i);
        auto arg  = world_.extract(args, i);
        if (!is_free_in(world_, var, leaf->type()) || occurs_in(leaf, var, rule.rhs)) continue;
        if (world_.token_types().is_token(arg)) return arg;
    }
    return nullptr;
}

const Def* RuleTable::apply(const Def* app, bool eager_only, const Result& go_on) {
    auto head = head_axiom(app);
    if (!head) return nullptr;
    auto& index = eager_only ? eager_ : index_;
    if (!index.contains(&head->axiom())) return nullptr;
    auto& impl = world_.impl();
    WorldImpl::Evaluation evaluation(impl);
    impl.check_depth();
    for (auto rule : index.find(world_, app)) {
        auto args = match_rule(world_, *rule, app);
        if (!args) continue;
        impl.tick(); // before the right side is built, in which the same rule may fire
        if (auto token = lost_token(*rule, args)) fail(Diag::token_dropped, {token});
        if (auto res = fire(*rule, app, args, go_on); res != app) return ++rule->fired, res;
    }
    return nullptr;
}

/// The innermost firing is one too many.
void RuleTable::fail_endless() {
    auto& [rule, last] = firings_.back();
    auto before        = firings_[firings_.size() - 2].app;
    auto first         = firings_[firings_.size() - 3].app;
    Error error(Diag::endless_rule, {rule->name.str(), std::to_string(firings_.size()), first, before, last});
    error.declared = rule->span;
    throw error;
}

const Def* RuleTable::fire(const RewriteRule& rule, const Def* app, const Def* args, const Result& go_on) {
    struct Entry {
        std::vector<Firing>& firings;
        ~Entry() { firings.pop_back(); }
    };
    firings_.push_back({&rule, app});
    Entry entry{firings_};
    static constexpr uint64_t num_shown = 3;
    if (firings_.size() > std::max(world_.limits.max_firings, num_shown)) fail_endless();
    auto result = world_.subst(rule.rhs, rule.binder->var(), args);
    return go_on && result != app ? go_on(result) : result;
}

} // namespace mim
