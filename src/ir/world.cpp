// SPDX-License-Identifier: MIT
// The node table of the World.
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

uint8_t WorldImpl::inherited(const Def* op) {
    auto flags = static_cast<uint8_t>(op->flags_ & (Def::HasDep | Def::HasHole | Def::Stale));
    if (op->is_mut() || op->node() == Node::Var) flags |= Def::HasDep;
    return flags;
}

const Def* WorldImpl::find(const NodeKey& key, NodeKey::Where where) { return find_here(key, where); }

Def* WorldImpl::alloc(Node node, const Def* type, size_t num_ops, bool mut) {
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

const Def* WorldImpl::insert(const NodeKey& key, NodeKey::Where where, const Def* type) {
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

const Def* WorldImpl::make_var(Def* binder, const Def* type) {
    auto var            = alloc(Node::Var, type, 1, false); // not in the table: its binder knows it
    var->ops_begin()[0] = binder;
    var->hash_          = mix(var->id_, 0x5bd1e995);
    var->flags_ = inherited(binder) & Def::HasDep; // it stands for itself; its binder is rebuilt, and with it the variable
    return unwrap(type, var);
}

const Def* WorldImpl::unwrap(const Def* type, const Def* def) {
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

void WorldImpl::check_depth() {
    auto here = static_cast<const char*>(__builtin_frame_address(0));
    auto most = world.limits.max_stack * frame_scale;
    if (stack_is_low() || (evaluation && static_cast<uint64_t>(evaluation - here) > most)) fail(Diag::too_deep);
}

/*
 * construction, constants
 */

World::World()
    : TypeBuilder(*this) {
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

    auto& axiom      = impl_->when_known;
    axiom.name       = sym("%mim.known");
    axiom.properties = Axiom::Internal;
    when_known_      = axm(&axiom, bool_);
}

World::~World() = default;

World::Frozen::Frozen(World& w)
    : world(w) {
    ++world.impl().frozen;
}

World::Frozen::~Frozen() { --world.impl().frozen; }

const World::Stats& World::stats() const {
    const_cast<World*>(this)->stats_.bytes = impl_->arena.bytes();
    return stats_;
}

TokenTypes& World::token_types() { return impl_->token_types; }

} // namespace mim
