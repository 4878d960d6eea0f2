// SPDX-License-Identifier: MIT
// Private to src/ir: comparison up to α (alpha.cpp, where the judgement stands), with or without filling placeholders (unify.cpp).
#pragma once
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/equal_classes.h"
#include "ir/impl.h"
#include "ir/pairing.h"

namespace mim {

/// `several` is a Σ or a tuple, `one` an array or a pack of the same length: the elements of the first are not one node, but may be equal.
bool is_repeated(const Def* several, const Def* one);

class Unifier {
public:
    Unifier(World& world, bool fill)
        : world_(world)
        , fill_(fill) {}
    bool unify(const Def*, const Def*);

private:
    /// A comparison: two expressions, and how the variables that are free in them are paired.
    struct Question {
        const Def *left, *right;
        uint32_t pairing;
        bool operator==(const Question&) const = default;
    };
    struct QuestionHash {
        size_t operator()(const Question& q) const { return mix(q.left->id() * 31ull + q.pairing, q.right->id()); }
    };

    /// @name comparison (alpha.cpp)
    ///@{
    bool is_same(const Def*, const Def*);
    bool unify_nodes(const Def*, const Def*);
    bool unify_imm(const Def*, const Def*);
    bool unify_mut(const Def*, const Def*);
    bool unify_repeated(const Def*, const Def*);
    bool unify_union(const Def*, const Def*);
    bool unify_choice(const Def*, const Def*);
    std::optional<bool> recall(const Question&) const;
    bool is_entered_too_often(const Question&);
    void assume(const Question&);
    bool attempt(const Def*, const Def*);
    const VarSet& free(const Def*);
    ///@}

    /// @name choices by an index that nobody knows (choices.cpp)
    ///@{
    bool agree_in_each_case(const Extract* choice, const Def* other, bool is_left);
    const Def* partner_of(const Def* index, bool is_left);
    ///@}

    /// @name placeholders (unify.cpp)
    ///@{
    class Oriented;
    bool is_outside(const Hole*) const;
    bool are_holes_outside(const Def*) const;
    bool solve(const Hole*, const Def* value);
    std::optional<bool> unify_structured(const Def*, const Def*);
    std::optional<bool> unify_structured(const Oriented&, const Def*, const Def*);
    std::optional<bool> unify_sizes(const Def*, const Def*);
    bool unify_elems(const Oriented&, const Def*, const Def*);
    bool split(const Hole*);
    const Hole* open_hole(const Def*);
    std::optional<bool> solve_element(const Oriented&, const Hole*, const Def* index, const Def* value);
    bool may_become_equal(const Def*, const Def*);
    bool fill_union(std::vector<const Def*> left, std::vector<const Def*> right);
    ///@}

    /// @name shapes (unify_shape.cpp)
    ///@{
    bool is_shape(const Hole*);
    bool solve_shape(const Oriented&, const Hole* shape, const Arr* pattern, const Def* value);
    bool solve_rank(const Hole* shape, size_t rank);
    ///@}

    World& world_;
    bool fill_;
    Pairing pairing_;
    std::unordered_map<Question, bool, QuestionHash> known_; ///< answers; true is an assumption until the whole comparison ends
    std::vector<Question> trail_;                            ///< the assumptions, in order
    EqualClasses classes_;                                   ///< the same for questions without pairs
    std::unordered_map<Question, unsigned, QuestionHash> entered_; ///< how often two binders were entered, whatever the pairing
    size_t num_cases_ = 0;                                         ///< of choices that were compared
};

} // namespace mim
