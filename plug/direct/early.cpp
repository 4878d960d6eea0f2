// SPDX-License-Identifier: MIT
// Effects that happen before control goes on, because one path may need them twice:
//
//     let (mem, n) = count mem;
//     ret y        = next $ ((n, 1)#b);
//     return (mem, y)
//
// Both the argument and the continuation need `count mem`, and neither does whenever the other one is entered. But where a value is made of
// what an effect gave, all paths that follow take its token, unless they never return: so it may happen before `next` is called. The same
// holds of loops around what an effect gave, which is then older than the loop.
//
// Here a *block* is what control goes to: a continuation, an arm that is one, the function itself. What a block may evaluate belongs to it,
// in arms, arguments by need, and functions that return as well.
#include <algorithm>

#include "uses.h"

namespace mim::plug::direct {

namespace {

using Vertex = Uses::Vertex;

bool is_continuation(const Def* type) { return type->isa<Pi>() && type->as<Pi>()->is_cn(); }

} // namespace

bool Uses::Vertex::is_block() const {
    if (kind == Arm) return def->type()->isa<Bot>();
    auto lam = def->isa<Lam>();
    if (kind != Function || !lam || !lam->is_cn()) return false;
    auto dom = lam->dom();
    return !is_continuation(dom) && !(dom->isa<Sigma>() && dom->num_ops() > 0 && is_continuation(dom->ops().back()));
}

class Uses::Early {
public:
    explicit Early(Uses& uses)
        : uses_(uses)
        , world_(uses.facts_.world())
        , has_blocks_(uses.size()) {
        for (uint32_t v = 1; v != uses.size(); ++v)
            for (auto c = v; c != 0 && uses[v].is_block() && !has_blocks_[uses[c].home];) has_blocks_[c = uses[c].home] = true;
    }

    bool run() {
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (uses_.is_effect(v) && !uses_.decided_.contains(v)) look_at(v);
        for (auto [context, v] : added_) uses_[context].succs.push_back(v);
        return !added_.empty();
    }

private:
    using Set = std::unordered_set<uint32_t>;

    void look_at(uint32_t v);
    uint32_t outside_loops(uint32_t v);
    uint32_t loop_around(uint32_t context);
    const Set& loop(uint32_t header);
    std::vector<uint32_t> around(uint32_t v, uint32_t home);
    void place(uint32_t v, uint32_t home, const Set& needing, const Set& leading);
    void find_meeting(uint32_t v, uint32_t home, const Set& places, const Set& needing);
    bool may_leave(uint32_t from, const Set& needing);
    bool targets(uint32_t block, std::vector<uint32_t>& out);
    bool jump(const Def* callee, const Def* arg, std::vector<uint32_t>& out);
    bool hand_on(const Def* arg, bool returns, std::vector<uint32_t>& out);
    uint32_t block_of(uint32_t context) {
        while (context != 0 && !uses_[context].is_block()) context = uses_[context].home;
        return context;
    }

