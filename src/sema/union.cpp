// SPDX-License-Identifier: MIT
#include "sema/union.h"

#include "sema/scratch.h"

namespace mim {

Res Unions::type(const ast::Union* e) {
    Scratch members(members_);
    bool poison = false;
    for (auto m : e->members) {
        auto t = terms_.type(m);
        poison |= !t;
        members.push(t.type);
    }
    if (poison) return {};
    return {at(e->span, [&] { return world_.union_type(members.values()); })};
}

Res Unions::inj(const ast::Inj* e) {
    auto value  = terms_.expr(e->value);
    auto member = e->member ? terms_.type(e->member) : Ty();
    auto type   = terms_.type(e->type);
    if (!value || !type || (e->member && !member)) return {};
    effects_.take_over(value.def);
    value = expectations_.fit(member ? member.type : type.type, value, e->value->span);
    if (!value) return {};
    try {
        return {member ? world_.inj(type.type, value.def, member.type) : world_.inj(type.type, value.def), type.view};
    } catch (const Error& err) {
        report(err, err.id == Diag::not_assignable ? e->value->span : e->span);
        return {};
    }
}

} // namespace mim
