// SPDX-License-Identifier: MIT
#include "ir/rewrite.h"

#include "ir/copy.h"
#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

const Def* Rewriter::rewrite(const Def* def) {
    if (auto result = memo_.find(def)) return *result;
    if (def->node() == Node::Var) return rewrite_var(def);
    bool is_inlined = inlining_ && !def->is_mut() && def->has(Def::HasDep); // its place changes
    if (!needs(def) && !is_inlined) return def;
    if (stack_is_low()) fail(Diag::too_deep);
    const Def* res;
    try { // here and not in a function of its own, which would take stack
        res = def->is_mut() ? rewrite_mut(def) : rewrite_imm(def);
    } catch (Error& e) {
        Subst::blame(world_, def, e);
        throw;
    }
    if (!def->is_mut()) follow(def, res);
    memo_.put(def, res);
    return res;
}

/*
 * places
 */

Rewriter::Inlining::Inlining(Rewriter& r, const Lam* callee, Place call)
    : rewriter_(r)
    , callee_(callee)
    , around_(r.inlining_) {
    if (!r.world_.debug || !call) return;
    call_ = Subst::inline_call(r.world_, callee, r.moved(call));
    if (call_) r.inlining_ = this;
}

Rewriter::Within::Within(Rewriter& r, const Def* binder)
    : rewriter_(r)
    , around_(r.inlining_) {
    auto& i = r.inlining_;
    while (i && !is_free_in(r.world_, i->callee_->var(), binder)) i = i->around_;
}

Place Rewriter::moved(Place place) const { return inlining_ ? Subst::inside(world_, place, inlining_->call_) : place; }

void Rewriter::copy_names(const Lam* from, const Lam* to) {
    if (!world_.debug) return;
    Subst::copy_locals(
        world_, from, to, [&](const Def* value) { return known_value(value); },
        [&](Local& local) { local.place = moved(local.place); });
}

void Rewriter::keep_names(const Lam* from, bool is_call) {
    auto home = Subst::building(world_);
    if (!world_.debug || !home) return;
    auto move = [&](Local& local) {
        local.place = moved(local.place);
        local.is_param &= is_call;
    };
    Subst::copy_locals(world_, from, home, [&](const Def* value) { return known_value(value); }, move);
}

/// Places and names of values follow to what they became.
void Rewriter::follow(const Def* from, const Def* to) {
    if (inlining_) Subst::move(world_, from, to, inlining_->call_);
    else world_.notes.copy_place(from, to);
}

const Def* Rewriter::inline_copy(const Lam* callee, const Def* arg, const App* call) {
    return Subst::beta(world_, callee, arg, moved(world_.notes.place(call)));
}

/*
 * nodes
 */

const Def* Rewriter::known(const Def* def) {
    if (auto result = memo_.find(def)) return *result;
    return def->node() == Node::Var || def->node() == Node::Lit ? def : nullptr;
}

/// Whether nothing but the binders in it is new. Sums and products may then have their operands in another order, as
/// they have in any other copy.
static bool is_copy(World& world, const Def* type, const Def* from) {
    return equal(world, type, from) || equal(world, type, Rewriter(world).rewrite(from));
}

const Def* Rewriter::rebuild(const Def* def, const Def* type, Defs ops) {
    switch (def->node()) {
        case Node::Lit: return type == def->type() ? def : world_.raw_lit(type, def->as<Lit>()->value());
        case Node::Axm: return is_copy(world_, type, def->type()) ? def : world_.axm(&def->as<Axm>()->axiom(), type);
        case Node::Inj: return world_.inj(type, ops[0], ops[1]);
        case Node::Tuple: return is_declared(def) ? world_.tuple(type, ops) : world_.tuple(ops);
        default: return build(world_, def, ops);
    }
}

const Def* Rewriter::rewrite_imm(const Def* def) {
    bool changed = false;
    std::vector<const Def*> ops(def->num_ops());
    for (size_t i = 0; i < ops.size(); ++i) ops[i] = rewrite(def->op(i)), changed |= ops[i] != def->op(i);
    auto& impl = world_.impl();
    if (changed && def->node() == Node::Extract && impl.is_absurd(ops[0], ops[1]))
        return impl.absurd_element(rewrite(def->type()), ops[0], ops[1]);
    auto type = def->type();
    if (type_is_operand(def) || def->node() == Node::Axm) type = rewrite(type), changed |= type != def->type();
    return changed ? rebuild(def, type, ops) : def;
}

/// Copies first and asks later: a copy that came out the same is dropped in favour of the original.
const Def* Rewriter::rewrite_mut(const Def* def) { return def->is_set() ? copy_mut(def) : def; }

const Def* Rewriter::copy_mut(const Def* def) {
    auto bind = [&](const Def* stub) {
        map(def, stub);
        if (def->var()) map(def->var(), stub->var());
        world_.notes.copy_info(def, stub);
        if (auto place = world_.notes.place(stub); place && inlining_) world_.notes.set_place(stub, moved(place));
    };
    Within text(*this, def);
    return copy_binder(
        world_, def, [&](const Def* op) { return rewrite(op); }, bind, [&] { return is_recursive(world_, def); },
        [&](const Lam* from, const Lam* to) { copy_names(from, to); });
}

} // namespace mim
