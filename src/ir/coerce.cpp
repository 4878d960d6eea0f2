// SPDX-License-Identifier: MIT
// Values with the type that was declared for them (doc/adr/0014-declared-types.md). The judgement T ⊢ e ▷ e' presupposes that e is
// assignable to T. It changes what e is called, never what e evaluates to:
//
//      e : T          T is no Σ, and no array          T = [x: T_0, …] dependent     for all i: T_i[e/x] ⊢ e#i ▷ e_i
//      ─────────      ───────────────────────          ─────────────────────────────────────────────────────────────
//      T ⊢ e ▷ e      T ⊢ e ▷ e                        T ⊢ e ▷ (e_0, …) : T
//
//      T = [T_0, …] or «i: n; T_i», not dependent    for all i: T_i ⊢ e#i ▷ e_i          «i: n; T» ⊢ ‹i: n; e› ▷ ‹i: n; e'› where T ⊢ e ▷ e'
//      ────────────────────────────────────────────────────────────────────────          ──────────────────────────────────────────────
//      T ⊢ e ▷ (e_0, …)
//
// So only a tuple whose declared type is a dependent Σ has a type of its own. Anywhere else the type of an aggregate follows from its
// elements, since these have their types.
#include "ir/copy.h"
#include "ir/impl.h"

namespace mim {

namespace {

/// Beyond this, an aggregate is not taken apart.
constexpr int64_t MaxElems = 1 << 20;

/// Elements mention its variable. A Σ that is still in the making does not count.
bool is_dependent(World& w, const Def* type) {
    auto sigma = type->isa<Sigma>();
    if (!sigma || !sigma->var() || !sigma->is_sealed()) return false;
    return std::ranges::any_of(sigma->ops(), [&](auto elem) { return is_free_in(w, sigma->var(), elem); });
}

bool is_aggregate(const Def* type) { return type->node() == Node::Sigma || type->node() == Node::Arr; }

/// Whether an instance of a type may be a Σ or an array.
bool may_be_aggregate(const Def* type) {
    switch (type->node()) {
        case Node::Sigma:
        case Node::Arr:
        case Node::Var:
        case Node::Extract: return true;
        case Node::App: return !head_axiom(type) && !isa_idx(type);
        default: return false;
    }
}

/// The types of its elements, which may mention its variable: one for all of an array.
Defs elem_decls(const Def* type) { return type->isa<Arr>() ? type->ops().subspan(1) : type->ops(); }
const Def* elem_decl(const Def* type, uint64_t i) { return type->op(type->isa<Arr>() ? 1 : i); }

/// An array that has elements of several types, and is too long to be written as a Σ.
bool is_long(const Def* type) {
    auto arr = type->isa<Arr>();
    return arr && arr->var();
}

} // namespace

const Def* World::tuple(const Def* type, Defs ops) {
    NodeKey key{.node = Node::Tuple, .aux = 1, .ops = ops, .type = type};
    if (auto found = impl_->find(key, key.where()); found && !found->is_unstable()) return found;
    auto value = tuple(ops);
    if (!assignable(*this, type, value)) fail(Diag::not_assignable, {type, value, value->type()});
    return coerce(type, value);
}

const Def* World::coerce_to(const Def* type, const Def* value) {
    if (!type->is_unstable() && !is_aggregate(type)) return value;
    type = refresh(type), value = refresh(value);
    if (type == value->type()) return value;
    if (auto pack = value->isa<Pack>(); pack && type->isa<Arr>()) return impl_->coerce_pack(type->as<Arr>(), pack);
    bool is_declared = is_dependent(*this, type);
    if (is_declared && equal(*this, type, value->type())) return value;
    std::vector<const Def*> elems;
    bool changed = impl_->coerce_elems(type, value, elems);
    if (is_declared && !elems.empty()) return impl_->declared(type, elems);
    return changed ? tuple(elems) : value;
}

bool WorldImpl::coerce_elems(const Def* type, const Def* value, std::vector<const Def*>& elems) {
    auto found = world.refresh(value->type());
    if (type->is_unstable() || found->is_unstable() || !is_aggregate(type) || is_long(type)) return false;
    auto n = lit_arity(world, type);
    if (n < 2 || n > MaxElems || lit_arity(world, found) != n) return false;
    bool changed = false;
    for (uint64_t i = 0; i < static_cast<uint64_t>(n); ++i) {
        auto elem   = world.extract(value, i);
        bool stays  = !may_be_aggregate(elem_decl(type, i));
        auto result = stays ? elem : world.coerce(elem_type(world, type, value, world.lit_idx(n, i)), elem);
        changed |= result != elem;
        elems.push_back(result);
    }
    return changed;
}

/// What looks at the arguments of a function takes them apart, so a group as a whole stays as it is written: its elements have the types
/// that were declared for them. Where the variable of a function is replaced by a group, that has its type as well.
const Def* WorldImpl::coerce_arg(const Pi* pi, const Def* arg) {
    auto dom = pi->dom();
    if (dom == arg->type() || !is_aggregate(dom)) return arg;
    if (arg->isa<Pack>()) return dom->isa<Arr>() ? world.coerce(dom, arg) : arg;
    if (std::ranges::none_of(elem_decls(dom), may_be_aggregate)) return arg;
    std::vector<const Def*> elems;
    return coerce_elems(dom, arg, elems) ? world.tuple(elems) : arg;
}

const Def* WorldImpl::declared(const Def* type, Defs ops) {
    NodeKey key{.node = Node::Tuple, .aux = 1, .ops = ops, .type = type};
    return unify(key, [&] { return type; });
}

const Def* WorldImpl::coerce_pack(const Arr* arr, const Pack* pack) {
    auto& w = world;
    if (!pack->var()) {
        if (arr->var()) return pack;
        return w.pack(pack->arity(), w.coerce(arr->body(), pack->body()));
    }
    if (pack->is_unstable() || arr->is_unstable()) return pack;
    auto elem = w.coerce(elem_type(w, arr, pack, pack->var()), pack->body());
    if (elem == pack->body()) return pack;
    auto copy = w.mut_pack(pack->arity());
    return w.seal(copy, w.subst(elem, pack->var(), copy->var()));
}

} // namespace mim
