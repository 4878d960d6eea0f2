// SPDX-License-Identifier: MIT
// See side_by_side.h.
#include "lower/side_by_side.h"

#include "base/worklist.h"
#include "kit/build.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "normal.h"
#include "tensor/annexes.h"

namespace mim::plug::tensor {

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

/*
 * index space
 */

SideBySide::SideBySide(Loops& loops, const MapReduce& r, const Dims& order, bool in_blocks)
    : Indices(loops.w)
    , loops_(loops)
    , r_(r)
    , extents_(r.extents)
    , index_(r.extents.size()) {
    auto first = std::ranges::find_if(order, [&](auto d) { return r.is_inner(d); });
    around_.assign(order.begin(), first);
    terms_.assign(first, order.end());
    if (in_blocks) {
        cut_ = around_.back();
        terms_.insert(terms_.end() - 1, *cut_);
    }
    auto is_inside = [&](auto d) { return cut_ == d || std::ranges::find(around_, d) == around_.end(); };
    std::ranges::copy_if(r.outer, std::back_inserter(inside_), is_inside);
}

void SideBySide::set(uint64_t dim, const Def* index) {
    index_[dim] = cut_ == dim ? in_bounds(w.tt(), sum(base_, loops_.count(index)), r_.extents[dim]) : index;
}

void SideBySide::set(const Dims& dims, Defs index) {
    for (size_t j = 0; j != dims.size(); ++j) set(dims[j], index[j]);
}

/// The last block may have fewer rows.
void SideBySide::enter_block(const Def* number) {
    auto extent     = r_.extents[*cut_];
    auto most       = w.lit_nat(block);
    base_           = product(this->number(number), most);
    auto left       = difference(extent, base_);
    bool are_full   = is_value(remainder(extent, most), 0);
    extents_[*cut_] = are_full ? most : w.select(is_less(left, most), left, most);
}

DefVec SideBySide::extents_of(const Dims& dims) const {
    return map_defs(dims, [&](auto d) { return extents_[d]; });
}

DefVec SideBySide::at(const Dims& dims) const {
    return map_defs(dims, [&](auto d) { return index_[d]; });
}

const Def* SideBySide::nest(const Dims& dims, const Def* acc, const std::function<const Def*(const Def*)>& step) {
    return loops_.reduce(extents_of(dims), acc, [&](Defs index, const Def* last) {
        set(dims, index);
        return step(last);
    });
}

const Def* SideBySide::around(const Def* blank, const std::function<const Def*(const Def*)>& step) {
    if (!cut_) return nest(around_, blank, step);
    auto turns   = r_.extents_of(around_);
    auto most    = w.lit_nat(block);
    auto full    = quotient(turns.back(), most);
    auto rest    = quotient(sum(remainder(turns.back(), most), w.lit_nat(block - 1)), most);
    turns.back() = sum(full, rest);
    Dims whole(around_.begin(), around_.end() - 1);
    return loops_.reduce(turns, blank, [&](Defs index, const Def* last) {
        set(whole, index.first(whole.size()));
        enter_block(index.back());
        return step(last);
    });
}

/*
 * loops
 */

/// Steps through the terms in this order of loops. Where the last loop over terms has loops over elements inside of it,
/// these take four terms in each turn, one after the other: an element is loaded and stored once for all four. If it
/// consists of several numbers, each lane has to be put together and taken apart, and it pays to take eight.
const Def* SideBySide::several_terms(const Def* sums, const Step& step) {
    const uint64_t num = is_number(r_.from) ? terms : 2 * terms;
    auto last          = std::find_if(terms_.rbegin(), terms_.rend(), [&](auto d) { return r_.is_inner(d); });
    auto place         = size_t(terms_.rend() - last) - 1;
    auto extent        = r_.extents[terms_[place]];
    bool is_row        = place + 1 != terms_.size() && value(extent).value_or(num + 1) > num;
    auto one           = [&](const std::function<void()>& term) { term(); };
    auto is_short_term = [&] { // code for several terms is not to be much more than for one
        return is_short(r_.next(some_index(w, r_.extents), w.mut_lam(w.cn(r_.from))->var()));
    };
    if (!is_row || !is_short_term()) return nest(terms_, sums, [&](const Def* acc) { return step(acc, one); });

    Dims before(terms_.begin(), terms_.begin() + ptrdiff_t(place)), elements(terms_.begin() + ptrdiff_t(place) + 1, terms_.end());
    // the terms that are left are taken row by row: a row is loaded and stored for each of them
    auto behind = elements.begin() + (cut_ ? 1 : 0);
    Dims rows(elements.begin(), behind), row(behind, elements.end());
    auto length = w.lit_nat(num);
    auto blocks = quotient(extent, length);
    auto turns  = [&](const Def* count, const Dims& inside) {
        auto extents = extents_of(inside);
        extents.insert(extents.begin(), count);
        return extents;
    };
    auto term_at = [&](const Def* number) { set(terms_[place], in_bounds(w.tt(), number, extent)); };
    return nest(before, sums, [&](const Def* old) {
        auto most = loops_.reduce(turns(blocks, elements), old, [&](Defs index, const Def* acc) {
            set(elements, index.subspan(1));
            return step(acc, [&](const std::function<void()>& term) {
                for (uint64_t i = 0; i != num; ++i) term_at(sum(product(number(index[0]), length), w.lit_nat(i))), term();
            });
        });
        return nest(rows, most, [&](const Def* most_of_row) {
            return loops_.reduce(turns(remainder(extent, length), row), most_of_row, [&](Defs index, const Def* acc) {
                set(row, index.subspan(1));
                term_at(sum(product(blocks, length), number(index[0])));
                return step(acc, one);
            });
        });
    });
}

/// The elements inside, in `out`. Sums are there, too, if they are of the type of its elements, else in an array of their
/// own.
const Def* SideBySide::fill_inside(const Def* out) {
    bool is_in_place = r_.from == r_.to;
    auto& dims       = is_in_place ? r_.outer : inside_;
    auto shape       = r_.extents_of(dims);
    auto zero        = [&](const Def* acc) { return loops_.insert(acc, shape, at(dims), r_.z); };
    auto sums        = nest(inside_, is_in_place ? out : loops_.blank(shape, r_.from), zero);
    sums             = several_terms(sums, [&](const Def* acc, const Terms& each) {
        auto sum = loops_.extract(acc, shape, r_.from, at(dims));
        each([&] { sum = r_.next(index_, sum); });
        return loops_.insert(acc, shape, at(dims), sum);
    });
    if (is_in_place && r_.ends_as_is) return sums;
    return nest(inside_, is_in_place ? sums : out, [&](const Def* acc) {
        auto last = loops_.extract(is_in_place ? acc : sums, shape, r_.from, at(dims));
        return loops_.insert(acc, r_.extents_of(r_.outer), at(r_.outer), r_.end(at(r_.outer), last));
    });
}

const Def* SideBySide::fill(const Def* blank) {
    return around(blank, [&](const Def* out) { return fill_inside(out); });
}

} // namespace mim::plug::tensor
