// SPDX-License-Identifier: MIT
// Types: Π, Σ, arrays, singletons, and the sealing of their binders (spec section 1, "Typing" and "Normalization").
#include <algorithm>

#include "ir/copy.h"
#include "ir/impl.h"

namespace mim {

bool World::is_type(const Def* def) { return def->type() && def->type()->node() == Node::Sort; }

unsigned World::level(const Def* type) {
    auto t = type->type();
    if (t->is_unstable()) t = refresh(t);
    if (auto s = t->isa<mim::Sort>()) return s->level();
    fail(Diag::not_a_type, {type, t});
}

/*
 * Π
 */

const Def* World::pi(const Def* dom, const Def* codom, bool implicit) {
    const Def* ops[] = {dom, codom};
    NodeKey key{.node = Node::Pi, .flags = implicit ? uint8_t(Def::Implicit) : uint8_t(0), .ops = ops};
    return impl_->unify(key, [&] { return sort(std::max(level(dom), level(codom))); });
}

Pi* World::mut_pi(const Def* dom, bool implicit, const Def* type) {
    auto dom_type = sort(level(dom));
    auto pi       = impl_->alloc_mut<Pi>(type ? type : dom_type, 2);
    impl_->set_op(pi, 0, dom);
    impl_->add_flags(pi, (implicit ? Def::Implicit : 0) | (dom->is_unstable() ? Def::HasHole : 0));
    impl_->set_var(pi, impl_->make_var(pi, dom));
    return pi;
}

Pi* World::mut_recursive_pi(const Def* type, bool implicit) {
    auto pi = impl_->alloc_mut<Pi>(type, 2);
    impl_->add_flags(pi, implicit ? Def::Implicit : 0);
    return pi;
}

App* World::mut_recursive_pointer(const App* like) {
    auto app = impl_->alloc_mut<App>(like->type(), 2);
    impl_->set_groups(app, like);
    return app;
}

const Def* World::seal(Pi* pi, const Def* codom) {
    auto dom    = pi->dom();
    auto result = sort(std::max(level(dom), level(codom)));
    auto var    = pi->var()->isa<Var>(); // of a singleton type it is its value, maybe a variable of a binder around
    bool is_own = var && var->binder() == pi;
    if (!codom->is_unstable() && !(is_own && is_free_in(var, codom))) return this->pi(dom, codom, pi->is_implicit());
    impl_->set_op(pi, 1, codom);
    impl_->set_type(pi, result);
    impl_->add_flags(pi, Def::IsSet | Impl::inherited(dom) | Impl::inherited(codom));
    return impl_->canonical(pi);
}

/*
 * Σ
 */

const Def* World::sigma(Defs types) {
    if (types.size() == 1) return types[0];
    if (types.size() > 1 && std::all_of(types.begin(), types.end(), [&](auto t) { return t == types[0]; }))
        return arr(types.size(), types[0]);
    NodeKey key{.node = Node::Sigma, .ops = types};
    return impl_->unify(key, [&] {
        unsigned max = 0;
        for (auto t : types) max = std::max(max, level(t));
        return sort(max);
    });
}

Sigma* World::mut_sigma(size_t num_ops) {
    auto sigma = impl_->alloc_mut<Sigma>(star_, num_ops);
    impl_->set_var(sigma, impl_->make_var(sigma, sigma));
    return sigma;
}

void World::set(Sigma* sigma, size_t i, const Def* type) {
    auto l = level(type);
    impl_->set_op(sigma, i, type);
    if (l > level(sigma)) impl_->set_type(sigma, sort(l));
    impl_->add_flags(sigma, Impl::inherited(type));
}

const Def* World::seal(Sigma* sigma) {
    impl_->add_flags(sigma, Def::IsSet);
    auto ops = sigma->ops();
    if (!sigma->is_unstable()) {
        auto uses = [&](const Def* op) { return is_free_in(sigma->var(), op); };
        if (std::none_of(ops.begin(), ops.end(), uses)) return this->sigma(ops);
    }
    return impl_->canonical(sigma);
}

const Def* World::Impl::bind_elem(const Sigma* sigma, const Def* e, size_t i) {
    return sigma->var() ? world.subst(sigma->op(i), sigma->var(), e) : sigma->op(i);
}

/*
 * arrays
 */

static void check_arity(World& w, const Def* arity) {
    if (arity->type() != w.nat() && arity != w.lit_2_64() && !w.assignable(w.nat(), arity))
        fail(Diag::arity_not_nat, {arity, arity->type()});
}

/// Types (terms) of shape s: «r; Nat» are nested: «s; T» is «s#0; … «s#(r-1); T»».
static const Def* nest(World& w, const Def* shape, const Def* body, bool pack) {
    auto rank = w.lit_arity(shape->type());
    if (rank < 0) return nullptr;
    for (int64_t i = rank; i-- > 0;) {
        auto n = w.extract(shape, static_cast<uint64_t>(i));
        body   = pack ? w.pack(n, body) : w.arr(n, body);
    }
    return body;
}

static bool is_shape(World& w, const Def* arity) {
    auto t = arity->type();
    if (t == w.nat()) return false;
    if (auto a = t->isa<Arr>()) return a->body() == w.nat();
    if (auto s = t->isa<Sigma>()) return s->num_ops() == 0;
    return false;
}

const Def* World::arr(const Def* arity, const Def* body) {
    const Def* ops[] = {arity, body};
    NodeKey key{.node = Node::Arr, .ops = ops};
    auto where = key.where();
    if (auto def = impl_->find(key, where); def && !def->is_unstable()) return def;
    if (is_shape(*this, arity)) {
        if (auto res = nest(*this, arity, body, false)) return res;
        // an unknown rank stays an array over the shape itself
    } else check_arity(*this, arity);
    if (auto n = isa_lit(arity)) {
        if (n->value() == 1) return body;
        if (n->value() == 0) return level(body), unit_type_;
    }
    return impl_->unify(key, [&] { return sort(level(body)); });
}

Arr* World::mut_arr(const Def* arity) {
    check_arity(*this, arity);
    auto arr = impl_->alloc_mut<Arr>(nullptr, 2);
    impl_->set_op(arr, 0, arity);
    impl_->add_flags(arr, Impl::inherited(arity));
    impl_->set_var(arr, impl_->make_var(arr, idx(arity)));
    return arr;
}

const Def* World::seal(Arr* arr, const Def* body) {
    auto arity  = arr->arity();
    auto result = sort(level(body));
    if (!body->is_unstable()) {
        if (!is_free_in(arr->var(), body)) return this->arr(arity, body);
        if (auto n = isa_lit(arity); n && n->value() <= MaxExpansion) {
            std::vector<const Def*> ops(n->value());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = subst(body, arr->var(), lit_idx(n->value(), i));
            return sigma(ops);
        }
    }
    impl_->set_op(arr, 1, body);
    impl_->set_type(arr, result);
    impl_->add_flags(arr, Def::IsSet | Impl::inherited(arity) | Impl::inherited(body));
    return impl_->canonical(arr);
}

const Def* World::pack(const Def* arity, const Def* body) {
    if (is_shape(*this, arity)) {
        if (auto res = nest(*this, arity, body, true)) return res;
    } else check_arity(*this, arity);
    if (auto n = isa_lit(arity)) {
        if (n->value() == 1) return body;
        if (n->value() == 0) return unit_;
    }
    const Def* ops[] = {arity, body};
    NodeKey key{.node = Node::Pack, .ops = ops};
    return impl_->unify(key, [&] { return arr(arity, body->type()); });
}

Pack* World::mut_pack(const Def* arity) {
    check_arity(*this, arity);
    auto pack = impl_->alloc_mut<Pack>(nullptr, 2);
    impl_->set_op(pack, 0, arity);
    impl_->add_flags(pack, Impl::inherited(arity));
    impl_->set_var(pack, impl_->make_var(pack, idx(arity)));
    return pack;
}

const Def* World::seal(Pack* pack, const Def* body) {
    auto arity = pack->arity();
    if (!body->is_unstable()) {
        if (!is_free_in(pack->var(), body)) return this->pack(arity, body);
        if (auto n = isa_lit(arity); n && n->value() <= MaxExpansion) {
            std::vector<const Def*> ops(n->value());
            for (size_t i = 0; i < ops.size(); ++i) ops[i] = subst(body, pack->var(), lit_idx(n->value(), i));
            return tuple(ops);
        }
    }
    auto type = mut_arr(arity);
    impl_->set_op(pack, 1, body);
    impl_->set_type(pack, seal(type, subst(body->type(), pack->var(), type->var())));
    impl_->add_flags(pack, Def::IsSet | Impl::inherited(arity) | Impl::inherited(body));
    return impl_->canonical(pack);
}

/*
 * singletons
 */

const Def* World::sing(const Def* value) {
    const Def* ops[] = {value};
    NodeKey key{.node = Node::Sing, .ops = ops};
    return impl_->unify(key, [&] { return sort(level(value->type())); });
}

} // namespace mim
