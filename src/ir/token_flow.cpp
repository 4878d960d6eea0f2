// SPDX-License-Identifier: MIT
// One λ: passes the weight of its paths from users to operands, and compares what each token receives with what it should.
#include <algorithm>

#include "ir/token_check.h"

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
    struct State {
        Weight weight;        ///< consumed as a whole; of what is no token: evaluated
        bool needed = false;
        Weight need;          ///< used without being consumed
        std::vector<std::pair<size_t, Weight>> elems;
        std::vector<const Def*> users; ///< the first few that consume it
    };
    struct Exit {
        const Def* call;
        Weight weight;
    };

    State& state(const Key& key) { return states_[fn_.index.at(key)]; }
    bool has(const Key& key) const { return fn_.index.contains(key); }
    std::vector<Key> order();
    void weigh();
    void step(const Key&);
    void send(const Key& from, const Edge&, Weight);
    void receive(const Key& to, const Def* user, const Weight&, int64_t elem, bool touch);
    Weight token_weight(const Key&, State&);
    void end(const Key&, Weight);
    Weight arm(const Def* cond, uint32_t i, uint32_t n);
    Weight never(const Def* callee);
    Weight never_continues(const Def* arg);
    bool never(const Lam* lam);
    void need(State&, const Weight&);
    bool is_right(const Weight& received, const Weight& expected);
    bool is_right_on_exits(const Def* token, const Weight& received);
    void check_captures();
    void report(const Def* token, const Weight& received, const Weight& expected, const std::vector<const Def*>& users);
    Weight elem_weight(const State&, size_t i) const;

    Check& c_;
    Fn& fn_;
    std::vector<State> states_;
    std::unordered_map<const Def*, State> captured_;
    std::unordered_map<const Def*, std::vector<Weight>> arms_;
    Weight lost_;             ///< of all paths that end in a call that never returns
    std::vector<Exit> exits_; ///< these calls
    const Def* only_ = nullptr; ///< weigh just this exit as lost
    bool quiet_      = false;
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

/// The share of calls of `callee` after which control does not come back by itself.
Weight Flow::never(const Def* callee) {
    if (auto lam = callee->isa<Lam>()) return never(lam) ? One : Weight();
    if (head_axiom(callee)) return One;
    auto ex    = callee->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    Weight sum;
    if (tuple)
        for (uint32_t i = 0, n = static_cast<uint32_t>(tuple->num_ops()); i < n; ++i) {
            auto op = tuple->op(i);
            if (op->node() == Node::Extract ? false : never(op).all == 1) sum += arm(ex->index(), i, n);
        }
    return sum;
}

/// The share of calls with this argument whose continuations, if any, never return.
Weight Flow::never_continues(const Def* arg) {
    Weight share = One;
    for (auto elem : arg_elems(arg)) {
        if (is_static(elem)) continue;
        if (elem->type()->node() == Node::Pi) share = share * never(elem);
        else if (auto sigma = elem->type()->isa<Sigma>())
            for (auto op : sigma->ops())
                if (op->node() == Node::Pi) return {};
    }
    return share;
}

void Flow::need(State& s, const Weight& w) {
    // evaluated by need, at most once: the union of all uses
    if (!s.needed) s.need = w;
    else if (s.need == w || s.need.all == 1) {
    } else if (w.all == 1) s.need = w;
    else s.need += w;
    s.needed = true;
}

