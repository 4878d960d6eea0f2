// SPDX-License-Identifier: MIT
// Asks the graph of uses (uses.h) what is evaluated with what: what a context does when it is entered, what all arms of a selection need,
// and whether something may be needed more than once. Answers are kept; making a thunk of something takes back those that it changes.
#include <algorithm>
#include <queue>

#include "uses.h"

namespace mim::plug::direct {

/// Contexts, and expressions, that is_repeated() looks at before it takes a repetition for granted, so that it costs no more than the rest.
static constexpr unsigned max_counted = 1000;

const std::vector<uint32_t>& Uses::enter(uint32_t context) {
    auto [i, fresh] = items_.try_emplace(context);
    if (!fresh) return i->second;
    // what its selections need in all arms is not found again, once part of it belongs to thunks
    auto& needed = entered_[context] = needs(context);
    for (auto v : needed)
        if (vertices_[v].kind == Vertex::Control) strict_.insert(v);

    // what is not needed on every path becomes a context of its own, which takes what only it needs along
    bool changed = false;
    std::vector<uint32_t> result, todo = children_[context];
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        auto& vertex = vertices_[v];
        if (vertex.kind == Vertex::Control && !strict_.contains(v)) vertex.kind = Vertex::Thunk, changed = true, forget(v);
        vertex.home = context;
        if (vertex.kind == Vertex::Control || vertex.kind == Vertex::Function || vertex.kind == Vertex::Thunk)
            result.push_back(v);
        if (!vertex.is_context()) todo.insert(todo.end(), children_[v].begin(), children_[v].end());
    }
    if (changed) needs_.clear();
    auto is_outer = [&](uint32_t v) { return vertices_[v].kind == Vertex::Thunk && vertices_[v].home != context; };
    auto own      = result.size();
    for (auto v : needed)
        if (is_outer(v)) result.push_back(v);
    // a thunk's effects happen before it, so that they do so once
    std::unordered_set<uint32_t> outer(result.begin() + std::ptrdiff_t(own), result.end());
    for (size_t k = own; k != result.size(); ++k)
        if (auto inside = items_.find(result[k]); inside != items_.end())
            for (auto v : inside->second)
                if (is_outer(v) && vertices_[v].home != result[k] && facts_.is_effect(vertices_[v].def) && outer.insert(v).second)
                    result.push_back(v);
    std::sort(result.begin(), result.end(), [&](auto a, auto b) { return vertices_[a].order < vertices_[b].order; });
    return items_[context] = std::move(result);
}

const std::vector<uint32_t>& Uses::needs(uint32_t v) {
    if (auto i = entered_.find(v); i != entered_.end()) return i->second;
    if (auto i = needs_.find(v); i != needs_.end()) return i->second;
    std::vector<uint32_t> result;
    needs_[v]; // a cycle through a function needs nothing more
    collect(v, result);
    std::sort(result.begin(), result.end());
    return needs_[v] = std::move(result);
}

std::unordered_set<uint32_t> Uses::collect(uint32_t from, std::vector<uint32_t>& out) {
    std::unordered_set<uint32_t> seen;
    std::vector<uint32_t> todo = vertices_[from].succs;
    while (!todo.empty()) {
        auto v       = todo.back();
        auto& vertex = vertices_[v];
        todo.pop_back();
        bool evaluated = strict_.contains(v) && vertex.home != from;
        if (vertex.kind == Vertex::Thunk && seen.insert(v).second) out.push_back(v);
        if (vertex.is_context() || evaluated || !seen.insert(v).second) continue;
        if (vertex.kind == Vertex::Control) out.push_back(v);
        bool has_arm = false;
        for (auto s : vertex.succs) {
            has_arm |= vertices_[s].kind == Vertex::Arm;
            if (vertices_[s].kind != Vertex::Arm && vertices_[s].kind != Vertex::Delay) todo.push_back(s);
        }
        if (!has_arm) continue;
        auto& all = common(v);
        todo.insert(todo.end(), all.begin(), all.end());
    }
    return seen;
}

/// What all arms of a selection need, up to what that needs in turn.
const std::vector<uint32_t>& Uses::common(uint32_t selection) {
    auto [i, fresh] = common_.try_emplace(selection);
    if (!fresh) return i->second;
    std::vector<std::vector<uint32_t>> sets;
    for (auto a : arms(selection)) sets.push_back(vertices_[a].succs);
    auto result               = meet(std::move(sets), selection);
    return common_[selection] = std::move(result);
}

