// SPDX-License-Identifier: MIT
#include "kit/lower.h"

#include <algorithm>

#include "analysis/program.h"
#include "ir/error.h"
#include "ir/questions.h"

namespace mim {

World& Lowered::world() const { return lowering_.world(); }

/// An expression inside of the application is not the business of the axiom's function.
const Def* Lowered::rewrite(const Def* def) const {
    auto& phase = lowering_.phase_;
    Blame blame(phase.plugin, phase.kind, phase.name);
    return lowering_.rewrite(def);
}

const Def* Lowered::group(size_t i) const { return rewrite(mim::group(app_, i)); }

const Def* Lowered::again() const {
    const Def* result = head_axiom(app_);
    for (size_t i = 0, n = num_groups(app_); i != n; ++i) result = world().app(result, group(i));
    world().notes.copy_place(app_, result);
    return result;
}

const Lowering::Handler* Lowering::find(const Axiom& axiom) const {
    for (auto& row : table_) {
        bool is_tag = row.plugin == axiom.id.plugin && row.tag == axiom.id.tag;
        bool is_sub = row.sub == any_sub || row.sub == axiom.id.sub;
        if (is_tag && is_sub) return &row.handler;
    }
    return nullptr;
}

bool Lowering::run() {
    bool has_work = std::ranges::any_of(program().axioms(), [&](const Axiom* axiom) { return find(*axiom); });
    if (!has_work) return false;
    if (auto blame = Blame::current()) phase_ = blame->culprit;
    return SelectiveRewriter::run();
}

bool Lowering::wants(const Def* def) {
    auto axm = def->isa<Axm>();
    return axm && find(axm->axiom());
}

const Def* Lowering::lower(const Handler& handler, const Axiom& axiom, const Def* app) {
    Blame blame(phase_.plugin, "the lowering of", axiom.name.view(), app);
    Lowered lowered(*this, app);
    auto result = handler(lowered);
    if (!result) return lowered.again();
    if (result->type() == app->type()) return result;
    auto type = lowered.rewrite(app->type());
    if (!type->is_unstable() && !result->is_unstable() && !assignable(world(), type, result))
        throw Error(Diag::not_assignable, {type, result, result->type()});
    return result;
}

const Def* Lowering::rewrite_imm(const Def* def) {
    auto axm     = head_axiom(def);
    auto handler = axm ? find(axm->axiom()) : nullptr;
    if (!handler || num_groups(def) > axm->axiom().curry) return SelectiveRewriter::rewrite_imm(def);
    if (saturated_axiom(def)) return lower(*handler, axm->axiom(), def); // what it is applied to is no value
    return is_operation(def) ? rewrite(eta_expand(world(), def)) : SelectiveRewriter::rewrite_imm(def);
}

} // namespace mim