void Flow::receive(const Key& to, const Def* user, const Weight& w, int64_t elem, bool touch) {
    auto d = to.def;
    if (!has(to)) {
        if (touch || !c_.is_token(d)) return;
        if (auto n = c_.num_elems(d)) {
            for (size_t i = 0; i < n; ++i)
                if (c_.types.is_elem_token(d, i)) receive({c_.world.extract(d, i), Mode::Value}, user, w, -1, false);
            return;
        }
        auto& s = captured_[d];
        s.weight += w;
        if (s.users.size() < 3) s.users.push_back(user);
        return;
    }
    auto& s  = state(to);
    bool sum = to.mode != Mode::Value || is_never(d) || c_.is_token(d);
    if (touch || !sum || (elem >= 0 && !c_.types.is_elem_token(d, static_cast<size_t>(elem)))) return need(s, w);
    if (elem < 0) s.weight += w;
    else {
        auto i  = static_cast<size_t>(elem);
        auto it = std::find_if(s.elems.begin(), s.elems.end(), [&](auto& e) { return e.first == i; });
        if (it == s.elems.end()) s.elems.push_back({i, w});
        else it->second += w;
    }
    s.needed = true;
    if (s.users.size() < 3) s.users.push_back(user);
}

void Flow::send(const Key& from, const Edge& e, Weight w) {
    if (is_static(e.to.def)) return;
    if (e.kind == Edge::Arm) w = w * arm(e.cond, e.arm, e.num_arms);
    if (e.kind == Edge::Times && e.times != 1) w = w.times(e.times);
    receive(e.to, from.def, w, e.elem, e.kind == Edge::Touch);
}

Weight Flow::elem_weight(const State& s, size_t i) const {
    auto w  = s.weight;
    auto it = std::find_if(s.elems.begin(), s.elems.end(), [&](auto& e) { return e.first == i; });
    if (it != s.elems.end()) w += it->second;
    return w;
}

/// The weight of the paths on which this token is consumed; reports if its elements disagree, or if it is dropped.
Weight Flow::token_weight(const Key& key, State& s) {
    auto d      = key.def;
    bool is_var = d == fn_.lam->var();
    Weight expected{1, lost_.all, 1, lost_.p}, res = s.weight;
    auto n = s.elems.empty() && !is_var ? 0 : c_.num_elems(d);
    for (auto& [i, part] : s.elems)
        if (auto w = elem_weight(s, i); res.rest() == 0) res = w;
    if (!is_var) expected = res;
    for (size_t i = 0; i < n; ++i) {
        if (!c_.types.is_elem_token(d, i)) continue;
        auto w    = elem_weight(s, i);
        auto elem = c_.world.extract(d, i);
        if (!is_right(w, expected) || (is_var && !is_right_on_exits(elem, w))) report(elem, w, expected, s.users);
    }
    if (n == 0 && is_var && !(is_right(res, expected) && is_right_on_exits(d, res))) report(d, res, expected, s.users);
    if (res.rest() == 0 && s.need.rest() != 0 && !is_var) report(d, {}, s.need, s.users);
    return res.is_zero() ? s.need : res;
}

void Flow::step(const Key& key) {
    auto d  = key.def;
    auto& s = state(key);
    Weight w;
    if (key.mode != Mode::Value || is_never(d)) {
        w = s.weight;
        if (s.needed && w.is_zero()) w = s.need;
    } else if (d->node() == Node::Lam) w = s.need;
    else if (c_.is_token(d)) w = token_weight(key, s);
    else w = s.need;
    if (!w.is_zero() && c_.is_token(d)) c_.mark_consumed(d);
    if (auto lam = d->isa<Lam>(); lam && key.mode == Mode::Call && !only_ && never(lam)) w = w.end(One);
    if (is_never(d)) return end(key, w);
    c_.edges(fn_, key, [&](const Edge& e) { send(key, e, w); });
}

/// A call in tail position: the share of it that never returns.
void Flow::end(const Key& key, Weight w) {
    auto d     = key.def;
    auto app   = d->isa<App>();
    auto match = d->isa<Match>();
    if (auto ex = d->isa<Extract>(); ex && ex->tuple()->isa<Tuple>() && !isa_lit(ex->index()))
        return c_.edges(fn_, key, [&](const Edge& e) { send(key, e, w); }); // a branch: its arms are ends
    Weight share = One, continues = {};
    if (app) {
        continues = never_continues(app->op(1));
        share     = never(app->callee()) * continues;
    } else if (match) {
        share = {};
        for (uint32_t i = 0, n = static_cast<uint32_t>(match->arms().size()); i < n; ++i)
            if (never(match->arms()[i]).all == 1) share += arm(match->scrutinee(), i, n);
    }
    if (only_ && only_ != d) share = continues = {};
    if (!share.is_zero()) {
        auto ended = w.end(share);
        Weight lost{ended.lost, 0, ended.p_lost, 0};
        lost_ += lost;
        if (!only_) exits_.push_back({d, lost});
    }
    c_.edges(fn_, key, [&](const Edge& e) {
        bool callee = e.to.mode == Mode::Call && app && e.to.def == app->callee();
        bool whole  = !callee || share.all == 1;
        send(key, e, match && e.kind == Edge::Arm ? w : whole ? w.end(share) : w);
    });
}

