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

/// The names of the parameters of this group that are known here.
void add_known(World& world, const Lam* lam, const Def* arg, std::vector<std::string>& names) {
    auto fields = world.notes.fields(lam);
    auto tuple  = arg->isa<Tuple>();
    if (fields && tuple && fields->size() == tuple->num_ops()) {
        for (size_t i = 0; i < fields->size(); ++i)
            if ((*fields)[i] && known(world, tuple->op(i)) == Known::Yes) names.push_back((*fields)[i].str());
    } else if (auto name = world.notes.name(lam->var()); name && known(world, arg) == Known::Yes) {
        names.push_back(name.str());
    }
}

/// The names of the parameters, of all groups, for which this call has a known argument; none if all are known.
std::vector<std::string> known_params(World& world, const App* call) {
    std::vector<const Def*> args; // of the last group first
    for (auto app = call; app; app = app->callee()->isa<App>()) args.push_back(app->arg());
    auto is_known = [&](const Def* arg) { return known(world, arg) == Known::Yes; };
    std::vector<std::string> names;
    if (std::ranges::all_of(args, is_known)) return names;
    auto lam = folded_callee(world, call);
    for (; lam && !args.empty(); lam = lam->is_set() ? lam->body()->isa<Lam>() : nullptr) {
        add_known(world, lam, args.back(), names);
        args.pop_back();
    }
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
