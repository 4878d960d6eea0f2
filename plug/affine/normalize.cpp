// SPDX-License-Identifier: MIT
// Loops that need none: those that run never or once, whose body changes nothing, or leaves the loop; and those whose body asks to be
// evaluated by a filter that is `tt`. What is undefined (a step of 0) is never folded, so that it can be trapped.
#include <algorithm>

#include "affine.h"
#include "core/annexes.h"

namespace mim::plug::affine {

const Def* Range::index(const Def* k) const { return w.call(core::nat::add, {start(), w.call(core::nat::mul, {k, step()})}); }

bool Range::steps() const { return value(step()).value_or(0) != 0; }

const Def* normalize_trips(const Redex& redex) {
    auto& w = redex.w;
    Range range{w, redex.arg};
    if (!range.steps()) return nullptr;
    auto first = range.start(), last = range.stop();
    auto start = value(first), stop = value(last), step = value(range.step());
    if (first == last || stop == 0) return w.lit_nat(0);
    if (step == 1) return w.call(core::nat::sub, {last, first});
    if (!start || !stop) return nullptr;
    return w.lit_nat(*start >= *stop ? 0 : (*stop - 1 - *start) / *step + 1);
}

namespace {

/// Whether a call of this λ with this argument is evaluated.
bool is_evaluated(World& w, const Lam* lam, const Def* arg) {
    if (!lam || lam->is_waiting() || lam->filter() == w.ff()) return false;
    return lam->filter() == w.tt() || w.subst(lam->filter(), lam->var(), arg) == w.tt();
}

/// `(f, g, …)#i` of functions that are known.
bool is_choice(const Def* def) {
    auto ex    = def->isa<Extract>();
    auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
    return tuple && std::ranges::all_of(tuple->ops(), [](auto op) { return isa_known(op) || is_choice(op); });
}

/// Loops with more turns stay loops, whatever the filter says: a turn costs some microseconds, and nodes where it is not folded.
constexpr uint64_t max_unrolled = 1 << 18;

} // namespace

/// %affine.For (start, stop, step) body (acc, exit):
///   ▷ exit acc                                 if it never runs, or body ((i, acc), next) = next acc
///   ▷ body ((start, acc), exit)                if it runs once, or the first turn leaves the loop
///   ▷ body ((start, acc), cn acc = body (…))   if the filter of the body says so
///   ▷ a function that counts turns             if the body refers to a token: it may leave the loop with it
const Def* normalize_For(const Redex& redex) {
    auto& w = redex.w;
    if (redex.is_unstable()) return nullptr;
    auto [type, indices, body, arg] = redex.groups<4>();
    Range range{w, indices};
    auto acc = redex.elem(0), exit = redex.elem(1);
    auto turn = [&](uint64_t k, const Def* a, const Def* next) {
        return w.app(body, {w.tuple({range.index(w.lit_nat(k)), a}), next});
    };
    auto trips = value(range.trips());
    auto n     = trips.value_or(0);
    if (trips == 0) return w.app(exit, acc);
    if (n == 1) return turn(0, acc, exit);

    auto loop = [&](bool in_place) { return counted(w, {type, range, body, acc, exit}, in_place); };
    auto lam  = isa_known(body);
    if (!lam) return is_choice(body) && refers_to_token(w, body) ? loop(false) : nullptr;
    auto [in, next] = elems<2>(w, lam->var());
    if (range.steps() && lam->body() == w.app(next, w.extract(in, 1))) return w.app(exit, acc);
    if (n != 0 && n <= max_unrolled && is_evaluated(w, lam, w.tuple({w.tuple({range.start(), acc}), exit}))) {
        auto rest = exit;
        for (auto k = n - 1; k != 0; --k) {
            auto later = w.mut_lam(w.cn(type));
            w.set(later, w.ff(), turn(k, later->var(), rest));
            rest = w.seal(later);
        }
        return turn(0, acc, rest);
    }
    return refers_to_token(w, lam) ? loop(true) : nullptr;
}

/// %affine.fold (start, stop, step) f acc:
///   ▷ acc                                      if it never runs, or f (i, acc) = acc
///   ▷ f (start + (n-1)·step, f (… f (start, acc)))   if it runs once, or the filter of f says so
const Def* normalize_fold(const Redex& redex) {
    auto& w = redex.w;
    if (redex.is_unstable()) return nullptr;
    auto [type, indices, f, acc] = redex.groups<4>();
    Range range{w, indices};
    auto turn  = [&](uint64_t k, const Def* a) { return w.app(f, {range.index(w.lit_nat(k)), a}); };
    auto trips = value(range.trips());
    auto n     = trips.value_or(0);
    if (trips == 0) return acc;
    if (n == 1) return turn(0, acc);

    auto lam = isa_known(f);
    if (!lam) return nullptr;
    if (range.steps() && lam->body() == w.extract(lam->var(), 1)) return acc;
    if (n == 0 || n > max_unrolled || !is_evaluated(w, lam, w.tuple({range.start(), acc}))) return nullptr;
    for (uint64_t k = 0; k != n; ++k) acc = turn(k, acc);
    return acc;
}

} // namespace mim::plug::affine