    Uses& uses_;
    World& world_;
    std::vector<std::vector<uint32_t>> users_; ///< of each vertex, once somebody asks
    std::unordered_map<uint32_t, Set> loops_;
    std::unordered_map<uint32_t, uint32_t> loop_around_; ///< by context
    std::vector<bool> has_blocks_;                       ///< contexts in which there are blocks
    std::vector<std::pair<uint32_t, uint32_t>> added_;   ///< contexts and the effects that happen at their start
};

bool Uses::add_early() { return Early(*this).run(); }

Uses::Users Uses::find_users() const {
    std::vector<std::vector<uint32_t>> users(size());
    for (uint32_t u = 0; u != size(); ++u)
        for (auto s : vertices_[u].succs) users[s].push_back(u);
    return users;
}

void Uses::Early::look_at(uint32_t v) {
    auto home      = outside_loops(v);
    bool is_forced = home != uses_[v].home;
    if (!is_forced && (uses_[v].is_strict || !has_blocks_[home])) return;
    auto blocks = around(v, home);
    Set needing(blocks.begin(), blocks.end()), leading = needing;
    while (!blocks.empty()) { // from what needs it back to where it could happen
        auto b = blocks.back();
        blocks.pop_back();
        if (b == home) {
            is_forced |= needing.size() > 1 && needing.contains(home);
            continue;
        }
        for (auto before : around(b, home)) {
            is_forced |= before != home && needing.contains(before);
            if (leading.insert(before).second) blocks.push_back(before);
        }
    }
    if (is_forced) place(v, home, needing, leading);
}

/// The home of v, or what is around the outermost loop that its home is in but that what v is made of is older than.
uint32_t Uses::Early::outside_loops(uint32_t v) {
    Set binders;
    auto home = uses_[v].home, result = home;
    for (auto c = loop_around(home); c; c = loop_around(uses_[c].home)) {
        if (binders.empty())
            for (auto var : free_vars(world_, uses_[v].def))
                if (auto b = uses_.vertex(var->as<Var>()->binder()); b >= 0) binders.insert(uint32_t(b));
        if (std::any_of(binders.begin(), binders.end(), [&](auto b) { return uses_.dominates(c, b); })) break;
        if (loop(c).contains(block_of(home))) result = uses_[c].home;
    }
    return result;
}

/// The innermost block that leads back to itself and that is this context or around it, as long as what is evaluated inside may happen
/// outside; 0 if there is none.
uint32_t Uses::Early::loop_around(uint32_t context) {
    std::vector<uint32_t> passed;
    auto c = context;
    for (; c != 0; c = uses_[c].home) {
        if (auto i = loop_around_.find(c); i != loop_around_.end()) {
            c = i->second;
            break;
        }
        auto& vertex  = uses_[c];
        bool is_fixed = vertex.kind == Vertex::Delay || (vertex.kind == Vertex::Function && !vertex.is_block())
                        || (vertex.kind == Vertex::Arm && uses_[vertex.owner].def->isa<Match>());
        passed.push_back(c);
        if (is_fixed) c = 0;
        if (is_fixed || (vertex.kind != Vertex::Arm && !loop(c).empty())) break;
    }
    for (auto p : passed) loop_around_[p] = c;
    return c;
}

/// The blocks that lead back to this one, which they are entered by; empty if there are none.
const Uses::Early::Set& Uses::Early::loop(uint32_t header) {
    auto [i, fresh] = loops_.try_emplace(header);
    if (!fresh) return i->second;
    std::vector<uint32_t> todo;
    Set body;
    for (auto b : around(header, header))
        if (uses_.dominates(header, b) && body.insert(b).second) todo.push_back(b);
    while (!todo.empty()) {
        auto b = todo.back();
        todo.pop_back();
        if (b == header) continue;
        for (auto before : around(b, header))
            if (body.insert(before).second) todo.push_back(before);
    }
    if (!body.empty()) body.insert(header);
    return loops_[header] = std::move(body);
}

/// The blocks that may need v, at most up to `home`.
std::vector<uint32_t> Uses::Early::around(uint32_t v, uint32_t home) {
    if (users_.empty()) users_ = uses_.find_users();
    Set seen;
    std::vector<uint32_t> todo = users_[v], result;
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (!seen.insert(u).second) continue;
        if (u == home || u == 0 || uses_[u].is_block()) result.push_back(u);
        else todo.insert(todo.end(), users_[u].begin(), users_[u].end());
    }
    return result;
}

/// Lets v happen at the start of `home`, or of the blocks further on from which all paths lead to those that need it.
void Uses::Early::place(uint32_t v, uint32_t home, const Set& needing, const Set& leading) {
    Set seen{home}, places;
    std::vector<uint32_t> todo{home};
    while (!todo.empty()) {
        auto b = todo.back();
        todo.pop_back();
        if (!may_leave(b, needing)) {
            added_.emplace_back(b, v);
            places.insert(b);
            continue;
        }
        std::vector<uint32_t> next;
        targets(b, next);
        for (auto t : next)
            if (leading.contains(t) && seen.insert(t).second) todo.push_back(t);
    }
    if (!places.contains(home)) find_meeting(v, home, places, needing);
}

