// SPDX-License-Identifier: MIT
#include "sema/holes.h"

#include <algorithm>
#include <span>

namespace mim {

const Def* Holes::make(const Def* type, Span span, const Pi* pi, const ast::Expr* callee, const Lam* lam) {
    errors_.names().force_binders();
    auto hole     = world_.holes.make(type);
    auto is_named = [&](const Def* def) {
        return def && def->var() && (world_.notes.name(def->var()) || world_.notes.fields(def));
    };
    const Def* binder = is_named(pi) ? static_cast<const Def*>(pi) : is_named(lam) ? lam : nullptr;
    open_.push_back({hole, span, binder, callee});
    return hole;
}

const Def* Holes::make_result(std::string function, Span name) {
    auto hole = world_.holes.make(world_.star());
    open_.push_back({hole, name, {}, nullptr, std::move(function), errors_.diags().num_errors()});
    return hole;
}

const std::string* Holes::returns(const Def* hole) const {
    auto is_it = [&](const Open& o) { return !o.returns.empty() && world_.refresh(o.hole) == hole; };
    auto found = std::ranges::find_if(open_, is_it);
    return found != open_.end() ? &found->returns : nullptr;
}

/// The names of the parameters that the placeholder stands for, as far as they are not known; `_` without a name.
std::string Holes::params(const Open& o) const {
    auto name = o.binder ? world_.notes.name(o.binder->var()) : Symbol();
    if (!o.binder || name) return name ? name.str() : "_";
    auto found  = world_.refresh(o.hole);
    auto fields = world_.notes.fields(o.binder);
    std::string text;
    for (size_t i = 0; i < fields->size(); ++i) {
        bool is_known = found->isa<Tuple>() && i < found->num_ops() && !found->op(i)->has(Def::HasHole);
        if (!is_known && (*fields)[i]) text += (text.empty() ? "" : "`, `") + (*fields)[i].str();
    }
    return text.empty() ? "_" : text;
}

/// The type of the parameters that the placeholder stands for, as far as they are not known; of a group if these have different types.
static const Def* type_of(World& world, const Def* hole) {
    auto found = world.refresh(hole);
    auto type  = world.refresh(hole->type());
    if (!found->isa<Tuple>()) return type;
    const Def* common = nullptr;
    for (auto elem : found->ops()) {
        if (!elem->has(Def::HasHole)) continue;
        auto elem_type = world.refresh(elem->type());
        if (common && common != elem_type) return type;
        common = elem_type;
    }
    return common ? common : type;
}

void Holes::forget(size_t mark) { open_.resize(std::min(mark, open_.size())); }

void Holes::drop_solved(size_t mark) {
    auto solved = [&](const Open& o) { return !world_.refresh(o.hole)->has(Def::HasHole); };
    open_.erase(std::remove_if(open_.begin() + static_cast<std::ptrdiff_t>(mark), open_.end(), solved), open_.end());
}

bool Holes::check(size_t mark) {
    drop_solved(mark);
    bool ok = open_.size() <= mark;
    std::span open(open_.begin() + static_cast<std::ptrdiff_t>(std::min(mark, open_.size())), open_.end());
    for (auto& o : open)
        if (o.returns.empty()) report(o);
    for (auto& o : open) {
        bool is_cause = !o.returns.empty() && errors_.diags().num_errors() == o.num_errors; // else it is open because of an error
        if (is_cause)
            errors_.error(Diag::needs_result_type, o.span, {o.returns, "nothing in it tells what type is passed to `return`"});
    }
    forget(mark);
    return ok;
}

void Holes::report(const Open& o) {
    auto name   = params(o);
    auto type   = errors_.show(type_of(world_, o.hole));
    auto& error = errors_.error(Diag::cannot_infer, o.span, {name, type});
    if (o.callee) errors_.note_declaration(error, o.callee);
}

bool Holes::report_open(const Def* def) {
    auto ex    = def->isa<Extract>();
    auto hole  = ex ? ex->tuple() : def;
    auto is_it = [&](const Open& o) { return o.returns.empty() && world_.refresh(o.hole) == hole; };
    auto found = hole->isa<Hole>() ? std::ranges::find_if(open_, is_it) : open_.end();
    if (found == open_.end()) return false;
    report(*found);
    return true;
}

} // namespace mim
