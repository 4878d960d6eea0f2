// SPDX-License-Identifier: MIT
// Private to src/ir: the node table, the arena and the memo tables behind World.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/stack.h"
#include "ir/active_calls.h"
#include "ir/def_map.h"
#include "ir/local_table.h"
#include "ir/spine.h"
#include "ir/token_types.h"
#include "ir/var_set.h"
#include "ir/world.h"

namespace mim {

inline uint32_t mix(uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return static_cast<uint32_t>(h >> 32) ^ static_cast<uint32_t>(h);
}

/// Bump allocation in large chunks; counts bytes and refuses to pass the limit.
class Arena {
public:
    ~Arena();
    void* alloc(size_t bytes);
    size_t bytes() const { return bytes_; }
    const uint64_t* limit = nullptr;

private:
    void grow(size_t bytes);
    std::vector<void*> chunks_;
    char *cur_ = nullptr, *end_ = nullptr;
    size_t bytes_ = 0;
};

class FreeVars {
public:
    explicit FreeVars(Arena& arena)
        : sets_(arena) {}

    const VarSet* of(const Def*);
    Defs elements(const VarSet* set) { return sets_.elements(set); }
    /// That of a binder whose operands are sealed, which is not kept.
    const VarSet* around(const Def* binder);

private:
    const VarSet* leaf(const Def*);
    const VarSet* direct(const Def*);
    static const VarSet* known(const Def* mut);
    bool compute(const Def* mut);

    VarSets sets_;
    const VarSet* computed_ = nullptr; ///< result of compute
};

/// Two nodes → one.
class PairMap {
public:
    const Def* find(const Def* a, const Def* b) {
        auto slot = find({a->id(), b->id()});
        return slot ? slot->value : nullptr;
    }
    /// Replaces what was there.
    void put(const Def* a, const Def* b, const Def* value) {
        Slot slot{a->id(), b->id(), value};
        if (auto old = find(slot)) *old = slot;
        else table_.insert(slot.newest(), slot);
    }
    void clear() { table_.clear(); }

private:
    struct Slot {
        uint32_t a = 0, b = 0;
        const Def* value = nullptr;
        explicit operator bool() const { return value; }
        uint32_t hash() const { return mix(a * 0x9e3779b9ull + 1, b); }
        uint32_t newest() const { return std::max(a, b); }
    };
    Slot* find(Slot pair) {
        return table_.find(pair.newest(), pair.hash(), [&](auto& s) { return s.a == pair.a && s.b == pair.b; });
    }
    LocalTable<Slot> table_;
};

/// What makes an immutable node unique.
struct NodeKey {
    Node node;
    uint8_t flags   = 0; ///< Implicit
    uint16_t aux    = 0; ///< Lit, Sort
    Defs ops        = {};
    const Def* type = nullptr; ///< Lit, Inj, Axm, declared tuples: part of the identity
    uint64_t value  = 0;       ///< Lit, Axm (descriptor): they have a type
    /// The fields but operands, type and value in one word, as they lie in a Def.
    uint64_t shape() const {
        return ops.size() | static_cast<uint64_t>(node) << 32 | static_cast<uint64_t>(flags) << 40
               | static_cast<uint64_t>(aux) << 48;
    }
    /// Where it is in the node table.
    struct Where {
        uint64_t shape;
        uint32_t newest; ///< the id of the newest node in it
        uint32_t hash;
    };
    Where where() const {
        auto shape      = this->shape();
        uint64_t h      = shape * 0x9e3779b97f4a7c15ull;
        uint32_t newest = 0;
        auto add        = [&](const Def* def) {
            h      = (h ^ def->id()) * 0x9e3779b97f4a7c15ull;
            newest = std::max(newest, def->id());
        };
        for (auto op : ops) add(op);
        if (type) add(type), h = ((h ^ h >> 32) ^ value) * 0x94d049bb133111ebull;
        return {shape, newest, static_cast<uint32_t>(h >> 32) ^ static_cast<uint32_t>(h)};
    }
};

class MemberIndex;

struct WorldImpl {
    explicit WorldImpl(World& w)
        : world(w) {
        arena.limit = &w.limits.max_memory;
    }

    /// Whether the tuple has become empty: nothing tells what type its element had, and there is no index, either.
    bool is_absurd(const Def* tuple, const Def* index);
    /// Such an element. `type` is what became of the type it had.
    const Def* absurd_element(const Def* type, const Def* tuple, const Def* index);

    /// Of the node table: a node, and in the bits that no address has some of its hash, which saves looking at nodes in the way.
    class Slot {
    public:
        Slot() = default;
        Slot(const Def* def, uint32_t hash)
            : word_(reinterpret_cast<uintptr_t>(def) | tag(hash)) {}
        explicit operator bool() const { return word_; }
        const Def* def() const { return reinterpret_cast<const Def*>(word_ << 16 >> 16); }
        uint32_t hash() const { return def()->hash_; }
        bool may_have(uint32_t hash) const { return (word_ ^ tag(hash)) >> 48 == 0; }

