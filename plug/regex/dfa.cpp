// SPDX-License-Identifier: MIT
// The construction of subsets. A state is what may be read next, before it is known what comes: nodes of the nondeterministic
// automaton in the order of preference, and what is before the position if an assertion asks for that.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "automaton.h"

namespace mim::plug::regex {

namespace {

class Subsets {
public:
    explicit Subsets(const Nfa& nfa)
        : nfa_(nfa)
        , seen_(nfa.nodes.size()) {
        for (auto& node : nfa.nodes) {
            looks_ |= node.kind == Nfa::Look;
            looks_back_ |= node.before != Anywhere;
        }
    }

    std::optional<Dfa> run() {
        find_classes();
        state({}); // dead
        for (unsigned b = 0; b != 4; ++b) {
            auto before   = looks_back_ ? 1u << b : 0;
            dfa_.start[b] = state({before, nfa_.start});
            dfa_.again[b] = nfa_.searches ? state({before | NotEmpty, nfa_.start}) : dfa_.start[b];
        }
        for (uint32_t q = 0; q != dfa_.states; ++q) {
            if (looks_)
                for (uint32_t k = 0; k != dfa_.classes; ++k) step(*keys_[q], k);
            else steps(*keys_[q]);
            if (dfa_.states > max_states || dfa_.to.size() > max_cells || work_ > max_work) return {};
        }
        return std::move(dfa_);
    }

private:
    using Key                          = Ids;          ///< what is before, and the nodes
    static constexpr uint32_t NotEmpty = Anywhere + 1; ///< beside what is before: no match ends here

    void find_classes() {
        auto sets = nfa_.sets;
        sets.push_back(Set().set(End));
        if (looks_back_) sets.push_back(word_set()), sets.push_back(range_set('\n', '\n'));
        dfa_.classes = 1;
        std::unordered_set<Set> known;
        for (auto& set : sets) {
            if (!known.insert(set).second) continue;
            constexpr uint16_t none = 257;
            std::array<std::array<uint16_t, 2>, 257> numbers; // by class, and whether the set has it
            std::fill_n(numbers.begin(), dfa_.classes, std::array{none, none});
            dfa_.classes = 0;
            for (size_t c = 0; c != 257; ++c) {
                auto& number = numbers[dfa_.class_of[c]][set[c]];
                if (number == none) number = uint16_t(dfa_.classes++);
                dfa_.class_of[c] = number;
            }
        }
        symbols_.resize(dfa_.classes);
        for (size_t c = 0; c != 257; ++c) symbols_[dfa_.class_of[c]] = c;
    }

    uint32_t state(Key key) {
        auto [it, is_new] = numbers_.try_emplace(std::move(key), dfa_.states);
        if (is_new) keys_.push_back(&it->first), ++dfa_.states;
        return it->second;
    }

    /// What may be read at this state when the next symbol is this one; whether there is a match before it.
    bool close(const Key& key, size_t symbol) {
        reads_.clear(), in_round_.clear(), todo_.clear();
        bool accepts = false;
        ++round_;
        for (auto i = key.size(); i-- > 1;) todo_.push_back({key[i], 0});
        while (!todo_.empty() && !(accepts && nfa_.ordered)) {
            auto [n, loops] = todo_.back();
            todo_.pop_back();
            auto& node = nfa_.nodes[n];
            work_ += 1 + node.next.size();
            if (!visit(n, loops)) continue;
            auto go = [&](uint32_t to, uint64_t l) { todo_.push_back({to, l}); };
            if (node.kind == Nfa::Match) accepts |= !(key[0] & NotEmpty);
            else if (node.kind == Nfa::Read) reads_.push_back(n);
            else if (node.kind == Nfa::Enter) go(node.next[0], loops | node.loop);
            else if (node.kind == Nfa::Loop) {
                if (node.lazy && !(loops & node.loop)) go(node.next[0], loops | node.loop);
                go(node.next[1], loops & ~node.loop);
                if (!node.lazy && !(loops & node.loop)) go(node.next[0], loops | node.loop);
            } else if (node.kind == Nfa::Split || (nfa_.sets[node.set][symbol] && (!looks_back_ || (node.before & key[0])))) {
                for (auto i = node.next.size(); i-- != 0;) go(node.next[i], loops);
            }
        }
        return accepts;
    }

