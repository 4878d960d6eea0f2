// SPDX-License-Identifier: MIT
// Unions: which types are members, which one an injection and an arm of a match mean (spec section 1, doc/adr/0011-unions.md). All of it
// looks members up instead of comparing each with each, since a union may have thousands.
#include <algorithm>

#include "ir/apart.h"
#include "ir/order.h"

namespace mim {

/*
 * members
 */

namespace {

/// Unions with at most so many members are searched from front to back.
constexpr size_t few_members = 8;

/// Finds out which expressions are nothing but syntax: no binder, variable, placeholder or implicit domain is in them, so that
/// different ones are not equal.
class Plain {
public:
    bool contains(const Def* def) {
        if (def->has(Def::HasDep) || def->is_mut() || def->is_unstable() || def->has(Def::Implicit)) return false;
        if (def->isa<Lit>()) return contains(def->type());
        if (def->num_ops() == 0) return true;
        if (auto known = memo_.find(def); known != memo_.end()) return known->second;
        bool all          = !stack_is_low() && std::ranges::all_of(def->ops(), [&](auto op) { return contains(op); });
        return memo_[def] = all;
    }

private:
    std::unordered_map<const Def*, bool> memo_;
};

/// Types, each once.
class TypeSet {
public:
    explicit TypeSet(World& world)
        : world_(world) {}
    /// The index of an equal one that is in there already; else of this one.
    size_t add(const Def* type) {
        auto same = find(type);
        if (same != types_.size()) return same;
        types_.push_back(type);
        if (types_.size() == few_members + 1)
            for (size_t i = 0; i != few_members; ++i) file(i);
        if (types_.size() > few_members) file(same);
        return same;
    }
    const std::vector<const Def*>& types() const { return types_; }

private:
    /// The number of types if there is none.
    size_t find(const Def* type) {
        size_t i = 0, n = types_.size();
        if (n <= few_members) {
            while (i != n && !equal(world_, types_[i], type)) ++i;
            return i;
        }
        if (auto known = exact_.find(type); known != exact_.end()) return known->second;
        if (!type->is_set()) return n; // equal to itself only
        auto found = buckets_.find(looks(type));
        if (found == buckets_.end()) return n;
        auto find_in = [&](const std::vector<size_t>& some) {
            auto it = std::ranges::find_if(some, [&](auto other) { return equal(world_, types_[other], type); });
            return it == some.end() ? n : *it;
        };
        auto& bucket = found->second;
        auto other   = find_in(bucket.others);
        return other == n && !plain_.contains(type) ? find_in(bucket.plain) : other;
    }
    void file(size_t i) {
        exact_.emplace(types_[i], i);
        if (!types_[i]->is_set()) return;
        auto& bucket = buckets_[looks(types_[i])];
        (plain_.contains(types_[i]) ? bucket.plain : bucket.others).push_back(i);
    }