/*
 * what is right
 */

bool Flow::is_right(const Weight& received, const Weight& expected) { return received.rest() == expected.rest(); }

/// On each path that never returns, a token is consumed at most once.
bool Flow::is_right_on_exits(const Def* token, const Weight& received) {
    if (quiet_ || received.lost == 0 || received.lost == lost_.all) return true;
    // used before some of these ends and not before others: look at each end by itself
    constexpr size_t MaxExits = 64;
    if (exits_.size() > MaxExits) return true;
    for (auto& exit : exits_) {
        Flow one(c_, fn_);
        one.only_ = exit.call, one.quiet_ = true;
        one.weigh();
        auto root   = token;
        uint64_t w  = 0;
        auto ex     = token->isa<Extract>();
        if (auto it = one.captured_.find(token); it != one.captured_.end()) w = it->second.weight.lost;
        else if (one.has({root, Mode::Value}) && root == fn_.lam->var()) w = one.state({root, Mode::Value}).weight.lost;
        else if (ex && isa_lit(ex->index()) && one.has({ex->tuple(), Mode::Value}))
            w = one.elem_weight(one.state({ex->tuple(), Mode::Value}), isa_lit(ex->index())->value()).lost;
        if (w != 0 && w != exit.weight.all) return false;
    }
    return true;
}

void Flow::report(const Def* token, const Weight& received, const Weight& expected, const std::vector<const Def*>& users) {
    if (quiet_ || !reported_.insert(token).second) return;
    bool twice = received.p_rest() > expected.p_rest() + 1e-12
              || (received.rest() == expected.rest()) // so it is used twice before an end
              || (users.size() > 1 && received.p_rest() > expected.p_rest() - 1e-12);
    Violation v{twice ? Diag::token_used_twice : Diag::token_dropped, {token}, fn_.lam, token, {}};
    if (twice) {
        if (captured_.contains(token) && c_.is_recursive(fn_.lam)) v.id = Diag::token_in_loop;
        for (size_t i = 0; i < users.size() && i < 2; ++i)
            v.notes.push_back({i == 0 ? Diag::token_first_use : Diag::token_second_use, users[i]});
    }
    c_.violations.push_back(std::move(v));
}

/// A call consumes what it captures, once on each path that returns.
void Flow::check_captures() {
    Weight expected{1, lost_.all, 1, lost_.p};
    for (auto d : fn_.captures) {
        if (!c_.is_token(d)) continue;
        auto it = captured_.find(d);
        if (it == captured_.end()) continue;
        auto& s = it->second;
        if (!is_right(s.weight, expected) || !is_right_on_exits(d, s.weight)) report(d, s.weight, expected, s.users);
    }
}

void Flow::weigh() {
    states_.resize(fn_.keys.size());
    auto body = fn_.lam->body();
    receive({body, body->node() == Node::Lam ? Mode::Result : Mode::Value}, fn_.lam, One, -1, false);
    auto var = fn_.lam->var();
    for (auto& key : order())
        if (key.def != var || key.mode != Mode::Value) step(key);
    if (Key key{var, Mode::Value}; has(key)) step(key); // last: all ends are known
}

void Flow::run() {
    weigh();
    check_captures();
}

} // namespace

void check_flow(Check& check, Fn& fn) { Flow(check, fn).run(); }

} // namespace mim::tokens
