// SPDX-License-Identifier: MIT
// The order in which the check finds what it knows, and which programs it looks at.
#include "linear/check.h"

#include <algorithm>

#include "linear/escape.h"
#include "linear/flow.h"
#include "linear/node_check.h"
#include "linear/tokens.h"

namespace mim {

namespace linear {

/// The axiom calls a function that refers to what is around it, or gets something that does: that may be a way out.
static bool may_leave_through_axiom(World& world, const Def* d) {
    auto axm = head_axiom(d);
    if (!axm || !calls_continuation(axm)) return false;
    return any_function_so_far(d, [&](auto function) { return !is_closed(world, function); });
}

/// Finds the nodes of the program. Whether there is something to check: tokens, or calls that may leave.
bool Check::collect(std::span<const Lam* const> roots) {
    facts.connect(roots);
    if (!is_inlined()) rules.connect();
    instantiate();
    bool has_tokens = facts.find_tokens();
    auto may_leave  = [&](const Def* d) { return may_leave_through_axiom(world, d); };
    bool may_matter = has_tokens || (!is_inlined() && std::ranges::any_of(facts.nodes(), may_leave));
    if (may_matter) facts.find();
    return may_matter;
}

/// The calls that instantiate type variables, and the functions that have some.
void Check::instantiate() {
    std::vector<TokenTypes::Instance> instances;
    for (auto d : facts.nodes()) {
        auto match = d->isa<Match>();
        for (auto arm : match ? match->arms() : Defs())
            if (holds_types(match->scrutinee()->type()))
                instances.push_back({arm, match->scrutinee(), TokenTypes::Instance::Match});
        auto app    = d->isa<App>();
        auto callee = app ? app->callee() : nullptr;
        if (!callee || !holds_types(callee->type()->as<Pi>()->dom())) continue;
        if (callee->node() == Node::Lam || !head_axiom(callee)) instances.push_back({callee, app->arg()});
        else rules.add_instances(app, instances);
    }
    if (instances.empty()) return;
    auto uncalled = rules.uncalled();
    std::vector<const Lam*> polymorphic;
    for (auto lam : facts.lams())
        if (holds_types(lam->dom()) && !uncalled.contains(lam)) polymorphic.push_back(lam);
    types.instantiate(instances, polymorphic);
}

void Check::check_nodes() {
    NodeCheck check(world, types, facts, reports, is_inlined());
    for (auto d : facts.nodes()) check.run(d);
    for (auto d : facts.nodes())
        if (is_declared(d)) check.assigned(d, d->type(), d); // one that is chosen, say
}

void Check::summarize(std::span<const Lam* const> roots) {
    returns.find(roots);
    summaries.find();
    if (!is_inlined()) direct.find(); // phases make them calls of continuations
    leaving.find();
    kept.find();
}

void Check::check_functions() {
    for (auto& f : summaries.all()) {
        check_escapes(*this, f);
        direct.check(f);
        check_flow(*this, f);
    }
    if (is_between_phases()) drop_carried(*this);
}

/// Says nothing if tokens have faults: a token that waits for such a call is one of them.
void Check::check_tokenless_calls() {
    if (is_inlined() || !reports.empty()) return;
    DefSet seen;
    for (auto& f : summaries.all())
        for (auto call : f.direct_calls)
            if (seen.insert(call) && direct.leaves_without_token(call))
                reports.add({Diag::call_without_token, {call}, f.lam, call, {{Diag::call_with_token, nullptr}}});
    for (auto& [lam, value] : direct.values_without_token())
        reports.add({Diag::call_without_token, {value}, lam, value, {{Diag::call_with_token, nullptr}}});
}

/// Phases have suspended effects: code of these takes tokens from around it, and functions hand them on as values. The program was checked
/// before they did.
bool Check::has_suspended_effects() {
    return std::ranges::any_of(facts.nodes(), [](auto d) {
        auto axm = saturated_axiom(d);
        return axm && axm->axiom().has(Axiom::Suspends);
    });
}

std::vector<Violation> Check::run(std::span<const Lam* const> roots) {
    if (!collect(roots)) return {};
    check_nodes();
    if (!reports.empty()) return reports.take(); // what they hide is not followed
    summarize(roots);
    check_functions();
    check_tokenless_calls();
    if (!reports.empty() && has_suspended_effects()) return {};
    reports.drop_consequences();
    return reports.take();
}

} // namespace linear

/// Some axiom for which `is_such` holds is mentioned, in a term or in a type. It takes one bit a node.
template<class Roots, class F>
static bool mention(const Roots& roots, F is_such) {
    std::vector<bool> seen;
    std::vector<const Def*> todo;
    auto push = [&](const Def* d) {
        if (!d) return;
        if (d->id() >= seen.size()) seen.resize(d->id() + d->id() / 2 + 64);
        if (!seen[d->id()]) seen[d->id()] = true, todo.push_back(d);
    };
    for (auto root : roots) push(root);
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (auto axm = d->isa<Axm>(); axm && is_such(axm)) return true;
        if (d->node() != Node::Sort) push(d->type());
        if (!d->is_set()) continue;
        for (auto op : d->ops()) push(op);
    }
    return false;
}

/// The axioms that rules may make something of that mentions such axioms.
template<class F>
static std::unordered_set<const Axiom*> rewritten_to(World& world, F is_such) {
    std::unordered_set<const Axiom*> result;
    for (auto& rule : world.rules.all()) {
        bool is_one = !rule->eager && linear::may_matter(*rule) && mention(Defs(&rule->rhs, 1), is_such);
        if (is_one) result.insert(&head_axiom(rule->lhs)->axiom());
    }
    return result;
}

static std::vector<Violation> check_tokens(World& world, std::span<const Lam* const> roots, linear::Program program) {
    bool is_written = program == linear::Program::Written;
    bool any        = world.annexes.has_linear_types() || (is_written && world.annexes.has_calls_of_continuations());
    auto matters    = [&](const Axm* axm) {
        bool makes_tokens = world.token_types().contains(axm); // also once it is rewritten
        return makes_tokens || (is_written && calls_continuation(axm));
    };
    if (!any) return {};
    auto rewritten = is_written ? rewritten_to(world, matters) : std::unordered_set<const Axiom*>();
    auto is_such   = [&](const Axm* axm) { return matters(axm) || rewritten.contains(&axm->axiom()); };
    if (!mention(roots, is_such)) return {}; // most programs that merely load such a plugin
    if (!is_written && mention(roots, [](const Axm* axm) { return axm->axiom().has(Axiom::Jumps); })) return {};
    return linear::Check(world, program).run(roots);
}

static std::vector<Violation> check_externals(World& world, linear::Program program) {
    std::vector<const Lam*> roots;
    for (auto& external : world.externals) roots.push_back(external.lam);
    return check_tokens(world, roots, program);
}

std::vector<Violation> check_tokens(World& world, std::span<const Lam* const> roots) {
    return check_tokens(world, roots, linear::Program::Written);
}

std::vector<Violation> check_tokens(World& world) { return check_externals(world, linear::Program::Inlined); }

std::vector<Violation> check_tokens_between_phases(World& world) {
    return check_externals(world, linear::Program::BetweenPhases);
}

} // namespace mim