    /// Each node once in the rounds of the same loops that have read nothing yet; nearly always there are none.
    bool visit(uint32_t n, uint64_t loops) {
        if (loops != 0) return in_round_.insert({n, loops}).second;
        return std::exchange(seen_[n], round_) != round_;
    }

    void step(const Key& key, uint32_t cls) {
        auto symbol  = symbols_[cls];
        bool accepts = close(key, symbol);
        followers_.clear();
        for (auto n : reads_)
            if (auto& node = nfa_.nodes[n]; symbol != End && nfa_.sets[node.set][symbol]) followers_.push_back(node.next[0]);
        work_ += reads_.size();
        add(cls, accepts, followers_);
    }
    /// The same for all classes, if what is read does not depend on the next symbol.
    void steps(const Key& key) {
        bool accepts = close(key, symbols_[0]);
        by_class_.resize(dfa_.classes);
        for (auto& all : by_class_) all.clear();
        for (auto n : reads_)
            for (auto cls : classes_of(nfa_.nodes[n].set)) by_class_[cls].push_back(nfa_.nodes[n].next[0]);
        work_ += reads_.size() * dfa_.classes;
        for (uint32_t cls = 0; cls != dfa_.classes; ++cls) add(cls, accepts, by_class_[cls]);
    }
    /// Where a symbol leads, and whether there is a match before it.
    void add(uint32_t cls, bool accepts, const Ids& followers) {
        auto symbol = symbols_[cls];
        Key next;
        if (looks_back_) next.push_back(symbol == End ? AfterOther : behind(symbol));
        else next.push_back(0);
        ++round_;
        for (auto n : followers)
            if (std::exchange(seen_[n], round_) != round_) next.push_back(n);
        if (!nfa_.ordered) std::sort(next.begin() + 1, next.end());
        dfa_.accepts.push_back(accepts);
        dfa_.to.push_back(next.size() == 1 ? Dfa::dead : state(std::move(next)));
    }
    /// The classes of the characters in a set.
    const Ids& classes_of(uint32_t set) {
        classes_of_.resize(nfa_.sets.size());
        auto& result = classes_of_[set];
        if (!result)
            for (result.emplace(); auto symbol : symbols_)
                if (symbol != End && nfa_.sets[set][symbol]) result->push_back(dfa_.class_of[symbol]);
        return *result;
    }

