// SPDX-License-Identifier: MIT
// One λ: passes the paths on which a node is evaluated from users to operands, and compares the paths on which each token is consumed
// with those on which it should be.
#include "linear/flow.h"

#include <algorithm>

#include "linear/edges.h"
#include "linear/escape.h"
#include "linear/exits.h"

namespace mim::linear {

namespace {

using Set   = PathSets::Set;
using Count = PathSets::Count;
using Users = SmallVector<const Def*, 3>;

class Flow {
public:
    Flow(Check& check, Fn& fn)
        : c_(check)
        , fn_(fn) {}

    void run();

private:
    struct State {
        SmallVector<Set, 2> whole; ///< where it is consumed as a whole; of a call: where it is made
        SmallVector<Set, 2> need;  ///< where it is used without being consumed
        SmallVector<Set, 2> late;  ///< where functions are called that use it: of an effect that hands no token on
        std::vector<std::pair<size_t, Set>> elems; ///< where an element is consumed
        Users users;                               ///< the first few that consume it
    };

    State& state(const Key& key) { return states_[fn_.keys.index(key)]; }
    bool has(const Key& key) const { return fn_.keys.contains(key); }
    std::vector<Key> order();
    void step(const Key&);
    Set continues(const App*, const Edge&);
    void send(const Key& from, const Edge&, const Count&);
    void receive(const Key& to, const Def* user, const Count&, int64_t elem, bool touch);
    Set token_paths(const Key&, State&);
    void check_choice(const Def*);
    void end(const Key&, const Count&);
    void find_tail();
    void enter(const Key&, const Count&);
    Set returning(Set paths) { return sets_.subtract(paths, lost_); }
    const Def* token_made_once(const Def*);
    void check_captures();
    void evaluate(const Key&, Set now, Set late);
    /// `effect`: it happens by need, and consumes the token; null if there is none.
    void report(const Def* token, bool twice, const Users& users, const Def* effect = nullptr);
    const Def* place(const Def*);
    const Def* place_of_user(const Def* user);
    bool are_apart(const std::vector<const Def*>& places);
    const Def* first_leaf(const Def*);
    const Def* argument_by_need(const Def* token);

    Check& c_;
    Fn& fn_;
    PathSets sets_;
    std::vector<State> states_;
    std::unordered_map<const Def*, State> captured_;
    Exits exits_{c_, sets_};
    Set lost_ = PathSets::None; ///< paths that end in a call that never returns
    DefSet tail_;               ///< what the body ends in
    DefSet reported_;
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
        size_t first_op; ///< those from here on are not visited yet, the last one first
    };
    std::vector<Visit> stack;
    std::vector<Key> ops;
    post.reserve(fn_.keys.size());
    auto push = [&](const Key& key) {
        auto i = fn_.keys.index(key);
        if (i == fn_.keys.None || seen[i]) return;
        seen[i] = 1;
        stack.push_back({key, ops.size()});
        edges(c_, fn_, key, [&](const Edge& e) {
            if (has(e.to)) ops.push_back(e.to);
        });
    };
    auto visit = [&](const Key& root) {
        push(root);
        while (!stack.empty()) {
            if (ops.size() == stack.back().first_op) {
                post.push_back(stack.back().key);
                stack.pop_back();
                continue;
            }
            auto key = ops.back();
            ops.pop_back();
            push(key);
        }
    };
    auto body = fn_.lam->body();
    visit({body, body->node() == Node::Lam ? Mode::Result : Mode::Value});
    // what only the captures of λs lead to has these λs as users, so all is reached from the body but for an unused variable
    for (auto& key : fn_.keys) visit(key);
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
        if (touch || !c_.facts.is_token(d)) return;
        auto n = c_.facts.num_elems(d);
        for (size_t i = 0; i < n; ++i)
            if (c_.types.is_elem_token(d, i)) receive({c_.world.extract(d, i), Mode::Value}, user, e, -1, false);
        if (n == 0) consume(captured_[d]);
        return;
    }
    auto& s      = state(to);
    bool is_late = user->isa<Lam>() && user != fn_.lam && to.mode == Mode::Value && c_.ended.of(d);
    if (is_late) return s.late.push_back(e.once);
    bool sum = to.mode != Mode::Value || is_never(d) || c_.facts.is_token(d);
    if (touch || !sum || (elem >= 0 && !c_.types.is_elem_token(d, static_cast<size_t>(elem)))) s.need.push_back(e.once);
    else consume(s);
}

