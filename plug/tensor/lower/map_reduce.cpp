// SPDX-License-Identifier: MIT
// `map_reduce` as loops. If no schedule says otherwise, each output element is a loop over the dimensions that it is
// reduced over, unless these loops read memory in larger steps than a loop over the last dimension of the output does:
// then that is the innermost loop, and the elements of a row are reduced side by side. The order in which terms are
// added to an element is the same.
#include "lower/map_reduce.h"

#include "base/worklist.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "lower/reads.h"
#include "lower/tensors.h"
#include "math/annexes.h"
#include "normal.h"

namespace mim::plug::tensor {

/// The elements of a shorter row are not worth to be reduced side by side.
static constexpr uint64_t min_row = 4;

/// It is no tuple of numbers.
static bool is_number(const Def* type) { return !type->isa<Arr>() && !type->isa<Sigma>(); }

/// The function returns its argument.
static bool is_identity(const Def* f) {
    auto lam = isa_known(f);
    return lam && lam->body() == lam->var();
}

bool MapReduce::mentions_all(const std::vector<uint64_t>& dims) const {
    for (uint64_t d = 0; d != extents.size(); ++d)
        if (!is_value(extents[d], 1) && std::ranges::find(dims, d) == dims.end()) return false;
    return true;
}

DefVec MapReduce::extents_of(const std::vector<uint64_t>& dims) const {
    return map_defs(dims, [&](auto d) { return extents[d]; });
}

MapReduce Tensors::map_reduce_of(const Def* op, Reader reader) {
    auto [k, m, ni, it, rs, ts, from, to] = elems<8>(w, part(op, 0));
    auto [e, c, z, p]                     = elems<4>(w, part(op, 2));
    MapReduce r;
    r.extents = list(op, k, it);
    r.outer   = numbers(op, m, part(op, 1, 0));
    r.c = c, r.z = z;
    r.end        = [this, p](Defs, const Def* last) { return w.app(p, last); };
    r.ends_as_is = is_identity(p);
    r.from = from, r.to = to;
    std::vector<bool> is_outer(r.extents.size());
    for (auto d : r.outer) is_outer[d] = true;
    for (uint64_t d = 0; d != r.extents.size(); ++d)
        if (!is_outer[d]) r.inner.push_back(d);

    auto types = list(op, ni, ts), ranks = list(op, ni, rs), subscripts = list(op, ni, part(op, 1, 1));
    std::vector<std::pair<std::vector<uint64_t>, Elements>> inputs; // and the dimensions that they are read at
    for (size_t i = 0; i != types.size(); ++i) {
        auto dims  = numbers(op, ranks[i], subscripts[i]);
        auto input = types.size() == 1 ? group(op, 3) : old(op, 3, i);
        auto once  = reader.once && r.mentions_all(dims);
        inputs.emplace_back(dims, elements(input, r.extents_of(dims), types[i], {reader.op, once}));
    }
    r.term = [this, e, inputs](Defs index) {
        return w.app(e, w.tuple(map_defs(inputs, [&](auto& input) {
            return input.second.at(map_defs(input.first, [&](auto d) { return index[d]; }));
        })));
    };
    r.extremum = Extremum::of(w, c, z);
    r.next     = [this, c, extremum = r.extremum, term = r.term](Defs index, const Def* acc) {
        return extremum ? extremum->next(acc, term(index)) : w.app(c, {acc, term(index)});
    };
    return r;
}

/// A literal number of turns that LLVM unrolls.
static bool is_few(const Def* extent) {
    constexpr uint64_t max_few = 16;
    return value(extent).value_or(max_few + 1) <= max_few;
}

/// A loop over all terms of an element waits for each of its additions, one over a row does not. If it is known how
/// many terms there are, these loops are unrolled. Windows overlap where a read moves by one element along both. Terms of
/// one number are computed in lanes, and added one after the other; of several numbers, which wait for each other, that
/// takes longer than all else. Where rows and terms are few, LLVM unrolls both loops, and keeps what it needs in registers.
bool MapReduce::reduces_rows(World& w) const {
    if (outer.empty() || inner.empty()) return false;
    auto row = outer.back(), last = inner.back();
    if (is_few(extents[row]) && is_few(extents[last])) return false;
    auto index = some_index(w, extents);
    auto one   = next(index, w.mut_lam(w.cn(from))->var());
    if (has_long_part(w, one, index[row], index[last])) return false;
    auto reads       = reads_of(w, one, index);
    auto num_strided = [&](auto dim) {
        return std::ranges::count_if(reads, [&](auto& steps) { return steps[dim] == Step::Other; });
    };
    auto by_term = num_strided(last), by_row = num_strided(row);
    if (by_term != by_row) return by_term > by_row;
    if (by_row == 0 && !is_number(from) && !may_reorder(c) && value(extents[row]).value_or(min_row) >= min_row) return true;
    bool is_known = std::ranges::all_of(inner, [&](auto d) { return value(extents[d]).has_value(); });
    return !is_known
           && std::ranges::any_of(reads, [&](auto& steps) { return steps[row] == Step::One && steps[last] == Step::One; });
}

/// The element of the output at an index.
const Def* Tensors::output_of(const MapReduce& r, Defs index) {
    DefVec all(r.extents.size());
    for (size_t j = 0; j != r.outer.size(); ++j) all[r.outer[j]] = index[j];
    if (r.inner.empty()) return r.end(index, r.term(all));
    auto reduce = [&](const Def* start, const std::function<const Def*(const Def*)>& next) {
        return loops_.reduce(r.extents_of(r.inner), start, [&](Defs rest, const Def* acc) {
            for (size_t j = 0; j != rest.size(); ++j) all[r.inner[j]] = rest[j];
            return next(acc);
        });
    };
    if (r.extremum) {
        auto step = [&](const Def* acc) { return r.extremum->step(acc, r.term(all)); };
        return r.end(index, r.extremum->end(reduce(r.extremum->start(), step)));
    }
    return r.end(index, reduce(r.z, [&](const Def* acc) { return r.next(all, acc); }));
}

Elements Tensors::of_map_reduce(const Def* op, Reader reader) {
    auto r = map_reduce_of(op, reader);
    return {r.extents_of(r.outer), r.to, [this, r](Defs index) { return output_of(r, index); }};
}

/// It is one instruction, or a few.
static bool is_instruction(const Axiom& axiom) {
    bool is_root = is_tag<math::rt>(axiom) && math::rt(axiom.id.sub) == math::rt::sq;
    return is_root || is_tag<math::arith>(axiom) || !takes_long(axiom);
}

/// It calls nothing. Obligations of an index are checked before all loops.
static bool calls_nothing(const Def* app) {
    auto axm = head_axiom(app);
    if (axm && !saturated_axiom(app)) return true; // a part of an application
    if (match<inside>(app) || match<owe>(app)) return true;
    return axm && axm->axiom().has(Axiom::Speculatable) && is_instruction(axm->axiom());
}

/// Few operations, which call nothing. Arrays are there.
static bool is_short(const Def* root) {
    static constexpr size_t most = 128;
    size_t count                 = 0;
    Worklist<const Def*> todo{root};
    while (auto def = todo.next()) {
        if (!def->type() || is_type(def) || def->isa<Var>() || def->isa<Lit>() || def->isa<Axm>()) continue;
        if (def->isa<Lam>() || ++count > most) return false;
        auto app      = def->isa<App>();
        bool is_there = def->type()->isa<Arr>() && !def->isa<Tuple>();
        if (app && (is_there || !calls_nothing(app))) return false;
        if (!is_there) todo.push_all(def->ops());
    }
    return true;
}

/// Steps through the terms in this order of loops. Where the last loop over terms has loops over elements inside of it,
/// these take four terms in each turn, one after the other: an element is loaded and stored once for all four. If it
/// consists of several numbers, each lane has to be put together and taken apart, and it pays to take eight. `all` is the
/// index of the term.
const Def* Tensors::several_terms(const MapReduce& r, const Dims& order, const Def* acc, DefVec& all, const TermStep& step) {
    const uint64_t num = is_number(r.from) ? 4 : 8;
    auto is_inner      = [&](uint64_t d) { return std::ranges::find(r.inner, d) != r.inner.end(); };
    auto last          = std::find_if(order.rbegin(), order.rend(), is_inner);
    auto place         = size_t(order.rend() - last) - 1;
    auto extent        = r.extents[order[place]];
    bool is_row        = place + 1 != order.size() && value(extent).value_or(num + 1) > num;
    auto at            = [&](const Dims& dims, Defs index) {
        for (size_t j = 0; j != dims.size(); ++j) all[dims[j]] = index[j];
    };
    auto one           = [&](const std::function<void()>& term) { term(); };
    auto is_short_term = [&] { // code for several terms is not to be much more than for one
        return is_short(r.next(some_index(w, r.extents), w.mut_lam(w.cn(r.from))->var()));
    };
    if (!is_row || !is_short_term()) {
        return loops_.reduce(r.extents_of(order), acc,
                             [&](Defs index, const Def* old) { return at(order, index), step(old, one); });
    }
    Dims around(order.begin(), order.begin() + ptrdiff_t(place)), elements(order.begin() + ptrdiff_t(place) + 1, order.end());
    auto length = w.lit_nat(num);
    auto blocks = quotient(extent, length);
    auto turns  = [&](const Def* count) {
        auto extents = r.extents_of(elements);
        extents.insert(extents.begin(), count);
        return extents;
    };
    auto term_at = [&](const Def* number) { all[order[place]] = in_bounds(w.tt(), number, extent); };
    return loops_.reduce(r.extents_of(around), acc, [&](Defs outer, const Def* old) {
        at(around, outer);
        auto most = loops_.reduce(turns(blocks), old, [&](Defs index, const Def* sums) {
            at(elements, index.subspan(1));
            return step(sums, [&](const std::function<void()>& term) {
                for (uint64_t i = 0; i != num; ++i) term_at(sum(product(number(index[0]), length), w.lit_nat(i))), term();
            });
        });
        return loops_.reduce(turns(remainder(extent, length)), most, [&](Defs index, const Def* sums) {
            at(elements, index.subspan(1));
            term_at(sum(product(blocks, length), number(index[0])));
            return step(sums, one);
        });
    });
}

/// Loops in any order. Elements of the output whose loops are inside of a reduction are reduced side by side, in the
/// output itself if their type is that of the terms.
const Def* Tensors::reduced(const MapReduce& r, const Dims& order, const Def* blank) {
    auto is_outer = [&](uint64_t d) { return std::ranges::find(r.outer, d) != r.outer.end(); };
    auto first    = std::ranges::find_if_not(order, is_outer);
    Dims around(order.begin(), first), inside, terms(first, order.end());
    std::ranges::copy_if(r.outer, std::back_inserter(inside),
                         [&](auto d) { return std::ranges::find(around, d) == around.end(); });
    bool is_in_place = r.from == r.to && r.ends_as_is;
    auto side        = is_in_place ? r.outer : inside; // dimensions of what is reduced side by side

    DefVec all(r.extents.size());
    auto at    = [&](const Dims& dims) { return map_defs(dims, [&](auto d) { return all[d]; }); };
    auto shape = r.extents_of(r.outer), sums_shape = r.extents_of(side);
    auto nest = [&](const Dims& dims, const Def* acc, const std::function<const Def*(const Def*)>& step) {
        return loops_.reduce(r.extents_of(dims), acc, [&](Defs index, const Def* last) {
            for (size_t j = 0; j != dims.size(); ++j) all[dims[j]] = index[j];
            return step(last);
        });
    };
    return nest(around, blank, [&](const Def* out) {
        auto start = is_in_place ? out : loops_.blank(sums_shape, r.from);
        auto zeros = nest(inside, start, [&](const Def* sums) { return loops_.insert(sums, sums_shape, at(side), r.z); });
        auto step  = [&](const Def* acc, const Terms& next) {
            auto sum = loops_.extract(acc, sums_shape, r.from, at(side));
            next([&] { sum = r.next(all, sum); });
            return loops_.insert(acc, sums_shape, at(side), sum);
        };
        auto sums = several_terms(r, terms, zeros, all, step);
        if (is_in_place) return sums;
        return nest(inside, out, [&](const Def* acc) {
            auto last = loops_.extract(sums, sums_shape, r.from, at(side));
            return loops_.insert(acc, shape, at(r.outer), r.end(at(r.outer), last));
        });
    });
}

std::vector<uint64_t> MapReduce::usual_order(World& w) const {
    auto order = outer;
    order.insert(order.end(), inner.begin(), inner.end());
    if (reduces_rows(w))
        std::rotate(order.begin() + ptrdiff_t(outer.size()) - 1, order.begin() + ptrdiff_t(outer.size()), order.end());
    return order;
}

/// Fills the array.
const Def* Tensors::loops_in(const Dims& order, MapReduce r, const Def* blank) {
    auto is_inner    = [&](uint64_t d) { return std::ranges::find(r.inner, d) != r.inner.end(); };
    auto first_inner = std::ranges::find_if(order, is_inner);
    if (!std::all_of(first_inner, order.end(), is_inner)) return reduced(r, order, blank);

    r.inner.assign(first_inner, order.end());
    Dims outer_order;
    for (auto d : std::span(order.begin(), first_inner))
        outer_order.push_back(uint64_t(std::ranges::find(r.outer, d) - r.outer.begin()));
    return loops_.fill(blank, r.extents_of(r.outer), outer_order, [&](Defs index) { return output_of(r, index); });
}

const Def* Tensors::loops_of(const MapReduce& r, const Def* op, Wanted wanted) {
    LoopSpace space{std::vector<bool>(r.extents.size()), may_reorder(r.c), false};
    for (auto d : r.inner) space.is_reduced[d] = true;
    auto order    = chosen(op, wanted, r.usual_order(w), space).order;
    auto blank    = loops_.blank(r.extents_of(r.outer), r.to);
    bool has_rows = !order.empty() && !space.is_reduced[order.back()] && !r.inner.empty();
    if (wanted || !has_rows || is_number(r.from) || value(r.extents[order.back()])) return loops_in(order, r, blank);

    auto is_short_row = w.call(core::ncmp::l, {r.extents[order.back()], w.lit_nat(min_row)});
    auto by_element   = r.outer;
    by_element.insert(by_element.end(), r.inner.begin(), r.inner.end());
    auto once = [&](bool holds, const Dims& loops, const Def* array) { // a loop of one turn or none
        DefVec turns{w.select(is_short_row, w.lit_nat(holds), w.lit_nat(!holds))};
        return loops_.reduce(turns, array, [&](Defs, const Def* acc) { return loops_in(loops, r, acc); });
    };
    return once(false, order, once(true, by_element, blank));
}

} // namespace mim::plug::tensor
