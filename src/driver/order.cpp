// SPDX-License-Identifier: MIT
#include "driver/order.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "base/components.h"

namespace mim {

namespace {

using Index = uint32_t; ///< of a join, in the order of plugins' names

struct Edge {
    Index to;
    Index by; ///< the join that states it
};

/// The shortest way along edges from a vertex back to itself.
class Cycle {
public:
    Cycle(const std::vector<Join>& joins, const std::vector<std::vector<Edge>>& edges, Index begin)
        : joins_(joins)
        , edges_(edges)
        , begin_(begin)
        , came_from_(edges.size()) {}

    /// There is one.
    OrderCycle shortest() {
        seen_.assign(edges_.size(), false);
        queue_ = {begin_};
        for (size_t i = 0; !seen_[begin_]; ++i) visit(queue_[i]);
        OrderCycle cycle;
        auto v = begin_;
        do {
            auto [from, by] = came_from_[v];
            cycle.statements.push_back({joins_[from].phase, joins_[v].phase, joins_[by].plugin, by == from});
            v = from;
        } while (v != begin_);
        std::ranges::reverse(cycle.statements);
        return cycle;
    }

private:
    void visit(Index from) {
        for (auto [to, by] : edges_[from]) {
            if (seen_[to]) continue;
            seen_[to]      = true;
            came_from_[to] = {from, by};
            queue_.push_back(to);
        }
    }

    const std::vector<Join>& joins_;
    const std::vector<std::vector<Edge>>& edges_;
    Index begin_;
    std::vector<bool> seen_;      ///< an edge leads there
    std::vector<Edge> came_from_; ///< that edge, turned around
    std::vector<Index> queue_;
};

/// A strict partial order, which grows. A row is a set of bits, so that a statement costs a few words for each element that is before it.
class Precedence {
public:
    explicit Precedence(size_t size)
        : rows_(size, Row(size / kBits + 1)) {}

    bool operator()(Index a, Index b) const { return rows_[a][b / kBits] >> b % kBits & 1; }

    /// Nothing happens if b comes before a.
    void add(Index a, Index b) {
        if (a == b || (*this)(a, b) || (*this)(b, a)) return;
        for (Index x = 0; x != rows_.size(); ++x)
            if (x == a || (*this)(x, a)) follow(rows_[x], b);
    }

private:
    using Row = std::vector<uint64_t>;

    /// Whatever comes after b comes after this one as well.
    void follow(Row& row, Index b) {
        row[b / kBits] |= uint64_t(1) << b % kBits;
        for (size_t i = 0; i != row.size(); ++i) row[i] |= rows_[b][i];
    }

    static constexpr Index kBits = 64;

    std::vector<Row> rows_; ///< of each element, those that come after it
};

class Ordering {
public:
    Ordering(std::vector<Join> joins, const BuildsOn& builds_on)
        : joins_(std::move(joins))
        , builds_on_(builds_on)
        , edges_(joins_.size())
        , precedence_(joins_.size()) {
        std::ranges::stable_sort(joins_, {}, &Join::plugin);
        add_statements();
    }

    PhaseOrder run() {
        PhaseOrder order;
        order.cycles = find_cycles();
        if (!order.cycles.empty()) return order;
        for (Index v = 0; v != joins_.size(); ++v)
            for (auto& edge : edges_[v]) precedence_.add(v, edge.to);
        add_plugins();
        add_registrations();
        order.phases = phases_in_order();
        return order;
    }

private:
    /// A name that no phase here has states nothing: the plugin of that phase is not loaded.
    void add_statements() {
        std::unordered_map<std::string_view, std::vector<Index>> by_name;
        for (Index v = 0; v != joins_.size(); ++v) by_name[joins_[v].phase].push_back(v);
        for (Index v = 0; v != joins_.size(); ++v) {
            for (auto& name : joins_[v].before)
                for (auto other : by_name[name]) edges_[v].push_back({other, v});
            for (auto& name : joins_[v].after)
                for (auto other : by_name[name]) edges_[other].push_back({v, v});
        }
    }

    std::vector<OrderCycle> find_cycles() const {
        std::vector<std::vector<Index>> succs(joins_.size());
        for (Index v = 0; v != joins_.size(); ++v)
            for (auto& edge : edges_[v]) succs[v].push_back(edge.to);
        auto groups = members(components(succs.size(), [&](Index v) -> const auto& { return succs[v]; }));
        std::erase_if(groups, [&](auto& group) { return group.size() == 1 && !has(succs[group[0]], group[0]); });
        std::ranges::sort(groups);
        std::vector<OrderCycle> cycles;
        for (auto& group : groups) cycles.push_back(Cycle(joins_, edges_, group.front()).shortest());
        return cycles;
    }
    static bool has(const std::vector<Index>& list, Index v) { return std::ranges::find(list, v) != list.end(); }

    /// All that a plugin builds on, also by others.
    std::set<std::string> foundation(const std::string& plugin) const {
        std::set<std::string> found;
        std::vector<std::string> open{plugin};
        while (!open.empty()) {
            auto named = builds_on_.find(open.back());
            open.pop_back();
            if (named == builds_on_.end()) continue;
            for (auto& other : named->second)
                if (found.insert(other).second) open.push_back(other);
        }
        return found;
    }

    void add_plugins() {
        std::map<std::string, std::set<std::string>> foundations;
        for (auto& join : joins_)
            if (!foundations.contains(join.plugin)) foundations.emplace(join.plugin, foundation(join.plugin));
        for (Index a = 0; a != joins_.size(); ++a)
            for (Index b = 0; b != joins_.size(); ++b)
                if (foundations[joins_[a].plugin].contains(joins_[b].plugin)) precedence_.add(a, b);
    }

    void add_registrations() {
        for (Index a = 0; a != joins_.size(); ++a)
            for (Index b = a + 1; b != joins_.size() && joins_[a].plugin == joins_[b].plugin; ++b) precedence_.add(a, b);
    }

    /// Again and again the first one that nothing left has to come before.
    std::vector<std::string> phases_in_order() const {
        auto size = static_cast<Index>(joins_.size());
        std::vector<Index> num_before(size); // of those that are left
        for (Index a = 0; a != size; ++a)
            for (Index b = 0; b != size; ++b) num_before[b] += precedence_(a, b);
        std::vector<std::string> phases;
        while (phases.size() != size) {
            auto next = static_cast<Index>(std::ranges::find(num_before, Index(0)) - num_before.begin());
            phases.push_back(joins_[next].phase);
            num_before[next] = kDone;
            for (Index b = 0; b != size; ++b) num_before[b] -= precedence_(next, b);
        }
        return phases;
    }

    static constexpr Index kDone = ~Index(0);

    std::vector<Join> joins_;
    const BuildsOn& builds_on_;
    std::vector<std::vector<Edge>> edges_; ///< from each to those that it is stated to run before
    Precedence precedence_;
};

} // namespace

std::string OrderCycle::text() const {
    std::string text;
    for (auto& s : statements) text += "`" + s.first + "` → ";
    return text + "`" + statements.front().first + "`";
}

PhaseOrder order_phases(std::vector<Join> joins, const BuildsOn& builds_on) {
    return Ordering(std::move(joins), builds_on).run();
}

} // namespace mim
