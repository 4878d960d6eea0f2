// SPDX-License-Identifier: MIT
#include "rules.h"

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "elevate/annexes.h"
#include "elevate/diagnostics.h"
#include "kit/text.h"

namespace mim::plug::elevate {

namespace {

std::string full_name(const RewriteRule& rule) {
    return (rule.plugin ? rule.plugin.str() + "." : std::string()) + rule.name.str();
}

/// The name that a `rule` or `with` has, if it is known.
std::optional<std::string> name_of(World& w, const Def* strategy) {
    if (auto rule = match<elevate::rule>(strategy)) return literal_text(w, rule.arg());
    if (auto with = match<elevate::with>(strategy)) return literal_text(w, with.group(1));
    return {};
}

/// A rule without variables, as one of one, takes the only value of its type, and that with one parameter takes it alone.
DefVec arguments(World& w, const Def* strategy, size_t count) {
    auto with = match<elevate::with>(strategy);
    if (!with) return {};
    auto arg = with.arg();
    auto n   = lit_arity(w, arg->type());
    if (count == 1 || n < 0) return {arg};
    DefVec result;
    for (int64_t i = 0; i < n; ++i) result.push_back(elem(w, arg, static_cast<uint64_t>(i)));
    return result;
}

} // namespace

/// Those of the program hide those of plugins.
std::vector<const RewriteRule*> Rules::named(const std::string& name) const {
    std::vector<const RewriteRule*> own, others;
    for (auto rule : w_.rules.on_request(name)) (rule->plugin ? others : own).push_back(rule);
    if (!own.empty()) return own;
    std::set<std::string> owners;
    for (auto rule : others) owners.insert(full_name(*rule));
    if (owners.size() > 1) {
        std::string all;
        for (auto& owner : owners) all += (all.empty() ? ": say `" : " or `") + owner + "`";
        throw Error(diag::unknown_rule(name, all));
    }
    auto dot = name.find('.');
    if (!others.empty() || dot == std::string::npos) return others;
    auto of_plugin = w_.rules.on_request(std::string_view(name).substr(dot + 1));
    std::erase_if(of_plugin, [&](auto rule) { return full_name(*rule) != name; });
    return of_plugin;
}

void Rules::fail_unknown(const std::string& name) const {
    Nearest nearest(name);
    bool fires_itself = false;
    for (auto& rule : w_.rules.all()) {
        if (rule->on_request) nearest.offer(rule->name.view());
        else fires_itself |= rule->name.view() == name;
    }
    std::string hint;
    if (!nearest.best.empty()) hint = "; did you mean `" + std::string(nearest.best) + "`?";
    else if (fires_itself) hint = ": it fires by itself. `rule " + name + " []` in front of its variables makes it wait";
    throw Error(diag::unknown_rule(name, hint));
}

void Rules::check_params(const std::string& name, const RewriteRule& rule, const DefVec& params) const {
    if (params.size() != rule.num_params) {
        auto number = std::to_string(rule.num_params) + (rule.num_params == 1 ? " parameter" : " parameters");
        throw Error(diag::bad_parameter(name, "takes " + number + ", not " + std::to_string(params.size())));
    }
    for (size_t i = 0; i < params.size(); ++i) {
        auto type = w_.rules.param_type(rule, i);
        if (!type || assignable(w_, type, params[i])) continue;
        auto what = "takes a parameter of type `" + in_words(type) + "`, not `" + in_words(params[i]) + "` of type `"
                    + in_words(params[i]->type()) + "`";
        throw Error(diag::bad_parameter(name, what));
    }
}

const RuleCall& Rules::find(const Def* strategy) {
    if (auto known = calls_.find(strategy); known != calls_.end()) return known->second;
    auto name = name_of(w_, strategy);
    if (!name) throw Error(diag::not_known(in_words(strategy), "the name of a rule is a text"));
    RuleCall call{*name, named(*name), {}, {}};
    if (call.rules.empty()) fail_unknown(*name);
    call.params = arguments(w_, strategy, call.rules[0]->num_params);
    for (auto rule : call.rules) check_params(*name, *rule, call.params);
    for (auto rule : call.rules) call.reaches.push_back(reach_of(w_, *rule));
    for (size_t i = 0; i < call.params.size(); ++i) call.name += (i ? ", " : "(") + in_words(call.params[i]);
    if (!call.params.empty()) call.name += ")";
    return calls_.emplace(strategy, std::move(call)).first->second;
}

void Rules::check(const Def* strategy) {
    std::set<uint32_t> seen;
    DefVec todo{strategy};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def || !seen.insert(def->id()).second || def->isa<Var>()) continue;
        if (name_of(w_, def)) find(def);
        bool is_entered = def->type() && !is_type(def) && def->is_set();
        if (is_entered) todo.insert(todo.end(), def->ops().begin(), def->ops().end());
    }
}

} // namespace mim::plug::elevate
