// SPDX-License-Identifier: MIT
// A note at type errors one side of which has a call of a recursive function that was not evaluated.
#include <algorithm>
#include <unordered_set>

#include "ir/known.h"
#include "sema/hints.h"

namespace mim {

namespace {

/// A function that is evaluated where all that it takes is known, at the head of this call; else null.
const Lam* folded_callee(World& world, const Def* call) {
    if (!call->isa<App>()) return nullptr;
    while (call->isa<App>()) call = call->as<App>()->callee();
    auto lam = call->isa<Lam>();
    return lam && lam->is_set() && lam->filter() == world.when_known() ? lam : nullptr;
}

/// The first such call in this type that is not in the other one; null if there is none.
const Def* find_call(World& world, const Def* type, const Def* other) {
    static constexpr size_t MaxNodes = 200;
    auto reach                       = [](const Def* root) {
        std::vector<const Def*> all{root};
        std::unordered_set<const Def*> seen{root};
        for (size_t i = 0; i < all.size() && i < MaxNodes; ++i)
            for (auto op : all[i]->ops())
                if (op && !all[i]->isa<Lam>() && seen.insert(op).second) all.push_back(op);
        return all;
    };
    auto known_there = reach(other);
    for (auto d : reach(type)) {
        bool is_new = std::ranges::find(known_there, d) == known_there.end();
        if (is_new && folded_callee(world, d)) return d;
    }
    return nullptr;
}

/// The names of the parameters of its last group for which this call has a known argument; none if it has none or all.
std::vector<std::string> known_params(World& world, const App* call) {
    static constexpr size_t MaxGroups = 64; // a function of a recursive type may have any number
    auto lam                          = folded_callee(world, call);
    for (size_t i = 0; i < MaxGroups && lam->body()->isa<Lam>(); ++i) lam = lam->body()->as<Lam>();
    auto fields = world.notes.fields(lam);
    auto tuple  = call->arg()->isa<Tuple>();
    if (!fields || !tuple || fields->size() != tuple->num_ops()) return {};
    std::vector<std::string> names;
    for (size_t i = 0; i < fields->size(); ++i)
        if ((*fields)[i] && known(world, tuple->op(i)) == Known::Yes) names.push_back((*fields)[i].str());
    return names;
}

} // namespace

void hint_unfolded(Errors& errors, Diagnostic& d, const Def* expected, const Def* found) {
    auto& world = errors.world();
    auto call   = find_call(world, found, expected);
    if (!call) call = find_call(world, expected, found);
    auto app   = call ? call->isa<App>() : nullptr;
    auto names = app ? known_params(world, app) : std::vector<std::string>();
    if (names.empty()) return;
    auto text = names.front();
    for (size_t i = 1; i < names.size(); ++i) text += ", " + names[i];
    if (names.size() > 1) text = "(" + text + ")";
    d.note(Diag::stays_call, {}, {errors.show(call), errors.show(folded_callee(world, call)), text});
}

} // namespace mim
