// SPDX-License-Identifier: MIT
// Hopcroft's algorithm: blocks of states that nothing tells apart yet are split by where their transitions lead. Of the two parts of a
// block only the smaller one needs to split others, so a state does so at most log n times.
#include <algorithm>
#include <map>
#include <numeric>

#include "regex/host/automaton.h"

namespace mim::plug::regex {

namespace {

class Partition {
public:
    explicit Partition(const Dfa& dfa)
        : dfa_(dfa)
        , order_(dfa.states)
        , place_(dfa.states)
        , block_(dfa.states) {
        std::map<std::vector<uint8_t>, Ids> rows;
        for (uint32_t q = 0; q != dfa.states; ++q)
            rows[{dfa.accepts.begin() + dfa.cell(q, 0), dfa.accepts.begin() + dfa.cell(q + 1, 0)}].push_back(q);
        uint32_t n = 0;
        for (auto& [_, states] : rows) {
            blocks_.push_back({n, n, uint32_t(n + states.size())});
            for (auto q : states) order_[n] = q, place_[q] = n++, block_[q] = uint32_t(blocks_.size() - 1);
        }
        todo_.resize(blocks_.size());
        std::iota(todo_.begin(), todo_.end(), 0);
        index_sources();
    }

    /// The block of each state.
    const Ids& run() {
        while (!todo_.empty()) {
            auto b = todo_.back();
            todo_.pop_back();
            Ids splitter(order_.begin() + blocks_[b].begin, order_.begin() + blocks_[b].end);
            for (uint32_t k = 0; k != dfa_.classes; ++k) split_by(splitter, k);
        }
        return block_;
    }

private:
    struct Block {
        uint32_t begin, middle, end; ///< in order_; up to the middle are those that lead into the splitter
    };

    /// sources_[first_[cell(q, k)] …]: the states that lead to q by class k.
    void index_sources() {
        first_.assign(dfa_.to.size() + 1, 0);
        sources_.resize(dfa_.to.size());
        auto cell = [&](size_t i) { return dfa_.cell(dfa_.to[i], uint32_t(i % dfa_.classes)); };
        for (size_t i = 0; i != dfa_.to.size(); ++i) ++first_[cell(i) + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        auto next = first_;
        for (size_t i = 0; i != dfa_.to.size(); ++i) sources_[next[cell(i)]++] = uint32_t(i / dfa_.classes);
    }

    void split_by(const Ids& splitter, uint32_t cls) {
        Ids touched;
        for (auto q : splitter)
            for (auto i = first_[dfa_.cell(q, cls)]; i != first_[dfa_.cell(q, cls) + 1]; ++i) {
                auto p  = sources_[i];
                auto& b = blocks_[block_[p]];
                if (b.middle == b.begin) touched.push_back(block_[p]);
                auto other = order_[b.middle];
                std::swap(order_[place_[p]], order_[b.middle]);
                std::swap(place_[p], place_[other]);
                ++b.middle;
            }
        for (auto b : touched) cut(b);
    }

    void cut(uint32_t b) {
        auto [begin, middle, end] = blocks_[b];
        blocks_[b].middle         = begin;
        if (middle == end) return;
        // the smaller part becomes the new block
        bool front = middle - begin <= end - middle;
        Block part = front ? Block{begin, begin, middle} : Block{middle, middle, end};
        blocks_[b] = front ? Block{middle, middle, end} : Block{begin, begin, middle};
        for (auto i = part.begin; i != part.end; ++i) block_[order_[i]] = uint32_t(blocks_.size());
        todo_.push_back(uint32_t(blocks_.size()));
        blocks_.push_back(part);
    }

    const Dfa& dfa_;
    Ids order_, place_, block_, todo_, sources_;
    std::vector<size_t> first_;
    std::vector<Block> blocks_;
};

} // namespace

Dfa minimize(const Dfa& dfa) {
    auto block = Partition(dfa).run();
    Ids number(dfa.states, ~0u), members;
    auto reach = [&](uint32_t q) {
        auto& n = number[block[q]];
        if (n == ~0u) n = uint32_t(members.size()), members.push_back(q);
        return n;
    };
    Dfa result = dfa;
    result.to.clear(), result.accepts.clear();
    reach(Dfa::dead);
    for (unsigned b = 0; b != 4; ++b) result.start[b] = reach(dfa.start[b]);
    for (unsigned b = 0; b != 4; ++b) result.again[b] = reach(dfa.again[b]);
    for (size_t i = 0; i != members.size(); ++i)
        for (uint32_t k = 0; k != dfa.classes; ++k) {
            auto cell = dfa.cell(members[i], k);
            auto to   = reach(dfa.to[cell]);
            result.to.push_back(to);
            result.accepts.push_back(dfa.accepts[cell]);
        }
    result.states = uint32_t(members.size());
    return result;
}

std::optional<Dfa> make_minimal(const std::optional<Nfa>& nfa) {
    auto large = nfa ? make_dfa(*nfa) : std::nullopt;
    return large ? std::optional(minimize(*large)) : std::nullopt;
}

} // namespace mim::plug::regex
