// SPDX-License-Identifier: MIT
// Inference without placeholders, for the common case: implicit arguments are found by first-order matching of the callee's domains,
// as declared, against the types of the explicit arguments. Nothing is instantiated and no node is built on the way, which is what
// makes `%core.wrap.add 0 (a, b)` cheap. When a domain is out of reach, World::call takes placeholders.
#include <span>

#include "ir/impl.h"

namespace mim {

namespace {
class Inference {
public:
    explicit Inference(World& world)
        : world_(world) {}

    bool run(const Def* type, Defs groups, std::vector<const Def*>& spine) {
        for (auto group : groups) {
            auto pi = type->isa<Pi>();
            for (; pi && pi->is_implicit(); pi = type->isa<Pi>()) {
                if (!open_group(pi)) return false;
                spine.push_back(nullptr);
                type = pi->codom();
            }
            if (!pi) return false;
            if (pi->dom()->has(Def::HasDep) && !match(pi->dom(), group->type())) return false;
            if (pi->var() && !add({pi->var(), nullptr, group})) return false;
            spine.push_back(group);
            type = pi->codom();
        }
        return close(spine);
    }

private:
    struct Leaf {
        const Def* var;   ///< of a Π
        const Def* index; ///< which element of it; null: all of it
        const Def* value; ///< null: not known yet
    };
    struct Group {
        size_t first, count; ///< its leaves
    };

    bool open_group(const Pi* pi) {
        if (!pi->var() || pi->var()->node() != Node::Var) return false; // nothing later mentions it: cannot be inferred
        auto n = lit_arity(world_, pi->dom());
        if (n < 1 || n > int64_t(Max) || num_groups_ == Max) return false;
        groups_[num_groups_++] = {num_leaves_, static_cast<size_t>(n)};
        for (int64_t i = 0; i < n; ++i)
            if (!add({pi->var(), n == 1 ? nullptr : world_.lit_idx(n, static_cast<uint64_t>(i)), nullptr})) return false;
        return true;
    }

    bool add(Leaf leaf) {
        if (num_leaves_ == Max) return false;
        leaves_[num_leaves_++] = leaf;
        return true;
    }

    Leaf* leaf(const Def* pattern) {
        auto ex  = pattern->isa<Extract>();
        auto var = ex ? ex->tuple() : pattern;
        auto idx = ex ? ex->index() : nullptr;
        if (var->node() != Node::Var) return nullptr;
        for (size_t i = 0; i < num_leaves_; ++i)
            if (leaves_[i].var == var && leaves_[i].index == idx) return &leaves_[i];
        return nullptr;
    }

    bool assign(Leaf& l, const Def* def) {
        if (!l.value) return l.value = def, !def->is_unstable();
        return l.value == def;
    }

    /// A group as a whole: `(p, e)` of `{p e: Nat}` is its variable.
    bool match_group(const Def* var, const Def* def) {
        uint64_t i = 0;
        for (auto& l : std::span(leaves_, num_leaves_))
            if (l.var == var && l.index && !assign(l, world_.extract(def, i++))) return false;
        return i != 0;
    }

    bool match(const Def* pattern, const Def* def) {
        if (auto l = leaf(pattern)) return assign(*l, def);
        if (pattern->node() == Node::Var && pattern->type() == def->type() && match_group(pattern, def)) return true;
        if (!pattern->has(Def::HasDep)) return pattern == def;
        if (is_shaped(pattern)) return false; // how many layers are meant, placeholders find out
        if (pattern->node() != def->node() || pattern->num_ops() != def->num_ops()) return false;
        if (pattern->is_mut() || def->is_mut() || pattern->node() == Node::Var || type_is_operand(pattern)) return pattern == def;
        for (size_t i = 0; i < pattern->num_ops(); ++i)
            if (!match(pattern->op(i), def->op(i))) return false;
        return true;
    }

    bool is_shaped(const Def* pattern) { return pattern->isa<Arr>() && pattern->op(0)->type() != world_.nat(); }

    bool close(std::vector<const Def*>& spine) {
        auto group = groups_;
        for (auto& arg : spine) {
            if (arg) continue;
            const Def* ops[Max];
            for (size_t i = 0; i < group->count; ++i)
                if (!(ops[i] = leaves_[group->first + i].value)) return false;
            arg = world_.tuple(Defs(ops, group->count));
            ++group;
        }
        return true;
    }

    World& world_;
    static constexpr size_t Max = 24; ///< beyond this, placeholders do it
    Leaf leaves_[Max];
    Group groups_[Max];
    size_t num_leaves_ = 0, num_groups_ = 0;
};
} // namespace

/// Finds the implicit arguments of `callee` for these explicit groups without placeholders; `spine` gets all groups in
/// order. False if they are out of reach of plain matching (or the call is ill-typed): placeholders are taken then.
static bool infer(World& w, const Def* callee, Defs groups, std::vector<const Def*>& spine) {
    spine.clear();
    return Inference(w).run(callee->type(), groups, spine);
}

const Def* World::call(const Def* callee, Defs groups) {
    std::vector<const Def*> spine;
    if (infer(*this, callee, groups, spine)) {
        return mim::apply(*this, callee, spine);
    }
    for (auto group : groups) {
        for (auto pi = callee->type()->isa<Pi>(); pi && pi->is_implicit(); pi = refresh(callee->type())->isa<Pi>())
            callee = app(callee, holes.make(pi->dom()));
        callee = app(callee, group);
    }
    callee = refresh(callee);
    if (callee->has(Def::HasHole)) holes.report(callee);
    return callee;
}

/*
 * groups as C++ writes them
 */

static const Def* expression(World& world, const World::Group& group) {
    if (group.is_number) return world.lit_nat(group.number);
    return group.is_tuple ? world.tuple(group.elems) : group.def;
}

const Def* call_groups(World& world, const Def* callee, std::initializer_list<World::Group> groups) {
    std::array<const Def*, 4> given;
    size_t n = 0;
    for (auto& group : groups)
        if (auto def = expression(world, group)) given[n++] = def;
    return world.call(callee, Defs(given.data(), n));
}

const Def* apply_groups(World& world, const Def* callee, std::initializer_list<World::Group> groups) {
    for (auto& group : groups)
        if (auto def = expression(world, group)) callee = world.app(callee, def);
    return callee;
}

} // namespace mim
