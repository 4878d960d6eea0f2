// SPDX-License-Identifier: MIT
// One λ: passes the paths on which a node is evaluated from users to operands, and compares the paths on which each token is consumed
// with those on which it should be.
#include <algorithm>

#include "ir/path_sets.h"
#include "ir/token_check.h"

namespace mim::tokens {

namespace {

using Set   = PathSets::Set;
using Count = PathSets::Count;

class Flow {
public:
    Flow(Check& check, Fn& fn)
        : c_(check)
        , fn_(fn) {}

    void run();

private:
    struct State {
        std::vector<Set> whole;                    ///< where it is consumed as a whole; of a call: where it is made
        std::vector<Set> need;                     ///< where it is used without being consumed
        std::vector<std::pair<size_t, Set>> elems; ///< where an element is consumed
        std::vector<const Def*> users;             ///< the first few that consume it
    };

    State& state(const Key& key) { return states_[fn_.index.at(key)]; }
    bool has(const Key& key) const { return fn_.index.contains(key); }
    std::vector<Key> order();
    void step(const Key&);
    void send(const Key& from, const Edge&, const Count&);
    void receive(const Key& to, const Def* user, const Count&, int64_t elem, bool touch);
    Set token_paths(const Key&, State&);
    void check_choice(const Def*);
    void end(const Key&, const Count&);
    template<class F>
    void each_target(const Def* callee, Set paths, F f);
    Set through(const Fn&, const Def* exit);
    Set comes_back(const App*);
    Set consumes(const Fn&, const Def* token);
    void enter(const Key&, const Count&);
    void leave(const App*, Set paths);
    void leave(const Def* to, Set paths, const App* app);
    Set kept(const Def* token);
    Set never(const Def* callee, bool continues);
    Set never_continues(const App* app);
    const Def* captured_token(const Fn&);
    bool may_drop_return(const App*);
    void check_return(const App* app);
    bool never(const Lam* lam);
    Set returning(Set paths) { return sets_.subtract(paths, lost_); }
    void check_captures();
    void report(const Def* token, bool twice, const std::vector<const Def*>& users);
    const Def* place(const Def*);
    const Def* first_leaf(const Def*);

