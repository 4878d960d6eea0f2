// SPDX-License-Identifier: MIT
// The way back of reverse mode: from the cotangent of a result to those of what it was made of, each value once, from
// the last to the first.
#include "autodiff/diagnostics.h"
#include "ir/questions.h"
#include "reverse.h"

namespace mim::plug::autodiff {

/// Elements of larger tuples have no cotangent of their own.
static constexpr int64_t max_parts = 64;

/// λ s = the cotangents of what the region takes
const Def* Reverse::backwards(Function& f, const Def* dom, const DefVec& order, bool is_inlined, const Seed& seed) {
    auto made = new_function(world().pi(dom, f.region->cotangents), nullptr, is_inlined);
    Sums sums;
    seed(sums, made->var());
    for (auto value = order.rbegin(); value != order.rend(); ++value) {
        auto known = sums.find(*value);
        auto s     = known == sums.end() ? nullptr : total(rewrite((*value)->type()), known->second);
        if (s) back(*value, s, sums);
    }
    world().set_body(made, finish(f, sums));
    return made;
}

const Def* Reverse::finish(Function& f, Sums& sums) {
    auto& w     = world();
    auto result = [&](const Def* value, const Def* type) {
        auto known = sums.find(value);
        auto s     = known == sums.end() ? nullptr : total(type, known->second);
        return s ? s : zero_of(w, type);
    };
    DefVec all{result(f.old->var(), rewrite(f.old->dom()))};
    for (auto value : captures(f)) all.push_back(result(value, rewrite(value->type())));
    auto tuple = w.tuple(all);
    return f.k ? w.app(f.k, tuple) : tuple;
}

const Def* Reverse::both(const Def* type, const Def* a, const Def* b) {
    if (!a || !b) return a ? a : b;
    return sum_of(world(), type, a, b);
}

void Reverse::add(Sums& sums, const Def* value, const Def* s) {
    if (!is_active(value)) return;
    auto& whole = sums[value].whole;
    whole       = both(rewrite(value->type()), whole, s);
}

/// Null: zero.
const Def* Reverse::total(const Def* type, const Sum& sum) {
    if (sum.parts.empty()) return sum.whole;
    auto& w = world();
    return w.tuple(def_vec(size_t(lit_arity(w, type)), [&](auto i) {
        auto of    = elem_type(w, type, w.unit(), w.lit_idx(arity(w, type), i));
        auto part  = sum.parts.find(i);
        auto whole = sum.whole ? w.extract(sum.whole, i) : nullptr;
        auto s     = both(of, whole, part == sum.parts.end() ? nullptr : total(of, part->second));
        return s ? s : zero_of(w, of);
    }));
}

void Reverse::back(const Def* value, const Def* s, Sums& sums) {
    if (value->isa<App>() || calls_.find(value)) return back_call(value, s, sums);
    if (auto extract = value->isa<Extract>()) return back_extract(extract, s, sums);
    if (auto insert = value->isa<Insert>()) return back_insert(insert, s, sums);
    auto parts = *elements(world(), value);
    for (size_t i = 0; i != parts.size(); ++i) add(sums, parts[i], part_of(world(), s, i, parts.size()));
}

void Reverse::back_extract(const Extract* extract, const Def* s, Sums& sums) {
    auto& w    = world();
    auto tuple = extract->tuple();
    auto n     = lit_arity(w, tuple->type());
    auto i     = value(extract->index());
    if (!i || n < 0 || n > max_parts) {
        auto zero = zero_of(w, rewrite(tuple->type()));
        return add(sums, tuple, w.insert(zero, rewrite(extract->index()), s));
    }
    if (!is_active(tuple)) return;
    auto& part = sums[tuple].parts[*i].whole;
    part       = both(rewrite(extract->type()), part, s);
}

void Reverse::back_insert(const Insert* insert, const Def* s, Sums& sums) {
    auto& w    = world();
    auto index = rewrite(insert->index());
    add(sums, insert->value(), w.extract(s, index));
    add(sums, insert->tuple(), w.insert(s, index, zero_of(w, rewrite(insert->value()->type()))));
}

void Reverse::back_call(const Def* value, const Def* s, Sums& sums) {
    auto& w   = world();
    auto z    = w.app(w.extract(pair(value), 1), s);
    auto call = calls_.find(value);
    if (!call) return add(sums, arg_of(value), w.extract(z, 0));
    auto caught = captures_of(*call);
    auto n      = caught.size() + 1;
    add(sums, call->arg, part_of(w, z, 0, n));
    for (size_t i = 1; i != n; ++i) add(sums, caught[i - 1], part_of(w, z, i, n));
}

} // namespace mim::plug::autodiff
