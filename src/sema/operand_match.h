// SPDX-License-Identifier: MIT
// Which types of operands a declaration of an operator takes: its type is a pattern, whose variables are the implicit
// parameters. Matching is first order and one way: nothing is converted, searched for, or instantiated, and no
// placeholder is made.
#pragma once
#include <unordered_set>
#include <vector>

#include "ir/world.h"

namespace mim {

/// The type of an operator, taken apart.
class OperatorType {
public:
    OperatorType(World&, const Def* type, bool is_prefix);

    /// False: it does not take operands one by one, as a function of `[]` does not.
    bool is_valid() const { return left_ && right_; }
    /// The types of the operands under the variables of the implicit groups. A prefix operator has the right one alone.
    const Def* left() const { return left_; }
    const Def* right() const { return right_; }
    const std::vector<const Pi*>& implicit() const { return implicit_; }

private:
    std::vector<const Pi*> implicit_;
    const Def *left_ = nullptr, *right_ = nullptr;
};

/// The implicit arguments of an operator, as far as the types of operands told them.
class OperandMatch {
public:
    OperandMatch(World&, const OperatorType&);

    /// Whether the type is an instance of the pattern, which may mention the variables; what they stand for is kept.
    bool match(const Def* pattern, const Def* type);
    /// The first implicit group that has an unknown part; null if all are known.
    const Pi* unknown() const;
    /// The arguments of the implicit groups, which are known.
    std::vector<const Def*> args() const;

private:
    struct Group {
        const Pi* pi;
        std::vector<const Def*> elems; ///< of its argument; null: not known yet
    };
    Group* group_of(const Def* var);
    bool bind(Group&, size_t elem, const Def*);
    bool bind_all(Group&, const Def*);
    bool match_elems(const Def* pattern, const Def* value);
    bool match_pairs(const Def* pattern, const Arr* type);
    bool match_unions(const Def* pattern, const Def* type);
    bool match_ops(const Def* pattern, const Def* type);
    bool mentions_variables(const Def*);

    struct Pair {
        const Def *pattern, *type;
        bool operator==(const Pair&) const = default;
    };
    struct Hash {
        size_t operator()(const Pair& p) const { return p.pattern->hash() * size_t(31) + p.type->hash(); }
    };

    World& world_;
    std::vector<Group> groups_;
    std::unordered_set<Pair, Hash> done_; ///< parts are shared: each pair is matched once
};

} // namespace mim
