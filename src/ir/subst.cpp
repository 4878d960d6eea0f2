// SPDX-License-Identifier: MIT
// Substitution: a hot path. Subgraphs in which no replaced variable is free come back by pointer; binders are copied only when
// something in them changes. Everything rebuilt is normalized. The index of an extract goes first: once it is a literal, only the
// chosen element is looked at (by-need evaluation of recursive functions depends on it).
#include "ir/subst.h"

#include <algorithm>

#include "ir/copy.h"
#include "ir/impl.h"

namespace mim {

void Subst::map(const Def* from, const Def* to) {
    memo_.put(from, to);
    if (from->node() == Node::Var) vars_.push_back(from), bloom_ |= VarSet::bit(from);
}

bool Subst::needs(const Def* def) {
    auto set = world_.impl().free_vars.of(def);
    if (!(set->bloom & bloom_)) return false;
    // binders inside of each other are copied with each other, and then there are many variables
    if (set->size < vars_.size()) return set->any([&](const Def* v) { return memo_.find(v) != nullptr; });
    return std::ranges::any_of(vars_, [&](const Def* v) { return set->contains(v); });
}

const Def* Subst::rewrite(const Def* def) {
    if (def->node() == Node::Var) {
        auto to = memo_.find(def);
        return to ? to : outer_ ? outer_->rewrite(def) : def;
    }
    if (!def->has(Def::HasDep) && !def->is_mut() && def->node() != Node::Hole) return def;
    if (auto to = memo_.find(def)) {
        if (def->is_mut()) referenced_.put(def, def);
        return to;
    }
    if (auto hole = def->isa<Hole>()) return hole->solution() ? rewrite(hole->solution()) : def;
    if (def->is_mut() && !def->is_set()) return incomplete(def);
    if (!needs(def)) return outer_ ? outer_->rewrite(def) : def;
    world_.impl().check_depth();
    const Def* res;
    try { // here and not in a function of its own, which would take stack
        res = def->is_mut() ? copy(def) : rebuild(def);
    } catch (Error& e) {
        blame(world_, def, e);
        throw;
    }
    memo_.put(def, res);
    if (!def->is_mut() && res != def) follow(def, res);
    return res;
}

/// A binder that is not complete counts as closed. The result of a call that is being reduced is none if its argument has variables: in
///
///     lam f (n: Nat) (g: Nat → Nat) (x: Nat) = … f (n + 1) (λ y = g y) …
///
/// `f (n + 1)` is met again while the body of f is copied for n + 1, and would stand in that copy for `f (n + 2)`.
const Def* Subst::incomplete(const Def* def) {
    auto call = world_.impl().active.call_of(def);
    if (call && (needs(call->arg) || needs(call->callee))) fail(Diag::needs_itself, {call->callee});
    return outer_ ? outer_->incomplete(def) : def;
}

/*
 * places
 */

/// Places and names of values follow to what they became.
void Subst::follow(const Def* from, const Def* to) {
    if (from->has(Def::Placed) && !to->has(Def::Placed) && Notes::has_place(to))
        world_.notes.set_place(to, moved(world_.notes.place(from)));
    auto name = world_.debug && Notes::has_place(to) ? world_.notes.local(from) : nullptr;
    if (!name || world_.notes.local(to)) return;
    auto copy  = *name;
    copy.value = to, copy.place = moved(copy.place);
    world_.notes.places_.named.emplace(to, copy);
}

bool is_constant(const Def* def) { return !def->has(Def::HasDep) && !def->is_mut() && !def->has(Def::Placed); }

uint32_t Subst::inline_call(World& w, const Lam* callee, Place call) {
    return w.notes.places_.inline_call(w.notes.name(callee), w.notes.span(callee), call);
}

Place Subst::inside(World& w, Place place, uint32_t call) { return place && call ? w.notes.places_.inside(place, call) : place; }

void Subst::move(World& w, const Def* from, const Def* to, uint32_t call) {
    bool same = from == to;
    if (from->has(Def::Placed) && (same || !to->has(Def::Placed)) && Notes::has_place(to))
        w.notes.set_place(to, inside(w, w.notes.place(from), call));
    auto name = Notes::has_place(to) ? w.notes.local(from) : nullptr;
    if (!name || (!same && w.notes.local(to))) return;
    auto copy  = *name;
    copy.value = to, copy.place = inside(w, copy.place, call);
    w.notes.places_.named.insert_or_assign(to, copy);
}

const Def* Subst::beta(World& w, const Lam* callee, const Def* arg, Place call) {
    return w.impl().call_from(call, [&] { return w.beta(callee, arg); });
}

static bool returns(const Lam* lam) {
    if (!lam->is_cn()) return true;
    auto is_cn = [](const Def* type) { return type->isa<Pi>() && type->as<Pi>()->is_cn(); };
    auto sigma = lam->dom()->isa<Sigma>();
    return is_cn(sigma && sigma->num_ops() ? sigma->ops().back() : lam->dom());
}

/// Where in the caller what stands at this place of the callee is now. A continuation is part of the function around it.
Place Subst::moved(Place place) {
    if (!place || !callee_) return place;
    auto& places = world_.notes.places_;
    if (!inlined_) {
        inlined_ = returns(callee_) ? places.inline_call(world_.notes.name(callee_), world_.notes.span(callee_), call_)
                                    : call_.inlined;
        if (!inlined_ && returns(callee_)) return call_; // too deep
    }
    return places.inside(place, inlined_);
}

void Subst::copy_names(const Lam* from, const Lam* to) {
    copy_locals(
        world_, from, to, [&](const Def* value) { return known(value); },
        [&](Local& local) { local.place = moved(local.place); });
}

/// Of a function that returns nothing is left if no node has a place in it, or if it is too deep to be told apart.
void Subst::keep_names(const Lam* callee) {
    bool is_call = callee_ && returns(callee_);
    auto home    = building(world_);
    if (!world_.debug || !home || !callee_ || (is_call && !inlined_)) return;
    auto move = [&](Local& local) {
        local.place = moved(local.place);
        local.is_param &= is_call;
    };
    copy_locals(world_, callee, home, [&](const Def* value) { return known(value); }, move);
}

/// What became of a value, as far as it is needed anyway.
const Def* Subst::known(const Def* def) {
    if (auto to = memo_.find(def)) return to;
    if (needs(def)) return nullptr;
    return outer_ ? outer_->known(def) : def;
}

const Def* Subst::rebuild(const Def* def) {
    auto& w = world_;
    switch (def->node()) {
        case Node::App: {
            if (def->op(0)->isa<App>() && !head_axiom(def)) return rebuild_call(def);
            if (auto res = reduce_local(def)) return res;
            auto callee = rewrite(def->op(0));
            auto arg    = rewrite(def->op(1));
            if (callee->node() != Node::Lam) return w.app(callee, arg);
            return w.impl().call_from(moved(w.notes.place(def)), [&] { return w.app(callee, arg); });
        }
        case Node::Extract: {
            auto index = rewrite(def->op(1));
            auto tuple = def->op(0)->isa<Tuple>();
            if (auto lit = isa_lit(index); lit && tuple && !tuple->is_unstable()) return rewrite(tuple->op(lit->value()));
            auto of = rewrite(def->op(0));
            if (w.impl().is_absurd(of, index)) return w.impl().absurd_element(rewrite(def->type()), of, index);
            return w.extract(of, index);
        }
        case Node::Match: {
            auto scrutinee = rewrite(def->op(0));
            auto arms      = def->as<Match>()->arms();
            auto u         = def->op(0)->type()->isa<Union>();
            if (auto in = scrutinee->isa<Inj>(); in && u) {
                // only the chosen arm is rewritten
                for (size_t i = 0; i < arms.size(); ++i)
                    if (equal(w, rewrite(u->op(i)), in->member())) return w.app(rewrite(arms[i]), in->value());
            }
            std::vector<const Def*> ops(arms.size());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = rewrite(arms[i]);
            return w.match(scrutinee, ops);
        }
        case Node::Inj: {
            auto type  = rewrite(def->type());
            auto value = rewrite(def->op(0));
            return w.inj(type, value, rewrite(def->as<Inj>()->member()));
        }
        case Node::Lit: return w.raw_lit(rewrite(def->type()), def->as<Lit>()->value());
        case Node::Union: return rebuild_union(def);
        default: break;
    }
    std::vector<const Def*> ops(def->num_ops());
    for (size_t i = 0; i < ops.size(); ++i) ops[i] = rewrite(def->op(i));
    return is_declared(def) ? w.tuple(rewrite(def->type()), ops) : build(w, def, ops);
}

/// A recursive union is met again within each of its members, and innermost all of these have their stubs. The union that is built there serves
/// all rounds but the outermost one, which knows the members in full and drops those that have become equal.
const Def* Subst::rebuild_union(const Def* def) {
    bool is_outermost = unions_.insert(def).second;
    std::vector<const Def*> members;
    for (auto member : def->ops()) {
        members.push_back(rewrite(member));
        if (is_outermost) continue;
        if (auto built = memo_.find(def)) return built;
    }
    if (is_outermost) unions_.erase(def);
    return world_.union_type(members);
}

/// A call of a function inside, whose filter says `tt` only now that the variables around it have values. It is reduced before the
/// function is copied: in a copy for an argument that nobody knows, the function would unfold its own calls for ever. What depends on
/// the variables around, but not on the argument, is replaced only once. Null if the filter says otherwise, or if the call is being
/// reduced already: then it is its own result, or can only be copied.
const Def* Subst::reduce_local(const Def* call) {
    auto lam = call->op(0)->isa<Lam>();
    if (!lam || !lam->op(0) || lam->filter()->isa<Lit>() || lam->is_waiting() || world_.impl().frozen) return nullptr;
    auto home = this;
    while (home->outer_ && !home->needs(lam)) home = home->outer_;
    if (!home->needs(lam) || home->memo_.find(lam)) return nullptr;
    auto arg        = rewrite(call->op(1));
    auto [it, once] = home->calls_.emplace(Call(lam, arg), nullptr);
    if (!once) return it->second;
    Subst body(*home, lam, moved(world_.notes.place(call)));
    if (lam->var()->node() == Node::Var) body.map(lam->var(), arg);
    if (body.rewrite(lam->filter()) != world_.tt()) return home->calls_.erase(Call(lam, arg)), nullptr;
    world_.impl().count_beta();
    auto res = body.rewrite(lam->body());
    if (!is_constant(res)) body.keep_names(lam);
    if (res->is_unstable()) res = world_.refresh(res);
    if (res->is_unstable()) home->calls_.erase(Call(lam, arg));
    else home->calls_[Call(lam, arg)] = res;
    return res;
}

/// A call with several groups, whose callee may turn out to be a curried function.
const Def* Subst::rebuild_call(const Def* call) {
    std::vector<const Def*> args;
    auto callee = call;
    for (; callee->isa<App>() && !memo_.find(callee); callee = callee->op(0)) args.push_back(callee->op(1));
    Spine spine(world_, rewrite(callee));
    auto place = moved(world_.notes.place(call));
    for (auto arg = args.rbegin(); arg != args.rend(); ++arg) {
        auto next = rewrite(*arg);
        world_.impl().call_from(place, [&] { return spine.apply(next), next; });
    }
    return world_.impl().call_from(place, [&] { return spine.get(); });
}

const Def* build(World& w, const Def* def, Defs ops) {
    switch (def->node()) {
        case Node::Pi: return w.pi(ops[0], ops[1], def->has(Def::Implicit));
        case Node::App: return w.app(ops[0], ops[1]);
        case Node::Sigma: return w.sigma(ops);
        case Node::Tuple: return is_declared(def) ? w.tuple(def->type(), ops) : w.tuple(ops);
        case Node::Arr: return w.arr(ops[0], ops[1]);
        case Node::Pack: return w.pack(ops[0], ops[1]);
        case Node::Extract: return w.extract(ops[0], ops[1]);
        case Node::Insert: return w.insert(ops[0], ops[1], ops[2]);
        case Node::Union: return w.union_type(ops);
        case Node::Match: return w.match(ops[0], ops.subspan(1));
        case Node::Sing: return w.sing(ops[0]);
        default: return def;
    }
}

/// An array or a pack whose arity has become a literal, element by element: the body may have a type only where the index is known, such as
/// a call of `f#i` with f: «i: n; F#i → F#i». Null if the binder stays.
const Def* Subst::expand(const Def* def) {
    if ((!def->isa<Arr>() && !def->isa<Pack>()) || !def->var() || isa_lit(def->op(0))) return nullptr;
    auto arity = isa_lit(rewrite(def->op(0)));
    if (!arity || arity->is_2_64() || arity->value() > MaxExpansion || is_recursive(world_, def)) return nullptr;
    std::vector<const Def*> ops(arity->value());
    for (uint64_t i = 0; i < ops.size(); ++i) {
        Subst element(*this, nullptr, {});
        element.map(def->var(), world_.lit_idx(ops.size(), i));
        ops[i] = element.rewrite(def->op(1));
    }
    return def->isa<Arr>() ? world_.sigma(ops) : world_.tuple(ops);
}

/// Of a recursive binder the stub itself stays, since others already point to it.
const Def* Subst::copy(const Def* def) {
    if (auto elements = expand(def)) return elements;
    auto bind = [&](const Def* stub) {
        map(def, stub);
        if (def->var()) map(def->var(), stub->var());
        world_.notes.copy_info(def, stub);
        if (auto place = world_.notes.place(stub)) world_.notes.set_place(stub, moved(place));
    };
    return copy_binder(
        world_, def, [&](const Def* op) { return rewrite(op); }, bind, [&] { return referenced_.find(def) != nullptr; },
        [&](const Lam* from, const Lam* to) { copy_names(from, to); });
}

const Def* World::subst(const Def* def, const Def* from, const Def* to) {
    if (from == to || from->node() != Node::Var) return def;
    if (!is_free_in(*this, from, def)) return def;
    Subst s(*this);
    s.map(from, to);
    return s.rewrite(def);
}

} // namespace mim
