// SPDX-License-Identifier: MIT
// Tuples, packs' elimination, extract, insert (spec section 1).
#include <algorithm>

#include "ir/copy.h"
#include "ir/impl.h"
#include "ir/relations.h"

namespace mim {

const Def* arity(World& w, const Def* type) {
    if (type->is_unstable()) type = w.refresh(type);
    if (auto sigma = type->isa<Sigma>()) return w.lit_nat(sigma->num_ops());
    if (auto arr = type->isa<Arr>()) return arr->arity();
    return w.lit_nat(1);
}

int64_t lit_arity(World& w, const Def* type) {
    auto n = isa_lit(arity(w, type));
    return n && n->value() < (1ull << 32) ? static_cast<int64_t>(n->value()) : -1;
}

/*
 * tuple
 */

/// (e#0, …, e#(n-1)) ▷ e when e has exactly arity n.
static const Def* eta(World& w, Defs ops) {
    auto first = ops[0]->isa<Extract>();
    if (!first) return nullptr;
    auto e = first->tuple();
    for (size_t i = 0; i < ops.size(); ++i) {
        auto ex  = ops[i]->isa<Extract>();
        auto idx = ex && ex->tuple() == e ? isa_lit(ex->index()) : nullptr;
        if (!idx || idx->value() != i) return nullptr;
    }
    return lit_arity(w, e->type()) == static_cast<int64_t>(ops.size()) ? e : nullptr;
}

const Def* World::tuple(Defs ops) {
    if (ops.size() == 1) return ops[0];
    NodeKey key{.node = Node::Tuple, .ops = ops};
    auto where = key.where();
    auto found = impl_->find_here(key, where);
    return found && !found->is_unstable() ? found : impl_->new_tuple(ops, where, found);
}

/// `found`: what is in the node table.
const Def* WorldImpl::new_tuple(Defs ops, NodeKey::Where where, const Def* found) {
    if (ops.size() > 1) {
        if (ops[0] == ops[1] && std::all_of(ops.begin(), ops.end(), [&](auto e) { return e == ops[0]; }))
            return world.pack(ops.size(), ops[0]);
        if (auto e = eta(world, ops)) return e;
    }
    if (found) return found;
    static constexpr size_t Few = 8;
    const Def* few[Few];
    std::vector<const Def*> many(ops.size() > Few ? ops.size() : 0);
    auto types = ops.size() > Few ? many.data() : few;
    for (size_t i = 0; i < ops.size(); ++i) types[i] = ops[i]->type();
    return insert({.node = Node::Tuple, .ops = ops}, where, world.sigma(Defs(types, ops.size())));
}

/*
 * extract
 */

const Def* World::extract_at(const Def* tuple, uint64_t i) {
    auto n = arity(*this, tuple->type());
    if (auto lit = isa_lit(n)) {
        if (i >= lit->value()) fail(Diag::bad_index, {std::to_string(i), tuple->type(), n});
        if (lit->value() == 1) return tuple;
        return extract(tuple, lit_idx(n, i));
    }
    fail(Diag::bad_index, {std::to_string(i), tuple->type(), n});
}

static const Def* choose_type(World& w, const std::vector<const Def*>& types, const Def* index);

/// Whether a choice of these can have one type, which is a choice of their types.
static bool have_one_sort(const std::vector<const Def*>& types) {
    return std::ranges::all_of(types, [&](auto type) { return type->type() == types[0]->type(); });
}

/// (T → U, …)#i ▷ (T, …)#i → (U, …)#i, so that the function that is chosen can be called. Null of other types.
static const Def* choose_function_type(World& w, const std::vector<const Def*>& types, const Def* index) {
    auto first         = types[0]->isa<Pi>();
    auto is_like_first = [&](const Def* type) {
        auto pi = type->isa<Pi>();
        return pi && !pi->var() && !pi->is_implicit() && pi->is_cn() == first->is_cn();
    };
    if (!first || !std::ranges::all_of(types, is_like_first)) return nullptr;
    std::vector<const Def*> doms, codoms;
    for (auto type : types) {
        doms.push_back(type->as<Pi>()->dom());
        codoms.push_back(type->as<Pi>()->codom());
    }
    if (!have_one_sort(doms) || !have_one_sort(codoms)) return nullptr;
    return w.pi(choose_type(w, doms, index), first->is_cn() ? first->codom() : choose_type(w, codoms, index));
}

/// ([T, …], [U, …], …)#i ▷ [(T, U, …)#i, …], so that the tuple that is chosen has elements. Null of other types, and of packages.
static const Def* choose_tuple_type(World& w, const std::vector<const Def*>& types, const Def* index) {
    static constexpr int64_t max_size = 64;
    auto is_tuple_type                = [](const Def* type) { return type->isa<Sigma>() || type->isa<Arr>(); };
    if (!std::ranges::all_of(types, is_tuple_type)) return nullptr;
    auto n             = lit_arity(w, types[0]);
    auto is_like_first = [&](const Def* type) { return !type->var() && lit_arity(w, type) == n; };
    if (n < 2 || n > max_size || !std::ranges::all_of(types, is_like_first)) return nullptr;
    std::vector<const Def*> chosen;
    for (int64_t k = 0; k != n; ++k) {
        std::vector<const Def*> elems;
        for (auto type : types) elems.push_back(type->isa<Sigma>() ? type->op(size_t(k)) : type->as<Arr>()->body());
        if (!have_one_sort(elems) || level(w, elems[0]) != 0) return nullptr;
        chosen.push_back(choose_type(w, elems, index));
    }
    return w.sigma(chosen);
}

/// (T, …)#i
static const Def* choose_type(World& w, const std::vector<const Def*>& types, const Def* index) {
    if (auto type = choose_function_type(w, types, index)) return type;
    if (auto type = choose_tuple_type(w, types, index)) return type;
    return w.extract(w.tuple(types), index);
}

const Def* elem_type(World& w, const Def* type, const Def* e, const Def* index) {
    if (auto arr = type->isa<Arr>()) return arr->var() ? w.subst(arr->body(), arr->var(), index) : arr->body();
    auto sigma = type->as<Sigma>();
    if (sigma->num_ops() == 0) fail(Diag::bad_index, {index->type(), type, w.lit_nat(0)}); // by an index of the empty type
    auto& impl = w.impl();
    if (auto lit = isa_lit(index)) return impl.bind_elem(sigma, e, lit->value());
    std::vector<const Def*> types(sigma->num_ops());
    for (size_t i = 0; i < types.size(); ++i) {
        types[i] = impl.bind_elem(sigma, e, i);
        if (types[i]->type() != types[0]->type()) fail(Diag::mixed_sorts, {e});
    }
    return choose_type(w, types, index);
}

/// (T, U, …)#i ▷ T for types that are all equal. Those that are not one node are recursive, or open; no others are compared.
static bool are_equal_types(World& w, const Tuple* types) {
    if (types->num_ops() == 0) return false;
    auto first        = types->op(0);
    auto may_be_equal = [](const Def* type) { return type->is_mut() || type->has(Def::HasDep); };
    if (!is_type(first)) return false;
    return std::ranges::all_of(types->ops(), [&](auto type) {
        if (type == first) return true;
        return may_be_equal(first) && may_be_equal(type) && equal(w, first, type);
    });
}

/// The element that an aggregate has at some literal index, whatever indices that nobody knows choose within it:
///
///     (e_0, …)#i#k ▷ v   if e_j#k ▷ v for all j          ins(e, i, w)#k ▷ v   if e#k ▷ v and w ▷ v
///
/// Such a choice says less in its type than its elements say in theirs: `((3, x), (3, y))#i` has the type «2; Nat», and where the type
/// [⦃3⦄, Nat] was declared, it must still be known that its first element is 3.
class CommonElement {
public:
    using Path = std::vector<uint64_t>; ///< the innermost index comes first, so the last one is the next

