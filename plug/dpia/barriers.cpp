// SPDX-License-Identifier: MIT
#include "barriers.h"

#include <algorithm>

namespace mim::plug::dpia {

namespace {

using Var = Polynomial::Var;

/// Between parts `from` and `to` of a sequence; in the next turn if `to` is not behind `from`.
struct Conflict {
    size_t from, to;
    bool is_next_turn;
    const Access *first, *second;
};

class Placement {
public:
    explicit Placement(const std::set<Var>& uniform)
        : uniform_(uniform) {}

    void sequence(const std::vector<const Phase*>& parts, const Phase* loop);
    static std::vector<const Phase*> parts_of(const Phase&);
    Barriers result;

private:
    void collect(const Phase&, std::vector<const Access*>&) const;
    bool is_constant(const Polynomial& p, const Access& a, const Access& b, Var turn) const;
    bool is_same(const std::map<unsigned, Var>& a, const std::map<unsigned, Var>& b, const Access& x, const Access& y,
                 Var turn) const;
    bool conflict(const Access& a, const Access& b, Var turn);
    bool can_meet(const Access& a, const Access& b, Var turn) const;
    bool has_barrier(const Phase&) const;
    bool is_behind(const Phase&, const Access*) const;
    bool is_before(const Phase&, const Access*) const;
    bool contains(const Phase&, const Access*) const;
    const Phase* side_of(const Phase& branch, const Access*) const;
    bool is_served(const std::vector<const Phase*>&, const Conflict&) const;
    void choose(const std::vector<const Phase*>&, std::vector<Conflict>, bool is_circle);
    static bool is_between(size_t gap, const Conflict& c) {
        if (!c.is_next_turn) return c.from < gap && gap <= c.to;
        return gap > c.from || gap <= c.to;
    }
    void refuse(const Access& a, const char* why) {
        if (result.refused) return;
        result.refused = why;
        result.storage = a.storage;
    }

