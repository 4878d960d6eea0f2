// SPDX-License-Identifier: MIT
// Which operations share loops: reductions over one space that read the same elements, and the operation that makes
// these elements if others want them, too. Each element is then made and reduced in one turn.
//
// Nothing else changes. Terms are reduced in the same order. No operation depends on another one of the group but
// through the element of the turn, all are evaluated as often as each other, and whoever needs what one makes needs all
// others, so nothing is evaluated in vain.
#pragma once
#include <functional>
#include <optional>

#include "analysis/snapshot.h"
#include "ir/world.h"

namespace mim::plug::tensor {

/// A turn of the loops of an operation.
struct Turns {
    DefVec extents;    ///< of the iteration space; loops are in row-major order
    size_t num_around; ///< as many dimensions are those of the result; all: nothing is reduced
    DefVec inputs;     ///< arrays whose element at the index of the turn is read
    DefVec others;     ///< whatever else the operation is made of
    DefVec functions;  ///< each turn calls them

    bool reduces() const { return num_around != extents.size(); }
};

/// None if the operation has no loops, or if they are in another order.
std::optional<Turns> turns_of(World&, const Def* op);

/// Operations whose loops are the same ones.
struct Group {
    const Def* array = nullptr; ///< the one that makes elements; null: there is none
    bool is_kept     = false;   ///< others want its elements, too
    DefVec reductions;

    bool is_none() const { return reductions.empty(); }
};

class Siblings {
public:
    /// Questions about operations of the program, as it was.
    struct Questions {
        /// The elements of the first one are computed where the second one reads them.
        std::function<bool(const Def* producer, const Def* reader)> is_fused;
        /// It is evaluated again and again while the other one is not.
        std::function<bool(const Def* inner, const Def* outer)> is_deeper;
        /// It has no loops yet, and nobody says how they are made.
        std::function<bool(const Def* op)> is_open;
    };

    Siblings(World& world, const Snapshot& program, Questions questions)
        : w(world)
        , program_(program)
        , ask_(std::move(questions)) {}

    /// The group of an operation whose loops are about to be made; none: it has loops of its own.
    Group find(const Def* op);
    /// While loops of these are made, none of the operations that come to be asked for may share loops with one that
    /// needs them.
    void begin(const Group&);
    void end(const Group&);

private:
    /// The operations whose elements a turn of one computes, itself among them, and the arrays that it reads.
    struct Step {
        DefVec path, leaves;
    };
    void add_step(const Def* op, const Turns&, Step&);
    Step step_of(const Def* op);
    DefVec operations_with(const Def* array);
    DefVec readers(const Def* array, const Turns& space);
    void add_readers(const Def* array, const Turns& space, size_t depth, DefVec& result);
    bool reads_in_turn(const Def* op, const Def* array);

    bool fits(const Def* op, const Turns& space, const Group&);
    bool makes_elements(const Def* op, const Turns& space);
    bool is_fused_elsewhere(const Def* reduction);
    /// Whether it depends on `on` in another way than through the element of the turn.
    bool depends_otherwise(const Def* op, const Def* on);
    bool depends(const Def* def, const Def* on);
    /// Whoever needs `def` needs `other`.
    bool is_needed_with(const Def* def, const Def* other, const Turns& space);
    /// Evaluating `def` evaluates `other`.
    bool evaluates(const Def* def, const Def* other, const Turns& space);
    bool is_read_by_all(const Def* array, const Group&);
    bool goes_on() { return budget_ != 0 && --budget_ != 0; }

    World& w;
    const Snapshot& program_;
    Questions ask_;
    DefVec active_;     ///< members of groups whose loops are being made
    size_t budget_ = 0; ///< of nodes to look at for one group
};

} // namespace mim::plug::tensor
