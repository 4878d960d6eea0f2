// SPDX-License-Identifier: MIT
#include "analysis/nesting.h"

#include "base/components.h"
#include "ir/questions.h"

namespace mim {

void FunctionsAround::find() {
    auto& around = found_.emplace();
    std::vector<const Def*> todo{lam_};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        for (auto var : free_vars(world_, def)) {
            auto binder = var->as<Var>()->binder();
            if (around.insert(binder)) todo.push_back(binder);
        }
    }
}

static constexpr uint32_t none = ~0u;

/// A variable leads to nothing, and nobody asks what a closed node leads to.
static Defs parts(World& world, const Def* def) {
    bool leads_on = def->is_set() && !def->isa<Var>() && !is_closed(world, def);
    return leads_on ? def->ops() : Defs();
}

Nesting::Nesting(World& world, const Snapshot& program)
    : world_(world) {
    auto& nodes = program.nodes();
    std::vector<uint32_t> index(world.stats().nodes + 1, none); // ids are dense
    for (uint32_t i = 0; i != nodes.size(); ++i) index[nodes[i]->id()] = i;
    std::vector<std::vector<uint32_t>> succs(nodes.size());
    for (uint32_t i = 0; i != nodes.size(); ++i)
        for (auto part : parts(world, nodes[i]))
            if (part && index[part->id()] != none) succs[i].push_back(index[part->id()]);
    auto part_of = components(nodes.size(), [&](uint32_t i) -> auto& { return succs[i]; });
    numbers_.resize(index.size(), none);
    for (uint32_t i = 0; i != nodes.size(); ++i) numbers_[nodes[i]->id()] = part_of[i];
}

bool Nesting::is_nested(const Def* inner, const Lam* lam) {
    if (is_closed(world_, inner)) return false;
    FunctionsAround around(world_, lam);
    auto own   = number(lam, 0);
    auto least = number(inner, 0);
    DefSet seen;
    std::vector<const Def*> todo{lam};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        bool may_lead_there = number(def, none) >= least && !is_closed(world_, def);
        if (!may_lead_there || !seen.insert(def)) continue;
        bool may_be_around = number(def, none) >= own; // what is around a function leads to it
        if (may_be_around && around.contains(def)) continue;
        if (def == inner) return true;
        for (auto part : parts(world_, def))
            if (part) todo.push_back(part);
    }
    return false;
}

} // namespace mim
