// SPDX-License-Identifier: MIT
#include "opt/expand.h"

#include <algorithm>

#include "analysis/program.h"
#include "ir/token_types.h"

namespace mim::opt {

bool AxiomExpander::wants(const Def* def) {
    auto is_value = [&](const Def* user) { return !user->isa<App>() || user->as<App>()->callee() != def; };
    return expands(def) && std::ranges::any_of(program().users(def), is_value);
}

/// Whoever asks for an axiom here takes it for a value: callees are rebuilt by `operation`.
const Def* AxiomExpander::rewrite_imm(const Def* def) {
    if (!head_axiom(def)) return SelectiveRewriter::rewrite_imm(def);
    return expands(def) ? eta_expand(world(), operation(def)) : operation(def);
}

const Def* AxiomExpander::operation(const Def* def) {
    auto app = def->isa<App>();
    if (!app || !needs(def)) return SelectiveRewriter::rewrite_imm(def);
    auto callee = operation(app->callee());
    auto res    = world().app(callee, argument(app));
    world().notes.copy_place(app, res);
    return res;
}

namespace {

class Polymorphic : public AxiomExpander {
public:
    using AxiomExpander::AxiomExpander;

protected:
    /// It takes types next, and computes a value in the end.
    bool expands(const Def* def) override {
        auto pi = def->type() ? def->type()->isa<Pi>() : nullptr;
        if (!pi || pi->is_cn() || !is_operation(def) || saturated_axiom(def)) return false;
        auto codom = pi->codom();
        while (auto inner = codom->isa<Pi>()) codom = inner->codom();
        return binds_types(pi->dom()) && !codom->isa<Sort>();
    }
};

} // namespace

void expand_polymorphic(PhaseContext& c) { Polymorphic(c).run(); }

} // namespace mim::opt
