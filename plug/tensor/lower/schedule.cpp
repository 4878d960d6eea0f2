// SPDX-License-Identifier: MIT
// See schedule.h.
#include "lower/schedule.h"

#include <algorithm>

#include "core/annexes.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "tensor.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

/*
 * values of %tensor.Schedule
 */

static uint64_t number_in(const Def* schedule, const Def* part) {
    if (auto number = value(part)) return *number;
    throw Error(diag::unknown_schedule(schedule));
}

static Dims numbers_in(World& w, const Def* schedule, const Def* list, uint64_t n) {
    Dims result;
    for (uint64_t i = 0; i != n; ++i) result.push_back(number_in(schedule, n == 1 ? list : elem(w, list, i)));
    return result;
}

Plan Plan::plain(Dims order) {
    auto n = order.size();
    return {std::move(order), Dims(n, 1), n, 1, false};
}

std::optional<Plan> Plan::read(World& w, const Def* def) {
    auto [k, order, tiles, vector, accumulators, packs] = elems<6>(w, def);
    auto rank                                           = number_in(def, k);
    if (rank == 0) return {};
    if (rank > max_rank) throw Error(diag::bad_schedule("it is about " + std::to_string(rank) + " dimensions"));
    Plan s;
    s.order        = numbers_in(w, def, order, rank);
    s.tiles        = numbers_in(w, def, tiles, rank);
    s.vector       = number_in(def, vector);
    s.accumulators = number_in(def, accumulators);
    s.packs        = number_in(def, packs) != 0;
    return s;
}

static std::string list_text(const Dims& numbers) {
    std::string result;
    for (auto n : numbers) result += (result.empty() ? "" : ", ") + std::to_string(n);
    return numbers.size() == 1 ? result : "(" + result + ")";
}

std::string Plan::text() const {
    auto lists   = list_text(order) + ", " + list_text(tiles);
    auto numbers = std::to_string(vector) + ", " + std::to_string(accumulators);
    return "(" + std::to_string(order.size()) + ", " + lists + ", " + numbers + (packs ? ", tt)" : ", ff)");
}

/*
 * what fits
 */

static bool is_permutation(Dims dims) {
    std::ranges::sort(dims);
    for (size_t i = 0; i != dims.size(); ++i)
        if (dims[i] != i) return false;
    return true;
}

static std::string misfit_of_reduction(const Plan& s, const LoopSpace& space) {
    auto is_reduced = [&](uint64_t d) { return bool(space.is_reduced[d]); };
    Dims reduced;
    std::ranges::copy_if(s.order, std::back_inserter(reduced), is_reduced);
    if (space.needs_rows && !std::ranges::is_partitioned(s.order, [&](auto d) { return !is_reduced(d); }))
        return "what is reduced is reduced in the innermost loops";
    if (space.in_any_order) return {};
    if (!std::ranges::is_sorted(reduced)) return "its order changes the order of a reduction, which is kept";
    if (s.vector < space.is_reduced.size() && is_reduced(s.vector))
        return "terms in lanes change the order of a reduction, which is kept";
    if (s.accumulators > 1) return "partial sums change the order of a reduction, which is kept";
    return {};
}

std::string misfit(const Plan& s, const LoopSpace& space) {
    auto rank  = space.is_reduced.size();
    auto loops = std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions");
    if (s.order.size() != rank) return "it is about " + std::to_string(s.order.size()) + ", there are " + loops;
    if (!is_permutation(s.order)) return "its order " + list_text(s.order) + " is no permutation of the dimensions";
    if (std::ranges::find(s.tiles, 0) != s.tiles.end()) return "a tile has the size 0";
    if (s.vector > rank) return "dimension " + std::to_string(s.vector) + " cannot be in lanes: there are " + loops;
    if (s.accumulators == 0) return "there are 0 accumulators";
    bool reduces = std::ranges::find(space.is_reduced, true) != space.is_reduced.end();
    if (!reduces && s.accumulators > 1) return "there is nothing to accumulate";
    return misfit_of_reduction(s, space);
}

/*
 * reductions
 */

/// The application of an operation to two operands, or one that misses these.
static bool reorders(const Def* def) {
    constexpr uint64_t reassoc = 64;
    auto axm                   = head_axiom(def);
    if (!axm) return false;
    auto& axiom   = axm->axiom();
    auto is       = [&](auto sub) { return is_tag<decltype(sub)>(axiom) && axiom.id.sub == int(sub); };
    auto has_mode = [&](uint64_t bits) {
        auto mode = value(group(def, 1));
        return mode && (*mode & bits) == bits;
    };
    if (is(core::nat::add) || is(core::nat::mul)) return true;
    if (is(core::wrap::add) || is(core::wrap::mul)) return is_value(group(def, 1), 0);
    if (is(core::bit2::and_) || is(core::bit2::or_) || is(core::bit2::xor_)) return true;
    if (is_tag<core::extrema>(axiom)) return true;
    bool is_math = is(math::arith::add) || is(math::arith::mul) || is_tag<math::extrema>(axiom);
    return is_math && has_mode(reassoc);
}

bool may_reorder(const Def* combine) {
    auto lam = isa_known(combine);
    if (!lam) return reorders(combine);
    auto body = lam->body();
    if (!body || !body->isa<App>() || !reorders(body)) return false;
    auto arg = arg_of(body), var = lam->var();
    if (arg == var) return true;
    auto pair = arg->isa<Tuple>();
    if (!pair || pair->num_ops() != 2) return false;
    auto is_part = [&](const Def* def) { return def->isa<Extract>() && def->as<Extract>()->tuple() == var; };
    return is_part(pair->op(0)) && is_part(pair->op(1)) && pair->op(0) != pair->op(1);
}

} // namespace mim::plug::tensor
