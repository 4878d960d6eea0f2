// SPDX-License-Identifier: MIT
// The node table, literals and side tables of the World.
#include "ir/world.h"

#include <algorithm>

#include <sys/mman.h>

#include "ir/impl.h"

namespace mim {

std::string_view node_name(Node node) {
    static constexpr std::string_view names[] = {
#define MIM_NODE_NAME(name, ops) #name,
        MIM_NODES(MIM_NODE_NAME)
#undef MIM_NODE_NAME
    };
    return names[static_cast<size_t>(node)];
}

const Def* Def::sort_type() const { return payload_.world->sort(aux_ + 1u); }

/*
 * arena
 */

static constexpr size_t Chunk = 64 << 10; ///< below what malloc maps apart, so that memory the front end freed is used again

Arena::~Arena() {
    for (auto chunk : chunks_) ::operator delete(chunk);
}

void* Arena::alloc(size_t bytes) {
    bytes = (bytes + 7) & ~size_t(7);
    if (static_cast<size_t>(end_ - cur_) < bytes) grow(bytes);
    auto res = cur_;
    cur_ += bytes;
    bytes_ += bytes;
    return res;
}

void Arena::grow(size_t bytes) {
    if (limit && bytes_ + bytes > *limit) fail(Diag::out_of_memory, {std::to_string(*limit >> 20)});
    auto size = std::max(bytes, chunks_.empty() ? Chunk / 4 : Chunk);
    chunks_.push_back(::operator new(size));
    cur_ = static_cast<char*>(chunks_.back());
    end_ = cur_ + size;
}

/*
 * node table
 */

uint8_t World::Impl::inherited(const Def* op) {
    auto flags = static_cast<uint8_t>(op->flags_ & (Def::HasDep | Def::HasHole | Def::Stale));
    if (op->is_mut() || op->node() == Node::Var) flags |= Def::HasDep;
    return flags;
}

const Def* World::Impl::find(const NodeKey& key, NodeKey::Where where) { return find_here(key, where); }

Def* World::Impl::alloc(Node node, const Def* type, size_t num_ops, bool mut) {
    auto bytes = sizeof(Def) + (num_ops + (mut ? 1 : 0)) * sizeof(const Def*);
    auto def   = new (arena.alloc(bytes)) Def(node, type, num_ops);
    def->id_   = next_id++;
    if (mut) {
        def->flags_ = Def::Mut;
        def->hash_  = mix(def->id_, 0x5bd1e995);
        std::memset(static_cast<void*>(def->ops_begin()), 0, (num_ops + 1) * sizeof(const Def*));
    }
    ++world.stats_.nodes;
    return def;
}

const Def* World::Impl::insert(const NodeKey& key, NodeKey::Where where, const Def* type) {
    auto def    = alloc(key.node, type, key.ops.size(), false);
    def->hash_  = where.hash;
    def->flags_ = key.flags;
    // App keeps how many groups its axiom waits for in aux, which is derived and not part of the key.
    def->aux_ = key.aux;
    if (key.node == Node::Lit || key.node == Node::Axm) def->payload_.value = key.value;
    if (key.node == Node::Sort) def->payload_.world = &world;
    for (size_t i = 0; i < key.ops.size(); ++i) {
        def->ops_begin()[i] = key.ops[i];
        def->flags_ |= inherited(key.ops[i]);
    }
    if (key.type) def->flags_ |= inherited(key.type);
    table.insert(where.newest, {def, where.hash});
    return def;
}

const Def* World::Impl::make_var(Def* binder, const Def* type) {
    auto var            = alloc(Node::Var, type, 1, false); // not in the table: its binder knows it
    var->ops_begin()[0] = binder;
    var->hash_          = mix(var->id_, 0x5bd1e995);
    var->flags_ = inherited(binder) & Def::HasDep; // it stands for itself; its binder is rebuilt, and with it the variable
    return unwrap(type, var);
}

const Def* World::Impl::unwrap(const Def* type, const Def* def) {
    if (auto sing = type->isa<Sing>()) return sing->value();
    return def;
}

/// How many times as much stack a call takes as in an ordinary build, which the limit speaks of.
#ifndef __has_feature
#    define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
static constexpr uint64_t frame_scale = 4;
#else
static constexpr uint64_t frame_scale = 1;
#endif

void World::Impl::check_depth() {
    auto here = static_cast<const char*>(__builtin_frame_address(0));
    auto most = world.limits.max_stack * frame_scale;
    if (stack_is_low() || (evaluation && static_cast<uint64_t>(evaluation - here) > most)) fail(Diag::too_deep);
}

/*
 * construction, constants
 */

World::World()
    : impl_(std::make_unique<Impl>(*this)) {
    auto constant = [&](Node node, const Def* type) {
        NodeKey key{.node = node};
        return impl_->insert(key, type);
    };
    star_ = sort(0);
    bot_  = constant(Node::Bot, star_);
    top_  = constant(Node::Top, star_);
    nat_  = constant(Node::Nat, star_);
    idx_  = constant(Node::Idx, pi(nat_, star_));
    NodeKey big{.node = Node::Lit, .aux = 1, .type = top_};
    lit_2_64_  = impl_->insert(big, top_);
    unit_type_ = sigma(Defs{});
    unit_      = tuple(Defs{});
    bool_      = idx(2);
    ff_        = lit_idx(2, 0);
    tt_        = lit_idx(2, 1);
}

World::~World() = default;

const Def* World::sort(unsigned level) {
    static constexpr unsigned Max = 1 << 15;
    if (level >= Max) fail(Diag::bad_level, {std::to_string(level), std::to_string(Max)});
    auto known = level < std::size(impl_->sorts) ? &impl_->sorts[level] : nullptr;
    if (known && *known) return *known;
    NodeKey key{.node = Node::Sort, .aux = static_cast<uint16_t>(level)};
    auto sort = impl_->unify(key, [&] { return nullptr; });
    if (known) *known = sort;
    return sort;
}

const Def* World::i64_type() { return idx(lit_2_64_); }
const Def* World::idx(const Def* size) { return app(idx_, size); }

const Def* World::lit_nat(uint64_t value) {
    NodeKey key{.node = Node::Lit, .type = nat_, .value = value};
    auto make = [&] { return impl_->unify(key, [&] { return nat_; }); };
    if (value >= std::size(impl_->small_nats)) return make();
    auto& small = impl_->small_nats[value]; // arities
    return small ? small : small = make();
}

const Def* World::lit_idx(const Def* size, uint64_t value) { return lit(idx(size), value); }

const Def* World::lit(const Def* type, uint64_t value) {
    if (type == nat_) return lit_nat(value);
    auto size = isa_idx(type);
    auto n    = size ? size->isa<Lit>() : nullptr;
    if (!n || (!n->is_2_64() && value >= n->value())) fail(Diag::literal_out_of_range, {std::to_string(value), type});
    NodeKey key{.node = Node::Lit, .type = type, .value = value};
    return impl_->unify(key, [&] { return type; });
}

const Def* World::raw_lit(const Def* type, uint64_t bits) {
    NodeKey key{.node = Node::Lit, .type = type, .value = bits};
    return impl_->unify(key, [&] { return type; });
}

const Def* World::axm(const Axiom* axiom, const Def* type) {
    level(type);
    NodeKey key{.node  = Node::Axm,
                .aux   = static_cast<uint16_t>(axiom->curry + 1),
                .type  = type,
                .value = reinterpret_cast<uint64_t>(axiom)};
    return impl_->unify(key, [&] { return type; });
}

const World::Stats& World::stats() const {
    const_cast<World*>(this)->stats_.bytes = impl_->arena.bytes();
    return stats_;
}

/*
 * views
 */

const Def* isa_idx(const Def* type) {
    auto app = type->isa<App>();
    return app && app->callee()->node() == Node::Idx ? app->arg() : nullptr;
}

const Axm* head_axiom(const Def* def) {
    while (auto app = def->isa<App>()) def = app->callee();
    return def->isa<Axm>();
}

const Def* group(const Def* app, size_t i) {
    for (auto after = num_groups(app) - 1 - i; after != 0; --after) app = app->as<App>()->callee();
    return app->as<App>()->arg();
}

const Def* elem(World& w, const Def* tuple, uint64_t i) {
    if (auto known = tuple->isa<Tuple>()) return known->op(i);
    return w.extract(tuple, i);
}

size_t num_groups(const Def* def) {
    size_t n = 0;
    for (; auto app = def->isa<App>(); def = app->callee()) ++n;
    return n;
}

const Def* last_codom(const Def* type) {
    auto behind = type; // at half the speed: on a circle it is caught up with
    for (bool is_odd = false; type->is_set() && type->isa<Pi>(); is_odd = !is_odd) {
        type = type->as<Pi>()->codom();
        if (type == behind) return type;
        if (is_odd) behind = behind->as<Pi>()->codom();
    }
    return type;
}

size_t num_params(const Def* type) {
    if (last_codom(type)->isa<Pi>()) return 0;
    size_t n = 0;
    for (auto pi = type->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>()) ++n;
    return n;
}

const Axm* saturated_axiom(const Def* def) {
    auto axm = head_axiom(def);
    return axm && num_groups(def) == axm->axiom().curry ? axm : nullptr;
}

/*
 * annexes and side tables
 */

void World::define_annex(AnnexId id, Symbol name, const Def* def) {
    impl_->annexes[id]       = def;
    impl_->annex_names[name] = def;
    if (auto axm = def->isa<Axm>(); axm && axm->axiom().has(Axiom::LinearType)) impl_->has_linear_types = true;
}

bool World::has_linear_types() const { return impl_->has_linear_types; }

TokenTypes& World::token_types() { return impl_->token_types; }

const Def* World::annex(AnnexId id) const {
    auto it = impl_->annexes.find(id);
    if (it == impl_->annexes.end()) fail(Diag::unknown_annex, {std::to_string(id.tag) + "." + std::to_string(id.sub)});
    return it->second;
}

const Def* World::annex(Symbol name) const {
    auto it = impl_->annex_names.find(name);
    return it == impl_->annex_names.end() ? nullptr : it->second;
}

void World::set_name(const Def* d, Symbol s) { impl_->names.put(d, s); }
void World::set_fields(const Def* d, std::vector<Symbol> f) {
    impl_->fields.put(d, &*impl_->field_lists.insert(std::move(f)).first); // many functions have parameters of the same names
}

Symbol World::name(const Def* d) const {
    auto name = impl_->names.find(d);
    return name ? *name : Symbol();
}

const std::vector<Symbol>* World::fields(const Def* d) const {
    auto fields = impl_->fields.find(d);
    return fields ? *fields : nullptr;
}

void World::make_external(Symbol name, Lam* lam) {
    if (auto old = external(name.view())) fail(Diag::external_twice, {name.str(), old->type()});
    impl_->external_index[name] = externals_.size();
    externals_.push_back({name, lam});
}

/// The index of an external function that must be there.
static size_t external_at(const World& world, const auto& index, Symbol name) {
    auto i = index.find(name);
    if (i == index.end()) fail(Diag::unknown_external, {name.str(), external_names(world)});
    return i->second;
}

void World::replace_external(Symbol name, Lam* lam) { externals_[external_at(*this, impl_->external_index, name)].lam = lam; }

void World::remove_external(Symbol name) {
    auto i = external_at(*this, impl_->external_index, name);
    externals_.erase(externals_.begin() + static_cast<std::ptrdiff_t>(i));
    impl_->external_index.clear();
    for (size_t j = 0; j < externals_.size(); ++j) impl_->external_index[externals_[j].name] = j;
}

std::string external_names(const World& world) {
    std::string names;
    for (auto& e : world.externals()) names += (names.empty() ? "`" : ", `") + e.name.str() + "`";
    return names.empty() ? "none" : names;
}

const World::External* open_external(const World& world) {
    auto open = std::ranges::find_if(world.externals(), [](auto& e) { return !e.lam->is_set(); });
    return open == world.externals().end() ? nullptr : &*open;
}

Lam* World::external(std::string_view name) const {
    for (auto& e : externals_)
        if (e.name == name) return e.lam;
    return nullptr;
}

} // namespace mim
