// SPDX-License-Identifier: MIT
// One λ: passes the weight of its paths from users to operands, and compares what each token receives with what it should.
#include <algorithm>

#include "ir/token_check.h"
#include "ir/token_paths.h"

namespace mim::tokens {

namespace {

/// Numbers modulo the prime 2^61 - 1.
constexpr uint64_t P = (1ull << 61) - 1;
uint64_t add(uint64_t a, uint64_t b) {
    auto s = a + b;
    return s >= P ? s - P : s;
}
uint64_t sub(uint64_t a, uint64_t b) { return a >= b ? a - b : a + P - b; }
uint64_t mul(uint64_t a, uint64_t b) { return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % P); }

uint64_t random(uint64_t a, uint64_t b) { // splitmix64
    uint64_t x = a * 0x9e3779b97f4a7c15ull + b * 0xd1342543de82ef95ull + 0x2545f4914f6cdd1dull;
    x          = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x          = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (x ^ (x >> 31)) % P;
}

/// The weight of some paths, and of those among them that end in a call that never returns. The probability at fair branches tells
/// too much from too little in messages.
struct Weight {
    uint64_t all = 0, lost = 0;
    double p = 0, p_lost = 0;

    Weight& operator+=(const Weight& o) {
        all = add(all, o.all), lost = add(lost, o.lost);
        p += o.p, p_lost += o.p_lost;
        return *this;
    }
    Weight times(uint64_t n) const {
        auto m = n % P;
        return {mul(all, m), mul(lost, m), p * static_cast<double>(n), p_lost * static_cast<double>(n)};
    }
    /// All of it (`share` = 1), or a part, ends in calls that never return.
    Weight end(const Weight& share) const { return {all, mul(all, share.all), p, p * share.p}; }
    Weight operator*(const Weight& o) const { return {mul(all, o.all), mul(lost, o.all), p * o.p, p_lost * o.p}; }
    uint64_t rest() const { return sub(all, lost); } ///< of paths that return
    double p_rest() const { return p - p_lost; }
    bool operator==(const Weight& o) const { return all == o.all && lost == o.lost; }
    bool is_zero() const { return all == 0; }
};
constexpr Weight One{1, 0, 1, 0};

class Flow {
public:
    Flow(Check& check, Fn& fn)
        : c_(check)
        , fn_(fn) {}

    void run();

private:
    /// A use: how much, and on which paths.
    struct Use {
        Weight weight;
        Regions where;
    };
    struct State {
        Use whole; ///< consumed as a whole; of what is no token: evaluated
        Use need;  ///< used without being consumed
        bool needed = false;
        std::vector<std::pair<size_t, Use>> elems; ///< consumed by element
        std::vector<const Def*> users;             ///< the first few that consume it
    };
    struct Evaluated {
        Weight weight;
        Regions where;
    };

    State& state(const Key& key) { return states_[fn_.index.at(key)]; }
    bool has(const Key& key) const { return fn_.index.contains(key); }
    std::vector<Key> order();
    void step(const Key&);
    void send(const Key& from, const Edge&, const Evaluated&, const Weight&);
    void receive(const Key& to, const Def* user, const Evaluated&, int64_t elem, bool touch);
    void consume(Use&, const Evaluated&);
    void need(State&, const Evaluated&);
    Weight weight_of(const Regions&, bool lost);
    Evaluated token_paths(const Key&, State&);
    void end(const Key&, const Evaluated&);
    Weight arm(const Def* cond, uint32_t i, uint32_t n);
    Weight never(const Def* callee, bool continues);
    Weight never_continues(const App* app);
    bool never(const Lam* lam);
    bool is_right(const Use& received, const Weight& expected);
    bool is_covered(const Regions& needed, const Regions& consumed);
    void check_captures();
    void report(const Def* token, const Use& received, const Weight& expected, const std::vector<const Def*>& users);
    Use elem_use(const State&, size_t i);
    const Def* place(const Def*);
    const Def* first_leaf(const Def*);

