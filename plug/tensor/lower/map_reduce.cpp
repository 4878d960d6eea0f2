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
#include "lower/side_by_side.h"
#include "lower/tensors.h"
#include "math/annexes.h"
#include "normal.h"

namespace mim::plug::tensor {

/// The elements of a shorter row are not worth to be reduced side by side.
static constexpr uint64_t min_row = 4;

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

/// Whether so many are done in blocks of this size without a rest, as far as is known, and fill more than one.
static bool fills_blocks(const Def* extent, uint64_t size) {
    auto n = value(extent);
    return !n || (*n > size && *n % size == 0);
}

/// If rows are reduced in turn, for a few terms each, such elements come from near memory for all rows but one. A short
/// row stays in registers, and for few terms it does not pay to go through the rows of a block again. LLVM unrolls a rest
/// whose number of turns is known: rows and terms of it, each with a loop of its own.
bool MapReduce::shares_rows(World& w) const {
    constexpr uint64_t max_in_registers = 64, min_terms = 32;
    if (outer.size() < 2 || !is_number(from) || from != to) return false;
    auto row = outer.back(), dim = outer[outer.size() - 2];
    bool is_long = value(extents[row]).value_or(max_in_registers + 1) > max_in_registers;
    bool is_deep = std::ranges::any_of(inner, [&](auto d) { return value(extents[d]).value_or(min_terms) >= min_terms; });
    bool fills   = fills_blocks(extents[dim], SideBySide::block) && fills_blocks(extents[inner.back()], SideBySide::terms);
    if (!is_long || !is_deep || !fills) return false;
    auto index     = some_index(w, extents);
    auto reads     = reads_of(w, next(index, w.mut_lam(w.cn(from))->var()), index);
    auto is_shared = [&](auto& steps) {
        auto varies = [&](auto d) { return steps[d] != Step::None; };
        return std::ranges::all_of(inner, varies) && varies(row) && !varies(dim);
    };
    return std::ranges::any_of(reads, is_shared);
}

std::vector<uint64_t> MapReduce::usual_order(World& w) const {
    auto order = outer;
    order.insert(order.end(), inner.begin(), inner.end());
    if (reduces_rows(w))
        std::rotate(order.begin() + ptrdiff_t(outer.size()) - 1, order.begin() + ptrdiff_t(outer.size()), order.end());
    return order;
}

/// Fills the array.
const Def* Tensors::loops_in(const Dims& order, MapReduce r, const Def* blank, bool in_blocks) {
    auto is_inner    = [&](uint64_t d) { return r.is_inner(d); };
    auto first_inner = std::ranges::find_if(order, is_inner);
    if (!std::all_of(first_inner, order.end(), is_inner)) return SideBySide(loops_, r, order, in_blocks).fill(blank);

    r.inner.assign(first_inner, order.end());
    Dims outer_order;
    for (auto d : std::span(order.begin(), first_inner))
        outer_order.push_back(uint64_t(std::ranges::find(r.outer, d) - r.outer.begin()));
    return loops_.fill(blank, r.extents_of(r.outer), outer_order, [&](Defs index) { return output_of(r, index); });
}

const Def* Tensors::loops_of(const MapReduce& r, const Def* op, Wanted wanted) {
    LoopSpace space{std::vector<bool>(r.extents.size()), may_reorder(r.c), false};
    for (auto d : r.inner) space.is_reduced[d] = true;
    auto order     = chosen(op, wanted, r.usual_order(w), space).order;
    auto blank     = loops_.blank(r.extents_of(r.outer), r.to);
    bool has_rows  = !order.empty() && !space.is_reduced[order.back()] && !r.inner.empty();
    bool in_blocks = !wanted && has_rows && r.shares_rows(w);
    if (wanted || !has_rows || is_number(r.from) || value(r.extents[order.back()])) return loops_in(order, r, blank, in_blocks);

    auto is_short_row = w.call(core::ncmp::l, {r.extents[order.back()], w.lit_nat(min_row)});
    auto by_element   = r.outer;
    by_element.insert(by_element.end(), r.inner.begin(), r.inner.end());
    auto once = [&](bool holds, const Dims& loops, const Def* array) { // a loop of one turn or none
        DefVec turns{w.select(is_short_row, w.lit_nat(holds), w.lit_nat(!holds))};
        return loops_.reduce(turns, array, [&](Defs, const Def* acc) { return loops_in(loops, r, acc, in_blocks); });
    };
    return once(false, order, once(true, by_element, blank));
}

} // namespace mim::plug::tensor