/// What v needs is its own business from now on.
void Uses::forget(uint32_t v) {
    std::vector<uint32_t> todo{v};
    while (!todo.empty()) {
        auto by = looked_into_.extract(todo.back());
        todo.pop_back();
        if (!by) continue;
        for (auto selection : by.mapped()) common_.erase(selection), todo.push_back(selection);
    }
}

/// Sets of vertices, each of which stands for all that it needs, on their way to the set of what all of them need: users come before
/// what they use, so when it is a vertex's turn, all that need it have had theirs. What all need is not looked into, and nothing is
/// once one of the sets is used up; so a chain of selections costs what its links do.
struct Uses::Intersection {
    explicit Intersection(size_t n)
        : all(n == 64 ? ~uint64_t(0) : (uint64_t(1) << n) - 1)
        , left(n) {}

    void add(uint32_t v, uint32_t order, uint64_t sets) {
        auto [i, fresh] = members.try_emplace(v, 0);
        if (fresh) queue.emplace(order, v);
        for (size_t k = 0; k != left.size(); ++k) left[k] += sets >> k & ~i->second >> k & 1;
        i->second |= sets;
    }
    /// The next vertex and the sets that need it; no sets at the end.
    uint64_t next(uint32_t& v) {
        if (queue.empty() || std::find(left.begin(), left.end(), 0u) != left.end()) return 0;
        v = queue.top().second;
        queue.pop();
        auto sets = members[v];
        for (size_t k = 0; k != left.size(); ++k) left[k] -= sets >> k & 1;
        return sets;
    }

    uint64_t all;
    std::vector<uint32_t> left; ///< of each set, in the queue
    std::unordered_map<uint32_t, uint64_t> members;
    std::priority_queue<std::pair<uint32_t, uint32_t>> queue;
};

std::vector<uint32_t> Uses::meet(std::vector<std::vector<uint32_t>> sets, uint32_t selection) {
    for (; sets.size() > 64;
         sets.push_back(meet({sets.end() - 64, sets.end()}, selection)), sets.erase(sets.end() - 65, sets.end() - 1)) {}
    Intersection meeting(sets.size());
    auto add = [&](uint32_t v, uint64_t of) {
        auto& vertex   = vertices_[v];
        bool evaluated = strict_.contains(v) && vertices_[vertex.home].owner != selection;
        if (evaluated || (vertex.is_context() && vertex.kind != Vertex::Thunk)) return;
        meeting.add(v, vertex.order, of);
    };
    for (size_t k = 0; k != sets.size(); ++k)
        for (auto v : sets[k]) add(v, uint64_t(1) << k);
    std::vector<uint32_t> result;
    uint32_t v = 0;
    while (auto of = meeting.next(v)) {
        if (of == meeting.all) {
            result.push_back(v);
            continue;
        }
        if (vertices_[v].kind == Vertex::Thunk) continue;
        bool has_arm = false;
        looked_into_[v].push_back(selection);
        for (auto s : vertices_[v].succs) {
            has_arm |= vertices_[s].kind == Vertex::Arm;
            add(s, of);
        }
        if (!has_arm) continue;
        for (auto c : std::vector(common(v))) add(c, of);
    }
    return result;
}

bool Uses::is_repeated(uint32_t thunk) {
    entered_once_.clear();
    return most_calls(thunk) > 1 || is_in_function(thunk);
}

bool Uses::is_once(uint32_t thunk) { return knows_who_asks(thunk) && most_calls(thunk) <= 1; }

/// On one path through its home; 2 stands for more.
unsigned Uses::most_calls(uint32_t thunk) {
    counts_.resize(size());
    ++num_asked_;
    num_counted_ = 0;
    return count(thunk, vertices_[thunk].home);
}

/// Walks from the thunk to who asks for it, and to who asks for these, up to its home. False if `goes_on` says no, or
/// if they are too many.
template<class IsPast, class GoesOn>
bool Uses::visit_askers(uint32_t thunk, IsPast is_past, GoesOn goes_on) {
    if (users_.empty()) users_ = find_users();
    auto home = vertices_[thunk].home;
    std::unordered_set<uint32_t> seen;
    std::vector<uint32_t> todo{thunk};
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        for (auto u : users_[v]) {
            if (u == home || is_past(u) || !seen.insert(u).second) continue;
            if (seen.size() > max_counted || !goes_on(u)) return false;
            todo.push_back(u);
        }
    }
    return true;
}

