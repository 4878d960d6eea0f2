// SPDX-License-Identifier: MIT
// The values that the body of a function computes, and whose cotangents the way back asks for.
#include "autodiff/diagnostics.h"
#include "ir/questions.h"
#include "reverse.h"

namespace mim::plug::autodiff {

bool Reverse::is_active(const Def* def) {
    if (def->isa<Var>()) return binders_.contains(def) && !is_silent(world(), def->type());
    auto whole = active_.contains(def) ? nullptr : whole_with_token(def);
    if (whole) return is_active(whole) && !is_silent(world(), def->type());
    return active_.contains(def);
}

/// Of which the cotangents are part of that of a value.
DefVec Reverse::children(const Def* def) {
    if (auto call = calls_.find(def)) return {call->arg};
    if (match<stop>(def)) return {};
    if (is_memory_operation(def)) return operands_of_memory(world(), def->as<App>());
    switch (def->node()) {
        case Node::App: return {def->as<App>()->arg()};
        case Node::Extract: return {def->as<Extract>()->tuple()};
        case Node::Inj: return {def->as<Inj>()->value()};
        case Node::Insert: return {def->as<Insert>()->tuple(), def->as<Insert>()->value()};
        default: return elements(world(), def).value_or(DefVec(def->ops().begin(), def->ops().end()));
    }
}

/// Those with tangents that it takes to compute this one, each behind what it is made of.
DefVec Reverse::values_of(Function& f, const Def* root) {
    struct Step {
        const Def* def;
        bool is_done;
    };
    std::vector<Step> work{{root, false}};
    std::unordered_set<const Def*> visited;
    auto is_inside = [&](const Def* def) {
        bool is_value = !def->isa<Var>() && !def->isa<Lam>();
        return is_value && depends(def) && !is_silent(world(), def->type()) && !is_outside(f, def);
    };
    while (!work.empty()) {
        auto [def, is_done] = work.back();
        work.pop_back();
        if (is_done) {
            auto call      = calls_.find(def);
            auto parts     = children(def);
            bool is_active = call || std::ranges::any_of(parts, [&](auto part) { return this->is_active(part); })
                             || refers_by_function(def);
            if (!is_active) continue;
            check(def);
            active_.insert(def), f.values.insert(def);
            continue;
        }
        if (!is_inside(def) || !visited.insert(def).second) continue;
        work.push_back({def, true});
        for (auto part : children(def)) work.push_back({part, false});
        if (auto call = calls_.find(def))
            for (auto value : common_values(*call)) work.push_back({value, false});
    }
    return in_order(f, root);
}

/// The values that an arm of a choice computes, whatever is chosen in it; none if it takes an argument, or computes too much.
std::unordered_set<const Def*> Reverse::values_of_arm(const Lam* arm) {
    static constexpr size_t max_values = 1024;
    std::unordered_set<const Def*> result;
    if (is_free_in(world(), arm->var(), arm->body())) return result;
    DefVec work{arm->body()};
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (!depends(def) || def->isa<Lam>() || is_silent(world(), def->type()) || !result.insert(def).second) continue;
        if (result.size() > max_values) return {};
        auto parts = children(def);
        work.insert(work.end(), parts.begin(), parts.end());
    }
    return result;
}

/// The values that all arms of a choice compute. The function around them computes these: an arm captures each as a
/// value, not what it is made of, such as a whole array of which all arms read one element.
DefVec Reverse::common_values(const Call& call) {
    if (!call.is_choice()) return {};
    auto common = values_of_arm(call.targets[0]);
    for (size_t i = 1; i != call.targets.size() && !common.empty(); ++i) {
        auto other = values_of_arm(call.targets[i]);
        std::erase_if(common, [&](auto value) { return !other.contains(value); });
    }
    DefVec result(common.begin(), common.end());
    std::ranges::sort(result, {}, &Def::id);
    return result;
}

/// The values of a body from the first to the last, where what a function captures comes before its calls.
DefVec Reverse::in_order(const Function& f, const Def* root) {
    struct Step {
        const Def* def;
        bool is_done;
    };
    DefVec order;
    std::vector<Step> work{{root, false}};
    std::unordered_set<const Def*> visited;
    while (!work.empty()) {
        auto [def, is_done] = work.back();
        work.pop_back();
        if (is_done) {
            order.push_back(def);
            continue;
        }
        for (auto whole = whole_with_token(def); whole && !f.values.contains(def); whole = whole_with_token(def)) def = whole;
        if (!f.values.contains(def) || !visited.insert(def).second) continue;
        work.push_back({def, true});
        for (auto part : children(def)) work.push_back({part, false});
        if (auto call = calls_.find(def))
            for (auto value : captures_of(*call)) work.push_back({value, false});
    }
    for (auto def : order) rewrite(def);
    return order;
}

/// It takes functions that refer to what is differentiated, or an axiom takes such values in front of its last group.
bool Reverse::refers_by_function(const Def* def) {
    auto refers = [&](const Def* op) { return depends(op) && op->type()->isa<Pi>(); };
    if (match<stop>(def) || calls_.find(def) || is_lifted(def) || is_memory_operation(def)) return false;
    if (!def->isa<App>() || !head_axiom(def)) return std::ranges::any_of(def->ops(), refers);
    auto last = num_groups(def) - 1;
    for (size_t i = 0; i != last; ++i)
        if (dependence_.refers_to_active(group(def, i))) return true;
    return depends(group(def, last)) && !is_plain(world(), group(def, last)->type());
}

/// Anything that has no derivative is an error: nothing is dropped in silence.
void Reverse::check(const Def* def) {
    if (calls_.find(def) || is_memory_operation(def)) return;
    auto app = def->isa<App>();
    if (!app) {
        bool is_known = def->isa<Extract>() || def->isa<Insert>() || def->isa<Inj>() || elements(world(), def);
        if (!is_known) fail(world(), diag::not_covered(def, "there is no rule for it"), def);
        return;
    }
    auto callee = app->callee();
    if (!head_axiom(app) && depends(callee))
        fail(world(), diag::not_covered(callee, "reverse mode does not follow functions that are values"), def);
    if (!head_axiom(app)) fail(world(), diag::unknown_callee(callee), def);
    if (refers_by_function(app)) fail(world(), diag::not_covered(def, takes_active_function), def);
}

} // namespace mim::plug::autodiff
