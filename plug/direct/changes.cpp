// SPDX-License-Identifier: MIT
// See changes.h.
#include "changes.h"

#include <algorithm>

#include "style.h"

namespace mim::plug::direct {

/// Whether a function that computes `def` must change.
static bool changes(Facts& facts, const Def* def) {
    if (facts.is_call(def) || isa_restyled(def)) return true;
    if (!is_operation(def) && facts.mentions_function(def->type())) return true;
    return !def->type()->isa<Bot>() && facts.is_control(def);
}

static bool is_in_direct_style(Facts& facts, const Lam* lam) { return !lam->is_cn() || facts.mentions_function(lam->type()); }

/// Whether no function changes, which a look at each node tells: most programs that are written with continuations are
/// so.
static bool stays_as_it_is(World& world, const Snapshot& program) {
    Facts facts(world);
    return std::ranges::none_of(program.nodes(), [&](auto def) {
        auto lam = def->template isa<Lam>();
        return lam ? facts.is_run_time(lam) && is_in_direct_style(facts, lam) : changes(facts, def);
    });
}

Changes::Changes(Facts& facts)
    : facts_(facts) {
    Snapshot program(facts.world());
    if (stays_as_it_is(facts.world(), program)) return;
    for (auto& ext : facts.world().externals) found(ext.lam);
    find_in_types(program);
    std::vector<const Lam*> todo;
    for (size_t i = 0; i != lams.size(); ++i) {
        auto lam = lams[i];
        if (scan(lam) && changed.insert(lam).second) todo.push_back(lam);
    }
    while (!todo.empty()) {
        auto lam = todo.back();
        todo.pop_back();
        for (auto user : users_[lam])
            if (changed.insert(user).second) todo.push_back(user);
    }
}

void Changes::found(const Lam* lam) {
    if (facts_.is_run_time(lam) && seen_.insert(lam)) lams.push_back(lam);
}

/// Functions that only types call (in_types.h).
void Changes::find_in_types(const Snapshot& program) {
    for (auto def : program.nodes()) {
        if (auto inj = def->isa<Inj>(); inj && inj->member()->isa<Union>()) widened.push_back(inj);
        auto f = isa_restyled(def);
        if (auto lam = f ? f->isa<Lam>() : nullptr; lam && facts_.is_closed(lam)) found(lam);
    }
}

/// Finds the functions and calls in the body of `lam`; whether it changes by itself.
bool Changes::scan(const Lam* lam) {
    bool result = is_in_direct_style(facts_, lam);
    DefSet visited;
    std::vector<const Def*> todo{lam->body()};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!visited.insert(def) || facts_.is_table(def)) continue;
        if (auto l = def->isa<Lam>()) {
            found(l);
            users_[l].push_back(lam);
            continue;
        }
        if (auto match = def->isa<Match>()) facts_.add_match(match);
        if (facts_.is_call(def)) {
            auto& choice = facts_.selection(def);
            if (choice) calls.insert(calls.end(), choice.elems.begin(), choice.elems.end());
            else calls.push_back(def);
            // the call of an element may have been reduced to a function that nobody else mentions
            todo.insert(todo.end(), choice.elems.begin(), choice.elems.end());
        }
        result = result || changes(facts_, def);
        facts_.operands(def, todo);
    }
    return result;
}

} // namespace mim::plug::direct
