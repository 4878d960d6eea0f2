// SPDX-License-Identifier: MIT
// The program that the host starts, whose values come from the command line. Here each number of them is a word.
#pragma once
#include "code.h"
#include "kit/lower.h"

namespace mim::plug::rise {

/// The parts of `%rise.main`, of which a plugin makes code.
class Start {
public:
    Start(World& w, const Lowered& app)
        : w(w)
        , coder_(w)
        , app_(app) {}
    virtual ~Start() = default;

    const Def* run();

protected:
    /// From the arguments to the result, which both are in memory.
    virtual void compute(const Lam* program, const Def* sizes) = 0;
    /// Shows the result: the token, and the status of the process.
    virtual const Def* end();

    const Def* effect(const Def* pair) {
        mem_ = w.extract(pair, 0);
        return w.extract(pair, 1);
    }
    /// Known to have no elements. It counts as a leaf, but there is nothing to read or write.
    bool is_empty(const Leaf&);
    /// The memory of the next leaf: first those of the arguments, then those of the result, which have a count.
    const Def* memory(const Leaf&, const Def* count);
    /// The words of a leaf.
    const Def* count(const Leaf&);

    World& w;
    Coder coder_;
    const Lowered& app_;
    const Def* mem_     = nullptr;
    const Def* program_ = nullptr;

private:
    const Def* sizes(const Lam* program);
    uint64_t num_words(const Def* cell);

    uint64_t next_leaf_ = 0;
};

} // namespace mim::plug::rise
