// SPDX-License-Identifier: MIT
#include "kit/lower.h"

#include <algorithm>

#include "analysis/program.h"

namespace mim {

World& Lowered::world() const { return lowering_.world(); }

const Def* Lowered::rewrite(const Def* def) const { return lowering_.rewrite(def); }

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
    return has_work && SelectiveRewriter::run();
}

bool Lowering::wants(const Def* def) {
    auto axm = def->isa<Axm>();
    return axm && find(axm->axiom());
}

const Def* Lowering::rewrite_imm(const Def* def) {
    auto axm     = head_axiom(def);
    auto handler = axm ? find(axm->axiom()) : nullptr;
    if (!handler || num_groups(def) > axm->axiom().curry) return SelectiveRewriter::rewrite_imm(def);
    if (saturated_axiom(def)) { // what it is applied to is no value
        Lowered app(*this, def);
        auto result = (*handler)(app);
        return result ? result : app.again();
    }
    return is_operation(def) ? rewrite(eta_expand(world(), def)) : SelectiveRewriter::rewrite_imm(def);
}

} // namespace mim