    Check& c_;
    Fn& fn_;
    PathSets sets_;
    std::vector<State> states_;
    std::unordered_map<const Def*, State> captured_;
    std::vector<std::pair<const Def*, Set>> exits_; ///< parameters that keep tokens, and paths on which they are called
    Set lost_ = PathSets::None;                     ///< paths that end in a call that never returns
    std::unordered_set<const Def*> reported_;
};

/*
 * order
 */

/// Users before operands.
std::vector<Key> Flow::order() {
    std::vector<Key> post;
    std::vector<uint8_t> seen(fn_.keys.size(), 0);
    struct Visit {
        Key key;
        std::vector<Key> ops;
    };
    std::vector<Visit> stack;
    auto push = [&](const Key& key) {
        auto it = fn_.index.find(key);
        if (it == fn_.index.end() || seen[it->second]) return;
        seen[it->second] = 1;
        stack.push_back({key, {}});
        c_.edges(fn_, key, [&](const Edge& e) {
            if (has(e.to)) stack.back().ops.push_back(e.to);
        });
    };
    auto body = fn_.lam->body();
    std::vector<Key> roots{{body, body->node() == Node::Lam ? Mode::Result : Mode::Value}};
    roots.insert(roots.end(), fn_.keys.begin(), fn_.keys.end());
    // what only the captures of λs lead to has these λs as users, so all is reached from the body but for an unused variable
    for (auto& root : roots) {
        push(root);
        while (!stack.empty()) {
            auto& ops = stack.back().ops;
            if (ops.empty()) {
                post.push_back(stack.back().key);
                stack.pop_back();
                continue;
            }
            auto key = ops.back();
            ops.pop_back();
            push(key);
        }
    }
    std::reverse(post.begin(), post.end());
    return post;
}

/*
 * flow
 */

void Flow::receive(const Key& to, const Def* user, const Count& e, int64_t elem, bool touch) {
    auto d       = to.def;
    auto consume = [&](State& s) {
        auto add = [&](Set paths) {
            if (paths == PathSets::None) return;
            if (elem < 0) s.whole.push_back(paths);
            else s.elems.emplace_back(static_cast<size_t>(elem), paths);
        };
        add(e.once), add(e.twice);
        if (s.users.size() < 3) s.users.push_back(user);
    };
    if (!has(to)) {
        if (touch || !c_.is_token(d)) return;
        auto n = c_.num_elems(d);
        for (size_t i = 0; i < n; ++i)
            if (c_.types.is_elem_token(d, i)) receive({c_.world.extract(d, i), Mode::Value}, user, e, -1, false);
        if (n == 0) consume(captured_[d]);
        return;
    }
    auto& s  = state(to);
    bool sum = to.mode != Mode::Value || is_never(d) || c_.is_token(d);
    if (touch || !sum || (elem >= 0 && !c_.types.is_elem_token(d, static_cast<size_t>(elem)))) s.need.push_back(e.once);
    else consume(s);
}

void Flow::send(const Key& from, const Edge& edge, const Count& user) {
    if (is_static(edge.to.def)) return;
    auto e = user;
    if (edge.kind == Edge::Arm) {
        auto arm = sets_.arm(edge.cond, edge.arm, edge.num_arms);
        e        = {sets_.intersect(e.once, arm), sets_.intersect(e.twice, arm)};
    }
    if (edge.kind == Edge::Return) {
        auto back = comes_back(from.def->as<App>());
        e         = {sets_.intersect(e.once, back), sets_.intersect(e.twice, back)};
    }
    if (edge.kind == Edge::Times && edge.times > 1) e.twice = e.once;
    receive(edge.to, from.def, e, edge.elem, edge.kind == Edge::Touch);
}

/// The paths on which the token is made. Reports if it is not consumed exactly once on each of them that returns.
Set Flow::token_paths(const Key& key, State& s) {
    auto d      = key.def;
    bool is_var = d == fn_.lam->var();
    auto n      = s.elems.empty() && !is_var ? 0 : c_.num_elems(d);
    auto elem   = [&](size_t i) {
        auto uses = s.whole;
        for (auto& [j, paths] : s.elems)
            if (j == i) uses.push_back(paths);
        return sets_.sum(std::move(uses));
    };
    auto consumed = s.whole;
    for (auto& [i, paths] : s.elems) consumed.push_back(paths);
    auto used     = sets_.unite_all(consumed);
    auto made     = is_var ? PathSets::All : sets_.unite(used, sets_.unite_all(s.need));
    auto expected = returning(made);
    auto check    = [&](const Def* token, const Count& use) {
        if (use.twice != PathSets::None) report(token, true, s.users);
        else if (!sets_.is_subset(expected, use.once)) {
            report(token, false, s.users);
            made = used; // what it is made from need not show the same again
        }
    };
    if (n == 0) check(d, sets_.sum(s.whole));
    for (size_t i = 0; i < n; ++i)
        if (c_.types.is_elem_token(d, i)) check(c_.world.extract(d, i), elem(i));
    return made;
}

/// Choosing one of several tokens, or replacing one, by an index that is not known drops another.
void Flow::check_choice(const Def* d) {
    if (d->node() != Node::Extract && d->node() != Node::Insert) return;
    auto tuple = d->op(0);
    if (isa_lit(d->op(1)) || tuple->node() == Node::Tuple || !c_.is_token(tuple)) return;
    report(tuple, false, {});
}

void Flow::step(const Key& key) {
    auto d  = key.def;
    auto& s = state(key);
    Count e;
    if (key.mode != Mode::Value || is_never(d)) {
        e      = sets_.sum(s.whole);
        e.once = sets_.unite(e.once, sets_.unite_all(s.need));
    } else if (d->node() != Node::Lam && c_.is_token(d)) {
        e.once = token_paths(key, s);
        if (e.once != PathSets::None) check_choice(d);
    } else { // by need, at most once
        e.once = sets_.unite_all(s.need);
    }
    if (is_never(d)) end(key, e);
    if (d->node() == Node::Lam && key.mode == Mode::Call) enter(key, e);
    else c_.edges(fn_, key, [&](const Edge& edge) { send(key, edge, e); });
    s = {};
}

/*
 * exits
 *
 * A call of a λ that may leave through several parameters is a branch: each is an arm.
 */

/// f(d, paths) for each λ that `callee` may be, and for what else it may be.
template<class F>
void Flow::each_target(const Def* callee, Set paths, F f) {
    auto ex    = callee->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    if (!tuple) return f(callee, paths);
    for (uint32_t i = 0, n = static_cast<uint32_t>(tuple->num_ops()); i < n; ++i)
        each_target(tuple->op(i), sets_.intersect(paths, sets_.arm(ex->index(), i, n)), f);
}

/// The paths on which a call of `fn` leaves through this exit.
Set Flow::through(const Fn& fn, const Def* exit) {
    auto it = std::ranges::find(fn.exits, exit);
    if (it == fn.exits.end()) return PathSets::None;
    if (fn.exits.size() == 1) return PathSets::All;
    return sets_.arm(fn.lam, static_cast<uint32_t>(it - fn.exits.begin()), static_cast<uint32_t>(fn.exits.size()));
}

/// The paths on which a call comes back through the last element of its argument.
Set Flow::comes_back(const App* app) {
    Set res = PathSets::None;
    each_target(app->callee(), PathSets::All, [&](const Def* d, Set paths) {
        auto lam = d->isa<Lam>();
        auto fn  = lam ? c_.fn(lam) : nullptr;
        res      = sets_.unite(res, fn ? sets_.intersect(paths, through(*fn, c_.last_param(lam))) : paths);
    });
    return res;
}

/// The paths on which a call of `fn` consumes a token that it captures.
Set Flow::consumes(const Fn& fn, const Def* token) {
    Set res = PathSets::All;
    for (auto exit : fn.exits)
        if (c_.keeps(exit, token)) res = sets_.subtract(res, through(fn, exit));
    return res;
}

void Flow::enter(const Key& key, const Count& e) {
    auto fn = c_.fn(key.def->as<Lam>());
    if (!fn) return;
    for (auto token : fn->captures) {
        auto paths = consumes(*fn, token);
        send(key, Edge{.to = {token, Mode::Value}}, {sets_.intersect(e.once, paths), sets_.intersect(e.twice, paths)});
    }
}

/// Control goes to `to` on these paths, in a call of it or, if `app` is null, when a call comes back to it.
void Flow::leave(const Def* to, Set paths, const App* app) {
    each_target(to, paths, [&](const Def* d, Set paths) {
        if (paths == PathSets::None) return;
        auto lam = d->isa<Lam>();
        if (!lam) {
            if (c_.keeps_any(d) && !(app && has_exit(c_.world, app))) exits_.emplace_back(d, paths);
            return;
        }
        auto fn = c_.fn(lam);
        if (!fn) return;
        for (auto exit : fn->exits)
            if (exit && c_.keeps_any(exit) && binder_of(exit) != lam)
                exits_.emplace_back(exit, sets_.intersect(paths, through(*fn, exit)));
    });
}

void Flow::leave(const App* app, Set paths) {
    leave(app->callee(), paths, app);
    if (c_.leads_back(app->callee())) return;
    auto elems = call_elems(c_.world, app);
    for (auto elem : return_elems(c_.world, app))
        leave(elem, elem == elems.back() ? sets_.intersect(paths, comes_back(app)) : paths, nullptr);
}

/// The paths on which the token is left to who is returned to.
Set Flow::kept(const Def* token) {
    Set res = PathSets::None;
    for (auto& [exit, paths] : exits_)
        if (c_.keeps(exit, token)) res = sets_.unite(res, paths);
    return res;
}

/*
 * ends
 */

bool Flow::never(const Lam* lam) {
    auto fn = c_.fn(lam);
    return fn && !fn->may_return() && is_never(lam->body());
}

/// The paths on which a call of `callee` only comes back through continuations in its arguments, if there are any.
Set Flow::never(const Def* callee, bool continues) {
    if (auto lam = callee->isa<Lam>()) return never(lam) ? PathSets::All : PathSets::None;
    if (head_axiom(callee)) return PathSets::All;
    auto ex    = callee->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    if (!tuple) return continues && !c_.leads_back(callee) && !c_.may_leave(callee) ? PathSets::All : PathSets::None;
    std::vector<Set> arms;
    bool all = true;
    for (uint32_t i = 0, n = static_cast<uint32_t>(tuple->num_ops()); i < n; ++i) {
        auto lam = tuple->op(i)->isa<Lam>();
        all &= lam && never(lam);
        if (lam && never(lam) && !takes_continuation(lam->pi())) arms.push_back(sets_.arm(ex->index(), i, n));
    }
    return all ? PathSets::All : sets_.unite_all(arms);
}

/// The paths on which the continuations that such a call gets, if any, never return.
Set Flow::never_continues(const App* app) {
    if (comes_back_elsewhere(c_.world, app)) return PathSets::None;
    Set paths = PathSets::All;
    for (auto elem : return_elems(c_.world, app)) paths = sets_.intersect(paths, never(elem, false));
    return paths;
}

const Def* Flow::captured_token(const Fn& fn) {
    auto token = std::ranges::find_if(fn.captures, [&](auto d) { return c_.is_token(d) && !c_.world.is_closed(d); });
    return token == fn.captures.end() ? nullptr : *token;
}

/// What is called is not known, and may leave without calling the last continuation that it gets.
bool Flow::may_drop_return(const App* app) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    c_.targets(app->callee(), lams, others);
    auto elems = return_elems(c_.world, app);
    auto drops = [&](const Def* elem) { // one that captures a token itself is reported as a value
        auto exit = elem->isa<Lam>() ? c_.fn(elem->as<Lam>()) : nullptr;
        return elem != elems.back() && never(elem, false) != PathSets::All && !(exit && captured_token(*exit));
    };
    return std::ranges::any_of(others, [&](auto other) { return c_.may_leave(other) || std::ranges::any_of(elems, drops); });
}

/// A continuation with tokens is called once: not by what may leave otherwise, and not by a function that may call it again. (What
/// λs do shows on the paths.)
void Flow::check_return(const App* app) {
    auto lam   = arg_elems(app).empty() ? nullptr : arg_elems(app).back()->isa<Lam>();
    auto ret   = lam ? c_.fn(lam) : nullptr;
    auto token = ret ? captured_token(*ret) : nullptr;
    if (!token) return;
    bool is_value = c_.leads_back(app->callee()) && c_.may_leave(app->callee()); // a function, which comes back to who calls it
    if ((never(lam) || !may_drop_return(app)) && !is_value && !c_.may_repeat(app)) return;
    if (!c_.is_first_report(fn_.lam, token)) return;
    c_.violations.push_back({Diag::token_escapes, {lam, token}, fn_.lam, lam, {{Diag::token_made_here, token}}});
}

/// A call in tail position: the paths on which it never returns.
void Flow::end(const Key& key, const Count& e) {
    Set paths = PathSets::None;
    if (auto app = key.def->isa<App>()) {
        leave(app, e.once);
        paths = sets_.intersect(never(app->callee(), has_exit(c_.world, app)), never_continues(app));
        check_return(app);
    } else if (auto match = key.def->isa<Match>()) {
        std::vector<Set> arms;
        for (uint32_t i = 0, n = static_cast<uint32_t>(match->arms().size()); i < n; ++i)
            leave(match->arms()[i], sets_.intersect(e.once, sets_.arm(match->scrutinee(), i, n)), nullptr);
        for (uint32_t i = 0, n = static_cast<uint32_t>(match->arms().size()); i < n; ++i)
            if (auto lam = match->arms()[i]->isa<Lam>(); lam && never(lam)) arms.push_back(sets_.arm(match->scrutinee(), i, n));
        paths = sets_.unite_all(arms);
    }
    lost_ = sets_.unite(lost_, sets_.intersect(paths, e.once));
}

/*
 * what is wrong
 */

/// The node whose place in the source is known: of a projection, what it is a projection of.
const Def* Flow::place(const Def* d) {
    auto at = d;
    while (!c_.world.span(at) && at->isa<Extract>()) at = at->as<Extract>()->tuple();
    return c_.world.span(at) ? at : d;
}

/// The first token in this one that has no tokens as elements.
const Def* Flow::first_leaf(const Def* token) {
    for (size_t i = 0, n = c_.num_elems(token); i < n;) {
        if (!c_.types.is_elem_token(token, i)) {
            ++i;
            continue;
        }
        token = c_.world.extract(token, i);
        i = 0, n = c_.num_elems(token);
    }
    return token;
}

void Flow::report(const Def* token, bool twice, const std::vector<const Def*>& users) {
    if (!reported_.insert(token).second) return;
    if (!twice) token = first_leaf(token);
    Violation v{twice ? Diag::token_used_twice : Diag::token_dropped, {token}, fn_.lam, place(token), {}};
    if (twice) {
        if (captured_.contains(token) && c_.is_recursive(fn_.lam)) v.id = Diag::token_in_loop;
        for (size_t i = 0; i < users.size() && i < 2; ++i)
            v.notes.push_back({i == 0 ? Diag::token_first_use : Diag::token_second_use, place(users[i])});
    }
    c_.violations.push_back(std::move(v));
}

/// A call consumes what it captures, once on each path that returns. What nothing around it makes (an axiom that is a token) is there
/// once for the whole program, and may be left alone.
void Flow::check_captures() {
    for (auto d : fn_.captures) {
        auto it = captured_.find(d);
        if (it == captured_.end()) continue;
        auto use  = sets_.sum(it->second.whole);
        auto kept = this->kept(d);
        if (use.twice != PathSets::None || sets_.intersect(returning(kept), use.once) != PathSets::None)
            report(d, true, it->second.users);
        else if (!c_.world.is_closed(d) && !sets_.is_subset(sets_.subtract(returning(PathSets::All), kept), use.once))
            report(d, false, it->second.users);
    }
}

void Flow::run() {
    states_.resize(fn_.keys.size());
    auto body = fn_.lam->body();
    receive({body, body->node() == Node::Lam ? Mode::Result : Mode::Value}, fn_.lam, {PathSets::All, PathSets::None}, -1, false);
    auto var = fn_.lam->var();
    for (auto& key : order())
        if (key.def != var || key.mode != Mode::Value) step(key);
    if (Key key{var, Mode::Value}; has(key)) step(key); // last: all ends are known
    check_captures();
}

} // namespace

void check_flow(Check& check, Fn& fn) {
    try {
        Flow(check, fn).run();
    } catch (const TooManyPaths&) {
        check.violations.push_back({Diag::too_many_paths, {fn.lam}, fn.lam, fn.lam, {}});
    }
}

} // namespace mim::tokens