/// A block that needs v, or in which one does, and that paths enter on which v has happened at one of `places` outside of it.
void Uses::Early::find_meeting(uint32_t v, uint32_t home, const Set& places, const Set& needing) {
    Set asking; // and what is around blocks that ask
    for (auto b : needing)
        for (auto c = b; c != home && asking.insert(c).second;) c = uses_[c].home;
    auto is_inside = [&](uint32_t t) { // of a place
        for (t = uses_[t].home; t != home && !places.contains(t);) t = uses_[t].home;
        return t != home;
    };
    Set seen(places);
    std::vector<uint32_t> todo(places.begin(), places.end()), next;
    while (!todo.empty()) {
        auto b = todo.back();
        todo.pop_back();
        next.clear();
        targets(b, next);
        for (auto t : next) {
            if (t == home || !uses_.dominates(home, t)) continue; // v is evaluated anew
            if (asking.contains(t) && uses_[t].kind == Vertex::Function && !is_inside(t)) {
                uses_.meetings_.push_back({t, v});
                return;
            }
            if (seen.insert(t).second) todo.push_back(t);
        }
    }
}

/// Whether a path returns that passes by all blocks that need it.
bool Uses::Early::may_leave(uint32_t from, const Set& needing) {
    Set seen{from};
    std::vector<uint32_t> todo{from};
    while (!todo.empty()) {
        auto b = todo.back();
        todo.pop_back();
        if (needing.contains(b)) continue;
        std::vector<uint32_t> next;
        if (targets(b, next)) return true;
        for (auto t : next)
            if (seen.insert(t).second) todo.push_back(t);
    }
    return false;
}

/// Where control may go at the end of a block. Whether it may leave the function.
bool Uses::Early::targets(uint32_t block, std::vector<uint32_t>& out) {
    auto& vertex = uses_[block];
    auto lam     = vertex.def->isa<Lam>();
    auto def     = block == 0 ? uses_.body() : lam && vertex.kind == Vertex::Function ? lam->body() : vertex.def;
    if (!def->type()->isa<Bot>()) return true;
    if (auto v = uses_.vertex(def); v >= 0 && uses_[uint32_t(v)].kind == Vertex::Control) {
        std::ranges::copy(uses_.arms(uint32_t(v)), std::back_inserter(out));
        return false;
    }
    if (auto match = def->isa<Match>()) {
        bool leaves = false;
        for (auto arm : match->arms()) leaves |= jump(arm, world_.unit(), out);
        return leaves;
    }
    auto app = def->isa<App>();
    return !app || jump(app->callee(), app->arg(), out);
}

bool Uses::Early::jump(const Def* callee, const Def* arg, std::vector<uint32_t>& out) {
    if (auto choice = callee->isa<Extract>(); choice && choice->tuple()->isa<Tuple>()) {
        bool leaves = false;
        for (auto f : choice->tuple()->ops()) leaves |= jump(f, arg, out);
        return leaves;
    }
    auto v = uses_.vertex(callee);
    if (callee->isa<Lam>() && v >= 0 && uses_[uint32_t(v)].is_block()) {
        out.push_back(uint32_t(v));
        return false;
    }
    return hand_on(arg, !callee->isa<Lam>() && !is_operation(callee), out);
}

/// A call of a function goes on with a continuation that it is given. Without one it does not return, but a continuation from around us does.
bool Uses::Early::hand_on(const Def* arg, bool returns, std::vector<uint32_t>& out) {
    std::vector<const Def*> todo{arg};
    bool leaves = false, any = false;
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (auto tuple = def->isa<Tuple>()) {
            todo.insert(todo.end(), tuple->ops().begin(), tuple->ops().end());
            continue;
        }
        if (is_static(def) || !holds_function(def->type())) continue;
        any    = true;
        auto v = uses_.vertex(def);
        if (!def->isa<Lam>()) leaves = true;
        else if (v >= 0 && uses_[uint32_t(v)].is_block()) out.push_back(uint32_t(v));
    }
    return leaves || (returns && !any);
}

} // namespace mim::plug::direct