    private:
        static uint64_t tag(uint32_t hash) { return static_cast<uint64_t>(hash) << 48; } // the upper half decides where it is
        uint64_t word_ = 0;
    };

    /// @name nodes
    ///@{
    const Def* find(const NodeKey&, NodeKey::Where);
    /// The same in line, for requests that mostly hit: what the key lacks is not compared then.
    [[gnu::always_inline]] const Def* find_here(const NodeKey& key, NodeKey::Where where) {
        auto is_it = [&](Slot slot) {
            if (!slot.may_have(where.hash)) return false;
            auto def = slot.def();
            if (shape(def) != where.shape) return false;
            if (key.type && (def->type_ != key.type || (has_value(key.node) && def->payload_.value != key.value))) return false;
            auto ops = def->ops_begin();
            size_t j = 0, n = key.ops.size(); // std::equal would call memcmp
            while (j < n && ops[j] == key.ops[j]) ++j;
            return j == n;
        };
        auto slot = table.find(where.newest, where.hash, is_it);
        return slot ? slot->def() : nullptr;
    }
    static bool has_value(Node node) { return node == Node::Lit || node == Node::Axm; }
    const Def* insert(const NodeKey&, NodeKey::Where, const Def* type);
    const Def* insert(const NodeKey& key, const Def* type) { return insert(key, key.where(), type); }
    /// find, or insert with the type that `make_type` computes.
    template<class F>
    const Def* unify(const NodeKey& key, F make_type) {
        auto where = key.where();
        if (auto def = find(key, where)) return def;
        return insert(key, where, make_type());
    }
    Def* alloc(Node, const Def* type, size_t num_ops, bool mut);
    const Def* new_tuple(Defs ops, NodeKey::Where, const Def* found);
    const Def* declared(const Def* type, Defs ops);
    /// `elems` becomes the elements of `value` with the types that they have in `type`; whether some differ.
    bool coerce_elems(const Def* type, const Def* value, std::vector<const Def*>& elems);
    const Def* coerce_pack(const Arr*, const Pack*);
    /// What NodeKey::shape is of the key of an immutable node.
    static uint64_t shape(const Def* d) {
        auto word = d->num_ops_ | static_cast<uint64_t>(d->node_) << 32 | static_cast<uint64_t>(d->flags_) << 40
                    | static_cast<uint64_t>(d->aux_) << 48;
        return word & ~(static_cast<uint64_t>(0xff & ~Def::Implicit) << 40);
    }
    template<class T>
    T* alloc_mut(const Def* type, size_t num_ops) {
        return static_cast<T*>(alloc(T::Tag, type, num_ops, true));
    }
    void set_op(Def* d, size_t i, const Def* op) { d->ops_begin()[i] = op; }
    void set_var(Def* d, const Def* var) { d->ops_begin()[d->num_ops_] = var; }
    const Def* make_var(Def* binder, const Def* type);
    void add_flags(const Def* d, uint8_t f) { d->flags_ |= f; }
    void clear_flags(const Def* d, uint8_t f) { d->flags_ &= static_cast<uint8_t>(~f); }
    void set_type(Def* d, const Def* type) { d->type_ = type; }
    uint16_t aux(const Def* d) const { return d->aux_; }
    /// Both are calls of one axiom, with as many groups of arguments.
    void set_groups(App* d, const App* like) { d->aux_ = like->aux_; }
    /// Flags that a node inherits from its operands (and type, where that is part of its identity).
    static uint8_t inherited(const Def* op);
    ///@}

    /// @name sealing (canonical.cpp)
    ///@{
    uint32_t shape_of(const Def*);
    uint32_t inner_shape(const Def*);
    /// The representative of a sealed, stable, non-recursive binder.
    const Def* canonical(Def* binder);
    ///@}

