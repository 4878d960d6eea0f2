// SPDX-License-Identifier: MIT
#include "linear/exits.h"

#include <algorithm>

#include "linear/escape.h"

namespace mim::linear {

using Set = PathSets::Set;

/*
 * arms
 */

/// f(d, paths) for each λ that `callee` may be, and for what else it may be.
template<class F>
void Exits::each_target(const Def* callee, Set paths, F f) {
    auto ex    = callee->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    if (!tuple) return f(callee, paths);
    for (uint32_t i = 0, n = static_cast<uint32_t>(tuple->num_ops()); i < n; ++i)
        each_target(tuple->op(i), sets_.intersect(paths, sets_.arm(ex->index(), i, n)), f);
}

/// The paths on which a call of `fn` leaves through this exit.
Set Exits::through(const Fn& fn, const Def* exit) {
    auto it = std::ranges::find(fn.exits, exit);
    if (it == fn.exits.end()) return PathSets::None;
    if (fn.exits.size() == 1) return PathSets::All;
    return sets_.arm(fn.lam, static_cast<uint32_t>(it - fn.exits.begin()), static_cast<uint32_t>(fn.exits.size()));
}

void Exits::find_jumpers(const App* app) {
    if (jumps_of_ == app) return;
    std::vector<const Def*> others;
    jumps_of_ = app;
    jumpers_.clear();
    passed(c_.world, app, jumpers_, others);
    std::ranges::sort(jumpers_, {}, &Def::id);
    jumpers_.erase(std::unique(jumpers_.begin(), jumpers_.end()), jumpers_.end());
    std::erase_if(jumpers_, [&](auto lam) { return !c_.leaving.any_may_leave({&lam, 1}, {}); });
    unknown_jumps_ = c_.leaving.any_may_leave({}, others);
}

/// Each is an arm; the last one but one are those by something that is not known, the last one is that all come back.
Set Exits::jump(const App* app, const Lam* lam) {
    find_jumpers(app);
    auto it = std::ranges::find(jumpers_, lam);
    auto n  = static_cast<uint32_t>(jumpers_.size());
    if (it == jumpers_.end()) return PathSets::None;
    auto by = sets_.arm(app, static_cast<uint32_t>(it - jumpers_.begin()), n + 2);
    return sets_.intersect(by, may_jump(app, lam));
}

/// The paths on which the call enters a function that does not consume itself what this λ does.
Set Exits::may_jump(const App* app, const Lam* lam) {
    Set res = PathSets::None;
    each_target(app->callee(), PathSets::All, [&](const Def* d, Set paths) {
        auto callee = d->isa<Lam>();
        bool shares = c_.is_inlined() && callee && c_.kept.shares_all(callee, lam);
        if (!shares) res = sets_.unite(res, paths);
    });
    return res;
}

Set Exits::jumps(const App* app) {
    find_jumpers(app);
    auto n = static_cast<uint32_t>(jumpers_.size());
    SmallVector<Set, 4> ways;
    for (auto lam : jumpers_) ways.push_back(jump(app, lam));
    if (unknown_jumps_) ways.push_back(sets_.arm(app, n, n + 2));
    return sets_.unite_all(ways);
}

bool Exits::calls_last(const Fn& fn) { return fn.calls_last && !fn.exit_set.contains(last_param(c_.world, fn)); }

Set Exits::comes_back(const App* app) {
    Set res = PathSets::None;
    each_target(app->callee(), PathSets::All, [&](const Def* d, Set paths) {
        auto lam = d->isa<Lam>();
        auto fn  = lam ? c_.summaries.fn(lam) : nullptr;
        if (!fn || calls_last(*fn)) res = sets_.unite(res, paths);
        else res = sets_.unite(res, sets_.intersect(paths, through(*fn, last_param(c_.world, *fn))));
    });
    return sets_.subtract(res, jumps(app));
}

Set Exits::leaves_through(const App* app, size_t i) {
    Set res = PathSets::None;
    each_target(app->callee(), PathSets::All, [&](const Def* d, Set paths) {
        auto lam = d->as<Lam>();
        res      = sets_.unite(res, sets_.intersect(paths, through(*c_.summaries.fn(lam), param(c_.world, lam, i))));
    });
    return sets_.subtract(res, jumps(app));
}

Set Exits::consumes(const Fn& fn, const Def* token) {
    Set res = PathSets::All;
    for (auto exit : fn.exits)
        if (c_.kept.keeps(exit, token)) res = sets_.subtract(res, through(fn, exit));
    return res;
}

Set Exits::kept(const Def* token) {
    Set res = PathSets::None;
    for (auto& [exit, paths] : exits_)
        if (c_.kept.keeps(exit, token)) res = sets_.unite(res, paths);
    return res;
}

/*
 * ends
 */

/// The paths on which control goes to this one of the continuations in the argument, which may stand there more than once.
Set Exits::taken(const App* app, const Def* elem) {
    Set res    = PathSets::None;
    auto elems = call_elems(c_.world, app);
    for (size_t i = 0; i < elems.size(); ++i) {
        if (elems[i] != elem) continue;
        if (i + 1 == elems.size()) res = sets_.unite(res, comes_back(app));
        else if (c_.forgetting.is_exit_of(app, i)) res = sets_.unite(res, leaves_through(app, i));
        else return PathSets::All;
    }
    return res;
}

void Exits::go_through_exits(const Fn& fn, Set paths) {
    for (auto exit : fn.exits) // its own leads to what it gets
        if (exit && c_.kept.keeps_any(exit) && binder_of(exit) != fn.lam)
            exits_.emplace_back(exit, sets_.intersect(paths, through(fn, exit)));
}

void Exits::go(const Def* to, Set paths) {
    each_target(to, paths, [&](const Def* d, Set paths) {
        auto lam = d->isa<Lam>();
        if (auto fn = lam ? c_.summaries.fn(lam) : nullptr) go_through_exits(*fn, paths);
        else if (c_.kept.keeps_any(d)) exits_.emplace_back(d, paths);
    });
}

/// Returns the paths that there are not: a jump is no return.
Set Exits::leave_by_jump(const App* app, Set paths) {
    find_jumpers(app);
    auto n      = static_cast<uint32_t>(jumpers_.size());
    auto jumped = jumps(app);
    if (jumped == PathSets::None) return PathSets::None;
    Set lost = unknown_jumps_ ? PathSets::None : sets_.arm(app, n, n + 2);
    for (auto lam : jumpers_) {
        auto by = sets_.intersect(paths, jump(app, lam));
        auto fn = c_.summaries.fn(lam);
        go_through_exits(*fn, by);
        for (auto exit : fn->exits)
            if (exit && binder_of(exit) == lam) lost = sets_.unite(lost, sets_.intersect(by, through(*fn, exit)));
    }
    return sets_.intersect(paths, lost);
}

Set Exits::leave(const Def* end, Set paths) {
    if (auto app = end->isa<App>()) return leave(app, paths);
    if (auto match = end->isa<Match>()) return leave(match, paths);
    if (is_unknown_end(end)) go(end, paths);
    return PathSets::None; // what is chosen is an end by itself
}

/// A return may get functions, and then nobody tells it from a function that comes back through what it gets last: it is a branch on which
/// of the two is called. Each of them finds the tokens that it is left. What captures a token is passed to functions: see `mishandled`.
void Exits::leave_for(const App* app, Set paths) {
    auto elems     = return_elems(c_.world, app);
    bool is_call   = binder_of(app->callee()) && has_exit(c_.world, app);
    bool is_return = c_.returns.leads_back(app->callee());
    if (!is_call) go(app->callee(), paths);
    if (!is_call && is_return) return; // these are values
    bool is_unclear = is_return && std::ranges::none_of(elems, [&](auto elem) { return bool(holder(elem)); });
    if (is_unclear) go(app->callee(), sets_.intersect(paths, sets_.arm(app->callee(), 0, 2)));
    if (is_unclear) paths = sets_.intersect(paths, sets_.arm(app->callee(), 1, 2));
    for (auto elem : elems) go(elem, sets_.intersect(paths, taken(app, elem)));
}

Set Exits::leave(const App* app, Set paths) {
    auto jumped = leave_by_jump(app, paths);
    auto rest   = sets_.subtract(paths, jumps(app));
    leave_for(app, rest);
    auto lost = sets_.intersect(never(app->callee(), has_exit(c_.world, app)), never_continues(app));
    return sets_.unite(jumped, sets_.intersect(rest, lost));
}

Set Exits::leave(const Match* match, Set paths) {
    Set lost = PathSets::None;
    for (uint32_t i = 0, n = static_cast<uint32_t>(match->arms().size()); i < n; ++i) {
        auto arm = sets_.intersect(paths, sets_.arm(match->scrutinee(), i, n));
        go(match->arms()[i], arm);
        if (auto lam = match->arms()[i]->isa<Lam>(); lam && never(lam)) lost = sets_.unite(lost, arm);
    }
    return lost;
}

/// What gets a call of type ⊥ may go on where that goes: to who called.
bool Exits::never(const Lam* lam) {
    auto fn = c_.summaries.fn(lam);
    return fn && !fn->leaves_around && is_never(lam->body()) && !holds_never(lam->dom());
}

/// The paths on which a call of `callee` only comes back through continuations in its arguments, if there are any.
Set Exits::never(const Def* callee, bool continues) {
    if (auto lam = callee->isa<Lam>()) return never(lam) ? PathSets::All : PathSets::None;
    if (head_axiom(callee)) return PathSets::All;
    auto ex    = callee->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    if (auto pi = callee->type()->isa<Pi>(); pi && holds_never(pi->dom())) return PathSets::None;
    if (!tuple)
        return continues && !c_.returns.leads_back(callee) && !c_.leaving.may_leave(callee) ? PathSets::All : PathSets::None;
    std::vector<Set> arms;
    bool all = true;
    for (uint32_t i = 0, n = static_cast<uint32_t>(tuple->num_ops()); i < n; ++i) {
        auto lam = tuple->op(i)->isa<Lam>();
        all &= lam && never(lam);
        if (lam && never(lam) && !takes_continuation(lam->pi())) arms.push_back(sets_.arm(ex->index(), i, n));
    }
    return all ? PathSets::All : sets_.unite_all(arms);
}

/// The paths on which the continuations that such a call gets, if any, never return, or are never returned to.
Set Exits::never_continues(const App* app) {
    if (c_.leaving.may_come_back_elsewhere(app)) return PathSets::None;
    Set paths  = PathSets::All;
    auto elems = call_elems(c_.world, app);
    for (auto elem : return_elems(c_.world, app)) {
        auto ends = never(elem, false);
        if (elem == elems.back()) ends = sets_.unite(ends, sets_.subtract(PathSets::All, comes_back(app)));
        paths = sets_.intersect(paths, ends);
    }
    return paths;
}

/*
 * continuations with tokens
 */

const Def* Exits::captured_token(const Fn& fn) {
    auto token = std::ranges::find_if(fn.captures, [&](auto d) { return c_.facts.is_token(d) && !is_closed(c_.world, d); });
    return token == fn.captures.end() ? nullptr : *token;
}

/// A function that the element may be and that holds a token: a λ that captures one, or a function that waits for more arguments and got one.
Exits::Holder Exits::holder(const Def* elem) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    if (is_static(elem) || !elem->type()->isa<Pi>()) return {};
    callees(elem, lams, others);
    for (auto lam : lams) {
        auto fn    = c_.summaries.fn(lam);
        auto token = fn ? captured_token(*fn) : nullptr;
        if (token) return {lam, token};
    }
    for (auto other : others)
        if (auto token = token_argument(c_, other)) return {other, token};
    return {};
}