    /// Null if the elements differ, or if nobody knows.
    const Def* find(const Def* e, Path path) {
        while (!path.empty()) {
            if (--steps_ < 0) return nullptr;
            if (auto value = singleton(e, path.back())) {
                e = value;
                path.pop_back();
            } else if (auto ex = e->isa<Extract>()) {
                auto lit = isa_lit(ex->index());
                if (!lit) return find_chosen(ex->tuple(), path);
                e = ex->tuple();
                path.push_back(lit->value());
            } else if (auto ins = e->isa<Insert>()) {
                auto lit = isa_lit(ins->index());
                if (!lit) return find_in(ins, path);
                bool is_new = lit->value() == path.back();
                if (is_new) path.pop_back();
                e = is_new ? ins->value() : ins->tuple();
            } else if (auto tuple = e->isa<Tuple>()) {
                e = tuple->op(path.back());
                path.pop_back();
            } else if (auto pack = e->isa<Pack>(); pack && !pack->var()) {
                e = pack->body();
                path.pop_back();
            } else {
                return nullptr;
            }
        }
        return e;
    }

private:
    const Def* find_chosen(const Def* choices, const Path& path) {
        if (!choices->isa<Tuple>()) return nullptr;
        auto common  = find(choices->op(0), path);
        auto is_same = [&](const Def* choice) { return find(choice, path) == common; };
        return common && std::ranges::all_of(choices->ops().subspan(1), is_same) ? common : nullptr;
    }
    const Def* find_in(const Insert* ins, Path path) {
        auto old = find(ins->tuple(), path);
        path.pop_back();
        return old && find(ins->value(), path) == old ? old : nullptr;
    }

