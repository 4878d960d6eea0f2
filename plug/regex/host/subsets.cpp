// SPDX-License-Identifier: MIT
#include "regex/host/subsets.h"

#include <algorithm>
#include <unordered_set>

namespace mim::plug::regex {

namespace {

/// By node, whether it is part of an enclosed language.
std::vector<bool> enclosed_nodes(const Nfa& nfa) {
    std::vector<bool> result;
    Ids todo;
    auto put = [&](uint32_t n) {
        if (result.empty()) result.resize(nfa.nodes.size());
        if (!result[n]) result[n] = true, todo.push_back(n);
    };
    for (auto& node : nfa.nodes)
        if (node.kind == Nfa::Open) put(node.next[0]);
    while (!todo.empty()) {
        auto n = todo.back();
        todo.pop_back();
        for (auto next : nfa.nodes[n].next) put(next); // its last node, `Leave`, leads nowhere
    }
    return result;
}

} // namespace

Subsets::Subsets(const Nfa& nfa)
    : nfa_(nfa)
    , is_enclosed_(enclosed_nodes(nfa))
    , seen_(nfa.nodes.size()) {
    for (auto& node : nfa.nodes) {
        looks_ |= node.kind == Nfa::Look;
        looks_back_ |= node.before != Anywhere;
    }
    find_classes();
}

void Subsets::find_classes() {
    auto sets = nfa_.sets;
    sets.push_back(Set().set(End));
    if (looks_back_) sets.push_back(word_set()), sets.push_back(range_set('\n', '\n'));
    std::unordered_set<Set> known;
    for (auto& set : sets) {
        if (!known.insert(set).second) continue;
        constexpr uint16_t none = 257;
        std::array<std::array<uint16_t, 2>, 257> numbers; // by class, and whether the set has it
        std::fill_n(numbers.begin(), classes, std::array{none, none});
        classes = 0;
        for (size_t c = 0; c != 257; ++c) {
            auto& number = numbers[class_of[c]][set[c]];
            if (number == none) number = uint16_t(classes++);
            class_of[c] = number;
        }
    }
    symbols_.resize(classes);
    for (size_t c = 0; c != 257; ++c) symbols_[class_of[c]] = c;
}

Subsets::Key Subsets::start(unsigned before, bool again) const {
    return {(looks_back_ ? 1u << before : 0) | (again ? not_empty : 0), nfa_.start};
}

/// The nodes that may read this symbol at this state; whether there is a match before it.
bool Subsets::close(std::span<const uint32_t> key, size_t symbol) {
    reads_.clear(), in_round_.clear(), todo_.clear();
    bool match = false;
    before_    = key[0];
    leaves_    = false;
    enclosed_  = 0;
    ++round_;
    for (auto i = key.size(); i-- > 1;) go(key[i], 0);
    while (!todo_.empty() && !(match && nfa_.ordered)) {
        auto [n, loops] = todo_.back();
        todo_.pop_back();
        auto& node = nfa_.nodes[n];
        work += 1 + node.next.size();
        if (node.kind != Nfa::Close && !visit(n, loops)) continue;
        if (node.kind == Nfa::Match) match |= !(before_ & not_empty);
        else if (node.kind != Nfa::Look) follow(n, loops);
        else if (nfa_.sets[node.set][symbol] && (!looks_back_ || (node.before & before_))) go(node.next[0], loops);
    }
    return match;
}

/// Each node once in the rounds of the same loops that have read nothing yet; nearly always there are none.
bool Subsets::visit(uint32_t n, uint64_t loops) {
    if (loops != 0) return in_round_.insert({n, loops}).second;
    return std::exchange(seen_[n], round_) != round_;
}

/// The nodes behind one that asks for no symbol.
void Subsets::follow(uint32_t n, uint64_t loops) {
    auto& node = nfa_.nodes[n];
    switch (node.kind) {
        case Nfa::Read:
            reads_.push_back(n);
            if (!is_enclosed_.empty()) enclosed_ += is_enclosed_[n];
            return;
        case Nfa::Enter: return go(node.next[0], loops | node.loop);
        case Nfa::Loop: {
            bool may_enter = !(loops & node.loop);
            if (node.lazy && may_enter) go(node.next[0], loops | node.loop);
            go(node.next[1], loops & ~node.loop);
            if (!node.lazy && may_enter) go(node.next[0], loops | node.loop);
            return;
        }
        case Nfa::Leave: leaves_ = true; return;
        case Nfa::Close: // all ways of the language were tried
            if (std::exchange(enclosed_, 0) != 0) reads_.push_back(n);
            if (std::exchange(leaves_, false)) go(node.next[0], loops);
            return;
        default:
            for (auto i = node.next.size(); i-- != 0;) go(node.next[i], loops);
    }
}

bool Subsets::step(std::span<const uint32_t> from, uint32_t cls, Key& to) {
    auto symbol = symbols_[cls];
    bool match  = close(from, symbol);
    followers_.clear();
    for (auto n : reads_) {
        auto& node = nfa_.nodes[n];
        if (node.kind == Nfa::Close) followers_.push_back(n);
        else if (symbol != End && nfa_.sets[node.set][symbol]) followers_.push_back(node.next[0]);
    }
    work += reads_.size();
    put(followers_, cls, to);
    return match;
}

void Subsets::sort_by_class() {
    by_class_.resize(classes);
    for (auto& all : by_class_) all.clear();
    for (auto n : reads_) {
        auto& node = nfa_.nodes[n];
        if (node.kind != Nfa::Close)
            for (auto cls : classes_of(node.set)) by_class_[cls].push_back(node.next[0]);
        else
            for (auto& all : by_class_) all.push_back(n);
    }
    work += reads_.size() * classes;
}

/// The state in which these nodes come next. Languages of which none is left are gone.
void Subsets::put(const Ids& followers, uint32_t cls, Key& to) {
    auto symbol = symbols_[cls];
    to.clear();
    to.push_back(!looks_back_ ? 0 : symbol == End ? AfterOther : behind(unsigned(symbol)));
    ++round_;
    size_t group = 0; // nodes of an enclosed language
    for (auto n : followers) {
        if (nfa_.nodes[n].kind == Nfa::Close) {
            if (group == 0) continue;
            std::sort(to.end() - std::ptrdiff_t(group), to.end());
            to.push_back(n);
            group = 0;
        } else if (std::exchange(seen_[n], round_) != round_) {
            to.push_back(n);
            if (!is_enclosed_.empty() && is_enclosed_[n]) ++group;
        }
    }
    if (!nfa_.ordered) std::sort(to.begin() + 1, to.end());
}

/// The classes of the characters in a set.
const Ids& Subsets::classes_of(uint32_t set) {
    classes_of_.resize(nfa_.sets.size());
    auto& result = classes_of_[set];
    if (!result)
        for (result.emplace(); auto symbol : symbols_)
            if (symbol != End && nfa_.sets[set][symbol]) result->push_back(class_of[symbol]);
    return *result;
}

} // namespace mim::plug::regex