/// Whether a function inside of the thunk's home calls it: each call does. Parts that the home evaluates in any case
/// have called it before.
bool Uses::is_in_function(uint32_t thunk) {
    auto is_past = [&](uint32_t u) { return strict_.contains(u); };
    return !visit_askers(thunk, is_past, [&](uint32_t u) { return vertices_[u].kind != Vertex::Function; });
}

/// Each way from who asks to its home goes through arms of choices, and through functions that one call enters, which
/// are evaluated whenever the code around them is. Then count() sees all that asks.
bool Uses::knows_who_asks(uint32_t thunk) {
    entered_once_.clear();
    auto is_past = [](uint32_t) { return false; };
    return visit_askers(thunk, is_past, [&](uint32_t u) {
        auto& user       = vertices_[u];
        bool is_function = user.kind == Vertex::Function;
        bool is_chosen   = user.kind == Vertex::Control && !user.is_strict;
        auto call        = is_function ? only_call(u) : nullptr;
        if (call) entered_once_[user.home].push_back({u, call});
        bool is_late = user.kind == Vertex::Thunk || user.kind == Vertex::Delay || is_chosen;
        return !is_late && (!is_function || call);
    });
}

/// The call that enters this function, directly or as one of several that it chooses from; null if it has another use.
const App* Uses::only_call(uint32_t function) {
    auto value = vertices_[function].def;
    if (is_pack(function)) return nullptr; // its code is entered for each element
    while (auto user = only_user(vertex(value))) {
        auto choice    = user->isa<Extract>();
        bool is_chosen = user->isa<Tuple>() || (choice && choice->tuple() == value);
        if (!is_chosen) {
            auto call = user->isa<App>();
            return call && call->callee() == value && call->arg() != value ? call->as<App>() : nullptr;
        }
        value = user;
    }
    return nullptr;
}

/// Null if there are several.
const Def* Uses::only_user(int64_t v) {
    if (v < 0) return nullptr;
    if (users_.empty()) users_ = find_users();
    auto& users = users_[size_t(v)];
    return !users.empty() && std::ranges::count(users, users[0]) == std::ssize(users) ? vertices_[users[0]].def : nullptr;
}

int64_t Uses::last_arm(const Def* end, uint32_t function) {
    auto app    = end->isa<App>();
    auto choice = app ? app->callee()->isa<Extract>() : nullptr;
    auto tuple  = choice ? choice->tuple()->isa<Tuple>() : nullptr;
    if (!tuple || std::ranges::count(tuple->ops(), vertices_[function].def) != 1) return -1;
    bool is_such = only_user(function) == tuple && only_user(vertex(tuple)) == choice && only_user(vertex(choice)) == app;
    return is_such ? std::ranges::find(tuple->ops(), vertices_[function].def) - tuple->ops().begin() : -1;
}

/// How often the context calls the thunk, at most, on one path. A context that comes before the thunk does not call it.
unsigned Uses::count(uint32_t thunk, uint32_t context) {
    if (vertices_[context].order < vertices_[thunk].order) return 0;
    auto& known = counts_[context];
    if (known.asked == num_asked_) return known.count;
    known = {num_asked_, 0};
    if (++num_counted_ > max_counted) return 2;
    auto& needed = needs(context);
    if (std::ranges::binary_search(needed, thunk)) return known.count = 1;
    unsigned result = 0;
    for (size_t i = 0; i != needed.size() && result != 2; ++i) result = std::min(result + count_in(thunk, needed[i]), 2u);
    result                        = std::min(result + count_entered(thunk, context), 2u);
    return counts_[context].count = result;
}

/// In the functions that one call enters: it enters one of them.
unsigned Uses::count_entered(uint32_t thunk, uint32_t context) {
    auto entered = entered_once_.find(context);
    if (entered == entered_once_.end()) return 0;
    std::unordered_map<const App*, unsigned> most;
    for (auto [function, call] : entered->second) most[call] = std::max(most[call], count(thunk, function));
    unsigned sum = 0;
    for (auto& [call, num] : most) sum += num;
    return sum;
}

/// Of what is evaluated: a thunk, or one of the arms of a selection, and whatever is passed by need.
unsigned Uses::count_in(uint32_t thunk, uint32_t v) {
    if (vertices_[v].kind == Vertex::Thunk) return count(thunk, v);
    unsigned most = 0, late = 0;
    for (auto s : vertices_[v].succs) {
        if (vertices_[s].kind == Vertex::Arm) most = std::max(most, count(thunk, s));
        if (vertices_[s].kind == Vertex::Delay) late += count(thunk, s);
    }
    return most + late;
}

} // namespace mim::plug::direct
