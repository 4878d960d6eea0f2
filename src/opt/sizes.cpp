// SPDX-License-Identifier: MIT
#include "opt/sizes.h"

#include "analysis/program.h"
#include "opt/signature.h"

namespace mim::opt {

Sizes::Sizes(World& world, const Snapshot& program)
    : world_(world)
    , program_(program) {
    for (auto def : program.nodes()) {
        if (auto lam = def->isa<Lam>()) parameters(lam->var());
        else if (is_term(def)) layout_of(def->type());
    }
    spread();
}

/// A Σ's own variable stands for a parameter in the types of the elements, so these are looked at as types of its parts.
void Sizes::parameters(const Def* param) {
    if (!param) return;
    auto type = param->type();
    auto n    = type->isa<Sigma>() && type->is_mut() ? lit_arity(world_, type) : 0;
    if (n < 2 || n > max_parts) return layout_of(type);
    for (uint64_t i = 0; i != uint64_t(n); ++i) parameters(world_.extract(param, i));
}

void Sizes::layout_of(const Def* type) {
    if (!type->has(Def::HasDep) && !type->is_mut()) return;
    if (!types_.insert(type).second) return;
    switch (type->node()) {
        case Node::Arr:
            mentioned_in(type->as<Arr>()->arity());
            if (type->is_set()) layout_of(type->as<Arr>()->body());
            break;
        case Node::Sigma:
            for (auto op : type->ops())
                if (op) layout_of(op);
            break;
        case Node::Union: // members share their place, and which number one has depends on what the others are
            for (auto op : type->ops()) {
                layout_of(op);
                sizes_in(op);
            }
            break;
        case Node::Extract:
            mentioned_in(type->as<Extract>()->index());
            chosen_by(type->as<Extract>()->tuple());
            break;
        case Node::App: {
            auto axm        = head_axiom(type);
            bool is_pointer = axm && axm->axiom().has(Axiom::Pointer);
            for (auto app = type->isa<App>(); app; app = app->callee()->isa<App>())
                if (axm) made_of(app->arg(), is_pointer);
                else chosen_by(app->arg());
            break;
        }
        default: break; // a `Nat` has 64 bits, functions are pointers, and types are known or not
    }
}

/// What an axiom makes a type of.
void Sizes::made_of(const Def* arg, bool behind_pointer) {
    if (arg->isa<Tuple>()) {
        for (auto op : arg->ops()) made_of(op, behind_pointer);
    } else if (is_term(arg)) {
        mentioned_in(arg);
    } else if (auto arr = arg->isa<Arr>(); arr && behind_pointer) {
        if (arr->is_set()) made_of(arr->body(), !arr->is_mut());
    } else {
        layout_of(arg);
    }
}

/// The argument of a type function, or the types that an index chooses from.
void Sizes::chosen_by(const Def* arg) {
    if (is_term(arg)) return mentioned_in(arg);
    if (!arg->isa<Tuple>()) return layout_of(arg);
    for (auto op : arg->ops()) chosen_by(op);
}

/// Wherever a type mentions them.
void Sizes::sizes_in(const Def* def) {
    if ((!def->has(Def::HasDep) && !def->is_mut()) || !in_unions_.insert(def).second) return;
    if (def->type()->isa<Nat>()) return mentioned_in(def);
    if (def->isa<Var>() || def->isa<Lam>() || !def->is_set()) return;
    for (auto op : def->ops()) sizes_in(op);
}

void Sizes::mentioned_in(const Def* size) {
    if (!size->has(Def::HasDep) || !sizes_.insert(size).second) return;
    auto def = size;
    while (auto extract = def->isa<Extract>()) {
        if (!isa_lit(extract->index())) break;
        def = extract->tuple();
    }
    if (auto var = def->isa<Var>()) {
        auto lam = var->binder()->isa<Lam>();
        if (!lam || !parts_.insert(size).second) return;
        functions_.insert(lam);
        todo_.push_back(size);
        return;
    }
    if (size->is_mut()) return;
    for (auto op : size->ops()) mentioned_in(op);
}

/// From parameters to what is passed to them.
void Sizes::spread() {
    while (!todo_.empty()) {
        auto part = todo_.back();
        todo_.pop_back();
        std::vector<uint64_t> path;
        auto def = part;
        for (; def->isa<Extract>(); def = def->as<Extract>()->tuple())
            path.push_back(isa_lit(def->as<Extract>()->index())->value());
        auto lam = def->as<Var>()->binder();
        for (auto user : program_.users(lam)) {
            auto app = user->isa<App>();
            if (!app || app->callee() != lam) continue;
            auto arg = app->arg();
            for (auto i = path.rbegin(); i != path.rend(); ++i) arg = world_.extract(arg, *i);
            mentioned_in(arg);
        }
    }
}

} // namespace mim::opt