    const std::set<Var>& uniform_;
    std::vector<Var> loops_; ///< around the sequence
};

/// A part is a leaf, a loop or a branch; sequences in sequences are no parts.
std::vector<const Phase*> Placement::parts_of(const Phase& phase) {
    std::vector<const Phase*> all;
    for (auto& part : phase.parts) {
        if (part->kind != Phase::Sequence) {
            all.push_back(part.get());
            continue;
        }
        for (auto inner : parts_of(*part)) all.push_back(inner);
    }
    return all;
}

void Placement::collect(const Phase& phase, std::vector<const Access*>& all) const {
    for (auto& access : phase.accesses) all.push_back(&access);
    for (auto& part : phase.parts) collect(*part, all);
}

/// The same for both, in whatever turn of `turn` each is.
bool Placement::is_constant(const Polynomial& p, const Access& a, const Access& b, Var turn) const {
    for (auto& [monomial, _] : p.terms())
        for (auto x : monomial) {
            if (uniform_.contains(x)) continue;
            auto end   = std::ranges::find(a.loops, turn);
            bool outer = std::find(a.loops.begin(), end, x) != end && std::ranges::find(b.loops, x) != b.loops.end();
            if (!outer) return false;
        }
    return true;
}

/// One index of both is the item's number, moved by the same.
bool Placement::is_same(const std::map<unsigned, Var>& a, const std::map<unsigned, Var>& b, const Access& x, const Access& y,
                        Var turn) const {
    if (a.size() != b.size()) return false;
    for (auto& [dim, i] : a) {
        auto other = b.find(dim);
        if (other == b.end()) return false;
        bool is_found = false;
        for (size_t k = 0; k != std::min(x.indices.size(), y.indices.size()) && !is_found; ++k) {
            auto p = x.indices[k], q = y.indices[k].substitute(other->second, Polynomial::variable(i));
            auto rest = p - Polynomial::variable(i);
            is_found  = p == q && !rest.occurs(i) && is_constant(rest, x, y, turn);
        }
        if (!is_found) return false;
    }
    return true;
}

/// Buffers that change places are apart in one turn, and any of them in different turns.
bool Placement::can_meet(const Access& a, const Access& b, Var turn) const {
    if (!a.is_write && !b.is_write) return false;
    if (a.family.empty() || a.family != b.family) return a.storage == b.storage;
    bool is_inside    = std::ranges::find(loops_, a.swap_loop) != loops_.end();
    bool is_same_turn = is_inside && a.swap_loop == b.swap_loop && turn != a.swap_loop;
    return !is_same_turn || a.storage == b.storage;
}

bool Placement::conflict(const Access& a, const Access& b, Var turn) {
    if (!can_meet(a, b, turn)) return false;
    if (!is_same(a.groups, b.groups, a, b, turn)) {
        refuse(a, "work groups do not wait for each other: two kernels are needed, or each work group keeps what it reads");
        return false;
    }
    bool are_of_one_item = a.items.empty() && b.items.empty(); // item 0 does it for all
    bool is_own          = !a.items.empty() && is_same(a.items, b.items, a, b, turn);
    return !are_of_one_item && !is_own;
}

/// Each item that passes it meets a barrier.
bool Placement::has_barrier(const Phase& phase) const {
    if (result.fences.contains(phase.gap)) return true;
    if (phase.kind == Phase::Loop && !phase.is_run) return false;
    if (phase.kind == Phase::Branch) return std::ranges::all_of(phase.parts, [&](auto& side) { return has_barrier(*side); });
    return std::ranges::any_of(phase.parts, [&](auto& part) { return has_barrier(*part); });
}

bool Placement::contains(const Phase& phase, const Access* access) const {
    std::vector<const Access*> all;
    collect(phase, all);
    return std::ranges::find(all, access) != all.end();
}

const Phase* Placement::side_of(const Phase& branch, const Access* access) const {
    return branch.parts[contains(*branch.parts[0], access) ? 0 : 1].get();
}

/// Behind the access, before the phase ends.
bool Placement::is_behind(const Phase& phase, const Access* access) const {
    if (phase.kind == Phase::Branch) return is_behind(*side_of(phase, access), access);
    auto parts = parts_of(phase);
    for (size_t i = 0; i != parts.size(); ++i) {
        if (!contains(*parts[i], access)) continue;
        if (is_behind(*parts[i], access)) return true;
        return std::any_of(parts.begin() + static_cast<ptrdiff_t>(i) + 1, parts.end(),
                           [&](auto part) { return has_barrier(*part); });
    }
    return false;
}

bool Placement::is_before(const Phase& phase, const Access* access) const {
    if (phase.kind == Phase::Branch) return is_before(*side_of(phase, access), access);
    auto parts = parts_of(phase);
    for (size_t i = 0; i != parts.size(); ++i) {
        if (!contains(*parts[i], access)) {
            if (has_barrier(*parts[i])) return true;
            continue;
        }
        return result.fences.contains(parts[i]->gap) || is_before(*parts[i], access);
    }
    return false;
}

bool Placement::is_served(const std::vector<const Phase*>& parts, const Conflict& c) const {
    if (is_behind(*parts[c.from], c.first) || is_before(*parts[c.to], c.second)) return true;
    for (size_t i = 0; i != parts.size(); ++i) {
        bool is_gap = is_between(i, c);
        if (is_gap && result.fences.contains(parts[i]->gap)) return true;
        bool is_inner = is_gap && i != c.to && i != c.from;
        if (is_inner && has_barrier(*parts[i])) return true;
    }
    return false;
}

/// The fewest gaps that meet all: greedy by the earliest end. A circle is cut at each gap in turn.
void Placement::choose(const std::vector<const Phase*>& parts, std::vector<Conflict> open, bool is_circle) {
    auto n = parts.size();
    std::vector<size_t> best;
    bool has_best = false;
    for (size_t start = 0; start != (is_circle ? n : 1); ++start) {
        std::vector<size_t> chosen;
        auto rest = open;
        if (is_circle) {
            chosen.push_back(start);
            std::erase_if(rest, [&](auto& c) { return is_between(start, c); });
        }
        // no conflict that is left passes the cut
        auto end = [&](const Conflict& c) { return (c.to + n - start) % n; };
        while (!rest.empty()) {
            auto gap = std::ranges::min_element(rest, {}, end)->to;
            chosen.push_back(gap);
            std::erase_if(rest, [&](auto& c) { return is_between(gap, c); });
        }
        if (!has_best || chosen.size() < best.size()) best = chosen;
        has_best = true;
    }
    for (auto gap : best) {
        auto& [local, global] = result.fences[parts[gap]->gap];
        for (auto& c : open) {
            if (!is_between(gap, c)) continue;
            (c.first->is_global ? global : local) = true;
        }
    }
}

void Placement::sequence(const std::vector<const Phase*>& parts, const Phase* loop) {
    if (loop) loops_.push_back(loop->turn);
    for (auto part : parts) {
        if (part->kind == Phase::Loop) sequence(parts_of(*part), part);
        if (part->kind == Phase::Branch)
            for (auto& side : part->parts) sequence(parts_of(*side), nullptr);
    }
    std::vector<std::vector<const Access*>> accesses(parts.size());
    for (size_t i = 0; i != parts.size(); ++i) collect(*parts[i], accesses[i]);
    auto turn       = loop ? loop->turn : ~Var(0);
    bool may_repeat = loop && loop->may_repeat;
    auto none       = ~Var(0);
    std::vector<Conflict> all;
    auto meet = [&](size_t i, size_t j, bool is_next, Var varies) {
        for (auto a : accesses[i])
            for (auto b : accesses[j])
                if (conflict(*a, *b, varies)) all.push_back({i, j, is_next, a, b});
    };
    for (size_t i = 0; i != parts.size(); ++i) {
        for (size_t j = i + 1; j < parts.size(); ++j) meet(i, j, false, none);
        if (parts[i]->kind == Phase::Leaf)
            for (auto a : accesses[i])
                for (auto b : accesses[i])
                    if (a->is_write && !b->is_write && conflict(*a, *b, none))
                        refuse(*a, "no barrier can stand between the two, for not all work items get there together");
    }
    for (size_t i = 0; may_repeat && i != parts.size(); ++i)
        for (size_t j = 0; j <= i; ++j) meet(i, j, true, turn);
    // those of one turn first: barriers between them may serve those of the next
    std::erase_if(all, [&](auto& c) { return is_served(parts, c); });
    if (!all.empty()) choose(parts, all, may_repeat);
    if (loop) loops_.pop_back();
}

} // namespace

Barriers place_barriers(const Phase& program, const std::set<Var>& uniform) {
    Placement placement(uniform);
    placement.sequence(Placement::parts_of(program), nullptr);
    return placement.result;
}

} // namespace mim::plug::dpia
