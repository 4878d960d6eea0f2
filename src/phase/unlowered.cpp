// SPDX-License-Identifier: MIT
#include "phase/unlowered.h"

#include <algorithm>

#include "analysis/snapshot.h"
#include "ir/hook.h"

namespace mim {

namespace {

bool has_function(const Def* type) {
    if (type->isa<Pi>()) return true;
    bool has_parts = type->isa<Sigma>() || type->isa<Arr>() || type->isa<Union>();
    return has_parts && std::ranges::any_of(type->ops(), has_function);
}

bool has_code(const Axiom& axiom, std::string_view target) {
    auto emitter = axiom.emitter(target);
    return emitter && emitter->op;
}

/// A phase of Mim's own that replaces what rules name.
bool applies_rules(const Step& step) { return step.plugin.empty() && step.phase && step.phase->name == "rules"; }

bool may_be_replaced(const Axiom& axiom, std::span<const Step> rest) {
    auto plugin = plugin_name(axiom);
    return std::ranges::any_of(rest, [&](auto& step) { return step.plugin == plugin || applies_rules(step); });
}

} // namespace

bool takes_function(const Def* app) {
    for (; app->isa<App>(); app = app->as<App>()->callee())
        if (has_function(app->as<App>()->arg()->type())) return true;
    return false;
}

const Def* find_unlowered(World& world, std::string_view target, std::span<const Step> rest) {
    Snapshot program(world);
    for (auto def : program.nodes()) {
        auto axm = saturated_axiom(def);
        if (!axm || !def->isa<App>() || def->type()->isa<Sort>()) continue;
        auto& axiom = axm->axiom();
        bool is_op  = axiom.kind == Axiom::Op && !has_code(axiom, target);
        if (is_op && takes_function(def) && !may_be_replaced(axiom, rest)) return def;
    }
    return nullptr;
}

} // namespace mim