/// The paths on which the call goes on in what the edge leads to.
Set Flow::continues(const App* app, const Edge& edge) {
    switch (edge.kind) {
        case Edge::Jump: return exits_.jump(app, edge.to.def->as<Lam>());
        case Edge::Exit: return exits_.leaves_through(app, edge.arm);
        default: return exits_.comes_back(app);
    }
}

void Flow::send(const Key& from, const Edge& edge, const Count& user) {
    if (is_static(edge.to.def)) return;
    // a branch may have thousands of arms, as a table of constants does: sets are only made for those that matter
    if (!has(edge.to) && (edge.kind == Edge::Touch || !c_.facts.is_token(edge.to.def))) return;
    auto e      = user;
    bool is_arm = edge.kind == Edge::Arm || (edge.kind == Edge::ByNeed && c_.ended.of(edge.to.def));
    if (is_arm) {
        auto arm = sets_.arm(edge.cond, edge.arm, edge.num_arms);
        e        = {sets_.intersect(e.once, arm), sets_.intersect(e.twice, arm)};
    }
    if (edge.kind == Edge::Return || edge.kind == Edge::Exit || edge.kind == Edge::Jump) {
        auto paths = continues(from.def->as<App>(), edge);
        e          = {sets_.intersect(e.once, paths), sets_.intersect(e.twice, paths)};
    }
    if (edge.kind == Edge::Times && edge.times > 1) e.twice = e.once;
    receive(edge.to, from.def, e, edge.elem, edge.kind == Edge::Touch);
}

/// The paths on which the token is made. Reports if it is not consumed exactly once on each of them that returns.
Set Flow::token_paths(const Key& key, State& s) {
    auto d      = key.def;
    bool is_var = d == fn_.lam->var();
    auto n      = s.elems.empty() && !is_var ? 0 : c_.facts.num_elems(d);
    auto elem   = [&](size_t i) {
        auto uses = s.whole;
        for (auto& [j, paths] : s.elems)
            if (j == i) uses.push_back(paths);
        return sets_.sum(uses);
    };
    auto whole = sets_.sum(s.whole);
    SmallVector<Set, 4> consumed;
    consumed.push_back(whole.once);
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
    if (n == 0) check(d, whole);
    for (size_t i = 0; i < n; ++i)
        if (c_.types.is_elem_token(d, i)) check(c_.world.extract(d, i), elem(i));
    return made;
}

/// Choosing one of several tokens, or replacing one, drops another, unless the elements are told apart.
void Flow::check_choice(const Def* d) {
    if (d->node() != Node::Extract && d->node() != Node::Insert) return;
    auto tuple           = d->op(0);
    bool is_alternatives = d->node() == Node::Extract && tuple->node() == Node::Tuple;
    if (is_alternatives || !c_.facts.is_token(tuple)) return;
    if (isa_lit(d->op(1)) && c_.facts.num_elems(tuple) != 0) return;
    report(tuple, false, {});
}

/// An effect that hands no token on happens where its value is needed. If functions need it, that is in each of their
/// calls, or never: only if this λ ends in a call, and needs it before, the functions get its value. `now`, `late`:
/// where this λ, and where functions need it.
void Flow::evaluate(const Key& key, Set now, Set late) {
    bool is_before = is_never(fn_.lam->body());
    if (is_before) late = sets_.subtract(late, now);
    else now = sets_.subtract(now, late);
    edges(c_, fn_, key, [&](const Edge& edge) { send(key, edge, {now, PathSets::None}); });
    if (late == PathSets::None) return;
    bool is_lost = c_.ended.consumed_by(key.def) && !c_.is_between_phases(); // phases take what a function knows out of it
    if (is_lost) report(c_.ended.of(key.def), false, {}, key.def);
    edges(c_, fn_, key, [&](const Edge& edge) {
        bool is_operand = edge.to.mode == Mode::Value || edge.to.def->isa<App>(); // an axiom that waits for more is called
        bool is_late    = has(edge.to) && is_operand && c_.ended.of(edge.to.def);
        if (is_late) state(edge.to).late.push_back(late);
        else send(key, edge, {late, PathSets::None});
    });
}

