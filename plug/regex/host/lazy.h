// SPDX-License-Identifier: MIT
// Deterministic automata whose states are made when a subject asks for them. They are kept in a cache of a bounded
// size, which is cleared when it is full. Where a subject asks for a new state so often that keeping them does not
// pay, the automaton goes on for a while without: then a character takes as many steps as there are nodes which may
// read it, at most as many as the pattern has parts.
//
// A cache is for one thread: `LazyCaches` lends one to each call, and has as many as there were calls at once.
#pragma once
#include <memory>
#include <mutex>
#include <string_view>

#include "regex/host/subsets.h"

namespace mim::plug::regex {

struct LazyLimits {
    size_t bytes  = 8 << 20;   ///< of a cache: states, their rows and the table that finds them
    size_t states = 1u << 24;  ///< of a cache
    size_t least  = 10;        ///< characters that are to be read for each state of a full cache, or it does not pay
    size_t pause  = 64 * 1024; ///< characters that are read without a cache then
};

class LazyCache {
public:
    explicit LazyCache(const Nfa&, const LazyLimits& = {});

    /// The end of the match that begins at a position; of an automaton that searches, of the first one from there on.
    std::optional<size_t> end(std::string_view subject, size_t pos, bool after_empty = false);
    /// The first place where some match ends, from a position on.
    std::optional<size_t> first_end(std::string_view subject, size_t pos);
    /// Of an automaton of reversed texts: where the longest one ends that is read from `to` on, not beyond `from`.
    size_t begin(std::string_view subject, size_t from, size_t to);

    /// Of what the limit is for.
    size_t bytes() const { return bytes_; }
    size_t states() const { return states_.size(); }
    /// The number of times that it was cleared.
    size_t clears = 0;

private:
    struct State {
        size_t key; ///< where it is in `keys_`
        uint32_t size;
        uint32_t hash;
    };
    enum : uint32_t { match = 1u << 31, unknown = 1u << 30, dead = 1u << 29, special = match | unknown | dead };

    template<bool Forward, bool First>
    std::optional<size_t> run(std::string_view subject, size_t pos, size_t last, uint32_t row);
    uint32_t start_row(unsigned before, bool again);
    template<bool Forward, bool First>
    std::optional<size_t> run_without(std::string_view subject, size_t& pos, size_t last, std::optional<size_t> found);
    uint32_t transition(uint32_t row, uint32_t cls);
    uint32_t find(const Subsets::Key&);
    uint32_t insert(const Subsets::Key&, uint32_t hash);
    bool is_full(size_t key_size) const;
    void clear();
    void grow();
    void load(uint32_t row);

    Subsets subsets_;
    LazyLimits limits_;
    Ids rows_;                  ///< by state and class: where the row of the next state begins, and what is special about it
    Ids keys_;                  ///< of all states
    std::vector<State> states_; ///< by row
    Ids table_;                 ///< numbers of states above 0, by hash
    uint32_t starts_[2][4];     ///< rows, by what is before; `unknown`: not made
    Subsets::Key from_, to_;
    size_t bytes_ = 0;
    size_t read_  = 0;     ///< characters since it was cleared
    bool pays_    = true;  ///< to keep states; else `from_` is the state
    size_t pause_ = 0;     ///< characters that are to be read without
    bool cleared_ = false; ///< by the last transition
};

/// The caches of an automaton, for many threads.
class LazyCaches {
public:
    explicit LazyCaches(Nfa nfa, const LazyLimits& limits = {})
        : nfa_(std::move(nfa))
        , limits_(limits) {}
    /// Lends a cache to the function.
    template<class F>
    auto with(F f) {
        auto cache  = take();
        auto result = f(*cache);
        give(std::move(cache));
        return result;
    }

private:
    std::unique_ptr<LazyCache> take();
    void give(std::unique_ptr<LazyCache>);

    Nfa nfa_;
    LazyLimits limits_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<LazyCache>> idle_;
};

} // namespace mim::plug::regex
