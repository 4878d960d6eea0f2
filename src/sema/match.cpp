// SPDX-License-Identifier: MIT
#include "sema/match.h"

#include <algorithm>

namespace mim {

/// A value of a type with one label and no payload, `⦃0_1⦄`, is the label itself, whose own type is `Idx 1`.
const Def* Matches::scrutinee_type(Res value) {
    bool is_only_label = value.view && value.view->has_labels() && value.def == world_.lit_idx(1, 0);
    return is_only_label ? world_.sing(value.def) : value.def->type();
}

Res Matches::match(const ast::Match* e) {
    auto value = expectations_.instantiate(terms_.expr(e->value), e->value->span);
    effects_.take_over(value.def);
    if (!value) return read_poison(e), Res();
    if (value.def->is_unstable()) value.def = world_.refresh(value.def);
    auto type = scrutinee_type(value);
    Arms types(context_, patterns_, constructors_, {e, type, value.view});
    bool poison = !types.find();
    std::vector<const Def*> arms;
    const View* view = nullptr;
    auto expected    = expectations_.expected(e);
    for (size_t i = 0; i < e->arms.size(); ++i) {
        arms.push_back(arm(e->arms[i], types[i], expected, view));
        poison |= !arms.back();
    }
    if (poison) return {};
    try {
        bool is_only_label = type != value.def->type(); // the one arm takes it
        return {is_only_label ? world_.app(arms[0], value.def) : world_.match(value.def, arms), view};
    } catch (const Error& err) {
        report_match(err, e, arms);
        return {};
    }
}

/// The arms of a match whose value is poison are read for the errors in them.
void Matches::read_poison(const ast::Match* e) {
    const View* view = nullptr;
    for (auto& a : e->arms) arm(a, {}, nullptr, view);
}

/// An arm whose result does not fit is to blame, not the match.
void Matches::report_match(const Error& err, const ast::Match* e, const std::vector<const Def*>& arms) {
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
std::string Matches::labelled(const Def* type) {
    static constexpr size_t MaxMembers = 4;
    auto n                             = type->num_ops();
    std::string text;
    for (size_t i = 0; i != std::min(n, MaxMembers); ++i)
        text += (i ? " ∪ [⦃" : "[⦃") + std::to_string(i) + "_" + std::to_string(n) + "⦄, " + show(type->op(i)) + "]";
    return n > MaxMembers ? text + " ∪ …" : text;
}

/// The names of the pattern are those of parts of the variable. False after a report.
bool Matches::bind_value(const ast::Arm& arm, const ArmType& type, Lam* lam) {
    Res value{lam->var(), type.view};
    auto pattern = arm.pattern;
    for (; type.is_label && pattern->kind == ast::PatternKind::AsPattern; pattern = ast::as<ast::AsPattern>(pattern)->pattern) {
        auto root = names_.bind_root(value.def, nullptr);
        names_.bind_name(ast::as<ast::AsPattern>(pattern)->name, {root, 0, 1}, nullptr, Binding::Param);
    }
    if (type.is_label) return bind_payload(pattern, type, lam);
    if (!type.is_stated && !patterns_.check(pattern, value, pattern->span)) return false;
    auto root = names_.bind_root(value.def, value.view);
    names_.bind(pattern, {root, 0, 1}, value.view);
    tokens_.name(pattern, lam->var());
    debug_names_.keep(lam, root, true);
    return true;
}

bool Matches::bind_payload(const ast::Pattern* pattern, const ArmType& type, Lam* lam) {
    auto label   = ast::isa<ast::LabelPattern>(pattern);
    auto payload = label ? label->payload : nullptr;
    if (!payload) return true;
    Res value{payload_of(world_, type.type, lam->var()), type.view};
    if (!patterns_.check(payload, value, payload->span)) return false;
    auto root = names_.bind_root(value.def, value.view);
    names_.bind(payload, {root, 0, 1}, value.view);
    tokens_.name(payload, value.def);
    debug_names_.keep(lam, root, true);
    return true;
}

/// A name in front of an arm is a misspelled label if nothing uses it, unless it begins with `_`.
void Matches::warn_unused(const ast::Binder& name, const ArmType& type) {
    auto binding = names_.find(name.name);
    if (!binding || binding->used || name.name.view().front() == '_') return;
    error(Diag::name_for_label, name.span, {name.name.str(), type.left});
}

/// The value of an arm; of this type, if it is not null.
Res Matches::result(const ast::Arm& arm, const Def* expected) {
    auto place = result_span(arm.body);
    if (!expected) return expectations_.instantiate(terms_.expr(arm.body), place);
    expectations_.expect(arm.body, expected);
    auto res = expectations_.fit(expected, terms_.expr(arm.body), place);
    if (!res) return res;
    if (!assignable(world_, expected, res.def)) {
        report(Error(Diag::not_assignable, {expected, res.def, res.def->type()}), place);
        return {};
    }
    res.def = world_.coerce(expected, res.def);
    return res;
}

const Def* Matches::arm(const ast::Arm& arm, const ArmType& type, const Def* expected, const View*& view) {
    if (!type) {
        auto mark = names_.mark();
        Enclosing::Nested nested(enclosing_);
        names_.bind(payload_pattern(arm.pattern), {names_.bind_root(nullptr, nullptr), 0, 1}, nullptr);
        terms_.expr(arm.body);
        names_.pop(mark);
        return nullptr;
    }
    return functions_.infer(type.type, [&](Lam* lam) -> const Def* {
        bool is_bound = bind_value(arm, type, lam);
        world_.notes.set_span(lam, arm.pattern->span);
        world_.notes.set_end(lam, result_span(arm.body));
        auto res = result(arm, expected);
        if (!is_bound || !res) return nullptr;
        if (!type.left.empty()) warn_unused(lone_name(arm.pattern)->name, type);
        if (!view || (view->is_hint && res.view)) view = res.view;
        return res.def;
    });
}

} // namespace mim
