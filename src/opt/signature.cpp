// SPDX-License-Identifier: MIT
#include "opt/signature.h"

#include <algorithm>
#include <optional>

#include "analysis/cps.h"
#include "ir/building.h"

namespace mim::opt {

size_t num_parts(World& world, const Pi* pi) {
    auto n = pi->dom()->isa<Sigma>() || pi->dom()->isa<Arr>() ? lit_arity(world, pi->dom()) : 1;
    return n >= 2 && n <= max_parts ? static_cast<size_t>(n) : 1;
}

int ret_part(World& world, const Pi* pi) {
    auto n = num_parts(world, pi);
    return is_cn_type(n == 1 ? pi->dom() : elem_decl(world, pi->dom(), n - 1)) ? int(n) - 1 : -1;
}

bool is_only_called(const Snapshot& program, const Lam* lam) {
    if (!lam->is_cn() || !lam->is_set() || !lam->var()->isa<Var>() || program.is_external(lam)) return false;
    return std::ranges::all_of(program.users(lam), [&](auto user) {
        auto app = user->template isa<App>();
        return app && app->arg() != lam;
    });
}

bool has_drop(const Part& part) { return part.kind == Part::Drop || std::ranges::any_of(part.parts, has_drop); }

size_t num_kept(const Part& part) {
    size_t n = part.kind == Part::Keep;
    for (auto& p : part.parts) n += num_kept(p);
    return n;
}

Defs SignatureRewriter::parts_of(const Lam* lam) {
    if (auto known = parts_.find(lam)) return *known;
    auto n     = num_parts(world(), lam->pi());
    auto parts = static_cast<const Def**>(pool_.allocate(n * sizeof(const Def*), alignof(const Def*)));
    for (size_t i = 0; i < n; ++i) parts[i] = part_of(world(), lam->var(), n, i);
    return parts_.at(lam) = Defs(parts, n);
}

const Def* SignatureRewriter::rewrite_mut(const Def* def) {
    auto lam  = def->isa<Lam>();
    auto plan = lam ? plans_.find(lam) : plans_.end();
    return plan == plans_.end() ? SelectiveRewriter::rewrite_mut(def) : build(lam, plan->second);
}

const Def* SignatureRewriter::rewrite_imm(const Def* def) {
    if (values_.contains(def) || splits_.contains(def)) return rewrite_var(def);
    if (auto extract = def->isa<Extract>()) {
        auto index = rewrite(extract->index());
        auto tuple = extract->tuple()->isa<Tuple>();
        if (auto lit = isa_lit(index); lit && tuple) return rewrite(tuple->op(lit->value()));
        return world().extract(rewrite(extract->tuple()), index);
    }
    if (auto match = def->isa<Match>()) {
        auto scrutinee = rewrite(match->scrutinee());
        auto inj       = scrutinee->isa<Inj>();
        auto members   = match->scrutinee()->type()->isa<Union>(); // in the order of the arms
        for (size_t i = 0; inj && members && i < members->num_ops(); ++i)
            if (equal(world(), rewrite(members->op(i)), inj->member()))
                return world().app(rewrite(match->arms()[i]), inj->value());
    }
    auto app  = def->isa<App>();
    auto lam  = app ? callee_of(app)->isa<Lam>() : nullptr;
    auto plan = lam ? plans_.find(lam) : plans_.end();
    if (plan == plans_.end()) return SelectiveRewriter::rewrite_imm(def);
    std::vector<const Def*> args;
    auto callee = rewrite(lam);
    kept(plan->second, app->arg(), args);
    return world().app(callee, args);
}

void SignatureRewriter::kept(const Part& part, const Def* arg, std::vector<const Def*>& out) {
    if (part.kind == Part::Keep) out.push_back(rewrite(arg));
    for (size_t i = 0; i < part.parts.size(); ++i) kept(part.parts[i], world().extract(arg, i), out);
}

/// Says what stands for the old argument `from`, given the new parameters from `next` on.
void SignatureRewriter::restore(const Part& part, const Def* from, Defs params, size_t& next) {
    switch (part.kind) {
        case Part::Keep: return map(from, params[next++]);
        case Part::Drop: values_.emplace(from, part.value); return;
        case Part::Split: break;
    }
    splits_.emplace(from, part.parts.size());
    for (size_t i = 0; i < part.parts.size(); ++i) restore(part.parts[i], world().extract(from, i), params, next);
}

const Def* SignatureRewriter::rewrite_var(const Def* def) {
    if (auto i = values_.find(def); i != values_.end() && i->second)
        return world().coerce(rewrite(def->type()), rewrite(i->second));
    auto i = splits_.find(def);
    if (i == splits_.end()) return def;
    std::vector<const Def*> elems;
    for (size_t j = 0; j < i->second; ++j) elems.push_back(rewrite(world().extract(def, j)));
    return world().coerce(rewrite(def->type()), world().tuple(elems));
}

namespace {

/// Whether types may mention it: functions that compute values are none of their business, and may be in the making.
bool in_types(const Def* value) {
    auto lam = value->isa<Lam>();
    return !lam || last_codom(lam->pi())->isa<Sort>();
}

bool is_dependent(World& world, const Part& part, const Def* type) {
    if (part.kind != Part::Split) return false;
    if (type->isa<Sigma>() && type->is_mut()) return true;
    for (size_t i = 0; i < part.parts.size(); ++i)
        if (is_dependent(world, part.parts[i], elem_decl(world, type, i))) return true;
    return false;
}

} // namespace

/// What the argument is, with the values that take the place of its parts.
const Def* SignatureRewriter::planned(const Part& part, const Def* param) {
    if (part.kind == Part::Keep) return param;
    if (part.kind == Part::Drop) return part.value ? part.value : param;
    std::vector<const Def*> elems;
    for (size_t i = 0; i < part.parts.size(); ++i) elems.push_back(planned(part.parts[i], world().extract(param, i)));
    return world().tuple(elems);
}

bool SignatureRewriter::keep_misfits(Part& part, const Def* type, const Def* value) {
    if (part.kind == Part::Drop) {
        if (!part.value || assignable(world(), type, part.value)) return false;
        part = {};
        return true;
    }
    bool changed = false;
    for (size_t n = part.parts.size(), i = 0; i < n; ++i)
        changed |= keep_misfits(part.parts[i], elem_type(world(), type, value, world().lit_idx(n, i)), world().extract(value, i));
    return changed;
}

bool SignatureRewriter::keep_misfits(Part& part, const Def* param) {
    if (is_dependent(world(), part, param->type()))
        while (keep_misfits(part, param->type(), planned(part, param))) {}
    return has_drop(part);
}

void SignatureRewriter::kept_types(const Part& part, const Def* type, std::vector<const Def*>& out) {
    if (part.kind == Part::Keep) out.push_back(type_for_part(type));
    for (size_t i = 0; i < part.parts.size(); ++i) kept_types(part.parts[i], elem_decl(world(), type, i), out);
}

const Def* SignatureRewriter::new_dom(const Part& part, const Def* dom) {
    auto& w = world();
    if (num_kept(part) > 1 && is_dependent(w, part, dom)) {
        auto sigma  = w.mut_sigma(num_kept(part));
        size_t next = 0;
        set_types(part, dom, nullptr, sigma, next);
        return w.seal(sigma);
    }
    std::vector<const Def*> types;
    if (num_kept(part) == 1 && is_dependent(w, part, dom)) {
        size_t next = 0;
        set_types(part, dom, nullptr, nullptr, next, &types);
    } else {
        kept_types(part, dom, types);
    }
    return w.sigma(types);
}

void SignatureRewriter::select(const Part& part, const Def* arg, std::vector<const Def*>& out) {
    if (part.kind == Part::Keep) out.push_back(arg);
    for (size_t i = 0; i < part.parts.size(); ++i) select(part.parts[i], world().extract(arg, i), out);
}

const Def* SignatureRewriter::assemble(const Part& part, Defs params) {
    size_t next = 0;
    return assemble(part, params, next);
}

const Def* SignatureRewriter::assemble(const Part& part, Defs params, size_t& next) {
    if (part.kind == Part::Keep) return params[next++];
    if (part.kind == Part::Drop) return part.value;
    std::vector<const Def*> values;
    for (auto& p : part.parts) values.push_back(assemble(p, params, next));
    return world().tuple(values);
}

/// Element types that mention earlier elements: those that are kept by their new place, the others by their values. Returns what
/// stands for the part; null if nothing does. `from` is the part in types around it, null if none mentions it.
const Def* SignatureRewriter::set_types(const Part& part, const Def* type, const Def* from, Sigma* sigma, size_t& next,
                                        std::vector<const Def*>* single) {
    auto& w = world();
    if (part.kind == Part::Drop) return part.value && in_types(part.value) ? type_for_part(part.value) : nullptr;
    if (part.kind == Part::Keep) {
        if (single) return single->push_back(type_for_part(type)), nullptr; // no other type can mention it
        w.set(sigma, next, type_for_part(type));
        return w.extract(sigma->var(), next++);
    }
    auto old = type->isa<Sigma>();
    auto var = old && old->is_mut() ? old->var() : from;
    std::vector<const Def*> values;
    for (size_t i = 0; i < part.parts.size(); ++i) values.push_back(var ? w.extract(var, i) : nullptr);
    for (size_t i = 0; i < part.parts.size(); ++i) {
        auto elem = elem_decl(w, type, i);
        if (old && old->is_mut()) elem = w.subst(elem, old->var(), w.tuple(values));
        // a function that is known stays what it was: types mention what is beside it, not itself
        if (auto value = set_types(part.parts[i], elem, values[i], sigma, next, single)) values[i] = value;
    }
    for (auto value : values)
        if (!value) return nullptr;
    return w.tuple(values);
}

std::vector<const Def*> SignatureRewriter::params_of(const Lam* lam, size_t n) {
    std::vector<const Def*> params;
    for (size_t i = 0; i < n; ++i) params.push_back(n == 1 ? lam->var() : world().extract(lam->var(), i));
    return params;
}

const Def* SignatureRewriter::known_value(const Def* def) {
    auto i = values_.find(def);
    if (i == values_.end()) return SelectiveRewriter::known_value(def);
    return i->second ? known_value(i->second) : nullptr;
}

/// A function that loses its return becomes part of its caller (contification): the calls through which it is entered, none if nobody
/// knows. Calls that pass on its own return are its loops.
static std::vector<const App*> entries(World& w, const Snapshot& program, const Lam* lam, const Part& part) {
    auto n   = num_parts(w, lam->pi());
    auto ret = ret_part(w, lam->pi());
    if (ret < 0 || (n == 1 ? part : part.parts[size_t(ret)]).kind != Part::Drop) return {};
    auto own = part_of(w, lam->var(), n, size_t(ret));
    std::vector<const App*> entries;
    for (auto user : program.users(lam)) {
        auto app = user->isa<App>();
        if (!app || app->callee() != lam || !w.notes.place(app)) return {};
        if (part_of(w, app->arg(), n, size_t(ret)) != own) entries.push_back(app);
    }
    return entries;
}

/// The innermost reduced call in which all of these are; 0: none.
static uint32_t common_call(World& w, const std::vector<const App*>& apps) {
    auto depth  = [&](uint32_t call) { return call ? w.notes.inlined(call).depth : 0; };
    auto common = w.notes.place(apps.front()).inlined;
    for (auto app : apps)
        for (auto call = w.notes.place(app).inlined; common != call;) {
            auto& deeper = depth(common) >= depth(call) ? common : call;
            deeper       = w.notes.inlined(deeper).call.inlined;
        }
    return common;
}

/// The call through which it is entered, if there is only one.
const App* SignatureRewriter::only_entry(const Lam* lam, const Part& part) {
    auto all = entries(world(), program(), lam, part);
    return all.size() == 1 ? all[0] : nullptr;
}

/// Of several calls there is none to show: they are said to be at the function's own name.
static Place shared_entry(World& w, const Lam* lam, const std::vector<const App*>& entries) {
    return entries.size() < 2 ? Place() : Place{w.notes.span(lam), common_call(w, entries)};
}

const Def* SignatureRewriter::build(const Lam* old, const Part& part) {
    auto& w = world();
    Within around(*this, old);
    std::optional<Inlining> text;
    if (auto entry = w.debug ? only_entry(old, part) : nullptr) text.emplace(*this, old, w.notes.place(entry));
    else if (w.debug) text.emplace(*this, old, shared_entry(w, old, entries(w, program(), old, part)));
    auto lam = w.mut_lam(new_type(part, old->pi()));
    map(old, lam), map(lam, lam);
    w.notes.set_name(lam, w.notes.name(old)), w.notes.set_place(lam, moved(w.notes.place(old)));
    if (auto end = w.notes.end(old)) w.notes.set_end(lam, end);
    size_t next = 0;
    restore(part, old->var(), params_of(lam, num_kept(part)), next);
    w.set_filter(lam, rewrite(old->filter()));
    Building body(w, lam);
    w.set_body(lam, rewrite(old->body()));
    copy_names(old, lam);
    w.close(std::span<Lam* const>(&lam, 1));
    return lam;
}

} // namespace mim::opt