void Flow::step(const Key& key) {
    auto d  = key.def;
    auto& s = state(key);
    Count e;
    if (key.mode != Mode::Value || is_never(d)) {
        e      = sets_.sum(s.whole);
        e.once = sets_.unite(e.once, sets_.unite_all(s.need));
    } else if (d->node() != Node::Lam && c_.facts.is_token(d)) {
        e.once = token_paths(key, s);
        if (e.once != PathSets::None) check_choice(d);
    } else { // by need, at most once
        e.once = sets_.unite_all(s.need);
    }
    if (is_never(d)) end(key, e);
    if (d->node() == Node::Lam && (key.mode == Mode::Call || key.mode == Mode::Jump)) enter(key, e);
    else if (!s.late.empty()) evaluate(key, e.once, sets_.unite_all(s.late));
    else edges(c_, fn_, key, [&](const Edge& edge) { send(key, edge, e); });
}

/// A call of a λ consumes what that captures. Between phases it may need a value of an effect on those paths only
/// that take its token: who needs the value says nothing then.
void Flow::enter(const Key& key, const Count& e) {
    auto fn = c_.summaries.fn(key.def->as<Lam>());
    if (!fn) return;
    for (auto token : fn->captures) {
        bool is_value = !c_.facts.is_token(token) && !c_.ended.of(token);
        if (is_value && c_.is_between_phases()) continue;
        auto paths = exits_.consumes(*fn, token);
        send(key, Edge{.to = {token, Mode::Value}}, {sets_.intersect(e.once, paths), sets_.intersect(e.twice, paths)});
    }
    for (auto tuple : fn->touched) send(key, Edge{.to = {tuple, Mode::Value}, .kind = Edge::Touch}, e);
}

/// The body, and what is chosen there.
void Flow::find_tail() {
    std::vector<const Def*> todo{fn_.lam->body()};
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!is_never(d) || !tail_.insert(d)) continue;
        if (auto choice = isa_choice(d)) todo.insert(todo.end(), choice->ops().begin(), choice->ops().end());
    }
}

/// Control goes there on these paths, if somebody asks for it. A call that is passed may be left alone: no paths are lost in it.
void Flow::end(const Key& key, const Count& e) {
    auto lost = exits_.leave(key.def, e.once);
    if (tail_.contains(key.def)) lost_ = sets_.unite(lost_, lost);
    auto app    = key.def->isa<App>();
    auto holder = app ? exits_.mishandled(app) : Exits::Holder();
    if (!holder || !c_.reports.is_first(fn_.lam, holder.token)) return;
    c_.reports.add(token_escape(c_, fn_.lam, holder.function, holder.token));
}

/*
 * what is wrong
 */

/// The node whose place in the source is known: of a projection, what it is a projection of.
const Def* Flow::place(const Def* d) {
    auto at = d;
    while (!c_.world.notes.span(at) && at->isa<Extract>()) at = at->as<Extract>()->tuple();
    return c_.world.notes.span(at) ? at : d;
}

/// The place of a node that consumes a token; of a tuple without a place, that of what it is an operand of.
const Def* Flow::place_of_user(const Def* user) {
    auto at = place(user);
    if (c_.world.notes.span(at)) return at;
    for (auto& key : fn_.keys)
        if (std::ranges::find(key.def->ops(), user) != key.def->ops().end() && c_.world.notes.span(key.def)) return key.def;
    return at;
}

/// Whether these are two nodes whose places in the text are known and differ.
bool Flow::are_apart(const std::vector<const Def*>& places) {
    if (places.size() != 2) return false;
    auto first = c_.world.notes.span(places[0]), second = c_.world.notes.span(places[1]);
    return first && second && first != second;
}

/// The first token in this one that has no tokens as elements.
const Def* Flow::first_leaf(const Def* token) {
    for (size_t i = 0, n = c_.facts.num_elems(token); i < n;) {
        if (!c_.types.is_elem_token(token, i)) {
            ++i;
            continue;
        }
        token = c_.world.extract(token, i);
        i = 0, n = c_.facts.num_elems(token);
    }
    return token;
}

