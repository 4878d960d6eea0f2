// SPDX-License-Identifier: MIT
#include "sema/elaborate.h"

#include "sema/consumed.h"
#include "sema/elab.h"

namespace mim {

Elaborator::Elaborator(World& world, Diagnostics& diags, SemaHost& host)
    : shared_(std::make_unique<Shared>(world, diags, host)) {
    world.warn = [s = shared_.get()](const Error& e) { report(s->diags, s->world, e, s->world.here); };
}
Elaborator::~Elaborator() = default;

const std::vector<const Lam*>& Elaborator::functions() const { return shared_->functions; }
const std::vector<const Lam*>& Elaborator::functions_as_read() const { return shared_->as_read; }

void Elaborator::keep_operator_calls() { shared_->keeps_operator_calls = true; }
const std::vector<OperatorCall>& Elaborator::operator_calls() const { return shared_->operator_calls; }

const Scope* Elaborator::elaborate(ast::Module& m) {
    auto errors = shared_->diags.num_errors();
    Plans plans(m, shared_->diags, [this](std::string_view text) { return shared_->world.sym(text); });
    Consumed consumed(m);
    auto scope          = Elab(*shared_, plans, &consumed).module(m, errors);
    shared_->world.here = {}; // what warns from now on is no call of this file
    return scope;
}

const Def* Elaborator::elaborate_expr(const ast::Module& m, const Scope* scope) {
    Plans plans(m, shared_->diags, [this](std::string_view text) { return shared_->world.sym(text); });
    return Elab(*shared_, plans, nullptr).expression(m, scope);
}

} // namespace mim
