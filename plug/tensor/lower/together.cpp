// SPDX-License-Identifier: MIT
// Loops that make an array and reduce its elements, or reduce several arrays: what is carried is a tuple of all that
// is made.
#include <algorithm>
#include <cassert>

#include "kit/build.h"
#include "lower/tensors.h"
#include "normal.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

Siblings::Questions Tensors::questions() {
    return {[this](auto producer, auto reader) { return may_fuse(producer, {reader, true}); },
            [this](auto inner, auto outer) { return is_deeper(w, inner, outer); },
            [this](auto op) { return maker_of(op) && !known_value(op) && !scheduled(op); }};
}

/// Siblings read it at the index of the turn only.
Elements Tensors::made_in_turn() {
    auto at = [turn = turn_](Defs index) {
        assert(std::ranges::equal(index, turn->index) && "another element than that of the turn");
        return turn->element;
    };
    return {turn_->extents, turn_->type, at};
}

Tensors::Reduction Tensors::reduction_of(const Def* op) {
    Reader reader{op, true};
    auto same = [](const Def* last) { return last; };
    if (match<map_reduce>(op)) {
        auto r = map_reduce_of(op, reader);
        return {r.extents, r.z, r.to, r.next, [r](const Def* last) { return r.end({}, last); }};
    }
    if (match<fold>(op)) {
        auto f = part(op, 1), type = part(op, 0, 0);
        auto a = elements(old(op, 3, 1), {part(op, 2)}, part(op, 0, 1), reader);
        return {a.shape, rewrite(old(op, 3, 0)), type,
                [=, this](Defs index, const Def* acc) { return w.app(f, {acc, a.at(index)}); }, same};
    }
    auto [r, s, ni, type] = elems<4>(w, part(op, 0));
    auto f                = part(op, 1);
    auto a                = elements(old(op, 2, 0), list(op, r, s), type, reader);
    return {a.shape, rewrite(old(op, 2, 1)), type, [=, this](Defs index, const Def* acc) { return w.app(f, {acc, a.at(index)}); },
            same};
}

const Def* Tensors::lower_together(const Group& group, const Def* op) {
    auto first = group.array ? group.array : group.reductions[0];
    auto name  = [](const Def* member) { return head_axiom(member)->axiom().name.str(); };
    for (auto member : group.reductions)
        if (c_.diags.verbose && member != first)
            c_.diags.report(diag::shared(name(member), name(first)), place_of(w, member).span);

    siblings_.begin(group);
    auto outer_turn = std::exchange(turn_, nullptr);
    auto turn       = std::make_shared<Turn>();
    std::optional<Elements> array;
    if (group.array) {
        array = source(group.array, {group.array, true});
        *turn = {group.array, array->shape, array->type, {}, nullptr};
        turn_ = turn;
    }
    std::vector<Reduction> reductions;
    for (auto reduction : group.reductions) reductions.push_back(reduction_of(reduction));
    turn_ = outer_turn;
    siblings_.end(group);

    auto shape      = reductions[0].extents;
    auto num_around = turns_of(w, group.reductions[0])->num_around;
    Defs around = std::span(shape).first(num_around), terms = std::span(shape).subspan(num_around);
    auto num  = reductions.size();
    auto size = num + group.is_kept;
    auto part = [&](const Def* all, size_t i) { return size == 1 ? all : w.extract(all, i); };
    /// Of all that is carried, the array comes last.
    auto all = [&](const Def* kept, const std::function<const Def*(size_t)>& result) {
        auto parts = def_vec(num, result);
        if (group.is_kept) parts.push_back(kept);
        return w.tuple(parts);
    };
    auto last   = [&](const Def* acc) { return group.is_kept ? part(acc, num) : nullptr; };
    auto reduce = [&](Defs front, const Def* kept) {
        auto start = all(kept, [&](size_t i) { return reductions[i].start; });
        auto done  = loops_.reduce(terms, start, [&](Defs rest, const Def* acc) {
            DefVec index(front.begin(), front.end());
            index.insert(index.end(), rest.begin(), rest.end());
            turn->index   = index;
            turn->element = array ? array->at(index) : nullptr;
            auto next     = group.is_kept ? loops_.insert(last(acc), shape, index, turn->element) : nullptr;
            return all(next, [&](size_t i) { return reductions[i].step(index, part(acc, i)); });
        });
        return all(last(done), [&](size_t i) { return reductions[i].end(part(done, i)); });
    };
    auto start  = group.is_kept ? loops_.blank(shape, array->type) : nullptr;
    auto blanks = [&](size_t i) { return loops_.blank(around, reductions[i].type); };
    auto done = num_around == 0 ? reduce({}, start) : loops_.reduce(around, all(start, blanks), [&](Defs index, const Def* acc) {
        auto turns = reduce(index, last(acc));
        return all(last(turns), [&](size_t i) { return loops_.insert(part(acc, i), around, index, part(turns, i)); });
    });
    const Def* result = group.is_kept && group.array == op ? last(done) : nullptr;
    if (group.is_kept && group.array != op) map(group.array, last(done));
    for (size_t i = 0; i != num; ++i) {
        if (group.reductions[i] == op) result = part(done, i);
        else map(group.reductions[i], part(done, i));
    }
    return result;
}

} // namespace mim::plug::tensor