    /// The only value that element i can have by its type.
    static const Def* singleton(const Def* e, uint64_t i) {
        auto sigma     = e->type()->isa<Sigma>();
        bool has_types = sigma && !sigma->var() && i < sigma->num_ops();
        auto type      = has_types ? sigma->op(i)->isa<Sing>() : nullptr;
        return type ? type->value() : nullptr;
    }

    int steps_ = 64; ///< a choice may contain others
};

/// Chooses among the elements of `choices` that stand at one of these places: `(a, …)#i`, or `((a, b), …)#i`, one value for each place.
static std::vector<const Def*> choose_parts(World& w, const Tuple* choices, const std::vector<uint64_t>& places,
                                            const Def* index) {
    std::vector<const Def*> elems, result;
    for (auto choice : choices->ops()) {
        std::vector<const Def*> parts;
        for (auto k : places) parts.push_back(w.extract(choice, k));
        elems.push_back(w.tuple(parts));
    }
    auto chosen = w.extract(w.tuple(elems), index);
    for (size_t k = 0; k != places.size(); ++k) result.push_back(places.size() == 1 ? chosen : w.extract(chosen, k));
    return result;
}

/// The element at this place that all these choices have; null if they differ, or if one of them is a call, which makes its own.
static const Def* common_element(World& w, const Tuple* choices, uint64_t place) {
    const Def* common = nullptr;
    for (auto choice : choices->ops()) {
        auto elem = choice->isa<App>() ? nullptr : w.extract(choice, place);
        if (!elem || (common && elem != common)) return nullptr;
        common = elem;
    }
    return common;
}

/// ((m, a), (m, b))#i ▷ (m, (a, b)#i) for a token m, if all choices have one type. The token is not chosen, and whoever only asks for the
/// rest does not take it. Null if no token is common.
static const Def* keep_common_token(World& w, const Tuple* choices, const Def* index) {
    static constexpr int64_t max_size = 64;
    auto type                         = choices->num_ops() == 0 ? nullptr : choices->op(0)->type()->isa<Sigma>();
    auto n                            = type && !type->var() ? int64_t(type->num_ops()) : 0;
    if (n < 2 || n > max_size || !w.token_types().contains(type)) return nullptr;
    if (!std::ranges::all_of(choices->ops(), [&](auto choice) { return choice->type() == type; })) return nullptr;
    std::vector<const Def*> elems;
    std::vector<uint64_t> others;
    for (uint64_t k = 0; k != uint64_t(n); ++k) {
        bool is_token = w.token_types().contains(type->op(k));
        elems.push_back(is_token ? common_element(w, choices, k) : nullptr);
        if (!elems.back()) others.push_back(k);
    }
    if (others.size() == uint64_t(n)) return nullptr;
    auto chosen = others.empty() ? std::vector<const Def*>() : choose_parts(w, choices, others, index);
    for (size_t j = 0; j != others.size(); ++j) elems[others[j]] = chosen[j];
    return w.tuple(elems);
}

/// With the type that an index of it has.
[[noreturn]] static void fail_no_index(World& world, const Def* tuple, const Def* index) {
    auto type = world.refresh(tuple->type());
    auto n    = type->isa<Sigma>() ? world.lit_nat(type->num_ops()) : arity(world, type);
    fail(Diag::not_an_index, {index, world.refresh(index->type()), world.idx(n)});
}

const Def* World::extract(const Def* e, const Def* index) {
    if (e->node() == Node::Hole || index->node() == Node::Hole) e = refresh(e), index = refresh(index);
    const Def* ops[] = {e, index};
    NodeKey key{.node = Node::Extract, .ops = ops};
    auto where = key.where();
    if (auto def = impl_->find_here(key, where); def && !def->is_unstable()) return def;
    // a projection of a tuple under its own index type needs no further check
    auto lit  = isa_lit(index);
    auto size = isa_idx(index->type());
    if (!size) {
        auto t = refresh(index->type());
        size   = isa_idx(t);
        if (!size) fail_no_index(*this, e, index);
    }
    // e#i ▷ e for every i: Idx 1, also where e has become an aggregate: `«1; T»` is T, whatever T is
    auto is_one = [](const Def* size) { return isa_lit(size) && isa_lit(size)->value() == 1; };
    if (is_one(size)) return e;
    auto type = e->type();
    if (type->is_unstable()) type = refresh(type);
    auto n = type->isa<Sigma>() ? lit_nat(type->num_ops()) : arity(*this, type);
    if (size != n && !unify(*this, size, n)) fail(Diag::bad_index, {index->type(), type, n});
    if (size->is_unstable() || n->is_unstable() || type->is_unstable()) {
        auto e2 = refresh(e), index2 = refresh(index);
        if (e2 != e || index2 != index) return extract(e2, index2);
        type = refresh(type), size = refresh(size);
    }
    if (is_one(size)) return e; // known only now
    if (auto t = e->isa<Tuple>()) {
        if (lit) return t->op(lit->value());
        if (are_equal_types(*this, t)) return t->op(0);
        if (auto kept = keep_common_token(*this, t, index)) return kept;
        if (t->num_ops() == 2)
            if (auto relation = choose_relation(*this, index, t->op(0), t->op(1))) return relation;
    }
    if (auto p = e->isa<Pack>()) return p->var() ? subst(p->body(), p->var(), index) : p->body();
    if (auto ins = e->isa<Insert>()) {
        if (ins->index() == index) return ins->value();
        if (lit && isa_lit(ins->index())) return extract(ins->tuple(), index);
    }
    if (!type->isa<Sigma>() && !type->isa<Arr>()) fail(Diag::bad_index, {index->type(), type, n});
    if (auto def = impl_->find(key, where)) {
        if (!e->is_unstable() && !index->is_unstable()) impl_->clear_flags(def, Def::HasHole | Def::Stale);
        return def;
    }
    bool may_be_common = lit && (e->isa<Extract>() || e->isa<Insert>());
    auto common        = may_be_common ? CommonElement().find(e, {lit->value()}) : nullptr;
    if (common) return common;
    auto t = elem_type(*this, type, e, index);
    if (!t) fail(Diag::not_ready, {std::string("an element"), std::string("the type around it is not complete")});
    if (auto sing = t->isa<Sing>()) return sing->value();
    return impl_->insert(key, where, t);
}

bool WorldImpl::is_absurd(const Def* tuple, const Def* index) {
    return tuple->type() == world.unit_type() && isa_idx(index->type()) == world.lit_nat(0);
}

const Def* WorldImpl::absurd_element(const Def* type, const Def* tuple, const Def* index) {
    bool is_possible = absurd && is_type(type) && level(world, type) == 0;
    return is_possible ? world.app(world.app(absurd, type), index) : world.extract(tuple, index);
}

/*
 * insert
 */

/// Elements mention its variable, which those of most recursive Σs do not.
static bool is_dependent(World& w, const Sigma* sigma) {
    auto mentions_var = [&](const Def* elem) { return is_free_in(w, sigma->var(), elem); };
    return sigma->var() && std::ranges::any_of(sigma->ops(), mentions_var);
}

/// ins(e, i, v) ▷ ((v, e#0, …, e#0)#i, …, (e#(n-1), …, e#(n-1), v)#i) for a Σ of equal types that is not an array, as those types are
/// recursive. Only an element of an array can be replaced at an index that is not a literal.
const Def* WorldImpl::insert_anywhere(const Def* e, const Def* index, const Def* value) {
    std::vector<const Def*> res;
    for (size_t i = 0, n = arity(world, e->type())->as<Lit>()->value(); i < n; ++i) {
        std::vector<const Def*> choices(n, world.extract(e, i));
        choices[i] = value;
        res.push_back(world.extract(world.tuple(choices), index));
    }
    return world.tuple(res);
}

const Def* World::insert(const Def* e, const Def* index, const Def* value) {
    auto type = refresh(e->type());
    auto size = isa_idx(refresh(index->type()));
    if (!size) fail_no_index(*this, e, index);
    auto n = isa_lit(size) && isa_lit(size)->value() == 1 ? size : arity(*this, type); // an Idx 1 fits everything
    if (!unify(*this, size, n)) fail(Diag::bad_index, {index->type(), type, n});
    e = refresh(e), index = refresh(index), value = refresh(value), type = refresh(type);
    auto one = isa_lit(n);
    if (one && one->value() == 1) {
        if (!assignable(*this, type, value)) fail(Diag::not_assignable, {type, value, value->type()});
        return value;
    }
    if (is_zero(n)) return e;
    auto elem = elem_type(*this, type, e, index);
    if (!assignable(*this, elem, value)) fail(Diag::not_assignable, {elem, value, value->type()});
    value    = coerce(elem, value);
    auto lit = isa_lit(index);
    if (lit) {
        // the later elements of a dependent Σ must stay assignable
        if (auto sigma = type->isa<Sigma>(); sigma && is_dependent(*this, sigma)) {
            std::vector<const Def*> ops(sigma->num_ops());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = i == lit->value() ? value : extract(e, i);
            auto res = tuple(ops);
            for (size_t i = lit->value() + 1; i < ops.size(); ++i) {
                auto t = impl_->bind_elem(sigma, res, i);
                if (!assignable(*this, t, ops[i])) fail(Diag::not_assignable, {t, ops[i], ops[i]->type()});
            }
            return coerce(type, res);
        }
        if (auto t = e->isa<Tuple>()) {
            std::vector<const Def*> ops(t->ops().begin(), t->ops().end());
            ops[lit->value()] = value;
            return tuple(ops);
        }
        if (auto p = e->isa<Pack>(); p && one && one->value() <= 64) {
            std::vector<const Def*> ops(one->value());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = i == lit->value() ? value : extract(e, i);
            return tuple(ops);
        }
    } else if (auto sigma = type->isa<Sigma>()) {
        if (is_dependent(*this, sigma)) fail(Diag::dependent_update, {e, type});
        auto is_elem = [&](const Def* t) { return equal(*this, t, elem); };
        if (std::ranges::all_of(sigma->ops(), is_elem)) return impl_->insert_anywhere(e, index, value);
    }
    // ins(e, i, e#i) ▷ e; ins(ins(e, i, v), i, w) ▷ ins(e, i, w)
    if (auto ex = value->isa<Extract>(); ex && ex->tuple() == e && ex->index() == index) return e;
    if (auto inner = e->isa<Insert>(); inner && inner->index() == index) return insert(inner->tuple(), index, value);
    const Def* ops[] = {e, index, value};
    NodeKey key{.node = Node::Insert, .ops = ops};
    return impl_->unify(key, [&] { return type; });
}

} // namespace mim
