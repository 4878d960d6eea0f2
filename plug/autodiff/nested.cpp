// SPDX-License-Identifier: MIT
#include "nested.h"

#include "calls.h"
#include "ir/questions.h"

namespace mim::plug::autodiff {

static bool is_by_reverse_mode(const Def* def) {
    return match<vjp>(def) || match<accumulate>(def) || match<ad>(def) || match<autodiff::reverse>(def);
}

/// It is a variable, a type, or made of nothing that depends on anything.
static bool has_no_operation(const Def* def) {
    bool is_closed = !def->is_mut() && !def->has(Def::HasDep);
    return is_closed || def->isa<Var>() || is_type(def);
}

/// Adds what the expression is made of; functions are made of their bodies.
static void push_operands(const Def* def, DefVec& work) {
    for (auto op : def->ops())
        if (op) work.push_back(op);
}

Nested::Nested(const Snapshot& program) {
    for (auto def : program.nodes())
        if (is_by_reverse_mode(def)) enter({group(def, 1)});
}

Nested::Nested(const Def* root, bool is_nested) {
    if (is_nested) enter({root});
    DefVec work;
    if (!is_nested) work.push_back(root);
    std::unordered_set<const Def*> visited;
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (has_no_operation(def) || !visited.insert(def).second) continue;
        if (is_by_reverse_mode(def)) enter({group(def, 1)});
        push_operands(def, work);
    }
}

/// Finds the derivatives in functions that another derivative differentiates.
void Nested::enter(DefVec work) {
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (has_no_operation(def) || !visited_.insert(def).second) continue;
        if (is_by_reverse_mode(def) || match<jvp>(def)) found_.insert(def);
        push_operands(def, work);
    }
}

bool keeps_pullbacks(World& w, const Def* root) {
    Calls calls(w);
    DefVec work{root};
    std::unordered_set<const Def*> visited;
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (has_no_operation(def) || !visited.insert(def).second) continue;
        auto call     = def->isa<App>() && holds_function(w, def->type()) ? calls.find(def) : nullptr;
        auto is_there = [&](const Lam* target) { return target->filter() != w.tt(); };
        if (call && std::ranges::any_of(call->targets, is_there)) return true;
        push_operands(def, work);
    }
    return false;
}

bool is_lifted_derivative(const Def* operation) {
    auto axm = head_axiom(operation);
    if (!axm || !is_tag<lift_with>(axm->axiom()) || num_groups(operation) < 3) return false;
    auto lifted = head_axiom(group(operation, 1));
    return lifted && is_tag<accumulate>(lifted->axiom());
}

/// How a cotangent for s changes is the cotangent for s and its change of the value and the change of g c:
/// %autodiff.accumulate (λ x. %autodiff.jvp (λ (c, x). g c x) ((c, x), (of_c, of_x))) (x, (of_s, s), of_acc)
const Def* change_of_accumulate(World& w, const Def* operation, const Def* x, const Def* v) {
    auto types                = group(operation, 0);
    auto g                    = group(operation, 2);
    auto [from, to]           = elems<2>(w, group(group(operation, 1), 0));
    auto [c, xsa]             = elems<2>(w, x);
    auto [of_c, of_xsa]       = elems<2>(w, v);
    auto [at, s, acc]         = elems<3>(w, xsa);
    auto [of_x, of_s, of_acc] = elems<3>(w, of_xsa);
    auto all                  = w.sigma({elem(w, types, 0), from});
    auto whole                = w.mut_lam(w.pi(all, to));
    auto [inner_c, inner_x]   = elems<2>(w, whole->var());
    w.set(whole, w.tt(), w.app(w.app(g, inner_c), inner_x));
    auto dual = w.sigma({to, tangent(w, to)});
    auto both = w.mut_lam(w.pi(from, dual));
    auto xv   = w.tuple({w.tuple({c, both->var()}), w.tuple({of_c, of_x})});
    w.set(both, w.tt(), w.apply<jvp>(w.tuple({all, to}), w.seal(whole), xv));
    return w.apply<accumulate>(w.tuple({from, dual}), w.seal(both), {at, w.tuple({of_s, s}), of_acc});
}

} // namespace mim::plug::autodiff
