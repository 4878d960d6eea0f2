// SPDX-License-Identifier: MIT
#include "sema/union.h"

#include <algorithm>

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
    try {
        return {member ? world_.inj(type.type, value.def, member.type) : world_.inj(type.type, value.def)};
    } catch (const Error& err) {
        report(err, err.id == Diag::not_assignable ? e->value->span : e->span);
        return {};
    }
}

Res Unions::match(const ast::Match* e) {
    auto value = terms_.expr(e->value);
    effects_.take_over(value.def);
    std::vector<const Def*> arms;
    bool poison      = !value;
    const View* view = nullptr;
    for (auto& a : e->arms) {
        arms.push_back(arm(a, view));
        poison |= !arms.back();
    }
    if (poison) return {};
    try {
        return {world_.match(value.def, arms), view};
    } catch (const Error& err) {
        report_match(err, e, arms);
        return {};
    }
}

/// An arm whose result does not fit is to blame, not the match.
void Unions::report_match(const Error& err, const ast::Match* e, const std::vector<const Def*>& arms) {
    auto def    = [&](size_t i) { return std::get_if<const Def*>(&err.args[i]); };
    auto blamed = err.id == Diag::not_assignable && err.args.size() > 1 ? def(1) : nullptr;
    for (size_t i = 0; blamed && i < arms.size(); ++i) {
        if (arms[i] != *blamed) continue;
        auto body = arms[i]->as<Lam>()->body();
        error(err.id, result_span(e->arms[i].body), {show(*def(0)), show(body), show(body->type())});
        return;
    }
    auto& d = report(err, e->span);
    if (err.id == Diag::members_not_apart) d.note(Diag::label_the_members, {}, {labelled(*def(2))});
}

/// The union with a label in front of each member.
std::string Unions::labelled(const Def* type) {
    static constexpr size_t MaxMembers = 4;
    auto n                             = type->num_ops();
    std::string text;
    for (size_t i = 0; i != std::min(n, MaxMembers); ++i)
        text += (i ? " ∪ [⦃" : "[⦃") + std::to_string(i) + "_" + std::to_string(n) + "⦄, " + show(type->op(i)) + "]";
    return n > MaxMembers ? text + " ∪ …" : text;
}

const Def* Unions::arm(const ast::Arm& arm, const View*& view) {
    auto type = patterns_.type(arm.pattern);
    if (!type) return nullptr;
    return functions_.infer(type.type, [&](Lam* lam) {
        auto root = names_.bind_root(lam->var(), type.view);
        names_.bind(arm.pattern, {root, 0, 1}, type.view);
        tokens_.name(arm.pattern, lam->var());
        debug_names_.keep(lam, root, true);
        world_.notes.set_span(lam, arm.pattern->span);
        world_.notes.set_end(lam, result_span(arm.body));
        auto res = terms_.expr(arm.body);
        if (!view || (view->is_hint && res.view)) view = res.view;
        return res.def;
    });
}

} // namespace mim