    Check& c_;
    Fn& fn_;
    Paths paths_;
    std::vector<State> states_;
    std::unordered_map<const Def*, State> captured_;
    std::unordered_map<const Def*, std::vector<Weight>> arms_;
    Weight lost_; ///< of all paths that end in a call that never returns
    std::unordered_set<const Def*> reported_;
};

/*
 * order and weights
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

Weight Flow::arm(const Def* cond, uint32_t i, uint32_t n) {
    auto& arms = arms_[cond];
    if (arms.size() != n) { // the weights of one branch add up to 1
        arms.assign(n, {});
        uint64_t sum = 0;
        for (uint32_t j = 0; j < n; ++j) {
            auto w  = j + 1 == n ? sub(1, sum) : random(cond->id(), j);
            sum     = add(sum, w);
            arms[j] = {w, 0, 1.0 / n, 0};
        }
    }
    return arms[i];
}

bool Flow::never(const Lam* lam) {
    auto fn = c_.fn(lam);
    return fn && !fn->may_return && is_never(lam->body());
}

/// The share of calls of `callee` that only come back through continuations in their arguments, if there are any.
Weight Flow::never(const Def* callee, bool continues) {
    if (auto lam = callee->isa<Lam>()) return never(lam) ? One : Weight();
    if (head_axiom(callee)) return One;
    auto ex    = callee->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    if (!tuple) return continues ? One : Weight(); // what an unknown function captures is not known here
    Weight sum;
    bool all = true;
    for (uint32_t i = 0, n = static_cast<uint32_t>(tuple->num_ops()); i < n; ++i) {
        auto lam = tuple->op(i)->isa<Lam>();
        all &= lam && never(lam);
        if (lam && never(lam) && !takes_continuation(lam->pi())) sum += arm(ex->index(), i, n);
    }
    return all ? One : sum;
}

/// The share of such calls whose continuations, if any, never return.
Weight Flow::never_continues(const App* app) {
    Weight share = One;
    for (auto elem : arg_elems(app)) {
        if (is_static(elem)) continue;
        if (is_exit(elem)) share = share * never(elem, false);
        else if (auto sigma = elem->type()->isa<Sigma>())
            for (auto op : sigma->ops())
                if (op->node() == Node::Pi) return {};
    }
    return share;
}

void Flow::consume(Use& use, const Evaluated& e) {
    use.weight += e.weight;
    for (auto r : e.where.list) paths_.add_once(use.where, r);
    use.where.too_large |= e.where.too_large;
}

/// Evaluated by need, at most once: the union of all uses.
void Flow::need(State& s, const Evaluated& e) {
    auto& w = s.need.weight;
    if (!s.needed || e.weight.all == 1) w = e.weight;
    else if (w != e.weight && w.all != 1) w += e.weight;
    s.needed = true;
    if (e.weight.rest() == 0) return;
    for (auto r : e.where.list) paths_.add(s.need.where, r);
    s.need.where.too_large |= e.where.too_large;
}

void Flow::receive(const Key& to, const Def* user, const Evaluated& e, int64_t elem, bool touch) {
    auto d = to.def;
    if (!has(to)) {
        if (touch || !c_.is_token(d)) return;
        if (auto n = c_.num_elems(d)) {
            for (size_t i = 0; i < n; ++i)
                if (c_.types.is_elem_token(d, i)) receive({c_.world.extract(d, i), Mode::Value}, user, e, -1, false);
            return;
        }
        auto& s = captured_[d];
        consume(s.whole, e);
        if (s.users.size() < 3) s.users.push_back(user);
        return;
    }
    auto& s  = state(to);
    bool sum = to.mode != Mode::Value || is_never(d) || c_.is_token(d);
    if (touch || !sum || (elem >= 0 && !c_.types.is_elem_token(d, static_cast<size_t>(elem)))) return need(s, e);
    if (elem < 0) consume(s.whole, e);
    else {
        auto i  = static_cast<size_t>(elem);
        auto it = std::find_if(s.elems.begin(), s.elems.end(), [&](auto& x) { return x.first == i; });
        if (it == s.elems.end()) it = s.elems.insert(s.elems.end(), {i, {}});
        consume(it->second, e);
    }
    if (s.users.size() < 3) s.users.push_back(user);
}

/// `weight` is that of the user, of which a part may end in a call that never returns.
void Flow::send(const Key& from, const Edge& edge, const Evaluated& user, const Weight& weight) {
    if (is_static(edge.to.def)) return;
    Evaluated e{weight, user.where};
    if (edge.kind == Edge::Arm) {
        e.weight = e.weight * arm(edge.cond, edge.arm, edge.num_arms);
        e.where  = {.list = {}, .too_large = user.where.too_large};
        for (auto r : user.where.list)
            if (auto part = paths_.arm(r, edge.cond, edge.arm, edge.num_arms, e.where.too_large); part != Paths::Impossible)
                e.where.list.push_back(part);
    }
    if (edge.kind == Edge::Times && edge.times != 1) e.weight = e.weight.times(edge.times);
    receive(edge.to, from.def, e, edge.elem, edge.kind == Edge::Touch);
}

Flow::Use Flow::elem_use(const State& s, size_t i) {
    auto use = s.whole;
    auto it  = std::find_if(s.elems.begin(), s.elems.end(), [&](auto& x) { return x.first == i; });
    if (it != s.elems.end()) {
        use.where.twice |= it->second.where.twice;
        consume(use, {it->second.weight, it->second.where});
    }
    return use;
}

/// Paths weigh what their choices weigh.
Weight Flow::weight_of(const Regions& set, bool lost) {
    Weight sum;
    for (auto r : set.list) {
        std::vector<Paths::Choice> choices;
        paths_.further(r, 0, choices);
        Weight w = One;
        for (auto& choice : choices) w = w * arm(choice.cond, choice.arm, choice.num_arms);
        sum += lost ? w.end(One) : w;
    }
    return sum;
}

/// The paths on which this token is consumed; reports if its elements disagree, or if it is used twice or dropped.
Flow::Evaluated Flow::token_paths(const Key& key, State& s) {
    auto d      = key.def;
    bool is_var = d == fn_.lam->var();
    auto res    = s.whole;
    for (auto& part : s.elems)
        if (auto use = elem_use(s, part.first); res.weight.rest() == 0) res = use;
    Weight expected = is_var ? Weight{1, lost_.all, 1, lost_.p} : res.weight;
    auto n          = s.elems.empty() && !is_var ? 0 : c_.num_elems(d);
    bool twice      = false;
    auto check      = [&](const Def* token, const Use& use, bool exactly) {
        if (use.where.twice && !use.where.too_large) twice = true;
        else if (!exactly || is_right(use, expected)) return;
        report(token, use, expected, s.users);
    };
    if (n == 0) check(d, res, is_var);
    for (size_t i = 0; i < n; ++i)
        if (c_.types.is_elem_token(d, i)) check(c_.world.extract(d, i), elem_use(s, i), true);
    if (!is_var && s.need.weight.rest() != 0 && !is_covered(s.need.where, res.where)) {
        report(d, {}, s.need.weight, s.users);
    }
    if (twice) { // reported: what it is made from need not show the same again
        Regions once;
        for (auto r : res.where.list) paths_.add(once, r);
        return {weight_of(once, res.weight.rest() == 0), once};
    }
    auto& use = res.weight.is_zero() && s.need.weight.rest() == 0 ? s.need : res;
    return {use.weight, use.where};
}

void Flow::step(const Key& key) {
    auto d  = key.def;
    auto& s = state(key);
    Evaluated e;
    bool sum = key.mode != Mode::Value || is_never(d);
    if (!sum && d->node() != Node::Lam && c_.is_token(d)) {
        e = token_paths(key, s);
    } else {
        auto& use = sum && !s.whole.weight.is_zero() ? s.whole : s.need;
        e         = {use.weight, use.where};
    }
    if (auto lam = d->isa<Lam>(); lam && key.mode == Mode::Call && never(lam) && !takes_continuation(lam->pi()))
        e.weight = e.weight.end(One);
    if (is_never(d)) return end(key, e);
    c_.edges(fn_, key, [&](const Edge& edge) { send(key, edge, e, e.weight); });
}

/// A call in tail position: the share of it that never returns.
void Flow::end(const Key& key, const Evaluated& e) {
    auto d     = key.def;
    auto app   = d->isa<App>();
    auto match = d->isa<Match>();
    if (auto ex = d->isa<Extract>(); ex && ex->tuple()->isa<Tuple>() && !isa_lit(ex->index()))
        return c_.edges(fn_, key, [&](const Edge& edge) { send(key, edge, e, e.weight); }); // a branch: its arms are ends
    Weight share = One;
    if (app) share = never(app->callee(), has_exit(app)) * never_continues(app);
    if (match) {
        share = {};
        for (uint32_t i = 0, n = static_cast<uint32_t>(match->arms().size()); i < n; ++i)
            if (auto lam = match->arms()[i]->isa<Lam>(); lam && never(lam)) share += arm(match->scrutinee(), i, n);
    }
    auto ended = e.weight.end(share);
    lost_ += {ended.lost, 0, ended.p_lost, 0};
    c_.edges(fn_, key, [&](const Edge& edge) {
        // the λs that are called know by themselves whether they return
        bool callee = app && edge.to.mode == Mode::Call && edge.to.def == app->callee();
        bool plain  = (callee && share.all != 1) || (match && edge.kind == Edge::Arm);
        send(key, edge, e, plain ? e.weight : ended);
    });
}

/*
 * what is right
 */

/// Consumed once on each path that returns, and at most once on each that does not.
bool Flow::is_right(const Use& received, const Weight& expected) {
    auto& w = received.weight;
    if (w.rest() != expected.rest()) return false;
    return w.lost == 0 || w.lost == lost_.all || !received.where.twice;
}

/// Each path on which the effect's other results are used is one on which its token is consumed.
bool Flow::is_covered(const Regions& needed, const Regions& consumed) {
    if (needed.too_large || consumed.too_large) return true;
    return std::all_of(needed.list.begin(), needed.list.end(), [&](Region r) {
        uint64_t sum = 0;
        for (auto c : consumed.list) {
            std::vector<Paths::Choice> choices;
            if (!paths_.further(c, r, choices)) continue;
            uint64_t part = 1;
            for (auto& choice : choices) part = mul(part, arm(choice.cond, choice.arm, choice.num_arms).all);
            sum = add(sum, part);
        }
        return sum == 1;
    });
}

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

void Flow::report(const Def* token, const Use& received, const Weight& expected, const std::vector<const Def*>& users) {
    if (!reported_.insert(token).second) return;
    bool twice = received.where.twice || received.weight.p_rest() > expected.p_rest() + 1e-12;
    if (!twice) token = first_leaf(token);
    Violation v{twice ? Diag::token_used_twice : Diag::token_dropped, {token}, fn_.lam, place(token), {}};
    if (twice) {
        if (captured_.contains(token) && c_.is_recursive(fn_.lam)) v.id = Diag::token_in_loop;
        Key key{token, Mode::Value};
        auto& list = has(key) ? state(key).users : users; // of a projection
        for (size_t i = 0; i < list.size() && i < 2; ++i)
            v.notes.push_back({i == 0 ? Diag::token_first_use : Diag::token_second_use, place(list[i])});
    }
    c_.violations.push_back(std::move(v));
}

/// A call consumes what it captures, once on each path that returns.
void Flow::check_captures() {
    Weight expected{1, lost_.all, 1, lost_.p};
    for (auto d : fn_.captures) {
        auto it = captured_.find(d);
        if (it != captured_.end() && !is_right(it->second.whole, expected))
            report(d, it->second.whole, expected, it->second.users);
    }
}

void Flow::run() {
    states_.resize(fn_.keys.size());
    auto body = fn_.lam->body();
    receive({body, body->node() == Node::Lam ? Mode::Result : Mode::Value}, fn_.lam, {One, {.list = {0}}}, -1, false);
    auto var = fn_.lam->var();
    for (auto& key : order())
        if (key.def != var || key.mode != Mode::Value) step(key);
    if (Key key{var, Mode::Value}; has(key)) step(key); // last: all ends are known
    check_captures();
}

} // namespace

void check_flow(Check& check, Fn& fn) { Flow(check, fn).run(); }

} // namespace mim::tokens
