// SPDX-License-Identifier: MIT
#include "linear/summaries.h"

#include <algorithm>
#include <utility>

#include "linear/check.h"
#include "linear/edges.h"
#include "linear/escape.h"

namespace mim::linear {

/*
 * the fixed point
 */

void Summaries::find() {
    for (auto lam : c_.facts.lams()) {
        if (!lam->is_set() || is_static(lam->body())) continue;
        auto& f = store_.emplace_back();
        f.lam   = lam;
        f.index = static_cast<uint32_t>(store_.size() - 1);
        f.binders.push_back(lam->var());
        fns_.emplace(lam, &f);
    }
    visit_all();
    // Callers may have captured what turned out to be made inside. Knowing that now, start again.
    for (int round = 1; retracted_ && round < MaxRounds; ++round) {
        start_again();
        visit_all();
    }
}

/// Keeps what the rounds so far have found to be made inside.
void Summaries::start_again() {
    for (auto& f : store_) {
        Fn again;
        again.lam       = f.lam;
        again.index     = f.index;
        again.own       = std::move(f.own);
        again.first_own = f.first_own;
        again.binders   = {f.lam->var()};
        f               = std::move(again);
    }
}

void Summaries::visit_all() {
    retracted_ = false;
    for (auto& f : store_) {
        auto body = f.lam->body();
        if (c_.facts.is_token(f.lam->var())) visit(f, {f.lam->var(), Mode::Value});
        visit(f, {body, body->node() == Node::Lam ? Mode::Result : Mode::Value});
        while (!work_.empty()) {
            auto [fn, key, is_touch] = work_.back();
            work_.pop_back();
            if (is_touch) touch(*fn, key.def);
            else visit(*fn, key);
        }
    }
    // what functions refer to is known only now
    for (auto& f : store_) {
        share_calls(f);
        for (auto d : f.captures) retracted_ |= c_.effects.is_made_inside(f, d);
        for (auto d : f.touched) retracted_ |= c_.effects.is_made_inside(f, d);
    }
}

/// Calls of functions that hold tokens share these with other effects, where the captures of f are alternatives.
void Summaries::share_calls(Fn& f) {
    auto own = f.own.size();
    for (auto d : f.captures) {
        if (!c_.facts.is_token(d) || !c_.effects.calls_holder(d)) continue;
        for (auto other : f.captures)
            if (other != d && c_.facts.is_token(other)) c_.effects.share(f, d, other);
    }
    retracted_ |= f.own.size() != own;
}

/*
 * single nodes
 */

bool Summaries::is_expanded(const Fn& f, const Def* d, Mode mode) {
    if (mode != Mode::Value || d->node() == Node::Tuple || is_never(d) || f.own.contains(d)) return true;
    bool is_constant = c_.facts.is_token(d) && is_closed(c_.world, d); // an axiom, or what is made from one
    if (is_constant) return c_.facts.makes_from_token(d);
    auto fact        = c_.facts.of(d);
    bool is_on_cycle = fact.component && fact.cyclic && fact.component == c_.facts.component(f.lam);
    if (is_on_cycle && !(c_.is_inlined() && is_of_around(f, d))) return true;
    return std::any_of(f.binders.begin(), f.binders.end(), [&](auto var) { return is_free_in(c_.world, var, d); });
}

/// A call in direct style of a function around this λ, say, with an argument from around it: it reaches the λ only through the code of
/// that function, so it is no part of a call of the λ. Between phases, pullbacks are such functions; in programs as they were written,
/// `direct.ds2cps` would have to find the one place for each such call.
bool Summaries::is_of_around(const Fn& f, const Def* d) {
    if (is_closed(c_.world, d)) return false;
    auto [it, is_new] = f.of_around.try_emplace(d, false);
    if (is_new) it->second = !reaches(f.lam, d);
    return it->second;
}

/// Whether evaluating the node leads to this λ, also by the code of functions, but not of those around the λ. Yes if that takes long.
bool Summaries::reaches(const Lam* lam, const Def* from) {
    auto component = c_.facts.component(lam);
    auto is_around = [&](const Def* d) { return d->isa<Lam>() && is_free_in(c_.world, d->as<Lam>()->var(), lam); };
    std::vector<const Def*> todo{from};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        bool is_seen = !d || is_static(d) || c_.facts.component(d) != component || !seen.insert(d);
        if (d == lam || seen.size() > MaxReached) return true;
        if (is_seen || is_around(d)) continue;
        auto ops = d->isa<Lam>() ? d->ops().last(1) : value_ops(d);
        todo.insert(todo.end(), ops.begin(), ops.end());
    }
    return false;
}