    World& world_;
    std::vector<const Def*> types_;
    struct Bucket {
        std::vector<size_t> plain, others;
    };
    Plain plain_;
    std::unordered_map<const Def*, size_t> exact_; ///< of many
    std::unordered_map<uint32_t, Bucket> buckets_; ///< of many, by what they look like
};

} // namespace

const Def* TypeBuilder::union_type(Defs types) {
    auto& w = impl_->world;
    TypeSet set(w);
    for (auto type : types) {
        level(w, type);
        for (auto member : type->isa<Union>() ? type->ops() : Defs(&type, 1)) set.add(member);
    }
    auto members = set.types();
    std::stable_sort(members.begin(), members.end(), [](auto a, auto b) { return compare(a, b) < 0; });
    if (members.empty()) return bot_;
    if (members.size() == 1) return members[0];
    NodeKey key{.node = Node::Union, .ops = members};
    return impl_->unify(key, [&] {
        unsigned max = 0;
        for (auto type : members) max = std::max(max, level(w, type));
        return sort(max);
    });
}

/// Of a union with placeholders nothing is kept.
const MemberIndex& WorldImpl::member_index(const Union* u) {
    auto& index = member_indices[u];
    if (!index || u->is_unstable()) index = std::make_shared<MemberIndex>(world, u->ops());
    return *index;
}

/// Members that may fit a type or a value, in the order of the union.
static std::vector<const Def*> candidates(World& w, WorldImpl& impl, const Union* u, Spot spot) {
    auto members = u->ops();
    if (members.size() <= few_members) return {members.begin(), members.end()};
    std::vector<const Def*> result;
    for (auto i : impl.member_index(u).candidates(w, spot)) result.push_back(members[i]);
    return result;
}

void WorldImpl::check_apart(const Union* u) {
    if (u->is_unstable() || apart_unions.contains(u)) return;
    auto members = u->ops();
    Apart pairs(world);
    auto check = [&](const Def* member, Defs others) {
        for (auto other : others)
            if (other != member && !pairs.check(member, other)) fail(Diag::members_not_apart, {member, other, u});
    };
    // members that are known from top to bottom are apart, since they differ
    std::vector<const Def*> open;
    for (auto member : members)
        if (members.size() <= few_members || !pairs.is_rigid(member)) open.push_back(member);
    for (auto member : open) check(member, candidates(world, *this, u, Apart::type(member)));
    told_apart.insert(pairs.axioms.begin(), pairs.axioms.end());
    if (members.size() > few_members && !open.empty()) {
        auto& axioms = member_index(u).axioms();
        told_apart.insert(axioms.begin(), axioms.end());
    }
    apart_unions.insert(u);
}

/*
 * injection
 */

static void check_injected(World& w, const Def* type, const Def* value) {
    if (value == w.lit_2_64() && type != w.top()) fail(Diag::size_only, {type, value});
    level(w, type);
}

/// The member that inj chooses by itself; null if it is none, or more than one.
static const Def* choose_member(World& w, const Union* u, const Def* value) {
    auto type = value->type();
    auto all  = u->ops();
    if (auto it = std::find(all.begin(), all.end(), type); it != all.end()) return type;
    auto members = candidates(w, w.impl(), u, {value, Spot::Value});
    for (auto member : members)
        if (equal(w, member, type)) return member;
    const Def* fits = nullptr;
    for (auto member : members) {
        if (!assignable(w, member, value)) continue;
        if (fits) return nullptr;
        fits = member;
    }
    return fits;
}

const Def* World::inj(const Def* type, const Def* value) {
    type = refresh(type), value = refresh(value);
    auto u = type->isa<Union>();
    if (!u) return inj(type, value, type);
    check_injected(*this, type, value);
    if (auto member = choose_member(*this, u, value)) return inj(type, value, member);
    for (auto member : u->ops())
        if (assignable(*this, member, value)) fail(Diag::ambiguous_member, {value->type(), type, member});
    fail(Diag::not_a_member, {value->type(), type});
}

/// The one of the types that is equal to `type`; null if none is.
static const Def* find_equal(World& w, Defs types, const Def* type) {
    auto it = std::ranges::find(types, type);
    if (it == types.end()) it = std::ranges::find_if(types, [&](auto other) { return equal(w, other, type); });
    return it == types.end() ? nullptr : *it;
}

/// `from` as it is injected into the members `all` of a union: the member that is equal to it, or itself, if it is a union of some of them.
/// A union is flat, so a member that was a type variable is no member any more once it is a union. Null if it is neither.
static const Def* member_or_part(World& w, Defs all, const Def* from) {
    if (auto member = find_equal(w, all, from)) return member;
    auto part = from->isa<Union>();
    if (!part) return nullptr;
    bool is_part = std::ranges::all_of(part->ops(), [&](auto member) { return find_equal(w, all, member); });
    return is_part ? part : nullptr;
}

/// The union may have lost members that turned out to be equal, or be one of them alone, which is itself.
const Def* World::inj(const Def* type, const Def* value, const Def* member) {
    type = refresh(type), value = refresh(value), member = refresh(member);
    check_injected(*this, type, value);
    auto u  = type->isa<Union>();
    auto to = equal(*this, type, member) ? type : member_or_part(*this, u ? u->ops() : Defs(&type, 1), member);
    if (!to) fail(Diag::not_a_member, {member, type});
    if (!assignable(*this, to, value)) fail(Diag::not_assignable, {to, value, value->type()});
    if (to == type) return coerce(type, value);
    auto inner = value->isa<Inj>();
    if (inner && to->isa<Union>()) return inj(type, inner->value(), inner->member()); // what it was injected into first counts
    const Def* ops[] = {coerce(to, value), to};
    NodeKey key{.node = Node::Inj, .ops = ops, .type = type};
    return impl_->unify(key, [&] { return type; });
}

bool is_by_hand(World& w, const Inj* inj) {
    auto u = inj->type()->isa<Union>(); // not in a message about what still contains placeholders
    if (!u || inj->is_unstable()) return false;
    auto value = inj->value(); // as it is written, a tuple has the type that follows from its elements
    return choose_member(w, u, is_declared(value) ? w.tuple(value->ops()) : value) != inj->member();
}

size_t index_of_member(const Inj* inj) {
    auto members = inj->type()->ops();
    return static_cast<size_t>(std::find(members.begin(), members.end(), inj->member()) - members.begin());
}

/*
 * match
 */

/// The arms in the order of the members.
static std::vector<const Def*> sorted(World& w, const Def* type, Defs members, Defs arms) {
    TypeSet set(w);
    for (auto member : members) set.add(member);
    std::vector<const Def*> result(members.size());
    for (auto arm : arms) {
        auto pi = arm->type()->isa<Pi>();
        if (!pi) fail(Diag::not_a_function, {arm, arm->type()});
        auto i = set.add(pi->dom());
        if (i >= members.size()) fail(Diag::not_a_member, {pi->dom(), type});
        if (result[i]) fail(Diag::arms_mismatch, {type, std::string("there are two arms for"), members[i]});
        result[i] = arm;
    }
    for (size_t i = 0; i != result.size(); ++i)
        if (!result[i]) fail(Diag::arms_mismatch, {type, std::string("there is no arm for"), members[i]});
    return result;
}

/// Of a value that was injected into `u`; the arms are in the order of its members.
static const Def* match_injected(World& w, const Union* u, const Inj* inj, Defs arms) {
    auto part = inj->member()->isa<Union>();
    if (!part) return w.app(arms[index_of_member(inj)], inj->value());
    std::vector<const Def*> some;
    for (size_t i = 0; i != arms.size(); ++i)
        if (find_equal(w, part->ops(), u->op(i))) some.push_back(arms[i]);
    return w.match(inj->value(), some);
}

const Def* World::match(const Def* scrutinee, Defs arms) {
    scrutinee    = refresh(scrutinee);
    auto type    = refresh(scrutinee->type());
    auto u       = type->isa<Union>();
    auto members = u ? u->ops() : Defs(&type, 1);
    auto in      = sorted(*this, type, members, arms);
    if (!u) return app(in[0], scrutinee);
    impl_->check_apart(u);
    if (auto inj = scrutinee->isa<Inj>()) return match_injected(*this, u, inj, in);
    std::vector<const Def*> ops{scrutinee};
    ops.insert(ops.end(), in.begin(), in.end());
    NodeKey key{.node = Node::Match, .ops = ops};
    return impl_->unify(key, [&] {
        const Def* result = nullptr;
        for (auto arm : in) {
            auto pi = arm->type()->as<Pi>();
            if (pi->var())
                fail(Diag::arms_mismatch,
                     {type, std::string("the result must not depend on the value in the arm for"), pi->dom()});
            if (!result) result = pi->codom();
            else if (!unify(*this, result, pi->codom())) fail(Diag::not_assignable, {result, arm, pi->codom()});
        }
        return result;
    });
}

} // namespace mim
