// SPDX-License-Identifier: MIT
// Types: Π, Σ, arrays, singletons, and the sealing of their binders (spec section 1, "Typing" and "Normalization"); literals.
#include <algorithm>
#include <optional>

#include "ir/copy.h"
#include "ir/impl.h"

namespace mim {

bool is_type(const Def* def) { return def->type() && def->type()->node() == Node::Sort; }

unsigned level(World& w, const Def* type) {
    auto t = type->type();
    if (t->is_unstable()) t = w.refresh(t);
    if (auto s = t->isa<Sort>()) return s->level();
    fail(Diag::not_a_type, {type, t});
}

TypeBuilder::TypeBuilder(World& world)
    : impl_(std::make_unique<WorldImpl>(world)) {}

TypeBuilder::~TypeBuilder() = default;

/*
 * literals
 */

const Def* TypeBuilder::sort(unsigned level) {
    static constexpr unsigned Max = 1 << 15;
    if (level >= Max) fail(Diag::bad_level, {std::to_string(level), std::to_string(Max)});
    auto known = level < std::size(impl_->sorts) ? &impl_->sorts[level] : nullptr;
    if (known && *known) return *known;
    NodeKey key{.node = Node::Sort, .aux = static_cast<uint16_t>(level)};
    auto sort = impl_->unify(key, [&] { return nullptr; });
    if (known) *known = sort;
    return sort;
}

const Def* TypeBuilder::i64_type() { return idx(lit_2_64_); }
const Def* TypeBuilder::idx(const Def* size) { return impl_->world.app(idx_, size); }

const Def* TypeBuilder::lit_nat(uint64_t value) {
    NodeKey key{.node = Node::Lit, .type = nat_, .value = value};
    auto make = [&] { return impl_->unify(key, [&] { return nat_; }); };
    if (value >= std::size(impl_->small_nats)) return make();
    auto& small = impl_->small_nats[value]; // arities
    return small ? small : small = make();
}

const Def* TypeBuilder::lit_idx(const Def* size, uint64_t value) { return lit(idx(size), value); }

const Def* TypeBuilder::lit(const Def* type, uint64_t value) {
    if (type == nat_) return lit_nat(value);
    auto size = isa_idx(type);
    auto n    = size ? size->isa<Lit>() : nullptr;
    if (!n || (!n->is_2_64() && value >= n->value())) fail(Diag::literal_out_of_range, {std::to_string(value), type});
    NodeKey key{.node = Node::Lit, .type = type, .value = value};
    return impl_->unify(key, [&] { return type; });
}

const Def* TypeBuilder::raw_lit(const Def* type, uint64_t bits) {
    NodeKey key{.node = Node::Lit, .type = type, .value = bits};
    return impl_->unify(key, [&] { return type; });
}

const Def* TypeBuilder::axm(const Axiom* axiom, const Def* type) {
    level(impl_->world, type);
    NodeKey key{.node  = Node::Axm,
                .aux   = static_cast<uint16_t>(axiom->curry + 1),
                .type  = type,
                .value = reinterpret_cast<uint64_t>(axiom)};
    auto axm = impl_->unify(key, [&] { return type; });
    if (axiom->has(Axiom::Absurd)) impl_->absurd = axm;
    return axm;
}

/*
 * Π
 */

const Def* TypeBuilder::pi(const Def* dom, const Def* codom, bool implicit) {
    const Def* ops[] = {dom, codom};
    NodeKey key{.node = Node::Pi, .flags = implicit ? uint8_t(Def::Implicit) : uint8_t(0), .ops = ops};
    return impl_->unify(key, [&] { return sort(std::max(level(impl_->world, dom), level(impl_->world, codom))); });
}

Pi* World::mut_pi(const Def* dom, bool implicit, const Def* type) {
    auto dom_type = sort(level(*this, dom));
    auto pi       = impl_->alloc_mut<Pi>(type ? type : dom_type, 2);
    impl_->set_op(pi, 0, dom);
    impl_->add_flags(pi, (implicit ? Def::Implicit : 0) | (dom->is_unstable() ? Def::HasHole : 0));
    impl_->set_var(pi, impl_->make_var(pi, dom));
    return pi;
}

const Def* World::seal(Pi* pi, const Def* codom) {
    auto dom    = pi->dom();
    auto result = sort(std::max(level(*this, dom), level(*this, codom)));
    auto var    = pi->var()->isa<Var>(); // of a singleton type it is its value, maybe a variable of a binder around
    bool is_own = var && var->binder() == pi;
    if (!codom->is_unstable() && !(is_own && is_free_in(*this, var, codom))) return this->pi(dom, codom, pi->is_implicit());
    impl_->set_op(pi, 1, codom);
    impl_->set_type(pi, result);
    impl_->add_flags(pi, Def::IsSet | WorldImpl::inherited(dom) | WorldImpl::inherited(codom));
    return impl_->canonical(pi);
}

/*
 * Σ
 */

const Def* TypeBuilder::sigma(Defs types) {
    if (types.size() == 1) return types[0];
    if (types.size() > 1 && std::all_of(types.begin(), types.end(), [&](auto t) { return t == types[0]; }))
        return arr(types.size(), types[0]);
    NodeKey key{.node = Node::Sigma, .ops = types};
    return impl_->unify(key, [&] {
        unsigned max = 0;
        for (auto t : types) max = std::max(max, level(impl_->world, t));
        return sort(max);
    });
}

Sigma* World::mut_sigma(size_t num_ops) {
    auto sigma = impl_->alloc_mut<Sigma>(star_, num_ops);
    impl_->set_var(sigma, impl_->make_var(sigma, sigma));
    return sigma;
}

void World::set(Sigma* sigma, size_t i, const Def* type) {
    auto l = level(*this, type);
    impl_->set_op(sigma, i, type);
    if (l > level(*this, sigma)) impl_->set_type(sigma, sort(l));
    impl_->add_flags(sigma, WorldImpl::inherited(type));
}

const Def* World::seal(Sigma* sigma) {
    impl_->add_flags(sigma, Def::IsSet);
    auto ops = sigma->ops();
    if (!sigma->is_unstable()) {
        auto uses = [&](const Def* op) { return is_free_in(*this, sigma->var(), op); };
        if (std::none_of(ops.begin(), ops.end(), uses)) return this->sigma(ops);
    }
    return impl_->canonical(sigma);
}

const Def* WorldImpl::bind_elem(const Sigma* sigma, const Def* e, size_t i) {
    return sigma->var() ? world.subst(sigma->op(i), sigma->var(), e) : sigma->op(i);
}

/*
 * arrays
 */

static void check_arity(World& w, const Def* arity) {
    if (arity->type() != w.nat() && arity != w.lit_2_64() && !assignable(w, w.nat(), arity))
        fail(Diag::arity_not_nat, {arity, arity->type()});
}

/// `‹r; 1›`: however many layers there are, none of them shows.
static bool has_only_ones(World& w, const Def* shape) {
    auto fill = shape->isa<Pack>();
    return fill && !fill->var() && fill->body() == w.lit_nat(1);
}

/// Types (terms) of shape s: «r; Nat» are nested: «s; T» is «s#0; … «s#(r-1); T»». Null where the rank is not known.
static const Def* nest(World& w, const Def* shape, const Def* body, bool pack) {
    if (has_only_ones(w, shape)) return body;
    auto rank = lit_arity(w, shape->type());
    if (rank < 0) return nullptr;
    for (int64_t i = rank; i-- > 0;) {
        auto n = w.extract(shape, static_cast<uint64_t>(i));
        body   = pack ? w.pack(n, body) : w.arr(n, body);
    }
    return body;
}

/// A shape of one extent is that extent, also where inference finds only later that there is one.
static bool is_shape(World& w, const Def* arity) {
    auto t = w.refresh(arity->type());
    if (t == w.nat() || lit_arity(w, t) == 1) return false;
    if (auto a = t->isa<Arr>()) return a->body() == w.nat();
    if (auto s = t->isa<Sigma>()) return s->num_ops() == 0;
    return false;
}

const Def* TypeBuilder::arr(const Def* arity, const Def* body) {
    auto& w          = impl_->world;
    const Def* ops[] = {arity, body};
    NodeKey key{.node = Node::Arr, .ops = ops};
    auto where = key.where();
    if (auto def = impl_->find(key, where); def && !def->is_unstable()) return def;
    if (is_shape(w, arity)) {
        if (auto res = nest(w, arity, body, false)) return res;
        // an unknown rank stays an array over the shape itself
    } else check_arity(w, arity);
    if (auto n = isa_lit(arity)) {
        if (n->value() == 1) return body;
        if (n->value() == 0) return level(w, body), unit_type_;
    }
    return impl_->unify(key, [&] { return sort(level(w, body)); });
}

/// An array or a pack that binds its index.
template<class T>
static T* mut_of_arity(World& w, const Def* arity) {
    check_arity(w, arity);
    auto& impl  = w.impl();
    auto binder = impl.alloc_mut<T>(nullptr, 2);
    impl.set_op(binder, 0, arity);
    impl.add_flags(binder, WorldImpl::inherited(arity));
    impl.set_var(binder, impl.make_var(binder, w.idx(arity)));
    return binder;
}

/// The elements, if there are few enough to write them out.
static std::optional<std::vector<const Def*>> expand(World& w, const Def* binder, const Def* body) {
    auto n = isa_lit(binder->op(0));
    if (!n || n->value() > MaxExpansion) return {};
    std::vector<const Def*> elems(n->value());
    for (size_t i = 0; i < elems.size(); ++i) elems[i] = w.subst(body, binder->var(), w.lit_idx(n->value(), i));
    return elems;
}

static bool has_one_element(World& w, const Def* arity) { return arity == w.lit_nat(1); }

/// The index of the only element has one value.
static const Def* only_element(World& w, const Def* binder, const Def* body) {
    return is_free_in(w, binder->var(), body) ? w.subst(body, binder->var(), w.lit_idx(1, 0)) : body;
}

Arr* World::mut_arr(const Def* arity) { return mut_of_arity<Arr>(*this, arity); }

const Def* World::seal(Arr* arr, const Def* body) {
    auto arity  = arr->arity();
    auto result = sort(level(*this, body));
    if (has_one_element(*this, arity)) return only_element(*this, arr, body);
    if (!body->is_unstable()) {
        if (!is_free_in(*this, arr->var(), body)) return this->arr(arity, body);
        if (auto types = expand(*this, arr, body)) return sigma(*types);
    }
    impl_->set_op(arr, 1, body);
    impl_->set_type(arr, result);
    impl_->add_flags(arr, Def::IsSet | WorldImpl::inherited(arity) | WorldImpl::inherited(body));
    return impl_->canonical(arr);
}

const Def* World::pack(const Def* arity, const Def* body) {
    if (is_shape(*this, arity)) {
        if (auto res = nest(*this, arity, body, true)) return res;
    } else check_arity(*this, arity);
    if (auto n = isa_lit(arity)) {
        if (n->value() == 1) return body;
        if (n->value() == 0 && !is_type(body)) return unit_; // types are kept: those of the elements that nobody has
    }
    const Def* ops[] = {arity, body};
    NodeKey key{.node = Node::Pack, .ops = ops};
    return impl_->unify(key, [&] { return arr(arity, body->type()); });
}

Pack* World::mut_pack(const Def* arity) { return mut_of_arity<Pack>(*this, arity); }

/// ‹j: n; e#j› ▷ e where e has exactly arity n and does not mention j.
static const Def* eta(World& w, const Pack* pack, const Def* body) {
    auto ex = body->isa<Extract>();
    if (!ex || ex->index() != pack->var() || is_free_in(w, pack->var(), ex->tuple())) return nullptr;
    auto type = ex->tuple()->type()->isa<Arr>();
    return type && type->arity() == pack->arity() ? ex->tuple() : nullptr;
}

const Def* World::seal(Pack* pack, const Def* body) {
    auto arity = pack->arity();
    if (has_one_element(*this, arity)) return only_element(*this, pack, body);
    if (!body->is_unstable()) {
        if (!is_free_in(*this, pack->var(), body)) return this->pack(arity, body);
        if (auto elems = eta(*this, pack, body)) return elems;
        if (auto elems = expand(*this, pack, body)) return tuple(*elems);
    }
    auto type = mut_arr(arity);
    impl_->set_op(pack, 1, body);
    impl_->set_type(pack, seal(type, subst(body->type(), pack->var(), type->var())));
    impl_->add_flags(pack, Def::IsSet | WorldImpl::inherited(arity) | WorldImpl::inherited(body));
    return impl_->canonical(pack);
}

/*
 * singletons
 */

const Def* TypeBuilder::sing(const Def* value) {
    const Def* ops[] = {value};
    NodeKey key{.node = Node::Sing, .ops = ops};
    return impl_->unify(key, [&] { return sort(level(impl_->world, value->type())); });
}

} // namespace mim
