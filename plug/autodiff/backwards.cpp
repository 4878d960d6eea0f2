// SPDX-License-Identifier: MIT
// The way back of reverse mode: from the cotangent of a result to those of what it was made of, each value once, from
// the last to the first.
#include "autodiff/diagnostics.h"
#include "ir/questions.h"
#include "reverse.h"

namespace mim::plug::autodiff {

static const Def* both(World& w, const Def* type, const Def* a, const Def* b) {
    if (!a || !b) return a ? a : b;
    return sum_of(w, type, a, b);
}

/// The sum of a whole tuple becomes those of its elements.
static void split(World& w, Sum& sum, const Def* type) {
    if (!sum.whole) return;
    for (uint64_t i = 0, n = uint64_t(lit_arity(w, type)); i != n; ++i) {
        auto of    = elem_type(w, type, w.unit(), w.lit_idx(arity(w, type), i));
        auto& part = sum.parts[i].whole;
        part       = both(w, of, part, w.extract(sum.whole, i));
    }
    sum.whole = nullptr;
}

/// The array with s added to the element, or the element of an element, at the path. Null: all of it is zero.
static const Def* added(World& w, const Def* array, const Def* type, Defs path, const Def* s) {
    auto i    = path.front();
    auto of   = elem_type(w, type, w.unit(), i);
    auto old  = array ? w.extract(array, i) : nullptr;
    auto rest = path.subspan(1);
    auto part = rest.empty() ? both(w, of, old, s) : added(w, old, of, rest, s);
    return w.insert(array ? array : zero_of(w, type), i, part);
}

/// Null: zero.
static const Def* total(World& w, const Def* type, const Sum& sum) {
    if (sum.parts.empty()) return sum.whole;
    return w.tuple(def_vec(size_t(lit_arity(w, type)), [&](auto i) {
        auto of    = elem_type(w, type, w.unit(), w.lit_idx(arity(w, type), i));
        auto part  = sum.parts.find(i);
        auto whole = sum.whole ? w.extract(sum.whole, i) : nullptr;
        auto s     = both(w, of, whole, part == sum.parts.end() ? nullptr : total(w, of, part->second));
        return s ? s : zero_of(w, of);
    }));
}

/// Elements of larger tuples have no cotangent of their own.
static constexpr int64_t max_parts = 64;

/// λ s = the cotangents of what the region takes
const Def* Reverse::backwards(Function& f, const Def* dom, const DefVec& order, bool is_inlined, const Seed& seed) {
    auto made = new_function(world().pi(dom, f.region->cotangents), nullptr, is_inlined);
    Sums sums;
    auto around = std::exchange(current_, &f);
    if (f.old == seeded_ && !f.block) sums[f.old->var()].whole = seed_;
    seed(sums, made->var());
    for (auto value = order.rbegin(); value != order.rend(); ++value) {
        auto known = sums.find(*value);
        auto s     = known == sums.end() ? nullptr : total(world(), rewrite((*value)->type()), known->second);
        if (s) back(*value, s, sums);
    }
    world().set_body(made, finish(f, sums));
    current_ = around;
    return made;
}

static bool is_among(const DefVec& values, const Def* value) { return std::ranges::find(values, value) != values.end(); }

/// Nothing is lost in silence: a sum is of the argument, of a capture, or of a value that went on to others.
void Reverse::verify_kept(Function& f, const Sums& sums) {
    auto& caught = captures(f);
    for (auto& [value, sum] : sums) {
        bool is_kept = value == f.old->var() || f.values.contains(value) || is_among(caught, value);
        bool is_zero = !sum.whole && sum.parts.empty();
        if (!is_kept && !is_zero) fail(world(), diag::not_covered(value, "its cotangent would be lost"), value);
    }
}

const Def* Reverse::finish(Function& f, Sums& sums) {
    auto& w     = world();
    auto result = [&](const Def* value, const Def* type) {
        auto known = sums.find(value);
        auto s     = known == sums.end() ? nullptr : total(world(), type, known->second);
        return s ? s : zero_of(w, type);
    };
    verify_kept(f, sums);
    DefVec all{result(f.old->var(), rewrite(f.old->dom()))};
    for (auto value : captures(f)) all.push_back(result(value, rewrite(value->type())));
    auto tuple = w.tuple(all);
    return f.k ? w.app(f.k, tuple) : tuple;
}

/// The place in which the cotangent of a value is summed up: an element of a tuple has its part of the tuple's.
Sum& Reverse::place(Sums& sums, const Def* value) {
    auto& w      = world();
    auto extract = value->isa<Extract>();
    auto i       = extract ? mim::value(extract->index()) : std::nullopt;
    auto n       = i ? lit_arity(w, extract->tuple()->type()) : -1;
    bool is_part = n >= 0 && n <= max_parts && is_active(extract->tuple()) && !calls_.find(value);
    if (is_among(captures(*current_), value) || !is_part) return sums[value];
    auto& tuple = place(sums, extract->tuple());
    split(w, tuple, rewrite(extract->tuple()->type()));
    return tuple.parts[*i];
}

void Reverse::add(Sums& sums, const Def* value, const Def* s) {
    if (!is_active(value)) return;
    bool is_outer = !value->isa<Tuple>() && is_outside(*current_, value);
    auto parts    = is_outer ? value->type()->isa<Sigma>() : nullptr;
    if (parts && holds_token(world(), parts)) { // captured one by one
        for (size_t i = 0; i != parts->num_ops(); ++i) add(sums, world().extract(value, i), world().extract(s, i));
        return;
    }
    auto& whole = place(sums, value).whole;
    whole       = both(world(), rewrite(value->type()), whole, s);
}

void Reverse::back(const Def* value, const Def* s, Sums& sums) {
    if (is_memory_operation(value)) return back_memory(value->as<App>(), s, sums);
    if (value->isa<App>() || calls_.find(value)) return back_call(value, s, sums);
    if (auto extract = value->isa<Extract>()) return back_extract(extract, s, sums);
    if (auto insert = value->isa<Insert>()) return back_insert(insert, s, sums);
    if (auto inj = value->isa<Inj>()) {
        auto member = rewrite(inj->member());
        return add(sums, inj->value(), member_tangent(world(), rewrite(inj->type()), member, s));
    }
    auto parts = *elements(world(), value);
    for (size_t i = 0; i != parts.size(); ++i) add(sums, parts[i], part_of(world(), s, i, parts.size()));
}

void Reverse::back_extract(const Extract* extract, const Def* s, Sums& sums) {
    auto& w = world();
    DefVec path;
    const Def* array = extract;
    auto is_inner    = [&](const Def* def) {
        auto n       = lit_arity(w, def->as<Extract>()->tuple()->type());
        bool is_part = isa_lit(def->as<Extract>()->index()) && n >= 0 && n <= max_parts;
        return !is_part && !calls_.find(def);
    };
    while (array->isa<Extract>() && is_inner(array)) {
        path.insert(path.begin(), rewrite(array->as<Extract>()->index()));
        array = array->as<Extract>()->tuple();
    }
    if (path.empty()) return; // a part of what it is an element of
    if (!is_active(array)) return;
    auto type  = rewrite(array->type());
    auto& sum  = place(sums, array);
    auto whole = total(world(), type, sum);
    sum.parts.clear();
    sum.whole = added(world(), whole, type, path, s);
}

void Reverse::back_insert(const Insert* insert, const Def* s, Sums& sums) {
    auto& w    = world();
    auto index = rewrite(insert->index());
    add(sums, insert->value(), w.extract(s, index));
    add(sums, insert->tuple(), w.insert(s, index, zero_of(w, rewrite(insert->value()->type()))));
}

/// The part of the cotangent of a value that is known, which the value loses; zero if none is.
const Def* Reverse::take(Sums& sums, const Def* value) {
    auto& w   = world();
    auto type = rewrite(value->type());
    if (!is_active(value)) return zero_of(w, type);
    bool is_by_element = value->isa<Tuple>() && !is_among(captures(*current_), value);
    if (is_by_element) return w.tuple(map_defs(value->ops(), [&](auto op) { return take(sums, op); }));
    auto& sum  = place(sums, value);
    auto whole = total(world(), type, sum);
    sum        = Sum();
    return whole ? whole : zero_of(w, type);
}

/// Whether the operation has a way of its own to add to the cotangent of its argument.
bool Reverse::accumulates(const Def* app) {
    auto [at, is_new] = accumulates_.try_emplace(app, false);
    if (!is_new) return at->second;
    auto& w                  = world();
    auto x                   = arg_of(app);
    auto types               = w.tuple({x->type(), app->type()});
    auto s                   = zero_of(w, app->type());
    auto sum                 = w.apply<accumulate>(types, callee_of(app), {x, s, zero_of(w, x->type())});
    return accumulates_[app] = !match<accumulate>(sum);
}

/// The cotangent of the argument where the operation adds to what is there; null if it has no way of its own to do that.
const Def* Reverse::accumulated(const Def* app, const Def* s, Sums& sums) {
    if (!accumulates(app)) return nullptr;
    auto& w    = world();
    auto x     = rewrite(arg_of(app));
    auto types = w.tuple({x->type(), rewrite(app->type())});
    auto acc   = take(sums, arg_of(app));
    return inner(w, w.apply<accumulate>(types, rewrite(callee_of(app)), {x, s, acc}));
}

void Reverse::back_call(const Def* value, const Def* s, Sums& sums) {
    auto& w   = world();
    auto call = calls_.find(value);
    if (!call)
        if (auto result = accumulated(value, s, sums)) return add(sums, arg_of(value), result);
    auto z = w.app(w.extract(pair(value), 1), s);
    if (!call) return add(sums, arg_of(value), w.extract(z, 0));
    auto caught = captures_of(*call);
    auto n      = caught.size() + 1;
    add(sums, call->arg, part_of(w, z, 0, n));
    for (size_t i = 1; i != n; ++i) add(sums, caught[i - 1], part_of(w, z, i, n));
}

} // namespace mim::plug::autodiff