/// An argument that its call does not always evaluate and that is made from the token, or from all that the parameter
/// is an element of.
const Def* Flow::argument_by_need(const Def* token) {
    std::unordered_map<const Def*, bool> known;
    auto whole = binder_of(token) && token->isa<Extract>() ? token->as<Extract>()->tuple() : nullptr;
    auto n     = whole ? c_.facts.num_elems(whole) : 0;
    if (whole) known.emplace(whole, true);
    for (size_t i = 0; i < n; ++i) known.emplace(c_.world.extract(whole, i), c_.world.extract(whole, i) == token);
    for (auto& key : fn_.keys) {
        auto call = key.def->isa<App>();
        if (!call || is_never(call)) continue;
        for (size_t i = 0; auto elem : arg_elems(call)) {
            bool is_by_need = !is_static(elem) && !c_.needs.argument(call, i);
            if (is_by_need && is_made_from(elem, token, known)) return elem;
            ++i;
        }
    }
    return nullptr;
}

void Flow::report(const Def* token, bool twice, const Users& users, const Def* effect) {
    if (!reported_.insert(token)) return;
    if (!twice) token = first_leaf(token);
    Violation v{twice ? Diag::token_used_twice : Diag::token_dropped, {token}, fn_.lam, place(token), {}};
    if (twice) {
        if (captured_.contains(token) && c_.facts.is_recursive(fn_.lam)) v.id = Diag::token_in_loop;
        std::vector<const Def*> places;
        for (size_t i = 0; i < users.size() && i < 2; ++i) places.push_back(place_of_user(users[i]));
        // an operand is evaluated before that which it belongs to, and ends before it
        std::ranges::stable_sort(places, {}, [&](const Def* at) { return c_.world.notes.span(at).end; });
        bool is_second_blamed = v.id == Diag::token_used_twice && are_apart(places);
        if (is_second_blamed) {
            v.node = places.back();
            places.pop_back();
        }
        for (size_t i = 0; i < places.size(); ++i)
            v.notes.push_back({i == 0 ? Diag::token_first_use : Diag::token_second_use, places[i]});
    }
    if (!twice && !effect) effect = argument_by_need(token);
    if (effect) v.notes.push_back({Diag::call_by_need, place(effect)});
    c_.reports.add(std::move(v));
}

/// The token that this closed node is, or consumes. A call in direct style that depends on nothing is evaluated once,
/// whoever asks, so nobody knows how often its token is consumed. An axiom that calls nothing may stand for a new
/// token wherever it is written; null then.
const Def* Flow::token_made_once(const Def* d) {
    auto token = c_.facts.is_token(d) ? d : c_.ended.of(d);
    auto made  = token;
    while (made && projected(made)) made = projected(made);
    auto app      = made ? made->isa<App>() : nullptr;
    bool is_axiom = app && head_axiom(app) && functions_so_far(app).empty();
    bool is_made  = (app && !is_axiom) || (made && made->isa<Match>());
    return is_made ? token : nullptr;
}

/// A call consumes what it captures, once on each path that returns. What nothing around it makes (an axiom that is a token) is there
/// once for the whole program, and may be left alone.
void Flow::check_captures() {
    for (auto d : fn_.captures) {
        auto once = is_closed(c_.world, d) ? token_made_once(d) : nullptr;
        if (once) {
            if (reported_.insert(once))
                c_.reports.add({Diag::token_used_twice, {once}, fn_.lam, place(once), {{Diag::token_there_once, nullptr}}});
            continue;
        }
        auto it = captured_.find(d);
        if (it == captured_.end()) continue;
        auto use      = sets_.sum(it->second.whole);
        auto kept     = exits_.kept(d);
        bool may_lack = is_closed(c_.world, d) || c_.kept.is_shared(fn_.lam, d);
        if (use.twice != PathSets::None || sets_.intersect(returning(kept), use.once) != PathSets::None)
            report(d, true, it->second.users);
        else if (!may_lack && !sets_.is_subset(sets_.subtract(returning(PathSets::All), kept), use.once))
            report(d, false, it->second.users);
    }
}

void Flow::run() {
    states_.resize(fn_.keys.size());
    find_tail();
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
        check.reports.add({Diag::too_many_paths, {fn.lam}, fn.lam, fn.lam, {}});
    }
}

} // namespace mim::linear