    /// `ops`: callee and argument.
    NodeKey app_key(Defs ops) const {
        auto aux       = this->aux(ops[0]);
        bool axiomatic = ops[0]->node() == Node::Axm || ops[0]->node() == Node::App;
        return {.node = Node::App, .aux = static_cast<uint16_t>(axiomatic && aux > 1 ? aux - 1 : 0), .ops = ops};
    }
    /// `absent`: it is not in the table.
    const Def* app_checked(const Def* callee, const Def* arg, NodeKey::Where, bool absent);
    const Def* new_app(const Pi*, const NodeKey&, NodeKey::Where, uint8_t extra_flags);
    const Def* app_frozen(const Def* callee, const Def* arg);
    const Def* normalize_app(const Pi* pi, const Def* callee, const Def* arg);
    /// The groups of a curried λ: each but the first is the body of the one before.
    const Lam* building = nullptr; ///< with -g (building.h)
    const Def* beta(std::span<const Reduction> groups);
    const Def* reduce(std::span<const Reduction> groups, const Def* arg, Place site);
    const Def* unreduced(std::span<const Reduction> groups);
    /// What `build` makes where it may reduce a call that stands at this place.
    template<class F>
    const Def* call_from(Place call, F build) {
        call_site = call;
        auto res  = build();
        call_site = {};
        return res;
    }
    /// `pi`: the type of the callee, which may be instantiated further than the callee itself.
    void check_arg(const Pi* pi, const Def* callee, const Def* arg);
    const Def* coerce_arg(const Pi* pi, const Def* arg);
    bool wants_beta(const Lam*, const Def* arg);
    bool is_known_call(const Lam*, const Def* arg);
    const Lam* next_group(const Lam*);
    const Lam* folded_head(const Def* callee);
    const Def* fold_groups(const Def* callee, const Def* arg);
    bool waits(const Def* callee, const Def* arg);
    bool has_eager_rule(const Def* callee) const;
    const Def* raw_app(const Pi* pi, const Def* callee, const Def* arg, uint8_t extra_flags);
    const Def* unwrap(const Def* type, const Def* def); ///< a value of singleton type is its value
    const Def* bind_elem(const Sigma*, const Def* e, size_t i);
    const Def* insert_anywhere(const Def* e, const Def* index, const Def* value);
    void check_depth();
    void tick();
    void check_end(const Def* arg);
    void count_beta() {
        tick();
        ++world.stats_.betas;
    }

    World& world;
    Arena arena;
    LocalTable<Slot> table;
    uint32_t next_id = 1;
    std::unordered_multimap<uint32_t, const Def*> alpha_table;
    IdTable<uint32_t> alpha_shapes;
    FreeVars free_vars{arena};
    PairMap app_memo;    ///< (callee, arg) → normal form that is not an App of them
    PairMap spine_memo;  ///< (λ, tuple of several groups) → the reduced application to them, one after the other
    DefMap refresh_memo; ///< flagged node → its rebuilt form; forgotten whenever a placeholder or a body becomes known
    PairMap codom_memo;  ///< (mutable Π, arg) → codomain

    std::vector<Lam*> pending;                ///< λs that are set, but wait for others before they can be sealed
    std::unordered_set<const Def*> recursive; ///< Σs, Πs and pointers that something in them points to
    ActiveCalls active;
    Place call_site; ///< of the call that is asked for next, if that is known
    struct PairHash {
        size_t operator()(const std::pair<const Def*, const Def*>& p) const {
            return mix(p.first->id() * 31ull + 7, p.second->id());
        }
    };
    TokenTypes token_types{world};
    uint64_t steps    = 0;
    unsigned frozen   = 0;       ///< World::Frozen that live
    const Def* absurd = nullptr; ///< the axiom that has Axiom::Absurd
    /// While something is evaluated: where on the stack that began.
    const char* evaluation = nullptr;
    struct Evaluation {
        explicit Evaluation(WorldImpl& i)
            : impl(i)
            , outermost(!i.evaluation) {
            if (outermost) impl.evaluation = static_cast<const char*>(__builtin_frame_address(0));
        }
        ~Evaluation() {
            if (outermost) impl.evaluation = nullptr;
        }
        Evaluation(const Evaluation&)            = delete;
        Evaluation& operator=(const Evaluation&) = delete;
        WorldImpl& impl;
        bool outermost;
    };

    /// @name unions (apart.cpp, unions.cpp)
    ///@{
    /// Throws if two members are not apart.
    void check_apart(const Union*);
    const MemberIndex& member_index(const Union*);
    Axiom when_known;                            ///< of the filter `@_`, which is nothing else
    std::unordered_set<const Axiom*> told_apart; ///< some `match` relies on it that nothing rewrites them
    std::unordered_set<const Def*> apart_unions; ///< their members are known to be
    std::unordered_map<const Def*, std::shared_ptr<const MemberIndex>> member_indices;
    ///@}

    const Def* sorts[8]       = {};
    const Def* small_nats[32] = {};
};

/// The operands that decide what a node depends on: its ops, and its type where that is part of its identity.
inline bool type_is_operand(const Def* d) {
    switch (d->node()) {
        case Node::Inj:
        case Node::Lam: return true;
        case Node::Lit: return d->type()->node() != Node::Nat;
        case Node::Tuple: return is_declared(d);
        default: return false;
    }
}

[[noreturn]] void fail(Diag id, std::vector<Error::Arg> args = {});

} // namespace mim
