// SPDX-License-Identifier: MIT
// Activations of functions, and the slots that live as long as one of them.
#pragma once
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "eval/value.h"

namespace mim::eval {

class Budget;
class Layouts;
class Memory;
class Nodes;

class Activations {
public:
    Activations(Machine& m, Budget& budget, Nodes& nodes, Layouts& layouts, Memory& memory)
        : m_(m)
        , budget_(budget)
        , nodes_(nodes)
        , layouts_(layouts)
        , memory_(memory) {}

    /// For a meaning: the allocation `id` of this activation of the function around `where`; the same one when asked
    /// again.
    Value slot(const Value& type, uint64_t id, const Def* where);
    /// Is told of each expression before it is evaluated for the first time: a call may go on with blocks.
    void note_blocks(const Def* call);
    /// Somebody calls this continuation: ends the activations that were waiting for it.
    void end_waiting(const ClosureObj&);
    void end_waiting(HostObj&);
    /// Ends those of functions in direct style that were called by evaluations nested at least so deeply.
    void end_from(uint32_t depth) {
        for (; !open_.empty() && open_.back()->depth >= depth; open_.pop_back()) end(*open_.back());
    }

private:
    void begin(const Env& function);
    void end(Frame&);

    Machine& m_;
    Budget& budget_;
    Nodes& nodes_;
    Layouts& layouts_;
    Memory& memory_;
    std::unordered_set<const Lam*> blocks_; ///< λs that look like functions, and may be blocks
    std::vector<Env> open_;                 ///< functions in direct style that have slots, innermost last
};

} // namespace mim::eval
