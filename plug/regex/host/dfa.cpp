// SPDX-License-Identifier: MIT
// Deterministic automata: all states that are reached, unless these are too many.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "regex/host/automaton.h"
#include "regex/host/threads.h"

namespace mim::plug::regex {

namespace {

/// The steps from a state, for each class of symbols.
class AllSteps : public Subsets {
public:
    explicit AllSteps(const Graph& graph)
        : Subsets(graph)
        , classes_of_(graph.num_sets)
        , by_class_(classes) {}

    /// In turn: `add(match, to)`.
    template<class F>
    void each(View from, F add) {
        bool match = looks_ ? false : close(from, symbols_[0]);
        if (!looks_) sort_by_class();
        for (uint32_t cls = 0; cls != classes; ++cls) {
            if (looks_) match = step(from, cls, key_);
            else put({by_class_[cls].data(), by_class_[cls].size()}, cls, key_);
            add(match, key_);
        }
    }

private:
    void sort_by_class() {
        for (auto& all : by_class_) all.clear();
        for (auto n : reads_) {
            if (graph_.kind(n) == Graph::Close)
                for (auto& all : by_class_) all.push_back(graph_.other(n));
            else
                for (auto cls : classes_of(graph_.other(n))) by_class_[cls].push_back(graph_.to(n));
        }
        work += reads_.size() * classes;
    }
    /// The classes of the characters in a set.
    const Ids& classes_of(uint32_t set) {
        auto& result = classes_of_[set];
        if (!result)
            for (result.emplace(); auto symbol : symbols_)
                if (symbol != End && graph_.has(set, symbol)) result->push_back(class_of[symbol]);
        return *result;
    }

    std::vector<std::optional<Ids>> classes_of_; ///< by set, if it was asked for
    std::vector<Ids> by_class_;                  ///< nodes that follow
    Key key_;
};

class Construction {
public:
    Construction(const Words& words, bool searches)
        : searches_(searches)
        , subsets_(words.graph()) {
        dfa_.classes = subsets_.classes;
        std::ranges::copy(subsets_.class_of, dfa_.class_of.begin());
    }

    std::optional<Dfa> run() {
        state({}); // dead
        for (unsigned b = 0; b != 4; ++b) {
            dfa_.start[b] = start(b, false);
            dfa_.again[b] = searches_ ? start(b, true) : dfa_.start[b];
        }
        for (uint32_t q = 0; q != dfa_.states; ++q) {
            if (q == Dfa::dead) add_dead();
            else
                subsets_.each({keys_[q]->data(), keys_[q]->size()}, [&](bool match, const Subsets::Key& to) {
                    dfa_.accepts.push_back(match);
                    dfa_.to.push_back(Subsets::is_dead(to) ? Dfa::dead : state(Ids(to.begin(), to.end())));
                });
            if (dfa_.states > max_states || dfa_.to.size() > max_cells || subsets_.work > max_work) return {};
        }
        return std::move(dfa_);
    }

private:
    uint32_t state(const Ids& key) {
        auto [it, is_new] = numbers_.try_emplace(key, dfa_.states);
        if (is_new) keys_.push_back(&it->first), ++dfa_.states;
        return it->second;
    }
    uint32_t start(unsigned before, bool again) {
        Subsets::Key key;
        subsets_.start(before, again, key);
        return state(Ids(key.begin(), key.end()));
    }
    void add_dead() {
        dfa_.accepts.resize(dfa_.classes);
        dfa_.to.resize(dfa_.classes, Dfa::dead);
    }

    bool searches_;
    AllSteps subsets_;
    Dfa dfa_;
    std::map<Ids, uint32_t> numbers_;
    std::vector<const Ids*> keys_;
};

} // namespace

std::optional<Dfa> make_dfa(const Nfa& nfa) {
    auto threads = make_threads(nfa);
    if (!threads) return {};
    auto numbers = words(*threads);
    return Construction(numbers, nfa.searches).run();
}

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

/// The states that the characters lead through which lead from one to another; none if they do not end, or others lead
/// the same way.
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