void Summaries::visit(Fn& f, Key key) {
    auto d = key.def;
    if (!c_.facts.matters(key)) return;
    if (d->node() != Node::Lam && !is_expanded(f, d, key.mode)) {
        auto n = c_.facts.is_token(d) ? c_.facts.num_elems(d) : 0;
        for (size_t i = 0; i < n; ++i)
            if (c_.types.is_elem_token(d, i)) work_.push_back({&f, {c_.world.extract(d, i), Mode::Value}});
        if (n == 0) capture(f, d);
        return;
    }
    if (!f.keys.insert(key)) return;
    if (auto pack = d->isa<Pack>(); pack && pack->is_mut()) f.binders.push_back(pack->var());
    if (auto lam = d->isa<Lam>()) return visit_lam(f, lam, key.mode, d);
    if (is_never(d)) f.end_nodes.push_back(d);
    edges(c_, f, key, [&](const Edge& e) {
        if (keeps_function(c_, d, e)) f.kept.push_back(e.to.def);
        bool is_touch = e.kind == Edge::Touch;
        if (is_touch || c_.facts.matters(e.to)) work_.push_back({&f, e.to, is_touch});
    });
}

void Summaries::capture(Fn& f, const Def* d) {
    if (f.capture_set.contains(d)) return;
    if (is_closed(c_.world, d)) {
        if (c_.facts.of(d).has_token) add_capture(f, d);
        return;
    }
    auto own = f.own.size();
    if (c_.facts.is_token(d))
        for (auto other : f.captures)
            if (c_.facts.is_token(other)) c_.effects.share(f, d, other);
    if (f.own.size() != own) {
        auto inside = [&](const Def* other) {
            if (!c_.effects.is_made_inside(f, other)) return false;
            work_.push_back({&f, {other, Mode::Value}});
            return true;
        };
        retracted_ |= std::erase_if(f.captures, inside) != 0;
    }
    if (c_.effects.is_made_inside(f, d)) return work_.push_back({&f, {d, Mode::Value}});
    add_capture(f, d);
}

void Summaries::add_capture(Fn& f, const Def* d) {
    f.capture_set.insert(d);
    f.captures.push_back(d);
    for (auto caller : f.callers) need(*caller, d);
}

/// A call of f needs this value. Most that callees of one function capture are the same.
void Summaries::need(Fn& f, const Def* d) {
    bool is_known = f.capture_set.contains(d) || f.keys.contains({d, Mode::Value});
    if (!is_known) work_.push_back({&f, {d, Mode::Value}});
}

/// A call of f replaces an element of a tuple that is made around f: somebody there has to consume that element.
void Summaries::touch(Fn& f, const Def* tuple) {
    if (is_expanded(f, tuple, Mode::Value) || c_.effects.is_made_inside(f, tuple))
        return work_.push_back({&f, {tuple, Mode::Value}});
    if (is_closed(c_.world, tuple) || !c_.facts.is_token(tuple) || !f.touched.insert(tuple)) return;
    for (auto caller : f.callers) work_.push_back({caller, {tuple, Mode::Value}, true});
}

void Summaries::visit_lam(Fn& f, const Lam* lam, Mode mode, const Def* at) {
    auto callee = fn(lam);
    if (!callee) return;
    if (mode == Mode::Value) f.escaping.push_back({lam, at});
    if (mode == Mode::Result) f.results.push_back({lam, at});
    if (mode == Mode::Jump) f.jumps.push_back({lam, at});
    callee->callers.push_back(&f);
    for (size_t i = 0; i < callee->captures.size(); ++i) need(f, callee->captures[i]);
    for (auto tuple : callee->touched) work_.push_back({&f, {tuple, Mode::Value}, true});
}

} // namespace mim::linear
