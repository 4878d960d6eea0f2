// SPDX-License-Identifier: MIT
#include "linear/effects.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "linear/summaries.h"

namespace mim::linear {

/// A variable or a part of one, where the elements of each aggregate on the way are told apart: no effect made it.
bool SharedEffects::is_part_of_variable(const Def* d) {
    for (auto ex = d->isa<Extract>(); ex; ex = d->isa<Extract>()) {
        d = ex->tuple();
        if (!isa_lit(ex->index()) || facts_.num_elems(d) == 0) return false;
    }
    return d->node() == Node::Var;
}

/// Finds the effects that made both tokens, or one of them from the other, and where these start: the youngest first,
/// each with whether it is a start. Empty if the tokens have nothing in common.
std::vector<std::pair<const Def*, bool>> SharedEffects::find(const Def* a, const Def* b, Through through) {
    if (is_part_of_variable(a) && is_part_of_variable(b)) return {}; // of a parameter with many tokens, each pair is asked for
    enum : uint8_t { FromA = 1, FromB = 2, Both = 3 };
    using Order = std::tuple<uint32_t, uint32_t, uint32_t>;
    struct Found {
        const Def* def;
        uint8_t from;
    };
    std::map<Order, Found, std::greater<>> found; // what is made from others is younger than these
    auto order = [](const Def* d) -> Order {      // a projection comes right before what it is one of: it may be made only now
        uint32_t depth = 0;
        auto base      = d;
        for (; base->isa<Extract>(); ++depth) base = base->as<Extract>()->tuple();
        return {base->id(), depth, d->id()};
    };
    std::set<Order, std::greater<>> todo;
    auto add = [&](const Def* d, uint8_t from) {
        auto key      = order(d);
        auto& entry   = found.try_emplace(key, Found{d, 0}).first->second;
        bool is_known = (entry.from & from) == from;
        entry.from |= from;
        if (!is_known) todo.insert(key);
    };
    add(a, FromA), add(b, FromB);
    while (!todo.empty()) {
        auto [d, from] = found.at(*todo.begin());
        todo.erase(todo.begin());
        if (from == Both || d->node() == Node::Var) continue;
        for (auto op : consumed_tokens(d, through)) add(op, from);
    }
    std::vector<std::pair<const Def*, bool>> seen;
    bool any = false;
    for (auto& [_, entry] : found) {
        bool start = entry.from == Both && facts_.num_elems(entry.def) == 0; // two elements of one effect are two tokens
        seen.emplace_back(entry.def, start);
        any |= start;
    }
    if (!any) seen.clear();
    return seen;
}

/// What an index that is not known chooses from.
static Defs alternatives(const Def* d) {
    auto ex    = d->isa<Extract>();
    auto tuple = ex && !isa_lit(ex->index()) ? ex->tuple()->isa<Tuple>() : nullptr;
    return tuple ? tuple->ops() : Defs();
}

/// The tokens that this node is made from; of what is passed on as a whole, its elements.
std::vector<const Def*> SharedEffects::consumed_tokens(const Def* d, Through through) {
    std::vector<const Def*> res;
    if (through == Through::Functions)
        for (auto callee : called(d))
            std::ranges::copy_if(callee->captures, std::back_inserter(res), [&](auto token) { return facts_.is_token(token); });
    auto choices = alternatives(d);
    for (auto op : choices.empty() ? value_ops(d) : choices) {
        if (!op || is_static(op) || op->node() == Node::Lam || !facts_.is_token(op)) continue;
        auto n = d->isa<Extract>() && choices.empty() ? 0 : facts_.num_elems(op);
        if (n == 0) res.push_back(op);
        for (size_t i = 0; i < n; ++i)
            if (types_.is_elem_token(op, i)) res.push_back(world_.extract(op, i));
    }
    return res;
}

std::vector<const Fn*> SharedEffects::called(const Def* d) {
    std::vector<const Fn*> res;
    auto app = d->isa<App>();
    if (!app || is_never(app)) return res;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    callees(app->callee(), lams, others);
    for (auto lam : lams)
        if (auto fn = summaries_.fn(lam)) res.push_back(fn);
    return res;
}

bool SharedEffects::calls_holder(const Def* made) {
    for (auto ex = made->isa<Extract>(); ex; ex = made->isa<Extract>()) made = ex->tuple();
    auto holds_token = [&](const Fn* callee) {
        return std::ranges::any_of(callee->captures, [&](auto d) { return facts_.is_token(d); });
    };
    return std::ranges::any_of(called(made), holds_token);
}

bool SharedEffects::have_common(const Def* a, const Def* b) {
    auto [it, fresh] = common_.try_emplace({a, b}, false);
    if (fresh) it->second = !find(a, b, Through::Nothing).empty();
    return it->second;
}

/// A call of f, which asks for both tokens, consumes what they have in common on some paths in this way and on some in
/// the other. So these effects belong to f: who calls it only knows where they start.
void SharedEffects::share(Fn& f, const Def* a, const Def* b) {
    auto effects = find(a, b, Through::Functions);
    DefSet inside; // and the starts
    for (auto it = effects.rbegin(); it != effects.rend(); ++it) {
        auto [d, start] = *it;
        auto ops        = consumed_tokens(d, Through::Functions);
        bool made       = std::any_of(ops.begin(), ops.end(), [&](auto op) { return inside.contains(op); });
        if (start || made) inside.insert(d);
        if (!start && made) f.own.insert(d), f.first_own = std::min(f.first_own, d->id());
    }
}

/// A projection is made where the tuple is that it is taken out of.
static void add_own(Fn& f, const Def* made) {
    f.own.insert(made);
    for (auto tuple = projected(made); tuple; tuple = projected(tuple)) f.own.insert(tuple);
}

bool SharedEffects::is_made_inside(Fn& f, const Def* made) {
    if (f.own.empty()) return false;
    std::vector<const Def*> todo{made};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (f.own.contains(d)) return add_own(f, made), true;
        if (!seen.insert(d)) continue;
        if (auto lam = d->isa<Lam>()) {
            if (auto callee = summaries_.fn(lam)) todo.insert(todo.end(), callee->captures.begin(), callee->captures.end());
            continue;
        }
        for (auto op : value_ops(d)) {
            if (!op || is_static(op)) continue;
            auto& known = facts_.of(op);
            // a function, and the pack of a variable, may be older than its body
            if (op->is_mut() || known.anchored || (known.has_token && op->id() >= f.first_own)) todo.push_back(op);
        }
    }
    return false;
}

} // namespace mim::linear
