// SPDX-License-Identifier: MIT
// See changes.h.
#include "changes.h"

#include "analysis/snapshot.h"
#include "style.h"

namespace mim::plug::direct {

Changes::Changes(Facts& facts)
    : facts_(facts) {
    for (auto& ext : facts.world().externals) found(ext.lam);
    find_in_types();
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
void Changes::find_in_types() {
    Snapshot program(facts_.world());
    for (auto def : program.nodes()) {
        if (auto inj = def->isa<Inj>(); inj && inj->member()->isa<Union>()) widened.push_back(inj);
        auto f = isa_restyled(def);
        if (auto lam = f ? f->isa<Lam>() : nullptr; lam && facts_.is_closed(lam)) found(lam);
    }
}

/// Finds the functions and calls in the body of `lam`; whether it changes by itself.
bool Changes::scan(const Lam* lam) {
    bool result = !lam->is_cn() || facts_.mentions_function(lam->type());
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
        result = result || (!is_operation(def) && facts_.mentions_function(def->type()));
        result = result || facts_.is_call(def) || isa_restyled(def) || (!def->type()->isa<Bot>() && facts_.is_control(def));
        facts_.operands(def, todo);
    }
    return result;
}

} // namespace mim::plug::direct