    const Nfa& nfa_;
    Dfa dfa_;
    bool looks_ = false, looks_back_ = false;
    std::vector<size_t> symbols_;                ///< one of each class
    std::vector<std::optional<Ids>> classes_of_; ///< by set, if it was asked for
    Ids followers_;
    std::vector<Ids> by_class_; ///< followers
    std::map<Key, uint32_t> numbers_;
    std::vector<const Key*> keys_;
    Ids seen_, reads_;
    std::vector<std::pair<uint32_t, uint64_t>> todo_; ///< nodes, in rounds of these loops that have read nothing
    std::set<std::pair<uint32_t, uint64_t>> in_round_;
    uint32_t round_ = 0;
    size_t work_    = 0;
};

} // namespace

std::optional<Dfa> make_dfa(const Nfa& nfa) { return Subsets(nfa).run(); }

bool Dfa::accepts_at(uint32_t state) const {
    return std::any_of(accepts.begin() + cell(state, 0), accepts.begin() + cell(state + 1, 0), [](auto a) { return a; });
}

bool Dfa::is_whole() const {
    for (uint32_t q = 0; q != states; ++q)
        for (uint32_t k = 0; k != classes; ++k)
            if (accepts[cell(q, k)] && k != class_of[End]) return false;
    return true;
}

Set Dfa::loop(uint32_t state) const {
    Set result;
    for (unsigned c = 1; c != 256; ++c) result[c] = to[at(state, c)] == state;
    return result;
}

bool Dfa::is_finite(bool but_itself) const {
    std::vector<uint8_t> mark(states);
    std::vector<std::pair<uint32_t, uint32_t>> path;
    for (auto q : start) {
        if (!mark[q]) mark[q] = 1, path.push_back({q, 0});
        while (!path.empty()) {
            auto& [p, k] = path.back();
            if (p == dead || k == classes) {
                mark[p] = 2, path.pop_back();
                continue;
            }
            auto next = to[cell(p, k++)];
            if (but_itself && next == p) continue;
            if (next != dead && mark[next] == 1) return false;
            if (!mark[next]) mark[next] = 1, path.push_back({next, 0});
        }
    }
    return true;
}

namespace {

/// The states that the characters lead through which lead from one to another; none if they do not end, or others lead the same way.
Ids path_of(const Dfa& dfa, uint32_t from, uint32_t to) {
    std::vector<bool> mine(dfa.classes);
    for (uint32_t k = 0; k != dfa.classes; ++k) mine[k] = dfa.to[dfa.cell(from, k)] == to;
    Ids path{from};
    auto first = uint32_t(std::ranges::find(mine, true) - mine.begin());
    for (auto q = from; dfa.to[dfa.cell(q, first)] != Dfa::dead;) {
        auto next = dfa.to[dfa.cell(q, first)];
        if (path.size() > max_run) return {}; // or it comes back
        for (uint32_t k = 0; k != dfa.classes; ++k)
            if ((dfa.to[dfa.cell(q, k)] == next) != mine[k]) return {};
        path.push_back(q = next);
    }
    for (uint32_t k = 0; k != dfa.classes; ++k)
        if (mine[k] && dfa.to[dfa.cell(path.back(), k)] != Dfa::dead) return {};
    return path;
}

} // namespace

std::optional<Dfa::Run> Dfa::run(uint32_t state) const {
    std::set<uint32_t> ways(to.begin() + cell(state, 0), to.begin() + cell(state + 1, 0));
    for (auto way : ways) {
        if (way == dead || way == state) continue;
        auto path = path_of(*this, state, way);
        if (path.size() <= min_run) continue;
        auto leads = [&](size_t i, uint32_t k) { return to[cell(state, k)] == way ? dead : to[cell(path[i], k)]; };
        auto like  = [&](size_t i, size_t j) {
            for (uint32_t k = 0; k != classes; ++k)
                if (leads(i, k) != leads(j, k) || accepts[cell(path[i], k)] != accepts[cell(path[j], k)]) return false;
            return true;
        };
        auto most = path.size() - 1, least = most;
        while (least != 0 && like(least - 1, most)) --least;
        bool others = false; // before there are enough
        for (size_t i = 0; i != least; ++i)
            for (uint32_t k = 0; k != classes; ++k) others |= leads(i, k) != dead || accepts[cell(path[i], k)];
        if (others || (least == most && most <= max_chain)) continue;
        Set set;
        for (unsigned c = 1; c != 256; ++c) set[c] = to[at(state, c)] == way;
        return Run{set, uint32_t(least), uint32_t(most), path[least], least == most ? dead : path[least + 1]};
    }
    return {};
}

bool Dfa::is_chain() const {
    for (uint32_t q = 0; q != states; ++q) {
        auto next = dead;
        for (uint32_t k = 0; k != classes; ++k) {
            auto p = to[cell(q, k)];
            if (p != dead && next != dead && p != next) return false;
            if (p != dead) next = p;
        }
    }
    return is_finite();
}

Sets Dfa::class_sets() const {
    Sets sets(classes);
    for (size_t c = 0; c != 257; ++c) sets[class_of[c]].set(c);
    return sets;
}

} // namespace mim::plug::regex