/// A parameter that stands for one of these functions, which may leave: paths show only what is called by itself.
bool Exits::stands_for_leaving(const Def* callee, const std::vector<const Lam*>& targets) {
    std::vector<const Lam*> called;
    std::vector<const Def*> others;
    callees(callee, called, others);
    if (others.empty() || c_.is_inlined()) return false; // what was inlined may leave so, as `forgets` says
    auto is_other = [&](const Lam* lam) {
        return std::ranges::find(called, lam) == called.end() && c_.leaving.any_may_leave({&lam, 1}, {});
    };
    return std::ranges::any_of(targets, is_other);
}

/// What is called is not known, or goes on after it called the last continuation that it gets, and may leave without calling that.
/// `hands_back`: that continuation only goes on in what it gets itself.
bool Exits::may_drop_return(const App* app, bool hands_back) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    c_.returns.targets(app->callee(), lams, others);
    auto unclear = [&](auto lam) {
        auto fn = c_.summaries.fn(lam);
        return fn && calls_last(*fn) && fn->leaves_around;
    };
    if (!hands_back && std::ranges::any_of(lams, unclear)) return true;
    if (c_.leaving.any_may_leave({}, others) || stands_for_leaving(app->callee(), lams)) return true;
    bool is_c = !c_.is_inlined() && std::ranges::any_of(lams, [](auto lam) { return !lam->is_set(); });
    return (is_c || !others.empty()) && gets_way_out(app);
}

/// The call gets something else that leaves than what it returns to. In a program as it was written, also in an aggregate, or earlier.
bool Exits::gets_way_out(const App* app) {
    auto elems = return_elems(c_.world, app);
    auto drops = [&](const Def* elem) { // one that captures a token itself is reported as a value
        return elem != elems.back() && never(elem, false) != PathSets::All && !holder(elem);
    };
    return std::ranges::any_of(elems, drops) || (!c_.is_inlined() && c_.leaving.may_come_back_elsewhere(app));
}

Exits::Holder Exits::mishandled(const App* app) {
    auto elems = arg_elems(app);
    auto found = elems.empty() ? Holder() : holder(elems.back());
    if (!found) return {};
    // If this is a function, it comes back to who calls it.
    bool is_value   = c_.returns.leads_back(app->callee()) && c_.leaving.may_leave(app->callee());
    auto lam        = found.function->isa<Lam>();
    bool hands_back = lam && never(lam) && takes_continuation(lam->pi());
    return may_drop_return(app, hands_back) || is_value || c_.repeats.call(app) ? found : Holder();
}

} // namespace mim::linear
