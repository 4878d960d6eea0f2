// SPDX-License-Identifier: MIT
// The construction of subsets, a step at a time: all of an automaton is made of it (host/dfa.cpp), or what a subject
// asks for (lazy.h). A state is what may be read next, before it is known what comes: nodes of the nondeterministic
// automaton in the order of preference, and what is before the position if an assertion asks for that. Those of an
// enclosed language have no order; its `Close` stands behind them.
#pragma once
#include <cstdint>

#include "list.h"

namespace mim::plug::regex {

/// A nondeterministic automaton as rows of numbers. A node is kind + 8 · what may be before + 256 · where to + 2^32 ·
/// another node, a set, or the number of a match. A set is four words for the characters and one for the end of the subject, which is also the
/// lowest bit of all if a terminator is the end.
struct Graph {
    enum Kind : uint8_t { Read, Look, Split, Match, Open, Leave, Close, Save };
    static constexpr size_t set_words = 5;
    static constexpr size_t symbols = 257, end = 256; ///< characters, and the end of the subject

    const uint64_t* nodes = nullptr;
    size_t size           = 0;
    const uint64_t* sets  = nullptr;
    size_t num_sets       = 0;
    bool ordered          = false; ///< the first match counts, not the longest

    Kind kind(uint32_t n) const { return Kind(nodes[n] & 7); }
    /// Kinds of characters that may stand before, a bit for each: nothing, a newline, a character of a word, another
    /// one.
    uint32_t before(uint32_t n) const { return uint32_t(nodes[n] >> 3 & 15); }
    uint32_t to(uint32_t n) const { return uint32_t(nodes[n] >> 8 & 0xffffff); }
    uint32_t other(uint32_t n) const { return uint32_t(nodes[n] >> 32); }
    bool has(uint32_t set, size_t symbol) const { return sets[set * set_words + symbol / 64] >> symbol % 64 & 1; }
};
/// The kind of a character for the position behind it, as the number of its bit.
uint32_t kind_before(unsigned c);

class Subsets {
public:
    /// The kinds that may stand before, and the nodes: without nodes, the state is dead.
    using Key = List<uint32_t>;
    struct View {
        View(const uint32_t* begin, size_t size)
            : begin(begin)
            , size(size) {}
        View(const Key& key)
            : View(key.begin(), key.size()) {}
        const uint32_t* begin;
        size_t size;
    };

    /// The automaton must live as long.
    explicit Subsets(const Graph&);

    uint32_t classes = 1; ///< of symbols that no set tells apart
    uint16_t class_of[Graph::symbols]{};

    /// The state in which a match may begin, by the kind of text before; `again`: that in which the empty text is no
    /// match.
    void start(unsigned before, bool again, Key& to) const;
    static bool is_dead(View key) { return key.size == 1; }
    /// It is one of those in which a match may begin, and nothing else.
    static bool is_start(View key) { return key.size == 2 && key.begin[1] == 0 && !(key.begin[0] & not_empty); }

    /// The state that a symbol of a class leads to, and whether there is a match before it.
    bool step(View from, uint32_t cls, Key& to);
    /// The numbers of the matches before that symbol; of an ordered automaton, of the one that counts.
    const List<uint32_t>& matched() const { return matched_; }
    /// Bytes of what it has on the heap.
    size_t memory() const {
        auto sets = reads_.bytes() + followers_.bytes() + todo_.bytes() + seen_.bytes() + rest_.bytes();
        auto rows = row_of_.bytes() + rows_.bytes();
        return sets + rows + symbols_.bytes() + matched_.bytes() + is_enclosed_.bytes();
    }
    size_t work = 0; ///< the steps that were taken, about

protected:
    /// The nodes that may read this symbol at this state, in `reads_`; whether there is a match before it.
    bool close(View, size_t symbol);
    /// Adds to `followers_` what the nodes of the state that have a row lead to; the others are in `rest_`.
    void follow_rows(View, uint32_t cls);
    void make_row(uint32_t node);
    /// The state in which these nodes come next.
    void put(View followers, uint32_t cls, Key& to);

    const Graph graph_;
    bool looks_ = false;   ///< at what comes next
    List<uint32_t> reads_; ///< nodes that read, and those that close languages
    List<uint32_t> matched_;
    List<size_t> symbols_; ///< one of each class

private:
    static constexpr uint32_t anywhere  = 15;
    static constexpr uint32_t not_empty = anywhere + 1; ///< beside what is before: no match ends here

    void find_enclosed();
    void find_classes();
    void refine(const uint64_t* set);
    void follow(uint32_t node);
    bool is_new(uint32_t node) { return std::exchange(seen_[node], round_) != round_; }
    bool is_enclosed(uint32_t node) const { return !is_enclosed_.empty() && is_enclosed_[node]; }
    void sort(Key&, size_t from) const;

    bool looks_back_ = false;
    List<uint8_t> is_enclosed_; ///< by node; empty if none is
    List<uint32_t> followers_;

    /// @name rows
    /// Of a node that many others are reached from without a symbol, as in a set of words: for each class, where what it
    /// leads to ends in the row, then all of that. They are made when they are asked for, once that pays.
    ///@{
    enum : uint32_t { not_asked, has_none };
    List<uint32_t> row_of_; ///< by node: `not_asked`, `has_none`, or 2 and more: its place; empty if there are none
    List<uint32_t> rows_;
    List<uint32_t> rest_;
    size_t steps_ = 0;
    ///@}

    // of what is closed now
    uint32_t before_ = 0;
    bool leaves_     = false;    ///< an enclosed language has a match here
    size_t enclosed_ = 0;        ///< how many of its nodes read
    List<uint32_t> todo_, seen_; ///< nodes; by node, the round that it was seen in
    uint32_t round_ = 0;
};

} // namespace mim::plug::regex
