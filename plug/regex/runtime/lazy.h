// SPDX-License-Identifier: MIT
// Deterministic automata whose states are made when a subject asks for them. They are kept in a cache of a bounded
// size, which is cleared when it is full. Where a subject asks for a new state so often that keeping them does not
// pay, the automaton goes on for a while without: then a character takes as many steps as there are nodes which may
// read it, at most as many as the pattern has parts.
//
// If most characters do not leave a state, as in `a.*b`, those that leave it are looked for 32 at a time, as long
// as that pays.
//
// A cache is for one thread. The compiler has it (host/lazy.h), and compiled programs (program.cpp).
#pragma once
#include "places.h"
#include "subsets.h"

namespace mim::plug::regex {

struct LazyLimits {
    size_t bytes  = 8 << 20;   ///< of a cache: states, their rows and the table that finds them
    size_t states = 1u << 24;  ///< of a cache
    size_t least  = 10;        ///< characters that are to be read for each state of a full cache, or it does not pay
    size_t pause  = 64 * 1024; ///< characters that are read without a cache then
};

struct Subject {
    const char* text;
    size_t size;
};

class Lazy {
public:
    static constexpr size_t nowhere = ~size_t(0);

    /// The automaton must live as long, and so must the places. `places`: of an automaton that searches, where a match
    /// may begin; they are looked for as long as that pays.
    explicit Lazy(const Graph&, const LazyLimits& = {}, const Places* places = nullptr);
    bool skips() const { return places_ != nullptr; }
    /// Most characters are passed in states that they do not leave.
    bool passes() const { return 2 * passed_ > read_; }

    /// The end of the match that begins at a position; of an automaton that searches, of the first one from there on.
    /// `after_empty`: not the empty one at the position. `nowhere`: there is none.
    size_t end(Subject, size_t pos, bool after_empty = false);
    /// The first place where some match ends, from a position on.
    size_t first_end(Subject, size_t pos);
    /// Of an automaton of reversed texts: where the longest one ends that is read from `to` on, not beyond `from`.
    size_t begin(Subject, size_t from, size_t to);

    /// Of what the limit is for.
    size_t bytes() const { return bytes_; }
    size_t states() const { return states_.size(); }
    /// Of all that it has.
    size_t memory() const {
        auto ours = rows_.bytes() + keys_.bytes() + states_.bytes() + table_.bytes() + from_.bytes() + to_.bytes();
        return sizeof *this + ours + loops_.bytes() + subsets_.memory();
    }
    /// The number of times that it was cleared.
    size_t clears = 0;

protected:
    struct State {
        size_t key; ///< where it is in `keys_`
        uint32_t size;
        uint32_t hash;
    };
    /// A state that most characters do not leave.
    struct Loop {
        uint32_t row;
        size_t times, passed; ///< how often it was asked, and how many characters did not leave it
        Places::Look leaving; ///< the characters that do
    };
    /// `idle`: a match is yet to begin. `loop`: the state is not left, and `loops_` has it.
    enum : uint32_t {
        match   = 1u << 31,
        unknown = 1u << 30,
        dead    = 1u << 29,
        idle    = 1u << 28,
        loop    = 1u << 27,
        special = match | unknown | dead | idle | loop
    };

    template<bool Forward, bool First>
    size_t run(Subject, size_t pos, size_t last, uint32_t row);
    uint32_t start_row(unsigned before, bool again);
    template<bool Forward, bool First>
    size_t run_without(Subject, size_t& pos, size_t last, size_t found);
    size_t skip(Subject, size_t pos);
    void consider_loop(uint32_t row);
    size_t pass(Subject, size_t pos, uint32_t row);
    uint32_t transition(uint32_t row, uint32_t cls);
    uint32_t find(const Subsets::Key&);
    bool is(const State&, const Subsets::Key&) const;
    uint32_t insert(const Subsets::Key&, uint32_t hash);
    bool is_full(size_t key_size) const;
    void clear();
    void grow();
    void enter(uint32_t state);
    void load(uint32_t row);

    Subsets subsets_;
    const Places* places_;
    size_t skips_ = 0, skipped_ = 0; ///< how often, and how many characters
    LazyLimits limits_;
    List<uint32_t> rows_;  ///< by state and class: where the row of the next state begins, and what is special about it
    List<uint32_t> keys_;  ///< of all states
    List<State> states_;   ///< by row
    List<uint32_t> table_; ///< numbers of states above 0, by hash
    List<Loop> loops_;
    size_t considered_ = 0;   ///< states, whether they are such loops
    size_t passed_     = 0;   ///< characters that did not leave one, since it was cleared
    uint32_t starts_[2][4]{}; ///< rows, by what is before; `unknown`: not made
    Subsets::Key from_, to_;
    size_t bytes_ = 0;
    size_t read_  = 0;     ///< characters since it was cleared
    bool pays_    = true;  ///< to keep states; else `from_` is the state
    size_t pause_ = 0;     ///< characters that are to be read without
    bool cleared_ = false; ///< by the last transition
};

} // namespace mim::plug::regex
