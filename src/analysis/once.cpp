// SPDX-License-Identifier: MIT
#include "analysis/once.h"

#include <algorithm>

#include "base/components.h"

namespace mim {

using Blocks = std::unordered_set<uint32_t>;

/// One effect.
class Placement::Placing {
public:
    Placing(const Function& fn, const std::vector<uint32_t>& components, const std::vector<uint32_t>& asks, uint32_t early)
        : fn_(fn)
        , components_(components)
        , asks_(asks.begin(), asks.end())
        , early_(early) {}

    Once run() {
        first_come();
        if (happens_twice()) return {{before_all()}, {}, false};
        values_needed();
        if (live_.contains(early_)) return {{before_all()}, {}, false};
        if (!live_.empty()) meet();
        return {sorted(first_), sorted(merges_)};
    }

private:
    static std::vector<uint32_t> sorted(const Blocks& blocks) {
        std::vector<uint32_t> all(blocks.begin(), blocks.end());
        std::ranges::sort(all);
        return all;
    }

    /// The blocks that ask and that a path from the token comes to first.
    void first_come() {
        Blocks seen{early_};
        std::vector<uint32_t> todo{early_};
        while (!todo.empty()) {
            auto b = todo.back();
            todo.pop_back();
            if (asks_.contains(b)) {
                first_.insert(b);
                continue;
            }
            for (auto next : fn_.blocks[b]->succs)
                if (seen.insert(next->number).second) todo.push_back(next->number);
        }
    }

    /// Whether control gets from `begin` to one of `ends` (by an edge at least) with the same token.
    bool reaches(const Blocks& begin, const Blocks& ends) const {
        auto last = ~0u; // what comes after this component comes to none of the ends
        for (auto b : ends) last = std::min(last, components_[b]);
        Blocks seen;
        std::vector<uint32_t> todo(begin.begin(), begin.end());
        while (!todo.empty()) {
            auto b = todo.back();
            todo.pop_back();
            for (auto next : fn_.blocks[b]->succs) {
                if (next->number == early_ || components_[next->number] < last || !seen.insert(next->number).second) continue;
                if (ends.contains(next->number)) return true;
                todo.push_back(next->number);
            }
        }
        return false;
    }

    /// One path comes to a block first, another to the same block when it has happened.
    bool happens_twice() const { return reaches(first_, first_); }

    /// A dominator of all that is in no loop around it.
    uint32_t before_all() const {
        auto top = *asks_.begin();
        for (auto b : asks_) top = fn_.doms->lca(top, b);
        while (top != early_ && top != 0 && reaches({top}, {top})) top = fn_.doms->idom(top);
        return top;
    }

    /// Blocks that it has happened before, and whose own or later blocks ask for its value.
    void values_needed() {
        std::vector<uint32_t> todo;
        auto need = [&](uint32_t b) {
            if (!first_.contains(b) && live_.insert(b).second) todo.push_back(b);
        };
        for (auto b : asks_) need(b);
        while (!todo.empty()) {
            auto b = todo.back();
            todo.pop_back();
            for (auto pred : fn_.blocks[b]->preds) need(pred->number);
        }
    }

    /// The block whose value is that of `b` at its end.
    uint32_t source(uint32_t b) const {
        while (b != 0 && !first_.contains(b) && !merges_.contains(b)) b = fn_.doms->idom(b);
        return b;
    }

    /// Values meet where a block before has another one than the dominator has. Each that is found may show others.
    void meet() {
        auto order = sorted(live_);
        for (bool found = true; found;) {
            found = false;
            for (auto b : order) {
                if (merges_.contains(b)) continue;
                auto above = fn_.doms->idom(b);
                bool meets = !first_.contains(above) && !live_.contains(above);
                for (auto pred : fn_.blocks[b]->preds) {
                    if (meets) break;
                    meets = !fn_.doms->dominates(b, pred->number) && source(pred->number) != source(above);
                }
                if (meets) merges_.insert(b), found = true;
            }
        }
    }

    const Function& fn_;
    const std::vector<uint32_t>& components_;
    Blocks asks_, first_, live_, merges_;
    uint32_t early_;
};

Once Placement::place(const std::vector<uint32_t>& asks, uint32_t early) {
    if (components_.empty()) {
        std::vector<std::vector<uint32_t>> succs(fn_.blocks.size());
        for (auto& block : fn_.blocks)
            for (auto succ : block->succs) succs[block->number].push_back(succ->number);
        components_ = components(succs.size(), [&](uint32_t b) -> auto& { return succs[b]; });
    }
    return Placing(fn_, components_, asks, early).run();
}

} // namespace mim
