// SPDX-License-Identifier: MIT
// Rewrite rules (spec, "Rewrite rules"): the first one fires that an application is an instance of.
#include "ir/impl.h"
#include "ir/rule_match.h"

namespace mim {

bool occurs_in(const Def* leaf, const Def* var, const Def* root) {
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

/// Nothing says what this variable stands for.
[[noreturn]] static void fail_unbound(World& world, const Def* variable) {
    auto name = world.notes.name(variable);
    auto text = name ? "the pattern variable `" + name.str() + "`" : std::string("a pattern variable");
    Error error(Diag::bad_rule, {text + " does not occur on the left side"});
    error.rewritten = world.notes.span(variable);
    throw error;
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
    for (size_t i = rule.num_params; i < n; ++i) {
        auto leaf   = n == 1 ? var : world_.extract(var, i);
        bool occurs = n == 1 ? is_free_in(world_, var, rule.lhs) : occurs_in(leaf, var, rule.lhs);
        if (!occurs) fail_unbound(world_, leaf);
    }
}

void RuleTable::add(RewriteRule rule) {
    check(rule);
    auto& impl = world_.impl();
    conditions_.clear();
    impl.member_indices.clear(); // the values of the axiom have no heads any more
    auto added = rules_.emplace_back(std::make_unique<RewriteRule>(rule)).get();
    if (added->on_request) {
        requested_.insert(&head_axiom(added->lhs)->axiom());
        return;
    }
    index_.add(added);
    if (holds_types(rule.lhs->type())) type_rules_.push_back(added);
    if (!added->eager) return;
    eager_.add(added);
    impl.app_memo.clear(); // what was built before keeps its form; what is requested again is built after the declaration
}

const RewriteRule* RuleTable::hides(const RewriteRule& rule) const {
    auto head   = head_axiom(rule.lhs);
    auto& index = rule.eager ? eager_ : index_;
    if (!head || rule.on_request || !index.contains(&head->axiom())) return nullptr;
    for (auto before : index.find(world_, rule.lhs))
        if (!before->when && match_rule(world_, *before, rule.lhs)) return before;
    return nullptr;
}

bool RuleTable::has(const Axiom* head) const { return index_.contains(head) || requested_.contains(head); }

std::vector<const RewriteRule*> RuleTable::on_request(std::string_view name) const {
    std::vector<const RewriteRule*> res;
    for (auto& rule : rules_)
        if (rule->on_request && rule->name.view() == name) res.push_back(rule.get());
    return res;
}

const Def* RuleTable::param_type(const RewriteRule& rule, size_t i) const {
    auto var  = rule.binder->var();
    auto type = num_vars(world_, rule) == 1 ? rule.binder->dom() : world_.extract(var, i)->type();
    return is_free_in(world_, var, type) ? nullptr : type;
}

const Def* RuleTable::fire_at(const RewriteRule& rule, const Def* at, Defs params, Mismatch* why) {
    Mismatch ignored;
    auto& reason   = why ? *why : ignored;
    auto head      = head_axiom(at);
    bool has_shape = head == head_axiom(rule.lhs) && num_groups(at) == num_groups(rule.lhs);
    reason         = {Mismatch::Pattern, rule.lhs, at};
    if (!has_shape || params.size() != rule.num_params) return nullptr;
    auto& impl = world_.impl();
    WorldImpl::Evaluation evaluation(impl);
    impl.check_depth();
    auto args = match_rule(world_, rule, at, params, &reason);
    if (!args) return nullptr;
    impl.tick();
    if (auto token = lost_token(rule, args)) fail(Diag::token_dropped, {token});
    auto result = fire(rule, at, args, {});
    reason      = {Mismatch::Same, at, at};
    if (result == at) return nullptr;
    if (!assignable(world_, at->type(), result)) fail(Diag::not_assignable, {at->type(), result, result->type()});
    ++rule.fired;
    return result;
}

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
